//! Snaps links: moves the ends of the author's off-mesh connections to ground that each agent can
//! stand on.

use crate::scene::LinkMarker;
use nalgebra::Point3;
use surefoot::grid::{AgentId, GridParts, Link, LinkKind, SpanId};

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
pub(super) fn snap_links(parts: &GridParts, markers: &[LinkMarker]) -> (Vec<Link>, Vec<LinkProblem>) {
    let mut problems = Vec::new();
    let links = markers.iter().map(|marker| snap_link(parts, marker, &mut problems)).collect();
    (links, problems)
}

fn snap_link(parts: &GridParts, marker: &LinkMarker, problems: &mut Vec<LinkProblem>) -> Link {
    let mut ends = Vec::with_capacity(parts.layers.len());
    for (index, layer) in parts.layers.iter().enumerate() {
        let agent = AgentId(index as u16);
        let reach = layer.agent.radius + SNAP_DISTANCE;
        let snapped = [marker.from, marker.to].map(|point| nearest(parts, agent, point, reach));
        let problem = match snapped {
            [Some(from), Some(to)] if from != to => {
                ends.push(Some([from, to]));
                continue;
            }
            [Some(_), Some(_)] => "both ends are at the same place".to_owned(),
            [None, _] => format!("no ground it can stand on within {reach:.2} m of the start"),
            [_, None] => format!("no ground it can stand on within {reach:.2} m of the end"),
        };
        ends.push(None);
        let agent = layer.agent.name.clone();
        problems.push(LinkProblem { link: marker.name.clone(), agent, problem });
    }
    Link {
        name: marker.name.clone(),
        kind: marker.kind,
        two_way: marker.two_way && marker.kind != LinkKind::Drop,
        cost: marker.cost.unwrap_or_else(|| (marker.to - marker.from).norm()),
        from: marker.from,
        to: marker.to,
        ends,
    }
}

/// Returns the nearest ground to the end of a link, if it is within reach in three dimensions.
fn nearest(parts: &GridParts, agent: AgentId, point: Point3<f32>, reach: f32) -> Option<SpanId> {
    let (span, ground) = parts.nearest_walkable(agent, point, reach)?;
    ((ground - point).norm() <= reach).then_some(span)
}
