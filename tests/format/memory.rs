//! How much memory a load takes.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use std::time::{Duration, Instant};

use surefoot::NavGrid;
use surefoot::grid::FormatError;

/// Counts the bytes that the current thread holds, and the most it ever held.
struct Counting;

thread_local! {
    static HELD: Counter<isize> = const { Counter::new(0) };
    static MOST: Counter<isize> = const { Counter::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends may free after its counters are gone.
    let held = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        held.get()
    });
    if let Ok(held) = held {
        MOST.try_with(|most| most.set(most.get().max(held))).ok();
    }
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Loads bytes, and holds time and memory against what any file may take.
pub fn load(bytes: &[u8]) -> Result<NavGrid, FormatError> {
    let start = Instant::now();
    let (result, most) = memory_of(|| NavGrid::from_bytes(bytes));
    let took = start.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?} for {} bytes", bytes.len());
    assert!(most <= 10 * bytes.len() + (64 << 20), "{most} for {}", bytes.len());
    result
}

/// What some work makes, and the most bytes that this thread held for it.
pub fn memory_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    MOST.set(before);
    let made = work();
    (made, (MOST.get() - before) as usize)
}
