//! Bodies of rapier's character controller walk the paths of every scene, in the world it was baked
//! from, under gravity.
//!
//! `SUREFOOT_DRIVE_PAIRS` sets how many pairs of places each agent walks between on each scene, a whole
//! town among them that takes longer to bake than all the others together.

mod body;
mod level;
mod tally;
mod walk;

use std::path::Path;

use rayon::prelude::*;
use surefoot::AgentId;

use level::Level;
use tally::Tally;
use walk::walk;

/// Pairs of places for each agent on each scene, by default.
const PAIRS: usize = 3;
/// The part of the walks that have to arrive in time, all in all and, where there are many, on each
/// scene.
const IN_TIME: f32 = 0.99;

#[test]
fn a_character_controller_gets_where_the_paths_lead() {
    let pairs = std::env::var("SUREFOOT_DRIVE_PAIRS").ok();
    let is_short = pairs.is_none();
    let pairs = pairs.map_or(PAIRS, |pairs| pairs.parse().expect("a number of pairs"));
    let mut scenes = [surefoot_testing::own_scenes(), surefoot_testing::real_scenes()].concat();
    scenes.retain(|path| !is_short || surefoot_testing::name(path) != "town_model.gltf");
    let tallies: Vec<_> = scenes.par_iter().map(|path| drive(path, pairs)).collect();
    let mut all = Tally::new("all scenes");
    for of_agents in &tallies {
        let mut of_scene = Tally::new("all three");
        for tally in of_agents {
            println!("{tally}");
            of_scene.add(tally);
        }
        println!("{of_scene}");
        // One late walk of a few is no share to speak of.
        assert!(is_short || of_scene.share() >= IN_TIME, "{of_scene}");
        all.add(&of_scene);
    }
    println!("{all}");
    assert!(all.walks > 30 * pairs, "{} walks", all.walks);
    assert!(all.share() >= IN_TIME, "{all}");
}

/// Every agent walks the paths of a scene.
fn drive(path: &Path, pairs: usize) -> Vec<Tally> {
    let level = Level::bake(path);
    let agents = 0..level.grid.layers().len() as u16;
    let drive = |agent| {
        let name = &level.grid.layers()[agent as usize].agent.name;
        let trips = level.trips(AgentId(agent), pairs);
        let walks: Vec<_> = trips.par_iter().map(|trip| walk(&level, trip)).collect();
        let mut tally = Tally::new(format!("{} {name}", level.name));
        walks.into_iter().for_each(|walk| tally.count(walk));
        tally
    };
    agents.map(drive).filter(|tally| tally.walks > 0).collect()
}
