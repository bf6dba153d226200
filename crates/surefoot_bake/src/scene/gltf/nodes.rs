//! The node hierarchy: every node of the scene with its transform to the world and what it
//! inherits from the nodes above it.

use std::collections::BTreeSet;
use std::rc::Rc;

use gltf::json;
use nalgebra::{Matrix3x4, Matrix4, Quaternion, UnitQuaternion, Vector3};
use surefoot::Observer;
use surefoot::observer::check_cancelled;

use super::document::{AnimationTarget, Document};
use super::extras::{Mark, Nav};
use super::fault::Fault;
use super::names::Role;
use super::numbers::{NodeNames, NodePlace};
use super::physics::{Motion, PhysicsBody};
use crate::scene::marks::{GlobMark, Globs};

/// A node of the scene, in the world.
#[derive(Debug)]
pub(super) struct PlacedNode<'a> {
    /// Index in the file; it must not decide anything but errors.
    pub index: usize,
    /// As it is shown: with a number where it would be ambiguous otherwise.
    pub name: &'a str,
    /// Without a number; what it says of the node's role counts.
    pub base_name: &'a str,
    pub world: Matrix3x4<f64>,
    pub inherited: Inherited,
    /// What its own extras say, if anything.
    pub nav: Option<Box<Nav>>,
    /// What its own physics extensions say.
    pub body: PhysicsBody,
    /// Whether a mark is on the node itself, not on one above it.
    pub marked_itself: bool,
}

/// The nodes of a file.
#[derive(Debug)]
pub(super) struct PlacedNodes<'a> {
    /// Of the scene.
    pub nodes: Vec<PlacedNode<'a>>,
    /// Names of those with a mesh that are not in the scene.
    pub elsewhere: Vec<&'a str>,
}

/// What holds for a node and everything below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Inherited {
    /// From the command line, with the glob that matched.
    pub by_glob: Option<(Mark, Rc<str>)>,
    /// From extras.
    pub by_extras: Option<Mark>,
    pub two_sided: bool,
    /// Why its name, or one above it, leaves it out.
    pub left_out: Option<&'static str>,
    pub animated: bool,
    pub motion: Option<Motion>,
}

/// The observer is asked once for so many nodes.
const NODES_PER_LOOK: usize = 1024;

/// All nodes of the default scene, or of the file where it names none: each after the one above it.
pub(super) fn places(
    document: &Document,
    observer: &dyn Observer,
) -> Result<Vec<NodePlace>, Fault> {
    let mut seen = vec![false; document.nodes.len()];
    let mut places: Vec<NodePlace> = Vec::with_capacity(document.nodes.len());
    let top = Rc::new(Matrix4::identity());
    let mut open: Vec<(usize, Option<usize>, Rc<Matrix4<f64>>)> = Vec::new();
    for root in roots(document)? {
        open.push((root, None, top.clone()));
        while let Some((index, above, parent)) = open.pop() {
            if places.len().is_multiple_of(NODES_PER_LOOK) {
                check_cancelled(observer)?;
            }
            let node = document.node(index)?;
            let fault = |problem: &str| Fault::node(&document.name_in_errors(index), problem);
            if std::mem::replace(&mut seen[index], true) {
                return Err(fault(
                    "it is below itself or below two nodes; give each node one parent",
                ));
            }
            let world = *parent * local(node).map_err(fault)?;
            check_finite(&world).map_err(fault)?;
            let children = node.children.as_deref().unwrap_or_default();
            if !children.is_empty() {
                let (above, world) = (Some(places.len()), Rc::new(world));
                open.extend(children.iter().map(|child| (child.value(), above, world.clone())));
            }
            let world = world.fixed_view::<3, 4>(0, 0).into_owned();
            places.push(NodePlace { index, above, world });
        }
    }
    if document.scene.is_none()
        && let Some(lost) = seen.iter().position(|seen| !seen)
    {
        let name = document.name_in_errors(lost);
        return Err(Fault::node(&name, "it is below itself; give each node one parent"));
    }
    Ok(places)
}

/// What nodes at known places are and inherit.
pub(super) fn place<'a>(
    document: &'a Document,
    places: &[NodePlace],
    names: &'a NodeNames,
    globs: &mut Globs,
) -> Result<PlacedNodes<'a>, Fault> {
    let animated = animated_nodes(document);
    let mut seen = vec![false; document.nodes.len()];
    let mut nodes: Vec<PlacedNode> = Vec::with_capacity(places.len());
    for (at, place) in places.iter().enumerate() {
        seen[place.index] = true;
        let above = place.above.map(|above| nodes[above].inherited.clone());
        let mut inherited = above.unwrap_or_default();
        inherited.animated |= animated.contains(&place.index);
        let node = &document.nodes[place.index];
        let base_name = document.base_name(node);
        let named = NamedPlace { place, name: names.name(at, base_name), base_name };
        nodes.push(inherit(inherited, node, named, globs)?);
    }
    let elsewhere =
        document.nodes.iter().zip(seen).filter(|(node, seen)| !seen && node.mesh.is_some());
    let elsewhere = elsewhere.map(|(node, _)| document.base_name(node)).collect();
    Ok(PlacedNodes { nodes, elsewhere })
}

/// A place with its names.
struct NamedPlace<'a, 'p> {
    place: &'p NodePlace,
    name: &'a str,
    base_name: &'a str,
}

/// Applies a node's own marks on top of those it inherits.
fn inherit<'a>(
    mut inherited: Inherited,
    node: &json::Node,
    named: NamedPlace<'a, '_>,
    globs: &mut Globs,
) -> Result<PlacedNode<'a>, Fault> {
    let NamedPlace { place, name, base_name } = named;
    let nav = Nav::read(&node.extras);
    let body = PhysicsBody::read(node).map_err(|fault| fault.of_node(name))?;
    let (glob, two_sided) = globs.look_up([base_name, name]);
    inherited.two_sided |= two_sided || nav.two_sided;
    inherited.left_out = inherited.left_out.or(Role::of(base_name).0.left_out());
    inherited.motion = body.motion.or(inherited.motion);
    let marked_itself = glob.is_some() || nav.mark.is_some();
    if let Some((mark, glob)) = glob {
        inherited.by_glob = mark_of(mark).map(|mark| (mark, glob.into()));
    }
    if nav.mark.is_some() {
        inherited.by_extras = nav.mark.clone();
    }
    let (index, world) = (place.index, place.world);
    let nav = (nav != Nav::default()).then(|| Box::new(nav));
    Ok(PlacedNode { index, name, base_name, world, inherited, nav, body, marked_itself })
}

fn mark_of(mark: GlobMark) -> Option<Mark> {
    match mark {
        GlobMark::Ignore => Some(Mark::Ignore),
        GlobMark::Obstacle => Some(Mark::Obstacle),
        GlobMark::Area(name) => Some(Mark::from_word(&name)),
        GlobMark::TwoSided => None,
    }
}

/// Roots of the default scene, else all nodes without a parent.
fn roots(document: &Document) -> Result<Vec<usize>, Fault> {
    if let Some(scene) = document.scene {
        let count = document.scenes.len();
        let roots = document.scenes.get(scene).ok_or_else(|| {
            Fault::file(format!(
                "its default scene is {scene}, but it has {count}; export it again"
            ))
        })?;
        let distinct: BTreeSet<usize> = roots.nodes.iter().copied().collect();
        return Ok(distinct.into_iter().collect());
    }
    let mut has_parent = vec![false; document.nodes.len()];
    for child in document.nodes.iter().flat_map(|node| node.children.iter().flatten()) {
        document.node(child.value())?;
        has_parent[child.value()] = true;
    }
    let roots: Vec<usize> = (0..has_parent.len()).filter(|&index| !has_parent[index]).collect();
    if roots.is_empty() && !document.nodes.is_empty() {
        return Err(Fault::file("every node is below another, in a circle; export it again"));
    }
    Ok(roots)
}

/// Nodes whose transform an animation changes.
fn animated_nodes(document: &Document) -> BTreeSet<usize> {
    let channels = document.animations.iter().flat_map(|animation| &animation.channels);
    channels.filter_map(|channel| moved_node(&channel.target)).collect()
}

fn moved_node(target: &AnimationTarget) -> Option<usize> {
    let moves = |path: &str| matches!(path, "translation" | "rotation" | "scale" | "matrix");
    if moves(&target.path) {
        return target.node;
    }
    let pointer = target.extensions.get("KHR_animation_pointer")?.get("pointer")?.as_str()?;
    let (index, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    if moves(path) { index.parse().ok() } else { None }
}

/// The transform of a node to its parent.
fn local(node: &json::Node) -> Result<Matrix4<f64>, &'static str> {
    if let Some(matrix) = node.matrix {
        return Ok(Matrix4::from_column_slice(&matrix.map(f64::from)));
    }
    let translation = Vector3::from(node.translation.unwrap_or_default().map(f64::from));
    let scale = Vector3::from(node.scale.unwrap_or([1.0; 3]).map(f64::from));
    let [x, y, z, w] = node.rotation.unwrap_or_default().0.map(f64::from);
    let rotation = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-12)
        .ok_or("its rotation is no rotation; reset it and export again")?;
    let turned = rotation.to_rotation_matrix().to_homogeneous();
    Ok(turned.prepend_nonuniform_scaling(&scale).append_translation(&translation))
}

fn check_finite(world: &Matrix4<f64>) -> Result<(), &'static str> {
    let affine = world.fixed_view::<3, 4>(0, 0);
    if affine.iter().all(|value| value.abs() < f64::from(f32::MAX)) {
        return Ok(());
    }
    Err("its transform is not finite; reset the transform and export again")
}
