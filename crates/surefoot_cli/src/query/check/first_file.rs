//! Provides [`FirstFile`]: a first file of checks for a level, all of which hold on its grid.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use surefoot::NavGrid;
use surefoot_bake::scene::NamedNode;
use surefoot_report::checks::{
    AllowedLinks, CheckFile, CheckInput, CheckResult, NodePoint, PlaceSpec, ReachPromise,
};

use super::marks::{MarkGroup, Role};
use super::toml_text::{comment, key, list, quoted};
use crate::shared::progress::LateProgress;

/// What a first file of checks is made from.
pub struct FirstFile<'a> {
    pub grid: &'a NavGrid,
    pub grid_file: &'a Path,
    pub hash: &'a str,
    pub scene: Option<&'a Path>,
    pub nodes: &'a [NamedNode],
    /// Where it is to be; `None` for stdout.
    pub output: Option<&'a Path>,
}

/// The part of today's ground that is promised to stay.
const SHARE_KEPT: f64 = 0.9;

const EXAMPLES: &str = "\
More that can be promised; see the manual of `surefoot check`:

[places]
gate = [60, 0, 30]                          # x, y, z; or x, z where there is one floor
well = { at = \"Well\", within = 2 }          # a node, or the nearest place where the agent can stand

[[path]]
from = \"gate\"
to = \"well\"
max_length = 120                            # or max_cost, max_climb, max_descent, min_clearance
links = false                               # on foot, without jumps and ladders

[[path]]
from = \"gate\"
to = \"well\"
agents = [\"large\"]
exists = false

[[walkable]]
at = \"gate\"
is = false                                  # or why not: verdict = \"obstacle\", node = \"Gate*\"
";

impl FirstFile<'_> {
    /// The text of the file.
    ///
    /// # Errors
    /// None of a grid that can be loaded.
    pub fn text(&self) -> anyhow::Result<String> {
        let groups = MarkGroup::all(self.nodes);
        let agents: Vec<&str> = self.agents().collect();
        let mut text = comment(&format!(
            "Promises about {}; `surefoot check` says which of them hold.",
            self.grid_file.display()
        ));
        text.push('\n');
        if let Some(scene) = self.scene.filter(|_| !groups.is_empty()) {
            text += &format!("scene = {}\n", quoted(&self.seen_from_output(scene)));
        }
        text += &format!("agents = {}\n", list(agents.iter().copied()));
        if groups.is_empty() {
            text += &format!("\n{}", comment(&self.no_marks()));
        } else {
            text += "\n[places]\n";
            let lines =
                groups.iter().map(|group| format!("{} = {}\n", key(&group.place), group.toml()));
            text.extend(lines);
        }
        text += &self.reach(&groups)?;
        text += &self.areas();
        text += &comment(&format!(
            "As long as the bake gives the same bytes:\n[grid]\nhash = {}",
            quoted(self.hash)
        ));
        Ok(text + "\n" + &comment(EXAMPLES))
    }

    fn agents(&self) -> impl Iterator<Item = &str> {
        self.grid.layers().iter().map(|layer| layer.agent.name.as_str())
    }

    fn no_marks(&self) -> String {
        match self.scene {
            Some(scene) => format!(
                "{} has no marked nodes: empties, or nodes whose names have spawn, start, pickup, item, goal",
                scene.display()
            ),
            None => "With --scene, the marked nodes of the scene become places here.".to_owned(),
        }
    }

    /// Checks that the groups of nodes reach each other, for the agents for which it is so.
    fn reach(&self, groups: &[MarkGroup]) -> anyhow::Result<String> {
        let promises = promises(groups);
        if promises.is_empty() || self.grid.layers().is_empty() {
            return Ok(String::new());
        }
        let places = groups.iter().map(|group| (group.place.clone(), group.spec.clone()));
        let places: BTreeMap<String, PlaceSpec> = places.collect();
        let file = CheckFile { places, reach: promises, ..CheckFile::default() };
        let node =
            |node: &NamedNode| NodePoint { name: node.name.clone(), point: node.point.into() };
        let nodes: Vec<NodePoint> = self.nodes.iter().map(node).collect();
        let input = CheckInput { grid: self.grid, hash: self.hash, nodes: Some(&nodes) };
        let progress = LateProgress::new("finding what reaches what".to_owned());
        let report = file.evaluate(&input, &progress);
        progress.end();
        let report = report?;
        let agents = self.grid.layers().len();
        let checks = file.reach.iter().zip(report.results.chunks(agents));
        Ok(checks.map(|(promise, results)| reach_text(promise, results)).collect())
    }

    /// Checks that the ground stays about as large as it is.
    fn areas(&self) -> String {
        let summary = self.grid.summary();
        let mut text = String::new();
        for (agent, found) in self.agents().zip(&summary.agents) {
            let least = (found.walkable_area_m2 * SHARE_KEPT).floor();
            let (name, now) = (list([agent]), found.walkable_area_m2);
            text += &match found.walkable_spans {
                0 => format!("\n{}", comment(&format!("{agent} can stand nowhere."))),
                _ => format!("\n[[area]]\nagents = {name}\nmin_m2 = {least}  # now {now:.1}\n"),
            };
        }
        text + "\n"
    }

    /// A path as seen from the folder of the output.
    fn seen_from_output(&self, path: &Path) -> String {
        let folder = self.output.map(|output| output.parent().unwrap_or(Path::new("")));
        let relative = folder.and_then(|folder| relative(folder, path));
        let path = relative.unwrap_or_else(|| path.to_owned());
        // TOML files go from one system to another, and all of them know this separator.
        let path = path.display().to_string();
        if cfg!(windows) { path.replace('\\', "/") } else { path }
    }
}

/// What the groups are to reach: what is wanted from where someone starts, or else all from the first.
fn promises(groups: &[MarkGroup]) -> Vec<ReachPromise> {
    let of = |role| groups.iter().filter(move |group| group.role == role);
    let pairs: Vec<[&MarkGroup; 2]> =
        of(Role::Spawn).flat_map(|from| of(Role::Goal).map(move |to| [from, to])).collect();
    let pairs = match groups {
        _ if !pairs.is_empty() => pairs,
        [only] if matches!(&only.spec, PlaceSpec::Name(name) if !name.ends_with('*')) => Vec::new(),
        [only] => vec![[only, only]],
        [first, others @ ..] => others.iter().map(|other| [first, other]).collect(),
        [] => Vec::new(),
    };
    let place = |group: &MarkGroup| PlaceSpec::Name(group.place.clone());
    let promise = |[from, to]: [&MarkGroup; 2]| ReachPromise {
        name: None,
        agents: None,
        from: place(from),
        to: place(to),
        exists: true,
        links: AllowedLinks::default(),
    };
    pairs.into_iter().map(promise).collect()
}

/// A check, for the agents for which it holds; for the others a comment that says why not.
fn reach_text(promise: &ReachPromise, results: &[CheckResult]) -> String {
    let agent = |result: &CheckResult| result.agent.clone().unwrap_or_default();
    let name = |place: &PlaceSpec| match place {
        PlaceSpec::Name(name) => quoted(name),
        _ => String::new(),
    };
    let check = |agents: &[String]| {
        let agents = match agents.len() == results.len() {
            true => String::new(),
            false => format!("agents = {}\n", list(agents.iter().map(String::as_str))),
        };
        let (from, to) = (name(&promise.from), name(&promise.to));
        format!("[[reach]]\nfrom = {from}\nto = {to}\n{agents}")
    };
    let holding: Vec<String> = results.iter().filter(|result| result.holds).map(agent).collect();
    let mut text = String::new();
    if !holding.is_empty() {
        text += &format!("\n{}", check(&holding));
    }
    for result in results.iter().filter(|result| !result.holds) {
        let why = result.why.as_ref().map_or(String::new(), |why| format!("; {why}"));
        let words = format!("Not so for {}: {}{why}", agent(result), result.found);
        text += &format!("\n{}{}", comment(&words), comment(&check(&[agent(result)])));
    }
    text
}

/// A path as seen from a folder; `None` if one of them is not there.
fn relative(folder: &Path, path: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (folder, path) = (folder.canonicalize().ok()?, path.canonicalize().ok()?);
    let (mut above, mut below) = (folder.components().peekable(), path.components().peekable());
    while above.peek().is_some() && above.peek() == below.peek() {
        above.next();
        below.next();
    }
    if above.clone().any(|part| matches!(part, Component::Prefix(_))) {
        return Some(path);
    }
    let up = above.map(|_| Component::ParentDir);
    Some(up.chain(below).collect())
}
