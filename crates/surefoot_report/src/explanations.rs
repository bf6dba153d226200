//! Provides [`Explanations`]: what separates regions, looked for once.

use std::collections::BTreeMap;

use nalgebra::Point3;
use surefoot::grid::RegionId;
use surefoot::{Navigator, Query};

/// Explains queries that failed. Queries between the same regions share an explanation, so that
/// thousands of them take no longer than one. It serves one navigator.
#[derive(Debug, Default)]
pub struct Explanations {
    /// What separates two regions, as it was found for the first query between them.
    known: BTreeMap<[RegionId; 2], String>,
}

impl Explanations {
    /// What is in the way of a query, in one line; `None` if that is not known, or nothing is.
    pub fn why_not(&mut self, navigator: &Navigator, query: &Query) -> Option<String> {
        let view = navigator.view();
        let region = |point: Point3<f32>| {
            let (span, _) = view.nearest_walkable(point, query.snap_radius.unwrap_or(1.0))?;
            view.grid().region(view.agent_id(), span)
        };
        let regions = region(query.from).zip(region(query.to)).map(|(from, to)| [from, to]);
        if let Some(known) = regions.and_then(|regions| self.known.get(&regions)) {
            return Some(known.clone());
        }
        let separation = navigator.why_not_by(query).ok()?;
        if separation.is_connected() {
            return None;
        }
        let words = separation.to_string();
        self.known.extend(regions.map(|regions| (regions, words.clone())));
        Some(words)
    }
}
