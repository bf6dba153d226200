//! How much memory a file may take: ten times its length and 64 MiB.
//!
//! What is made of a file is counted before it is made; what the rest of the loader needs for the
//! moment, and what is not worth counting, fits into what is left out here.

use super::fault::Fault;

/// What may be counted beyond the length of the file [bytes].
const FREE_BYTES: usize = 58 << 20;
/// How many times the length of the file may be counted beyond that.
const TIMES: usize = 9;

/// What has been counted of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    spent: usize,
    /// A limit that the user has raised [bytes].
    lifted: usize,
}

/// The most bytes that may be counted for a source of some length.
pub(super) fn most(source: usize) -> usize {
    FREE_BYTES + source.saturating_mul(TIMES)
}

impl Memory {
    /// Starts with what is taken already [bytes], and a limit that holds where it is higher.
    pub fn new(spent: usize, limit: u64) -> Self {
        Memory { spent, lifted: usize::try_from(limit).unwrap_or(usize::MAX) }
    }

    /// Counts bytes that are made.
    pub fn count(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(bytes);
    }

    /// Refuses more than a source of some length may take, with what is needed for a moment
    /// [bytes].
    pub fn check(&self, source: usize, passing: usize) -> Result<(), Fault> {
        let most = most(source).max(self.lifted);
        if self.spent.saturating_add(passing) <= most {
            return Ok(());
        }
        Err(Fault::file(format!(
            "copies of shared meshes in different scales, and what else is made of a file of \
             {source} bytes, take over {} MiB; give their nodes equal scales, mark some to be \
             ignored, or raise the memory limit (bake --memory-limit, Scene::load_within)",
            most >> 20
        )))
    }
}
