//! Random ground of pillars and passages, or of rooms and corridors, on which bodies rest in the way of others:
//! everyone arrives all the same.

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

struct Kind {
    /// The number of cells to each side, from the least to below the most.
    sides: [usize; 2],
    plan: Plan,
    bodies: usize,
    /// Of so many bodies one has its goal where it stands.
    resting: usize,
}

enum Plan {
    /// Of ten cells so many are walls, from the least to below the most.
    Pillars([usize; 2]),
    /// Rooms, joined by corridors of one cell.
    Rooms,
}

const SMALL: Kind = Kind { sides: [10, 18], plan: Plan::Pillars([2, 6]), bodies: 8, resting: 2 };
const LARGE: Kind = Kind { sides: [26, 36], plan: Plan::Pillars([2, 4]), bodies: 36, resting: 2 };
const FULL: Kind = Kind { sides: [26, 40], plan: Plan::Pillars([2, 4]), bodies: 70, resting: 100 };
const ROOMS: Kind = Kind { sides: [26, 40], plan: Plan::Rooms, bodies: 36, resting: 2 };

/// A map of square cells.
struct Cells {
    side: usize,
    is_open: Vec<bool>,
}

impl Cells {
    fn pillars(side: usize, walls: [usize; 2], random: &mut Random) -> Self {
        let walls = between(random, walls);
        let is_open = (0..side * side).map(|_| random.below(10) >= walls).collect();
        Cells { side, is_open }
    }

    /// Each room is joined to the next; some more corridors make rings.
    fn rooms(side: usize, random: &mut Random) -> Self {
        let mut cells = Cells { side, is_open: vec![false; side * side] };
        let count = between(random, [4, 9]);
        let doors: Vec<[usize; 2]> = (0..count).map(|_| cells.add_room(random)).collect();
        let rings = between(random, [0, 4]);
        let any_of = |own: usize, random: &mut Random| {
            doors.get(own).copied().unwrap_or_else(|| doors[random.below(count)])
        };
        for corridor in 0..count + rings {
            let from = any_of(corridor, random);
            let to = any_of(corridor + 1, random);
            cells.add_corridor(from, to, random.below(2));
        }
        cells
    }

    /// Returns a cell in the room.
    fn add_room(&mut self, random: &mut Random) -> [usize; 2] {
        let size = [(); 2].map(|_| between(random, [3, 10]));
        let least = size.map(|size| between(random, [1, self.side - size - 1]));
        for x in least[0]..least[0] + size[0] {
            (least[1]..least[1] + size[1]).for_each(|z| self.open([x, z]));
        }
        [0, 1].map(|axis| least[axis] + random.below(size[axis]))
    }

    /// Leads along one axis to a cell, and then along the other.
    fn add_corridor(&mut self, mut at: [usize; 2], to: [usize; 2], first: usize) {
        for axis in [first, 1 - first] {
            while at[axis] != to[axis] {
                self.open(at);
                at[axis] = if at[axis] < to[axis] { at[axis] + 1 } else { at[axis] - 1 };
            }
        }
        self.open(at);
    }

    fn open(&mut self, [x, z]: [usize; 2]) {
        self.is_open[z * self.side + x] = true;
    }

    fn grid(&self) -> NavGrid {
        let row =
            |row: &[bool]| row.iter().map(|&is_open| if is_open { '.' } else { '@' }).collect();
        let rows: Vec<String> = self.is_open.chunks(self.side).map(row).collect();
        let (side, rows) = (self.side, rows.join("\n"));
        let text = format!("type octile\nheight {side}\nwidth {side}\nmap\n{rows}\n");
        NavGrid::from_map(&text, CELL, &[]).expect("a map")
    }
}

/// A number from the least to below the most.
fn between(random: &mut Random, [least, most]: [usize; 2]) -> usize {
    least + random.below(most - least)
}

impl Ground {
    fn new(kind: &Kind, seed: u64) -> Self {
        let mut random = Random(seed);
        let side = between(&mut random, kind.sides);
        let cells = match kind.plan {
            Plan::Pillars(walls) => Cells::pillars(side, walls, &mut random),
            Plan::Rooms => Cells::rooms(side, &mut random),
        };
        Ground { grid: cells.grid(), side: side as f32 * CELL, random, taken: Vec::new() }
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

    /// Some bodies have their goal where they stand, the others elsewhere.
    fn crowd(&mut self, kind: &Kind) -> Crowd {
        let mut crowd = Crowd::new(self.grid.clone(), HeightCost::default());
        for body in 0..kind.bodies {
            let Some(start) = self.place() else { continue };
            let Ok(id) = crowd.add(HUMAN, start, settings()) else { continue };
            let goal = if body % kind.resting == 0 { Some(start) } else { self.place() };
            if let Some(goal) = goal {
                crowd.set_goal(id, goal).expect("a member");
            }
        }
        crowd
    }
}

/// All who have a way come to rest within four minutes.
fn check(kind: &Kind, seeds: &[u64]) {
    let is_away = |member: &&Member| !member.state().is_at_rest() && !member.waypoints().is_empty();
    for &seed in seeds {
        let mut crowd = Ground::new(kind, seed).crowd(kind);
        for at in 0..(240.0 / DT) as u32 {
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

/// Where one stands in line in the mouth that another has to come out of (335), or comes as near to one that rests in
/// its way as avoidance lets it, and no nearer (81).
#[test]
fn who_is_held_up_by_those_who_stand_arrives() {
    check(&FULL, &[100_335]);
    check(&Kind { bodies: 36, ..FULL }, &[100_081]);
}

/// Where one stands in line in the mouth of a corridor (0), or the same open ground lies behind a passage and before it
/// (155).
#[test]
fn who_is_held_up_between_rooms_arrives() {
    check(&ROOMS, &[100_000, 100_155]);
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
