//! Ends: where a floor ends on the way to a neighboring cell.
//!
//! A floor goes on over every surface that an agent could step onto from where it stands, and ends
//! where the first gap starts. That depends on what the agent climbs and not on its size, so
//! agents that climb alike share what was found.

use crate::casts::{GroundEdge, GroundLine, Section, TileCaster};
use surefoot::grid::Dir;

use super::floors::Floor;
use super::rule::Rule;
use super::tile::TileWork;

/// Where the floors of a tile end for agents that climb alike.
pub(super) struct Ends {
    rule: Rule,
    /// For each floor and direction the number of its end, [`UNKNOWN`] or [`NOWHERE`].
    numbers: Vec<[u32; 8]>,
    ends: Vec<End>,
    /// Room to work in.
    sections: Vec<Section>,
    pieces: Vec<Piece>,
}

/// Where a floor ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// How far from the cell's center, along x or z [m]; along a diagonal the same along both.
    pub distance: f32,
    /// The edge there, where it is straight and known.
    pub edge: Option<GroundEdge>,
}

/// Not asked for yet.
const UNKNOWN: u32 = u32::MAX;
/// The floor goes on to the next center.
const NOWHERE: u32 = u32::MAX - 1;
/// A gap so narrow is a seam [m].
const SEAM: f32 = 1e-3;

impl Ends {
    /// Nothing known yet of `floors` floors.
    pub fn new(rule: Rule, floors: usize) -> Self {
        let numbers = vec![[UNKNOWN; 8]; floors];
        Ends { rule, numbers, ends: Vec::new(), sections: Vec::new(), pieces: Vec::new() }
    }

    /// Where a floor of a cell ends in a direction; `None` if some floor of the next column
    /// continues it, whatever stands there, or no column is next.
    pub fn end<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (cell, floor): (usize, usize),
        dir: Dir,
    ) -> Option<End> {
        if self.numbers[floor][dir.index()] == UNKNOWN {
            let end = self.find(work, (cell, floor), dir);
            self.numbers[floor][dir.index()] = end.map_or(NOWHERE, |end| {
                self.ends.push(end);
                self.ends.len() as u32 - 1
            });
        }
        self.ends.get(self.numbers[floor][dir.index()] as usize).copied()
    }

    fn find<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (cell, index): (usize, usize),
        dir: Dir,
    ) -> Option<End> {
        let size = work.frame.cell_size;
        let floors = &work.floors.floors;
        let next = work.neighbor(cell, dir)?;
        let stride = self.rule.stride(dir, size);
        let goes_on = |to: usize| stride.step([&floors[index], &floors[to]]).is_some();
        if work.floors.column(next).any(goes_on) {
            return None;
        }
        let way = Way::new(&floors[index], dir, size);
        let most = self.rule.most_rise(way.length);
        let line = way.line([work.feet[index].x, work.feet[index].z], most);
        work.caster.sections(&line, &mut self.sections);
        self.pieces.clear();
        for section in &self.sections {
            let surface = work.world.surface(section.solid, section.triangle);
            if section.up > 0.0 || surface.two_sided {
                way.pieces(&self.rule, section, |piece| self.pieces.push(piece));
            }
        }
        let (distance, edge) = first_gap(&mut self.pieces, SEAM / way.length);
        Some(End { distance: size * distance, edge })
    }
}

/// The way from the center of a cell over its floor to a neighboring center.
struct Way {
    /// Along x and z [m].
    offset: [f32; 2],
    /// Seen from above [m].
    length: f32,
    /// Height of the floor at the start [m].
    floor: f32,
    /// How much its plane rises from start to end [m].
    rise: f32,
}

impl Way {
    fn new(floor: &Floor, dir: Dir, cell_size: f32) -> Self {
        let (x, z) = dir.offset();
        let offset = [x as f32 * cell_size, z as f32 * cell_size];
        let rise = floor.gradient[0] * offset[0] + floor.gradient[1] * offset[1];
        Way { offset, length: dir.length() * cell_size, floor: floor.span.floor, rise }
    }

    fn line(&self, [x, z]: [f32; 2], most_rise: f32) -> GroundLine {
        GroundLine {
            ends: [[x, z], [x + self.offset[0], z + self.offset[1]]],
            heights: [self.floor - most_rise, self.floor + most_rise],
        }
    }

    /// Calls back with the parts of a section that the agent could step onto from the start.
    fn pieces(&self, rule: &Rule, section: &Section, mut call: impl FnMut(Piece)) {
        // Near by the climb limits the rise, farther off the slope does.
        let turn = rule.climb_reach(self.length);
        for [from, to] in [[0.0, turn], [turn, 1.0]] {
            let mut piece = Piece { along: section.along, y: section.y, edge: section.edge };
            let most = |along: f32| rule.most_rise(self.length * along.clamp(from, to));
            piece.keep(|along, _| along - from);
            piece.keep(|along, _| to - along);
            for side in [1.0, -1.0] {
                let expected = |along: f32| self.floor + self.rise * along;
                piece.keep(|along, y| rule.max_climb + side * (y - expected(along)));
                piece.keep(|along, y| most(along) + side * (y - self.floor));
            }
            if piece.along[0] <= piece.along[1] {
                call(piece);
            }
        }
    }
}

/// A part of a section; empty where its end lies before its start.
#[derive(Clone, Copy)]
struct Piece {
    /// As fractions of the way.
    along: [f32; 2],
    y: [f32; 2],
    /// The edge at its end, unless it was cut.
    edge: Option<GroundEdge>,
}

impl Piece {
    /// Keeps the part where a function of place and height, straight along the piece, is not
    /// negative.
    fn keep(&mut self, value: impl Fn(f32, f32) -> f32) {
        let [start, end] = [0, 1].map(|i| value(self.along[i], self.y[i]));
        let cut = match [start >= 0.0, end >= 0.0] {
            [true, true] => return,
            [false, false] => {
                self.along = [f32::INFINITY, f32::NEG_INFINITY];
                return;
            }
            [false, true] => 0,
            [true, false] => 1,
        };
        let part = start / (start - end);
        let at = |ends: [f32; 2]| ends[0] + (ends[1] - ends[0]) * part;
        (self.along[cut], self.y[cut]) = (at(self.along), at(self.y));
        if cut == 1 {
            self.edge = None;
        }
    }
}

/// Where the pieces of a line, from its start on, first leave a gap wider than a seam, and the edge
/// there; 1 if nowhere.
fn first_gap(pieces: &mut [Piece], seam: f32) -> (f32, Option<GroundEdge>) {
    pieces.sort_unstable_by(|a, b| a.along[0].total_cmp(&b.along[0]));
    let (mut end, mut edge) = (0.0f32, None);
    for Piece { along: [from, to], edge: at_end, .. } in pieces.iter().copied() {
        if from > end + seam {
            break;
        }
        // Of edges that meet at one place the greater one, whatever the order of the pieces.
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
    fn pieces_join_over_seams_and_in_any_order() {
        let gap = |pieces: &[[f32; 2]]| {
            let piece = |&along: &[f32; 2]| Piece { along, y: [0.0; 2], edge: None };
            first_gap(&mut pieces.iter().map(piece).collect::<Vec<_>>(), 0.01).0
        };
        assert_eq!(gap(&[]), 0.0);
        assert_eq!(gap(&[[0.505, 0.7], [0.0, 0.5], [0.8, 1.0]]), 0.7);
        assert_eq!(gap(&[[0.0, 0.9], [0.2, 0.3], [0.9, 1.0]]), 1.0);
        assert_eq!(gap(&[[0.02, 1.0]]), 0.0);
    }

    #[test]
    fn a_piece_is_cut_where_a_value_turns_negative() {
        let piece = |value: &dyn Fn(f32, f32) -> f32| {
            let mut piece = Piece { along: [0.0, 1.0], y: [2.0, 4.0], edge: None };
            piece.keep(value);
            (piece.along, piece.y)
        };
        assert_eq!(piece(&|_, y| 3.0 - y), ([0.0, 0.5], [2.0, 3.0]));
        assert_eq!(piece(&|along, _| along - 0.25), ([0.25, 1.0], [2.5, 4.0]));
        let (along, _) = piece(&|_, y| y - 9.0);
        assert!(along[0] > along[1]);
    }
}
