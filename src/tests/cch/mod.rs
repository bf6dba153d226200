//! The laws of prepared routes, held on thousands of seeded random grids: they cost what the
//! plainest search finds.
//!
//! Random grids are small, so they are dissected more finely than real ones.

mod change_laws;
mod grid_laws;
mod limits;
mod link_laws;
mod order_laws;
mod route_laws;

use crate::cch::parameters::OrderParameters;
use crate::cch::{CustomizedHierarchy, RouteQuery, TableEnds};
use crate::cost::CostModel;
use crate::path::{Answer, Corridor, PathSearch, Progress, Straightening};
use crate::search::{Engine, Outcome, Query};
use crate::tests::search::random::Random;
use crate::view::View;

/// A search whose corridors come from prepared routes, as a navigator's do.
#[derive(Default)]
struct RouteSearch {
    search: PathSearch,
    query: RouteQuery,
}

impl RouteSearch {
    fn path<M: CostModel>(
        &mut self,
        routes: CustomizedHierarchy,
        on: (&View, &M),
        query: &Query,
    ) -> &Answer {
        let (view, model) = on;
        let search = &mut self.search;
        if search.begin(view, model, query) == Progress::Running && !search.go_straight(model, None)
        {
            self.find_begun(routes, on, query);
        }
        self.search.straighten(view, model, Straightening::whole(None))
    }

    /// The corridor of the cheapest path, without trying the straight line first.
    fn find<M: CostModel>(
        &mut self,
        routes: CustomizedHierarchy,
        on: (&View, &M),
        query: &Query,
    ) -> Outcome {
        if self.search.begin(on.0, on.1, query) == Progress::Running {
            self.find_begun(routes, on, query);
        }
        self.search.outcome()
    }

    fn find_begun<M: CostModel>(
        &mut self,
        routes: CustomizedHierarchy,
        (view, model): (&View, &M),
        query: &Query,
    ) {
        let RouteSearch { search, query: own } = self;
        let mut progress = Progress::Running;
        if routes.fits(view, query) {
            progress = search.finish_with(model, Engine::Routes, |metric, ends, corridor| {
                own.on(routes).find(metric, ends, corridor)
            });
        }
        while progress == Progress::Running {
            progress = search.advance(view, model, u32::MAX);
        }
        search.fill_corridor(model);
    }

    fn table<M: CostModel>(
        &mut self,
        routes: CustomizedHierarchy,
        (view, model): (&View, &M),
        ends: TableEnds,
    ) -> Option<Vec<f32>> {
        self.query.on(routes).table(view, model, ends)
    }

    fn corridor(&self) -> &Corridor {
        self.search.corridor()
    }

    fn engine(&self) -> Engine {
        self.search.answer().engine
    }
}

/// Cells within cells even of a few dozen spans.
fn random_parameters(random: &mut Random) -> OrderParameters {
    OrderParameters {
        leaf_spans: random.pick(&[1, 2, 5, 12]),
        block_spans: random.pick(&[0, 1, 6, 20, 60]),
        open_block_spans: random.pick(&[0, 30, 90]),
        contribution_levels: random.pick(&[1, 2, 4]),
        cheap_contribution: random.pick(&[0, 4, 1000]),
        parallel_spans: random.pick(&[2, 50, 1 << 14]),
    }
}
