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
    /// The crossings from a span in a direction: to the next floor on which the body can stand or land, and
    /// up to the first that is higher. None if the ground goes on there.
    pub fn find(ground: &RelaxedGround, span: u32, dir: Dir) -> [Option<Self>; 2] {
        let feet = ground.view.spans()[span as usize].floor;
        let column = ground.view.column(span);
        let CellOffset { x, z } = dir.offset();
        let thickest = (THICKEST / (ground.cell_size * dir.length())) as i32;
        let mut higher = None;
        let mut is_solid = false;
        let mut is_void = true;
        let mut is_topped = false;
        for columns in 0..MOST_COLUMNS {
            let count = columns + 1;
            let next = ground.beside(column, CellOffset { x: x * count, z: z * count });
            let Some(next) = next.filter(|_| !is_solid || count <= thickest) else { break };
            let kind = ground.column_kind(next, feet, ground.allowance());
            if let ColumnKind::Ground(to) = kind {
                let is_solid = is_solid || is_void && touches(ground, &[span, to]);
                let level = Crossing { to, columns, is_solid };
                return [(columns > 0).then_some(level), higher];
            }
            if is_void
                && columns > 0
                && let Some(to) = lower_landing(ground, next, feet)
            {
                let is_solid = is_solid || touches(ground, &[span, to]);
                return [Some(Crossing { to, columns, is_solid }), higher];
            }
            if is_void && !is_solid && columns > 0 && higher.is_none() {
                let landing = higher_landing(ground, span, next);
                // The lower end may well touch what the higher one belongs to.
                let crossing = |to| Crossing { to, columns, is_solid: touches(ground, &[to]) };
                higher = landing.map(crossing);
            }
            if is_void
                && is_topped
                && let Some(to) = behind(ground, next, feet)
            {
                let is_solid = is_solid || touches(ground, &[span, to]);
                return [Some(Crossing { to, columns, is_solid }), higher];
            }
            is_topped |= top_over(ground, next, feet).is_some();
            is_solid |= kind == ColumnKind::Solid;
            is_void &= kind == ColumnKind::Void || kind == ColumnKind::Solid;
        }
        [None, higher]
    }
}

/// The highest floor below a height that has open space up to it.
fn lower_landing(ground: &RelaxedGround, column: usize, feet: f32) -> Option<u32> {
    let spans = ground.view.spans();
    let below = ground.floors(column).filter(|&span| spans[span as usize].floor <= feet).last()?;
    (spans[below as usize].ceiling >= feet + ground.agent.height).then_some(below)
}

/// The lowest floor of a column above a span that has open space up to it.
fn higher_landing(ground: &RelaxedGround, span: u32, column: usize) -> Option<u32> {
    let spans = ground.view.spans();
    let start = &spans[span as usize];
    let above = ground.floors(column).find(|&other| spans[other as usize].floor > start.floor)?;
    let top = spans[above as usize].floor + ground.agent.height;
    (start.ceiling.min(spans[above as usize].ceiling) >= top).then_some(above)
}

/// The lowest floor of a column, if it lies above a body whose feet are at a height: what carries it may reach
/// down in front of the body.
pub(super) fn top_over(ground: &RelaxedGround, column: usize, feet: f32) -> Option<u32> {
    let lowest = ground.floors(column).next()?;
    let is_over = ground.view.floor(lowest) > feet + ground.agent.height;
    is_over.then_some(lowest)
}

/// The floor on which a body stands behind something, if its feet come no higher than its head was before.
fn behind(ground: &RelaxedGround, column: usize, feet: f32) -> Option<u32> {
    let height = ground.agent.height;
    let is_landing = |&span: &u32| {
        let rise = ground.view.floor(span) - feet;
        let headroom = ground.view.spans()[span as usize].headroom();
        (0.0..=height).contains(&rise) && headroom >= height
    };
    ground.floors(column).find(is_landing)
}

/// Whether the body touches something at one of some spans.
fn touches(ground: &RelaxedGround, ends: &[u32]) -> bool {
    ends.iter().any(|&end| matches!(ground.verdict(end), Verdict::Obstacle(_)))
}
