//! Provides [`Transition`]: how much ground went from one verdict to another.

use serde::Serialize;
use surefoot::Verdict;

/// A verdict without its node, or that there is no floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    /// The agent can stand here.
    Walkable,
    /// The floor is too steep.
    TooSteep,
    /// The ceiling is too low.
    LowCeiling,
    /// Something is in the way of the body.
    Obstacle,
    /// It is too near to an edge.
    Ledge,
    /// The area is forbidden.
    Forbidden,
    /// The floor lies inside a solid.
    InsideSolid,
    /// The ground is smaller than the bake keeps.
    SmallRegion,
    /// There is no floor.
    NoFloor,
}

/// Number of kinds.
const KINDS: usize = 9;

/// Ground that went from one verdict to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Transition {
    /// What it was in the old grid.
    pub before: VerdictKind,
    /// What it is in the new grid.
    pub after: VerdictKind,
    /// Number of spans.
    pub spans: usize,
    /// The area of their cells [m²].
    pub area_m2: f64,
}

impl VerdictKind {
    const ALL: [VerdictKind; KINDS] = [
        VerdictKind::Walkable,
        VerdictKind::TooSteep,
        VerdictKind::LowCeiling,
        VerdictKind::Obstacle,
        VerdictKind::Ledge,
        VerdictKind::Forbidden,
        VerdictKind::InsideSolid,
        VerdictKind::SmallRegion,
        VerdictKind::NoFloor,
    ];

    /// The kind of a verdict.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Walkable => VerdictKind::Walkable,
            Verdict::TooSteep => VerdictKind::TooSteep,
            Verdict::LowCeiling => VerdictKind::LowCeiling,
            Verdict::Obstacle(_) => VerdictKind::Obstacle,
            Verdict::Ledge => VerdictKind::Ledge,
            Verdict::InsideSolid => VerdictKind::InsideSolid,
            Verdict::SmallRegion => VerdictKind::SmallRegion,
            // Verdicts of later versions count as ground that is closed by rule.
            _ => VerdictKind::Forbidden,
        }
    }

    /// What it is called in sentences.
    pub fn words(self) -> &'static str {
        match self {
            VerdictKind::Walkable => "walkable",
            VerdictKind::TooSteep => "too steep",
            VerdictKind::LowCeiling => "under a low ceiling",
            VerdictKind::Obstacle => "beside an obstacle",
            VerdictKind::Ledge => "too near a ledge",
            VerdictKind::Forbidden => "forbidden",
            VerdictKind::InsideSolid => "inside a solid",
            VerdictKind::SmallRegion => "too small a region",
            VerdictKind::NoFloor => "no floor",
        }
    }
}

/// How many spans went from each kind to each other.
#[derive(Clone, Debug, Default)]
pub(super) struct TransitionCounts {
    counts: [[usize; KINDS]; KINDS],
}

impl TransitionCounts {
    #[inline]
    pub fn count(&mut self, before: VerdictKind, after: VerdictKind) {
        self.counts[before as usize][after as usize] += 1;
    }

    /// The transitions that occurred, the largest first; a cell covers so much [m²].
    pub fn list(&self, cell_area: f64) -> Vec<Transition> {
        let all = VerdictKind::ALL;
        let pairs = all.into_iter().flat_map(|before| all.map(|after| (before, after)));
        let changed = pairs.filter(|(before, after)| before != after).map(|(before, after)| {
            let spans = self.counts[before as usize][after as usize];
            Transition { before, after, spans, area_m2: spans as f64 * cell_area }
        });
        let mut list: Vec<Transition> = changed.filter(|change| change.spans > 0).collect();
        // The sort is stable: ties stay in the order of the kinds.
        list.sort_by_key(|change| std::cmp::Reverse(change.spans));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_listed_from_the_largest() {
        let mut counts = TransitionCounts::default();
        counts.count(VerdictKind::Walkable, VerdictKind::Walkable);
        counts.count(VerdictKind::NoFloor, VerdictKind::Walkable);
        for _ in 0..2 {
            counts.count(VerdictKind::Walkable, VerdictKind::Obstacle);
        }
        let list = counts.list(0.25);
        let spans: Vec<_> = list.iter().map(|change| (change.before, change.spans)).collect();
        assert_eq!(spans, [(VerdictKind::Walkable, 2), (VerdictKind::NoFloor, 1)]);
        assert_eq!(list[0].area_m2, 0.5);
        let json = serde_json::to_value(list[1]).expect("JSON");
        assert_eq!((&json["before"], &json["after"]), (&"no_floor".into(), &"walkable".into()));
    }
}
