//! How much memory a file may take: what the caller allows.
//!
//! What is made of a file is counted before it is made, on top of the file itself. What the rest of
//! the loader needs for the moment is not worth counting, and fits into what is left out here.

use super::fault::Fault;

/// The least limit that can be kept [bytes].
const LEAST_LIMIT: usize = 64 << 20;
/// What is not counted [bytes].
const UNCOUNTED: usize = 6 << 20;

/// What has been counted of a file, and how much may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    spent: usize,
    /// The most that may be held at once [bytes].
    limit: usize,
}

impl Memory {
    /// Starts to count against a limit [bytes].
    pub fn new(limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Memory { spent: 0, limit: limit.max(LEAST_LIMIT) }
    }

    /// Counts bytes that are made.
    pub fn count(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(bytes);
    }

    /// The limit, as it is named in errors.
    pub fn limit_name(&self) -> String {
        format!("the memory limit of {} MiB", self.limit >> 20)
    }

    /// Whether all that is counted fits the limit, with a source of some length and what is needed
    /// for a moment [bytes].
    pub fn fits(&self, source: usize, passing: usize) -> bool {
        self.needed(source, passing) <= self.limit
    }

    /// What has to fit the limit [bytes].
    pub fn needed(&self, source: usize, passing: usize) -> usize {
        let other = source.saturating_add(passing).saturating_add(UNCOUNTED);
        self.spent.saturating_add(other)
    }

    /// Refuses more than the limit, with a source of some length and what is needed for a moment
    /// [bytes].
    pub fn check(&self, source: usize, passing: usize) -> Result<(), Fault> {
        if self.fits(source, passing) {
            return Ok(());
        }
        Err(Fault::file(format!(
            "copies of shared meshes in different scales, and what else is made of a file of \
             {source} bytes, take more than {}; {RAISE_LIMIT}, give their nodes equal scales, or \
             mark some to be ignored",
            self.limit_name()
        )))
    }
}

/// What to do about a limit that is too low.
pub(super) const RAISE_LIMIT: &str = "raise it (bake --memory-limit, Scene::load_within)";
