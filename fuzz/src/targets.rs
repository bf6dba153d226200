//! The list of targets.

use std::path::{Path, PathBuf};

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its module and of its folders.
    pub name: &'static str,
    /// Makes an input of bytes and holds it to the laws; panics if one does not hold.
    pub run: fn(&[u8]),
    /// Inputs are cut to this length [bytes].
    pub longest: usize,
}

/// All targets.
pub const TARGETS: [Target; 6] = [
    Target { name: "gltf_bytes", run: crate::gltf_bytes::run, longest: 1 << 14 },
    Target { name: "gltf_structure", run: crate::gltf_structure::run, longest: 1 << 11 },
    Target { name: "navgrid", run: crate::navgrid::run, longest: 1 << 14 },
    Target { name: "operations", run: crate::operations::run, longest: 1 << 10 },
    Target { name: "live_bake", run: crate::live_bake::run, longest: 1 << 9 },
    Target { name: "cli_arguments", run: crate::cli_arguments::run, longest: 1 << 7 },
];

impl Target {
    /// The target of a name.
    pub fn find(name: &str) -> Option<Target> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// The inputs that are checked in, sorted by name; empty if there are none.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let entries = std::fs::read_dir(folder().join("corpus").join(self.name));
        let mut files: Vec<PathBuf> =
            entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        files.iter().filter_map(|file| std::fs::read(file).ok()).collect()
    }

    /// Where inputs are written that break a law.
    pub fn artifacts(&self) -> PathBuf {
        folder().join("artifacts").join(self.name)
    }
}

/// The folder of this crate.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
