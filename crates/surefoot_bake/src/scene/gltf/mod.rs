//! Scenes from glTF files.
//!
//! Based on: the glTF 2.0 specification, KHR_mesh_quantization, OMI_physics_body and
//! OMI_physics_shape, KHR_physics_rigid_bodies and KHR_implicit_shapes. The stages: split the
//! container, read the JSON, place the nodes, decide what is solid, decode and assemble it.
//! Nothing in a file can make this panic, or allocate more than a small multiple of its length.

mod accessor;
mod areas;
mod assemble;
mod buffers;
mod container;
mod document;
mod extras;
mod fault;
mod files;
mod forms;
mod links;
mod loader;
mod memory;
mod names;
mod nodes;
mod physics;
mod shapes;
mod transform;
mod triangles;
mod uses;

use std::path::Path;

use self::accessor::Accessors;
use self::buffers::Buffers;
use self::container::Container;
use self::document::Document;
use self::fault::Fault;
use self::loader::{Loader, LoaderLimits};
use self::nodes::PlacedNodes;
use super::marks::{Globs, SceneMarks};
use super::{Scene, SceneError};

impl Scene {
    /// Loads the default scene of a `.gltf` or `.glb` file; all of it where it names none.
    ///
    /// # Errors
    /// What cannot be read or used, with the file, the node where there is one, and what to do.
    pub fn load(path: &Path, marks: &SceneMarks) -> Result<Scene, SceneError> {
        Scene::load_within(path, marks, 0)
    }

    /// As [`Scene::load`], but the scene may take up to a limit [bytes], however short the file:
    /// thousands of trees of one mesh, each in its own size. Without it a file may take some 60 MiB
    /// and nine times its length, for hostile files may lie.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn load_within(
        path: &Path,
        marks: &SceneMarks,
        memory_limit: u64,
    ) -> Result<Scene, SceneError> {
        let bytes = std::fs::read(path)
            .map_err(|source| SceneError::Read { file: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        load(&bytes, &Source { file: path, folder: Some(folder), memory_limit }, marks)
    }

    /// Loads a scene from the bytes of a `.gltf` or `.glb` file of the given name; other files it
    /// needs are looked up in `base_dir`.
    ///
    /// # Errors
    /// As [`Scene::load`]; a file it needs while there is no `base_dir` is one, too.
    pub fn from_slice(
        bytes: &[u8],
        name: &str,
        base_dir: Option<&Path>,
        marks: &SceneMarks,
    ) -> Result<Scene, SceneError> {
        let file = Path::new(name);
        load(bytes, &Source { file, folder: base_dir, memory_limit: 0 }, marks)
    }
}

/// Where a scene's bytes come from.
struct Source<'a> {
    file: &'a Path,
    /// Where other files that it needs are looked up.
    folder: Option<&'a Path>,
    /// What the scene may take at least, however short the file [bytes].
    memory_limit: u64,
}

fn load(bytes: &[u8], source: &Source<'_>, marks: &SceneMarks) -> Result<Scene, SceneError> {
    let mut globs = Globs::new(marks)?;
    let scene = read(bytes, source, marks, &mut globs);
    let mut scene = scene.map_err(|fault| fault.at(source.file))?;
    let name = source.file.file_name();
    scene.report.file = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    scene.report.marks = marks.clone();
    Ok(scene)
}

fn read(
    bytes: &[u8],
    source: &Source<'_>,
    marks: &SceneMarks,
    globs: &mut Globs,
) -> Result<Scene, Fault> {
    let container = Container::split(bytes)?;
    let document = Document::parse(container.json)?;
    let buffers = Buffers::new(&document, container.bin, source.folder);
    let accessors = Accessors { document: &document, buffers: &buffers };
    let limits = LoaderLimits { file_bytes: bytes.len(), memory: source.memory_limit };
    let mut loader = Loader::new(&document, &buffers, marks, limits);
    let PlacedNodes { nodes, elsewhere } = nodes::place(&document, globs)?;
    for name in elsewhere {
        loader.skip(name, "not in the default scene".to_owned());
    }
    for glob in globs.unmatched() {
        loader.warn("", format!("the glob {glob:?} matches no node"));
    }
    for node in &nodes {
        if let Some(nav) = &node.nav {
            loader.tell_problems(nav, node.name);
        }
    }
    let uses = uses::find(&mut loader, &nodes)?;
    loader.number_areas(&nodes, &uses)?;
    loader.scene.links = links::find(&mut loader, &nodes);
    assemble::all(&mut loader, &accessors, &uses)?;
    drop(uses);
    drop(nodes);
    Ok(loader.finish())
}
