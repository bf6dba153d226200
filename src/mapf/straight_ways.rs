//! Finds straight ways between places, besides those over the ground from each place to the ones beside it.

use std::collections::BTreeMap;

use crate::mapf::buckets::distance;
use crate::mapf::place_graph::{Joint, PlaceGraph, PlaceId};
use crate::mapf::trail_ground::TrailGround;
use crate::view::NavPoint;

/// Close by is this near [diameters of a body].
const CLOSE: f32 = 0.6;

/// Straight ways past the only place that some are joined to, where nobody there is in the way: two that are
/// pressed into a corner may not get out of it otherwise.
pub(crate) fn out_of_blind_ends(
    graph: &PlaceGraph,
    ground: &TrailGround,
    joints: &BTreeMap<[PlaceId; 2], Joint>,
) -> Vec<([PlaceId; 2], Joint)> {
    let beside = |place: PlaceId| joints.range([place, 0]..=[place, PlaceId::MAX]);
    let mut ways = Vec::new();
    for blind in (0..graph.len() as PlaceId).filter(|&place| beside(place).count() == 1) {
        let next = beside(blind).next().map_or(blind, |([_, next], _)| *next);
        for &[_, beyond] in beside(next).map(|(ends, _)| ends) {
            if beyond == blind {
                continue;
            }
            let way = both_ways(graph, ground, [blind, beyond]).filter(|[(ends, there), _]| {
                !ground.in_the_way(*ends, &there.trail).contains(&next)
            });
            ways.extend(way.into_iter().flatten());
        }
    }
    ways
}

/// Straight ways from some places, from a first one on, to all that are close by.
pub(crate) fn from_places(
    first: PlaceId,
    graph: &PlaceGraph,
    ground: &TrailGround,
) -> Vec<([PlaceId; 2], Joint)> {
    let mut ways = Vec::new();
    for from in first..graph.len() as PlaceId {
        let point = graph.points[usize::from(from)].point;
        ground.places.near(point, |to, other| {
            if to < usize::from(from) && distance(point, other) <= CLOSE * ground.width {
                let way = both_ways(graph, ground, [from, to as PlaceId]);
                ways.extend(way.into_iter().flatten());
            }
        });
    }
    ways
}

/// The straight way between two places, there and back; `None` if it is not clear.
fn both_ways(
    graph: &PlaceGraph,
    ground: &TrailGround,
    [from, to]: [PlaceId; 2],
) -> Option<[([PlaceId; 2], Joint); 2]> {
    let trail = [from, to].map(|place| graph.points[usize::from(place)]);
    let far = distance(trail[0].point, trail[1].point);
    let back = [trail[1], trail[0]];
    let is_clear = far.is_finite() && ground.sees(trail) && ground.sees(back);
    let length = (1000.0 * far).ceil() as u32;
    let joint = |trail: [NavPoint; 2]| Joint { length, trail: trail.to_vec() };
    is_clear.then(|| [([from, to], joint(trail)), ([to, from], joint(back))])
}
