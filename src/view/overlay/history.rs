//! What changed, one change after another: whoever worked something out on an earlier state can
//! bring it up to date.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::{AgentId, AreaId, GridFrame};

/// What one change has touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// What an agent may do on the spans of some cells.
    Ground(AgentId, GridFrame),
    /// What an area costs.
    Area(AreaId),
    /// Whether a link is open.
    Link(u32),
}

/// The latest changes of an overlay.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Names what all changes so far made of the grid: no two overlays that differ share it. 0 is
    /// the bake.
    state: u64,
    /// The state before the first change that is still known.
    start: u64,
    /// Each with the state it led to.
    changes: VecDeque<(u64, Change)>,
}

/// Changes that are remembered. Whoever is further behind starts afresh.
const MOST: usize = 4096;

static LAST_STATE: AtomicU64 = AtomicU64::new(0);

impl History {
    /// Notes what a change has touched; nothing at all is no change.
    pub(super) fn add(&mut self, touched: impl IntoIterator<Item = Change>) {
        let mut touched = touched.into_iter().peekable();
        if touched.peek().is_some() {
            self.state = LAST_STATE.fetch_add(1, Ordering::Relaxed) + 1;
            self.changes.extend(touched.map(|change| (self.state, change)));
        }
        while self.changes.len() > MOST
            && let Some((state, _)) = self.changes.pop_front()
        {
            // What is left of the same change is of no use alone.
            while self.changes.pop_front_if(|next| next.0 == state).is_some() {}
            self.start = state;
        }
    }

    pub(super) fn state(&self) -> u64 {
        self.state
    }

    /// The changes after a state; `None` where that state is not known here, or no longer.
    pub(super) fn since(&self, state: u64) -> Option<impl Iterator<Item = Change>> {
        let next = if state == self.start {
            0
        } else {
            self.changes.iter().rposition(|change| change.0 == state)? + 1
        };
        Some(self.changes.range(next..).map(|change| change.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(index: u32) -> [Change; 1] {
        [Change::Link(index)]
    }

    #[test]
    fn tells_what_came_after_a_state() {
        let mut history = History::default();
        assert_eq!(history.since(0).map(Iterator::count), Some(0));
        history.add([Change::Link(1), Change::Area(AreaId(3))]);
        let state = history.state();
        history.add(link(2));
        history.add([]);
        let since = |state| history.since(state).map(Iterator::collect::<Vec<_>>);
        assert_eq!(since(state), Some(link(2).to_vec()));
        assert_eq!(since(0).map(|all| all.len()), Some(3));
        assert_eq!(since(history.state()), Some(Vec::new()));
        assert_eq!(since(u64::MAX), None);
    }

    #[test]
    fn states_that_differ_have_different_names() {
        let mut one = History::default();
        one.add(link(1));
        let mut other = one.clone();
        assert_eq!(one.state(), other.state());
        other.add(link(2));
        one.add(link(2));
        assert_ne!(one.state(), other.state());
        assert!(one.since(other.state()).is_none());
    }

    #[test]
    fn forgets_the_oldest_changes_first() {
        let mut history = History::default();
        let states: Vec<u64> = (0..2 * MOST as u32)
            .map(|index| {
                history.add(link(index));
                history.state()
            })
            .collect();
        assert!(history.since(0).is_none() && history.since(states[MOST - 2]).is_none());
        assert_eq!(history.since(states[MOST - 1]).map(Iterator::count), Some(MOST));
        assert_eq!(history.since(states[2 * MOST - 2]).map(Iterator::count), Some(1));
    }
}
