//! The latest changes of an overlay: what was computed on an earlier state can be updated.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::{AgentId, AreaId, GridFrame};

/// What a change affects.
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
    /// Names the state that all changes so far led to: overlays in different states never share it. 0 is
    /// the grid as baked.
    state: u64,
    /// The state before the first change that is still known.
    start: u64,
    /// Each with the state it led to.
    changes: VecDeque<(u64, Change)>,
}

/// The most changes that are kept. What is further behind has to be computed anew.
const MOST_CHANGES: usize = 4096;

static LAST_STATE: AtomicU64 = AtomicU64::new(0);

impl History {
    /// Appends what one change affects; does nothing if it affects nothing.
    pub(super) fn add(&mut self, touched: impl IntoIterator<Item = Change>) {
        let mut touched = touched.into_iter().peekable();
        if touched.peek().is_some() {
            self.state = LAST_STATE.fetch_add(1, Ordering::Relaxed) + 1;
            self.changes.extend(touched.map(|change| (self.state, change)));
        }
        while self.changes.len() > MOST_CHANGES
            && let Some((state, _)) = self.changes.pop_front()
        {
            // A state is kept as a whole or not at all.
            while self.changes.pop_front_if(|next| next.0 == state).is_some() {}
            self.start = state;
        }
    }

    pub(super) fn state(&self) -> u64 {
        self.state
    }

    /// The changes after a state; `None` if that state is not known, or no longer.
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
    fn changes_after_a_state_are_known() {
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
        let states: Vec<u64> = (0..2 * MOST_CHANGES as u32)
            .map(|index| {
                history.add(link(index));
                history.state()
            })
            .collect();
        assert!(history.since(0).is_none() && history.since(states[MOST_CHANGES - 2]).is_none());
        assert_eq!(
            history.since(states[MOST_CHANGES - 1]).map(Iterator::count),
            Some(MOST_CHANGES)
        );
        assert_eq!(history.since(states[2 * MOST_CHANGES - 2]).map(Iterator::count), Some(1));
    }
}
