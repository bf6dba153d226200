//! The command line of `surefoot run`.

use std::path::PathBuf;

use surefoot::follow::FollowSettings;

use super::super::subject::Subject;
use crate::shared::numbers::number;

/// Let a crowd walk, headless, and tell how it went
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    pub subject: Subject,

    /// How many bodies walk: from random places of the agent's largest region, none in another, to
    /// random places that they can reach
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
        allow_hyphen_values = true)]
    pub count: u32,

    /// How long they walk at most; the run ends when all have come to rest
    #[arg(long, value_name = "S", value_parser = more_than_none, allow_hyphen_values = true)]
    pub seconds: f32,

    /// Which random places: the same number gives the same run
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true)]
    pub seed: u32,

    /// How fast they walk [m/s]
    #[arg(long, value_name = "M/S", default_value_t = FollowSettings::default().speed,
        value_parser = more_than_none, allow_hyphen_values = true)]
    pub speed: f32,

    /// The time of one step in seconds [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true,
        value_parser = step_time, allow_hyphen_values = true)]
    pub dt: f32,

    /// Number of threads; it never changes where anyone goes [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// The scene that the grid was baked from: also count the bodies that touch its geometry
    #[arg(long, value_name = "FILE")]
    pub scene: Option<PathBuf>,

    /// Also draw all tracks into this PNG file
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,

    /// Also write where everyone is every 0.1 s into this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Say nothing on stderr but errors
    #[arg(long)]
    pub quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  surefoot run level.navgrid --agent human --count 100 --seconds 60
  surefoot run level.navgrid --agent human --count 100 --seconds 60 --scene level.gltf
  surefoot run level.navgrid --agent human --count 9 --seconds 60 --png a.png --csv a.csv --json

Ctrl-C ends the run early; what there is by then is told. In CSV a line holds time, member, x, y, z,
state.
Exit codes: 0 good; 1 nobody arrived, or nothing is walkable; 2 an error; 130 ctrl-C before it began.";

/// A longer step lets bodies walk through each other [s].
const LONGEST_STEP: f32 = 0.1;

fn more_than_none(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    if value > 0.0 { Ok(value) } else { Err(format!("{text} is not more than 0")) }
}

fn step_time(text: &str) -> Result<f32, String> {
    let value = more_than_none(text)?;
    if value <= LONGEST_STEP { Ok(value) } else { Err(format!("{text} is more than 0.1")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        let check = |parsed: Result<f32, String>, words: &str| {
            assert_eq!(parsed.unwrap_err(), words);
        };
        check(more_than_none("0"), "0 is not more than 0");
        check(more_than_none("-1"), "-1 is not more than 0");
        check(more_than_none("nan"), "\"nan\" is no number");
        check(step_time("0.11"), "0.11 is more than 0.1");
    }
}
