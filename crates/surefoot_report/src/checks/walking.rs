//! Provides [`WalkingGround`]: which ground an agent gets to on foot, without links.

use surefoot::SpanId;
use surefoot::grid::Dir;
use surefoot::view::View;

/// The ground of an agent in pieces that walking joins.
pub(super) struct WalkingGround {
    /// The piece of each span.
    pieces: Vec<u32>,
}

/// Where the agent cannot stand.
const NO_PIECE: u32 = u32::MAX;

impl WalkingGround {
    /// Goes over all connections of a view. O(spans).
    pub fn new(view: &View) -> Self {
        let count = view.grid().spans().len();
        let mut pieces = vec![NO_PIECE; count];
        let (mut open, mut next) = (Vec::new(), 0);
        for start in 0..count as u32 {
            if pieces[start as usize] != NO_PIECE || !view.is_walkable(SpanId(start)) {
                continue;
            }
            pieces[start as usize] = next;
            open.push(SpanId(start));
            while let Some(span) = open.pop() {
                for to in Dir::ALL.into_iter().filter_map(|dir| view.neighbor(span, dir)) {
                    if pieces[to.index()] == NO_PIECE {
                        pieces[to.index()] = next;
                        open.push(to);
                    }
                }
            }
            next += 1;
        }
        WalkingGround { pieces }
    }

    /// The piece that a span belongs to; `None` where the agent cannot stand.
    pub fn piece(&self, span: SpanId) -> Option<u32> {
        self.pieces.get(span.index()).copied().filter(|&piece| piece != NO_PIECE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::NavGrid;

    #[test]
    fn walls_part_the_ground() {
        let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@.@\n";
        let grid = NavGrid::from_map(map, 1.0, &[]).unwrap();
        let ground = WalkingGround::new(&View::new(&grid, "human").unwrap());
        let piece = |x: f32, z: f32| ground.piece(grid.span_at([x, 0.0, z], 1.0)?);
        assert_eq!(piece(0.5, 0.5), Some(0));
        assert_eq!(piece(1.5, 2.5), Some(0));
        assert_eq!(piece(4.5, 0.5), Some(1));
        assert_eq!(piece(3.5, 2.5), Some(1));
        assert_eq!(piece(2.5, 1.5), None);
        assert_eq!(ground.piece(SpanId(99)), None);
    }
}
