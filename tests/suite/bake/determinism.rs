//! The same bytes, however a level is cut up, spread over threads or ordered in its file.

use std::path::{Path, PathBuf};

use serde_json::Value;
use surefoot::grid::{Dir, Link};
use surefoot::{Agent, AgentId, Cell, NavGrid, SpanId};
use surefoot_bake::scene::{SceneMarks, Shape, Triangles};
use surefoot_bake::{BakeSettings, Scene, bake};

use surefoot_testing::{Doc, Random};

/// Scenes with stairs, floors above floors, links, closed bodies and round ones, and real levels
/// where there are any; each with a cell size that keeps it small.
fn levels() -> Vec<(PathBuf, f32)> {
    let own = ["two_storeys.glb", "tagged.gltf", "primitives.gltf", "solid_block.gltf"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut levels: Vec<_> = own.iter().map(|name| (folder.join(name), 0.25)).collect();
    if let Some(data) = surefoot_testing::data_folder() {
        let real = [("nav_test.glb", 0.4), ("undulating.glb", 1.5)];
        levels.extend(real.iter().map(|(name, cell)| (data.join("scenes").join(name), *cell)));
    }
    levels
}

fn settings(cell_size: f32) -> BakeSettings {
    let mut agents = Agent::default_set();
    agents.push(Agent {
        shape: surefoot::BodyShape::Box,
        jump_up: 0.9,
        jump_across: 2.0,
        drop: 4.0,
        ..surefoot_testing::agent("crate", 0.4, 1.0)
    });
    BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() }
}

fn grid(scene: &Scene, settings: &BakeSettings) -> NavGrid {
    bake(scene, settings, &()).unwrap_or_else(|error| panic!("{error}")).grid
}

/// The file of a baked scene.
fn bytes(scene: &Scene, settings: &BakeSettings) -> Vec<u8> {
    grid(scene, settings).to_bytes().expect("a grid that can be written")
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for (path, cell) in levels() {
        let baked = [1, 2, 3, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            // Loading sorts and hashes on these threads as well.
            pool.install(|| bytes(&surefoot_testing::load(&path), &settings(cell)))
        });
        assert!(baked.iter().all(|bytes| *bytes == baked[0]), "{}", surefoot_testing::name(&path));
    }
}

#[test]
fn any_size_of_tiles_gives_the_same_bytes() {
    for (path, cell) in levels() {
        let scene = surefoot_testing::load(&path);
        let baked = [8, 16, 61, 64, 1024]
            .map(|tile_size| bytes(&scene, &BakeSettings { tile_size, ..settings(cell) }));
        assert!(baked.iter().all(|bytes| *bytes == baked[0]), "{}", surefoot_testing::name(&path));
    }
}

#[test]
fn any_order_in_the_file_gives_the_same_bytes() {
    for (path, cell) in levels() {
        let doc = Doc::open(&path);
        let name = surefoot_testing::name(&path);
        let load = |doc: &Doc| {
            let folder = path.parent();
            let scene = Scene::from_slice(&doc.glb(), &name, folder, &SceneMarks::default());
            scene.unwrap_or_else(|error| panic!("{error}"))
        };
        let expected = bytes(&load(&doc), &settings(cell));
        for seed in 0..3 {
            let mut random = Random(seed);
            let turned = doc.shuffled(&mut random);
            assert!((&turned.json, &turned.bin) != (&doc.json, &doc.bin), "{name}: not shuffled");
            let found = bytes(&load(&turned), &settings(cell));
            assert!(found == expected, "{name}, seed {seed}");
        }
    }
}

#[test]
fn any_order_of_triangles_gives_the_same_bytes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/two_storeys.glb");
    let scene = surefoot_testing::load(&path);
    let rebuilt = |random: &mut Random| {
        let mut builder = surefoot_bake::scene::SceneBuilder::new("shuffled");
        let mut solids = scene.solids.clone();
        random.shuffle(&mut solids);
        for solid in &solids {
            let Shape::Mesh(mesh) = solid.shape else { panic!("a scene of meshes") };
            let mesh = &scene.meshes[mesh];
            let mut faces = mesh.triangles.clone();
            random.shuffle(&mut faces);
            faces.iter_mut().for_each(|face| face.rotate_left(random.below(3)));
            builder.mesh(
                &solid.name,
                Triangles { vertices: &mesh.vertices, triangles: &faces },
                solid.pose,
            );
        }
        bytes(&builder.build().unwrap(), &settings(0.25))
    };
    let expected = rebuilt(&mut Random(0));
    assert!((1..4).all(|seed| rebuilt(&mut Random(seed)) == expected));
}

/// Several sizes of either shape, some of which fit into others and some only when raised: a gentler
/// climb, a greater width or a flatter slope limit changes how far a body is held above the floor.
fn bodies() -> Vec<Agent> {
    let body = |name: &str, shape, [radius, height, max_climb]: [f32; 3]| Agent {
        shape,
        max_climb,
        ..surefoot_testing::agent(name, radius, height)
    };
    let (capsule, block) = (surefoot::BodyShape::Capsule, surefoot::BodyShape::Box);
    vec![
        body("child", capsule, [0.2, 1.1, 0.3]),
        body("human", capsule, [0.3, 1.8, 0.4]),
        body("tall", capsule, [0.3, 2.3, 0.4]),
        Agent { drop: 3.0, jump_across: 2.5, ..body("springer", capsule, [0.3, 1.2, 0.4]) },
        body("giant", capsule, [1.2, 3.0, 0.4]),
        body("crate", block, [0.3, 0.8, 0.3]),
        body("cart", block, [0.6, 1.4, 0.5]),
    ]
}

#[test]
fn an_agent_finds_the_same_alone_as_among_others_in_any_order() {
    for (path, cell) in levels() {
        let (scene, name) = (surefoot_testing::load(&path), surefoot_testing::name(&path));
        let baked = |agents: Vec<Agent>| grid(&scene, &BakeSettings { agents, ..settings(cell) });
        let forward = baked(bodies());
        let backward = baked(bodies().into_iter().rev().collect());
        for agent in bodies() {
            let alone = baked(vec![agent.clone()]);
            for together in [&forward, &backward] {
                let layer = together.agent_id(&agent.name).expect("it was baked for");
                let index = usize::from(layer.0);
                let layer = &together.layers()[index];
                assert!(*layer == alone.layers()[0], "{name}: {}", agent.name);
                assert_eq!(
                    links_of(together, index),
                    links_of(&alone, 0),
                    "{name}: {}",
                    agent.name
                );
            }
        }
    }
}

/// The links that an agent can take, as far as they concern it.
fn links_of(grid: &NavGrid, agent: usize) -> Vec<Link> {
    let mut links: Vec<Link> = grid.links().to_vec();
    links.retain(|link| !link.lanes_of(agent).is_empty());
    links.iter_mut().for_each(|link| link.lanes = vec![link.lanes.swap_remove(agent)]);
    links
}

/// Spans, verdicts and steps of a part, against the same cells of the whole.
fn compare_part(name: &str, whole: &NavGrid, part: &NavGrid) -> usize {
    let frame = *part.frame();
    let mut compared = 0;
    for cell in (0..frame.cells()).map(|index| frame.cell(index)) {
        assert!(part.column(cell) == whole.column(cell), "{name}: floors over {cell:?} differ");
        for (a, b) in part.column_spans(cell).zip(whole.column_spans(cell)) {
            for agent in (0..part.layers().len() as u16).map(AgentId) {
                let verdicts = [part.verdict(agent, SpanId(a)), whole.verdict(agent, SpanId(b))];
                assert_eq!(verdicts[0], verdicts[1], "{name}: {agent:?} over {cell:?}");
                for dir in Dir::ALL {
                    let layers = [(part, a), (whole, b)].map(|(grid, id)| {
                        let to = grid.neighbor(agent, SpanId(id), dir);
                        to.and_then(|to| grid.layer_of(to))
                    });
                    let next = cell.neighbor(dir);
                    let expected = frame.index(next).and(layers[1]);
                    assert_eq!(layers[0], expected, "{name}: {agent:?} from {cell:?} to {next:?}");
                }
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn a_part_is_the_same_as_in_the_whole() {
    for (path, cell) in levels() {
        let (scene, name) = (surefoot_testing::load(&path), surefoot_testing::name(&path));
        let whole = grid(&scene, &settings(cell));
        let (min, max) = whole.frame().bounds();
        let at = |share: [f32; 2]| [0, 1].map(|i| min[i] + share[i] * (max[i] - min[i]));
        let parts = [[0.1, 0.1, 0.6, 0.5], [0.35, 0.3, 0.8, 0.77], [0.5, 0.0, 1.0, 0.31]];
        let mut compared = 0;
        for [x0, z0, x1, z1] in parts {
            let ([x0, z0], [x1, z1]) = (at([x0, z0]), at([x1, z1]));
            let bounds = Some([x0, z0, x1, z1]);
            let part = grid(&scene, &BakeSettings { bounds, ..settings(cell) });
            assert!(part.frame().cells() < whole.frame().cells());
            compared += compare_part(&name, &whole, &part);
        }
        assert!(compared > 0, "{name}");
    }
}

#[test]
fn cells_lie_on_world_multiples_of_their_size() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/bridge.glb");
    let scene = surefoot_testing::load(&path);
    let bounds = Some([3.1, 2.2, 9.9, 9.3]);
    let part = grid(&scene, &BakeSettings { bounds, ..settings(0.25) });
    let frame = part.frame();
    assert_eq!((frame.min, frame.size_x, frame.size_z), (Cell::new(12, 8), 28, 30));
}

#[test]
fn the_shuffle_touches_more_than_the_order_of_nodes() {
    let doc = Doc::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/two_storeys.glb"));
    let turned = doc.shuffled(&mut Random(1));
    assert_ne!(turned.bin, doc.bin, "no triangle moved");
    let count = |json: &Value| json["nodes"].as_array().map(Vec::len);
    assert_eq!(count(&turned.json), count(&doc.json));
}
