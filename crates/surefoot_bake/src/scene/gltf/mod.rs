//! Scenes from glTF files.
//!
//! Based on: the glTF 2.0 specification, KHR_mesh_quantization, OMI_physics_body and
//! OMI_physics_shape, KHR_physics_rigid_bodies and KHR_implicit_shapes. The stages: split the
//! container, read the JSON, place the nodes, decide what is solid, decode and assemble it.
//! Nothing in a file can make this panic, or allocate more than its caller allows.

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
mod named_nodes;
mod names;
mod nodes;
mod numbers;
mod physics;
mod shapes;
mod transform;
mod triangles;
mod uses;
mod volume_spec;
mod volumes;

use std::io::Read;
use std::path::Path;

use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, Observer};

use self::accessor::Accessors;
use self::buffers::Buffers;
use self::container::Container;
use self::document::Document;
use self::fault::Fault;
use self::loader::{LoadLimits, Loader};
use self::memory::{Memory, RAISE_LIMIT};
use self::nodes::PlacedNodes;
use self::numbers::NodeNames;
use self::volume_spec::FoundVolume;
use super::marks::{Globs, SceneMarks};
use super::{Scene, SceneError};

pub use self::named_nodes::NamedNode;

/// What a scene may take where its caller sets no limit [bytes].
const DEFAULT_MEMORY_LIMIT: u64 = 8 << 30;

/// The bytes of a `.gltf` or `.glb` file that is not on disk, or not to be trusted.
#[derive(Clone, Copy, Debug)]
pub struct SceneSlice<'a> {
    /// The file as it is.
    pub bytes: &'a [u8],
    /// The name of the file, for errors and the report.
    pub name: &'a str,
    /// Where other files that it needs are looked up; without it, needing one is an error.
    pub base_dir: Option<&'a Path>,
    /// The most memory that loading may take, with the file itself [bytes]; less than 64 MiB counts
    /// as 64 MiB.
    pub memory_limit: u64,
}

impl Scene {
    /// Loads the default scene of a `.gltf` or `.glb` file; all of it where it names none. It may
    /// take up to 8 GiB of memory.
    ///
    /// # Errors
    /// What cannot be read or used, with the file, the node where there is one, and what to do.
    pub fn load(path: &Path, marks: &SceneMarks) -> Result<Scene, SceneError> {
        Scene::load_within(path, marks, DEFAULT_MEMORY_LIMIT, &())
    }

    /// As [`Scene::load`], with another limit for the memory that loading may take, with the file
    /// itself [bytes]; less than 64 MiB counts as 64 MiB. Short files may describe large scenes,
    /// so files from strangers should get a limit. And with an observer, which may cancel it; `&()`
    /// does not.
    ///
    /// # Errors
    /// As [`Scene::load`], and [`SceneError::Cancelled`].
    pub fn load_within(
        path: &Path,
        marks: &SceneMarks,
        memory_limit: u64,
        observer: &dyn Observer,
    ) -> Result<Scene, SceneError> {
        let memory = Memory::new(memory_limit);
        let bytes = read_file(path, &memory, observer)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        load(&bytes, &Source { file: path, folder: Some(folder), memory, observer }, marks)
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
        let memory_limit = DEFAULT_MEMORY_LIMIT;
        Scene::from_slice_within(&SceneSlice { bytes, name, base_dir, memory_limit }, marks, &())
    }

    /// As [`Scene::from_slice`], with a limit for memory, and an observer that may cancel it; `&()`
    /// does not.
    ///
    /// # Errors
    /// As [`Scene::from_slice`], what would take more memory than allowed, and
    /// [`SceneError::Cancelled`].
    pub fn from_slice_within(
        slice: &SceneSlice<'_>,
        marks: &SceneMarks,
        observer: &dyn Observer,
    ) -> Result<Scene, SceneError> {
        let memory = Memory::new(slice.memory_limit);
        let file = Path::new(slice.name);
        let source = Source { file, folder: slice.base_dir, memory, observer };
        load(slice.bytes, &source, marks)
    }
}

/// Where a scene's bytes come from.
struct Source<'a> {
    file: &'a Path,
    /// Where other files that it needs are looked up.
    folder: Option<&'a Path>,
    /// What the scene may take.
    memory: Memory,
    observer: &'a dyn Observer,
}

/// The bytes of a file on disk, unless they alone take more than the memory there is.
fn read_file(path: &Path, memory: &Memory, observer: &dyn Observer) -> Result<Vec<u8>, SceneError> {
    let unreadable = |source| SceneError::Read { file: path.to_owned(), source };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if !memory.fits(usize::try_from(length).unwrap_or(usize::MAX), 0) {
        let limit = memory.limit_name();
        let fault = format!("its {length} bytes take more than {limit}; {RAISE_LIMIT}");
        return Err(Fault::file(fault).at(path));
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    read_observed(file, length, observer)?.map_err(unreadable)
}

/// A file is read in pieces of this size, so that reading can be cancelled [bytes].
const PIECE_BYTES: u64 = 4 << 20;

/// The bytes of a file of about the given length.
fn read_observed(
    mut file: impl Read,
    length: u64,
    observer: &dyn Observer,
) -> Result<std::io::Result<Vec<u8>>, Cancelled> {
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    loop {
        check_cancelled(observer)?;
        match file.by_ref().take(PIECE_BYTES).read_to_end(&mut bytes) {
            Ok(0) => return Ok(Ok(bytes)),
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
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
    let observer = source.observer;
    let container = Container::split(bytes)?;
    let document = Document::parse(container.json, &source.memory, observer)?;
    let mut beside = source.memory;
    beside.count(bytes.len() + document.bytes);
    let buffers = Buffers::new(&document, container.bin, source.folder, beside);
    check_cancelled(observer)?;
    let accessors = Accessors { document: &document, buffers: &buffers };
    let limits = LoadLimits { file_bytes: bytes.len(), made: source.memory, observer };
    let mut loader = Loader::new(&document, &buffers, marks, limits);
    let places = nodes::places(&document, observer)?;
    let names = NodeNames::of(&document, &places, observer)?;
    let PlacedNodes { nodes, elsewhere } = nodes::place(&document, &places, &names, globs)?;
    drop(places);
    check_cancelled(observer)?;
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
    let mut volumes = volumes::find(&mut loader, &accessors, &nodes)?;
    volumes.extend(marks.volumes.iter().map(FoundVolume::of_mark));
    loader.number_areas(&nodes, &uses, &volumes)?;
    loader.push_volumes(volumes);
    loader.scene.links = links::find(&mut loader, &nodes);
    loader.scene.links.extend(marks.links.iter().cloned());
    assemble::all(&mut loader, &accessors, &uses)?;
    drop(uses);
    drop(nodes);
    Ok(loader.finish()?)
}
