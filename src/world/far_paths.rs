//! Far paths of a world: over tiles that are not loaded, by what it costs to cross them.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use nalgebra::Point3;

use super::error::WorldError;
use super::format::WorldWriter;
use super::info::TilePlace;
use super::section_reader::SectionReader;
use super::streaming::World;
use crate::far::{BorderRules, FarEnd, FarError, FarGround, FarPath, FarRoutes, TileBorders};
use crate::grid::{GridTile, NavGrid};

/// The section of a world that has the borders of its tiles.
const BORDERS: [u8; 4] = *b"BORD";

impl WorldWriter {
    /// Writes the borders of the tiles, so that [`World::far_routes`] has them.
    ///
    /// # Errors
    /// They are written already; the file cannot be written.
    pub fn borders(&mut self, tiles: &[TileBorders]) -> Result<(), WorldError> {
        let mut bytes = (tiles.len() as u32).to_le_bytes().to_vec();
        for tile in tiles {
            let own = tile.to_bytes();
            bytes.extend((own.len() as u32).to_le_bytes());
            bytes.extend(own);
        }
        self.section(BORDERS, &bytes)
    }
}

impl World {
    /// Reads the borders of all tiles, for the far paths of an agent. They stay in memory as long as the
    /// result does. Those of tiles that [`World::set_tiles`] has put in are computed.
    ///
    /// # Errors
    /// The world has none, or no agent of that name; or they cannot be read.
    pub fn far_routes(&self, agent: &str) -> Result<FarRoutes, WorldError> {
        let info = self.info();
        let agent = info.agent_named(agent)?;
        let Some(bytes) = self.section(BORDERS)? else {
            let problem = "it has no border costs; write it with `surefoot world merge --pack`";
            return Err(WorldError::Info { problem: problem.to_owned() });
        };
        let mut rules = None;
        let mut tiles = Vec::new();
        let mut reader = SectionReader::new("section BORD", &bytes);
        for _ in 0..reader.u32()? {
            let length = reader.u32()? as usize;
            let mut borders = TileBorders::from_bytes(reader.bytes(length)?)?;
            if agent.index() < borders.agents.len() {
                let border = borders.agents.swap_remove(agent.index());
                tiles.extend(self.tile_set.origin.border(border));
            }
            rules = Some(borders.rules);
        }
        reader.end()?;
        let ground = FarGround { agent, cell_size: info.frame.cell_size };
        let rules = rules.unwrap_or(BorderRules::with_spacing(1));
        let mut routes = FarRoutes::new(ground, rules, tiles);
        self.update_far_routes(&mut routes)?;
        Ok(routes)
    }

    /// Finds what a path costs that may lead over tiles that are not loaded, and where it crosses their
    /// borders. Loads the tiles of its two ends, and keeps the last four of those; those between stay where they
    /// are. Whoever walks it asks a
    /// navigator of the window for the path to the farthest gate that is loaded, again and again.
    ///
    /// # Errors
    /// There is no ground near an end, no path leads to the goal, or a tile cannot be read.
    pub fn far_path(
        &self,
        routes: &FarRoutes,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
    ) -> Result<FarPath, WorldError> {
        let ends = [from.into(), to.into()];
        if let Some(at) = ends.iter().position(|end| !end.coords.iter().all(|v| v.is_finite())) {
            return Err(WorldError::NotFinite { at });
        }
        let places = ends.map(|end| self.info().place_at(end.x, end.z));
        let tile = |at: usize| {
            let [x, y, z] = ends[at].into();
            let fail = || FarError::NoGround(format!("({x}, {y}, {z})"));
            let tile = self.ends.tile(places[at], || self.own_tile(places[at]))?;
            Ok::<_, WorldError>(tile.ok_or_else(fail)?)
        };
        let tiles = [tile(0)?, tile(1)?];
        let own = places.map(|place| self.info().cells_of(place));
        let end = |at: usize| FarEnd {
            point: ends[at],
            tile: GridTile { own: own[at], grid: &tiles[at] },
        };
        Ok(routes.path(end(0), end(1))?)
    }
}

impl World {
    /// Loads a tile, and leaves its own cells of it.
    fn own_tile(&self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        let Some(tile) = self.tile(place)? else { return Ok(None) };
        let own = tile.cropped_to(&self.info().cells_of(place));
        own.map(Some).map_err(|source| WorldError::Merge { place, source })
    }
}

/// The tiles of the last ends of far paths, without the cells around them: whoever asks again mostly is where it
/// was, or wants to get there.
#[derive(Debug, Default)]
pub(super) struct EndTiles(Mutex<VecDeque<(TilePlace, NavGrid)>>);

/// So many tiles are kept.
const MOST_ENDS: usize = 4;

impl EndTiles {
    /// Returns a tile that is known, or loads it.
    fn tile(
        &self,
        place: TilePlace,
        load: impl FnOnce() -> Result<Option<NavGrid>, WorldError>,
    ) -> Result<Option<NavGrid>, WorldError> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tile)) = known().iter().find(|(known, _)| *known == place) {
            return Ok(Some(tile.clone()));
        }
        let loaded = load()?;
        if let Some(tile) = &loaded {
            let mut known = known();
            known.truncate(MOST_ENDS - 1);
            known.push_front((place, tile.clone()));
        }
        Ok(loaded)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
