//! Node transforms: which of them keep shapes as they are, and what the others make of them.

use nalgebra::{
    Isometry3, Matrix3, Matrix3x4, Point3, Rotation3, Translation3, UnitQuaternion, Vector3,
};

/// How much lengths and angles may differ in a transform that counts as rigid.
const RIGID: f64 = 1e-6;
/// A side scaled below this is gone.
const FLAT: f64 = 1e-9;

/// A transform to the world, taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    linear: Matrix3<f64>,
    translation: Vector3<f64>,
}

/// A transform that keeps angles: scale (and mirror in x) first, then turn and move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Similarity {
    pub scale: f64,
    pub mirrored: bool,
    pub pose: Isometry3<f32>,
}

impl Transform {
    /// The affine part of a matrix; `None` where it flattens everything.
    pub fn new(world: &Matrix3x4<f64>) -> Option<Self> {
        let linear: Matrix3<f64> = world.fixed_view::<3, 3>(0, 0).into();
        let translation = world.fixed_view::<3, 1>(0, 3).into();
        let lengths: Vec<f64> = linear.column_iter().map(|column| column.norm()).collect();
        let volume: f64 = lengths.iter().product();
        let flat = lengths.iter().any(|&length| length < FLAT)
            || linear.determinant().abs() < FLAT * volume;
        (!flat).then_some(Transform { linear, translation })
    }

    /// Whether it turns the winding of triangles.
    pub fn mirrors(&self) -> bool {
        self.linear.determinant() < 0.0
    }

    /// A point in the world.
    pub fn apply(&self, point: &Point3<f64>) -> Point3<f64> {
        Point3::from(self.linear * point.coords + self.translation)
    }

    /// As a similarity, where it keeps angles.
    pub fn similarity(&self) -> Option<Similarity> {
        let (scales, pose) = self.axes()?;
        let scale = (scales.x + scales.y + scales.z) / 3.0;
        if scales.iter().any(|&side| (side - scale).abs() > RIGID * scale) {
            return None;
        }
        let scale = if (scale - 1.0).abs() < RIGID { 1.0 } else { scale };
        Some(Similarity { scale, mirrored: self.mirrors(), pose })
    }

    /// The scale along each axis and the pose, where axes stay at right angles. Mirrors in x
    /// before all else where it mirrors.
    pub fn axes(&self) -> Option<(Vector3<f64>, Isometry3<f32>)> {
        let scales = Vector3::from_iterator(self.linear.column_iter().map(|column| column.norm()));
        let mut turn = self.linear;
        for (mut column, scale) in turn.column_iter_mut().zip(&scales) {
            column /= *scale;
        }
        let [x, y, z] = [0, 1, 2].map(|axis| turn.column(axis).into_owned());
        if [x.dot(&y), y.dot(&z), z.dot(&x)].iter().any(|cosine| cosine.abs() > RIGID) {
            return None;
        }
        if self.mirrors() {
            turn.column_mut(0).neg_mut();
        }
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
        let rotation = UnitQuaternion::new_normalize(rotation.into_inner().cast::<f32>());
        let translation = Translation3::from(self.translation.cast::<f32>());
        Some((scales, Isometry3::from_parts(translation, rotation)))
    }
}
