//! Nodes of a scene: a name, a mesh, where it stands, and its marks.

use serde_json::{Map, Value, json};

use super::angle::quaternion;
use super::shapes::P;
use super::writer::number;

/// A node in the making; what is not set is not written.
#[derive(Clone, Default)]
pub struct Node {
    fields: Map<String, Value>,
}

impl Node {
    /// A node of a name, at the origin.
    pub fn new(name: impl Into<String>) -> Self {
        Node::default().with("name", json!(name.into()))
    }

    /// Shows a mesh.
    pub fn mesh(self, mesh: usize) -> Self {
        self.with("mesh", json!(mesh))
    }

    /// Stands at a place [m].
    pub fn at(self, place: P) -> Self {
        self.with("translation", json!(place.map(number)))
    }

    /// Is turned about the y axis [turns].
    pub fn yaw(self, turns: f64) -> Self {
        self.turned([0.0, 1.0, 0.0], turns)
    }

    /// Is turned about any axis [unit length, turns].
    pub fn turned(self, axis: P, turns: f64) -> Self {
        self.rotation(quaternion(axis, turns))
    }

    /// Is turned by a quaternion of unit length: x, y, z, w.
    pub fn rotation(self, quaternion: [f64; 4]) -> Self {
        self.with("rotation", json!(quaternion.map(number)))
    }

    /// Is stretched along its own axes.
    pub fn scale(self, scale: P) -> Self {
        self.with("scale", json!(scale.map(number)))
    }

    /// Carries other nodes.
    pub fn children(self, children: &[usize]) -> Self {
        self.with("children", json!(children))
    }

    /// Carries a mark in its extras.
    pub fn nav(self, mark: Value) -> Self {
        self.with("extras", json!({ "nav": mark }))
    }

    /// Carries an extension.
    pub fn extension(self, name: &str, value: Value) -> Self {
        self.with("extensions", json!({ name: value }))
    }

    /// The node as glTF writes it.
    pub fn into_json(self) -> Value {
        Value::Object(self.fields)
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        self.fields.insert(key.to_owned(), value);
        self
    }
}
