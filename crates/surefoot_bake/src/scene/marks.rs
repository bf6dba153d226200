//! Marks from outside the file: globs on node names, stronger than anything in the file; volumes and links
//! beside those of the file.

use globset::{GlobBuilder, GlobMatcher};
use serde::{Deserialize, Serialize};

use super::{LinkMarker, SceneError, VolumeShape};

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
    /// What the ground in parts of space is, beside the volumes of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<VolumeMark>,
    /// Links, beside those of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkMarker>,
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

/// A volume that is not in the file. It gives an area, forbids or clears: one of the three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeMark {
    /// Its name, for the report.
    pub name: String,
    /// Where it is.
    pub shape: VolumeShape,
    /// The name of the area that the ground inside gets.
    #[serde(default)]
    pub area: Option<String>,
    /// Cost factor per metre of that area [> 0]; `None` leaves it to others that name it, or else 1.
    #[serde(default)]
    pub cost: Option<f32>,
    /// Whether it is forbidden to stand inside, or on the area if one is named.
    #[serde(default)]
    pub forbidden: bool,
    /// Whether the ground inside is plain walkable ground, whatever else says otherwise; the area
    /// `walkable` means the same.
    #[serde(default)]
    pub clear: bool,
}

impl VolumeMark {
    /// The name of the area that it gives; `None` if it clears.
    pub(super) fn area_name(&self) -> Option<&str> {
        let named = self.area.as_deref().or(self.forbidden.then_some("forbidden"));
        named.filter(|name| !self.clear && !name.eq_ignore_ascii_case("walkable"))
    }

    fn check(&self) -> Result<(), SceneError> {
        let fail = |problem| Err(SceneError::Mark { mark: self.name.clone(), problem });
        if let Err(problem) = self.shape.check() {
            return fail(format!("its shape is invalid: {problem}"));
        }
        if self.clear && (self.area.is_some() || self.forbidden) {
            return fail("it both clears and gives an area; make two volumes of it".to_owned());
        }
        if self.area.is_none() && self.cost.is_some() {
            return fail("its cost has no effect without an area's name beside it".to_owned());
        }
        match &self.area {
            None if self.clear || self.forbidden => Ok(()),
            None => fail("it has no effect; give it an area, forbidden or clear".to_owned()),
            Some(name) => check(&AreaMark {
                name: name.clone(),
                nodes: String::new(),
                cost: self.cost,
                forbidden: self.forbidden,
            }),
        }
    }
}

/// What globs make of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeMarks {
    /// It is ignored.
    pub ignored: bool,
    /// It blocks, and no agent stands on it.
    pub obstacle: bool,
    /// Its triangles can be floor from both sides.
    pub two_sided: bool,
    /// The name of the area that it is.
    pub area: Option<String>,
}

impl SceneMarks {
    /// Returns what the globs make of a node with a name, for ground that comes from no glTF file.
    ///
    /// # Errors
    /// Names the first mark that is invalid.
    pub fn of_node(&self, name: &str) -> Result<NodeMarks, SceneError> {
        let (strongest, two_sided) = Globs::new(self)?.look_up([name, name]);
        let mut marks = NodeMarks { two_sided, ..NodeMarks::default() };
        match strongest.map(|(mark, _)| mark) {
            Some(GlobMark::Ignore) => marks.ignored = true,
            Some(GlobMark::Obstacle) => marks.obstacle = true,
            Some(GlobMark::Area(area)) => marks.area = Some(area),
            Some(GlobMark::TwoSided) | None => {}
        }
        Ok(marks)
    }

    /// Checks every glob, every kind of ground, every volume and every link.
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
        marks.volumes.iter().try_for_each(VolumeMark::check)?;
        marks.links.iter().try_for_each(|link| {
            link.check().map_err(|problem| SceneError::Mark { mark: link.name.clone(), problem })
        })?;
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
