//! What is asked within a window of a world is answered as by one grid of the whole world.

use std::path::Path;

use nalgebra::Point3;
use surefoot::world::{World, WorldBudget, WorldInfo, WorldWriter};
use surefoot::{Agent, AgentId, NavGrid, Navigator, SpanId};
use surefoot_bake::{BakeSettings, Scene, SceneSource, WorldTiling};
use surefoot_testing::{Random, data_folder, load, repository};

/// Bakes a scene tile by tile, and writes the tiles into a file; returns how many bytes it has.
fn bake_world(path: &Path, scene: &Scene, settings: &BakeSettings, side: u32) -> u64 {
    let source = SceneSource::new(scene.clone()).expect("a source");
    let tiling = WorldTiling::new(&source, settings, side).expect("a tiling");
    let bake = |index: usize| {
        let input = tiling.input(&source, index).expect("a tile");
        let tile = (input.colliders > 0).then(|| tiling.bake_tile(&source, index, &()));
        tile.map(|tile| tile.expect("it can be baked"))
    };
    let first = (0..tiling.tiles()).find_map(bake).expect("a tile");
    let info = WorldInfo::of_tile(&first, *tiling.frame(), tiling.tile_side());
    let least = info.first_place();
    let mut writer = WorldWriter::create(path, info).expect("a writer");
    for place in writer.order() {
        let (x, z) = ((place.x - least.x) as usize, (place.z - least.z) as usize);
        if let Some(tile) = bake(z * tiling.columns() + x) {
            writer.tile(place, &tile).expect("it is written");
        }
    }
    writer.finish().expect("it is complete");
    std::fs::metadata(path).expect("a file").len()
}

/// A grid, and a part of it.
struct Compared {
    whole: NavGrid,
    part: NavGrid,
}

/// What can be said of comparisons.
#[derive(Debug, Default)]
struct Comparison {
    equal: usize,
    /// Paths of the whole that leave the part.
    leaving: usize,
}

impl Compared {
    /// Loads a world whole, and a part of it around its middle.
    fn load(path: &Path, share: f64) -> Self {
        let mut world = World::open(path).expect("it opens");
        let (low, high) = world.info().frame.bounds();
        let whole = world.load([low[0], low[1], high[0], high[1]]).expect("the whole");
        let bytes = (whole.spans().len() * 32 + whole.frame().cells() * 8) as f64 * share;
        world.set_budget(WorldBudget { bytes: bytes as u64, ..WorldBudget::default() });
        let middle = Point3::new((low[0] + high[0]) / 2.0, 0.0, (low[1] + high[1]) / 2.0);
        world.set_interest(&[middle]).expect("a point");
        let part = world.wait().expect("ground");
        println!(
            "{} of {} tiles, {} of {} spans",
            world.loaded().count(),
            world.tiles().unwrap_or(0),
            part.spans().len(),
            whole.spans().len()
        );
        Compared { whole, part }
    }

    /// A place of the part with a walkable span.
    fn place(&self, agent: AgentId, random: &mut Random) -> Point3<f32> {
        loop {
            let span = SpanId(random.below(self.part.spans().len()) as u32);
            if self.part.is_walkable(agent, span) {
                return self.part.point(span).expect("a span");
            }
        }
    }

    /// Whether a path of the whole stays on ground of the part, away from its edge.
    fn is_inside(&self, agent: AgentId, points: &[Point3<f32>]) -> bool {
        points.iter().all(|point| {
            let around = [[4.0, 0.0], [-4.0, 0.0], [0.0, 4.0], [0.0, -4.0], [0.0, 0.0]];
            around.iter().all(|[x, z]| {
                let near = Point3::new(point.x + x, point.y, point.z + z);
                let cell =
                    |grid: &NavGrid| grid.column_at(near).map(|cell| grid.column(cell).len());
                cell(&self.whole).unwrap_or(0) == cell(&self.part).unwrap_or(0)
            })
        }) && points.iter().all(|&point| self.part.nearest_walkable(agent, point, 0.5).is_some())
    }

    /// Compares paths between random places.
    fn compare(&self, agent: AgentId, pairs: usize) -> Comparison {
        let mut random = Random(7);
        let [mut whole, mut part] = [&self.whole, &self.part]
            .map(|grid| Navigator::new(grid.clone(), agent).expect("agent"));
        let mut found = Comparison::default();
        for _ in 0..pairs {
            let [from, to] = [0, 1].map(|_| self.place(agent, &mut random));
            let Ok(expected) = whole.path(from, to) else { continue };
            let track: Vec<Point3<f32>> = expected.track().iter().map(|at| at.point).collect();
            let corners: Vec<Point3<f32>> =
                expected.waypoints().iter().map(|at| at.point).collect();
            let (cost, corridor_cost) = (expected.cost(), expected.corridor_cost());
            if !self.is_inside(agent, &track) {
                found.leaving += 1;
                continue;
            }
            let path =
                part.path(from, to).unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
            assert_eq!(path.corridor_cost().to_bits(), corridor_cost.to_bits(), "{from} to {to}");
            assert_eq!(path.cost().to_bits(), cost.to_bits(), "{from} to {to}");
            let own: Vec<Point3<f32>> = path.waypoints().iter().map(|at| at.point).collect();
            assert_eq!(own, corners, "{from} to {to}");
            found.equal += 1;
        }
        found
    }
}

#[test]
fn paths_of_a_window_of_the_village_are_those_of_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("village.navworld");
    let goat = Agent {
        radius: 0.4,
        height: 1.2,
        jump_up: 0.8,
        jump_across: 2.0,
        drop: 2.5,
        ..Agent::new("goat")
    };
    let agents = vec![Agent::new("human"), goat];
    let settings = BakeSettings { cell_size: Some(0.6), agents, ..BakeSettings::default() };
    let scene = load(&repository().join("scenes/village.glb"));
    let bytes = bake_world(&path, &scene, &settings, 64);
    let compared = Compared::load(&path, 0.45);
    println!("village: {bytes} bytes, {} links", compared.whole.links().len());
    assert!(!compared.part.links().is_empty());
    for agent in [AgentId(0), AgentId(1)] {
        let found = compared.compare(agent, 150);
        println!("{found:?}");
        assert!(found.equal > 50, "{found:?}");
    }
}

#[test]
fn paths_of_a_window_of_hills_are_those_of_the_whole() {
    let Some(data) = data_folder() else {
        println!("skipped: the test data is absent");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("undulating.navworld");
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.6), agents, ..BakeSettings::default() };
    bake_world(&path, &load(&data.join("scenes/undulating.glb")), &settings, 64);
    let compared = Compared::load(&path, 0.4);
    let found = compared.compare(AgentId(0), 150);
    println!("{found:?}");
    assert!(found.equal > 40, "{found:?}");
}
