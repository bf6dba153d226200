//! Provides [`Viewed`]: the files that a page shows, and their versions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::config::PageConfig;

/// The files that a page shows. Whoever watches them replaces them here, and the page follows; clones
/// share them.
#[derive(Clone, Debug)]
pub struct Viewed {
    files: Arc<Mutex<Files>>,
}

#[derive(Debug)]
struct Files {
    config: PageConfig,
    grid: Arc<[u8]>,
    scene: Arc<[u8]>,
    revision: Revision,
}

/// What the page asks for now and then: it loads again what has another version than before.
#[derive(Clone, Debug, Serialize)]
struct Revision {
    /// The JSON of the page has strings, since numbers of other programs may be larger than its own.
    grid: String,
    scene: String,
    message: Option<String>,
    #[serde(skip)]
    count: u64,
}

impl Viewed {
    /// No files yet.
    pub fn new(config: PageConfig) -> Self {
        let revision =
            Revision { grid: "0".to_owned(), scene: "0".to_owned(), message: None, count: 0 };
        let empty = || Arc::from(Vec::new());
        let files = Files { config, grid: empty(), scene: empty(), revision };
        Viewed { files: Arc::new(Mutex::new(files)) }
    }

    /// Replaces the grid by the bytes of a file.
    pub fn set_grid(&self, file: Vec<u8>) {
        let mut files = self.lock();
        files.grid = file.into();
        files.revision.grid = files.revision.next();
        files.revision.message = None;
    }

    /// Replaces the scene, see [`scene_file`](crate::scene_file); empty for none.
    pub fn set_scene(&self, scene: Vec<u8>) {
        let mut files = self.lock();
        files.scene = scene.into();
        files.revision.scene = files.revision.next();
    }

    /// Shows what is wrong with the files; `None` if nothing is.
    pub fn set_warning(&self, warning: Option<String>) {
        self.lock().config.warning = warning;
    }

    /// Shows what is going on, such as a bake, until the grid is replaced.
    pub fn set_message(&self, message: impl Into<String>) {
        self.lock().revision.message = Some(message.into());
    }

    pub(crate) fn config_json(&self) -> Vec<u8> {
        json(&self.lock().config)
    }

    pub(crate) fn revision_json(&self) -> Vec<u8> {
        json(&self.lock().revision)
    }

    pub(crate) fn grid(&self) -> Arc<[u8]> {
        self.lock().grid.clone()
    }

    pub(crate) fn scene(&self) -> Arc<[u8]> {
        self.lock().scene.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        // Nothing is half done when a thread panics: each change is a single assignment.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Revision {
    fn next(&mut self) -> String {
        self.count += 1;
        self.count.to_string()
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
