//! Provides [`FarJourney`]: the goals of whoever walks a far path through a window that moves.

use nalgebra::Point3;

use super::info::TilePlace;
use super::streaming::World;
use crate::far::FarPath;

/// The goals along a far path, one after another: each is the farthest place on it that loaded ground leads to.
///
/// ```no_run
/// use surefoot::world::{FarJourney, World};
/// use surefoot::{Crowd, HeightCost};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::open("valley.navworld")?;
/// let (from, to) = ([20.0, 30.0, 512.0], [1000.0, 40.0, 300.0]);
/// let routes = world.far_routes("human")?;
/// let mut journey = FarJourney::new(&world.far_path(&routes, from, to)?, to);
/// world.set_interest(&[from.into()])?;
/// let mut crowd = Crowd::new(world.wait().ok_or("no ground")?, HeightCost::default());
/// let walker = crowd.add("human", from, Default::default())?;
/// loop {
///     let at = crowd.member(walker).ok_or("it is gone")?.position();
///     world.set_interest(&[at])?;
///     if let Some(grid) = world.update() {
///         crowd.set_grid(&grid)?;
///     }
///     if let Some(goal) = journey.next_goal(&world, at) {
///         crowd.set_goal(walker, goal)?;
///     }
///     crowd.step(1.0 / 60.0);
/// #   break;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FarJourney {
    /// Where the path crosses borders, and its end.
    stops: Vec<Point3<f32>>,
    /// The indices of the stops from which a link leads to the next one.
    links: Vec<usize>,
    /// The first stop on the tile where the walker was last seen.
    here: usize,
    /// The last goal, as an index of `stops`.
    goal: Option<usize>,
}

impl FarJourney {
    /// The goals along a path that ends at a point.
    pub fn new(path: &FarPath, to: impl Into<Point3<f32>>) -> Self {
        let stops = path.gates.iter().copied().chain([to.into()]).collect();
        FarJourney { stops, links: path.links.clone(), here: 0, goal: None }
    }

    /// Returns where a walker that is at a point should go now; `None` if its last goal is still the one. Call it
    /// when the window has a new grid, and whenever the walker has arrived: at the end of a stage that is not
    /// loaded yet it waits for the next grid. O(crossings ahead).
    pub fn next_goal(&mut self, world: &World, at: impl Into<Point3<f32>>) -> Option<Point3<f32>> {
        let (info, at) = (world.info(), at.into());
        let place = |point: &Point3<f32>| info.place_at(point.x, point.z);
        let here: TilePlace = place(&at);
        if let Some(ahead) = self.stops[self.here..].iter().position(|stop| place(stop) == here) {
            self.here += ahead;
        }
        let is_loaded = |index: &usize| world.is_loaded(self.stops[*index]);
        // Between two stops the path stays on one tile.
        let first = (self.here..self.stops.len()).find(is_loaded).unwrap_or(self.here);
        let farthest = (first..self.stops.len()).take_while(is_loaded).last().unwrap_or(first);
        let goal = farthest.max(self.goal.unwrap_or(0));
        (self.goal.replace(goal) != Some(goal)).then(|| self.stops[goal])
    }

    /// Whether the last goal is the end of the path.
    pub fn is_last(&self) -> bool {
        self.goal == Some(self.stops.len() - 1)
    }

    /// Returns where the link leads that begins at the last goal; `None` if none does. If that is not loaded, no
    /// grid has the link, and a program moves its walker there itself.
    pub fn link_ahead(&self) -> Option<Point3<f32>> {
        let goal = self.goal.filter(|goal| self.links.contains(goal))?;
        self.stops.get(goal + 1).copied()
    }
}
