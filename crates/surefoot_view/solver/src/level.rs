//! Provides [`LevelDescription`]: what the page has to know of a grid before it shows any of it.

use serde::Serialize;
use surefoot::grid::{AgentId, Area, AreaId, GridSummary, Link, LinkKind, RegionId};
use surefoot::{NavGrid, SpanId};

use crate::ground::{CHUNK, area_kind};

/// A grid in outline. Lengths in metres, angles in degrees.
#[derive(Serialize)]
pub struct LevelDescription<'a> {
    scene: &'a str,
    scene_hash: &'a str,
    cell_size: f32,
    /// Least and greatest coordinates.
    min: [f32; 3],
    max: [f32; 3],
    /// Number of squares of ground, and the side of one.
    chunks: [u32; 2],
    chunk_side: f32,
    agents: Vec<AgentDescription<'a>>,
    areas: Vec<AreaDescription<'a>>,
    links: Vec<LinkDescription<'a>>,
    summary: GridSummary,
}

#[derive(Serialize)]
struct AgentDescription<'a> {
    name: &'a str,
    radius: f32,
    height: f32,
    max_climb: f32,
    slope_limit: f32,
    /// A place on the ground with room around it, in the largest region.
    at: Option<[f32; 3]>,
}

#[derive(Serialize)]
struct AreaDescription<'a> {
    name: &'a str,
    cost: f32,
    forbidden: bool,
    kind: u8,
}

#[derive(Serialize)]
struct LinkDescription<'a> {
    name: &'a str,
    kind: LinkKind,
    generated: bool,
    two_way: bool,
    from: [[f32; 3]; 2],
    to: [[f32; 3]; 2],
    /// How high the body rises above the higher end.
    apex: f32,
    /// The agents that can take it.
    agents: Vec<u16>,
}

impl<'a> LevelDescription<'a> {
    /// Describes a grid. O(cells + spans · agents).
    pub fn of(grid: &'a NavGrid) -> Self {
        let frame = grid.frame();
        let ([min_x, min_z], [max_x, max_z]) = frame.bounds();
        let heights = grid.spans().iter().map(|span| span.floor);
        let (low, high) = heights
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let [low, high] = if low <= high { [low, high] } else { [0.0; 2] };
        let agents = (0..).map(AgentId).zip(grid.layers());
        LevelDescription {
            scene: &grid.provenance().scene,
            scene_hash: &grid.provenance().scene_hash,
            cell_size: frame.cell_size,
            min: [min_x, low, min_z],
            max: [max_x, high, max_z],
            chunks: [frame.size_x, frame.size_z].map(|cells| cells.div_ceil(CHUNK)),
            chunk_side: CHUNK as f32 * frame.cell_size,
            agents: agents
                .map(|(id, layer)| AgentDescription {
                    name: &layer.agent.name,
                    radius: layer.agent.radius,
                    height: layer.agent.height,
                    max_climb: layer.agent.max_climb,
                    slope_limit: layer.agent.slope_limit.to_degrees(),
                    at: roomiest(grid, id),
                })
                .collect(),
            areas: (0..)
                .zip(grid.areas())
                .map(|(id, area)| AreaDescription::of(id, area))
                .collect(),
            links: grid.links().iter().map(LinkDescription::of).collect(),
            summary: grid.summary(),
        }
    }
}

impl<'a> AreaDescription<'a> {
    fn of(id: u8, area: &'a Area) -> Self {
        AreaDescription {
            name: &area.name,
            cost: area.cost,
            forbidden: area.forbidden,
            kind: area_kind(AreaId(id)),
        }
    }
}

impl<'a> LinkDescription<'a> {
    fn of(link: &'a Link) -> Self {
        let lanes = link.lanes.iter().flatten();
        let agents = (0..).zip(&link.lanes).filter(|(_, lanes)| !lanes.is_empty());
        LinkDescription {
            name: &link.name,
            kind: link.kind,
            generated: link.generated,
            two_way: link.is_reversible(),
            from: link.from.map(Into::into),
            to: link.to.map(Into::into),
            apex: lanes.map(|lane| lane.apex).fold(0.0, f32::max),
            agents: agents.map(|(agent, _)| agent).collect(),
        }
    }
}

/// The place of the largest region that is farthest from everything.
fn roomiest(grid: &NavGrid, agent: AgentId) -> Option<[f32; 3]> {
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    let largest = spans.filter(|&span| grid.region(agent, span) == Some(RegionId(0)));
    let clearance = |span: SpanId| grid.clearance(agent, span).unwrap_or_default();
    // Of several the first.
    let span = largest.rev().max_by(|&a, &b| clearance(a).total_cmp(&clearance(b)))?;
    Some(grid.point(span)?.into())
}
