//! Uses to solids: decodes each mesh once, shares it where node transforms allow, and moves its
//! vertices to the world where they do not.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{Isometry3, Point3};
use surefoot::Cancelled;
use surefoot::observer::check_cancelled;

use super::accessor::Accessors;
use super::extras::Mark;
use super::fault::Fault;
use super::forms::ColliderForm;
use super::loader::Loader;
use super::shapes::{self, PlacedShape};
use super::transform::Transform;
use super::triangles;
use super::uses::SolidUse;
use crate::scene::canonical::{self, Soup};
use crate::scene::limits::MAX_COORDINATE;
use crate::scene::{Mesh, Shape, Solid};

/// Uses that can share one copy: the bits of the scale, and whether it is mirrored and a hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CopyKey {
    /// The bits of the scale, which is positive.
    scale: u32,
    mirrored: bool,
    hull: bool,
}

/// The uses that share a copy of a mesh, and the marks of its slots.
struct CopyUses<'a> {
    uses: &'a [&'a SolidUse<'a>],
    marks: &'a [Mark],
}

/// Where a mesh becomes a solid, and the marks of its slots.
struct SolidPlace<'a> {
    marks: &'a [Mark],
    pose: Isometry3<f32>,
}

/// The observer is asked once for so many uses.
const USES_PER_LOOK: usize = 1024;

/// Turns all uses into solids of the loader's scene.
pub(super) fn all(
    loader: &mut Loader<'_>,
    accessors: &Accessors<'_>,
    uses: &[SolidUse<'_>],
) -> Result<(), Fault> {
    let mut by_mesh: BTreeMap<(usize, bool), Vec<&SolidUse<'_>>> = BTreeMap::new();
    loader.scene.solids.reserve_exact(uses.len());
    for (at, used) in uses.iter().enumerate() {
        if at.is_multiple_of(USES_PER_LOOK) {
            check_cancelled(loader.observer)?;
        }
        let name = used.node.name;
        if let ColliderForm::Mesh { mesh, .. } = used.form {
            by_mesh.entry((mesh, used.mark.is_some())).or_default().push(used);
        } else if let Some(transform) = Transform::new(&used.node.world) {
            primitive(loader, used, &transform).map_err(|fault| fault.of_node(name))?;
        }
    }
    for ((mesh, whole), mut uses) in by_mesh {
        // Which node an error names must not hang on their order.
        uses.sort_by_key(|used| used.node.name);
        let first = uses.first().map_or("", |used| used.node.name);
        let marks = if whole { vec![Mark::Walkable] } else { loader.material_marks(mesh) };
        let by_material = (!whole).then_some(marks.as_slice());
        let decoded = decode(loader, accessors, mesh, by_material);
        let (soup, notes) = decoded.map_err(|fault| fault.of_node(first))?;
        report(loader, mesh, &uses, &notes).map_err(|fault| fault.of_node(first))?;
        if !soup.triangles.is_empty() {
            copies(loader, soup, &uses, &marks).map_err(|fault| fault.of_node(first))?;
        }
    }
    Ok(())
}

/// A physics shape that is no mesh.
fn primitive(
    loader: &mut Loader<'_>,
    used: &SolidUse<'_>,
    transform: &Transform,
) -> Result<(), Fault> {
    let placed = match shapes::place(&used.form, transform) {
        Ok(placed) => placed,
        Err(reason) => {
            loader.skip(used.node.name, reason);
            return Ok(());
        }
    };
    let (shape, pose) = match placed {
        PlacedShape::Primitive(shape, pose) => {
            check_places(&[pose.translation.vector.into()])?;
            check_sizes(&shape)?;
            (shape, pose)
        }
        PlacedShape::Hull(points) => {
            let points: Vec<Point3<f32>> = points.iter().map(|point| point.cast()).collect();
            check_places(&points)?;
            if !canonical::has_volume(&points) {
                loader.skip(used.node.name, "its collider is scaled to no volume".to_owned());
                return Ok(());
            }
            loader.spend(points.len(), 0)?;
            let hull = canonical::hull(&points, loader.observer)?;
            (Shape::Hull(loader.push_mesh(hull)), Isometry3::identity())
        }
        PlacedShape::Rectangle(corners) => {
            let vertices = corners.map(|point| point.cast::<f32>()).to_vec();
            check_places(&vertices)?;
            let soup = Soup { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], slots: vec![] };
            let (mesh, _) = canonical::mesh(soup, loader.observer)?;
            if mesh.triangles.is_empty() {
                loader.skip(used.node.name, "its collider is scaled to no area".to_owned());
                return Ok(());
            }
            (Shape::Mesh(loader.push_mesh(mesh)), Isometry3::identity())
        }
    };
    let mark = used.mark.as_ref().unwrap_or(&Mark::Walkable);
    let surfaces = vec![loader.areas.surface(mark, used.two_sided)];
    loader.push_solid(Solid { name: used.node.name.to_owned(), shape, pose, surfaces });
    Ok(())
}

/// Decodes the primitives of a mesh into one soup, with a slot for each mark of a material where
/// materials count; notes list what was skipped.
pub(super) fn decode(
    loader: &Loader<'_>,
    accessors: &Accessors<'_>,
    mesh: usize,
    marks: Option<&[Mark]>,
) -> Result<(Soup, BTreeSet<String>), Fault> {
    let mut soup = Soup::default();
    let mut notes = BTreeSet::new();
    let primitives = &loader.document.mesh(mesh)?.primitives;
    if primitives.is_empty() {
        notes.insert("its mesh has no primitives".to_owned());
    }
    for primitive in primitives {
        check_cancelled(loader.observer)?;
        let mut slot = 0;
        if let Some(marks) = marks {
            let mark = loader.material_mark(primitive)?;
            if mark == Mark::Ignore {
                notes.insert("a part whose material is marked to be ignored".to_owned());
                continue;
            }
            slot = slot_of(&mark, marks)?;
        }
        let (vertices, made) = (soup.vertices.len(), soup.triangles.len());
        let check = |more: usize| loader.check_room(vertices, made + more);
        match triangles::of_primitive(accessors, primitive, &check)? {
            Ok(part) => {
                loader.check_room(vertices + part.vertices.len(), made + part.triangles.len())?;
                if part.left_over > 0 {
                    let count = part.left_over;
                    notes.insert(format!(
                        "corners left over after the last whole triangle: {count}"
                    ));
                }
                soup.append(part.vertices, &part.triangles, slot);
            }
            Err(note) => _ = notes.insert(note),
        }
    }
    Ok((soup, notes))
}

fn slot_of(mark: &Mark, marks: &[Mark]) -> Result<u8, Fault> {
    let slot = marks.binary_search(mark).unwrap_or(0);
    u8::try_from(slot).map_err(|_| {
        Fault::file("its materials carry more than 256 different marks; split the mesh")
    })
}

fn report(
    loader: &mut Loader<'_>,
    mesh: usize,
    uses: &[&SolidUse<'_>],
    notes: &BTreeSet<String>,
) -> Result<(), Fault> {
    for used in uses {
        notes.iter().for_each(|note| loader.skip(used.node.name, note.clone()));
        if loader.has_morph_targets(mesh) {
            let message = "its mesh has morph targets; it is used as it is at rest";
            loader.warn(used.node.name, message.to_owned());
        }
        loader.check_report()?;
    }
    Ok(())
}

/// Makes as few copies of a mesh as its uses allow.
fn copies(
    loader: &mut Loader<'_>,
    mut soup: Soup,
    uses: &[&SolidUse<'_>],
    marks: &[Mark],
) -> Result<(), Fault> {
    let mut sharing: BTreeMap<CopyKey, Vec<&SolidUse<'_>>> = BTreeMap::new();
    let mut single = Vec::new();
    for used in uses {
        match used.copy_key() {
            Some(key) => sharing.entry(key).or_default().push(used),
            None => single.push(*used),
        }
    }
    for (key, sharing) in sharing {
        if let [used] = sharing.as_slice() {
            single.push(used);
        } else {
            loader.spend(soup.vertices.len(), soup.triangles.len())?;
            let made = shared(loader, soup.clone(), key, CopyUses { uses: &sharing, marks });
            made.map_err(|fault| fault.of_node(sharing[0].node.name))?;
        }
    }
    let last = single.len().saturating_sub(1);
    for (index, used) in single.into_iter().enumerate() {
        loader.spend(soup.vertices.len(), soup.triangles.len())?;
        let copy = if index == last { std::mem::take(&mut soup) } else { soup.clone() };
        let made = moved(loader, copy, used, marks);
        made.map_err(|fault| fault.of_node(used.node.name))?;
    }
    Ok(())
}

impl SolidUse<'_> {
    /// By what it can share a copy with others; `None` where its transform bends angles.
    fn copy_key(&self) -> Option<CopyKey> {
        let similar = Transform::new(&self.node.world)?.similarity()?;
        let scale = (similar.scale as f32).to_bits();
        Some(CopyKey { scale, mirrored: similar.mirrored, hull: self.is_hull() })
    }

    fn is_hull(&self) -> bool {
        matches!(self.form, ColliderForm::Mesh { hull: true, .. })
    }
}

/// Uses that share one copy of a mesh, each with its own pose.
fn shared(
    loader: &mut Loader<'_>,
    mut copy: Soup,
    key: CopyKey,
    sharing: CopyUses<'_>,
) -> Result<(), Fault> {
    let CopyKey { mirrored, hull, .. } = key;
    let CopyUses { uses, marks } = sharing;
    let scale = f32::from_bits(key.scale);
    for vertex in &mut copy.vertices {
        let x = if mirrored { -vertex.x } else { vertex.x };
        *vertex = Point3::new(x, vertex.y, vertex.z) * scale;
    }
    if mirrored {
        copy.turn();
    }
    check_places(&copy.vertices)?;
    let made = PreparedMesh::new(loader, copy, hull)?;
    for (at, used) in uses.iter().enumerate() {
        if at.is_multiple_of(USES_PER_LOOK) {
            check_cancelled(loader.observer)?;
        }
        let similar = Transform::new(&used.node.world).and_then(|t| t.similarity());
        let Some(pose) = similar.map(|similar| similar.pose) else { continue };
        let place = check_places(&[pose.translation.vector.into()]);
        place.map_err(|fault| fault.of_node(used.node.name))?;
        made.add(loader, used, SolidPlace { marks, pose });
    }
    Ok(())
}

/// One use of a mesh with its vertices in the world.
fn moved(
    loader: &mut Loader<'_>,
    mut soup: Soup,
    used: &SolidUse<'_>,
    marks: &[Mark],
) -> Result<(), Fault> {
    let Some(transform) = Transform::new(&used.node.world) else { return Ok(()) };
    for vertex in &mut soup.vertices {
        *vertex = transform.apply(&vertex.cast::<f64>()).cast::<f32>();
    }
    if transform.mirrors() {
        soup.turn();
    }
    check_places(&soup.vertices)?;
    let made = PreparedMesh::new(loader, soup, used.is_hull())?;
    made.add(loader, used, SolidPlace { marks, pose: Isometry3::identity() });
    Ok(())
}

/// A mesh in canonical order, ready to be used by solids.
struct PreparedMesh {
    /// `None` where no triangle has an area.
    shape: Option<Shape>,
    dropped: usize,
    /// A hull was asked for, but the points lie in a plane.
    flat: bool,
    /// The slot of most of a hull's triangles.
    main_slot: usize,
}

impl PreparedMesh {
    fn new(loader: &mut Loader<'_>, soup: Soup, hull: bool) -> Result<Self, Cancelled> {
        let (mesh, dropped) = canonical::mesh(soup, loader.observer)?;
        let main_slot = main_slot(&mesh);
        let flat = hull && !canonical::has_volume(&mesh.vertices);
        let shape = if mesh.triangles.is_empty() {
            None
        } else if hull && !flat {
            let points = Mesh { vertices: mesh.vertices, ..Mesh::default() };
            Some(Shape::Hull(loader.push_mesh(points)))
        } else {
            Some(Shape::Mesh(loader.push_mesh(mesh)))
        };
        Ok(PreparedMesh { shape, dropped, flat, main_slot })
    }

    fn add(&self, loader: &mut Loader<'_>, used: &SolidUse<'_>, place: SolidPlace<'_>) {
        let SolidPlace { marks, pose } = place;
        let name = used.node.name;
        if self.dropped > 0 {
            loader.skip(name, format!("triangles without area: {}", self.dropped));
        }
        let Some(shape) = self.shape.clone() else { return };
        if self.flat {
            loader.warn(name, "its collision hull is flat; it is used as triangles".to_owned());
        }
        let marks = match &used.mark {
            Some(mark) => std::slice::from_ref(mark),
            None => marks,
        };
        let mut surfaces: Vec<_> =
            marks.iter().map(|mark| loader.areas.surface(mark, used.two_sided)).collect();
        if matches!(shape, Shape::Hull(_)) {
            surfaces =
                surfaces.get(self.main_slot).or(surfaces.first()).copied().into_iter().collect();
        }
        loader.push_solid(Solid { name: name.to_owned(), shape, pose, surfaces });
    }
}

fn main_slot(mesh: &Mesh) -> usize {
    let mut counts = [0usize; 256];
    mesh.slots.iter().for_each(|&slot| counts[usize::from(slot)] += 1);
    (0..256).rev().max_by_key(|&slot| counts[slot]).unwrap_or(0)
}

impl Soup {
    fn append(&mut self, vertices: Vec<Point3<f32>>, triangles: &[[u32; 3]], slot: u8) {
        let start = self.vertices.len() as u32;
        if self.vertices.is_empty() {
            self.vertices = vertices;
        } else {
            self.vertices.extend(vertices);
        }
        self.slots.resize(self.triangles.len() + triangles.len(), slot);
        self.triangles.extend(triangles.iter().map(|corners| corners.map(|c| c + start)));
    }

    /// Reverses the winding of every triangle.
    fn turn(&mut self) {
        self.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
}

/// Refuses what lies so far out that its place is no more than a guess.
fn check_places(points: &[Point3<f32>]) -> Result<(), Fault> {
    let sound = |point: &Point3<f32>| point.iter().all(|v| v.abs() <= MAX_COORDINATE);
    match points.iter().find(|point| !sound(point)) {
        None => Ok(()),
        Some(point) => Err(Fault::file(format!(
            "part of it lies at ({}, {}, {}), farther than {MAX_COORDINATE} m from the origin; move it \
             closer or mark it to be ignored",
            point.x, point.y, point.z
        ))),
    }
}

/// Refuses a primitive that its node's scale made too large, or too small to have a size at all.
fn check_sizes(shape: &Shape) -> Result<(), Fault> {
    let sizes = match *shape {
        Shape::Cuboid { half_extents } => half_extents.into(),
        Shape::Ball { radius } => [radius; 3],
        Shape::Capsule { half_height, radius } | Shape::Cylinder { half_height, radius } => {
            [half_height, radius, radius]
        }
        Shape::Mesh(_) | Shape::Hull(_) => return Ok(()),
    };
    match sizes.iter().find(|&&size| !(size > 0.0 && size <= MAX_COORDINATE)) {
        None => Ok(()),
        Some(size) => Err(Fault::file(format!(
            "its collider measures {size} m from its center; it must be more than 0 and at most \
             {MAX_COORDINATE} m"
        ))),
    }
}
