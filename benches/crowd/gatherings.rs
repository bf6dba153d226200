//! Gatherings where crowds get stuck: a circle, a doorway, a corridor, one goal for all.

use std::path::Path;

use surefoot::follow::FollowSettings;
use surefoot::view::View;
use surefoot::{Crowd, HeightCost, NavGrid};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

use crate::{DT, HUMAN, ground};

/// Start and goal of an agent, along x and z.
type Trip = [[f32; 2]; 2];

/// The most a gathering may take [s].
const MOST: f32 = 120.0;
/// Steps from one point of a track to the next.
const PACE: usize = 6;

/// Runs each gathering, draws it, and prints how it went.
pub fn print() {
    println!("| gathering | bodies | arrived | half of them after | all after |");
    println!("|---|--:|--:|--:|--:|");
    let open = ground([240, 240], |_| 0.0);
    let wall = ground([240, 120], |[x, z]| {
        let in_wall = (x - 30.0).abs() < 0.5 && (z - 15.0).abs() > 1.0;
        if in_wall { f32::NAN } else { 0.0 }
    });
    let corridor = ground([240, 16], |_| 0.0);
    let on_circle = |at: usize, count: usize, radius: f32| {
        let (sine, cosine) = (at as f32 * std::f32::consts::TAU / count as f32).sin_cos();
        [30.0 + radius * cosine, 30.0 + radius * sine]
    };
    let circle = |at| [on_circle(at, 200, 25.0), on_circle(at + 100, 200, 25.0)];
    let sides = |at: usize, rows: usize, width: f32| {
        let (side, place) = (at % 2, at / 2);
        let z = (place % rows) as f32 * width + 0.5;
        let x = 1.0 + (place / rows) as f32 * 0.9;
        let ends = [[x, z], [59.0 - x, z]];
        if side == 0 { ends } else { [ends[1], ends[0]] }
    };
    run("circle", &open, 200, circle);
    run("doorway", &wall, 200, |at| sides(at, 20, 1.45));
    run("corridor", &corridor, 100, |at| sides(at, 5, 0.75));
    run("one goal", &open, 50, |at| [on_circle(at, 50, 20.0), [30.0, 30.0]]);
}

fn run(name: &str, grid: &NavGrid, count: usize, trip: impl Fn(usize) -> Trip) {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::FLAT);
    for at in 0..count {
        let [[x, z], [to_x, to_z]] = trip(at);
        let id = crowd.add(HUMAN, [x, 0.0, z], FollowSettings::default()).expect("ground");
        crowd.set_goal(id, [to_x, 0.0, to_z]);
    }
    let mut tracks: Vec<Vec<_>> = vec![Vec::new(); count];
    let (mut half, mut all, mut arrived) = (None, None, 0);
    for step in 0..(MOST / DT) as usize {
        if step % PACE == 0 {
            tracks
                .iter_mut()
                .zip(crowd.members())
                .for_each(|(track, own)| track.push(own.position()));
        }
        crowd.step(DT);
        arrived = crowd.members().filter(|member| member.state().is_at_rest()).count();
        let time = step as f32 * DT;
        half = half.or((2 * arrived >= count).then_some(time));
        if arrived == count {
            all = Some(time);
            break;
        }
    }
    let shown = |time: Option<f32>| time.map_or("-".to_owned(), |time| format!("{time:.1} s"));
    println!("| {name} | {count} | {arrived} | {} | {} |", shown(half), shown(all));
    draw(name, &crowd, tracks);
}

fn draw(name: &str, crowd: &Crowd, tracks: Vec<Vec<nalgebra::Point3<f32>>>) {
    let end = |is_at_rest| if is_at_rest { TrackEnd::Arrived } else { TrackEnd::Stuck };
    let tracks: Vec<Track> = tracks
        .into_iter()
        .zip(crowd.members())
        .map(|(points, own)| Track { points, radius: 0.3, end: end(own.state().is_at_rest()) })
        .collect();
    let grid = crowd.grid();
    let view = View::new(grid, HUMAN).expect("a human");
    let interval = DT * PACE as f32;
    let picture = TrackPicture { view: &view, title: name, tracks: &tracks, interval };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/crowd");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{}.png", name.replace(' ', "_")));
    track_picture(&picture).image.save(&file).expect("a picture");
}
