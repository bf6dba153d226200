//! How much memory a file may ask for: ten times its length and 64 MiB.
//!
//! Deflate packs up to a thousandfold, so a small file could ask for a lot. Before anything is
//! unpacked, the reader adds up what the sections would need and refuses a file that is too short
//! for it; the writer pads the few honest files that pack that well.

use super::super::workers::MOST_WORKERS;

/// Bytes any file may ask for.
const FREE: u64 = 64 << 20;
/// Bytes a file may ask for beyond that, for each of its own.
const PER_BYTE: u64 = 10;

/// What a file is about to unpack to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    pub cells: u64,
    pub spans: u64,
    pub agents: u64,
    /// Bytes of JSON: small objects, each with its own allocations.
    pub text: u64,
    /// Bytes of names, far steps and region sizes.
    pub lists: u64,
}

impl Needs {
    /// Bytes of memory at the worst moment.
    fn bytes(self) -> u64 {
        let columns = (self.cells + 1) * 9;
        // The planes of spans, and of the standings that the other workers unpack meanwhile.
        let scratch = 16 + 8 * self.agents.min(MOST_WORKERS as u64 - 1);
        let spans = self.spans.saturating_mul(16 + scratch);
        let standings = self.spans.saturating_mul(self.agents.saturating_mul(8));
        [columns, spans, standings, self.text.saturating_mul(32), self.lists.saturating_mul(12)]
            .into_iter()
            .fold(0, u64::saturating_add)
    }

    /// Whether a file of a length may ask for this.
    pub(super) fn fit(self, file_len: u64) -> bool {
        self.least_file() <= file_len
    }

    /// The shortest file that may ask for this.
    pub(super) fn least_file(self) -> u64 {
        self.bytes().saturating_sub(FREE).div_ceil(PER_BYTE)
    }
}
