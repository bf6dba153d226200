//! Physics shapes in the world: a primitive where the node's scale allows it, else the hull of
//! points on it.

use std::f64::consts::{PI, TAU};

use nalgebra::{Isometry3, Point3, Vector3};

use super::forms::ColliderForm;
use super::transform::Transform;
use crate::scene::Shape;

/// A physics shape in the world.
#[derive(Debug)]
pub(super) enum PlacedShape {
    Primitive(Shape, Isometry3<f32>),
    /// The hull of points in the world.
    Hull(Vec<Point3<f64>>),
    /// A flat rectangle in the world, counter-clockwise seen from its front.
    Rectangle([Point3<f64>; 4]),
}

/// How far apart two lengths are that count as equal.
const SAME: f64 = 1e-6;
/// Points round a circle of a sampled shape; the hull of 40 lies at most 0.4 % inside it.
const AROUND: usize = 40;
/// Rings from pole to pole of a sampled ball.
const RINGS: usize = 20;

/// Places a shape other than a mesh, or returns the reason why it cannot be placed.
pub(super) fn place(form: &ColliderForm, transform: &Transform) -> Result<PlacedShape, String> {
    check(form)?;
    if let ColliderForm::Plane { size: [x, z] } = *form {
        return Ok(rectangle([x / 2.0, z / 2.0], transform));
    }
    if let Some((scales, pose)) = transform.axes()
        && let Some(shape) = primitive(form, scales)
    {
        return Ok(PlacedShape::Primitive(shape, pose));
    }
    Ok(PlacedShape::Hull(samples(form).iter().map(|point| transform.apply(point)).collect()))
}

/// Why a shape cannot be used at any scale, if so.
pub(super) fn check(form: &ColliderForm) -> Result<(), String> {
    if let ColliderForm::Plane { size } = form
        && size.contains(&0.0)
    {
        return Err("its collider is an endless plane; give it a size".to_owned());
    }
    let (over_zero, from_zero): (Vec<f64>, Vec<f64>) = match *form {
        ColliderForm::Cuboid { half } => (half.to_vec(), vec![]),
        ColliderForm::Ball { radius } => (vec![radius], vec![]),
        ColliderForm::Capsule { half, bottom, top } => (vec![bottom, top], vec![half]),
        ColliderForm::Cylinder { half, bottom, top } => {
            (vec![half, bottom.max(top)], vec![bottom, top])
        }
        ColliderForm::Plane { size } => (vec![], size.to_vec()),
        ColliderForm::Mesh { .. } => (vec![], vec![]),
    };
    let sound = over_zero.iter().all(|&v| v > 0.0 && v.is_finite())
        && from_zero.iter().all(|&v| v >= 0.0 && v.is_finite());
    if sound { Ok(()) } else { Err("its collider has a size of 0 or less".to_owned()) }
}

/// The primitive that a scaled shape is, if it is one.
fn primitive(form: &ColliderForm, scales: Vector3<f64>) -> Option<Shape> {
    let same = |a: f64, b: f64| (a - b).abs() <= SAME * a.abs().max(b.abs());
    let round = same(scales.x, scales.z);
    let even = round && same(scales.x, scales.y);
    match *form {
        ColliderForm::Cuboid { half } => {
            let half_extents = Vector3::from(half).component_mul(&scales).cast::<f32>();
            Some(Shape::Cuboid { half_extents })
        }
        ColliderForm::Ball { radius } if even => {
            Some(Shape::Ball { radius: (radius * scales.x) as f32 })
        }
        ColliderForm::Capsule { half, bottom, top } if even && same(bottom, top) => {
            let radius = (bottom * scales.x) as f32;
            let half_height = (half * scales.y) as f32;
            // A capsule without a straight part is a ball.
            Some(if half_height > 0.0 {
                Shape::Capsule { half_height, radius }
            } else {
                Shape::Ball { radius }
            })
        }
        ColliderForm::Cylinder { half, bottom, top } if round && same(bottom, top) => {
            let radius = (bottom * scales.x) as f32;
            Some(Shape::Cylinder { half_height: (half * scales.y) as f32, radius })
        }
        _ => None,
    }
}

/// Points on a shape whose hull is the shape, as nearly as [`AROUND`] says for round ones.
fn samples(form: &ColliderForm) -> Vec<Point3<f64>> {
    match *form {
        ColliderForm::Cuboid { half: [x, y, z] } => {
            let corner =
                |i: usize, bit: usize, side: f64| if i >> bit & 1 == 0 { -side } else { side };
            (0..8).map(|i| Point3::new(corner(i, 0, x), corner(i, 1, y), corner(i, 2, z))).collect()
        }
        ColliderForm::Ball { radius } => sphere(radius, 0.0),
        ColliderForm::Capsule { half, bottom, top } => {
            let mut points = sphere(bottom, -half);
            points.extend(sphere(top, half));
            points
        }
        ColliderForm::Cylinder { half, bottom, top } => {
            let mut points = ring(bottom, -half);
            points.extend(ring(top, half));
            points
        }
        ColliderForm::Plane { .. } | ColliderForm::Mesh { .. } => Vec::new(),
    }
}

fn sphere(radius: f64, height: f64) -> Vec<Point3<f64>> {
    let at = |ring_index: usize| {
        let angle = PI * ring_index as f64 / RINGS as f64;
        ring(radius * angle.sin(), height - radius * angle.cos())
    };
    let poles = [height - radius, height + radius].map(|y| Point3::new(0.0, y, 0.0));
    (1..RINGS).flat_map(at).chain(poles).collect()
}

fn ring(radius: f64, height: f64) -> Vec<Point3<f64>> {
    let at = |i: usize| {
        let angle = TAU * i as f64 / AROUND as f64;
        Point3::new(radius * angle.cos(), height, radius * angle.sin())
    };
    (0..AROUND).map(at).collect()
}

fn rectangle([x, z]: [f64; 2], transform: &Transform) -> PlacedShape {
    let mut corners =
        [[-x, -z], [-x, z], [x, z], [x, -z]].map(|[x, z]| transform.apply(&Point3::new(x, 0.0, z)));
    if transform.mirrors() {
        corners.reverse();
    }
    PlacedShape::Rectangle(corners)
}
