//! Provides [`Case`]: a random grid with a cost model, and queries on it.

use std::ops::Range;

use crate::cost::model::CostModel;
use crate::cost::{Metric, SlopeLimit};
use crate::grid::{Dir, NavGrid, SpanId};
use crate::path::corridor::Corridor;
use crate::path::path_search::{PathSearch, Progress};
use crate::search::heuristic::Heuristic;
use crate::search::query::Query;
use crate::view::Directions;
use crate::view::NavPoint;
use crate::view::{View, ViewRef};

use crate::tests::search::models::Model;
use crate::tests::search::plain::{By, Edge, Graph};
use crate::tests::search::random::Random;
use crate::tests::search::random_edits::edited;
use crate::tests::search::random_grids::{AGENT, layered};

/// A grid, who walks on it and what that costs.
pub(crate) struct Case {
    /// Tells a failure apart: the seed of everything random in it.
    pub seed: u64,
    pub grid: NavGrid,
    pub graph: Graph,
    pub model: Model,
    pub random: Random,
    pub walkable: Vec<SpanId>,
}

/// The cases of some seeds, but for grids that nobody walks on.
pub(crate) fn cases(seeds: Range<u64>) -> impl Iterator<Item = Case> {
    seeds.map(Case::new).filter(|case| !case.walkable.is_empty())
}

impl Case {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let grid = layered(&mut random);
        let model = Model::random(grid.frame().cell_size, &mut random);
        let (graph, walkable) = (Graph::new(&grid), walkable(&grid));
        Case { seed, graph, grid, model, random, walkable }
    }

    /// Goes on with the grid after a random change.
    pub fn edit(&mut self) {
        self.grid = edited(&self.grid, &mut self.random);
        (self.graph, self.walkable) = (Graph::new(&self.grid), walkable(&self.grid));
    }

    pub fn view(&self) -> View {
        View::new(&self.grid, AGENT).expect("an agent")
    }

    /// A random span that can be walked on.
    pub fn span(&mut self) -> SpanId {
        self.random.pick(&self.walkable)
    }

    /// A query between two spans, at their centers, that nothing is snapped for.
    pub fn query_between(&mut self, ends: [SpanId; 2]) -> Query {
        let [from, to] = ends.map(|span| NavPoint::center(&self.view().parts(), span).point);
        let random = &mut self.random;
        let heuristics =
            [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::None];
        let slope = random.between(0.1, 0.8);
        Query {
            snap_radius: Some(0.0),
            vertical_tolerance: Some(0.2),
            slope_limit: random.chance(30).then_some(slope),
            directions: random.pick(&[Directions::Eight, Directions::Eight, Directions::Four]),
            heuristic: random.pick(&heuristics),
            ..Query::new(from, to)
        }
    }

    /// Random spans and a query between them; mostly some way leads from one to the other.
    pub fn query(&mut self) -> ([SpanId; 2], Query) {
        let (from, mut to) = (self.span(), self.span());
        if self.random.chance(80) {
            let costs = self.graph.costs(from.0, |_| 1.0);
            let reached = self.walkable.iter().filter(|span| costs[span.index()].is_finite());
            to = self.random.pick(&reached.copied().collect::<Vec<_>>());
        }
        ([from, to], self.query_between([from, to]))
    }
}

fn walkable(grid: &NavGrid) -> Vec<SpanId> {
    let standings = (0..).zip(&grid.layers()[0].standings);
    let walkable = standings.filter(|(_, standing)| standing.is_walkable());
    walkable.map(|(span, _)| SpanId(span)).collect()
}

/// A metric for a query, in units so many times coarser than usual.
pub(crate) fn metric<'a, M: CostModel>(
    view: &'a ViewRef<'a>,
    model: &'a M,
    query: &Query,
    unit_exponent: i32,
) -> Metric<'a, M> {
    Metric::new(view, model, SlopeLimit::of(view, query.slope_limit), unit_exponent)
}

/// What an edge costs a query [units]; infinite where it is closed to it.
pub(crate) fn units<M: CostModel>(metric: &Metric<M>, query: &Query, edge: &Edge) -> f64 {
    let cost = match edge.by {
        By::Step(dir) if !goes(query, dir) => None,
        By::Step(dir) => step(metric, [edge.from, edge.to], dir),
        By::Link(link) => {
            let link_edges = metric.view.leaving(edge.from);
            let mut link_edges = link_edges
                .filter(|link_edge| link_edge.other.0 == edge.to && link_edge.link == link);
            link_edges.next().and_then(|link_edge| metric.link(link_edge))
        }
    };
    cost.map_or(f64::INFINITY, f64::from)
}

/// What a step costs [units]; `None` where it is forbidden.
pub(crate) fn step<M: CostModel>(metric: &Metric<M>, ends: [u32; 2], dir: Dir) -> Option<u32> {
    let [from, to] = ends.map(|span| metric.search_node(metric.view.address(span)));
    metric.between([&from, &to], dir)
}

/// Whether a query may step in a direction.
pub(crate) fn goes(query: &Query, dir: Dir) -> bool {
    query.directions == Directions::Eight || !dir.is_diagonal()
}

/// Searches without taking the straight line for granted.
pub(crate) fn run<'s, M: CostModel + ?Sized>(
    search: &'s mut PathSearch,
    (view, model): (&View, &M),
    query: &Query,
) -> &'s Corridor {
    let mut progress = search.begin(view, model, query);
    while progress == Progress::Running {
        progress = search.advance(view, model, u32::MAX);
    }
    search.corridor()
}

/// Whether a corridor leads from span to span over edges that are open, for as much as it says.
pub(crate) fn check_corridor(case: &Case, query: &Query, corridor: &Corridor, ends: [SpanId; 2]) {
    let view = case.view();
    let parts = view.parts();
    let metric = metric(&parts, &case.model, query, 0);
    let spans = corridor.spans();
    assert_eq!([spans[0], spans[spans.len() - 1]], ends, "seed {}", case.seed);
    let mut sum = 0.0;
    for (at, pair) in spans.windows(2).enumerate() {
        let link = corridor.link_to(at + 1);
        let fits = |edge: &&Edge| {
            let by_link = matches!(edge.by, By::Link(by) if Some(by) == link);
            let by_step = matches!(edge.by, By::Step(_)) && link.is_none();
            edge.to == pair[1].0 && (by_link || by_step)
        };
        let mut edges = case.graph.0[pair[0].index()].iter().filter(fits);
        sum += edges.next().map_or(f64::INFINITY, |edge| units(&metric, query, edge));
    }
    assert_eq!(metric.cost(sum as u32), corridor.cost(), "seed {}: {spans:?}", case.seed);
    assert!(sum.is_finite() && corridor.is_valid(&view), "seed {}: {spans:?}", case.seed);
}
