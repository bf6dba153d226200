//! Provides [`Crossing`]: the way over a gap or through something solid to the next floor.

use crate::grid::{CellOffset, Dir, Verdict};

use super::ground::{ColumnKind, RelaxedGround};

/// The thickest walls that are looked through [m].
const THICKEST: f32 = 30.0;
/// The widest gaps that are looked across [columns].
const MOST_COLUMNS: i32 = 1024;

/// From a span in a straight line to the next floor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The span it leads to.
    pub to: u32,
    /// Columns between the two.
    pub columns: i32,
    /// Whether something solid is in between.
    pub is_solid: bool,
}

impl Crossing {
    /// The crossing from a span in a direction; `None` if the ground goes on there, and if there is
    /// nothing to land on.
    pub fn find(ground: &RelaxedGround, span: u32, dir: Dir) -> Option<Self> {
        let feet = ground.view.spans()[span as usize].floor;
        let column = ground.view.column(span);
        let CellOffset { x, z } = dir.offset();
        let thickest = (THICKEST / (ground.cell_size * dir.length())) as i32;
        let mut is_solid = false;
        let mut is_void = true;
        for count in 1..=MOST_COLUMNS {
            if is_solid && count > thickest {
                return None;
            }
            let next = ground.beside(column, CellOffset { x: x * count, z: z * count })?;
            let kind = ground.column_kind(next, feet, ground.allowance());
            if let ColumnKind::Ground(to) = kind {
                let is_wall = is_solid || is_void && touches(ground, [span, to]);
                return (count > 1).then_some(Crossing {
                    to,
                    columns: count - 1,
                    is_solid: is_wall,
                });
            }
            if is_void
                && count > 1
                && let Some(to) = lower_landing(ground, next, feet)
            {
                let is_wall = is_solid || touches(ground, [span, to]);
                return Some(Crossing { to, columns: count - 1, is_solid: is_wall });
            }
            is_solid |= kind == ColumnKind::Solid;
            is_void &= kind == ColumnKind::Void || kind == ColumnKind::Solid;
        }
        None
    }
}

/// The highest floor below a height that has open space up to it.
fn lower_landing(ground: &RelaxedGround, column: usize, feet: f32) -> Option<u32> {
    let spans = ground.view.spans();
    let below = ground.floors(column).filter(|&span| spans[span as usize].floor <= feet).last()?;
    (spans[below as usize].ceiling >= feet + ground.agent.height).then_some(below)
}

/// Whether the body touches something at one of two spans.
fn touches(ground: &RelaxedGround, ends: [u32; 2]) -> bool {
    ends.iter().any(|&end| matches!(ground.verdict(end), Verdict::Obstacle(_)))
}
