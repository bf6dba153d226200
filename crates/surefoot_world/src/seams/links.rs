//! Links that lead from tile to tile: those that the author marked, and those that a bake generated.

use std::collections::BTreeSet;

use surefoot::far::{BorderRules, FarLink};
use surefoot::grid::{AgentId, GridFrame, GridTile};
use surefoot_bake::scene::LinkMarker;
use surefoot_bake::{WorldLinkFound, WorldLinkRules};

use super::tile_reader::TileReader;
use crate::error::JobError;
use crate::plan::WorldPlan;

/// The links that the borders of a tile depend on, beyond those within it.
pub(crate) struct LinksNearTile<'a> {
    index: usize,
    /// The author's, which start or end on the tile or close to it.
    markers: Vec<&'a LinkMarker>,
    /// The tiles whose generated links may lead to this one, itself among them; none if no agent leaves the
    /// ground.
    owners: Vec<usize>,
    /// The tiles that all of these links depend on, and the tile itself.
    pub tiles: BTreeSet<usize>,
}

impl WorldPlan {
    /// How the author's links are moved to ground.
    pub(crate) fn link_rules(&self) -> WorldLinkRules<'_> {
        WorldLinkRules { agents: &self.request.settings.agents, cell_size: self.frame.cell_size }
    }

    /// Returns the cells that the ends of a link depend on, as far as the world has them.
    fn link_ends(&self, marker: &LinkMarker) -> [GridFrame; 2] {
        let nowhere = GridFrame { size_x: 0, size_z: 0, ..self.frame };
        let ends = self.link_rules().cells_around_ends(marker).unwrap_or([nowhere; 2]);
        ends.map(|cells| cells.overlap(&self.frame))
    }

    /// Returns the links near a tile.
    ///
    /// # Errors
    /// There is no such tile.
    pub(crate) fn links_near(&self, index: usize) -> Result<LinksNearTile<'_>, JobError> {
        let own = self.tile(index)?.own;
        let mut tiles = BTreeSet::from([index]);
        let mut markers = Vec::new();
        for marker in &self.links {
            let ends = self.link_ends(marker);
            if ends.iter().any(|cells| cells.overlap(&own).cells() > 0) {
                tiles.extend(ends.iter().flat_map(|cells| self.tiles_over(cells)));
                markers.push(marker);
            }
        }
        let owners = self.link_owners(index);
        tiles.extend(&owners);
        Ok(LinksNearTile { index, markers, owners, tiles })
    }

    /// Returns the tiles whose generated links may lead to a tile, itself among them; none if no agent leaves the
    /// ground.
    pub(crate) fn link_owners(&self, index: usize) -> Vec<usize> {
        match (self.link_reach, self.tiles.get(index)) {
            (0, _) | (_, None) => Vec::new(),
            (reach, Some(tile)) => self.tiles_over(&tile.own.grown(reach).overlap(&self.frame)),
        }
    }

    /// Returns the tiles that have to be there before the borders of a tile can be computed, itself among them.
    ///
    /// # Errors
    /// There is no such tile.
    pub fn tiles_before_seams(&self, index: usize) -> Result<Vec<usize>, JobError> {
        Ok(self.links_near(index)?.tiles.into_iter().collect())
    }
}

impl LinksNearTile<'_> {
    /// Returns a hash of what the links depend on; `None` if there are none.
    pub fn key(&self, plan: &WorldPlan) -> Option<String> {
        if self.markers.is_empty() && self.owners.len() < 2 {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        for &index in &self.tiles {
            hasher.update(plan.tiles[index].key.as_bytes());
        }
        hasher.update(&serde_json::to_vec(&self.markers).unwrap_or_default());
        Some(hasher.finalize().to_hex()[..16].to_owned())
    }

    /// Returns the links for an agent, as far paths take them.
    ///
    /// # Errors
    /// A tile that they depend on is not there yet, or damaged.
    pub fn find(
        &self,
        reader: &mut TileReader,
        agent: AgentId,
        rules: &BorderRules,
    ) -> Result<Vec<FarLink>, JobError> {
        let (plan, mut found) = (reader.plan, Vec::new());
        for marker in &self.markers {
            let WorldLinkFound { link, .. } = find_link(reader, marker)?;
            let lanes = link.lanes.get(agent.index()).map_or(&[][..], Vec::as_slice);
            found.extend(FarLink::of(&link.link, lanes, plan.tile_side, rules));
        }
        for &owner in &self.owners {
            let grid = &reader.tile(owner)?;
            let tile = GridTile { own: plan.tiles[owner].own, grid };
            found.extend(FarLink::leaving(&tile, agent, plan.tile_side, rules));
        }
        let own = plan.tiles[self.index].own;
        found.retain(|link| link.ends.iter().any(|end| own.index(end.cell).is_some()));
        Ok(found)
    }
}

/// Moves the ends of one of the author's links to the ground of the tiles around them.
///
/// # Errors
/// A tile is not there yet, or damaged.
pub(crate) fn find_link(
    reader: &mut TileReader,
    marker: &LinkMarker,
) -> Result<WorldLinkFound, JobError> {
    let plan = reader.plan;
    let [start, end] = plan.link_ends(marker);
    let (start, end) = (reader.ground(&start)?, reader.ground(&end)?);
    Ok(plan.link_rules().find(marker, [&start, &end]))
}
