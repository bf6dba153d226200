//! Volumes as users write them in TOML.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use serde::Deserialize;
use surefoot_bake::scene::{VolumeMark, VolumeShape};

use super::specs::{AreaCost, factor_and_ban};

/// A volume: a shape, and an area, `forbidden` or `clear`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "VolumeFields")]
pub struct VolumeSpec(VolumeMark);

/// A volume as it is written; one of the shapes has to be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VolumeFields {
    name: String,
    #[serde(rename = "box")]
    cuboid: Option<BoxFields>,
    sphere: Option<SphereFields>,
    prism: Option<PrismFields>,
    area: Option<String>,
    cost: Option<AreaCost>,
    #[serde(default)]
    forbidden: bool,
    #[serde(default)]
    clear: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxFields {
    center: [f32; 3],
    size: [f32; 3],
    /// From +x towards +z [degrees].
    #[serde(default)]
    yaw: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SphereFields {
    center: [f32; 3],
    radius: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrismFields {
    points: Vec<[f32; 2]>,
    bottom: f32,
    top: f32,
}

impl VolumeSpec {
    /// The mark to load the scene with, not checked.
    pub fn mark(self) -> VolumeMark {
        self.0
    }
}

impl TryFrom<VolumeFields> for VolumeSpec {
    type Error = String;

    fn try_from(fields: VolumeFields) -> Result<Self, String> {
        let VolumeFields { name, cuboid, sphere, prism, area, cost, forbidden, clear } = fields;
        let shapes = [
            cuboid.map(BoxFields::shape),
            sphere.map(|SphereFields { center, radius }| VolumeShape::Sphere {
                center: center.into(),
                radius,
            }),
            prism.map(|PrismFields { points, bottom, top }| VolumeShape::Prism {
                corners: points,
                bottom,
                top,
            }),
        ];
        let mut shapes = shapes.into_iter().flatten();
        let (Some(shape), None) = (shapes.next(), shapes.next()) else {
            return Err(format!("volume {name:?} needs one of box, sphere and prism"));
        };
        let (cost, is_banned) = factor_and_ban(cost);
        let forbidden = forbidden || is_banned;
        Ok(VolumeSpec(VolumeMark { name, shape, area, cost, forbidden, clear }))
    }
}

impl BoxFields {
    fn shape(self) -> VolumeShape {
        let BoxFields { center: [x, y, z], size, yaw } = self;
        // From +x towards +z is a negative turn about y.
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -yaw.to_radians());
        let pose = Isometry3::from_parts(Translation3::new(x, y, z), turn);
        VolumeShape::Box { pose, half_extents: Vector3::from(size) / 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_has_one_shape() {
        let read = |text: &str| toml::from_str::<VolumeSpec>(text).map(VolumeSpec::mark);
        let boxed = read(
            "name = 'a'\nforbidden = true\nbox = { center = [0, 0, 0], size = [4, 2, 1], yaw = 90 }",
        );
        let VolumeMark { shape, forbidden, .. } = boxed.expect("a box");
        assert!(forbidden && shape.contains([0.4, 0.0, 1.9]) && !shape.contains([1.9, 0.0, 0.4]));
        let none = read("name = 'a'\nclear = true").expect_err("no shape").to_string();
        assert!(none.contains("volume \"a\" needs one of box, sphere and prism"), "{none}");
        let two = "name = 'a'\nsphere = { center = [0, 0, 0], radius = 1 }\n\
                   prism = { points = [[0, 0], [1, 0], [0, 1]], bottom = 0, top = 1 }";
        assert!(read(two).is_err());
    }

    #[test]
    fn a_turn_is_from_x_towards_z() {
        let shape = BoxFields { center: [0.0; 3], size: [4.0, 2.0, 0.5], yaw: 45.0 }.shape();
        assert!(shape.contains([1.2, 0.0, 1.2]) && !shape.contains([1.2, 0.0, -1.2]));
    }
}
