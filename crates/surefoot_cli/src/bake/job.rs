//! What a bake is ordered to do: the command line over the configuration file over the defaults.

use std::path::PathBuf;

use surefoot_bake::BakeSettings;
use surefoot_bake::scene::SceneMarks;

use super::arguments::Arguments;
use super::config::{Config, limit_bytes};

/// Everything a bake needs to know.
#[derive(Debug)]
pub struct Order {
    pub scene: PathBuf,
    pub grid: PathBuf,
    /// The configuration file.
    pub config: Option<PathBuf>,
    pub settings: BakeSettings,
    pub marks: SceneMarks,
    /// Whether routes are to be prepared.
    pub routes: bool,
    /// `None` means one for each processor.
    pub threads: Option<usize>,
    pub png: Option<PathBuf>,
    pub json: bool,
    pub quiet: bool,
}

impl Order {
    /// Joins the command line with the configuration file it names. A list on the command line
    /// takes the place of the file's.
    ///
    /// # Errors
    /// A configuration file that cannot be used, or a limit that is none.
    pub fn new(arguments: Arguments) -> anyhow::Result<Self> {
        let config = arguments.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
        let beside = || arguments.scene.with_extension("navgrid");
        Ok(Order {
            grid: arguments.output.clone().or(config.output.clone()).unwrap_or_else(beside),
            config: arguments.config.clone(),
            settings: settings(&arguments, &config)?,
            routes: arguments.routes || config.routes,
            threads: arguments.threads.or(config.threads).map(usize::from),
            png: arguments.png.clone().or(config.png.clone()),
            json: arguments.json,
            quiet: arguments.quiet,
            scene: arguments.scene.clone(),
            marks: marks(arguments, config.marks()),
        })
    }

    /// The file of the grid, to name it.
    pub fn output(&self) -> std::path::Display<'_> {
        self.grid.display()
    }
}

fn settings(arguments: &Arguments, config: &Config) -> anyhow::Result<BakeSettings> {
    let mut settings = BakeSettings {
        cell_size: arguments.cell_size.or(config.cell_size),
        bounds: arguments.bounds.or(config.bounds),
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

fn marks(arguments: Arguments, config: SceneMarks) -> SceneMarks {
    SceneMarks {
        ignore: first_given(arguments.ignore, config.ignore),
        obstacle: first_given(arguments.obstacle, config.obstacle),
        two_sided: first_given(arguments.two_sided, config.two_sided),
        areas: first_given(arguments.area, config.areas),
        visual_meshes: arguments.visual_meshes || config.visual_meshes,
    }
}

fn first_given<T>(on_line: Vec<T>, in_file: Vec<T>) -> Vec<T> {
    if on_line.is_empty() { in_file } else { on_line }
}
