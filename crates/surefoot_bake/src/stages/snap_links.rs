//! Snaps links: moves the ends of the author's off-mesh connections to ground that each agent can
//! stand on.

use crate::scene::LinkMarker;
use nalgebra::Point3;
use surefoot::grid::baker::make_ids_unique;
use surefoot::grid::{AgentId, GridParts, Link, LinkKind, LinkLane, SpanId};

/// How far beyond an agent's radius the ground may be from the end of a link [m].
const SNAP_DISTANCE: f32 = 1.0;

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
    let mut lanes = Vec::with_capacity(parts.layers.len());
    for (index, layer) in parts.layers.iter().enumerate() {
        let agent = AgentId(index as u16);
        let reach = layer.agent.radius + SNAP_DISTANCE;
        let snapped = [marker.from, marker.to].map(|point| nearest(parts, agent, point, reach));
        let problem = match snapped {
            [Some(from), Some(to)] if from != to => {
                lanes.push(vec![LinkLane::new([from, to])]);
                continue;
            }
            [Some(_), Some(_)] => "both ends are at the same place".to_owned(),
            [None, _] => format!("no ground it can stand on within {reach:.2} m of the start"),
            [_, None] => format!("no ground it can stand on within {reach:.2} m of the end"),
        };
        lanes.push(Vec::new());
        let agent = layer.agent.name.clone();
        problems.push(LinkProblem { link: marker.name.clone(), agent, problem });
    }
    let link = Link::new(marker.name.clone(), marker.kind, [marker.from, marker.to]);
    let two_way = marker.two_way && marker.kind != LinkKind::Drop;
    Link { two_way, cost: marker.cost.unwrap_or(link.cost), lanes, ..link }
}

/// Returns the nearest ground to the end of a link, if it is within reach in three dimensions.
fn nearest(parts: &GridParts, agent: AgentId, point: Point3<f32>, reach: f32) -> Option<SpanId> {
    let (span, ground) = parts.nearest_walkable(agent, point, reach)?;
    ((ground - point).norm() <= reach).then_some(span)
}
