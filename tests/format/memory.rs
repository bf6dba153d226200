//! How much memory a load takes.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use std::time::{Duration, Instant};

use surefoot::NavGrid;
use surefoot::grid::{FormatError, LoadOptions};

use super::damage::{Section, append, changed, seal, sections};

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

/// What small files may take [bytes].
pub const LIMIT: u64 = 16 << 20;

/// Loads bytes, and holds time and memory against a limit.
pub fn load(bytes: &[u8]) -> Result<NavGrid, FormatError> {
    let start = Instant::now();
    let result = load_within(bytes, LIMIT);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?} for {} bytes", bytes.len());
    result
}

/// Loads bytes within a limit; nothing beyond it is ever allocated.
pub fn load_within(bytes: &[u8], memory_limit: u64) -> Result<NavGrid, FormatError> {
    let (result, most) =
        memory_of(|| NavGrid::from_bytes_with(bytes, &LoadOptions { memory_limit }));
    // An error is a few words more.
    assert!(most <= memory_limit as usize + 1024, "{most} of {memory_limit} allowed");
    if matches!(result, Err(FormatError::MemoryLimit { .. })) {
        assert!(most < 64 << 10, "{most} for {} bytes that are refused", bytes.len());
    }
    result
}

/// The section, offset and least sufficient limit of a load that is allowed too little.
pub fn refusal(bytes: &[u8], memory_limit: u64) -> (String, u64, u64) {
    match load_within(bytes, memory_limit) {
        Err(FormatError::MemoryLimit { section, offset, needed, limit }) => {
            assert_eq!(limit, memory_limit);
            assert!(needed > limit, "{needed} for a limit of {limit}");
            (section, offset, needed)
        }
        other => panic!("{:?}", other.map(|_| "it loads")),
    }
}

/// Loads with the least limit that does, and returns it; one byte less is refused.
pub fn least_limit(bytes: &[u8]) -> (NavGrid, u64) {
    let (_, _, needed) = refusal(bytes, 100 << 10);
    refusal(bytes, needed - 1);
    (load_within(bytes, needed).expect("the limit suffices"), needed)
}

/// What some work makes, and the most bytes that this thread held for it.
pub fn memory_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    MOST.set(before);
    let made = work();
    (made, (MOST.get() - before) as usize)
}

#[test]
fn a_limit_counts_the_file_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("level.navgrid");
    let grid = super::prepared_sample();
    grid.save(&path).expect("it can be written");
    let bytes = super::bytes_of(&grid);
    let (_, needed) = least_limit(&bytes);
    let load = |memory_limit| NavGrid::load_with(&path, &LoadOptions { memory_limit });
    let least = needed + bytes.len() as u64;
    assert_eq!(load(least).expect("it suffices"), grid);
    let error = load(least - 1).expect_err("it is refused");
    assert!(matches!(&error, FormatError::MemoryLimit { section, .. } if section == "REGN"));
    let (error, most) = memory_of(|| load(bytes.len() as u64 - 1).expect_err("it is refused"));
    assert!(most < 1024, "{most}");
    let expected = format!(
        "section header, byte 0: loading the file up to here takes more than the \
                            limit of {} bytes",
        bytes.len() - 1
    );
    assert!(error.to_string().starts_with(&expected), "{error}");
}

#[test]
fn the_first_section_that_does_not_fit_is_named() {
    let bytes = super::bytes_of(&super::prepared_sample());
    let (_, needed) = least_limit(&bytes);
    let start = |tag: &[u8]| {
        let named = |section: &Section| bytes[section.header..].starts_with(tag);
        sections(&bytes).into_iter().rfind(named).expect("a section").start as u64
    };
    assert_eq!(refusal(&bytes, needed - 1), ("REGN".to_owned(), start(b"REGN"), needed));
    assert_eq!(refusal(&bytes, 100 << 10), ("HEAD".to_owned(), start(b"HEAD"), needed));
    assert_eq!(refusal(&bytes, 10).0, "header");
}

/// A sound file but for one section, whose bytes are others.
fn with_raw(tag: &[u8], raw: &[u8]) -> Vec<u8> {
    let bytes = super::bytes_of(&super::sample());
    changed(&bytes, |other, _, old| {
        if other == tag {
            *old = raw.to_vec();
        }
    })
}

/// Text that becomes much more in memory than it is in the file, and lists that grow.
#[test]
fn bulky_sections_stay_within_the_limit() {
    let deep = [r#"{"":"#.repeat(120), "0".to_owned(), "}".repeat(120)].concat();
    let list = |item: &str| format!("[{}]", vec![item; 200_000 / item.len()].join(","));
    for settings in [list(&deep), list("[]"), list("[0]"), list(r#"{"":0}"#), list("\"\""), deep] {
        let bytes = with_raw(b"SETT", settings.as_bytes());
        let (grid, needed) = least_limit(&bytes);
        assert_eq!(grid.provenance().settings.to_string(), settings, "within {needed}");
    }
    let names = vec![0; 4 * 60_000];
    assert_eq!(least_limit(&with_raw(b"NODE", &names)).0.nodes().len(), 60_000);
    for (tag, record) in [(b"FARS", 9), (b"REGN", 4)] {
        let bytes = with_raw(tag, &vec![0; record * 100_000]);
        let (_, _, needed) = refusal(&bytes, 100 << 10);
        let result = load_within(&bytes, needed);
        assert!(matches!(result, Err(FormatError::Invalid(_))), "{result:?}");
    }
}

/// Empty sections take 32 bytes each in the file, and more in the list of sections.
#[test]
fn many_empty_sections_are_refused() {
    let bytes = super::bytes_of(&super::sample());
    let empty = |tag: &[u8; 4]| {
        let mut file = bytes[..32].to_vec();
        for _ in 0..300_000 {
            let mut header = [0; 32];
            header[..4].copy_from_slice(tag);
            header[6] = 1;
            append(&mut file, &mut header, &[]);
        }
        file[12..16].copy_from_slice(&300_000u32.to_le_bytes());
        seal(&mut file);
        file
    };
    assert_eq!(refusal(&empty(b"REGN"), 8 << 20).0, "header");
    assert_eq!(refusal(&empty(b"XTRA"), 8 << 20).0, "header");
}
