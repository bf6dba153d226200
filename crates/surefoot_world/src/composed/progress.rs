//! Progress over several files.

use surefoot::Observer;

/// Every file counts for so many parts.
const PARTS: usize = 1000;

/// How far the files of a world are read, as one piece of work.
pub struct FileProgress<'a> {
    observer: &'a dyn Observer,
    done: usize,
    files: usize,
}

impl<'a> FileProgress<'a> {
    /// Starts before the first of so many files.
    pub fn new(observer: &'a dyn Observer, files: usize) -> Self {
        FileProgress { observer, done: 0, files }
    }

    /// A file is done.
    pub fn next_file(&mut self) {
        self.done += 1;
        self.observer.parts_done(self.done * PARTS, self.files * PARTS);
    }
}

impl Observer for FileProgress<'_> {
    fn parts_done(&self, done: usize, of: usize) {
        let part = (done.min(of) * PARTS).checked_div(of).unwrap_or(0);
        self.observer.parts_done(self.done * PARTS + part, self.files * PARTS);
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}
