//! Heights from a NumPy file, and finer ones in between.

use std::path::Path;

/// A square of heights [m], row by row.
pub struct Heights {
    pub side: u32,
    pub values: Vec<f32>,
}

/// The magic, the version, and the length of the header in two bytes.
const BEFORE_HEADER: usize = 10;

impl Heights {
    /// Reads a square of 32-bit floats, little-endian.
    pub fn load(path: &Path) -> Heights {
        let bytes = std::fs::read(path).expect("the heights can be read");
        assert!(bytes.starts_with(b"\x93NUMPY\x01"), "{} is no NumPy file", path.display());
        let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let (header, data) = bytes[BEFORE_HEADER..].split_at(length);
        let header = String::from_utf8_lossy(header);
        assert!(header.contains("'<f4'") && header.contains("'fortran_order': False"), "{header}");
        let (values, rest) = data.as_chunks();
        assert!(rest.is_empty(), "half a height is left over");
        let values: Vec<f32> = values.iter().copied().map(f32::from_le_bytes).collect();
        let side = values.len().isqrt();
        assert!(side * side == values.len() && side > 0, "they are no square: {header}");
        Heights { side: side as u32, values }
    }

    /// Twice as many along each side, each cell cut in four: bilinear between the middles of cells.
    pub fn doubled(&self) -> Heights {
        let side = 2 * self.side;
        // Where the middle of a new cell lies between those of the old ones.
        let along = |at: u32| (at as f32 / 2.0 - 0.25).clamp(0.0, (self.side - 1) as f32);
        let cells = (0..side).flat_map(|z| (0..side).map(move |x| [x, z]));
        let values = cells.map(|at| self.between(at.map(along)));
        Heights { side, values: values.collect() }
    }

    fn between(&self, place: [f32; 2]) -> f32 {
        let [west, north] = place.map(|at| at as u32);
        let [x, z] = place.map(f32::fract);
        let row = |z: u32| {
            let [low, high] = [west, west + 1].map(|x| self.at([x, z]));
            low + (high - low) * x
        };
        let (low, high) = (row(north), row(north + 1));
        low + (high - low) * z
    }

    fn at(&self, cell: [u32; 2]) -> f32 {
        let [x, z] = cell.map(|at| at.min(self.side - 1) as usize);
        self.values[z * self.side as usize + x]
    }
}
