//! Provides [`RegionIndexing`]: sums up the regions of a world while its tiles are packed.

use std::cmp::{Ordering, Reverse};

use nalgebra::Point3;
use surefoot::NavGrid;
use surefoot::grid::{AgentId, GridFrame, SpanId};
use surefoot::world::{RegionIndex, TilePlace, TileRegions, WorldRegion};

use super::regions::WorldRegions;

/// The regions of a world, as far as its tiles have been packed.
#[derive(Default)]
pub(crate) struct RegionIndexing {
    agents: Vec<AgentIndexing>,
}

/// Those of an agent.
#[derive(Default)]
struct AgentIndexing {
    /// By the numbers that tiles have joined their regions under; only of some is there ground.
    sums: Vec<Option<Sum>>,
    tiles: Vec<TileRegions>,
}

/// What is known of a region.
#[derive(Clone, Copy)]
struct Sum {
    region: WorldRegion,
    /// Room at [`WorldRegion::at`] [m].
    clearance: f32,
}

/// A tile that is being packed.
pub(crate) struct PackedTile<'a> {
    pub index: usize,
    pub place: TilePlace,
    pub own: GridFrame,
    /// As it was baked.
    pub baked: &'a NavGrid,
    /// As it is packed: without small regions, and with other numbers for those that stay.
    pub packed: &'a NavGrid,
}

impl RegionIndexing {
    /// Adds a tile.
    pub fn add(&mut self, regions: &WorldRegions, tile: &PackedTile) {
        let agents = tile.packed.layers().len();
        self.agents.resize_with(agents, AgentIndexing::default);
        for (agent, indexing) in (0..).map(AgentId).zip(&mut self.agents) {
            indexing.add(regions, tile, agent);
        }
    }

    /// Returns the index of each agent.
    pub fn finish(self) -> Vec<RegionIndex> {
        self.agents.into_iter().map(AgentIndexing::finish).collect()
    }
}

impl AgentIndexing {
    fn add(&mut self, regions: &WorldRegions, tile: &PackedTile, agent: AgentId) {
        let PackedTile { index, place, own, baked, packed } = tile;
        let count = packed.layers()[agent.index()].regions.len();
        let mut numbers = vec![None; count];
        let cells = (0..own.cells()).map(|at| own.cell(at));
        for span in cells.flat_map(|cell| packed.column_spans(cell)).map(SpanId) {
            // The spans of both grids are the same.
            let Some(region) = packed.region(agent, span) else { continue };
            let (Some(before), Some(at)) = (baked.region(agent, span), packed.point(span)) else {
                continue;
            };
            let number = *numbers[region.0 as usize]
                .get_or_insert_with(|| regions.number_of(*index, agent, before));
            let clearance = packed.clearance(agent, span).unwrap_or_default();
            let alone = WorldRegion { spans: 1, at, min: at, max: at };
            self.sum(number, Sum { region: alone, clearance });
        }
        let regions = numbers.into_iter().map(|number| number.map(|number| number as u32));
        self.tiles.push(TileRegions { place: *place, regions: regions.collect() });
    }

    fn sum(&mut self, number: usize, more: Sum) {
        if self.sums.len() <= number {
            self.sums.resize(number + 1, None);
        }
        match &mut self.sums[number] {
            Some(sum) => sum.add(&more),
            none => *none = Some(more),
        }
    }

    /// Gives the regions their places in the order of their sizes.
    fn finish(mut self) -> RegionIndex {
        let known = (0u32..).zip(&self.sums).filter_map(|(number, sum)| Some((number, (*sum)?)));
        let mut sorted: Vec<(u32, Sum)> = known.collect();
        sorted.sort_by_key(|(number, sum)| (Reverse(sum.region.spans), *number));
        let mut places = vec![None; self.sums.len()];
        for (place, (number, _)) in (0u32..).zip(&sorted) {
            places[*number as usize] = Some(place);
        }
        for region in self.tiles.iter_mut().flat_map(|tile| &mut tile.regions) {
            *region = region.and_then(|number| places[number as usize]);
        }
        self.tiles.sort_by_key(|tile| tile.place);
        let regions = sorted.into_iter().map(|(_, sum)| sum.region).collect();
        RegionIndex { regions, tiles: self.tiles }
    }
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        let WorldRegion { spans, at, min, max } = &mut self.region;
        *spans += other.region.spans;
        *min = min.inf(&other.region.min);
        *max = max.sup(&other.region.max);
        // Whatever order tiles come in.
        let order = self.clearance.total_cmp(&other.clearance);
        if order.then_with(|| row_by_row(&other.region.at, at)) == Ordering::Less {
            (*at, self.clearance) = (other.region.at, other.clearance);
        }
    }
}

fn row_by_row(one: &Point3<f32>, other: &Point3<f32>) -> Ordering {
    let order = one.z.total_cmp(&other.z).then(one.x.total_cmp(&other.x));
    order.then(one.y.total_cmp(&other.y))
}
