//! Laws of rooms: no body, waypoint or sampled path outside them, and nothing that they close.

use crate::follow::settings::FollowSettings;
use crate::follow::slide::slide;
use crate::follow::state::{FollowState, StuckReason};
use crate::grid::{NavGrid, RoomLimit, Rooms, SpanEntry, SpanRoom};
use crate::path::path_search::PathSearch;
use crate::path::{GridSight, Sight};
use crate::search::Query;
use crate::search::outcome::Outcome;
use crate::tests::follow::walker::Walker;
use crate::tests::search::cases::{Case, cases};
use crate::tests::search::random::Random;
use crate::view::{NavPoint, View};

/// The grid of a case with random rooms: about every second span has none, a little, or more.
pub(crate) fn with_rooms(case: &mut Case) {
    let mut parts = case.grid.clone().into_parts();
    let random = &mut case.random;
    let mut limited = Vec::new();
    for &span in &case.walkable {
        let count = random.pick(&[0, 0, 1, 1, 2, 4]);
        let mut limits: Vec<RoomLimit> = (0..count).map(|_| limit(random)).collect();
        limited.push(SpanEntry { span, value: SpanRoom::within(&mut limits, 0.0) });
    }
    parts.layers[0].rooms = Rooms::new(parts.spans.len(), &limited);
    case.grid = NavGrid::new(parts).expect("a sound grid");
}

fn limit(random: &mut Random) -> RoomLimit {
    let angle = random.between(0.0, 6.3);
    let distance = random.pick(&[0.0, 0.1, 0.3]);
    RoomLimit { normal: [angle.cos(), angle.sin()], distance }
}

/// How far a point may be outside a room [cells]: rounding.
const TOLERANCE: f32 = 5e-3;

/// Whether a point of the ground lies in the room of its span, or on a line to a neighbor.
fn is_in_room(view: &View, at: &NavPoint) -> bool {
    let parts = view.parts();
    let Some(room) = parts.cell_room(at.span) else { return true };
    let offset = parts.offset_in_cell(parts.column(at.span.0), [at.point.x, at.point.z]);
    let nearest = room.nearest(offset);
    (nearest[0] - offset[0]).hypot(nearest[1] - offset[1]) <= TOLERANCE
}

#[test]
fn a_slide_ends_in_a_room() {
    let mut limited = 0;
    for mut case in cases(0..300) {
        with_rooms(&mut case);
        let span = case.span();
        let mut random = case.random.clone();
        let view = case.view();
        let mut at = NavPoint::center(&view.parts(), span);
        for _ in 0..40 {
            let by = [0; 2].map(|_| random.between(-1.5, 1.5) * view.cell_size());
            at = slide(&view, at, by);
            assert!(is_in_room(&view, &at), "seed {}: {at:?}", case.seed);
            limited += u32::from(view.parts().cell_room(at.span).is_some());
        }
    }
    assert!(limited > 3000, "{limited} in limited cells");
}

#[test]
fn paths_keep_to_the_rooms_and_cost_what_their_corridors_do() {
    let mut found = 0;
    for mut case in cases(0..400) {
        let (_, query) = case.query();
        let mut search = PathSearch::default();
        let free = search.path(&case.view(), &case.model, &query).clone();
        with_rooms(&mut case);
        let view = case.view();
        let answer = search.path(&view, &case.model, &query);
        assert_eq!(answer.outcome, free.outcome, "seed {}", case.seed);
        if !matches!(answer.outcome, Outcome::Complete) {
            continue;
        }
        let path = &answer.path;
        assert!(path.cost() <= path.corridor_cost() * (1.0 + 1e-5), "seed {}", case.seed);
        for pair in path.track().windows(2) {
            let [from, to] =
                [0, 1].map(|end| NavPoint { span: pair[end].span, point: pair[end].point });
            assert!(is_in_room(&view, &from) && is_in_room(&view, &to), "seed {}", case.seed);
        }
        found += 1;
    }
    assert!(found > 200, "{found} paths");
}

/// A path between two points of one cell bends at the middle where the straight line would leave the room.
#[test]
fn paths_within_one_cell_keep_to_its_room() {
    let mut bent = 0;
    for mut case in cases(0..400) {
        with_rooms(&mut case);
        let span = case.span();
        let mut random = case.random.clone();
        let view = case.view();
        let center = NavPoint::center(&view.parts(), span).point;
        let mut place = || {
            let [x, z] = [0; 2].map(|_| random.between(-0.49, 0.49) * view.cell_size());
            [center.x + x, center.y, center.z + z]
        };
        let query = Query { snap_radius: Some(0.0), ..Query::new(place(), place()) };
        let mut search = PathSearch::default();
        let answer = search.path(&view, &case.model, &query);
        let path = &answer.path;
        assert!(path.waypoints().len() < 4, "seed {}: {answer:?}", case.seed);
        for pair in path.waypoints().windows(2) {
            let [from, to] =
                [0, 1].map(|end| NavPoint { span: pair[end].span, point: pair[end].point });
            assert!(GridSight.is_clear(&view, &from, &to), "seed {}: {answer:?}", case.seed);
        }
        bent += u32::from(path.waypoints().len() == 3);
    }
    assert!(bent > 20, "{bent} paths lead by the middle");
}

#[test]
fn a_body_gets_wherever_a_path_leads() {
    let mut arrived = 0;
    for mut case in cases(0..200) {
        with_rooms(&mut case);
        let ([start, _], query) = case.query();
        let view = case.view();
        let from = NavPoint::center(&view.parts(), start);
        let settings =
            FollowSettings { speed: 2.0 * view.cell_size(), ..FollowSettings::default() };
        let mut walker = Walker::new(&view, settings, from, 1.0 / 30.0);
        walker.follower.set_goal(query.to);
        walker.walk(300.0);
        match walker.follower.state() {
            FollowState::Arrived => arrived += 1,
            FollowState::Partial { .. } | FollowState::Stuck { reason: StuckReason::NoPath(_) } => {
            }
            state => panic!("seed {}: {state:?} at {:?}", case.seed, walker.at),
        }
    }
    assert!(arrived > 80, "{arrived} arrived");
}
