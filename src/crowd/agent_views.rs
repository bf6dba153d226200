//! Provides [`AgentViews`]: the ground of every agent, looked up once a step.

use crate::grid::AgentId;
use crate::view::{View, ViewRef};

/// For each agent, the parts of its view. Made without an allocation for grids of a few agents.
pub(crate) struct AgentViews<'a> {
    few: [Option<ViewRef<'a>>; FEW_AGENTS],
    more: Vec<ViewRef<'a>>,
}

/// Grids hardly ever have more agents than this.
const FEW_AGENTS: usize = 8;

impl<'a> AgentViews<'a> {
    pub(crate) fn new(views: &'a [View]) -> Self {
        AgentViews {
            few: std::array::from_fn(|at| views.get(at).map(View::parts)),
            more: views.iter().skip(FEW_AGENTS).map(View::parts).collect(),
        }
    }

    /// The ground of an agent; `None` if the grid has no such agent.
    pub(crate) fn get(&self, agent: AgentId) -> Option<&ViewRef<'a>> {
        match self.few.get(agent.index()) {
            Some(view) => view.as_ref(),
            None => self.more.get(agent.index() - FEW_AGENTS),
        }
    }
}
