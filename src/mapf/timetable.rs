//! Provides [`Timetable`]: when each body makes its moves, if everyone walks at the same pace and nobody waits
//! longer than it has to.

use crate::mapf::place_graph::{PlaceGraph, PlaceId, Step};
use crate::mapf::task::{BodyId, PlannedMove, Task};

/// A time, in the length that a body walks until then [mm].
pub(crate) type Time = u32;

/// No time of a plan.
pub(crate) const NEVER: Time = Time::MAX;

/// A body goes to a place beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimedMove {
    pub from: PlaceId,
    /// Which one it is of the steps from there.
    pub step: u16,
    pub begin: Time,
    pub end: Time,
}

/// The moves of one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedPath<'a> {
    pub body: BodyId,
    pub start: PlaceId,
    pub moves: &'a [TimedMove],
}

/// The moves of all bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timetable {
    /// For each body, one after another.
    pub moves: Vec<Vec<TimedMove>>,
}

/// How good a timetable is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    /// So many do not come to where they have to be.
    away: usize,
    /// All times that bodies take, and what they walk; see [`WALK_SHARE`].
    time: u64,
}

/// What is walked counts as much as the same time, divided by this: who waits is less in the way than who
/// walks about.
const WALK_SHARE: u64 = 4;
/// What a move counts besides its length [mm]: the time to start and stop.
pub(crate) const MOVE_COST: u32 = 300;

impl TimedMove {
    pub(crate) fn step<'a>(&self, graph: &'a PlaceGraph) -> &'a Step {
        &graph.steps(self.from)[usize::from(self.step)]
    }

    /// The places that nobody else may be on, or near, meanwhile.
    pub(crate) fn touched<'a>(&self, graph: &'a PlaceGraph) -> impl Iterator<Item = PlaceId> + 'a {
        let in_the_way = graph.in_the_way(self.step(graph)).iter().copied();
        in_the_way.chain([self.from]).filter(|&place| !graph.is_roomy(place))
    }
}

/// Times moves that are made in an order, each as early as can be.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// For each body, where it is.
    at: Vec<PlaceId>,
    /// For each body, when it has come there.
    arrived: Vec<Time>,
    /// For each place, until when it is needed.
    needed: Vec<Time>,
}

impl Clock {
    pub(crate) fn new(task: &Task) -> Self {
        let at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
        Clock { arrived: vec![0; at.len()], at, needed: vec![0; task.graph.len()] }
    }

    /// When the next move is made; `None` if there is no step for it.
    pub(crate) fn add(&mut self, graph: &PlaceGraph, next: &PlannedMove) -> Option<TimedMove> {
        let body = usize::from(next.body);
        let from = std::mem::replace(&mut self.at[body], next.to);
        let step = graph.steps(from).iter().position(|step| step.to == next.to)?;
        let mut own = TimedMove { from, step: step as u16, begin: 0, end: 0 };
        let free = own.touched(graph).map(|place| self.needed[usize::from(place)]);
        own.begin = free.fold(self.arrived[body], Time::max);
        own.end = own.begin.saturating_add(own.step(graph).length);
        own.touched(graph).for_each(|place| self.needed[usize::from(place)] = own.end);
        self.arrived[body] = own.end;
        Some(own)
    }

    /// When a body has made its last move.
    pub(crate) fn arrived(&self, body: BodyId) -> Time {
        self.arrived[usize::from(body)]
    }
}

impl Timetable {
    /// Moves that were found in an order, each as early as can be; `None` if there is no step for one.
    pub(crate) fn new(task: &Task, moves: &[PlannedMove]) -> Option<Self> {
        let mut clock = Clock::new(task);
        let mut table = Timetable { moves: vec![Vec::new(); task.bodies.len()] };
        for next in moves {
            table.moves[usize::from(next.body)].push(clock.add(&task.graph, next)?);
        }
        Some(table)
    }

    /// All moves, in an order in which they can be made.
    pub(crate) fn in_order(&self, graph: &PlaceGraph) -> Vec<PlannedMove> {
        let moves = self.moves.iter().enumerate().flat_map(|(body, moves)| {
            let planned =
                move |own: &TimedMove| PlannedMove { body: body as BodyId, to: own.step(graph).to };
            moves.iter().map(move |own| (own.begin, planned(own)))
        });
        let mut moves: Vec<(Time, PlannedMove)> = moves.collect();
        // Those that begin at the same time do not touch the same places.
        moves.sort_by_key(|&(begin, PlannedMove { body, .. })| (begin, body));
        moves.into_iter().map(|(_, planned)| planned).collect()
    }

    /// The moves of a body.
    pub(crate) fn path(&self, task: &Task, body: BodyId) -> TimedPath<'_> {
        let start = task.bodies[usize::from(body)].start;
        TimedPath { body, start, moves: &self.moves[usize::from(body)] }
    }

    /// Where a body is in the end.
    pub(crate) fn end(&self, task: &Task, body: BodyId) -> PlaceId {
        let last = self.moves[usize::from(body)].last();
        last.map_or(task.bodies[usize::from(body)].start, |last| last.step(&task.graph).to)
    }

    pub(crate) fn cost(&self, task: &Task) -> Cost {
        let bodies = 0..self.moves.len() as BodyId;
        let costs = bodies.map(|body| self.cost_of(task, body));
        let mut cost = costs.fold(Cost { away: 0, time: 0 }, Cost::plus);
        // A plan is over once the last is there; half of all others wait for that.
        cost.time += u64::from(self.last_end()) * self.moves.len() as u64 / 2;
        cost
    }

    /// When the last body has made its moves.
    pub(crate) fn last_end(&self) -> Time {
        let ends = self.moves.iter().filter_map(|moves| Some(moves.last()?.end));
        ends.max().unwrap_or(0)
    }

    /// What the moves of one body cost.
    pub(crate) fn cost_of(&self, task: &Task, body: BodyId) -> Cost {
        let moves = &self.moves[usize::from(body)];
        let distance = task.distance(body, self.end(task, body));
        let end = moves.last().map_or(0, |last| last.end);
        let walked = moves
            .iter()
            .map(|own| u64::from(own.end - own.begin) + u64::from(MOVE_COST))
            .sum::<u64>();
        let time = u64::from(end) + u64::from(distance) + walked / WALK_SHARE;
        Cost { away: usize::from(distance > 0), time }
    }
}

impl Cost {
    pub(crate) fn plus(self, other: Cost) -> Cost {
        Cost { away: self.away + other.away, time: self.time + other.time }
    }
}
