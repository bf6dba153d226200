//! Marks from outside the file: globs on node names, stronger than anything in the file.

use globset::{GlobBuilder, GlobMatcher};
use serde::{Deserialize, Serialize};

use super::SceneError;

/// How to treat nodes, by globs on their names: case-sensitive, `*` matches anything. A node
/// without a name is called by its mesh's name, or else `unnamed`. Where several go by such a name,
/// each has a number as well, as in `Crate #2`; globs match it with or without.
///
/// A mark on a node holds for everything below it. If several match one node, `ignore` is stronger
/// than `obstacle`, which is stronger than `areas`; among those the first counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneMarks {
    /// Nodes to ignore.
    pub ignore: Vec<String>,
    /// Nodes that block, and on which no agent stands.
    pub obstacle: Vec<String>,
    /// Nodes whose triangles can be floor from both sides.
    pub two_sided: Vec<String>,
    /// Nodes that are a kind of ground.
    pub areas: Vec<AreaMark>,
    /// Use visual meshes even if the file has physics shapes.
    pub visual_meshes: bool,
}

/// Nodes that are one kind of ground.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AreaMark {
    /// The area's name.
    pub name: String,
    /// Glob on the names of its nodes.
    pub nodes: String,
    /// Cost factor per metre [> 0]; `None` leaves it to the file, or else 1.
    pub cost: Option<f32>,
    /// Whether it is forbidden to stand on it.
    pub forbidden: bool,
}

impl SceneMarks {
    /// Checks every glob and every kind of ground.
    ///
    /// # Errors
    /// Names the first that is invalid.
    pub fn check(&self) -> Result<(), SceneError> {
        Globs::new(self).map(drop)
    }
}

/// What a glob marks the nodes as that it matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GlobMark {
    Ignore,
    Obstacle,
    Area(String),
    TwoSided,
}

/// Marks with their globs compiled.
pub(super) struct Globs {
    rules: Vec<GlobRule>,
}

struct GlobRule {
    matcher: GlobMatcher,
    mark: GlobMark,
    matched: bool,
}

impl Globs {
    /// Compiles the globs and checks the areas.
    pub fn new(marks: &SceneMarks) -> Result<Self, SceneError> {
        let mut rules = Vec::new();
        let mut add = |glob: &str, mark| -> Result<(), SceneError> {
            rules.push(GlobRule { matcher: compile(glob)?, mark, matched: false });
            Ok(())
        };
        marks.ignore.iter().try_for_each(|glob| add(glob, GlobMark::Ignore))?;
        marks.obstacle.iter().try_for_each(|glob| add(glob, GlobMark::Obstacle))?;
        for area in &marks.areas {
            check(area)?;
            add(&area.nodes, GlobMark::Area(area.name.clone()))?;
        }
        marks.two_sided.iter().try_for_each(|glob| add(glob, GlobMark::TwoSided))?;
        Ok(Globs { rules })
    }

    /// Returns the strongest mark on a node with its glob, and whether both its sides can be floor. A
    /// glob may match the node's name without its number, or with it.
    pub fn look_up(&mut self, names: [&str; 2]) -> (Option<(GlobMark, String)>, bool) {
        let names = if names[0] == names[1] { &names[..1] } else { &names[..] };
        let (mut strongest, mut two_sided) = (None, false);
        for rule in &mut self.rules {
            if !names.iter().any(|name| rule.matcher.is_match(name)) {
                continue;
            }
            rule.matched = true;
            if rule.mark == GlobMark::TwoSided {
                two_sided = true;
            } else if strongest.is_none() {
                strongest = Some((rule.mark.clone(), rule.matcher.glob().glob().to_owned()));
            }
        }
        (strongest, two_sided)
    }

    /// Returns the globs that have matched no node so far.
    pub fn unmatched(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| !rule.matched).map(|rule| rule.matcher.glob().glob())
    }
}

fn compile(glob: &str) -> Result<GlobMatcher, SceneError> {
    let built = GlobBuilder::new(glob).literal_separator(false).backslash_escape(true).build();
    built.map(|glob| glob.compile_matcher()).map_err(|error| SceneError::Mark {
        mark: glob.to_owned(),
        problem: format!("not a glob ({}); write [[] for a plain [", error.kind()),
    })
}

fn check(area: &AreaMark) -> Result<(), SceneError> {
    let fail = |problem: String| Err(SceneError::Mark { mark: area.name.clone(), problem });
    if area.name.is_empty() {
        return fail("an area needs a name".to_owned());
    }
    let is = |word: &str| area.name.eq_ignore_ascii_case(word);
    if is("ignore") || is("obstacle") {
        return fail("not an area; list its nodes under that mark instead".to_owned());
    }
    match area.cost {
        Some(cost) if !(cost > 0.0 && cost.is_finite()) => {
            fail(format!("its cost is {cost}; it must be more than 0"))
        }
        cost if is("walkable") && (cost.is_some_and(|c| c != 1.0) || area.forbidden) => {
            fail("walkable ground always costs 1; give the area another name".to_owned())
        }
        _ => Ok(()),
    }
}
