//! The levels that paths are searched on.

use surefoot::{HeightCost, NavGrid, Navigator};
use surefoot_testing::{DEMO_LEVELS, DemoLevel};

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

    pub fn navigator(&self, model: HeightCost) -> Navigator {
        Navigator::with_model(self.grid.clone(), "recast", model).expect("one agent")
    }
}
