//! Provides [`Output`]: a file to write, checked before the work and written after it.
//!
//! The check finds out before a long bake whether its result can be written, and changes nothing on
//! disk. How a file is replaced is up to [`Replacement`].

use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use surefoot::grid::{Replacement, follow_links, is_stream};

use super::interrupt::Interrupted;

/// A file to write, at a path that was found to be writable.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// As the user named it.
    name: PathBuf,
    /// With links followed: a link stays, and the file it points to is replaced. `None` is stdout.
    place: Option<PathBuf>,
}

/// A file that is being written. Dropped before it is finished, it leaves no trace.
#[derive(Debug)]
pub struct OpenOutput {
    /// `None` is stdout.
    file: Option<BufWriter<Replacement>>,
}

impl OpenOutput {
    /// Puts the file in its place.
    ///
    /// # Errors
    /// What the system reports; the old file stays as it was.
    pub fn finish(self) -> io::Result<()> {
        match self.file {
            Some(file) => file.into_inner().map_err(IntoInnerError::into_error)?.finish(),
            None => io::stdout().flush(),
        }
    }
}

impl Write for OpenOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.flush(),
            None => io::stdout().flush(),
        }
    }
}

/// What reports and errors call stdout.
pub const STDOUT: &str = "standard output";

impl Output {
    /// The standard output.
    pub fn stdout() -> Self {
        Output { name: STDOUT.into(), place: None }
    }

    /// Checks that a file named by an option can be written, without changing it.
    ///
    /// # Errors
    /// The path is a folder, or its folder does not exist or cannot be written.
    pub fn check(file: &Path, option: &str) -> anyhow::Result<Self> {
        let (name, place) = (file.to_owned(), follow_links(file));
        let is_folder = file.is_dir();
        ensure!(
            !is_folder,
            "{}: this is a folder; give {option} the path of a file",
            file.display()
        );
        if !is_stream(file) {
            // Errors name the folder as the user did, unless a link leads elsewhere.
            let folder = if file.is_symlink() { folder_of(&place) } else { folder_of(file) };
            check_folder(folder, option)?;
        }
        Ok(Output { name, place: Some(place) })
    }

    /// Its path, as the user named it.
    pub fn name(&self) -> std::path::Display<'_> {
        self.name.display()
    }

    /// Writes the whole file or nothing. Calls `stop` now and then, and gives up if it returns true.
    ///
    /// # Errors
    /// What the system reports, or [`Interrupted`]; a file that was there before stays as it was.
    pub fn write(&self, bytes: &[u8], stop: impl Fn() -> bool) -> anyhow::Result<()> {
        self.replace(bytes, &stop).map_err(|error| match error.is::<Interrupted>() {
            true => error,
            false => error.context(self.cannot_write()),
        })
    }

    fn replace(&self, bytes: &[u8], stop: &impl Fn() -> bool) -> anyhow::Result<()> {
        let Some(place) = &self.place else {
            let mut stdout = io::stdout().lock();
            write_chunks(bytes, &mut stdout, stop)?;
            return Ok(stdout.flush()?);
        };
        let mut file = Replacement::begin(place)?;
        write_chunks(bytes, &mut file, stop)?;
        if stop() {
            return Err(Interrupted.into());
        }
        Ok(file.finish()?)
    }

    /// Opens the file, to be written over time: it takes the place of the old one once it is finished.
    ///
    /// # Errors
    /// What the system reports.
    pub fn open(&self) -> anyhow::Result<OpenOutput> {
        let file = match &self.place {
            Some(place) => {
                let file = Replacement::begin(place).with_context(|| self.cannot_write())?;
                Some(BufWriter::new(file))
            }
            None => None,
        };
        Ok(OpenOutput { file })
    }

    /// The message for a file that cannot be written.
    pub fn cannot_write(&self) -> String {
        format!("{}: cannot write this file", self.name.display())
    }
}

/// Bytes written between two calls of `stop`.
const CHUNK: usize = 1 << 20;

fn write_chunks(
    bytes: &[u8],
    into: &mut impl Write,
    stop: &impl Fn() -> bool,
) -> anyhow::Result<()> {
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
    // Begun and dropped: nothing is left of it.
    Replacement::begin(&folder.join(PROBE)).map(drop).map_err(cannot)
}

/// A file that is never there: whether it could be written says whether others can.
const PROBE: &str = ".surefoot-probe";

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

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
    fn what_is_written_over_time_takes_its_place_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let output = Output::check(&path, "--csv").unwrap();
        for is_finished in [false, true] {
            let mut out = output.open().unwrap();
            out.write_all(b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"old");
            if is_finished {
                out.finish().unwrap()
            } else {
                drop(out)
            }
            assert_eq!(names(folder.path()), ["a.csv"]);
        }
        assert_eq!(fs::read(&path).unwrap(), b"new");
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
