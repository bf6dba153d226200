//! Provides [`WorldRegions`]: which ground is joined across tiles, and which of it is too little to keep.
//!
//! Each tile is read once. Its own regions are numbered; where connections and two-way links lead to another
//! tile, both name the same pair of addresses, and the regions there are joined. Pairs wait only until the
//! other tile is read, so that memory holds those of one row of tiles.

use std::collections::BTreeMap;

use surefoot::grid::{AgentId, CellLayer, Dir, Link, NavGrid, RegionId, SpanId};
use surefoot::observer::check_cancelled;
use surefoot::world::WorldLink;
use surefoot::{Cell, GridFrame, Observer};
use surefoot_bake::{DroppedRegions, drop_regions, is_small_region};

use super::tile_reader::TileReader;
use crate::error::JobError;

/// The regions of a world, for each agent.
pub(crate) struct WorldRegions {
    agents: Vec<AgentRegions>,
}

/// The regions of a world for one agent.
#[derive(Default)]
struct AgentRegions {
    /// The number of each tile's first region.
    first: Vec<usize>,
    /// For each region of a tile another one that it is joined with; in the end the least of those.
    parents: Vec<usize>,
    /// How many spans there are in those that are not joined with an earlier one.
    spans: Vec<u64>,
    is_small: Vec<bool>,
}

/// The regions of one agent while tiles are read.
#[derive(Default)]
struct Joining {
    regions: AgentRegions,
    /// Where the regions lead that were read, and which they are.
    open: BTreeMap<[CellLayer; 2], usize>,
}

impl WorldRegions {
    /// Finds the regions of a planned world, over connections and two-way links.
    ///
    /// # Errors
    /// A tile is missing or damaged, or the observer cancels it.
    pub fn find(
        reader: &mut TileReader,
        links: &[WorldLink],
        observer: &dyn Observer,
    ) -> Result<Self, JobError> {
        let plan = reader.plan;
        let settings = &plan.request.settings;
        let mut agents: Vec<Joining> = Vec::new();
        agents.resize_with(settings.agents.len(), Joining::default);
        for index in 0..plan.tiles.len() {
            check_cancelled(observer)?;
            let grid = reader.tile(index)?;
            let owners = plan.link_owners(index).into_iter();
            let owners: Vec<NavGrid> =
                owners.map(|owner| reader.tile(owner)).collect::<Result<_, _>>()?;
            for (agent, joining) in (0..).map(AgentId).zip(&mut agents) {
                let tile = RegionsOfTile { grid: &grid, agent, own: plan.tiles[index].own };
                joining.add(&tile);
                let generated = owners.iter().flat_map(|owner| {
                    owner.links().iter().flat_map(move |link| lanes_in(owner, link, agent))
                });
                generated.for_each(|lane| joining.join(&tile, lane));
                let reversible = links.iter().filter(|link| link.link.is_reversible());
                let lanes = reversible.filter_map(|link| link.lanes.get(agent.index())).flatten();
                lanes.for_each(|&lane| joining.join(&tile, lane));
            }
            observer.parts_done(index + 1, plan.tiles.len());
        }
        let small = |spans| is_small_region(spans, plan.frame.cell_size, settings.min_region_area);
        let agents = agents.into_iter().map(|joining| joining.regions.finished(small));
        Ok(WorldRegions { agents: agents.collect() })
    }

    /// Returns how many regions are dropped, and how many spans, for an agent.
    pub fn dropped(&self, agent: usize, name: &str) -> DroppedRegions {
        let AgentRegions { is_small, parents, spans, .. } = &self.agents[agent];
        // Tiles also have regions of which no cell is their own: joined with none, they have no span.
        let small =
            |region: &usize| is_small[*region] && parents[*region] == *region && spans[*region] > 0;
        let roots: Vec<usize> = (0..parents.len()).filter(small).collect();
        let spans = roots.iter().map(|&root| spans[root] as usize).sum();
        DroppedRegions { agent: name.to_owned(), regions: roots.len(), spans }
    }

    /// Returns whether a region of a tile is dropped.
    pub fn is_dropped(&self, tile: usize, agent: AgentId, region: RegionId) -> bool {
        let AgentRegions { first, is_small, .. } = &self.agents[agent.index()];
        is_small[first[tile] + region.0 as usize]
    }

    /// Returns the number of all that a region of a tile is joined with.
    pub fn number_of(&self, tile: usize, agent: AgentId, region: RegionId) -> usize {
        let AgentRegions { first, parents, .. } = &self.agents[agent.index()];
        parents[first[tile] + region.0 as usize]
    }

    /// Drops the small regions of a tile; `None` if it has none.
    ///
    /// # Errors
    /// More regions than can be numbered.
    pub fn drop_from(&self, tile: usize, grid: &NavGrid) -> Result<Option<NavGrid>, JobError> {
        let is_dropped = |agent, region| self.is_dropped(tile, agent, region);
        let mut agents = (0..).map(AgentId).zip(grid.layers());
        let loses = agents.any(|(agent, layer)| {
            (0..layer.regions.len() as u32).any(|region| is_dropped(agent, RegionId(region)))
        });
        let dropped = loses.then(|| drop_regions(grid.clone(), is_dropped)).transpose();
        Ok(dropped.map_err(surefoot_bake::WorldBakeError::from)?)
    }
}

/// A tile, for one agent.
struct RegionsOfTile<'a> {
    grid: &'a NavGrid,
    agent: AgentId,
    own: GridFrame,
}

impl RegionsOfTile<'_> {
    /// Returns the region of a span on the tile's own cells.
    fn region(&self, at: CellLayer) -> Option<RegionId> {
        self.own.index(at.cell)?;
        self.grid.region(self.agent, self.grid.span_of(at)?)
    }

    fn own_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.own.cells()).map(|at| self.own.cell(at))
    }
}

impl Joining {
    /// Adds the regions of the next tile, and joins them with those of the tiles before.
    fn add(&mut self, tile: &RegionsOfTile) {
        let RegionsOfTile { grid, agent, own } = *tile;
        let regions = &mut self.regions;
        let first = regions.parents.len();
        let count = grid.layers()[agent.index()].regions.len();
        regions.first.push(first);
        regions.parents.extend(first..first + count);
        regions.spans.resize(first + count, 0);
        for span in tile.own_cells().flat_map(|cell| grid.column_spans(cell)) {
            if let Some(region) = grid.region(agent, SpanId(span)) {
                regions.spans[first + region.0 as usize] += 1;
            }
        }
        let leads_out =
            |cell: &Cell| Dir::ALL.iter().any(|&dir| own.index(cell.neighbor(dir)).is_none());
        for cell in tile.own_cells().filter(leads_out) {
            for span in grid.column_spans(cell).map(SpanId) {
                for dir in
                    Dir::ALL.into_iter().filter(|&dir| own.index(cell.neighbor(dir)).is_none())
                {
                    let to = grid.neighbor(agent, span, dir).and_then(|to| grid.cell_layer(to));
                    if let Some((at, to)) = grid.cell_layer(span).zip(to) {
                        self.join(tile, [at, to]);
                    }
                }
            }
        }
    }

    /// Joins the regions at two ends, as far as they lie on a tile that was just added.
    fn join(&mut self, tile: &RegionsOfTile, ends: [CellLayer; 2]) {
        let first = self.regions.first.last().copied().unwrap_or_default();
        let own = ends.map(|end| Some(first + tile.region(end)?.0 as usize));
        match own {
            [Some(one), Some(other)] => self.regions.join(one, other),
            [Some(here), None] => self.join_with_other(here, ends),
            [None, Some(here)] => self.join_with_other(here, [ends[1], ends[0]]),
            [None, None] => {}
        }
    }

    /// Joins a region with that at the other end, if that was read; else it waits.
    fn join_with_other(&mut self, here: usize, [at, to]: [CellLayer; 2]) {
        match self.open.remove(&[to, at]) {
            Some(other) => self.regions.join(here, other),
            None => drop(self.open.insert([at, to], here)),
        }
    }
}

impl AgentRegions {
    fn root(&mut self, mut region: usize) -> usize {
        while self.parents[region] != region {
            self.parents[region] = self.parents[self.parents[region]];
            region = self.parents[region];
        }
        region
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        if low != high {
            self.parents[high] = low;
            self.spans[low] += self.spans[high];
        }
    }

    /// Finds out which regions are small, by the number of spans of those that they are joined with.
    fn finished(mut self, is_small: impl Fn(u64) -> bool) -> Self {
        for region in 0..self.parents.len() {
            self.parents[region] = self.root(region);
        }
        self.is_small = self.parents.iter().map(|&root| is_small(self.spans[root])).collect();
        self
    }
}

/// Returns the lanes of a two-way link of a tile, by addresses.
fn lanes_in<'a>(
    grid: &'a NavGrid,
    link: &'a Link,
    agent: AgentId,
) -> impl Iterator<Item = [CellLayer; 2]> + 'a {
    let lanes = link.lanes_of(agent.index()).iter().filter(|_| link.is_reversible());
    let address = |span| grid.cell_layer(span);
    lanes.filter_map(move |lane| Some([address(lane.spans[0])?, address(lane.spans[1])?]))
}
