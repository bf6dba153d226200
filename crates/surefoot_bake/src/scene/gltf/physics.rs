//! Physics extensions: OMI_physics_body with OMI_physics_shape, and KHR_physics_rigid_bodies with
//! KHR_implicit_shapes (a draft; all of its forms so far are accepted).

use gltf::json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::document::Document;
use super::fault::Fault;
use super::forms::{ColliderForm, Shapes};

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Static,
    Kinematic,
    Dynamic,
}

/// What a node's physics extensions say.
#[derive(Debug, Default)]
pub(super) struct PhysicsBody {
    /// Of the node and everything below it.
    pub motion: Option<Motion>,
    pub collider: Option<ColliderGeometry>,
    pub trigger: bool,
}

/// Where the form of a collider is described.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColliderGeometry {
    /// Index into the shapes of OMI_physics_shape.
    OmiShape(usize),
    /// Index into the shapes of KHR_implicit_shapes.
    KhrShape { shape: usize, hull: bool },
    /// The mesh of a node.
    MeshOfNode { node: usize, hull: bool },
    /// A mesh.
    Mesh { mesh: usize, hull: bool },
}

impl PhysicsBody {
    /// Reads the physics extensions of a node.
    pub fn read(node: &json::Node) -> Result<Self, Fault> {
        let Some(extensions) = node.extensions.as_ref().map(|extensions| &extensions.others) else {
            return Ok(PhysicsBody::default());
        };
        if let Some(body) = read::<OmiBody>(extensions, "OMI_physics_body")? {
            return Ok(body.into());
        }
        Ok(read::<KhrBody>(extensions, "KHR_physics_rigid_bodies")?.unwrap_or_default().into())
    }
}

impl ColliderGeometry {
    /// The form in the node's space, or why there is none.
    ///
    /// # Errors
    /// An index that leads nowhere.
    pub fn form(
        self,
        document: &Document,
        shapes: &Shapes,
    ) -> Result<Result<ColliderForm, String>, Fault> {
        match self {
            ColliderGeometry::OmiShape(shape) => shapes.omi(shape),
            ColliderGeometry::KhrShape { shape, hull } => {
                let form = shapes.khr(shape)?;
                Ok(form.map(|form| match form {
                    ColliderForm::Mesh { mesh, .. } if hull => ColliderForm::Mesh { mesh, hull },
                    other => other,
                }))
            }
            ColliderGeometry::MeshOfNode { node, hull } => match document.node(node)?.mesh {
                Some(mesh) => Ok(Ok(ColliderForm::Mesh { mesh: mesh.value(), hull })),
                None => Ok(Err("its collider is a node without a mesh".to_owned())),
            },
            ColliderGeometry::Mesh { mesh, hull } => Ok(Ok(ColliderForm::Mesh { mesh, hull })),
        }
    }
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

impl From<OmiBody> for PhysicsBody {
    fn from(body: OmiBody) -> Self {
        let kind = body.motion.map(|motion| motion.kind).or(body.kind);
        let trigger = body.trigger.is_some() || kind.as_deref() == Some("trigger");
        let motion = kind.map(|kind| match kind.as_str() {
            "static" | "trigger" => Motion::Static,
            "kinematic" => Motion::Kinematic,
            _ => Motion::Dynamic,
        });
        let shape = body.collider.and_then(|collider| collider.shape);
        PhysicsBody { motion, collider: shape.map(ColliderGeometry::OmiShape), trigger }
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
    fn resolve(&self) -> Option<ColliderGeometry> {
        let hull = self.convex_hull;
        let shape = self.shape.map(|shape| ColliderGeometry::KhrShape { shape, hull });
        let mesh = self.mesh.map(|mesh| ColliderGeometry::Mesh { mesh, hull });
        let node = self.node.map(|node| ColliderGeometry::MeshOfNode { node, hull });
        shape.or(mesh).or(node)
    }
}

impl From<KhrBody> for PhysicsBody {
    fn from(body: KhrBody) -> Self {
        let motion = body
            .motion
            .map(|motion| if motion.is_kinematic { Motion::Kinematic } else { Motion::Dynamic });
        let collider = body.collider.and_then(|collider| {
            let shape =
                collider.shape.map(|shape| ColliderGeometry::KhrShape { shape, hull: false });
            collider.geometry.and_then(|geometry| geometry.resolve()).or(shape)
        });
        PhysicsBody { motion, collider, trigger: body.trigger.is_some() }
    }
}
