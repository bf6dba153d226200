//! Provides [`MarkGroup`]: marked nodes of a scene whose names differ by a number only.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_bake::scene::NamedNode;
use surefoot_report::checks::PlaceSpec;

use super::toml_text::{list, quoted};

/// Nodes such as `spawn_01` and `spawn_02`, under one name.
pub struct MarkGroup {
    /// The name of the place that they become.
    pub place: String,
    pub role: Role,
    pub spec: PlaceSpec,
}

/// What marked nodes are for, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Where someone starts.
    Spawn,
    /// What someone wants.
    Goal,
    Other,
}

const SPAWN_WORDS: [&str; 2] = ["spawn", "start"];
const GOAL_WORDS: [&str; 10] =
    ["pickup", "item", "loot", "goal", "flag", "chest", "coin", "objective", "exit", "checkpoint"];

impl Role {
    fn of(name: &str) -> Self {
        let name = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        match () {
            () if has(&SPAWN_WORDS) => Role::Spawn,
            () if has(&GOAL_WORDS) => Role::Goal,
            () => Role::Other,
        }
    }
}

impl MarkGroup {
    /// The marked nodes of a scene: those that are nothing but a mark, and those whose names say that
    /// someone starts there or wants them.
    pub fn all(nodes: &[NamedNode]) -> Vec<MarkGroup> {
        let is_marked = |node: &&NamedNode| node.is_empty || Role::of(&node.name) != Role::Other;
        let mut stems: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for node in nodes.iter().filter(is_marked) {
            stems.entry(stem(&node.name)).or_default().insert(&node.name);
        }
        let mut taken = BTreeSet::new();
        let mut groups = Vec::new();
        for (stem, names) in stems {
            let only = names.first().filter(|_| names.len() == 1);
            let mut place = place_name(only.unwrap_or(&stem));
            for number in 2.. {
                if taken.insert(place.clone()) {
                    break;
                }
                place = format!("{}_{number}", place_name(only.unwrap_or(&stem)));
            }
            let spec = spec(&names, nodes);
            groups.push(MarkGroup { place, role: Role::of(stem), spec });
        }
        groups
    }

    /// The place in TOML.
    pub fn toml(&self) -> String {
        match &self.spec {
            PlaceSpec::Several(names) => list(names.iter().filter_map(|name| match name {
                PlaceSpec::Name(name) => Some(name.as_str()),
                _ => None,
            })),
            PlaceSpec::Name(name) => quoted(name),
            _ => String::new(),
        }
    }
}

/// A name without the number at its end; all of it if it is nothing else.
fn stem(name: &str) -> &str {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || "_.-# ()".contains(c));
    if stem.is_empty() { name } else { stem }
}

/// A name that needs no quotation marks in TOML.
fn place_name(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().map(letter).collect();
    let name = name.trim_matches('_');
    if name.is_empty() { "place".to_owned() } else { name.to_owned() }
}

/// A name or a glob for exactly these nodes, or a list of their names.
fn spec(names: &BTreeSet<&str>, nodes: &[NamedNode]) -> PlaceSpec {
    const IN_GLOBS: [char; 6] = ['*', '?', '[', ']', '{', '\\'];
    let name = |name: &&str| PlaceSpec::Name((*name).to_owned());
    let beginning = common_beginning(names);
    let mut alike = nodes.iter().filter(|node| node.name.starts_with(beginning));
    let is_glob = !beginning.is_empty()
        && !beginning.contains(IN_GLOBS)
        && alike.all(|node| names.contains(node.name.as_str()));
    match names.first() {
        Some(only) if names.len() == 1 => name(only),
        _ if is_glob => PlaceSpec::Name(format!("{beginning}*")),
        _ => PlaceSpec::Several(names.iter().map(name).collect()),
    }
}

/// What all names begin with, without the first digits of their numbers.
fn common_beginning<'a>(names: &BTreeSet<&'a str>) -> &'a str {
    // What the first and the last in order have in common, all have.
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return "" };
    let pairs = first.char_indices().zip(last.chars());
    let end = pairs.take_while(|((_, a), b)| a == b).last();
    let end = end.map_or(0, |((at, letter), _)| at + letter.len_utf8());
    first[..end].trim_end_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Point3;

    fn groups(names: &[&str]) -> Vec<(String, Role, String)> {
        let node = |name: &&str| NamedNode {
            name: (*name).to_owned(),
            point: Point3::origin(),
            is_empty: !name.starts_with("House"),
        };
        let nodes: Vec<NamedNode> = names.iter().map(node).collect();
        let groups = MarkGroup::all(&nodes).into_iter();
        groups.map(|group| (group.place.clone(), group.role, group.toml())).collect()
    }

    #[test]
    fn nodes_that_differ_by_a_number_are_one_place() {
        let found = groups(&["Spawn.001", "Spawn", "Coin (1)", "Coin (2)", "gate", "House01", "7"]);
        let expected = [
            ("7", Role::Other, "\"7\""),
            ("coin", Role::Goal, "\"Coin (*\""),
            ("spawn", Role::Spawn, "\"Spawn*\""),
            ("gate", Role::Other, "\"gate\""),
        ];
        assert_eq!(
            found,
            expected.map(|(place, role, toml)| (place.to_owned(), role, toml.to_owned()))
        );
    }

    #[test]
    fn a_glob_must_not_catch_others() {
        let found = groups(&["item_1", "item_2", "item_shop"]);
        assert_eq!(found[0].2, "[\"item_1\", \"item_2\"]");
        assert_eq!(found[1].2, "\"item_shop\"");
        let found = groups(&["a[1", "a[2", "a b 1", "a-b"]);
        let places: Vec<&str> = found.iter().map(|(place, ..)| place.as_str()).collect();
        assert_eq!(places, ["a_b_1", "a_b", "a"]);
        assert_eq!(found[2].2, "[\"a[1\", \"a[2\"]");
    }
}
