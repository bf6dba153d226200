//! Provides [`Case`]: a random grid with a cost model, and queries on it.

use std::ops::Range;

use crate::grid::{Dir, NavGrid, SpanId};
use crate::solve::corridor::Corridor;
use crate::solve::cost::CostModel;
use crate::solve::ends::Footing;
use crate::solve::heuristic::Heuristic;
use crate::solve::query::{Directions, Query};
use crate::solve::search::{Progress, Search};
use crate::solve::tariff::{SlopeLimit, Tariff};
use crate::solve::terrain::Terrain;

use super::models::Model;
use super::plain::{By, Edge, Graph};
use super::random::Random;
use super::random_grids::{AGENT, layered};

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
        let standings = (0..).zip(&grid.layers()[0].standings);
        let walkable = standings.filter(|(_, standing)| standing.is_walkable());
        let walkable = walkable.map(|(span, _)| SpanId(span)).collect();
        Case { seed, graph: Graph::new(&grid), grid, model, random, walkable }
    }

    pub fn terrain(&self) -> Terrain<'_> {
        Terrain::new(&self.grid, AGENT).expect("an agent")
    }

    /// A random span that can be walked on.
    pub fn span(&mut self) -> SpanId {
        self.random.pick(&self.walkable)
    }

    /// A query between two spans, at their centers, that nothing is snapped for.
    pub fn query_between(&mut self, ends: [SpanId; 2]) -> Query {
        let [from, to] = ends.map(|span| Footing::center(&self.terrain(), span).point);
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

/// A tariff for a query, in units so many times coarser than usual.
pub(crate) fn tariff<'a, M: CostModel>(
    terrain: &'a Terrain<'a>,
    model: &'a M,
    query: &Query,
    coarseness: i32,
) -> Tariff<'a, M> {
    Tariff::new(terrain, model, SlopeLimit::of(terrain, query.slope_limit), coarseness)
}

/// What an edge costs a query [units]; infinite where it is closed to it.
pub(crate) fn units<M: CostModel>(tariff: &Tariff<M>, query: &Query, edge: &Edge) -> f64 {
    let cost = match edge.by {
        By::Step(dir) if !goes(query, dir) => None,
        By::Step(dir) => step(tariff, [edge.from, edge.to], dir),
        By::Link(link) => {
            let exits = tariff.terrain.leaving(edge.from);
            let mut exits = exits.filter(|exit| exit.other.0 == edge.to && exit.link == link);
            exits.next().and_then(|exit| tariff.link(exit))
        }
    };
    cost.map_or(f64::INFINITY, f64::from)
}

/// What a step costs [units]; `None` where it is forbidden.
pub(crate) fn step<M: CostModel>(tariff: &Tariff<M>, ends: [u32; 2], dir: Dir) -> Option<u32> {
    let [from, to] = ends.map(|span| tariff.foothold(tariff.terrain.spot(span)));
    tariff.between([&from, &to], dir)
}

/// Whether a query may step in a direction.
pub(crate) fn goes(query: &Query, dir: Dir) -> bool {
    query.directions == Directions::Eight || !dir.is_diagonal()
}

/// Searches without taking the straight line for granted.
pub(crate) fn run<'s, M: CostModel>(
    search: &'s mut Search,
    (terrain, model): (&Terrain, &M),
    query: &Query,
) -> &'s Corridor {
    let mut progress = search.begin(terrain, model, query);
    while progress == Progress::Running {
        progress = search.advance(terrain, model, u32::MAX);
    }
    search.corridor()
}

/// Whether a corridor leads from span to span over edges that are open, for as much as it says.
pub(crate) fn check_corridor(case: &Case, query: &Query, corridor: &Corridor, ends: [SpanId; 2]) {
    let terrain = case.terrain();
    let tariff = tariff(&terrain, &case.model, query, 0);
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
        sum += edges.next().map_or(f64::INFINITY, |edge| units(&tariff, query, edge));
    }
    assert_eq!(tariff.cost(sum as u32), corridor.cost(), "seed {}: {spans:?}", case.seed);
    assert!(sum.is_finite() && corridor.is_valid(&terrain), "seed {}: {spans:?}", case.seed);
}
