//! Ways between others are the fastest that there are, and nobody gets in anybody's way.

use std::collections::BTreeSet;

use crate::mapf::{
    BodyId, MovePlan, NEVER, Occupancy, PlaceId, PlanRefinement, PlannedMove, SafePathSearch,
    Seeker, Task, Time, TimedMove, Timetable,
};
use crate::tests::mapf::level::{Level, random_level};

/// The tasks of some random maps, and a plan for each.
fn plans(seeds: u64) -> impl Iterator<Item = (Task, Vec<PlannedMove>)> {
    (0..seeds).filter_map(|seed| {
        let (level, bodies) = random_level(seed)?;
        let (task, plan) = level.solve(bodies)?;
        let moves = in_order(&task, &plan);
        Some((task, moves))
    })
}

/// The moves of a plan, in an order that its conditions allow.
fn in_order(task: &Task, plan: &MovePlan) -> Vec<PlannedMove> {
    let mut made = vec![0; task.bodies.len()];
    let mut moves = Vec::new();
    while let Some(body) = (0..made.len()).find(|&body| {
        plan.moves[body].get(made[body]).is_some_and(|next| {
            next.after.iter().all(|other| made[usize::from(other.body)] >= other.moves as usize)
        })
    }) {
        moves.push(PlannedMove { body: body as BodyId, to: plan.moves[body][made[body]].to });
        made[body] += 1;
    }
    moves
}

/// When a body needs which place: `(place, begin, end)`.
fn needs(task: &Task, table: &Timetable, body: BodyId) -> Vec<(PlaceId, Time, Time)> {
    let path = table.path(task, body);
    let (mut at, mut since) = (path.start, 0);
    let mut needs = Vec::new();
    for own in path.moves {
        needs.push((at, since, own.begin));
        needs.extend(own.touched(&task.graph).map(|place| (place, own.begin, own.end)));
        (at, since) = (own.step(&task.graph).to, own.end);
    }
    needs.push((at, since, NEVER));
    needs
}

fn is_apart(one: &(PlaceId, Time, Time), other: &(PlaceId, Time, Time)) -> bool {
    one.0 != other.0 || one.2 <= other.1 || other.2 <= one.1
}

#[test]
fn in_a_timetable_nobody_needs_a_place_that_another_has() {
    let mut pairs = 0;
    for (task, moves) in plans(60) {
        let table = Timetable::new(&task, &moves).expect("moves that fit");
        let needs: Vec<_> =
            (0..task.bodies.len() as BodyId).map(|body| needs(&task, &table, body)).collect();
        for (one, own) in needs.iter().enumerate() {
            for need in own {
                let others = needs[..one].iter().flatten();
                others.for_each(|other| assert!(is_apart(need, other), "{need:?} {other:?}"));
            }
            pairs += one;
        }
        let mut at = task.after(&[]);
        for PlannedMove { body, to } in table.in_order(&task.graph) {
            assert!(task.graph.step(at[usize::from(body)], to).is_some());
            at[usize::from(body)] = to;
        }
        assert_eq!(at, task.after(&moves));
    }
    assert!(pairs > 1_000, "{pairs}");
}

/// One of the times that are tried [mm].
const TICK: Time = 50;

/// When a body can be at its target for good, by trying everywhere at all ticks of a clock: a little later than
/// it really can. `None` if it cannot as long as others move.
fn arrival_by_ticks(seeker: Seeker, taken: &[(PlaceId, Time, Time)]) -> Option<Time> {
    let Seeker { task, body, .. } = seeker;
    let graph = &task.graph;
    let is_free = |need: (PlaceId, Time, Time)| taken.iter().all(|own| is_apart(&need, own));
    let last = taken.iter().map(|own| own.1).max().unwrap_or(0) / TICK + 1;
    let mut here = vec![BTreeSet::new(); last as usize + 1];
    here[0].insert(task.bodies[usize::from(body)].start);
    for tick in 0..=last {
        let time = tick * TICK;
        for place in here[tick as usize].clone() {
            if task.distance(body, place) == 0 && is_free((place, time, NEVER)) {
                return Some(time);
            }
            if is_free((place, time, time + TICK)) && tick < last {
                here[tick as usize + 1].insert(place);
            }
            for (number, step) in graph.steps(place).iter().enumerate() {
                let ticks = step.length.div_ceil(TICK);
                let own = TimedMove { from: place, step: number as u16, begin: time, end: 0 };
                let need = |place| (place, time, time + ticks * TICK);
                if tick + ticks <= last && own.touched(graph).all(|place| is_free(need(place))) {
                    here[(tick + ticks) as usize].insert(step.to);
                }
            }
        }
    }
    None
}

#[test]
fn nobody_could_be_at_its_target_sooner_between_the_others() {
    let mut arrived = 0;
    let mut search = SafePathSearch::default();
    for (task, moves) in plans(40) {
        let table = Timetable::new(&task, &moves).expect("moves that fit");
        for body in 0..task.bodies.len() as BodyId {
            let others = (0..task.bodies.len() as BodyId).filter(|&other| other != body);
            let mut occupancy = Occupancy::new(task.graph.len());
            occupancy.add(&task.graph, table.path(&task, body));
            occupancy.remove(&task.graph, table.path(&task, body));
            let mut taken = Vec::new();
            for other in others {
                occupancy.add(&task.graph, table.path(&task, other));
                taken.extend(needs(&task, &table, other));
            }
            let seeker = Seeker { task: &task, body, others: &occupancy };
            let found = search.find(seeker).expect("a way");
            let mut alone = Timetable { moves: vec![Vec::new(); task.bodies.len()] };
            alone.moves[usize::from(body)] = found;
            let own = needs(&task, &alone, body);
            assert!(own.iter().all(|own| taken.iter().all(|other| is_apart(own, other))));
            let is_there = task.distance(body, alone.end(&task, body)) == 0;
            let end = alone.moves[usize::from(body)].last().map_or(0, |last| last.end);
            if let Some(other) = arrival_by_ticks(seeker, &taken) {
                assert!(is_there && end <= other, "body {body}: {end} {other}");
                arrived += 1;
            }
        }
    }
    assert!(arrived > 100, "{arrived}");
}

#[test]
fn a_plan_that_is_refined_takes_no_longer_and_leaves_out_no_more() {
    for (task, moves) in plans(60) {
        let before = Timetable::new(&task, &moves).expect("moves that fit").cost(&task);
        let mut refinement = PlanRefinement::new(&task, &moves).expect("moves that fit");
        let refined = loop {
            if let Some(refined) = refinement.go_on(&task, 10) {
                break refined;
            }
        };
        let after = Timetable::new(&task, &refined).expect("moves that fit").cost(&task);
        assert!(after <= before, "{after:?} {before:?}");
    }
}

/// A body is in the way of a step if another comes near it anywhere along that.
#[test]
fn whoever_is_come_near_to_is_in_the_way() {
    const NEAR: f32 = 0.57;
    let mut near = 0;
    for (level, _) in (0..40).filter_map(random_level) {
        let Level { graph, .. } = level;
        for from in 0..graph.len() as PlaceId {
            for step in graph.steps(from) {
                let trail = graph.trail(step);
                for place in (0..graph.len() as PlaceId).filter(|&place| place != from) {
                    let other = graph.points[usize::from(place)].point;
                    let gap = |part: f32, ends: &[crate::view::NavPoint]| {
                        (ends[0].point + (ends[1].point - ends[0].point) * part - other).norm()
                    };
                    let parts = [0.25, 0.5, 0.75, 1.0];
                    let gaps = trail.windows(2).flat_map(|ends| parts.map(|part| gap(part, ends)));
                    let nearest = gaps.fold(f32::INFINITY, f32::min);
                    let begins = (trail[0].point - other).norm();
                    if nearest < NEAR && nearest < begins - 0.03 {
                        assert!(graph.in_the_way(step).contains(&place), "{nearest} {begins}");
                        near += 1;
                    }
                }
            }
        }
    }
    assert!(near > 1_000, "{near}");
}
