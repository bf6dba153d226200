//! Provides [`ChunkSamples`]: the samples of a chunk, and what is made of them.

use surefoot::grid::ContentHash;
use surefoot_bake::scene::Surface;

use super::Terrain;
use super::lattice::Lattice;
use crate::heights::Window;

/// The most squares along a side of a chunk.
pub const CHUNK_SIDE: usize = 64;

/// The samples of a chunk.
pub struct ChunkSamples {
    pub window: Window,
    /// Row by row; NaN where there is no data.
    pub samples: Vec<f32>,
}

/// The samples that are corners of triangles: the rectangle around them, from the first of the chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsedSamples {
    /// Least column and row.
    pub min: [u8; 2],
    /// Greatest column and row.
    pub max: [u8; 2],
}

/// Changes with what a chunk is made into.
const FORMAT: &[u8] = b"surefoot terrain 1";

impl ChunkSamples {
    /// Returns the hash of all that counts of the chunk.
    pub fn hash(&self, terrain: &Terrain) -> ContentHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(FORMAT);
        hasher.update(&(terrain.name.len() as u64).to_le_bytes());
        hasher.update(terrain.name.as_bytes());
        let Surface { area, obstacle, two_sided } = terrain.surface;
        hasher.update(&[area.0, u8::from(obstacle), u8::from(two_sided)]);
        let Lattice { first, spacing, height_scale } = terrain.lattice;
        for number in first.into_iter().chain(spacing).chain([height_scale]) {
            hasher.update(&number.to_bits().to_le_bytes());
        }
        for number in self.window.first.into_iter().chain(self.window.size) {
            hasher.update(&(number as u64).to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(4 * self.samples.len());
        for sample in &self.samples {
            let sample = if sample.is_nan() { f32::NAN } else { *sample };
            bytes.extend(sample.to_bits().to_le_bytes());
        }
        hasher.update(&bytes);
        let mut hash = ContentHash::default();
        hash.copy_from_slice(&hasher.finalize().as_bytes()[..size_of::<ContentHash>()]);
        hash
    }

    /// Calls back with the corners of each triangle, as indices of samples: counter-clockwise as seen from
    /// above.
    pub fn triangles(&self, mut add: impl FnMut([usize; 3])) {
        let [columns, rows] = self.window.size;
        let has_data = |corner: &usize| !self.samples[*corner].is_nan();
        for row in 1..rows {
            for column in 1..columns {
                let near = row * columns + column;
                let far = near - columns;
                for corners in [[far - 1, near - 1, far], [far, near - 1, near]] {
                    if corners.iter().all(has_data) {
                        add(corners);
                    }
                }
            }
        }
    }

    /// Returns vertices and triangles.
    pub fn mesh(&self, lattice: &Lattice) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let mut numbers = vec![u32::MAX; self.samples.len()];
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let Window { first, size } = self.window;
        self.triangles(|corners| {
            triangles.push(corners.map(|corner| {
                if numbers[corner] == u32::MAX {
                    numbers[corner] = vertices.len() as u32;
                    let x = lattice.along(0, first[0] + corner % size[0]);
                    let z = lattice.along(1, first[1] + corner / size[0]);
                    vertices.push([x, lattice.height(self.samples[corner]), z]);
                }
                numbers[corner]
            }));
        });
        (vertices, triangles)
    }
}
