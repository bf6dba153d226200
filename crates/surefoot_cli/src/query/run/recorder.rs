//! Keeps where everyone has been: for a picture in memory, in a CSV file at once.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use nalgebra::Point3;
use surefoot::follow::FollowState;
use surefoot::view::View;
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

use super::journeys::Journey;
use super::measures::Seen;
use super::options::Arguments;
use super::simulation::Pace;
use crate::shared::claims::Claims;
use crate::shared::interrupt;
use crate::shared::output::Output;

/// Where everyone has been, as far as anyone wants to know.
pub struct Recorder {
    csv: Option<(Output, BufWriter<File>)>,
    png: Option<Output>,
    /// For each sample the places of all.
    samples: Vec<Vec<Point3<f32>>>,
}

/// The files to write, claimed before anything long begins.
#[derive(Clone)]
pub struct Outputs {
    csv: Option<Output>,
    png: Option<Output>,
}

impl Outputs {
    /// Checks every place to write to.
    ///
    /// # Errors
    /// A place that cannot be written, or that another file would lose.
    pub fn claim(arguments: &Arguments) -> anyhow::Result<Self> {
        let mut claims = Claims::default();
        claims.read(&arguments.subject.file, "the grid");
        arguments.scene.iter().for_each(|scene| claims.read_scene(scene));
        let mut write = |(file, option): (&Option<PathBuf>, &str)| {
            file.as_ref().map(|file| claims.write(file, option)).transpose()
        };
        Ok(Outputs {
            csv: write((&arguments.csv, "--csv"))?,
            png: write((&arguments.png, "--png"))?,
        })
    }
}

impl Recorder {
    /// Opens the files.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn new(Outputs { csv, png }: Outputs) -> anyhow::Result<Self> {
        let open = |output: Output| -> anyhow::Result<_> {
            let mut out = BufWriter::new(output.open()?);
            writeln!(out, "time,member,x,y,z,state").with_context(|| output.cannot_write())?;
            Ok((output, out))
        };
        Ok(Recorder { csv: csv.map(open).transpose()?, png, samples: Vec::new() })
    }

    /// Keeps where everyone is at a time [s].
    ///
    /// # Errors
    /// A file that cannot be written any more.
    pub fn sample(&mut self, time: f64, seen: &[Seen]) -> anyhow::Result<()> {
        if self.png.is_some() {
            self.samples.push(seen.iter().map(|seen| seen.place).collect());
        }
        let Some((output, out)) = &mut self.csv else { return Ok(()) };
        for (member, Seen { place, state }) in seen.iter().enumerate() {
            let ([x, y, z], state): ([f32; 3], _) = ((*place).into(), state.name());
            writeln!(out, "{time:.3},{member},{x:.3},{y:.3},{z:.3},{state}")
                .with_context(|| output.cannot_write())?;
        }
        Ok(())
    }

    /// Finishes the files.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(self, terrain: &View, ends: &Ends) -> anyhow::Result<()> {
        if let Some((output, mut out)) = self.csv {
            out.flush().with_context(|| output.cannot_write())?;
        }
        let Some(output) = self.png else { return Ok(()) };
        let tracks = tracks(&self.samples, terrain.agent().radius, ends);
        let interval = ends.pace.interval() as f32;
        let picture = TrackPicture { terrain, title: "", tracks: &tracks, interval };
        let bytes = track_picture(&picture).image.to_png().context("cannot encode the picture")?;
        // Ctrl-C has ended the run, not what there is to tell of it.
        interrupt::undisturbed(|| output.write(&bytes, || false))
    }
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
