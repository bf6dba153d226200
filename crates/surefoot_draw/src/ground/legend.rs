//! What the legend says about the ground.

use surefoot::grid::{AreaId, Verdict};
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

use super::super::area_style::area_styles;
use super::super::heights;
use super::super::legend::{LegendBlock, Swatch};
use super::super::numbers::trimmed;
use super::super::palette::{CLOSED, OUT_OF_REACH, SOLID, height_tint};
use super::ground_map::GroundMap;

impl GroundMap<'_> {
    /// The blocks about the ground; `walked` says how much of each kind of ground is walked on.
    pub(in super::super) fn blocks(
        &self,
        observer: &dyn Observer,
        walked: impl Fn(AreaId) -> String,
    ) -> Result<Vec<LegendBlock>, Cancelled> {
        let mut links = LegendBlock::new("Links");
        let count = self.links().len();
        if count > 0 {
            links.row(Swatch::Link { live: true }, "can be taken", count.to_string());
        }
        let (kinds, areas) = (self.kinds(observer)?, self.areas(observer, walked)?);
        Ok(vec![kinds, areas, heights::block(self.heights, true), links])
    }

    /// What there is on the map, to the agent.
    fn kinds(&self, observer: &dyn Observer) -> Result<LegendBlock, Cancelled> {
        let mut there = [false; 4];
        for_each_observed(0..self.window.cells(), observer, |at| {
            let Some(span) = self.cutaway.at_index(at) else { return };
            let kind = match self.verdict(span) {
                Verdict::Walkable if self.in_reach(span) => 0,
                Verdict::Walkable => 1,
                Verdict::InsideSolid => 3,
                _ => 2,
            };
            there[kind] = true;
        })?;
        let name = &self.view.agent().name;
        let rows = [
            (height_tint(0.45), format!("{name} can walk here")),
            (OUT_OF_REACH, "also, but no path leads here".to_owned()),
            (CLOSED, format!("{name} cannot stand here")),
            (SOLID, "inside a solid".to_owned()),
        ];
        let mut block = LegendBlock::new("Ground");
        for ((tint, label), _) in rows.into_iter().zip(there).filter(|(_, there)| *there) {
            block.row(Swatch::Tints(vec![tint]), label, String::new());
        }
        Ok(block)
    }

    /// The kinds of ground that are on the map.
    fn areas(
        &self,
        observer: &dyn Observer,
        walked: impl Fn(AreaId) -> String,
    ) -> Result<LegendBlock, Cancelled> {
        let grid = self.view.grid();
        let mut there = vec![false; grid.areas().len()];
        for_each_observed(0..self.window.cells(), observer, |at| {
            let Some(span) = self.cutaway.at_index(at) else { return };
            let area = usize::from(grid.spans()[span.index()].area().0);
            if let Some(there) = there.get_mut(area) {
                *there = true;
            }
        })?;
        let mut block = LegendBlock::new("Kinds of ground");
        let area_styles = area_styles(grid.areas());
        for (id, area) in grid.areas().iter().enumerate().skip(1).filter(|(id, _)| there[*id]) {
            let id = AreaId(id as u8);
            let cost = match area.forbidden {
                true => "forbidden".to_owned(),
                false => format!("cost × {}", trimmed(f64::from(self.view.factor(id)))),
            };
            let swatch = Swatch::Ground(height_tint(0.45), area_styles[usize::from(id.0)]);
            block.row(swatch, format!("{}, {cost}", area.name), walked(id));
        }
        Ok(block)
    }
}
