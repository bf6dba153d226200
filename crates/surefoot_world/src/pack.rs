//! Packs the tiles of a store into one `.navworld` file.

use std::collections::BTreeMap;
use std::path::Path;

use surefoot::far::TileBorders;
use surefoot::grid::baker::make_ids_unique;
use surefoot::grid::{AgentId, CellLayer, Link, Provenance};
use surefoot::observer::check_cancelled;
use surefoot::world::{TilePlace, WorldInfo, WorldLink, WorldWriter};
use surefoot::{NavGrid, Observer};
use surefoot_bake::{DroppedRegions, LinkProblem, WorldLinkFound};

use crate::error::JobError;
use crate::plan::{PlannedTile, WorldPlan};
use crate::seams::{
    PackedTile, RegionIndexing, TileReader, WorldRegions, find_borders, find_link, read_borders,
};
use crate::store::WorldStore;
use crate::stored::{WorldStatus, status};

/// What became of a world that was packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedWorld {
    /// How many of the author's links are in it.
    pub links: usize,
    /// Who cannot take one of them, and why.
    pub link_problems: Vec<LinkProblem>,
    /// What each agent lost because it was in too small regions; nothing if none are dropped.
    pub dropped_regions: Vec<DroppedRegions>,
}

/// Packs the tiles of a planned world, its author's links, its regions, and what it costs to cross the tiles into
/// one `.navworld` file. Takes the memory of some tiles and of all borders.
///
/// # Errors
/// Tiles or borders are missing or damaged, or the file cannot be written.
pub fn pack(
    plan: &WorldPlan,
    store: &WorldStore,
    file: &Path,
    observer: &dyn Observer,
) -> Result<PackedWorld, JobError> {
    let WorldStatus { tiles, missing, .. } = status(plan, store)?;
    if tiles == 0 || !missing.is_empty() {
        let first = missing.first().copied().unwrap_or_default();
        return Err(JobError::Missing { missing: missing.len(), tiles, first });
    }
    let mut packing = Packing::new(TileReader::new(plan, store), observer)?;
    let info = packing.info()?;
    let place = |tile: &PlannedTile| info.place_of(tile.own.min);
    let indices: BTreeMap<TilePlace, usize> = plan.tiles.iter().map(place).zip(0..).collect();
    let mut writer = WorldWriter::create(file, info.clone())?;
    let order = writer.order().filter_map(|place| Some((place, *indices.get(&place)?)));
    let mut regions = RegionIndexing::default();
    for (done, (place, index)) in order.enumerate() {
        check_cancelled(observer)?;
        let baked = &packing.reader.tile(index)?;
        let packed = &packing.without_small_regions(index, baked)?;
        writer.tile(place, packed)?;
        let own = plan.tiles[index].own;
        regions.add(&packing.regions, &PackedTile { index, place, own, baked, packed });
        observer.parts_done(done + 1, tiles);
    }
    writer.regions(&regions.finish())?;
    let borders: Result<Vec<TileBorders>, JobError> =
        (0..tiles).map(|index| packing.borders(index, store)).collect();
    writer.borders(&borders?)?;
    writer.finish()?;
    Ok(packing.packed)
}

/// A world on its way into a file.
struct Packing<'a> {
    reader: TileReader<'a>,
    links: Vec<WorldLink>,
    regions: WorldRegions,
    packed: PackedWorld,
}

impl<'a> Packing<'a> {
    /// Finds the author's links, and the regions that are too small.
    fn new(mut reader: TileReader<'a>, observer: &dyn Observer) -> Result<Self, JobError> {
        let plan = reader.plan;
        let mut packed = PackedWorld::default();
        let mut links = find_links(&mut reader, &mut packed.link_problems)?;
        let settings = &plan.request.settings;
        let regions = WorldRegions::find(&mut reader, &links, observer)?;
        if settings.min_region_area > 0.0 {
            let agents = settings.agents.iter().enumerate();
            packed.dropped_regions =
                agents.map(|(at, agent)| regions.dropped(at, &agent.name)).collect();
            for link in &mut links {
                drop_lost_lanes(&mut reader, &regions, link, &mut packed.link_problems)?;
            }
        }
        packed.links = links.len();
        Ok(Packing { reader, links, regions, packed })
    }

    /// Returns what the tiles have in common.
    fn info(&mut self) -> Result<WorldInfo, JobError> {
        let plan = self.reader.plan;
        let first = self.reader.tile(0)?;
        let provenance = Provenance {
            scene_hash: plan.source_hash.clone(),
            record: None,
            ..first.provenance().clone()
        };
        let of_tile = WorldInfo::of_tile(&first, plan.frame, plan.tile_side);
        Ok(WorldInfo { provenance, links: self.links.clone(), ..of_tile })
    }

    /// Returns a tile without small regions.
    fn without_small_regions(&self, index: usize, grid: &NavGrid) -> Result<NavGrid, JobError> {
        Ok(self.regions.drop_from(index, grid)?.unwrap_or_else(|| grid.clone()))
    }

    /// Returns the borders of a tile without small regions.
    fn borders(&mut self, index: usize, store: &WorldStore) -> Result<TileBorders, JobError> {
        let (plan, regions) = (self.reader.plan, &self.regions);
        if plan.request.settings.min_region_area <= 0.0 {
            return read_borders(plan, store, index);
        }
        let grid = self.reader.tile(index)?;
        let Some(kept) = regions.drop_from(index, &grid)? else {
            return read_borders(plan, store, index);
        };
        let near = plan.links_near(index)?;
        if near.key(plan).is_some() || !grid.links().is_empty() {
            // Costs between gates may have been those of links through what is dropped.
            return find_borders(&mut self.reader, index, &kept);
        }
        // Nothing that is kept is joined with what is dropped: all other costs stay.
        let TileBorders { rules, agents } = read_borders(plan, store, index)?;
        let agents = (0..).map(AgentId).zip(agents).map(|(agent, border)| {
            border.retained(|at| {
                let region = grid.span_of(at).and_then(|span| grid.region(agent, span));
                region.is_some_and(|region| !regions.is_dropped(index, agent, region))
            })
        });
        Ok(TileBorders { rules, agents: agents.collect() })
    }
}

/// Moves the ends of all of the author's links to ground. Their ids are unique.
fn find_links(
    reader: &mut TileReader,
    problems: &mut Vec<LinkProblem>,
) -> Result<Vec<WorldLink>, JobError> {
    let plan = reader.plan;
    let mut links: Vec<WorldLink> = Vec::with_capacity(plan.links.len());
    for marker in &plan.links {
        let WorldLinkFound { link, problems: own } = find_link(reader, marker)?;
        problems.extend(own);
        links.push(link);
    }
    let mut named: Vec<Link> = links.iter().map(|link| link.link.clone()).collect();
    make_ids_unique(&mut named);
    for (link, named) in links.iter_mut().zip(named) {
        link.link.id = named.id;
    }
    Ok(links)
}

/// Drops the lanes of a link that start or end in small regions.
fn drop_lost_lanes(
    reader: &mut TileReader,
    regions: &WorldRegions,
    link: &mut WorldLink,
    problems: &mut Vec<LinkProblem>,
) -> Result<(), JobError> {
    let plan = reader.plan;
    let mut is_lost = |agent: AgentId, at: CellLayer| -> Result<bool, JobError> {
        let cell = surefoot::GridFrame { min: at.cell, size_x: 1, size_z: 1, ..plan.frame };
        let Some(&index) = plan.tiles_over(&cell).first() else { return Ok(true) };
        let grid = reader.tile(index)?;
        let region = grid.span_of(at).and_then(|span| grid.region(agent, span));
        Ok(region.is_none_or(|region| regions.is_dropped(index, agent, region)))
    };
    for (agent, lanes) in (0..).map(AgentId).zip(&mut link.lanes) {
        let mut kept = Vec::with_capacity(lanes.len());
        for &lane in &*lanes {
            if !is_lost(agent, lane[0])? && !is_lost(agent, lane[1])? {
                kept.push(lane);
            }
        }
        if kept.is_empty() && !lanes.is_empty() {
            problems.push(LinkProblem {
                link: link.link.name.clone(),
                agent: plan.request.settings.agents[agent.index()].name.clone(),
                problem: "an end is in a region that was dropped for being too small".to_owned(),
            });
        }
        *lanes = kept;
    }
    Ok(())
}
