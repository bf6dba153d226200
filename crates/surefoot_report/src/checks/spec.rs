//! Provides [`CheckFile`]: a file of checks, as it is written.

use std::collections::BTreeMap;
use std::fmt::Formatter;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use surefoot::grid::LinkKind;
use surefoot::view::LinkFilter;

use super::place_spec::PlaceSpec;

/// A file of checks: places, and promises about a level. Lengths are in metres.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckFile {
    /// The glTF file whose nodes may be places. Who evaluates the checks reads it.
    pub scene: Option<String>,
    /// The agents that checks are for, unless a check names its own; all of the grid if left out.
    pub agents: Option<Vec<String>>,
    /// What paths cost in addition for a metre of rise [metres-equivalent, >= 0]; that of
    /// [`HeightCost::default`](surefoot::HeightCost) if left out.
    pub ascend_cost: Option<f64>,
    /// What paths cost in addition for a metre of fall [metres-equivalent, >= 0].
    pub descend_cost: Option<f64>,
    /// Places by name.
    pub places: BTreeMap<String, PlaceSpec>,
    /// Whether paths exist, and what they are like.
    pub path: Vec<PathPromise>,
    /// Whether every place of some reaches every one of others.
    pub reach: Vec<ReachPromise>,
    /// Whether an agent can stand at places.
    pub walkable: Vec<WalkablePromise>,
    /// How much ground there is.
    pub area: Vec<AreaPromise>,
    /// What the grid as a whole is.
    pub grid: Option<GridPromise>,
}

/// A promise about the cheapest path from one place to another.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathPromise {
    /// What reports call it; made of the places if left out.
    pub name: Option<String>,
    /// The agents it is for; those of the file if left out.
    pub agents: Option<Vec<String>>,
    /// Where paths begin: from each of these places one leads to each of the others.
    pub from: PlaceSpec,
    /// Where they end.
    pub to: PlaceSpec,
    /// Whether there is to be a path, or none.
    #[serde(default = "yes")]
    pub exists: bool,
    /// Which links it may take.
    #[serde(default)]
    pub links: AllowedLinks,
    /// The greatest length [m].
    pub max_length: Option<f64>,
    /// The least length [m].
    pub min_length: Option<f64>,
    /// The greatest cost [metres-equivalent].
    pub max_cost: Option<f64>,
    /// The greatest sum of all rise [m].
    pub max_climb: Option<f64>,
    /// The greatest sum of all fall [m].
    pub max_descent: Option<f64>,
    /// How far the agent can stay away from where it may not stand all along the path [m], if it goes
    /// aside a little: half of what the passages on it are wider than its body. What is nearer to an end
    /// than twice this does not count.
    pub min_clearance: Option<f64>,
    /// In place of that of the file.
    pub ascend_cost: Option<f64>,
    /// In place of that of the file.
    pub descend_cost: Option<f64>,
}

/// A promise that every place of some reaches every one of others, or that none does.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachPromise {
    /// What reports call it; made of the places if left out.
    pub name: Option<String>,
    /// The agents it is for; those of the file if left out.
    pub agents: Option<Vec<String>>,
    /// The places to start from. A place need not reach itself.
    pub from: PlaceSpec,
    /// The places to reach.
    pub to: PlaceSpec,
    /// Whether all pairs are to be connected, or none.
    #[serde(default = "yes")]
    pub exists: bool,
    /// Which links may be taken.
    #[serde(default)]
    pub links: AllowedLinks,
}

/// A promise that an agent can stand at places, or cannot.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkablePromise {
    /// What reports call it; made of the places if left out.
    pub name: Option<String>,
    /// The agents it is for; those of the file if left out.
    pub agents: Option<Vec<String>>,
    /// The places.
    pub at: PlaceSpec,
    /// Whether the agent can stand there; yes if left out, unless a verdict or node says otherwise.
    pub is: Option<bool>,
    /// Why it cannot: the name of a verdict, or `no_floor`.
    pub verdict: Option<String>,
    /// What is in the way: the name of a node, or a glob.
    pub node: Option<String>,
}

/// A promise about how much ground an agent can stand on, seen from above.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaPromise {
    /// What reports call it; made of area and node if left out.
    pub name: Option<String>,
    /// The agents it is for; those of the file if left out.
    pub agents: Option<Vec<String>>,
    /// The area that counts; all if left out.
    pub area: Option<String>,
    /// The nodes whose ground counts: a name or a glob; all if left out.
    pub node: Option<String>,
    /// The least ground [m²].
    pub min_m2: Option<f64>,
    /// The most ground [m²].
    pub max_m2: Option<f64>,
}

/// A promise about the grid as a whole.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridPromise {
    /// The hash of its file.
    pub hash: String,
}

/// Which links may be taken: `true` for all, `false` for none, or a list of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllowedLinks(pub LinkFilter);

fn yes() -> bool {
    true
}

impl<'de> Deserialize<'de> for AllowedLinks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct BoolOrKinds;
        impl<'de> Visitor<'de> for BoolOrKinds {
            type Value = AllowedLinks;

            fn expecting(&self, to: &mut Formatter) -> std::fmt::Result {
                to.write_str("true, false or a list of kinds of links, such as [\"door\"]")
            }

            fn visit_bool<E: Error>(self, all: bool) -> Result<AllowedLinks, E> {
                let kinds = if all { &LinkKind::ALL[..] } else { &[] };
                Ok(AllowedLinks(LinkFilter::only(kinds)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<AllowedLinks, A::Error> {
                let mut kinds: Vec<LinkKind> = Vec::new();
                while let Some(kind) = list.next_element()? {
                    kinds.push(kind);
                }
                Ok(AllowedLinks(LinkFilter::only(&kinds)))
            }
        }
        from.deserialize_any(BoolOrKinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_all_none_or_some_kinds() {
        let read = |json: &str| serde_json::from_str::<AllowedLinks>(json).map(|links| links.0);
        assert_eq!(read("true").unwrap(), LinkFilter::ALL);
        assert_eq!(read("false").unwrap(), LinkFilter::only(&[]));
        assert_eq!(read("[\"door\"]").unwrap(), LinkFilter::only(&[LinkKind::Door]));
        assert!(read("[\"teleport\"]").unwrap_err().to_string().contains("unknown variant"));
        assert!(read("1").unwrap_err().to_string().contains("true, false or a list of kinds"));
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let file = r#"{"path": [{"from": "a", "to": [1, 2]}]}"#;
        let file: CheckFile = serde_json::from_str(file).unwrap();
        let path = &file.path[0];
        assert!(path.exists && path.links.0.is_all() && path.max_length.is_none());
        let unknown = serde_json::from_str::<CheckFile>(r#"{"paths": []}"#).unwrap_err();
        assert!(unknown.to_string().contains("unknown field `paths`, expected one of"));
    }
}
