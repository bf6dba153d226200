//! Provides [`CheckExplanations`]: what separates places, looked for once for all that lie on the same
//! ground.

use std::collections::BTreeMap;

use surefoot::{Navigator, Query};

use crate::separation::BlockerReport;

/// What is in the way of a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Explanation {
    /// In one line; `None` if that is not known, or nothing is.
    pub why: Option<String>,
    pub blockers: Vec<BlockerReport>,
}

/// The ground that a place lies on: all that is joined there, with the same links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zone {
    /// By all links.
    Region(u32),
    /// By none.
    Piece(u32),
}

/// Explains queries that failed.
#[derive(Debug, Default)]
pub(super) struct CheckExplanations {
    known: BTreeMap<[Zone; 2], Explanation>,
    /// How many were looked for in the check that is evaluated.
    spent: usize,
}

/// So many explanations are looked for in a check of an agent: each takes as long as many searches, and
/// who reads a report repairs the first and looks again.
const MOST_EXPLAINED: usize = 8;

impl CheckExplanations {
    /// Begins another check.
    pub fn begin_check(&mut self) {
        self.spent = 0;
    }

    /// What is in the way of a query; between the same ground it is looked for only once. Empty if too
    /// many were looked for in this check.
    pub fn find(
        &mut self,
        navigator: &Navigator,
        query: &Query,
        zones: Option<[Zone; 2]>,
    ) -> Explanation {
        if let Some(known) = zones.and_then(|zones| self.known.get(&zones)) {
            return known.clone();
        }
        if self.spent >= MOST_EXPLAINED {
            return Explanation::default();
        }
        self.spent += 1;
        let found = match navigator.why_not_by(query) {
            Ok(separation) if !separation.is_connected() => Explanation {
                why: Some(separation.to_string()),
                blockers: separation.blockers.iter().map(BlockerReport::new).collect(),
            },
            _ => Explanation::default(),
        };
        self.known.extend(zones.map(|zones| (zones, found.clone())));
        found
    }
}
