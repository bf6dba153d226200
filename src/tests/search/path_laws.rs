//! Paths: what they cost, where they lead, how long they are, whatever was straightened.

use nalgebra::{Point3, Vector3};

use crate::agent::Agent;
use crate::cost::model::{CostLowerBound, CostModel, Edge, HeightCost};
use crate::grid::{Area, AreaId, Cell, GridFrame, NavGrid, NodeId, SUBCELLS, SpanId};
use crate::path::corridor::Corridor;
use crate::path::path_search::PathSearch;
use crate::path::sight::{GridSight, Sight};
use crate::path::waypoints::Path;
use crate::search::query::Query;
use crate::view::NavPoint;
use crate::view::View;

use crate::tests::search::cases::{Case, cases, metric, run};
use crate::tests::search::plain::By;
use crate::tests::search::random_grids::AGENT;

/// Sums of the same pieces differ by less than this part.
const ROUNDING: f64 = 1e-5;

/// A case's query, at the centers of cells or anywhere in them, and what was found.
struct Found {
    case: Case,
    query: Query,
    ends: [SpanId; 2],
    corridor: Corridor,
    path: Path,
}

/// Calls for every random query that has a path.
fn each_path(anywhere: bool, check: impl Fn(&Found)) {
    let (mut search, mut count) = (PathSearch::default(), 0);
    for mut case in cases(0..2500) {
        let (ends, mut query) = case.query();
        if anywhere {
            query.from = place(&mut case, ends[0]);
            query.to = place(&mut case, ends[1]);
        }
        let view = case.view();
        let corridor = run(&mut search, (&view, &case.model), &query).clone();
        let answer = search.path(&view, &case.model, &query);
        if let Some(path) = answer.path().ok().cloned() {
            count += 1;
            check(&Found { case, query, ends, corridor, path });
        }
    }
    assert!(count > 1000, "{count}");
}

/// A random place in a span's cell, at the height of the ground.
fn place(case: &mut Case, span: SpanId) -> Point3<f32> {
    let center = NavPoint::center(&case.view().parts(), span).point;
    let most = 0.499 * case.grid.frame().cell_size;
    let mut off = || case.random.between(-most, most);
    let point = center + Vector3::new(off(), 0.0, off());
    NavPoint::at(&case.view().parts(), span, point).point
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * (a.abs() + b.abs() + 100.0) && a.is_finite()
}

/// Links whose ends are not at the centers lead a path over ground that its corridor spares.
fn links_are_centered(found: &Found) -> bool {
    let links = found.case.grid.links().iter();
    let mut lanes = links.flat_map(|link| link.lanes_of(0).iter().map(move |lane| (link, lane)));
    lanes.all(|(link, lane)| {
        let center = |span| NavPoint::center(&found.case.view().parts(), span).point;
        link.is_wide() || [link.from[0], link.to[0]] == lane.spans.map(center)
    })
}

#[test]
fn a_path_costs_no_more_than_its_corridor() {
    each_path(false, |found| {
        let (path, seed) = (&found.path, found.case.seed);
        let most = path.corridor_cost * (1.0 + ROUNDING);
        assert!(path.cost <= most, "seed {seed}: {} {most}", path.cost);
        if links_are_centered(found) {
            let unit = 1e-3 * f64::from(found.case.grid.frame().cell_size);
            let most = f64::from(found.corridor.cost()) * (1.0 + 1e-3) + unit;
            assert!(path.cost <= most, "seed {seed}: {} for {most}", path.cost);
        }
    });
    each_path(true, |found| {
        let path = &found.path;
        assert!(path.cost <= path.corridor_cost * (1.0 + ROUNDING), "seed {}", found.case.seed);
    });
}

fn check_ends(found: &Found) {
    let (waypoints, seed) = (found.path.waypoints(), found.case.seed);
    let [first, last] = [waypoints[0], waypoints[waypoints.len() - 1]];
    assert_eq!([first.span, last.span], found.ends, "seed {seed}");
    assert_eq!(first.point.xz(), found.query.from.xz(), "seed {seed}");
    assert_eq!(last.point.xz(), found.query.to.xz(), "seed {seed}");
    for waypoint in waypoints {
        let Point3 { coords, .. } = waypoint.point;
        let ground = found.case.grid.ground_height(coords.x, coords.z, waypoint.span);
        assert_eq!(ground.map(|y| (y - coords.y).abs() < 0.1), Some(true), "seed {seed}");
        let area = found.case.grid.spans()[waypoint.span.index()].area();
        assert_eq!(waypoint.area, area, "seed {seed}");
    }
    let ascend = waypoints.windows(2).all(|pair| pair[0].distance <= pair[1].distance);
    assert!(ascend && first.distance == 0.0, "seed {seed}");
}

/// Each segment is clear, and its cost, computed again, adds up to that of the path.
fn check_segments(found: &Found) {
    let (case, seed) = (&found.case, found.case.seed);
    let view = case.view();
    let parts = view.parts();
    let metric = metric(&parts, &case.model, &found.query, 0);
    let mut cost = 0.0;
    for pair in found.path.waypoints().windows(2) {
        let [from, to] = [0, 1].map(|at| NavPoint { span: pair[at].span, point: pair[at].point });
        if let Some(link) = pair[0].link {
            let model = &case.model;
            cost += model.documented_link(&case.grid.links()[link as usize]);
            continue;
        }
        assert!(GridSight.is_clear(&view, &from, &to), "seed {seed}: {from:?} {to:?}");
        // Whoever stands where the model lets nobody go may leave.
        let within = (from.span == to.span).then_some(0.0);
        let segment = metric.segment(&from, &to, f64::INFINITY).or(within);
        cost += segment.unwrap_or_else(|| panic!("seed {seed}: forbidden from {from:?} to {to:?}"));
    }
    assert!(close(cost, found.path.cost), "seed {seed}: {cost} {}", found.path.cost);
}

/// Lengths and heights add up.
fn check_sums(found: &Found) {
    let (path, seed) = (&found.path, found.case.seed);
    let areas = (0..found.case.grid.areas().len()).map(|area| AreaId(area as u8));
    let walked: f32 = areas.map(|area| path.area_length(area)).sum();
    let waypoints = path.waypoints();
    let link = |pair: &[crate::path::Waypoint]| {
        pair[0].link.map_or(0.0, |_| (pair[1].point - pair[0].point).norm())
    };
    let linked: f32 = waypoints.windows(2).map(link).sum();
    assert!(close(f64::from(walked + linked), f64::from(path.length())), "seed {seed}");
    let rise = waypoints[waypoints.len() - 1].point.y - waypoints[0].point.y;
    assert!(close(f64::from(path.climb() - path.descent()), f64::from(rise)), "seed {seed}");
    assert!(path.climb() >= 0.0 && path.descent() >= 0.0, "seed {seed}");
}

#[test]
fn a_path_leads_from_start_to_goal_over_clear_segments() {
    for anywhere in [false, true] {
        each_path(anywhere, |found| {
            check_ends(found);
            check_segments(found);
            check_sums(found);
        });
    }
}

/// Sampled along the way, points follow each other closely and lie on the ground that is crossed.
#[test]
fn samples_lie_on_the_way() {
    each_path(true, |found| {
        let (path, case) = (&found.path, &found.case);
        let view = case.view();
        let samples = 60;
        let stride = path.length() / samples as f32;
        let mut before = path.waypoints()[0].point;
        for at in 0..=samples {
            let distance = stride * at as f32;
            let point = path.sample(&view, distance).expect("a point");
            let apart = (point - before).xz().norm();
            assert!(apart <= stride * 1.001 + 1e-3, "seed {}: {apart} {stride}", case.seed);
            before = point;
            let on_link = path.waypoints().windows(2).any(|pair| {
                let along = pair[0].distance - 1e-3..=pair[1].distance + 1e-3;
                pair[0].link.is_some() && along.contains(&distance)
            });
            let spans = path.track().iter().map(|point| point.span);
            let ground = |span| case.grid.ground_height(point.x, point.z, span);
            let on_ground = spans.filter_map(ground).any(|height| height == point.y);
            let at_corner = case.grid.frame().subcells(point.x, point.z).iter().all(|at| {
                // Lines are rounded to a subcell: through a corner, or just beside it.
                (at + 3).rem_euclid(SUBCELLS) < 6
            });
            let explained = on_ground || on_link || at_corner;
            assert!(explained, "seed {}: {point:?} at {distance}", case.seed);
        }
        let end = path.waypoints().last().expect("an end").point;
        assert_eq!(path.sample(&view, f32::INFINITY), Some(end), "seed {}", case.seed);
    });
}

/// On a link the height is that of the straight line between its ends.
#[test]
fn samples_of_links_lie_on_their_lines() {
    let mut links = 0;
    for seed in 0..1200 {
        links += check_links(seed);
    }
    assert!(links > 50, "{links}");
}

/// From beside the center of a cell a diagonal step would lead over ground that nobody may cross.
#[test]
fn no_segment_leads_over_forbidden_ground() {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 3, size_z: 3 };
    let flat = NavGrid::from_heights(frame, &[0.0; 9], &[Agent::new("walker")]).expect("flat");
    let mut search = PathSearch::default();
    for from in [[0.9, 0.0, 0.5], [0.99, 0.0, 0.01], [0.5, 0.0, 0.5]] {
        for to in [[1.5, 0.0, 1.5], [1.01, 0.0, 1.99], [2.1, 0.0, 2.5]] {
            let mut parts = flat.parts().clone();
            parts.areas.push(Area { name: "thorns".to_owned(), cost: 1.0, forbidden: false });
            for at in [1, 3, 5, 7] {
                parts.spans[at] = parts.spans[at].on(AreaId(1), NodeId::NONE);
            }
            let grid = NavGrid::new(parts).expect("a sound grid");
            let view = View::new(&grid, AGENT).expect("an agent");
            let answer = search.path(&view, &Barefoot, &Query::new(from, to));
            let path = answer.path().expect("a diagonal way");
            assert_eq!(path.area_length(AreaId(1)), 0.0, "{from:?} {to:?}");
            let straight = (Point3::from(to) - Point3::from(from)).norm();
            assert!(path.cost() >= straight * 0.9999, "{from:?} {to:?}: {}", path.cost());
        }
    }
}

/// Nobody steps on thorns.
struct Barefoot;

impl CostModel for Barefoot {
    fn cost(&self, piece: &Edge) -> f32 {
        let thorns = [piece.from, piece.to].iter().any(|span| span.area() == AreaId(1));
        if thorns { f32::INFINITY } else { HeightCost::FLAT.cost(piece) }
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        HeightCost::FLAT.lower_bound(view)
    }
}

fn check_links(seed: u64) -> usize {
    let mut search = PathSearch::default();
    let mut count = 0;
    for mut case in cases(seed..seed + 1) {
        let (_, query) = case.query();
        let view = case.view();
        let answer = search.path(&view, &case.model, &query);
        let pairs = answer.path().map_or(&[][..], Path::waypoints).windows(2);
        for pair in pairs.filter(|pair| pair[0].link.is_some()) {
            let path = answer.path().expect("a path");
            let middle = (pair[0].distance + pair[1].distance) / 2.0;
            let point = path.sample(&view, middle).expect("a point");
            let line = nalgebra::center(&pair[0].point, &pair[1].point);
            let length = pair[1].distance - pair[0].distance;
            if length > 0.01 {
                assert!((point - line).norm() < 1e-2, "seed {seed}: {point:?} {line:?}");
                count += 1;
            }
        }
    }
    count
}

/// Between the centers of neighbors a segment is one piece, and straightening need not follow its line
/// to know what it costs.
#[test]
fn a_segment_between_centers_costs_what_its_step_does() {
    let mut count = 0;
    for mut case in cases(0..300) {
        let (_, query) = case.query();
        let view = case.view();
        let parts = view.parts();
        let metric = metric(&parts, &case.model, &query, 0);
        for edge in case.graph.0.iter().flatten().filter(|edge| matches!(edge.by, By::Step(_))) {
            let [from, to] =
                [edge.from, edge.to].map(|span| NavPoint::center(&view.parts(), SpanId(span)));
            let segment = metric.segment(&from, &to, f64::INFINITY);
            assert_eq!(
                segment,
                metric.center_segment(&from, &to).map(f64::from),
                "seed {}",
                case.seed
            );
            count += 1;
        }
    }
    assert!(count > 10_000, "only {count}");
}
