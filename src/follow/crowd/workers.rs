//! Work on the items of a list, on several threads where there is a pool of them.
//!
//! Every item is worked on by itself, so nothing depends on the number of threads.

/// Does two things that have nothing to do with each other, at the same time where there are
/// threads for it.
pub(crate) fn both(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    #[cfg(feature = "threads")]
    rayon::join(one, other);
    #[cfg(not(feature = "threads"))]
    {
        one();
        other();
    }
}

/// Fewer items are done before a thread has woken up.
#[cfg(feature = "threads")]
const WORTH_A_THREAD: usize = 256;
/// Items that go to a thread at once.
#[cfg(feature = "threads")]
const BATCH: usize = 64;

/// Calls `act` with each item and its place in the list.
#[cfg(feature = "threads")]
pub(crate) fn for_each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync + Send) {
    use rayon::prelude::*;
    if items.len() < WORTH_A_THREAD || rayon::current_num_threads() < 2 {
        items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
    } else {
        items.par_iter_mut().with_min_len(BATCH).enumerate().for_each(|(at, item)| act(at, item));
    }
}

/// Calls `act` with each item and its place in the list.
#[cfg(not(feature = "threads"))]
pub(crate) fn for_each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync + Send) {
    items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
}
