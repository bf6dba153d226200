//! Bakes a level made in code, asks who can go where, and draws it.
//!
//! A ramp leads up to a platform; a low bar over the ramp stops whoever is tall.
//!
//! `cargo run --example bake_in_code`

use std::error::Error;
use std::path::Path;

use surefoot::{Agent, AgentId};
use surefoot_bake::BakeSettings;
use surefoot_bake::bake;
use surefoot_bake::scene::{Placement, SceneBuilder};

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
        let agent = grid.agent_id(name).ok_or("every agent is in the grid")?;
        let region = |point: [f32; 3]| grid.region(agent, grid.span_at(point, 0.5)?);
        let reaches = region(ground).is_some() && region(ground) == region(platform);
        println!("{name}: {}", if reaches { "gets up" } else { "does not get up" });
        assert_eq!(reaches, expected);
    }
    let under_bar = grid.span_at([0.0, 1.0, 0.0], 0.5).ok_or("the ramp is there")?;
    println!("under the bar: {:?}", grid.verdict(AgentId(0), under_bar));

    grid.save(Path::new("target/platform.navgrid"))?;
    for picture in surefoot::draw::write_all(&grid, Path::new("target/platform"))? {
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
