//! Snaps links: moves the ends of the author's off-mesh connections to ground that each agent can
//! stand on.

use std::collections::BTreeSet;

use crate::scene::LinkMarker;
use nalgebra::Point3;
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

/// Snaps each marker's ends for each agent, by the verdicts of its layer.
pub(super) fn snap_links(
    parts: &GridParts,
    markers: &[LinkMarker],
) -> (Vec<Link>, Vec<LinkProblem>) {
    let mut problems = Vec::new();
    let snap = |marker| snap_link(parts, marker, &mut problems);
    let mut links: Vec<Link> = markers.iter().map(snap).collect();
    make_ids_unique(&mut links);
    (links, problems)
}

fn snap_link(parts: &GridParts, marker: &LinkMarker, problems: &mut Vec<LinkProblem>) -> Link {
    let ends = lane_ends(marker, parts.frame.cell_size);
    let mut lanes = Vec::with_capacity(parts.layers.len());
    let mut capacity = u32::MAX;
    let half = 0.5 * marker.across;
    let link = Link {
        from: [marker.from - half, marker.from + half],
        to: [marker.to - half, marker.to + half],
        ..Link::new(marker.name.clone(), marker.kind, [marker.from, marker.to])
    };
    for (index, layer) in parts.layers.iter().enumerate() {
        let found = snap_lanes(parts, AgentId(index as u16), &ends);
        if found.is_ok() {
            capacity = capacity.min(link.capacity_by_width(layer.agent.radius));
        }
        lanes.push(found.unwrap_or_else(|problem| {
            let (link, agent) = (marker.name.clone(), layer.agent.name.clone());
            problems.push(LinkProblem { link, agent, problem });
            Vec::new()
        }));
    }
    let is_free = matches!(marker.kind, LinkKind::Authored | LinkKind::Door);
    let capacity = if is_free || capacity == u32::MAX { 0 } else { capacity };
    // Links of one name that differ by their stops alone have ids that do not depend on where those are.
    let id = marker.stop.map(|stop| LinkId::of(&format!("{} stop {}", marker.name, stop.number)));
    Link {
        id: id.unwrap_or(link.id),
        two_way: marker.two_way && marker.kind != LinkKind::Drop,
        cost: marker.cost.unwrap_or(link.cost),
        capacity: marker.capacity.unwrap_or(capacity),
        user_data: marker.user_data.clone(),
        stop: marker.stop,
        lanes,
        ..link
    }
}

/// Returns the ends of the lanes of a marker: one for every cell of its width, at least one.
fn lane_ends(marker: &LinkMarker, cell_size: f32) -> Vec<[Point3<f32>; 2]> {
    let lanes = (marker.across.norm() / cell_size).round().clamp(1.0, MOST_LANES);
    let off = (0..lanes as u32).map(|at| marker.across * ((at as f32 + 0.5) / lanes - 0.5));
    off.map(|off| [marker.from + off, marker.to + off]).collect()
}

/// Returns the lanes that an agent can take, each once.
///
/// # Errors
/// Returns why it can take none: what is wrong with the one in the middle.
fn snap_lanes(
    parts: &GridParts,
    agent: AgentId,
    ends: &[[Point3<f32>; 2]],
) -> Result<Vec<LinkLane>, String> {
    let reach = parts.layers[agent.index()].agent.radius + SNAP_DISTANCE;
    let snap = |ends: [Point3<f32>; 2]| match ends.map(|end| nearest(parts, agent, end, reach)) {
        [Some(from), Some(to)] if from != to => Ok([from, to]),
        [Some(_), Some(_)] => Err("both ends are at the same place".to_owned()),
        [None, _] => Err(format!("no ground it can stand on within {reach:.2} m of the start")),
        [_, None] => Err(format!("no ground it can stand on within {reach:.2} m of the end")),
    };
    let mut known = BTreeSet::new();
    let found = ends.iter().filter_map(|&ends| snap(ends).ok());
    let lanes: Vec<_> = found.filter(|&spans| known.insert(spans)).map(LinkLane::new).collect();
    if lanes.is_empty() {
        Err(snap(ends[ends.len() / 2]).err().unwrap_or_default())
    } else {
        Ok(lanes)
    }
}

/// Returns the nearest ground to the end of a link, if it is within reach in three dimensions.
fn nearest(parts: &GridParts, agent: AgentId, point: Point3<f32>, reach: f32) -> Option<SpanId> {
    let (span, ground) = parts.nearest_walkable(agent, point, reach)?;
    ((ground - point).norm() <= reach).then_some(span)
}
