//! What becomes of each node: which meshes and shapes are solid, with which mark, and why the
//! others are not.
//!
//! In order of strength: globs, extras of the node (its own, else of the nearest above it), of the
//! mesh, of the material; names; physics extensions.

use std::collections::{BTreeMap, BTreeSet};

use gltf::json;

use surefoot::observer::check_cancelled;

use super::extras::Mark;
use super::fault::Fault;
use super::forms::ColliderForm;
use super::loader::Loader;
use super::names::{Role, stands_for};
use super::nodes::PlacedNode;
use super::physics::Motion;
use super::shapes;
use super::transform::Transform;
use super::volume_spec::VolumeSpec;

/// Something solid in the world.
#[derive(Debug)]
pub(super) struct SolidUse<'n> {
    pub node: &'n PlacedNode<'n>,
    pub form: ColliderForm,
    /// For all of its surface; `None` leaves it to the materials.
    pub mark: Option<Mark>,
    pub two_sided: bool,
}

/// What stand-ins can stand for, by the names of the nodes.
struct StandInNames<'n> {
    /// Of nodes with a mesh.
    meshes: BTreeSet<&'n str>,
    /// Of nodes with a mark.
    marks: BTreeMap<&'n str, Mark>,
}

/// What the nodes of a file say about each other.
struct SceneFacts<'n> {
    names: StandInNames<'n>,
    /// StandInNames of what meshes in use stand for: `X` where there is `X-colonly` or `UCX_X_00`.
    replaced: BTreeSet<&'n str>,
    /// Static bodies have physics shapes, used or not.
    static_bodies: bool,
    /// Such shapes are used: those are the collision, and visual meshes are not.
    physics: bool,
}

/// What becomes of a node's collider.
enum Collider {
    None,
    Used(ColliderForm),
    /// Left out, as a mesh of the node would be.
    Left(String),
    /// Solid by its author's will, but cannot be used.
    Useless(String),
}

/// The observer is asked once for so many nodes.
const NODES_PER_LOOK: usize = 1024;

/// Finds everything solid; the report lists the rest.
pub(super) fn find<'n>(
    loader: &mut Loader<'_>,
    nodes: &'n [PlacedNode<'n>],
) -> Result<Vec<SolidUse<'n>>, Fault> {
    let facts = SceneFacts::of(loader, nodes)?;
    let mut uses = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if at.is_multiple_of(NODES_PER_LOOK) {
            check_cancelled(loader.observer)?;
        }
        let described = loader.document.node(node.index)?;
        let mark = effective_mark(loader, node, &facts.names);
        let collider = collider(loader, node, &mark)?;
        match &collider {
            Collider::None => {}
            Collider::Used(form) => uses.push(node.used_as(*form, &mark)),
            Collider::Left(why) | Collider::Useless(why) => loader.skip(node.name, why.clone()),
        }
        let Some(mesh) = described.mesh.map(|mesh| mesh.value()) else { continue };
        loader.document.mesh(mesh).map_err(|fault| fault.of_node(node.name))?;
        match visual(loader, node, &facts, Evidence { mark: &mark, collider: &collider }) {
            Ok(hull) => {
                if matches!(collider, Collider::Useless(_)) {
                    let message = "its physics collider cannot be used; its mesh is, in its place";
                    loader.warn(node.name, message.to_owned());
                }
                refuse_instancing(described).map_err(|fault| fault.of_node(node.name))?;
                let mut used = node.used_as(ColliderForm::Mesh { mesh, hull }, &mark);
                used.two_sided |= loader.mesh_navs[mesh].two_sided;
                uses.push(used);
            }
            Err(reason) => loader.skip(node.name, reason),
        }
    }
    if facts.static_bodies && !facts.physics && !uses.is_empty() {
        let message = "none of its static physics colliders is used; its meshes are the collision";
        loader.warn("", message.to_owned());
    }
    uses.shrink_to_fit();
    loader.check_report()?;
    Ok(uses)
}

impl<'n> StandInNames<'n> {
    fn of(loader: &Loader<'_>, nodes: &'n [PlacedNode<'n>]) -> Self {
        let wanted: BTreeSet<String> = nodes.iter().flat_map(|n| stands_for(n.base_name)).collect();
        let mut names = StandInNames { meshes: BTreeSet::new(), marks: BTreeMap::new() };
        for node in nodes.iter().filter(|node| wanted.contains(node.base_name)) {
            if loader.document.nodes[node.index].mesh.is_some() {
                names.meshes.insert(node.base_name);
            }
            if let Some((mark, _)) = explicit_mark(loader, node) {
                // Of several nodes of one name, the least mark: their order must not matter.
                let known = names.marks.entry(node.base_name).or_insert_with(|| mark.clone());
                *known = mark.min(known.clone());
            }
        }
        names
    }

    /// What a node of a name stands for: of the nodes it can stand for, the likeliest with a mesh,
    /// else the likeliest with a mark.
    fn stood_for(&self, name: &str) -> Option<&'n str> {
        let names = stands_for(name);
        let mesh = names.iter().find_map(|name| self.meshes.get(name.as_str()).copied());
        mesh.or_else(|| {
            names.iter().find_map(|name| Some(*self.marks.get_key_value(name.as_str())?.0))
        })
    }
}

impl<'n> SceneFacts<'n> {
    fn of(loader: &Loader<'_>, nodes: &'n [PlacedNode<'n>]) -> Result<Self, Fault> {
        let names = StandInNames::of(loader, nodes);
        let mut replaced = BTreeSet::new();
        let (mut static_bodies, mut physics) = (false, false);
        for node in nodes {
            if let Some(name) = names.stood_for(node.base_name)
                && is_used_stand_in(loader, node, &names)
            {
                replaced.insert(name);
            }
            let is_body = node.body.collider.is_some() && !node.body.trigger && !node.is_moving();
            static_bodies |= is_body;
            if is_body && !physics {
                let mark = effective_mark(loader, node, &names);
                physics = matches!(collider(loader, node, &mark)?, Collider::Used(_));
            }
        }
        Ok(SceneFacts { names, replaced, static_bodies, physics })
    }
}

impl PlacedNode<'_> {
    fn is_moving(&self) -> bool {
        matches!(self.inherited.motion, Some(Motion::Dynamic | Motion::Kinematic))
    }

    fn used_as(&self, form: ColliderForm, mark: &Option<(Mark, String)>) -> SolidUse<'_> {
        SolidUse {
            node: self,
            form,
            mark: mark.as_ref().map(|(mark, _)| mark.clone()),
            two_sided: self.inherited.two_sided,
        }
    }

    /// Why no part of the node can be solid, regardless of its names and extensions.
    fn out_of_question(&self, mark: &Option<(Mark, String)>) -> Option<String> {
        let is_volume = self.volume().map(|_| "a volume: its own mesh is not solid".to_owned());
        self.left_out(mark).or(is_volume)
    }

    /// The volume that its extras mark.
    pub(super) fn volume(&self) -> Option<&VolumeSpec> {
        self.nav.as_ref()?.volume.as_deref()
    }

    /// Why nothing of the node counts, neither its solids nor its volume.
    fn left_out(&self, mark: &Option<(Mark, String)>) -> Option<String> {
        if let Some((Mark::Ignore, source)) = mark {
            return Some(format!("marked to be ignored by {source}"));
        }
        if self.inherited.animated {
            return Some("animated: it does not stay where it is".to_owned());
        }
        if self.is_moving() {
            return Some("its physics body moves".to_owned());
        }
        if let (Some(reason), None) = (self.inherited.left_out, mark) {
            return Some(reason.to_owned());
        }
        if Transform::new(&self.world).is_none() {
            return Some("scaled to zero; give it a scale or apply it".to_owned());
        }
        None
    }
}

/// Whether a node or its children can be solid, judged by the node alone.
pub(super) fn can_be_solid(loader: &Loader<'_>, node: &PlacedNode<'_>) -> bool {
    node.out_of_question(&explicit_mark(loader, node)).is_none()
}

/// Why the volume of a node does not count, if so.
pub(super) fn why_no_volume(loader: &Loader<'_>, node: &PlacedNode<'_>) -> Option<String> {
    // A volume is a mark itself, and as strong as any.
    let mark = explicit_mark(loader, node).unwrap_or((Mark::Walkable, String::new()));
    node.left_out(&Some(mark))
}

/// The mark of a node or its mesh, and where it comes from.
fn explicit_mark(loader: &Loader<'_>, node: &PlacedNode<'_>) -> Option<(Mark, String)> {
    if let Some((mark, glob)) = &node.inherited.by_glob {
        return Some((mark.clone(), format!("the glob {glob:?}")));
    }
    if let Some(mark) = &node.inherited.by_extras {
        return Some((mark.clone(), "the extras of the node or one above it".to_owned()));
    }
    let mesh = loader.document.nodes[node.index].mesh?.value();
    let mark = loader.mesh_navs.get(mesh)?.mark.clone()?;
    Some((mark, "the extras of its mesh".to_owned()))
}

/// The mark of a node; one that stands for another node takes that one's mark.
fn effective_mark(
    loader: &Loader<'_>,
    node: &PlacedNode<'_>,
    names: &StandInNames<'_>,
) -> Option<(Mark, String)> {
    let own = explicit_mark(loader, node);
    if own.is_some() {
        return own;
    }
    let name = names.stood_for(node.base_name)?;
    Some((names.marks.get(name)?.clone(), format!("the mark of {name:?}, for which it stands")))
}

fn collider(
    loader: &Loader<'_>,
    node: &PlacedNode<'_>,
    mark: &Option<(Mark, String)>,
) -> Result<Collider, Fault> {
    if node.body.trigger {
        return Ok(Collider::Left("a trigger, not solid".to_owned()));
    }
    let Some(geometry) = node.body.collider else { return Ok(Collider::None) };
    if let Some(reason) = node.out_of_question(mark) {
        return Ok(Collider::Left(reason));
    }
    let form = geometry.form(loader.document, &loader.shapes);
    let form = form.map_err(|fault| fault.of_node(node.name))?;
    let usable = form.and_then(|form| check(loader, form, mark.is_some()).map(|()| form));
    Ok(usable.map_or_else(Collider::Useless, Collider::Used))
}

/// Why the form of a collider cannot be used, if so.
fn check(loader: &Loader<'_>, form: ColliderForm, marked: bool) -> Result<(), String> {
    match form {
        ColliderForm::Mesh { mesh, .. } if !loader.has_triangles(mesh, marked) => {
            Err("its collider's mesh has no triangles".to_owned())
        }
        form => shapes::check(&form),
    }
}

/// A mesh that stands in many places at once would be missing in all but one.
fn refuse_instancing(node: &json::Node) -> Result<(), Fault> {
    const NAME: &str = "EXT_mesh_gpu_instancing";
    match &node.extensions {
        Some(extensions) if extensions.others.contains_key(NAME) => Err(Fault::file(format!(
            "its mesh is repeated by {NAME}, which is not supported; export without instancing \
             (gltfpack: without -mi), or mark it to be ignored"
        ))),
        _ => Ok(()),
    }
}

/// Whether the mesh of a node that is named to stand for another is used.
fn is_used_stand_in(loader: &Loader<'_>, node: &PlacedNode<'_>, names: &StandInNames<'_>) -> bool {
    let Some(mesh) = loader.document.nodes[node.index].mesh else { return false };
    let mark = effective_mark(loader, node, names);
    let is_used = matches!(by_itself(loader, node, &mark), Some(Ok(_)));
    is_used && loader.has_triangles(mesh.value(), mark.is_some())
}

/// What was found out about a node.
struct Evidence<'a> {
    /// The mark that holds for it, and where it comes from.
    mark: &'a Option<(Mark, String)>,
    collider: &'a Collider,
}

/// Whether a node's mesh is used as its convex hull, or why it is not used.
fn visual(
    loader: &Loader<'_>,
    node: &PlacedNode<'_>,
    facts: &SceneFacts<'_>,
    evidence: Evidence<'_>,
) -> Result<bool, String> {
    let Evidence { mark, collider } = evidence;
    if let Some(said) = by_itself(loader, node, mark) {
        return said;
    }
    if loader.visual_meshes {
        return Ok(false);
    }
    if facts.replaced.contains(node.base_name) {
        return Err("a mesh named for collision stands for it".to_owned());
    }
    let asked = node.marked_itself || loader.mesh_mark(node.index).is_some();
    match collider {
        Collider::Used(_) => Err("its physics collider stands for it".to_owned()),
        Collider::Left(reason) => Err(reason.clone()),
        Collider::None if facts.physics && !asked => {
            Err("visual only: the file has physics shapes".to_owned())
        }
        _ => Ok(false),
    }
}

/// As [`visual`], by the node's own marks and name; `None` if it depends on other nodes.
fn by_itself(
    loader: &Loader<'_>,
    node: &PlacedNode<'_>,
    mark: &Option<(Mark, String)>,
) -> Option<Result<bool, String>> {
    if let Some(reason) = node.out_of_question(mark) {
        return Some(Err(reason));
    }
    let described = &loader.document.nodes[node.index];
    if described.skin.is_some() {
        return Some(Err("skinned: it moves with its bones".to_owned()));
    }
    match Role::of(node.base_name).0 {
        Role::Solid | Role::SolidOnly => return Some(Ok(false)),
        Role::HullOfVisual | Role::HullOnly => return Some(Ok(true)),
        Role::NavMesh if mark.is_none() => {
            return Some(Err("a navigation mesh, named so: not ground of its own".to_owned()));
        }
        Role::Occluder if mark.is_none() => {
            return Some(Err("an occluder, named so: not solid".to_owned()));
        }
        _ => {}
    }
    let extensions = described.extensions.as_ref()?;
    let hubs = extensions.others.get("MOZ_hubs_components")?.get("nav-mesh");
    (hubs.is_some() && mark.is_none())
        .then(|| Err("a navigation mesh of Hubs: not ground of its own".to_owned()))
}
