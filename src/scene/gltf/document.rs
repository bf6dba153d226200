//! The JSON of a glTF file, read leniently: only the parts that can matter to a level, with the
//! types of the `gltf` crate and without its validation, which panics on some broken files and
//! refuses some sound ones. Every index is looked up through a method here that can fail.

use gltf::json::{self, Index};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::fault::Fault;

/// The parts of a glTF file that can matter to a level.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub accessors: Vec<json::Accessor>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub buffers: Vec<json::Buffer>,
    #[serde(default)]
    pub buffer_views: Vec<json::buffer::View>,
    #[serde(default)]
    pub extensions: Map<String, Value>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub meshes: Vec<json::Mesh>,
    #[serde(default)]
    pub nodes: Vec<json::Node>,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<SceneRoots>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Asset {
    pub version: String,
}

/// Of a material only the marks matter.
#[derive(Debug, Deserialize)]
pub(super) struct Material {
    #[serde(default)]
    pub extras: json::Extras,
}

#[derive(Debug, Deserialize)]
pub(super) struct SceneRoots {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

/// Of an animation only what it moves matters.
#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    #[serde(default)]
    pub channels: Vec<Channel>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub node: Option<usize>,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub extensions: Map<String, Value>,
}

/// The most memory a JSON object and a list element can take once read [bytes].
const OBJECT_BYTES: usize = 320;
const ELEMENT_BYTES: usize = 32;
/// The most memory a node can take, with all that is made of it but geometry [bytes].
const NODE_BYTES: usize = 1200;
/// What reading may take beyond the length of the file [bytes]; see [`check_size`].
const FREE_BYTES: usize = 48 << 20;

impl Document {
    /// Reads the JSON text of a file.
    pub fn parse(text: &[u8]) -> Result<Self, Fault> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        check_size(text)?;
        let document: Document = serde_json::from_slice(text).map_err(|error| {
            Fault::file(format!("its JSON is broken ({error}); export the file again"))
        })?;
        if document.nodes.len() * NODE_BYTES > FREE_BYTES + text.len().saturating_mul(9) {
            return Err(too_dense(document.nodes.len(), text));
        }
        if !document.asset.version.starts_with("2.") {
            return Err(Fault::file(format!(
                "it is glTF {:?}; export it as glTF 2.0",
                document.asset.version
            )));
        }
        Ok(document)
    }

    pub fn node(&self, index: usize) -> Result<&json::Node, Fault> {
        look_up(&self.nodes, index, "node")
    }

    pub fn mesh(&self, index: usize) -> Result<&json::Mesh, Fault> {
        look_up(&self.meshes, index, "mesh")
    }

    pub fn material(&self, index: usize) -> Result<&Material, Fault> {
        look_up(&self.materials, index, "material")
    }

    pub fn accessor(&self, index: usize) -> Result<&json::Accessor, Fault> {
        look_up(&self.accessors, index, "accessor")
    }

    pub fn view(&self, index: Index<json::buffer::View>) -> Result<&json::buffer::View, Fault> {
        look_up(&self.buffer_views, index.value(), "buffer view")
    }

    pub fn buffer(&self, index: usize) -> Result<&json::Buffer, Fault> {
        look_up(&self.buffers, index, "buffer")
    }

    /// The name to show for a node: its own, else its mesh's, else a placeholder that does not
    /// depend on the order of the nodes.
    pub fn node_name<'a>(&'a self, node: &'a json::Node) -> &'a str {
        let mesh_name = || self.meshes.get(node.mesh?.value())?.name.as_deref();
        let own = node.name.as_deref().filter(|name| !name.is_empty());
        // Many nodes may use the name of one mesh, so it must not be endless.
        let short = |name: &&str| !name.is_empty() && name.len() <= 128;
        own.or_else(|| mesh_name().filter(short)).unwrap_or("unnamed")
    }
}

fn look_up<'a, T>(list: &'a [T], index: usize, what: &str) -> Result<&'a T, Fault> {
    list.get(index).ok_or_else(|| {
        Fault::file(format!(
            "it refers to {what} {index}, but has only {}; export the file again",
            list.len()
        ))
    })
}

/// Refuses text that would take far more memory than its length: millions of empty objects.
///
/// Real files stay below: their objects are some 50 bytes long or longer, and a list grows to at
/// most twice the memory it needs.
fn check_size(text: &[u8]) -> Result<(), Fault> {
    let count = |byte| text.iter().filter(|&&b| b == byte).count();
    let (objects, elements) = (count(b'{'), count(b','));
    let worst = 2 * (objects * OBJECT_BYTES + elements * ELEMENT_BYTES);
    if worst <= FREE_BYTES + text.len().saturating_mul(9) {
        return Ok(());
    }
    Err(too_dense(objects, text))
}

fn too_dense(objects: usize, text: &[u8]) -> Fault {
    Fault::file(format!(
        "its JSON lists {objects} objects in {} bytes, which no exporter writes; export it again",
        text.len()
    ))
}
