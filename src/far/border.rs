//! Provides [`TileBorder`]: the gates of a tile, and what it costs to get from one to another.

use super::gates::{Crossing, Gate, find_gates};
use crate::cost::HeightCost;
use crate::grid::{AgentId, Cell, Dir, GridError, GridFrame, NavGrid, SpanId};
use crate::navigator::Navigator;
use crate::search::{CostField, FieldQuery};
use crate::view::View;

/// How the gates of tiles are chosen, and what crossing tiles costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderRules {
    /// At most so many cells of an opening share a gate [>= 1]. With 1 every connection across a border is one,
    /// and far costs are the least there are; memory grows with the square of the number of gates.
    pub spacing: u32,
    /// What heights cost.
    pub model: HeightCost,
}

/// The gates of a tile for one agent, and the least costs between them on the tile's own cells.
#[derive(Clone, Debug, PartialEq)]
pub struct TileBorder {
    /// The least cell of the tile.
    pub min: Cell,
    /// In a fixed order.
    pub gates: Vec<Gate>,
    /// From each gate (row by row) to each [metres-equivalent]; infinite if no path leads there.
    pub costs: Vec<f32>,
}

impl TileBorder {
    /// Finds the gates of a tile and the costs between them. The tile's grid has its own cells and those next
    /// to them. Links count where both ends lie on its own cells. O(spans), as preparing routes.
    ///
    /// # Errors
    /// The grid has none of the tile's own cells, or no such agent.
    pub fn find(
        tile: &NavGrid,
        own: &GridFrame,
        agent: AgentId,
        rules: &BorderRules,
    ) -> Result<Self, GridError> {
        let inner = tile.cropped_to(own)?;
        let no_agent = |_| GridError {
            place: format!("agent {}", agent.0),
            problem: "the tile has no such agent".to_owned(),
        };
        let view = View::new(&inner, agent).map_err(no_agent)?;
        let outer = View::new(tile, agent).map_err(no_agent)?;
        let crossings = find_gates(tile, own, agent, rules.spacing.max(1));
        let spans: Vec<SpanId> =
            crossings.iter().map(|crossing| moved(tile, &inner, crossing.from)).collect();
        let mut field = CostField::default();
        let gates: Vec<Gate> = crossings
            .iter()
            .map(|crossing| gate(&outer, crossing, &rules.model, &mut field))
            .collect();
        let costs = costs_between(&view, &spans, &rules.model);
        Ok(TileBorder { min: own.min, gates, costs })
    }
}

/// From so many spans on, preparing routes is faster than a field for each.
const LEAST_PREPARED: usize = 16;

/// Returns the least costs from each span to each, row by row; infinite where no path leads.
fn costs_between(view: &View, spans: &[SpanId], model: &HeightCost) -> Vec<f32> {
    if spans.len() >= LEAST_PREPARED
        && let Ok(mut nav) = Navigator::with_model(view.grid().clone(), view.agent_id(), *model)
        && nav.prepare().is_ok()
        && let Some(costs) = nav.table(spans, spans)
    {
        return costs;
    }
    let mut field = CostField::default();
    let mut row = |from: &SpanId| {
        field.fill(view, model, &FieldQuery::from(&[*from]));
        let cost = |to: &SpanId| field.cost(*to).unwrap_or(f32::INFINITY);
        spans.iter().map(cost).collect::<Vec<f32>>()
    };
    spans.iter().flat_map(&mut row).collect()
}

/// Returns what a span of a tile is called in a grid of its own cells.
fn moved(tile: &NavGrid, inner: &NavGrid, span: SpanId) -> SpanId {
    let cell = tile.cell_of(span).unwrap_or_default();
    let layer = span.0 - tile.column_spans(cell).start;
    SpanId(inner.column_spans(cell).start + layer)
}

fn gate(view: &View, crossing: &Crossing, model: &HeightCost, field: &mut CostField) -> Gate {
    let tile = view.grid();
    let Crossing { from, dir, to } = *crossing;
    let place = |span: SpanId| {
        let cell = tile.cell_of(span).unwrap_or_default();
        (cell, span.0 - tile.column_spans(cell).start)
    };
    let ((cell, layer), (_, to_layer)) = (place(from), place(to));
    let point = tile.point(from).unwrap_or_default();
    // As far as the neighbors of the cell.
    let near = Some((point, NEIGHBORS * tile.frame().cell_size));
    field.fill(view, model, &FieldQuery { circle: near, ..FieldQuery::from(&[from]) });
    let crossing = field.cost(to).unwrap_or(f32::INFINITY);
    Gate { cell, layer, dir, to_layer, height: point.y, crossing }
}

/// The centers of the cells around a cell lie within this distance of its own [cells].
const NEIGHBORS: f32 = 1.5;

impl BorderRules {
    /// Rules with gates at most so many cells apart, and the usual costs of heights.
    pub fn with_spacing(spacing: u32) -> Self {
        BorderRules { spacing, model: HeightCost::default() }
    }
}

/// Returns the number of a direction, for files.
pub(super) fn dir_code(dir: Dir) -> u8 {
    dir.index() as u8
}
