//! Two bodies change places, and all others are where they were.

use crate::mapf::{Body, ExchangeSearch, PlaceId, PlannedMove, Target, Task};
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
