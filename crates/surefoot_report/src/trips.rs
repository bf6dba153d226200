//! Random starts and goals of bodies; the same seed gives the same ones.
//!
//! All starts lie in the agent's largest region, so far apart that bodies do not overlap. Goals may lie
//! wherever the region leads to, by links also in other regions. With the same seed, a longer list begins
//! with the shorter one.

use std::collections::BTreeMap;

use nalgebra::{Point3, Vector3};
use surefoot::SpanId;
use surefoot::grid::RegionId;
use surefoot::navigator::Navigator;
use surefoot::search::{CostField, FieldQuery};
use surefoot::view::{NavPoint, View};

/// Where a body starts and where it is to go [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trip {
    /// Its start.
    pub from: Point3<f32>,
    /// Its goal.
    pub to: Point3<f32>,
}

/// The ground counts as full after this many random points in a row were taken. Then less than 1 % of it
/// is free.
const MOST_MISSES: usize = 500;
/// Random goals before one near the start is accepted.
const MOST_GOALS: usize = 20;
/// Goals are at least this far from the start, if there are any [radii].
const LEAST_DISTANCE: f32 = 10.0;
/// The largest region: regions are numbered by size.
const LARGEST_REGION: RegionId = RegionId(0);

/// Returns `count` trips, or fewer if there is no room for more starts. O(spans + trips).
pub fn random_trips(navigator: &Navigator, count: usize, seed: u32) -> Vec<Trip> {
    let view = navigator.view();
    let region = |span| view.grid().region(view.agent_id(), span);
    let mut spans = (0..view.grid().spans().len() as u32).map(SpanId);
    let Some(first) = spans.find(|&span| region(span) == Some(LARGEST_REGION)) else {
        return Vec::new();
    };
    let field = navigator.field(&FieldQuery::from(&[first]));
    let mut points = RandomPoints { view, field: &field, next_seed: u64::from(seed) << 32 };
    let mut occupied = OccupiedGround::new(view);
    let mut trips = Vec::new();
    while trips.len() < count {
        let Some(from) = points.start(&mut occupied) else { break };
        trips.push(Trip { from, to: points.goal(from) });
    }
    trips
}

/// A sequence of random points.
struct RandomPoints<'a> {
    view: &'a View,
    field: &'a CostField,
    next_seed: u64,
}

impl RandomPoints<'_> {
    fn next(&mut self) -> Option<NavPoint> {
        self.next_seed += 1;
        self.field.random_place(self.view, self.next_seed)
    }

    fn start(&mut self, occupied: &mut OccupiedGround) -> Option<Point3<f32>> {
        let (grid, agent) = (self.view.grid(), self.view.agent_id());
        for _ in 0..MOST_MISSES {
            let at = self.next()?;
            if grid.region(agent, at.span) == Some(LARGEST_REGION) && occupied.add(at.point) {
                return Some(at.point);
            }
        }
        None
    }

    fn goal(&mut self, from: Point3<f32>) -> Point3<f32> {
        let least = LEAST_DISTANCE * self.view.agent().radius;
        let mut goal = from;
        for _ in 0..MOST_GOALS {
            goal = self.next().map_or(from, |at| at.point);
            if (goal - from).norm() >= least {
                break;
            }
        }
        goal
    }
}

/// The points where bodies stand.
struct OccupiedGround {
    /// Diameter of a body [m].
    diameter: f32,
    /// Height of a body [m].
    height: f32,
    /// By squares as wide as a body.
    points: BTreeMap<[i64; 2], Vec<Point3<f32>>>,
}

impl OccupiedGround {
    fn new(view: &View) -> Self {
        let agent = view.agent();
        OccupiedGround {
            diameter: 2.0 * agent.radius,
            height: agent.height,
            points: BTreeMap::new(),
        }
    }

    /// Adds a body at a point; false if it would overlap another.
    fn add(&mut self, point: Point3<f32>) -> bool {
        let [x, z] = [point.x, point.z].map(|v| (v / self.diameter).floor() as i64);
        let around = (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| [x, z]));
        let mut near = around.filter_map(|square| self.points.get(&square)).flatten();
        let is_free = !near.any(|other| self.overlap(other - point));
        if is_free {
            self.points.entry([x, z]).or_default().push(point);
        }
        is_free
    }

    fn overlap(&self, apart: Vector3<f32>) -> bool {
        apart.x.hypot(apart.z) < self.diameter && apart.y.abs() < self.height
    }
}

#[cfg(test)]
mod tests {
    use surefoot::{Agent, NavGrid};

    use super::*;

    fn in_room(cells: usize, count: usize, seed: u32) -> Vec<Trip> {
        let rows = format!("{}\n", ".".repeat(cells)).repeat(cells);
        let map = format!("type octile\nheight {cells}\nwidth {cells}\nmap\n{rows}");
        let pin = Agent { ledge_margin: Some(0.0), ..Agent::new("pin") };
        let grid = NavGrid::from_map(&map, 0.5, &[pin]).unwrap();
        random_trips(&Navigator::new(grid, "pin").unwrap(), count, seed)
    }

    #[test]
    fn starts_do_not_overlap() {
        let trips = in_room(20, 60, 1);
        assert_eq!(trips.len(), 60);
        for (at, one) in trips.iter().enumerate() {
            assert!(trips[..at].iter().all(|other| (one.from - other.from).norm() >= 0.6));
            assert!((one.to - one.from).norm() >= 3.0);
        }
    }

    #[test]
    fn a_longer_list_begins_with_the_shorter_one() {
        let all = in_room(10, 1000, 7);
        assert!((30..80).contains(&all.len()), "{}", all.len());
        assert_eq!(in_room(10, all.len(), 7), all);
        assert_eq!(in_room(10, 9, 7), all[..9]);
        assert!(in_room(10, 9, 8).iter().all(|trip| !all.contains(trip)));
    }

    #[test]
    fn near_goals_are_accepted_if_there_are_no_others() {
        assert_eq!(in_room(2, 1, 3).len(), 1);
    }
}
