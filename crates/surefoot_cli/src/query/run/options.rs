//! The command line of `surefoot run`.

use std::path::PathBuf;

use surefoot::follow::FollowSettings;

use crate::query::input::GridInput;
use crate::shared::numbers::number;

/// Let a crowd walk, and measure how it does
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_NOTES)]
pub struct RunArguments {
    #[command(flatten)]
    pub input: GridInput,

    /// Number of bodies
    ///
    /// They start at random positions in the agent's largest region, without overlap, and walk to
    /// random positions that they can reach.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
        allow_hyphen_values = true)]
    pub count: u32,

    /// Stop after this many seconds, or when all bodies have come to rest
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub seconds: f32,

    /// Seed of the random positions: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true)]
    pub seed: u32,

    /// Walking speed, in metres per second
    #[arg(long, value_name = "M/S", default_value_t = FollowSettings::default().speed,
        value_parser = speed, allow_hyphen_values = true)]
    pub speed: f32,

    /// Time of one step, in seconds, from 0.0001 to 0.1 [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true,
        value_parser = step_time, allow_hyphen_values = true)]
    pub dt: f32,

    /// Number of threads, at most one for each processor, which is the default; does not change where
    /// anyone walks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Count bodies that touch the geometry of this scene, which the grid was baked from
    #[arg(long, value_name = "FILE")]
    pub scene: Option<PathBuf>,

    /// Draw the tracks of all bodies into this PNG file
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,

    /// Write the positions of all bodies, every 0.1 s, to this file
    ///
    /// Columns: time, member, x, y, z, state.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print nothing on stderr but errors
    #[arg(long)]
    pub quiet: bool,
}

const RUN_NOTES: &str = "\
Ctrl-C ends the run early, and the report covers the time until then.

Examples:
  surefoot run level.navgrid --agent human --count 100 --seconds 60
  surefoot run level.navgrid --agent human --count 100 --seconds 60 --scene level.gltf
  surefoot run level.navgrid --agent human --count 9 --seconds 60 --png a.png --csv a.csv --json

Exit codes: 0 success; 1 nobody arrived, or nothing is walkable; 2 an error; 130 ctrl-C before the
bodies walked.";

/// In longer steps bodies would walk through each other [s].
const LONGEST_STEP: f32 = 0.1;
/// Of shorter steps a run takes so many that it hardly ends; of the shortest, time does not advance [s].
const SHORTEST_STEP: f32 = 1e-4;

fn positive(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    if value > 0.0 { Ok(value) } else { Err("must be greater than 0".to_owned()) }
}

/// Nobody walks faster than this [m/s].
const FASTEST: f32 = 1000.0;

fn speed(text: &str) -> Result<f32, String> {
    match positive(text)? {
        value if value <= FASTEST => Ok(value),
        _ => Err("must be at most 1000".to_owned()),
    }
}

fn step_time(text: &str) -> Result<f32, String> {
    let value = positive(text)?;
    match value {
        ..SHORTEST_STEP => Err("must be at least 0.0001".to_owned()),
        SHORTEST_STEP..=LONGEST_STEP => Ok(value),
        _ => Err("must be at most 0.1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_numbers_are_refused() {
        let check = |parsed: Result<f32, String>, message: &str| {
            assert_eq!(parsed.unwrap_err(), message);
        };
        check(positive("0"), "must be greater than 0");
        check(positive("-1"), "must be greater than 0");
        check(positive("nan"), "\"nan\" is not a number");
        check(step_time("0.11"), "must be at most 0.1");
        check(step_time("0.00009"), "must be at least 0.0001");
        assert_eq!(step_time("0.0001"), Ok(0.0001));
    }
}
