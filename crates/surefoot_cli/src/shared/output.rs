//! Provides [`Output`]: a file to write, checked before the work and written after it.
//!
//! The check finds out before a long bake whether its result can be written, and changes nothing on
//! disk. The file is written to a temporary file next to it, which then replaces it. Pipes and devices
//! are written to directly.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use tempfile::NamedTempFile;

use super::interrupt::Interrupted;

/// A file to write, at a path that was found to be writable.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// As the user named it.
    name: PathBuf,
    /// With links followed: a link stays, and the file it points to is replaced.
    place: PathBuf,
    /// A pipe or a device: written to directly, never replaced.
    is_stream: bool,
}

impl Output {
    /// Checks that a file named by an option can be written, without changing it.
    ///
    /// # Errors
    /// The path is a folder, or its folder does not exist or cannot be written.
    pub fn check(file: &Path, option: &str) -> anyhow::Result<Self> {
        let (name, place) = (file.to_owned(), resolve(file));
        let is_stream = match fs::metadata(file) {
            Ok(there) if there.is_dir() => {
                bail!("{}: this is a folder; give {option} the path of a file", file.display())
            }
            // A file that was deleted while it is open, such as one under /proc, has no path to replace.
            Ok(there) => !there.is_file() || fs::canonicalize(file).is_err(),
            Err(_) => false,
        };
        if !is_stream {
            // Errors name the folder as the user did, unless a link leads elsewhere.
            let folder = if file.is_symlink() { folder_of(&place) } else { folder_of(file) };
            check_folder(folder, option)?;
        }
        Ok(Output { name, place, is_stream })
    }

    /// Writes the whole file or nothing. Calls `stop` now and then, and gives up if it returns true.
    ///
    /// # Errors
    /// What the system reports, or [`Interrupted`]; a file that was there before stays as it was.
    pub fn write(&self, bytes: &[u8], stop: impl Fn() -> bool) -> anyhow::Result<()> {
        let written = if self.is_stream {
            self.open().and_then(|mut stream| write_chunks(bytes, &mut stream, &stop))
        } else {
            self.replace(bytes, &stop)
        };
        written.map_err(|error| match error.is::<Interrupted>() {
            true => error,
            false => error.context(self.cannot_write()),
        })
    }

    /// Opens the file, to be written over time.
    ///
    /// # Errors
    /// What the system reports.
    pub fn open(&self) -> anyhow::Result<File> {
        File::create(&self.place).with_context(|| self.cannot_write())
    }

    /// The message for a file that cannot be written.
    pub fn cannot_write(&self) -> String {
        format!("{}: cannot write this file", self.name.display())
    }

    fn replace(&self, bytes: &[u8], stop: &impl Fn() -> bool) -> anyhow::Result<()> {
        let mut file = temporary(folder_of(&self.place))?;
        write_chunks(bytes, file.as_file_mut(), stop)?;
        file.as_file().sync_all()?;
        if stop() {
            return Err(Interrupted.into());
        }
        file.persist(&self.place).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Bytes written between two calls of `stop`.
const CHUNK: usize = 1 << 20;

fn write_chunks(bytes: &[u8], into: &mut File, stop: &impl Fn() -> bool) -> anyhow::Result<()> {
    for chunk in bytes.chunks(CHUNK) {
        if stop() {
            return Err(Interrupted.into());
        }
        into.write_all(chunk)?;
    }
    Ok(())
}

/// Checks that files can be created in a folder that was named by an option.
///
/// # Errors
/// The folder does not exist or cannot be written.
pub fn check_folder(folder: &Path, option: &str) -> anyhow::Result<()> {
    let name = folder.display();
    ensure!(folder.is_dir(), "{name}: no such folder; create it, or change {option}");
    let cannot = |error| anyhow!("{name}: cannot write here: {error}; change {option}");
    temporary(folder).map(drop).map_err(cannot)
}

/// Links are followed this many times in a row, as operating systems do.
const MOST_LINKS: usize = 40;

/// The absolute path of a file that exists or could be created, with all links followed. Returned
/// unchanged if its folder does not exist.
pub fn resolve(file: &Path) -> PathBuf {
    let mut place = file.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(whole) = fs::canonicalize(&place) {
            return whole;
        }
        // A link may point to a file that does not exist yet. What exists but has no canonical path
        // is a pipe or a deleted file: left as it is.
        match fs::read_link(&place) {
            Ok(to) if !place.exists() => place = folder_of(&place).join(to),
            _ => break,
        }
    }
    match (fs::canonicalize(folder_of(&place)), place.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => place,
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file in a folder.
fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".navgrid-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Temporary files are private by default; these get the permissions of any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The crate's own error names the temporary file, which means nothing to the user.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_interrupted_save_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.navgrid");
        fs::write(&path, "old").unwrap();
        for chunks in 0..=3 {
            let calls = Cell::new(0);
            let stop = || calls.replace(calls.get() + 1) == chunks;
            let output = Output::check(&path, "--output").unwrap();
            let error = output.write(&vec![7; 3 * CHUNK], stop).unwrap_err();
            assert_eq!(error.downcast_ref(), Some(&Interrupted));
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(names(folder.path()), ["a.navgrid"]);
        }
    }

    #[test]
    fn a_check_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::check(&folder.path().join("a.navgrid"), "--output").unwrap();
        assert!(names(folder.path()).is_empty());
        output.write(b"new", || false).unwrap();
        assert_eq!(names(folder.path()), ["a.navgrid"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Output::check(&link, "--output").unwrap().write(b"new", || false).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
