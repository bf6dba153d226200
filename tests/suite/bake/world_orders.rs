//! Worlds in any order: whatever the cut, the order of jobs, and what is killed or done twice, tiles merge to
//! the bytes of one bake.

use std::collections::BTreeSet;

use surefoot::grid::{Dir, GridParts, GridTile, merge_tiles};
use surefoot::{Cell, GridFrame, NavGrid};
use surefoot_bake::{BakeSettings, Scene, SceneSource, bake};
use surefoot_testing::{Random, data_folder, human_and_goat, load, repository};
use surefoot_world::{JobError, TileOutcome, WorldJobs, WorldPlan, WorldRequest, WorldStore};

/// Scenes with the size of cells that keeps them small, and whether the second agent jumps.
const OWN: [(&str, f32, bool); 4] = [
    ("village.glb", 0.8, true),
    ("two_storeys.glb", 0.15, true),
    ("spiral_tower.glb", 0.15, false),
    ("gaps.gltf", 0.15, true),
];
const REAL: [(&str, f32, bool); 4] = [
    ("dungeon.gltf", 0.65, true),
    ("undulating.glb", 1.3, true),
    ("quake_dm2.glb", 0.6, true),
    ("town_model.gltf", 4.0, false),
];

/// Each scene is cut and baked so many times.
const ROUNDS: u64 = 1;

/// The scenes that are there.
fn scenes() -> Vec<(Scene, BakeSettings)> {
    let own = repository().join("scenes");
    let mut files: Vec<_> = OWN.iter().map(|&scene| (own.clone(), scene)).collect();
    match data_folder() {
        Some(data) => files.extend(REAL.iter().map(|&scene| (data.join("scenes"), scene))),
        None => println!("skipped {} scenes: the test data is absent", REAL.len()),
    }
    let open = |(folder, (file, cell_size, jumps)): (std::path::PathBuf, (&str, f32, bool))| {
        (load(&folder.join(file)), human_and_goat(cell_size, jumps))
    };
    files.into_iter().map(open).collect()
}

/// Bakes the tiles of a plan as a bad day would have it: in a random order, some of them twice, some again
/// over the one that is there, and some only after a merge was tried without them.
fn bake_badly(jobs: &WorldJobs, tiles: usize, random: &mut Random) {
    let mut order: Vec<usize> = (0..tiles).collect();
    random.shuffle(&mut order);
    let killed: BTreeSet<usize> = order.iter().copied().filter(|_| random.below(4) == 0).collect();
    for &index in order.iter().filter(|index| !killed.contains(index)) {
        let outcome = jobs.tile(index, &()).expect("it can be baked");
        assert!(matches!(outcome, TileOutcome::Baked { .. }), "tile {index}");
        match random.below(6) {
            0 => {
                let twice = jobs.tile(index, &()).expect("it is there");
                assert_eq!(twice, TileOutcome::AlreadyThere, "tile {index}");
            }
            1 => {
                let again = jobs.tile_again(index, &()).expect("it can be baked again");
                assert_eq!(again, outcome, "tile {index}");
            }
            _ => {}
        }
    }
    let missing = jobs.status().expect("a status").missing;
    assert_eq!(missing, killed.iter().copied().collect::<Vec<_>>());
    let Some(&first) = missing.first() else { return };
    let error = jobs.merge(&()).expect_err("tiles are missing");
    assert!(matches!(error, JobError::Missing { first: found, .. } if found == first), "{error}");
    let mut rest = missing;
    random.shuffle(&mut rest);
    for index in rest {
        jobs.tile(index, &()).expect("it can be baked");
    }
}

#[test]
fn any_cut_and_order_of_tiles_gives_the_bytes_of_one_bake() {
    let mut random = Random(0x0005_EED0_F71E_5000);
    for (scene, settings) in scenes() {
        let file = scene.report.file.clone();
        let whole = bake(&scene, &settings, &()).expect("it can be baked").grid;
        let whole = whole.to_bytes().expect("it can be written");
        let source = SceneSource::new(scene).expect("a source");
        for round in 0..ROUNDS {
            let tile_side = 64 * (1 + random.below(4) as u32);
            let request = WorldRequest { tile_side, ..WorldRequest::new(&file, settings.clone()) };
            let plan = WorldPlan::new(&source, request, &()).expect("a plan");
            let store = WorldStore::in_memory();
            let jobs = WorldJobs::new(&source, &plan, &store).expect("jobs");
            bake_badly(&jobs, plan.tiles.len(), &mut random);
            let merged = jobs.merge(&()).unwrap_or_else(|error| panic!("{file}: {error}")).grid;
            let same = merged.to_bytes().expect("it can be written") == whole;
            println!("{file}, round {round}: {} tiles of {tile_side} cells", plan.tiles.len());
            assert!(same, "{file}, round {round}: tiles of {tile_side} cells");
        }
    }
}

/// Cuts a frame into rectangles of any size, down to a cell.
fn cut(frame: GridFrame, parts: usize, random: &mut Random) -> Vec<GridFrame> {
    let (wide, long) = (frame.size_x > 1, frame.size_z > 1);
    if parts < 2 || !(wide || long) {
        return vec![frame];
    }
    let (mut low, mut high) = (frame, frame);
    if wide && (!long || random.below(2) == 0) {
        low.size_x = 1 + random.below(frame.size_x as usize - 1) as u32;
        high.size_x -= low.size_x;
        high.min = Cell::new(frame.min.x + low.size_x as i32, frame.min.z);
    } else {
        low.size_z = 1 + random.below(frame.size_z as usize - 1) as u32;
        high.size_z -= low.size_z;
        high.min = Cell::new(frame.min.x, frame.min.z + low.size_z as i32);
    }
    let first = 1 + random.below(parts - 1);
    let mut all = cut(low, first, random);
    all.extend(cut(high, parts - first, random));
    all
}

/// What a grid says of each span that does not depend on where it ends.
fn content(parts: &GridParts) -> Vec<String> {
    let of_layer = |layer: &surefoot::grid::AgentLayer| {
        let standings = layer.standings.iter().map(|standing| {
            let codes = Dir::ALL.map(|dir| standing.connection_code(dir));
            format!("{:?} {codes:?}", standing.verdict())
        });
        standings.collect::<Vec<_>>().join(" ") + &format!("{:?}", layer.far_connections)
    };
    parts.layers.iter().map(of_layer).collect()
}

#[test]
fn tiles_of_any_shape_merge_in_any_order() {
    let mut random = Random(0x0C07_0F7A_11E5_0001);
    let scene = load(&repository().join("scenes/two_storeys.glb"));
    let whole = bake(&scene, &human_and_goat(0.12, false), &()).expect("it can be baked").grid;
    for parts in [2, 7, 40, 200] {
        let mut owns = cut(*whole.frame(), parts, &mut random);
        assert!(owns.len() > parts / 2);
        random.shuffle(&mut owns);
        let grid = |own: &GridFrame| -> NavGrid {
            let cells = own.grown(1).overlap(whole.frame());
            whole.cropped_to(&cells).expect("a part")
        };
        let grids: Vec<NavGrid> = owns.iter().map(grid).collect();
        let tiles: Vec<GridTile> =
            owns.iter().zip(&grids).map(|(own, grid)| GridTile { own: *own, grid }).collect();
        let merged = merge_tiles(whole.frame(), &tiles).expect("they fit");
        let expected = whole.parts();
        assert!(merged.first == expected.first && merged.spans == expected.spans, "{parts} tiles");
        assert!(content(&merged) == content(expected), "{parts} tiles");

        // Without one of them its cells are empty, and nothing leads there.
        let (gone, rest) = tiles.split_last().expect("tiles");
        let merged = merge_tiles(whole.frame(), rest).expect("they fit");
        let lost: usize = cells(&gone.own).map(|cell| count(&whole, cell)).sum();
        assert_eq!(merged.spans.len() + lost, whole.spans().len());
        let last = tiles.len() - 1;
        let twice = [&tiles[..], &tiles[last..]].concat();
        let error = merge_tiles(whole.frame(), &twice).expect_err("it is there twice").to_string();
        assert!(error.contains("it has cell"), "{error}");
    }
}

fn cells(frame: &GridFrame) -> impl Iterator<Item = Cell> + '_ {
    (0..frame.cells()).map(|index| frame.cell(index))
}

fn count(grid: &NavGrid, cell: Cell) -> usize {
    grid.column_spans(cell).len()
}
