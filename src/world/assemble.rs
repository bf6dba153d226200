//! Makes one grid of loaded tiles.

use std::collections::BTreeMap;

use super::error::WorldError;
use super::info::{TilePlace, WorldInfo};
use crate::grid::baker::{finish_layer, make_ids_unique, two_way_ends};
use crate::grid::{
    AgentId, Cell, GridFrame, GridParts, GridTile, Link, NavGrid, SpanId, merge_tiles,
};
use crate::parallel::{LEAST_SPANS_FOR_THREADS, for_each_job};

/// Loaded tiles. Those that are empty are not among them.
pub(super) type Tiles = BTreeMap<TilePlace, NavGrid>;

/// The smallest frame over the cells of two.
pub(super) fn bounding(one: &GridFrame, other: &GridFrame) -> GridFrame {
    if one.cells() == 0 || other.cells() == 0 {
        return if one.cells() == 0 { *other } else { *one };
    }
    let along = |a: (i32, u32), b: (i32, u32)| {
        let end = |(min, size): (i32, u32)| i64::from(min) + i64::from(size);
        let min = a.0.min(b.0);
        (min, (end(a).max(end(b)) - i64::from(min)) as u32)
    };
    let (x, size_x) = along((one.min.x, one.size_x), (other.min.x, other.size_x));
    let (z, size_z) = along((one.min.z, one.size_z), (other.min.z, other.size_z));
    GridFrame { min: Cell::new(x, z), size_x, size_z, ..*one }
}

/// Makes one grid of tiles, over the smallest frame that has their cells. All that the first query would
/// derive from it is there.
///
/// # Errors
/// There are none, or they do not fit where they meet.
pub(super) fn assemble(info: &WorldInfo, tiles: &Tiles) -> Result<NavGrid, WorldError> {
    let Some(&place) = tiles.keys().next() else { return Err(WorldError::NoTile) };
    let list: Vec<GridTile> =
        tiles.iter().map(|(&place, grid)| GridTile { own: info.cells_of(place), grid }).collect();
    let frames = list.iter().map(|tile| tile.own);
    let frame = frames.reduce(|one, other| bounding(&one, &other)).unwrap_or(info.frame);
    let grid = merge_tiles(&frame, &list).and_then(|mut parts| {
        parts.provenance = info.provenance.clone();
        // The author's links come first, as in a grid that is baked whole.
        let own = info.links.iter().filter_map(|link| link.in_grid(&parts));
        let own: Vec<Link> = own.collect();
        parts.links.splice(0..0, own);
        drop_lost_lanes(&mut parts);
        make_ids_unique(&mut parts.links);
        finish_layers(&mut parts)?;
        NavGrid::new(parts)
    });
    let grid = grid.map_err(|source| WorldError::Merge { place, source })?;
    grid.derive_all();
    Ok(grid)
}

/// Drops the lanes of generated links that lead to ground that is gone: to a region of the next tile that was
/// too small.
fn drop_lost_lanes(parts: &mut GridParts) {
    let layers = &parts.layers;
    for link in &mut parts.links {
        for (layer, lanes) in layers.iter().zip(&mut link.lanes) {
            let can_stand = |span: &SpanId| layer.standings[span.index()].is_walkable();
            lanes.retain(|lane| lane.spans.iter().all(can_stand));
        }
    }
    parts.links.retain(|link| link.lanes.iter().any(|lanes| !lanes.is_empty()));
}

fn finish_layers(parts: &mut GridParts) -> Result<(), crate::grid::GridError> {
    let GridParts { frame, first, layers, links, spans, .. } = parts;
    let (frame, first, links) = (&*frame, &*first, &*links);
    let jobs = (0..).map(AgentId).zip(layers).collect();
    let done = for_each_job(jobs, spans.len() >= LEAST_SPANS_FOR_THREADS, |(agent, layer)| {
        finish_layer(frame, first, &two_way_ends(links, agent), layer)
    });
    done.into_iter().collect()
}
