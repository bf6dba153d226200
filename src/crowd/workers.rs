//! Work on the items of a list, on several threads where there is a pool of them.
//!
//! Every item is worked on by itself, so nothing depends on the number of threads.

/// Fewer items are done before a thread has woken up.
#[cfg(feature = "threads")]
const WORTH_A_THREAD: usize = 256;
/// Items that go to a thread at once.
#[cfg(feature = "threads")]
const BATCH: usize = 64;

/// Whether work on so many items goes to several threads.
#[cfg(feature = "threads")]
fn is_worth_threads(items: usize) -> bool {
    items >= WORTH_A_THREAD && rayon::current_num_threads() > 1
}

/// Works on a list and, at the same time, on something that has nothing to do with it; one after the
/// other where the list is short.
pub(crate) fn with_others<T: Send>(
    items: &mut [T],
    act: impl FnOnce(&mut [T]) + Send,
    other: impl FnOnce() + Send,
) {
    #[cfg(feature = "threads")]
    if is_worth_threads(items.len()) {
        rayon::join(other, || act(items));
        return;
    }
    other();
    act(items);
}

/// Calls `act` with each item and its place in the list.
#[cfg(feature = "threads")]
pub(crate) fn for_each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync + Send) {
    use rayon::prelude::*;
    if is_worth_threads(items.len()) {
        items.par_iter_mut().with_min_len(BATCH).enumerate().for_each(|(at, item)| act(at, item));
    } else {
        items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
    }
}

/// Calls `act` with each item and its place in the list.
#[cfg(not(feature = "threads"))]
pub(crate) fn for_each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync + Send) {
    items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
}
