//! A plan brings everyone to its target, whatever the pace, and nobody through anybody.

use crate::mapf::{
    Body, Move, MovePlan, PlaceGraph, PlaceId, PlanRefinement, PlannedMove, Target, Task,
};
use crate::search::Random;
use crate::tests::mapf::level::{Level, body, random_level};

/// Makes the moves of a plan in a random order that its conditions allow. Nobody may stand in the way of a
/// move while it is made. Returns where everyone is in the end.
fn walk(task: &Task, plan: &MovePlan, seed: u64) -> Vec<PlaceId> {
    let mut random = Random(seed);
    let mut at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
    let mut made = vec![0usize; at.len()];
    loop {
        let is_ready = |&body: &usize| {
            plan.moves[body].get(made[body]).is_some_and(|next| {
                let mut after = next.after.iter();
                after.all(|other| made[usize::from(other.body)] >= other.moves as usize)
            })
        };
        let ready: Vec<usize> = (0..at.len()).filter(is_ready).collect();
        if ready.is_empty() {
            let all: Vec<usize> = plan.moves.iter().map(Vec::len).collect();
            assert_eq!(made, all, "nobody waits for ever");
            return at;
        }
        let body = ready[random.below(ready.len())];
        let next = &plan.moves[body][made[body]];
        assert_eq!(at[body], next.from);
        let step = task.graph.step(next.from, next.to).expect("a step");
        let crowded = |place: &&PlaceId| !task.graph.is_roomy(**place);
        for place in task.graph.in_the_way(step).iter().filter(crowded) {
            let other = at.iter().position(|at| at == place).filter(|&other| other != body);
            assert_eq!(other, None, "somebody stands in the way");
        }
        at[body] = next.to;
        made[body] += 1;
    }
}

fn check(level: Level, bodies: Vec<Body>) {
    let (task, plan) = level.solve(bodies).expect("a plan");
    for seed in 0..5 {
        let at = walk(&task, &plan, seed);
        for (body, &place) in at.iter().enumerate() {
            assert_eq!(task.distance(body as u16, place), 0, "body {body} is where it has to be");
        }
    }
}

const JUNCTION: &str = "\
@@@@@@@@@@@@@@@@@
.................
@@@@@@@@.@@@@@@@@
@@@@@@@@.@@@@@@@@
@@@@@@@@.@@@@@@@@";

/// Whoever is jammed again may be helped by other choices: with another seed some plans are others.
#[test]
fn seeds_choose_otherwise() {
    let mut other = 0;
    for level in 0..60 {
        let plans = [0, 1].map(|seed| {
            let (level, bodies) = random_level(level)?;
            let (task, plan) = level.solve_by(bodies, seed)?;
            walk(&task, &plan, 0);
            let places = |moves: &Vec<Move>| moves.iter().map(|next| next.to).collect::<Vec<_>>();
            Some(plan.moves.iter().map(places).collect::<Vec<_>>())
        });
        other += usize::from(plans[0] != plans[1]);
    }
    assert!(other > 5, "{other} plans are others");
}

#[test]
fn two_change_places_by_a_side_passage() {
    let level = Level::read(JUNCTION);
    let ends = [level.place([0, 1]), level.place([16, 1])];
    check(level, vec![body(ends[0], ends[1]), body(ends[1], ends[0])]);
}

/// Three stand one behind the other, and two at a time can get past each other by a side passage that is far off. A
/// search for all at once goes astray, and stages bring home only one: then they change places, two at a time.
#[test]
fn where_searches_for_all_go_astray_two_at_a_time_change_places() {
    let map = "\
@@@@@@@@@@@@@@@@@@@
...................
@@@@@@@@@.@@@@@@@@@
@@@@@@@@@.@@@@@@@@@
@@@@@@@@@.@@@@@@@@@
@@@@@@@@@.@@@@@@@@@";
    for first in 0..3 {
        let level = Level::read(map);
        let places = [[6, 1], [2, 1], [0, 1]].map(|cell| level.place(cell));
        let bodies = (first..first + 3).map(|at| body(places[at % 3], places[(at + 1) % 3]));
        let bodies = bodies.collect();
        check(level, bodies);
    }
}

#[test]
fn one_who_rests_in_the_only_passage_lets_another_by_and_comes_back() {
    let level = Level::read(JUNCTION);
    let [start, rests, goal] = [[0, 1], [12, 1], [16, 1]].map(|cell| level.place(cell));
    check(level, vec![body(start, goal), body(rests, rests)]);
}

#[test]
fn who_stands_in_a_blind_end_comes_out_for_one_whose_goal_is_there() {
    let level = Level::read(JUNCTION);
    let [start, end] = [[0, 1], [8, 4]].map(|cell| level.place(cell));
    let aside = Body { start: end, target: Target::Anywhere };
    check(level, vec![body(start, end), aside]);
}

/// A comb of blind ends, with somebody in each, who all change places.
#[test]
fn everyone_in_a_comb_of_blind_ends_comes_to_another() {
    let tooth = ".@@.@@.@@.@@.@@.@@.";
    let level =
        Level::read(&[tooth, tooth, tooth, &".".repeat(19), tooth, tooth, tooth].join("\n"));
    let ends = (0..14).map(|end| level.place([3 * (end % 7), 6 * (end / 7)]));
    let ends: Vec<PlaceId> = ends.collect();
    let target = |end: usize| ends[(5 * end + 3) % 14];
    let bodies = (0..14).map(|end| body(ends[end], target(end))).collect();
    check(level, bodies);
}

/// Any number come to where there is room for all, and one of them goes back in behind the others.
#[test]
fn a_hall_has_room_for_all() {
    let mut level = Level::read("@@@@@@@@@@@@@@@\n...............\n@@@@@@@@@@@@@@@");
    let [inside, middle, near, hall] =
        [[0, 1], [4, 1], [8, 1], [14, 1]].map(|cell| level.place(cell));
    level.graph.make_roomy(|place| place == hall);
    let out = |start| Body { start, target: Target::OneOf(vec![hall]) };
    check(level, vec![out(inside), out(middle), body(near, inside)]);
}

/// Nobody moves who need not, and whoever goes alone goes straight.
#[test]
fn plans_have_no_moves_that_nobody_needs() {
    let level = Level::read(JUNCTION);
    let [start, goal, aside] = [[0, 1], [16, 1], [8, 4]].map(|cell| level.place(cell));
    let shortest = shortest(&level.graph, start, goal);
    let bodies = vec![body(start, goal), body(aside, aside)];
    let (_, plan) = level.solve(bodies).expect("a plan");
    assert_eq!(plan.moves.iter().map(Vec::len).collect::<Vec<_>>(), [shortest, 0]);
}

/// Moves that lead nowhere are left out, and those of others that had to make way for them; somebody who was
/// left out comes home.
#[test]
fn plans_are_made_as_short_as_can_be() {
    let level = Level::read(JUNCTION);
    let [start, rests, goal] = [[0, 1], [12, 1], [16, 1]].map(|cell| level.place(cell));
    let next = level.graph.steps(start)[0].to;
    let task = Task::new(level.graph, vec![body(start, rests), body(rests, goal)]);
    let back_and_forth = [next, start].map(|to| PlannedMove { body: 0, to }).repeat(20);
    let mut refinement = PlanRefinement::new(&task, &back_and_forth).expect("moves that fit");
    let moves = loop {
        if let Some(moves) = refinement.go_on(&task, 1) {
            break moves;
        }
    };
    let ways = task.bodies.iter().map(|body| match body.target {
        Target::Place(target) => shortest(&task.graph, body.start, target),
        _ => 0,
    });
    assert_eq!(moves.len(), ways.sum::<usize>());
    assert_eq!(task.after(&moves), [rests, goal]);
}

/// So many steps lead from one place to another.
fn shortest(graph: &PlaceGraph, from: PlaceId, to: PlaceId) -> usize {
    let (mut reached, mut steps) = (vec![from], 0);
    while !reached.contains(&to) {
        let next = reached.iter().flat_map(|&place| graph.steps(place)).map(|step| step.to);
        let next: Vec<PlaceId> = next.collect();
        reached.extend(next);
        reached.sort_unstable();
        reached.dedup();
        steps += 1;
    }
    steps
}

#[test]
fn without_a_side_passage_there_is_no_plan() {
    let level = Level::read("@@@@@@@@@\n.........\n@@@@@@@@@");
    let ends = [level.place([0, 1]), level.place([8, 1])];
    assert!(level.solve(vec![body(ends[0], ends[1]), body(ends[1], ends[0])]).is_none());
}

/// In a room of 1 by 1.5 m one gets past another only if places are closer together than bodies are wide.
#[test]
fn places_that_are_dense_leave_more_ways_past_each_other() {
    let cells = [[0, 1], [3, 1], [1, 1], [0, 2]];
    let starts = cells.map(|cell| cell.map(|at| 0.5 * (at as f32 + 0.5)));
    let solve = |is_dense| {
        let level = Level::with_places("..@@\n....\n..@@", &starts, is_dense);
        let [one, other, goal, end] = cells.map(|cell| level.place(cell));
        let (task, plan) = level.solve(vec![body(one, goal), body(other, end)])?;
        let at = walk(&task, &plan, 1);
        Some((0..2).all(|body| task.distance(body, at[usize::from(body)]) == 0))
    };
    assert_ne!(solve(false), Some(true), "there is room for few places");
    assert_eq!(solve(true), Some(true));
}

/// Goals may be so near to each other that those who rest there push each other a little: neither is in the way
/// of the other.
#[test]
fn two_come_to_goals_that_nearly_touch() {
    let map = "@@@@@@@@@@@@@@@\n...............\n.....@@@@@.....\n...............\n@@@@@@@@@@@@@@@";
    let goals = [[6.8, 1.35], [7.35, 1.35]];
    let level = Level::with_starts(map, &goals);
    let [one, other] = [[0, 1], [14, 1]].map(|cell| level.place(cell));
    check(level, vec![body(one, 0), body(other, 1)]);
}

/// If not all can come to their targets, as many do as can.
#[test]
fn others_are_brought_home_where_two_cannot() {
    let level = Level::read("@@@@@@@@@@@@@@@\n...............\n@@@@@@@@@@@@@@@");
    let [left, right, middle, end] =
        [[0, 1], [4, 1], [8, 1], [14, 1]].map(|cell| level.place(cell));
    let bodies = vec![body(left, right), body(right, left), body(middle, end)];
    let (task, plan) = level.solve(bodies).expect("a plan");
    assert_eq!(walk(&task, &plan, 1)[2], end);
}

/// On random maps, with random bodies: what is found can be walked at any pace.
#[test]
fn plans_can_be_walked_at_any_pace() {
    let mut solved = 0;
    for seed in 0..200 {
        let Some((level, bodies)) = random_level(seed) else { continue };
        if let Some((task, plan)) = level.solve(bodies) {
            (0..3).for_each(|seed| drop(walk(&task, &plan, seed)));
            solved += 1;
        }
    }
    assert!(solved > 150, "{solved} of 200 have a plan");
}

/// The same task has the same plan.
#[test]
fn plans_are_always_the_same() {
    let plan = || {
        let level = Level::read(JUNCTION);
        let places = [[0, 1], [4, 1], [12, 1], [16, 1]].map(|cell| level.place(cell));
        let bodies = (0..4).map(|at| body(places[at], places[3 - at])).collect();
        let (_, plan) = level.solve(bodies).expect("a plan");
        let moves = plan.moves.iter().map(|moves| moves.iter().map(|own| own.to).collect());
        moves.collect::<Vec<Vec<PlaceId>>>()
    };
    assert_eq!(plan(), plan());
}

/// Two who could pass each other only far away from their goals go there all the same; but if a third comes home
/// soon, that is walked first: another plan may be shorter.
#[test]
fn of_a_plan_that_takes_long_the_first_part_is_walked() {
    let niche = format!("{}.{}", "@".repeat(40), "@".repeat(9));
    let map = ["@".repeat(50), ".".repeat(50), niche.clone(), niche].join("\n");
    let level = || Level::read(&map);
    let [one, other, aside, home] = [[2, 1], [4, 1], [46, 1], [48, 1]].map(|at| level().place(at));
    let two = || vec![body(one, other), body(other, one)];
    check(level(), two());
    let three = [two(), vec![body(aside, home)]].concat();
    let (task, plan) = level().solve(three).expect("a plan");
    let at = walk(&task, &plan, 1);
    assert_eq!(at[2], home);
    assert!(at[0] != other && at[1] != one, "the plan ends before");
}

/// Who only has to get out of the way has done so once it is out, though it may have to move again for others.
#[test]
fn who_is_out_of_the_way_soon_is_led_there_first() {
    let niche = format!("{}.{}", "@".repeat(40), "@".repeat(9));
    let map = ["@".repeat(50), ".".repeat(50), niche.clone(), niche].join("\n");
    let solve = |is_anywhere_out: bool| {
        let level = Level::read(&map);
        let [one, other, start, out] = [[2, 1], [4, 1], [6, 1], [8, 1]].map(|at| level.place(at));
        let target = if is_anywhere_out { Target::OneOf(vec![out]) } else { Target::Place(out) };
        let third = Body { start, target };
        let (task, plan) = level.solve(vec![body(one, other), body(other, one), third])?;
        Some(walk(&task, &plan, 1) == [other, one, out])
    };
    assert_eq!([solve(false), solve(true)], [Some(true), Some(false)]);
}
