//! Maps with bodies on them.

use nalgebra::Point3;

use crate::grid::{AgentId, NavGrid, SpanId};
use crate::mapf::{
    Body, LocalGround, MovePlan, Occupants, PlaceGraph, PlaceId, PlanSearch, PlannedMove, Progress,
    Reach, Target, Task,
};
use crate::search::Random;
use crate::view::{NavPoint, View};

const REACH: Reach = Reach { distance: 1_000_000, open: 1_000_000, spans: 10_000 };

/// The places of a map of cells of 0.5 m, on which a body has 0.3 m.
pub(crate) struct Level {
    pub graph: PlaceGraph,
    ground: LocalGround,
    grid: NavGrid,
}

impl Level {
    pub(crate) fn read(map: &str) -> Self {
        Self::with_starts(map, &[])
    }

    /// One on which bodies stand off the middles of cells, at x and z [m].
    pub(crate) fn with_starts(map: &str, starts: &[[f32; 2]]) -> Self {
        Self::with_places(map, starts, false)
    }

    /// The same with places that are closer together, or not.
    pub(crate) fn with_places(map: &str, starts: &[[f32; 2]], is_dense: bool) -> Self {
        Self::with_occupants(map, starts, Occupants { is_dense, ..Occupants::default() })
    }

    /// One on which bodies may push each other aside a little.
    pub(crate) fn with_pushing(map: &str, starts: &[[f32; 2]]) -> Self {
        Self::with_occupants(map, starts, Occupants { may_push: true, ..Occupants::default() })
    }

    fn with_occupants(map: &str, starts: &[[f32; 2]], occupants: Occupants) -> Self {
        let rows: Vec<&str> = map.lines().collect();
        let text =
            format!("type octile\nheight {}\nwidth {}\nmap\n{map}\n", rows.len(), rows[0].len());
        let grid = NavGrid::from_map(&text, 0.5, &[]).expect("a map");
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        let view = view.parts();
        let center = (0..grid.spans().len() as u32).find(|&span| view.is_walkable(SpanId(span)));
        let ground = LocalGround::around(&view, SpanId(center.expect("ground")), REACH, |_| false);
        let start = |&[x, z]: &[f32; 2]| {
            let (span, point) =
                view.view.nearest_walkable(Point3::new(x, 0.0, z), 0.5).expect("ground");
            NavPoint { span, point }
        };
        let starts: Vec<NavPoint> = starts.iter().map(start).collect();
        let graph = PlaceGraph::new(&view, &ground, Occupants { starts: &starts, ..occupants });
        Level { graph, ground, grid }
    }

    pub(crate) fn view(&self) -> View {
        View::new(&self.grid, AgentId(0)).expect("an agent")
    }

    /// The place nearest to the middle of a cell.
    pub(crate) fn place(&self, [column, row]: [usize; 2]) -> PlaceId {
        let at = [column, row].map(|cell| 0.5 * (cell as f32 + 0.5));
        let far = |place: PlaceId| {
            let point = self.graph.points[usize::from(place)].point;
            (point.x - at[0]).abs() + (point.z - at[1]).abs()
        };
        let places = 0..self.graph.len() as PlaceId;
        places.min_by(|&one, &other| far(one).total_cmp(&far(other))).expect("a place")
    }

    pub(crate) fn solve(self, bodies: Vec<Body>) -> Option<(Task, MovePlan)> {
        self.solve_by(bodies, 0)
    }

    /// Solves it by the choices of a seed.
    pub(crate) fn solve_by(self, bodies: Vec<Body>, seed: u64) -> Option<(Task, MovePlan)> {
        assert!(self.ground.len() >= self.graph.len());
        let task = Task::new(self.graph, bodies).with_seed(seed);
        let mut search = PlanSearch::new(&task);
        loop {
            match search.go_on(&task, 1000) {
                Progress::GoesOn => {}
                Progress::Found(moves) => {
                    let plan = MovePlan::new(&task, &moves);
                    return Some((task, plan));
                }
                Progress::Failed => return None,
            }
        }
    }
}

pub(crate) fn body(start: PlaceId, target: PlaceId) -> Body {
    Body { start, target: Target::Place(target) }
}

/// A random map; `None` if it has no ground.
pub(crate) fn random_map(seed: u64) -> Option<String> {
    let mut random = Random(seed);
    map_by(&mut random)
}

fn map_by(random: &mut Random) -> Option<String> {
    let side = 6 + random.below(10);
    let wall = random.below(4);
    let cell = |random: &mut Random| if random.below(10) < wall { '@' } else { '.' };
    let rows = (0..side).map(|_| (0..side).map(|_| cell(random)).collect::<String>());
    let map = rows.collect::<Vec<_>>().join("\n");
    map.contains('.').then_some(map)
}

/// A random map on which some bodies change places; `None` if it has no ground.
pub(crate) fn random_level(seed: u64) -> Option<(Level, Vec<Body>)> {
    let mut random = Random(seed);
    let level = Level::read(&map_by(&mut random)?);
    let count = level.graph.len();
    let mut places: Vec<PlaceId> = (0..count as PlaceId).collect();
    let mut shuffled = |places: &mut Vec<PlaceId>| {
        (1..places.len()).rev().for_each(|at| places.swap(at, random.below(at + 1)));
    };
    shuffled(&mut places);
    let starts = places.clone();
    shuffled(&mut places);
    // Places of bodies must not be too near to each other.
    let few = 1 + count / 4;
    let ends = starts.iter().zip(&places).take(few);
    let bodies = ends.map(|(&start, &target)| body(start, target)).collect();
    Some((level, bodies))
}

/// Makes moves one after another. Nobody may stand in the way of one. Returns where everyone is in the end.
pub(crate) fn walk(task: &Task, moves: &[PlannedMove]) -> Vec<PlaceId> {
    let mut at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
    for next in moves {
        let body = usize::from(next.body);
        let step = task.graph.step(at[body], next.to).expect("a step");
        let in_the_way = task.graph.in_the_way(step);
        let other = at.iter().position(|at| in_the_way.contains(at));
        assert_eq!(other.filter(|&other| other != body), None, "somebody stands in the way");
        at[body] = next.to;
    }
    at
}
