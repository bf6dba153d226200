//! Places to write to, seen to be writable before anything long begins.

use std::fs;
use std::path::Path;

use anyhow::{anyhow, ensure};
use tempfile::NamedTempFile;

/// Checks that files can be made in a folder, which was named by an option.
///
/// # Errors
/// A folder that is missing or cannot be written.
pub fn claim_folder(folder: &Path, option: &str) -> anyhow::Result<()> {
    let name = folder.display();
    ensure!(folder.is_dir(), "{name}: there is no such folder; make it, or change {option}");
    let says = |error| anyhow!("{name}: cannot write here: {error}; choose another {option}");
    temporary(folder).map(drop).map_err(says)
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file in a folder.
///
/// # Errors
/// What the system says.
pub fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".navgrid-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Temporary files are private by default; a grid is as open as any file the user makes.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The crate's own error names the temporary file, which helps nobody.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}
