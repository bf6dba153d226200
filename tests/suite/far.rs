//! Far paths: what they cost by the borders of tiles is what they cost on the whole grid.

use nalgebra::Point3;
use surefoot::far::{
    BorderRules, FarEnd, FarError, FarGround, FarLink, FarRoutes, TileBorder, TileBorders,
};
use surefoot::grid::{AgentId, CellLayer, GridFrame, GridTile};
use surefoot::search::{CostField, FieldQuery};
use surefoot::{Agent, NavGrid, Navigator};
use surefoot_bake::scene::LinkMarker;
use surefoot_bake::{BakeSettings, Scene, SceneSource, WorldTiling};
use surefoot_testing::{Random, agent, load, repository};

/// The tiles of a scene with what each has of its own, and the whole grid.
struct Tiles {
    side: u32,
    tiles: Vec<(GridFrame, NavGrid)>,
    whole: NavGrid,
}

impl Tiles {
    fn of(file: &str, cell_size: f32, side: u32) -> Self {
        let scene = load(&repository().join("scenes").join(file));
        Tiles::of_scene(scene, [cell_size, side as f32], agent("human", 0.3, 1.8))
    }

    fn of_scene(scene: Scene, [cell_size, side]: [f32; 2], body: Agent) -> Self {
        let (side, agents) = (side as u32, vec![body]);
        let settings =
            BakeSettings { cell_size: Some(cell_size), agents, ..BakeSettings::default() };
        let source = SceneSource::new(scene).expect("a source");
        let tiling = WorldTiling::new(&source, &settings, side).expect("a tiling");
        let bake = |index| tiling.bake_tile(&source, index, &()).expect("a tile");
        let grids: Vec<Option<NavGrid>> = (0..tiling.tiles()).map(|at| Some(bake(at))).collect();
        let whole = tiling.merge(&source, &grids, &()).expect("a world").grid;
        let own = |index| tiling.own_cells(index).expect("a tile");
        let tiles = grids.into_iter().flatten().enumerate().map(|(at, grid)| (own(at), grid));
        Tiles { side, tiles: tiles.collect(), whole }
    }

    /// The links of the whole grid that start or end on a tile, but those within it that it has itself.
    fn links(&self, rules: &BorderRules, own: &GridFrame) -> Vec<FarLink> {
        let mut found = Vec::new();
        for link in self.whole.links() {
            let lanes = link.lanes_of(0).iter();
            let address = |span| self.whole.cell_layer(span).expect("a span");
            let lanes: Vec<[CellLayer; 2]> = lanes.map(|lane| lane.spans.map(address)).collect();
            let inside = |end: &CellLayer| own.index(end.cell).is_some();
            let links = FarLink::of(link, &lanes, self.side, rules);
            found.extend(links.into_iter().filter(|far| {
                let ends = far.ends.iter().filter(|end| inside(end)).count();
                if link.generated { ends == 1 } else { ends > 0 }
            }));
        }
        found
    }

    fn routes(&self, spacing: u32) -> FarRoutes {
        let rules = BorderRules::with_spacing(spacing);
        let borders = self.tiles.iter().map(|(own, grid)| {
            let tile = GridTile { own: *own, grid };
            let links = &self.links(&rules, own);
            let found = TileBorder::find(&tile, AgentId(0), links, &rules).expect("a border");
            let borders = TileBorders { rules, agents: vec![found] };
            let again = TileBorders::from_bytes(&borders.to_bytes()).expect("borders");
            assert_eq!(again, borders);
            again.agents.into_iter().next().expect("one agent")
        });
        let cell_size = self.whole.frame().cell_size;
        let ground = FarGround { agent: AgentId(0), cell_size };
        // In any order.
        let mut borders: Vec<TileBorder> = borders.collect();
        borders.reverse();
        FarRoutes::new(ground, rules, borders)
    }

    fn end(&self, point: Point3<f32>) -> FarEnd<'_> {
        let cell = self.whole.frame().cell_at(point.x, point.z);
        let (own, tile) =
            self.tiles.iter().find(|(own, _)| own.index(cell).is_some()).expect("a tile");
        FarEnd { point, tile: GridTile { own: *own, grid: tile } }
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
        nav.fill(&mut field, &FieldQuery::from(&[start]));
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
fn far_paths_take_links_from_tile_to_tile() {
    // Jumps and drops that the bake generates, some of them over borders.
    let body = Agent { jump_up: 1.2, jump_across: 4.0, drop: 4.0, ..agent("human", 0.3, 1.8) };
    let gaps = load(&repository().join("scenes/gaps.gltf"));
    let tiles = Tiles::of_scene(gaps, [0.1, 64.0], body);
    let crossing = tiles.links(&BorderRules::with_spacing(1), &tiles.tiles[0].0);
    assert!(!crossing.is_empty(), "links lead from tile to tile");
    let exact = ratios(&tiles, 1, 60);
    assert!(exact.len() > 30);
    assert!(exact.iter().all(|ratio| (ratio - 1.0).abs() < 1e-4), "{exact:?}");
    // A portal that costs nearly nothing, one that leads there only, and one within a tile.
    let mut village = load(&repository().join("scenes/village.glb"));
    let ground = Tiles::of("village.glb", 2.0, 64).whole;
    let (low, high) = ground.frame().bounds();
    let place = |[x, z]: [f32; 2]| {
        let [x, z] = [low[0] + x * (high[0] - low[0]), low[1] + z * (high[1] - low[1])];
        ground.nearest_walkable(AgentId(0), [x, 0.0, z], 50.0).expect("ground").1
    };
    let marker = |name: &str, from: [f32; 2], to: [f32; 2], cost: f32| {
        let [from, to] = [from, to].map(place);
        let (name, cost) = (name.to_owned(), Some(cost));
        LinkMarker { name, from, to, cost, ..LinkMarker::default() }
    };
    let portal = marker("portal", [0.1, 0.1], [0.9, 0.9], 0.5);
    let short = marker("short", [0.3, 0.1], [0.35, 0.08], 1.0);
    let one_way = marker("one way", [0.1, 0.85], [0.8, 0.2], 3.0);
    let wide = marker("wide", [0.5, 0.8], [0.52, 0.2], 20.0).wide(12.0);
    village.links.extend([LinkMarker { two_way: true, ..portal }, short, one_way, wide]);
    let tiles = Tiles::of_scene(village, [2.0, 64.0], agent("human", 0.3, 1.8));
    assert!(tiles.whole.links().iter().filter(|link| !link.lanes[0].is_empty()).count() >= 4);
    let exact = ratios(&tiles, 1, 100);
    assert!(exact.iter().all(|ratio| (ratio - 1.0).abs() < 1e-4), "{exact:?}");
    let near = ratios(&tiles, 16, 100);
    assert!(near.iter().all(|&ratio| ratio > 1.0 - 1e-4), "{near:?}");
}

#[test]
fn with_few_gates_far_costs_are_a_little_more() {
    let tiles = Tiles::of("village.glb", 0.7, 96);
    for spacing in [8, 32] {
        let ratios = ratios(&tiles, spacing, 40);
        assert!(ratios.iter().all(|&ratio| ratio > 1.0 - 1e-4), "{ratios:?}");
        assert!(ratios.iter().sum::<f64>() < 1.05 * ratios.len() as f64);
    }
}

#[test]
fn damaged_borders_are_refused() {
    let tiles = Tiles::of("two_storeys.glb", 0.2, 64);
    let (own, grid) = &tiles.tiles[0];
    let rules = BorderRules::with_spacing(8);
    let tile = GridTile { own: *own, grid };
    let found = TileBorder::find(&tile, AgentId(0), &[], &rules).expect("a border");
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
    let elsewhere = GridTile { own: own.grown(100), grid };
    assert!(TileBorder::find(&elsewhere, AgentId(0), &[], &rules).is_err());
    assert!(TileBorder::find(&tile, AgentId(9), &[], &rules).is_err());
}
