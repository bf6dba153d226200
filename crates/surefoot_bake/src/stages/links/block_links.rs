//! Provides [`BlockLinks`]: the generated links of a grid, block by block.

use super::BLOCK;
use super::ground::{LinkGround, SpanAddress};
use super::wide_links::{higher_first, link_id};
use surefoot::grid::{GridFrame, GridParts, Link};

/// The generated links of a grid: for each agent, which is empty if it only walks, those of each block,
/// row by row. Ids of equal links are equal.
#[derive(Clone, Debug, Default)]
pub(in crate::stages) struct BlockLinks {
    pub(super) agents: Vec<Vec<Vec<Link>>>,
}

impl BlockLinks {
    /// Finds the generated links of a finished grid, with the ids that they had before those were unique.
    pub fn of_grid(parts: &GridParts) -> Self {
        let of_agent = |agent: usize| {
            let ground = LinkGround::new(parts, agent);
            if !ground.agent.leaves_ground() {
                return Vec::new();
            }
            let mut own = vec![Vec::new(); super::blocks(&parts.frame).len()];
            for link in parts.links.iter().filter(|link| link.generated) {
                // A generated link is for one agent, and its lanes start in one block.
                let Some(lane) = link.lanes.get(agent).and_then(|lanes| lanes.first()) else {
                    continue;
                };
                let floors = lane.spans.map(|span| {
                    let column = parts.first.partition_point(|&first| first <= span.0) - 1;
                    SpanAddress { column, span: span.0 }
                });
                let [take_off, _] = higher_first(&ground, floors);
                let id = link_id(&ground, link.kind, floors);
                own[block_of(&parts.frame, take_off.column)].push(Link { id, ..link.clone() });
            }
            own
        };
        BlockLinks { agents: (0..parts.layers.len()).map(of_agent).collect() }
    }

    /// Returns all links, agent by agent, block by block.
    pub fn iter(&self) -> impl Iterator<Item = &Link> {
        self.agents.iter().flatten().flatten()
    }

    /// Returns those of the blocks of a frame that lie within some cells, agent by agent, block by block.
    pub fn within(&self, frame: &GridFrame, own: &GridFrame) -> Vec<Link> {
        let blocks = super::blocks(frame);
        let is_own = |block: &GridFrame| block.overlap(own).cells() > 0;
        let of_agents = self.agents.iter().flat_map(|links| blocks.iter().zip(links));
        of_agents.filter(|(block, _)| is_own(block)).flat_map(|(_, links)| links).cloned().collect()
    }

    /// Calls back with each link.
    pub fn for_each_mut(&mut self, call: impl FnMut(&mut Link)) {
        self.agents.iter_mut().flatten().flatten().for_each(call);
    }
}

/// Returns the number of the block that a column of a frame lies in.
fn block_of(frame: &GridFrame, column: usize) -> usize {
    let cell = frame.cell(column);
    let number = |at: i32, first: i32| (at.div_euclid(BLOCK) - first.div_euclid(BLOCK)) as usize;
    let last = frame.min.x + frame.size_x as i32 - 1;
    let in_row = number(last, frame.min.x) + 1;
    number(cell.z, frame.min.z) * in_row + number(cell.x, frame.min.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::grid::Cell;

    #[test]
    fn every_column_lies_in_its_block() {
        for (min, size) in [([-70, 3], [200, 130]), ([0, 64], [64, 1]), ([-64, -65], [65, 66])] {
            let frame = GridFrame {
                cell_size: 0.25,
                min: Cell::new(min[0], min[1]),
                size_x: size[0],
                size_z: size[1],
            };
            let blocks = super::super::blocks(&frame);
            for column in 0..frame.cells() {
                let block = &blocks[block_of(&frame, column)];
                assert!(block.index(frame.cell(column)).is_some(), "{column} of {frame:?}");
            }
        }
    }
}
