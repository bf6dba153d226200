//! The report of a world: what was used of each file, and what was skipped.

use std::collections::{BTreeMap, BTreeSet};

use surefoot::grid::ColliderRecord;
use surefoot_bake::scene::{SceneError, SceneMarks, SceneReport, Skipped, Warning};

/// What the reports of scenes say.
pub struct ReportParts {
    marks: SceneMarks,
    skipped: Vec<Skipped>,
    warnings: Vec<Warning>,
    /// For each glob of the marks that matched nothing so far, the warning of it.
    unmatched: BTreeMap<String, String>,
}

/// Returns what is said of a glob that matches no node.
fn matches_nothing(glob: &str) -> String {
    format!("the glob {glob:?} matches no node")
}

impl ReportParts {
    pub fn new(marks: &SceneMarks) -> Self {
        let SceneMarks { ignore, obstacle, two_sided, areas, .. } = marks;
        let of_areas = areas.iter().map(|mark| &mark.nodes);
        let globs = ignore.iter().chain(obstacle).chain(two_sided).chain(of_areas);
        let unmatched = globs.map(|glob| (glob.clone(), matches_nothing(glob))).collect();
        let (skipped, warnings) = Default::default();
        ReportParts { marks: marks.clone(), skipped, warnings, unmatched }
    }

    /// Adds the report of a scene of some name.
    pub fn add(&mut self, name: &str, report: &SceneReport) {
        let named = |node: &str| format!("{name}/{node}");
        for Skipped { node, reason } in &report.skipped {
            self.skipped.push(Skipped { node: named(node), reason: reason.clone() });
        }
        let mut of_globs = BTreeSet::new();
        for Warning { node, message } in &report.warnings {
            // A glob need not match a node of every file.
            if node.is_empty() && self.marks_have(message) {
                of_globs.insert(message);
            } else {
                self.warnings.push(Warning { node: named(node), message: message.clone() });
            }
        }
        self.unmatched.retain(|_, message| of_globs.contains(message));
    }

    /// Adds a height file, whose name globs match as well.
    pub fn add_terrain(&mut self, name: &str, is_ignored: bool) -> Result<(), SceneError> {
        let mut matched = Vec::new();
        for glob in self.unmatched.keys() {
            let marks = SceneMarks { ignore: vec![glob.clone()], ..SceneMarks::default() };
            if marks.of_node(name)?.ignored {
                matched.push(glob.clone());
            }
        }
        matched.iter().for_each(|glob| _ = self.unmatched.remove(glob));
        if is_ignored {
            let reason = "marked to be ignored".to_owned();
            self.skipped.push(Skipped { node: name.to_owned(), reason });
        }
        Ok(())
    }

    /// Returns whether a warning is that of a glob of the marks.
    fn marks_have(&self, message: &str) -> bool {
        let SceneMarks { ignore, obstacle, two_sided, areas, .. } = &self.marks;
        let of_areas = areas.iter().map(|mark| &mark.nodes);
        let mut globs = ignore.iter().chain(obstacle).chain(two_sided).chain(of_areas);
        globs.any(|glob| matches_nothing(glob) == message)
    }

    /// Completes the report of a world, given the records of all solids, sorted.
    pub fn complete(self, report: &mut SceneReport, records: &[ColliderRecord], triangles: usize) {
        let mut hasher = blake3::Hasher::new();
        hasher.update(FORMAT);
        // Of areas, links and volumes.
        hasher.update(report.hash.as_bytes());
        for record in records {
            hasher.update(&record.hash);
        }
        report.hash = hasher.finalize().to_hex()[..32].to_owned();
        report.marks = self.marks;
        (report.triangles, report.colliders) = (triangles, records.len());
        report.skipped = self.skipped;
        report.skipped.sort();
        report.skipped.dedup();
        report.warnings = self.warnings;
        let of_glob = |message| Warning { node: String::new(), message };
        report.warnings.extend(self.unmatched.into_values().map(of_glob));
        report.warnings.sort();
        report.warnings.dedup();
    }
}

/// Changes with how worlds are hashed.
const FORMAT: &[u8] = b"surefoot world 1";
