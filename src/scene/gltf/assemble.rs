//! Uses to solids: decodes each mesh once, shares it where node transforms allow, and moves its
//! vertices to the world where they do not.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Point3};

use super::Loader;
use super::accessor::Accessors;
use super::extras::Mark;
use super::fault::Fault;
use super::physics::Form;
use super::shapes::{self, Placed};
use super::transform::{Similarity, Transform};
use super::triangles;
use super::uses::Use;
use crate::scene::builder::FARTHEST;
use crate::scene::canonical::{self, Soup};
use crate::scene::{Mesh, Shape, Solid, Surface};

/// One use of a mesh.
struct MeshUse {
    used: Use,
    hull: bool,
    transform: Transform,
}

/// Uses that can share one copy: the bits of the scale, and whether it is mirrored and a hull.
type CopyKey = (u32, bool, bool);

/// Turns all uses into solids of the loader's scene.
pub(super) fn all(
    loader: &mut Loader<'_>,
    accessors: &Accessors<'_>,
    uses: Vec<Use>,
) -> Result<(), Fault> {
    let mut by_mesh: BTreeMap<(usize, bool), Vec<MeshUse>> = BTreeMap::new();
    for used in uses {
        let Some(transform) = Transform::new(&used.world) else {
            loader.skip(&used.name, "scaled to zero; give it a scale or apply it".to_owned());
            continue;
        };
        match used.form {
            Form::Mesh { mesh, hull } => {
                let whole = used.mark.is_some();
                by_mesh.entry((mesh, whole)).or_default().push(MeshUse { used, hull, transform });
            }
            _ => shape(loader, &used, &transform)?,
        }
    }
    for ((mesh, whole), uses) in by_mesh {
        uses_of_mesh(loader, accessors, (mesh, whole), uses)?;
    }
    Ok(())
}

/// A physics shape that is no mesh.
fn shape(loader: &mut Loader<'_>, used: &Use, transform: &Transform) -> Result<(), Fault> {
    let mark = used.mark.as_ref().unwrap_or(&Mark::Walkable);
    let surfaces = vec![loader.areas.surface(mark, used.two_sided)];
    let placed = match shapes::place(&used.form, transform) {
        Ok(placed) => placed,
        Err(reason) => {
            loader.skip(&used.name, reason);
            return Ok(());
        }
    };
    let (shape, pose) = match placed {
        Placed::Primitive(shape, pose) => {
            check_places(&used.name, &[pose.translation.vector.into()])?;
            (shape, pose)
        }
        Placed::Hull(points) => {
            let points = to_single(&points);
            check_places(&used.name, &points)?;
            (Shape::Hull(loader.push_mesh(canonical::hull(&points))), Isometry3::identity())
        }
        Placed::Rectangle(corners) => {
            let vertices = to_single(&corners);
            check_places(&used.name, &vertices)?;
            let soup = Soup { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], slots: vec![] };
            (Shape::Mesh(loader.push_mesh(canonical::mesh(soup).0)), Isometry3::identity())
        }
    };
    loader.scene.solids.push(Solid { name: used.name.clone(), shape, pose, surfaces });
    Ok(())
}

/// All uses of one mesh.
fn uses_of_mesh(
    loader: &mut Loader<'_>,
    accessors: &Accessors<'_>,
    (mesh, whole): (usize, bool),
    uses: Vec<MeshUse>,
) -> Result<(), Fault> {
    // Which node an error names must not hang on their order.
    let Some(first) = uses.iter().map(|mesh_use| mesh_use.used.name.clone()).min() else {
        return Ok(());
    };
    let marks = if whole { vec![Mark::Walkable] } else { loader.material_marks(mesh) };
    let decoded = decode(loader, accessors, mesh, (!whole).then_some(&marks));
    let (mut soup, notes) = decoded.map_err(|fault| fault.of_node(&first))?;
    for used in uses.iter().map(|mesh_use| &mesh_use.used) {
        notes.iter().for_each(|note| loader.skip(&used.name, note.clone()));
        if loader.has_morph_targets(mesh) {
            let message = "its mesh has morph targets; it is used as it is at rest";
            loader.warn(&used.name, message.to_owned());
        }
    }
    if soup.triangles.is_empty() {
        return Ok(());
    }
    let mut copies: BTreeMap<CopyKey, Vec<(MeshUse, Similarity)>> = BTreeMap::new();
    let mut single = Vec::new();
    for mesh_use in uses {
        match mesh_use.transform.similarity() {
            Some(similar) => {
                let key = ((similar.scale as f32).to_bits(), similar.mirrored, mesh_use.hull);
                copies.entry(key).or_default().push((mesh_use, similar));
            }
            None => single.push(mesh_use),
        }
    }
    for (key, mut sharing) in copies {
        if sharing.len() < 2 {
            single.extend(sharing.drain(..).map(|(mesh_use, _)| mesh_use));
            continue;
        }
        loader.spend(&soup).map_err(|fault| fault.of_node(&first))?;
        shared(loader, &soup, key, (&marks, sharing))?;
    }
    let last = single.len().saturating_sub(1);
    for (index, mesh_use) in single.into_iter().enumerate() {
        loader.spend(&soup).map_err(|fault| fault.of_node(&mesh_use.used.name))?;
        let copy = if index == last { std::mem::take(&mut soup) } else { soup.clone() };
        moved(loader, copy, &marks, &mesh_use)?;
    }
    Ok(())
}

/// Decodes the primitives of a mesh into one soup, with a slot for each mark of a material;
/// notes say what was left out.
fn decode(
    loader: &Loader<'_>,
    accessors: &Accessors<'_>,
    mesh: usize,
    marks: Option<&Vec<Mark>>,
) -> Result<(Soup, Vec<String>), Fault> {
    let mut soup = Soup::default();
    let mut notes = Vec::new();
    for primitive in &loader.document.mesh(mesh)?.primitives {
        let mut slot = 0;
        if let Some(marks) = marks {
            let mark = loader.material_mark(primitive)?;
            if mark == Mark::Ignore {
                notes.push("a part whose material is marked to be ignored".to_owned());
                continue;
            }
            // There are at most 257 marks; of so many, the last two are areas that share a slot.
            slot = marks.binary_search(&mark).map_or(0, |slot| slot.min(255) as u8);
        }
        let part = match triangles::of_primitive(accessors, primitive)? {
            Ok(part) => part,
            Err(note) => {
                notes.push(note);
                continue;
            }
        };
        let start = u32::try_from(soup.vertices.len())
            .map_err(|_| Fault::file("its mesh has more than 2^32 vertices; split it"))?;
        loader.check_room(&soup, &part)?;
        soup.vertices.extend(part.vertices);
        soup.slots.resize(soup.triangles.len() + part.triangles.len(), slot);
        soup.triangles.extend(part.triangles.iter().map(|corners| corners.map(|c| c + start)));
    }
    Ok((soup, notes))
}

/// Uses that share one copy of a mesh, each with its own pose.
fn shared(
    loader: &mut Loader<'_>,
    soup: &Soup,
    (_, mirrored, hull): CopyKey,
    (marks, sharing): (&[Mark], Vec<(MeshUse, Similarity)>),
) -> Result<(), Fault> {
    let Some(scale) = sharing.iter().map(|(_, similar)| similar.scale).reduce(f64::min) else {
        return Ok(());
    };
    let mut copy = soup.clone();
    for vertex in &mut copy.vertices {
        let x = if mirrored { -scale } else { scale };
        let point = vertex.cast::<f64>().coords;
        *vertex = Point3::new(x * point.x, scale * point.y, scale * point.z).cast::<f32>();
    }
    if mirrored {
        copy.turn();
    }
    check_places(&sharing[0].0.used.name, &copy.vertices)?;
    let made = Made::new(loader, copy, hull);
    for (mesh_use, similar) in &sharing {
        check_places(&mesh_use.used.name, &[similar.pose.translation.vector.into()])?;
        made.add(loader, &mesh_use.used, (marks, similar.pose));
    }
    Ok(())
}

/// One use of a mesh with its vertices in the world.
fn moved(
    loader: &mut Loader<'_>,
    mut soup: Soup,
    marks: &[Mark],
    mesh_use: &MeshUse,
) -> Result<(), Fault> {
    for vertex in &mut soup.vertices {
        *vertex = mesh_use.transform.apply(&vertex.cast::<f64>()).cast::<f32>();
    }
    if mesh_use.transform.mirrors() {
        soup.turn();
    }
    check_places(&mesh_use.used.name, &soup.vertices)?;
    let made = Made::new(loader, soup, mesh_use.hull);
    made.add(loader, &mesh_use.used, (marks, Isometry3::identity()));
    Ok(())
}

/// A mesh in canonical order, ready to be used by solids.
struct Made {
    /// `None` where no triangle has an area.
    shape: Option<Shape>,
    dropped: usize,
    /// A hull was asked for, but the points lie in a plane.
    flat: bool,
    /// The slot of most of a hull's triangles.
    main_slot: usize,
}

impl Made {
    fn new(loader: &mut Loader<'_>, soup: Soup, hull: bool) -> Self {
        let (mesh, dropped) = canonical::mesh(soup);
        let main_slot = main_slot(&mesh);
        if mesh.triangles.is_empty() {
            return Made { shape: None, dropped, flat: false, main_slot };
        }
        let flat = hull && !canonical::has_volume(&mesh.vertices);
        let shape = if hull && !flat {
            Shape::Hull(loader.push_mesh(Mesh { vertices: mesh.vertices, ..Mesh::default() }))
        } else {
            Shape::Mesh(loader.push_mesh(mesh))
        };
        Made { shape: Some(shape), dropped, flat, main_slot }
    }

    fn add(&self, loader: &mut Loader<'_>, used: &Use, (marks, pose): (&[Mark], Isometry3<f32>)) {
        if self.dropped > 0 {
            loader.skip(&used.name, format!("{} triangles without area", self.dropped));
        }
        let Some(shape) = self.shape.clone() else { return };
        if self.flat {
            let message = "its collision hull is flat; it is used as triangles";
            loader.warn(&used.name, message.to_owned());
        }
        let mut surfaces: Vec<Surface> = match &used.mark {
            Some(mark) => vec![loader.areas.surface(mark, used.two_sided)],
            None => marks.iter().map(|mark| loader.areas.surface(mark, used.two_sided)).collect(),
        };
        if matches!(shape, Shape::Hull(_)) && surfaces.len() > 1 {
            surfaces = vec![surfaces[self.main_slot.min(surfaces.len() - 1)]];
        }
        loader.scene.solids.push(Solid { name: used.name.clone(), shape, pose, surfaces });
    }
}

fn main_slot(mesh: &Mesh) -> usize {
    let mut counts = [0usize; 256];
    mesh.slots.iter().for_each(|&slot| counts[usize::from(slot)] += 1);
    (0..256).rev().max_by_key(|&slot| counts[slot]).unwrap_or(0)
}

impl Soup {
    /// Turns every triangle the other way round.
    fn turn(&mut self) {
        self.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
}

fn to_single(points: &[Point3<f64>]) -> Vec<Point3<f32>> {
    points.iter().map(|point| point.cast::<f32>()).collect()
}

/// Refuses what lies so far out that its place is no more than a guess.
fn check_places(node: &str, points: &[Point3<f32>]) -> Result<(), Fault> {
    let sound = |point: &Point3<f32>| point.iter().all(|v| v.abs() <= FARTHEST);
    match points.iter().find(|point| !sound(point)) {
        None => Ok(()),
        Some(point) => Err(Fault::node(
            node,
            format!(
                "part of it lies at ({}, {}, {}), farther than {FARTHEST} m from the origin; move \
                 it closer or mark it to be ignored",
                point.x, point.y, point.z
            ),
        )),
    }
}
