//! Link markers: nodes that name another node, or pairs that share an id.

use std::collections::BTreeMap;

use nalgebra::{Point3, Vector3};

use super::extras::{LinkOther, LinkSpec, Mark};
use super::loader::Loader;
use super::nodes::PlacedNode;
use crate::scene::LinkMarker;
use surefoot::grid::{LinkId, LinkKind, LinkStop};

/// One end of a pair.
struct PairEnd<'n> {
    name: &'n str,
    place: Point3<f32>,
    /// The local x axis of the node, in the world.
    axis: Vector3<f32>,
    link: &'n LinkSpec,
}

/// Finds the links that nodes mark; what cannot be resolved goes to the report.
pub(super) fn find(loader: &mut Loader<'_>, nodes: &[PlacedNode<'_>]) -> Vec<LinkMarker> {
    let mut by_name: BTreeMap<&str, Vec<&PlacedNode<'_>>> = BTreeMap::new();
    if nodes.iter().any(|node| !node.links().is_empty()) {
        nodes.iter().for_each(|node| by_name.entry(node.base_name).or_default().push(node));
    }
    let mut found = Vec::new();
    let mut pairs: BTreeMap<&str, Vec<PairEnd<'_>>> = BTreeMap::new();
    for node in nodes {
        let ignored = matches!(
            node.inherited
                .by_glob
                .as_ref()
                .map(|(mark, _)| mark)
                .or(node.inherited.by_extras.as_ref()),
            Some(Mark::Ignore)
        );
        for (number, link) in node.links().iter().enumerate() {
            let end = PairEnd { name: node.name, place: node.place(), axis: node.axis(), link };
            if ignored {
                loader.skip(node.name, "its link: the node is marked to be ignored".to_owned());
                continue;
            }
            match &link.other {
                LinkOther::Pair(id) => pairs.entry(id).or_default().push(end),
                LinkOther::To(name) => {
                    if let Some(to) = target(loader, &by_name, [node.name, name]) {
                        let joined = join(&end, to);
                        warn_of_drop(loader, &joined, &[end]);
                        found.push(joined);
                    }
                }
                LinkOther::Stops(names) => {
                    let moving = LinkId::of(&format!("{} {number} moving", node.name));
                    for (stop, name) in (0..).zip(names) {
                        let Some(to) = target(loader, &by_name, [node.name, name]) else {
                            continue;
                        };
                        let stop = Some(LinkStop { moving, number: stop });
                        found.push(LinkMarker { stop, ..join(&end, to) });
                    }
                }
            }
        }
    }
    for (id, ends) in pairs {
        match ends.as_slice() {
            [a, b] => {
                let joined = join_pair(a, b);
                warn_of_drop(loader, &joined, &ends);
                found.push(joined);
            }
            _ => {
                let count = ends.len();
                let message = format!("the link pair {id:?} has {count} ends; it needs 2");
                ends.iter().for_each(|end| loader.warn(end.name, message.clone()));
            }
        }
    }
    found
}

impl PlacedNode<'_> {
    fn links(&self) -> &[LinkSpec] {
        self.nav.as_ref().map(|nav| nav.links.as_slice()).unwrap_or_default()
    }

    fn place(&self) -> Point3<f32> {
        Point3::from(self.world.column(3).into_owned().cast::<f32>())
    }

    fn axis(&self) -> Vector3<f32> {
        self.world.column(0).into_owned().cast::<f32>()
    }
}

/// Returns where the node of a name is that the link of another leads to; warns if there is not exactly
/// one.
fn target(
    loader: &mut Loader<'_>,
    by_name: &BTreeMap<&str, Vec<&PlacedNode<'_>>>,
    [from, name]: [&str; 2],
) -> Option<Point3<f32>> {
    let warning = match by_name.get(name).map(Vec::as_slice) {
        Some([target]) => return Some(target.place()),
        Some(several) => ambiguous(name, several.len()),
        None => format!("its link leads to {name:?}, but no node has that name"),
    };
    loader.warn(from, warning);
    None
}

fn ambiguous(name: &str, count: usize) -> String {
    format!("its link leads to {name:?}, but {count} nodes have that name; rename all but one")
}

/// Tells the ends of a drop what cannot be meant.
fn warn_of_drop(loader: &mut Loader<'_>, link: &LinkMarker, ends: &[PairEnd<'_>]) {
    if link.kind != LinkKind::Drop {
        return;
    }
    if link.to.y > link.from.y {
        loader.warn(&link.name, "its link is a drop, but leads up; turn it round".to_owned());
    }
    for end in ends.iter().filter(|end| end.link.one_way == Some(false)) {
        let message = "its link is a drop, which nobody can take back; \"one_way\": false has no \
                       effect, use another kind";
        loader.warn(end.name, message.to_owned());
    }
}

fn join(from: &PairEnd<'_>, to: Point3<f32>) -> LinkMarker {
    LinkMarker {
        name: from.name.to_owned(),
        from: from.place,
        to,
        two_way: from.link.one_way != Some(true) && from.link.kind != LinkKind::Drop,
        cost: from.link.cost,
        kind: from.link.kind,
        capacity: from.link.capacity,
        user_data: from.link.user_data.clone(),
        ..LinkMarker::default()
    }
    .wide_along(from.link.width.unwrap_or(0.0), from.axis)
}

/// Joins a pair: a drop from its higher end, others from the end that says it is one-way, else in
/// the order of names and places.
fn join_pair<'e>(a: &'e PairEnd<'e>, b: &'e PairEnd<'e>) -> LinkMarker {
    let is_drop = [a, b].iter().any(|end| end.link.kind == LinkKind::Drop);
    let depth = |end: &PairEnd<'_>| if is_drop { -end.place.y } else { 0.0 };
    // Points have no order of their own. Whatever both ends say comes last, for two at one place.
    let key = |end: &PairEnd<'_>| {
        let LinkSpec { kind, cost, width, capacity, ref user_data, .. } = *end.link;
        let place: [f32; 3] = end.place.into();
        let said = (kind, cost, width, capacity, user_data.clone());
        (depth(end), end.link.one_way != Some(true), end.name.to_owned(), place, said)
    };
    let ordered = key(a).partial_cmp(&key(b)) != Some(std::cmp::Ordering::Greater);
    let (from, to) = if ordered { (a, b) } else { (b, a) };
    let mut joined = join(from, to.place);
    joined.cost = joined.cost.or(to.link.cost);
    joined.capacity = joined.capacity.or(to.link.capacity);
    let width = from.link.width.or(to.link.width).unwrap_or(0.0);
    joined = joined.wide_along(width, from.axis);
    if joined.user_data.is_empty() {
        joined.user_data.clone_from(&to.link.user_data);
    }
    if joined.kind == LinkKind::Authored {
        joined.kind = to.link.kind;
    }
    joined.two_way &= joined.kind != LinkKind::Drop;
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_of_a_pair_does_not_depend_on_which_end_comes_first() {
        let link = |cost| LinkSpec {
            other: LinkOther::Pair("a".to_owned()),
            kind: LinkKind::Jump,
            cost,
            one_way: None,
            width: Some(0.5),
            capacity: None,
            user_data: String::new(),
        };
        let (low, high) = (link(Some(1.0)), link(Some(2.0)));
        let end = |place: [f32; 3], link| PairEnd {
            name: "end",
            place: place.into(),
            axis: Vector3::x(),
            link,
        };
        // Neither place is less than the other along all axes; then both are the same.
        for (one, other) in [
            (end([-1.0, 5.0, 2.0], &low), end([0.0, 1.0, 3.0], &high)),
            (end([0.0; 3], &low), end([0.0; 3], &high)),
        ] {
            assert_eq!(join_pair(&one, &other), join_pair(&other, &one));
        }
    }
}
