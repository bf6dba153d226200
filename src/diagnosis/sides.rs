//! Provides [`Sides`]: which region the ground beside obstacles belongs to.

use std::collections::VecDeque;

use crate::grid::{Dir, Verdict};

use super::ground::RelaxedGround;

/// No region.
const NONE: u32 = u32::MAX;

/// For each span its region, or the region of the nearest walkable span if a ledge or an obstacle keeps
/// the agent off it; none in passages.
pub(super) struct Sides(Vec<u32>);

impl Sides {
    /// O(spans).
    pub fn new(ground: &RelaxedGround) -> Self {
        let spans = 0..ground.view.spans().len() as u32;
        let region = |span: u32| {
            let standing = ground.view.standing(crate::grid::SpanId(span))?;
            Some(standing.region()?.0)
        };
        let mut sides = Sides(spans.map(|span| region(span).unwrap_or(NONE)).collect());
        // Ledges first: where one meets an obstacle, the obstacle is on its side.
        sides.spread(ground, |span| ground.verdict(span) == Verdict::Ledge);
        // A passage that was measured is on neither side: something open joins them there.
        sides.spread(ground, |span| {
            matches!(ground.verdict(span), Verdict::Obstacle(_)) && ground.passage(span).is_none()
        });
        sides
    }

    /// Gives spans the sides of those beside them, unless a wall or a step is between.
    fn spread(&mut self, ground: &RelaxedGround, is_taken: impl Fn(u32) -> bool) {
        let sides = &mut self.0;
        let known = (0..sides.len() as u32).filter(|&span| sides[span as usize] != NONE);
        let mut open: VecDeque<u32> = known.collect();
        while let Some(from) = open.pop_front() {
            let column = ground.view.column(from);
            for dir in Dir::STRAIGHT {
                let Some(next) = ground.beside(column, dir.offset()) else { continue };
                for to in ground.floors(next) {
                    let ends = [from, to];
                    let is_new = sides[to as usize] == NONE;
                    let is_beyond =
                        ground.has_wall(ends, dir) || ground.is_high(&ground.rise(ends, dir));
                    if is_new && is_taken(to) && !is_beyond {
                        sides[to as usize] = sides[from as usize];
                        open.push_back(to);
                    }
                }
            }
        }
    }

    /// Whether two spans are known to be on the same side.
    pub fn are_same(&self, ends: [u32; 2]) -> bool {
        let [from, to] = ends.map(|end| self.0[end as usize]);
        from == to && from != NONE
    }

    /// Whether two spans are known to be on different sides.
    pub fn are_apart(&self, ends: [u32; 2]) -> bool {
        let [from, to] = ends.map(|end| self.0[end as usize]);
        from != to && from != NONE && to != NONE
    }
}
