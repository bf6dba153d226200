//! Reads a height file once: the hash of each chunk, and the box around all.

use nalgebra::Point3;
use surefoot::Observer;
use surefoot::observer::check_cancelled;
use surefoot_bake::scene::SceneError;

use super::chunk::{CHUNK_SIDE, ChunkSamples, UsedSamples};
use super::{ScannedChunk, Terrain};
use crate::fault::in_file;
use crate::heights::Window;

/// The greatest height [m].
const MOST_HEIGHT: f32 = 1e7;

impl Terrain {
    /// Returns the terrain with all that is known of its chunks.
    pub(super) fn scanned(mut self, observer: &dyn Observer) -> Result<Self, SceneError> {
        let [columns, rows] = self.samples.size();
        let band = self.samples.band().next_multiple_of(CHUNK_SIDE);
        self.chunks = vec![ScannedChunk::default(); self.chunks_along[0] * self.chunks_along[1]];
        let strips = (columns - 1).div_ceil(band) * self.chunks_along[1];
        let mut done = 0;
        for left in (0..columns - 1).step_by(band) {
            for top in (0..rows - 1).step_by(CHUNK_SIDE) {
                check_cancelled(observer)?;
                observer.parts_done(done, strips);
                done += 1;
                let width = (band + 1).min(columns - left);
                let size = [width, (CHUNK_SIDE + 1).min(rows - top)];
                let window = Window { first: [left, top], size };
                let strip = ChunkSamples { window, samples: self.samples.read(window)? };
                self.check_heights(&strip)?;
                for first in (left..left + width - 1).step_by(CHUNK_SIDE) {
                    let index = top / CHUNK_SIDE * self.chunks_along[0] + first / CHUNK_SIDE;
                    let chunk = strip.part(self.window(index));
                    self.scan_chunk(index, &chunk);
                }
            }
        }
        Ok(self)
    }

    /// Refuses heights that are out of range.
    fn check_heights(&self, strip: &ChunkSamples) -> Result<(), SceneError> {
        let is_odd = |sample: &f32| self.lattice.height(*sample).abs() > MOST_HEIGHT;
        let Some(at) = strip.samples.iter().position(is_odd) else { return Ok(()) };
        let Window { first, size } = strip.window;
        let problem = format!(
            "the sample at column {}, row {} is {}; if that stands for no data, set no_data, else \
             height_scale",
            first[0] + at % size[0],
            first[1] + at / size[0],
            strip.samples[at]
        );
        Err(in_file(&self.file, problem))
    }

    fn scan_chunk(&mut self, index: usize, chunk: &ChunkSamples) {
        let Window { first, size } = chunk.window;
        let mut used: Option<UsedSamples> = None;
        let mut heights = [f32::INFINITY, f32::NEG_INFINITY];
        let mut triangles = 0;
        chunk.triangles(|corners| {
            triangles += 1;
            for corner in corners {
                let height = self.lattice.height(chunk.samples[corner]);
                heights = [heights[0].min(height), heights[1].max(height)];
                let at = [corner % size[0], corner / size[0]].map(|at| at as u8);
                let known = used.get_or_insert(UsedSamples { min: at, max: at });
                for (axis, at) in at.into_iter().enumerate() {
                    known.min[axis] = known.min[axis].min(at);
                    known.max[axis] = known.max[axis].max(at);
                }
            }
        });
        self.triangles += triangles;
        let Some(used) = used else { return };
        self.chunks[index] = ScannedChunk { hash: chunk.hash(self), used: Some(used) };
        let corner = |offset: [u8; 2], height: f32| {
            let [x, z] = [0, 1]
                .map(|axis| self.lattice.along(axis, first[axis] + usize::from(offset[axis])));
            Point3::new(x, height, z)
        };
        let (low, high) = (corner(used.min, heights[0]), corner(used.max, heights[1]));
        self.bounds = Some(match self.bounds {
            None => (low, high),
            Some((least, most)) => (least.inf(&low), most.sup(&high)),
        });
    }
}

impl ChunkSamples {
    /// Returns the samples of a window inside this one.
    fn part(&self, window: Window) -> ChunkSamples {
        let Window { first, size } = self.window;
        let mut samples = Vec::with_capacity(window.len());
        for row in window.first[1]..window.first[1] + window.size[1] {
            let start = (row - first[1]) * size[0] + window.first[0] - first[0];
            samples.extend_from_slice(&self.samples[start..start + window.size[0]]);
        }
        ChunkSamples { window, samples }
    }
}
