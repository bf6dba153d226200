//! The pictures of a grid, in a folder of their own or in one with other files.

use std::fs;
use std::path::Path;

use anyhow::Context;
use surefoot::NavGrid;
use surefoot_draw;
use surefoot_draw::Picture;

use crate::shared::claims::Claims;
use crate::shared::interrupt;
use crate::shared::output::{Output, claim_folder, place_of};

const OPTION: &str = "--png";

/// Makes the folder where it is missing, and checks that files can be made in it.
///
/// # Errors
/// A folder that cannot be made or written.
pub fn make_folder(folder: &Path) -> anyhow::Result<()> {
    let name = || format!("{}: cannot make a folder for pictures here", folder.display());
    fs::create_dir_all(folder).with_context(name)?;
    claim_folder(folder, OPTION)
}

/// Checks that no picture can take the place of a file that is read or written otherwise: how many
/// there will be is not known as yet.
///
/// # Errors
/// One could.
pub fn check(folder: &Path, claims: &Claims) -> anyhow::Result<()> {
    // A picture there may be a link to elsewhere.
    let there = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let whole = place_of(folder);
    let claimed = claims.taken.iter().map(|(place, _)| place.clone());
    let inside = claimed.filter(|place| place.parent() == Some(&whole));
    let is_picture = |file: &Path| {
        file.file_name().and_then(|name| name.to_str()).is_some_and(draw::is_picture_name)
    };
    let mut files = there.chain(inside).filter(|file| is_picture(file));
    files.try_for_each(|file| claims.check(&file, OPTION))
}

/// Draws all pictures and writes them; returns their paths, the overview first.
///
/// # Errors
/// The first that cannot be written, or [`interrupt::Interrupted`]; those before it stay.
pub fn write(grid: &NavGrid, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut written = Vec::new();
    draw::each_picture(grid, |Picture { name, image, .. }| {
        let file = folder.join(name);
        let output = Output::claim(&file, OPTION)?;
        let bytes = image.to_png()?;
        interrupt::undisturbed(|| output.write(&bytes, interrupt::is_asked))?;
        written.push(file.display().to_string());
        anyhow::Ok(())
    })?;
    Ok(written)
}
