//! Provides [`QueryEngine`]: a navigator that answers by the engine the user chose.

use anyhow::Context;
use surefoot::NavGrid;
use surefoot::diagnosis::Separation;
use surefoot::grid::AgentId;
use surefoot::navigator::Navigator;
use surefoot::path::{Answer, Corridor};
use surefoot::search::{Engine, Query};
use surefoot_report::{Explanations, PathReport};

use super::options::{EngineOption, SearchOptions};

/// How many queries are to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryCount {
    /// One: preparing routes would take longer than a search.
    One,
    /// Many: routes pay, if the grid was baked for them.
    Many,
}

/// A navigator, and the engine that its queries ask for.
pub struct QueryEngine {
    navigator: Navigator,
    /// `None` lets the navigator choose.
    engine: Option<Engine>,
    explanations: Explanations,
}

impl QueryEngine {
    /// Makes the navigator, and prepares routes if the options ask for them, or leave the choice and
    /// many queries are to come on a grid that was baked with routes.
    ///
    /// # Errors
    /// The options ask for routes, and the ground cannot be prepared.
    pub fn new(
        grid: &NavGrid,
        agent: AgentId,
        options: &SearchOptions,
        count: QueryCount,
    ) -> anyhow::Result<Self> {
        let mut navigator = Navigator::with_model(grid.clone(), agent, options.model())?;
        let engine = match options.engine {
            EngineOption::Index => {
                let prepared = navigator.prepare_for(options.route_rules());
                prepared.context("cannot prepare routes; use --engine astar")?;
                Some(Engine::Routes)
            }
            EngineOption::Auto
                if count == QueryCount::Many && options.engine.prepares_many(grid, agent) =>
            {
                let is_prepared = navigator.prepare_for(options.route_rules()).is_ok();
                if is_prepared { None } else { Some(Engine::AStar) }
            }
            EngineOption::Auto | EngineOption::Astar => Some(Engine::AStar),
        };
        Ok(QueryEngine { navigator, engine, explanations: Explanations::default() })
    }

    /// Answers a query. Returns the answer with the engine to name in the report: every engine tries
    /// the straight line first, so it counts as the answer of the engine that was asked for.
    pub fn find(&mut self, query: &Query) -> (&Answer, Engine) {
        let answer = self.navigator.find(&Query { engine: self.engine, ..query.clone() });
        let engine = match answer.engine {
            Engine::Straight => self.engine.unwrap_or(Engine::Straight),
            engine => engine,
        };
        (answer, engine)
    }

    /// Adds to a report what is in the way of a query that has failed.
    pub fn explain(&mut self, report: &mut PathReport, query: &Query) {
        report.explain(&self.navigator, query, &mut self.explanations);
    }

    /// What separates the ends of a query; `None` if the agent cannot stand at an end.
    pub fn separation(&self, query: &Query) -> Option<Separation> {
        self.navigator.why_not_by(query).ok()
    }

    /// The corridor of the last answer; empty if there was none, or the straight line was the answer.
    pub fn corridor(&self) -> &Corridor {
        self.navigator.corridor()
    }
}
