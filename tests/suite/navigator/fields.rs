//! Cost fields: many answers from one search.

use surefoot::search::{CostField, FieldQuery, Query};
use surefoot::view::{Flow, View};
use surefoot::cost::HeightCost;
use surefoot::path::Progress;
use surefoot::navigator::Navigator;
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId};

/// Hills of 30 x 30 cells of 0.5 m with pits nobody can enter.
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

fn searched(terrain: &View, model: &HeightCost, ends: [SpanId; 2]) -> Option<f32> {
    let mut search = Navigator::default();
    let [from, to] = ends.map(|span| terrain.grid().point(span).unwrap());
    let query = Query { snap_radius: Some(0.0), ..Query::new(from, to) };
    search.begin(terrain, model, &query);
    while search.advance(terrain, model, u32::MAX) == Progress::Running {}
    search.outcome().has_path().then(|| search.corridor().cost())
}

#[test]
fn costs_equal_a_search_each_in_both_directions() {
    let grid = hills();
    let terrain = View::new(&grid, AgentId(0)).unwrap();
    let model = HeightCost { ascend: 3.0, descend: 0.5 };
    let middle = grid.span_at([7.0, 0.0, 7.0], 5.0).unwrap();
    let mut field = CostField::default();
    for flow in [Flow::ToSources, Flow::FromSources] {
        field.fill(&terrain, &model, &FieldQuery { flow, ..FieldQuery::to(&[middle]) });
        let mut compared = 0;
        for span in (0..grid.spans().len() as u32).step_by(7).map(SpanId) {
            let ends = if flow == Flow::ToSources { [span, middle] } else { [middle, span] };
            assert_eq!(field.cost(span), searched(&terrain, &model, ends), "{flow:?} {span:?}");
            compared += usize::from(field.cost(span).is_some());
        }
        assert!(compared > 80, "only {compared} were reached");
    }
}

#[test]
fn following_the_field_leads_to_the_nearest_source() {
    let grid = hills();
    let terrain = View::new(&grid, AgentId(0)).unwrap();
    let sources = [[2.0, 2.0], [12.0, 3.0], [6.0, 13.0]]
        .map(|[x, z]| grid.nearest_walkable(AgentId(0), [x, 0.0, z], 2.0).unwrap().0);
    let mut field = CostField::default();
    field.fill(&terrain, &HeightCost::default(), &FieldQuery::to(&sources));
    for &span in field.reached() {
        let (mut at, mut cost) = (span, field.cost(span).unwrap());
        while let Some(next) = field.next(at) {
            let onward = field.cost(next).unwrap();
            assert!(onward < cost);
            (at, cost) = (next, onward);
        }
        assert!(sources.contains(&at) && cost == 0.0);
    }
}

#[test]
fn limits_by_cost_and_by_circle_hold_exactly() {
    let grid = hills();
    let terrain = View::new(&grid, AgentId(0)).unwrap();
    let model = HeightCost::default();
    let middle = [grid.span_at([7.0, 0.0, 7.0], 5.0).unwrap()];
    let (mut all, mut near) = (CostField::default(), CostField::default());
    all.fill(&terrain, &model, &FieldQuery::from(&middle));
    near.fill(&terrain, &model, &FieldQuery { within: 3.0, ..FieldQuery::from(&middle) });
    let within = all.reached().iter().filter(|&&span| all.cost(span).unwrap() <= 3.0);
    assert_eq!(within.count(), near.reached().len());
    assert!(near.reached().iter().all(|&span| near.cost(span) == all.cost(span)));

    let center = grid.point(middle[0]).unwrap();
    let circle = Some((center, 2.0));
    near.fill(&terrain, &model, &FieldQuery { circle, ..FieldQuery::from(&middle) });
    let apart = |span| (grid.point(span).unwrap() - center).xz().norm();
    assert!(near.reached().len() > 20);
    assert!(near.reached().iter().all(|&span| apart(span) <= 2.0));
}

#[test]
fn the_nearest_goal_is_the_cheapest() {
    let grid = hills();
    let terrain = View::new(&grid, AgentId(0)).unwrap();
    let model = HeightCost { ascend: 8.0, descend: 0.0 };
    let start = [grid.span_at([7.0, 0.0, 7.0], 5.0).unwrap()];
    let mut field = CostField::default();
    let goals: Vec<SpanId> = (0..grid.spans().len() as u32).step_by(97).map(SpanId).collect();
    let nearest = field.nearest(&terrain, &model, (&FieldQuery::from(&start), &goals)).unwrap();
    let costs = goals.iter().map(|&goal| searched(&terrain, &model, [start[0], goal]));
    let costs: Vec<f32> = costs.map(|cost| cost.unwrap_or(f32::INFINITY)).collect();
    let least = costs.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(costs[nearest], least);
    assert_eq!(field.cost(goals[nearest]), Some(least));
    assert!(field.reached().len() < grid.spans().len() / 2, "it stopped at the goal");
    assert_eq!(field.nearest(&terrain, &model, (&FieldQuery::from(&start), &[SpanId(9999)])), None);
}

#[test]
fn random_places_are_reachable_spread_out_and_the_same_for_a_seed() {
    let grid = hills();
    let terrain = View::new(&grid, AgentId(0)).unwrap();
    let middle = [grid.span_at([7.0, 0.0, 7.0], 5.0).unwrap()];
    let center = grid.point(middle[0]).unwrap();
    let query = FieldQuery { circle: Some((center, 3.0)), ..FieldQuery::from(&middle) };
    let mut field = CostField::default();
    assert_eq!(field.random_place(&terrain, 1), None);
    field.fill(&terrain, &HeightCost::FLAT, &query);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..500 {
        let place = field.random_place(&terrain, seed).unwrap();
        assert_eq!(field.random_place(&terrain, seed), Some(place));
        assert!(field.cost(place.span).is_some());
        assert_eq!(grid.span_at(place.point, 0.5), Some(place.span));
        let ground = grid.ground_height(place.point.x, place.point.z, place.span).unwrap();
        assert_eq!(place.point.y, ground);
        seen.insert(place.span);
    }
    assert!(
        seen.len() > field.reached().len() * 9 / 10,
        "{} spans of {}",
        seen.len(),
        field.reached().len()
    );
}
