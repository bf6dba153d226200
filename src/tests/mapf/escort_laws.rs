//! One body comes to its goal, whoever stands in its way; and one after another, all do.

use crate::mapf::{Body, Errand, Escort, EscortSearch, Outcome, PlaceGraph, PlaceId, Task};
use crate::search::Random;
use crate::tests::mapf::level::{Level, body, random_level, walk};

/// Brings the first of some bodies to a place, and all others off some places. Returns where everyone is in the
/// end; `None` if that cannot be done.
fn bring(
    graph: &PlaceGraph,
    at: &[PlaceId],
    goal: PlaceId,
    lost: &[PlaceId],
) -> Option<Vec<PlaceId>> {
    let is_lost: Vec<bool> = (0..graph.len() as PlaceId).map(|at| lost.contains(&at)).collect();
    let mut errand = Errand::new(0, goal, is_lost);
    let escort = loop {
        let mut escort = Escort::new(graph, at);
        match escort.attempt(&mut errand) {
            Outcome::Arrived => break escort,
            Outcome::Retry => {}
            Outcome::Failed => return None,
        }
    };
    let bodies = at.iter().map(|&start| body(start, start)).collect();
    let ends = walk(&Task::new(graph.clone(), bodies), &escort.moves);
    assert_eq!(ends, escort.standing.at);
    Some(ends)
}

/// On random maps nobody is in anybody's way, one is at its goal in the end, and nobody where nobody may be.
#[test]
fn one_comes_to_its_goal_and_all_others_out_of_what_they_lose() {
    let mut brought = 0;
    for seed in 0..300 {
        let Some((level, bodies)) = random_level(seed) else { continue };
        let graph = level.graph;
        let mut random = Random(seed);
        let at: Vec<PlaceId> = bodies.iter().map(|body| body.start).collect();
        let goal = random.below(graph.len()) as PlaceId;
        let mut lost: Vec<PlaceId> = (0..3).map(|_| random.below(graph.len()) as PlaceId).collect();
        lost.retain(|&place| place != goal);
        let Some(ends) = bring(&graph, &at, goal, &lost) else { continue };
        assert_eq!(ends[0], goal);
        assert!(ends[1..].iter().all(|end| !lost.contains(end)), "{ends:?} {lost:?}");
        brought += 1;
    }
    assert!(brought > 200, "{brought} of 300");
}

/// All who are ahead in a blind passage have to get past one whose goal is at its end: it goes into a niche until
/// they have. Without the niche there is no way.
#[test]
fn one_goes_aside_for_those_who_are_ahead() {
    let brought = |niche: &str| {
        let niche = vec![format!("@@@@@@@{niche}@@@@@@@@"); 3].join("\n");
        let level = Level::read(&format!("@@@@@@@@@@@@@@@@\n................\n{niche}"));
        let at = [9, 11, 13, 15].map(|column| level.place([column, 1]));
        bring(&level.graph, &at, at[3], &[]).map(|ends| ends[0] == at[3])
    };
    assert_eq!(brought("."), Some(true));
    assert_eq!(brought("@"), None);
}

/// Fourteen blind ends with two bodies in each, who all go to another: the search brings all of them home.
#[test]
fn everyone_in_a_maze_comes_home() {
    let tooth = ".@@.@@.@@.@@.@@.@@.";
    let teeth = [tooth; 5].join("\n");
    let passage = ".".repeat(19);
    let map = format!("{teeth}\n{passage}\n{teeth}");
    for seed in 0..4 {
        let level = Level::read(&map);
        let place = |at: usize| {
            let [tooth, deep] = [at / 2, at % 2];
            let row = if tooth < 7 { 2 * deep } else { 10 - 2 * deep };
            level.place([3 * (tooth % 7), row])
        };
        let places: Vec<PlaceId> = (0..28).map(place).collect();
        let mut goals = places.clone();
        let mut random = Random(seed);
        (1..28).rev().for_each(|at| goals.swap(at, random.below(at + 1)));
        let bodies: Vec<Body> =
            places.iter().zip(&goals).map(|(&start, &goal)| body(start, goal)).collect();
        let task = Task::new(level.graph, bodies);
        let mut search = EscortSearch::new(&task);
        let moves = loop {
            if let Some(moves) = search.go_on(&task, 1_000) {
                break moves;
            }
        };
        assert_eq!(walk(&task, &moves), goals, "seed {seed}");
    }
}
