//! Counts what a picture shows, for its legend.

use surefoot::grid::{AgentId, Cell, NavGrid, RegionId, Span, SpanId, Verdict};
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

use super::palette::{REASONS, reason};
use super::storeys::StoreyRef;

/// What one storey holds for one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct StoreyCounts {
    /// Number of spans.
    pub spans: usize,
    /// Spans where the agent can stand.
    pub walkable: usize,
    /// Spans where it cannot, by reason.
    pub reasons: [usize; REASONS],
    /// Its regions that have ground on this storey.
    pub regions: Vec<RegionCount>,
    /// Spans by area.
    pub areas: Vec<usize>,
    /// The highest walkable place, else the highest.
    pub summit: Option<(Cell, f32)>,
}

/// A region's part on a storey.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionCount {
    /// Its number.
    pub region: usize,
    /// Its spans on this storey.
    pub spans: usize,
    /// Its roomiest cell, and the clearance there [m].
    pub middle: (Cell, f32),
}

struct CountedSpan<'a> {
    cell: Cell,
    span: &'a Span,
}

impl StoreyCounts {
    /// Counts one storey for one agent. O(spans).
    pub(super) fn of(
        grid: &NavGrid,
        agent: AgentId,
        on: StoreyRef,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let mut counts = StoreyCounts { areas: vec![0; 256], ..StoreyCounts::default() };
        let mut regions: Vec<Option<RegionCount>> = Vec::new();
        for_each_observed(0..grid.frame().cells(), observer, |at| {
            let cell = grid.frame().cell(at);
            for span in grid.column_spans(cell).map(SpanId).filter(|&span| on.holds(span)) {
                let seen = CountedSpan { cell, span: &grid.spans()[span.index()] };
                let standing = &grid.layers()[agent.index()].standings[span.index()];
                counts.count(seen, standing.verdict());
                let Some(region) = standing.region() else { continue };
                let clearance = grid.clearance(agent, span).unwrap_or_default();
                count_region(&mut regions, region, (cell, clearance));
            }
        })?;
        counts.regions = regions.into_iter().flatten().collect();
        Ok(counts)
    }

    fn count(&mut self, seen: CountedSpan, verdict: Verdict) {
        let CountedSpan { cell, span } = seen;
        self.spans += 1;
        self.areas[usize::from(span.area().0)] += 1;
        match reason(verdict) {
            Some(reason) => self.reasons[reason] += 1,
            None => self.walkable += 1,
        }
        if self.summit.is_none_or(|(_, height)| span.floor > height) {
            self.summit = Some((cell, span.floor));
        }
    }
}

/// Counts a span of a region, with its cell and the clearance there [m].
fn count_region(regions: &mut Vec<Option<RegionCount>>, region: RegionId, place: (Cell, f32)) {
    let region = region.0 as usize;
    if regions.len() <= region {
        regions.resize(region + 1, None);
    }
    let first = RegionCount { region, spans: 0, middle: (place.0, 0.0) };
    let count = regions[region].get_or_insert(first);
    count.spans += 1;
    if place.1 > count.middle.1 {
        count.middle = place;
    }
}
