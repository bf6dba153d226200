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
}

impl CheckExplanations {
    /// What is in the way of a query; between the same ground it is looked for only once.
    pub fn find(
        &mut self,
        navigator: &Navigator,
        query: &Query,
        zones: Option<[Zone; 2]>,
    ) -> Explanation {
        if let Some(known) = zones.and_then(|zones| self.known.get(&zones)) {
            return known.clone();
        }
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
