//! Target `live_bake`: a level that is changed and updated in any order.
//!
//! Colliders of all shapes are added, moved and removed, links and volumes are added, with odd numbers
//! among theirs; updates run through or are cancelled. After an update the grid is, byte for byte, that
//! of baking the changed scene whole; after an error it is as it was.

use std::sync::atomic::{AtomicU32, Ordering};

use arbitrary::{Arbitrary, Unstructured};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use surefoot::grid::{Area, AreaId, LinkKind};
use surefoot::{Agent, NavGrid, Observer};
use surefoot_bake::scene::{
    LinkMarker, Placement, SceneBuilder, Surface, Triangles, Volume, VolumeEffect, VolumeShape,
};
use surefoot_bake::{BakeError, BakeObserver, BakeSettings, ColliderId, LiveBake, bake};

/// Operations beyond these are left out.
const MOST: usize = 24;

/// Something that a program does to a level.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Operation {
    Add { part: Part, pose: Pose, surface: u8, name: u8 },
    Move { which: u8, pose: Pose },
    Remove { which: u8 },
    Link { from: [u8; 3], to: [u8; 3], kind: u8, two_way: bool },
    Volume { at: [u8; 3], radius: u8, clears: bool },
    Keep,
    Update,
    UpdateCancelled { after: u8 },
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Shape {
    Cuboid,
    Ball,
    Capsule,
    Cylinder,
    Hull,
    Wedge,
}

/// What a collider is made of.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Part {
    shape: Shape,
    size: [u8; 3],
}

#[derive(Arbitrary, Clone, Copy, Debug)]
struct Pose {
    at: [u8; 3],
    turn: [i8; 3],
    /// Now and then a number is odd.
    odd: u8,
}

/// How the level is baked.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Settings {
    jumps: bool,
    two_agents: bool,
    has_bounds: bool,
    drops_small: bool,
    coarse: bool,
}

/// Carries out the operations that an input describes.
///
/// # Panics
/// A law does not hold.
pub fn run(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let Ok(settings) = Settings::arbitrary(&mut input) else { return };
    let mut level = Level::new(settings);
    for _ in 0..MOST {
        if input.is_empty() {
            break;
        }
        let Ok(operation) = Operation::arbitrary(&mut input) else { break };
        level.carry_out(&operation);
    }
    level.update(None);
}

struct Level {
    live: LiveBake,
    settings: BakeSettings,
    own: Vec<ColliderId>,
    kept: Option<NavGrid>,
}

/// Cancels after it was asked so often.
struct Impatient(AtomicU32);

impl Observer for Impatient {
    fn is_cancelled(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

impl BakeObserver for Impatient {}

impl Level {
    fn new(chosen: Settings) -> Self {
        let jumps = if chosen.jumps { [0.6, 1.2, 2.0] } else { [0.0; 3] };
        let [jump_up, jump_across, drop] = jumps;
        let mut agents =
            vec![Agent { radius: 0.2, jump_up, jump_across, drop, ..Agent::new("human") }];
        if chosen.two_agents {
            agents.push(Agent { radius: 0.35, height: 0.9, ..Agent::new("cart") });
        }
        let settings = BakeSettings {
            agents,
            cell_size: Some(if chosen.coarse { 0.5 } else { 0.25 }),
            bounds: chosen.has_bounds.then_some([-7.1, -9.0, 8.3, 6.6]),
            min_region_area: if chosen.drops_small { 1.5 } else { 0.0 },
            tile_size: 16,
            ..BakeSettings::default()
        };
        let mut builder = SceneBuilder::new("level");
        builder.cuboid("ground", [20.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
        builder.cuboid("storey", [4.0, 0.1, 4.0], Placement::at([-7.0, 2.4, -7.0]));
        let scene = builder.build().expect("a sound scene");
        let live = LiveBake::new(scene, &settings, &()).expect("it bakes");
        let own = live.colliders("storey").collect();
        Level { live, settings, own, kept: None }
    }

    fn carry_out(&mut self, operation: &Operation) {
        match *operation {
            Operation::Add { part, pose, surface, name } => {
                let mut parts = self.live.builder();
                add_part(&mut parts, &format!("part {}", name % 4), part, place(pose, surface));
                // An odd number is refused, and nothing is added.
                self.own.extend(self.live.add(parts).into_iter().flatten());
            }
            Operation::Move { which, pose } => {
                if let Some(&id) = self.own.get(usize::from(which) % (self.own.len() + 1)) {
                    let before = self.live.pose(id).copied();
                    if self.live.move_to(id, pose.isometry()).is_err() {
                        assert_eq!(self.live.pose(id).copied(), before);
                    }
                }
            }
            Operation::Remove { which } => {
                if let Some(&id) = self.own.get(usize::from(which) % (self.own.len() + 1)) {
                    let was_there = self.live.pose(id).is_some();
                    assert_eq!(self.live.remove(id).is_ok(), was_there);
                }
            }
            Operation::Link { from, to, kind, two_way } => self.add_link([from, to], kind, two_way),
            Operation::Volume { at, radius, clears } => self.add_volume(at, radius, clears),
            Operation::Keep => self.kept = Some(self.live.grid().clone()),
            Operation::Update => self.update(None),
            Operation::UpdateCancelled { after } => self.update(Some(after)),
        }
    }

    fn add_link(&mut self, ends: [[u8; 3]; 2], kind: u8, two_way: bool) {
        let [from, to] = ends.map(|end| point(end).into());
        let kinds = [LinkKind::Jump, LinkKind::Ladder, LinkKind::Drop, LinkKind::Door];
        let kind = kinds[usize::from(kind) % 4];
        let mut parts = self.live.builder();
        let name = "link".to_owned();
        parts.link(LinkMarker { name, from, to, kind, two_way, ..LinkMarker::default() });
        let _: Result<_, _> = self.live.add(parts);
    }

    fn add_volume(&mut self, at: [u8; 3], radius: u8, clears: bool) {
        let mut parts = self.live.builder();
        let mud = parts.area(Area { name: "mud".to_owned(), cost: 3.0, ..Area::walkable() });
        let effect = if clears { VolumeEffect::Clear } else { VolumeEffect::Area(mud) };
        let shape =
            VolumeShape::Sphere { center: point(at).into(), radius: f32::from(radius) / 32.0 };
        parts.volume(Volume { name: "pool".to_owned(), shape, effect });
        let _: Result<_, _> = self.live.add(parts);
    }

    /// Updates; if it is cancelled after being asked so often, again.
    fn update(&mut self, cancelled_after: Option<u8>) {
        let before = self.live.grid().clone();
        let found = match cancelled_after {
            None => self.live.update(&()),
            Some(after) => self.live.update(&Impatient(AtomicU32::new(after.into()))),
        };
        if let Err(error) = found {
            assert!(*self.live.grid() == before, "after an error the grid is as it was: {error}");
            if matches!(error, BakeError::Cancelled) {
                return self.update(None);
            }
        }
        let whole = self.live.scene().and_then(|scene| bake(&scene, &self.settings, &()));
        let Ok(whole) = whole else {
            assert!(self.live.update(&()).is_err(), "a whole bake fails");
            return;
        };
        let bytes = |grid: &NavGrid| grid.to_bytes().expect("it can be written");
        assert!(bytes(self.live.grid()) == bytes(&whole.grid), "the bytes of a whole bake");
        assert_eq!(self.live.link_problems(), whole.link_problems);
    }
}

/// Coordinates within the level.
fn point([x, y, z]: [u8; 3]) -> [f32; 3] {
    let along = |v: u8| (f32::from(v) - 128.0) / 7.0;
    [along(x), f32::from(y % 32) / 8.0, along(z)]
}

impl Pose {
    fn isometry(self) -> Isometry3<f32> {
        let mut at = point(self.at);
        match self.odd {
            0 => at[0] = f32::NAN,
            1 => at[1] = f32::INFINITY,
            2 => at[2] = 3e7,
            3 => at[2] = 40.0,
            _ => {}
        }
        let turn = Vector3::from(self.turn.map(|v| f32::from(v) / 64.0));
        let upright = Vector3::new(0.0, turn.y, 0.0);
        let turn = if self.odd.is_multiple_of(3) { turn } else { upright };
        Isometry3::from_parts(at.into(), UnitQuaternion::from_scaled_axis(turn))
    }
}

fn place(pose: Pose, surface: u8) -> Placement {
    let surface = Surface {
        area: AreaId(u8::from(surface == 0)),
        obstacle: surface % 4 == 1,
        two_sided: surface % 4 == 2,
    };
    Placement { pose: pose.isometry(), surface }
}

fn add_part(parts: &mut SceneBuilder, name: &str, part: Part, at: Placement) {
    let Part { shape, size } = part;
    let half = size.map(|v| f32::from(v % 64) / 40.0);
    let [x, y, z] = half;
    let corners = [[-x, -y, -z], [x, -y, -z], [x, -y, z], [-x, -y, z], [-x, y, -z], [-x, y, z]];
    match shape {
        Shape::Cuboid => parts.cuboid(name, half, at),
        Shape::Ball => parts.ball(name, x, at),
        Shape::Capsule => parts.capsule(name, [y, x], at),
        Shape::Cylinder => parts.cylinder(name, [y, x], at),
        Shape::Hull => parts.hull(name, &corners, at),
        Shape::Wedge => {
            let triangles = [
                [0, 1, 2],
                [0, 2, 3],
                [0, 4, 1],
                [3, 2, 5],
                [0, 3, 5],
                [0, 5, 4],
                [1, 4, 5],
                [1, 5, 2],
            ];
            parts.mesh(name, Triangles { vertices: &corners, triangles: &triangles }, at)
        }
    };
}
