//! A crowd: sixty agents of two sizes cross a hall of pillars, each to a goal of its own.
//!
//! The goals are random places that a cost field reaches. No agent leaves the ground.
//!
//! `cargo run --example e13_crowd` draws `target/crowd.png`.

use std::path::Path;

use surefoot::follow::FollowState;
use surefoot::search::FieldQuery;
use surefoot::{Agent, AgentId, Crowd, HeightCost, Navigator};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

const DT: f32 = 1.0 / 30.0;
/// Steps from one point of a track to the next.
const PACE: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::load(Path::new("scenes/pillars.gltf"), &Default::default())?;
    let agents = vec![Agent::new("human"), Agent { radius: 0.5, ..Agent::new("porter") }];
    let settings = BakeSettings { agents, cell_size: Some(0.25), ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;

    // Everything that can be reached from one place, and random places there.
    let porter = Navigator::new(grid.clone(), "porter")?;
    let (start, _) = porter.view().nearest_walkable([0.0; 3], 50.0).ok_or("no ground")?;
    let field = porter.field(&FieldQuery::from(&[start]));
    let place = |seed| field.random_place(porter.view(), seed).ok_or("nothing was reached");

    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    for seed in 0..60 {
        let id = crowd.add(AgentId(seed as u16 % 2), place(seed)?.point, Default::default())?;
        crowd.set_goal(id, place(seed + 60)?.point);
    }
    let mut tracks: Vec<Vec<_>> = vec![Vec::new(); crowd.len()];
    for step in 0..600 {
        crowd.step(DT);
        for (track, member) in tracks.iter_mut().zip(crowd.members()) {
            let span = member.span().ok_or("there are no links here")?;
            assert!(grid.is_walkable(member.agent(), span), "{} is off", member.position());
            if step % PACE == 0 {
                track.push(member.position());
            }
        }
    }
    let arrived = crowd.members().filter(|member| member.state() == FollowState::Arrived).count();
    println!("{arrived} of {} have arrived", crowd.len());
    assert!(arrived * 100 >= crowd.len() * 98);

    let radius = |agent: AgentId| grid.layers()[agent.index()].agent.radius;
    let tracks: Vec<Track> = tracks
        .into_iter()
        .zip(crowd.members())
        .map(|(points, member)| Track {
            points,
            radius: radius(member.agent()),
            end: if member.state().is_at_rest() { TrackEnd::Arrived } else { TrackEnd::Moving },
        })
        .collect();
    let picture = TrackPicture {
        view: porter.view(),
        title: "Sixty in a hall of pillars",
        tracks: &tracks,
        interval: DT * PACE as f32,
    };
    std::fs::create_dir_all("target")?;
    track_picture(&picture).image.save(Path::new("target/crowd.png"))?;
    Ok(())
}
