//! Provides [`Observer`]: watches long work, and may cancel it.
//!
//! Loading, baking and drawing a level and preparing its routes can take minutes. Whoever starts such
//! work passes an observer, which is asked often whether to go on; `&()` neither watches nor cancels.

use std::ops::Range;

/// Watches long work, and may cancel it. `()` does neither. Called from many threads.
pub trait Observer: Sync {
    /// Called when another part of the work is done, with the number of parts done and of all parts.
    /// Calls from several threads may come out of order.
    fn parts_done(&self, _done: usize, _of: usize) {}

    /// Called many times a second; `true` ends the work with [`Cancelled`]. It has to stay `true` then.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// The observer cancelled the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Asks an observer whether to go on.
///
/// # Errors
/// [`Cancelled`] if it says so.
pub fn check_cancelled<O: Observer + ?Sized>(observer: &O) -> Result<(), Cancelled> {
    if observer.is_cancelled() { Err(Cancelled) } else { Ok(()) }
}

/// The observer is asked once for so many items.
const ITEMS_PER_LOOK: usize = 1 << 14;

/// Calls `work` with each of a range of indices, and often asks the observer whether to go on.
///
/// # Errors
/// [`Cancelled`] if the observer says so; the indices left over are not worked on.
pub fn for_each_observed<O: Observer + ?Sized>(
    indices: Range<usize>,
    observer: &O,
    mut work: impl FnMut(usize),
) -> Result<(), Cancelled> {
    for start in indices.clone().step_by(ITEMS_PER_LOOK) {
        check_cancelled(observer)?;
        let end = start.saturating_add(ITEMS_PER_LOOK).min(indices.end);
        (start..end).for_each(&mut work);
    }
    Ok(())
}
