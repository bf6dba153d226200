//! The file of the grid: claimed before the bake, written after it.
//!
//! A claim finds out early what would be a pity to learn after a long bake, and touches nothing
//! that is there. The file itself is written beside its place and renamed into it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::shared::claim::{claim_folder, folder_of, temporary};
use super::shared::interrupt::Interrupted;

/// A place for the grid that has been seen to be writable.
#[derive(Debug, PartialEq)]
pub struct Output {
    path: PathBuf,
    /// A pipe or a device: written to, never replaced.
    stream: bool,
}

impl Output {
    /// Checks that a file can be written, without touching it.
    ///
    /// # Errors
    /// A folder in its place, or a folder around it that is missing or cannot be written.
    pub fn claim(path: &Path) -> anyhow::Result<Self> {
        // The file a link points to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => {
                bail!("{}: this is a folder; name a file with --output", path.display())
            }
            Ok(there) if !there.is_file() => Ok(Output { path, stream: true }),
            _ => {
                claim_folder(folder_of(&path), "--output")?;
                Ok(Output { path, stream: false })
            }
        }
    }

    /// Writes the file, whole or not at all; asks while it writes whether it shall stop.
    ///
    /// # Errors
    /// What the system says, or [`Interrupted`]; the file that was there before is untouched.
    pub fn write(&self, bytes: &[u8], stop: impl Fn() -> bool) -> anyhow::Result<()> {
        let written = if self.stream {
            let stream = OpenOptions::new().write(true).open(&self.path);
            stream.map_err(Into::into).and_then(|mut stream| pour(bytes, &mut stream, &stop))
        } else {
            self.replace(bytes, &stop)
        };
        written.map_err(|error| match error.is::<Interrupted>() {
            true => error,
            false => error.context(format!("{}: cannot write the grid", self.path.display())),
        })
    }

    fn replace(&self, bytes: &[u8], stop: &impl Fn() -> bool) -> anyhow::Result<()> {
        let mut file = temporary(folder_of(&self.path))?;
        pour(bytes, file.as_file_mut(), stop)?;
        file.as_file().sync_all()?;
        if stop() {
            return Err(Interrupted.into());
        }
        file.persist(&self.path)?;
        Ok(())
    }
}

/// Bytes written between two questions whether to stop.
const GULP: usize = 1 << 20;

fn pour(bytes: &[u8], into: &mut fs::File, stop: &impl Fn() -> bool) -> anyhow::Result<()> {
    for gulp in bytes.chunks(GULP) {
        if stop() {
            return Err(Interrupted.into());
        }
        into.write_all(gulp)?;
    }
    Ok(())
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
            let output = Output::claim(&path).unwrap();
            let error = output.write(&vec![7; 3 * GULP], stop).unwrap_err();
            assert_eq!(error.downcast_ref(), Some(&Interrupted));
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(names(folder.path()), ["a.navgrid"]);
        }
    }

    #[test]
    fn a_claim_touches_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::claim(&folder.path().join("a.navgrid")).unwrap();
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
        Output::claim(&link).unwrap().write(b"new", || false).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
