//! Provides [`RouteSearch`]: answers queries by prepared routes.

use crate::solve::{
    Answer, Corridor, CostModel, Engine, Outcome, Progress, Query, Search, Settled, Sight, Terrain,
};

use super::costs::RouteCosts;
use super::finder::{Finder, Found, Map};
use super::index::RouteIndex;
use super::pricing::Pricing;
use super::walker::Walker;

/// Prepared routes: an index, and costs worked out over it.
#[derive(Clone, Copy, Debug)]
pub struct Routes<'a> {
    /// The index.
    pub index: &'a RouteIndex,
    /// Its costs by one model.
    pub costs: &'a RouteCosts,
}

/// Finds the cheapest ways by prepared routes: the same costs as [`Search`], found many times
/// faster where ways are long.
///
/// One for each thread; indices and costs are shared. After the first queries it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct RouteSearch {
    pub(super) search: Search,
    finder: Finder,
    walker: Walker,
}

impl RouteSearch {
    /// The cheapest way from start to goal, straightened. What routes do not know, a search finds:
    /// where costs are not those of the terrain, or not for such a query; or how near one comes to
    /// a goal that cannot be reached. A query's budget bounds that search only.
    pub fn path<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (terrain, model): (&Terrain, &M),
        query: &Query,
    ) -> &Answer {
        if self.search.begin(terrain, model, query) == Progress::Done {
            self.search.credit(Engine::Index);
        } else if !self.search.go_straight(terrain, model) {
            self.settle(routes, (terrain, model), query);
            self.search.straighten(terrain, model, None);
        }
        self.search.answer()
    }

    /// The corridor of the cheapest way, and nothing else, with its outcome.
    pub fn find<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (terrain, model): (&Terrain, &M),
        query: &Query,
    ) -> Outcome {
        match self.search.begin(terrain, model, query) {
            Progress::Done => self.search.credit(Engine::Index),
            Progress::Running => self.settle(routes, (terrain, model), query),
        }
        self.search.outcome()
    }

    /// Straightens the corridor that was found; every leg is one that `sight` has confirmed, if
    /// there is one.
    pub fn straighten<M: CostModel + ?Sized>(
        &mut self,
        terrain: &Terrain,
        model: &M,
        sight: Option<&dyn Sight>,
    ) -> &Answer {
        self.search.straighten(terrain, model, sight)
    }

    /// Ends a search that was begun.
    pub(super) fn settle<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (terrain, model): (&Terrain, &M),
        query: &Query,
    ) {
        let mut progress = Progress::Running;
        if routes.fit(terrain, query) {
            let RouteSearch { search, finder, walker } = self;
            progress = search.settle((terrain, model), Engine::Index, |tariff, ends, corridor| {
                let map = Map { shape: &routes.index.shape, costs: routes.costs };
                let pricing = Pricing { tariff, steps: query.directions.step_codes() };
                let ranks = ends.map(|span| map.shape.ranks[span.index()]);
                match finder.find(map, (&pricing, query.directions), ranks) {
                    Found::Way(cost, top) => {
                        corridor.begin(ends[0], tariff.cost(cost));
                        finder.climbed(map, ranks, (top, walker.stops()));
                        let looked_at = walker.walk(map, (tariff, query.directions), corridor);
                        Settled::Way { looked_at }
                    }
                    Found::NoWay => Settled::NoWay,
                    Found::Unknown => Settled::Unknown,
                }
            });
        }
        while progress == Progress::Running {
            progress = self.search.advance(terrain, model, u32::MAX);
        }
    }

    /// What found the last answer.
    pub fn engine(&self) -> Engine {
        self.search.answer().engine
    }

    /// The corridor that was found last; empty where none was, and where the straight line was
    /// the answer.
    pub fn corridor(&self) -> &Corridor {
        self.search.corridor()
    }
}

impl Routes<'_> {
    /// Whether they answer a query on a terrain.
    fn fit(&self, terrain: &Terrain, query: &Query) -> bool {
        self.index.fits(terrain)
            && self.costs.kept.len() == self.index.shape.districts.len()
            && self.costs.are_current(terrain)
            && self.costs.rules().allow(query)
            && !query.is_cancelled()
    }
}
