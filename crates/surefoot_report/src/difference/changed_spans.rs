//! Provides [`ChangedSpans`]: the spans that an agent gained, lost and finds moved.

use surefoot::SpanId;

use super::grid_pair::AgentPair;
use super::transition::{TransitionCounts, VerdictKind};

/// A floor whose height differs by more than this moved [m].
pub(super) const MOVED: f32 = 0.01;

/// The spans where something changed for an agent, each list ascending.
#[derive(Clone, Debug, Default)]
pub struct ChangedSpans {
    /// Spans of the new grid where it can stand and could not before.
    pub gained: Vec<SpanId>,
    /// Spans of the old grid where it could stand and cannot any more.
    pub lost: Vec<SpanId>,
    /// Spans of the new grid where it can stand and could before, more than a centimetre higher or lower.
    pub moved: Vec<SpanId>,
}

/// What changed, and how often each verdict became each other.
pub(super) struct GroundComparison {
    pub changed: ChangedSpans,
    pub transitions: TransitionCounts,
}

impl GroundComparison {
    /// Compares all spans of both grids. O(spans).
    pub fn new(pair: &AgentPair) -> Self {
        let mut found = GroundComparison {
            changed: ChangedSpans::default(),
            transitions: TransitionCounts::default(),
        };
        found.compare_new(pair);
        found.find_lost(pair);
        found
    }

    /// Looks at all spans of the new grid.
    fn compare_new(&mut self, pair: &AgentPair) {
        let (old_spans, new_spans) = (pair.grids.old.spans(), pair.grids.new.spans());
        for (new, span) in (0..).map(SpanId).zip(new_spans) {
            let standing = pair.new_standing(new);
            let Some(old) = pair.grids.matching.old_of(new) else {
                if standing.is_walkable() {
                    self.changed.gained.push(new);
                }
                self.transitions.count(VerdictKind::NoFloor, VerdictKind::of(standing.verdict()));
                continue;
            };
            let before = pair.old_standing(old);
            if before.is_walkable() && standing.is_walkable() {
                if (old_spans[old.index()].floor - span.floor).abs() > MOVED {
                    self.changed.moved.push(new);
                }
                continue;
            }
            if standing.is_walkable() {
                self.changed.gained.push(new);
            }
            let kinds = [before, standing].map(|standing| VerdictKind::of(standing.verdict()));
            self.transitions.count(kinds[0], kinds[1]);
        }
    }

    /// Looks at all spans of the old grid for those that are lost.
    fn find_lost(&mut self, pair: &AgentPair) {
        for (old, standing) in (0..).map(SpanId).zip(&pair.old_layer().standings) {
            let new = pair.grids.matching.new_of(old);
            if standing.is_walkable() && new.is_none_or(|new| !pair.new_standing(new).is_walkable())
            {
                self.changed.lost.push(old);
            }
            if new.is_none() {
                self.transitions.count(VerdictKind::of(standing.verdict()), VerdictKind::NoFloor);
            }
        }
    }
}
