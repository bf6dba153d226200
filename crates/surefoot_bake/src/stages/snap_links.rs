//! Snaps links: moves the ends of the author's off-mesh connections to ground that each agent can
//! stand on.

use std::collections::BTreeSet;

use crate::scene::LinkMarker;
use nalgebra::Point3;
use surefoot::Agent;
use surefoot::grid::baker::make_ids_unique;
use surefoot::grid::{AgentId, GridParts, Link, LinkId, LinkKind, LinkLane, SpanId};

/// How far beyond an agent's radius the ground may be from the end of a link [m].
const SNAP_DISTANCE: f32 = 1.0;

/// A link has at most this many lanes.
const MOST_LANES: f32 = 4096.0;

/// A link that an agent cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkProblem {
    /// Name of the node that marks the link.
    pub link: String,
    /// Name of the agent.
    pub agent: String,
    /// Why it cannot.
    pub problem: String,
}

/// A link whose ends were moved to ground, with the lanes of each agent by the spans at their ends.
pub(super) struct SnappedLink<A> {
    /// The link, without lanes.
    pub link: Link,
    pub lanes: Vec<Vec<[A; 2]>>,
    pub problems: Vec<LinkProblem>,
}

/// Where a lane of a link starts or ends, before it is moved to ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneEnd {
    /// 0 where it starts, 1 where it ends.
    pub side: usize,
    /// [m]
    pub point: Point3<f32>,
    /// How far from there the ground may be [m].
    pub reach: f32,
}

/// Ground that the ends of a link are moved to.
pub(super) trait LinkEndGround<A> {
    /// Returns the nearest ground that an agent can stand on, if it is within reach in three dimensions.
    fn nearest(&self, agent: AgentId, end: LaneEnd) -> Option<A>;
}

impl LinkEndGround<SpanId> for GridParts {
    fn nearest(&self, agent: AgentId, end: LaneEnd) -> Option<SpanId> {
        let LaneEnd { point, reach, .. } = end;
        let (span, ground) = self.nearest_walkable(agent, point, reach)?;
        ((ground - point).norm() <= reach).then_some(span)
    }
}

/// Snaps each marker's ends for each agent, by the verdicts of its layer.
pub(super) fn snap_links(
    parts: &GridParts,
    markers: &[LinkMarker],
) -> (Vec<Link>, Vec<LinkProblem>) {
    let agents: Vec<&Agent> = parts.layers.iter().map(|layer| &layer.agent).collect();
    let mut problems = Vec::new();
    let snap = |marker| {
        let rules = SnapRules { agents: &agents, cell_size: parts.frame.cell_size };
        let snapped = rules.snap(parts, marker);
        problems.extend(snapped.problems);
        let lanes = snapped.lanes.into_iter();
        let lanes = lanes.map(|own| own.into_iter().map(LinkLane::new).collect()).collect();
        Link { lanes, ..snapped.link }
    };
    let mut links: Vec<Link> = markers.iter().map(snap).collect();
    make_ids_unique(&mut links);
    (links, problems)
}

/// Whose links are snapped, and the size of cells [m].
pub(super) struct SnapRules<'a> {
    pub agents: &'a [&'a Agent],
    pub cell_size: f32,
}

impl SnapRules<'_> {
    /// Returns how far from the end of a link the ground may be, for the agent that may go farthest [m].
    pub fn reach(&self) -> f32 {
        self.agents.iter().map(|agent| reach(agent)).fold(0.0, f32::max)
    }

    /// Snaps the ends of one link.
    pub fn snap<A: Copy + Ord>(
        &self,
        ground: &impl LinkEndGround<A>,
        marker: &LinkMarker,
    ) -> SnappedLink<A> {
        let ends = lane_ends(marker, self.cell_size);
        let mut link = unsnapped(marker);
        let mut problems = Vec::new();
        let mut capacity = u32::MAX;
        let mut lanes = Vec::with_capacity(self.agents.len());
        for (index, agent) in self.agents.iter().enumerate() {
            let nearest = |end| ground.nearest(AgentId(index as u16), end);
            let found = snap_lanes(&ends, nearest, reach(agent));
            if found.is_ok() {
                capacity = capacity.min(link.capacity_by_width(agent.radius));
            }
            lanes.push(found.unwrap_or_else(|problem| {
                let (link, agent) = (marker.name.clone(), agent.name.clone());
                problems.push(LinkProblem { link, agent, problem });
                Vec::new()
            }));
        }
        let is_free = matches!(marker.kind, LinkKind::Authored | LinkKind::Door);
        let capacity = if is_free || capacity == u32::MAX { 0 } else { capacity };
        link.capacity = marker.capacity.unwrap_or(capacity);
        SnappedLink { link, lanes, problems }
    }
}

fn reach(agent: &Agent) -> f32 {
    agent.radius + SNAP_DISTANCE
}

/// Returns the link of a marker, as far as it does not depend on the ground.
fn unsnapped(marker: &LinkMarker) -> Link {
    let half = 0.5 * marker.across;
    let link = Link::new(marker.name.clone(), marker.kind, [marker.from, marker.to]);
    // Links of one name that differ by their stops alone have ids that do not depend on where those are.
    let id = marker.stop.map(|stop| LinkId::of(&format!("{} stop {}", marker.name, stop.number)));
    Link {
        id: id.unwrap_or(link.id),
        from: [marker.from - half, marker.from + half],
        to: [marker.to - half, marker.to + half],
        two_way: marker.two_way && marker.kind != LinkKind::Drop,
        cost: marker.cost.unwrap_or(link.cost),
        user_data: marker.user_data.clone(),
        stop: marker.stop,
        ..link
    }
}

/// Returns the ends of the lanes of a marker: one for every cell of its width, at least one.
pub(super) fn lane_ends(marker: &LinkMarker, cell_size: f32) -> Vec<[Point3<f32>; 2]> {
    let lanes = (marker.across.norm() / cell_size).round().clamp(1.0, MOST_LANES);
    let off = (0..lanes as u32).map(|at| marker.across * ((at as f32 + 0.5) / lanes - 0.5));
    off.map(|off| [marker.from + off, marker.to + off]).collect()
}

/// Returns the lanes that an agent can take, each once. `nearest` finds the ground near an end, which may be so
/// far away [m].
///
/// # Errors
/// Returns why it can take none: what is wrong with the one in the middle.
fn snap_lanes<A: Copy + Ord>(
    ends: &[[Point3<f32>; 2]],
    nearest: impl Fn(LaneEnd) -> Option<A>,
    reach: f32,
) -> Result<Vec<[A; 2]>, String> {
    let end = |side: usize, point| nearest(LaneEnd { side, point, reach });
    let snap = |[from, to]: [Point3<f32>; 2]| match [end(0, from), end(1, to)] {
        [Some(from), Some(to)] if from != to => Ok([from, to]),
        [Some(_), Some(_)] => Err("both ends are at the same place".to_owned()),
        [None, _] => Err(format!("no ground it can stand on within {reach:.2} m of the start")),
        [_, None] => Err(format!("no ground it can stand on within {reach:.2} m of the end")),
    };
    let mut known = BTreeSet::new();
    let found = ends.iter().filter_map(|&ends| snap(ends).ok());
    let lanes: Vec<_> = found.filter(|&ends| known.insert(ends)).collect();
    if lanes.is_empty() {
        Err(snap(ends[ends.len() / 2]).err().unwrap_or_default())
    } else {
        Ok(lanes)
    }
}
