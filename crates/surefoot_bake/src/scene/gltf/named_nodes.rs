//! Where the nodes of a file are, for who looks places up by name. No geometry is read.

use std::path::Path;

use gltf::json;
use nalgebra::Point3;
use surefoot::Observer;

use super::container::Container;
use super::document::Document;
use super::fault::Fault;
use super::memory::Memory;
use super::numbers::{NodeNames, NodePlace};
use super::{DEFAULT_MEMORY_LIMIT, nodes, read_file};
use crate::scene::{Scene, SceneError};

/// A node of a file, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNode {
    /// Its name; that of its mesh if it has none, with a number where several go by that name.
    pub name: String,
    /// Its origin in the world [m].
    pub point: Point3<f32>,
    /// Whether it marks a place and nothing else, as what editors call an empty does: it has no mesh, no
    /// camera, no extension such as a light or a body, and no node below it.
    pub is_empty: bool,
}

impl Scene {
    /// The nodes of the default scene of a `.gltf` or `.glb` file, of all of it where it names none, with
    /// their places in the world. Sorted by name, then x, z and y; nodes without any name are left out.
    /// Names are those that grids know nodes by.
    ///
    /// ```no_run
    /// use std::path::Path;
    /// use surefoot_bake::Scene;
    ///
    /// let nodes = Scene::named_nodes(Path::new("level.glb"))?;
    /// let spawns = nodes.iter().filter(|node| node.name.starts_with("spawn_"));
    /// # Ok::<(), surefoot_bake::scene::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or its nodes cannot be used: the file, the node where there is one, and
    /// what to do.
    pub fn named_nodes(path: &Path) -> Result<Vec<NamedNode>, SceneError> {
        let memory = Memory::new(DEFAULT_MEMORY_LIMIT);
        let bytes = read_file(path, &memory, &())?;
        named_nodes(&bytes, &memory, &()).map_err(|fault| fault.at(path))
    }
}

fn named_nodes(
    bytes: &[u8],
    memory: &Memory,
    observer: &dyn Observer,
) -> Result<Vec<NamedNode>, Fault> {
    let document = Document::parse(Container::split(bytes)?.json, memory, observer)?;
    let places = nodes::places(&document, observer)?;
    let names = NodeNames::of(&document, &places, observer)?;
    let named = |(at, place): (usize, &NodePlace)| {
        let node = &document.nodes[place.index];
        let base = document.given_name(node)?;
        let origin = place.world.column(3).into_owned();
        Some(NamedNode {
            name: names.name(at, base).to_owned(),
            point: Point3::from(origin).cast(),
            is_empty: is_empty(node),
        })
    };
    let mut nodes: Vec<NamedNode> = places.iter().enumerate().filter_map(named).collect();
    let order = |node: &NamedNode| [node.point.x, node.point.z, node.point.y];
    nodes.sort_by(|a, b| {
        let [own, other] = [a, b].map(order);
        let places = own.iter().zip(&other).map(|(own, other)| own.total_cmp(other));
        places.fold(a.name.cmp(&b.name), std::cmp::Ordering::then)
    });
    Ok(nodes)
}

fn is_empty(node: &json::Node) -> bool {
    let extensions = node.extensions.as_ref();
    node.mesh.is_none()
        && node.camera.is_none()
        && node.children.as_ref().is_none_or(Vec::is_empty)
        && extensions.is_none_or(|extensions| extensions.others.is_empty())
}
