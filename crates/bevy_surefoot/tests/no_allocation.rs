//! In steady state a fixed update with the plugin allocates no more than one without it, and a crowd
//! that is stepped by hand.
#![allow(unsafe_code)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_ecs::hierarchy::ChildOf;
use bevy_math::Vec3;
use bevy_surefoot::LinkName;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::follow::FollowSettings;
use bevy_surefoot::surefoot::{AgentId, Crowd, HeightCost};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use support::{DT, add_agent, add_world, hills};

/// Counts the allocations of all threads.
struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// After so many steps everyone is under way, and what grows has grown.
const WARM_UP: usize = 240;
/// So many steps are measured.
const MEASURED: usize = 120;

/// How often steps after the first ones allocate.
fn allocations(mut step: impl FnMut()) -> usize {
    (0..WARM_UP).for_each(|_| step());
    let before = COUNT.load(Ordering::Relaxed);
    (0..MEASURED).for_each(|_| step());
    COUNT.load(Ordering::Relaxed) - before
}

fn without_plugin() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins(AssetPlugin::default());
    app.insert_resource(Time::<Fixed>::from_duration(DT));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app
}

/// Rayon's queue takes a block of memory now and then; when exactly depends on its threads.
const BY_RAYON: usize = if cfg!(any(feature = "bake", feature = "threads")) { 4 } else { 0 };

/// One test, because others would allocate at the same time.
#[test]
fn a_steady_fixed_update_allocates_nothing_of_its_own() {
    let mut bare = without_plugin();
    for place in places() {
        bare.world_mut().spawn(Transform::from_translation(place));
    }
    let bare = allocations(|| bare.update());
    let by_hand = by_hand();
    let walking = walking();
    let standing = standing();
    println!("in {MEASURED} updates: {bare} of the app, {by_hand} of the crowd");
    println!("with the plugin: {walking} while all walk, {standing} while all stand");
    assert!(COUNT.load(Ordering::Relaxed) > 0, "the counter does not count");
    assert!(walking <= by_hand + bare + BY_RAYON);
    assert!(standing <= bare + BY_RAYON);
}

fn places() -> Vec<Vec3> {
    let grid = hills();
    let places =
        (0..100).map(|at| [2.0 + (at % 10) as f32 * 2.6, 0.0, 2.0 + (at / 10) as f32 * 2.6]);
    let places = places.filter_map(|place| grid.nearest_walkable(AgentId(0), place, 3.0));
    places.map(|(_, at)| Vec3::new(at.x, at.y, at.z)).collect()
}

fn by_hand() -> usize {
    let places = places();
    let mut crowd = Crowd::new(hills(), HeightCost::default());
    for (at, place) in places.iter().enumerate() {
        let settings = FollowSettings::default();
        let id = crowd.add("human", place.to_array(), settings).expect("ground");
        crowd.set_goal(id, places[places.len() - 1 - at].to_array()).expect("a member");
    }
    allocations(|| crowd.step(DT.as_secs_f32()))
}

/// The same with the plugin.
fn walking() -> usize {
    let (mut app, places) = (support::app(), places());
    add_world(&mut app, hills());
    for (at, &place) in places.iter().enumerate() {
        let agent = add_agent(&mut app, place);
        let target = NavTarget::Point(places[places.len() - 1 - at]);
        app.world_mut().entity_mut(agent).insert(target);
    }
    allocations(|| app.update())
}

/// Whatever else is looked at in every update: bodies that others move, agents that are refused, children,
/// targets that are gone, obstacles and switches.
fn standing() -> usize {
    let mut app = support::app();
    add_world(&mut app, hills());
    let parent = app.world_mut().spawn(Transform::default()).id();
    let leader = app.world_mut().spawn(Transform::default()).id();
    for (at, place) in places().into_iter().enumerate() {
        let agent = add_agent(&mut app, place);
        let mut agent = app.world_mut().entity_mut(agent);
        match at % 5 {
            0 => agent.insert((NavMovement::Manual, ChildOf(parent))),
            1 => agent.insert(NavMovement::Controller),
            2 => agent.insert(NavTarget::Entity(leader)),
            3 => agent.insert(Transform::from_xyz(-50.0, 0.0, 0.0)),
            _ => agent.insert(ChildOf(parent)),
        };
    }
    app.world_mut().entity_mut(leader).despawn();
    app.world_mut().spawn((NavAgent::new("nobody"), Transform::default()));
    let shape = NavObstacleShape::Cylinder { radius: 0.3, height: 1.0 };
    let place = Transform::from_xyz(25.0, 0.0, 3.0);
    app.world_mut().spawn((NavObstacle::new(shape), place, ChildOf(parent)));
    let link = LinkName::Name("none".to_owned());
    app.world_mut().spawn(NavLinkSwitch { link, open: true });
    let mut sway = 0.0f32;
    allocations(|| {
        sway += 0.1;
        let mut parent = app.world_mut().get_mut::<Transform>(parent).expect("it is there");
        parent.translation.x = 0.001 * sway.sin();
        app.update();
    })
}
