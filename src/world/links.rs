//! Provides [`WorldLink`]: a link that an author marked, whose ends may lie on different tiles.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::grid::{CellLayer, GridParts, Link, LinkLane, SpanId};

/// A link of a world. The lanes of a [`Link`] are spans of one grid; a world has no numbers for its spans, so
/// its links have addresses. A window has those of their lanes whose ends are both loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldLink {
    /// The link, without lanes.
    pub link: Link,
    /// For each agent the lanes it can take, without repeats, from start to end.
    pub lanes: Vec<Vec<[CellLayer; 2]>>,
}

impl WorldLink {
    /// Returns what is wrong with it, if anything is.
    ///
    /// # Errors
    /// A cost or an end that is no number, lanes of other agents or twice.
    pub(super) fn check(&self, agents: usize) -> Result<(), String> {
        self.link.check_values()?;
        if self.lanes.len() != agents {
            return Err(format!("lanes for {} agents of {agents}", self.lanes.len()));
        }
        if !self.link.lanes.is_empty() {
            return Err("it has lanes between spans, not between addresses".to_owned());
        }
        for lanes in &self.lanes {
            let distinct: BTreeSet<&[CellLayer; 2]> = lanes.iter().collect();
            if distinct.len() < lanes.len() {
                return Err("a lane is there twice".to_owned());
            }
            if lanes.iter().any(|[from, to]| from == to) {
                return Err("a lane leads to where it starts".to_owned());
            }
        }
        Ok(())
    }

    /// Returns the link with the ends of its lanes moved; lanes of which an end is nowhere are left out.
    pub(super) fn moved(
        &self,
        agents: &[Agent],
        to: impl Fn(&Agent, CellLayer) -> Option<CellLayer>,
    ) -> WorldLink {
        let lanes = agents.iter().zip(&self.lanes).map(|(agent, lanes)| {
            let mut known = BTreeSet::new();
            let moved =
                lanes.iter().filter_map(|&[from, end]| Some([to(agent, from)?, to(agent, end)?]));
            moved.filter(|lane| known.insert(*lane)).collect()
        });
        WorldLink { link: self.link.clone(), lanes: lanes.collect() }
    }

    /// Returns the link of a grid, with the lanes both of whose ends the agent can stand on there. `None` if
    /// it has none.
    pub(super) fn in_grid(&self, parts: &GridParts) -> Option<Link> {
        let span = |address: CellLayer| {
            let column = parts.frame.index(address.cell)?;
            let id = parts.first[column].checked_add(address.layer)?;
            (id < parts.first[column + 1]).then_some(SpanId(id))
        };
        let agents = parts.layers.iter().zip(&self.lanes);
        let lanes = agents.map(|(layer, lanes)| {
            let ends = lanes.iter().filter_map(|&[from, to]| Some([span(from)?, span(to)?]));
            let can_stand = |span: &SpanId| layer.standings[span.index()].is_walkable();
            ends.filter(|ends| ends.iter().all(can_stand)).map(LinkLane::new).collect()
        });
        let lanes: Vec<Vec<LinkLane>> = lanes.collect();
        let has_lane = lanes.iter().any(|lanes| !lanes.is_empty());
        has_lane.then(|| Link { lanes, ..self.link.clone() })
    }
}
