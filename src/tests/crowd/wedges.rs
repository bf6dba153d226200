//! Random ground of pillars and passages, on which half of a crowd rests in the way of the other half: everyone
//! arrives all the same.

use nalgebra::Point3;

use crate::cost::model::HeightCost;
use crate::crowd::{Crowd, Member};
use crate::grid::{AgentId, NavGrid};
use crate::tests::crowd::gatherings::settings;
use crate::tests::search::random::Random;

const HUMAN: AgentId = AgentId(0);
const DT: f32 = 1.0 / 30.0;
const CELL: f32 = 0.3;
/// Bodies set out at least so far from each other [m].
const APART: f32 = 0.7;

/// What a seed decides: a map, and who stands where.
struct Ground {
    grid: NavGrid,
    /// [m]
    side: f32,
    random: Random,
    taken: Vec<Point3<f32>>,
}

/// Between two sizes, the number of cells to each side; between two parts in ten, how many of them are walls.
struct Kind {
    sides: [usize; 2],
    walls: [usize; 2],
    bodies: usize,
}

const SMALL: Kind = Kind { sides: [10, 18], walls: [2, 6], bodies: 8 };
const LARGE: Kind = Kind { sides: [26, 36], walls: [2, 4], bodies: 36 };

impl Ground {
    fn new(kind: &Kind, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut between = |[low, high]: [usize; 2]| low + random.below(high - low);
        let [side, walls] = [between(kind.sides), between(kind.walls)];
        let mut cell = || if random.below(10) < walls { '@' } else { '.' };
        let rows = (0..side).map(|_| (0..side).map(|_| cell()).collect::<String>());
        let rows = rows.collect::<Vec<_>>().join("\n");
        let text = format!("type octile\nheight {side}\nwidth {side}\nmap\n{rows}\n");
        let grid = NavGrid::from_map(&text, CELL, &[]).expect("a map");
        Ground { grid, side: side as f32 * CELL, random, taken: Vec::new() }
    }

    /// Somewhere on the ground, away from all places before; `None` if there is hardly room left.
    fn place(&mut self) -> Option<Point3<f32>> {
        let found = (0..60).find_map(|_| {
            let [x, z] = [0; 2].map(|_| self.side * self.random.below(1000) as f32 / 1000.0);
            let at = Point3::new(x, 0.0, z);
            let is_free = self.taken.iter().all(|taken| (taken - at).norm() > APART);
            (is_free && self.grid.span_at(at, 1.8).is_some()).then_some(at)
        });
        self.taken.extend(found);
        found
    }

    /// Every other body has its goal where it stands, the others elsewhere.
    fn crowd(&mut self, bodies: usize) -> Crowd {
        let mut crowd = Crowd::new(self.grid.clone(), HeightCost::default());
        for body in 0..bodies {
            let Some(start) = self.place() else { continue };
            let Ok(id) = crowd.add(HUMAN, start, settings()) else { continue };
            let goal = if body % 2 == 0 { Some(start) } else { self.place() };
            if let Some(goal) = goal {
                crowd.set_goal(id, goal).expect("a member");
            }
        }
        crowd
    }
}

/// All who have a way come to rest within two minutes.
fn check(kind: &Kind, seeds: &[u64]) {
    let is_away = |member: &&Member| !member.state().is_at_rest() && !member.waypoints().is_empty();
    for &seed in seeds {
        let mut crowd = Ground::new(kind, seed).crowd(kind.bodies);
        for at in 0..(120.0 / DT) as u32 {
            crowd.step(DT);
            if at % 30 == 29 && !crowd.members().any(|member| is_away(&member)) {
                break;
            }
        }
        let away = crowd.members().filter(is_away);
        let away: Vec<_> = away.map(|member| (member.position(), member.state())).collect();
        assert!(away.is_empty(), "seed {seed}: {away:?}");
    }
}

/// Where two are wedged, each in the other's way whatever it does between the middles of cells; at bends (179) and in
/// front of rooms in which two pass each other at the corners of cells only (61, 144, 158, 289).
#[test]
fn who_is_wedged_on_small_ground_arrives() {
    check(&SMALL, &[0, 1, 2, 3, 12, 61, 144, 158, 179, 289, 299]);
}

/// Where two are wedged (36, 129, 141, 233, 243), one stands in the mouth of open ground (39, 66, 70), or the way
/// leads back into the same open ground (62).
#[test]
fn who_is_wedged_on_large_ground_arrives() {
    check(&LARGE, &[36, 39, 62, 66, 70, 129, 141, 233, 243]);
}

/// An idle member in the corner of a room cannot be pushed any further. Whoever has its goal there must not push it for
/// ever.
#[test]
fn who_has_its_goal_where_an_idle_member_stands_comes_to_rest() {
    let rows = ["@@@@@@@@@", "@@@@@...@", "@.......@", "@@@@@...@", "@@@@@@@@@"];
    let text = format!("type octile\nheight 5\nwidth 9\nmap\n{}\n", rows.join("\n"));
    let grid = NavGrid::from_map(&text, CELL, &[]).expect("a map");
    let mut crowd = Crowd::new(grid, HeightCost::default());
    let mut add = |at| crowd.add(HUMAN, at, settings()).expect("on the ground");
    add(Point3::new(2.39, 0.0, 0.31));
    let own = add(Point3::new(0.45, 0.0, 0.75));
    crowd.set_goal(own, Point3::new(2.04, 0.0, 0.42)).expect("a member");
    (0..(30.0 / DT) as u32).for_each(|_| crowd.step(DT));
    let member = crowd.member(own).expect("a member");
    assert!(member.state().is_at_rest(), "{:?} at {:?}", member.state(), member.position());
}
