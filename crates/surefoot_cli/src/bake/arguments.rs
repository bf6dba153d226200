//! The command line of `bake`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Parser;
use surefoot::Agent;
use surefoot_bake::scene::AreaMark;
use surefoot_world::{HeightFileOptions, SourceKind};

use super::specs::{AgentSpec, area_mark};
use crate::shared::numbers::{number, numbers};

/// Bake a navigation grid from a glTF scene, for agents of any size
#[derive(Debug, Parser)]
#[command(name = "bake", version, after_help = BAKE_NOTES, max_term_width = 100)]
pub struct BakeArguments {
    /// The scene: a .gltf or .glb file, in metres, Y up; a world.toml of many; or a height file: .png, .tif,
    /// .npy, .f32, .r16
    pub scene: PathBuf,

    /// Write the grid to this file, or to stdout if it is - [default: the scene's path with the
    /// extension .navgrid]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Bake only what changed since this grid of the scene was baked; it may be the file to write
    ///
    /// The grid that is written is the same as without this option. Colliders that were added, moved or
    /// removed are found by what the older grid knows of them. Everything is baked if settings, marks,
    /// areas or volumes changed, or if the level has grown or shrunk.
    #[arg(long, value_name = "GRID")]
    pub update: Option<PathBuf>,

    #[command(flatten)]
    pub settings: SettingOptions,

    #[command(flatten)]
    pub heights: HeightOptions,

    /// Bake only this rectangle, in metres [default: the whole scene]
    #[arg(long, value_name = "x0,z0,x1,z1", value_parser = bounds, allow_hyphen_values = true)]
    pub bounds: Option<[f32; 4]>,

    /// Prepare routes, so that long paths are found many times faster
    #[arg(long)]
    pub routes: bool,

    /// Number of threads, at most one for each processor, which is the default; does not change the
    /// result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Draw pictures of the grid into this folder
    #[arg(long, value_name = "DIR")]
    pub png: Option<PathBuf>,

    /// Print the report as one JSON object on stdout
    #[arg(long)]
    pub json: bool,

    /// Print nothing on stderr but errors
    #[arg(long)]
    pub quiet: bool,
}

/// What a height file does not say of itself.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Height files")]
pub struct HeightOptions {
    /// Metres between samples, or between columns and between rows
    #[arg(long, value_name = "M[,M]", value_parser = spacing)]
    spacing: Option<[f64; 2]>,

    /// Metres a unit of height
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true)]
    height_scale: Option<f32>,

    /// What is added to scaled heights, in metres
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true)]
    height_offset: Option<f32>,

    /// The number that stands for no data
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    no_data: Option<f32>,

    /// Columns and rows of a raw file
    #[arg(long, value_name = "N,N", value_parser = samples)]
    samples: Option<[usize; 2]>,
}

impl HeightOptions {
    /// The options of a height file.
    ///
    /// # Errors
    /// The source is no height file, so that they have no effect.
    pub fn options(&self, source: &Path) -> anyhow::Result<HeightFileOptions> {
        if let Some(option) = self.given().filter(|_| SourceKind::of(source) != SourceKind::Heights)
        {
            bail!(
                "{option}: {} is no height file, so that this has no effect; leave it out",
                source.display()
            );
        }
        Ok(HeightFileOptions {
            spacing: self.spacing,
            height_scale: self.height_scale.map(exactly),
            height_offset: self.height_offset.map_or(0.0, exactly),
            no_data: self.no_data.map(f64::from),
            size: self.samples,
            ..HeightFileOptions::default()
        })
    }

    /// The first of the options that was given.
    fn given(&self) -> Option<&'static str> {
        let all = [
            ("--spacing", self.spacing.is_some()),
            ("--height-scale", self.height_scale.is_some()),
            ("--height-offset", self.height_offset.is_some()),
            ("--no-data", self.no_data.is_some()),
            ("--samples", self.samples.is_some()),
        ];
        all.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }
}

/// Returns the number that was written: 0.1 is not 0.10000000149.
fn exactly(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

/// What to bake and how: the options that `bake` and `surefoot world` share.
#[derive(Debug, clap::Args)]
pub struct SettingOptions {
    /// Read settings from this TOML file; options on the command line override it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Bake for this agent, such as human:radius=0.3,height=1.8 (repeatable) [default: small, human
    /// and large]
    ///
    /// Keys: radius, height, max_climb and ledge_margin in metres, slope_limit in degrees, shape
    /// (capsule or box). Keys left out have the values of a person. An agent that can do more than walk
    /// has jump_up, jump_across or drop, in metres: links are generated for it.
    #[arg(long, value_name = "NAME[:KEY=VALUE,...]", value_parser = agent)]
    pub agent: Vec<Agent>,

    /// Side of a cell, in metres [default: the smallest radius, rounded down to 5 cm]
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true)]
    pub cell_size: Option<f32>,

    /// Drop regions of an agent that are smaller than this, in square metres [default: 0]
    #[arg(long, value_name = "M2", value_parser = number, allow_hyphen_values = true)]
    pub min_region_area: Option<f32>,

    /// Let surfaces of these nodes be floor from both sides (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub two_sided: Vec<String>,

    /// Leave these nodes out (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub ignore: Vec<String>,

    /// Let these nodes block, with no walkable floor on them (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub obstacle: Vec<String>,

    /// Put these nodes in an area where a metre costs COST, a number or `forbidden` (repeatable)
    #[arg(long, value_name = "NAME=GLOB[:COST]", value_parser = area_mark)]
    pub area: Vec<AreaMark>,

    /// Use the visual meshes even if the file has physics shapes
    #[arg(long)]
    pub visual_meshes: bool,

    /// Refuse a bake or a scene that is estimated to need more memory than this [default: 8]
    ///
    /// A scene may always take 0.0625 GiB while it is loaded.
    #[arg(long, value_name = "GIB", value_parser = number, allow_hyphen_values = true)]
    pub memory_limit: Option<f32>,
}

const BAKE_NOTES: &str = "\
Globs match node names: * matches anything, ? one character, [ab] one of a and b.

Examples:
  bake level.gltf
  bake level.glb --cell-size 0.2 --agent human --agent cart:radius=0.6,height=1.2,max_climb=0.1
  bake level.glb --ignore 'Foliage*' --obstacle 'Fence*' --area 'mud=Swamp*:3' --png pictures
  bake level.glb --update level.navgrid
  bake level.glb --config bake.toml --bounds -40,-40,40,40 --json > report.json

Exit codes: 0 success; 1 nothing is walkable for any agent; 2 an error; 130 ctrl-C.";

fn agent(text: &str) -> Result<Agent, String> {
    let agent = text.parse::<AgentSpec>()?.agent();
    agent.check().map_err(|error| error.to_string())?;
    Ok(agent)
}

fn spacing(text: &str) -> Result<[f64; 2], String> {
    let both = if text.contains(',') { text.to_owned() } else { format!("{text},{text}") };
    Ok(numbers::<2>(&both, "M,M")?.map(exactly))
}

fn samples(text: &str) -> Result<[usize; 2], String> {
    let [columns, rows] = numbers::<2>(text, "N,N")?;
    let count = |of: f32| if of >= 2.0 && of.fract() == 0.0 { Ok(of as usize) } else { Err(of) };
    let both = count(columns).and_then(|columns| Ok([columns, count(rows)?]));
    both.map_err(|odd| format!("{odd} is no number of samples; there have to be at least 2"))
}

fn bounds(text: &str) -> Result<[f32; 4], String> {
    numbers(text, "x0,z0,x1,z1")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn is_well_formed() {
        BakeArguments::command().debug_assert();
    }

    #[test]
    fn negative_numbers_are_values() {
        let words = ["bake", "a.glb", "--bounds", "-1,-2.5,3,4", "--cell-size", "-1"];
        let arguments = BakeArguments::try_parse_from(words).unwrap();
        assert_eq!(arguments.bounds, Some([-1.0, -2.5, 3.0, 4.0]));
        assert_eq!(arguments.settings.cell_size, Some(-1.0));
    }
}
