//! Provides [`GridDifference`]: what changed from one grid of a level to another.

use serde::Serialize;
use surefoot::{AgentId, NavGrid, Observer};

use super::agent_difference::{AgentDifference, AgentRequest};
use super::causes::{Causes, SettingChange, area_changes};
use super::grid_pair::{AgentPair, GridPair};
use super::link_changes::{LinkChanges, LinkComparison, LinkList};
use super::options::{DifferenceError, DifferenceOptions};

/// What changed from an old grid to a new one. It has all that a page needs to show it: places with
/// coordinates, and their cells if they are asked for.
#[derive(Clone, Debug, Serialize)]
pub struct GridDifference {
    /// Whether nothing that matters to agents differs.
    pub same: bool,
    /// What differs of scene, settings and bounds. Grids may be the same for all that.
    pub causes: Causes,
    /// Names of agents that only the old grid has; empty if one agent was asked for.
    pub agents_lost: Vec<String>,
    /// Names of agents that only the new grid has; empty if one agent was asked for.
    pub agents_gained: Vec<String>,
    /// Areas that differ in what they cost.
    pub areas: Vec<SettingChange>,
    /// What became of the links.
    pub links: LinkChanges,
    /// What changed for each agent that both grids have.
    pub agents: Vec<AgentDifference>,
    /// What differs that no agent notices, in sentences.
    pub unnoticed: Vec<String>,
}

impl GridDifference {
    /// Compares two grids. O(spans · agents), and the time of the sampled paths.
    ///
    /// ```
    /// use surefoot::NavGrid;
    /// use surefoot_report::{DifferenceOptions, GridDifference};
    /// let old = NavGrid::from_map("type octile\nheight 1\nwidth 5\nmap\n.....\n", 1.0, &[])?;
    /// let new = NavGrid::from_map("type octile\nheight 1\nwidth 5\nmap\n..@..\n", 1.0, &[])?;
    /// let difference = GridDifference::between(&old, &new, &DifferenceOptions::default())?;
    /// let human = &difference.agents[0];
    /// assert_eq!(human.lost.clusters[0].at, [2.5, 0.0, 0.5]);
    /// assert_eq!(human.regions.split.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Their cells are not of one size, or they do not both have the agent that was asked for.
    pub fn between(
        old: &NavGrid,
        new: &NavGrid,
        options: &DifferenceOptions,
    ) -> Result<Self, DifferenceError> {
        GridDifference::observed([old, new], options, &())
    }

    /// As [`GridDifference::between`], from the first of two grids to the second, with an observer. The
    /// parts that it counts are thousandths of the paths of one agent.
    ///
    /// # Errors
    /// As [`GridDifference::between`], or the observer cancelled it.
    pub fn observed(
        [old, new]: [&NavGrid; 2],
        options: &DifferenceOptions,
        observer: &dyn Observer,
    ) -> Result<Self, DifferenceError> {
        options.check(old, new)?;
        let pair = GridPair::new(old, new);
        let links = LinkComparison { grids: [old, new], agent: options.agent, most: options.most };
        let (links, areas) = (links.changes(), area_changes(old.areas(), new.areas()));
        let may_reroute = !links.is_empty() || !areas.is_empty();
        let request = AgentRequest { options, may_reroute, observer };
        let agents = shared_agents(old, new, options.agent)
            .map(|ids| AgentDifference::new(&AgentPair { grids: &pair, ids }, &request));
        let agents: Vec<AgentDifference> = agents.collect::<Result<_, _>>()?;
        let only_in = |own: &NavGrid, other: &NavGrid| match options.agent {
            Some(_) => Vec::new(),
            None => names(own).filter(|name| other.agent_id(name).is_err()).collect(),
        };
        let mut difference = GridDifference {
            same: false,
            causes: Causes::new([old, new]),
            agents_lost: only_in(old, new),
            agents_gained: only_in(new, old),
            areas,
            links,
            unnoticed: unnoticed([old, new], &agents),
            agents,
        };
        difference.same = !difference.differs();
        Ok(difference)
    }

    fn differs(&self) -> bool {
        !self.agents_lost.is_empty()
            || !self.agents_gained.is_empty()
            || !self.areas.is_empty()
            || !self.links.is_empty()
            || self.agents.iter().any(|agent| !agent.is_empty())
    }

    /// The report as lines of text, with at most `most` places, links and paths of each kind.
    pub fn text(&self, most: usize) -> String {
        let mut lines = Vec::new();
        if self.same {
            lines.push("The grids are the same: no agent notices a difference.".to_owned());
        }
        lines.extend(self.causes.lines());
        let agents = |names: &[String], which: &str| -> Vec<String> {
            names.iter().map(|name| format!("agent     {name}: only in the {which} grid")).collect()
        };
        lines.extend(agents(&self.agents_lost, "old"));
        lines.extend(agents(&self.agents_gained, "new"));
        lines.extend(self.areas.iter().map(|area| format!("area      {}", area_words(area))));
        let links = [
            ("lost", &self.links.lost),
            ("gained", &self.links.gained),
            ("changed", &self.links.changed),
        ];
        links.iter().for_each(|(what, list)| lines.extend(link_lines(what, list, most)));
        if !self.same {
            lines.extend(self.agents.iter().flat_map(|agent| agent.lines(most)));
        }
        lines.extend(self.unnoticed.iter().map(|what| format!("unnoticed {what}")));
        lines.join("\n")
    }
}

fn names(grid: &NavGrid) -> impl Iterator<Item = String> {
    grid.layers().iter().map(|layer| layer.agent.name.clone())
}

/// The ids of the agents that both grids have, in the order of the new one; only those of one name if it
/// is given.
fn shared_agents(
    old: &NavGrid,
    new: &NavGrid,
    name: Option<&str>,
) -> impl Iterator<Item = [AgentId; 2]> {
    let shared = (0..).map(AgentId).zip(new.layers()).filter_map(move |(id, layer)| {
        let own = &layer.agent.name;
        Some([old.agent_id(own).ok()?, id]).filter(|_| name.is_none_or(|name| name == own))
    });
    shared.collect::<Vec<_>>().into_iter()
}

fn area_words(SettingChange { name, old, new }: &SettingChange) -> String {
    match (old, new) {
        (Some(old), Some(new)) => format!("{name}: {new}; before, {old}"),
        (None, Some(new)) => format!("{name} is new: {new}"),
        (old, None) => format!("{name} is gone: {}", old.as_deref().unwrap_or_default()),
    }
}

fn link_lines(what: &str, list: &LinkList, most: usize) -> Vec<String> {
    if list.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("links     {} {what}", list.counts())];
    let shown = &list.links[..list.links.len().min(most)];
    lines.extend(shown.iter().map(|link| format!("          {}", link.line())));
    if list.count() > shown.len() {
        lines.push(format!("          and {} more", list.count() - shown.len()));
    }
    lines
}

/// What differs that no agent notices.
fn unnoticed(grids: [&NavGrid; 2], agents: &[AgentDifference]) -> Vec<String> {
    let routes = agents.iter().filter_map(|agent| {
        let orders = [0, 1].map(|side| grids[side].order(agent.ids[side]));
        let name = &agent.agent;
        match orders {
            [Some(old), Some(new)] if old != new => {
                Some(format!("the prepared routes of {name} are not in the same order"))
            }
            [Some(_), None] => Some(format!("only the old grid has prepared routes for {name}")),
            [None, Some(_)] => Some(format!("only the new grid has prepared routes for {name}")),
            _ => None,
        }
    });
    routes.collect()
}
