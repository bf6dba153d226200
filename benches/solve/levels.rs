//! The levels that ways are sought on.

use surefoot::view::View;
use surefoot::{AgentId, NavGrid};

use crate::support::{DEMO_LEVELS, DemoLevel};

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

    pub fn terrain(&self) -> View<'_> {
        View::new(&self.grid, AgentId(0)).expect("one agent")
    }
}
