//! Provides [`World`]: a world of tiles, and the window of it that is loaded.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use nalgebra::Point3;

use super::assemble::Tiles;
use super::error::WorldError;
use super::far_paths::EndTiles;
use super::format::{ReadAt, WorldFile};
use super::info::{BYTES_PER_COLUMN, TilePlace, WorldInfo};
use super::plan::{GroundPoint, frame_under};
use super::source::TileSource;
use super::tile_set::TileSet;
use super::window::{Window, WindowJob, WindowProgress, WorldBudget};
use crate::grid::{LoadOptions, NavGrid};
use crate::parallel::{Background, has_background};

/// A world of tiles, and a window of it that follows points of interest.
///
/// Call [`World::set_interest`] and [`World::update`] once a frame. Both are cheap: with the feature
/// `threads`, tiles are read and assembled in the background. Now and then `update` returns a grid of all
/// loaded tiles; pass it on to [`Navigator::set_grid`](crate::Navigator::set_grid) and
/// [`Crowd::set_grid`](crate::Crowd::set_grid).
///
/// The grid's frame is the smallest rectangle over the loaded tiles, and each of its columns takes memory
/// whether there is ground or not. So all points of interest have to be in one part of the world; groups
/// that are far apart take a [`World::another`] each.
///
/// ```
/// use surefoot::NavGrid;
/// use surefoot::world::{TilePlace, World, WorldBudget, WorldInfo};
/// use surefoot::{Agent, Cell, GridFrame};
///
/// let info = WorldInfo::endless(0.5, 16, vec![Agent::new("human")]);
/// let own = info.clone();
/// let flat = move |place: TilePlace| {
///     let cells = own.cells_of(place).grown(1); // and those next to its own
///     NavGrid::from_heights(cells, &vec![0.0; cells.cells()], &own.agents).ok()
/// };
/// let mut world = World::generated(info, flat)?;
/// world.set_budget(WorldBudget { bytes: 1 << 20, ..WorldBudget::default() });
/// world.set_interest(&[[-1000.0, 0.0, 25.0].into()])?;
/// let grid = world.wait().expect("ground"); // or world.update(), frame by frame
/// assert!(grid.column_at([-1000.0, 0.0, 25.0]).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct World {
    pub(super) tile_set: TileSet,
    /// The most memory that a load may take [bytes].
    pub(super) memory_limit: u64,
    budget: WorldBudget,
    /// The points that tiles are chosen by; they follow those of interest with some slack.
    points: Vec<GroundPoint>,
    /// The points of interest as they were set last.
    latest: Vec<GroundPoint>,
    /// The points of the window.
    done: Option<Vec<GroundPoint>>,
    /// Whether there is more to load for them.
    is_partial: bool,
    work: Work,
    /// Those of the window, while no work has them.
    tiles: Tiles,
    places: BTreeSet<TilePlace>,
    failed: BTreeSet<TilePlace>,
    grid: Option<NavGrid>,
    /// The grid before. Whoever walked on it gives it up after it was replaced; then it is dropped in the
    /// background, which takes milliseconds.
    retired: Option<NavGrid>,
    faults: Vec<WorldError>,
    /// Those of the last ends of far paths.
    pub(super) ends: EndTiles,
    /// Tiles that changed, and that the next window has to take up.
    stale: BTreeSet<TilePlace>,
}

/// What is being done.
enum Work {
    Nothing,
    /// Step by step, by whoever calls.
    Here(Box<WindowJob>),
    /// In the background.
    There(Background<Window>),
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Work::Nothing => "Nothing",
            Work::Here(_) => "Here",
            Work::There(_) => "There",
        })
    }
}

/// Tiles are chosen anew once a point of interest has moved this part of a tile's side, so that nothing
/// comes and goes with every step across a border.
const SLACK: f64 = 0.25;

impl World {
    /// Opens a file, with the default [`LoadOptions`]. Reads its root directory only.
    ///
    /// # Errors
    /// As [`World::open_with`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, WorldError> {
        World::open_with(path, &LoadOptions::default())
    }

    /// Opens a file. No tile or section that takes more memory than the limit is read.
    ///
    /// # Errors
    /// As [`World::from_source`], and a file that cannot be opened.
    pub fn open_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let io = |source| WorldError::Io { path: path.to_owned(), source };
        World::from_source(Box::new(File::open(path).map_err(io)?), options)
    }

    /// Opens a file that is read by range, wherever it is.
    ///
    /// # Errors
    /// Bytes of another format, another version, damage, more memory than allowed; a source that fails.
    pub fn from_source(source: Box<dyn ReadAt>, options: &LoadOptions) -> Result<Self, WorldError> {
        let file = WorldFile::open(source, options)?;
        Ok(World::new(TileSet::new(TileSource::File(file)), options.memory_limit))
    }

    /// A world whose tiles are made by a callback, in the background, whenever they are needed; the same
    /// place has to give the same tile each time. `None` is a tile without ground. A tile counts as one
    /// floor when the budget is compared, since its size is not known before.
    ///
    /// # Errors
    /// There can be no such world, see [`WorldInfo::check`].
    pub fn generated(
        info: WorldInfo,
        generate: impl Fn(TilePlace) -> Option<NavGrid> + Send + Sync + 'static,
    ) -> Result<Self, WorldError> {
        info.check()?;
        let source = TileSource::Generated(Arc::new(info), Box::new(generate));
        Ok(World::new(TileSet::new(source), LoadOptions::default().memory_limit))
    }

    /// The same world with a window of its own, which has no points of interest yet: for another group far
    /// away. Both share the source.
    #[must_use]
    pub fn another(&self) -> Self {
        World { budget: self.budget, ..World::new(self.tile_set.clone(), self.memory_limit) }
    }

    /// The same world with a window of its own, seen from one of its tiles: coordinates, cells and places count from
    /// the least corner of that tile. Of tiles that [`World::set_tiles`] has put in it has none.
    ///
    /// Coordinates are 32-bit: 100 km from the origin they tell 8 mm apart, and bodies that take small steps stutter.
    /// A game moves the origin to where it plays once it is some kilometres away, and moves what else it has by the
    /// same number of metres: tiles are `tile_side * cell_size` wide. Regions and far routes have to be read again.
    ///
    /// # Errors
    /// The tile is so far away that its cells have no numbers.
    pub fn at_origin(&self, place: TilePlace) -> Result<Self, WorldError> {
        let tile_set = self.tile_set.at_origin(place)?;
        Ok(World { budget: self.budget, ..World::new(tile_set, self.memory_limit) })
    }

    fn new(tile_set: TileSet, memory_limit: u64) -> Self {
        World {
            tile_set,
            memory_limit,
            budget: WorldBudget::default(),
            points: Vec::new(),
            latest: Vec::new(),
            done: None,
            is_partial: false,
            work: Work::Nothing,
            tiles: Tiles::new(),
            places: BTreeSet::new(),
            failed: BTreeSet::new(),
            grid: None,
            retired: None,
            faults: Vec::new(),
            ends: EndTiles::default(),
            stale: BTreeSet::new(),
        }
    }

    /// Puts tiles in place of those of the source, in this window: those of a level that has changed, from now on
    /// and wherever the points of interest go. `None` is a tile without ground any more. The next update makes a new
    /// grid if one of them is loaded. A change that is seen from several tiles takes all of those at once, or they
    /// do not fit where they meet. The author's links stay on their floors, if those are still there within the
    /// agent's max climb; the tiles of the file at their ends are loaded for that. [`World::update_far_routes`] brings
    /// the costs of far paths up to date. O(tiles · log tiles).
    ///
    /// # Errors
    /// One is not the tile of its place, or a tile of the file cannot be read; nothing changes.
    pub fn set_tiles(
        &mut self,
        tiles: impl IntoIterator<Item = (TilePlace, Option<NavGrid>)>,
    ) -> Result<(), WorldError> {
        let tiles: Vec<(TilePlace, Option<NavGrid>)> = tiles.into_iter().collect();
        for (place, tile) in &tiles {
            if let Some(tile) = tile {
                self.info().check_tile(*place, tile)?;
            }
        }
        let places: Vec<TilePlace> = tiles.iter().map(|(place, _)| *place).collect();
        self.tile_set.replace(tiles)?;
        self.stale.extend(places);
        self.ends.clear();
        Ok(())
    }

    /// What its tiles have in common: cells, agents, areas, provenance.
    pub fn info(&self) -> &WorldInfo {
        self.tile_set.info()
    }

    /// How much is loaded at most.
    pub fn budget(&self) -> WorldBudget {
        self.budget
    }

    /// Sets how much is loaded at most; the window follows at the next [`World::update`].
    pub fn set_budget(&mut self, budget: WorldBudget) {
        if budget.bytes != self.budget.bytes {
            self.done = None;
        }
        self.budget = budget;
    }

    /// Sets the points of interest: whoever walks, and where they are about to go. The tiles under them are
    /// loaded first, then all around those, ring by ring, as far as the budget reaches. Points outside the
    /// world stand for the nearest place in it. Tiles are chosen anew once a point has moved a quarter of a
    /// tile's side, or their number changes. Without points, the window stays. O(points).
    ///
    /// # Errors
    /// A point is not finite; the columns between the points alone take more than half of the budget.
    /// Nothing changes.
    pub fn set_interest(&mut self, points: &[Point3<f32>]) -> Result<(), WorldError> {
        if let Some(at) = points.iter().position(|at| !(at.x.is_finite() && at.z.is_finite())) {
            return Err(WorldError::NotFinite { at });
        }
        let points: Vec<GroundPoint> = points.iter().map(|point| [point.x, point.z]).collect();
        let info = self.info();
        if let Some(frame) = frame_under(info, &points) {
            let needed = (frame.cells() as u64).saturating_mul(BYTES_PER_COLUMN);
            let budget = self.budget.bytes;
            let side = f64::from(frame.size_x.max(frame.size_z));
            if needed > budget / 2 && frame.size_x.max(frame.size_z) > info.tile_side {
                let metres = side * f64::from(frame.cell_size);
                return Err(WorldError::TooFarApart { metres, needed, budget });
            }
        }
        let slack = SLACK * f64::from(info.frame.cell_size) * f64::from(info.tile_side);
        let is_near = |(a, b): (&GroundPoint, &GroundPoint)| {
            let along = |i: usize| f64::from(a[i]) - f64::from(b[i]);
            along(0) * along(0) + along(1) * along(1) <= slack * slack
        };
        let stays =
            self.points.len() == points.len() && self.points.iter().zip(&points).all(is_near);
        if !stays {
            self.points.clone_from(&points);
        }
        self.latest = points;
        Ok(())
    }

    /// The grid of the window, if it has been loaded.
    pub fn grid(&self) -> Option<&NavGrid> {
        self.grid.as_ref()
    }

    /// Whether tiles are being loaded or assembled, in the background or step by step.
    pub fn is_loading(&self) -> bool {
        !matches!(self.work, Work::Nothing)
    }

    /// The tiles of the window, row by row.
    pub fn loaded(&self) -> impl Iterator<Item = TilePlace> + '_ {
        self.places.iter().copied()
    }

    /// Whether the tile under a point is in the window: with a member elsewhere, a crowd would lose it.
    pub fn is_loaded(&self, point: impl Into<Point3<f32>>) -> bool {
        let point = point.into();
        self.places.contains(&self.info().place_at(point.x, point.z))
    }

    /// What went wrong in the background since the last call, such as tiles that cannot be read. They are
    /// left out of the window, as if there were no ground, and tried again after this call.
    pub fn take_faults(&mut self) -> Vec<WorldError> {
        if !self.failed.is_empty() {
            self.failed.clear();
            self.done = None;
        }
        std::mem::take(&mut self.faults)
    }

    /// Lets the window follow the points of interest, and returns its grid when that is a new one. Call it
    /// once a frame. With threads, loads begin and end here, and the work is done in the background; without
    /// them it loads a few tiles itself, see [`WorldBudget::tiles_per_update`], and the call that returns a
    /// grid takes O(spans). If the tiles under the points are new, a first grid has only those and the ones
    /// next to them, and the next grid has all. No grid lacks the tile under a point of interest that the
    /// one before it had, if the budget holds those under all points: points that moved meanwhile are waited for.
    pub fn update(&mut self) -> Option<NavGrid> {
        if let Some(retired) = self.retired.take().filter(|_| has_background()) {
            drop(Background::start(move || drop(retired)));
        }
        match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Nothing => {
                self.begin();
                None
            }
            Work::Here(mut job) => {
                if !job.step(self.budget.tiles_per_update.max(1) as usize) {
                    self.work = Work::Here(job);
                    return None;
                }
                self.adopt(job.finish())
            }
            Work::There(work) if work.is_done() => self.collect(work),
            Work::There(work) => {
                self.work = Work::There(work);
                None
            }
        }
    }

    /// Lets the window follow the points of interest, and waits until it has. Returns the last of its new
    /// grids; `None` if it is as before, or there is no ground. What it is does not depend on how long
    /// anything takes: the same points, in the same order of calls, give the same grid.
    pub fn wait(&mut self) -> Option<NavGrid> {
        let mut last = None;
        loop {
            let grid = match std::mem::replace(&mut self.work, Work::Nothing) {
                Work::Nothing => {
                    self.begin();
                    if matches!(self.work, Work::Nothing) {
                        return last;
                    }
                    None
                }
                Work::Here(job) => self.adopt(job.run()),
                Work::There(work) => self.collect(work),
            };
            last = grid.or(last);
        }
    }

    /// Begins to load what is missing, if anything is.
    fn begin(&mut self) {
        let is_current =
            self.done.as_ref() == Some(&self.points) && !self.is_partial && self.stale.is_empty();
        if is_current || self.points.is_empty() {
            return;
        }
        let mut loaded = std::mem::take(&mut self.tiles);
        let stale = std::mem::take(&mut self.stale);
        let before = loaded.len();
        loaded.retain(|place, _| !stale.contains(place));
        let is_changed = loaded.len() < before || !loaded.keys().eq(&self.places);
        let job = WindowJob {
            source: self.tile_set.clone(),
            is_changed,
            points: self.points.clone(),
            budget: self.budget.bytes,
            is_urgent: !(self.is_partial && self.done.as_ref() == Some(&self.points)),
            loaded,
            failed: self.failed.clone(),
            progress: WindowProgress::default(),
        };
        self.done = Some(self.points.clone());
        self.work = if has_background() {
            Work::There(Background::start_alone(move || job.run()))
        } else {
            Work::Here(Box::new(job))
        };
    }

    fn collect(&mut self, work: Background<Window>) -> Option<NavGrid> {
        match work.join() {
            Some(window) => self.adopt(window),
            None => {
                self.faults.push(WorldError::Panicked);
                self.is_partial = false;
                None
            }
        }
    }

    fn adopt(&mut self, window: Window) -> Option<NavGrid> {
        self.is_partial = window.is_partial;
        self.tiles = window.tiles;
        self.failed.extend(window.failed);
        self.faults.extend(window.faults);
        let grid = window.grid?;
        if self.leaves_a_point_behind() {
            // It was planned for where they were.
            self.points.clone_from(&self.latest);
            self.done = None;
            self.retired = Some(grid);
            return None;
        }
        self.places = self.tiles.keys().copied().collect();
        self.retired = self.grid.replace(grid.clone());
        Some(grid)
    }

    /// Whether a point of interest lies on a tile of the window, but on none of those that were loaded after it.
    fn leaves_a_point_behind(&self) -> bool {
        let is_left = |&[x, z]: &GroundPoint| {
            let place = self.info().nearest(self.info().place_at(x, z));
            self.places.contains(&place) && !self.tiles.contains_key(&place)
        };
        self.done.as_ref() != Some(&self.latest) && self.latest.iter().any(is_left)
    }
}
