//! Keeps where everyone has been: for a picture in memory, in a CSV file at once.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use nalgebra::Point3;
use surefoot::draw::{Track, TrackEnd, TrackPicture, track_picture};
use surefoot::follow::FollowState;
use surefoot::solve::Terrain;

use super::super::shared::claim::{claim_folder, folder_of};
use super::super::shared::interrupt;
use super::journeys::Journey;
use super::measures::Seen;
use super::options::Arguments;
use super::simulation::Pace;

/// Where everyone has been, as far as anyone wants to know.
pub struct Recorder {
    csv: Option<(PathBuf, BufWriter<File>)>,
    png: Option<PathBuf>,
    /// For each sample the places of all.
    samples: Vec<Vec<Point3<f32>>>,
}

/// Checks every place to write to before anything long begins.
///
/// # Errors
/// A place that cannot be written, or that another file would lose.
pub fn claim(arguments: &Arguments) -> anyhow::Result<()> {
    let mut others = vec![Some(arguments.subject.file.as_path()), arguments.scene.as_deref()];
    for (file, option) in [(&arguments.csv, "--csv"), (&arguments.png, "--png")] {
        let Some(file) = file else { continue };
        let name = file.display();
        ensure!(!file.is_dir(), "{name}: this is a folder; name a file with {option}");
        claim_folder(folder_of(file), option)?;
        let same = others.iter().flatten().any(|other| is_same(file, other));
        ensure!(!same, "{name}: is another file of this run already; change {option}");
        others.push(Some(file));
    }
    Ok(())
}

fn is_same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(whole_path);
    one.is_some() && one == other
}

/// Where a file is or would be.
fn whole_path(file: &Path) -> Option<PathBuf> {
    let beside = || Some(folder_of(file).canonicalize().ok()?.join(file.file_name()?));
    file.canonicalize().ok().or_else(beside)
}

impl Recorder {
    /// Opens the files.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let open = |file: &PathBuf| -> anyhow::Result<_> {
            let mut out = BufWriter::new(File::create(file).with_context(|| cannot_write(file))?);
            writeln!(out, "time,member,x,y,z,state").with_context(|| cannot_write(file))?;
            Ok((file.clone(), out))
        };
        let csv = arguments.csv.as_ref().map(open).transpose()?;
        Ok(Recorder { csv, png: arguments.png.clone(), samples: Vec::new() })
    }

    /// Keeps where everyone is at a time [s].
    ///
    /// # Errors
    /// A file that cannot be written any more.
    pub fn sample(&mut self, time: f64, seen: &[Seen]) -> anyhow::Result<()> {
        if self.png.is_some() {
            self.samples.push(seen.iter().map(|seen| seen.place).collect());
        }
        let Some((file, out)) = &mut self.csv else { return Ok(()) };
        for (member, Seen { place, state }) in seen.iter().enumerate() {
            let ([x, y, z], state): ([f32; 3], _) = ((*place).into(), state.name());
            writeln!(out, "{time:.3},{member},{x:.3},{y:.3},{z:.3},{state}")
                .with_context(|| cannot_write(file))?;
        }
        Ok(())
    }

    /// Finishes the files.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(self, terrain: &Terrain, ends: &Ends) -> anyhow::Result<()> {
        if let Some((file, mut out)) = self.csv {
            out.flush().with_context(|| cannot_write(&file))?;
        }
        let Some(file) = self.png else { return Ok(()) };
        let tracks = tracks(&self.samples, terrain.agent().radius, ends);
        let interval = ends.pace.interval() as f32;
        let picture = TrackPicture { terrain, title: "", tracks: &tracks, interval };
        interrupt::undisturbed(|| track_picture(&picture).image.save(&file))?;
        Ok(())
    }
}

fn cannot_write(file: &Path) -> String {
    format!("{}: cannot write here", file.display())
}

/// What became of everyone.
pub struct Ends<'a> {
    pub pace: Pace,
    pub journeys: &'a [Journey],
    pub states: &'a [FollowState],
}

fn tracks(samples: &[Vec<Point3<f32>>], radius: f32, ends: &Ends) -> Vec<Track> {
    let track = |(member, (journey, state)): (usize, (&Journey, &FollowState))| {
        // Whoever has come to rest has no more places: the track ends there.
        let moving = journey.moving.div_ceil(ends.pace.stride) as usize + 1;
        let points = samples.iter().take(moving).map(|places| places[member]).collect();
        let end = match state {
            FollowState::Arrived => TrackEnd::Arrived,
            FollowState::Waiting | FollowState::Following | FollowState::OnLink { .. } => {
                TrackEnd::Moving
            }
            _ => TrackEnd::Stuck,
        };
        Track { points, radius, end }
    };
    ends.journeys.iter().zip(ends.states).enumerate().map(track).collect()
}
