//! Choices that an input makes.

use arbitrary::{Result, Unstructured};

/// Whether something happens that happens once in so many times. Never at the end of the input: what is
/// cut short ends in what is usual.
pub(crate) fn once_in(input: &mut Unstructured, times: u8) -> Result<bool> {
    Ok(!input.is_empty() && input.ratio(1, times)?)
}
