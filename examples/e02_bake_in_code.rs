//! Bakes a level made in code for two agents, and asks where each can go.
//!
//! A ramp leads up to a platform; a low bar over the ramp stops the tall agent, and the verdict
//! says so.
//!
//! `cargo run --example e02_bake_in_code` draws into the folder `target/platform`.

use std::error::Error;
use std::path::Path;

use surefoot::{Agent, Verdict};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::write_all;

fn main() -> Result<(), Box<dyn Error>> {
    let mut level = SceneBuilder::new("platform");
    level.cuboid("Ground", [10.0, 0.5, 10.0], Placement::at([0.0, -0.5, 0.0]));
    level.cuboid("Platform", [2.0, 1.0, 2.0], Placement::at([5.0, 1.0, 0.0]));
    level.hull("Ramp", &wedge(), Placement::default());
    level.cuboid("Bar", [0.1, 0.1, 2.0], Placement::at([0.0, 2.7, 0.0]));
    let scene = level.build()?;

    let agents =
        vec![Agent::new("human"), Agent { height: 1.2, max_climb: 0.2, ..Agent::new("child") }];
    let settings = BakeSettings { cell_size: Some(0.2), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;

    let (ground, platform) = ([-8.0, 0.0, 0.0], [5.0, 2.0, 0.0]);
    for (name, expected) in [("human", false), ("child", true)] {
        let agent = grid.agent_id(name)?;
        let region = |point: [f32; 3]| grid.region(agent, grid.span_at(point, 0.5)?);
        let reaches = region(ground).is_some() && region(ground) == region(platform);
        println!("{name}: {}", if reaches { "reaches the platform" } else { "does not reach it" });
        assert_eq!(reaches, expected);
    }
    let under_bar = grid.span_at([0.0, 1.0, 0.0], 0.5).ok_or("the ramp is there")?;
    let verdict = grid.verdict(grid.agent_id("human")?, under_bar).ok_or("it is a span")?;
    println!("under the bar: {verdict:?}");
    assert!(!matches!(verdict, Verdict::Walkable));

    grid.save("target/platform.navgrid")?;
    for picture in write_all(&grid, Path::new("target/platform"))? {
        println!("see {}", picture.display());
    }
    Ok(())
}

/// The corners of a ramp from x = -3 up to the platform.
fn wedge() -> Vec<[f32; 3]> {
    let sides = [-2.0, 2.0];
    let profile = [[-3.0, 0.0], [3.0, 0.0], [3.0, 2.0]];
    sides.iter().flat_map(|&z| profile.map(|[x, y]| [x, y, z])).collect()
}
