//! Links: costs there and back differ only for the supernodes whose cells they lead out of or
//! through, and routes over all kinds of links cost what the plainest search finds.

use std::sync::Arc;

use crate::agent::Agent;
use crate::cch::hierarchy::Hierarchy;
use crate::cch::metric::{HierarchyMetric, RouteRules, UpwardArcs};
use crate::cch::{CustomizedHierarchy, TableEnds, find_order};
use crate::cost::Metric;
use crate::cost::model::{CellCost, HeightCost};
use crate::grid::baker::{finish_layer, two_way_ends};
use crate::grid::{Cell, GridFrame, Link, LinkId, LinkKind, LinkLane, LinkStop, NavGrid, SpanId};
use crate::path::path_search::PathSearch;
use crate::search::heuristic::Heuristic;
use crate::search::outcome::{Engine, Outcome};
use crate::search::query::Query;
use crate::tests::cch::RouteSearch;
use crate::tests::cch::change_laws::change;
use crate::tests::search::cases::{Case, check_corridor, metric, run, units};
use crate::tests::search::models::Model;
use crate::tests::search::plain::Graph;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::AGENT;
use crate::view::overlay::Overlay;
use crate::view::{Directions, LinkFilter, View};

use crate::tests::cch::random_parameters;

/// Two uneven plateaus, one as far above the other as given [m], that a ramp joins along one side.
fn plateaus(rise: f32, random: &mut Random) -> NavGrid {
    let [size_x, size_z] = [0; 2].map(|_| 12 + random.below(20) as u32);
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(-3, 5), size_x, size_z };
    let wobble = random.pick(&[0.0, 0.2]);
    let [tilt_x, tilt_z] = [0; 2].map(|_| random.between(-0.2, 0.2));
    let height = |at: usize| {
        let [x, z] = [at as u32 % size_x, at as u32 / size_x].map(|along| along as f32);
        let along = 2.0 * x / size_x as f32;
        let plateau = if z < 3.0 { along.min(1.0) } else { along.floor() };
        let hole = if random.chance(4) { f32::NAN } else { 0.0 };
        rise * plateau + tilt_x * x + tilt_z * z + random.between(-wobble, wobble) + hole
    };
    let heights: Vec<f32> = (0..frame.cells()).map(height).collect();
    let agent = Agent { max_climb: 1.5, slope_limit: 1.4, ..Agent::new("walker") };
    NavGrid::from_heights(frame, &heights, &[agent]).expect("sound heights")
}

fn walkable(grid: &NavGrid) -> Vec<SpanId> {
    let view = View::new(grid, AGENT).expect("an agent");
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    spans.filter(|&span| view.is_walkable(span)).collect()
}

/// The same grid with links.
fn with_links(grid: NavGrid, links: Vec<Link>) -> NavGrid {
    let mut parts = grid.into_parts();
    parts.links = links;
    let two_way = two_way_ends(&parts.links, AGENT);
    finish_layer(&parts.frame, &parts.first, &two_way, &mut parts.layers[0]).expect("few regions");
    NavGrid::new(parts).expect("a sound grid")
}

/// A link between spans, from the first end of each lane to the other.
fn link(grid: &NavGrid, kind: LinkKind, lanes: &[[SpanId; 2]]) -> Link {
    let ends = lanes[0].map(|span| grid.point(span).expect("a span of the grid"));
    let lanes = vec![lanes.iter().map(|&spans| LinkLane::new(spans)).collect()];
    Link { lanes, ..Link::new("", kind, ends) }
}

/// Two different ones of several spans.
fn two_of(spans: &[SpanId], random: &mut Random) -> [SpanId; 2] {
    let first = random.below(spans.len());
    let beyond = 1 + random.below(spans.len() - 1);
    [first, (first + beyond) % spans.len()].map(|at| spans[at])
}

/// So many links of all kinds between random spans; a lift counts as one and has several stops. Some
/// cost less than the difference of the potentials of their ends.
fn random_links(grid: &NavGrid, count: usize, random: &mut Random) -> Vec<Link> {
    let ends = walkable(grid);
    let mut links = Vec::new();
    for number in 0..count {
        let [from, to] = two_of(&ends, random);
        let name = format!("link {number}");
        let most = random.pick(&[0.0, 1.0, 20.0]);
        let cost = random.between(0.0, most);
        let two_way = random.chance(50);
        let named = |link| Link { id: LinkId::of(&name), name: name.clone(), cost, ..link };
        match random.below(5) {
            0 => links
                .push(named(Link { two_way: true, ..link(grid, LinkKind::Ladder, &[[from, to]]) })),
            1 => {
                let is_down = grid.spans()[from.index()].floor > grid.spans()[to.index()].floor;
                let ends = if is_down { [from, to] } else { [to, from] };
                links.push(named(link(grid, LinkKind::Drop, &[ends])));
            }
            2 => links.push(named(Link { two_way, ..link(grid, LinkKind::Jump, &[[from, to]]) })),
            3 => {
                let mut lanes = vec![[from, to]];
                lanes.extend((0..3).map(|_| two_of(&ends, random)));
                lanes.sort_unstable();
                lanes.dedup();
                links.push(named(Link { two_way, ..link(grid, LinkKind::Climb, &lanes) }));
            }
            _ => links.extend((0..3).map(|number| {
                let stop = Some(LinkStop { moving: LinkId::of(&name), number });
                let name = format!("{name}, stop {number}");
                let lane = two_of(&ends, random);
                let lift = link(grid, LinkKind::Authored, &[lane]);
                Link { id: LinkId::of(&name), name, cost, two_way, stop, ..lift }
            })),
        }
    }
    links
}

/// Plateaus with links, and a model by which the directions of a step differ by its heights alone.
fn linked_case(seed: u64) -> Case {
    let mut random = Random(seed);
    let rise = random.pick(&[0.0, 3.0, 9.0]);
    let grid = plateaus(rise, &mut random);
    let links = random_links(&grid, random.pick(&[0, 1, 1, 2, 5, 12]), &mut random);
    let grid = with_links(grid, links);
    let [ascend, descend] = [0; 2].map(|_| random.pick(&[0.0, 0.5, 1.0, 7.0, 100.0]));
    let cell = CellCost { height: ascend, ..CellCost::ten_fourteen(1.0) };
    let model = match random.chance(80) {
        true => Model::Height(HeightCost { ascend, descend }),
        false => Model::Cell(cell),
    };
    let walkable = walkable(&grid);
    Case { seed, graph: Graph::new(&grid), grid, model, random, walkable }
}

fn hierarchy(case: &mut Case) -> Hierarchy {
    let parameters = random_parameters(&mut case.random);
    Hierarchy::with_parameters(&case.view().without_overlay().parts(), parameters)
}

/// A query that routes by the usual rules may answer.
fn query_between(case: &mut Case, ends: [SpanId; 2]) -> Query {
    let query = case.query_between(ends);
    Query { slope_limit: None, directions: Directions::Eight, ..query }
}

/// The number of links, each direction by itself, that cost less than the potentials of their ends differ
/// by.
fn count_negative(case: &Case) -> usize {
    let view = case.view();
    let parts = view.parts();
    let metric = Metric::new(&parts, &case.model, None, 0);
    let potential = |span: SpanId| metric.least.potential(parts.floor(span.0)).node();
    let links = parts.open_links();
    let reduced = links.map(|edge| {
        let cost = i64::from(metric.link(edge).expect("it is open"));
        cost + potential(edge.at) - potential(edge.other)
    });
    reduced.filter(|&cost| cost < 0).count()
}

/// What was met in the tests.
#[derive(Debug, Default)]
struct Counts {
    complete: usize,
    by_link: usize,
    negative: usize,
    mixed: usize,
}

/// Compares single queries and a table with the plainest search.
fn check_routes(
    case: &mut Case,
    (routes, view): (CustomizedHierarchy, &View),
    counts: &mut Counts,
) {
    let (seed, model) = (case.seed, case.model);
    let mut search = RouteSearch::default();
    let (from, to): (Vec<_>, Vec<_>) = (0..6).map(|_| (case.span(), case.span())).unzip();
    let ends = TableEnds { from: &from, to: &to };
    let table = search.table(routes, (view, &model), ends).expect("countable costs");
    let parts = view.parts();
    for (&start, row) in from.iter().zip(table.chunks(to.len())) {
        let query = query_between(case, [start, start]);
        let metric = metric(&parts, &model, &query, 0);
        let all = case.graph.costs(start.0, |edge| units(&metric, &query, edge));
        for (&goal, &cost) in to.iter().zip(row) {
            let query = query_between(case, [start, goal]);
            let outcome = search.find(routes, (view, &model), &query);
            let is_reached = all[goal.index()].is_finite();
            assert_eq!([outcome == Outcome::Complete, cost.is_finite()], [is_reached; 2], "{seed}");
            if is_reached {
                assert_eq!(search.engine(), Engine::Routes, "seed {seed}");
                let corridor = search.corridor();
                let least = metric.cost(all[goal.index()] as u32);
                assert_eq!([corridor.cost(), cost], [least; 2], "seed {seed}");
                check_corridor(case, &query, corridor, [start, goal]);
                let mut steps = 1..corridor.spans().len();
                counts.by_link += usize::from(steps.any(|at| corridor.link_to(at).is_some()));
                counts.complete += 1;
            }
        }
    }
}

#[test]
fn routes_over_links_cost_what_the_plainest_search_finds() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let mut case = linked_case(seed);
        let hierarchy = hierarchy(&mut case);
        let view = case.view();
        let costs = hierarchy.customize(&view, &case.model, RouteRules::default());
        assert!(costs.basis.is_symmetric, "seed {seed}");
        assert_eq!(costs.bytes(), hierarchy.metric_bytes(&view, &case.model), "seed {seed}");
        let tree = &hierarchy.tree;
        let above_blocks = (0..tree.supernodes.len()).filter(|&at| !tree.is_in_block(at));
        let mut above_blocks = above_blocks.map(|at| tree.is_directed(at));
        let is_mixed =
            above_blocks.clone().any(|directed| directed) && above_blocks.any(|directed| !directed);
        counts.mixed += usize::from(is_mixed);
        counts.negative += count_negative(&case);
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        check_routes(&mut case, (routes, &view), &mut counts);
    }
    let Counts { complete, by_link, negative, mixed } = counts;
    assert!([complete, by_link, negative, mixed].iter().all(|&count| count > 100), "{counts:?}");
}

/// Links open and close, lifts go to other stops, obstacles come and go.
#[test]
fn updates_with_links_equal_customization() {
    let mut search = RouteSearch::default();
    let (mut found, mut stops) = (0, 0);
    for seed in 0..120 {
        let mut case = linked_case(seed);
        let hierarchy = hierarchy(&mut case);
        let mut costs = hierarchy.customize(&case.view(), &case.model, RouteRules::default());
        let mut overlay = Overlay::new(&case.grid);
        let mut placed = Vec::new();
        for _ in 0..8 {
            change(&mut case, &mut overlay, &mut placed);
            let mut moving =
                (0..case.grid.links().len()).filter(|&at| case.grid.links()[at].stop.is_some());
            if let Some(link) = moving.next_back() {
                let stop = case.random.pick(&[None, Some(0), Some(1), Some(2)]);
                overlay.set_link_stop(link, stop).expect("it has three stops");
                stops += 1;
            }
            let view = View::new(&case.grid, AGENT).expect("an agent");
            let view = view.with_overlay(Arc::new(overlay.clone())).expect("its grid");
            hierarchy.update(&mut costs, &view, &case.model);
            let fresh = hierarchy.customize(&view, &case.model, RouteRules::default());
            assert!(costs == fresh, "seed {seed}");
            let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
            for links in [LinkFilter::ALL, LinkFilter::only(&[LinkKind::Ladder])] {
                let ends = [case.span(), case.span()];
                let query = Query { links, ..query_between(&mut case, ends) };
                let plain = Query { heuristic: Heuristic::None, ..query.clone() };
                let expected = run(&mut PathSearch::default(), (&view, &case.model), &plain).cost();
                search.find(routes, (&view, &case.model), &query);
                assert_eq!(search.corridor().cost(), expected, "seed {seed}");
                found += usize::from(search.engine() == Engine::Routes);
            }
        }
    }
    assert!(found > 100 && stops > 100, "{found}, {stops}");
}

/// Whether a link leads within a supernode's cell, or from there on: its lower end is in the cell.
fn has_link(hierarchy: &Hierarchy, grid: &NavGrid, supernode: usize) -> bool {
    let tree = &hierarchy.tree;
    let cell = tree.supernodes[tree.block(supernode).unwrap_or(supernode)].ranks();
    let lanes = grid.links().iter().flat_map(|link| link.lanes_of(AGENT.index()));
    let ends = |lane: &LinkLane| lane.spans.map(|span| tree.ranks[span.index()]);
    lanes.map(ends).any(|ranks| cell.contains(&ranks[0].min(ranks[1])))
}

/// Asserts that one number serves both directions wherever there is no link.
fn check_sizes(hierarchy: &Hierarchy, grid: &NavGrid, costs: &HierarchyMetric) {
    let tree = &hierarchy.tree;
    for (at, stored) in costs.supernodes.iter().enumerate() {
        let has_link = has_link(hierarchy, grid, at);
        assert_eq!(tree.is_directed(at), has_link, "supernode {at}");
        let (separator, front_size) = (tree.separator_size(at), tree.front_size(at));
        let count = UpwardArcs::count(separator, front_size, !has_link);
        assert_eq!(stored.arcs.len(), if tree.is_in_block(at) { 0 } else { count });
        let boundary = tree.boundary(at).len();
        let both = boundary * boundary;
        let contribution = if has_link { both } else { (both + boundary) / 2 };
        let is_stored =
            tree.stores_contribution(at) && tree.block(at).is_none_or(|block| block == at);
        assert_eq!(stored.contribution.len(), if is_stored { contribution } else { 0 });
    }
}

#[test]
fn supernodes_without_links_store_one_direction() {
    let model = HeightCost::default();
    for seed in 0..60 {
        let mut random = Random(seed);
        let grid = plateaus(4.0, &mut random);
        for count in [0, 1, 3] {
            let links = random_links(&grid, count, &mut random);
            let grid = with_links(grid.clone(), links);
            let view = View::new(&grid, AGENT).expect("an agent");
            let parameters = random_parameters(&mut random);
            let hierarchy = Hierarchy::with_parameters(&view.without_overlay().parts(), parameters);
            let costs = hierarchy.customize(&view, &model, RouteRules::default());
            check_sizes(&hierarchy, &grid, &costs);
            assert_eq!(hierarchy.tree.has_directed, count > 0, "seed {seed}");
            // What one lane makes directed lies on one path to the root.
            if let [link] = grid.links()
                && let [lane] = link.lanes_of(AGENT.index())
            {
                let tree = &hierarchy.tree;
                let lower = lane.spans.map(|span| tree.ranks[span.index()]).into_iter().min();
                let supernode = tree.supernode_of(lower.expect("two ends"));
                let supernode = tree.block(supernode).unwrap_or(supernode);
                assert!(tree.path_to_root(supernode).all(|at| tree.is_directed(at)));
                let above =
                    tree.path_to_root(supernode).filter(|&at| !tree.is_in_block(at)).count();
                let all = (0..tree.supernodes.len()).filter(|&at| !tree.is_in_block(at));
                assert_eq!(all.filter(|&at| tree.is_directed(at)).count(), above, "seed {seed}");
            }
        }
    }
}

/// A file with an order of its own has the same costs as the grid that it was written from.
#[test]
fn stored_orders_have_the_same_costs() {
    for seed in 0..40 {
        let case = linked_case(seed);
        let order = find_order(&case.grid, AGENT, &()).expect("an order");
        let grid = case.grid.clone().with_order(AGENT, order).expect("it was found for this grid");
        let bytes = grid.to_bytes().expect("it can be written");
        let stored = NavGrid::from_bytes(&bytes).expect("it can be read");
        let [own, other] = [&case.grid, &stored].map(|grid| {
            let hierarchy = Hierarchy::new(grid, AGENT).expect("ground that comes apart");
            let view = View::new(grid, AGENT).expect("an agent");
            let costs = hierarchy.customize(&view, &case.model, RouteRules::default());
            (hierarchy.tree, costs.supernodes)
        });
        assert!(own == other, "seed {seed}");
    }
}

/// Falls cost nothing, but their reduced costs may overflow, by which the cheapest path could be missed.
#[test]
fn reduced_costs_that_overflow_are_searched() {
    let mut search = RouteSearch::default();
    let mut engines = Vec::new();
    for seed in 0..150 {
        let mut random = Random(seed);
        let grid = plateaus(11.0, &mut random);
        let links = random_links(&grid, 3, &mut random);
        let grid = with_links(grid, links);
        let ascend = random.pick(&[1e2, 7e4, 1.6e5, 4e5]);
        let model = Model::Height(HeightCost { ascend, descend: 0.0 });
        let walkable = walkable(&grid);
        let mut case = Case { seed, graph: Graph::new(&grid), grid, model, random, walkable };
        let hierarchy = hierarchy(&mut case);
        let view = case.view();
        let costs = hierarchy.customize(&view, &model, RouteRules::default());
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        let parts = view.parts();
        for _ in 0..20 {
            let ends = [case.span(), case.span()];
            let query = query_between(&mut case, ends);
            let metric = metric(&parts, &model, &query, costs.basis.unit_exponent);
            let least = case.graph.costs(ends[0].0, |edge| units(&metric, &query, edge));
            let least = least[ends[1].index()];
            let outcome = search.find(routes, (&view, &model), &query);
            assert_eq!(outcome == Outcome::Complete, least.is_finite(), "seed {seed}");
            let expected =
                if least.is_finite() { metric.cost(least as u32) } else { f32::INFINITY };
            let ends = TableEnds { from: &ends[..1], to: &ends[1..] };
            let table = search.table(routes, (&view, &model), ends);
            assert!(table.is_none_or(|table| table == [expected]), "seed {seed}");
            if least.is_finite() {
                // A search that overflows counts in coarser units.
                let is_routed = search.engine() == Engine::Routes;
                assert!(!is_routed || search.corridor().cost() == expected, "seed {seed}");
                engines.push(search.engine());
            }
        }
    }
    assert!(engines.contains(&Engine::Routes) && engines.contains(&Engine::AStar));
}
