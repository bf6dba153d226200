//! The levels that ways are sought on.

use surefoot::solve::{Footing, Terrain};
use surefoot::{AgentId, NavGrid, SpanId};

use crate::support::{DEMO_LEVELS, DemoLevel, Random};

/// A level, baked.
pub struct Level {
    pub name: &'static str,
    pub grid: NavGrid,
}

impl Level {
    /// Those whose files are there.
    pub fn all() -> Vec<Level> {
        let baked = |level: DemoLevel| {
            let name = level.file.split('.').next().unwrap_or_default();
            level.bake().map(|(_, grid)| Level { name, grid })
        };
        DEMO_LEVELS.into_iter().filter_map(baked).collect()
    }

    pub fn terrain(&self) -> Terrain<'_> {
        Terrain::new(&self.grid, AgentId(0)).expect("one agent")
    }
}

/// So many pairs of places that are, or are not, in one region.
pub fn pairs(terrain: &Terrain, count: usize, joined: bool) -> Vec<[Footing; 2]> {
    let grid = terrain.grid();
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    let open: Vec<SpanId> = spans.filter(|&span| terrain.is_walkable(span)).collect();
    let mut random = Random(9);
    let mut pick = || {
        let span = open[random.below(open.len())];
        Footing { span, point: grid.point(span).expect("a span of the grid") }
    };
    let tries = std::iter::repeat_with(|| [pick(), pick()]).take(count * 1000);
    let fits = |ends: &[Footing; 2]| terrain.may_reach(ends[0].span, ends[1].span) == joined;
    tries.filter(fits).take(count).collect()
}

/// The median and the 99th percentile.
pub fn spread(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let at = |part: usize| values.get(values.len() * part / 100).copied().unwrap_or(f64::NAN);
    [at(50), at(99)]
}
