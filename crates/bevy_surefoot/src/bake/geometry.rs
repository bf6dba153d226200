//! Provides [`Geometry`] and [`SourcePlace`]: triangles, and where they are.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy_math::{Mat3, Vec3};
use bevy_transform::components::GlobalTransform;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

/// A shell of triangles, in the space of its entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Geometry {
    pub vertices: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Where a source is: a rigid pose, and what is left of its transform, which deforms it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SourcePlace {
    pub pose: Isometry3<f32>,
    pub deformed_by: Mat3,
}

/// Scales differ only by more than this, so that what turns does not seem to be deformed.
const SAME_SCALE: f32 = 1e-4;

impl SourcePlace {
    /// `None` if a number is not finite.
    pub fn new(global: &GlobalTransform) -> Option<Self> {
        let affine = global.affine();
        if !affine.is_finite() {
            return None;
        }
        let (scale, rotation, at) = global.to_scale_rotation_translation();
        let pose = Isometry3::from_parts(
            Translation3::new(at.x, at.y, at.z),
            UnitQuaternion::new_normalize(Quaternion::new(
                rotation.w, rotation.x, rotation.y, rotation.z,
            )),
        );
        let scaled = Mat3::from_diagonal(scale);
        let whole = Mat3::from(affine.matrix3);
        let is_rigid = (Mat3::from_quat(rotation) * scaled).abs_diff_eq(whole, SAME_SCALE);
        Some(if is_rigid {
            SourcePlace { pose, deformed_by: scaled }
        } else {
            // It is sheared, as under a parent that is turned and scaled unevenly.
            let translation = Translation3::new(at.x, at.y, at.z);
            SourcePlace { pose: Isometry3::from(translation), deformed_by: whole }
        })
    }

    pub fn is_deformed_as(&self, other: &SourcePlace) -> bool {
        self.deformed_by.abs_diff_eq(other.deformed_by, SAME_SCALE)
    }

    /// Whether it has moved by no more than a tolerance [m, rad].
    pub fn is_near(&self, other: &SourcePlace, tolerance: f32) -> bool {
        let moved = (self.pose.translation.vector - other.pose.translation.vector).norm();
        moved <= tolerance && self.pose.rotation.angle_to(&other.pose.rotation) <= tolerance
    }
}

impl Geometry {
    /// The geometry as it is deformed; mirrored triangles are turned, so that their outside stays outside.
    pub fn deformed(mut self, place: &SourcePlace) -> Self {
        let by = place.deformed_by;
        if by != Mat3::IDENTITY {
            for vertex in &mut self.vertices {
                *vertex = (by * Vec3::from_array(*vertex)).to_array();
            }
        }
        if by.determinant() < 0.0 {
            self.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        self
    }

    /// Tells it from other geometry.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.triangles.hash(&mut hasher);
        self.vertices.iter().flatten().for_each(|number| number.to_bits().hash(&mut hasher));
        hasher.finish()
    }
}
