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
use super::physics::{Motion, PhysicsBody};
use crate::scene::marks::{GlobMark, Globs};

/// A node of the scene, in the world.
#[derive(Debug)]
pub(super) struct PlacedNode<'a> {
    /// Index in the file; it must not decide anything but errors.
    pub index: usize,
    pub name: &'a str,
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

/// What children inherit from a node.
struct Above {
    world: Matrix4<f64>,
    inherited: Inherited,
}

impl Default for Above {
    fn default() -> Self {
        Above { world: Matrix4::identity(), inherited: Inherited::default() }
    }
}

/// The observer is asked once for so many nodes.
const NODES_PER_LOOK: usize = 1024;

/// All nodes of the default scene, and those with a mesh that are not in it; all nodes of the file
/// where it names none.
pub(super) fn place<'a>(
    document: &'a Document,
    globs: &mut Globs,
    observer: &dyn Observer,
) -> Result<PlacedNodes<'a>, Fault> {
    let animated = animated_nodes(document);
    let mut seen = vec![false; document.nodes.len()];
    let mut placed = Vec::with_capacity(document.nodes.len());
    let top: Rc<Above> = Rc::default();
    let mut open: Vec<(usize, Rc<Above>)> = Vec::new();
    for root in roots(document)? {
        open.push((root, top.clone()));
        while let Some((index, parent)) = open.pop() {
            if placed.len().is_multiple_of(NODES_PER_LOOK) {
                check_cancelled(observer)?;
            }
            let mut inherited = parent.inherited.clone();
            let node = document.node(index)?;
            let name = document.node_name(node);
            if std::mem::replace(&mut seen[index], true) {
                return Err(Fault::node(
                    name,
                    "it is below itself or below two nodes; give each node one parent",
                ));
            }
            let world = parent.world * local(node).map_err(|problem| Fault::node(name, problem))?;
            check_finite(&world, name)?;
            inherited.animated |= animated.contains(&index);
            placed.push(inherit(&mut inherited, node, NodePlace { index, name, world }, globs)?);
            let children = node.children.as_deref().unwrap_or_default();
            if !children.is_empty() {
                let above = Rc::new(Above { world, inherited });
                open.extend(children.iter().map(|child| (child.value(), above.clone())));
            }
        }
    }
    if document.scene.is_none()
        && let Some(lost) = seen.iter().position(|seen| !seen)
    {
        let name = document.node_name(&document.nodes[lost]);
        return Err(Fault::node(name, "it is below itself; give each node one parent"));
    }
    let elsewhere =
        document.nodes.iter().zip(seen).filter(|(node, seen)| !seen && node.mesh.is_some());
    let elsewhere = elsewhere.map(|(node, _)| document.node_name(node)).collect();
    Ok(PlacedNodes { nodes: placed, elsewhere })
}

/// Which node it is, and its transform to the world.
struct NodePlace<'a> {
    index: usize,
    name: &'a str,
    world: Matrix4<f64>,
}

/// Applies a node's own marks on top of those it inherits.
fn inherit<'a>(
    inherited: &mut Inherited,
    node: &json::Node,
    place: NodePlace<'a>,
    globs: &mut Globs,
) -> Result<PlacedNode<'a>, Fault> {
    let NodePlace { index, name, world } = place;
    let nav = Nav::read(&node.extras);
    let body = PhysicsBody::read(node).map_err(|fault| fault.of_node(name))?;
    let (glob, two_sided) = globs.look_up(name);
    inherited.two_sided |= two_sided || nav.two_sided;
    inherited.left_out = inherited.left_out.or(Role::of(name).0.left_out());
    inherited.motion = body.motion.or(inherited.motion);
    let marked_itself = glob.is_some() || nav.mark.is_some();
    if let Some((mark, glob)) = glob {
        inherited.by_glob = mark_of(mark).map(|mark| (mark, glob.into()));
    }
    if nav.mark.is_some() {
        inherited.by_extras = nav.mark.clone();
    }
    let inherited = inherited.clone();
    let world = world.fixed_view::<3, 4>(0, 0).into_owned();
    let nav = (nav != Nav::default()).then(|| Box::new(nav));
    Ok(PlacedNode { index, name, world, inherited, nav, body, marked_itself })
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
fn local(node: &json::Node) -> Result<Matrix4<f64>, String> {
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

fn check_finite(world: &Matrix4<f64>, name: &str) -> Result<(), Fault> {
    let affine = world.fixed_view::<3, 4>(0, 0);
    if affine.iter().all(|value| value.abs() < f64::from(f32::MAX)) {
        return Ok(());
    }
    Err(Fault::node(name, "its transform is not finite; reset the transform and export again"))
}
