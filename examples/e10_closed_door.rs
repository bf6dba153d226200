//! Changes at run time: a door closes in front of an agent, which turns and takes the other one.
//!
//! The grid stays as it was baked; an overlay holds what changed since. A follower notices when its
//! path is no longer open, and replans at once.
//!
//! `cargo run --example e10_closed_door` draws `target/closed_door.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, Follower, Motion, slide};
use surefoot::{Agent, Navigator, Obstacle};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
/// The step at which the door closes, right in front of the agent.
const CLOSES: usize = 120;

fn main() -> Result<(), Box<dyn Error>> {
    // A wall along z, with doors 1.5 m wide at z = 0 and z = 6.75.
    let mut level = SceneBuilder::new("two doors");
    level.cuboid("Ground", [10.0, 0.5, 10.0], Placement::at([0.0, -0.5, 2.0]));
    for (z, half) in [(-4.4, 3.65), (3.375, 2.625), (9.75, 2.25)] {
        level.cuboid("Wall", [0.2, 1.5, half], Placement::at([0.0, 1.5, z]));
    }
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.1), agents, ..BakeSettings::default() };
    let grid = bake(&level.build()?, &settings, &())?.grid;
    let mut nav = Navigator::new(grid, "human")?;
    let (center, half) = (Point3::new(0.0, 1.0, 0.0), [0.1, 1.0, 0.75].into());
    let door = Obstacle::Box { center, half, yaw: 0.0 };

    let mut follower = Follower::new(FollowSettings::default())?;
    let goal = Point3::new(8.0, 0.0, -1.0);
    follower.set_goal(goal);
    let (mut motion, mut points) = (Motion::at([-8.0, 0.0, -1.0]), Vec::new());
    while !follower.state().is_at_rest() && points.len() < 3000 {
        if points.len() == CLOSES {
            nav.block(door.clone())?;
        }
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        let ground = follower.nav_point().ok_or("no ground underfoot")?;
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        points.push(position);
        let by_other_door = follower.waypoints().iter().any(|next| next.point.z > 5.0);
        let is_through = position.x > 0.0;
        assert!(by_other_door || is_through || points.len() <= CLOSES, "it turned at once");
    }
    assert!((motion.position - goal).norm() < 0.01, "it got there");
    let gap = |at: &Point3<f32>| (at.x.abs() - half.x).max(at.z.abs() - half.z);
    assert!(points[CLOSES..].iter().all(|at| gap(at) > 0.25), "it kept clear of the door");

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "A door closes",
        tracks: &[Track { points, radius: nav.view().agent().radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/closed_door.png"))?;
    Ok(())
}
