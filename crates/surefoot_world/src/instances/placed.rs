//! Solids, links and volumes of a scene at a place.

use nalgebra::{Isometry3, Point3};
use surefoot::grid::{LinkId, LinkStop};
use surefoot_bake::scene::{LinkMarker, Shape, Solid, Volume, VolumeShape};

/// Returns a solid at a place.
pub fn placed_solid(solid: &Solid, pose: &Isometry3<f32>, prefix: &str) -> Solid {
    Solid {
        name: placed_name(&solid.name, prefix),
        shape: solid.shape.clone(),
        pose: pose * solid.pose,
        surfaces: solid.surfaces.clone(),
    }
}

/// Replaces the mesh of a shape, if it has one.
pub fn use_mesh(shape: &mut Shape, mut number: impl FnMut(usize) -> usize) {
    if let Shape::Mesh(mesh) | Shape::Hull(mesh) = shape {
        *mesh = number(*mesh);
    }
}

/// Which of all instances a link belongs to.
pub struct LinkHome<'a> {
    pub prefix: &'a str,
    pub number: usize,
}

/// Returns a link at a place. What moves there is another thing than at other places.
pub fn placed_link(link: &LinkMarker, pose: &Isometry3<f32>, home: &LinkHome<'_>) -> LinkMarker {
    let moving = |stop: LinkStop| {
        let moving = LinkId::of(&format!("{} {} {}", home.prefix, home.number, stop.moving.0));
        LinkStop { moving, ..stop }
    };
    LinkMarker {
        name: placed_name(&link.name, home.prefix),
        from: pose * link.from,
        to: pose * link.to,
        across: pose * link.across,
        stop: link.stop.map(moving),
        ..link.clone()
    }
}

/// Returns a volume at a place that is turned around y alone.
pub fn placed_volume(volume: &Volume, pose: &Isometry3<f32>, prefix: &str) -> Volume {
    let shape = match &volume.shape {
        VolumeShape::Box { pose: own, half_extents } => {
            VolumeShape::Box { pose: pose * own, half_extents: *half_extents }
        }
        VolumeShape::Prism { corners, bottom, top } => {
            let placed = |[x, z]: [f32; 2]| {
                let point = pose * Point3::new(x, 0.0, z);
                [point.x, point.z]
            };
            let up = pose.translation.vector.y;
            VolumeShape::Prism {
                corners: corners.iter().copied().map(placed).collect(),
                bottom: bottom + up,
                top: top + up,
            }
        }
        VolumeShape::Sphere { center, radius } => {
            VolumeShape::Sphere { center: pose * center, radius: *radius }
        }
    };
    Volume { name: placed_name(&volume.name, prefix), shape, effect: volume.effect }
}

fn placed_name(name: &str, prefix: &str) -> String {
    format!("{prefix}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_bake::scene::VolumeEffect;

    #[test]
    fn volumes_are_turned_with_their_scene() {
        let quarter = nalgebra::Vector3::y() * std::f32::consts::FRAC_PI_2;
        let pose = Isometry3::new(nalgebra::Vector3::new(10.0, 1.0, 0.0), quarter);
        let corners = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]];
        let shapes = [
            VolumeShape::Prism { corners, bottom: 0.0, top: 2.0 },
            VolumeShape::Box {
                pose: Isometry3::translation(2.0, 1.0, 0.5),
                half_extents: [2.0, 1.0, 0.5].into(),
            },
        ];
        for shape in shapes {
            let volume = Volume { name: "mud".to_owned(), shape, effect: VolumeEffect::Clear };
            let placed = placed_volume(&volume, &pose, "yard");
            assert_eq!(placed.name, "yard/mud");
            // x becomes -z: counter-clockwise as seen from above.
            assert!(placed.shape.contains([10.5, 1.5, -3.5]), "{placed:?}");
            assert!(
                !placed.shape.contains([13.5, 1.5, -0.5])
                    && !placed.shape.contains([10.5, 0.5, -3.5])
            );
        }
    }

    #[test]
    fn what_moves_is_another_thing_at_each_place() {
        let stop = Some(LinkStop { moving: LinkId(7), number: 1 });
        let link = LinkMarker { name: "lift".to_owned(), stop, ..LinkMarker::default() };
        let placed = |number| {
            let home = LinkHome { prefix: "tower", number };
            placed_link(&link, &Isometry3::identity(), &home)
        };
        let moving = |number| placed(number).stop.map(|stop| stop.moving);
        assert_eq!(placed(0).name, "tower/lift");
        assert_eq!(moving(0), moving(0));
        assert_ne!(moving(0), moving(1));
    }
}
