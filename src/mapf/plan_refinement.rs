//! Provides [`PlanRefinement`]: makes plans shorter, and brings bodies home that they leave out.
//!
//! The moves of some bodies are taken out of a plan, and one after another these find the fastest ways between
//! all others. If all come to their targets sooner by that, the new plan is kept. What a body leaves out others
//! need not wait for, so they gain in turn.
//!
//! Sources: Okumura, Tamura and Défago, "Iterative refinement for real-time multi-robot path planning", 2021;
//! Li, Chen, Harabor, Stuckey and Koenig, "Anytime multi-agent path finding via large neighborhood search",
//! 2021.

use crate::mapf::occupancy::Occupancy;
use crate::mapf::place_graph::PlaceId;
use crate::mapf::safe_path::{SafePathSearch, Seeker};
use crate::mapf::task::{BodyId, PlannedMove, Standing, Task};
use crate::mapf::timetable::{Cost, TimedMove, Timetable};
use crate::search::Random;

/// Makes a plan shorter, in slices.
#[derive(Debug)]
pub(crate) struct PlanRefinement {
    pub table: Timetable,
    cost: Cost,
    occupancy: Occupancy,
    search: SafePathSearch,
    random: Random,
    /// So many attempts in a row have gained nothing.
    in_vain: usize,
    /// No more attempts than this are made.
    left: usize,
}

/// So many bodies find new ways together at most.
const MOST_TOGETHER: usize = 3;
/// The same where one of them is not where it has to be.
const MOST_IN_THE_WAY: usize = 6;
/// It is over after so many attempts in vain, times bodies...
const MOST_IN_VAIN: usize = 6;
/// ...or so many in all.
const MOST_ATTEMPTS: usize = 40;
/// To change a move in a timetable takes as long as so many decisions of a search.
const DECISIONS_OF_MOVE: usize = 4;

impl PlanRefinement {
    /// `None` if the moves do not fit the task.
    pub(crate) fn new(task: &Task, moves: &[PlannedMove]) -> Option<Self> {
        let table = Timetable::new(task, moves)?;
        let mut refinement = PlanRefinement {
            cost: table.cost(task),
            table,
            occupancy: Occupancy::default(),
            search: SafePathSearch::default(),
            random: Random(0),
            in_vain: 0,
            left: MOST_ATTEMPTS * task.bodies.len(),
        };
        refinement.occupy(task);
        Some(refinement)
    }

    /// Goes on for as long as so many steps of a search take. Returns the moves once nothing more is gained.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let most = self.search.work + steps * task.bodies.len();
        while self.search.work < most {
            if self.left == 0 || self.in_vain >= MOST_IN_VAIN * task.bodies.len() {
                return Some(self.table.in_order(&task.graph));
            }
            self.left -= 1;
            self.in_vain += 1;
            let bodies = self.next_bodies(task);
            self.refine(task, &bodies);
        }
        None
    }

    /// Finds new ways for some bodies, and keeps them if they are better.
    fn refine(&mut self, task: &Task, bodies: &[BodyId]) {
        let cost = self.cost_of(task, bodies);
        bodies.iter().for_each(|&body| self.take_out(task, body));
        let old: Vec<Vec<TimedMove>> = bodies
            .iter()
            .map(|&body| std::mem::take(&mut self.table.moves[usize::from(body)]))
            .collect();
        let found = bodies.iter().take_while(|&&body| self.find(task, body)).count();
        let is_better = found == bodies.len() && self.cost_of(task, bodies) < cost;
        if is_better && self.keep(task) {
            return;
        }
        bodies[..found].iter().for_each(|&body| self.take_out(task, body));
        for (&body, moves) in bodies.iter().zip(old) {
            self.put_in(task, body, moves);
        }
    }

    /// Finds the fastest way of a body. Returns false if there is none.
    fn find(&mut self, task: &Task, body: BodyId) -> bool {
        let found = self.search.find(Seeker { task, body, others: &self.occupancy });
        let is_found = found.is_some();
        found.into_iter().for_each(|moves| self.put_in(task, body, moves));
        is_found
    }

    /// Others need not wait any more for a body.
    fn take_out(&mut self, task: &Task, body: BodyId) {
        let path = self.table.path(task, body);
        self.search.work += DECISIONS_OF_MOVE * path.moves.len();
        self.occupancy.remove(&task.graph, path);
    }

    /// A body makes some moves instead of its own.
    fn put_in(&mut self, task: &Task, body: BodyId, moves: Vec<TimedMove>) {
        self.table.moves[usize::from(body)] = moves;
        let path = self.table.path(task, body);
        self.search.work += DECISIONS_OF_MOVE * path.moves.len();
        self.occupancy.add(&task.graph, path);
    }

    /// What the moves of some bodies cost.
    fn cost_of(&self, task: &Task, bodies: &[BodyId]) -> Cost {
        let costs = bodies.iter().map(|&body| self.table.cost_of(task, body));
        costs.fold(Cost::default(), Cost::plus)
    }

    /// Lets nobody wait any more for what some bodies have left out. Returns false if that is no better.
    fn keep(&mut self, task: &Task) -> bool {
        let planned = self.table.in_order(&task.graph);
        self.search.work += DECISIONS_OF_MOVE * planned.len();
        let Some(table) = Timetable::new(task, &planned) else { return false };
        let cost = table.cost(task);
        if cost > self.cost {
            return false;
        }
        if cost < self.cost {
            self.in_vain = 0;
        }
        (self.table, self.cost) = (table, cost);
        self.occupy(task);
        true
    }

    /// Notes when everyone needs which places.
    fn occupy(&mut self, task: &Task) {
        self.occupancy = Occupancy::new(task.graph.len());
        for body in 0..task.bodies.len() as BodyId {
            let path = self.table.path(task, body);
            self.search.work += DECISIONS_OF_MOVE * path.moves.len();
            self.occupancy.add(&task.graph, path);
        }
    }

    /// Those who look for new ways next: some, or one that is not where it has to be, and those in its way.
    fn next_bodies(&mut self, task: &Task) -> Vec<BodyId> {
        let all = 0..task.bodies.len() as BodyId;
        let is_away = |&body: &BodyId| task.distance(body, self.table.end(task, body)) > 0;
        let away: Vec<BodyId> = all.clone().filter(is_away).collect();
        let mut bodies = Vec::new();
        if !away.is_empty() && self.random.below(4) == 0 {
            bodies.push(away[self.random.below(away.len())]);
            let mut in_the_way = self.in_the_way(task, bodies[0]);
            let most = self.random.below(MOST_IN_THE_WAY);
            while bodies.len() <= most && !in_the_way.is_empty() {
                bodies.push(in_the_way.swap_remove(self.random.below(in_the_way.len())));
            }
        }
        let count = 1 + self.random.below(MOST_TOGETHER);
        while bodies.len() < count.min(all.len()) {
            let body = self.random.below(all.len()) as BodyId;
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        }
        bodies
    }

    /// Who stands in the end between where a body is by then and its target.
    fn in_the_way(&self, task: &Task, body: BodyId) -> Vec<BodyId> {
        let graph = &task.graph;
        let ends: Vec<PlaceId> =
            (0..task.bodies.len() as BodyId).map(|body| self.table.end(task, body)).collect();
        let mut standing = Standing::default();
        standing.fill(graph, &ends);
        let mut in_the_way = Vec::new();
        let mut at = ends[usize::from(body)];
        while let Some(step) = graph
            .steps(at)
            .iter()
            .min_by_key(|step| u64::from(step.length) + u64::from(task.distance(body, step.to)))
        {
            if task.distance(body, step.to) >= task.distance(body, at) {
                break;
            }
            in_the_way.extend(graph.in_the_way(step).iter().filter_map(|&at| standing.on(at)));
            at = step.to;
        }
        in_the_way.retain(|&other| other != body);
        in_the_way.sort_unstable();
        in_the_way.dedup();
        in_the_way
    }
}
