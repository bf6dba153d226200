//! Far paths: borders of tiles, and routes over them.

use std::collections::BTreeMap;

use nalgebra::Point3;
use surefoot::far::{
    BorderRules, FarEnd, FarGround, FarLink, FarPath, FarRoutes, Gate, TileBorder, TileBorders,
};
use surefoot::grid::{CellLayer, GridTile, Link, LinkKind, RegionId};
use surefoot::world::{
    FarJourney, RegionIndex, TilePlace, TileRegions, World, WorldInfo, WorldRegion, WorldWriter,
};
use surefoot::{Agent, Cell, GridFrame, NavGrid};

use super::odd::{self, FLOATS, IDS, INTEGERS};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    for grid in odd::grids() {
        borders(attack, &grid);
    }
    routes(attack);
    files(attack);
}

fn borders(attack: &mut Attack, grid: &NavGrid) {
    let own = *grid.frame();
    for spacing in IDS {
        let rules = call!(attack, BorderRules::with_spacing, spacing).expect("rules");
        for agent in odd::agents() {
            let tile = GridTile { own, grid };
            for side in IDS {
                let links = call!(attack, FarLink::leaving, &tile, agent, side, &rules);
                let links = [links.unwrap_or_default(), odd_links(grid)].concat();
                call!(attack, TileBorder::find, &tile, agent, &links, &rules);
            }
        }
    }
    let rules = BorderRules::with_spacing(1);
    let ends = [Point3::origin(), Point3::new(f32::NAN, 0.0, 0.0)];
    for cost in FLOATS {
        let link = Link { cost, ..Link::new("odd", LinkKind::Drop, ends) };
        let far = odd_links(grid);
        let lanes: Vec<[CellLayer; 2]> = far.iter().map(|far| far.ends).collect();
        for side in IDS {
            call!(attack, FarLink::of, &link, &lanes, side, &rules);
        }
    }
    for frame in odd::frames() {
        call!(attack, NavGrid::cropped_to, grid, &frame);
        let tile = GridTile { own: frame, grid };
        call!(attack, TileBorder::find, &tile, odd::agents()[0], &[], &rules);
    }
}

/// Links with odd costs between odd addresses, and those of a grid.
fn odd_links(grid: &NavGrid) -> Vec<FarLink> {
    let addresses = odd::spans().into_iter().filter_map(|span| grid.cell_layer(span));
    let odd = IDS.map(|layer| CellLayer { cell: Cell::new(layer as i32, -5), layer });
    let addresses: Vec<CellLayer> = addresses.chain(odd).collect();
    let costs = FLOATS.into_iter().cycle();
    let far = addresses.windows(2).zip(costs);
    far.map(|(two, cost)| FarLink { ends: [two[0], two[1]], costs: [cost, -cost] }).collect()
}

/// A border with odd numbers, which no tile has.
fn odd_border(number: f32, at: i32) -> TileBorder {
    let gate = |id: u32| Gate {
        at: CellLayer { cell: Cell::new(at, at.wrapping_add(1)), layer: id },
        to: CellLayer { cell: Cell::new(at, at.wrapping_sub(1)), layer: id },
        height: number,
        crossing: number,
        is_link: id % 2 == 1,
    };
    TileBorder { min: Cell::new(0, 0), gates: IDS.map(gate).to_vec(), costs: vec![number; 7] }
}

fn routes(attack: &mut Attack) {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 4, size_z: 4 };
    let tile = NavGrid::from_heights(frame, &[0.0; 16], &[Agent::new("human")]).expect("a tile");
    let agents = odd::agents();
    for (number, at) in FLOATS.into_iter().zip(INTEGERS.into_iter().cycle()) {
        let tiles = vec![odd_border(number, at), odd_border(-number, 1)];
        for least in INTEGERS {
            call!(attack, TileBorder::retained, &tiles[0], |own| own.cell.x > least);
        }
        let borders = TileBorders { rules: BorderRules::with_spacing(1), agents: tiles.clone() };
        let bytes = call!(attack, TileBorders::to_bytes, &borders).expect("bytes");
        call!(attack, TileBorders::from_bytes, &bytes);
        for length in 0..bytes.len().min(99) {
            call!(attack, TileBorders::from_bytes, &bytes[..length]);
        }
        for agent in agents {
            let ground = FarGround { agent, cell_size: number };
            let routes = call!(attack, FarRoutes::new, ground, borders.rules, tiles.clone());
            let mut routes = routes.expect("routes");
            call!(attack, FarRoutes::rules, &routes);
            call!(attack, FarRoutes::ground, &routes);
            for cell in [Cell::default(), Cell::new(i32::MIN, i32::MAX)] {
                call!(attack, FarRoutes::border, &routes, cell);
                let border = tiles.first().cloned().map(|tile| TileBorder { min: cell, ..tile });
                let replaced = BTreeMap::from([(cell, border)]);
                call!(attack, FarRoutes::replace, &mut routes, replaced);
            }
            call!(attack, FarRoutes::gates, &routes);
            call!(attack, FarRoutes::bytes, &routes);
            for point in odd::points().chain([Point3::new(1.0, 0.0, 1.0)]) {
                let end = FarEnd { point, tile: GridTile { own: frame, grid: &tile } };
                call!(attack, FarRoutes::path, &routes, end, end);
            }
        }
    }
}

/// Indices of regions that lead nowhere.
fn odd_indices() -> Vec<RegionIndex> {
    let regions =
        odd::points().take(9).map(|at| WorldRegion { spans: u64::MAX, at, min: at, max: at });
    let tile = |at: usize, regions: Vec<Option<u32>>| TileRegions {
        place: TilePlace::new(at as i32, 0),
        regions,
    };
    let tiles = vec![tile(0, vec![Some(3), None]), tile(1, vec![])];
    vec![RegionIndex { regions: regions.collect(), tiles }, RegionIndex::default()]
}

fn ask_regions(attack: &mut Attack, world: &World, agent: &str) {
    let found = call!(attack, World::regions, world, agent);
    let known = found.and_then(Result::ok).flatten();
    for index in odd_indices().into_iter().chain(known) {
        call!(attack, RegionIndex::bytes, &index);
        for region in index.regions.iter().take(3) {
            call!(attack, WorldRegion::area, region, f32::NAN);
        }
        for place in [TilePlace::new(0, 0), TilePlace::new(i32::MIN, i32::MAX)] {
            for region in [0, 1, u32::MAX] {
                call!(attack, RegionIndex::region_of, &index, place, RegionId(region));
            }
        }
        for point in odd::points().take(20).chain([Point3::new(1.0, 0.0, 1.0)]) {
            call!(attack, World::region_at, world, &index, agent, point);
        }
    }
}

fn files(attack: &mut Attack) {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 4, size_z: 4 };
    let tile = NavGrid::from_heights(frame, &[0.0; 16], &[Agent::new("human")]).expect("a tile");
    // Those of a file have costs of at least 0, for all gates.
    let sound = TileBorder { costs: vec![1.0; IDS.len() * IDS.len()], ..odd_border(1.0, 3) };
    let agents = vec![sound; tile.layers().len()];
    let borders = TileBorders { rules: BorderRules::with_spacing(1), agents };
    for (at, borders) in [vec![], vec![borders.clone()], vec![borders; 9]].iter().enumerate() {
        let file = folder.path().join(at.to_string());
        let info = WorldInfo::of_tile(&tile, frame, 4);
        let mut writer = WorldWriter::create(&file, info).expect("a writer");
        for place in writer.order() {
            writer.tile(place, &tile).expect("it is written");
        }
        call!(attack, WorldWriter::borders, &mut writer, borders);
        call!(attack, WorldWriter::regions, &mut writer, &odd_indices());
        writer.finish().expect("it is complete");
        let world = World::open(&file).expect("a world");
        for agent in ["", "nobody", "human"] {
            ask_regions(attack, &world, agent);
            let Some(Ok(mut routes)) = call!(attack, World::far_routes, &world, agent) else {
                continue;
            };
            call!(attack, World::update_far_routes, &world, &mut routes);
            for point in odd::points().take(40) {
                call!(attack, World::far_path, &world, &routes, point, Point3::origin());
                let gates = vec![point; 3];
                let path = FarPath { cost: 1.0, gates, links: vec![0, 2, 99], expanded: 0 };
                let journey = call!(attack, FarJourney::new, &path, point);
                let mut journey = journey.expect("a journey");
                call!(attack, FarJourney::link_ahead, &journey);
                for at in [point, Point3::origin()] {
                    call!(attack, FarJourney::next_goal, &mut journey, &world, at);
                    call!(attack, FarJourney::is_last, &journey);
                    call!(attack, FarJourney::link_ahead, &journey);
                }
            }
        }
    }
}
