//! Two bodies change places, and all others are where they were.

use std::collections::HashSet;

use crate::mapf::{
    Body, ExchangeSearch, Exchanges, PlaceGraph, PlaceId, PlannedMove, Target, Task,
};
use crate::search::Random;
use crate::tests::mapf::level::{Level, body, random_level, walk};

/// Bodies that change places by an [`ExchangeSearch`]. Returns the moves; none if there are too many bodies.
fn solve(task: &Task) -> Vec<PlannedMove> {
    let Some(mut search) = ExchangeSearch::new(task) else { return Vec::new() };
    loop {
        if let Some(moves) = search.go_on(task, 100) {
            return moves;
        }
    }
}

/// Two from the ends of a passage get past each other in the niche in its middle, and two who rest in the
/// passage, one on each side, are back after.
#[test]
fn two_change_places_past_two_who_rest() {
    let level = Level::read(
        "\
@@@@@@@@@@@@@@@@@@@@@
.....................
@@@@@@@@@@.@@@@@@@@@@
@@@@@@@@@@.@@@@@@@@@@
@@@@@@@@@@.@@@@@@@@@@
@@@@@@@@@@.@@@@@@@@@@
@@@@@@@@@@.@@@@@@@@@@
@@@@@@@@@@.@@@@@@@@@@",
    );
    let [left, right, one, other] =
        [[0, 1], [20, 1], [6, 1], [14, 1]].map(|cell| level.place(cell));
    let bodies = vec![body(left, right), body(one, one), body(other, other), body(right, left)];
    let task = Task::new(level.graph, bodies);
    assert_eq!(walk(&task, &solve(&task)), [right, one, other, left]);
}

/// In a passage without a niche nobody moves.
#[test]
fn nobody_moves_where_two_cannot_pass() {
    let level = Level::read("@@@@@@@@@@@\n...........\n@@@@@@@@@@@");
    let [left, right] = [[0, 1], [10, 1]].map(|cell| level.place(cell));
    let task = Task::new(level.graph, vec![body(left, right), body(right, left)]);
    assert_eq!(solve(&task), []);
}

/// On random maps where bodies are to change places: whoever comes home, nobody goes through anybody, and no
/// fewer are home than before.
#[test]
fn exchanges_can_be_walked() {
    let mut brought = 0;
    for seed in 0..100 {
        let Some((level, mut bodies)) = random_level(seed) else { continue };
        // Everyone is to go to where another is.
        let mut goals: Vec<PlaceId> = bodies.iter().map(|body| body.start).collect();
        let mut random = Random(seed);
        (1..goals.len()).for_each(|at| goals.swap(at, random.below(at + 1)));
        let targets = bodies.iter_mut().zip(&goals);
        targets.for_each(|(body, &goal): (&mut Body, _)| body.target = Target::Place(goal));
        let task = Task::new(level.graph, bodies);
        let starts: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
        let ends = walk(&task, &solve(&task));
        let [before, after] = [&starts, &ends].map(|at| task.rank(at).away);
        assert!(after <= before, "seed {seed}");
        brought += before - after;
    }
    assert!(brought > 100, "{brought} come home");
}

/// All exchanges on a graph, and the most that was done for one [decisions of a search].
fn exchanges(graph: &PlaceGraph) -> (Exchanges, usize) {
    let mut exchanges = Exchanges::new(graph);
    let mut most = 0;
    while let Some(work) = exchanges.find_next(graph) {
        most = most.max(work);
    }
    (exchanges, most)
}

/// The pairs of places that two bodies come to by one more move of either.
fn next_pairs(graph: &PlaceGraph, at: [PlaceId; 2]) -> Vec<[PlaceId; 2]> {
    let of = |who: usize| {
        let steps = graph.steps(at[who]).iter();
        let standing = at[1 - who];
        let free = steps.filter(move |step| {
            !graph.in_the_way(step).contains(&standing) || graph.is_roomy(standing)
        });
        free.map(move |step| if who == 0 { [step.to, standing] } else { [standing, step.to] })
    };
    [0, 1].into_iter().flat_map(of).collect()
}

/// By how many moves two bodies change places, found layer by layer over all pairs of places.
fn fewest_moves(graph: &PlaceGraph, places: [PlaceId; 2]) -> Option<usize> {
    let mut seen = HashSet::from([places]);
    let mut layer = vec![places];
    for moves in 0..=14 {
        if layer.contains(&[places[1], places[0]]) {
            return Some(moves);
        }
        let next = layer.iter().flat_map(|&at| next_pairs(graph, at));
        layer = next.filter(|&at| seen.insert(at)).collect();
    }
    None
}

/// Whatever exchange is found takes as few moves as one that is found layer by layer.
#[test]
fn two_change_places_by_the_fewest_moves() {
    let mut count = 0;
    for seed in 0..40 {
        let Some((Level { graph, .. }, _)) = random_level(seed) else { continue };
        let (exchanges, _) = exchanges(&graph);
        for exchange in &exchanges.found {
            let moves = Some(exchange.moves.len());
            assert_eq!(moves, fewest_moves(&graph, exchange.places), "seed {seed}");
            count += 1;
        }
    }
    assert!(count > 500, "{count} exchanges");
}

/// On open ground with many ways, where there are most pairs of places to come to, a slice of the search may end in a
/// small part of a step of a crowd.
#[test]
fn to_look_for_one_exchange_takes_a_small_part_of_a_step() {
    let map = vec![".".repeat(12); 12].join("\n");
    let (exchanges, most) = exchanges(&Level::with_places(&map, &[], true).graph);
    assert!(exchanges.found.len() > 1_000, "{} exchanges", exchanges.found.len());
    assert!(most < 5_000, "{most} decisions");
}
