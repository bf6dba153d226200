//! Provides [`Asker`]: one way to ask, whoever answers.

use std::sync::Arc;

use surefoot::NavGrid;
use surefoot::grid::AgentId;
use surefoot::routes::{RouteCosts, RouteIndex, RouteSearch, Router, Routes};
use surefoot::solve::{Answer, Engine, HeightCost, Query, Search, Terrain};

use super::options::Options;

/// Somebody who can be asked for ways.
pub enum Asker {
    /// Searches.
    Search(Box<Search>),
    /// Follows prepared routes.
    Index(Box<(RouteIndex, RouteCosts, RouteSearch)>),
    /// Does what is likely to be faster.
    Router(Box<Router<HeightCost>>),
}

impl Asker {
    /// A search.
    pub fn search() -> Self {
        Asker::Search(Box::default())
    }

    /// Prepared routes, by the options' costs; `None` where the grid does not have the terrain's
    /// agent.
    pub fn index((grid, terrain): (&NavGrid, &Terrain), options: &Options) -> Option<Self> {
        let index = RouteIndex::new(grid, terrain.agent_id())?;
        let costs = index.price(terrain, &options.model(), options.rules());
        Some(Asker::Index(Box::new((index, costs, RouteSearch::default()))))
    }

    /// Both; `None` for an agent that the grid does not have.
    pub fn router((grid, agent): (&Arc<NavGrid>, AgentId), options: &Options) -> Option<Self> {
        let rules = (options.model(), options.rules());
        Some(Asker::Router(Box::new(Router::with_rules(grid.clone(), agent, rules)?)))
    }

    /// The answer to a query, and who gave it. Whoever was named is taken at their word that the
    /// straight line is the cheapest way: they try it first.
    pub fn ask(
        &mut self,
        (terrain, model): (&Terrain, &HeightCost),
        query: &Query,
    ) -> (&Answer, Engine) {
        let (answer, named) = match self {
            Asker::Search(search) => (search.path(terrain, model, query), Some(Engine::AStar)),
            Asker::Index(own) => {
                let (index, costs, search) = &mut **own;
                (search.path(Routes { index, costs }, (terrain, model), query), Some(Engine::Index))
            }
            Asker::Router(router) => (router.path(terrain, query), None),
        };
        let engine = match answer.engine {
            Engine::Straight => named.unwrap_or(Engine::Straight),
            engine => engine,
        };
        (answer, engine)
    }
}
