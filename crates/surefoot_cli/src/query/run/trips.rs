//! Where bodies start and where they are to go: random places, the same for the same seed.
//!
//! Everyone starts in the agent's largest region, and no body in another. What can be reached from
//! one place there can be reached from all, by links also places in other regions: goals are drawn
//! from all of it. A longer list begins with the shorter one.

use std::collections::BTreeMap;

use nalgebra::Point3;
use surefoot::SpanId;
use surefoot::cost::HeightCost;
use surefoot::grid::RegionId;
use surefoot::search::{CostField, FieldQuery};
use surefoot::view::{NavPoint, View};

/// Where a body starts and where it is to go [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trip {
    pub from: Point3<f32>,
    pub to: Point3<f32>,
}

/// Places drawn in vain before the ground counts as full. Then less than 1 % of it is left.
const MOST_MISSES: usize = 500;
/// Goals drawn before a near one is taken.
const GOALS: usize = 20;
/// Goals are to be at least so far from the start, where there are any [radii].
const AWAY: f32 = 10.0;
/// The largest region: they are numbered by size.
const LARGEST: RegionId = RegionId(0);

/// So many trips, or as many as there is room to start. O(spans + trips).
pub fn trips(terrain: &View, count: usize, seed: u32) -> Vec<Trip> {
    let region = |span| terrain.grid().region(terrain.agent_id(), span);
    let spans = (0..terrain.grid().spans().len() as u32).map(SpanId);
    let Some(first) = spans.clone().find(|&span| region(span) == Some(LARGEST)) else {
        return Vec::new();
    };
    let mut field = CostField::default();
    field.fill(terrain, &HeightCost::default(), &FieldQuery::from(&[first]));
    let mut draws = Draws { terrain, field: &field, next: u64::from(seed) << 32 };
    let mut taken = Taken::new(terrain);
    let mut trips = Vec::new();
    while trips.len() < count {
        let Some(from) = draws.start(&mut taken) else { break };
        trips.push(Trip { from, to: draws.goal(from) });
    }
    trips
}

/// A row of random places.
struct Draws<'a> {
    terrain: &'a View<'a>,
    field: &'a CostField,
    next: u64,
}

impl Draws<'_> {
    fn place(&mut self) -> Option<NavPoint> {
        self.next += 1;
        self.field.random_place(self.terrain, self.next)
    }

    fn start(&mut self, taken: &mut Taken) -> Option<Point3<f32>> {
        let (grid, agent) = (self.terrain.grid(), self.terrain.agent_id());
        for _ in 0..MOST_MISSES {
            let place = self.place()?;
            if grid.region(agent, place.span) == Some(LARGEST) && taken.take(place.point) {
                return Some(place.point);
            }
        }
        None
    }

    fn goal(&mut self, from: Point3<f32>) -> Point3<f32> {
        let away = AWAY * self.terrain.agent().radius;
        let mut goal = from;
        for _ in 0..GOALS {
            goal = self.place().map_or(from, |place| place.point);
            if (goal - from).norm() >= away {
                break;
            }
        }
        goal
    }
}

/// The places where bodies stand.
struct Taken {
    /// Width and height of a body [m].
    size: [f32; 2],
    /// By squares as wide as a body.
    places: BTreeMap<[i64; 2], Vec<Point3<f32>>>,
}

impl Taken {
    fn new(terrain: &View) -> Self {
        let agent = terrain.agent();
        Taken { size: [2.0 * agent.radius, agent.height], places: BTreeMap::new() }
    }

    /// Takes a place; false where the body would be in another.
    fn take(&mut self, place: Point3<f32>) -> bool {
        let [x, z] = [place.x, place.z].map(|v| (v / self.size[0]).floor() as i64);
        let around = (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| [x, z]));
        let mut near = around.filter_map(|square| self.places.get(&square)).flatten();
        let is_free = !near.any(|other| self.overlap(other - place));
        if is_free {
            self.places.entry([x, z]).or_default().push(place);
        }
        is_free
    }

    fn overlap(&self, apart: nalgebra::Vector3<f32>) -> bool {
        apart.x.hypot(apart.z) < self.size[0] && apart.y.abs() < self.size[1]
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
        trips(&View::new(&grid, grid.agent_id("pin").unwrap()).unwrap(), count, seed)
    }

    #[test]
    fn nobody_starts_in_another() {
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
    fn goals_that_are_near_do_where_there_are_no_others() {
        assert_eq!(in_room(2, 1, 3).len(), 1);
    }
}
