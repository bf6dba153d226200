//! Writes the first inputs of the corpus: small levels and grids of every kind.
//!
//! `cargo run -p surefoot_fuzz --example make_corpus`

use std::path::{Path, PathBuf};

use surefoot::cch::find_order;
use surefoot::grid::{Area, Link, LinkKind, LinkLane};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId};
use surefoot_bake::{BakeSettings, bake};
use surefoot_fuzz::navgrid;
use surefoot_testing::Random;

/// Longer files are no seeds [bytes].
const LONGEST: u64 = 8000;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in surefoot_testing::own_scenes() {
        let bytes = std::fs::read(&path).expect("a scene");
        if bytes.len() as u64 <= LONGEST {
            let name = format!("{}_scene", surefoot_testing::name(&path));
            write(&root.join("corpus/gltf_bytes").join(name), &bytes);
        }
    }
    // Any bytes choose arguments, and a level.
    let mut random = Random(1);
    for number in 0..24 {
        let mut write_random = |target: &str, length: usize| {
            let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            write(&root.join(format!("corpus/{target}/random_{number:02}")), &bytes);
        };
        write_random("cli_arguments", 48 + 3 * number);
        write_random("gltf_structure", 200 + 40 * number);
        write_random("live_bake", 60 + 18 * number);
    }
    let folder = root.join("corpus/navgrid");
    for (name, grid) in grids() {
        let file = grid.to_bytes().expect("it can be written");
        write(&folder.join(name), &navgrid::unseal(&file));
    }
    for entry in std::fs::read_dir(root.join("../tests/format/fixtures")).expect("old files") {
        let path = entry.expect("an entry").path();
        let name = surefoot_testing::name(&path);
        let file = std::fs::read(&path).expect("a file");
        if name.ends_with(".navgrid") && file.len() as u64 <= LONGEST {
            write(&folder.join(name.replace(".navgrid", "_fixture")), &navgrid::unseal(&file));
        }
    }
}

fn write(path: &PathBuf, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
    std::fs::write(path, bytes).expect("it can be written");
}

/// Grids with holes, slopes, links, several agents and floors, rooms and orders.
fn grids() -> Vec<(&'static str, NavGrid)> {
    let human = Agent::new("human");
    let cart = Agent { max_climb: 0.1, radius: 0.6, ..Agent::new("cart") };
    let height = |at: u32| match at % 7 {
        0 => f32::NAN,
        step => (at / 10 + step) as f32 * 0.1,
    };
    let heights: Vec<f32> = (0..10 * 8).map(height).collect();
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(-3, 40), size_x: 10, size_z: 8 };
    let hills = NavGrid::from_heights(frame, &heights, &[human.clone(), cart]).expect("heights");
    let map = "type octile\nheight 4\nwidth 12\nmap\n............\n.SSW.@..@...\n.....@..@...\n\
               .....@..@...\n";
    let map = NavGrid::from_map(map, 1.0, std::slice::from_ref(&human)).expect("a map");
    let scene = surefoot_testing::repository().join("scenes/low_door.gltf");
    let settings =
        BakeSettings { cell_size: Some(1.0), agents: vec![human], ..BakeSettings::default() };
    let scene = surefoot_testing::load(&scene);
    let baked = bake(&scene, &settings, &()).expect("it bakes").grid;
    vec![
        ("hills", with_orders(hills.clone())),
        ("hills_plain", hills),
        ("map_linked", with_orders(with_link(map))),
        ("baked", baked),
    ]
}

fn with_orders(mut grid: NavGrid) -> NavGrid {
    for agent in (0..grid.layers().len() as u16).map(AgentId) {
        let order = find_order(&grid, agent, &()).expect("ground that comes apart");
        grid = grid.with_order(agent, order).expect("it suits the grid");
    }
    grid
}

/// The grid with a link from its first span to its last.
fn with_link(grid: NavGrid) -> NavGrid {
    let mut parts = grid.into_parts();
    let ends = [SpanId(0), SpanId(parts.spans.len() as u32 - 1)];
    parts.areas.push(Area { name: "mud".to_owned(), cost: 2.1, forbidden: false });
    parts.nodes = vec!["wall".to_owned()];
    let points = [[0.5, 0.0, 0.5], [11.5, 0.0, 3.5]].map(Into::into);
    let lanes = vec![vec![LinkLane::new(ends)]];
    let rope = Link::new("rope", LinkKind::Jump, points);
    parts.links.push(Link { two_way: true, cost: 2.0, lanes, ..rope });
    NavGrid::new(parts).expect("sound parts")
}
