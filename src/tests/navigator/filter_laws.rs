//! Filters by area against the plainest search, overlays and cost models.

use std::sync::Arc;

use crate::cost::{CostLowerBound, CostModel, Edge, HeightCost};
use crate::grid::{AreaId, Link, LinkKind, NavGrid, SpanId};
use crate::navigator::Navigator;
use crate::search::{Engine, FieldQuery, Outcome, PathError, Query};
use crate::tests::navigator::searched;
use crate::tests::search::cases::{Case, cases, metric, units};
use crate::tests::search::plain::By;
use crate::tests::search::random_grids::AGENT;
use crate::view::{AreaFilter, LinkFilter, Overlay};

fn navigator(case: &Case) -> Navigator {
    Navigator::with_model(case.grid.clone(), AGENT, case.model).expect("an agent")
}

fn area(grid: &NavGrid, span: SpanId) -> AreaId {
    grid.spans()[span.index()].area()
}

/// A forbidden area is gone round at the least cost, or the goal is out of reach.
#[test]
fn forbidden_areas_are_gone_round() {
    let (mut complete, mut unreachable, mut costlier) = (0, 0, 0);
    for mut case in cases(0..6000) {
        let (ends, query) = case.query();
        let forbidden = AreaId(case.random.below(case.grid.areas().len()) as u8);
        let is_open = |span: SpanId| area(&case.grid, span) != forbidden;
        if !ends.iter().all(|&end| is_open(end)) {
            continue;
        }
        let free = searched(&case.view(), &case.model, &query);
        let filter = AreaFilter::default().forbid(forbidden);
        let query = Query { filter, engine: Some(Engine::AStar), ..query };
        let filtered = case.view().filtered(&query.filter);
        let parts = filtered.parts();
        let metric = metric(&parts, &case.model, &query, 0);
        let costs = case.graph.costs(ends[0].0, |edge| {
            let is_allowed = [edge.from, edge.to].iter().all(|&end| is_open(SpanId(end)));
            if is_allowed { units(&metric, &query, edge) } else { f64::INFINITY }
        });
        let least = costs[ends[1].index()];
        let expected = if !case.graph.joins(ends[0], ends[1]) {
            Outcome::Failed(PathError::DifferentRegion)
        } else if least.is_infinite() {
            Outcome::Failed(PathError::Unreachable)
        } else {
            Outcome::Complete
        };
        let mut nav = navigator(&case);
        let answer = nav.find(&query).clone();
        assert_eq!(answer.outcome, expected, "seed {}", case.seed);
        if let Ok(path) = answer.path() {
            let crossed = path.waypoints().iter().map(|waypoint| waypoint.span);
            let crossed = crossed.chain(nav.corridor().spans().iter().copied());
            assert!(crossed.into_iter().all(is_open), "seed {}", case.seed);
            if answer.engine != Engine::Straight {
                assert_eq!(nav.corridor().cost(), metric.cost(least as u32), "seed {}", case.seed);
                costlier += usize::from(nav.corridor().cost() > free);
            }
            complete += 1;
        } else {
            unreachable += usize::from(expected == Outcome::Failed(PathError::Unreachable));
        }
    }
    assert!(
        complete > 2000 && unreachable > 200 && costlier > 15,
        "{complete} {unreachable} {costlier}"
    );
}

/// What a query may not take, it goes without, at the least cost, whoever answers.
#[test]
fn forbidden_links_are_not_taken() {
    let (mut compared, mut costlier, mut unreachable) = (0, 0, 0);
    for mut case in cases(0..4000) {
        let (ends, query) = case.query();
        let kinds = [LinkKind::Jump, LinkKind::Drop, LinkKind::Ladder, LinkKind::Door];
        let allowed: Vec<LinkKind> = kinds.into_iter().filter(|_| case.random.chance(50)).collect();
        let links = LinkFilter::only(&allowed);
        let open = Query { links, ..query.clone() };
        let view = case.view();
        let parts = view.parts();
        let metric = metric(&parts, &case.model, &query, 0);
        let costs = case.graph.costs(ends[0].0, |edge| match edge.by {
            By::Link(at) if !allowed.contains(&case.grid.links()[at as usize].kind) => {
                f64::INFINITY
            }
            _ => units(&metric, &query, edge),
        });
        let least = costs[ends[1].index()];
        let mut nav = navigator(&case);
        nav.prepare().expect("ground that comes apart");
        // Neither prepared routes nor a field that others left may answer.
        for _ in 0..6 {
            nav.find(&query);
        }
        let free = searched(&view, &case.model, &query);
        for engine in [None, Some(Engine::AStar), Some(Engine::Routes), Some(Engine::Field)] {
            let answer = nav.find(&Query { engine, ..open.clone() }).clone();
            assert_eq!(answer.outcome == Outcome::Complete, least.is_finite(), "{}", case.seed);
            if answer.outcome == Outcome::Complete && answer.engine != Engine::Straight {
                let cost = nav.corridor().cost();
                assert_eq!(cost, metric.cost(least as u32), "seed {}: {engine:?}", case.seed);
                (compared, costlier) = (compared + 1, costlier + usize::from(cost > free));
            }
        }
        unreachable += usize::from(least.is_infinite() && free > 0.0);
        let sources = [ends[1]];
        let rules = FieldQuery {
            links,
            slope_limit: query.slope_limit,
            directions: query.directions,
            ..FieldQuery::to(&sources)
        };
        let found = nav.field(&rules).cost(ends[0]);
        assert_eq!(found.is_some(), least.is_finite(), "seed {}", case.seed);
    }
    let counts = [compared, costlier, unreachable];
    assert!(compared > 4000 && costlier > 100 && unreachable > 100, "{counts:?}");
}

/// Ground that a query multiplies costs what it would if the grid had it so for everyone, whoever answers.
#[test]
fn scaled_areas_cost_as_if_all_paid_so_much() {
    let (mut compared, mut changed) = (0, 0);
    for mut case in cases(0..2000) {
        let (_, query) = case.query();
        let area = AreaId(case.random.below(case.grid.areas().len()) as u8);
        let scale = case.random.pick(&[0.25, 0.9, 2.0, 7.5]);
        let mut overlay = Overlay::new(&case.grid);
        let factor = case.grid.areas()[usize::from(area.0)].cost * scale;
        assert!(overlay.set_factor(area, factor).is_ok());
        let costlier = case.view().with_overlay(Arc::new(overlay)).expect("its grid");
        let expected = searched(&costlier, &case.model, &query);
        let filter = AreaFilter::default().scale(area, scale).expect("a sound scale");
        let filtered = Query { filter, ..query.clone() };
        let mut nav = navigator(&case);
        nav.prepare().expect("ground that comes apart");
        // Neither prepared routes nor a field that others left may answer.
        for _ in 0..6 {
            nav.find(&query);
        }
        for engine in [None, Some(Engine::AStar), Some(Engine::Routes), Some(Engine::Field)] {
            let answer = nav.find(&Query { engine, ..filtered.clone() }).clone();
            if answer.outcome == Outcome::Complete && answer.engine != Engine::Straight {
                assert_eq!(nav.corridor().cost(), expected, "seed {}: {engine:?}", case.seed);
                compared += 1;
            }
        }
        changed += usize::from(expected != searched(&case.view(), &case.model, &query));
    }
    assert!(compared > 2000 && changed > 200, "{compared}, {changed}");
}

/// Counts as [`HeightCost`] does, with an area that costs more or less.
struct Scaled {
    area: AreaId,
    scale: f32,
    /// Of each area, in the grid.
    factors: Vec<f32>,
}

impl CostModel for Scaled {
    fn cost(&self, piece: &Edge) -> f32 {
        let [from, to] = [piece.from, piece.to].map(|span| {
            let scale = if span.area() == self.area { self.scale } else { 1.0 };
            scale * self.factors[usize::from(span.area().0)]
        });
        HeightCost::default().cost(&Edge { factor: (from + to) / 2.0, ..*piece })
    }

    fn lower_bound(&self, _: &crate::view::View) -> CostLowerBound {
        CostLowerBound { straight: 0.0, diagonal: 0.0, ascend: 0.0, descend: 0.0 }
    }

    fn link_cost(&self, link: &Link) -> f32 {
        link.cost
    }
}

#[test]
fn scaled_areas_cost_what_a_model_with_that_factor_counts() {
    let mut compared = 0;
    for mut case in cases(0..1500) {
        let (_, query) = case.query();
        let area = AreaId(case.random.below(case.grid.areas().len()) as u8);
        let scale = case.random.pick(&[0.25, 0.9, 2.0, 7.5]);
        let factors = case.grid.areas().iter().map(|area| area.cost).collect();
        let model = Scaled { area, scale, factors };
        let expected = searched(&case.view(), &model, &query);
        let filter = AreaFilter::default().scale(area, scale).expect("a sound scale");
        let query = Query { filter, ..query };
        let cost = searched(&case.view(), &HeightCost::default(), &query);
        // Costs are whole numbers of units, which are not the same for both.
        let off = (cost - expected).abs();
        assert!(off <= 1e-3 * (1.0 + expected), "seed {}: {cost} for {expected}", case.seed);
        compared += usize::from(cost > 0.0);
    }
    assert!(compared > 600, "{compared}");
}

/// Who starts in a forbidden area starts beside it, and so with goals; where that is too far, the
/// answer says what is nearest.
#[test]
fn ends_in_forbidden_areas_are_moved_off_them() {
    let (mut moved, mut failed) = ([0; 2], [0; 2]);
    for mut case in cases(0..3000) {
        let (ends, query) = case.query();
        let at_goal = case.random.below(2);
        let forbidden = area(&case.grid, ends[at_goal]);
        let is_open = |span: SpanId| area(&case.grid, span) != forbidden;
        let snap_radius = case.random.pick(&[0.0, 0.6, 2.0]);
        let filter = AreaFilter::default().forbid(forbidden);
        let query = Query { filter, snap_radius: Some(snap_radius), ..query };
        let mut nav = navigator(&case);
        let answer = nav.find(&query).clone();
        match (answer.outcome, answer.path()) {
            (_, Ok(path)) => {
                let waypoints = path.waypoints();
                assert!(waypoints.iter().all(|waypoint| is_open(waypoint.span)));
                assert!(snap_radius > 0.0, "seed {}", case.seed);
                let (end, asked) = match at_goal {
                    0 => (&waypoints[0], query.from),
                    _ => (&waypoints[waypoints.len() - 1], query.to),
                };
                let off = end.point - asked;
                assert!(off.x.hypot(off.z) <= snap_radius + 0.01, "seed {}: {off}", case.seed);
                moved[at_goal] += 1;
            }
            (
                Outcome::Failed(
                    PathError::StartOffGrid { nearest } | PathError::GoalOffGrid { nearest },
                ),
                _,
            ) => {
                if let Some(nearest) = nearest {
                    let span = case.grid.span_at(nearest, 0.1).expect("ground");
                    assert!(is_open(span), "seed {}", case.seed);
                }
                failed[at_goal] += 1;
            }
            // It was moved to where no path leads to or from.
            (Outcome::Failed(error), _) => {
                let is_cut_off =
                    matches!(error, PathError::DifferentRegion | PathError::Unreachable);
                assert!(is_cut_off, "seed {}: {error:?}", case.seed);
            }
            (outcome, _) => panic!("seed {}: {outcome:?}", case.seed),
        }
    }
    assert!(moved.iter().chain(&failed).all(|&count| count > 100), "{moved:?} {failed:?}");
}
