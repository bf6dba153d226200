//! Obstacles and links that change, and questions about the ground as it is then.

mod support;

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::message::Messages;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::follow::StuckReason;
use bevy_surefoot::surefoot::grid::{Link, LinkKind, LinkLane, Region, RegionId};
use bevy_surefoot::surefoot::{Agent, NavGrid, PathError};
use bevy_surefoot::{LinkName, NavLinkStatus, NavObstacleStatus, NavQueryError};
use bevy_transform::components::Transform;
use support::{add_agent, add_world, app, place, plain, status, update};

/// What the only world answers about a human.
fn ask<R: 'static>(
    app: &mut App,
    question: impl FnOnce(bevy_surefoot::NavAnswers) -> R + Send + Sync + 'static,
) -> R {
    let mut question = Some(question);
    let asked = app.world_mut().run_system_once(move |mut queries: NavQueries| {
        let answers = queries.of("human").expect("a human");
        question.take().map(|question| question(answers))
    });
    asked.expect("a system").expect("asked once")
}

fn length(app: &mut App) -> f32 {
    let ends = [Vec3::new(5.0, 0.0, 10.0), Vec3::new(15.0, 0.0, 10.0)];
    ask(app, move |mut answers| answers.path(ends[0], ends[1]).map(|path| path.length()))
        .expect("a path")
}

fn version(app: &App, world: Entity) -> u64 {
    let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd);
    crowd.expect("a crowd").overlay().version()
}

fn wall() -> NavObstacle {
    NavObstacle::new(NavObstacleShape::Box { half: Vec3::new(0.5, 1.0, 4.0) })
}

#[test]
fn an_obstacle_follows_its_transform_and_leaves_with_it() {
    let mut app = app();
    let world = add_world(&mut app, plain(20));
    update(&mut app, 1);
    assert!((length(&mut app) - 10.0).abs() < 0.01);
    let obstacle = app.world_mut().spawn((wall(), Transform::from_xyz(10.0, 1.0, 10.0))).id();
    update(&mut app, 1);
    assert_eq!(app.world().get(obstacle), Some(&NavObstacleStatus::Placed));
    let around = length(&mut app);
    assert!(around > 12.0, "{around}");

    let turned = Transform::from_xyz(10.0, 1.0, 10.0)
        .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2));
    *app.world_mut().get_mut::<Transform>(obstacle).expect("it is there") = turned;
    update(&mut app, 1);
    let along = length(&mut app);
    assert!(along > 10.01 && along < 11.0, "{along}");

    let before = version(&app, world);
    let moved = |app: &mut App, x: f32| {
        app.world_mut().get_mut::<Transform>(obstacle).expect("it is there").translation.x = x;
        app.update();
    };
    moved(&mut app, 10.005);
    assert_eq!(version(&app, world), before, "a move within the tolerance");
    moved(&mut app, 10.009);
    assert_eq!(version(&app, world), before, "small moves add up from where it was placed");
    moved(&mut app, 10.02);
    assert_ne!(version(&app, world), before);
    let before = version(&app, world);
    update(&mut app, 5);
    assert_eq!(version(&app, world), before, "what rests changes nothing");

    app.world_mut().entity_mut(obstacle).despawn();
    assert!((length(&mut app) - 10.0).abs() < 0.01, "at once");
}

#[test]
fn an_obstacle_follows_its_parent_in_the_same_update() {
    let mut app = app();
    add_world(&mut app, plain(20));
    let truck = app.world_mut().spawn(Transform::from_xyz(3.0, 0.0, 3.0)).id();
    app.world_mut().spawn((wall(), Transform::from_xyz(0.0, 1.0, 0.0), ChildOf(truck)));
    update(&mut app, 1);
    assert!((length(&mut app) - 10.0).abs() < 0.01);
    *app.world_mut().get_mut::<Transform>(truck).expect("a truck") =
        Transform::from_xyz(10.0, 0.0, 10.0);
    update(&mut app, 1);
    assert!(length(&mut app) > 12.0);
}

#[test]
fn obstacles_of_all_shapes_are_in_the_way_and_scaled() {
    let corners = vec![Vec2::new(-0.5, -4.0), Vec2::new(0.5, -4.0), Vec2::new(0.0, 4.0)];
    let shapes = [
        NavObstacleShape::Box { half: Vec3::new(0.25, 0.5, 2.0) },
        NavObstacleShape::Cylinder { radius: 1.5, height: 1.0 },
        NavObstacleShape::Prism { corners, height: 1.0 },
    ];
    for shape in shapes {
        let mut app = app();
        add_world(&mut app, plain(20));
        let at = Transform::from_xyz(10.0, 0.0, 10.0).with_scale(Vec3::new(1.0, 2.0, 2.0));
        app.world_mut().spawn((NavObstacle::new(shape.clone()), at));
        update(&mut app, 1);
        let around = length(&mut app);
        assert!(around > 10.5 && around < 22.0, "{around} m around {shape:?}");
    }
}

#[test]
fn obstacles_stay_on_the_next_grid_and_in_their_world() {
    let mut app = app();
    let world = add_world(&mut app, plain(20));
    app.world_mut().spawn((wall(), Transform::from_xyz(10.0, 1.0, 10.0)));
    update(&mut app, 1);
    let next = support::add_grid(&mut app, plain(30));
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").grid = next;
    update(&mut app, 1);
    assert!(length(&mut app) > 12.0);

    // A crowd that begins again has it, too.
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").cost.ascend = 3.0;
    update(&mut app, 1);
    assert!(length(&mut app) > 12.0);

    let other = add_world(&mut app, plain(20));
    let own =
        app.world_mut().spawn((wall(), Transform::from_xyz(4.0, 1.0, 4.0), InNavWorld(other))).id();
    update(&mut app, 1);
    let obstacles = |app: &App, world: Entity| {
        let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd);
        crowd.expect("a crowd").overlay().obstacles()
    };
    assert_eq!([obstacles(&app, world), obstacles(&app, other)], [1, 2]);
    app.world_mut().entity_mut(own).insert(InNavWorld(world));
    update(&mut app, 1);
    assert_eq!([obstacles(&app, world), obstacles(&app, other)], [2, 1]);
    app.world_mut().entity_mut(own).remove::<InNavWorld>();
    update(&mut app, 1);
    assert_eq!([obstacles(&app, world), obstacles(&app, other)], [2, 2]);
    app.world_mut().entity_mut(own).remove::<NavObstacle>();
    assert_eq!([obstacles(&app, world), obstacles(&app, other)], [1, 1]);
}

/// Two islands, and a bridge between them.
fn islands() -> NavGrid {
    let row = format!("{}@@{}", ".".repeat(10), ".".repeat(10));
    let rows = vec![row; 8].join("\n");
    let map = format!("type octile\nheight 8\nwidth 22\nmap\n{rows}\n");
    let grid = NavGrid::from_map(&map, 0.5, &[Agent::new("human")]).expect("a map");
    let ends =
        [[4.75, 0.0, 2.0], [6.25, 0.0, 2.0]].map(|end| grid.span_at(end, 1.0).expect("ground"));
    let points = ends.map(|span| grid.point(span).expect("ground"));
    let mut parts = grid.into_parts();
    parts.links = vec![Link {
        two_way: true,
        cost: 1.0,
        lanes: vec![vec![LinkLane::new(ends)]],
        ..Link::new("bridge", LinkKind::Door, points)
    }];
    // What a link joins is one region.
    let layer = &mut parts.layers[0];
    let walkable = layer.standings.iter_mut().filter(|standing| standing.region().is_some());
    let spans = walkable.map(|standing| standing.set_region(RegionId(0))).count() as u32;
    layer.regions = vec![Region { spans }];
    NavGrid::new(parts).expect("a sound link")
}

#[test]
fn a_switch_opens_and_closes_a_link() {
    let mut app = app();
    add_world(&mut app, islands());
    let link = LinkName::Name("bridge".to_owned());
    let switch = app.world_mut().spawn(NavLinkSwitch { link, open: false }).id();
    let agent = add_agent(&mut app, Vec3::new(1.0, 0.0, 2.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(10.0, 0.0, 2.0)));
    let mut stuck_or_partial = 0;
    for _ in 0..300 {
        app.update();
        stuck_or_partial += app.world_mut().resource_mut::<Messages<AgentStuck>>().drain().count();
        stuck_or_partial += app.world_mut().resource_mut::<Messages<PathPartial>>().drain().count();
    }
    assert_eq!(app.world().get(switch), Some(&NavLinkStatus::Switches { links: 1 }));
    assert_eq!(stuck_or_partial, 1, "it is said once: {:?}", status(&app, agent));
    let closed = PathError::Unreachable;
    match status(&app, agent) {
        NavStatus::Partial { reason, gap } => assert!(reason == closed && gap > 4.0),
        NavStatus::Stuck { reason } => assert_eq!(reason, StuckReason::NoPath(closed)),
        other => panic!("{other:?}"),
    }

    app.world_mut().get_mut::<NavLinkSwitch>(switch).expect("a switch").open = true;
    let mut arrivals = Vec::new();
    for _ in 0..900 {
        app.update();
        arrivals.extend(app.world_mut().resource_mut::<Messages<AgentArrived>>().drain());
    }
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    assert_eq!(arrivals.len(), 1, "it is said once");
    assert_eq!((arrivals[0].agent, arrivals[0].at), (agent, place(&app, agent)));
}

#[test]
fn a_link_is_open_if_all_its_switches_say_so_and_free_without_them() {
    let mut app = app();
    add_world(&mut app, islands());
    let is_joined = |app: &mut App| {
        app.update();
        let ends = [Vec3::new(1.0, 0.0, 2.0), Vec3::new(10.0, 0.0, 2.0)];
        ask(app, move |mut answers| answers.cost(ends[0], ends[1]).is_ok())
    };
    let switch = |open: bool| NavLinkSwitch { link: LinkName::Name("bridge".to_owned()), open };
    assert!(is_joined(&mut app));
    let one = app.world_mut().spawn(switch(true)).id();
    let two = app.world_mut().spawn(switch(false)).id();
    assert!(!is_joined(&mut app));
    app.world_mut().entity_mut(one).despawn();
    assert!(!is_joined(&mut app));
    app.world_mut().entity_mut(two).remove::<NavLinkSwitch>();
    assert!(is_joined(&mut app));
}

#[test]
fn an_unknown_link_says_which_there_are() {
    let mut app = app();
    let link = LinkName::Name("ferry".to_owned());
    let switch = app.world_mut().spawn(NavLinkSwitch { link, open: false }).id();
    update(&mut app, 1);
    assert_eq!(app.world().get(switch), Some(&NavLinkStatus::NoGrid));
    add_world(&mut app, islands());
    update(&mut app, 1);
    let known = vec!["bridge".to_owned()];
    assert_eq!(app.world().get(switch), Some(&NavLinkStatus::Unknown { known }));
}

#[test]
fn prepared_routes_of_questions_follow_what_changes() {
    let mut app = app();
    let grid = support::add_grid(&mut app, plain(20));
    let prepare = vec!["human".to_owned()];
    let world = app.world_mut().spawn(NavWorld { prepare, ..NavWorld::new(grid) }).id();
    for _ in 0..1000 {
        app.update();
        if app.world().get(world) == Some(&NavWorldStatus::Ready) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(ask(&mut app, |mut answers| answers.navigator().is_prepared()));
    assert!((length(&mut app) - 10.0).abs() < 0.01);
    let obstacle = app.world_mut().spawn((wall(), Transform::from_xyz(10.0, 1.0, 10.0))).id();
    update(&mut app, 1);
    assert!(length(&mut app) > 12.0);
    let next = support::add_grid(&mut app, plain(30));
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").grid = next;
    update(&mut app, 1);
    assert!(length(&mut app) > 12.0);
    app.world_mut().entity_mut(obstacle).despawn();
    assert!((length(&mut app) - 10.0).abs() < 0.01);
    assert!(ask(&mut app, |mut answers| answers.navigator().is_prepared()));
}

#[test]
fn questions_are_answered_on_the_ground_as_it_is() {
    let mut app = app();
    let refused =
        app.world_mut().run_system_once(|mut queries: NavQueries| queries.of("human").err());
    assert_eq!(refused.expect("a system"), Some(NavQueryError::NoWorld));
    let world = add_world(&mut app, plain(20));
    app.world_mut().spawn((wall(), Transform::from_xyz(10.0, 1.0, 10.0)));
    update(&mut app, 1);
    let unknown = app.world_mut().run_system_once(move |mut queries: NavQueries| {
        queries.of_world(world, "giant").err().expect("an error").to_string()
    });
    assert!(unknown.expect("a system").contains("\"human\""));

    let (from, to) = (Vec3::new(5.0, 0.0, 10.0), Vec3::new(15.0, 0.0, 10.0));
    let hit = ask(&mut app, move |answers| answers.raycast(from, to)).expect("ground");
    // The wall begins at 9.5 m, and the body of 0.3 m is kept off cells of half a metre.
    assert!(hit.at.x > 8.4 && hit.at.x < 9.25 && hit.at.z == 10.0, "{hit:?}");
    assert!((hit.part - (hit.at.x - 5.0) / 10.0).abs() < 1e-4, "{hit:?}");
    let free = ask(&mut app, move |answers| answers.raycast(from, Vec3::new(5.0, 0.0, 18.0)));
    assert_eq!(free.expect("ground").part, 1.0);

    let slid = ask(&mut app, move |answers| answers.slide(from, Vec2::new(10.0, 0.5)));
    let slid = slid.expect("ground");
    assert!(slid.x < 9.25 && slid.z > 10.0, "{slid}");
    let inside = Vec3::new(10.0, 0.0, 10.0);
    let nearest = ask(&mut app, move |answers| answers.nearest(inside, 3.0)).expect("ground");
    assert!((nearest.x - 10.0).abs() > 0.5, "{nearest}");
    assert_eq!(ask(&mut app, move |answers| answers.nearest(inside, 0.1)), None);
    let cost = ask(&mut app, move |mut answers| answers.cost(from, to)).expect("a path");
    assert!(cost > 12.0);
    let why = ask(&mut app, move |answers| answers.why_not(from, to)).expect("ground");
    assert!(why.blockers.is_empty(), "there is a way around");
}
