//! Ends: where a floor ends on the way to a neighboring cell.
//!
//! A floor goes on over every surface that an agent could step onto from where it stands, and ends
//! where the first gap starts. That depends on what the agent climbs and not on its size, so
//! agents that climb alike share what was found.

use crate::grid::Dir;
use crate::world::{GroundLine, Strip, TileCaster};

use super::floors::Floor;
use super::joins::Rule;
use super::tile::TileWork;

/// Where the floors of a tile end for agents that climb alike.
pub(super) struct Ends {
    pub rule: Rule,
    /// For each floor and direction the distance from the cell's center along x or z [m]; along a
    /// diagonal the same along both. Not a number where it was not asked for; infinite where the
    /// floor goes on to the next center.
    distances: Vec<[f32; 8]>,
    /// Room to work in.
    strips: Vec<Strip>,
    pieces: Vec<[f32; 2]>,
}

/// A gap so narrow is a seam [m].
const SEAM: f32 = 1e-3;

impl Ends {
    /// Nothing known yet of `floors` floors.
    pub fn new(rule: Rule, floors: usize) -> Self {
        let distances = vec![[f32::NAN; 8]; floors];
        Ends { rule, distances, strips: Vec::new(), pieces: Vec::new() }
    }

    /// How far a floor of a cell goes in a direction; `None` if some floor of the next column
    /// continues it, whatever stands there, or no column is next.
    pub fn end<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (cell, floor): (usize, usize),
        dir: Dir,
    ) -> Option<f32> {
        let known = self.distances[floor][dir.index()];
        let distance = if known.is_nan() { self.find(work, (cell, floor), dir) } else { known };
        self.distances[floor][dir.index()] = distance;
        distance.is_finite().then_some(distance)
    }

    fn find<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (cell, index): (usize, usize),
        dir: Dir,
    ) -> f32 {
        let size = work.frame.cell_size;
        let floors = &work.floors.floors;
        let Some(next) = work.neighbor(cell, dir) else { return f32::INFINITY };
        let stride = self.rule.stride(dir, size);
        let goes_on = |to: usize| stride.step([&floors[index], &floors[to]]).is_some();
        if work.floors.column(next).any(goes_on) {
            return f32::INFINITY;
        }
        let way = Way::new(&floors[index], dir, size);
        let most = self.rule.most_rise(way.length);
        let line = way.line([work.feet[index].x, work.feet[index].z], most);
        work.caster.strips(&line, &mut self.strips);
        self.pieces.clear();
        for strip in &self.strips {
            let surface = work.world.surface(strip.solid, strip.triangle);
            if strip.up > 0.0 || surface.two_sided {
                way.pieces(&self.rule, strip, |piece| self.pieces.push(piece));
            }
        }
        size * first_gap(&mut self.pieces, SEAM / way.length)
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

    /// Calls back with the parts of a strip that the agent could step onto from the start, as
    /// fractions of the way.
    fn pieces(&self, rule: &Rule, strip: &Strip, mut call: impl FnMut([f32; 2])) {
        // Near by the climb limits the rise, farther off the slope does.
        let turn = rule.climb_reach(self.length);
        for [from, to] in [[0.0, turn], [turn, 1.0]] {
            let mut piece = Piece { along: strip.along, y: strip.y };
            let most = |along: f32| rule.most_rise(self.length * along.clamp(from, to));
            piece.keep(|along, _| along - from);
            piece.keep(|along, _| to - along);
            for side in [1.0, -1.0] {
                let expected = |along: f32| self.floor + self.rise * along;
                piece.keep(|along, y| rule.max_climb + side * (y - expected(along)));
                piece.keep(|along, y| most(along) + side * (y - self.floor));
            }
            if piece.along[0] <= piece.along[1] {
                call(piece.along);
            }
        }
    }
}

/// A part of a strip; empty where its end lies before its start.
struct Piece {
    along: [f32; 2],
    y: [f32; 2],
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
    }
}

/// Where the pieces of a line, from its start on, first leave a gap wider than a seam; 1 if nowhere.
fn first_gap(pieces: &mut [[f32; 2]], seam: f32) -> f32 {
    pieces.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let mut end = 0.0f32;
    for [from, to] in pieces {
        if *from > end + seam {
            break;
        }
        end = end.max(*to);
    }
    end.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_over_seams_and_in_any_order() {
        let gap = |pieces: &[[f32; 2]]| first_gap(&mut pieces.to_vec(), 0.01);
        assert_eq!(gap(&[]), 0.0);
        assert_eq!(gap(&[[0.505, 0.7], [0.0, 0.5], [0.8, 1.0]]), 0.7);
        assert_eq!(gap(&[[0.0, 0.9], [0.2, 0.3], [0.9, 1.0]]), 1.0);
        assert_eq!(gap(&[[0.02, 1.0]]), 0.0);
    }

    #[test]
    fn a_piece_is_cut_where_a_value_turns_negative() {
        let piece = |value: &dyn Fn(f32, f32) -> f32| {
            let mut piece = Piece { along: [0.0, 1.0], y: [2.0, 4.0] };
            piece.keep(value);
            (piece.along, piece.y)
        };
        assert_eq!(piece(&|_, y| 3.0 - y), ([0.0, 0.5], [2.0, 3.0]));
        assert_eq!(piece(&|along, _| along - 0.25), ([0.25, 1.0], [2.5, 4.0]));
        let (along, _) = piece(&|_, y| y - 9.0);
        assert!(along[0] > along[1]);
    }
}
