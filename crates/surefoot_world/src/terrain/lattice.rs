//! Provides [`Lattice`]: where samples are.

use super::HeightFileOptions;
use crate::heights::{HeightFile, HeightUnit, SamplePlace};

/// Where samples are in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Where a height of 0 at the first sample is [m].
    pub first: [f64; 3],
    /// Between columns and between rows [m, > 0].
    pub spacing: [f64; 2],
    /// Metres per unit of height.
    pub height_scale: f64,
}

/// The greatest coordinate [m].
const MOST: f64 = 1e7;
/// Coordinates are this many times as fine as samples are apart.
const FINER: f64 = 8.0;

impl Lattice {
    /// Says where the samples of a file are.
    ///
    /// # Errors
    /// What is missing, or makes no sense.
    pub fn new(
        options: &HeightFileOptions,
        file: &HeightFile,
        world_origin: [f64; 3],
    ) -> Result<Self, String> {
        let spacing = spacing(options, file.place)?;
        let height_scale = height_scale(options, file.unit)?;
        let [x, z] = file.place.map_or([0.0; 2], |place| place.first);
        let origin = options.origin.unwrap_or([x, 0.0, z]);
        let mut first = [0, 1, 2].map(|axis| origin[axis] - world_origin[axis]);
        first[1] += options.height_offset;
        if !first.iter().all(|v| v.is_finite()) {
            return Err("its origin or height_offset is no number; change it".to_owned());
        }
        Ok(Lattice { first, spacing, height_scale })
    }

    /// Checks that samples lie where coordinates are fine enough.
    ///
    /// # Errors
    /// Says where they are, and what to do.
    pub fn check(&self, size: [usize; 2]) -> Result<(), String> {
        for axis in [0, 1] {
            let ends = [0, size[axis] - 1].map(|index| self.place(axis, index).abs());
            let farthest = ends[0].max(ends[1]);
            let name = ["x", "z"][axis];
            let advice = "set the world's origin, so that it lies closer to 0";
            if farthest > MOST {
                return Err(format!(
                    "it lies out to {name} = {farthest} m, of at most {MOST}; {advice}"
                ));
            }
            let step = f64::from((farthest as f32).next_up() - farthest as f32);
            if step * FINER > self.spacing[axis] {
                return Err(format!(
                    "it lies out to {name} = {farthest} m, where numbers are {step} m apart, too coarse \
                     for samples every {} m; {advice}",
                    self.spacing[axis]
                ));
            }
        }
        Ok(())
    }

    /// The x of a column (axis 0), or the z of a row (axis 1) [m].
    pub fn along(&self, axis: usize, index: usize) -> f32 {
        self.place(axis, index) as f32
    }

    /// The height of a sample [m].
    pub fn height(&self, sample: f32) -> f32 {
        (f64::from(sample) * self.height_scale + self.first[1]) as f32
    }

    /// Returns the first and the last column, or row, that a range [m] may touch. Others may be included.
    pub fn samples_over(&self, axis: usize, range: [f32; 2]) -> [usize; 2] {
        let index = |at: f32| (f64::from(at) - self.first[2 * axis]) / self.spacing[axis];
        // Numbers that are out of range become the least and the greatest.
        [(index(range[0]).floor() - 1.0) as usize, (index(range[1]).ceil() + 1.0) as usize]
    }

    fn place(&self, axis: usize, index: usize) -> f64 {
        self.first[2 * axis] + index as f64 * self.spacing[axis]
    }
}

/// Returns how far samples are apart.
fn spacing(options: &HeightFileOptions, place: Option<SamplePlace>) -> Result<[f64; 2], String> {
    let in_degrees = place.is_some_and(|place| place.spacing.is_none());
    let Some(spacing) = options.spacing.or(place.and_then(|place| place.spacing)) else {
        return Err(if in_degrees {
            "its places are in degrees; add spacing, in metres, or project it to metres".to_owned()
        } else {
            "it does not say how far its samples are apart; add spacing, in metres".to_owned()
        });
    };
    if !spacing.iter().all(|v| *v > 0.0 && v.is_finite()) {
        return Err(format!("its spacing is {spacing:?} m; it must be more than 0"));
    }
    Ok(spacing)
}

/// Returns how many metres a unit of height is.
fn height_scale(options: &HeightFileOptions, unit: HeightUnit) -> Result<f64, String> {
    match (options.height_scale, unit) {
        (Some(scale), _) if scale == 0.0 || !scale.is_finite() => {
            Err(format!("its height_scale is {scale}; it must not be 0"))
        }
        (Some(scale), _) => Ok(scale),
        (None, HeightUnit::Metres(metres)) => Ok(metres),
        (None, HeightUnit::Unsaid) => {
            let problem = "its heights are whole numbers in an unknown unit; add height_scale, in \
                           metres a unit";
            Err(problem.to_owned())
        }
        (None, HeightUnit::MetresOrFeet { foot }) => Err(format!(
            "its places are in feet, and it does not say whether its heights are, too; add height_scale, {foot} \
             for feet or 1 for metres"
        )),
    }
}
