//! A scene in another size.

use nalgebra::Point3;

use super::canonical::{self, Soup};
use super::limits::{MAX_COORDINATE, check_point};
use super::{LinkMarker, Mesh, Scene, SceneError, Shape, Solid, VolumeShape};

impl Scene {
    /// Returns the same scene, a number of times as large, about the origin [> 0]. What its links cost is
    /// kept.
    ///
    /// # Errors
    /// The factor is not more than 0, or names the first part that gets too large, or so small that
    /// nothing is left of it.
    pub fn scaled(&self, factor: f32) -> Result<Scene, SceneError> {
        let mut scene = self.clone();
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(part(&self.report.file, "a scale must be more than 0".to_owned()));
        }
        let mut left = Vec::with_capacity(self.meshes.len());
        for mesh in &mut scene.meshes {
            left.push(scale_mesh(mesh, factor)?);
        }
        for solid in &mut scene.solids {
            scale_solid(solid, factor, &left).map_err(|problem| part(&solid.name, problem))?;
        }
        for link in &mut scene.links {
            let LinkMarker { from, to, across, .. } = link;
            (*from, *to, *across) = (*from * factor, *to * factor, *across * factor);
            link.check().map_err(|problem| part(&link.name, problem))?;
        }
        for volume in &mut scene.volumes {
            scale_volume(&mut volume.shape, factor);
            volume.shape.check().map_err(|problem| part(&volume.name, problem))?;
        }
        scene.canonicalize()?;
        Ok(scene)
    }
}

fn part(name: &str, problem: String) -> SceneError {
    SceneError::Part { name: name.to_owned(), problem }
}

/// Scales a mesh, and returns what is wrong with it then.
fn scale_mesh(mesh: &mut Mesh, factor: f32) -> Result<Result<(), String>, SceneError> {
    let Mesh { vertices, triangles, slots } = std::mem::take(mesh);
    let vertices: Vec<Point3<f32>> = vertices.iter().map(|vertex| vertex * factor).collect();
    let sound = vertices.iter().try_for_each(check_point);
    let is_hull = triangles.is_empty();
    *mesh = if is_hull {
        canonical::hull(&vertices, &())?
    } else {
        canonical::mesh(Soup { vertices, triangles, slots }, &())?.0
    };
    let is_left =
        if is_hull { canonical::has_volume(&mesh.vertices) } else { !mesh.triangles.is_empty() };
    Ok(sound.and(if is_left { Ok(()) } else { Err(TOO_SMALL.to_owned()) }))
}

const TOO_SMALL: &str = "nothing is left of it in this scale; use a larger one";

/// Scales a solid; the meshes are scaled already.
fn scale_solid(solid: &mut Solid, factor: f32, left: &[Result<(), String>]) -> Result<(), String> {
    solid.pose.translation.vector *= factor;
    check_point(&solid.pose.translation.vector.into())?;
    let sizes: &mut [&mut f32] = match &mut solid.shape {
        Shape::Mesh(mesh) | Shape::Hull(mesh) => return left[*mesh].clone(),
        Shape::Cuboid { half_extents } => &mut half_extents.iter_mut().collect::<Vec<_>>(),
        Shape::Ball { radius } => &mut [radius],
        Shape::Capsule { half_height, radius } | Shape::Cylinder { half_height, radius } => {
            &mut [half_height, radius]
        }
    };
    for size in sizes {
        **size *= factor;
        if !(**size > 0.0 && **size <= MAX_COORDINATE) {
            return Err(format!(
                "each of its sizes must be more than 0 and at most {MAX_COORDINATE} m in this scale"
            ));
        }
    }
    Ok(())
}

fn scale_volume(shape: &mut VolumeShape, factor: f32) {
    match shape {
        VolumeShape::Box { pose, half_extents } => {
            pose.translation.vector *= factor;
            *half_extents *= factor;
        }
        VolumeShape::Prism { corners, bottom, top } => {
            corners.as_flattened_mut().iter_mut().for_each(|v| *v *= factor);
            (*bottom, *top) = (*bottom * factor, *top * factor);
        }
        VolumeShape::Sphere { center, radius } => {
            (*center, *radius) = (*center * factor, *radius * factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Placement, SceneBuilder, Triangles};

    fn yard() -> SceneBuilder {
        let mut builder = SceneBuilder::new("yard");
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 0.0]];
        let ground = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
        builder.mesh("ground", ground, Placement::default());
        builder.cuboid("crate", [0.5, 0.5, 0.5], Placement::at([2.0, 0.5, 2.0]).obstacle());
        builder
    }

    #[test]
    fn a_scene_of_twice_the_size_is_that_scene() {
        let mut large = SceneBuilder::new("yard");
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 16.0], [16.0, 0.0, 0.0]];
        let ground = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
        large.mesh("ground", ground, Placement::default());
        large.cuboid("crate", [1.0, 1.0, 1.0], Placement::at([4.0, 1.0, 4.0]).obstacle());
        let small = yard().build().expect("a scene");
        assert_eq!(small.scaled(2.0).expect("larger"), large.build().expect("a scene"));
        assert_eq!(small.scaled(1.0).expect("the same"), small);
    }

    fn crate_alone() -> Scene {
        let mut builder = SceneBuilder::new("crate");
        builder.cuboid("crate", [0.5, 0.5, 0.5], Placement::default());
        builder.build().expect("a scene")
    }

    #[test]
    fn what_gets_too_large_or_too_small_is_refused() {
        let scene = yard().build().expect("a scene");
        let refused = |scene: &Scene, factor: f32, words: &str| {
            let error = scene.scaled(factor).expect_err(words).to_string();
            assert!(error.contains(words), "{factor}: {error}");
        };
        refused(&scene, 0.0, "\"yard\": a scale must be more than 0");
        refused(&scene, f32::NAN, "a scale must be more than 0");
        refused(&scene, 1e30, "\"crate\": (2000");
        refused(&crate_alone(), 1e9, "at most 10000000 m in this scale");
        refused(&scene, 1e-45, "\"crate\": each of its sizes must be more than 0");
        let mut flake = SceneBuilder::new("flake");
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.1], [0.1, 0.0, 0.0]];
        let ground = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
        flake.mesh("ground", ground, Placement::default());
        let flake = flake.build().expect("a scene");
        refused(&flake, 1e-45, "\"ground\": nothing is left of it");
        refused(&flake, 1e9, "\"ground\": (0, 0, 100000000) is not a valid position");
    }
}
