//! Assembly: from tiles to the flat arrays of one grid.
//!
//! Tiles hold the steps of four directions; the steps back are filled in here.

use rayon::prelude::*;

use super::BakeError;
use super::tile::TileResult;
use crate::grid::{Dir, FarStep, GridFrame, Span, SpanId, Standing, StepCode, column_neighbor};

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
    /// Where floors end: span, direction, distance from the center [m].
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
        let far = self.add_steps(&mut standings, &forward, &far);
        rims.sort_unstable_by_key(|&(span, dir, _)| (span, dir));
        AgentSpans { standings, far, rims }
    }

    /// Writes all 8 steps of each span, given those in the first four directions.
    fn add_steps(
        &self,
        standings: &mut [Standing],
        forward: &[u16],
        far: &[(SpanId, Dir, u32)],
    ) -> Vec<FarStep> {
        let target = |span: usize, layer: usize, next: usize, dir: Dir| {
            let code = StepCode((forward[span] >> (4 * dir.index()) & 15) as u8);
            let layer = match code {
                StepCode(0) => return None,
                StepCode::FAR => {
                    let key = (SpanId(span as u32), dir);
                    let at = far.binary_search_by_key(&key, |entry| (entry.0, entry.1)).ok()?;
                    far[at].2 as usize
                }
                near => (layer as i64 + near.rise()) as usize,
            };
            // A step over the border of the frame leads nowhere.
            let to = self.first[next] as usize + layer;
            (to < self.first[next + 1] as usize).then_some(to)
        };
        let steps_of = |cell: usize, out: &mut [Standing]| {
            let mut far = Vec::new();
            let start = self.first[cell] as usize;
            for dir in Dir::ALL {
                let Some(next) = column_neighbor(&self.frame, cell, dir) else { continue };
                let next_start = self.first[next] as usize;
                for (layer, standing) in out.iter_mut().enumerate() {
                    let to = if dir.index() < 4 {
                        target(start + layer, layer, next, dir)
                    } else {
                        (next_start..self.first[next + 1] as usize).find(|&from| {
                            let back = target(from, from - next_start, cell, dir.opposite());
                            back == Some(start + layer)
                        })
                    };
                    let Some(to) = to else { continue };
                    let code = StepCode::new((to - next_start) as i64 - layer as i64);
                    standing.set_step(dir, code);
                    if code == StepCode::FAR {
                        let (from, to) = (SpanId((start + layer) as u32), SpanId(to as u32));
                        far.push(FarStep { from, dir, to });
                    }
                }
            }
            far
        };
        let mut far: Vec<FarStep> = self
            .rows_mut(standings)
            .into_par_iter()
            .flat_map_iter(|(row, out)| {
                let width = self.frame.size_x as usize;
                let mut out = out;
                (row * width..(row + 1) * width).flat_map(move |cell| {
                    let count = (self.first[cell + 1] - self.first[cell]) as usize;
                    let (column, rest) = std::mem::take(&mut out).split_at_mut(count);
                    out = rest;
                    steps_of(cell, column)
                })
            })
            .collect();
        far.sort_unstable();
        far
    }

    /// Cuts an array with one entry a span into rows of cells.
    pub fn rows_mut<'s, S>(&self, mut spans: &'s mut [S]) -> Vec<(usize, &'s mut [S])> {
        let width = self.frame.size_x as usize;
        (0..self.frame.size_z as usize)
            .map(|row| {
                let count = self.first[(row + 1) * width] - self.first[row * width];
                let (these, rest) = std::mem::take(&mut spans).split_at_mut(count as usize);
                spans = rest;
                (row, these)
            })
            .collect()
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
