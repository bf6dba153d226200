//! Every public function of the run time is called with odd arguments: NaN, infinities, huge numbers,
//! ids out of range, things of another grid, empty grids. None may panic.
//!
//! [`call!`] calls a function by its path and records that path, so what was called cannot differ from
//! what was named. At the end the records are compared with the public functions found in the sources:
//! a new function fails the test until it is called here.

mod list;
mod odd;
mod on_far;
mod on_frames;
mod on_grids;
mod on_links;
mod on_paths;
mod on_walkers;
mod on_worlds;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A call that takes longer has lost itself in its arguments.
const LONGEST_CALL: Duration = Duration::from_secs(5);

/// Calls a function with arguments, and records its path. Returns its result unless it panicked.
macro_rules! call {
    ($attack:expr, $function:path, $($argument:expr),* $(,)?) => {
        $attack.call(stringify!($function), || $function($($argument),*))
    };
}
use call;

/// The functions that were called, and those that panicked.
#[derive(Default)]
struct Attack {
    called: BTreeSet<String>,
    /// The first message of each.
    panics: BTreeMap<String, String>,
    slow: BTreeSet<String>,
}

impl Attack {
    fn call<T>(&mut self, function: &str, act: impl FnOnce() -> T) -> Option<T> {
        let name: String = function.split_whitespace().collect();
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(act));
        if start.elapsed() > LONGEST_CALL {
            self.slow.insert(name.clone());
        }
        if let Err(panic) = &result {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            self.panics.entry(name.clone()).or_insert_with(|| text.unwrap_or("?").to_owned());
        }
        self.called.insert(name);
        result.ok()
    }
}

#[test]
fn no_public_function_panics_whatever_its_arguments() {
    let mut attack = Attack::default();
    on_far::attack(&mut attack);
    on_frames::attack(&mut attack);
    on_grids::attack(&mut attack);
    on_links::attack(&mut attack);
    on_paths::attack(&mut attack);
    on_walkers::attack(&mut attack);
    on_worlds::attack(&mut attack);
    assert_eq!(attack.panics, BTreeMap::new());
    assert_eq!(attack.slow, BTreeSet::new());
    let public = list::public_functions();
    let missed: Vec<_> = public.difference(&attack.called).collect();
    assert!(missed.is_empty(), "public functions that this test has to call: {missed:?}");
}
