//! Volumes: from the marks of nodes, in their own space, to shapes in the world.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Point3, Vector3};

use surefoot::observer::check_cancelled;

use super::accessor::Accessors;
use super::assemble;
use super::fault::Fault;
use super::loader::Loader;
use super::nodes::PlacedNode;
use super::transform::Transform;
use super::uses;
use super::volume_spec::{FoundVolume, ShapeSpec};
use crate::scene::VolumeShape;

/// The box around a mesh, from its least to its greatest corner [m]; `None` without triangles.
type MeshBox = Option<[Point3<f64>; 2]>;

/// Finds the volumes that nodes mark; what cannot be used goes to the report.
pub(super) fn find(
    loader: &mut Loader<'_>,
    accessors: &Accessors<'_>,
    nodes: &[PlacedNode<'_>],
) -> Result<Vec<FoundVolume>, Fault> {
    let mut meshes = BTreeMap::new();
    let mut found = Vec::new();
    for node in nodes {
        let Some(spec) = node.volume() else { continue };
        check_cancelled(loader.observer)?;
        if let Some(reason) = uses::why_no_volume(loader, node) {
            loader.skip(node.name, format!("its volume: {reason}"));
            continue;
        }
        let Some(shape) = &spec.shape else { continue };
        let around = match (shape, loader.document.nodes[node.index].mesh) {
            (ShapeSpec::Box { size: None }, Some(mesh)) => {
                let mesh = mesh.value();
                let known = meshes.get(&mesh).copied();
                let around = known.map_or_else(|| box_around(loader, accessors, mesh), Ok);
                let around = around.map_err(|fault| fault.of_node(node.name))?;
                meshes.insert(mesh, around);
                around
            }
            _ => None,
        };
        let Some(ground) = spec.ground.clone() else {
            let message = "its volume has no effect; give it an area, forbidden or clear";
            loader.warn(node.name, message.to_owned());
            continue;
        };
        let placed = Transform::new(&node.world).map(|transform| place(shape, around, &transform));
        match placed.unwrap_or_else(|| Err("it is scaled to zero".to_owned())) {
            Ok(shape) => found.push(FoundVolume { name: node.name.to_owned(), shape, ground }),
            Err(problem) => {
                loader.warn(node.name, format!("its volume cannot be used: {problem}"));
            }
        }
    }
    loader.check_report()?;
    Ok(found)
}

/// Returns the box around the triangles of a mesh.
fn box_around(
    loader: &Loader<'_>,
    accessors: &Accessors<'_>,
    mesh: usize,
) -> Result<MeshBox, Fault> {
    let (soup, _) = assemble::decode(loader, accessors, mesh, None)?;
    let points = soup.vertices.iter().map(|vertex| vertex.coords.cast::<f64>());
    let ends = points.map(|point| [point, point]);
    let around = ends.reduce(|[low, high], [point, _]| [low.inf(&point), high.sup(&point)]);
    Ok(around.map(|ends| ends.map(Point3::from)))
}

/// Returns the shape in the world, or what is wrong with it.
fn place(spec: &ShapeSpec, around: MeshBox, transform: &Transform) -> Result<VolumeShape, String> {
    let shape = match spec {
        ShapeSpec::Box { size: Some(size) } => {
            let half = Vector3::from(*size) / 2.0;
            boxed(transform, [-half, half].map(Point3::from))?
        }
        ShapeSpec::Box { size: None } => {
            let no_size = "it has no size, and its node no mesh with triangles; give it a \"size\"";
            boxed(transform, around.ok_or(no_size)?)?
        }
        ShapeSpec::Sphere { radius } => {
            let similar = transform.similarity();
            let similar = similar.ok_or("a sphere needs the same scale along all axes")?;
            let center = transform.apply(&Point3::origin()).cast();
            VolumeShape::Sphere { center, radius: (radius * similar.scale) as f32 }
        }
        ShapeSpec::Prism { points, height } => prism(transform, points, *height)?,
    };
    shape.check()?;
    Ok(shape)
}

/// Returns a box in the world, given its least and its greatest corner in the node's space.
fn boxed(transform: &Transform, [low, high]: [Point3<f64>; 2]) -> Result<VolumeShape, String> {
    let axes = transform.axes();
    let (scales, pose) = axes.ok_or("its node is sheared; apply the node's transform")?;
    let half = (high - low).component_mul(&scales) / 2.0;
    let center = transform.apply(&nalgebra::center(&low, &high)).cast::<f32>();
    let pose = Isometry3::from_parts(center.into(), pose.rotation);
    Ok(VolumeShape::Box { pose, half_extents: half.cast() })
}

/// How much of an upright unit may point aside.
const UPRIGHT: f64 = 1e-6;

fn prism(transform: &Transform, points: &[[f64; 2]], height: f64) -> Result<VolumeShape, String> {
    if !(height > 0.0 && height.is_finite()) {
        return Err(format!("its height is {height}; it must be more than 0"));
    }
    let origin = transform.apply(&Point3::origin());
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()]
        .map(|axis| (transform.apply(&axis.into()) - origin).normalize());
    if y.xz().norm() > UPRIGHT || x.y.abs() > UPRIGHT || z.y.abs() > UPRIGHT {
        return Err("a prism stays upright; turn its node about the vertical only".to_owned());
    }
    let corners = points.iter().map(|&[x, z]| {
        let corner = transform.apply(&Point3::new(x, 0.0, z)).cast::<f32>();
        [corner.x, corner.z]
    });
    let ends = [origin.y, transform.apply(&Point3::new(0.0, height, 0.0)).y].map(|y| y as f32);
    let [bottom, top] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    Ok(VolumeShape::Prism { corners: corners.collect(), bottom, top })
}
