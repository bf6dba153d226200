//! Random changes of everything, good and bad: nothing panics, and crowds, members and obstacles agree.

mod support;

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_math::{Quat, Vec3};
use bevy_surefoot::NavMembership;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Agent;
use bevy_transform::components::Transform;
use support::{add_grid, app, hills, plain, plain_for};

/// A linear congruential generator.
struct Random(u64);

impl Random {
    /// [0..below)
    fn number(&mut self, below: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(below)) as u32
    }

    fn place(&mut self) -> Vec3 {
        let along = |number: u32| number as f32 * 0.01 - 3.0;
        match self.number(40) {
            0 => Vec3::splat(f32::NAN),
            1 => Vec3::new(f32::INFINITY, 0.0, 0.0),
            2 => Vec3::new(1e30, -1e30, 0.0),
            _ => Vec3::new(
                along(self.number(3600)),
                along(self.number(800)),
                along(self.number(3600)),
            ),
        }
    }

    fn any(&mut self, entities: &[Entity]) -> Option<Entity> {
        let count = entities.len() as u32;
        (count > 0).then(|| entities[self.number(count) as usize])
    }
}

/// Everything that was spawned; some of it is gone.
#[derive(Default)]
struct Things {
    worlds: Vec<Entity>,
    bodies: Vec<Entity>,
}

fn change(app: &mut App, things: &mut Things, random: &mut Random) {
    let place = random.place();
    let at = Transform::from_translation(place);
    let body = random.any(&things.bodies).filter(|&body| app.world().get_entity(body).is_ok());
    let world = random.any(&things.worlds).filter(|&world| app.world().get_entity(world).is_ok());
    match (random.number(24), body, world) {
        (0, ..) if things.worlds.len() < 3 => {
            let grids =
                [plain(20), hills(), plain_for(10, &[Agent { radius: 0.5, ..Agent::new("cart") }])];
            let grid = grids[random.number(3) as usize].clone();
            let grid = add_grid(app, grid);
            things.worlds.push(app.world_mut().spawn(NavWorld::new(grid)).id());
        }
        (1, _, Some(world)) => {
            let grid = add_grid(app, if random.number(2) == 0 { plain(30) } else { hills() });
            if let Some(mut own) = app.world_mut().get_mut::<NavWorld>(world) {
                own.grid = grid;
            }
        }
        (2, _, Some(world)) if random.number(4) == 0 => {
            drop(app.world_mut().entity_mut(world).take::<NavWorld>())
        }
        (3, _, Some(world)) if random.number(4) == 0 => drop(app.world_mut().despawn(world)),
        (4..=8, ..) => {
            let name = ["human", "human", "cart", "nobody"][random.number(4) as usize];
            things.bodies.push(app.world_mut().spawn((NavAgent::new(name), at)).id());
        }
        (9..=10, ..) => {
            let half = random.place() * 0.1;
            let obstacle = NavObstacle::new(NavObstacleShape::Box { half });
            things.bodies.push(app.world_mut().spawn((obstacle, at)).id());
        }
        (11, Some(body), _) => drop(app.world_mut().despawn(body)),
        (12, Some(body), _) => drop(app.world_mut().entity_mut(body).take::<NavAgent>()),
        (13..=15, Some(body), _) => {
            let target = match random.any(&things.bodies) {
                Some(other) if random.number(2) == 0 => NavTarget::Entity(other),
                _ => NavTarget::Point(place),
            };
            app.world_mut().entity_mut(body).insert(target);
        }
        (16..=18, Some(body), _) => {
            let turn = Quat::from_rotation_y(random.number(7) as f32);
            app.world_mut().entity_mut(body).insert(at.with_rotation(turn));
        }
        (19, Some(body), Some(world)) => {
            app.world_mut().entity_mut(body).insert(InNavWorld(world));
        }
        (20, Some(body), _) => drop(app.world_mut().entity_mut(body).take::<InNavWorld>()),
        (21, Some(body), _) => {
            let all = [NavMovement::Crowd, NavMovement::Controller, NavMovement::Manual];
            app.world_mut().entity_mut(body).insert(all[random.number(3) as usize]);
        }
        (22, Some(body), _) => {
            let parent = app.world_mut().spawn(at.with_scale(random.place() * 0.1)).id();
            app.world_mut().entity_mut(body).insert(ChildOf(parent));
        }
        (23, Some(body), _) => {
            if let Some(mut agent) = app.world_mut().get_mut::<NavAgent>(body) {
                agent.settings.speed = random.number(5) as f32;
            }
        }
        _ => {}
    }
}

/// Members are those that their agents say, and no others. Returns how many walk.
fn check(app: &mut App) -> usize {
    let mut agents = app.world_mut().query::<(Entity, &NavMembership, &NavStatus, &NavVelocity)>();
    let (mut members, mut walking) = (0, 0);
    for (entity, membership, status, velocity) in agents.iter(app.world()) {
        assert!(velocity.0.is_finite());
        let Some((world, member)) = membership.member() else { continue };
        let nav_crowd = app.world().get::<NavCrowd>(world).expect("a world");
        assert_eq!(nav_crowd.entity(member), Some(entity));
        let member = nav_crowd.crowd().and_then(|crowd| crowd.member(member)).expect("a member");
        assert!(member.position().iter().all(|number| number.is_finite()));
        members += 1;
        walking += usize::from(velocity.0.length() > 0.1);
        assert!(status.is_member() || matches!(status, NavStatus::OffGrid { .. }), "{status:?}");
    }
    let mut crowds = app.world_mut().query::<&NavCrowd>();
    let all = crowds.iter(app.world()).filter_map(NavCrowd::crowd).map(|crowd| crowd.len());
    assert_eq!(all.sum::<usize>(), members, "nobody is left behind");
    walking
}

#[test]
fn random_changes_of_everything_break_nothing() {
    let mut walked = 0;
    for seed in 0..20 {
        let (mut app, mut things, mut random) = (app(), Things::default(), Random(seed));
        for _ in 0..400 {
            for _ in 0..random.number(4) {
                change(&mut app, &mut things, &mut random);
            }
            app.update();
            walked += check(&mut app);
        }
    }
    assert!(walked > 2000, "only {walked} steps were walked");
}
