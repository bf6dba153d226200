//! Provides [`BlockedLine`]: what a line that is blocked has to go round.
//!
//! A taut string bends where it touches something. If a line is blocked at a border between cells, that is
//! an end of the border; if the room of a cell is in the way, it is the point where the line would just keep
//! to the room. A line from the same start past the pivot gets farther, or meets the next pivot.

use crate::grid::{CellOffset, SpanId};
use crate::view::ViewRef;

use super::sight::LineBlock;

/// A line from a place to another (x, z), and the side of it on which what is in the way is gone round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockedLine {
    pub from: [f32; 2],
    pub to: [f32; 2],
    pub side: Side,
}

/// A side of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A line passes a pivot at this distance [cells]. Crowds jam at corners that touch the walls: with a sixteenth
/// of this, flows at a crossing took nearly twice as long.
const PASSING_DISTANCE: f32 = 1.0 / 16.0;

impl Side {
    /// The side of the line from `from` to `to` on which a place lies.
    pub(crate) fn of([from, to]: [[f32; 2]; 2], place: [f32; 2]) -> Self {
        if cross(to, place, from) < 0.0 { Side::Left } else { Side::Right }
    }

    /// The unit vector to this side of a direction of length 1.
    fn of_direction(self, [x, z]: [f32; 2]) -> [f32; 2] {
        match self {
            Side::Left => [z, -x],
            Side::Right => [-z, x],
        }
    }
}

impl BlockedLine {
    /// The place beside what blocks the line that a line from the same start has to lead through to get
    /// past it; `None` if that is not known.
    pub(crate) fn pivot(&self, view: &ViewRef, block: &LineBlock) -> Option<[f32; 2]> {
        let (cell_size, whole) = (view.cell_size(), subtract(self.to, self.from));
        let length = (whole[0] * whole[0] + whole[1] * whole[1]).sqrt();
        let aside = self.side.of_direction(whole.map(|v| v / length));
        let place = match block.border {
            Some(dir) => {
                let CellOffset { x, z } = dir.offset();
                let half = cell_size / 2.0;
                let center = view.frame().center(view.frame().cell(block.column));
                // A straight border has an end on each side; a diagonal one is a corner.
                let along = |step: i32, aside: f32| {
                    if step == 0 { half.copysign(aside) } else { half * step as f32 }
                };
                [center[0] + along(x, aside[0]), center[1] + along(z, aside[1])]
            }
            None => self.beside_room(view, block, aside)?,
        };
        let pivot = [0, 1].map(|axis| place[axis] + aside[axis] * PASSING_DISTANCE * cell_size);
        pivot.iter().all(|v| v.is_finite()).then_some(pivot)
    }

    /// The place where a line moved aside just keeps to the room of the cell that it is blocked over.
    fn beside_room(&self, view: &ViewRef, block: &LineBlock, aside: [f32; 2]) -> Option<[f32; 2]> {
        let room = view.cell_room(SpanId(block.span))?.room;
        let mut farthest: Option<(f32, [f32; 2])> = None;
        for part in block.over {
            let place =
                [0, 1].map(|axis| self.from[axis] + (self.to[axis] - self.from[axis]) * part);
            let offset = view.offset_in_cell(block.column, place);
            for limit in room.limits() {
                let [x, z] = limit.normal;
                let beyond = offset[0] * x + offset[1] * z - limit.distance;
                let per_cell = -(aside[0] * x + aside[1] * z);
                if beyond > 0.0 && per_cell > 0.0 {
                    let cells = beyond / per_cell;
                    if farthest.is_none_or(|(most, _)| cells > most) {
                        farthest = Some((cells, place));
                    }
                }
            }
        }
        let (cells, place) = farthest?;
        Some([0, 1].map(|axis| place[axis] + aside[axis] * cells * view.cell_size()))
    }
}

/// The part of a segment after which it meets a line that begins at a place and leads through another;
/// `None` if the line meets it nowhere.
pub(crate) fn part_at_meeting(segment: [[f32; 2]; 2], line: [[f32; 2]; 2]) -> Option<f32> {
    let (along, through) = (subtract(segment[1], segment[0]), subtract(line[1], line[0]));
    let apart = subtract(line[0], segment[0]);
    let turn = along[0] * through[1] - along[1] * through[0];
    let part = (apart[0] * through[1] - apart[1] * through[0]) / turn;
    (part > 0.0 && part < 1.0).then_some(part)
}

fn subtract(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Positive if `b` lies to the right of the line from `origin` to `a`, seen from above with z downwards.
fn cross(a: [f32; 2], b: [f32; 2], origin: [f32; 2]) -> f32 {
    let (a, b) = (subtract(a, origin), subtract(b, origin));
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{AgentId, NavGrid};
    use crate::path::sight::{LineEnd, follow};
    use crate::view::{NavPoint, View};

    /// A pillar of one cell.
    const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n.....\n..@..\n.....\n";

    #[test]
    fn a_line_past_the_pivot_gets_by() {
        let grid = NavGrid::from_map(MAP, 1.0, &[]).expect("a map");
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        let parts = view.parts();
        for (z, edge) in [(0.5, 1.0 - PASSING_DISTANCE), (2.5, 2.0 + PASSING_DISTANCE)] {
            let (from, to) = ([0.5, 1.5], [4.5, 1.5]);
            let span = grid.span_at([from[0], 0.0, from[1]], f32::INFINITY).expect("ground");
            let start = NavPoint::center(&parts, span);
            let LineEnd::Blocked(block) = follow(&parts, &start, to, |_| true) else {
                panic!("the pillar is in the way")
            };
            let line = BlockedLine { from, to, side: Side::of([from, to], [2.5, z]) };
            let pivot = line.pivot(&parts, &block).expect("an end of the border");
            assert_eq!(pivot, [2.0, edge]);
            // At the near edge of the pillar; the far one comes next.
            let past = follow(&parts, &start, pivot, |_| true);
            assert!(matches!(past, LineEnd::Reached { .. }), "{past:?}");
        }
    }

    #[test]
    fn segments_meet_lines_ahead_of_their_start() {
        let segment = [[0.0, 0.0], [4.0, 0.0]];
        assert_eq!(part_at_meeting(segment, [[1.0, 2.0], [1.0, 1.0]]), Some(0.25));
        assert_eq!(part_at_meeting(segment, [[5.0, 2.0], [5.0, 1.0]]), None);
        assert_eq!(part_at_meeting(segment, [[0.0, 2.0], [1.0, 2.0]]), None);
        assert_eq!(part_at_meeting([[0.0; 2]; 2], segment), None);
    }
}
