//! Provides [`Recorder`]: writes the positions of everyone to a CSV file, and keeps them for a picture.

use std::io::Write;

use anyhow::Context;
use nalgebra::Point3;
use surefoot::follow::FollowState;
use surefoot::view::View;
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

use super::member_sample::MemberSample;
use super::options::RunArguments;
use super::timing::Timing;
use crate::shared::interrupt;
use crate::shared::output::{OpenOutput, Output};
use crate::shared::path_check::PathCheck;

/// Records the positions of everyone, for the files that the user asked for.
pub struct Recorder {
    csv: Option<(Output, OpenOutput)>,
    png: Option<Output>,
    /// The positions of all members at each sample; empty without a picture.
    samples: Vec<Vec<Point3<f32>>>,
}

/// The files to write.
pub struct RunOutputs {
    csv: Option<Output>,
    png: Option<Output>,
}

impl RunOutputs {
    /// Checks all paths before the work begins.
    ///
    /// # Errors
    /// A file cannot be written, or would replace another file of the command.
    pub fn check_paths(arguments: &RunArguments) -> anyhow::Result<Self> {
        let mut paths = PathCheck::default();
        paths.input(&arguments.input.file, "the grid");
        arguments.scene.iter().for_each(|scene| paths.input(scene, "the scene"));
        Ok(RunOutputs {
            csv: paths.output_if_any(arguments.csv.as_deref(), "--csv")?,
            png: paths.output_if_any(arguments.png.as_deref(), "--png")?,
        })
    }
}

impl Recorder {
    /// Opens the CSV file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(RunOutputs { csv, png }: RunOutputs) -> anyhow::Result<Self> {
        let open = |output: Output| -> anyhow::Result<_> {
            let mut out = output.open()?;
            writeln!(out, "time,member,x,y,z,state").with_context(|| output.cannot_write())?;
            Ok((output, out))
        };
        Ok(Recorder { csv: csv.map(open).transpose()?, png, samples: Vec::new() })
    }

    /// Adds a sample of everyone at a time [s].
    ///
    /// # Errors
    /// The CSV file cannot be written.
    pub fn add(&mut self, time: f64, members: &[MemberSample]) -> anyhow::Result<()> {
        if self.png.is_some() {
            self.samples.push(members.iter().map(|member| member.position).collect());
        }
        let Some((output, out)) = &mut self.csv else { return Ok(()) };
        for (index, member) in members.iter().enumerate() {
            let [x, y, z]: [f32; 3] = member.position.into();
            let state = member.state.name();
            writeln!(out, "{time:.3},{index},{x:.3},{y:.3},{z:.3},{state}")
                .with_context(|| output.cannot_write())?;
        }
        Ok(())
    }

    /// Completes the CSV file, and draws the picture.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(self, view: &View, end: &RunEnd) -> anyhow::Result<()> {
        if let Some((output, out)) = self.csv {
            let finished = interrupt::uninterrupted(|| out.finish());
            finished.with_context(|| output.cannot_write())?;
        }
        let Some(output) = self.png else { return Ok(()) };
        let tracks = tracks(&self.samples, view.agent().radius, end);
        let interval = end.timing.interval() as f32;
        let picture = TrackPicture { view, title: "", tracks: &tracks, interval };
        let bytes = track_picture(&picture).image.to_png()?;
        // Ctrl-C ends the walk, not the report: the picture is written all the same.
        interrupt::uninterrupted(|| output.write(&bytes, || false))
    }
}

/// A member that moves by no more than this from sample to sample stands [m].
const STILL: f32 = 1e-3;

/// How the run ended for everyone.
pub struct RunEnd<'a> {
    pub timing: Timing,
    pub states: &'a [FollowState],
}

fn tracks(samples: &[Vec<Point3<f32>>], radius: f32, end: &RunEnd) -> Vec<Track> {
    let track = |(member, state): (usize, &FollowState)| {
        let mut points: Vec<_> = samples.iter().map(|positions| positions[member]).collect();
        // The track ends when the member has come to its last place, where others may have pushed it.
        let moves = |ends: &[Point3<f32>]| (ends[1] - ends[0]).norm() > STILL;
        let last = points.windows(2).rposition(moves).map_or(0, |at| at + 1);
        points.truncate(last + 1);
        let track_end = match state {
            FollowState::Arrived => TrackEnd::Arrived,
            FollowState::Waiting
            | FollowState::Following
            | FollowState::OnLink { .. }
            | FollowState::MakingWay => TrackEnd::Moving,
            _ => TrackEnd::Stuck,
        };
        Track { points, radius, end: track_end }
    };
    end.states.iter().enumerate().map(track).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_track_ends_where_the_member_was_pushed_last() {
        let along = |x: f32| Point3::new(x, 0.0, 0.0);
        let samples: Vec<_> = [[0.0, 5.0], [1.0, 5.0], [1.0, 5.0], [1.5, 5.0], [1.5, 5.0]]
            .map(|places| places.map(along).to_vec())
            .to_vec();
        let end = RunEnd {
            timing: Timing::new(1.0, 0.1),
            states: &[FollowState::Arrived, FollowState::Arrived],
        };
        let tracks = tracks(&samples, 0.3, &end);
        assert_eq!(tracks[0].points, [0.0, 1.0, 1.0, 1.5].map(along));
        assert_eq!(tracks[1].points, [along(5.0)]);
    }
}
