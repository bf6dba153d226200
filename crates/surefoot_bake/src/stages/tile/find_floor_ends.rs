//! Finds floor ends: where a floor ends on the line to a neighboring cell.
//!
//! A floor continues over every surface that an agent could step onto from where it stands, and
//! ends where the first gap starts. That depends on the agent's step rule and not on its size, so
//! agents with the same rule share what was found.

use crate::casts::{GroundEdge, GroundLine, Section, TileCaster};
use surefoot::grid::baker::row_major_offsets;
use surefoot::grid::{CellOffset, Dir, GridFrame};

use super::find_floors::Floor;
use super::step_rule::{StepRule, Stride};
use super::work::{FloorIndex, TileWork};

/// Where the floors of a tile end for agents with the same step rule. Ends are found on first use.
pub(super) struct FloorEnds {
    rule: StepRule,
    /// The limits of steps in all directions.
    strides: [Stride; 8],
    /// From a cell to its neighbors, as indices.
    offsets: [isize; 8],
    /// For each floor and direction the index of its end, [`UNKNOWN`] or [`NO_END`].
    indices: Vec<[u32; 8]>,
    ends: Vec<FloorEnd>,
    /// Reused by every query.
    sections: Vec<Section>,
    /// Reused by every query.
    reachable: Vec<ReachableSection>,
}

/// Where a floor ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::stages) struct FloorEnd {
    /// How far from the cell's center, along x or z [m]; on a diagonal the same along both.
    pub distance: f32,
    /// The edge there, if it is straight and known.
    pub edge: Option<GroundEdge>,
}

/// Not queried yet.
const UNKNOWN: u32 = u32::MAX;
/// The floor continues to the next center.
const NO_END: u32 = u32::MAX - 1;
/// A gap no wider than this is a crack between surfaces that touch [m].
const MAX_CRACK: f32 = 1e-3;

impl FloorEnds {
    /// No ends as yet, for a frame with so many floors.
    pub fn new(rule: StepRule, frame: &GridFrame, floors: usize) -> Self {
        FloorEnds {
            strides: Dir::ALL.map(|dir| rule.stride(dir, frame.cell_size)),
            rule,
            offsets: row_major_offsets(frame),
            indices: vec![[UNKNOWN; 8]; floors],
            ends: Vec::new(),
            sections: Vec::new(),
            reachable: Vec::new(),
        }
    }

    /// Returns where a floor of the tile's own cells ends in a direction; `None` if a floor of the next
    /// column continues it, whether the agent can stand there or not.
    pub fn end<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        at: FloorIndex,
        dir: Dir,
    ) -> Option<FloorEnd> {
        if self.indices[at.floor][dir.index()] == UNKNOWN {
            let end = self.find(work, at, dir);
            self.indices[at.floor][dir.index()] = end.map_or(NO_END, |end| {
                self.ends.push(end);
                self.ends.len() as u32 - 1
            });
        }
        self.ends.get(self.indices[at.floor][dir.index()] as usize).copied()
    }

    fn find<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        at: FloorIndex,
        dir: Dir,
    ) -> Option<FloorEnd> {
        let size = work.frame.cell_size;
        let floors = &work.floors.floors;
        let floor = &floors[at.floor];
        let next = at.cell.wrapping_add_signed(self.offsets[dir.index()]);
        let stride = &self.strides[dir.index()];
        let continues = |to: usize| stride.step_height([floor, &floors[to]]).is_some();
        if work.floors.near(next, floor.span.floor, stride.max_rise).any(continues) {
            return None;
        }
        let line = CenterLine::new(floor, dir, size);
        let max_rise = self.rule.max_rise(line.length);
        let feet = work.feet[at.floor];
        work.caster.sections(&line.ground_line([feet.x, feet.z], max_rise), &mut self.sections);
        self.reachable.clear();
        for section in &self.sections {
            let surface = work.world.surface(section.solid, section.triangle);
            if section.up > 0.0 || surface.two_sided {
                line.clip(&self.rule, section, |reachable| self.reachable.push(reachable));
            }
        }
        let (distance, edge) = first_gap(&mut self.reachable, MAX_CRACK / line.length);
        Some(FloorEnd { distance: size * distance, edge })
    }
}

/// The line from the center of a cell over its floor to a neighboring center.
struct CenterLine {
    /// Along x and z [m].
    offset: [f32; 2],
    /// Seen from above [m].
    length: f32,
    /// Height of the floor at the start [m].
    floor: f32,
    /// How much the floor's plane rises from start to end [m].
    rise: f32,
}

impl CenterLine {
    fn new(floor: &Floor, dir: Dir, cell_size: f32) -> Self {
        let CellOffset { x, z } = dir.offset();
        let offset = [x as f32 * cell_size, z as f32 * cell_size];
        let rise = floor.gradient[0] * offset[0] + floor.gradient[1] * offset[1];
        CenterLine { offset, length: dir.length() * cell_size, floor: floor.span.floor, rise }
    }

    fn ground_line(&self, [x, z]: [f32; 2], max_rise: f32) -> GroundLine {
        GroundLine {
            ends: [[x, z], [x + self.offset[0], z + self.offset[1]]],
            heights: [self.floor - max_rise, self.floor + max_rise],
        }
    }

    /// Calls back with the parts of a section that the agent could step onto from the start.
    fn clip(&self, rule: &StepRule, section: &Section, mut call: impl FnMut(ReachableSection)) {
        // Up to here the climb limits the rise, beyond it the slope limit does. Each side is
        // linear.
        let turn = rule.climb_reach(self.length);
        let parts = [[0.0, turn], [turn, 1.0]];
        // Where the climb limits it all along, the second part is but the end of the first.
        let parts = if turn < 1.0 { &parts[..] } else { &parts[..1] };
        for &[from, to] in parts {
            let Section { along, y, edge, .. } = *section;
            let mut reachable = ReachableSection { along, y, edge };
            let max_rise = |along: f32| rule.max_rise(self.length * along.clamp(from, to));
            reachable.clip(|along, _| along - from);
            reachable.clip(|along, _| to - along);
            for side in [1.0, -1.0] {
                let expected = |along: f32| self.floor + self.rise * along;
                reachable.clip(|along, y| rule.max_climb + side * (y - expected(along)));
                reachable.clip(|along, y| max_rise(along) + side * (y - self.floor));
            }
            if reachable.along[0] <= reachable.along[1] {
                call(reachable);
            }
        }
    }
}

/// The reachable part of a section; empty if its end lies before its start.
#[derive(Clone, Copy)]
struct ReachableSection {
    /// Start and end, as fractions of the line.
    along: [f32; 2],
    /// Heights at start and end [m].
    y: [f32; 2],
    /// The edge at its end, unless that was clipped off.
    edge: Option<GroundEdge>,
}

impl ReachableSection {
    /// Keeps the part where a function of fraction and height is at least 0; it must be linear
    /// along the section.
    fn clip(&mut self, value: impl Fn(f32, f32) -> f32) {
        let [start, end] = [0, 1].map(|i| value(self.along[i], self.y[i]));
        let clipped = match [start >= 0.0, end >= 0.0] {
            [true, true] => return,
            [false, false] => {
                self.along = [f32::INFINITY, f32::NEG_INFINITY];
                return;
            }
            [false, true] => 0,
            [true, false] => 1,
        };
        let zero = start / (start - end);
        let at = |ends: [f32; 2]| ends[0] + (ends[1] - ends[0]) * zero;
        (self.along[clipped], self.y[clipped]) = (at(self.along), at(self.y));
        if clipped == 1 {
            self.edge = None;
        }
    }
}

/// Returns the fraction of a line at which its sections first leave a gap wider than a crack, and
/// the edge there; 1 if they leave none.
fn first_gap(sections: &mut [ReachableSection], max_crack: f32) -> (f32, Option<GroundEdge>) {
    sections.sort_unstable_by(|a, b| a.along[0].total_cmp(&b.along[0]));
    let (mut end, mut edge) = (0.0f32, None);
    for ReachableSection { along: [from, to], edge: at_end, .. } in sections.iter().copied() {
        if from > end + max_crack {
            break;
        }
        // Ties go to the greater edge, so that the order of sections does not matter.
        if to > end || (to == end && at_end > edge) {
            (end, edge) = (to, at_end);
        }
    }
    (end.min(1.0), edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_join_over_cracks_and_in_any_order() {
        let gap = |sections: &[[f32; 2]]| {
            let section = |&along: &[f32; 2]| ReachableSection { along, y: [0.0; 2], edge: None };
            first_gap(&mut sections.iter().map(section).collect::<Vec<_>>(), 0.01).0
        };
        assert_eq!(gap(&[]), 0.0);
        assert_eq!(gap(&[[0.505, 0.7], [0.0, 0.5], [0.8, 1.0]]), 0.7);
        assert_eq!(gap(&[[0.0, 0.9], [0.2, 0.3], [0.9, 1.0]]), 1.0);
        assert_eq!(gap(&[[0.02, 1.0]]), 0.0);
    }

    #[test]
    fn a_section_is_clipped_where_a_value_turns_negative() {
        let section = |value: &dyn Fn(f32, f32) -> f32| {
            let mut section = ReachableSection { along: [0.0, 1.0], y: [2.0, 4.0], edge: None };
            section.clip(value);
            (section.along, section.y)
        };
        assert_eq!(section(&|_, y| 3.0 - y), ([0.0, 0.5], [2.0, 3.0]));
        assert_eq!(section(&|along, _| along - 0.25), ([0.25, 1.0], [2.5, 4.0]));
        let (along, _) = section(&|_, y| y - 9.0);
        assert!(along[0] > along[1]);
    }
}
