//! Provides [`Asker`]: one way to ask, whoever answers.

use std::sync::Arc;

use anyhow::Context;
use surefoot::NavGrid;
use surefoot::cost::HeightCost;
use surefoot::navigator::Navigator;
use surefoot::navigator::Navigator;
use surefoot::path::{Answer, Corridor};
use surefoot::search::{Engine, Query};
use surefoot::view::View;

use super::options::{EngineChoice, Options};

/// Somebody who can be asked for ways.
pub enum Asker {
    /// Searches.
    Navigator(Box<Navigator>),
    /// Follows prepared routes.
    Index(Box<(RouteIndex, RouteCosts, Navigator)>),
    /// Does what is likely to be faster.
    Navigator(Box<Navigator<HeightCost>>),
}

impl Asker {
    /// Whoever the options name. Left to choose, it is a router where many queries come and the
    /// grid has routes: for a single one nothing is worth preparing.
    ///
    /// # Errors
    /// Routes are asked for by name, and the ground cannot be prepared.
    pub fn new(
        options: &Options,
        (grid, terrain): (&Arc<NavGrid>, &View),
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
        Asker::Navigator(Box::default())
    }

    fn index(options: &Options, (grid, terrain): (&NavGrid, &View)) -> Option<Self> {
        let index = RouteIndex::new(grid, terrain.agent_id())?;
        let costs = index.price(terrain, &options.model(), options.rules());
        Some(Asker::Index(Box::new((index, costs, Navigator::default()))))
    }

    fn router(options: &Options, (grid, terrain): (&Arc<NavGrid>, &View)) -> Option<Self> {
        let costs = (options.model(), options.rules());
        Navigator::with_rules(grid.clone(), terrain.agent_id(), costs)
            .map(|router| Asker::Navigator(Box::new(router)))
    }

    /// The corridor of the last answer; empty where there is none, and where the straight line was
    /// the answer.
    pub fn corridor(&self) -> &Corridor {
        match self {
            Asker::Navigator(search) => search.corridor(),
            Asker::Index(own) => own.2.corridor(),
            Asker::Navigator(router) => router.corridor(),
        }
    }

    /// The answer to a query, and who gave it. Whoever was named is taken at their word that the
    /// straight line is the cheapest way: they try it first.
    pub fn ask(
        &mut self,
        (terrain, model): (&View, &HeightCost),
        query: &Query,
    ) -> (&Answer, Engine) {
        let (answer, named) = match self {
            Asker::Navigator(search) => (search.path(terrain, model, query), Some(Engine::AStar)),
            Asker::Index(own) => {
                let (index, costs, search) = &mut **own;
                (search.path(Routes { index, costs }, (terrain, model), query), Some(Engine::Index))
            }
            Asker::Navigator(router) => (router.path(terrain, query), None),
        };
        let engine = match answer.engine {
            Engine::Straight => named.unwrap_or(Engine::Straight),
            engine => engine,
        };
        (answer, engine)
    }
}
