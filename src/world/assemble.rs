//! Makes one grid of loaded tiles.

use std::collections::BTreeMap;

use super::error::WorldError;
use super::info::{TilePlace, WorldInfo};
use crate::grid::baker::{finish_layer, make_ids_unique, two_way_ends};
use crate::grid::{AgentId, GridParts, GridTile, Link, NavGrid, SpanId, merge_tiles};
use crate::parallel::{LEAST_SPANS_FOR_THREADS, for_each_job};

/// Loaded tiles. Those that are empty are not among them.
pub(super) type Tiles = BTreeMap<TilePlace, NavGrid>;

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
    let frame = frames.reduce(|one, other| one.bounding(&other)).unwrap_or(info.frame);
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
