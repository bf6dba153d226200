//! Provides [`Job`]: what to bake and how. The command line overrides the configuration file, which
//! overrides the defaults.

use std::path::{Path, PathBuf};

use surefoot_bake::BakeSettings;
use surefoot_bake::scene::SceneMarks;
use surefoot_world::{HeightFileOptions, SourceKind, WorldFile};

use super::arguments::{BakeArguments, SettingOptions};
use super::config::{Config, limit_bytes};
use crate::shared::output::STDOUT;

/// What to bake and how.
#[derive(Debug)]
pub struct Job {
    pub scene: PathBuf,
    /// What a height file does not say of itself.
    pub heights: HeightFileOptions,
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
        let config = arguments.settings.config(&arguments.scene)?;
        let next_to_scene = || arguments.scene.with_extension("navgrid");
        let mut settings = arguments.settings.settings(&config)?;
        if arguments.bounds.is_some() {
            settings.bounds = arguments.bounds;
            settings.check()?;
        }
        Ok(Job {
            grid: arguments.output.clone().or(config.output.clone()).unwrap_or_else(next_to_scene),
            update: arguments.update.clone(),
            config: arguments.settings.config.clone(),
            settings,
            marks: arguments.settings.marks(&config)?,
            routes: arguments.routes || config.routes,
            threads: arguments.threads.or(config.threads).map(usize::from),
            png: arguments.png.clone().or(config.png.clone()),
            json: arguments.json,
            quiet: arguments.quiet,
            heights: arguments.heights.options(&arguments.scene)?,
            scene: arguments.scene,
        })
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

impl SettingOptions {
    /// Reads the configuration file, if one is given; or else what a world file has of its own.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn config(&self, source: &Path) -> anyhow::Result<Config> {
        match &self.config {
            Some(file) => Config::read(file),
            None if SourceKind::of(source) == SourceKind::World => {
                Config::of_world(source, WorldFile::read(source)?.bake_table())
            }
            None => Ok(Config::default()),
        }
    }

    /// Combines the options with a configuration, and checks the settings.
    ///
    /// # Errors
    /// A setting is not valid.
    pub fn settings(&self, config: &Config) -> anyhow::Result<BakeSettings> {
        let mut settings = BakeSettings {
            cell_size: self.cell_size.or(config.cell_size),
            bounds: config.bounds,
            link_costs: config.link_costs,
            min_region_area: self.min_region_area.or(config.min_region_area).unwrap_or(0.0),
            ..BakeSettings::default()
        };
        if !self.agent.is_empty() {
            settings.agents = self.agent.clone();
        } else if let Some(agents) = config.agents() {
            settings.agents = agents;
        }
        if let Some(limit) = self.memory_limit.or(config.memory_limit) {
            settings.memory_limit = limit_bytes(limit)?;
        }
        settings.check()?;
        settings.check_cell_width()?;
        Ok(settings)
    }

    /// Combines the marks of the options with those of a configuration, and checks them.
    ///
    /// # Errors
    /// A mark is not valid.
    pub fn marks(&self, config: &Config) -> anyhow::Result<SceneMarks> {
        let in_file = config.marks();
        let marks = SceneMarks {
            ignore: first_given(&self.ignore, in_file.ignore),
            obstacle: first_given(&self.obstacle, in_file.obstacle),
            two_sided: first_given(&self.two_sided, in_file.two_sided),
            areas: first_given(&self.area, in_file.areas),
            volumes: in_file.volumes,
            links: in_file.links,
            visual_meshes: self.visual_meshes || in_file.visual_meshes,
        };
        marks.check()?;
        Ok(marks)
    }
}

/// The list of the command line, or that of the file if it is empty.
fn first_given<T: Clone>(on_line: &[T], in_file: Vec<T>) -> Vec<T> {
    if on_line.is_empty() { in_file } else { on_line.to_vec() }
}
