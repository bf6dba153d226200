//! Terrain: the ground of a height file, in chunks that are read where they are needed.
//!
//! Two triangles lie between four samples, always on the same diagonal, and each only where its corners have
//! data. A chunk is a solid of at most 64 x 64 such squares. Places are computed in 64 bits and rounded
//! once, so neighboring chunks have the same vertices along their border.

mod chunk;
mod lattice;
mod scan;

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

use nalgebra::Point3;
use surefoot::Observer;
use surefoot::grid::{ColliderRecord, ContentHash};
use surefoot_bake::scene::{Placement, SceneBuilder, SceneError, Surface, Triangles};
use surefoot_rapier::distance::GroundRect;

use crate::fault::in_file;
use crate::heights::{self, HeightSamples, SampleHints, Window};
use chunk::{CHUNK_SIDE, ChunkSamples, UsedSamples};
use lattice::Lattice;

/// What the ground of a height file is, and where. What is left out comes from the file, or has a default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeightFileOptions {
    /// What its solids are called; by default the file's name without its ending.
    pub name: Option<String>,
    /// Between columns, which run along x, and between rows, which run along z [m, > 0]. GeoTIFF says it
    /// itself; others need it.
    pub spacing: Option<[f64; 2]>,
    /// Where a height of 0 at the first sample of the first row is [m]; by default what GeoTIFF says, with
    /// x to the east and z to the south, or else the origin.
    pub origin: Option<[f64; 3]>,
    /// Metres per unit of height [not 0]; by default what GeoTIFF says, or else 1. Files of whole numbers need
    /// it, but for GeoTIFF, and GeoTIFF in feet that does not say in what its heights are.
    pub height_scale: Option<f64>,
    /// What is added to scaled heights [m].
    pub height_offset: f64,
    /// The number that stands for no data, beside NaN; by default what GeoTIFF says.
    pub no_data: Option<f64>,
    /// Columns and rows: raw files need it.
    pub size: Option<[usize; 2]>,
    /// The kind of ground.
    pub area: Option<String>,
    /// What a metre on it costs [> 0]; by default what others say of the area, or else 1.
    pub cost: Option<f32>,
    /// Whether nobody may stand on it.
    pub forbidden: bool,
}

impl HeightFileOptions {
    /// What its solids are called.
    pub(crate) fn name_of(&self, file: &Path) -> String {
        self.name.clone().unwrap_or_else(|| stem(file))
    }
}

/// The name of a file without its ending.
pub fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The ground of a height file.
pub struct Terrain {
    file: PathBuf,
    name: String,
    samples: Box<dyn HeightSamples>,
    lattice: Lattice,
    surface: Surface,
    /// How many chunks lie side by side, along x and along z.
    chunks_along: [usize; 2],
    /// Row by row.
    chunks: Vec<ScannedChunk>,
    bounds: Option<(Point3<f32>, Point3<f32>)>,
    triangles: usize,
}

/// What is known of a chunk without its samples.
#[derive(Clone, Copy, Default)]
struct ScannedChunk {
    hash: ContentHash,
    /// `None` if no square of it has data.
    used: Option<UsedSamples>,
}

/// There may be millions.
const _: () = assert!(size_of::<ScannedChunk>() == 21);

/// A height file, and what becomes of it.
pub struct TerrainInput<'a> {
    pub file: &'a Path,
    pub options: &'a HeightFileOptions,
    /// What its surface is.
    pub surface: Surface,
    /// What is subtracted from places [m].
    pub world_origin: [f64; 3],
}

impl Terrain {
    /// Opens a height file, and reads all of it once.
    ///
    /// # Errors
    /// It cannot be read or used, an option is missing or makes no sense, or the observer cancels.
    pub fn open(input: &TerrainInput<'_>, observer: &dyn Observer) -> Result<Self, SceneError> {
        let TerrainInput { file, options, surface, world_origin } = *input;
        let hints = SampleHints { size: options.size, no_data: options.no_data };
        let opened = heights::open(file, hints, observer)?;
        let lattice = Lattice::new(options, &opened, world_origin);
        let lattice = lattice.map_err(|problem| in_file(file, problem))?;
        let size = opened.samples.size();
        lattice.check(size).map_err(|problem| in_file(file, problem))?;
        let terrain = Terrain {
            file: file.to_owned(),
            name: options.name_of(file),
            samples: opened.samples,
            lattice,
            surface,
            chunks_along: size.map(|side| (side - 1).div_ceil(CHUNK_SIDE)),
            chunks: Vec::new(),
            bounds: None,
            triangles: 0,
        };
        terrain.scanned(observer)
    }

    /// The box around it: least and greatest corner [m]; `None` if there is no data.
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        self.bounds
    }

    /// How many triangles it has.
    pub fn triangles(&self) -> usize {
        self.triangles
    }

    /// The records of all its solids.
    pub fn records(&self) -> impl Iterator<Item = ColliderRecord> {
        (0..self.chunks.len()).filter_map(|index| self.record(index))
    }

    /// Returns the records of its solids over a rectangle.
    pub fn records_over(&self, rect: &GroundRect) -> impl Iterator<Item = ColliderRecord> {
        self.chunks_over(rect).map(|(_, record)| record)
    }

    /// Adds its solids over a rectangle to a scene.
    ///
    /// # Errors
    /// The file cannot be read, or is another than when it was opened.
    pub fn add_over(
        &self,
        rect: &GroundRect,
        builder: &mut SceneBuilder,
    ) -> Result<(), SceneError> {
        for (index, record) in self.chunks_over(rect) {
            let samples = self.chunk_samples(index)?;
            if samples.hash(self) != record.hash {
                let problem = "it has changed since it was opened; start again";
                return Err(in_file(&self.file, problem));
            }
            let (vertices, triangles) = samples.mesh(&self.lattice);
            let shell = Triangles { vertices: &vertices, triangles: &triangles };
            builder.mesh(
                &self.name,
                shell,
                Placement { surface: self.surface, ..Default::default() },
            );
        }
        Ok(())
    }

    /// The chunks over a rectangle, with their records.
    fn chunks_over(&self, rect: &GroundRect) -> impl Iterator<Item = (usize, ColliderRecord)> {
        let rect = *rect;
        let [columns, rows] = [0, 1].map(|axis| {
            let samples = self.lattice.samples_over(axis, [rect.min[axis], rect.max[axis]]);
            // The last column of a chunk is the first of the next.
            let first = samples[0].saturating_sub(1) / CHUNK_SIDE;
            first..self.chunks_along[axis].min(samples[1] / CHUNK_SIDE + 1)
        });
        let along = self.chunks_along[0];
        rows.flat_map(move |row| columns.clone().map(move |column| row * along + column))
            .filter_map(|index| Some((index, self.record(index)?)))
            .filter(move |(_, record)| {
                GroundRect { min: record.min, max: record.max }.intersects(&rect)
            })
    }

    fn record(&self, index: usize) -> Option<ColliderRecord> {
        let chunk = self.chunks.get(index)?;
        let used = chunk.used?;
        let first = self.window(index).first;
        let corner = |offset: [u8; 2]| {
            [0, 1].map(|axis| self.lattice.along(axis, first[axis] + usize::from(offset[axis])))
        };
        Some(ColliderRecord { hash: chunk.hash, min: corner(used.min), max: corner(used.max) })
    }

    /// The samples that a chunk is made of.
    fn window(&self, index: usize) -> Window {
        let place = [index % self.chunks_along[0], index / self.chunks_along[0]];
        let first = place.map(|at| at * CHUNK_SIDE);
        let size = self.samples.size();
        Window { first, size: [0, 1].map(|axis| (CHUNK_SIDE + 1).min(size[axis] - first[axis])) }
    }

    fn chunk_samples(&self, index: usize) -> Result<ChunkSamples, SceneError> {
        let window = self.window(index);
        Ok(ChunkSamples { window, samples: self.samples.read(window)? })
    }
}
