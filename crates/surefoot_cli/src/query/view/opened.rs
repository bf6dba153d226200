//! Provides [`OpenedLevel`]: a grid and its scene, as files name them.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::Parser;
use surefoot::NavGrid;
use surefoot_bake::{Baked, Scene, bake, update_grid};
use surefoot_view::scene_file;

use super::ViewArguments;
use crate::bake::BakeArguments;
use crate::bake::job::Job;
use crate::bake::stages::Watcher;
use crate::query::input;
use crate::query::scene::{is_scene_of, load_any_scene};
use crate::shared::interrupt::Interrupted;
use crate::shared::progress::ProgressDisplay;
use crate::shared::{files, threads};

/// A level as it is shown.
#[derive(Debug)]
pub struct OpenedLevel {
    pub grid: NavGrid,
    /// The grid's file.
    pub grid_bytes: Vec<u8>,
    /// The solids of the scene for the page; empty without a scene.
    pub scene_bytes: Vec<u8>,
    /// What is wrong with it, although it can be shown.
    pub warning: Option<String>,
    scene: Option<(PathBuf, Scene)>,
}

impl OpenedLevel {
    /// Loads a grid and its scene, or bakes a scene.
    ///
    /// # Errors
    /// A file cannot be loaded, or the scene cannot be baked.
    pub fn open(arguments: &ViewArguments) -> anyhow::Result<Self> {
        if is_scene(&arguments.file) {
            ensure!(
                arguments.scene.is_none(),
                "{}: this is a scene already; leave out --scene",
                arguments.file.display()
            );
            ensure!(
                arguments.part.rect.is_none(),
                "--rect: a scene is baked whole; leave it out, or bake a part of it with `bake --bounds`"
            );
            return Self::bake(arguments, None);
        }
        ensure!(
            arguments.config.is_none(),
            "--config: a grid is not baked again; give the scene instead of the grid"
        );
        let loaded = input::load(&arguments.file, arguments.part)?;
        let (grid, grid_bytes) = loaded.with_bytes()?;
        Self::with_scene(grid, grid_bytes, arguments.scene.as_deref())
    }

    /// Adds a scene to a grid.
    ///
    /// # Errors
    /// The scene cannot be loaded.
    pub fn with_scene(
        grid: NavGrid,
        grid_bytes: Vec<u8>,
        scene: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let Some(file) = scene else {
            let (scene_bytes, warning) = (Vec::new(), None);
            return Ok(OpenedLevel { grid, grid_bytes, scene_bytes, warning, scene: None });
        };
        let scene = load_any_scene(file, &grid)?;
        let warning = (!is_scene_of(&scene, &grid)).then(|| {
            format!("the grid was not baked from {} as it is now: bake it again", file.display())
        });
        let scene_bytes = scene_file(&scene, None);
        let scene = Some((file.to_owned(), scene));
        Ok(OpenedLevel { grid, grid_bytes, scene_bytes, warning, scene })
    }

    /// Bakes the scene of the command, or what changed of it since an older grid.
    ///
    /// # Errors
    /// The scene cannot be loaded or baked, or its settings cannot be read.
    pub fn bake(arguments: &ViewArguments, older: Option<&NavGrid>) -> anyhow::Result<Self> {
        let file = &arguments.file;
        std::fs::metadata(file)
            .map_err(|error| files::unreadable(file, error, "give a .navgrid, .gltf or .glb"))?;
        let mut words = vec!["bake".into(), file.clone().into_os_string()];
        if let Some(config) = &arguments.config {
            words.extend(["--config".into(), config.clone().into_os_string()]);
        }
        let job = Job::new(BakeArguments::try_parse_from(words)?)?;
        let progress = ProgressDisplay::new(false);
        let baked = threads::run_on(job.threads, || bake_job(&job, older, &progress));
        progress.end();
        let (scene, Baked { grid, .. }) = baked?;
        let grid_bytes = grid.to_bytes()?;
        let scene_bytes = scene_file(&scene, None);
        let scene = Some((file.clone(), scene));
        Ok(OpenedLevel { grid, grid_bytes, scene_bytes, warning: None, scene })
    }

    /// The part of it within a rectangle.
    ///
    /// # Errors
    /// The grid has nothing there.
    pub fn cropped(self, bounds: [f32; 4]) -> anyhow::Result<Self> {
        let grid = self.grid.cropped(bounds).context("--bounds")?;
        let grid_bytes = grid.to_bytes()?;
        let scene_bytes = match &self.scene {
            Some((_, scene)) => scene_file(scene, Some(bounds)),
            None => Vec::new(),
        };
        Ok(OpenedLevel { grid, grid_bytes, scene_bytes, ..self })
    }

    /// The file of the scene, if one is shown.
    pub fn scene_file(&self) -> Option<&Path> {
        self.scene.as_ref().map(|(file, _)| file.as_path())
    }
}

/// Whether a file is to be baked.
pub fn is_scene(file: &Path) -> bool {
    let extension = file.extension().and_then(|own| own.to_str()).unwrap_or_default();
    ["gltf", "glb"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

fn bake_job(
    job: &Job,
    older: Option<&NavGrid>,
    progress: &ProgressDisplay,
) -> anyhow::Result<(Scene, Baked)> {
    let name = job.scene.display().to_string();
    progress.begin(&format!("reading {name}"));
    let scene = Scene::load_within(&job.scene, &job.marks, job.settings.memory_limit, progress)?;
    progress.begin(&format!("baking {name}"));
    let watcher = Watcher::new(progress);
    if let Some(older) = older
        && let Ok(updated) = update_grid(older, &scene, &job.settings, &watcher)
    {
        return Ok((scene, updated.baked));
    }
    let baked = bake(&scene, &job.settings, &watcher).map_err(|error| match error {
        surefoot_bake::BakeError::Cancelled => Interrupted.into(),
        error => anyhow!(error).context(name),
    })?;
    Ok((scene, baked))
}
