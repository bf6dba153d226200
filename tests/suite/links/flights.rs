//! Every generated link is taken by a rapier body: it leaves the ground with the launch velocity of the
//! link's motion, flies by rapier's gravity, stays on the arc, touching nothing, and lands where the link
//! ends. Climbs are no flights: the body is swept along them.

use nalgebra::{Point3, Vector3};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, Vector};
use surefoot::grid::{LinkKind, LinkLane, LinkMotion, NavGrid};
use surefoot::{Agent, BodyShape};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::{BakeError, BakeSettings, Scene, bake};
use surefoot_rapier::{Body, BodySweep};
use surefoot_testing::{load, name, own_scenes, real_scenes};

/// Seconds between two steps of a flight.
const DT: f32 = 1.0 / 240.0;
/// How far a body may be off its arc before it lands: the skin [m].
const SKIN: f32 = 0.05;
/// How far from the end of its link a body may land, seen from above [m].
const LANDING: f32 = 0.1;
/// The lanes of a level that are taken, at most: of more, every so many.
const MOST_LANES: usize = 150;
/// Levels of more bytes than this would take minutes.
const MOST_BYTES: u64 = 2_800_000;

fn player(shape: BodyShape) -> Agent {
    Agent {
        radius: 0.4,
        height: 1.75,
        max_climb: 0.57,
        shape,
        jump_up: 1.1,
        jump_across: 3.5,
        drop: 8.0,
        ..Agent::new("player")
    }
}

/// A level, its links, and a world to fly in.
struct Level {
    grid: NavGrid,
    agent: Agent,
    physics: PhysicsWorld,
}

/// A motion along a lane, from where the body rests to where it rests.
struct Flight {
    kind: LinkKind,
    motion: LinkMotion,
    ends: [Point3<f32>; 2],
}

impl Level {
    /// Bakes a level; `None`, with a printed line, for one that is too large for its cells.
    fn new(scene: &Scene, agent: Agent) -> Option<Self> {
        let settings = BakeSettings {
            cell_size: Some(0.15),
            agents: vec![agent.clone()],
            ..BakeSettings::default()
        };
        let grid = match bake(scene, &settings, &()) {
            Ok(baked) => baked.grid,
            Err(error @ BakeError::TooLarge { .. }) => {
                println!("skipped: {error}");
                return None;
            }
            Err(error) => panic!("{error}"),
        };
        let physics =
            CollisionWorld::new(scene).expect("a world").to_physics().expect("sound shapes");
        Some(Level { grid, agent, physics })
    }

    /// All motions, in both directions where links have two; at most [`MOST_LANES`].
    fn flights(&self) -> Vec<Flight> {
        let mut all = Vec::new();
        for link in self.grid.links() {
            for lane in link.lanes_of(0).iter().filter(|_| link.generated) {
                let Some(ends) = self.rest(lane) else { continue };
                let motion = LinkMotion::new(link, lane, ends, 2.0);
                if link.is_reversible() {
                    let (motion, ends) = (motion.reversed(), [ends[1], ends[0]]);
                    all.push(Flight { kind: link.kind, motion, ends });
                }
                all.push(Flight { kind: link.kind, motion, ends });
            }
        }
        let every = all.len().div_ceil(MOST_LANES).max(1);
        all.into_iter().step_by(every).collect()
    }

    /// Where the agent's body comes to rest at both ends of a lane, a little above the ground.
    fn rest(&self, lane: &LinkLane) -> Option<[Point3<f32>; 2]> {
        let rest = |span| {
            let feet = self.grid.point(span)?;
            let raised = (1..60).map(|step| feet + 0.01 * step as f32 * Vector3::y());
            raised.into_iter().find(|&at| BodySweep::from(&self.physics).can_go(&self.body(), [at]))
        };
        Some([rest(lane.spans[0])?, rest(lane.spans[1])?])
    }

    /// The whole body, its sole at its feet.
    fn body(&self) -> Body {
        Body { bottom: 0.0, top: self.agent.height, ..Body::new(&self.agent) }
    }

    /// Why a body cannot take a flight; `None` if it can.
    fn fault(&mut self, flight: &Flight) -> Option<String> {
        let Some((launch, velocity)) = flight.motion.launch() else {
            let corners = flight.motion.corners(1.0);
            let clear = BodySweep::from(&self.physics).can_go(&self.body(), corners);
            return (!clear).then(|| "it touches something".to_owned());
        };
        let half = 0.5 * self.agent.height;
        let collider = match self.agent.shape {
            BodyShape::Capsule => {
                ColliderBuilder::capsule_y(half - self.agent.radius, self.agent.radius)
            }
            BodyShape::Box => ColliderBuilder::cuboid(self.agent.radius, half, self.agent.radius),
        };
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::from(launch) + Vector::Y * half)
            // rapier adds gravity before it moves: half a step of it is too much.
            .linvel((velocity + Vector3::new(0.0, 0.5 * LinkMotion::GRAVITY * DT, 0.0)).into())
            .linear_damping(0.0)
            .ccd_enabled(true)
            .lock_rotations();
        self.physics.integration_parameters.dt = DT;
        let (body, _) = self.physics.insert(body, collider.friction(1.0).restitution(0.0));
        let before = flight.motion.duration() - flight_time(&flight.motion, launch);
        let steps = ((flight.motion.duration() - before) / DT) as usize;
        let (mut fault, mut at) = (None, launch);
        for step in 1..=steps {
            self.physics.step();
            at = (self.physics.bodies[body].translation() - Vector::Y * half).into();
            let off = (at - flight.motion.position(before + step as f32 * DT)).norm();
            // On its last centimetres it lands; a reversed arc begins where that one ended.
            let is_landing = (at - flight.ends[1]).norm() < 0.25;
            if off > SKIN && !is_landing && fault.is_none() {
                fault = Some(format!("it is {off:.2} m off its arc after {step} of {steps} steps"));
            }
        }
        self.physics.remove_body(body);
        let off = at - flight.ends[1];
        let landed = off.x.hypot(off.z) <= LANDING && off.y.abs() <= 2.0 * LANDING;
        fault.or_else(|| (!landed).then(|| format!("it lands {off:.2} off")))
    }
}

/// Whether a level lies kilometres from the origin.
fn is_far_out(scene: &Scene) -> bool {
    let (min, max) = CollisionWorld::new(scene).expect("a world").bounds().expect("a level");
    min.x.min(min.z) > 1000.0 || max.x.max(max.z) < -1000.0
}

/// How long a motion is in the air, given where it leaves the ground.
fn flight_time(motion: &LinkMotion, launch: Point3<f32>) -> f32 {
    let (mut low, mut high) = (0.0, motion.duration());
    if (motion.position(0.0) - launch).norm() < 1e-6 {
        return high;
    }
    // The run-up is straight, at one speed.
    let length = (launch - motion.position(0.0)).norm();
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let gone = (motion.position(middle) - motion.position(0.0)).norm();
        *(if gone < length { &mut low } else { &mut high }) = middle;
    }
    motion.duration() - low
}

/// Takes the links of levels; at least 99.5 % must do.
fn check(shape: BodyShape, levels: impl Iterator<Item = std::path::PathBuf>) {
    let (mut taken, mut faults) = (0, Vec::new());
    for path in levels.filter(|path| path.metadata().is_ok_and(|file| file.len() < MOST_BYTES)) {
        let scene = load(&path);
        if is_far_out(&scene) {
            println!("skipped: {} is so far out that rapier rounds every step", name(&path));
            continue;
        }
        let Some(mut level) = Level::new(&scene, player(shape)) else { continue };
        for flight in level.flights() {
            taken += 1;
            if let Some(fault) = level.fault(&flight) {
                let [from, to] = flight.ends;
                faults.push(format!(
                    "{}: {} from {from:.2} to {to:.2}: {fault}",
                    name(&path),
                    flight.kind.name()
                ));
            }
        }
    }
    println!("{} of {taken} links fail with {shape:?}:\n{}", faults.len(), faults.join("\n"));
    assert!(faults.len() * 200 <= taken, "{} of {taken}: {:#?}", faults.len(), faults);
}

#[test]
fn a_rigid_capsule_takes_the_links_of_our_scenes() {
    check(BodyShape::Capsule, own_scenes().into_iter());
}

#[test]
fn a_rigid_capsule_takes_the_links_of_real_levels() {
    check(BodyShape::Capsule, real_scenes().into_iter());
}

#[test]
fn a_rigid_box_takes_the_links_of_our_scenes() {
    check(BodyShape::Box, own_scenes().into_iter());
}
