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
mod links;
mod names;
mod nodes;
mod physics;
mod shapes;
mod transform;
mod triangles;
mod uses;

use std::path::Path;

use gltf::json::mesh::Primitive;

use self::accessor::Accessors;
use self::areas::Areas;
use self::buffers::Buffers;
use self::container::Container;
use self::document::Document;
use self::extras::{Mark, Nav};
use self::fault::Fault;
use self::physics::{Form, Shapes};
use self::triangles::Triangles;
use self::uses::Use;
use super::canonical::{self, Soup};
use super::marks::{Globs, SceneMarks};
use super::{Mesh, Scene, SceneError, Shape, Skipped, Warning};

impl Scene {
    /// Loads the default scene of a `.gltf` or `.glb` file; all of it where it names none.
    ///
    /// # Errors
    /// What cannot be read or used, with the file, the node where there is one, and what to do.
    pub fn load(path: &Path, marks: &SceneMarks) -> Result<Scene, SceneError> {
        let bytes = std::fs::read(path)
            .map_err(|source| SceneError::Read { file: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        load(&bytes, path, Some(folder), marks)
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
        load(bytes, Path::new(name), base_dir, marks)
    }
}

fn load(
    bytes: &[u8],
    file: &Path,
    folder: Option<&Path>,
    marks: &SceneMarks,
) -> Result<Scene, SceneError> {
    let mut globs = Globs::new(marks)?;
    let mut scene = read(bytes, folder, (marks, &mut globs)).map_err(|fault| fault.at(file))?;
    scene.report.file =
        file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(scene)
}

fn read(
    bytes: &[u8],
    folder: Option<&Path>,
    (marks, globs): (&SceneMarks, &mut Globs),
) -> Result<Scene, Fault> {
    let container = Container::split(bytes)?;
    let document = Document::parse(container.json)?;
    let buffers = Buffers::new(&document, container.bin, folder);
    let accessors = Accessors { document: &document, buffers: &buffers };
    let mut loader = Loader::new(&document, &buffers, marks, bytes.len());
    let nodes = nodes::place(&document, globs)?;
    for glob in globs.unmatched() {
        loader.warn("", format!("the glob {glob:?} matches no node"));
    }
    for node in &nodes {
        if let Some(nav) = &node.nav {
            loader.note(nav, node.name);
        }
    }
    let uses = uses::find(&mut loader, &nodes)?;
    loader.number_areas(&uses)?;
    loader.scene.links = links::find(&mut loader, &nodes);
    assemble::all(&mut loader, &accessors, &uses)?;
    drop(uses);
    drop(nodes);
    Ok(loader.finish())
}

/// Everything the stages share: what is known of the file, and the scene as it grows.
struct Loader<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    mesh_navs: Vec<Nav>,
    material_navs: Vec<Nav>,
    shapes: Shapes,
    areas: Areas,
    visual_meshes: bool,
    scene: Scene,
    file_bytes: usize,
    /// Bytes of geometry made so far.
    spent: usize,
}

/// What geometry may take beyond the length of the file [bytes]: in one mesh, and in all.
const FREE_MESH_BYTES: usize = 8 << 20;
const FREE_SCENE_BYTES: usize = 32 << 20;

impl<'a> Loader<'a> {
    fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        marks: &SceneMarks,
        file_bytes: usize,
    ) -> Self {
        let mut loader = Loader {
            document,
            buffers,
            mesh_navs: document.meshes.iter().map(|mesh| Nav::read(&mesh.extras)).collect(),
            material_navs: document.materials.iter().map(|m| Nav::read(&m.extras)).collect(),
            shapes: Shapes::read(document),
            areas: Areas::new(&marks.areas),
            visual_meshes: marks.visual_meshes,
            scene: Scene::default(),
            file_bytes,
            spent: 0,
        };
        let meshes = std::mem::take(&mut loader.mesh_navs);
        let materials = std::mem::take(&mut loader.material_navs);
        for nav in meshes.iter().chain(&materials) {
            loader.note(nav, "");
            if !nav.links.is_empty() {
                loader.warn("", "a link on a mesh or material: put it on a node".to_owned());
            }
        }
        if materials.iter().any(|nav| nav.two_sided) {
            loader.warn("", "two_sided on a material: put it on a node or mesh".to_owned());
        }
        loader.mesh_navs = meshes;
        loader.material_navs = materials;
        if document.meshes.is_empty() {
            loader.warn("", "the file has no meshes".to_owned());
        }
        loader
    }

    /// Takes over what a mark says of an area, and what could not be understood.
    fn note(&mut self, nav: &Nav, node: &str) {
        self.areas.note(nav);
        nav.problems.iter().for_each(|problem| self.warn(node, problem.clone()));
    }

    fn skip(&mut self, node: &str, reason: String) {
        self.scene.report.skipped.push(Skipped { node: node.to_owned(), reason });
    }

    fn warn(&mut self, node: &str, message: String) {
        self.scene.report.warnings.push(Warning { node: node.to_owned(), message });
    }

    fn mesh_mark(&self, node: usize) -> Option<&Mark> {
        let mesh = self.document.nodes.get(node)?.mesh?;
        self.mesh_navs.get(mesh.value())?.mark.as_ref()
    }

    fn has_morph_targets(&self, mesh: usize) -> bool {
        let of = |primitive: &Primitive| primitive.targets.as_ref().is_some_and(|t| !t.is_empty());
        self.document.meshes.get(mesh).is_some_and(|mesh| mesh.primitives.iter().any(of))
    }

    /// The mark of a primitive's material; plain walkable ground where it has none.
    fn material_mark(&self, primitive: &Primitive) -> Result<Mark, Fault> {
        let Some(material) = primitive.material else { return Ok(Mark::Walkable) };
        self.document.material(material.value())?;
        Ok(self.material_navs[material.value()].mark.clone().unwrap_or(Mark::Walkable))
    }

    /// The marks that the materials of a mesh give, in order.
    fn material_marks(&self, mesh: usize) -> Vec<Mark> {
        let primitives = self.document.meshes.get(mesh).map(|mesh| mesh.primitives.as_slice());
        let primitives = primitives.unwrap_or_default().iter();
        let mut marks: Vec<Mark> = primitives
            .filter_map(|primitive| self.material_mark(primitive).ok())
            .filter(|mark| *mark != Mark::Ignore)
            .collect();
        marks.sort();
        marks.dedup();
        marks
    }

    fn number_areas(&mut self, uses: &[Use<'_>]) -> Result<(), Fault> {
        let mut marks: Vec<Mark> = uses.iter().filter_map(|used| used.mark.clone()).collect();
        let mut meshes: Vec<usize> = uses
            .iter()
            .filter(|used| used.mark.is_none())
            .filter_map(|used| match used.form {
                Form::Mesh { mesh, .. } => Some(mesh),
                _ => None,
            })
            .collect();
        meshes.sort_unstable();
        meshes.dedup();
        marks.extend(meshes.into_iter().flat_map(|mesh| self.material_marks(mesh)));
        self.areas.number(marks.iter())
    }

    fn push_mesh(&mut self, mesh: Mesh) -> usize {
        self.scene.meshes.push(mesh);
        self.scene.meshes.len() - 1
    }

    /// Refuses a mesh that is far larger than the bytes that describe it.
    fn check_room(&self, soup: &Soup, part: &Triangles) -> Result<(), Fault> {
        let vertices = soup.vertices.len() + part.vertices.len();
        let triangles = soup.triangles.len() + part.triangles.len();
        let bytes = geometry_bytes(vertices, triangles);
        if u32::try_from(vertices).is_err() {
            return Err(Fault::file("its mesh has more than 2^32 vertices; split it"));
        }
        let source = self.file_bytes + self.buffers.external_bytes();
        if bytes <= FREE_MESH_BYTES + source.saturating_mul(2) {
            return Ok(());
        }
        Err(Fault::file(format!(
            "its mesh has {triangles} triangles, more than a file of {source} bytes can describe; \
             export it again"
        )))
    }

    /// Counts a copy of a mesh of that many vertices and triangles; refuses more of them than the file justifies.
    fn spend(&mut self, vertices: usize, triangles: usize) -> Result<(), Fault> {
        self.spent += geometry_bytes(vertices, triangles);
        let source = self.file_bytes + self.buffers.external_bytes();
        let most = FREE_SCENE_BYTES + source.saturating_mul(3);
        if self.spent <= most {
            return Ok(());
        }
        Err(Fault::file(format!(
            "copies of shared meshes in different scales take over {} MiB in a file of {source} \
             bytes; give their nodes equal scales, or mark some to be ignored",
            most >> 20
        )))
    }

    fn finish(mut self) -> Scene {
        let (areas, warnings) = self.areas.list();
        self.scene.areas = areas;
        self.scene.report.warnings.extend(warnings);
        if self.scene.solids.is_empty() && !self.document.meshes.is_empty() {
            self.warn("", "nothing in the file is solid; see what was skipped, and why".to_owned());
        }
        for node in facing_down(&self.scene) {
            let message = "all its level faces look down; if it is a floor, turn its faces or use \
                           --two-sided";
            self.warn(&node, message.to_owned());
        }
        canonical::settle(&mut self.scene);
        self.scene
    }
}

fn geometry_bytes(vertices: usize, triangles: usize) -> usize {
    vertices.saturating_mul(12).saturating_add(triangles.saturating_mul(12))
}

/// The least area that is worth a warning [m²].
const WIDE: f32 = 1.0;
/// The least upward share of a unit normal that makes a face level: 45°.
const LEVEL: f32 = 0.7;

/// Names of the mesh solids whose level faces are wide and all look down.
fn facing_down(scene: &Scene) -> Vec<String> {
    let mut names = Vec::new();
    for solid in &scene.solids {
        let Shape::Mesh(mesh) = solid.shape else { continue };
        if solid.surfaces.iter().all(|surface| surface.obstacle || surface.two_sided) {
            continue;
        }
        let mesh = &scene.meshes[mesh];
        let up = solid.pose.rotation.inverse() * nalgebra::Vector3::y();
        let (mut above, mut below) = (0.0, 0.0);
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|corner| mesh.vertices[corner as usize]);
            let normal = (b - a).cross(&(c - a));
            let rise = normal.dot(&up);
            if rise.abs() >= LEVEL * normal.norm() {
                if rise > 0.0 { above += rise / 2.0 } else { below -= rise / 2.0 }
            }
        }
        if below > WIDE && above < 0.01 * below {
            names.push(solid.name.clone());
        }
    }
    names
}
