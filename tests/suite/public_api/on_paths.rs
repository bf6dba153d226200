//! Navigators, queries, cost fields, prepared routes, and the paths they return.

use std::sync::Arc;

use nalgebra::Point3;
use surefoot::cch::{RouteRules, find_order, route_bytes};
use surefoot::debug::{draw_corridor, draw_path};
use surefoot::diagnosis::Separation;
use surefoot::level::AreaId;
use surefoot::navigator::{Guide, NavigatorModel};
use surefoot::observer::{check_cancelled, for_each_observed};
use surefoot::path::{Answer, Corridor, GridSight, GroundProfile, Path, Sight};
use surefoot::search::{CostField, Engine, FieldQuery, GoalMode, Heuristic, Query};
use surefoot::view::{Directions, NavPoint};
use surefoot::{AgentId, HeightCost, Navigator, Observer, Overlay, SpanId, View};
use surefoot_testing::Random;

use super::odd::{self, COUNTS, FEW, FLOATS, OddCost};
use super::on_grids::{Nothing, obstacles};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    let views = odd::views();
    for view in &views {
        preparing(attack, view);
        fields(attack, view, &views);
        sights(attack, view);
        navigators(attack, view, HeightCost::default(), &views);
    }
    for cost in FLOATS {
        let view = views.last().expect("a view");
        navigators(attack, view, OddCost(cost), &views);
        call!(attack, route_bytes, view, &OddCost(cost));
    }
}

fn preparing(attack: &mut Attack, view: &View) {
    call!(attack, check_cancelled, &());
    call!(attack, Observer::is_cancelled, &());
    call!(attack, Observer::parts_done, &(), usize::MAX, 0);
    for indices in [0..9, 0..0, usize::MAX - 3..usize::MAX] {
        call!(attack, for_each_observed, indices, &(), |_| ());
    }
    call!(attack, route_bytes, view, &HeightCost { ascend: f32::NAN, descend: f32::MAX });
    for agent in odd::agents() {
        call!(attack, find_order, view.grid(), agent, &());
        call!(attack, Navigator::new, view.grid().clone(), agent);
        call!(attack, Navigator::with_model, view.grid().clone(), agent, OddCost(0.0));
    }
}

/// Queries whose numbers are odd in all combinations that a few hundred tries reach.
fn queries() -> impl Iterator<Item = Query> {
    let mut random = Random(1);
    (0..300).map(move |_| {
        let is_sound = random.below(2) == 0;
        let mut odd = || FLOATS[random.below(FLOATS.len())];
        let from = if is_sound { [0.5; 3] } else { [odd(), odd(), odd()] };
        let to = if is_sound { [1.5, 0.0, 0.5] } else { [odd(), odd(), odd()] };
        let (weight, snap, height, slope) = (odd(), odd(), odd(), odd());
        let modes = [GoalMode::Fail, GoalMode::NearestByRing, GoalMode::NearestAlongLine];
        Query {
            goal: modes[random.below(3)],
            weight,
            snap_radius: (snap != 0.0).then_some(snap),
            vertical_tolerance: (height != 0.0).then_some(height),
            slope_limit: (slope != 0.0).then_some(slope),
            heuristic: [Heuristic::Octile, Heuristic::Euclidean][random.below(2)],
            engine: [None, Some(Engine::Routes), Some(Engine::Field)][random.below(3)],
            budget: [u32::MAX, 0, 3][random.below(3)],
            directions: [Directions::Four, Directions::Eight][random.below(2)],
            ..Query::new(from, to)
        }
    })
}

fn navigators(
    attack: &mut Attack,
    view: &View,
    model: impl NavigatorModel + Clone,
    others: &[View],
) {
    let agent = view.agent_id();
    let nav = Navigator::with_model(view.grid().clone(), agent, model.clone());
    let nav = &mut nav.expect("a known agent");
    call!(attack, Navigator::set_model, nav, model);
    for is_prepared in [false, true] {
        if is_prepared {
            prepare(attack, nav);
        }
        for query in queries() {
            ask(attack, nav, &query, others);
            call!(attack, Navigator::snap_by, nav, &query);
        }
    }
    change(attack, nav, others);
    call!(attack, Navigator::path, nav, [f32::NAN; 3], [0.5; 3]);
    call!(attack, Navigator::find, nav, &Query::new([0.5; 3], [4.5, 0.0, 0.5]));
    for point in odd::points().step_by(7) {
        for radius in FLOATS {
            call!(attack, Navigator::nearest_wall, nav, point, radius);
            call!(attack, Navigator::has_clearance, nav, point, radius);
        }
        call!(attack, Navigator::snap, nav, point);
        for to in odd::points().step_by(11) {
            call!(attack, Navigator::raycast, nav, point, to);
        }
    }
    call!(attack, Navigator::view, nav);
    call!(attack, Navigator::grid, nav);
    call!(attack, Navigator::model, nav);
}

fn prepare(attack: &mut Attack, nav: &mut Navigator) {
    for slope in FLOATS {
        let query = Query { slope_limit: Some(slope), ..Query::new([0.0; 3], [0.0; 3]) };
        let rules = call!(attack, RouteRules::of, &query).unwrap_or_default();
        call!(attack, Navigator::prepare_for, nav, rules);
    }
    call!(attack, Navigator::prepare, nav);
    call!(attack, Navigator::is_prepared, nav);
    call!(attack, Navigator::update_routes, nav);
    call!(attack, Navigator::clone, nav);
    call!(attack, Navigator::route_bytes, nav);
    call!(attack, Navigator::table, nav, &odd::spans(), &odd::spans());
    call!(attack, Navigator::table, nav, &[], &odd::spans());
}

fn ask(attack: &mut Attack, nav: &mut Navigator, query: &Query, others: &[View]) {
    call!(attack, Navigator::why_not, nav, query.from, query.to);
    if let Some(Ok(separation)) = call!(attack, Navigator::why_not_by, nav, query) {
        call!(attack, Separation::is_connected, &separation);
    }
    call!(attack, Navigator::cost, nav, query.from, query.to);
    call!(attack, Navigator::find_cost, nav, query);
    call!(attack, Navigator::path_start, nav, query.from, query.to, usize::MAX);
    [0, 3, usize::MAX].iter().for_each(|&waypoints| {
        call!(attack, Navigator::find_start, nav, query, waypoints);
    });
    call!(attack, Navigator::begin_search, nav, query);
    call!(attack, Navigator::advance, nav, 0);
    call!(attack, Navigator::begin, nav, query);
    call!(attack, Navigator::advance, nav, u32::MAX);
    odd::spans().iter().for_each(|&span| {
        call!(attack, Navigator::span_state, nav, span);
    });
    call!(attack, Navigator::expanded, nav);
    call!(attack, Navigator::last_expanded, nav);
    call!(attack, Navigator::corridor, nav);
    call!(attack, Navigator::answer, nav);
    call!(attack, Navigator::finish, nav);
    if let Some(guide) = call!(attack, Navigator::with_sight, nav, &GridSight) {
        call!(attack, Guide::path, guide, query.from, query.to);
    }
    let guide = Navigator::with_sight(nav, &GridSight);
    let answer = call!(attack, Guide::find, guide, query).cloned();
    let Some(Ok(path)) = answer.as_ref().and_then(|answer| call!(attack, Answer::path, answer))
    else {
        return;
    };
    paths(attack, path, others);
    corridors(attack, nav.corridor(), others);
}

fn paths(attack: &mut Attack, path: &Path, others: &[View]) {
    call!(attack, Path::waypoints, path);
    call!(attack, Path::track, path);
    call!(attack, Path::cost, path);
    call!(attack, Path::corridor_cost, path);
    call!(attack, Path::length, path);
    call!(attack, Path::climb, path);
    call!(attack, Path::descent, path);
    call!(attack, Path::area_length, path, AreaId(u8::MAX));
    call!(attack, draw_path, path, &mut Nothing);
    for view in others {
        FLOATS.iter().for_each(|&at| {
            call!(attack, Path::sample, path, view, at);
        });
    }
}

fn corridors(attack: &mut Attack, corridor: &Corridor, others: &[View]) {
    call!(attack, Corridor::spans, corridor);
    call!(attack, Corridor::cost, corridor);
    COUNTS.iter().for_each(|&at| {
        call!(attack, Corridor::link_to, corridor, at);
    });
    for view in others {
        call!(attack, Corridor::length, corridor, view);
        call!(attack, Corridor::is_valid, corridor, view);
        call!(attack, draw_corridor, view, corridor, &mut Nothing);
    }
}

fn change(attack: &mut Attack, nav: &mut Navigator, others: &[View]) {
    for obstacle in obstacles().into_iter().step_by(7) {
        let id = call!(attack, Navigator::block, nav, obstacle).and_then(Result::ok);
        if let Some(id) = id {
            call!(attack, Navigator::find, nav, &Query::new([0.5; 3], [4.5, 0.0, 0.5]));
            call!(attack, Navigator::unblock, nav, id);
            call!(attack, Navigator::unblock, nav, id);
        }
    }
    for factor in FLOATS {
        call!(attack, Navigator::set_factor, nav, AreaId(0), factor);
        call!(attack, Navigator::set_factor, nav, AreaId(u8::MAX), factor);
    }
    COUNTS.iter().for_each(|&at| {
        call!(attack, Navigator::set_link_open, nav, at, true);
        call!(attack, Navigator::set_link_stop, nav, at, Some(at as u32));
    });
    for other in others {
        let overlay = Arc::new(Overlay::new(other.grid()));
        call!(attack, Navigator::set_overlay, nav, overlay);
    }
    call!(attack, Navigator::overlay, nav);
    for other in others {
        call!(attack, Navigator::set_grid, nav, other.grid());
        call!(attack, Navigator::find, nav, &Query::new([0.5; 3], [4.5, 0.0, 0.5]));
    }
}

fn fields(attack: &mut Attack, view: &View, others: &[View]) {
    let nav = Navigator::new(view.grid().clone(), AgentId(0)).expect("a known agent");
    let spans = odd::spans();
    for [within, radius] in odd::pairs() {
        for slope in FEW {
            let query = FieldQuery {
                until: &spans,
                within,
                circle: Some((Point3::new(radius, within, slope), radius)),
                slope_limit: Some(slope),
                ..FieldQuery::to(&spans)
            };
            let mut field = CostField::default();
            call!(attack, CostField::nearest, &mut field, view, &OddCost(within), &query);
            call!(attack, CostField::fill, &mut field, view, &HeightCost::FLAT, &query);
            call!(attack, Navigator::fill, &nav, &mut field, &query);
        }
    }
    let field = call!(attack, Navigator::field, &nav, &FieldQuery::from(&spans));
    let field = field.unwrap_or_default();
    call!(attack, CostField::reached, &field);
    for span in odd::spans() {
        call!(attack, CostField::cost, &field, span);
        call!(attack, CostField::next, &field, span);
    }
    for other in others {
        for seed in [0, u64::MAX] {
            call!(attack, CostField::random_place, &field, other, seed);
        }
    }
}

fn sights(attack: &mut Attack, view: &View) {
    let nav_points: Vec<NavPoint> = odd::spans()[..4]
        .iter()
        .flat_map(|&span| odd::points().step_by(5).map(move |point| NavPoint { span, point }))
        .chain([NavPoint { span: SpanId(u32::MAX), point: [0.5; 3].into() }])
        .collect();
    for from in &nav_points {
        for to in nav_points.iter().step_by(3) {
            call!(attack, Sight::is_clear, &GridSight, view, from, to);
            for tolerance in [f32::NAN, f32::MAX] {
                let profile = call!(attack, GroundProfile::between, view, [*from, *to], tolerance);
                if let Some(mut profile) = profile.flatten() {
                    call!(attack, GroundProfile::stretch, &mut profile, tolerance);
                    call!(attack, GroundProfile::gone, &profile);
                }
            }
        }
    }
}
