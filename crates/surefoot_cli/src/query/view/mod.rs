//! `surefoot view`: shows a level in a browser, or writes a page that shows it anywhere.
//!
//! ```text
//! grid or scene ─► opened level ─► Viewed ─► server, and a watch of the files
//!                                    └────► one HTML file
//! ```

mod opened;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use surefoot_view::{ExportError, PageConfig, PageReport, ViewServer, Viewed, export};

use super::input::{PartOption, rectangle};
use crate::shared::console::{note, print};
use crate::shared::interrupt;
use crate::shared::output::Output;
use crate::shared::path_check::PathCheck;
pub use opened::OpenedLevel;
use watch::Watch;

/// Show a level in a browser: turn it, ask why, walk paths, change it, let crowds walk
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = VIEW_NOTES)]
pub struct ViewArguments {
    /// The level: a .navgrid or .navworld file, or a .gltf or .glb scene, which is baked first
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    part: PartOption,

    /// Show the scene that the grid was baked from, too
    #[arg(long, value_name = "SCENE")]
    scene: Option<PathBuf>,

    /// Bake the scene by the settings of this TOML file of `bake`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Serve on this port of 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 8123)]
    port: u16,

    /// Open the page in the default browser
    #[arg(long, conflicts_with = "export")]
    open: bool,

    /// Write one HTML file with everything inside, and serve nothing
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    export: Option<PathBuf>,

    /// Export only this rectangle, in metres
    #[arg(long, value_name = "x0,z0,x1,z1", value_parser = rectangle, allow_hyphen_values = true,
        requires = "export")]
    bounds: Option<[f32; 4]>,
}

const VIEW_NOTES: &str = "\
The page follows its files: bake again, or save the scene, and it shows the new level. Ctrl-C
ends the server. Only browsers of this machine are answered.

Examples:
  surefoot view level.navgrid --scene level.glb --open
  surefoot view level.glb --config bake.toml
  surefoot view level.navgrid --export level.html
  surefoot view level.navgrid --scene level.glb --export corner.html --bounds -20,-20,20,20
  surefoot view world.navworld --rect 0,0,500,500 --open";

/// Runs the command.
///
/// # Errors
/// A file cannot be loaded or written, or the port is taken.
pub fn run(arguments: &ViewArguments) -> anyhow::Result<ExitCode> {
    let mut paths = PathCheck::default();
    paths.input(&arguments.file, "the level");
    arguments.scene.iter().for_each(|scene| paths.input(scene, "--scene"));
    arguments.config.iter().for_each(|config| paths.input(config, "--config"));
    let output = paths.output_if_any(arguments.export.as_deref(), "--export")?;
    let level = OpenedLevel::open(arguments)?;
    match output {
        Some(output) => write_part(arguments, level, &output)?,
        None => serve(arguments, level)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn page_config(file: &Path, level: &OpenedLevel) -> PageConfig {
    PageConfig {
        scene: level.scene_file().map(|file| file.display().to_string()),
        warning: level.warning.clone(),
        ..PageConfig::new(file.display().to_string())
    }
}

/// Writes a page that shows a level of a file, and a report on it.
///
/// # Errors
/// The page would be too large, or cannot be written.
pub fn write_page(
    file: &Path,
    level: &OpenedLevel,
    report: Option<PageReport>,
    output: &Output,
) -> anyhow::Result<()> {
    let config = PageConfig { report, ..page_config(file, level) };
    let page = export(&config, &level.grid_bytes, &level.scene_bytes)?;
    level.warning.iter().for_each(|warning| note(format_args!("warning: {warning}")));
    interrupt::uninterrupted(|| output.write(page.as_bytes(), || false))
}

fn write_part(
    arguments: &ViewArguments,
    level: OpenedLevel,
    output: &Output,
) -> anyhow::Result<()> {
    let level = match arguments.bounds {
        Some(bounds) => level.cropped(bounds)?,
        None => level,
    };
    write_page(&arguments.file, &level, None, output).map_err(|error| {
        match (error.is::<ExportError>(), arguments.bounds) {
            (true, None) => error.context("export a part of the level with --bounds x0,z0,x1,z1"),
            _ => error,
        }
    })
}

fn serve(arguments: &ViewArguments, level: OpenedLevel) -> anyhow::Result<()> {
    let viewed = Viewed::new(page_config(&arguments.file, &level));
    viewed.set_grid(level.grid_bytes.clone());
    viewed.set_scene(level.scene_bytes.clone());
    let server = ViewServer::bind(arguments.port, viewed.clone())
        .context("cannot serve the page; choose another port with --port, or 0 for a free one")?;
    let address = format!("http://127.0.0.1:{}/", server.port());
    level.warning.iter().for_each(|warning| note(format_args!("warning: {warning}")));
    print(&address)?;
    note("ctrl-C ends the server");
    if arguments.open
        && let Err(error) = open::that_detached(&address)
    {
        note(format_args!("cannot open a browser: {error}; open the address yourself"));
    }
    let watch = Watch::new(arguments, level, viewed);
    std::thread::spawn(move || watch.run());
    server.serve();
    bail!("the server stopped")
}
