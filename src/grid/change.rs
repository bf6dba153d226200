//! Provides [`GridChange`]: a grid of which some parts changed, and the last stage of making a layer of
//! it: clearance and regions, at the cost of what changed.

use std::ops::Range;

use super::clearance::measure_clearance;
use super::frame::GridFrame;
use super::parts::{AgentLayer, GridError, GridParts};
use super::regions::{find_regions, write_regions};
use super::regions_of_change::ChangedRegions;
use super::span::{AgentId, RegionId};
use super::standing::Standing;
use crate::level::SpanId;

/// A grid, and which cells of it changed since an older one of the same frame.
#[derive(Clone, Copy, Debug)]
pub struct GridChange<'a> {
    /// The older grid.
    pub old: &'a GridParts,
    /// Where the columns of the new one start.
    pub first: &'a [u32],
    /// Rectangles of cells, as far apart as [`merge_windows`] leaves them. Outside of them columns have as
    /// many spans as before, with the same verdicts and connections.
    pub windows: &'a [GridFrame],
}

/// The spans that two-way links join for one agent, before a change and after it.
#[derive(Clone, Copy, Debug)]
pub struct TwoWayEnds<'a> {
    /// Spans of the older grid.
    pub old: &'a [[SpanId; 2]],
    /// Spans of the new one.
    pub new: &'a [[SpanId; 2]],
}

/// What is known of one agent's layer of a grid of which some parts changed.
#[derive(Clone, Copy, Debug)]
pub struct LayerChange<'a> {
    /// The agent.
    pub agent: AgentId,
    /// What links join for it.
    pub two_way: TwoWayEnds<'a>,
    /// The lowest span of each region of the older grid.
    pub lowest: &'a [SpanPlace],
}

/// A layer after a change.
#[derive(Clone, Debug)]
pub struct ChangedLayer {
    /// The lowest span of each region.
    pub lowest: Vec<SpanPlace>,
    /// Whether clearance and regions are as before beyond [`CHANGE_REACH`] of the windows.
    pub is_local: bool,
}

/// A span by its place, which changes elsewhere do not move. Sorted like spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpanPlace {
    /// Row-major position of its column.
    pub column: u32,
    /// Its index in its column.
    pub layer: u32,
}

/// How far around a window clearance may change [cells].
pub const CHANGE_REACH: u32 = MEASURED;

/// How far apart the windows of a change are at least [cells].
const WINDOW_DISTANCE: u32 = 2 * WINDOW_RINGS[0] + 1;

/// So far around what changed it is asked whether ground is still joined [cells]: first close by, which
/// mostly tells, then as far as a look costs less than finding all regions.
pub(super) const WINDOW_RINGS: [u32; 2] = [8, 96];

/// The region of spans whose region is not known yet.
pub const UNKNOWN_REGION: RegionId = RegionId((1 << 20) - 1);

/// Clearance reaches so far [cells].
const CLEARANCE_REACH: u32 = 32;
/// Clearance is measured again so far from what changed, where it must be as before...
const MEASURED: u32 = 2 * CLEARANCE_REACH;
/// ...from here on...
const ALIKE: u32 = MEASURED - CLEARANCE_REACH / 2;
/// ...with so many cells around that are seen.
const SEEN: u32 = MEASURED + CLEARANCE_REACH;

impl GridChange<'_> {
    /// Computes clearance and regions of a layer as [`finish_layer`](super::baker::finish_layer) does. On
    /// entry the spans outside of the windows have those of the older grid, and those inside have
    /// [`UNKNOWN_REGION`]. O(cells near the windows) where only clearance and the ground around the
    /// windows changed, O(spans) where regions have to be numbered or found anew.
    ///
    /// # Errors
    /// More regions than can be numbered.
    pub fn finish_layer(
        &self,
        known: &LayerChange,
        layer: &mut AgentLayer,
    ) -> Result<ChangedLayer, GridError> {
        layer.far_connections.sort_unstable();
        let died_out = self.update_clearance(layer);
        if let Some(changed) = ChangedRegions::find(self, known, layer) {
            let changed = changed.write(layer);
            return Ok(ChangedLayer { is_local: changed.is_local && died_out, ..changed });
        }
        let regions = find_regions(&self.old.frame, self.first, known.two_way.new, layer)?;
        write_regions(regions, layer);
        Ok(ChangedLayer { lowest: lowest_spans(self.first, layer), is_local: false })
    }

    /// The id that a span of the older grid has now. It lies in no window.
    pub fn renumbered(&self, span: SpanId) -> SpanId {
        let column = self.old.first.partition_point(|&first| first <= span.0) - 1;
        SpanId(self.first[column] + (span.0 - self.old.first[column]))
    }

    /// Whether a span of the older grid lies in a window.
    pub fn is_old_in_window(&self, span: SpanId) -> bool {
        self.is_in_window(self.old.first.partition_point(|&first| first <= span.0) - 1)
    }

    /// Whether a column lies in a window.
    pub(super) fn is_in_window(&self, column: usize) -> bool {
        let cell = self.old.frame.cell(column);
        self.windows.iter().any(|window| window.index(cell).is_some())
    }

    /// The spans of the older grid in windows, row by row.
    pub(super) fn old_rows(&self) -> impl Iterator<Item = Range<usize>> {
        let rows = |window| rows_of(&self.old.frame, &self.old.first, window);
        let spans = self.windows.iter().flat_map(rows);
        spans.map(|(_, spans)| spans.start as usize..spans.end as usize)
    }

    /// Measures clearance anew; returns whether it is as before far from the windows.
    fn update_clearance(&self, layer: &mut AgentLayer) -> bool {
        let died_out = self.windows.iter().all(|window| self.update_clearance_near(window, layer));
        if !died_out {
            let frame = &self.old.frame;
            let clearance = measure_clearance(frame, self.first, layer, frame);
            for (standing, clearance) in layer.standings.iter_mut().zip(clearance.into_iter()) {
                if standing.is_walkable() {
                    standing.set_clearance(clearance);
                }
            }
        }
        died_out
    }

    /// Measures the clearance around a window. Returns whether it is as before at some distance, so that
    /// it is everywhere beyond.
    fn update_clearance_near(&self, window: &GridFrame, layer: &mut AgentLayer) -> bool {
        let frame = &self.old.frame;
        let grown = |by: u32| window.grown(by).overlap(frame);
        let clearance = measure_clearance(frame, self.first, layer, &grown(SEEN));
        let may_differ = |column| {
            let cell = frame.cell(column);
            self.windows.iter().any(|window| window.grown(ALIKE).index(cell).is_some())
        };
        let mut died_out = true;
        for (columns, _) in rows_of(frame, self.first, &grown(MEASURED)) {
            for column in columns {
                for span in self.first[column]..self.first[column + 1] {
                    let standing: &mut Standing = &mut layer.standings[span as usize];
                    let code = clearance.of(span);
                    if standing.is_walkable() && code != standing.clearance_code() {
                        died_out &= may_differ(column);
                        standing.set_clearance(code);
                    }
                }
            }
        }
        died_out
    }
}

/// The lowest span of each region of a layer. O(spans).
pub fn lowest_spans(first: &[u32], layer: &AgentLayer) -> Vec<SpanPlace> {
    let mut lowest: Vec<Option<SpanPlace>> = vec![None; layer.regions.len()];
    let mut left = lowest.len();
    for (column, spans) in (0u32..).zip(first.windows(2)) {
        if left == 0 {
            break;
        }
        for (own, span) in (0u32..).zip(spans[0]..spans[1]) {
            let Some(region) = layer.standings[span as usize].region() else { continue };
            let Some(place) = lowest.get_mut(region.0 as usize) else { continue };
            if place.is_none() {
                *place = Some(SpanPlace { column, layer: own });
                left -= 1;
            }
        }
    }
    // Every region has a span.
    lowest.into_iter().map(|place| place.unwrap_or(SpanPlace { column: 0, layer: 0 })).collect()
}

/// The columns and spans of each row of a part of a frame.
pub(super) fn rows_of<'a>(
    frame: &'a GridFrame,
    first: &'a [u32],
    part: &'a GridFrame,
) -> impl Iterator<Item = (Range<usize>, Range<u32>)> + 'a {
    let rows = if part.cells() > 0 { part.size_z as usize } else { 0 };
    (0..rows).filter_map(move |row| {
        let start = frame.index(part.cell(row * part.size_x as usize))?;
        let end = start + part.size_x as usize;
        Some((start..end, first[start]..first[end]))
    })
}

/// Returns rectangles that hold all of the given ones and lie far enough apart for a change.
pub fn merge_windows(mut windows: Vec<GridFrame>) -> Vec<GridFrame> {
    let mut merged: Vec<GridFrame> = Vec::new();
    while let Some(window) = windows.pop() {
        let near = |other: &GridFrame| window.grown(WINDOW_DISTANCE).overlap(other).cells() > 0;
        match merged.iter().position(near) {
            // The larger one may be near others that it was not.
            Some(at) => windows.push(around(&window, &merged.swap_remove(at))),
            None => merged.push(window),
        }
    }
    merged.sort_by_key(|window| (window.min.z, window.min.x));
    merged
}

/// The smallest frame that holds two.
fn around(a: &GridFrame, b: &GridFrame) -> GridFrame {
    let end = |frame: &GridFrame| {
        [
            frame.min.x.saturating_add_unsigned(frame.size_x),
            frame.min.z.saturating_add_unsigned(frame.size_z),
        ]
    };
    let min = super::Cell::new(a.min.x.min(b.min.x), a.min.z.min(b.min.z));
    let [x, z] = [0, 1].map(|axis| end(a)[axis].max(end(b)[axis]));
    GridFrame { min, size_x: x.abs_diff(min.x), size_z: z.abs_diff(min.z), ..*a }
}
