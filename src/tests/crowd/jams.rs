//! Passages in which two bodies cannot pass each other: everyone gets through who can, by some order.

use nalgebra::Point3;

use crate::cost::model::HeightCost;
use crate::crowd::Crowd;
use crate::crowd::member::MemberId;
use crate::follow::state::FollowState;
use crate::grid::{AgentId, Cell, GridFrame, NavGrid};
use crate::level::{Link, LinkKind, LinkLane};
use crate::tests::crowd::gatherings::settings;
use crate::tests::search::random::Random;

const HUMAN: AgentId = AgentId(0);
const DT: f32 = 1.0 / 30.0;

/// Ground in cells of 0.25 m where a body's center may be: rectangles of cells, low and high corners.
fn ground(rectangles: &[[[u32; 2]; 2]]) -> NavGrid {
    let size = [0, 1].map(|axis| rectangles.iter().map(|[_, high]| high[axis]).max().unwrap_or(1));
    let frame =
        GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: size[0], size_z: size[1] };
    let is_open = |x: u32, z: u32| {
        rectangles
            .iter()
            .any(|[low, high]| (low[0]..high[0]).contains(&x) && (low[1]..high[1]).contains(&z))
    };
    let heights: Vec<f32> = (0..size[1])
        .flat_map(|z| (0..size[0]).map(move |x| [x, z]))
        .map(|[x, z]| if is_open(x, z) { 0.0 } else { f32::NAN })
        .collect();
    NavGrid::from_heights(frame, &heights, &[crate::Agent::new("human")]).expect("level")
}

/// Points on the ground of a rectangle, 0.75 m apart, in an order that a seed decides.
fn places(rectangle: [[u32; 2]; 2], count: usize, seed: u64) -> Vec<Point3<f32>> {
    let [low, high] = rectangle;
    let mut all: Vec<Point3<f32>> = (low[1]..high[1])
        .step_by(3)
        .flat_map(|z| (low[0]..high[0]).step_by(3).map(move |x| [x, z]))
        .map(|[x, z]| Point3::new(0.25 * (x as f32 + 0.5), 0.0, 0.25 * (z as f32 + 0.5)))
        .collect();
    let mut random = Random(seed);
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    all.truncate(count);
    assert_eq!(all.len(), count, "room for everyone");
    all
}

/// Groups of bodies that change places: from each of the first rectangles to the one beside it.
struct Swap {
    ground: NavGrid,
    rooms: [[[u32; 2]; 2]; 2],
    count: usize,
}

impl Swap {
    /// How many of all arrive within a time [s].
    fn run(&self, seed: u64, seconds: f32) -> [usize; 2] {
        let mut crowd = Crowd::new(self.ground.clone(), HeightCost::default());
        let sides = [0, 1].map(|side| places(self.rooms[side], self.count, seed + side as u64));
        for (from, to) in [(0, 1), (1, 0)] {
            for (start, goal) in sides[from].iter().zip(&sides[to]) {
                let id = crowd.add(HUMAN, *start, settings()).expect("ground");
                crowd.set_goal(id, *goal).expect("a member");
            }
        }
        for _ in 0..(seconds / DT) as u32 {
            crowd.step(DT);
            if crowd.members().all(|member| member.state() == FollowState::Arrived) {
                break;
            }
        }
        let arrived =
            crowd.members().filter(|member| member.state() == FollowState::Arrived).count();
        [arrived, crowd.len()]
    }
}

/// Two rooms and a passage that is `width` cells wide for centers.
fn straight(width: u32, count: usize) -> Swap {
    let rooms = [[[0, 0], [24, 24]], [[64, 0], [88, 24]]];
    Swap { ground: ground(&[rooms[0], rooms[1], [[24, 11], [64, 11 + width]]]), rooms, count }
}

fn corner(width: u32, count: usize) -> Swap {
    let rooms = [[[0, 0], [24, 24]], [[40, 44], [64, 68]]];
    let passages = [[[24, 11], [50 + width, 11 + width]], [[50, 11], [50 + width, 44]]];
    Swap { ground: ground(&[rooms[0], rooms[1], passages[0], passages[1]]), rooms, count }
}

/// A passage that ends blind: who is inside wants out, and who is outside wants in.
fn dead_end(width: u32, count: usize) -> Swap {
    let rooms = [[[0, 0], [24, 24]], [[40, 11], [62, 11 + width]]];
    Swap { ground: ground(&[rooms[0], [[24, 11], [62, 11 + width]]]), rooms, count }
}

/// A passage with a niche halfway.
fn niche(width: u32, count: usize) -> Swap {
    let rooms = [[[0, 0], [24, 24]], [[84, 0], [108, 24]]];
    let passages = [[[24, 11], [84, 11 + width]], [[52, 11], [56, 17 + width]]];
    Swap { ground: ground(&[rooms[0], rooms[1], passages[0], passages[1]]), rooms, count }
}

/// A passage that turns four times.
fn zigzag(width: u32, count: usize) -> Swap {
    let rooms = [[[0, 0], [24, 24]], [[64, 0], [88, 24]]];
    let passages = [
        [[24, 11], [40 + width, 11 + width]],
        [[40, 11], [40 + width, 41 + width]],
        [[40, 41], [60 + width, 41 + width]],
        [[60, 11], [60 + width, 41 + width]],
        [[60, 11], [64, 11 + width]],
    ];
    Swap { ground: ground(&[&rooms[..], &passages[..]].concat()), rooms, count }
}

/// Everyone arrives, whatever the seed.
fn check(swap: &Swap) {
    for seed in [10, 20, 30] {
        let [arrived, all] = swap.run(seed, 300.0);
        assert_eq!(arrived, all, "seed {seed}");
    }
}

#[test]
fn straight_passages_clear() {
    check(&straight(1, 6));
    check(&straight(2, 12));
}

/// Without anyone making way none of the 24 arrived in most of these.
#[test]
fn corners_clear() {
    check(&corner(1, 12));
    check(&corner(2, 12));
}

#[test]
fn niches_clear() {
    check(&niche(1, 12));
}

/// Who is inside comes out, and who is outside goes in.
#[test]
fn a_dead_end_clears_for_two() {
    check(&dead_end(1, 1));
    check(&dead_end(2, 1));
}

/// Others rest at a body's goal in a blind end and right in front of it: it rests behind them.
#[test]
fn who_cannot_get_nearer_to_its_goal_comes_to_rest() {
    let mut crowd = Crowd::new(ground(&[[[0, 0], [60, 1]]]), HeightCost::default());
    let mut add = |from: f32, to: f32| {
        let [from, to] = [from, to].map(|x| Point3::new(x, 0.0, 0.125));
        let id = crowd.add(HUMAN, from, settings()).expect("ground");
        crowd.set_goal(id, to).expect("a member");
        id
    };
    add(1.125, 0.125);
    add(2.375, 0.875);
    add(4.125, 1.625);
    let last = add(8.125, 0.125);
    for _ in 0..(40.0 / DT) as u32 {
        crowd.step(DT);
    }
    let last = crowd.member(last).expect("a member");
    assert_eq!(last.state(), FollowState::Arrived, "at {}", last.position());
    assert!(last.position().x < 2.4, "at {}", last.position());
}

/// Two pairs press against each other in a passage. Before anyone walks by a plan all keep 8 % farther apart:
/// whoever touches another is in its way.
#[test]
fn members_of_a_jam_spread() {
    let mut crowd = Crowd::new(ground(&[[[0, 0], [60, 1]]]), HeightCost::default());
    for (start, goal) in [(6.5, 14.0), (7.2, 14.5), (8.0, 0.5), (8.7, 0.1)] {
        let id = crowd.add(HUMAN, Point3::new(start, 0.0, 0.1), settings()).expect("ground");
        crowd.set_goal(id, Point3::new(goal, 0.0, 0.1)).expect("a member");
    }
    let least_distance = |crowd: &Crowd| {
        let at: Vec<f32> = crowd.members().map(|member| member.position().x).collect();
        let pairs = at
            .iter()
            .enumerate()
            .flat_map(|(own, one)| at[..own].iter().map(move |other| (one - other).abs()));
        pairs.fold(f32::MAX, f32::min)
    };
    let is_sorted_out =
        |crowd: &Crowd| crowd.members().all(|own| own.state() == FollowState::MakingWay);
    let begins = (0..900).any(|_| {
        crowd.step(DT);
        is_sorted_out(&crowd)
    });
    assert!(begins, "no plan is made");
    let touching = least_distance(&crowd);
    assert!(touching < 0.62, "nobody presses: {touching} m");
    (0..9).for_each(|_| crowd.step(DT));
    let spread = least_distance(&crowd);
    assert!(spread > 1.07 * 0.6, "{spread} m from center to center");
}

/// A passage with four corners, in which two pass, fills with bodies that stand against each other. Nobody is where
/// two cannot pass, and still all are jammed: they are brought through once they have stood for long.
#[test]
fn a_wide_passage_full_of_bodies_clears() {
    let [arrived, all] = zigzag(3, 40).run(7, 300.0);
    assert_eq!(arrived, all);
}

/// The height of the middle of a passage that is one cell wide, in the row with this number [m].
fn middle(row: u32) -> f32 {
    0.25 * (row as f32 + 0.5)
}

/// A crowd of which each member goes from one place along x and z to another [m].
fn crowd_of(ground: NavGrid, trips: &[[[f32; 2]; 2]]) -> (Crowd, Vec<MemberId>) {
    let mut crowd = Crowd::new(ground, HeightCost::default());
    let mut add = |trip: &[[f32; 2]; 2]| {
        let [from, to] = trip.map(|[x, z]| Point3::new(x, 0.0, z));
        let id = crowd.add(HUMAN, from, settings()).expect("ground");
        crowd.set_goal(id, to).expect("a member");
        id
    };
    let ids = trips.iter().map(&mut add).collect();
    (crowd, ids)
}

/// Where members are along x [m].
fn along<const N: usize>(crowd: &Crowd, ids: &[MemberId]) -> [f32; N] {
    std::array::from_fn(|at| crowd.member(ids[at]).expect("a member").position().x)
}

/// Two meet in a passage that ends blind: one comes out, and the other goes back before it and in again. Nobody is
/// in its way any more then, so a third follows it in, and does not wait in the room until it is there.
#[test]
fn the_last_one_of_a_jam_needs_no_plan() {
    let z = middle(11);
    let (mut crowd, ids) = crowd_of(
        ground(&[[[0, 0], [24, 24]], [[24, 11], [80, 12]]]),
        &[[[17.5, z], [2.0, 4.0]], [[14.0, z], [19.5, z]], [[3.0, 3.0], [12.0, z]]],
    );
    let follows = (0..900).any(|_| {
        crowd.step(DT);
        let [out, last, third] = along(&crowd, &ids);
        let is_there = crowd.member(ids[1]).expect("a member").state().is_at_rest();
        out < 6.0 && third > 7.0 && last > third && !is_there
    });
    assert!(follows, "the third waits: {:?}", along::<3>(&crowd, &ids));
}

/// A passage with a niche, and a link over a gap at its end: one goes to the link, and two want to get past it. In
/// the niche it is as near to the link as the plan has to bring it; but if it went on by itself before both are past,
/// it would be in their way.
#[test]
fn who_lets_others_by_waits_until_all_are_past() {
    const NICHE: f32 = 6.125;
    let z = middle(5);
    let grid = ground(&[[[0, 5], [36, 6]], [[24, 2], [25, 6]], [[42, 4], [46, 8]]]);
    let spans = [8.9, 10.6].map(|x| grid.span_at(Point3::new(x, 0.0, z), 1.8).expect("ground"));
    let ends = spans.map(|span| grid.point(span).expect("a span"));
    let lanes = vec![vec![LinkLane::new(spans)]];
    let mut parts = grid.into_parts();
    parts.links = vec![Link { lanes, ..Link::new("gap", LinkKind::Jump, ends) }];
    let grid = NavGrid::new(parts).expect("a sound grid");
    let trips = [[[1.0, z], [11.2, z]], [[2.5, z], [0.1, z]], [[3.2, z], [0.8, z]]];
    let (mut crowd, ids) = crowd_of(grid, &trips);
    let mut has_stood_aside = false;
    for _ in 0..(20.0 / DT) as u32 {
        crowd.step(DT);
        let [first, others @ ..] = along::<3>(&crowd, &ids);
        let member = crowd.member(ids[0]).expect("a member");
        let is_aside = member.position().z < z - 0.6;
        has_stood_aside |= is_aside;
        if is_aside && others.iter().any(|&other| other > NICHE) {
            assert_eq!(member.state(), FollowState::MakingWay, "{first} m, others at {others:?} m");
        }
    }
    assert!(has_stood_aside, "it stands in the niche");
    assert!(crowd.members().all(|own| own.state() == FollowState::Arrived));
}

/// In front of a passage one waits for another that comes out, with a wall on each side: it cannot get out of its
/// way by stepping aside. So it walks back before the two touch.
#[test]
fn who_has_no_room_to_step_aside_walks_back() {
    let z = middle(5);
    let (mut crowd, ids) = crowd_of(
        ground(&[[[0, 4], [32, 7]], [[32, 5], [64, 6]], [[64, 0], [80, 12]]]),
        &[[[14.0, z], [1.0, z]], [[4.0, z], [18.0, z]]],
    );
    let mut farthest = 0.0f32;
    let touched = (0..300).find_map(|_| {
        crowd.step(DT);
        let [out, waits] = along(&crowd, &ids);
        farthest = farthest.max(waits);
        (out - waits < 0.65).then_some(waits)
    });
    let touched = touched.expect("they meet");
    assert!(touched < farthest - 0.2, "it stands at {touched} m, and was at {farthest} m");
}
