//! What both sides prepare, and what they are asked.

use std::path::{Path, PathBuf};

use surefoot::grid::RegionId;
use surefoot::{Agent, AgentId, HeightCost, NavGrid, Navigator, SpanId};
use surefoot_bake::{BakeSettings, Scene, bake};

use crate::map::Scenario;
use crate::random::Random;

const MAP: &str = "orz900d";
const CELL_SIZE: f32 = 0.25;
/// On the level; the map has its own.
const QUERIES: usize = 1000;

/// A grid for one agent, and paths to find.
pub struct Level {
    pub name: String,
    pub grid: NavGrid,
    pub model: HeightCost,
    /// Start and goal.
    pub queries: Vec<[SpanId; 2]>,
}

impl Level {
    /// A flat map, and its whole scenario.
    pub fn map() -> Level {
        let read = |ending: &str| {
            let file = data_folder().join("maps").join(format!("{MAP}{ending}"));
            std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
        };
        let grid = NavGrid::from_map(&read(".map"), 1.0, &[]).expect("it is a map");
        let scenario = Scenario::read(&read(".map.scen")).expect("it is a scenario");
        let span = |(x, z): (i32, i32)| {
            let center = [x as f32 + 0.5, 0.0, z as f32 + 0.5];
            grid.span_at(center, 1.0).expect("queries begin and end on ground")
        };
        let queries = scenario.queries.iter().map(|query| [query.start, query.goal].map(span));
        let queries = queries.collect();
        Level { name: MAP.to_owned(), grid, model: HeightCost::FLAT, queries }
    }

    /// A level with storeys, heights counted; random places of its largest region.
    pub fn quake() -> Level {
        let file = data_folder().join("scenes/quake_e1m1.glb");
        let scene = Scene::load(&file, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
        let settings = BakeSettings {
            agents: vec![Agent::new("human")],
            cell_size: Some(CELL_SIZE),
            ..BakeSettings::default()
        };
        let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
        let spans = (0..grid.spans().len() as u32).map(SpanId);
        let inside = |span: &SpanId| grid.region(AgentId(0), *span) == Some(RegionId(0));
        let places: Vec<SpanId> = spans.filter(inside).collect();
        let mut random = Random(9);
        let mut pick = || places[random.below(places.len())];
        let queries = std::iter::repeat_with(|| [pick(), pick()]).take(QUERIES).collect();
        let name = format!("quake_e1m1, {CELL_SIZE} m");
        Level { name, grid, model: HeightCost::default(), queries }
    }

    /// Spans that the agent can stand on.
    pub fn walkable(&self) -> usize {
        self.grid.layers()[0].standings.iter().filter(|span| span.is_walkable()).count()
    }

    pub fn navigator(&self) -> Navigator {
        let grid = self.grid.clone();
        Navigator::with_model(grid, AgentId(0), self.model).expect("one agent")
    }
}

fn data_folder() -> PathBuf {
    std::env::var_os("SUREFOOT_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    )
}
