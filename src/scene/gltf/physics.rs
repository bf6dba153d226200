//! Physics extensions: OMI_physics_body with OMI_physics_shape, and KHR_physics_rigid_bodies with
//! KHR_implicit_shapes (a draft; all of its forms so far are accepted).

use gltf::json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::document::Document;
use super::fault::Fault;

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Static,
    Kinematic,
    Dynamic,
}

/// What a node's physics extensions say.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// Of the node and everything below it.
    pub motion: Option<Motion>,
    pub collider: Option<Geometry>,
    pub trigger: bool,
}

/// Where the form of a collider is described.
#[derive(Clone, Copy, Debug)]
pub(super) enum Geometry {
    /// Index into the shapes of OMI_physics_shape.
    OmiShape(usize),
    /// Index into the shapes of KHR_implicit_shapes.
    KhrShape { shape: usize, hull: bool },
    /// The mesh of a node.
    MeshOfNode { node: usize, hull: bool },
    /// A mesh.
    Mesh { mesh: usize, hull: bool },
}

/// The form of a collider in its node's space [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
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

impl Body {
    /// Reads the physics extensions of a node.
    pub fn read(node: &json::Node) -> Result<Self, Fault> {
        let Some(extensions) = node.extensions.as_ref().map(|extensions| &extensions.others) else {
            return Ok(Body::default());
        };
        if let Some(body) = read::<OmiBody>(extensions, "OMI_physics_body")? {
            return Ok(body.into());
        }
        Ok(read::<KhrBody>(extensions, "KHR_physics_rigid_bodies")?.unwrap_or_default().into())
    }
}

/// The shapes a file describes, by their index; `Err` says why one cannot be used.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    omi: Vec<Result<Form, String>>,
    khr: Vec<Result<Form, String>>,
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
}

impl Geometry {
    /// The form in the node's space, or why there is none.
    ///
    /// # Errors
    /// An index that leads nowhere.
    pub fn form(self, document: &Document, shapes: &Shapes) -> Result<Result<Form, String>, Fault> {
        match self {
            Geometry::OmiShape(shape) => shape_at(&shapes.omi, "OMI_physics_shape", shape),
            Geometry::KhrShape { shape, hull } => {
                let form = shape_at(&shapes.khr, "KHR_implicit_shapes", shape)?;
                Ok(form.map(|form| match form {
                    Form::Mesh { mesh, .. } if hull => Form::Mesh { mesh, hull },
                    other => other,
                }))
            }
            Geometry::MeshOfNode { node, hull } => match document.node(node)?.mesh {
                Some(mesh) => Ok(Ok(Form::Mesh { mesh: mesh.value(), hull })),
                None => Ok(Err("its collider is a node without a mesh".to_owned())),
            },
            Geometry::Mesh { mesh, hull } => Ok(Ok(Form::Mesh { mesh, hull })),
        }
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

    fn form(&self, defaults: &Defaults) -> Result<Form, String> {
        match self.kind.as_str() {
            "box" => {
                Ok(Form::Cuboid { half: self.cuboid.size.unwrap_or([1.0; 3]).map(|s| s / 2.0) })
            }
            "sphere" => Ok(Form::Ball { radius: self.sphere.radius.unwrap_or(0.5) }),
            "capsule" => {
                let (height, bottom, top) = self.capsule.round(defaults);
                let ends = if defaults.whole_height { bottom + top } else { 0.0 };
                let half = ((height - ends) / 2.0).max(0.0);
                Ok(Form::Capsule { half, bottom, top })
            }
            "cylinder" => {
                let (height, bottom, top) = self.cylinder.round(defaults);
                Ok(Form::Cylinder { half: height / 2.0, bottom, top })
            }
            "plane" => {
                let size = [self.plane.size_x, self.plane.size_z].map(|size| size.unwrap_or(0.0));
                Ok(Form::Plane { size })
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

    fn of_mesh(&self, hull: bool) -> Result<Form, String> {
        let mesh = self.mesh.and_then(|mesh| usize::try_from(mesh).ok());
        mesh.map(|mesh| Form::Mesh { mesh, hull }).ok_or("its collider names no mesh".to_owned())
    }
}

fn shape_at(
    shapes: &[Result<Form, String>],
    extension: &str,
    index: usize,
) -> Result<Result<Form, String>, Fault> {
    shapes.get(index).cloned().ok_or_else(|| {
        Fault::file(format!("{extension} has no shape {index}; export the file again"))
    })
}

fn read<T: DeserializeOwned>(
    extensions: &Map<String, Value>,
    name: &str,
) -> Result<Option<T>, Fault> {
    extensions.get(name).map(|value| from_value(value, name)).transpose()
}

fn from_value<T: DeserializeOwned>(value: &Value, extension: &str) -> Result<T, Fault> {
    T::deserialize(value).map_err(|error| {
        Fault::file(format!("{extension} is not understood ({error}); export the file again"))
    })
}

#[derive(Default, Deserialize)]
struct OmiBody {
    motion: Option<OmiMotion>,
    collider: Option<OmiCollider>,
    trigger: Option<Value>,
    /// Files from before `motion` say it here.
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct OmiMotion {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct OmiCollider {
    shape: Option<usize>,
}

impl From<OmiBody> for Body {
    fn from(body: OmiBody) -> Self {
        let kind = body.motion.map(|motion| motion.kind).or(body.kind);
        let trigger = body.trigger.is_some() || kind.as_deref() == Some("trigger");
        let motion = kind.map(|kind| match kind.as_str() {
            "static" | "trigger" => Motion::Static,
            "kinematic" => Motion::Kinematic,
            _ => Motion::Dynamic,
        });
        let shape = body.collider.and_then(|collider| collider.shape);
        Body { motion, collider: shape.map(Geometry::OmiShape), trigger }
    }
}

#[derive(Default, Deserialize)]
struct KhrBody {
    motion: Option<KhrMotion>,
    collider: Option<KhrCollider>,
    trigger: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct KhrMotion {
    is_kinematic: bool,
}

#[derive(Deserialize)]
struct KhrCollider {
    geometry: Option<KhrGeometry>,
    /// Drafts before `geometry` name the shape here.
    shape: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KhrGeometry {
    shape: Option<usize>,
    node: Option<usize>,
    mesh: Option<usize>,
    #[serde(default)]
    convex_hull: bool,
}

impl KhrGeometry {
    fn resolve(&self) -> Option<Geometry> {
        let hull = self.convex_hull;
        let shape = self.shape.map(|shape| Geometry::KhrShape { shape, hull });
        let mesh = self.mesh.map(|mesh| Geometry::Mesh { mesh, hull });
        let node = self.node.map(|node| Geometry::MeshOfNode { node, hull });
        shape.or(mesh).or(node)
    }
}

impl From<KhrBody> for Body {
    fn from(body: KhrBody) -> Self {
        let motion = body
            .motion
            .map(|motion| if motion.is_kinematic { Motion::Kinematic } else { Motion::Dynamic });
        let collider = body.collider.and_then(|collider| {
            let shape = collider.shape.map(|shape| Geometry::KhrShape { shape, hull: false });
            collider.geometry.and_then(|geometry| geometry.resolve()).or(shape)
        });
        Body { motion, collider, trigger: body.trigger.is_some() }
    }
}
