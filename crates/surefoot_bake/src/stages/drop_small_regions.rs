//! Drops small regions: ground that is cut off and too small to matter, such as the tops of crates.
//!
//! A region is a whole component of connections and two-way links. So nothing that is kept is connected
//! to what is dropped, and its clearance and its region stay as they are; only one-way links may lead
//! from one to the other.

use rayon::prelude::*;

use super::snap_links::LinkProblem;
use super::{BakeError, finish_layers};
use surefoot::Verdict;
use surefoot::grid::{
    AgentId, AgentLayer, GridParts, NavGrid, RegionId, Rooms, SpanEntry, SpanRoom, Standing,
};

/// What an agent lost because it was in too small regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedRegions {
    /// Name of the agent.
    pub agent: String,
    /// Number of regions.
    pub regions: usize,
    /// Number of spans in them.
    pub spans: usize,
}

/// By how much of itself an area may be too small: rounding of areas that are whole cells.
const ROUNDING: f64 = 1e-6;

/// Whether a region of so many spans is smaller than an area [m²], given the side of a cell [m].
pub fn is_small_region(spans: u64, cell_size: f32, min_area: f32) -> bool {
    let cell_area = f64::from(cell_size).powi(2);
    spans as f64 * cell_area * (1.0 + ROUNDING) < f64::from(min_area)
}

/// Drops the regions of each agent that are smaller than an area [m²]. Returns what was dropped for each
/// agent; nothing for an area of 0. Clearance and regions must have been computed. O(spans) for agents
/// that lose something.
pub(super) fn drop_small_regions(parts: &mut GridParts, min_area: f32) -> Vec<DroppedRegions> {
    if min_area <= 0.0 {
        return Vec::new();
    }
    let cell_size = parts.frame.cell_size;
    let is_small = |spans: u32| is_small_region(u64::from(spans), cell_size, min_area);
    let drop_from = |layer: &mut AgentLayer| {
        // Regions are sorted by size.
        let kept = layer.regions.partition_point(|region| !is_small(region.spans));
        drop_from(layer, |region| region.0 as usize >= kept)
    };
    parts.layers.par_iter_mut().map(drop_from).collect()
}

/// Drops regions of a tile, by agent and number: those that are too small in the whole world.
///
/// # Errors
/// More regions than can be numbered.
pub fn drop_regions(
    tile: NavGrid,
    is_dropped: impl Fn(AgentId, RegionId) -> bool,
) -> Result<NavGrid, BakeError> {
    let mut parts = tile.into_parts();
    let dropped = parts.layers.iter_mut().zip(0..).map(|(layer, agent)| {
        let dropped = drop_from(layer, |region| is_dropped(AgentId(agent), region));
        layer.order = None;
        dropped
    });
    let dropped: Vec<DroppedRegions> = dropped.collect();
    drop_lost_lanes(&mut parts, &dropped);
    finish_layers(&mut parts)?;
    Ok(NavGrid::from_baker(parts)?)
}

/// Drops the lanes of links that start or end in dropped regions, and generated links without any lane
/// left. Returns the author's links that agents can no longer take.
pub(super) fn drop_lost_lanes(
    parts: &mut GridParts,
    dropped: &[DroppedRegions],
) -> Vec<LinkProblem> {
    let mut problems = Vec::new();
    if dropped.iter().all(|dropped| dropped.regions == 0) {
        return problems;
    }
    for link in &mut parts.links {
        for (layer, lanes) in parts.layers.iter().zip(&mut link.lanes) {
            let before = lanes.len();
            lanes.retain(|lane| {
                lane.spans.iter().all(|end| layer.standings[end.index()].is_walkable())
            });
            if lanes.is_empty() && before > 0 && !link.generated {
                let problem =
                    "an end is in a region that was dropped for being too small".to_owned();
                let (link, agent) = (link.name.clone(), layer.agent.name.clone());
                problems.push(LinkProblem { link, agent, problem });
            }
        }
    }
    parts.links.retain(|link| !link.generated || link.lanes.iter().any(|lanes| !lanes.is_empty()));
    problems
}

/// Drops some regions of an agent.
fn drop_from(layer: &mut AgentLayer, is_dropped: impl Fn(RegionId) -> bool) -> DroppedRegions {
    let regions = (0..).map(RegionId).zip(std::mem::take(&mut layer.regions));
    let (small, kept): (Vec<_>, Vec<_>) = regions.partition(|(region, _)| is_dropped(*region));
    layer.regions = kept.into_iter().map(|(_, region)| region).collect();
    let dropped = DroppedRegions {
        agent: layer.agent.name.clone(),
        regions: small.len(),
        spans: small.iter().map(|(_, region)| region.spans as usize).sum(),
    };
    if small.is_empty() {
        return dropped;
    }
    for standing in &mut layer.standings {
        if standing.region().is_some_and(&is_dropped) {
            *standing = Standing::new(Verdict::SmallRegion);
        }
    }
    let standings = &layer.standings;
    layer.far_connections.retain(|far| standings[far.from.index()].is_walkable());
    let is_kept = |room: &SpanEntry<SpanRoom>| standings[room.span.index()].is_walkable();
    let rooms: Vec<_> = layer.rooms.entries().filter(is_kept).collect();
    layer.rooms = Rooms::new(standings.len(), &rooms);
    dropped
}
