//! The laws of the start of a path: its waypoints, and what the whole costs.

use crate::cost::HeightCost;
use crate::navigator::{Navigator, PathStart};
use crate::path::{GridSight, Progress, Sight};
use crate::search::{PathError, Query};
use crate::tests::search::random::Random;
use crate::view::NavPoint;

use super::{SIDE, half_door, hills, query};

/// Between places in the hills, by a search and by prepared routes.
fn each_query(mut check: impl FnMut(&mut Navigator, &Query)) {
    let mut nav = Navigator::new(hills(), "walker").expect("an agent");
    let mut random = Random(7);
    let mut place = || [0, 1].map(|_| random.below(SIDE as usize) as u32);
    let queries: Vec<Query> = (0..60).map(|_| query(place(), place())).collect();
    queries.iter().for_each(|query| check(&mut nav, query));
    nav.prepare().expect("ground that comes apart");
    queries.iter().for_each(|query| check(&mut nav, query));
}

#[test]
fn the_start_of_a_path_leads_towards_its_goal() {
    let (mut whole, mut cut) = (0, 0);
    each_query(|nav, query| {
        let Ok(path) = nav.find(query).path().cloned() else { return };
        for wanted in 1..6 {
            let PathStart { waypoints, is_whole, .. } =
                nav.find_start(query, wanted).expect("there is a path");
            let waypoints = waypoints.to_vec();
            assert_eq!(waypoints[0].point, path.waypoints()[0].point);
            let last = waypoints[waypoints.len() - 1];
            let end = path.waypoints()[path.waypoints().len() - 1];
            assert_eq!(is_whole, last.point == end.point, "{query:?}");
            assert!(is_whole && waypoints.len() <= wanted + 1 || waypoints.len() == wanted + 1);
            for pair in waypoints.windows(2) {
                let [from, to] = [pair[0], pair[1]]
                    .map(|waypoint| NavPoint { span: waypoint.span, point: waypoint.point });
                assert!(GridSight.is_clear(nav.view(), &from, &to), "{query:?}: {from:?} {to:?}");
                assert!(pair[0].distance < pair[1].distance);
            }
            *if is_whole { &mut whole } else { &mut cut } += 1;
        }
    });
    assert!(whole > 50 && cut > 50, "{whole} {cut}");
}

#[test]
fn the_start_of_a_path_tells_what_the_whole_costs() {
    let mut found = 0;
    each_query(|nav, query| {
        let path = nav.find(query).path().map(|path| path.cost());
        let corridor = nav.corridor().cost();
        let expected = if nav.corridor().spans().is_empty() { path } else { Ok(corridor) };
        assert_eq!(nav.find_cost(query), expected, "{query:?}");
        assert_eq!(nav.answer().path().err(), Some(PathError::Cancelled));
        let start = nav.find_start(query, 2).map(|start| start.cost);
        assert_eq!(start, expected, "{query:?}");
        assert!(nav.finish().path().is_ok() == expected.is_ok());
        found += usize::from(expected.is_ok());
    });
    assert!(found > 50, "{found}");
}

#[test]
fn who_cannot_get_there_is_given_the_reason() {
    let mut nav = Navigator::with_model(hills(), "walker", HeightCost::FLAT).expect("an agent");
    let off = Query::new([-50.0, 0.0, 1.0], [1.0, 0.0, 1.0]);
    for is_prepared in [false, true] {
        if is_prepared {
            nav.prepare().expect("ground that comes apart");
        }
        assert!(matches!(nav.find_cost(&off), Err(PathError::StartOffGrid { .. })));
        assert!(matches!(nav.find_start(&off, 3), Err(PathError::StartOffGrid { .. })));
    }
}

/// A path that is void because the ground changed before it was straightened leaves a whole corridor.
#[test]
fn a_corridor_has_no_gaps_even_if_its_path_is_void() {
    let mut nav = Navigator::new(hills(), "walker").expect("an agent");
    nav.prepare().expect("ground that comes apart");
    let before = nav.view().clone();
    assert_eq!(nav.begin(&query([3, 80], [SIDE - 3, 80])), Progress::Done);
    let mut overlay = nav.overlay().as_ref().clone();
    overlay.block(half_door()).expect("a box");
    nav.set_overlay(overlay.into()).expect("its own grid");
    assert_eq!(nav.finish().path().err(), Some(PathError::Cancelled));
    assert!(nav.corridor().spans().len() > SIDE as usize);
    assert!(nav.corridor().is_valid(&before));
}
