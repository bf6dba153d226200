//! Crowds at links: they line up, land on nobody, and all arrive.

use nalgebra::{Point3, Vector3};
use surefoot::crowd::{Crowd, Member, MemberId, TraversalError};
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::grid::{Link, LinkId, LinkKind};
use surefoot::view::{LinkFilter, Obstacle};
use surefoot::{HeightCost, NavGrid};

use super::links::{DT, gap, marker};

const RADIUS: f32 = 0.3;

/// A crowd on the platforms: so many members on each side, in rows, that go to the same row on the other.
struct Crossing {
    crowd: Crowd,
    ids: Vec<MemberId>,
    /// The most that two bodies on the ground have overlapped [m].
    deepest: f32,
    /// The most bodies that were on links at once.
    most_on_links: usize,
}

fn place(number: usize, right: bool, height: f32) -> [f32; 3] {
    let (row, column) = (number % 6, number / 6);
    let x = 1.0 + 1.0 * column as f32;
    let z = 1.5 + 1.4 * row as f32;
    if right { [22.0 - x, 0.0, z] } else { [x, height, z] }
}

impl Crossing {
    fn new(grid: NavGrid, sides: [usize; 2], height: f32) -> Self {
        let mut crowd = Crowd::new(grid, HeightCost::default());
        let mut ids = Vec::new();
        for (right, count) in [(false, sides[0]), (true, sides[1])] {
            for number in 0..count {
                let from = place(number, right, height);
                let id = crowd.add("human", from, FollowSettings::default()).expect("ground");
                crowd.set_goal(id, place(number, !right, height)).expect("a member");
                ids.push(id);
            }
        }
        Crossing { crowd, ids, deepest: 0.0, most_on_links: 0 }
    }

    fn step(&mut self) {
        self.crowd.step(DT);
        let standing: Vec<Point3<f32>> = self
            .crowd
            .members()
            .filter(|member| member.traversal().is_none())
            .map(|member| member.position())
            .collect();
        self.most_on_links = self.most_on_links.max(self.crowd.len() - standing.len());
        for (at, one) in standing.iter().enumerate() {
            for other in &standing[at + 1..] {
                let between = other - one;
                let apart = between.x.hypot(between.z);
                if between.y.abs() < 1.0 {
                    self.deepest = self.deepest.max(2.0 * RADIUS - apart);
                }
            }
        }
    }

    /// Steps until all have arrived; returns the time that takes [s], 200 at most.
    fn run(&mut self) -> f32 {
        let has_arrived =
            |crowd: &Crowd| crowd.members().all(|member| member.state() == FollowState::Arrived);
        for step in 0..12000 {
            self.step();
            if has_arrived(&self.crowd) {
                return step as f32 * DT;
            }
        }
        let late = self.crowd.members().filter(|member| member.state() != FollowState::Arrived);
        let late: Vec<_> = late.map(|own| (own.id(), own.state(), own.position())).collect();
        panic!("not all arrive: {late:?}");
    }

    fn bits(&self) -> Vec<[u32; 3]> {
        let places = self.crowd.members().map(|member| member.position());
        places.map(|place| [place.x, place.y, place.z].map(f32::to_bits)).collect()
    }
}

fn drop_link() -> NavGrid {
    gap(2.0, &[5.125], Link { capacity: 1, ..marker(LinkKind::Drop, false) })
}

fn jump_link(capacity: u32) -> NavGrid {
    gap(0.0, &[5.125], Link { capacity, ..marker(LinkKind::Jump, true) })
}

#[test]
fn thirty_members_drop_one_after_the_other() {
    let mut crossing = Crossing::new(drop_link(), [30, 0], 2.0);
    let time = crossing.run();
    assert!(crossing.deepest < 0.05, "{}", crossing.deepest);
    assert_eq!(crossing.most_on_links, 1);
    assert!(time < 100.0, "{time}");
}

#[test]
fn flows_from_both_sides_share_a_jump() {
    let mut crossing = Crossing::new(jump_link(1), [15, 15], 0.0);
    let time = crossing.run();
    assert!(crossing.deepest < 0.05, "{}", crossing.deepest);
    assert_eq!(crossing.most_on_links, 1);
    assert!(time < 150.0, "{time}");
}

/// Without a limit nobody meets another in the air all the same.
#[test]
fn a_wide_link_takes_as_many_as_fit_side_by_side() {
    let lanes = [3.125, 3.875, 4.625, 5.375, 6.125];
    let grid = gap(0.0, &lanes, marker(LinkKind::Jump, true));
    assert_eq!(grid.links()[0].capacity_by_width(RADIUS), 6);
    let mut crossing = Crossing::new(grid, [15, 15], 0.0);
    crossing.run();
    assert!(crossing.deepest < 0.05, "{}", crossing.deepest);
    assert!(crossing.most_on_links > 1, "{}", crossing.most_on_links);
}

#[test]
fn the_line_is_the_same_on_any_number_of_threads() {
    let bits = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut crossing = Crossing::new(jump_link(1), [15, 15], 0.0);
            (0..1500).for_each(|_| crossing.step());
            crossing.bits()
        })
    });
    assert_eq!(bits[0], bits[1]);
}

#[test]
fn who_arrives_first_goes_first() {
    let mut crossing = Crossing::new(drop_link(), [6, 0], 2.0);
    // The last of them waits longest.
    let last = crossing.ids[5];
    crossing.crowd.put(last, [8.5, 2.0, 5.1], Vector3::zeros()).expect("ground");
    let first = (0..1200).find_map(|_| {
        crossing.step();
        crossing.crowd.members().find(|member| member.traversal().is_some()).map(|own| own.id())
    });
    assert_eq!(first, Some(last));
}

/// A member that rests where others land does not keep them waiting forever.
#[test]
fn nobody_waits_forever_for_the_ground_where_it_lands() {
    let mut crossing = Crossing::new(drop_link(), [1, 0], 2.0);
    let landing = [12.375, 0.0, 5.125];
    crossing.crowd.add("human", landing, FollowSettings::default()).expect("ground");
    let own = crossing.ids[0];
    let mut waited = 0.0;
    for _ in 0..1800 {
        crossing.step();
        let member = crossing.crowd.member(own).expect("a member");
        waited += if member.state() == FollowState::MakingWay { DT } else { 0.0 };
        if member.state() == FollowState::Arrived {
            break;
        }
    }
    let member = crossing.crowd.member(own).expect("a member");
    assert_eq!(member.state(), FollowState::Arrived);
    assert!((2.0..6.0).contains(&waited), "{waited}");
}

#[test]
fn a_member_that_was_taken_over_stays_where_it_is_put_and_others_wait() {
    let mut crossing = Crossing::new(jump_link(1), [2, 0], 0.0);
    let ids = crossing.ids.clone();
    let on_link = |crossing: &Crossing| {
        crossing.crowd.members().find(|member| member.traversal().is_some()).map(|own| own.id())
    };
    while on_link(&crossing).is_none() {
        crossing.step();
    }
    let taken = on_link(&crossing).expect("one is on the link");
    let other = if taken == ids[0] { ids[1] } else { ids[0] };
    let traversal = crossing.crowd.take_over(taken).expect("on the link");
    let air = Point3::new(11.0, 0.5, 5.0);
    crossing.crowd.put(taken, air, Vector3::zeros()).expect("anywhere");
    (0..600).for_each(|_| crossing.step());
    assert_eq!(crossing.crowd.member(taken).expect("a member").position(), air);
    assert_eq!(crossing.crowd.take_over(other), Err(TraversalError::NotOnLink));
    assert!(crossing.crowd.member(other).expect("a member").position().x < 10.0);
    let ground = crossing.crowd.hand_back(taken, [11.7, 0.5, 5.0]).expect("on the link");
    assert!(ground.x >= 12.0 && ground.y == 0.0 && ground != traversal.to);
    crossing.run();
    assert_eq!(crossing.most_on_links, 1);
}

/// In the air the crowd moves a member exactly along the motion, whatever changes meanwhile.
#[test]
fn a_member_in_the_air_lands_on_ground_whatever_changes() {
    type Change = fn(&mut Crowd, MemberId);
    let changes: [(Change, bool); 4] = [
        (|crowd, id| crowd.set_goal(id, [2.0, 0.0, 2.0]).expect("a member"), true),
        (|crowd, id| crowd.stop(id).expect("a member"), false),
        (|crowd, _| crowd.set_link_open(0, false).expect("a link"), true),
        (
            |crowd, _| {
                let (base, radius, height) = ([12.375, 0.0, 5.125].into(), 0.3, 1.0);
                crowd.block(Obstacle::Cylinder { base, radius, height }).expect("a shape");
            },
            true,
        ),
    ];
    for (change, arrives) in changes {
        let mut crossing = Crossing::new(jump_link(1), [1, 0], 0.0);
        let id = crossing.ids[0];
        let (mut has_changed, mut seen) = (false, 0);
        for _ in 0..1500 {
            crossing.step();
            let member = crossing.crowd.member(id).expect("a member");
            let Some(own) = member.traversal() else {
                let at = member.position();
                let span = crossing.crowd.grid().span_at(at, 0.1).expect("over ground");
                let ground = crossing.crowd.grid().ground_height(at.x, at.z, span);
                assert!(ground.is_some_and(|ground| (ground - at.y).abs() < 1e-3), "{at}");
                continue;
            };
            assert_eq!(member.position(), own.position);
            assert_eq!(member.state(), FollowState::OnLink { link: 0 });
            seen += 1;
            if own.progress > 0.5 && !has_changed {
                change(&mut crossing.crowd, id);
                has_changed = true;
            }
        }
        assert!(has_changed && seen > 20);
        let state = crossing.crowd.member(id).expect("a member").state();
        assert_eq!(state == FollowState::Arrived, arrives, "{state:?}");
    }
}

/// Where the link is gone on another grid, a member in the air stands at once; where it is not, it flies on.
#[test]
fn a_member_in_the_air_goes_on_to_another_grid() {
    let same = jump_link(1);
    let mut parts = same.clone().into_parts();
    parts.links[0].id = LinkId::of("another");
    let gone = NavGrid::new(parts).expect("sound parts");
    for (has_goal, stays) in [(true, false), (false, false), (true, true), (false, true)] {
        let mut crossing = Crossing::new(jump_link(1), [1, 0], 0.0);
        let id = crossing.ids[0];
        let is_high = |crossing: &Crossing| {
            let own = crossing.crowd.member(id).and_then(Member::traversal);
            own.is_some_and(|own| own.progress > 0.4)
        };
        while !is_high(&crossing) {
            crossing.step();
        }
        if !has_goal {
            crossing.crowd.stop(id).expect("a member");
        }
        let before = crossing.crowd.member(id).and_then(Member::traversal).expect("in the air");
        let grid = if stays { &same } else { &gone };
        assert_eq!(crossing.crowd.set_grid(grid), Ok(Vec::new()));
        let member = crossing.crowd.member(id).expect("a member");
        let expected = stays.then_some(before);
        assert_eq!(member.traversal(), expected);
        assert!(stays || member.position().x > 12.0);
        (0..600).for_each(|_| crossing.step());
        let state = crossing.crowd.member(id).expect("a member").state();
        let expected = if has_goal { FollowState::Arrived } else { FollowState::Idle };
        assert_eq!(state, expected);
    }
}

#[test]
fn a_member_takes_only_the_kinds_that_it_may() {
    let mut crowd = Crowd::new(jump_link(0), HeightCost::default());
    let links = LinkFilter::default().forbid(LinkKind::Jump);
    let settings = [FollowSettings { links, ..Default::default() }, FollowSettings::default()];
    let ids =
        settings.map(|settings| crowd.add("human", [5.0, 0.0, 5.0], settings).expect("there"));
    ids.iter().for_each(|&id| crowd.set_goal(id, [16.0, 0.0, 5.0]).expect("a member"));
    (0..900).for_each(|_| crowd.step(DT));
    let states = ids.map(|id| crowd.member(id).expect("a member").state());
    assert!(matches!(states[0], FollowState::Partial { .. }), "{states:?}");
    assert_eq!(states[1], FollowState::Arrived);
}
