//! Files to write: claimed before the work, written after it.
//!
//! A claim finds out early what would be a pity to learn after long work, and touches nothing that
//! is there. The file itself is written beside its place and renamed into it; what is no file but a
//! pipe or a device is written to.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use tempfile::NamedTempFile;

use super::interrupt::Interrupted;

/// A place for a file that has been seen to be writable.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// As it was named.
    name: PathBuf,
    /// Where it is or will be: the file that a link points to is replaced, not the link.
    place: PathBuf,
    /// A pipe or a device: written to, never replaced.
    is_stream: bool,
}

impl Output {
    /// Checks that a file named by an option can be written, without touching it.
    ///
    /// # Errors
    /// A folder in its place, or a folder around it that is missing or cannot be written.
    pub fn claim(file: &Path, option: &str) -> anyhow::Result<Self> {
        let (name, place) = (file.to_owned(), place_of(file));
        let is_stream = match fs::metadata(file) {
            Ok(there) if there.is_dir() => {
                bail!("{}: this is a folder; name a file with {option}", file.display())
            }
            // What has no place of its own, as a file that was removed while it is open, stays.
            Ok(there) => !there.is_file() || fs::canonicalize(file).is_err(),
            Err(_) => false,
        };
        if !is_stream {
            // The folder as it was named, where it holds the file.
            let folder = if file.is_symlink() { folder_of(&place) } else { folder_of(file) };
            claim_folder(folder, option)?;
        }
        Ok(Output { name, place, is_stream })
    }

    /// Writes the file, whole or not at all; asks while it writes whether it shall stop.
    ///
    /// # Errors
    /// What the system says, or [`Interrupted`]; the file that was there before is untouched.
    pub fn write(&self, bytes: &[u8], stop: impl Fn() -> bool) -> anyhow::Result<()> {
        let written = if self.is_stream {
            self.open().and_then(|mut stream| pour(bytes, &mut stream, &stop))
        } else {
            self.replace(bytes, &stop)
        };
        written.map_err(|error| match error.is::<Interrupted>() {
            true => error,
            false => error.context(self.cannot_write()),
        })
    }

    /// Opens the file, to write it bit by bit.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(&self) -> anyhow::Result<File> {
        File::create(&self.place).with_context(|| self.cannot_write())
    }

    /// What to say of a file that cannot be written.
    pub fn cannot_write(&self) -> String {
        format!("{}: cannot write here", self.name.display())
    }

    fn replace(&self, bytes: &[u8], stop: &impl Fn() -> bool) -> anyhow::Result<()> {
        let mut file = temporary(folder_of(&self.place))?;
        pour(bytes, file.as_file_mut(), stop)?;
        file.as_file().sync_all()?;
        if stop() {
            return Err(Interrupted.into());
        }
        file.persist(&self.place).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Bytes written between two questions whether to stop.
const GULP: usize = 1 << 20;

fn pour(bytes: &[u8], into: &mut File, stop: &impl Fn() -> bool) -> anyhow::Result<()> {
    for gulp in bytes.chunks(GULP) {
        if stop() {
            return Err(Interrupted.into());
        }
        into.write_all(gulp)?;
    }
    Ok(())
}

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

/// The links that are followed from one to the next, as many as systems do.
const MOST_LINKS: usize = 40;

/// Where a file is or would be, with all links followed; where nothing is known of it, as it was
/// named.
pub fn place_of(file: &Path) -> PathBuf {
    let mut place = file.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(whole) = fs::canonicalize(&place) {
            return whole;
        }
        // Links may point to what is not there yet; what is there and has no place is no file.
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

/// The folder that a file is in.
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
        // Temporary files are private by default; these are as open as any file the user makes.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The crate's own error names the temporary file, which helps nobody.
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
        for gulps in 0..=3 {
            let asked = Cell::new(0);
            let stop = || asked.replace(asked.get() + 1) == gulps;
            let output = Output::claim(&path, "--output").unwrap();
            let error = output.write(&vec![7; 3 * GULP], stop).unwrap_err();
            assert_eq!(error.downcast_ref(), Some(&Interrupted));
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(names(folder.path()), ["a.navgrid"]);
        }
    }

    #[test]
    fn a_claim_touches_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::claim(&folder.path().join("a.navgrid"), "--output").unwrap();
        assert!(names(folder.path()).is_empty());
        output.write(b"new", || false).unwrap();
        assert_eq!(names(folder.path()), ["a.navgrid"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Output::claim(&link, "--output").unwrap().write(b"new", || false).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
