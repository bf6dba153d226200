//! Provides [`BackgroundBake`]: a level that changes while other threads go on.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::LiveBake;
use crate::stages::{BakeError, BakeObserver};
use surefoot::{NavGrid, Observer};

/// A [`LiveBake`] on a thread of its own. Edits are queued; whenever the thread is free it makes all that
/// wait, and updates the level. Until then the grid before answers.
///
/// What a grid looks like does not depend on when the thread gets to it: after all edits it is that of a
/// whole bake.
///
/// ```
/// use surefoot_bake::scene::{Placement, SceneBuilder};
/// use surefoot_bake::{BackgroundBake, BakeSettings, LiveBake};
/// let mut builder = SceneBuilder::new("yard");
/// builder.cuboid("ground", [8.0, 0.5, 8.0], Placement::at([0.0, -0.5, 0.0]));
/// builder.cuboid("wall", [0.2, 1.0, 8.0], Placement::at([0.0, 1.0, 0.0]));
/// let live = LiveBake::new(builder.build()?, &BakeSettings::default(), &())?;
/// let level = BackgroundBake::start(live);
/// let before = level.grid();
///
/// level.edit(|live| {
///     let walls: Vec<_> = live.colliders("wall").collect();
///     walls.into_iter().for_each(|wall| live.remove(wall).expect("it is there"));
/// });
/// // Every frame: is there another grid? Here there is nothing else to do.
/// assert_ne!(level.wait()?, before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BackgroundBake {
    thread: JoinHandle<LiveBake>,
    shared: StopOnDrop,
}

type Edit = Box<dyn FnOnce(&mut LiveBake) + Send>;

struct Shared {
    state: Mutex<State>,
    /// Signaled at every change of the state.
    changed: Condvar,
    /// Ends the update that runs.
    stops: AtomicBool,
}

struct State {
    edits: VecDeque<Edit>,
    /// Whether the thread is making edits or updating, or has ended.
    is_busy: bool,
    has_ended: bool,
    grid: NavGrid,
    /// Whether nobody has asked for it since the last update.
    is_new: bool,
    /// Why the last update failed, until someone asks.
    error: Option<BakeError>,
}

impl BackgroundBake {
    /// Moves a level to a thread of its own.
    pub fn start(live: LiveBake) -> Self {
        let state = State {
            edits: VecDeque::new(),
            is_busy: false,
            has_ended: false,
            grid: live.grid().clone(),
            is_new: false,
            error: None,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            stops: AtomicBool::new(false),
        });
        let worker = Worker { shared: Arc::clone(&shared), live };
        let thread = std::thread::spawn(move || worker.run());
        BackgroundBake { thread, shared: StopOnDrop(shared) }
    }

    /// Queues an edit: it calls [`LiveBake::add`], [`LiveBake::move_to`] and [`LiveBake::remove`], and
    /// deals with their errors. The update follows by itself. Returns at once.
    pub fn edit(&self, edit: impl FnOnce(&mut LiveBake) + Send + 'static) {
        self.lock().edits.push_back(Box::new(edit));
        self.shared.0.changed.notify_all();
    }

    /// The grid of the last update that is done. Cheap.
    pub fn grid(&self) -> NavGrid {
        self.lock().grid.clone()
    }

    /// The grid of the last update that is done, if this has not returned it before: to be asked for every
    /// frame. Cheap.
    pub fn new_grid(&self) -> Option<NavGrid> {
        let mut state = self.lock();
        std::mem::take(&mut state.is_new).then(|| state.grid.clone())
    }

    /// Whether all edits are in the grid, or the last update failed.
    pub fn is_idle(&self) -> bool {
        self.lock().is_idle()
    }

    /// Waits until all edits so far are in the grid, and returns it.
    ///
    /// # Errors
    /// The last update failed since this was asked last. The grid is the one before; the next update tries
    /// again.
    ///
    /// # Panics
    /// An edit panicked.
    pub fn wait(&self) -> Result<NavGrid, BakeError> {
        let busy = |state: &mut State| !state.is_idle() && !state.has_ended;
        let state = self.shared.0.changed.wait_while(self.lock(), busy);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        assert!(!state.has_ended, "an edit of the level panicked");
        match state.error.take() {
            Some(error) => Err(error),
            None => Ok(state.grid.clone()),
        }
    }

    /// Ends the thread and returns the level. An update that runs is cancelled; edits that wait are made,
    /// and are in the grid after the next [`LiveBake::update`].
    ///
    /// # Panics
    /// An edit panicked.
    pub fn stop(self) -> LiveBake {
        let BackgroundBake { thread, shared } = self;
        drop(shared);
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.0.lock()
    }
}

/// Ends the thread when it is dropped.
#[derive(Debug)]
struct StopOnDrop(Arc<Shared>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stops.store(true, Ordering::Relaxed);
        // Not between a look at the flag and the wait for a change.
        let _state = self.0.lock();
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic of the thread leaves nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        let edits = state.edits.len();
        f.debug_struct("Shared").field("edits", &edits).field("is_busy", &state.is_busy).finish()
    }
}

impl State {
    fn is_idle(&self) -> bool {
        self.edits.is_empty() && !self.is_busy
    }
}

/// What runs on the thread.
struct Worker {
    shared: Arc<Shared>,
    live: LiveBake,
}

/// Marks the thread as ended, however it ends.
struct EndMark<'a>(&'a Shared);

impl Drop for EndMark<'_> {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.changed.notify_all();
    }
}

impl Worker {
    fn run(self) -> LiveBake {
        let Worker { shared, mut live } = self;
        let _mark = EndMark(&shared);
        loop {
            let edits = Self::next_edits(&shared);
            let stops = || shared.stops.load(Ordering::Relaxed);
            edits.into_iter().for_each(|edit| edit(&mut live));
            if stops() {
                return live;
            }
            let updated = live.update(&*shared);
            let mut state = shared.lock();
            match updated {
                Ok(_) => (state.grid, state.is_new) = (live.grid().clone(), true),
                Err(BakeError::Cancelled) if stops() => return live,
                Err(error) => state.error = Some(error),
            }
            state.is_busy = false;
            shared.changed.notify_all();
        }
    }

    /// Waits for edits, or for the end.
    fn next_edits(shared: &Shared) -> VecDeque<Edit> {
        let waits =
            |state: &mut State| state.edits.is_empty() && !shared.stops.load(Ordering::Relaxed);
        let state = shared.changed.wait_while(shared.lock(), waits);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.is_busy = true;
        std::mem::take(&mut state.edits)
    }
}

impl Observer for Shared {
    fn is_cancelled(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }
}

impl BakeObserver for Shared {}
