//! Provides [`Asker`]: one way to ask, whoever answers.

use std::sync::Arc;

use anyhow::Context;
use surefoot::NavGrid;
use surefoot::routes::{RouteCosts, RouteIndex, RouteSearch, Router, Routes};
use surefoot::solve::{Answer, Corridor, Engine, HeightCost, Query, Search, Terrain};

use super::options::{EngineChoice, Options};

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
    /// Whoever the options name. Left to choose, it is a router where many queries come and the
    /// grid has routes: for a single one nothing is worth preparing.
    ///
    /// # Errors
    /// Routes are asked for by name, and the ground cannot be prepared.
    pub fn new(
        options: &Options,
        (grid, terrain): (&Arc<NavGrid>, &Terrain),
        are_many: bool,
    ) -> anyhow::Result<Self> {
        let is_prepared = grid.order(terrain.agent_id()).is_some();
        match options.engine {
            EngineChoice::Index => Asker::index(options, (grid, terrain))
                .context("this ground cannot be prepared for routes; ask with --engine astar"),
            EngineChoice::Auto if are_many && is_prepared => {
                Ok(Asker::router(options, (grid, terrain)).unwrap_or_else(Asker::search))
            }
            EngineChoice::Auto | EngineChoice::Astar => Ok(Asker::search()),
        }
    }

    fn search() -> Self {
        Asker::Search(Box::default())
    }

    fn index(options: &Options, (grid, terrain): (&NavGrid, &Terrain)) -> Option<Self> {
        let index = RouteIndex::new(grid, terrain.agent_id())?;
        let costs = index.price(terrain, &options.model(), options.rules());
        Some(Asker::Index(Box::new((index, costs, RouteSearch::default()))))
    }

    fn router(options: &Options, (grid, terrain): (&Arc<NavGrid>, &Terrain)) -> Option<Self> {
        let costs = (options.model(), options.rules());
        Router::with_rules(grid.clone(), terrain.agent_id(), costs)
            .map(|router| Asker::Router(Box::new(router)))
    }

    /// The corridor of the last answer; empty where there is none, and where the straight line was
    /// the answer.
    pub fn corridor(&self) -> &Corridor {
        match self {
            Asker::Search(search) => search.corridor(),
            Asker::Index(own) => own.2.corridor(),
            Asker::Router(router) => router.corridor(),
        }
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
