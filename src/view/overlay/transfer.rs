//! The changes of an overlay over another grid.

use std::collections::BTreeMap;

use super::{Overlay, PatchChange};
use crate::grid::{AreaId, LinkId, NavGrid, factors};

impl Overlay {
    /// The same changes over another grid, such as the next one of a level that was baked again. Obstacles
    /// keep their ids; factors go by the names of areas, which links are open and where those are that move
    /// by the ids of links. O(spans under obstacles), and for each agent O(spans) if there are any.
    #[must_use]
    pub fn over(&self, grid: &NavGrid) -> Self {
        let mut moved = Overlay::new(grid);
        moved.next_id = self.next_id;
        for (&id, footprint) in &self.obstacles {
            moved.patch(footprint, PatchChange::Add);
            moved.obstacles.insert(id, footprint.clone());
        }
        let as_baked = factors(self.grid.areas());
        for (at, area) in grid.areas().iter().enumerate() {
            let known = self.grid.areas().iter().position(|known| known.name == area.name);
            let is_changed = |&known: &usize| self.factors[known] != as_baked[known];
            if let Some(known) = known.filter(is_changed) {
                moved.set_factor(AreaId(at as u8), self.factors[known]).ok();
            }
        }
        let known = self.grid.links().iter().enumerate().map(|(index, link)| (link.id, index));
        let known: BTreeMap<LinkId, usize> = known.collect();
        for (index, link) in grid.links().iter().enumerate() {
            let Some(&known) = known.get(&link.id) else { continue };
            moved.away_links[index] = self.away_links[known];
            if !self.open_links[known] {
                moved.set_link_open(index, false).ok();
            }
        }
        moved.version = moved.version.max(self.version + 1);
        moved
    }
}
