//! The canonical order of a scene: it is the same, bit for bit, whatever the order of nodes and
//! triangles in a file.
//!
//! Vertices are welded by their bits and sorted, each triangle starts at its least corner,
//! triangles are sorted, equal meshes become one, solids, links and volumes are sorted. The hash in the
//! report covers all of it, and nothing else.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use nalgebra::Point3;
use rayon::prelude::*;
use surefoot::grid::{Area, ContentHash};
use surefoot::observer::{check_cancelled, for_each_observed};
use surefoot::{Cancelled, Observer};

use super::{LinkMarker, Mesh, Scene, Shape, Solid, Volume, VolumeEffect, VolumeShape};

/// A triangle soup: triangles in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    /// Corner positions [m].
    pub vertices: Vec<Point3<f32>>,
    /// Corners of each triangle, each `< vertices.len()`.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle its slot; empty if all are 0.
    pub slots: Vec<u8>,
}

/// Least number of elements that are sorted on several threads.
const MIN_PARALLEL_SORT: usize = 1 << 15;
/// At most this many elements are sorted between two looks at the observer.
const SORTED_AT_ONCE: usize = 1 << 18;

/// Puts triangles in canonical order; also returns how many were dropped for having no area.
pub(super) fn mesh(soup: Soup, observer: &dyn Observer) -> Result<(Mesh, usize), Cancelled> {
    let (vertices, welded) = weld(&soup.vertices, observer)?;
    let count = soup.triangles.len();
    let mut faces: Vec<([u32; 3], u8)> = Vec::with_capacity(count);
    for_each_observed(0..count, observer, |index| {
        let corners = soup.triangles[index].map(|corner| welded[corner as usize]);
        if has_area(&vertices, corners) {
            let slot = soup.slots.get(index).copied().unwrap_or(0);
            faces.push((least_first(corners), slot));
        }
    })?;
    drop((soup, welded));
    let vertices = keep_used(vertices, &mut faces);
    check_cancelled(observer)?;
    sort(&mut faces, observer)?;
    let dropped = count - faces.len();
    let plain = faces.iter().all(|face| face.1 == 0);
    let slots = if plain { Vec::new() } else { faces.iter().map(|face| face.1).collect() };
    let triangles = faces.iter().map(|face| face.0).collect();
    Ok((Mesh { vertices, triangles, slots }, dropped))
}

/// Returns the points of a hull in canonical order, without triangles.
pub(super) fn hull(points: &[Point3<f32>], observer: &dyn Observer) -> Result<Mesh, Cancelled> {
    Ok(Mesh { vertices: weld(points, observer)?.0, ..Mesh::default() })
}

/// Puts a whole scene in canonical order and completes its report.
///
/// Every mesh must come from [`mesh`] or [`hull`].
pub(super) fn canonicalize(scene: &mut Scene, observer: &dyn Observer) -> Result<(), Cancelled> {
    let digests = merge_meshes(scene, observer)?;
    let keyed = |solid| (SolidKey::new(&solid, &digests), solid);
    let mut keyed: Vec<(SolidKey, Solid)> = scene.solids.drain(..).map(keyed).collect();
    sort_by(&mut keyed, observer, |(a, _), (b, _)| a.cmp(b))?;
    sort_markers(scene);
    check_cancelled(observer)?;
    scene.report.hash = hash(keyed.iter().map(|(key, _)| key), scene);
    scene.solids = keyed.into_iter().map(|(_, solid)| solid).collect();
    scene.report.colliders = scene.solids.len();
    scene.report.triangles = scene.triangle_count();
    scene.report.skipped.sort();
    check_cancelled(observer)?;
    scene.report.warnings.sort();
    scene.report.warnings.dedup();
    Ok(())
}

/// Puts the links and volumes of a scene in canonical order.
pub(crate) fn sort_markers(scene: &mut Scene) {
    scene.links.sort_by_cached_key(link_content);
    scene.volumes.sort_by_cached_key(volume_content);
}

/// What a solid is sorted and hashed by: all that counts of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SolidKey {
    /// Name of its node.
    pub name: String,
    content: Vec<u8>,
}

impl SolidKey {
    /// Returns the key of a solid, given the hashes of all meshes.
    pub fn new(solid: &Solid, digests: &[MeshDigest]) -> Self {
        SolidKey { name: solid.name.clone(), content: content(solid, digests) }
    }

    /// Returns the hash of all that counts of the solid.
    pub fn hash(&self) -> ContentHash {
        let mut hasher = blake3::Hasher::new();
        add_part(&mut hasher, self.name.as_bytes());
        add_part(&mut hasher, &self.content);
        short(&hasher)
    }
}

/// Returns the hash of each solid of a scene.
pub(crate) fn solid_hashes(scene: &Scene) -> Vec<ContentHash> {
    let digests: Vec<MeshDigest> = scene.meshes.par_iter().map(digest).collect();
    let hash = |solid| SolidKey::new(solid, &digests).hash();
    scene.solids.iter().map(hash).collect()
}

/// Raised whenever the same scene is baked differently. From 2 on, widths are measured; from 3 on, low ceilings
/// have the names of their nodes; from 4 on, how high a body may be under them is measured; from 5 on, what
/// stands over steps.
const BAKE_REVISION: &[u8] = b"5";

/// Returns the hash of what matters to all floors of a scene: areas, volumes, and the version of this
/// program, since another may bake the same otherwise.
pub(crate) fn surroundings_hash(scene: &Scene) -> ContentHash {
    surroundings_hash_of(scene, |_| true)
}

/// Returns the same hash as if the scene had no volumes but those that are chosen.
pub(crate) fn surroundings_hash_of(
    scene: &Scene,
    is_chosen: impl Fn(&Volume) -> bool,
) -> ContentHash {
    let mut hasher = blake3::Hasher::new();
    add_part(&mut hasher, env!("CARGO_PKG_VERSION").as_bytes());
    add_part(&mut hasher, BAKE_REVISION);
    add_areas(&mut hasher, &scene.areas);
    for volume in scene.volumes.iter().filter(|volume| is_chosen(volume)) {
        add_part(&mut hasher, &volume_content(volume));
    }
    short(&hasher)
}

/// Adds bytes to a hash, with their number before them.
fn add_part(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn add_areas(hasher: &mut blake3::Hasher, areas: &[Area]) {
    for area in areas {
        add_part(hasher, area.name.as_bytes());
        add_part(hasher, &area.cost.to_le_bytes());
        add_part(hasher, &[u8::from(area.forbidden)]);
    }
}

/// Returns the first half of a hash.
fn short(hasher: &blake3::Hasher) -> ContentHash {
    let mut half = ContentHash::default();
    half.copy_from_slice(&hasher.finalize().as_bytes()[..size_of::<ContentHash>()]);
    half
}

/// Returns the distinct vertices, sorted, and for each old vertex its new index.
fn weld(
    vertices: &[Point3<f32>],
    observer: &dyn Observer,
) -> Result<(Vec<Point3<f32>>, Vec<u32>), Cancelled> {
    let mut order: Vec<([u32; 3], u32)> = vertices
        .iter()
        .zip(0..)
        .map(|(vertex, index)| ([vertex.x, vertex.y, vertex.z].map(bits), index))
        .collect();
    sort(&mut order, observer)?;
    let mut distinct: Vec<Point3<f32>> = Vec::with_capacity(order.len());
    let mut welded = vec![0; vertices.len()];
    let mut last = None;
    for (key, index) in order {
        if last != Some(key) {
            distinct.push(Point3::from(key.map(f32::from_bits)));
            last = Some(key);
        }
        welded[index as usize] = distinct.len() as u32 - 1;
    }
    distinct.shrink_to_fit();
    Ok((distinct, welded))
}

/// Returns the bits of a number, the same for both zeros.
fn bits(value: f32) -> u32 {
    (value + 0.0).to_bits()
}

/// Returns whether a triangle has an area. Exact but for the last bit: the differences of two `f32`
/// and their products fit an `f64`.
fn has_area(vertices: &[Point3<f32>], [a, b, c]: [u32; 3]) -> bool {
    if a == b || b == c || c == a {
        return false;
    }
    let [a, b, c] = [a, b, c].map(|i| vertices[i as usize].coords.cast::<f64>());
    (b - a).cross(&(c - a)) != nalgebra::Vector3::zeros()
}

/// Returns the same triangle, with the same winding, from its least corner.
fn least_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Drops the vertices no face uses, and renumbers the faces.
fn keep_used(vertices: Vec<Point3<f32>>, faces: &mut [([u32; 3], u8)]) -> Vec<Point3<f32>> {
    let mut renumbered = vec![u32::MAX; vertices.len()];
    for &corner in faces.iter().flat_map(|face| &face.0) {
        renumbered[corner as usize] = 0;
    }
    let mut kept = Vec::with_capacity(vertices.len());
    for (vertex, number) in vertices.into_iter().zip(&mut renumbered) {
        if *number == 0 {
            *number = kept.len() as u32;
            kept.push(vertex);
        }
    }
    for corner in faces.iter_mut().flat_map(|face| &mut face.0) {
        *corner = renumbered[*corner as usize];
    }
    kept
}

fn sort<T: Ord + Send>(items: &mut [T], observer: &dyn Observer) -> Result<(), Cancelled> {
    sort_by(items, observer, T::cmp)
}

/// Sorts items. Those that are equal may come in any order.
pub(super) fn sort_by<T: Send>(
    items: &mut [T],
    observer: &dyn Observer,
    order: impl Fn(&T, &T) -> Ordering + Sync,
) -> Result<(), Cancelled> {
    if items.len() < MIN_PARALLEL_SORT {
        items.sort_unstable_by(order);
        return Ok(());
    }
    for part in items.chunks_mut(SORTED_AT_ONCE) {
        check_cancelled(observer)?;
        part.par_sort_unstable_by(&order);
    }
    if items.len() > SORTED_AT_ONCE {
        check_cancelled(observer)?;
        // Finds the sorted parts, and merges them.
        items.sort_by(order);
    }
    check_cancelled(observer)
}

/// Merges equal meshes, sorts them by content and removes unused ones; returns their hashes.
fn merge_meshes(scene: &mut Scene, observer: &dyn Observer) -> Result<Vec<MeshDigest>, Cancelled> {
    let digest = |mesh: &Mesh| check_cancelled(observer).map(|()| digest(mesh));
    let digests: Vec<MeshDigest> = scene.meshes.iter().map(digest).collect::<Result<_, _>>()?;
    let mut first_of: BTreeMap<MeshDigest, usize> = BTreeMap::new();
    for solid in &scene.solids {
        if let Shape::Mesh(mesh) | Shape::Hull(mesh) = solid.shape {
            first_of.entry(digests[mesh]).or_insert(mesh);
        }
    }
    let sorted: Vec<MeshDigest> = first_of.keys().copied().collect();
    for solid in &mut scene.solids {
        if let Shape::Mesh(mesh) | Shape::Hull(mesh) = &mut solid.shape {
            *mesh = sorted.binary_search(&digests[*mesh]).unwrap_or(0);
        }
    }
    let mut old = std::mem::take(&mut scene.meshes);
    scene.meshes = first_of.values().map(|&mesh| std::mem::take(&mut old[mesh])).collect();
    Ok(sorted)
}

/// The hash of a mesh's content.
pub(crate) type MeshDigest = [u8; 32];

/// Returns the hash of a mesh's content.
pub(crate) fn digest(mesh: &Mesh) -> MeshDigest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(mesh.vertices.len() as u64).to_le_bytes());
    hasher.update(&(mesh.triangles.len() as u64).to_le_bytes());
    let mut block = Vec::with_capacity(12 * 1024);
    for vertices in mesh.vertices.chunks(1024) {
        block.clear();
        block.extend(vertices.iter().flat_map(|v| &v.coords).flat_map(|x| x.to_le_bytes()));
        hasher.update(&block);
    }
    for triangles in mesh.triangles.chunks(1024) {
        block.clear();
        block.extend(triangles.iter().flatten().flat_map(|i| i.to_le_bytes()));
        hasher.update(&block);
    }
    hasher.update(&mesh.slots);
    hasher.finalize().into()
}

/// Returns everything about a solid but its name, as bytes to sort and hash by.
fn content(solid: &Solid, digests: &[MeshDigest]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(96);
    let numbers = |bytes: &mut Vec<u8>, values: &[f32]| {
        bytes.extend(values.iter().flat_map(|&value| bits(value).to_be_bytes()));
    };
    match solid.shape {
        Shape::Mesh(mesh) => {
            bytes.push(0);
            bytes.extend(digests[mesh]);
        }
        Shape::Hull(mesh) => {
            bytes.push(1);
            bytes.extend(digests[mesh]);
        }
        Shape::Cuboid { half_extents } => {
            bytes.push(2);
            numbers(&mut bytes, half_extents.as_slice());
        }
        Shape::Ball { radius } => {
            bytes.push(3);
            numbers(&mut bytes, &[radius]);
        }
        Shape::Capsule { half_height, radius } => {
            bytes.push(4);
            numbers(&mut bytes, &[half_height, radius]);
        }
        Shape::Cylinder { half_height, radius } => {
            bytes.push(5);
            numbers(&mut bytes, &[half_height, radius]);
        }
    }
    numbers(&mut bytes, solid.pose.translation.vector.as_slice());
    numbers(&mut bytes, solid.pose.rotation.coords.as_slice());
    for surface in &solid.surfaces {
        bytes.extend([surface.area.0, u8::from(surface.obstacle), u8::from(surface.two_sided)]);
    }
    bytes
}

/// Returns everything about a link, as bytes to sort and hash by.
fn link_content(link: &LinkMarker) -> Vec<u8> {
    let mut bytes = link.name.clone().into_bytes();
    bytes.push(0);
    for value in link.from.coords.iter().chain(&link.to.coords) {
        bytes.extend(bits(*value).to_be_bytes());
    }
    bytes.extend([u8::from(link.two_way), link.kind as u8, u8::from(link.cost.is_some())]);
    bytes.extend(bits(link.cost.unwrap_or(0.0)).to_be_bytes());
    bytes.extend(link.across.iter().flat_map(|value| bits(*value).to_be_bytes()));
    bytes.extend([u8::from(link.capacity.is_some()), u8::from(link.stop.is_some())]);
    bytes.extend(link.capacity.unwrap_or(0).to_be_bytes());
    if let Some(stop) = link.stop {
        bytes.extend(stop.moving.0.to_be_bytes());
        bytes.extend(stop.number.to_be_bytes());
    }
    bytes.extend(link.user_data.bytes());
    bytes
}

/// Returns everything about a volume, as bytes to sort and hash by.
fn volume_content(volume: &Volume) -> Vec<u8> {
    let mut bytes = volume.name.clone().into_bytes();
    bytes.push(0);
    bytes.extend(match volume.effect {
        VolumeEffect::Area(area) => [0, area.0],
        VolumeEffect::Clear => [1, 0],
    });
    let mut numbers = |kind: u8, values: &[&[f32]]| {
        bytes.push(kind);
        let values = values.iter().copied().flatten();
        bytes.extend(values.flat_map(|&value| bits(value).to_be_bytes()));
    };
    match &volume.shape {
        VolumeShape::Box { pose, half_extents } => numbers(
            0,
            &[
                pose.translation.vector.as_slice(),
                pose.rotation.coords.as_slice(),
                half_extents.as_slice(),
            ],
        ),
        VolumeShape::Prism { corners, bottom, top } => {
            numbers(1, &[&[*bottom, *top], corners.as_flattened()]);
        }
        VolumeShape::Sphere { center, radius } => {
            numbers(2, &[center.coords.as_slice(), &[*radius]]);
        }
    }
    bytes
}

/// Returns the hash of solids in canonical order and all else in a scene: 32 hexadecimal digits.
pub(crate) fn hash<'k>(solids: impl Iterator<Item = &'k SolidKey>, scene: &Scene) -> String {
    let Scene { areas, links, volumes, .. } = scene;
    let mut hasher = blake3::Hasher::new();
    add_areas(&mut hasher, areas);
    let mut part = |bytes: &[u8]| add_part(&mut hasher, bytes);
    for SolidKey { name, content } in solids {
        part(name.as_bytes());
        part(content);
    }
    for link in links {
        part(&link_content(link));
    }
    for volume in volumes {
        part(b"volume");
        part(&volume_content(volume));
    }
    let mut hex = hasher.finalize().to_hex().to_string();
    hex.truncate(32);
    hex
}

/// Returns whether points enclose a volume: 4 of them are not in one plane.
pub(super) fn has_volume(points: &[Point3<f32>]) -> bool {
    let Some(origin) = points.first().map(|point| point.coords.cast::<f64>()) else { return false };
    let farthest = |measure: &dyn Fn(&nalgebra::Vector3<f64>) -> f64| {
        let apart = points.iter().map(|point| point.coords.cast::<f64>() - origin);
        apart.max_by(|a, b| measure(a).total_cmp(&measure(b))).unwrap_or_default()
    };
    let along = farthest(&|v| v.norm());
    let across = farthest(&|v| along.cross(v).norm());
    let normal = along.cross(&across);
    let height = farthest(&|v| normal.dot(v).abs());
    normal.dot(&height).abs() > 1e-6 * along.norm().powi(3)
}
