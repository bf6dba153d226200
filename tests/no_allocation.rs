//! A navigator that has warmed up allocates nothing, by search or by prepared routes, nor do casts
//! and steps of a crowd.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

use surefoot::follow::FollowSettings;
use surefoot::grid::{Link, LinkKind, LinkLane, SpanId};
use surefoot::search::{Engine, GoalMode, Query};
use surefoot::{Agent, AgentId, Cell, Crowd, GridFrame, HeightCost, NavGrid, Navigator};

/// Counts the allocations of the current thread.
struct Counting;

thread_local! {
    static COUNT: Counter<usize> = const { Counter::new(0) };
}

fn count() {
    // A thread that ends may allocate after its counter is gone.
    COUNT.try_with(|count| count.set(count.get() + 1)).ok();
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIDE: u32 = 60;

/// Hills of 8 m with a pond that cannot be crossed.
fn hills() -> NavGrid {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: SIDE, size_z: SIDE };
    let height = |at: u32| {
        let (x, z) = ((at % SIDE) as f32 / 8.0, (at / SIDE) as f32 / 8.0);
        let pond = (at % SIDE).abs_diff(30) < 6 && (at / SIDE).abs_diff(25) < 9;
        if pond { f32::NAN } else { 2.0 * (x.sin() + z.cos()) }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("sound heights")
}

/// Blocks and swamps, and streets between them.
fn town() -> NavGrid {
    let letter = |at: u32| match (at % SIDE, at / SIDE) {
        (x, z) if x % 7 > 3 && z % 5 > 1 && x % 4 + z % 3 > 1 => '@',
        (x, z) if (x + z) % 11 == 0 => 'S',
        _ => '.',
    };
    let rows: Vec<String> =
        (0..SIDE).map(|z| (0..SIDE).map(|x| letter(z * SIDE + x)).collect()).collect();
    let map = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&map, 0.5, &[]).expect("a sound map")
}

/// The same hills, with tunnels that make far places near.
fn tunnels() -> NavGrid {
    let mut parts = hills().into_parts();
    let spans = parts.spans.len() as u32;
    let tunnel = |at: u32| {
        let ends = [SpanId(at * 211 % spans), SpanId((at * 977 + 1500) % spans)];
        Link {
            two_way: at.is_multiple_of(2),
            cost: 0.5,
            lanes: vec![vec![LinkLane::new(ends)]],
            ..Link::new(format!("tunnel {at}"), LinkKind::Door, [[0.0; 3].into(); 2])
        }
    };
    parts.links = (0..9).map(tunnel).collect();
    NavGrid::new(parts).expect("sound links")
}

/// Between places all over the grid, some of them off the ground.
fn queries() -> Vec<Query> {
    let mut state = 1u64;
    let mut place = || {
        let mut along = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 40) as f32 / (1 << 24) as f32 * SIDE as f32 * 0.5
        };
        [along(), 0.0, along()]
    };
    let modes = [GoalMode::Fail, GoalMode::NearestByRing, GoalMode::NearestAlongLine];
    let query = |at: usize| Query {
        goal: modes[at % 3],
        vertical_tolerance: Some(20.0),
        budget: if at.is_multiple_of(10) { 50 } else { u32::MAX },
        ..Query::new(place(), place())
    };
    (0..200).map(query).collect()
}

/// Navigators on all grids.
fn navigators() -> Vec<Navigator> {
    let grids = [hills(), town(), tunnels()].into_iter();
    grids.map(|grid| Navigator::new(grid, AgentId(0)).expect("an agent")).collect()
}

/// Asks all queries of all navigators twice, and holds the second round to allocating nothing. Returns the
/// sum of the answers.
fn twice(
    navigators: &mut [Navigator],
    queries: &[Query],
    mut ask: impl FnMut(&mut Navigator, &Query) -> usize,
) -> usize {
    let mut counts = [0; 2];
    let mut sum = 0;
    for count in &mut counts {
        let before = COUNT.get();
        for nav in navigators.iter_mut() {
            sum += queries.iter().map(|query| ask(nav, query)).sum::<usize>();
        }
        *count += COUNT.get() - before;
    }
    assert!(counts[0] > 0, "the counter does not count");
    assert_eq!(counts[1], 0);
    sum
}

#[test]
fn the_second_round_allocates_nothing() {
    let expanded =
        twice(&mut navigators(), &queries(), |nav, query| nav.find(query).expanded as usize);
    assert!(expanded > 10_000, "only {expanded} spans were searched");
}

#[test]
fn the_second_round_of_prepared_routes_allocates_nothing() {
    let (mut navigators, mut queries) = (navigators(), queries());
    navigators.iter_mut().for_each(|nav| nav.prepare().expect("ground that comes apart"));
    queries.iter_mut().for_each(|query| query.engine = Some(Engine::Routes));
    let found = twice(&mut navigators, &queries, |nav, query| {
        usize::from(nav.find(query).engine == Engine::Routes)
    });
    assert!(found > 200, "only {found} were looked up");
}

#[test]
fn the_second_round_of_nearest_walls_allocates_nothing() {
    let found = twice(&mut navigators(), &queries(), |nav, query| {
        usize::from(matches!(nav.nearest_wall(query.from, 9.0), Ok(Some(_))))
    });
    assert!(found > 200, "only {found} have a wall near");
}

#[test]
fn a_cast_allocates_nothing() {
    use rapier3d::prelude::{ColliderBuilder, PhysicsWorld};
    use surefoot::path::Sight;
    use surefoot::view::{NavPoint, View};
    use surefoot_rapier::CastSight;

    let mut physics = PhysicsWorld::new();
    for at in 0..SIDE {
        let post = ColliderBuilder::cylinder(1.0, 0.2);
        let (x, z) = (at as f32 * 0.5, (at * 7 % SIDE) as f32 * 0.5);
        physics.insert_collider(post.translation([x, 1.0, z].into()), None);
    }
    physics.detect_collisions(&(), &());
    let grid = town();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let sight = CastSight::new(&physics);
    let spans = 0..grid.spans().len() as u32;
    let open: Vec<SpanId> = spans.map(SpanId).filter(|&span| view.is_walkable(span)).collect();
    let place = |at: usize| {
        let span = open[at % open.len()];
        NavPoint { span, point: grid.point(span).expect("a span of the grid") }
    };
    // The first line may have to index the grid.
    sight.is_clear(&view, &place(0), &place(1));
    let before = COUNT.get();
    let clear = (0..1000).filter(|at| sight.is_clear(&view, &place(*at), &place(at * 37))).count();
    assert_eq!(COUNT.get(), before);
    assert!(clear > 20 && clear < 900, "{clear}");
}

/// Once all members are under way, on one thread.
#[test]
fn a_steady_step_of_a_crowd_allocates_nothing() {
    let grid = hills();
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let ids: Vec<_> = (0..100)
        .filter_map(|at| {
            let place = [2.0 + (at % 10) as f32 * 2.6, 0.0, 2.0 + (at / 10) as f32 * 2.6];
            let (_, ground) = grid.nearest_walkable(AgentId(0), place, 3.0)?;
            crowd.add(AgentId(0), ground, FollowSettings::default()).ok()
        })
        .collect();
    for (at, &id) in ids.iter().enumerate() {
        let goal = crowd.member(ids[ids.len() - 1 - at]).expect("a member").position();
        crowd.set_goal(id, goal).expect("a member");
    }
    // All find a path, some replan and keep more waypoints than before, and some are held up for so long that the
    // ground around them is looked at for a jam.
    for _ in 0..360 {
        crowd.step(1.0 / 60.0);
    }
    let before = COUNT.get();
    for _ in 0..120 {
        crowd.step(1.0 / 60.0);
    }
    assert_eq!(COUNT.get() - before, 0);
    let moving = crowd.members().filter(|member| member.velocity().norm() > 0.1).count();
    assert!(ids.len() > 50 && moving > 10, "{moving} of {} still move", ids.len());
}
