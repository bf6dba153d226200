//! Prepared routes after changes: answers are right at every moment, and the routes answer again.

use crate::cost::HeightCost;
use crate::grid::{AreaId, NavGrid};
use crate::navigator::Navigator;
use crate::search::{Engine, Outcome, Query};
use crate::tests::navigator::{SIDE, WALKER, half_door, hills, query, searched};
use crate::tests::search::random::Random;
use crate::view::Obstacle;

fn prepared(grid: &NavGrid) -> Navigator {
    let mut nav = Navigator::new(grid.clone(), WALKER).expect("one agent");
    nav.prepare().expect("ground that comes apart");
    nav
}

/// Answers by routes if they are up to date, and checks what that costs.
fn ask(nav: &mut Navigator, query: &Query) -> Engine {
    let query = Query { engine: Some(Engine::Routes), ..query.clone() };
    let answer = nav.find(&query).clone();
    assert_eq!(answer.outcome, Outcome::Complete);
    let expected = searched(nav.view(), &HeightCost::default(), &query);
    assert_eq!(nav.corridor().cost(), expected, "by {:?}", answer.engine);
    answer.engine
}

/// A small change is worked in before the next answer.
#[test]
fn a_closed_door_is_gone_round_at_once() {
    let mut nav = prepared(&hills());
    let across = query([3, 80], [SIDE - 3, 80]);
    assert_eq!(ask(&mut nav, &across), Engine::Routes);
    let before = nav.corridor().cost();
    let door = nav.block(half_door()).expect("a box");
    assert_eq!(ask(&mut nav, &across), Engine::Routes);
    assert!(nav.corridor().cost() > before, "{before}");
    assert!(nav.unblock(door));
    assert_eq!(ask(&mut nav, &across), Engine::Routes);
    assert_eq!(nav.corridor().cost(), before);
}

/// A change of all ground is worked in meanwhile: searches answer, and exactly, until so many have
/// that it is adopted; the same number at every run.
#[test]
fn queries_do_not_wait_for_large_changes() {
    let grid = hills();
    let across = query([3, 80], [SIDE - 3, 80]);
    let counts = [0, 3].map(|delay| {
        let mut nav = prepared(&grid);
        [2.0, 3.0, 0.5].map(|factor| {
            nav.set_factor(AreaId(0), factor).expect("it can be set");
            let mut searches = 0;
            while ask(&mut nav, &across) != Engine::Routes {
                searches += 1;
                assert!(searches < 1000, "routes never answer again");
                std::thread::sleep(std::time::Duration::from_millis(delay));
            }
            searches
        })
    });
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].iter().all(|&searches| searches > 0), "{counts:?}");
}

/// Whoever waits for a large change is answered by routes at once; also while a thread works on it.
#[test]
fn routes_catch_up_when_asked_to() {
    let across = query([3, 80], [SIDE - 3, 80]);
    for is_begun in [false, true] {
        let mut nav = prepared(&hills());
        nav.set_factor(AreaId(0), 2.0).expect("it can be set");
        if is_begun {
            assert_ne!(ask(&mut nav, &across), Engine::Routes);
        }
        nav.set_factor(AreaId(0), 3.0).expect("it can be set");
        nav.update_routes();
        assert_eq!(ask(&mut nav, &across), Engine::Routes);
    }
    let mut nav = Navigator::new(hills(), WALKER).expect("one agent");
    nav.update_routes();
    assert!(!nav.is_prepared());
}

/// Clones share what is prepared, and answer as the first does; changes of one are not the other's.
#[test]
fn clones_answer_alike_and_change_apart() {
    let across = query([3, 80], [SIDE - 3, 80]);
    let mut nav = prepared(&hills());
    nav.block(half_door()).expect("a box");
    nav.update_routes();
    let mut clone = nav.clone();
    assert_eq!(ask(&mut clone, &across), Engine::Routes);
    let cost = clone.corridor().cost();
    assert_eq!(clone.find(&across).path().ok(), nav.find(&across).path().ok());
    clone.set_factor(AreaId(0), 2.0).expect("it can be set");
    clone.update_routes();
    assert_eq!(ask(&mut nav, &across), Engine::Routes);
    assert_eq!(nav.corridor().cost(), cost);
    assert_eq!(ask(&mut clone, &across), Engine::Routes);
    assert!(clone.corridor().cost() > 1.9 * cost);
    // While a thread works on an update, the clone begins its own.
    nav.set_factor(AreaId(0), 5.0).expect("it can be set");
    assert_ne!(ask(&mut nav, &across), Engine::Routes);
    let mut clone = nav.clone();
    ask(&mut clone, &across);
    clone.update_routes();
    assert_eq!(ask(&mut clone, &across), Engine::Routes);
}

/// Changes come faster than the routes are brought up to date.
#[test]
fn answers_are_right_while_changes_pile_up() {
    let mut nav = prepared(&hills());
    let mut random = Random(3);
    let (mut by_routes, mut by_search) = (0, 0);
    for round in 0..120 {
        match round % 30 {
            0 => nav.set_factor(AreaId(0), random.between(0.3, 4.0)).expect("it can be set"),
            3 | 18 | 24 => {
                let base = [random.between(5.0, 75.0), 0.0, random.between(5.0, 75.0)].into();
                let tree = Obstacle::Cylinder { base, radius: 2.0, height: 9.0 };
                nav.block(tree).expect("a cylinder");
            }
            27 if random.chance(50) => nav.set_model(HeightCost::default()),
            _ => {}
        }
        let [z, to_z] = [0; 2].map(|_| 10 + random.below(140) as u32);
        let query = query([3, z], [SIDE - 3, to_z]);
        let query = Query { snap_radius: Some(6.0), engine: Some(Engine::Routes), ..query };
        match ask(&mut nav, &query) {
            Engine::Routes => by_routes += 1,
            _ => by_search += 1,
        }
    }
    assert!(by_routes > 20 && by_search > 20, "{by_routes}, {by_search}");
}
