//! Generates links: where walking ends and a body could go on.
//!
//! An agent that can jump, climb or drop gets links from the ends of its ground to floors within its
//! reach. A motion counts only if the body, swept along it, touches nothing and comes to stand where the
//! agent can. What walking does nearly as well is left out, and lanes that lie side by side become one
//! wide link. Links are found block by block, and each depends on the ground and the geometry near it
//! alone. No link is wider than a block.
//! Based on: Recast's off-mesh connections by sampled edges (Mononen, "Automatic annotations in Killzone
//! 3 and beyond", 2011), with sweeps of the whole body in place of samples.

mod block_links;
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
pub(super) use block_links::BlockLinks;
pub use explain::{LinkVerdict, explain_link};

use detour::Detours;
use flight::{MotionTest, probes};
use ground::{LinkGround, SpanAddress};
use surefoot::agent::Agent;
use surefoot::grid::{Cell, Dir, GridFrame, GridParts, Link, Standing};
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

/// What is known of the links of a grid of which parts changed.
pub(super) struct KnownLinks<'a> {
    /// Those of the older grid; their spans are those of the new one unless they lie in a window.
    pub links: BlockLinks,
    /// Where the new grid differs from the older one, or the geometry does.
    pub windows: &'a [GridFrame],
}

/// The blocks whose links are looked for.
enum Blocks<'a> {
    All,
    /// Those that see one of some windows, outside of which nothing changed.
    ThatSee(&'a [GridFrame]),
    /// Those within a frame.
    Within(&'a GridFrame),
}

impl Blocks<'_> {
    fn windows(&self) -> Option<&[GridFrame]> {
        match *self {
            Blocks::ThatSee(windows) => Some(windows),
            Blocks::All | Blocks::Within(_) => None,
        }
    }

    /// Returns whether it has a block, which sees so many cells around it.
    fn has(&self, block: &GridFrame, seen: u32) -> bool {
        let overlaps = |a: &GridFrame, b: &GridFrame| a.overlap(b).cells() > 0;
        match *self {
            Blocks::All => true,
            Blocks::ThatSee(windows) => {
                let seen = block.grown(seen);
                windows.iter().any(|window| overlaps(window, &seen))
            }
            Blocks::Within(frame) => overlaps(frame, block),
        }
    }
}

impl<C: Caster> LinkStage<'_, C> {
    /// Returns the links of all agents that can do more than walk: agent by agent, block by block.
    /// Verdicts and connections of the parts are final, and regions where nothing changed. Blocks that
    /// are far from all changes keep the links that are known.
    ///
    /// # Errors
    /// The observer cancels the bake.
    pub fn generate(
        &self,
        parts: &GridParts,
        known: Option<KnownLinks>,
    ) -> Result<BlockLinks, BakeError> {
        match known {
            None => self.generate_blocks(parts, &Blocks::All, BlockLinks::default()),
            Some(KnownLinks { links, windows }) => {
                self.generate_blocks(parts, &Blocks::ThatSee(windows), links)
            }
        }
    }

    /// Returns the links of the blocks within a frame alone. Verdicts, connections and regions are those of
    /// the parts, which have all that those blocks see.
    ///
    /// # Errors
    /// The observer cancels the bake.
    pub fn generate_in(&self, parts: &GridParts, own: &GridFrame) -> Result<BlockLinks, BakeError> {
        self.generate_blocks(parts, &Blocks::Within(own), BlockLinks::default())
    }

    fn generate_blocks(
        &self,
        parts: &GridParts,
        wanted: &Blocks,
        mut known: BlockLinks,
    ) -> Result<BlockLinks, BakeError> {
        self.observer.begin(Stage::Links);
        known.agents.resize(parts.layers.len(), Vec::new());
        let blocks = blocks(&parts.frame);
        for (agent, known) in known.agents.iter_mut().enumerate() {
            let pieces = wanted.windows().map(|windows| ground_pieces(parts, agent, windows));
            let ground = LinkGround { pieces: pieces.as_deref(), ..LinkGround::new(parts, agent) };
            if !ground.agent.leaves_ground() {
                continue;
            }
            known.resize(blocks.len(), Vec::new());
            let probes = probes(ground.agent);
            let agents = parts.layers.len();
            let merger = LaneMerger { ground, costs: self.costs, agent, agents };
            let reach = LinkReach::of(ground.agent, parts.frame.cell_size);
            let seen = reach.seen(&probes, parts.frame.cell_size);
            let radius = ground.agent.radius;
            let stale = blocks.par_iter().zip(known).with_max_len(1);
            stale.filter(|(block, _)| wanted.has(block, seen)).try_for_each(|(block, known)| {
                let found = self.block_links(&merger, block, &probes)?;
                let links = found.into_iter().map(|link| {
                    let capacity = link.capacity_by_width(radius);
                    Link { capacity, ..link }
                });
                *known = links.collect();
                Ok::<_, BakeError>(())
            })?;
        }
        Ok(known)
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

/// Returns how far from a change the geometry matters to the links that may have changed [cells]; `None`
/// if all agents only walk.
pub(super) fn links_see(agents: &[Agent], cell_size: f32) -> Option<u32> {
    let jumpers = agents.iter().filter(|agent| agent.leaves_ground());
    let seen = |agent| LinkReach::of(agent, cell_size).seen(&probes(agent), cell_size);
    Some(2 * jumpers.map(seen).max()? + BLOCK as u32)
}

/// Returns how far the ground and the geometry matter to the links of a block [cells]; 0 if all agents only
/// walk.
pub(super) fn links_reach(agents: &[Agent], cell_size: f32) -> u32 {
    let jumpers = agents.iter().filter(|agent| agent.leaves_ground());
    let seen = |agent| LinkReach::of(agent, cell_size).seen(&probes(agent), cell_size);
    jumpers.map(seen).max().unwrap_or(0)
}

/// Returns how far links lead [cells]; 0 if all agents only walk.
pub(super) fn links_lead(agents: &[Agent], cell_size: f32) -> u32 {
    let jumpers = agents.iter().filter(|agent| agent.leaves_ground());
    let lead = |agent| (LinkReach::of(agent, cell_size).distance / cell_size).ceil() as u32 + 2;
    jumpers.map(lead).max().unwrap_or(0)
}

/// Returns for each region of an agent a number that those share that may be joined through a window.
fn ground_pieces(parts: &GridParts, agent: usize, windows: &[GridFrame]) -> Vec<u32> {
    let layer = &parts.layers[agent];
    let mut pieces: Vec<u32> = (1..=layer.regions.len() as u32).collect();
    for near in windows.iter().map(|window| window.grown(1).overlap(&parts.frame)) {
        let columns = (0..near.cells()).filter_map(|cell| parts.frame.index(near.cell(cell)));
        for column in columns {
            let spans = parts.first[column] as usize..parts.first[column + 1] as usize;
            for region in layer.standings[spans].iter().filter_map(Standing::region) {
                // Regions in windows are not known.
                if let Some(piece) = pieces.get_mut(region.0 as usize) {
                    *piece = ground::NEAR_WINDOWS;
                }
            }
        }
    }
    pieces
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
