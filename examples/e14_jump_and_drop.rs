//! Generated links: a body crosses roofs. It climbs onto a higher one, jumps over two gaps, and drops into
//! the yard, where walking alone leads nowhere.
//!
//! The bake finds the links: the agent says how high and how far it jumps, and how deep it drops. The
//! follower leads the body along them, and says which it is on.
//!
//! `cargo run --example e14_jump_and_drop` draws `target/jump_and_drop.png`.

use std::error::Error;
use std::path::Path;

use surefoot::follow::{FollowSettings, FollowState, Follower, Motion, slide};
use surefoot::grid::LinkKind;
use surefoot::{Agent, Navigator};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut level = SceneBuilder::new("roofs");
    level.cuboid("yard", [2.5, 0.5, 7.0], Placement::at([9.0, -0.5, 0.0]));
    for (x, z, half, height) in [
        (-8.0, -3.0, [2.5, 2.5], 3.0),
        (-8.0, 3.5, [2.5, 2.0], 3.9),
        (-1.5, 3.5, [2.0, 2.0], 3.6),
        (4.5, 2.5, [2.0, 2.5], 3.2),
    ] {
        let half_height = 0.5 * height;
        let house = [half[0], half_height, half[1]];
        level.cuboid("house", house, Placement::at([x, half_height, z]));
    }
    // A bridge leads from the first roof to the second, which is too high to step onto.
    level.cuboid("bridge", [2.5, 1.5, 1.0], Placement::at([-8.0, 1.5, 0.5]));

    let runner = Agent { jump_up: 1.1, jump_across: 2.5, drop: 4.0, ..Agent::new("runner") };
    let settings = BakeSettings {
        cell_size: Some(0.1),
        agents: vec![Agent::new("walker"), runner],
        ..BakeSettings::default()
    };
    let grid = bake(&level.build()?, &settings, &())?.grid;
    let (start, goal) = ([-8.0, 3.0, -4.0], [9.0, 0.0, -4.0]);
    let mut walker = Navigator::new(grid.clone(), "walker")?;
    println!("walker: {}", walker.path(start, goal).expect_err("it does not jump"));

    let mut nav = Navigator::new(grid, "runner")?;
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_goal(goal);
    let (mut motion, mut points, mut kinds) = (Motion::at(start), Vec::new(), Vec::new());
    let mut before = None;
    while follower.state() != FollowState::Arrived && points.len() < 3000 {
        let velocity = follower.step(&mut nav, &motion, DT).velocity;
        let position = match (follower.traversal(), follower.nav_point()) {
            // In the air and on ledges there is no ground to slide over: the follower leads.
            (None, Some(ground)) => {
                slide(nav.view(), ground, [velocity.x * DT, velocity.z * DT]).point
            }
            _ => motion.position + velocity * DT,
        };
        let link = follower.traversal().map(|traversal| traversal.link);
        if link != before {
            kinds.extend(follower.traversal().map(|traversal| traversal.kind));
        }
        before = link;
        motion = Motion { position, velocity };
        points.push(position);
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    println!("runner: {:.1} s, by {}", points.len() as f32 * DT, names.join(", "));
    assert_eq!(follower.state(), FollowState::Arrived);
    let count = |kind| kinds.iter().filter(|&&other| other == kind).count();
    assert_eq!(count(LinkKind::Climb), 1, "onto the second roof");
    assert_eq!(count(LinkKind::Jump), 2, "over the gaps");
    assert_eq!(count(LinkKind::Drop), 1, "into the yard");

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "Over the roofs",
        tracks: &[Track { points, radius: 0.3, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/jump_and_drop.png"))?;
    Ok(())
}
