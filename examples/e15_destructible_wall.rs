//! A level that changes: a part of a wall falls, and a crowd pours through.
//!
//! `LiveBake` bakes again what the wall touched; the crowd goes on to the new grid. Nobody is moved, and
//! everyone finds a path again.
//!
//! `cargo run --example e15_destructible_wall` draws `target/destructible_wall.png`.

use std::error::Error;
use std::path::Path;

use surefoot::follow::{FollowSettings, FollowState};
use surefoot::{Agent, Crowd, HeightCost};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, LiveBake, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

const DT: f32 = 1.0 / 30.0;
/// Steps from one point of a track to the next.
const PACE: usize = 4;
/// The step at which the wall falls.
const FALLS: usize = 90;

fn main() -> Result<(), Box<dyn Error>> {
    let mut level = SceneBuilder::new("wall");
    level.cuboid("ground", [14.0, 0.5, 12.0], Placement::at([0.0, -0.5, 0.0]));
    for (name, z, half) in [("wall", -7.5, 4.5), ("weak wall", 0.0, 3.0), ("wall", 6.0, 3.0)] {
        level.cuboid(name, [0.3, 1.5, half], Placement::at([0.0, 1.5, z]));
    }
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.2), agents, ..BakeSettings::default() };
    let mut live = LiveBake::new(level.build()?, &settings, &())?;

    let mut crowd = Crowd::new(live.grid().clone(), HeightCost::default());
    for at in 0..60 {
        let place = [-4.0 - 1.1 * (at % 6) as f32, 0.0, -5.0 + 1.1 * (at / 6) as f32];
        let id = crowd.add("human", place, FollowSettings::default())?;
        crowd.set_goal(id, [-place[0], 0.0, place[2]])?;
    }
    let mut tracks: Vec<Vec<_>> = vec![Vec::new(); crowd.len()];
    for step in 0..900 {
        if step == FALLS {
            let weak: Vec<_> = live.colliders("weak wall").collect();
            weak.into_iter().try_for_each(|part| live.remove(part))?;
            let update = live.update(&())?;
            println!("baked {} of {} cells again", update.cells_baked, update.cells);
            assert!(update.cells_baked < update.cells);
            let whole = bake(&live.scene()?, &settings, &())?.grid;
            assert_eq!(live.grid().to_bytes()?, whole.to_bytes()?, "as baking all");
            assert!(crowd.set_grid(live.grid())?.is_empty(), "nobody loses the ground");
        }
        crowd.step(DT);
        if step % PACE == 0 {
            let members = tracks.iter_mut().zip(crowd.members());
            members.for_each(|(track, member)| track.push(member.position()));
        }
    }
    let arrived = crowd.members().filter(|member| member.state() == FollowState::Arrived).count();
    println!("{arrived} of {} have arrived", crowd.len());
    assert_eq!(arrived, crowd.len());

    let end = TrackEnd::Arrived;
    let tracks = tracks.into_iter().map(|points| Track { points, radius: 0.3, end });
    let tracks: Vec<Track> = tracks.collect();
    let picture = track_picture(&TrackPicture {
        view: crowd.view(surefoot::AgentId(0)).ok_or("an agent")?,
        title: "A part of the wall falls",
        tracks: &tracks,
        interval: DT * PACE as f32,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/destructible_wall.png"))?;
    Ok(())
}
