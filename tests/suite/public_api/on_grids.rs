//! Grids, views of them, overlays, files and debug drawing.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};
use surefoot::agent::Agent;
use surefoot::debug::{DebugColor, DebugDraw, draw_grid, draw_verdicts};
use surefoot::grid::{
    AgentKey, CellLayer, ColliderRecord, Dir, GridParts, LoadOptions, RegionId, Replacement,
    RouteOrder, RouteSupernode, SceneRecord, follow_links, is_stream, replace_file,
};
use surefoot::level::AreaId;
use surefoot::view::{NavPoint, Obstacle, ObstacleId, WallSearch};
use surefoot::{NavGrid, Overlay, View};

use super::odd::{self, COUNTS, FLOATS, IDS};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    making(attack);
    for grid in odd::grids() {
        contents(attack, &grid);
        lookups(attack, &grid);
        questions(attack, &grid);
        files(attack, &grid);
        overlays(attack, &grid);
    }
    let views = odd::views();
    for view in &views {
        views_of_agents(attack, view, &views);
        drawings(attack, view);
    }
}

fn making(attack: &mut Attack) {
    for frame in odd::frames() {
        for heights in [&[][..], &FLOATS, &[0.5; 4]] {
            let agents = [Agent { radius: f32::NAN, ..Agent::new("") }];
            call!(attack, NavGrid::from_heights, frame, heights, &agents);
        }
        let parts = |first, spans| GridParts { frame, first, spans, ..empty_parts() };
        call!(attack, NavGrid::new, parts(vec![], vec![]));
        call!(attack, NavGrid::new, parts(vec![u32::MAX; 5], vec![]));
    }
    for map in ["", "type octile", "type octile\nheight 99999\nwidth 4294967295\nmap\n.."] {
        FLOATS.iter().for_each(|&size| {
            call!(attack, NavGrid::from_map, map, size, &[]);
        });
    }
    for side in FLOATS {
        let collider = ColliderRecord { hash: [1; 16], min: [side; 2], max: [side; 2] };
        let mut parts = empty_parts();
        parts.provenance.record = call!(attack, SceneRecord::new, [0; 16], vec![collider; 3]);
        call!(attack, NavGrid::new, parts);
    }
    // In builds with debug assertions it checks everything; in others it trusts a baker's arrays.
    call!(attack, NavGrid::from_baker, empty_parts());
}

fn empty_parts() -> GridParts {
    let grid = odd::grids().swap_remove(0);
    grid.into_parts()
}

fn contents(attack: &mut Attack, grid: &NavGrid) {
    call!(attack, NavGrid::parts, grid);
    call!(attack, NavGrid::frame, grid);
    call!(attack, NavGrid::spans, grid);
    call!(attack, NavGrid::layers, grid);
    call!(attack, NavGrid::links, grid);
    call!(attack, NavGrid::areas, grid);
    call!(attack, NavGrid::nodes, grid);
    call!(attack, NavGrid::provenance, grid);
    call!(attack, NavGrid::summary, grid);
    call!(attack, NavGrid::into_parts, grid.clone());
    call!(attack, NavGrid::try_into_parts, grid.clone());
    for rows in [0..0, 0..1, 5..usize::MAX, usize::MAX..usize::MAX] {
        call!(attack, NavGrid::from_baker_after, grid.parts().clone(), grid, rows);
    }
    call!(attack, NavGrid::agent_id, grid, "nobody");
    call!(attack, NavGrid::area_id, grid, "");
    call!(attack, AgentKey::find_in, "nobody", grid);
    for agent in odd::agents() {
        call!(attack, AgentKey::find_in, &agent, grid);
        call!(attack, NavGrid::order, grid, agent);
        for span in odd::spans() {
            let supernodes = vec![RouteSupernode { children: span.0, spans: span.0 }];
            let order = RouteOrder { spans: vec![span; 3], supernodes };
            call!(attack, RouteOrder::bytes, &order);
            call!(attack, NavGrid::with_order, grid.clone(), agent, order);
        }
    }
}

fn lookups(attack: &mut Attack, grid: &NavGrid) {
    for point in odd::points() {
        call!(attack, NavGrid::column_at, grid, point);
        for size in FLOATS {
            call!(attack, NavGrid::span_at, grid, point, size);
            for agent in odd::agents() {
                call!(attack, NavGrid::nearest_walkable, grid, agent, point, size);
            }
        }
    }
    for cell in odd::cells() {
        call!(attack, NavGrid::column, grid, cell);
        call!(attack, NavGrid::column_spans, grid, cell);
        for layer in [0, 1, u32::MAX] {
            call!(attack, NavGrid::span_of, grid, CellLayer { cell, layer });
        }
    }
}

fn questions(attack: &mut Attack, grid: &NavGrid) {
    for span in odd::spans() {
        call!(attack, NavGrid::span, grid, span);
        call!(attack, NavGrid::point, grid, span);
        call!(attack, NavGrid::cell_of, grid, span);
        call!(attack, NavGrid::layer_of, grid, span);
        call!(attack, NavGrid::cell_layer, grid, span);
        call!(attack, NavGrid::node_above, grid, span);
        for [x, z] in odd::pairs() {
            call!(attack, NavGrid::ground_height, grid, x, z, span);
        }
        for agent in odd::agents() {
            call!(attack, NavGrid::standing, grid, agent, span);
            call!(attack, NavGrid::verdict, grid, agent, span);
            call!(attack, NavGrid::is_walkable, grid, agent, span);
            call!(attack, NavGrid::clearance, grid, agent, span);
            call!(attack, NavGrid::region, grid, agent, span);
            for dir in Dir::ALL {
                call!(attack, NavGrid::neighbor, grid, agent, span, dir);
            }
            for to in IDS {
                let regions = [RegionId(span.0), RegionId(to)];
                call!(attack, NavGrid::region_reaches, grid, agent, regions[0], regions[1]);
            }
        }
    }
}

fn files(attack: &mut Attack, grid: &NavGrid) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = call!(attack, NavGrid::to_bytes, grid).and_then(Result::ok).unwrap_or_default();
    for path in ["", "/", "missing/level.navgrid", "level.navgrid"] {
        let path = folder.path().join(path);
        call!(attack, NavGrid::save, grid, &path);
        call!(attack, replace_file, &path, &bytes);
        call!(attack, follow_links, &path);
        call!(attack, is_stream, &path);
        let replacement = call!(attack, Replacement::begin, &path);
        if let Some(Ok(replacement)) = replacement {
            call!(attack, Replacement::finish, replacement);
        }
        call!(attack, NavGrid::load, &path);
        for memory_limit in [0, 1, u64::MAX] {
            let options = LoadOptions { memory_limit };
            call!(attack, NavGrid::load_with, &path, &options);
            call!(attack, NavGrid::from_bytes_with, &bytes, &options);
        }
    }
    for length in 0..bytes.len().min(200) {
        call!(attack, NavGrid::from_bytes, &bytes[..length]);
    }
}

fn overlays(attack: &mut Attack, grid: &NavGrid) {
    let overlay = call!(attack, Overlay::new, grid);
    let mut overlay = overlay.expect("an overlay");
    let mut ids: Vec<ObstacleId> = Vec::new();
    for obstacle in obstacles() {
        ids.extend(call!(attack, Overlay::block, &mut overlay, obstacle).and_then(Result::ok));
    }
    ids.extend(ids.clone());
    ids.iter().for_each(|&id| {
        call!(attack, Overlay::unblock, &mut overlay, id);
    });
    for factor in FLOATS {
        call!(attack, Overlay::set_factor, &mut overlay, AreaId(0), factor);
        call!(attack, Overlay::set_factor, &mut overlay, AreaId(u8::MAX), factor);
    }
    for link in COUNTS {
        call!(attack, Overlay::set_link_open, &mut overlay, link, false);
        call!(attack, Overlay::set_link_stop, &mut overlay, link, Some(link as u32));
        call!(attack, Overlay::set_link_stop, &mut overlay, link, None);
        call!(attack, Overlay::is_link_open, &overlay, link);
        call!(attack, Overlay::is_link_at_stop, &overlay, link);
    }
    call!(attack, Overlay::version, &overlay);
    for grid in odd::grids() {
        call!(attack, Overlay::over, &overlay, &grid);
    }
    call!(attack, Overlay::obstacles, &overlay);
    call!(attack, Overlay::grid, &overlay);
}

/// Obstacles of all kinds with odd sizes at odd places.
pub fn obstacles() -> Vec<Obstacle> {
    let mut obstacles = Vec::new();
    for [a, b] in odd::pairs() {
        let point = Point3::new(a, b, a);
        obstacles.push(Obstacle::Box { center: point, half: Vector3::new(b, a, b), yaw: a });
        obstacles.push(Obstacle::Cylinder { base: point, radius: b, height: a });
        let corners = vec![[a, b], [b, a], [a, a]];
        obstacles.push(Obstacle::Prism { corners, bottom: a, top: b });
    }
    obstacles.push(Obstacle::Prism { corners: vec![], bottom: 0.0, top: 1.0 });
    obstacles
}

fn views_of_agents(attack: &mut Attack, view: &View, others: &[View]) {
    odd::agents().iter().for_each(|&agent| {
        call!(attack, View::new, view.grid(), agent);
    });
    for other in others {
        let overlay = Arc::new(Overlay::new(other.grid()));
        call!(attack, View::with_overlay, view, overlay);
    }
    call!(attack, View::without_overlay, view);
    call!(attack, View::grid, view);
    call!(attack, View::agent, view);
    call!(attack, View::agent_id, view);
    call!(attack, View::overlay, view);
    call!(attack, View::cell_size, view);
    call!(attack, View::factor, view, AreaId(u8::MAX));
    call!(attack, View::least_factor, view);
    for span in odd::spans() {
        call!(attack, View::is_walkable, view, span);
        call!(attack, View::standing, view, span);
        call!(attack, View::clearance, view, span);
        odd::spans().iter().for_each(|&to| {
            call!(attack, View::may_reach, view, span, to);
        });
        Dir::ALL.iter().for_each(|&dir| {
            call!(attack, View::neighbor, view, span, dir);
        });
    }
    for point in odd::points() {
        for radius in FLOATS {
            call!(attack, View::nearest_walkable, view, point, radius);
        }
        for span in odd::spans() {
            call!(attack, View::feet_height, view, point.x, point.z, span);
        }
    }
    walls(attack, view);
}

fn walls(attack: &mut Attack, view: &View) {
    let mut search = WallSearch::default();
    for span in odd::spans() {
        for point in odd::points() {
            let place = NavPoint { span, point };
            for radius in FLOATS {
                call!(attack, View::nearest_wall, view, &place, radius);
                call!(attack, View::has_clearance, view, &place, radius);
                call!(attack, WallSearch::nearest, &mut search, view, &place, radius);
                call!(attack, WallSearch::has_clearance, &mut search, view, &place, radius);
            }
        }
    }
}

/// Draws onto nothing.
pub struct Nothing;

impl DebugDraw for Nothing {
    fn line(&mut self, _: Point3<f32>, _: Point3<f32>, _: DebugColor) {}
    fn triangle(&mut self, _: [Point3<f32>; 3], _: DebugColor) {}
}

fn drawings(attack: &mut Attack, view: &View) {
    let nan = Point3::new(f32::NAN, f32::INFINITY, f32::MIN);
    call!(attack, DebugDraw::line, &mut Nothing, nan, nan, DebugColor::Path);
    call!(attack, DebugDraw::triangle, &mut Nothing, [nan; 3], DebugColor::Path);
    call!(attack, DebugDraw::text, &mut Nothing, nan, "");
    for part in odd::frames() {
        call!(attack, draw_grid, view, &part, &mut Nothing);
        call!(attack, draw_verdicts, view, &part, &mut Nothing);
    }
}
