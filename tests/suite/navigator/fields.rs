//! Cost fields: many answers from one search.

use surefoot::cost::HeightCost;
use surefoot::path::Progress;
use surefoot::search::{CostField, FieldQuery, Query};
use surefoot::view::Flow;
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, Navigator, SpanId};

/// Hills of 30 x 30 cells of 0.5 m with pits that nobody can enter.
fn hills() -> NavGrid {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: 30, size_z: 30 };
    let height = |index: usize| {
        let (x, z) = ((index % 30) as f32, (index / 30) as f32);
        let pit = ((index * 2_654_435_761) >> 9).is_multiple_of(11);
        if pit { f32::NAN } else { (x * 0.4).sin() + (z * 0.3).cos() * 0.8 }
    };
    let heights: Vec<f32> = (0..frame.cells()).map(height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).unwrap()
}

/// A navigator on the hills, and the span in their middle.
fn in_the_middle(model: HeightCost) -> (Navigator, SpanId) {
    let nav = Navigator::with_model(hills(), "human", model).unwrap();
    let middle = nav.grid().span_at([7.0, 0.0, 7.0], 5.0).unwrap();
    (nav, middle)
}

/// The cost of the cheapest corridor between two spans, by a search of its own.
fn searched(nav: &mut Navigator, ends: [SpanId; 2]) -> Option<f32> {
    let [from, to] = ends.map(|span| nav.grid().point(span).unwrap());
    nav.begin_search(&Query { snap_radius: Some(0.0), ..Query::new(from, to) });
    while nav.advance(u32::MAX) == Progress::Running {}
    nav.answer().outcome.has_path().then(|| nav.corridor().cost())
}

#[test]
fn costs_equal_a_search_each_in_both_directions() {
    let (mut nav, middle) = in_the_middle(HeightCost { ascend: 3.0, descend: 0.5 });
    let mut field = CostField::default();
    for flow in [Flow::ToSources, Flow::FromSources] {
        nav.fill(&mut field, &FieldQuery { flow, ..FieldQuery::to(&[middle]) });
        let mut compared = 0;
        for span in (0..nav.grid().spans().len() as u32).step_by(7).map(SpanId) {
            let ends = if flow == Flow::ToSources { [span, middle] } else { [middle, span] };
            assert_eq!(field.cost(span), searched(&mut nav, ends), "{flow:?} {span:?}");
            compared += usize::from(field.cost(span).is_some());
        }
        assert!(compared > 80, "only {compared} were reached");
    }
}

#[test]
fn following_the_field_leads_to_the_nearest_source() {
    let nav = Navigator::new(hills(), "human").unwrap();
    let sources = [[2.0, 2.0], [12.0, 3.0], [6.0, 13.0]]
        .map(|[x, z]| nav.grid().nearest_walkable(AgentId(0), [x, 0.0, z], 2.0).unwrap().0);
    let field = nav.field(&FieldQuery::to(&sources));
    for &span in field.reached() {
        let (mut at, mut cost) = (span, field.cost(span).unwrap());
        while let Some(next) = field.next(at) {
            let remaining = field.cost(next).unwrap();
            assert!(remaining < cost);
            (at, cost) = (next, remaining);
        }
        assert!(sources.contains(&at) && cost == 0.0);
    }
}

#[test]
fn limits_by_cost_and_by_circle_hold_exactly() {
    let (nav, middle) = in_the_middle(HeightCost::default());
    let sources = [middle];
    let all = nav.field(&FieldQuery::from(&sources));
    let mut near = nav.field(&FieldQuery { within: 3.0, ..FieldQuery::from(&sources) });
    let within = all.reached().iter().filter(|&&span| all.cost(span).unwrap() <= 3.0);
    assert_eq!(within.count(), near.reached().len());
    assert!(near.reached().iter().all(|&span| near.cost(span) == all.cost(span)));

    let grid = nav.grid();
    let center = grid.point(middle).unwrap();
    let circle = Some((center, 2.0));
    nav.fill(&mut near, &FieldQuery { circle, ..FieldQuery::from(&sources) });
    let distance = |span| (grid.point(span).unwrap() - center).xz().norm();
    assert!(near.reached().len() > 20);
    assert!(near.reached().iter().all(|&span| distance(span) <= 2.0));
}

#[test]
fn the_nearest_goal_is_the_cheapest() {
    let (mut nav, start) = in_the_middle(HeightCost { ascend: 8.0, descend: 0.0 });
    let spans = nav.grid().spans().len();
    let goals: Vec<SpanId> = (0..spans as u32).step_by(97).map(SpanId).collect();
    let costs = goals.iter().map(|&goal| searched(&mut nav, [start, goal]));
    let costs: Vec<f32> = costs.map(|cost| cost.unwrap_or(f32::INFINITY)).collect();
    let least = costs.iter().copied().fold(f32::INFINITY, f32::min);
    let mut field = CostField::default();
    let sources = [start];
    let mut nearest = |until: &[SpanId]| {
        let query = FieldQuery { until, ..FieldQuery::from(&sources) };
        field.nearest(nav.view(), nav.model(), &query)
    };
    let found = nearest(&goals).unwrap();
    assert_eq!(costs[found], least);
    assert_eq!(nearest(&[SpanId(9999)]), None);
    assert_eq!(nearest(&goals), Some(found));
    assert_eq!(field.cost(goals[found]), Some(least));
    assert!(field.reached().len() < spans / 2, "it stopped at the goal");
}

#[test]
fn random_places_are_reachable_spread_out_and_the_same_for_a_seed() {
    let (nav, middle) = in_the_middle(HeightCost::FLAT);
    let (grid, view) = (nav.grid(), nav.view());
    let circle = Some((grid.point(middle).unwrap(), 3.0));
    let mut field = CostField::default();
    assert_eq!(field.random_place(view, 1), None);
    nav.fill(&mut field, &FieldQuery { circle, ..FieldQuery::from(&[middle]) });
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..500 {
        let place = field.random_place(view, seed).unwrap();
        assert_eq!(field.random_place(view, seed), Some(place));
        assert!(field.cost(place.span).is_some());
        assert_eq!(grid.span_at(place.point, 0.5), Some(place.span));
        let ground = grid.ground_height(place.point.x, place.point.z, place.span).unwrap();
        assert_eq!(place.point.y, ground);
        seen.insert(place.span);
    }
    let reached = field.reached().len();
    assert!(seen.len() > reached * 9 / 10, "{} spans of {reached}", seen.len());
}
