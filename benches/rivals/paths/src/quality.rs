//! What answers are worth, by surefoot's grid: how far one walks, and whether one can.

use glam::{Vec3, Vec3Swizzles};
use surefoot::path::{GridSight, GroundProfile, Sight};
use surefoot::view::{NavPoint, View};
use surefoot::{AgentId, NavGrid, SpanId};

use crate::pairs::{Pair, to_ours};
use crate::reference::Reference;

/// An answer joins places that lie no further than this from its ends, on the plane and between their
/// floors [m].
const REACHED: f32 = 0.5;

/// Pairs that a reference is looked for.
const REFERENCES: usize = 100;

/// What one path comes to.
pub struct Walk {
    /// Along the ground below its segments [m].
    pub length: f64,
    pub segments: usize,
    /// Segments that surefoot's exact sight confirms, once their ends have been put where the body
    /// can stand.
    pub clear: usize,
    /// Segments that it confirms for a slimmer body.
    pub clear_for_slim: usize,
}

/// The ground that answers are held against.
pub struct Judge {
    view: View,
    /// Of a body whose radius is a cell less.
    slim: View,
}

impl Judge {
    pub fn new(grid: &NavGrid, slim: &NavGrid) -> Judge {
        let view = |grid| View::new(grid, AgentId(0)).expect("one agent");
        Judge { view: view(grid), slim: view(slim) }
    }

    /// The lengths of the shortest paths of some pairs, the first ones, whose corners are centers of
    /// cells [m].
    pub fn references(&self, pairs: &[Pair]) -> Vec<f64> {
        let reference = Reference::of(&self.view);
        let length = |pair| reference.shortest(pair).expect("pairs are joined");
        pairs.iter().take(REFERENCES).map(length).collect()
    }

    /// Walks a path from corner to corner; none if it does not join the pair.
    pub fn walk(&self, corners: &[Vec3], pair: &Pair) -> Option<Walk> {
        let ends = [*corners.first()?, *corners.last()?];
        for (end, wanted) in ends.into_iter().zip(*pair) {
            let floor = on_floor(&self.view, end)?.point.y;
            let off = end.xz().distance(wanted.xz()).max((floor - wanted.y).abs());
            if off > REACHED {
                return None;
            }
        }
        let mut walk = Walk { length: 0.0, segments: 0, clear: 0, clear_for_slim: 0 };
        for ends in corners.windows(2).map(|ends| [ends[0], ends[1]]) {
            walk.length += walked_length(&self.view, ends);
            walk.segments += 1;
            walk.clear += usize::from(is_clear(&self.view, ends));
            walk.clear_for_slim += usize::from(is_clear(&self.slim, ends));
        }
        Some(walk)
    }
}

/// Straight where an end is over no floor [m].
fn walked_length(view: &View, ends: [Vec3; 2]) -> f64 {
    let straight = f64::from(ends[0].distance(ends[1]));
    let [Some(from), Some(to)] = ends.map(|end| on_floor(view, end)) else { return straight };
    ground_length(view, [from, to])
}

/// Over the floor in the middle of a segment's way across each cell, steps and gaps in a straight
/// line [m].
pub fn ground_length(view: &View, ends: [NavPoint; 2]) -> f64 {
    let straight = f64::from((ends[1].point - ends[0].point).norm());
    let Some(mut profile) = GroundProfile::between(view, ends, view.agent().max_climb) else {
        return straight;
    };
    let stretches = std::iter::from_fn(|| profile.stretch(0.0));
    stretches.map(|[from, to]| f64::from((to - from).norm())).sum()
}

/// On the floor nearest to it, above or below: what heights a side tells may be rough.
pub fn on_floor(view: &View, at: Vec3) -> Option<NavPoint> {
    let grid = view.grid();
    let floors = grid.column_spans(grid.column_at(to_ours(at))?).map(SpanId);
    let heights = floors.filter_map(|span| Some((span, grid.ground_height(at.x, at.z, span)?)));
    let off = |height: f32| (height - at.y).abs();
    let (span, height) = heights.min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
    Some(NavPoint { span, point: to_ours(at.with_y(height)) })
}

/// Each end where the body can stand: there, or at the nearest place that is a radius away at most.
fn is_clear(view: &View, ends: [Vec3; 2]) -> bool {
    let standing = ends.map(|end| {
        let there = on_floor(view, end).filter(|there| view.is_walkable(there.span));
        there.or_else(|| {
            let (span, point) = view.nearest_walkable(to_ours(end), view.agent().radius)?;
            Some(NavPoint { span, point })
        })
    });
    let [Some(from), Some(to)] = standing else { return false };
    ends[0].xz() == ends[1].xz() || GridSight.is_clear(view, &from, &to)
}
