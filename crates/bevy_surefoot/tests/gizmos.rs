//! What is drawn near a camera, without a window.
#![cfg(feature = "gizmos")]

mod support;

use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::Camera;
use bevy_gizmos::{GizmoAsset, GizmoPlugin};
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::{NavGizmos, NavGroundLines, SurefootGizmosPlugin};
use bevy_transform::components::{GlobalTransform, Transform};
use support::{add_agent, add_world, app_and, plain, update};

/// The ends of all lines, and the corners of all strips of lines, that were drawn last.
fn drawn(app: &App) -> [Vec<Vec3>; 2] {
    let gizmos = app.world().resource::<Assets<GizmoAsset>>();
    let of = |list: fn(&GizmoAsset) -> &Vec<Vec3>| {
        gizmos.iter().flat_map(|(_, gizmo)| list(gizmo).iter().copied()).collect()
    };
    [of(|gizmo| &gizmo.buffer().list_positions), of(|gizmo| &gizmo.buffer().strip_positions)]
}

fn app_with_camera(at: Vec3) -> App {
    let mut app = app_and(|app| {
        app.add_plugins((GizmoPlugin, SurefootGizmosPlugin));
    });
    let at = Transform::from_translation(at);
    app.world_mut().spawn((Camera::default(), at, GlobalTransform::from(at)));
    app
}

#[test]
fn edges_near_the_camera_are_drawn_and_follow_what_changes() {
    let mut app = app_with_camera(Vec3::new(50.0, 2.0, 50.0));
    add_world(&mut app, plain(100));
    app.world_mut().resource_mut::<NavGizmos>().distance = 10.0;
    update(&mut app, 2);
    assert!(drawn(&app)[0].is_empty(), "in the middle no ground ends");
    let shape = NavObstacleShape::Box { half: Vec3::new(0.5, 1.0, 0.5) };
    let at = Transform::from_xyz(52.0, 0.0, 50.0);
    let obstacle = app.world_mut().spawn((NavObstacle::new(shape.clone()), at)).id();
    update(&mut app, 1);
    let around = drawn(&app)[0].len();
    assert!(around >= 16, "{around}");
    app.world_mut().spawn((NavObstacle::new(shape), Transform::from_xyz(10.0, 0.0, 10.0)));
    update(&mut app, 1);
    assert_eq!(drawn(&app)[0].len(), around, "that is far away");
    app.world_mut().entity_mut(obstacle).despawn();
    app.world_mut().resource_mut::<NavGizmos>().ground = NavGroundLines::Cells;
    update(&mut app, 1);
    let cells = drawn(&app)[0].len();
    // Chunks of 8 m within 10 m of the middle, four sides of two ends for each cell of half a metre.
    assert!(cells > 8 * 4 * 20 * 20 && cells < 8 * 4 * 120 * 120, "{cells}");
    app.world_mut().resource_mut::<NavGizmos>().ground = NavGroundLines::None;
    update(&mut app, 2);
    assert!(drawn(&app)[0].is_empty());
}

#[test]
fn agents_near_the_camera_are_drawn_with_their_way() {
    let mut app = app_with_camera(Vec3::new(5.0, 2.0, 5.0));
    add_world(&mut app, plain(100));
    app.world_mut().resource_mut::<NavGizmos>().ground = NavGroundLines::None;
    let target = Vec3::new(12.0, 0.0, 5.0);
    for start in [Vec3::new(5.0, 0.0, 5.0), Vec3::new(90.0, 0.0, 90.0)] {
        let agent = add_agent(&mut app, start);
        app.world_mut().entity_mut(agent).insert(NavTarget::Point(target));
    }
    update(&mut app, 30);
    let [lines, strips] = drawn(&app);
    assert_eq!(lines.len(), 2, "the velocity of one agent");
    assert!((lines[1] - lines[0]).x > 1.0);
    assert!(strips.iter().any(|corner| corner.distance(target) < 0.1), "its way ends there");
    app.world_mut().resource_mut::<NavGizmos>().agents = false;
    update(&mut app, 2);
    assert!(drawn(&app)[1].is_empty());
}
