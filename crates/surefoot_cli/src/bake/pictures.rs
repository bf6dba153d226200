//! The pictures of a grid, in a folder that may hold other files.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use surefoot::{Cancelled, NavGrid};
use surefoot_draw::{DrawError, Picture, each_picture, is_own_png, is_picture_name};

use crate::shared::interrupt::{self, Interrupted};
use crate::shared::output::{Output, check_folder};
use crate::shared::progress::ProgressDisplay;

const OPTION: &str = "--png";

/// Creates the folder if it does not exist, and checks that files can be created in it.
///
/// # Errors
/// The folder cannot be created or written.
pub fn create_folder(folder: &Path) -> anyhow::Result<()> {
    let cannot = |error| {
        let name = folder.display();
        anyhow!("{name}: cannot create this folder for pictures: {error}; change {OPTION}")
    };
    fs::create_dir_all(folder).map_err(cannot)?;
    check_folder(folder, OPTION)
}

/// Draws and writes all pictures, and removes those of an earlier bake. Returns their paths, the overview
/// first.
///
/// # Errors
/// The first picture that cannot be written, or [`interrupt::Interrupted`]; those before it stay.
pub fn write(
    grid: &NavGrid,
    folder: &Path,
    progress: &ProgressDisplay,
) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    let drawn = each_picture(grid, progress, |Picture { name, image, .. }| {
        let output = Output::check(&folder.join(&name), OPTION)?;
        let bytes = image.to_png_observed(progress)?;
        interrupt::uninterrupted(|| output.write(&bytes, interrupt::is_requested))?;
        names.push(name);
        anyhow::Ok(())
    });
    drawn.map_err(|error| match error.downcast_ref() {
        Some(DrawError::Cancelled(_)) => Interrupted.into(),
        _ if error.is::<Cancelled>() => Interrupted.into(),
        _ => error,
    })?;
    remove_stale(folder, &names)?;
    Ok(names.iter().map(|name| folder.join(name).display().to_string()).collect())
}

/// Removes pictures of grids, made by this program, that are not among those just written. They show
/// agents and storeys that are gone. Everything else in the folder stays.
fn remove_stale(folder: &Path, written: &[String]) -> anyhow::Result<()> {
    let name = folder.display();
    let cannot = || {
        format!("{name}: cannot look for pictures of an old bake in this folder; change {OPTION}")
    };
    for entry in fs::read_dir(folder).with_context(cannot)?.flatten() {
        let name = entry.file_name();
        let is_candidate = name
            .to_str()
            .is_some_and(|name| is_picture_name(name) && !written.iter().any(|own| own == name));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_candidate && is_file && fs::read(entry.path()).is_ok_and(|file| is_own_png(&file)) {
            let path = entry.path();
            let cannot =
                || format!("{}: cannot remove this picture of an old bake", path.display());
            fs::remove_file(&path).with_context(cannot)?;
        }
    }
    Ok(())
}
