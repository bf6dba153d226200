//! Two doors: a link that a switch opens, and an obstacle that slides aside.
//!
//! `cargo run --example e04_doors --features bake` ends by itself and opens no window.

use bevy_app::{App, Startup, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::With;
use bevy_ecs::system::Commands;
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Agent;
use bevy_surefoot::surefoot::grid::LinkKind;
use bevy_surefoot::{LinkMarker, LinkName};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const GOAL: Vec3 = Vec3::new(13.0, 0.0, 0.0);

#[derive(Component)]
struct SlidingDoor;

/// A box of triangles.
fn cuboid(size: Vec3) -> NavTriangles {
    let corner = |at: u32| {
        let side = |bit: u32| if at & bit == 0 { -0.5 } else { 0.5 };
        Vec3::new(side(1), side(2), side(4)) * size
    };
    let sides =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    NavTriangles { vertices: (0..8).map(corner).collect(), triangles }
}

fn setup(mut commands: Commands) {
    let settings = BakeSettings { agents: vec![Agent::new("human")], ..BakeSettings::default() };
    // The first door is closed in the level's geometry: a link leads through it.
    let gate = LinkMarker {
        name: "gate".to_owned(),
        from: [-0.8, 0.0, 0.0].into(),
        to: [0.8, 0.0, 0.0].into(),
        two_way: true,
        kind: LinkKind::Door,
        ..LinkMarker::default()
    };
    let bake = NavBake { links: vec![gate], in_background: false, ..NavBake::new(settings) };
    commands.spawn(bake);
    let blocks = [
        (Vec3::new(32.0, 1.0, 8.0), Vec3::new(0.0, -0.5, 0.0)),
        (Vec3::new(0.4, 3.0, 8.0), Vec3::new(0.0, 1.5, 0.0)),
        // The second door is a gap of 2 m.
        (Vec3::new(0.4, 3.0, 3.0), Vec3::new(8.0, 1.5, -2.5)),
        (Vec3::new(0.4, 3.0, 3.0), Vec3::new(8.0, 1.5, 2.5)),
    ];
    for (size, at) in blocks {
        commands.spawn((cuboid(size), NavSource::default(), Transform::from_translation(at)));
    }
    let gate = LinkName::Name("gate".to_owned());
    commands.spawn(NavLinkSwitch { link: gate, open: false });
    let door = NavObstacle::new(NavObstacleShape::Box { half: Vec3::new(0.2, 1.5, 1.0) });
    commands.spawn((SlidingDoor, door, Transform::from_xyz(8.0, 1.5, 0.0)));
    let start = Transform::from_xyz(-13.0, 0.0, 0.0);
    commands.spawn((NavAgent::new("human"), NavTarget::Point(GOAL), start));
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins((AssetPlugin::default(), SurefootPlugin)).add_systems(Startup, setup);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));

    let mut agents = app.world_mut().query::<(&NavStatus, &Transform)>();
    let mut switches = app.world_mut().query::<&mut NavLinkSwitch>();
    let mut doors = app.world_mut().query_filtered::<Entity, With<SlidingDoor>>();
    let mut opened = 0;
    for _ in 0..6000 {
        app.update();
        let (status, at) = agents.single(app.world()).expect("one agent");
        let x = at.translation.x;
        match (status, opened) {
            (NavStatus::Partial { gap, .. }, 0) => {
                assert!(x < 0.0, "it waits in front of the gate");
                println!("{gap:.1} m are missing; the switch opens the gate");
                switches.single_mut(app.world_mut()).expect("one switch").open = true;
                opened = 1;
            }
            (NavStatus::Partial { gap, .. }, 1) if x > 0.0 => {
                assert!(x < 8.0, "it waits in front of the door");
                println!("{gap:.1} m are missing; the door slides aside");
                let door = doors.single(app.world()).expect("one door");
                let mut door = app.world_mut().entity_mut(door);
                door.get_mut::<Transform>().expect("a door").translation.z = 2.2;
                opened = 2;
            }
            (NavStatus::Arrived, 2) => {
                assert!(at.translation.distance(GOAL) < 0.05);
                println!("it has arrived");
                return;
            }
            _ => {}
        }
    }
    panic!("it did not arrive: {:?}", agents.single(app.world()));
}
