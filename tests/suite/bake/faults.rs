//! Settings that cannot be meant, levels too large or too small, and bakes that are stopped.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use surefoot::{Agent, AgentId, Observer};
use surefoot_bake::scene::{Placement, SceneBuilder, Triangles};
use surefoot_bake::{BakeError, BakeObserver, BakeSettings, Baked, Scene, Stage, bake};

/// A level square with a corner at a place.
fn floor(corner: [f32; 2], side: f32) -> Scene {
    let [x, z] = corner;
    let corners = [[x, 0.0, z], [x, 0.0, z + side], [x + side, 0.0, z + side], [x + side, 0.0, z]];
    let mut builder = SceneBuilder::new("floor");
    builder.mesh(
        "floor",
        Triangles { vertices: &corners, triangles: &[[0, 1, 2], [0, 2, 3]] },
        Placement::default(),
    );
    builder.build().expect("a sound floor")
}

fn error(scene: &Scene, settings: &BakeSettings) -> BakeError {
    let start = Instant::now();
    let error = bake(scene, settings, &()).expect_err("it cannot be baked");
    assert!(start.elapsed() < Duration::from_secs(1), "it says so at once");
    error
}

fn with_cells(size: f32) -> BakeSettings {
    BakeSettings { cell_size: Some(size), ..Default::default() }
}

fn sound(scene: &Scene, settings: &BakeSettings) -> Baked {
    bake(scene, settings, &()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_empty_scene_is_refused() {
    let scene = SceneBuilder::new("nothing").build().unwrap();
    assert_eq!(error(&scene, &BakeSettings::default()), BakeError::EmptyScene);
}

#[test]
fn a_bake_needs_agents_of_different_names() {
    let scene = floor([0.0; 2], 4.0);
    let none = BakeSettings { agents: Vec::new(), ..Default::default() };
    assert_eq!(error(&scene, &none), BakeError::NoAgents);
    let agents = vec![Agent::new("human"), Agent::new("troll"), Agent::new("human")];
    let twins = BakeSettings { agents, ..Default::default() };
    assert_eq!(error(&scene, &twins), BakeError::SameName("human".to_owned()));
}

#[test]
fn agents_too_small_for_casts_are_refused() {
    let scene = floor([0.0; 2], 4.0);
    let ant = |radius| BakeSettings {
        agents: vec![Agent { radius, height: 0.05, max_climb: 0.01, ..Agent::new("ant") }],
        ..with_cells(0.1)
    };
    let too_small =
        BakeError::AgentTooSmall { agent: "ant".to_owned(), radius: 0.009, least: 0.01 };
    assert_eq!(error(&scene, &ant(0.009)), too_small);
    sound(&scene, &ant(0.01));
}

#[test]
fn numbers_of_agents_are_checked() {
    let scene = floor([0.0; 2], 4.0);
    type Set = fn(&mut Agent, f32);
    let fields: [(&str, Set, &[f32]); 8] = [
        ("radius", |agent, v| agent.radius = v, &[0.0, -0.3, 1001.0]),
        ("height", |agent, v| agent.height = v, &[0.0, -1.8, 1001.0]),
        ("max_climb", |agent, v| agent.max_climb = v, &[-0.1, 1.8, 2.0]),
        ("slope_limit", |agent, v| agent.slope_limit = v, &[-0.1, 1.55]),
        ("ledge_margin", |agent, v| agent.ledge_margin = Some(v), &[-0.1, 1001.0]),
        ("jump_up", |agent, v| agent.jump_up = v, &[-0.1, 1001.0]),
        ("jump_across", |agent, v| agent.jump_across = v, &[-0.1, 1001.0]),
        ("drop", |agent, v| agent.drop = v, &[-0.1, 1001.0]),
    ];
    for (field, set, values) in fields {
        for &value in values.iter().chain(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]) {
            let mut agent = Agent::new("odd");
            set(&mut agent, value);
            let agents = vec![Agent::new("human"), agent];
            let error = error(&scene, &BakeSettings { agents, ..Default::default() });
            assert!(matches!(error, BakeError::Agent(_)), "{field} {value}: {error}");
            let said = error.to_string();
            assert!(said.contains("\"odd\"") && said.contains(field), "{said}");
        }
    }
}

#[test]
fn cells_need_a_size() {
    let scene = floor([0.0; 2], 4.0);
    for size in [0.0, -0.25, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = error(&scene, &with_cells(size));
        assert!(matches!(error, BakeError::CellSize(_)), "{size}: {error}");
    }
    for size in [1e-30, f32::MIN_POSITIVE, 1e-9] {
        let error = error(&scene, &with_cells(size));
        assert!(matches!(error, BakeError::TooManyCells { .. }), "{size}: {error}");
    }
}

#[test]
fn a_grid_too_large_is_refused_with_its_size() {
    let scene = floor([0.0; 2], 10_000.0);
    let found = error(&scene, &with_cells(0.01));
    let BakeError::TooLarge { cells, bytes, limit, .. } = &found else { panic!("{found}") };
    // One more where the size, rounded to 32 bits, is a hair too small.
    assert!(cells.iter().all(|count| (1_000_000..=1_000_001).contains(count)), "{cells:?}");
    assert!(*bytes > 30 << 40 && limit < bytes);
    assert!(found.to_string().contains("GiB"), "{found}");
    let small = BakeSettings { memory_limit: 3000, ..with_cells(0.25) };
    let found = error(&floor([0.0; 2], 4.0), &small);
    assert!(matches!(found, BakeError::TooLarge { .. }), "{found}");
}

#[test]
fn colliders_count_for_the_memory_of_a_bake() {
    let mut boxes = SceneBuilder::new("boxes");
    for at in 0..1000 {
        boxes.cuboid("box", [0.1, 0.1, 0.2], Placement::at([0.3 * at as f32, 0.0, 0.0]));
    }
    let scene = boxes.build().unwrap();
    let limited = |memory_limit: u64| BakeSettings { memory_limit, ..with_cells(0.25) };
    let found = error(&scene, &limited(1_000_000));
    let BakeError::TooManyColliders { colliders, triangles, bytes, limit } = found else {
        panic!("{found}")
    };
    assert_eq!((colliders, triangles, limit), (1000, 12_000, 1_000_000));
    assert!((1_000_000..1_500_000).contains(&bytes), "{bytes}");
    // What is left is too little for the cells.
    let found = error(&scene, &limited(bytes + 1000));
    assert!(matches!(found, BakeError::TooLarge { .. }), "{found}");
    assert!(!sound(&scene, &limited(bytes + 1_000_000)).grid.spans().is_empty());
}

#[test]
fn floors_count_for_the_size_of_a_grid_not_cells_alone() {
    let at = |x: f32, y: f32| Placement::at([x, y, 0.0]);
    let slab = |builder: &mut SceneBuilder, at, half: f32| {
        builder.cuboid("slab", [half, 0.05, half], at);
    };
    // As many floors as there are limits, in megabytes, on one of them.
    let mut tower = SceneBuilder::new("tower");
    (0..20).for_each(|storey| slab(&mut tower, at(0.0, 3.0 * storey as f32), 20.0));
    let tower = tower.build().unwrap();
    let limited = |megabytes: u64| BakeSettings {
        memory_limit: megabytes << 20,
        agents: vec![Agent::new("human")],
        ..with_cells(0.25)
    };
    let found = error(&tower, &limited(16));
    let BakeError::TooLarge { bytes, .. } = found else { panic!("{found}") };
    assert!((28 << 20..40 << 20).contains(&bytes), "{bytes}");
    assert!(sound(&tower, &limited(40)).grid.spans().len() > 20 * 25_000);

    // Two small floors far apart: a floor a cell would be 60 MB.
    let mut islands = SceneBuilder::new("islands");
    [-200.0, 200.0].into_iter().for_each(|x| slab(&mut islands, at(x, 0.0), 10.0));
    let islands = islands.build().unwrap();
    let grid = sound(&islands, &limited(4)).grid;
    assert!(grid.frame().cells() > 130_000 && grid.spans().len() < 20_000);
}

/// Slabs of 0.1 m, 3 m apart, that reach as far from the z axis.
fn stack(builder: &mut SceneBuilder, storeys: usize, [from, to]: [f32; 2]) {
    let (half, middle) = (0.5 * (to - from), 0.5 * (from + to));
    for storey in 0..storeys {
        let at = Placement::at([middle, 3.0 * storey as f32, middle]);
        builder.cuboid("slab", [half, 0.05, half], at);
    }
}

#[test]
fn a_tower_of_any_height_is_estimated() {
    let mut tower = SceneBuilder::new("tower");
    stack(&mut tower, 300, [0.0, 10.0]);
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { memory_limit: 8 << 20, agents, ..with_cells(0.25) };
    let found = error(&tower.build().unwrap(), &settings);
    let BakeError::TooLarge { bytes, .. } = found else { panic!("{found}") };
    assert!((24 << 20..40 << 20).contains(&bytes), "{bytes}");
}

#[test]
fn floors_that_no_sample_meets_count() {
    // The stack is a square of 4 cells in a corner, where only one cell in 256 is a sample.
    let mut builder = SceneBuilder::new("stack");
    stack(&mut builder, 1, [0.0, 40.0]);
    stack(&mut builder, 600, [0.0, 1.0]);
    let scene = builder.build().unwrap();
    let limited = |memory_limit: u64| {
        let agents = vec![Agent::new("human")];
        bake(&scene, &BakeSettings { memory_limit, agents, ..with_cells(0.25) }, &())
    };
    let found = limited(2_950_000).expect_err("it takes more");
    assert!(matches!(found, BakeError::TooManyFloors { .. }), "{found}");
    assert!(found.to_string().contains("GiB"), "{found}");
    assert!(limited(3_750_000).is_ok());
}

#[test]
fn bounds_are_a_rectangle() {
    let scene = floor([0.0; 2], 8.0);
    let nan = f32::NAN;
    for bounds in [
        [4.0, 1.0, 2.0, 3.0],
        [1.0, 3.0, 2.0, 1.0],
        [1.0, 1.0, 1.0, 2.0],
        [nan, 0.0, 1.0, 1.0],
        [0.0, 0.0, nan, 1.0],
        [0.0, 0.0, 1.0, nan],
    ] {
        let error = error(&scene, &BakeSettings { bounds: Some(bounds), ..with_cells(0.25) });
        assert!(matches!(error, BakeError::Bounds(_)), "{bounds:?}: {error}");
    }
    for bounds in [[f32::NEG_INFINITY, 0.0, 1.0, 1.0], [0.0, 0.0, 1e30, 1.0]] {
        let error = error(&scene, &BakeSettings { bounds: Some(bounds), ..with_cells(0.25) });
        assert!(matches!(error, BakeError::TooManyCells { .. }), "{bounds:?}: {error}");
    }
}

#[test]
fn bounds_beside_the_level_are_refused() {
    let scene = floor([0.0; 2], 8.0);
    for bounds in [[20.0, 0.0, 30.0, 5.0], [-30.0, -30.0, -20.0, -20.0], [8.5, 8.5, 8.6, 8.6]] {
        let settings = BakeSettings { bounds: Some(bounds), ..with_cells(0.25) };
        let (min, max) = ([0.0; 2], [8.0; 2]);
        assert_eq!(error(&scene, &settings), BakeError::BoundsBesideLevel { bounds, min, max });
    }
    let touching = BakeSettings { bounds: Some([7.9, 7.9, 30.0, 30.0]), ..with_cells(0.25) };
    assert_eq!(sound(&scene, &touching).grid.spans().len(), 1);
}

#[test]
fn cells_wider_than_agents_are_found() {
    let agents = vec![Agent::new("human"), Agent { radius: 0.2, ..Agent::new("cat") }];
    let with_cells = |size| BakeSettings { agents: agents.clone(), ..with_cells(size) };
    let expected =
        BakeError::CellWiderThanAgent { cell_size: 0.41, agent: "cat".to_owned(), width: 0.4 };
    assert_eq!(with_cells(0.41).check_cell_width(), Err(expected));
    assert_eq!(with_cells(0.4).check_cell_width(), Ok(()));
}

/// Stops a bake once some tiles are done, and counts what goes on afterwards.
struct Impatient {
    stop_after: usize,
    done: AtomicUsize,
    assembled: AtomicUsize,
}

impl BakeObserver for Impatient {
    fn begin(&self, stage: Stage) {
        self.assembled.fetch_add(usize::from(stage >= Stage::Assemble), Ordering::SeqCst);
    }
}

impl Observer for Impatient {
    fn parts_done(&self, _done: usize, of: usize) {
        assert!(of >= 16, "{of} tiles");
        self.done.fetch_add(1, Ordering::SeqCst);
    }

    fn is_cancelled(&self) -> bool {
        self.done.load(Ordering::SeqCst) >= self.stop_after
    }
}

#[test]
fn a_bake_can_be_stopped() {
    let scene = floor([0.0; 2], 32.0);
    for stop_after in [0, 1, 5] {
        let zero = || AtomicUsize::new(0);
        let observer = Impatient { stop_after, done: zero(), assembled: zero() };
        let settings = BakeSettings { tile_size: 8, ..with_cells(0.25) };
        assert_eq!(bake(&scene, &settings, &observer), Err(BakeError::Cancelled));
        // Tiles under way are finished; there are no more of them than threads.
        let most = stop_after + rayon::current_num_threads();
        assert!(observer.done.load(Ordering::SeqCst) <= most);
        assert_eq!(observer.assembled.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn progress_counts_every_tile_once() {
    #[derive(Default)]
    struct Counts {
        tiles: std::sync::Mutex<Vec<(usize, usize)>>,
        stages: std::sync::Mutex<std::collections::BTreeSet<Stage>>,
    }
    impl BakeObserver for Counts {
        fn begin(&self, stage: Stage) {
            self.stages.lock().unwrap().insert(stage);
        }
    }
    impl Observer for Counts {
        fn parts_done(&self, done: usize, of: usize) {
            self.tiles.lock().unwrap().push((done, of));
        }
    }
    let counts = Counts::default();
    let settings = BakeSettings { tile_size: 16, ..with_cells(0.25) };
    bake(&floor([0.0; 2], 16.0), &settings, &counts).expect("it bakes");
    let mut tiles = counts.tiles.into_inner().unwrap();
    tiles.sort_unstable();
    assert_eq!(tiles, (1..=16).map(|done| (done, 16)).collect::<Vec<_>>());
    let stages: Vec<_> = counts.stages.into_inner().unwrap().into_iter().collect();
    let all = Stage::ALL.into_iter().filter(|&stage| stage != Stage::Links);
    assert_eq!(stages, all.collect::<Vec<_>>(), "agents that only walk have no links");
}

#[test]
fn triangles_without_area_make_no_scene() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [2.0, 0.0, 2.0], [0.0, 0.0, 0.0]];
    let mut builder = SceneBuilder::new("lines");
    builder.mesh(
        "lines",
        Triangles { vertices: &corners, triangles: &[[0, 1, 2], [0, 3, 1], [1, 1, 2]] },
        Placement::default(),
    );
    let error = builder.build().expect_err("nothing is left of it").to_string();
    assert!(error.contains("lines") && error.contains("area"), "{error}");
}

#[test]
fn a_file_of_triangles_without_area_is_no_level() {
    let mut doc = surefoot_testing::Doc::new();
    let mesh = doc.mesh_of(&[[0.0; 3], [1.0, 0.0, 1.0], [2.0, 0.0, 2.0]], &[0, 1, 2]);
    doc.node(serde_json::json!({"name": "line", "mesh": mesh}));
    let scene = doc.load();
    assert!(scene.report.skipped.iter().any(|skip| skip.node == "line"), "{:?}", scene.report);
    assert_eq!(error(&scene, &BakeSettings::default()), BakeError::EmptyScene);
}

#[test]
fn upright_walls_alone_have_no_floor() {
    let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [4.0, 3.0, 1.0], [0.0, 3.0, 0.0]];
    let mut builder = SceneBuilder::new("wall");
    builder.mesh(
        "wall",
        Triangles { vertices: &corners, triangles: &[[0, 1, 2], [0, 2, 3]] },
        Placement::default(),
    );
    let baked = sound(&builder.build().unwrap(), &with_cells(0.25));
    assert_eq!(baked.grid.spans().len(), 0);
    // No wider than a line in plan: still a level, of one row of cells or none.
    let flat = corners.map(|[x, y, _]| [x, y, 0.5]);
    let mut builder = SceneBuilder::new("wall");
    builder.mesh(
        "wall",
        Triangles { vertices: &flat, triangles: &[[0, 1, 2], [0, 2, 3]] },
        Placement::default(),
    );
    assert_eq!(sound(&builder.build().unwrap(), &with_cells(0.25)).grid.spans().len(), 0);
}

/// Farther out, whether cells are joined would depend on the tiles they are in.
#[test]
fn cells_that_coordinates_do_not_tell_apart_are_refused() {
    for corner in [[9_999_000.0, 0.0], [0.0, -9_999_000.0]] {
        let far = floor(corner, 16.0);
        let found = error(&far, &with_cells(0.5));
        assert!(matches!(found, BakeError::TooFarOut { cell_size: 0.5, .. }), "{found}");
        assert!(found.to_string().contains("from the origin"), "{found}");
        sound(&far, &with_cells(4.0));
    }
}

#[test]
fn a_level_far_out_is_as_good_as_its_coordinates() {
    // At a thousand kilometres coordinates are known to 6 cm.
    let far = 1_000_000.0;
    let baked = sound(&floor([far, -far], 16.0), &with_cells(0.25));
    let grid = baked.grid;
    assert_eq!(grid.spans().len(), 64 * 64);
    for agent in (0..3).map(AgentId) {
        let span = grid.span_at([far + 8.0, 0.0, -far + 8.0], 0.1).expect("the middle");
        assert!(grid.is_walkable(agent, span));
        assert_eq!(grid.layers()[agent.index()].regions.len(), 1);
    }
}

#[test]
fn a_level_of_a_millimetre_needs_small_cells() {
    let level = floor([0.1245, 0.1245], 0.001);
    let found = error(&level, &with_cells(0.25));
    assert!(matches!(found, BakeError::CellWiderThanLevel { .. }), "{found}");
    let fine = sound(&level, &with_cells(0.0001));
    assert!((81..=121).contains(&fine.grid.spans().len()), "{}", fine.grid.spans().len());
}

/// Cancels a bake while columns are cast, after the first few surfaces.
#[derive(Default)]
struct CancelInColumns {
    polls: AtomicUsize,
    is_casting: AtomicBool,
}

/// When it cancels: polled this often while columns are cast.
const POLLS_IN_COLUMNS: usize = 3;

impl BakeObserver for CancelInColumns {
    fn begin(&self, stage: Stage) {
        self.is_casting.store(stage == Stage::Columns, Ordering::SeqCst);
    }
}

impl Observer for CancelInColumns {
    fn is_cancelled(&self) -> bool {
        let is_casting = self.is_casting.load(Ordering::SeqCst);
        self.polls.fetch_add(usize::from(is_casting), Ordering::SeqCst) >= POLLS_IN_COLUMNS
    }
}

#[test]
fn a_bake_is_cancelled_within_a_column() {
    let mut deep = SceneBuilder::new("deep");
    for storey in 0..1000 {
        let at = Placement::at([0.0, 0.01 * storey as f32, 0.0]);
        deep.cuboid("slab", [1.0, 0.001, 1.0], at);
    }
    let observer = CancelInColumns::default();
    let baked = bake(&deep.build().unwrap(), &with_cells(0.25), &observer);
    assert_eq!(baked.err(), Some(BakeError::Cancelled));
    let polls = observer.polls.into_inner();
    assert!(polls <= POLLS_IN_COLUMNS + 2, "{polls} polls while columns are cast");
}

/// Cancels a bake when it has been polled a number of times.
struct CancelAfter {
    polls: AtomicUsize,
    most: usize,
}

impl BakeObserver for CancelAfter {}

impl Observer for CancelAfter {
    fn is_cancelled(&self) -> bool {
        self.polls.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

#[test]
fn a_bake_is_cancelled_within_a_tile() {
    // All of it is one tile, which many floors can make any amount of work.
    let scene = floor([0.0; 2], 4.0);
    let poll = |most: usize| {
        let observer = CancelAfter { polls: AtomicUsize::new(0), most };
        let baked = bake(&scene, &with_cells(0.25), &observer);
        (baked.err(), observer.polls.into_inner())
    };
    let (error, all) = poll(usize::MAX);
    assert_eq!(error, None);
    // At least two stages of a tile of 16 x 16 cells, for three agents, once for each 16 floors.
    assert!(all >= 2 * 3 * 16 * 16 / 16, "polled {all} times");
    for most in [0, 1, 2, all / 3, all / 2, all - 1] {
        let (error, polls) = poll(most);
        assert_eq!(error, Some(BakeError::Cancelled), "after {most} of {all} polls");
        // Each later stage of the tile may ask once more.
        assert!(polls <= most + 20, "{polls} polls, cancelled after {most}");
    }
}
