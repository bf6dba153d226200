//! Samples that lie plainly in a file or in memory: a window is read where it is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use surefoot_bake::scene::SceneError;

use super::numbers::Numbers;
use super::{HeightSamples, Window};
use crate::fault::{in_file, unreadable};

/// Where the bytes of samples are.
pub struct Stored {
    bytes: Bytes,
    /// Where the first sample is [bytes].
    start: u64,
    /// Whether columns follow each other, not rows.
    by_columns: bool,
}

enum Bytes {
    Memory(Vec<u8>),
    File(Mutex<File>),
}

impl Stored {
    /// All of a file.
    pub fn of_file(file: File) -> Self {
        Stored { bytes: Bytes::File(Mutex::new(file)), start: 0, by_columns: false }
    }

    /// Bytes in memory.
    pub fn of_memory(bytes: Vec<u8>) -> Self {
        Stored { bytes: Bytes::Memory(bytes), start: 0, by_columns: false }
    }

    /// Returns the same, with the first sample after so many bytes, and column by column if so.
    pub fn laid_out(self, start: u64, by_columns: bool) -> Self {
        Stored { start, by_columns, ..self }
    }

    fn length(&self) -> io::Result<u64> {
        match &self.bytes {
            Bytes::Memory(bytes) => Ok(bytes.len() as u64),
            Bytes::File(file) => {
                Ok(file.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len())
            }
        }
    }

    fn read(&self, from: u64, buffer: &mut [u8]) -> io::Result<()> {
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
                let start = usize::try_from(from).map_err(|_| end())?;
                let part = bytes.get(start..).and_then(|rest| rest.get(..buffer.len()));
                buffer.copy_from_slice(part.ok_or_else(end)?);
                Ok(())
            }
            Bytes::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(from))?;
                file.read_exact(buffer)
            }
        }
    }
}

/// Samples that are read where they are.
pub struct PlainSamples {
    path: PathBuf,
    stored: Stored,
    pub numbers: Numbers,
    size: [usize; 2],
}

impl PlainSamples {
    /// Samples of a file of some name. The size is one that was checked.
    pub fn new(path: &Path, stored: Stored, numbers: Numbers, size: [usize; 2]) -> Self {
        PlainSamples { path: path.to_owned(), stored, numbers, size }
    }

    /// Checks that there are as many bytes as samples take; says what to do if not.
    pub fn check_length(&self, advice: &str) -> Result<(), SceneError> {
        let [columns, rows] = self.size;
        let bytes = self.numbers.kind.bytes();
        let needed = self.stored.start + columns as u64 * rows as u64 * bytes as u64;
        let length = self.stored.length().map_err(|error| unreadable(&self.path, error))?;
        if length == needed {
            return Ok(());
        }
        Err(in_file(
            &self.path,
            format!(
                "it has {length} bytes, but {columns} x {rows} samples of {bytes} bytes each take \
                 {needed}; {advice}"
            ),
        ))
    }

    /// Reads so many samples from the one of a number on.
    fn run(&self, first: usize, bytes: &mut [u8]) -> Result<(), SceneError> {
        let from = self.stored.start + first as u64 * self.numbers.kind.bytes() as u64;
        self.stored.read(from, bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => in_file(&self.path, "it ends early; make it again"),
            _ => unreadable(&self.path, error),
        })
    }
}

impl HeightSamples for PlainSamples {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn read(&self, window: Window) -> Result<Vec<f32>, SceneError> {
        // Along the runs of bytes, and across them.
        let (along, across) = if self.stored.by_columns { (1, 0) } else { (0, 1) };
        let is_whole = window.size[along] == self.size[along];
        let (length, runs) =
            if is_whole { (window.len(), 1) } else { (window.size[along], window.size[across]) };
        let mut bytes = vec![0; length * self.numbers.kind.bytes()];
        let mut samples = Vec::with_capacity(window.len());
        for run in 0..runs {
            let first = (window.first[across] + run) * self.size[along] + window.first[along];
            self.run(first, &mut bytes)?;
            self.numbers.decode(&bytes, &mut samples);
        }
        if !self.stored.by_columns {
            return Ok(samples);
        }
        let [columns, rows] = window.size;
        let turned = (0..window.len()).map(|at| samples[(at % columns) * rows + at / columns]);
        Ok(turned.collect())
    }
}
