//! The command line of `bake`.

use std::path::PathBuf;

use clap::Parser;
use surefoot::Agent;
use surefoot_bake::scene::AreaMark;

use super::specs::{AgentSpec, area_mark};
use crate::shared::numbers::{number, numbers};

/// Make a glTF level walkable: bake a nav grid for agents of any size
#[derive(Debug, Parser)]
#[command(name = "bake", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Arguments {
    /// The level: a .gltf or .glb file, metres, Y up
    pub scene: PathBuf,

    /// Where the grid goes [default: beside the scene, with the extension .navgrid]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// A TOML file with the same settings; what the command line says counts more
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// An agent that must fit, as human:radius=0.3,height=1.8; repeatable. Keys: radius, height,
    /// max_climb, ledge_margin in metres, slope_limit in degrees, shape=capsule or box; those left
    /// out are a person's [default: a small, a human and a large one]
    #[arg(long, value_name = "NAME:KEY=VALUE,...", value_parser = agent)]
    pub agent: Vec<Agent>,

    /// Length of a cell's side in metres [default: the smallest radius, rounded down to 5 cm]
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true)]
    pub cell_size: Option<f32>,

    /// The rectangle to bake in metres [default: all of the level]
    #[arg(long, value_name = "x0,z0,x1,z1", value_parser = bounds, allow_hyphen_values = true)]
    pub bounds: Option<[f32; 4]>,

    /// Nodes whose surfaces can be floor from both sides; repeatable
    #[arg(long, value_name = "GLOB")]
    pub two_sided: Vec<String>,

    /// Nodes to leave out; repeatable
    #[arg(long, value_name = "GLOB")]
    pub ignore: Vec<String>,

    /// Nodes that block, and on which nobody stands; repeatable
    #[arg(long, value_name = "GLOB")]
    pub obstacle: Vec<String>,

    /// Nodes of a kind of ground, with what a metre on it costs, or `forbidden`; repeatable
    #[arg(long, value_name = "NAME=GLOB[:COST]", value_parser = area_mark)]
    pub area: Vec<AreaMark>,

    /// Use the visual meshes although the file has physics shapes
    #[arg(long)]
    pub visual_meshes: bool,

    /// Prepare routes: queries between distant places become many times faster
    #[arg(long)]
    pub routes: bool,

    /// Largest grid to attempt, by an estimate made beforehand, and largest scene [default: 8]
    #[arg(long, value_name = "GIB", value_parser = number, allow_hyphen_values = true)]
    pub memory_limit: Option<f32>,

    /// Number of threads; it never changes the result [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Also draw pictures of the grid into this folder
    #[arg(long, value_name = "DIR")]
    pub png: Option<PathBuf>,

    /// Print the report as one JSON object on stdout
    #[arg(long)]
    pub json: bool,

    /// Say nothing but errors
    #[arg(long)]
    pub quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  bake level.gltf
  bake level.glb --cell-size 0.2 --agent human --agent cart:radius=0.6,height=1.2,max_climb=0.1
  bake level.glb --ignore 'Foliage*' --obstacle 'Fence*' --area 'mud=Swamp*:3' --png pictures
  bake level.glb --config bake.toml --bounds -40,-40,40,40 --json > report.json

Globs are matched with node names: * is anything, ? one letter, [ab] one of these.
Exit codes: 0 good; 1 baked, but nothing is walkable for any agent; 2 an error; 130 ctrl-C.";

fn agent(text: &str) -> Result<Agent, String> {
    let agent = text.parse::<AgentSpec>()?.agent();
    agent.check().map_err(|error| error.to_string())?;
    Ok(agent)
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
        Arguments::command().debug_assert();
    }

    #[test]
    fn negative_numbers_are_values() {
        let words = ["bake", "a.glb", "--bounds", "-1,-2.5,3,4", "--cell-size", "-1"];
        let arguments = Arguments::try_parse_from(words).unwrap();
        assert_eq!(arguments.bounds, Some([-1.0, -2.5, 3.0, 4.0]));
        assert_eq!(arguments.cell_size, Some(-1.0));
    }
}
