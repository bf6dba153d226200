//! The picture of one storey for one agent.

use surefoot::grid::{AgentId, GridFrame, NavGrid, SpanId};
use surefoot::{Cancelled, Observer};

use super::area_style::area_styles;
use super::canvas::{Canvas, PixelPoint};
use super::grid_maps::StoreyMap;
use super::heights::{self, contour_interval, height_range};
use super::layout::PageLayout;
use super::legend::{LegendBlock, Swatch};
use super::links::{self, LinkArc};
use super::numbers::trimmed;
use super::palette::{
    FORBIDDEN, INK, LESSER_REGION, PAPER, REASON_INKS, REASON_NAMES, Rgb, TINTED_REGIONS,
    flat_region_tint, height_tint,
};
use super::phrases::{agent_line, area_of, height_span, not_drawn, share};
use super::storey_counts::{RegionCount, StoreyCounts};
use super::storeys::{StoreyRef, Storeys};
use super::text_style::{Align, TextStyle};

/// Draws what a storey is to an agent.
pub(super) fn draw(
    grid: &NavGrid,
    agent: AgentId,
    on: StoreyRef,
    observer: &dyn Observer,
) -> Result<Canvas, Cancelled> {
    let StoreyRef { storeys, number: storey } = on;
    let layer = &grid.layers()[agent.index()];
    let counts = StoreyCounts::of(grid, agent, on, observer)?;
    let spans = grid.spans();
    let floor = |at: usize| on.holds(SpanId(at as u32)).then_some(spans[at].floor);
    let range = height_range(spans.len(), observer, floor)?;
    let arcs = links::on_storey(grid, agent, on);
    let legend = StoreyLegend { grid, counts: &counts, range, arcs: &arcs };
    let page = PageLayout {
        window: *grid.frame(),
        title: title(grid, &layer.agent.name),
        lines: vec![agent_line(&layer.agent), storey_line(storeys, storey, &counts, grid.frame())],
        blocks: legend.blocks(not_drawn(grid, storeys, agent.index())),
        area_styles: area_styles(grid.areas()),
        contours: contour_interval(range),
    };
    let map = StoreyMap { grid, storeys, storey, agent, heights: range };
    let mut canvas = page.draw(grid, &map, observer)?;
    arcs.iter().for_each(|arc| arc.draw(&mut canvas));
    number_regions(&mut canvas, grid.frame(), &counts);
    Ok(canvas)
}

/// The scene, and the agent it is drawn for.
fn title(grid: &NavGrid, agent: &str) -> String {
    match grid.provenance().scene.as_str() {
        "" => format!("Where {agent} can stand"),
        scene => format!("{scene} — where {agent} can stand"),
    }
}

fn storey_line(
    storeys: &Storeys,
    storey: usize,
    counts: &StoreyCounts,
    frame: &GridFrame,
) -> String {
    let all = storeys.drawn();
    let place = if all.len() == 1 {
        "The only storey".to_owned()
    } else {
        format!("Storey {storey} of 0 to {}", all.len() - 1)
    };
    let floors = height_span(all[storey].heights);
    let walkable = area_of(counts.walkable, frame);
    format!("{place}, floors at {floors}; {walkable} to walk on")
}

/// What the legend is made from.
struct StoreyLegend<'a> {
    grid: &'a NavGrid,
    counts: &'a StoreyCounts,
    range: [f32; 2],
    arcs: &'a [LinkArc<'a>],
}

impl StoreyLegend<'_> {
    fn blocks(&self, notes: Vec<String>) -> Vec<LegendBlock> {
        let mut blocks = vec![self.verdicts(), self.regions(), self.heights()];
        blocks.push(self.areas());
        blocks.push(self.links());
        let mut rest = LegendBlock::new("Not on this map");
        notes.iter().for_each(|note| rest.note(note));
        blocks.push(rest);
        blocks.retain(|block| !block.rows.is_empty());
        blocks
    }

    fn value(&self, spans: usize) -> String {
        let part = share(spans, self.counts.spans);
        format!("{}   {part}", area_of(spans, self.grid.frame()))
    }

    fn verdicts(&self) -> LegendBlock {
        let mut block = LegendBlock::new("Verdicts");
        if self.counts.walkable > 0 {
            let value = self.value(self.counts.walkable);
            block.row(Swatch::Tints(self.ground_tints()), "walkable", value);
        }
        for (reason, &spans) in self.counts.reasons.iter().enumerate().filter(|(_, n)| **n > 0) {
            let swatch = Swatch::Tints(vec![REASON_INKS[reason]]);
            block.row(swatch, REASON_NAMES[reason], self.value(spans));
        }
        block
    }

    /// The tints of walkable ground on this storey, those of the larger regions first.
    fn ground_tints(&self) -> Vec<Rgb> {
        let regions = self.counts.regions.iter().take(MAX_STRIPES);
        regions.map(|count| flat_region_tint(count.region)).collect()
    }

    fn regions(&self) -> LegendBlock {
        let mut block = LegendBlock::new("Regions, by size");
        let (tinted, lesser): (Vec<RegionCount>, Vec<_>) =
            self.counts.regions.iter().partition(|count| count.region < TINTED_REGIONS);
        for count in tinted {
            let swatch = Swatch::Numbered(flat_region_tint(count.region), count.region);
            let label = if count.region == 0 { "the largest, tinted by height" } else { "" };
            block.row(swatch, label, area_of(count.spans, self.grid.frame()));
        }
        if !lesser.is_empty() {
            let spans = lesser.iter().map(|count| count.spans).sum();
            let label = format!("{} lesser", lesser.len());
            let value = area_of(spans, self.grid.frame());
            block.row(Swatch::Tints(vec![LESSER_REGION]), label, value);
        }
        block
    }

    fn heights(&self) -> LegendBlock {
        let tinted = self.counts.regions.first().is_some_and(|count| count.region == 0);
        heights::block(self.range, tinted)
    }

    fn areas(&self) -> LegendBlock {
        let mut block = LegendBlock::new("Kinds of ground");
        let area_styles = area_styles(self.grid.areas());
        for (id, area) in self.grid.areas().iter().enumerate().skip(1) {
            let spans = self.counts.areas.get(id).copied().unwrap_or(0);
            if spans == 0 {
                continue;
            }
            let (tint, cost) = if area.forbidden {
                (REASON_INKS[FORBIDDEN], "forbidden".to_owned())
            } else {
                (height_tint(0.45), format!("cost × {}", trimmed(f64::from(area.cost))))
            };
            let label = format!("{}, {cost}", area.name);
            block.row(
                Swatch::Ground(tint, area_styles[id]),
                label,
                area_of(spans, self.grid.frame()),
            );
        }
        block
    }

    fn links(&self) -> LegendBlock {
        let mut block = LegendBlock::new("Links");
        for (live, label) in [(true, "can be taken"), (false, "cannot be taken")] {
            let count = self.arcs.iter().filter(|arc| arc.live == live).count();
            if count > 0 {
                block.row(Swatch::Link { live }, label, count.to_string());
            }
        }
        block
    }
}

/// The swatch of walkable ground shows at most this many tints.
const MAX_STRIPES: usize = 4;

/// Writes the number of each region that has a tint of its own at its roomiest place.
fn number_regions(canvas: &mut Canvas, frame: &GridFrame, counts: &StoreyCounts) {
    if counts.regions.len() < 2 {
        return;
    }
    let pixels = (canvas.transform().scale * frame.cell_size).powi(2);
    for count in counts.regions.iter().filter(|count| count.region < TINTED_REGIONS) {
        if (count.spans as f32) * pixels < MIN_NUMBERED {
            continue;
        }
        let middle = canvas.transform().to_pixels(frame.point(count.middle.0, 0.0));
        let style = TextStyle::new(20.0, INK).bold().aligned(Align::Center).halo(PAPER);
        let number = count.region.to_string();
        canvas.text(PixelPoint::new(middle.x, middle.y + 7.0), &number, style);
    }
}

/// Regions with fewer pixels have no room for their number.
const MIN_NUMBERED: f32 = 700.0;
