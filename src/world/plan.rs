//! Which tiles to load: the nearest to any point of interest, ring by ring, as many as a budget holds.

use std::collections::BTreeSet;

use super::error::WorldError;
use super::info::{BYTES_PER_COLUMN, TilePlace, WorldInfo};
use super::tile_set::TileSet;
use crate::grid::GridFrame;

/// A place on the ground (x, z) [m].
pub(super) type GroundPoint = [f32; 2];

/// What tiles are chosen by.
#[derive(Clone, Debug)]
pub(super) struct PlanParameters<'a> {
    pub points: &'a [GroundPoint],
    /// What the tiles and the columns of their frame may take [bytes].
    pub budget: u64,
    /// Tiles that cannot be loaded.
    pub failed: &'a BTreeSet<TilePlace>,
    /// Rings beyond this one are left for later.
    pub last_ring: u32,
}

/// Tiles to load, nearest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plan {
    pub tiles: Vec<TilePlace>,
    /// How many of them are under points of interest.
    pub under_points: usize,
}

/// The frame over the tiles under some points; `None` without points.
pub(super) fn frame_under(info: &WorldInfo, points: &[GroundPoint]) -> Option<GridFrame> {
    let cells = points.iter().map(|&[x, z]| info.cells_of(info.nearest(info.place_at(x, z))));
    cells.reduce(|one, other| one.bounding(&other))
}

/// So many places are looked at, where there is no ground for a long way.
const MOST_PLACES: usize = 1 << 18;

/// Chooses tiles. Ring 0 is the tiles under the points, and each ring all tiles next to the one before;
/// within a ring, tiles that lie nearer to a point come first. The last ring is the first that does not
/// fit whole; what would make the frame too large is left out.
///
/// # Errors
/// The directory cannot be read.
pub(super) fn plan(source: &TileSet, parameters: &PlanParameters) -> Result<Plan, WorldError> {
    let info = source.info();
    let under = parameters.points.iter().map(|&[x, z]| info.nearest(info.place_at(x, z)));
    let mut ring: BTreeSet<TilePlace> = under.filter(|&place| info.has(place)).collect();
    let mut seen = ring.clone();
    let frame = frame_under(info, parameters.points);
    let mut filling = Filling { plan: Plan::default(), bytes: 0, frame };
    for number in 0..=parameters.last_ring {
        let mut next = BTreeSet::new();
        let mut is_whole = true;
        for place in nearest_first(info, &ring, parameters.points) {
            if filling.columns_with(info, place) > parameters.budget {
                continue;
            }
            is_whole &= filling.add(source, place, parameters)?;
            next.extend(around(place).filter(|&near| info.has(near) && seen.insert(near)));
        }
        if number == 0 {
            filling.plan.under_points = filling.plan.tiles.len();
        }
        if !is_whole || next.is_empty() || seen.len() > MOST_PLACES {
            break;
        }
        ring = next;
    }
    Ok(filling.plan)
}

/// A plan that is being made.
struct Filling {
    plan: Plan,
    /// Of its tiles.
    bytes: u64,
    /// Over the tiles and the points.
    frame: Option<GridFrame>,
}

impl Filling {
    fn frame_with(&self, info: &WorldInfo, place: TilePlace) -> GridFrame {
        let own = info.cells_of(place);
        self.frame.map_or(own, |frame| frame.bounding(&own))
    }

    /// Bytes of the columns of a frame with one more tile.
    fn columns_with(&self, info: &WorldInfo, place: TilePlace) -> u64 {
        let cells = self.frame_with(info, place).cells() as u64;
        cells.saturating_mul(BYTES_PER_COLUMN)
    }

    /// Adds a tile if it exists and fits; returns false if it does not fit.
    fn add(
        &mut self,
        source: &TileSet,
        place: TilePlace,
        parameters: &PlanParameters,
    ) -> Result<bool, WorldError> {
        if parameters.failed.contains(&place) {
            return Ok(true);
        }
        let Some(bytes) = source.bytes_of(place)? else { return Ok(true) };
        let sum = self.bytes.saturating_add(bytes);
        let columns = self.columns_with(source.info(), place);
        if sum.saturating_add(columns) > parameters.budget {
            return Ok(false);
        }
        self.frame = Some(self.frame_with(source.info(), place));
        self.bytes = sum;
        self.plan.tiles.push(place);
        Ok(true)
    }
}

/// Sorts the tiles of a ring by their distance from the nearest point.
fn nearest_first(
    info: &WorldInfo,
    ring: &BTreeSet<TilePlace>,
    points: &[GroundPoint],
) -> Vec<TilePlace> {
    let mut sorted: Vec<(f64, TilePlace)> = ring
        .iter()
        .map(|&place| {
            let (low, high) = info.cells_of(place).bounds();
            let distance = |point: &GroundPoint| {
                let beyond =
                    |i: usize| f64::from((low[i] - point[i]).max(point[i] - high[i]).max(0.0));
                beyond(0).powi(2) + beyond(1).powi(2)
            };
            (points.iter().map(distance).fold(f64::INFINITY, f64::min), place)
        })
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    sorted.into_iter().map(|(_, place)| place).collect()
}

/// The place and those next to it, as far as places can be numbered.
pub(super) fn around(place: TilePlace) -> impl Iterator<Item = TilePlace> {
    let near = move |x: i32, z: i32| {
        Some(TilePlace::new(place.x.checked_add(x)?, place.z.checked_add(z)?))
    };
    (-1..=1).flat_map(move |z| (-1..=1).filter_map(move |x| near(x, z)))
}
