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
    /// Agents with an order.
    pub orders: u64,
    /// Bytes of their orders, unpacked.
    pub order_bytes: u64,
}

impl Needs {
    /// Bytes of memory at the worst moment.
    fn bytes(self) -> u64 {
        let columns = (self.cells + 1) * 9;
        let spans = self.spans.saturating_mul(self.agents.saturating_mul(8) + 16);
        let (text, lists) = (self.text.saturating_mul(32), self.lists.saturating_mul(12));
        // Orders come when the planes of all else have gone.
        let last = self.planes().max(self.unpacked_orders());
        [columns, spans, text, lists, last].into_iter().fold(0, u64::saturating_add)
    }

    /// The planes of spans, and of the standings that the other workers unpack meanwhile.
    fn planes(self) -> u64 {
        let scratch = 16 + 8 * self.agents.min(MOST_WORKERS as u64 - 1);
        self.spans.saturating_mul(scratch)
    }

    /// The orders, and what it takes to unpack and then to validate them: a number for each span
    /// and worker, and less for each district than its bytes in the section.
    fn unpacked_orders(self) -> u64 {
        let numbers = self.orders.saturating_add(self.orders.min(MOST_WORKERS as u64));
        let spans = self.spans.saturating_mul(numbers.saturating_mul(4));
        spans.saturating_add(self.order_bytes.saturating_mul(2))
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
