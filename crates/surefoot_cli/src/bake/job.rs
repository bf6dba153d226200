//! Provides [`Job`]: what to bake and how. The command line overrides the configuration file, which
//! overrides the defaults.

use std::path::{Path, PathBuf};

use surefoot_bake::BakeSettings;
use surefoot_bake::scene::SceneMarks;

use super::arguments::BakeArguments;
use super::config::{Config, limit_bytes};
use crate::shared::output::STDOUT;

/// What to bake and how.
#[derive(Debug)]
pub struct Job {
    pub scene: PathBuf,
    /// The file to write.
    pub grid: PathBuf,
    /// The older grid of the scene, if it is to be updated.
    pub update: Option<PathBuf>,
    /// The configuration file, if one was given.
    pub config: Option<PathBuf>,
    pub settings: BakeSettings,
    pub marks: SceneMarks,
    /// Whether to prepare routes.
    pub routes: bool,
    /// `None` means one for each processor.
    pub threads: Option<usize>,
    /// The folder for pictures.
    pub png: Option<PathBuf>,
    pub json: bool,
    pub quiet: bool,
}

impl Job {
    /// Combines the command line with the configuration file it names. A list on the command line
    /// replaces that of the file.
    ///
    /// # Errors
    /// The configuration file cannot be used, or a setting is not valid. Nothing here needs the scene,
    /// which may take minutes to read.
    pub fn new(arguments: BakeArguments) -> anyhow::Result<Self> {
        let config = arguments.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
        let next_to_scene = || arguments.scene.with_extension("navgrid");
        let job = Job {
            grid: arguments.output.clone().or(config.output.clone()).unwrap_or_else(next_to_scene),
            update: arguments.update.clone(),
            config: arguments.config.clone(),
            settings: settings(&arguments, &config)?,
            routes: arguments.routes || config.routes,
            threads: arguments.threads.or(config.threads).map(usize::from),
            png: arguments.png.clone().or(config.png.clone()),
            json: arguments.json,
            quiet: arguments.quiet,
            scene: arguments.scene.clone(),
            marks: marks(arguments, config.marks()),
        };
        job.settings.check()?;
        job.settings.check_cell_width()?;
        job.marks.check()?;
        Ok(job)
    }

    /// Whether the grid is to be written to stdout.
    pub fn is_grid_on_stdout(&self) -> bool {
        self.grid == Path::new("-")
    }

    /// The path of the grid, to be printed.
    pub fn grid_name(&self) -> std::path::Display<'_> {
        let stdout = Path::new(STDOUT);
        if self.is_grid_on_stdout() { stdout.display() } else { self.grid.display() }
    }
}

fn settings(arguments: &BakeArguments, config: &Config) -> anyhow::Result<BakeSettings> {
    let mut settings = BakeSettings {
        cell_size: arguments.cell_size.or(config.cell_size),
        bounds: arguments.bounds.or(config.bounds),
        link_costs: config.link_costs,
        min_region_area: arguments.min_region_area.or(config.min_region_area).unwrap_or(0.0),
        ..BakeSettings::default()
    };
    if !arguments.agent.is_empty() {
        settings.agents = arguments.agent.clone();
    } else if let Some(agents) = config.agents() {
        settings.agents = agents;
    }
    if let Some(limit) = arguments.memory_limit.or(config.memory_limit) {
        settings.memory_limit = limit_bytes(limit)?;
    }
    Ok(settings)
}

fn marks(arguments: BakeArguments, config: SceneMarks) -> SceneMarks {
    SceneMarks {
        ignore: first_given(arguments.ignore, config.ignore),
        obstacle: first_given(arguments.obstacle, config.obstacle),
        two_sided: first_given(arguments.two_sided, config.two_sided),
        areas: first_given(arguments.area, config.areas),
        volumes: config.volumes,
        links: config.links,
        visual_meshes: arguments.visual_meshes || config.visual_meshes,
    }
}

/// The list of the command line, or that of the file if it is empty.
fn first_given<T>(on_line: Vec<T>, in_file: Vec<T>) -> Vec<T> {
    if on_line.is_empty() { in_file } else { on_line }
}
