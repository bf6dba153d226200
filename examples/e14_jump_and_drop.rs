//! Generated links: a body crosses roofs. It climbs onto a higher one, jumps over two gaps, and drops into
//! the yard, where walking alone leads nowhere.
//!
//! The bake finds the links: the agent says how high and how far it jumps, and how deep it drops. The path
//! says which it takes, and `LinkMotion` where the body is on the way.
//!
//! `cargo run --example e14_jump_and_drop` draws `target/jump_and_drop.png`.

use std::error::Error;
use std::path::Path;

use surefoot::grid::{LinkKind, LinkMotion};
use surefoot::{Agent, Navigator};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two points of the track.
const DT: f32 = 1.0 / 30.0;
/// How fast it walks and climbs [m/s].
const SPEED: f32 = 2.0;

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

    let mut runner = Navigator::new(grid.clone(), "runner")?;
    let path = runner.path(start, goal)?.clone();
    let (mut points, mut kinds) = (Vec::new(), Vec::new());
    for pair in path.waypoints().windows(2) {
        let [from, to] = [&pair[0], &pair[1]];
        let steps = |seconds: f32| (0..(seconds / DT) as usize).map(|step| step as f32 * DT);
        let Some(link) = from.link.map(|link| &grid.links()[link as usize]) else {
            let along = to.point - from.point;
            let seconds = along.norm() / SPEED;
            points.extend(steps(seconds).map(|at| from.point + along * (at / seconds)));
            continue;
        };
        let lanes = link.lanes_of(1).iter();
        let mut ways = lanes.filter_map(|lane| match lane.spans == [from.span, to.span] {
            true => Some(LinkMotion::new(link, lane, [from.point, to.point], SPEED)),
            false if lane.spans == [to.span, from.span] => {
                Some(LinkMotion::new(link, lane, [to.point, from.point], SPEED).reversed())
            }
            false => None,
        });
        let motion = ways.next().ok_or("the path takes a lane of its link")?;
        points.extend(steps(motion.duration()).map(|at| motion.position(at)));
        kinds.push(link.kind);
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    println!("runner: {:.1} m, by {}", path.length(), names.join(", "));
    let count = |kind| kinds.iter().filter(|&&other| other == kind).count();
    assert_eq!(count(LinkKind::Climb), 1, "onto the second roof");
    assert_eq!(count(LinkKind::Jump), 2, "over the gaps");
    assert_eq!(count(LinkKind::Drop), 1, "into the yard");

    let picture = track_picture(&TrackPicture {
        view: runner.view(),
        title: "Over the roofs",
        tracks: &[Track { points, radius: 0.3, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/jump_and_drop.png"))?;
    Ok(())
}
