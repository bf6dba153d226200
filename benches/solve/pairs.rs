//! Random places to find paths between, the same in every run.
#![allow(dead_code, reason = "each bench uses a part of it")]

use surefoot::view::{NavPoint, View};
use surefoot::{NavGrid, SpanId};

use surefoot_testing::Random;

/// Pairs of places that are, or are not, in one region.
pub fn pairs(view: &View, count: usize, joined: bool) -> Vec<[NavPoint; 2]> {
    let grid = view.grid();
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    let open: Vec<SpanId> = spans.filter(|&span| view.is_walkable(span)).collect();
    let fits = |ends: &[NavPoint; 2]| view.may_reach(ends[0].span, ends[1].span) == joined;
    random_pairs(grid, &open).take(count * 1000).filter(fits).take(count).collect()
}

/// Pairs of places on some spans of a grid, without end.
pub fn random_pairs(grid: &NavGrid, spans: &[SpanId]) -> impl Iterator<Item = [NavPoint; 2]> {
    let mut random = Random(9);
    let mut pick = move || place(grid, spans[random.below(spans.len())]);
    std::iter::repeat_with(move || [pick(), pick()])
}

/// The middle of a span's cell, on its floor.
pub fn place(grid: &NavGrid, span: SpanId) -> NavPoint {
    NavPoint { span, point: grid.point(span).expect("a span of the grid") }
}
