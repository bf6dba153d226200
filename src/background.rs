//! Provides [`Background`]: work that goes on while the caller does something else.

/// Work whose result is asked for later.
#[derive(Debug)]
pub(crate) struct Background<T> {
    work: Work<T>,
}

enum Work<T> {
    #[cfg(feature = "threads")]
    Running(std::thread::JoinHandle<T>),
    /// No thread could be started: done by the caller when it asks for the result.
    Deferred(Box<dyn FnOnce() -> T + Send>),
}

impl<T> std::fmt::Debug for Work<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Work")
    }
}

impl<T: Send + 'static> Background<T> {
    /// Starts work on a thread of its own if there are threads to be had; otherwise the caller does
    /// it when it asks for the result.
    pub(crate) fn start(work: impl FnOnce() -> T + Send + 'static) -> Self {
        #[cfg(feature = "threads")]
        {
            use std::sync::{Arc, Mutex};
            // A thread that cannot be started must not take the work with it.
            let shared = Arc::new(Mutex::new(Some(work)));
            let own = shared.clone();
            let take = move || own.lock().ok().and_then(|mut work| work.take());
            let run = {
                let take = take.clone();
                move || take().map(|work| work())
            };
            let builder = std::thread::Builder::new().name("surefoot".to_owned());
            if let Ok(thread) = builder.spawn(move || run().expect("the work is taken once")) {
                return Background { work: Work::Running(thread) };
            }
            let deferred = move || take().map(|work| work()).expect("the work is taken once");
            return Background { work: Work::Deferred(Box::new(deferred)) };
        }
        #[cfg(not(feature = "threads"))]
        Background { work: Work::Deferred(Box::new(work)) }
    }

    /// The result; waits for it if need be. `None` if the work panicked.
    pub(crate) fn join(self) -> Option<T> {
        match self.work {
            #[cfg(feature = "threads")]
            Work::Running(thread) => thread.join().ok(),
            Work::Deferred(work) => Some(work()),
        }
    }
}
