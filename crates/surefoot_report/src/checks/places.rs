//! Provides [`PlaceTable`]: the named places of a file, and those that its checks mean.

use std::collections::{BTreeMap, BTreeSet};

use globset::{GlobBuilder, GlobMatcher};

use super::error::{CheckError, SpecPath};
use super::input::{CheckInput, NodePoint};
use super::limits::at_least_0;
use super::place_spec::PlaceSpec;
use super::spec::CheckFile;
use crate::place::Place;

/// A place that a check is about.
#[derive(Clone, Debug)]
pub(super) struct CheckPlace {
    /// Tells named places apart; `None` for one that a check spells out.
    pub id: Option<usize>,
    pub name: String,
    pub kind: PlaceKind,
    /// How far it may be moved to where the agent can stand [m]; `None` leaves it to the query.
    pub within: Option<f32>,
    /// Where in the file it is described.
    pub at: SpecPath,
}

/// What a place is.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlaceKind {
    /// Coordinates.
    Point(Place),
    /// The origin of a node [m]: the ground under it is meant.
    Node([f32; 3]),
}

/// The named places.
pub(super) struct PlaceTable {
    named: BTreeMap<String, Vec<CheckPlace>>,
}

impl PlaceTable {
    /// Looks up all nodes that are places.
    pub fn new(file: &CheckFile, input: &CheckInput) -> Result<Self, CheckError> {
        let scene = SceneNames::new(input);
        let (mut named, mut next) = (BTreeMap::new(), 0..);
        for (name, spec) in &file.places {
            let at = SpecPath::of("places").key(name);
            if name.trim().is_empty() {
                return Err(at.error("a place has no name; give it one"));
            }
            let mut places = scene.members(spec, &at)?;
            give_names(&mut places, name);
            places.iter_mut().zip(&mut next).for_each(|(place, id)| place.id = Some(id));
            named.insert(name.clone(), places);
        }
        Ok(PlaceTable { named })
    }

    /// The places that a check means, each once.
    pub fn look_up(&self, spec: &PlaceSpec, at: &SpecPath) -> Result<Vec<CheckPlace>, CheckError> {
        let mut places = self.all(spec, at)?;
        let mut seen = BTreeSet::new();
        places.retain(|place| place.id.is_none_or(|id| seen.insert(id)));
        Ok(places)
    }

    fn all(&self, spec: &PlaceSpec, at: &SpecPath) -> Result<Vec<CheckPlace>, CheckError> {
        match spec {
            PlaceSpec::Point(numbers) => {
                let kind = PlaceKind::Point(point(numbers, at)?);
                let (name, at) = (spec.label(), at.clone());
                Ok(vec![CheckPlace { id: None, name, kind, within: None, at }])
            }
            PlaceSpec::Name(name) => self.named(name, at),
            PlaceSpec::Several(specs) => each(specs, at, |spec, at| self.all(spec, at)),
            PlaceSpec::Within { at: spec, within } => {
                within_of(self.all(spec, &at.key("at"))?, *within, at)
            }
        }
    }

    fn named(&self, name: &str, at: &SpecPath) -> Result<Vec<CheckPlace>, CheckError> {
        if let Some(places) = self.named.get(name) {
            return Ok(places.clone());
        }
        let names = || self.named.keys().map(String::as_str);
        let matcher = glob_of(name, at)?;
        let matching = self.named.iter().filter(|(known, _)| {
            matcher.as_ref().is_some_and(|matcher| matcher.is_match(known.as_str()))
        });
        let places: Vec<CheckPlace> = matching.flat_map(|(_, places)| places.clone()).collect();
        if !places.is_empty() {
            return Ok(places);
        }
        let problem = match matcher {
            Some(_) => format!("the glob \"{name}\" matches no place"),
            None => format!("no place \"{name}\""),
        };
        Err(at.error(match self.named.is_empty() {
            true => format!("{problem}; the file names none: add them under [places]"),
            false => format!("{problem}; there are: {}", listed(names(), name)),
        }))
    }
}

/// The nodes of a scene by name.
struct SceneNames<'a> {
    input: &'a CheckInput<'a>,
    by_name: BTreeMap<&'a str, Vec<&'a NodePoint>>,
}

impl<'a> SceneNames<'a> {
    fn new(input: &'a CheckInput) -> Self {
        let mut by_name: BTreeMap<&str, Vec<&NodePoint>> = BTreeMap::new();
        for node in input.nodes.unwrap_or_default() {
            by_name.entry(&node.name).or_default().push(node);
        }
        SceneNames { input, by_name }
    }

    /// The places that a named place stands for, by the names of their nodes; other places have none.
    fn members(&self, spec: &PlaceSpec, at: &SpecPath) -> Result<Vec<CheckPlace>, CheckError> {
        match spec {
            PlaceSpec::Point(numbers) => {
                let (kind, at) = (PlaceKind::Point(point(numbers, at)?), at.clone());
                Ok(vec![CheckPlace { id: None, name: String::new(), kind, within: None, at }])
            }
            PlaceSpec::Name(name) => self.nodes(name, at),
            PlaceSpec::Several(specs) => each(specs, at, |spec, at| self.members(spec, at)),
            PlaceSpec::Within { at: spec, within } => {
                within_of(self.members(spec, &at.key("at"))?, *within, at)
            }
        }
    }

    fn nodes(&self, name: &str, at: &SpecPath) -> Result<Vec<CheckPlace>, CheckError> {
        if self.input.nodes.is_none() {
            return Err(at.error(self.no_scene(name)));
        }
        let matcher = glob_of(name, at)?;
        let exact = self.by_name.get(name).cloned().unwrap_or_default();
        let found = match &matcher {
            Some(matcher) if exact.is_empty() => {
                let matching = self.by_name.iter().filter(|(known, _)| matcher.is_match(*known));
                matching.flat_map(|(_, nodes)| nodes.iter().copied()).collect()
            }
            _ => exact,
        };
        if found.is_empty() {
            let problem = match matcher {
                Some(_) => format!("the glob \"{name}\" matches no node of the scene"),
                None => format!("no node \"{name}\" in the scene"),
            };
            let known = listed(self.by_name.keys().copied(), name);
            return Err(at.error(format!("{problem}; there are: {known}")));
        }
        let place = |node: &NodePoint| CheckPlace {
            id: None,
            name: node.name.clone(),
            kind: PlaceKind::Node(node.point),
            within: None,
            at: at.clone(),
        };
        Ok(found.into_iter().map(place).collect())
    }

    fn no_scene(&self, name: &str) -> String {
        let is_of_grid = self.input.grid.nodes().iter().any(|node| node == name);
        let known = match is_of_grid {
            true => "the grid knows that node, but not where it is",
            false => "places with a name are nodes of the scene, and none is given",
        };
        format!("\"{name}\": {known}; add scene = \"level.glb\" at the top of the file, or --scene")
    }
}

/// The places of each of several specs.
fn each(
    specs: &[PlaceSpec],
    at: &SpecPath,
    places: impl Fn(&PlaceSpec, &SpecPath) -> Result<Vec<CheckPlace>, CheckError>,
) -> Result<Vec<CheckPlace>, CheckError> {
    let mut all = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        all.extend(places(spec, &at.index(index))?);
    }
    Ok(all)
}

/// Places that may be moved by some metres.
fn within_of(
    mut places: Vec<CheckPlace>,
    within: f64,
    at: &SpecPath,
) -> Result<Vec<CheckPlace>, CheckError> {
    at_least_0(within, &at.key("within"))?;
    places.iter_mut().for_each(|place| place.within = Some(within as f32));
    Ok(places)
}

/// Names the places that one name stands for: by it if there is one, else by their nodes or numbers.
fn give_names(places: &mut [CheckPlace], name: &str) {
    if let [place] = places {
        place.name = name.to_owned();
        return;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for place in places.iter_mut() {
        if place.name.is_empty() {
            place.name = name.to_owned();
        }
        *counts.entry(place.name.clone()).or_default() += 1;
    }
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for place in places {
        let number = numbers.entry(place.name.clone()).or_default();
        *number += 1;
        if counts[&place.name] > 1 {
            place.name = format!("{} #{number}", place.name);
        }
    }
}

/// Coordinates that a grid can have.
fn point(numbers: &[f64], at: &SpecPath) -> Result<Place, CheckError> {
    for number in numbers {
        if !(*number as f32).is_finite() {
            return Err(at.error(format!("{number} is no coordinate; give a number of metres")));
        }
    }
    let numbers: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
    Place::new(&numbers).map_err(|problem| at.error(problem))
}

/// A name as a glob; `None` for a plain one.
pub(super) fn glob_of(name: &str, at: &SpecPath) -> Result<Option<GlobMatcher>, CheckError> {
    if !name.contains(['*', '?', '[', '{']) {
        return Ok(None);
    }
    let glob = GlobBuilder::new(name).literal_separator(false).backslash_escape(true).build();
    let glob = glob.map_err(|error| {
        at.error(format!("\"{name}\": not a glob ({}); write [[] for a plain [", error.kind()))
    })?;
    Ok(Some(glob.compile_matcher()))
}

/// At most so many names are listed.
const MOST_LISTED: usize = 8;

/// Names there are: those that begin like one that was asked for come first.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>, asked: &str) -> String {
    let common = |name: &str| {
        let pairs = name.chars().zip(asked.chars());
        pairs.take_while(|(a, b)| a.to_lowercase().eq(b.to_lowercase())).count()
    };
    let mut names: Vec<&str> = names.collect();
    names.sort_by_cached_key(|name| (std::cmp::Reverse(common(name)), name.to_string()));
    let more = names.len().saturating_sub(MOST_LISTED);
    names.truncate(MOST_LISTED);
    let mut text = names.join(", ");
    match more {
        0 if names.is_empty() => text += "none",
        0 => {}
        more => text += &format!(" and {more} more"),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::NavGrid;

    fn nodes() -> Vec<NodePoint> {
        let node = |(at, name): (usize, &str)| NodePoint {
            name: name.to_owned(),
            point: [at as f32, 0.0, 0.0],
        };
        ["Well", "spawn_1", "spawn_2", "twin", "twin"].into_iter().enumerate().map(node).collect()
    }

    /// The names of the places that a check means.
    fn names(file: &str, spec: &str) -> Result<Vec<String>, String> {
        let grid = NavGrid::from_map("type octile\nheight 1\nwidth 1\nmap\n.\n", 1.0, &[]).unwrap();
        let nodes = nodes();
        let input = CheckInput { grid: &grid, hash: "", nodes: Some(&nodes) };
        let file: CheckFile = serde_json::from_str(file).unwrap();
        let spec: PlaceSpec = serde_json::from_str(spec).unwrap();
        let table = PlaceTable::new(&file, &input).map_err(|error| error.to_string())?;
        let places = table.look_up(&spec, &SpecPath::of("from"));
        let places = places.map_err(|error| error.to_string())?;
        Ok(places.into_iter().map(|place| place.name).collect())
    }

    const FILE: &str = r#"{"places": {"gate": [1, 2], "well": "Well", "spawns": "spawn_*",
        "twins": "twin", "posts": [[1, 2], [3, 4]], "near": {"at": "Well", "within": 2}}}"#;

    #[test]
    fn names_and_globs_mean_places() {
        let check = |spec: &str, expected: &[&str]| {
            assert_eq!(names(FILE, spec).unwrap(), expected, "{spec}");
        };
        check("\"gate\"", &["gate"]);
        check("\"well\"", &["well"]);
        check("\"spawns\"", &["spawn_1", "spawn_2"]);
        check("\"twins\"", &["twin #1", "twin #2"]);
        check("\"posts\"", &["posts #1", "posts #2"]);
        check("\"[gw]*\"", &["gate", "well"]);
        check("[\"spawns\", \"spawn*\", \"gate\"]", &["spawn_1", "spawn_2", "gate"]);
        check("[7, 0.5, 9]", &["7,0.5,9"]);
        check("{\"at\": \"near\", \"within\": 1}", &["near"]);
    }

    #[test]
    fn errors_say_where_and_what_there_is() {
        let check = |file: &str, spec: &str, words: &str| {
            assert_eq!(names(file, spec).unwrap_err(), words);
        };
        let there = "there are: well, gate, near, posts, spawns, twins";
        check(FILE, "\"wellx\"", &format!("from: no place \"wellx\"; {there}"));
        check(
            FILE,
            "\"x*\"",
            "from: the glob \"x*\" matches no place; there are: gate, near, posts, \
            spawns, twins, well",
        );
        check(
            FILE,
            "[\"gate\", \"x\"]",
            "from[1]: no place \"x\"; there are: gate, near, posts, spawns, \
            twins, well",
        );
        check("{}", "\"a\"", "from: no place \"a\"; the file names none: add them under [places]");
        check(
            FILE,
            "\"[\"",
            "from: \"[\": not a glob (unclosed character class; missing ']'); write [[] \
            for a plain [",
        );
        let place = |spec: &str| format!("{{\"places\": {{\"a\": {spec}}}}}");
        check(
            &place("\"Wel\""),
            "\"a\"",
            "places.a: no node \"Wel\" in the scene; there are: Well, \
            spawn_1, spawn_2, twin",
        );
        check(
            &place("\"x*\""),
            "\"a\"",
            "places.a: the glob \"x*\" matches no node of the scene; there \
            are: Well, spawn_1, spawn_2, twin",
        );
        check(
            &place("[1e300, 2]"),
            "\"a\"",
            &format!(
                "places.a: 1{} is no coordinate; give a number of \
            metres",
                "0".repeat(300)
            ),
        );
        check(
            &place("{\"at\": \"Well\", \"within\": -1}"),
            "\"a\"",
            "places.a.within: this is -1; it must be a number of at least 0",
        );
        check(
            "{\"places\": {\" \": [1, 2]}}",
            "\"a\"",
            "places. : a place has no name; give it one",
        );
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        let names: Vec<String> = (0..20).map(|n| format!("n{n:02}")).collect();
        let text = listed(names.iter().map(String::as_str), "n1");
        assert_eq!(text, "n10, n11, n12, n13, n14, n15, n16, n17 and 12 more");
        assert_eq!(listed([].into_iter(), "a"), "none");
    }
}
