//! Tells nodes apart that have no name of their own: each gets the name of its mesh, or `unnamed`, and
//! a number where others go by that name.
//!
//! Numbers follow from where the nodes are, never from their order in the file: by x, then z, then y of
//! the middle of what they show. Two nodes at one place whose meshes are equally large share a number.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use gltf::json;
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;
use nalgebra::{Matrix3x4, Point3};
use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, Observer};

use super::document::Document;
use crate::scene::canonical::sort_by;

/// Where a node is, before it has a name.
#[derive(Debug)]
pub(super) struct NodePlace {
    /// Index in the file.
    pub index: usize,
    /// Index of the place of the node above it.
    pub above: Option<usize>,
    pub world: Matrix3x4<f64>,
}

/// The names of placed nodes.
#[derive(Debug)]
pub(super) struct NodeNames {
    /// For each place the name with its number; `None` where it needs none.
    numbered: Vec<Option<Box<str>>>,
}

/// A node without a name, ready to be sorted.
struct Nameless {
    /// Index of the name of its mesh among those names.
    base: u32,
    /// The middle of what it shows: x, z, y.
    middle: [f64; 3],
    /// Index of its place.
    at: usize,
}

impl NodeNames {
    /// Names nodes. O(n log n)
    pub fn of(
        document: &Document,
        places: &[NodePlace],
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let mut names = NodeNames { numbered: Vec::new() };
        let base = |at: usize| document.base_name(&document.nodes[places[at].index]);
        let (nameless, given): (Vec<usize>, Vec<usize>) =
            (0..places.len()).partition(|&at| !has_name(&document.nodes[places[at].index]));
        if nameless.is_empty() {
            return Ok(names);
        }
        let bases: BTreeSet<&str> = nameless.iter().map(|&at| base(at)).collect();
        let bases: BTreeMap<&str, u32> = bases.into_iter().zip(0..).collect();
        let taken = given.into_iter().filter_map(|at| bases.get(base(at)).copied());
        let taken: BTreeSet<u32> = taken.collect();
        check_cancelled(observer)?;
        let sights = Sights::of(document, places);
        let entry = |at: usize| Nameless { base: bases[base(at)], middle: sights.middle(at), at };
        let mut nameless: Vec<Nameless> = nameless.into_iter().map(entry).collect();
        let order = |a: &Nameless, b: &Nameless| {
            (a.base.cmp(&b.base))
                .then_with(|| lexical(&a.middle, &b.middle))
                .then_with(|| sights.order(a.at, b.at))
        };
        sort_by(&mut nameless, observer, order)?;
        names.numbered.resize(places.len(), None);
        for group in nameless.chunk_by(|a, b| a.base == b.base) {
            let is_alone = order(&group[0], &group[group.len() - 1]).is_eq();
            if !is_alone || taken.contains(&group[0].base) {
                let twins = group.chunk_by(|a, b| order(a, b).is_eq());
                for (number, twins) in (1..).zip(twins) {
                    let name = format!("{} #{number}", base(group[0].at)).into_boxed_str();
                    twins.iter().for_each(|twin| names.numbered[twin.at] = Some(name.clone()));
                }
            }
        }
        Ok(names)
    }

    /// The name of the node at a place, with its number if it has one.
    pub fn name<'a>(&'a self, at: usize, base: &'a str) -> &'a str {
        self.numbered.get(at).and_then(Option::as_deref).unwrap_or(base)
    }
}

fn has_name(node: &json::Node) -> bool {
    node.name.as_deref().is_some_and(|name| !name.is_empty())
}

/// How large a mesh is, as its accessors say.
#[derive(Clone, Copy, Debug, Default)]
struct MeshExtent {
    /// Least and greatest corner.
    corners: [[f64; 3]; 2],
    vertices: u64,
    indices: u64,
}

impl MeshExtent {
    fn of(document: &Document, mesh: &json::Mesh) -> Self {
        let mut extent = MeshExtent::default();
        let mut corners: Option<[[f64; 3]; 2]> = None;
        for primitive in &mesh.primitives {
            let positions = positions(document, primitive);
            let indices = primitive.indices.and_then(|at| document.accessors.get(at.value()));
            extent.vertices += positions.map_or(0, |accessor| accessor.count.0);
            extent.indices += indices.map_or(0, |accessor| accessor.count.0);
            let least = positions.and_then(|accessor| corner(accessor.min.as_ref()));
            let most = positions.and_then(|accessor| corner(accessor.max.as_ref()));
            let Some((least, most)) = least.zip(most) else { continue };
            let [low, high] = corners.unwrap_or([least, most]);
            corners = Some([0, 1].map(|end| {
                [0, 1, 2].map(|axis| match end {
                    0 => low[axis].min(least[axis]),
                    _ => high[axis].max(most[axis]),
                })
            }));
        }
        extent.corners = corners.unwrap_or_default();
        extent
    }
}

fn positions<'a>(document: &'a Document, primitive: &Primitive) -> Option<&'a json::Accessor> {
    let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions))?;
    document.accessors.get(positions.value())
}

fn corner(value: Option<&serde_json::Value>) -> Option<[f64; 3]> {
    let values = value?.as_array()?;
    let axis = |axis: usize| values.get(axis).and_then(serde_json::Value::as_f64);
    Some([axis(0)?, axis(1)?, axis(2)?])
}

/// What can be seen of nodes without reading their meshes.
struct Sights<'a> {
    document: &'a Document,
    places: &'a [NodePlace],
    /// One for each mesh.
    extents: Vec<MeshExtent>,
}

impl<'a> Sights<'a> {
    fn of(document: &'a Document, places: &'a [NodePlace]) -> Self {
        let extents = document.meshes.iter().map(|mesh| MeshExtent::of(document, mesh)).collect();
        Sights { document, places, extents }
    }

    fn extent(&self, at: usize) -> MeshExtent {
        let mesh = self.document.nodes[self.places[at].index].mesh;
        mesh.and_then(|mesh| self.extents.get(mesh.value())).copied().unwrap_or_default()
    }

    /// The middle of what a node shows: x, z, y.
    fn middle(&self, at: usize) -> [f64; 3] {
        let [least, most] = self.extent(at).corners;
        let middle = [0, 1, 2].map(|axis| 0.5 * (least[axis] + most[axis]));
        let middle = self.places[at].world * Point3::from(middle).to_homogeneous();
        [middle.x, middle.z, middle.y]
    }

    /// The order of two nodes with one middle.
    fn order(&self, a: usize, b: usize) -> Ordering {
        let [one, other] = [a, b].map(|at| self.extent(at));
        let [own, others] = [a, b].map(|at| self.places[at].world.as_slice());
        let counts = |extent: MeshExtent| [extent.vertices, extent.indices];
        lexical(one.corners.as_flattened(), other.corners.as_flattened())
            .then_with(|| lexical(own, others))
            .then_with(|| counts(one).cmp(&counts(other)))
    }
}

fn lexical(a: &[f64], b: &[f64]) -> Ordering {
    a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).fold(Ordering::Equal, Ordering::then)
}
