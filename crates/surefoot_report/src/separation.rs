//! Provides [`SeparationReport`]: what `why --from --to` prints, as a JSON object and as text.

use serde::Serialize;
use surefoot::Navigator;
use surefoot::diagnosis::{Blocker, Separation, Shortfall};

use super::standing::{StandingQuestion, StandingReport};

/// What separates two positions.
#[derive(Serialize)]
pub struct SeparationReport<'a> {
    agent: &'a str,
    from: [f32; 3],
    to: [f32; 3],
    /// Whether nothing keeps the agent from the goal.
    pub connected: bool,
    /// Whether it is known what would have to give.
    explained: bool,
    /// The regions of both ends; `null` where the agent cannot stand.
    regions: [Option<u32>; 2],
    /// In order from the start to the goal.
    blockers: Vec<BlockerReport>,
    /// Whether the agent can stand at the start, and why not.
    start: StandingReport<'a>,
    goal: StandingReport<'a>,
    /// Whether a generated link may lead there, and why not, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// All of it in words.
    words: String,
    /// Unless the agent cannot stand at an end, or near it.
    #[serde(skip)]
    pub separation: Option<Separation>,
}

/// Something in the way. Lengths are in metres, angles in radians.
#[derive(Clone, Debug, Serialize)]
pub struct BlockerReport {
    kind: &'static str,
    /// Its size; `null` if it has none.
    size: Option<f32>,
    /// The agent's limit; `null` if there is none.
    limit: Option<f32>,
    /// The name of the area or the link.
    name: Option<String>,
    node: Option<String>,
    /// Whether it takes a link: raising the agent's limit would not do.
    needs_link: bool,
    /// Where it is.
    pub at: [f32; 3],
    before: [f32; 3],
    after: [f32; 3],
    words: String,
}

impl<'a> SeparationReport<'a> {
    /// Looks for what separates two positions [m].
    pub fn new(navigator: &'a Navigator, ends: [[f32; 3]; 2]) -> Self {
        let (grid, agent) = (navigator.grid(), navigator.view().agent_id());
        let name = navigator.view().agent().name.as_str();
        let [from, to] = ends;
        let [start, goal] = ends.map(|at| StandingQuestion { grid, agent, at: at.into() }.report());
        let result = navigator.why_not(from, to);
        let words = match &result {
            Err(error) => format!("No path: {error}."),
            Ok(separation) if separation.is_connected() => {
                "Nothing is in the way: a path leads there.".to_owned()
            }
            Ok(separation) => format!("No path for {name}; {separation}."),
        };
        let separation = result.ok();
        let blockers = separation.iter().flat_map(|found| &found.blockers);
        SeparationReport {
            agent: name,
            from,
            to,
            connected: separation.as_ref().is_some_and(Separation::is_connected),
            explained: separation.as_ref().is_some_and(|found| found.is_explained),
            regions: separation.as_ref().map_or([None; 2], |found| {
                found.regions.map(|region| region.map(|region| region.0))
            }),
            blockers: blockers.map(BlockerReport::new).collect(),
            start,
            goal,
            link: None,
            words,
            separation,
        }
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let link = self.link.as_ref().map(|link| format!("\nLink: {link}."));
        self.separation_text() + &link.unwrap_or_default()
    }

    fn separation_text(&self) -> String {
        let Some(separation) = &self.separation else {
            let ends = [("start", &self.start), ("goal", &self.goal)];
            let off = ends.iter().filter(|(_, end)| !end.walkable);
            let lines = off.map(|(name, end)| format!("\n  The {name}: {}", end.words));
            return self.words.clone() + &lines.collect::<String>();
        };
        if separation.blockers.is_empty() {
            return self.words.clone();
        }
        let lines = self.blockers.iter().map(|blocker| format!("\n  {}", blocker.words));
        format!("No path for {}. In the way, in order:{}", self.agent, lines.collect::<String>())
    }
}

impl BlockerReport {
    pub(crate) fn new(blocker: &Blocker) -> Self {
        let (size, limit) = sizes(&blocker.shortfall);
        let name = match &blocker.shortfall {
            Shortfall::Forbidden { area } => Some(area.clone()),
            Shortfall::ClosedLink { link } | Shortfall::OneWayLink { link } => Some(link.clone()),
            _ => None,
        };
        BlockerReport {
            kind: blocker.shortfall.name(),
            size,
            limit,
            name,
            node: blocker.node.clone(),
            needs_link: blocker.needs_link,
            at: blocker.at.into(),
            before: blocker.before.into(),
            after: blocker.after.into(),
            words: blocker.to_string(),
        }
    }
}

/// How large something is, and how much the agent can take.
fn sizes(shortfall: &Shortfall) -> (Option<f32>, Option<f32>) {
    match *shortfall {
        Shortfall::Step { rise, max_climb } => (Some(rise), Some(max_climb)),
        Shortfall::Slope { angle, slope_limit } => (Some(angle), Some(slope_limit)),
        Shortfall::LowCeiling { headroom, height, .. } => (Some(headroom), Some(height)),
        Shortfall::NarrowPassage { width, body } => (width, Some(body)),
        Shortfall::NarrowLedge { width, ledge_margin } => (width, Some(2.0 * ledge_margin)),
        Shortfall::Gap { width, .. } => (Some(width), None),
        Shortfall::Storey { rise } => (Some(rise), None),
        Shortfall::Wall { thickness } if thickness > 0.0 => (Some(thickness), None),
        _ => (None, None),
    }
}
