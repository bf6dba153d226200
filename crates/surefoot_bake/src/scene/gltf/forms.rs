//! The forms of physics shapes, as the document-level lists of OMI_physics_shape and
//! KHR_implicit_shapes describe them.

use serde::Deserialize;
use serde_json::Value;

use super::document::Document;
use super::fault::Fault;

/// The form of a collider in its node's space [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColliderForm {
    Cuboid {
        half: [f64; 3],
    },
    Ball {
        radius: f64,
    },
    /// Along y; `half` is of the straight part.
    Capsule {
        half: f64,
        bottom: f64,
        top: f64,
    },
    /// Along y.
    Cylinder {
        half: f64,
        bottom: f64,
        top: f64,
    },
    /// A rectangle in x and z, facing up; endless where a side is 0.
    Plane {
        size: [f64; 2],
    },
    Mesh {
        mesh: usize,
        hull: bool,
    },
}

/// The shapes a file describes, by their index; `Err` holds the reason why one cannot be used.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    omi: Vec<Result<ColliderForm, String>>,
    khr: Vec<Result<ColliderForm, String>>,
}

impl Shapes {
    /// Reads the shapes of a document.
    pub fn read(document: &Document) -> Self {
        let list = |extension: &str, defaults: &Defaults| {
            let shapes =
                document.extensions.get(extension).and_then(|e| e.get("shapes")?.as_array());
            let shapes = shapes.map(Vec::as_slice).unwrap_or_default().iter();
            shapes.map(|shape| ShapeJson::read(shape)?.form(defaults)).collect()
        };
        let khr = list("KHR_implicit_shapes", &Defaults::KHR);
        Shapes { omi: list("OMI_physics_shape", &Defaults::OMI), khr }
    }

    /// A shape of OMI_physics_shape.
    pub fn omi(&self, index: usize) -> Result<Result<ColliderForm, String>, Fault> {
        at(&self.omi, "OMI_physics_shape", index)
    }

    /// A shape of KHR_implicit_shapes.
    pub fn khr(&self, index: usize) -> Result<Result<ColliderForm, String>, Fault> {
        at(&self.khr, "KHR_implicit_shapes", index)
    }
}

/// What a shape is where the file does not say, and what its height means.
struct Defaults {
    radius: f64,
    height: f64,
    /// A capsule's height counts its round ends.
    whole_height: bool,
}

impl Defaults {
    const OMI: Defaults = Defaults { radius: 0.5, height: 2.0, whole_height: true };
    const KHR: Defaults = Defaults { radius: 0.25, height: 0.5, whole_height: false };
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShapeJson {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, rename = "box")]
    cuboid: Sizes,
    #[serde(default)]
    sphere: Sizes,
    #[serde(default)]
    capsule: Sizes,
    #[serde(default)]
    cylinder: Sizes,
    #[serde(default)]
    plane: Sizes,
    #[serde(default)]
    convex: Sizes,
    #[serde(default)]
    trimesh: Sizes,
    #[serde(default)]
    mesh: Sizes,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Sizes {
    size: Option<[f64; 3]>,
    radius: Option<f64>,
    radius_top: Option<f64>,
    radius_bottom: Option<f64>,
    height: Option<f64>,
    size_x: Option<f64>,
    size_z: Option<f64>,
    mesh: Option<i64>,
}

impl ShapeJson {
    fn read(value: &Value) -> Result<Self, String> {
        ShapeJson::deserialize(value)
            .map_err(|error| format!("its collider's shape is not understood ({error:.80})"))
    }

    fn form(&self, defaults: &Defaults) -> Result<ColliderForm, String> {
        match self.kind.as_str() {
            "box" => Ok(ColliderForm::Cuboid {
                half: self.cuboid.size.unwrap_or([1.0; 3]).map(|s| s / 2.0),
            }),
            "sphere" => Ok(ColliderForm::Ball { radius: self.sphere.radius.unwrap_or(0.5) }),
            "capsule" => {
                let (height, bottom, top) = self.capsule.round(defaults);
                let ends = if defaults.whole_height { bottom + top } else { 0.0 };
                let half = ((height - ends) / 2.0).max(0.0);
                Ok(ColliderForm::Capsule { half, bottom, top })
            }
            "cylinder" => {
                let (height, bottom, top) = self.cylinder.round(defaults);
                Ok(ColliderForm::Cylinder { half: height / 2.0, bottom, top })
            }
            "plane" => {
                let size = [self.plane.size_x, self.plane.size_z].map(|size| size.unwrap_or(0.0));
                Ok(ColliderForm::Plane { size })
            }
            "convex" => self.convex.of_mesh(true),
            "trimesh" => self.trimesh.of_mesh(false),
            "mesh" => self.mesh.of_mesh(false),
            other => Err(format!("its collider is of the unknown kind {other:.40?}")),
        }
    }
}

impl Sizes {
    /// Height, radius at the bottom, radius at the top.
    fn round(&self, defaults: &Defaults) -> (f64, f64, f64) {
        let radius = self.radius.unwrap_or(defaults.radius);
        let bottom = self.radius_bottom.unwrap_or(radius);
        let top = self.radius_top.unwrap_or(radius);
        (self.height.unwrap_or(defaults.height), bottom, top)
    }

    fn of_mesh(&self, hull: bool) -> Result<ColliderForm, String> {
        let mesh = self.mesh.and_then(|mesh| usize::try_from(mesh).ok());
        mesh.map(|mesh| ColliderForm::Mesh { mesh, hull })
            .ok_or("its collider names no mesh".to_owned())
    }
}

fn at(
    shapes: &[Result<ColliderForm, String>],
    extension: &str,
    index: usize,
) -> Result<Result<ColliderForm, String>, Fault> {
    shapes.get(index).cloned().ok_or_else(|| {
        Fault::file(format!("{extension} has no shape {index}; export the file again"))
    })
}
