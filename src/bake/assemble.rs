//! Assembly: from tiles to the flat arrays of one grid.
//!
//! Tiles hold the steps of four directions; the steps back are filled in here.

use super::BakeError;
use super::tile::TileResult;
use crate::grid::{
    Dir, FarStep, GridFrame, Layered, Span, SpanId, Standing, StepCode, StepWriter,
    row_major_offsets,
};

/// The columns of a grid: where each starts, and all spans.
pub(super) struct Spans {
    pub frame: GridFrame,
    pub first: Vec<u32>,
    pub spans: Vec<Span>,
}

/// What one agent may do, in the arrays of the whole grid; ledges not yet marked.
pub(super) struct AgentSpans {
    pub standings: Vec<Standing>,
    pub far: Vec<FarStep>,
    /// Where floors end: span, direction, distance from the center along x or z [m].
    pub rims: Vec<(SpanId, Dir, f32)>,
}

impl Spans {
    /// Puts the spans of all tiles together.
    pub fn assemble(frame: GridFrame, tiles: &[TileResult]) -> Result<Self, BakeError> {
        let mut first = vec![0u32; frame.cells() + 1];
        for tile in tiles {
            tile.rows_in(&frame, |cell, cells, _| {
                if let Some(start) = frame.index(cell) {
                    let row = &mut first[start + 1..][..cells.len()];
                    row.copy_from_slice(&tile.counts[cells]);
                }
            });
        }
        let mut total = 0u32;
        for entry in &mut first {
            total = total.checked_add(*entry).ok_or(BakeError::TooManySpans)?;
            *entry = total;
        }
        let blank = Span::new(0.0, 0.0, nalgebra::Vector3::y());
        let mut spans = vec![blank; total as usize];
        for tile in tiles {
            tile.rows_in(&frame, |cell, _, from| {
                if let Some(start) = frame.index(cell) {
                    let to = first[start] as usize;
                    spans[to..to + from.len()].copy_from_slice(&tile.spans[from]);
                }
            });
        }
        Ok(Spans { frame, first, spans })
    }

    /// Puts together what one agent may do.
    pub fn assemble_agent(&self, tiles: &[TileResult], agent: usize) -> AgentSpans {
        let mut standings = vec![Standing::WALKABLE; self.spans.len()];
        let mut forward = vec![0u16; self.spans.len()];
        let (mut far, mut rims) = (Vec::new(), Vec::new());
        for tile in tiles {
            let found = &tile.agents[agent];
            let (mut far_left, mut rims_left) = (&found.far[..], &found.rims[..]);
            tile.rows_in(&self.frame, |cell, _, from| {
                let Some(start) = self.frame.index(cell) else { return };
                let to = self.first[start] as usize;
                forward[to..to + from.len()].copy_from_slice(&found.steps[from.clone()]);
                for (standing, &verdict) in
                    standings[to..].iter_mut().zip(&found.verdicts[from.clone()])
                {
                    *standing = Standing::new(verdict);
                }
                let whole = |span: u32| SpanId((to + span as usize - from.start) as u32);
                for &(span, dir, layer) in taken(&mut far_left, &from, |entry| entry.0) {
                    far.push((whole(span), dir, layer));
                }
                for &(span, dir, distance) in taken(&mut rims_left, &from, |entry| entry.0) {
                    rims.push((whole(span), dir, distance));
                }
            });
        }
        far.sort_unstable();
        let forward = Forward { steps: &forward, far: &far };
        let far = self.add_steps(&mut standings, &forward);
        rims.sort_unstable_by_key(|&(span, dir, _)| (span, dir));
        AgentSpans { standings, far, rims }
    }

    /// Writes every step and the way back, given those in the first four directions.
    fn add_steps(&self, standings: &mut [Standing], forward: &Forward) -> Vec<FarStep> {
        let mut writer = StepWriter::default();
        let offsets = row_major_offsets(&self.frame);
        let width = self.frame.size_x as usize;
        for index in 0..self.frame.cells() {
            let column = self.first[index]..self.first[index + 1];
            for (layer, span) in (0u32..).zip(column) {
                for dir in &Dir::ALL[..4] {
                    let Some(to_layer) = forward.target((span, layer), *dir) else { continue };
                    let next = index.wrapping_add_signed(offsets[dir.index()]);
                    let beside = (index % width).wrapping_add_signed(dir.offset().0 as isize);
                    // A step over the border of the frame leads nowhere.
                    if beside >= width || next >= self.frame.cells() {
                        continue;
                    }
                    let to = Layered { span: SpanId(self.first[next] + to_layer), layer: to_layer };
                    let from = Layered { span: SpanId(span), layer };
                    writer.write(&mut standings[from.span.index()], *dir, [from, to]);
                    writer.write(&mut standings[to.span.index()], dir.opposite(), [to, from]);
                }
            }
        }
        writer.far_steps.sort_unstable();
        writer.far_steps
    }
}

/// The steps tiles found: those in the first four directions.
struct Forward<'a> {
    /// For each span a nibble for each direction.
    steps: &'a [u16],
    /// Where the nibble cannot say it: span, direction, layer of the target; sorted.
    far: &'a [(SpanId, Dir, u32)],
}

impl Forward<'_> {
    /// The layer a step leads to.
    fn target(&self, (span, layer): (u32, u32), dir: Dir) -> Option<u32> {
        match StepCode((self.steps[span as usize] >> (4 * dir.index()) & 15) as u8) {
            StepCode(0) => None,
            StepCode::FAR => {
                let key = (SpanId(span), dir);
                let at = self.far.binary_search_by_key(&key, |entry| (entry.0, entry.1)).ok()?;
                Some(self.far[at].2)
            }
            near => u32::try_from(i64::from(layer) + near.rise()).ok(),
        }
    }
}

/// The entries for a range of spans, from a list sorted by span that is used up on the way.
fn taken<'l, E>(
    list: &mut &'l [E],
    spans: &std::ops::Range<usize>,
    span: impl Fn(&E) -> u32,
) -> &'l [E] {
    let start = list.partition_point(|entry| (span(entry) as usize) < spans.start);
    let end = list.partition_point(|entry| (span(entry) as usize) < spans.end);
    let found = &list[start..end];
    *list = &list[end..];
    found
}
