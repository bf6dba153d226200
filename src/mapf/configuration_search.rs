//! Provides [`ConfigurationSearch`]: finds the moves that bring everyone to its target (LaCAM).
//!
//! The search goes depth first over configurations: from each one a step of all bodies leads to the next. Where
//! that is known already, it demands of more and more bodies where they go, so that in the end everything that
//! can follow is tried. Depth first may lead astray, so the search begins again with other random choices, and
//! in the end takes the configuration in which most are where they have to be.

use std::collections::{HashMap, VecDeque};

use crate::mapf::place_graph::PlaceId;
use crate::mapf::step_maker::{Demands, StepMaker};
use crate::mapf::task::{BodyId, PlannedMove, Rank, Task};
use crate::search::Random;

/// A search, which is made in slices.
#[derive(Debug)]
pub(crate) struct ConfigurationSearch {
    step_maker: StepMaker,
    nodes: Vec<Node>,
    known: HashMap<Box<[PlaceId]>, u32>,
    /// Nodes from which the search may go on; it goes on from the last.
    open: Vec<u32>,
    attempts: u32,
    most_attempts: u32,
    /// Steps that were made in this attempt.
    steps: usize,
    /// How far all bodies were from their targets at best in this attempt [mm].
    nearest: u64,
    /// So many steps have brought them no nearer since.
    in_vain: usize,
    /// The best configuration of earlier attempts.
    best: Option<Best>,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Progress {
    /// It needs more time.
    GoesOn,
    /// The moves of all bodies, one after another: to all targets, or to more than now.
    Found(Vec<PlannedMove>),
    /// Nobody could be brought nearer to its target for good.
    Failed,
}

#[derive(Debug)]
struct Node {
    configuration: Box<[PlaceId]>,
    /// `None` for the first one.
    parent: Option<u32>,
    /// Who moved since the parent, in order.
    moved: Vec<BodyId>,
    /// How many moves there are from the start to here.
    moves: usize,
    /// For each body, for how long it has not been where it has to be [steps].
    priorities: Vec<f32>,
    /// The bodies, by priority.
    order: Vec<BodyId>,
    demands: VecDeque<Demands>,
}

#[derive(Debug)]
struct Best {
    rank: Rank,
    moves: Vec<PlannedMove>,
}

/// An attempt has this many steps, and twice as many after each round of attempts.
const FIRST_STEPS: usize = 250;
const ROUND: u32 = 4;
/// An attempt is over if so many steps have brought the bodies no nearer to their targets, or as many as there
/// are places: to change places, bodies may have to go back all along a passage.
const PATIENCE: usize = 150;
/// An attempt has no more steps than this, times bodies, to bound its memory: some dozens of megabytes.
const MOST_DECISIONS: usize = 2_000_000;
/// Plans with more moves would take too long to walk.
pub(crate) const MOST_MOVES: usize = 5_000;

impl ConfigurationSearch {
    /// Gives up after some attempts.
    pub(crate) fn new(task: &Task, most_attempts: u32) -> Self {
        let mut search = ConfigurationSearch {
            step_maker: StepMaker::of_attempt(0, task.seed),
            nodes: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            attempts: 0,
            most_attempts,
            steps: 0,
            nearest: u64::MAX,
            in_vain: 0,
            best: None,
        };
        search.begin(task);
        search
    }

    /// Goes on for so many steps.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Progress {
        for _ in 0..steps {
            let last = self.open.last().copied();
            let most = FIRST_STEPS << (self.attempts / ROUND);
            let most = most.min(MOST_DECISIONS / task.bodies.len().max(1));
            let is_over = self.steps >= most || self.in_vain > PATIENCE.max(task.graph.len());
            let has_arrived = |&at: &u32| self.rank(task, at).away == 0;
            match last.filter(|at| !is_over && !has_arrived(at)) {
                Some(at) => self.make_step(task, at),
                None => {
                    self.keep_best(task);
                    self.attempts += 1;
                    if self.is_enough() {
                        let best = self.best.take();
                        return best.map_or(Progress::Failed, |best| Progress::Found(best.moves));
                    }
                    self.begin(task);
                }
            }
        }
        Progress::GoesOn
    }

    /// Whether there were attempts enough: some find much longer plans than others.
    fn is_enough(&self) -> bool {
        let has_all = self.best.as_ref().is_some_and(|best| best.rank.away == 0);
        self.attempts == self.most_attempts || has_all && self.attempts >= ROUND
    }

    /// Begins an attempt: first those go who have farthest to go, and in later attempts anyone.
    fn begin(&mut self, task: &Task) {
        self.step_maker = StepMaker::of_attempt(self.attempts, task.seed);
        self.nodes.clear();
        self.known.clear();
        self.open.clear();
        self.steps = 0;
        self.nearest = u64::MAX;
        self.in_vain = 0;
        let start: Box<[PlaceId]> = task.bodies.iter().map(|body| body.start).collect();
        let far = |body: usize| task.distance(body as BodyId, start[body]);
        let farthest = (0..start.len()).map(far).max().unwrap_or(0) as f32 + 1.0;
        let mut random = Random((task.seed << 32) + u64::from(self.attempts));
        let priorities = (0..start.len()).map(|body| match self.attempts {
            0 => far(body) as f32 / farthest,
            _ => random.between(0.0, 1.0),
        });
        let priorities = priorities.collect();
        self.add(Node::new(start, priorities));
    }

    /// Makes the next step from a node.
    fn make_step(&mut self, task: &Task, at: u32) {
        self.steps += 1;
        self.in_vain += 1;
        let node = &mut self.nodes[at as usize];
        let Some(demands) = node.demands.pop_front() else {
            self.open.pop();
            return;
        };
        node.demand_more(task, &demands);
        self.step_maker.begin(task, &node.configuration);
        if !self.step_maker.meet(task, &demands) {
            return;
        }
        self.step_maker.decide_all(task, &node.order);
        let next = &self.step_maker.standing.at;
        if let Some(&known) = self.known.get(next.as_slice()) {
            // Something else may follow there.
            self.open.extend(Some(known).filter(|&known| known != at));
            return;
        }
        let priorities = node.priorities.iter().enumerate().map(|(body, &priority)| {
            match task.distance(body as BodyId, next[body]) {
                0 => priority.fract(),
                _ => priority + 1.0,
            }
        });
        let distance = task.rank(next).distance;
        if distance < self.nearest {
            (self.nearest, self.in_vain) = (distance, 0);
        }
        let mut next = Node::new(next.as_slice().into(), priorities.collect());
        next.parent = Some(at);
        next.moved.clone_from(&self.step_maker.moved);
        next.moves = node.moves + next.moved.len();
        self.add(next);
    }

    fn add(&mut self, node: Node) {
        let at = self.nodes.len() as u32;
        self.known.insert(node.configuration.clone(), at);
        self.nodes.push(node);
        self.open.push(at);
    }

    /// Keeps the best configuration of an attempt, if more are where they have to be than at the start, and
    /// than in all attempts before.
    fn keep_best(&mut self, task: &Task) {
        let is_short = |at: &u32| self.nodes[*at as usize].moves <= MOST_MOVES;
        let short = (0..self.nodes.len() as u32).filter(is_short);
        let Some((rank, at)) = short.map(|at| (self.rank(task, at), at)).min() else { return };
        let is_better = match &self.best {
            Some(best) => {
                let moves = self.nodes[at as usize].moves;
                (rank, moves) < (best.rank, best.moves.len())
            }
            None => rank.away < self.rank(task, 0).away || rank.away == 0,
        };
        if is_better {
            self.best = Some(Best { rank, moves: self.moves_to(at) });
        }
    }

    fn rank(&self, task: &Task, at: u32) -> Rank {
        task.rank(&self.nodes[at as usize].configuration)
    }

    /// All moves from the start to a node.
    fn moves_to(&self, at: u32) -> Vec<PlannedMove> {
        let node = |at: u32| &self.nodes[at as usize];
        let mut nodes: Vec<&Node> =
            std::iter::successors(Some(node(at)), |own| own.parent.map(node)).collect();
        nodes.reverse();
        let moves = nodes.into_iter().flat_map(|node| {
            let to = |body: BodyId| node.configuration[usize::from(body)];
            node.moved.iter().map(move |&body| PlannedMove { body, to: to(body) })
        });
        moves.collect()
    }
}

impl Node {
    fn new(configuration: Box<[PlaceId]>, priorities: Vec<f32>) -> Self {
        let mut order: Vec<BodyId> = (0..priorities.len() as BodyId).collect();
        let priority = |body: BodyId| priorities[usize::from(body)];
        order.sort_by(|&one, &other| priority(other).total_cmp(&priority(one)));
        Node {
            configuration,
            parent: None,
            moved: Vec::new(),
            moves: 0,
            priorities,
            order,
            demands: VecDeque::from([Demands::default()]),
        }
    }

    /// Adds to what is demanded where one more body has to go, for each place that it may go to.
    fn demand_more(&mut self, task: &Task, demands: &Demands) {
        let Some(&body) = self.order.get(demands.bodies.len()) else { return };
        let from = self.configuration[usize::from(body)];
        let beside = task.graph.steps(from).iter().map(|step| step.to);
        self.demands.extend(beside.chain([from]).map(|place| {
            let mut more = demands.clone();
            more.bodies.push(body);
            more.places.push(place);
            more
        }));
    }
}
