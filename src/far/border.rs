//! Provides [`TileBorder`]: the gates of a tile, and what it costs to get from one to another.

use std::collections::BTreeMap;

use super::gates::{Crossing, Gate, find_gates};
use super::links::FarLink;
use crate::cost::HeightCost;
use crate::grid::{AgentId, Cell, CellLayer, GridError, GridTile, NavGrid, SpanId};
use crate::navigator::Navigator;
use crate::search::{CostField, FieldQuery};
use crate::view::{LinkFilter, View};

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
    /// Finds the gates of a tile and the costs between them. Its grid has its own cells and those next to them.
    /// Links of the grid count where both ends lie on its own cells. All others are given by `links`, and have
    /// gates where they start or end on its own cells; the tiles at both ends have to be given the same.
    /// O(spans), as preparing routes.
    ///
    /// # Errors
    /// The grid has none of the tile's own cells, or no such agent.
    pub fn find(
        tile: &GridTile,
        agent: AgentId,
        links: &[FarLink],
        rules: &BorderRules,
    ) -> Result<Self, GridError> {
        let inner = tile.grid.cropped_to(&tile.own)?;
        let no_agent = |_| GridError {
            place: format!("agent {}", agent.0),
            problem: "the tile has no such agent".to_owned(),
        };
        let view = View::new(&inner, agent).map_err(no_agent)?;
        let outer = View::new(tile.grid, agent).map_err(no_agent)?;
        let crossings = find_gates(tile, agent, rules.spacing.max(1));
        let mut field = CostField::default();
        let gates = crossings.iter().map(|own| gate(&outer, own, &rules.model, &mut field));
        let gates = with_links(gates.collect(), &link_gates(&inner, links));
        let spans: Vec<SpanId> = gates.iter().filter_map(|gate| inner.span_of(gate.at)).collect();
        let costs = costs_between(&view, &spans, &rules.model);
        Ok(TileBorder { min: tile.own.min, gates, costs })
    }
}

impl TileBorder {
    /// Whether its links are these, given a grid of the tile's own cells: if so, and if the tile is as it was, its
    /// costs are as they were.
    pub(crate) fn has_links(&self, inner: &NavGrid, links: &[FarLink]) -> bool {
        let sorted = |gates: &[Gate]| {
            let mut sorted: Vec<Gate> = gates.iter().filter(|gate| gate.is_link).copied().collect();
            sorted.sort_by_key(Gate::name);
            sorted
        };
        let connections = self.gates.iter().filter(|gate| !gate.is_link).copied().collect();
        sorted(&with_links(connections, &link_gates(inner, links))) == sorted(&self.gates)
    }

    /// Returns the gates that are kept, by their own spans, with the costs between them.
    #[must_use]
    pub fn retained(&self, is_kept: impl Fn(CellLayer) -> bool) -> Self {
        let kept: Vec<bool> = self.gates.iter().map(|gate| is_kept(gate.at)).collect();
        let of_kept = |at: &usize| kept.get(*at).is_some_and(|&kept| kept);
        let gates = (0..kept.len()).filter(of_kept).map(|at| self.gates[at]).collect();
        let rows = self.costs.chunks(kept.len().max(1)).enumerate();
        let rows = rows.filter(|(row, _)| of_kept(row)).map(|(_, row)| row);
        let costs = rows.flat_map(|row| row.iter().enumerate().filter(|(at, _)| of_kept(at)));
        TileBorder { min: self.min, gates, costs: costs.map(|(_, &cost)| cost).collect() }
    }
}

/// Returns the gates at the ends of links that lie on a tile, given a grid of its own cells.
fn link_gates(inner: &NavGrid, links: &[FarLink]) -> Vec<Gate> {
    let of_link = |link: &FarLink| {
        let FarLink { ends: [from, to], costs: [there, back] } = *link;
        let gate = |at: CellLayer, to: CellLayer, crossing: f32| {
            let height = inner.span(inner.span_of(at)?)?.floor;
            Some(Gate { at, to, height, crossing, is_link: true })
        };
        [gate(from, to, there), gate(to, from, back)].into_iter().flatten()
    };
    links.iter().flat_map(of_link).collect()
}

/// Adds gates of links to others, in a fixed order. Where two lead from one span to one other, the cheaper one
/// stays.
fn with_links(mut gates: Vec<Gate>, links: &[Gate]) -> Vec<Gate> {
    let mut known: BTreeMap<[CellLayer; 2], usize> =
        gates.iter().map(Gate::name).zip(0..).collect();
    let mut sorted = links.to_vec();
    sorted.sort_by_key(Gate::name);
    for gate in sorted {
        let at = *known.entry(gate.name()).or_insert(gates.len());
        match gates.get_mut(at) {
            Some(same) if gate.crossing < same.crossing => *same = gate,
            Some(_) => {}
            None => gates.push(gate),
        }
    }
    gates
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

fn gate(view: &View, crossing: &Crossing, model: &HeightCost, field: &mut CostField) -> Gate {
    let tile = view.grid();
    let Crossing { from, to, .. } = *crossing;
    let address = |span: SpanId| tile.cell_layer(span).unwrap_or_default();
    let point = tile.point(from).unwrap_or_default();
    // As far as the neighbors of the cell.
    let near = Some((point, NEIGHBORS * tile.frame().cell_size));
    let links = LinkFilter::only(&[]);
    field.fill(view, model, &FieldQuery { circle: near, links, ..FieldQuery::from(&[from]) });
    let crossing = field.cost(to).unwrap_or(f32::INFINITY);
    Gate { at: address(from), to: address(to), height: point.y, crossing, is_link: false }
}

/// The centers of the cells around a cell lie within this distance of its own [cells].
const NEIGHBORS: f32 = 1.5;

impl BorderRules {
    /// Rules with gates at most so many cells apart, and the usual costs of heights.
    pub fn with_spacing(spacing: u32) -> Self {
        BorderRules { spacing, model: HeightCost::default() }
    }
}
