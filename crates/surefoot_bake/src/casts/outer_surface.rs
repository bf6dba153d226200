//! Provides [`OuterSurface`]: what a solid looks like, as triangles in the world.

use nalgebra::{Isometry3, Point3};
use parry3d::math::Vector;
use parry3d::shape::{Ball, Capsule, Cuboid, Cylinder};

use super::hull::{Polyhedron, convex_hull};
use super::solid::to_point;
use crate::scene::{Mesh, Scene, Shape, Solid};

/// The surface of a solid as triangles, to be drawn. Round bodies are drawn by flat faces; nothing is
/// measured on them.
#[derive(Clone, Debug, PartialEq)]
pub struct OuterSurface {
    /// Name of the solid's node.
    pub node: String,
    /// Corners in the world [m].
    pub vertices: Vec<Point3<f32>>,
    /// The corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether nobody stands on any part of it.
    pub is_obstacle: bool,
}

/// Faces round a circle, and from pole to pole.
const SEGMENTS: u32 = 24;

impl OuterSurface {
    /// The surfaces of all solids of a scene, in its order. A hull without volume has no triangles.
    /// O(triangles), and O(vertices · log vertices) for hulls.
    pub fn all(scene: &Scene) -> Vec<OuterSurface> {
        scene.solids.iter().map(|solid| OuterSurface::of(solid, &scene.meshes)).collect()
    }

    fn of(solid: &Solid, meshes: &[Mesh]) -> Self {
        let (vertices, triangles) = match solid.shape {
            Shape::Mesh(mesh) => {
                (placed(&meshes[mesh], &solid.pose), meshes[mesh].triangles.clone())
            }
            Shape::Hull(mesh) => {
                let points = meshes[mesh].vertices.iter().map(|at| Vector::from(*at));
                let hull = convex_hull(&points.collect::<Vec<_>>());
                let empty = Polyhedron { vertices: Vec::new(), triangles: Vec::new() };
                let Polyhedron { vertices, triangles } = hull.unwrap_or(empty);
                (in_world(vertices, &solid.pose), triangles)
            }
            Shape::Cuboid { half_extents } => {
                let (vertices, triangles) = Cuboid::new(Vector::from(half_extents)).to_trimesh();
                (in_world(vertices, &solid.pose), triangles)
            }
            Shape::Ball { radius } => {
                let (vertices, triangles) = Ball::new(radius).to_trimesh(SEGMENTS, SEGMENTS / 2);
                (in_world(vertices, &solid.pose), triangles)
            }
            Shape::Capsule { half_height, radius } => {
                let capsule = Capsule::new_y(half_height, radius);
                let (vertices, triangles) = capsule.to_trimesh(SEGMENTS, SEGMENTS / 2);
                (in_world(vertices, &solid.pose), triangles)
            }
            Shape::Cylinder { half_height, radius } => {
                let (vertices, triangles) = Cylinder::new(half_height, radius).to_trimesh(SEGMENTS);
                (in_world(vertices, &solid.pose), triangles)
            }
        };
        let is_obstacle = solid.surfaces.iter().all(|surface| surface.obstacle);
        OuterSurface { node: solid.name.clone(), vertices, triangles, is_obstacle }
    }
}

fn placed(mesh: &Mesh, pose: &Isometry3<f32>) -> Vec<Point3<f32>> {
    mesh.vertices.iter().map(|at| pose * at).collect()
}

fn in_world(vertices: Vec<Vector>, pose: &Isometry3<f32>) -> Vec<Point3<f32>> {
    vertices.into_iter().map(|at| pose * to_point(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Placement, SceneBuilder};

    /// The volume within triangles that look outwards, by the divergence theorem [m³].
    fn volume(surface: &OuterSurface) -> f32 {
        let corner = |index: u32| surface.vertices[index as usize].coords;
        let cones = surface
            .triangles
            .iter()
            .map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c))) / 6.0);
        cones.sum()
    }

    #[test]
    fn surfaces_look_outwards_and_enclose_the_solid() {
        let mut builder = SceneBuilder::new("shapes");
        let at = || Placement::at([30.0, 2.0, -7.0]);
        builder.cuboid("box", [0.5, 1.0, 2.0], at());
        builder.ball("ball", 1.5, at().obstacle());
        builder.capsule("capsule", [1.0, 0.5], at());
        builder.cylinder("cylinder", [1.0, 0.5], at());
        let corners = [[0., 0., 0.], [2., 0., 0.], [0., 3., 0.], [0., 0., 4.], [0.1, 0.1, 0.1]];
        builder.hull("hull", &corners, at());
        let scene = builder.build().expect("a scene");
        let surfaces = OuterSurface::all(&scene);
        let pi = std::f32::consts::PI;
        for (node, expected) in [
            ("box", 8.0),
            ("ball", 4.0 / 3.0 * pi * 1.5f32.powi(3)),
            ("capsule", pi * 0.25 * 2.0 + 4.0 / 3.0 * pi * 0.125),
            ("cylinder", pi * 0.25 * 2.0),
            ("hull", 4.0),
        ] {
            let surface = surfaces.iter().find(|own| own.node == node).expect(node);
            let share = volume(surface) / expected;
            assert!((0.94..=1.01).contains(&share), "{node}: {share}");
            assert_eq!(surface.is_obstacle, node == "ball");
        }
    }
}
