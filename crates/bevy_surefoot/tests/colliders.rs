//! Baking from the colliders of avian and of rapier: without their plugins, the components are enough.
#![cfg(any(feature = "avian", feature = "rapier"))]

mod support;

use bevy_app::App;
use bevy_ecs::bundle::Bundle;
use bevy_ecs::entity::Entity;
use bevy_math::{Quat, Vec3};
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::{Agent, AgentId, NavGrid, SpanId};
use bevy_surefoot::{NavBakeReport, NavSourceFault};
use bevy_transform::components::Transform;
use support::update;

/// What an engine makes of the same shapes.
struct Shapes<C> {
    cuboid: fn(Vec3) -> C,
    cylinder: fn(f32, f32) -> C,
    /// Two cuboids of a metre, side by side along x.
    compound: fn() -> C,
    mesh: fn(Vec<Vec3>, Vec<[u32; 3]>) -> C,
    /// What has no surface of triangles.
    endless: fn() -> C,
}

fn app() -> (App, Entity) {
    let mut app = support::app();
    let settings = BakeSettings {
        agents: vec![Agent::new("human")],
        cell_size: Some(0.25),
        ..BakeSettings::default()
    };
    let bake = NavBake { in_background: false, ..NavBake::new(settings) };
    let world = app.world_mut().spawn(bake).id();
    (app, world)
}

fn add(app: &mut App, collider: impl Bundle, at: Transform) -> Entity {
    app.world_mut().spawn((collider, NavSource::default(), at)).id()
}

fn grid(app: &App, world: Entity) -> NavGrid {
    let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd);
    crowd.expect("a crowd").grid().clone()
}

/// Height of the highest walkable floor at a place.
fn height(grid: &NavGrid, [x, z]: [f32; 2]) -> Option<f32> {
    let cell = grid.column_at([x, 0.0, z])?;
    let spans = grid.column_spans(cell).map(SpanId);
    let walkable = spans.filter(|&span| grid.is_walkable(AgentId(0), span));
    walkable.filter_map(|span| grid.span(span)).map(|span| span.floor).reduce(f32::max)
}

fn check<C: Bundle>(shapes: Shapes<C>) {
    let (mut app, world) = app();
    let ground = (shapes.cuboid)(Vec3::new(16.0, 1.0, 16.0));
    add(&mut app, ground, Transform::from_xyz(0.0, -0.5, 0.0));
    // Scaled to 2 m, and turned.
    let platform = Transform::from_xyz(4.0, 0.1, 4.0)
        .with_scale(Vec3::new(2.0, 1.0, 2.0))
        .with_rotation(Quat::from_rotation_y(0.3));
    let platform = add(&mut app, (shapes.cuboid)(Vec3::new(1.5, 0.2, 1.5)), platform);
    add(&mut app, (shapes.cylinder)(1.5, 0.3), Transform::from_xyz(-4.0, 0.15, 4.0));
    add(&mut app, (shapes.compound)(), Transform::from_xyz(-4.0, 0.5, -4.0));
    let ramp = vec![
        Vec3::new(2.0, 0.0, -6.0),
        Vec3::new(2.0, 0.0, -2.0),
        Vec3::new(6.0, 1.0, -2.0),
        Vec3::new(6.0, 1.0, -6.0),
    ];
    let ramp = (shapes.mesh)(ramp, vec![[0, 1, 2], [0, 2, 3]]);
    add(&mut app, ramp, Transform::default());
    let endless = add(&mut app, (shapes.endless)(), Transform::default());
    update(&mut app, 1);
    assert_eq!(app.world().get(world), Some(&NavBakeStatus::Done));
    let NavBakeReport { sources, faults, .. } = app.world().get(world).cloned().expect("a bake");
    assert_eq!((sources, faults.len()), (5, 1), "{faults:?}");
    let NavSourceFault { source, reason } = &faults[0];
    assert!(*source == endless && reason.contains("collider"), "{reason}");

    let grid = self::grid(&app, world);
    let near = |place: [f32; 2], expected: f32| {
        let height = height(&grid, place).expect("ground");
        assert!((height - expected).abs() < 1e-3, "{height} at {place:?}");
    };
    near([0.1, 0.1], 0.0);
    near([4.1, 4.1], 0.2);
    near([-4.1, 4.1], 0.3);
    near([4.125, -4.125], 0.53125);
    // The compound is a metre high, and two wide: no agent gets through.
    near([-4.4, -4.1], 1.0);
    near([-3.6, -4.1], 1.0);

    app.world_mut().get_mut::<Transform>(platform).expect("a platform").translation.y = 0.2;
    update(&mut app, 1);
    let grid = self::grid(&app, world);
    assert!((height(&grid, [4.1, 4.1]).expect("ground") - 0.3).abs() < 1e-3);
}

#[cfg(feature = "avian")]
#[test]
fn colliders_of_avian_are_baked_with_their_places_and_scales() {
    use avian3d::prelude::Collider;
    check(Shapes {
        cuboid: |size| Collider::cuboid(size.x, size.y, size.z),
        cylinder: Collider::cylinder,
        compound: || {
            let part = || Collider::cuboid(1.0, 1.0, 1.0);
            let at = |x: f32| (Vec3::new(x, 0.0, 0.0), Quat::IDENTITY, part());
            Collider::compound(vec![at(-0.5), at(0.5)])
        },
        mesh: Collider::trimesh,
        endless: || Collider::half_space(Vec3::Y),
    });
}

#[cfg(feature = "rapier")]
#[test]
fn colliders_of_rapier_are_baked_with_their_places_and_scales() {
    use bevy_rapier3d::prelude::Collider;
    check(Shapes {
        cuboid: |size| Collider::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z),
        cylinder: |radius, height| Collider::cylinder(0.5 * height, radius),
        compound: || {
            let part = || Collider::cuboid(0.5, 0.5, 0.5);
            let at = |x: f32| (Vec3::new(x, 0.0, 0.0), Quat::IDENTITY, part());
            Collider::compound(vec![at(-0.5), at(0.5)])
        },
        mesh: |vertices, triangles| Collider::trimesh(vertices, triangles).expect("triangles"),
        endless: || Collider::halfspace(Vec3::Y).expect("a direction"),
    });
}
