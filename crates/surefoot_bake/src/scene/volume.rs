//! Volumes: parts of space that say what the ground inside them is.
//!
//! A floor is inside if the point at the center of its cell is, or lies no more than 1 cm below. Where
//! volumes overlap, what holds depends on what they say, never on their order.

use nalgebra::{Isometry3, Point3, Vector3};
use serde::{Deserialize, Serialize};

use super::limits::MAX_COORDINATE;
use super::outline::{self, OutlineFault};
use surefoot::grid::AreaId;

/// A part of space, and what the ground inside it is.
///
/// Where volumes overlap, [`VolumeEffect::Clear`] is stronger than every area. Of several areas one
/// that is forbidden counts, else the most expensive, else the first by name. A volume is stronger than
/// the area of a surface; on what is marked as an obstacle still nobody stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Name of the node that marks it, or its own.
    pub name: String,
    /// Where it is.
    pub shape: VolumeShape,
    /// What the ground inside is.
    pub effect: VolumeEffect,
}

/// The shape of a volume. Points on its surface are inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum VolumeShape {
    /// A box around the origin of its pose.
    Box {
        /// From the box's local space to the world.
        pose: Isometry3<f32>,
        /// Along local x, y and z [m, > 0].
        half_extents: Vector3<f32>,
    },
    /// An upright prism over a polygon that may be concave.
    Prism {
        /// Its corners (x, z), in either direction; at least 3. Sides do not touch but at corners [m].
        corners: Vec<[f32; 2]>,
        /// Height of its lower side [m].
        bottom: f32,
        /// Height of its upper side [m, > bottom].
        top: f32,
    },
    /// A sphere.
    Sphere {
        /// Its center [m].
        center: Point3<f32>,
        /// From the center to the surface [m, > 0].
        radius: f32,
    },
}

/// What a volume makes of the ground inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeEffect {
    /// Ground of an area, an index into [`Scene::areas`](super::Scene::areas). If that is forbidden,
    /// no agent stands there.
    Area(AreaId),
    /// Plain walkable ground, whatever area the surface or another volume gives it.
    Clear,
}

/// A floor this far below a volume is still inside [m]: a box that stands on the floor is meant for it.
const BELOW: f64 = 0.01;
/// How far beyond the surface counts as on it [m]: rounding of floors and of the centers of cells.
const ROUNDING: f64 = 1e-3;

impl VolumeShape {
    /// Returns whether a floor at a point is inside: the point itself, or one up to 1 cm above it.
    pub fn contains(&self, floor: impl Into<Point3<f32>>) -> bool {
        let floor: Point3<f64> = floor.into().cast();
        match self {
            VolumeShape::Box { pose, half_extents } => {
                let pose: Isometry3<f64> = pose.cast();
                let from = pose.inverse_transform_point(&floor);
                let up = pose.inverse_transform_vector(&(BELOW * Vector3::y()));
                meets_box(from, up, half_extents.map(|half| f64::from(half) + ROUNDING))
            }
            VolumeShape::Prism { corners, bottom, top } => {
                let [low, high] = [*bottom, *top].map(f64::from);
                floor.y >= low - BELOW - ROUNDING
                    && floor.y <= high + ROUNDING
                    && outline::contains(corners, [floor.x, floor.z], ROUNDING)
            }
            VolumeShape::Sphere { center, radius } => {
                let mut off = center.cast::<f64>() - floor;
                off.y -= off.y.clamp(0.0, BELOW);
                off.norm() <= f64::from(*radius) + ROUNDING
            }
        }
    }

    /// Returns the least and the greatest corner of a box around all floors that are inside [m].
    pub fn bounds(&self) -> (Point3<f32>, Point3<f32>) {
        let (low, high) = match self {
            VolumeShape::Box { pose, half_extents } => {
                let half = pose.rotation.to_rotation_matrix().matrix().abs() * half_extents;
                let center = Point3::from(pose.translation.vector);
                (center - half, center + half)
            }
            VolumeShape::Prism { corners, bottom, top } => {
                let [low, high] = outline::bounds(corners);
                (Point3::new(low[0], *bottom, low[1]), Point3::new(high[0], *top, high[1]))
            }
            VolumeShape::Sphere { center, radius } => {
                (center.map(|v| v - radius), center.map(|v| v + radius))
            }
        };
        let margin = (BELOW + 2.0 * ROUNDING) as f32;
        // Far out, a number is rounded by more than the margin.
        let wider = |v: f32| margin + v.abs() * f32::EPSILON;
        (low.map(|v| v - wider(v)), high.map(|v| v + wider(v)))
    }

    /// Checks that it is a shape.
    ///
    /// # Errors
    /// Says what is wrong, and what to do.
    pub fn check(&self) -> Result<(), String> {
        match self {
            VolumeShape::Box { pose, half_extents } => {
                check_sizes(half_extents.as_slice())?;
                let is_unit = (pose.rotation.coords.norm() - 1.0).abs() < 1e-3;
                if !is_unit {
                    return Err("its rotation is no rotation".to_owned());
                }
                check_places(pose.translation.vector.as_slice())
            }
            VolumeShape::Prism { corners, bottom, top } => {
                check_places(corners.as_flattened())?;
                check_places(&[*bottom, *top])?;
                if top <= bottom {
                    return Err(format!(
                        "its top at {top} m is not above its bottom at {bottom} m"
                    ));
                }
                outline::check(corners).map_err(|fault: OutlineFault| fault.to_string())
            }
            VolumeShape::Sphere { center, radius } => {
                check_sizes(&[*radius])?;
                check_places(center.coords.as_slice())
            }
        }
    }
}

/// Returns whether a segment, given by its start and its vector, meets a box around the origin. Clips
/// it to each pair of sides.
fn meets_box(from: Point3<f64>, along: Vector3<f64>, half: Vector3<f64>) -> bool {
    let [mut start, mut end] = [0.0f64, 1.0];
    for axis in 0..3 {
        let (from, along, half) = (from[axis], along[axis], half[axis]);
        if along == 0.0 {
            if from.abs() > half {
                return false;
            }
            continue;
        }
        let parts = [(-half - from) / along, (half - from) / along];
        start = start.max(parts[0].min(parts[1]));
        end = end.min(parts[0].max(parts[1]));
    }
    start <= end
}

fn check_sizes(sizes: &[f32]) -> Result<(), String> {
    match sizes.iter().find(|&&size| !(size > 0.0 && size <= MAX_COORDINATE)) {
        None => Ok(()),
        Some(size) => Err(format!(
            "it measures {size} m from its center; that must be more than 0 and at most \
             {MAX_COORDINATE} m"
        )),
    }
}

fn check_places(values: &[f32]) -> Result<(), String> {
    let is_near = |value: &f32| value.abs() <= MAX_COORDINATE;
    match values.iter().find(|value| !is_near(value)) {
        None => Ok(()),
        Some(value) => Err(format!(
            "{value} m is no place for it; coordinates must be within {MAX_COORDINATE} m of the origin"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_at(center: [f32; 3], size: [f32; 3]) -> VolumeShape {
        let half_extents = Vector3::from(size) * 0.5;
        VolumeShape::Box {
            pose: Isometry3::translation(center[0], center[1], center[2]),
            half_extents,
        }
    }

    #[test]
    fn a_box_on_the_floor_is_meant_for_it() {
        let shape = box_at([0.0, 1.0, 0.0], [2.0, 2.0, 2.0]);
        for (y, expected) in
            [(-0.02, false), (-0.009, true), (0.0, true), (2.0, true), (2.01, false)]
        {
            assert_eq!(shape.contains([0.0, y, 0.0]), expected, "{y}");
        }
        assert!(shape.contains([1.0, 0.0, -1.0]), "its border is inside");
        assert!(!shape.contains([1.01, 0.0, 0.0]));
        // A sheet thinner than the tolerance.
        let sheet = box_at([0.0, 0.005, 0.0], [1.0, 0.0002, 1.0]);
        assert!(sheet.contains([0.0, 0.0, 0.0]) && !sheet.contains([0.0, -0.02, 0.0]));
    }

    #[test]
    fn a_turned_box_is_turned() {
        let turn = nalgebra::UnitQuaternion::from_axis_angle(
            &Vector3::z_axis(),
            0.25 * std::f32::consts::PI,
        );
        let pose = Isometry3::from_parts([0.0, 0.0, 0.0].into(), turn);
        let shape = VolumeShape::Box { pose, half_extents: Vector3::new(2.0, 0.1, 1.0) };
        assert!(shape.contains([1.0, 1.0, 0.0]) && shape.contains([-1.0, -1.0, 0.0]));
        assert!(!shape.contains([1.0, 0.0, 0.0]) && !shape.contains([1.0, -1.0, 0.0]));
        let (low, high) = shape.bounds();
        assert!((high.y - 1.4849).abs() < 0.02 && (low.x + 1.4849).abs() < 0.02, "{low} {high}");
    }

    #[test]
    fn spheres_and_prisms_end_where_they_should() {
        let sphere = VolumeShape::Sphere { center: [0.0, 1.0, 0.0].into(), radius: 1.0 };
        assert!(sphere.contains([0.0, -0.009, 0.0]) && !sphere.contains([0.3, 0.0, 0.0]));
        assert!(sphere.contains([1.0, 1.0, 0.0]) && !sphere.contains([0.8, 1.0, 0.8]));
        // An L: its notch is outside.
        let corners = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
        let prism = VolumeShape::Prism { corners, bottom: 0.0, top: 2.0 };
        assert_eq!(prism.check(), Ok(()));
        for (point, expected) in [
            ([0.5, 0.0, 3.0], true),
            ([3.0, -0.009, 0.5], true),
            ([3.0, 2.1, 0.5], false),
            ([2.0, 1.0, 2.0], false),
            ([1.0, 1.0, 1.0], true),
            ([4.0, 1.0, 0.3], true),
        ] {
            assert_eq!(prism.contains(point), expected, "{point:?}");
        }
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        let check = |shape: VolumeShape, expected: &str| {
            let problem = shape.check().expect_err(expected);
            assert!(problem.contains(expected), "{problem}");
        };
        check(box_at([0.0; 3], [1.0, 0.0, 1.0]), "must be more than 0");
        check(box_at([f32::NAN; 3], [1.0; 3]), "no place for it");
        check(box_at([0.0; 3], [f32::INFINITY; 3]), "at most");
        let sphere = |radius| VolumeShape::Sphere { center: Point3::origin(), radius };
        check(sphere(-1.0), "must be more than 0");
        check(sphere(f32::NAN), "must be more than 0");
        let prism = |corners: &[[f32; 2]]| VolumeShape::Prism {
            corners: corners.to_vec(),
            bottom: 0.0,
            top: 1.0,
        };
        check(prism(&[[0.0, 0.0], [1.0, 0.0]]), "has 2 corners");
        check(prism(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]), "sides 0 and 2 meet");
        check(prism(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0]]), "meet");
        check(prism(&[[0.0, 0.0], [f32::INFINITY, 0.0], [1.0, 0.0]]), "no place for it");
        let corners = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        check(VolumeShape::Prism { corners, bottom: 1.0, top: 1.0 }, "not above its bottom");
    }
}
