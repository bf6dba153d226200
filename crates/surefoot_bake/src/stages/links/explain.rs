//! Why no generated link leads from one place to another.

use nalgebra::Point3;

use super::detour::Detours;
use super::flight::{MotionTest, probes};
use super::ground::{LinkGround, SpanAddress};
use super::take_off::{FloorPair, LinkReach, TakeOffs, ends_at};
use crate::casts::{Caster, CollisionError, CollisionWorld, TileCaster, TiledCaster};
use crate::scene::Scene;
use surefoot::NavGrid;
use surefoot::grid::{AgentId, Cell, Dir, GridFrame, LinkKind, NodeId};

/// Whether a link may lead from one place to another, and why not. Later ones are nearer to a link.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinkVerdict {
    /// The agent neither jumps nor drops.
    Walks,
    /// The agent cannot stand near one of the places.
    NoGround,
    /// Walking does not end between the places, or not in one of the eight directions of cells.
    NoEdge,
    /// The body cannot leave the ground: it touches something at once.
    Wall {
        /// The node that it touches.
        node: String,
    },
    /// The places are too far apart.
    OutOfReach {
        /// How much lower one is than the other [m].
        fall: f32,
        /// How wide the gap between their ground is [m]; `None` if there is none.
        gap: Option<f32>,
    },
    /// The body touches something on the way.
    Touches {
        /// The motion that was tried.
        kind: LinkKind,
        /// The node that it touches.
        node: String,
        /// Where its feet are then [m].
        at: Point3<f32>,
    },
    /// Walking does nearly as well.
    NearByFoot,
    /// A link is possible.
    Possible {
        /// Its kind.
        kind: LinkKind,
    },
}

/// How far around a place floors are looked at [m].
const AROUND: f32 = 0.75;

/// Explains whether a generated link may lead from one place to another, for an agent of a grid that was
/// baked from a scene: tries what the bake tries between all floors near both. O(triangles).
///
/// # Errors
/// The scene has a convex hull without volume.
pub fn explain_link(
    scene: &Scene,
    grid: &NavGrid,
    agent: AgentId,
    ends: [Point3<f32>; 2],
) -> Result<LinkVerdict, CollisionError> {
    let Some(layer) = grid.layers().get(agent.index()) else { return Ok(LinkVerdict::NoGround) };
    if !layer.agent.leaves_ground() {
        return Ok(LinkVerdict::Walks);
    }
    let world = CollisionWorld::new(scene)?;
    let caster = TiledCaster::new(&world);
    let parts = grid.clone().into_parts();
    let ground = LinkGround::new(&parts, agent.index());
    let [a, b] = ends.map(|end| ground.floors_near(end));
    let (Some(first), Some(second)) = (a.first(), b.first()) else {
        return Ok(LinkVerdict::NoGround);
    };
    let [high, low] = if ground.height(*first) < ground.height(*second) { [b, a] } else { [a, b] };
    let reach = LinkReach::of(ground.agent, ground.frame.cell_size);
    let near = frame_of(&ground, &[&high[..], &low[..]].concat());
    let probes = probes(ground.agent);
    let test = MotionTest {
        ground,
        world: &world,
        caster: caster.tile(&near, &probes),
        sections: Vec::new(),
    };
    let take_offs = TakeOffs { ground, test, reach, found: Vec::new() };
    let detour_cells = (reach.detour() / near.cell_size).ceil() as u32 + 1;
    let last = near.cell(near.cells() - 1);
    let detours = Detours::new(ground, [near.min, last], detour_cells);
    Ok(Explanation { take_offs, detours, world: &world }.best(&high, &low))
}

/// The smallest frame around some floors.
fn frame_of(ground: &LinkGround, floors: &[SpanAddress]) -> GridFrame {
    let cells = || floors.iter().map(|floor| ground.frame.cell(floor.column));
    let range = |axis: fn(Cell) -> i32| {
        let (min, max) = (cells().map(axis).min(), cells().map(axis).max());
        (min.unwrap_or(0), max.unwrap_or(0))
    };
    let ((x0, x1), (z0, z1)) = (range(|cell| cell.x), range(|cell| cell.z));
    GridFrame {
        cell_size: ground.frame.cell_size,
        min: Cell::new(x0, z0),
        size_x: (x1 - x0 + 1) as u32,
        size_z: (z1 - z0 + 1) as u32,
    }
}

impl LinkGround<'_> {
    /// Returns the floors near a place where the agent can stand, the nearest first.
    fn floors_near(&self, at: Point3<f32>) -> Vec<SpanAddress> {
        let cells = (AROUND / self.frame.cell_size).ceil() as i32;
        let middle = self.frame.cell_at(at.x, at.z);
        let around = (-cells..=cells).flat_map(|z| (-cells..=cells).map(move |x| [x, z]));
        let columns = around.filter_map(|[x, z]| {
            let (x, z) = (middle.x.checked_add(x)?, middle.z.checked_add(z)?);
            self.frame.index(Cell::new(x, z))
        });
        let distance = |floor: &SpanAddress| (self.point(*floor) - at).norm();
        let floors = columns.flat_map(|column| self.column(column));
        let mut floors: Vec<SpanAddress> = floors
            .filter(|floor| self.is_walkable(*floor) && distance(floor) <= 2.0 * AROUND)
            .collect();
        floors.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        floors
    }
}

/// The search for the verdict that is nearest to a link.
struct Explanation<'a, T> {
    take_offs: TakeOffs<'a, T>,
    detours: Detours<'a>,
    world: &'a CollisionWorld,
}

impl<T: TileCaster> Explanation<'_, T> {
    fn best(&mut self, high: &[SpanAddress], low: &[SpanAddress]) -> LinkVerdict {
        let mut best = LinkVerdict::NoEdge;
        for &from in high {
            for dir in Dir::ALL {
                if ends_at(&self.take_offs.ground, from, dir) {
                    let verdict = self.along(from, dir, low);
                    if verdict.rank() > best.rank() {
                        best = verdict;
                    }
                }
            }
        }
        best
    }

    /// The best verdict on a ray.
    fn along(&mut self, from: SpanAddress, dir: Dir, low: &[SpanAddress]) -> LinkVerdict {
        let ground = self.take_offs.ground;
        let mut best = LinkVerdict::NoEdge;
        let mut ray = None;
        for &to in low {
            let Some(cells) = cells_between(&ground, [from, to], dir) else { continue };
            if !self.take_offs.test.can_go_level(from, ground.step(dir)) {
                let node =
                    self.touched([ground.point(from), ground.point(from) + ground.step(dir)]);
                return LinkVerdict::Wall { node: node.map_or(String::new(), |(node, _)| node) };
            }
            let ray = *ray.get_or_insert_with(|| self.take_offs.ray(from, dir));
            let distance = cells as f32 * ground.step_length(dir);
            let fall = ground.height(from) - ground.height(to);
            let verdict = self.verdict(&FloorPair { ray, to, distance, fall });
            if verdict.rank() > best.rank() {
                best = verdict;
            }
        }
        best
    }

    fn verdict(&mut self, pair: &FloorPair) -> LinkVerdict {
        let FloorPair { ray, to, distance, fall } = *pair;
        let motions = self.take_offs.motions(&ray, to, distance);
        if let Some(motion) =
            motions.iter().find(|motion| self.take_offs.test.can_take(&motion.trial))
        {
            return match self.detours.are_near_by_foot([ray.from, to]) {
                true => LinkVerdict::NearByFoot,
                false => LinkVerdict::Possible { kind: motion.trial.kind },
            };
        }
        let Some(motion) = motions.first() else {
            let gap = self.take_offs.gap(pair);
            return LinkVerdict::OutOfReach { fall, gap: (gap > 0.0).then_some(gap) };
        };
        let corners = self.take_offs.test.corners(&motion.trial);
        let touched = corners.windows(2).find_map(|ends| self.touched([ends[0], ends[1]]));
        let (node, at) = touched.unwrap_or_else(|| (String::new(), corners[0]));
        LinkVerdict::Touches { kind: motion.trial.kind, node, at }
    }

    /// The node that the body touches first on a straight way, and where its feet are then.
    fn touched(&mut self, ends: [Point3<f32>; 2]) -> Option<(String, Point3<f32>)> {
        let (solid, at) = self.take_offs.test.first_touched(ends)?;
        let NodeId(node) = self.world.node(solid);
        Some((self.world.nodes().get(node as usize).cloned().unwrap_or_default(), at))
    }
}

/// How many cells apart two floors are in a direction; `None` if one does not lie in it from the other.
fn cells_between(ground: &LinkGround, [from, to]: [SpanAddress; 2], dir: Dir) -> Option<i32> {
    let [from, to] = [from, to].map(|floor| ground.frame.cell(floor.column));
    let (x, z, along) = (to.x - from.x, to.z - from.z, dir.offset());
    let cells = x.abs().max(z.abs());
    (cells > 0 && x == cells * along.x && z == cells * along.z).then_some(cells)
}

impl LinkVerdict {
    /// Greater for what is nearer to a link.
    fn rank(&self) -> u32 {
        match self {
            LinkVerdict::Walks => 0,
            LinkVerdict::NoGround => 1,
            LinkVerdict::NoEdge => 2,
            LinkVerdict::Wall { .. } => 3,
            LinkVerdict::OutOfReach { .. } => 4,
            LinkVerdict::Touches { .. } => 5,
            LinkVerdict::NearByFoot => 6,
            LinkVerdict::Possible { .. } => 7,
        }
    }
}

impl std::fmt::Display for LinkVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinkVerdict::Walks => write!(
                f,
                "the agent neither jumps nor drops: bake it with jump_up, jump_across or drop"
            ),
            LinkVerdict::NoGround => write!(f, "the agent cannot stand near both places"),
            LinkVerdict::NoEdge => {
                write!(
                    f,
                    "walking does not end between them in one of the eight directions of cells"
                )
            }
            LinkVerdict::Wall { node } => {
                write!(f, "the body cannot leave the ground there: it touches \"{node}\"")
            }
            LinkVerdict::OutOfReach { fall, gap: Some(gap) } => write!(
                f,
                "out of reach: over a gap of {gap:.2} m, {fall:.2} m down one way and up the other"
            ),
            LinkVerdict::OutOfReach { fall, gap: None } => {
                write!(f, "out of reach: {fall:.2} m down one way and up the other")
            }
            LinkVerdict::Touches { kind, node, at } => write!(
                f,
                "on a {} the body touches \"{node}\" with its feet at {:.2},{:.2},{:.2}",
                kind.name(),
                at.x,
                at.y,
                at.z
            ),
            LinkVerdict::NearByFoot => write!(f, "walking does nearly as well"),
            LinkVerdict::Possible { kind } => write!(f, "a {} is possible", kind.name()),
        }
    }
}
