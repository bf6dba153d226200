//! Generates links: where walking ends and a body could go on.
//!
//! An agent that can jump, climb or drop gets links from the ends of its ground to floors within its
//! reach. A motion counts only if the body, swept along it, touches nothing and comes to stand where the
//! agent can. What walking does nearly as well is left out, and lanes that lie side by side become one
//! wide link. Links are found block by block, and each depends on the ground and the geometry near it
//! alone. No link is wider than a block.
//! Based on: Recast's off-mesh connections by sampled edges (Mononen, "Automatic annotations in Killzone
//! 3 and beyond", 2011), with sweeps of the whole body in place of samples.

mod detour;
mod explain;
mod flight;
mod floor_edge;
mod ground;
mod take_off;
mod wide_links;

use rayon::prelude::*;

use super::BakeError;
use super::observer::{BakeObserver, Stage};
use crate::casts::{Caster, Probe};
use crate::stages::settings::LinkCosts;
pub use explain::{LinkVerdict, explain_link};

use detour::Detours;
use flight::{MotionTest, probes};
use ground::{LinkGround, SpanAddress};
use surefoot::grid::{Cell, Dir, GridFrame, GridParts, Link};
use surefoot::observer::check_cancelled;
use take_off::{LinkReach, TakeOffs, ends_at};
use wide_links::LaneMerger;

/// Side of a block [cells]; blocks begin at multiples of it.
const BLOCK: i32 = 64;

/// What links are generated with.
pub(super) struct LinkStage<'a, C> {
    pub caster: &'a C,
    pub observer: &'a dyn BakeObserver,
    pub costs: &'a LinkCosts,
}

impl<C: Caster> LinkStage<'_, C> {
    /// Returns the links of all agents that can do more than walk: agent by agent, block by block.
    /// Verdicts, connections and regions of the parts are final.
    ///
    /// # Errors
    /// The observer cancels the bake.
    pub fn generate(&self, parts: &GridParts) -> Result<Vec<Link>, BakeError> {
        let mut links = Vec::new();
        self.observer.begin(Stage::Links);
        for agent in 0..parts.layers.len() {
            let ground = LinkGround::new(parts, agent);
            if !ground.agent.leaves_ground() {
                continue;
            }
            let probes = probes(ground.agent);
            let agents = parts.layers.len();
            let merger = LaneMerger { ground, costs: self.costs, agent, agents };
            let found: Vec<Vec<Link>> = blocks(&parts.frame)
                .into_par_iter()
                .with_max_len(1)
                .map(|block| self.block_links(&merger, &block, &probes))
                .collect::<Result<_, _>>()?;
            let radius = ground.agent.radius;
            links.extend(found.into_iter().flatten().map(|link| {
                let capacity = link.capacity_by_width(radius);
                Link { capacity, ..link }
            }));
        }
        Ok(links)
    }

    fn block_links(
        &self,
        merger: &LaneMerger,
        block: &GridFrame,
        probes: &[Probe],
    ) -> Result<Vec<Link>, BakeError> {
        check_cancelled(self.observer)?;
        let ground = merger.ground;
        let starts = take_offs(&ground, block);
        if starts.is_empty() {
            return Ok(Vec::new());
        }
        let size = block.cell_size;
        let reach = LinkReach::of(ground.agent, size);
        let near = block.grown((reach.distance / size).ceil() as u32 + 1);
        let last = block.cell(block.cells() - 1);
        let detour_cells = (reach.detour() / size).ceil() as u32 + 1;
        let test = MotionTest {
            ground,
            world: self.caster.world(),
            caster: self.caster.tile(&near, probes),
            sections: Vec::new(),
        };
        let mut take_offs = TakeOffs { ground, test, reach, found: Vec::new() };
        for floor in starts {
            check_cancelled(self.observer)?;
            take_offs.search(floor);
        }
        let mut detours = Detours::new(ground, [block.min, last], detour_cells);
        Ok(merger.merge(take_offs.found, &mut detours))
    }
}

/// Splits a frame into blocks, row by row.
fn blocks(frame: &GridFrame) -> Vec<GridFrame> {
    let first = |min: i32| min.div_euclid(BLOCK) * BLOCK;
    let starts = |min: i32, size: u32| {
        (first(min)..min + size as i32).step_by(BLOCK as usize).collect::<Vec<_>>()
    };
    let rows = starts(frame.min.z, frame.size_z);
    let columns = starts(frame.min.x, frame.size_x);
    let block = |z: i32, x: i32| {
        let whole = GridFrame {
            cell_size: frame.cell_size,
            min: Cell::new(x, z),
            size_x: BLOCK as u32,
            size_z: BLOCK as u32,
        };
        whole.overlap(frame)
    };
    rows.iter().flat_map(|&z| columns.iter().map(move |&x| block(z, x))).collect()
}

/// Returns the floors of a block where walking ends.
fn take_offs(ground: &LinkGround, block: &GridFrame) -> Vec<SpanAddress> {
    let columns = (0..block.cells()).filter_map(|cell| ground.frame.index(block.cell(cell)));
    let floors = columns.flat_map(|column| ground.column(column));
    let is_end = |floor: &SpanAddress| {
        ground.is_walkable(*floor) && Dir::ALL.iter().any(|&dir| ends_at(ground, *floor, dir))
    };
    floors.filter(is_end).collect()
}
