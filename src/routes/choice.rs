//! Provides [`Choice`]: whether a search or prepared routes will find a way sooner.
//!
//! How much prepared routes have to do follows from the districts that the ends lie in. How much a
//! search has to do depends on the level: a few searches over random distances tell. Both are
//! counted, not timed, so that the same query is always answered in the same way.

use nalgebra::Point3;

use crate::grid::SpanId;
use crate::solve::{CostModel, Progress, Query, Random, Search, Terrain};

use super::shape::{NONE, Shape};

/// What is known of the effort of both.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// For each district the costs that are looked at on the way from it to the top.
    climbs: Vec<f32>,
    /// Spans that a search expands, by octaves of the distance in cells.
    expanded: [f32; OCTAVES],
}

const OCTAVES: usize = 14;
/// Searches for each octave.
const TRIES: usize = 12;
/// A search that expands more spans counts as so many.
const MOST: u32 = 60_000;

/// What it takes to expand a span, relative to looking at one cost of a front.
const EXPANSION: f32 = 400.0;
/// The same for a span of a block that is searched.
const BLOCK_SPAN: f32 = 300.0;
/// The same for a cell of a way that is put together.
const WAY_CELL: f32 = 900.0;
/// The same for what every query of prepared routes takes at least.
const START: f32 = 20_000.0;

impl Choice {
    /// Looks at the districts, and tries out searches.
    pub(super) fn new<M: CostModel + ?Sized>(shape: &Shape, terrain: &Terrain, model: &M) -> Self {
        let mut climbs = vec![0.0; shape.districts.len()];
        for district in (0..climbs.len()).rev() {
            let above = match shape.districts[district].parent {
                NONE => 0.0,
                parent => climbs[parent as usize],
            };
            let own = if shape.is_block(district) { 0 } else { shape.own(district) };
            climbs[district] = above + (own * shape.front(district)) as f32;
        }
        Choice { climbs, expanded: try_out(shape, terrain, model) }
    }

    /// Whether prepared routes are likely to be faster between two ranks that are at least so many
    /// cells apart.
    pub(super) fn prefers_routes(&self, shape: &Shape, ends: [u32; 2], cells: f32) -> bool {
        let climb = |rank| {
            let district = shape.owner(rank);
            let block = shape.block(district);
            let searched = block.map_or(0, |block| shape.districts[block].spans());
            searched as f32 * BLOCK_SPAN + self.climbs[block.unwrap_or(district)]
        };
        let routes = START + climb(ends[0]) + climb(ends[1]) + cells * WAY_CELL;
        routes < self.expanded_for(cells) * EXPANSION
    }

    /// Spans that a search over a distance expands.
    fn expanded_for(&self, cells: f32) -> f32 {
        let octave = cells.max(1.0).log2();
        let low = (octave.floor() as usize).min(OCTAVES - 1);
        let high = (low + 1).min(OCTAVES - 1);
        // In the middle of an octave it holds what was tried there.
        let share = (octave - low as f32).clamp(0.0, 1.0);
        self.expanded[low] + (self.expanded[high] - self.expanded[low]) * share
    }
}

/// Searches over random ways of each octave of distance; the mean of what they expanded.
fn try_out<M: CostModel + ?Sized>(shape: &Shape, terrain: &Terrain, model: &M) -> [f32; OCTAVES] {
    let mut random = Random(1);
    let mut search = Search::default();
    let mut expanded = [0f32; OCTAVES];
    for octave in 0..OCTAVES {
        let (mut sum, mut count) = (0, 0);
        for _ in 0..TRIES {
            let Some(query) = random_query(shape, terrain, (&mut random, octave)) else { continue };
            let query = Query { budget: MOST, ..query };
            if search.begin(terrain, model, &query) == Progress::Running {
                while search.advance(terrain, model, u32::MAX) == Progress::Running {}
                sum += search.expanded();
                count += 1;
            }
        }
        // Where no way is so long, none will be asked for.
        let before = octave.checked_sub(1).map_or(0.0, |before| expanded[before]);
        let mean = if count == 0 { before } else { sum as f32 / count as f32 };
        expanded[octave] = mean.max(before);
    }
    expanded
}

/// A query from a random span to one that lies at a distance.
fn random_query(
    shape: &Shape,
    terrain: &Terrain,
    (random, octave): (&mut Random, usize),
) -> Option<Query> {
    let span = SpanId(*shape.order.get(random.below(shape.order.len()))?);
    let from = terrain.grid().point(span)?;
    let cells = 2f32.powi(octave as i32) * random.between(0.75, 1.5);
    let angle = random.between(0.0, std::f32::consts::TAU);
    let metres = cells * terrain.cell_size();
    let to = Point3::new(from.x + metres * angle.cos(), from.y, from.z + metres * angle.sin());
    let within = terrain.agent().height * 4.0;
    let tolerance = Some(within.max(metres));
    Some(Query { vertical_tolerance: tolerance, ..Query::new(from, to) })
}
