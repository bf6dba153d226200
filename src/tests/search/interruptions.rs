//! Searches that are spread over time, cut short, cancelled, or come to nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::path::Straightening;
use crate::path::path_search::{PathSearch, Progress, SpanState};
use crate::search::outcome::{Outcome, PathError};
use crate::search::query::{GoalMode, Query};

use crate::tests::search::cases::{cases, run};

#[test]
fn step_by_step_is_as_in_one_go() {
    let (mut whole, mut parts) = (PathSearch::default(), PathSearch::default());
    for mut case in cases(0..1500) {
        let (_, query) = case.query();
        let view = case.view();
        let corridor = run(&mut whole, (&view, &case.model), &query).clone();
        let mut progress = parts.begin(&view, &case.model, &query);
        let mut rounds = 0;
        while progress == Progress::Running {
            assert_eq!(parts.expanded(), rounds, "seed {}", case.seed);
            progress = parts.advance(&view, &case.model, 1);
            rounds += 1;
            if let (Progress::Running, Some(last)) = (progress, parts.last_expanded()) {
                assert_eq!(parts.state(last), SpanState::Closed, "seed {}", case.seed);
            }
        }
        assert_eq!(parts.corridor(), &corridor, "seed {}", case.seed);
        assert_eq!(parts.expanded(), whole.expanded(), "seed {}", case.seed);
        assert_eq!(parts.outcome(), whole.outcome(), "seed {}", case.seed);
        let answer = whole.straighten(&view, &case.model, Straightening::whole(None));
        assert_eq!(
            parts.straighten(&view, &case.model, Straightening::whole(None)),
            answer,
            "seed {}",
            case.seed
        );
    }
}

#[test]
fn no_more_is_expanded_than_the_budget() {
    let (mut search, mut short) = (PathSearch::default(), 0);
    for mut case in cases(0..1500) {
        let (_, query) = case.query();
        let share = case.random.between(0.0, 2.0);
        let view = case.view();
        run(&mut search, (&view, &case.model), &query);
        let (outcome, needed) = (search.outcome(), search.expanded());
        let budget = (needed as f32 * share) as u32;
        let query = Query { budget, ..query };
        let corridor = run(&mut search, (&view, &case.model), &query);
        let none = corridor.spans().is_empty();
        assert!(search.expanded() <= budget, "seed {}", case.seed);
        if budget > needed || outcome == Outcome::Failed(PathError::DifferentRegion) {
            assert_eq!(search.outcome(), outcome, "seed {}", case.seed);
        } else if budget < needed {
            assert!(
                none && search.outcome() == Outcome::Failed(PathError::OutOfBudget),
                "seed {}",
                case.seed
            );
            assert!(
                search.straighten(&view, &case.model, Straightening::whole(None)).path().is_err()
            );
            short += 1;
        }
    }
    assert!(short > 200, "{short}");
}

#[test]
fn a_partial_way_says_how_much_is_missing() {
    let (mut search, mut partial) = (PathSearch::default(), [0; 3]);
    for mut case in cases(0..3000) {
        let ends = [case.span(), case.span()];
        let query = case.query_between(ends);
        let goal = case.random.pick(&[GoalMode::NearestByRing, GoalMode::NearestAlongLine]);
        let budget = case.random.pick(&[u32::MAX, 20, 3, 0]);
        let query = Query { goal, budget, ..query };
        let view = case.view();
        let joined = case.graph.joins(ends[0], ends[1]);
        let answer = search.path(&view, &case.model, &query);
        let path = answer.path().expect("some way");
        let end = path.waypoints().last().expect("an end");
        match answer.outcome {
            Outcome::Complete => assert_eq!(end.span, ends[1], "seed {}", case.seed),
            Outcome::Partial { reason, gap } => {
                let missing = (query.to - end.point).norm();
                assert!((gap - missing).abs() < 1e-5, "seed {}: {gap} {missing}", case.seed);
                let at = match reason {
                    PathError::DifferentRegion => 0,
                    PathError::Unreachable => 1,
                    _ => 2,
                };
                assert!(at != 0 || !joined, "seed {}", case.seed);
                partial[at] += 1;
            }
            other => panic!("seed {}: {other:?}", case.seed),
        }
    }
    assert!(partial.iter().all(|&count| count > 50), "{partial:?}");
}

#[test]
fn a_cancelled_search_ends() {
    let mut case = cases(0..100).next().expect("a grid");
    let mut search = PathSearch::default();
    for _ in 0..20 {
        let (_, query) = case.query();
        let cancel = Arc::new(AtomicBool::new(false));
        let query = Query { cancel: Some(cancel.clone()), ..query };
        let view = case.view();
        if search.begin(&view, &case.model, &query) == Progress::Done {
            continue;
        }
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(search.advance(&view, &case.model, 1), Progress::Done);
        assert_eq!(search.outcome(), Outcome::Failed(PathError::Cancelled));
        assert_eq!(search.advance(&view, &case.model, 1), Progress::Done);
        assert!(search.straighten(&view, &case.model, Straightening::whole(None)).path().is_err());
        cancel.store(false, Ordering::Relaxed);
        run(&mut search, (&view, &case.model), &query);
        assert_ne!(search.outcome(), Outcome::Failed(PathError::Cancelled));
    }
}
