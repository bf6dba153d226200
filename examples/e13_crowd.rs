//! A crowd: sixty people of two sizes walk through each other in a hall of pillars, each to a
//! place of its own. Nobody leaves the ground, nobody runs into anybody.

use std::path::Path;
use std::sync::Arc;

use surefoot::cost::HeightCost;
use surefoot::crowd::Crowd;
use surefoot::follow::FollowState;
use surefoot::search::{CostField, FieldQuery};
use surefoot::view::View;
use surefoot::{Agent, AgentId};
use surefoot_bake::bake;
use surefoot_bake::{BakeSettings, Scene};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

const DT: f32 = 1.0 / 30.0;
/// Steps from one point of a track to the next.
const PACE: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/pillars.gltf");
    let scene = Scene::load(&scene, &Default::default())?;
    let agents = vec![Agent::new("human"), Agent { radius: 0.5, ..Agent::new("porter") }];
    let settings = BakeSettings { agents, cell_size: Some(0.25), ..BakeSettings::default() };
    let grid = Arc::new(bake(&scene, &settings, &())?.grid);

    // Everything that can be reached from one place, and random places there.
    let porter = View::new(&grid, AgentId(1)).ok_or("no porter")?;
    let (start, _) = porter.nearest_walkable([0.0; 3], 50.0).ok_or("no ground")?;
    let mut field = CostField::default();
    field.fill(&porter, &HeightCost::default(), &FieldQuery::from(&[start]));
    let place = |seed| field.random_place(&porter, seed).ok_or("nothing was reached");

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
        terrain: &porter,
        title: "sixty in a hall of pillars",
        tracks: &tracks,
        interval: DT * PACE as f32,
    };
    track_picture(&picture).image.save(Path::new("target/crowd.png"))?;
    Ok(())
}
