//! Who finds paths, each as a `Side`.

mod landmass;
mod ours;
mod polyanya;

use glam::Vec3;

use crate::wire::Preparation;

pub use landmass::Landmass;
pub use ours::{Counted, Found, Kind, Ours, Wanted};
pub use polyanya::{Asked, Points, Polyanya, Polygons};

/// What a side answers with.
#[derive(Clone, Copy, PartialEq)]
pub enum Output {
    /// A path.
    Path,
    /// A path that another side tells, too.
    SamePath,
    /// Something that a path can be made from.
    Corridor,
}

/// Somebody who finds paths between pairs that are known.
pub trait Side {
    fn name(&self) -> String;

    fn output(&self) -> Output;

    /// Finds a path for each pair in this order; how long each took, by pair [µs].
    fn run(&mut self, order: &[usize]) -> Vec<f64>;

    /// The corners of each path, the ends among them; none where there is no path.
    fn answers(&mut self) -> Vec<Option<Vec<Vec3>>>;

    fn preparation(&self) -> Preparation;
}
