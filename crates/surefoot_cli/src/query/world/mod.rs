//! `surefoot world`: bakes worlds that are too large for one grid, tile by tile.
//!
//! ```text
//! plan ─► tile, tile, tile ... in any order, on any machines ─► merge
//! ```

mod index;
mod jobs;
mod planning;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use surefoot_world::{DEFAULT_GATE_SPACING, DEFAULT_TILE_SIDE};

use crate::bake::{HeightOptions, SettingOptions};

/// Bake a world tile by tile, on one machine or on many
#[derive(Debug, clap::Args)]
#[command(after_help = WORLD_NOTES)]
pub struct WorldArguments {
    #[command(subcommand)]
    command: WorldCommand,
}

#[derive(Debug, Subcommand)]
enum WorldCommand {
    Plan(PlanArguments),
    Tile(TileArguments),
    Seams(SeamsArguments),
    Merge(MergeArguments),
    Status(StatusArguments),
    Verify(VerifyArguments),
    Bake(WorldBakeArguments),
}

/// Cut a world into tiles, and write down what each of them is made of
#[derive(Debug, clap::Args)]
pub struct PlanArguments {
    #[command(flatten)]
    source: SourceOptions,

    #[command(flatten)]
    store: StoreOptions,

    /// Print the plan as one JSON object
    #[arg(long)]
    json: bool,
}

/// Bake tiles of a planned world, unless they are in the store already
#[derive(Debug, clap::Args)]
#[command(after_help = TILE_NOTES)]
pub struct TileArguments {
    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    index: IndexOptions,

    /// Bake them even if they are in the store
    #[arg(long)]
    again: bool,
}

/// Compute what it costs to cross tiles, for far paths, unless it is in the store already
#[derive(Debug, clap::Args)]
pub struct SeamsArguments {
    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    index: IndexOptions,
}

/// Which tiles a job works on.
#[derive(Debug, clap::Args)]
struct IndexOptions {
    /// Which tile, from 0 [default: what SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or
    /// AWS_BATCH_JOB_ARRAY_INDEX says]
    #[arg(long, value_name = "N")]
    index: Option<usize>,

    /// Work on so many tiles with one index: index 2 of 10 is for tiles 20 to 29
    #[arg(long, value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..))]
    per_job: u32,
}

/// Merge the tiles of a world into one grid
#[derive(Debug, clap::Args)]
pub struct MergeArguments {
    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    output: OutputOptions,
}

/// Say how far a world is baked
#[derive(Debug, clap::Args)]
pub struct StatusArguments {
    #[command(flatten)]
    store: StoreOptions,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Bake some tiles again, and compare them with those in the store
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    #[command(flatten)]
    store: StoreOptions,

    /// How many tiles to compare, picked at random
    #[arg(long, value_name = "N", default_value_t = 4)]
    count: usize,

    /// What the pick depends on: the same seed picks the same tiles
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Plan a world, bake its tiles and merge them, on this machine
#[derive(Debug, clap::Args)]
pub struct WorldBakeArguments {
    #[command(flatten)]
    source: SourceOptions,

    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    output: OutputOptions,
}

/// What is baked, and how.
#[derive(Debug, clap::Args)]
struct SourceOptions {
    /// The world: a world.toml, a .gltf or .glb file, or a height file: .png, .tif, .npy, .f32, .r16
    #[arg(value_name = "WORLD")]
    source: PathBuf,

    #[command(flatten)]
    settings: SettingOptions,

    #[command(flatten)]
    heights: HeightOptions,

    /// Side of a tile in cells, rounded up to a multiple of 64; at most 4096
    #[arg(long, value_name = "CELLS", default_value_t = DEFAULT_TILE_SIDE,
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    tile_side: u32,

    /// For far paths: the openings between two tiles have a gate every so many cells; with 1 far costs are
    /// the least there are
    #[arg(long, value_name = "CELLS", default_value_t = DEFAULT_GATE_SPACING,
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    gate_spacing: u32,
}

/// Where the plan and the tiles are.
#[derive(Debug, clap::Args)]
struct StoreOptions {
    /// The folder of the plan and the tiles, which all jobs share; or s3://bucket/folder, if the program was
    /// built with the feature s3
    #[arg(long, value_name = "DIR")]
    store: String,

    /// Number of threads, at most one for each processor, which is the default; does not change the
    /// result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print nothing on stderr but errors
    #[arg(long)]
    quiet: bool,
}

/// What is written in the end.
#[derive(Debug, clap::Args)]
struct OutputOptions {
    /// Write the grid to this file [default: the world's path with the extension .navgrid]; with --pack,
    /// the world [default: with the extension .navworld]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Pack the tiles into one .navworld in place of a grid: a program streams them, and finds far paths
    ///
    /// Takes the memory of one tile, whatever the size of the world.
    #[arg(long, conflicts_with = "routes")]
    pack: bool,

    /// Prepare routes, so that long paths are found many times faster
    #[arg(long)]
    routes: bool,

    /// Print the report as one JSON object on stdout
    #[arg(long)]
    json: bool,
}

const WORLD_NOTES: &str = "\
Tiles are named by what they are made of: after a change, planning and baking again bakes only the
tiles that see it. Tiles merge to the bytes of one bake.

Examples:
  surefoot world bake level.glb --store tiles -o level.navgrid
  surefoot world plan level.glb --store tiles --cell-size 0.5 --agent human
  surefoot world tile --store tiles --index 3
  surefoot world status --store tiles
  surefoot world merge --store tiles -o level.navgrid
  surefoot world merge --store tiles --pack -o level.navworld
  surefoot world verify --store tiles --count 10

Exit codes: 0 success; 1 `status` finds tiles missing, or `verify` finds tiles that differ;
2 an error that stays until something is done about it; 75 an error that may go away, such as a full
disk: try again; 130 ctrl-C.";

const TILE_NOTES: &str = "\
Jobs may run in any order and at the same time, be killed, and run again.

Examples:
  surefoot world tile --store tiles --index 3
  sbatch --array=0-99 --wrap 'surefoot world tile --store /shared/tiles --per-job 10'
  seq 0 99 | parallel surefoot world tile --store tiles --threads 1 --index {}";

/// Runs the command.
///
/// # Errors
/// What cannot be read, baked or written.
pub fn run(arguments: &WorldArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        WorldCommand::Plan(arguments) => planning::run(arguments),
        WorldCommand::Tile(arguments) => jobs::tile(arguments),
        WorldCommand::Seams(arguments) => jobs::seams(arguments),
        WorldCommand::Merge(arguments) => jobs::merge(arguments),
        WorldCommand::Status(arguments) => jobs::status(arguments),
        WorldCommand::Verify(arguments) => jobs::verify(arguments),
        WorldCommand::Bake(arguments) => jobs::bake(arguments),
    }
}
