//! What the stages of loading share: the file, what is known of it, and the scene as it grows.

use gltf::json::mesh::Primitive;
use nalgebra::Vector3;
use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, Observer};

use super::areas::Areas;
use super::buffers::Buffers;
use super::document::Document;
use super::extras::{Mark, Nav};
use super::fault::Fault;
use super::forms::{ColliderForm, Shapes};
use super::memory::{Memory, RAISE_LIMIT};
use super::nodes::PlacedNode;
use super::triangles;
use super::uses::{self, SolidUse};
use super::volume_spec::{FoundVolume, VolumeSpec};
use crate::scene::canonical;
use crate::scene::marks::SceneMarks;
use crate::scene::{
    Mesh, Scene, Shape, Skipped, Solid, Surface, Volume, VolumeEffect, VolumeShape, Warning,
};

/// Everything the stages share: what is known of the file, and the scene as it grows.
pub(super) struct Loader<'a> {
    pub document: &'a Document,
    buffers: &'a Buffers<'a>,
    pub mesh_navs: Vec<Nav>,
    material_navs: Vec<Nav>,
    pub shapes: Shapes,
    pub areas: Areas,
    pub visual_meshes: bool,
    pub scene: Scene,
    file_bytes: usize,
    memory: Memory,
    pub observer: &'a dyn Observer,
}

/// What a copy of a mesh takes beside its vertices and triangles [bytes].
const COPY_BYTES: usize = 384;
/// What an entry of the report takes beside its text [bytes].
const ENTRY_BYTES: usize = 2 * size_of::<Skipped>();

/// What a file may take, and who may cancel its loading.
#[derive(Clone, Copy)]
pub(super) struct LoadLimits<'a> {
    /// Length of the file [bytes].
    pub file_bytes: usize,
    /// What is made of it.
    pub made: Memory,
    pub observer: &'a dyn Observer,
}

impl<'a> Loader<'a> {
    pub fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        marks: &SceneMarks,
        limits: LoadLimits<'a>,
    ) -> Self {
        let mut loader = Loader {
            document,
            buffers,
            mesh_navs: document.meshes.iter().map(|mesh| Nav::read(&mesh.extras)).collect(),
            material_navs: document.materials.iter().map(|m| Nav::read(&m.extras)).collect(),
            shapes: Shapes::read(document),
            areas: Areas::new(marks),
            visual_meshes: marks.visual_meshes,
            scene: Scene::default(),
            file_bytes: limits.file_bytes,
            memory: limits.made,
            observer: limits.observer,
        };
        loader.memory.count(document.bytes);
        let meshes = std::mem::take(&mut loader.mesh_navs);
        let materials = std::mem::take(&mut loader.material_navs);
        for nav in meshes.iter().chain(&materials) {
            loader.tell_problems(nav, "");
            if !nav.links.is_empty() {
                loader.warn("", "a link on a mesh or material: put it on a node".to_owned());
            }
            if nav.volume.is_some() {
                loader.warn("", "a volume on a mesh or material: put it on a node".to_owned());
            }
        }
        if materials.iter().any(|nav| nav.two_sided) {
            loader.warn("", "two_sided on a material: put it on a node or mesh".to_owned());
        }
        loader.mesh_navs = meshes;
        loader.material_navs = materials;
        for name in document.unknown_extensions() {
            let problem = format!("the file requires {name:.80}, which is not read: ");
            loader.warn("", problem + "what it changes is missing; export the file without it");
        }
        if document.meshes.is_empty() {
            loader.warn("", "the file has no meshes".to_owned());
        }
        loader
    }

    /// Reports the parts of a mark that could not be understood.
    pub fn tell_problems(&mut self, nav: &Nav, node: &str) {
        nav.problems.iter().for_each(|problem| self.warn(node, problem.clone()));
    }

    pub fn skip(&mut self, node: &str, reason: String) {
        self.memory.count(ENTRY_BYTES + node.len() + reason.len());
        self.scene.report.skipped.push(Skipped { node: node.to_owned(), reason });
    }

    pub fn warn(&mut self, node: &str, message: String) {
        self.memory.count(ENTRY_BYTES + node.len() + message.len());
        self.scene.report.warnings.push(Warning { node: node.to_owned(), message });
    }

    pub fn mesh_mark(&self, node: usize) -> Option<&Mark> {
        let mesh = self.document.nodes.get(node)?.mesh?;
        self.mesh_navs.get(mesh.value())?.mark.as_ref()
    }

    pub fn has_morph_targets(&self, mesh: usize) -> bool {
        let of = |primitive: &Primitive| primitive.targets.as_ref().is_some_and(|t| !t.is_empty());
        self.document.meshes.get(mesh).is_some_and(|mesh| mesh.primitives.iter().any(of))
    }

    /// Whether a mesh describes triangles; with a mark for all of it, its materials do not matter.
    pub fn has_triangles(&self, mesh: usize, marked: bool) -> bool {
        let ignored =
            |primitive: &Primitive| matches!(self.material_mark(primitive), Ok(Mark::Ignore));
        let counts = |primitive: &Primitive| {
            triangles::are_described(self.document, primitive) && (marked || !ignored(primitive))
        };
        let mesh = self.document.meshes.get(mesh);
        mesh.is_none_or(|mesh| mesh.primitives.iter().any(counts))
    }

    /// The mark of a primitive's material; plain walkable ground where it has none.
    pub fn material_mark(&self, primitive: &Primitive) -> Result<Mark, Fault> {
        let Some(material) = primitive.material else { return Ok(Mark::Walkable) };
        self.document.material(material.value())?;
        Ok(self.material_navs[material.value()].mark.clone().unwrap_or(Mark::Walkable))
    }

    /// The marks that the materials of a mesh give, in order.
    pub fn material_marks(&self, mesh: usize) -> Vec<Mark> {
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

    /// Collects the areas of everything used. Marks of skipped nodes define no area.
    pub fn number_areas(
        &mut self,
        nodes: &[PlacedNode<'_>],
        uses: &[SolidUse<'_>],
        volumes: &[FoundVolume],
    ) -> Result<(), Fault> {
        let mut marks: Vec<Mark> = uses.iter().filter_map(|used| used.mark.clone()).collect();
        marks.extend(volumes.iter().map(|volume| volume.ground.clone()));
        let mut meshes: Vec<(usize, bool)> = uses
            .iter()
            .filter_map(|used| match used.form {
                ColliderForm::Mesh { mesh, .. } => Some((mesh, used.mark.is_some())),
                _ => None,
            })
            .collect();
        meshes.sort_unstable();
        meshes.dedup();
        let in_question = nodes.iter().filter(|node| uses::can_be_solid(self, node));
        let said: Vec<&Nav> = in_question.filter_map(|node| node.nav.as_deref()).collect();
        said.into_iter().for_each(|nav| self.areas.note(nav));
        let in_use = nodes.iter().filter(|node| uses::why_no_volume(self, node).is_none());
        let volumes: Vec<&VolumeSpec> = in_use.filter_map(|node| node.volume()).collect();
        volumes.into_iter().for_each(|volume| self.areas.note_volume(volume));
        for &(mesh, marked) in &meshes {
            self.note_areas_of_mesh(mesh);
            if !marked {
                marks.extend(self.material_marks(mesh));
            }
        }
        self.areas.number(marks.iter())
    }

    /// Takes over what a mesh and its materials say of areas.
    fn note_areas_of_mesh(&mut self, mesh: usize) {
        let document = self.document;
        let Some(described) = document.meshes.get(mesh) else { return };
        self.areas.note(&self.mesh_navs[mesh]);
        for material in described.primitives.iter().filter_map(|primitive| primitive.material) {
            self.material_navs.get(material.value()).iter().for_each(|nav| self.areas.note(nav));
        }
    }

    pub fn push_mesh(&mut self, mesh: Mesh) -> usize {
        self.scene.meshes.push(mesh);
        self.scene.meshes.len() - 1
    }

    /// Refuses a mesh that takes more memory than is left; a few bytes can describe a large one.
    pub fn check_room(&self, vertices: usize, triangles: usize) -> Result<(), Fault> {
        if u32::try_from(vertices).is_err() {
            return Err(Fault::file("its mesh has more than 2^32 vertices; split it"));
        }
        // As it is decoded: a soup, a part of it, and the corners of that.
        let passing = vertices.saturating_mul(24).saturating_add(triangles.saturating_mul(37));
        if self.memory.fits(self.source_bytes(), passing) {
            return Ok(());
        }
        Err(Fault::file(format!(
            "its mesh has {triangles} triangles, which take more than what is left of {}; \
             {RAISE_LIMIT}, or export a smaller mesh",
            self.memory.limit_name()
        )))
    }

    /// Bytes of the file and of all that was read beside it.
    fn source_bytes(&self) -> usize {
        self.file_bytes + self.buffers.external_bytes()
    }

    /// Counts a copy of a mesh of that many vertices and triangles; refuses more of them than
    /// memory allows.
    pub fn spend(&mut self, vertices: usize, triangles: usize) -> Result<(), Fault> {
        self.memory.count(COPY_BYTES + geometry_bytes(vertices, triangles));
        // While the copy is made: two soups, and what sorts one of them.
        let passing = vertices.saturating_mul(44).saturating_add(triangles.saturating_mul(29));
        self.memory.check(self.source_bytes(), passing)
    }

    /// Adds a solid to the scene.
    pub fn push_solid(&mut self, solid: Solid) {
        self.memory.count(solid.name.len() + solid.surfaces.len() * size_of::<Surface>());
        self.scene.solids.push(solid);
    }

    /// Adds volumes to the scene, once areas have numbers.
    pub fn push_volumes(&mut self, volumes: Vec<FoundVolume>) {
        for FoundVolume { name, shape, ground } in volumes {
            let corners = match &shape {
                VolumeShape::Prism { corners, .. } => size_of_val(corners.as_slice()),
                _ => 0,
            };
            self.memory.count(size_of::<Volume>() + name.len() + corners);
            let effect = match ground {
                Mark::Area(_) => VolumeEffect::Area(self.areas.surface(&ground, false).area),
                _ => VolumeEffect::Clear,
            };
            self.scene.volumes.push(Volume { name, shape, effect });
        }
    }

    /// Refuses a report that takes more memory than is left.
    pub fn check_report(&self) -> Result<(), Fault> {
        self.memory.check(self.source_bytes(), 0)
    }

    pub fn finish(mut self) -> Result<Scene, Cancelled> {
        let (areas, warnings) = self.areas.list();
        self.scene.areas = areas;
        self.scene.report.warnings.extend(warnings);
        if self.scene.solids.is_empty() && !self.document.meshes.is_empty() {
            self.warn("", "nothing in the file is solid; see what was skipped, and why".to_owned());
        }
        for node in facing_down(&self.scene, self.observer)? {
            let message = "all its level faces look down; if it is a floor, turn its faces or use \
                           --two-sided";
            self.warn(&node, message.to_owned());
        }
        canonical::canonicalize(&mut self.scene, self.observer)?;
        Ok(self.scene)
    }
}

/// What a mesh takes, with a slot for each triangle [bytes].
fn geometry_bytes(vertices: usize, triangles: usize) -> usize {
    vertices.saturating_mul(12).saturating_add(triangles.saturating_mul(13))
}

/// The observer is asked once for so many solids.
const SOLIDS_PER_LOOK: usize = 1024;
/// The least area that is worth a warning [m²].
const WIDE: f32 = 1.0;
/// The least upward share of a unit normal that makes a face level: 45°.
const LEVEL: f32 = 0.7;

/// Names of the mesh solids whose level faces are wide and all look down.
fn facing_down(scene: &Scene, observer: &dyn Observer) -> Result<Vec<String>, Cancelled> {
    let mut names = Vec::new();
    for (at, solid) in scene.solids.iter().enumerate() {
        if at.is_multiple_of(SOLIDS_PER_LOOK) {
            check_cancelled(observer)?;
        }
        let Shape::Mesh(mesh) = solid.shape else { continue };
        if solid.surfaces.iter().all(|surface| surface.obstacle || surface.two_sided) {
            continue;
        }
        let mesh = &scene.meshes[mesh];
        let up = solid.pose.rotation.inverse() * Vector3::y();
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
    Ok(names)
}
