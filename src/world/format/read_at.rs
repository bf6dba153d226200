//! Provides [`ReadAt`]: bytes that can be read by range.

use std::fs::File;
use std::io;

/// Bytes that can be read by range, from several threads at once: a file, memory, or an object in a store,
/// for which a program implements it.
pub trait ReadAt: Send + Sync {
    /// Reads so many bytes from an offset on.
    ///
    /// # Errors
    /// They cannot be read, or there are fewer.
    fn read_at(&self, offset: u64, length: usize) -> io::Result<Vec<u8>>;

    /// How many bytes there are.
    ///
    /// # Errors
    /// It is not known.
    fn length(&self) -> io::Result<u64>;
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let start = usize::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(length));
        let range = start.zip(end).and_then(|(start, end)| self.get(start..end));
        range.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

impl ReadAt for File {
    fn read_at(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        read_exact_at(self, &mut bytes, offset)?;
        Ok(bytes)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;
    file.read_exact_at(bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt as _;
    while !bytes.is_empty() {
        match file.seek_read(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Systems without positional reads have no threads that could read at the same time.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn ranges_are_read_from_memory_and_from_files() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(&bytes).expect("it is written");
        let sources: [&dyn ReadAt; 2] = [&bytes, &file];
        for source in sources {
            assert_eq!(source.length().expect("a length"), 256);
            assert_eq!(source.read_at(250, 6).expect("six"), [250, 251, 252, 253, 254, 255]);
            assert!(source.read_at(256, 0).expect("none").is_empty());
            for (offset, length) in [(250, 7), (257, 1), (u64::MAX, 1)] {
                assert!(source.read_at(offset, length).is_err(), "{offset}");
            }
        }
    }
}
