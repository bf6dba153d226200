//! The JSON of a glTF file, read leniently: only the parts that can matter to a level, with the
//! types of the `gltf` crate and without its validation, which panics on some broken files and
//! refuses some sound ones. Every index is looked up through a method here that can fail.

use std::io::{BufReader, Read};

use gltf::json::{self, Index};
use serde::Deserialize;
use serde_json::{Map, Value};
use surefoot::Observer;
use surefoot::observer::check_cancelled;

use super::fault::Fault;
use super::memory::{Memory, RAISE_LIMIT};

/// The parts of a glTF file that can matter to a level.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub accessors: Vec<json::Accessor>,
    #[serde(default)]
    pub animations: Vec<NodeAnimation>,
    #[serde(default)]
    pub buffers: Vec<json::Buffer>,
    #[serde(default)]
    pub buffer_views: Vec<json::buffer::View>,
    #[serde(default)]
    pub extensions: Map<String, Value>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub meshes: Vec<json::Mesh>,
    #[serde(default)]
    pub nodes: Vec<json::Node>,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<SceneRoots>,
    /// The most memory it takes, with all that is made of it but geometry, names and the report.
    #[serde(skip)]
    pub bytes: usize,
}

/// What a file may require: it is read, or says nothing about where triangles are.
const KNOWN_EXTENSIONS: [&str; 12] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_implicit_shapes",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_physics_rigid_bodies",
    "KHR_xmp_json_ld",
    "OMI_physics_body",
    "OMI_physics_shape",
];
/// The beginnings of others that are about how things look.
const OF_LOOKS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "MSFT_texture_"];

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
pub(super) struct NodeAnimation {
    #[serde(default)]
    pub channels: Vec<AnimationChannel>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AnimationChannel {
    pub target: AnimationTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct AnimationTarget {
    pub node: Option<usize>,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub extensions: Map<String, Value>,
}

/// The most memory a JSON object and a list element can take once read [bytes].
const OBJECT_BYTES: usize = 640;
const ELEMENT_BYTES: usize = 64;
/// What a root of a scene takes [bytes].
const ROOT_BYTES: usize = 48;
/// What a node takes, with all that is made of it but geometry, names and the report [bytes].
const NODE_BYTES: usize = 768;

impl Document {
    /// Reads the JSON text of a file that may take some memory.
    pub fn parse(text: &[u8], memory: &Memory, observer: &dyn Observer) -> Result<Self, Fault> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let worst = worst_bytes(text);
        check_fits(text, worst, memory)?;
        let parsed = match text.len() {
            0..PIECE_BYTES => serde_json::from_slice(text),
            _ => serde_json::from_reader(BufReader::new(ObservedText { text, observer })),
        };
        check_cancelled(observer)?;
        let mut document: Document = parsed.map_err(|error| {
            Fault::file(format!("its JSON is broken ({error}); export the file again"))
        })?;
        // What nodes take is known now, and is far less than the worst that their text could do.
        document.nodes.shrink_to_fit();
        let known: usize = document.nodes.iter().map(worst_of_node).sum();
        let roots: usize = document.scenes.iter().map(|scene| scene.nodes.len()).sum();
        document.bytes = worst.saturating_sub(known + roots * ELEMENT_BYTES)
            + document.nodes.len() * NODE_BYTES
            + roots * ROOT_BYTES;
        check_fits(text, document.bytes, memory)?;
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

    /// The extensions without which the file cannot be read, and which nothing here knows.
    pub fn unknown_extensions(&self) -> impl Iterator<Item = &str> {
        let is_known = |name: &str| {
            KNOWN_EXTENSIONS.contains(&name) || OF_LOOKS.iter().any(|of| name.starts_with(of))
        };
        self.extensions_required.iter().map(String::as_str).filter(move |name| !is_known(name))
    }

    /// The name of a node without a number: its own, else its mesh's, else a placeholder.
    pub fn base_name<'a>(&'a self, node: &'a json::Node) -> &'a str {
        self.given_name(node).unwrap_or("unnamed")
    }

    /// The name of a node without a number: its own, else its mesh's.
    pub fn given_name<'a>(&'a self, node: &'a json::Node) -> Option<&'a str> {
        let mesh_name = || self.meshes.get(node.mesh?.value())?.name.as_deref();
        let own = node.name.as_deref().filter(|name| !name.is_empty());
        // Many nodes may use the name of one mesh, so it must not be endless.
        let short = |name: &&str| !name.is_empty() && name.len() <= 128;
        own.or_else(|| mesh_name().filter(short))
    }

    /// The name of a node in errors about the file itself. Those may give its index.
    pub fn name_in_errors(&self, index: usize) -> String {
        let Some(node) = self.nodes.get(index) else { return format!("node {index}") };
        match node.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("{} (node {index} of the file)", self.base_name(node)),
        }
    }
}

/// Text of at least this many bytes is read in pieces, so that reading can be cancelled. It takes twice
/// as long.
const PIECE_BYTES: usize = 4 << 20;

/// Text that ends with an error when the observer cancels.
struct ObservedText<'a> {
    text: &'a [u8],
    observer: &'a dyn Observer,
}

impl Read for ObservedText<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        check_cancelled(self.observer).map_err(std::io::Error::other)?;
        self.text.read(buffer)
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

/// The most memory that text can take once read [bytes]: millions of empty objects take far more
/// than their length.
fn worst_bytes(text: &[u8]) -> usize {
    count(text, b'{') * OBJECT_BYTES + count(text, b',') * ELEMENT_BYTES
}

/// The part of [`worst_bytes`] that is a node itself: its object, and the commas before it, between
/// its keys and in its transform.
fn worst_of_node(node: &json::Node) -> usize {
    let numbers = [
        (node.translation.is_some(), 3),
        (node.rotation.is_some(), 4),
        (node.scale.is_some(), 3),
        (node.matrix.is_some(), 16),
        (node.mesh.is_some(), 1),
        (node.name.is_some(), 1),
    ];
    let commas: usize = numbers.iter().filter(|(given, _)| *given).map(|(_, count)| count).sum();
    OBJECT_BYTES + commas * ELEMENT_BYTES
}

fn count(text: &[u8], byte: u8) -> usize {
    text.iter().filter(|&&b| b == byte).count()
}

/// Refuses text that would take more memory than allowed once read [bytes].
fn check_fits(text: &[u8], bytes: usize, memory: &Memory) -> Result<(), Fault> {
    if memory.fits(text.len(), bytes) {
        return Ok(());
    }
    Err(Fault::file(format!(
        "its JSON lists {} objects in {} bytes and may take {} MiB to read with the file itself, more than {}; \
         {RAISE_LIMIT}, or export fewer nodes",
        count(text, b'{'),
        text.len(),
        memory.needed(text.len(), bytes).div_ceil(1 << 20),
        memory.limit_name()
    )))
}
