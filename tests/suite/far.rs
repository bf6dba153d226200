//! Far paths: what they cost by the borders of tiles is what they cost on the whole grid.

use surefoot::far::{BorderRules, FarEnd, FarError, FarGround, FarRoutes, TileBorder, TileBorders};
use surefoot::grid::{AgentId, GridFrame};
use surefoot::search::{CostField, FieldQuery};
use surefoot::view::LinkFilter;
use surefoot::{NavGrid, Navigator};
use surefoot_bake::{BakeSettings, SceneSource, WorldTiling};
use surefoot_testing::{Random, agent, load, repository};

/// The tiles of a scene with what each has of its own, and the whole grid.
struct Tiles {
    tiles: Vec<(GridFrame, NavGrid)>,
    whole: NavGrid,
}

impl Tiles {
    fn of(file: &str, cell_size: f32, side: u32) -> Self {
        let scene = load(&repository().join("scenes").join(file));
        let agents = vec![agent("human", 0.3, 1.8)];
        let settings =
            BakeSettings { cell_size: Some(cell_size), agents, ..BakeSettings::default() };
        let source = SceneSource::new(scene).expect("a source");
        let tiling = WorldTiling::new(&source, &settings, side).expect("a tiling");
        let bake = |index| tiling.bake_tile(&source, index, &()).expect("a tile");
        let grids: Vec<Option<NavGrid>> = (0..tiling.tiles()).map(|at| Some(bake(at))).collect();
        let whole = tiling.merge(&source, &grids, &()).expect("a world").grid;
        let own = |index| tiling.own_cells(index).expect("a tile");
        let tiles = grids.into_iter().flatten().enumerate().map(|(at, grid)| (own(at), grid));
        Tiles { tiles: tiles.collect(), whole }
    }

    fn routes(&self, spacing: u32) -> FarRoutes {
        let rules = BorderRules::with_spacing(spacing);
        let borders = self.tiles.iter().map(|(own, grid)| {
            let found = TileBorder::find(grid, own, AgentId(0), &rules).expect("a border");
            let borders = TileBorders { rules, agents: vec![found] };
            let again = TileBorders::from_bytes(&borders.to_bytes()).expect("borders");
            assert_eq!(again, borders);
            again.agents.into_iter().next().expect("one agent")
        });
        let areas = self.whole.areas().iter().map(|area| area.cost);
        let least_factor = areas.fold(f32::INFINITY, f32::min);
        let cell_size = self.whole.frame().cell_size;
        let ground = FarGround { agent: AgentId(0), cell_size, least_factor };
        // In any order.
        let mut borders: Vec<TileBorder> = borders.collect();
        borders.reverse();
        FarRoutes::new(ground, rules.model, borders)
    }

    fn end(&self, point: nalgebra::Point3<f32>) -> FarEnd<'_> {
        let cell = self.whole.frame().cell_at(point.x, point.z);
        let (own, tile) =
            self.tiles.iter().find(|(own, _)| own.index(cell).is_some()).expect("a tile");
        FarEnd { point, tile, own }
    }
}

/// How many times the least cost far paths cost: of each of so many pairs of places.
fn ratios(tiles: &Tiles, spacing: u32, pairs: usize) -> Vec<f64> {
    let routes = tiles.routes(spacing);
    let nav = Navigator::new(tiles.whole.clone(), "human").expect("a human");
    let mut field = CostField::default();
    let mut random = Random(7);
    let mut place = || loop {
        let span = surefoot::SpanId(random.below(tiles.whole.spans().len()) as u32);
        if tiles.whole.is_walkable(AgentId(0), span) {
            break tiles.whole.point(span).expect("a point");
        }
    };
    let mut ratios = Vec::new();
    for _ in 0..pairs {
        let (from, to) = (place(), place());
        let far = routes.path(tiles.end(from), tiles.end(to));
        let [start, goal] = [from, to]
            .map(|at| tiles.whole.nearest_walkable(AgentId(0), at, 0.1).expect("a span").0);
        // Least costs over connections; the author's links are no part of tiles.
        let links = LinkFilter::only(&[]);
        nav.fill(&mut field, &FieldQuery { links, ..FieldQuery::from(&[start]) });
        match field.cost(goal) {
            Some(cost) => {
                let far = far.unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
                ratios.push(f64::from(far.cost) / f64::from(cost));
            }
            None => assert_eq!(far, Err(FarError::Unreachable), "{from} to {to}"),
        }
    }
    let (gates, bytes) = (routes.gates(), routes.bytes());
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let most = ratios.iter().fold(0.0, |most: f64, &ratio| most.max(ratio));
    println!(
        "gates {spacing} cells apart: {gates} gates, {bytes} bytes; {} pairs: mean {mean:.5}, most {most:.5}",
        ratios.len()
    );
    ratios
}

#[test]
fn with_all_gates_far_costs_are_the_least() {
    for (file, cell_size, side) in [("two_storeys.glb", 0.2, 64), ("village.glb", 2.0, 64)] {
        let tiles = Tiles::of(file, cell_size, side);
        let ratios = ratios(&tiles, 1, 60);
        assert!(ratios.len() > 20, "{file}");
        assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 1e-4), "{file}: {ratios:?}");
    }
}

#[test]
fn with_few_gates_far_costs_are_a_little_more() {
    let tiles = Tiles::of("village.glb", 0.5, 128);
    for spacing in [8, 16, 32] {
        let ratios = ratios(&tiles, spacing, 100);
        assert!(ratios.iter().all(|&ratio| ratio > 1.0 - 1e-4), "{ratios:?}");
        assert!(ratios.iter().sum::<f64>() < 1.05 * ratios.len() as f64);
    }
}

#[test]
fn damaged_borders_are_refused() {
    let tiles = Tiles::of("two_storeys.glb", 0.2, 64);
    let (own, grid) = &tiles.tiles[0];
    let rules = BorderRules::with_spacing(8);
    let found = TileBorder::find(grid, own, AgentId(0), &rules).expect("a border");
    let bytes = TileBorders { rules, agents: vec![found] }.to_bytes();
    let mut random = Random(3);
    for _ in 0..300 {
        let mut spoiled = bytes.clone();
        if random.below(3) == 0 {
            spoiled.truncate(random.below(bytes.len()));
        } else {
            let at = random.below(bytes.len());
            spoiled[at] ^= 1 + random.below(255) as u8;
        }
        let error = TileBorders::from_bytes(&spoiled).expect_err("damaged");
        assert!(error.to_string().contains("compute them again"), "{error}");
    }
    assert!(TileBorder::find(grid, &own.grown(100), AgentId(0), &rules).is_err());
    assert!(TileBorder::find(grid, own, AgentId(9), &rules).is_err());
}
