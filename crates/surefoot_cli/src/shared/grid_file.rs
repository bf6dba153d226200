//! Loads grids, with errors that name the file and say what to do.

use std::path::Path;

use anyhow::anyhow;
use surefoot::NavGrid;
use surefoot::grid::{FormatError, LoadOptions};

use super::files;

/// Loads a grid. Returns it with the bytes of its file.
///
/// # Errors
/// The file cannot be read, or is not a sound grid. If it does not exist, the error ends with `advice`.
pub fn load(
    file: &Path,
    advice: &str,
    options: &LoadOptions,
) -> anyhow::Result<(NavGrid, Vec<u8>)> {
    // A device or a file of another kind may have no end.
    let is_grid =
        |first: &[u8]| !matches!(NavGrid::from_bytes(first), Err(FormatError::NotANavgrid));
    let bytes = files::read_if(file, is_grid, advice)?;
    let grid =
        NavGrid::from_bytes_with(&bytes, options).map_err(|error| not_a_grid(file, error))?;
    Ok((grid, bytes))
}

/// The error for a file that is not a sound grid.
fn not_a_grid(file: &Path, error: FormatError) -> anyhow::Error {
    let name = file.display().to_string();
    let is_scene = file.extension().is_some_and(|own| own == "gltf" || own == "glb");
    match error {
        FormatError::NotANavgrid if is_scene => {
            anyhow!("{name}: {error}; `bake {name}` makes one from this scene")
        }
        FormatError::NotANavgrid if file.extension().is_some_and(|own| own == "navworld") => {
            anyhow!(
                "{name}: this is a world of tiles, and one grid is needed; merge its tiles with `surefoot world merge`"
            )
        }
        error => anyhow!(error).context(name),
    }
}
