//! The pictures of a grid, in a folder that may hold other files.

use std::fs;
use std::path::Path;

use anyhow::anyhow;
use surefoot::NavGrid;
use surefoot_draw::{Picture, each_picture};

use crate::shared::interrupt;
use crate::shared::output::{Output, check_folder};

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

/// Draws and writes all pictures. Returns their paths, the overview first.
///
/// # Errors
/// The first picture that cannot be written, or [`interrupt::Interrupted`]; those before it stay.
pub fn write(grid: &NavGrid, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut written = Vec::new();
    each_picture(grid, |Picture { name, image, .. }| {
        let file = folder.join(name);
        let output = Output::check(&file, OPTION)?;
        let bytes = image.to_png()?;
        interrupt::uninterrupted(|| output.write(&bytes, interrupt::is_requested))?;
        written.push(file.display().to_string());
        anyhow::Ok(())
    })?;
    Ok(written)
}
