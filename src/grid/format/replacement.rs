//! Provides [`Replacement`]: a file that is written beside the one whose place it takes.
//!
//! The old file stays as it was until the new one is safely on disk. The new one has its mode. Links
//! stay, and the file they lead to is replaced. Pipes and devices are written to directly.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that takes the place of another when it is complete. Dropped before that, it leaves no trace.
#[derive(Debug)]
pub struct Replacement {
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A temporary file, and the place it will take.
    Beside(NamedTempFile, PathBuf),
    /// A pipe or a device.
    Stream(File),
}

const PREFIX: &str = ".surefoot-";
const SUFFIX: &str = ".tmp";

impl Replacement {
    /// Begins to replace a file, which may not exist yet. Temporary files that a killed program left
    /// in the folder are removed.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let place = follow_links(path);
        if fs::read_link(&place).is_ok() {
            return Err(io::Error::other("its links lead in a circle"));
        }
        if is_stream(path) {
            return Ok(Replacement { target: Target::Stream(File::create(path)?) });
        }
        let folder = folder_of(&place);
        remove_leftovers(folder);
        let file = temporary(folder)?;
        Ok(Replacement { target: Target::Beside(file, place) })
    }

    /// Puts the new file in the place of the old one.
    ///
    /// # Errors
    /// What the system reports; the old file stays as it was.
    pub fn finish(self) -> io::Result<()> {
        let Target::Beside(file, place) = self.target else { return Ok(()) };
        if let Ok(old) = fs::metadata(&place) {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.as_file().sync_all()?;
        let folder = folder_of(&place).to_owned();
        file.persist(&place).map_err(|error| error.error)?;
        // The rename itself is safe on disk only with the folder; not every system can sync one.
        if let Ok(folder) = File::open(folder) {
            folder.sync_all().ok();
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Beside(file, _) => file.write(bytes),
            Target::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Beside(file, _) => file.flush(),
            Target::Stream(stream) => stream.flush(),
        }
    }
}

/// Replaces a file as a [`Replacement`] does.
///
/// # Errors
/// The folder or the file cannot be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::begin(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Whether a path leads to a pipe or a device, which has to be written to directly. So has a file that
/// was deleted while it is open, such as one under `/proc`: it has no path to replace.
pub fn is_stream(path: &Path) -> bool {
    let is_plain = |there: fs::Metadata| there.is_dir() || there.is_file();
    fs::metadata(path).is_ok_and(|there| !is_plain(there) || fs::canonicalize(path).is_err())
}

/// Links are followed this many times in a row, as operating systems do.
const MOST_LINKS: usize = 40;

/// Returns the absolute path of a file that exists or could be created, with all links followed.
/// Returns the path unchanged if its folder does not exist.
pub fn follow_links(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(whole) = fs::canonicalize(&place) {
            return whole;
        }
        // A link may lead to a file that does not exist yet. What exists but has no canonical path
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

/// Creates a temporary file. It is locked as long as its program is alive.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The mode that other programs create files with; the system applies the user's umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    loop {
        // The crate's own error names the temporary file, which means nothing to the user.
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        // Some file systems have no locks. There, leftovers stay.
        let is_locked = file.as_file().lock().is_ok();
        // Another program may have taken it for a leftover before it was locked.
        if !is_locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes temporary files whose program is gone: the system released their locks. Does nothing about
/// those it cannot open or remove; they harm nobody.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_temporary || !is_file {
            continue;
        }
        let left = File::options().write(true).open(entry.path());
        if left.is_ok_and(|file| file.try_lock().is_ok()) {
            fs::remove_file(entry.path()).ok();
        }
    }
}
