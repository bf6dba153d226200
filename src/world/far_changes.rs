//! Far paths over tiles that have changed: the costs of crossing those are computed again.

use std::collections::{BTreeMap, BTreeSet};

use super::error::WorldError;
use super::info::TilePlace;
use super::plan::around;
use super::streaming::World;
use crate::far::{BorderRules, FarGround, FarLink, FarRoutes, TileBorder};
use crate::grid::{Cell, GridTile, NavGrid};

impl World {
    /// Computes the costs of crossing the tiles that [`World::set_tiles`] has put in since these routes were read or
    /// brought up to date, and of those next to them that other links lead to now. Returns how many tiles that were.
    /// The routes are then those that packing the changed world would give.
    ///
    /// Takes as long as preparing routes for each of these tiles. A program that must not wait for it does it on
    /// another thread, with [`World::another`] and a clone of the routes.
    ///
    /// # Errors
    /// A tile cannot be read; the routes stay as they were.
    pub fn update_far_routes(&self, routes: &mut FarRoutes) -> Result<usize, WorldError> {
        let least_cell = |place: TilePlace| self.info().cells_of(place).min;
        let now =
            || self.tile_set.versions().map(|(place, version)| (place, least_cell(place), version));
        let is_old =
            |(_, min, version): &(TilePlace, Cell, u64)| routes.versions.get(min) != Some(version);
        let changed: BTreeSet<TilePlace> = now().filter(is_old).map(|(place, ..)| place).collect();
        let mut update = BorderUpdate {
            world: self,
            ground: routes.ground(),
            rules: *routes.rules(),
            tiles: BTreeMap::new(),
        };
        let mut borders = BTreeMap::new();
        for &place in &changed {
            let border = update.border(place)?;
            borders.insert(least_cell(place), border);
        }
        let beside: BTreeSet<TilePlace> = changed.iter().flat_map(|&place| around(place)).collect();
        for place in beside.into_iter().filter(|place| !changed.contains(place)) {
            let min = least_cell(place);
            let Some(before) = routes.border(min) else { continue };
            if update.has_other_links(place, before)? {
                borders.insert(min, update.border(place)?);
            }
        }
        let computed = borders.len();
        if computed > 0 {
            routes.replace(borders);
        }
        routes.versions = now().map(|(_, min, version)| (min, version)).collect();
        Ok(computed)
    }
}

/// Tiles that are looked at to bring borders up to date.
struct BorderUpdate<'a> {
    world: &'a World,
    ground: FarGround,
    rules: BorderRules,
    /// Those that were loaded.
    tiles: BTreeMap<TilePlace, Option<NavGrid>>,
}

impl BorderUpdate<'_> {
    fn tile(&mut self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        if let Some(tile) = self.tiles.get(&place) {
            return Ok(tile.clone());
        }
        let tile = self.world.tile(place)?;
        self.tiles.insert(place, tile.clone());
        Ok(tile)
    }

    /// Computes the border of a tile; `None` if it is gone.
    fn border(&mut self, place: TilePlace) -> Result<Option<TileBorder>, WorldError> {
        let Some(grid) = self.tile(place)? else { return Ok(None) };
        let links = self.links_at(place)?;
        let tile = GridTile { own: self.world.info().cells_of(place), grid: &grid };
        let border = TileBorder::find(&tile, self.ground.agent, &links, &self.rules);
        border.map(Some).map_err(|source| WorldError::Merge { place, source })
    }

    /// Whether other links lead to a tile than its border has.
    fn has_other_links(
        &mut self,
        place: TilePlace,
        border: &TileBorder,
    ) -> Result<bool, WorldError> {
        if !self.has_links() {
            return Ok(false);
        }
        let Some(grid) = self.tile(place)? else { return Ok(false) };
        let inner = grid.cropped_to(&self.world.info().cells_of(place));
        let inner = inner.map_err(|source| WorldError::Merge { place, source })?;
        Ok(!border.has_links(&inner, &self.links_at(place)?))
    }

    /// Whether there are any that lead from tile to tile: the author's, or of an agent that leaves the ground.
    fn has_links(&self) -> bool {
        let info = self.world.info();
        let agent = &info.agents[self.ground.agent.index()];
        !info.links.is_empty() || agent.jump_up > 0.0 || agent.jump_across > 0.0 || agent.drop > 0.0
    }

    /// Returns the links that start or end on a tile, and lead to another or are the author's.
    fn links_at(&mut self, place: TilePlace) -> Result<Vec<FarLink>, WorldError> {
        if !self.has_links() {
            return Ok(Vec::new());
        }
        let (info, agent) = (self.world.info().clone(), self.ground.agent);
        let lanes = |link: &super::links::WorldLink| {
            let lanes = link.lanes.get(agent.index()).map_or(&[][..], Vec::as_slice);
            FarLink::of(&link.link, lanes, info.tile_side, &self.rules)
        };
        let mut found: Vec<FarLink> = info.links.iter().flat_map(lanes).collect();
        // Links within a tile are its own; both ends of the others lie in its grid, so on the tiles around it.
        for owner in around(place) {
            if let Some(grid) = self.tile(owner)? {
                let tile = GridTile { own: info.cells_of(owner), grid: &grid };
                found.extend(FarLink::leaving(&tile, agent, info.tile_side, &self.rules));
            }
        }
        let own = info.cells_of(place);
        found.retain(|link| link.ends.iter().any(|end| own.index(end.cell).is_some()));
        Ok(found)
    }
}
