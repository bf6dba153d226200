//! The picture of a whole level from above, and of all agents at once.

use std::collections::BTreeMap;

use surefoot::grid::{AgentLayer, NavGrid};
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

use super::area_style::area_styles;
use super::canvas::Canvas;
use super::grid_maps::OverviewMap;
use super::heights::{contour_interval, height_range};
use super::layout::PageLayout;
use super::legend::{LegendBlock, Swatch};
use super::links;
use super::numbers::trimmed;
use super::palette::height_tint;
use super::phrases::{area_of, height_span, share};
use super::storeys::Storeys;

/// Draws the highest floors, and which agents can stand on them.
pub(super) fn draw(
    grid: &NavGrid,
    storeys: &Storeys,
    observer: &dyn Observer,
) -> Result<Canvas, Cancelled> {
    let mut tops = Vec::new();
    for_each_observed(0..grid.frame().cells(), observer, |at| {
        tops.extend(grid.column_spans(grid.frame().cell(at)).next_back());
    })?;
    let floor = |at: usize| Some(grid.spans()[tops[at] as usize].floor);
    let range = height_range(tops.len(), observer, floor)?;
    let map = OverviewMap::new(grid, range, &tops);
    let mut blocks = vec![agents_block(&map, &tops), super::heights::block(range, true)];
    blocks.push(areas(grid, &tops));
    blocks.extend(grid.layers().iter().map(|layer| agent_block(grid, layer)));
    blocks.push(storey_block(grid, storeys));
    let arcs = links::on_overview(grid);
    blocks.push(link_block(&arcs));
    blocks.retain(|block| !block.rows.is_empty());
    let page = PageLayout {
        window: *grid.frame(),
        title: match grid.provenance().scene.as_str() {
            "" => "The level from above".to_owned(),
            scene => format!("{scene} — from above"),
        },
        lines: vec![size_line(grid)],
        blocks,
        area_styles: area_styles(grid.areas()),
        contours: contour_interval(range),
    };
    let mut canvas = page.draw(grid, &map, observer)?;
    arcs.iter().for_each(|arc| arc.draw(&mut canvas));
    Ok(canvas)
}

fn size_line(grid: &NavGrid) -> String {
    let frame = grid.frame();
    let side =
        |cells: u32| trimmed((f64::from(cells) * f64::from(frame.cell_size) * 10.0).round() / 10.0);
    format!(
        "{} × {} m in cells of {} m, {} floors over {} columns",
        side(frame.size_x),
        side(frame.size_z),
        trimmed(f64::from(frame.cell_size)),
        grid.spans().len(),
        frame.cells(),
    )
}

/// Ground by the agents that can stand on it, most first.
fn agents_block(map: &OverviewMap, tops: &[u32]) -> LegendBlock {
    let mut groups: BTreeMap<u32, usize> = BTreeMap::new();
    for &span in tops {
        *groups.entry(map.who(span as usize)).or_default() += 1;
    }
    let mut groups: Vec<(u32, usize)> = groups.into_iter().collect();
    groups.sort_by_key(|&(who, spans)| (std::cmp::Reverse((who.count_ones(), spans)), who));
    let mut block = LegendBlock::new("Who can stand here");
    for (who, spans) in groups {
        let swatch = Swatch::Tints(vec![map.group_tint(who, 0.45)]);
        let frame = map.grid.frame();
        let value = format!("{}   {}", area_of(spans, frame), share(spans, tops.len()));
        block.row(swatch, names(map.grid.layers(), who), value);
    }
    block
}

fn names(layers: &[AgentLayer], who: u32) -> String {
    let able = layers.iter().enumerate().filter(|(agent, _)| who >> (*agent).min(31) & 1 == 1);
    let names: Vec<&str> = able.map(|(_, layer)| layer.agent.name.as_str()).collect();
    match names.len() {
        0 => "nobody".to_owned(),
        _ => names.join(", "),
    }
}

fn areas(grid: &NavGrid, tops: &[u32]) -> LegendBlock {
    let mut counts = [0; 256];
    for &span in tops {
        counts[usize::from(grid.spans()[span as usize].area().0)] += 1;
    }
    let mut block = LegendBlock::new("Kinds of ground");
    for (id, print) in area_styles(grid.areas()).into_iter().enumerate().skip(1) {
        let area = &grid.areas()[id];
        let spans = counts.get(id).copied().unwrap_or(0);
        if spans > 0 {
            let swatch = Swatch::Ground(height_tint(0.45), print);
            block.row(swatch, area.name.as_str(), area_of(spans, grid.frame()));
        }
    }
    block
}

fn agent_block(grid: &NavGrid, layer: &AgentLayer) -> LegendBlock {
    let agent = &layer.agent;
    let number = |value: f32| trimmed(f64::from(value));
    let (radius, height) = (number(agent.radius), number(agent.height));
    let mut block =
        LegendBlock::new(format!("{}: radius {radius} m, height {height} m", agent.name));
    let walkable = layer.standings.iter().filter(|standing| standing.is_walkable()).count();
    let floors =
        format!("{}   {}", area_of(walkable, grid.frame()), share(walkable, grid.spans().len()));
    block.row(Swatch::Blank, "walkable, all storeys", floors);
    if let Some(largest) = layer.regions.first() {
        let value = area_of(largest.spans as usize, grid.frame());
        block.row(Swatch::Blank, format!("largest of {} regions", layer.regions.len()), value);
    }
    block
}

fn storey_block(grid: &NavGrid, storeys: &Storeys) -> LegendBlock {
    let mut block = LegendBlock::new("Storeys");
    for (number, storey) in storeys.drawn().iter().enumerate() {
        let most = storey.walkable.iter().max().copied().unwrap_or(0);
        let label = format!("{number}:  {}", height_span(storey.heights));
        block.row(Swatch::Blank, label, format!("{} walkable", area_of(most, grid.frame())));
    }
    for note in super::phrases::not_drawn(grid, storeys, 0) {
        block.note(&format!("not drawn: {note}"));
    }
    block
}

fn link_block(arcs: &[links::LinkArc]) -> LegendBlock {
    let mut block = LegendBlock::new("Links");
    for (live, label) in [(true, "taken by some agent"), (false, "taken by none")] {
        let count = arcs.iter().filter(|arc| arc.live == live).count();
        if count > 0 {
            block.row(Swatch::Link { live }, label, count.to_string());
        }
    }
    block
}
