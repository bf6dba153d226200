//! Validation: every promise of a grid is checked before anything relies on it.
//!
//! Parts that pass cannot lead a search out of an array: connections end on walkable spans of the
//! same region and exist in both directions, no connection cuts a corner, and regions are exactly the
//! components over connections and two-way links. One pass over the spans and one over each agent's
//! standings.

use std::collections::BTreeSet;
use std::iter::once;

use super::frame::GridFrame;
use super::layer_check::check_layer;
use super::parts::{AgentLayer, GridError, GridParts, fail};
use super::scene_record::SceneRecord;
use super::span::{AgentId, NodeId, Span};
use super::strips::{Strip, strips};
use crate::level::{LinkLane, SpanId};
use crate::parallel::{LEAST_SPANS_FOR_THREADS, for_each_job};

/// Checks every invariant of a grid. O(spans · agents).
pub(super) fn validate(parts: &GridParts) -> Result<(), GridError> {
    validate_lists(parts)?;
    let agents = (0..parts.layers.len() as u16).map(|agent| Some(AgentId(agent)));
    let check = |agent: Option<AgentId>| match agent {
        None => check_spans(parts),
        Some(agent) => check_layer(parts, agent),
    };
    let jobs = once(None).chain(agents).collect();
    for_each_job(jobs, parts.spans.len() >= LEAST_SPANS_FOR_THREADS, check).into_iter().collect()
}

/// Checks all but spans and agent layers. O(columns + colliders).
pub(super) fn validate_lists(parts: &GridParts) -> Result<(), GridError> {
    check_frame(&parts.frame)?;
    check_columns(parts)?;
    check_areas(parts)?;
    check_nodes(parts)?;
    check_agents(parts)?;
    check_links(parts)?;
    parts.provenance.record.as_ref().map_or(Ok(()), SceneRecord::check)
}

/// The farthest cell from the origin: sums of two cell coordinates fit 32 bits.
const FARTHEST_CELL: i64 = 1 << 30;

/// Checks that the cell size is a length and that cells lie within 2^30 of the origin.
pub(super) fn check_frame(frame: &GridFrame) -> Result<(), GridError> {
    if !(frame.cell_size > 0.0 && frame.cell_size.is_finite()) {
        return fail("frame", format!("the cell size is {}, not a length > 0", frame.cell_size));
    }
    let axes = [(frame.min.x, frame.size_x, "x"), (frame.min.z, frame.size_z, "z")];
    for (min, size, name) in axes {
        let end = i64::from(min) + i64::from(size);
        if i64::from(min) < -FARTHEST_CELL || end > FARTHEST_CELL {
            return fail("frame", format!("cells {min}..{end} along {name} lie beyond 2^30"));
        }
    }
    Ok(())
}

fn check_columns(parts: &GridParts) -> Result<(), GridError> {
    let cells = u64::from(parts.frame.size_x) * u64::from(parts.frame.size_z);
    if cells + 1 != parts.first.len() as u64 {
        let problem = format!("{} entries for {cells} cells, one more is due", parts.first.len());
        return fail("columns", problem);
    }
    if parts.first[0] != 0 {
        return fail("columns", format!("the first column starts at {}, not 0", parts.first[0]));
    }
    if let Some(at) = parts.first.windows(2).position(|pair| pair[0] > pair[1]) {
        return fail(format!("column {at}"), "it ends before it starts");
    }
    let last = parts.first[parts.first.len() - 1];
    if last as usize != parts.spans.len() {
        let problem = format!("they end at span {last}, there are {}", parts.spans.len());
        return fail("columns", problem);
    }
    Ok(())
}

fn check_areas(parts: &GridParts) -> Result<(), GridError> {
    if parts.areas.is_empty() || parts.areas.len() > 256 {
        return fail("areas", format!("{} of them, 1 to 256 are due", parts.areas.len()));
    }
    if parts.areas[0].forbidden {
        return fail("areas", "the first is forbidden, it has to be plain walkable ground");
    }
    let mut names = BTreeSet::new();
    for (at, area) in parts.areas.iter().enumerate() {
        if !(area.cost > 0.0 && area.cost.is_finite()) {
            return fail(format!("area {at}"), format!("its cost {} is not > 0", area.cost));
        }
        if !names.insert(&area.name) {
            return fail(format!("area {at}"), format!("another is named \"{}\" too", area.name));
        }
    }
    Ok(())
}

fn check_nodes(parts: &GridParts) -> Result<(), GridError> {
    let most = NodeId::NONE.0 as usize;
    if parts.nodes.len() > most {
        return fail("nodes", format!("{} of them, at most {most}", parts.nodes.len()));
    }
    Ok(())
}

fn check_spans(parts: &GridParts) -> Result<(), GridError> {
    let (areas, nodes) = (parts.areas.len() as u32, parts.nodes.len() as u32);
    // No early exit within a block: without branches the compiler checks several spans at a time.
    let all_sound =
        |spans: &[Span]| spans.iter().fold(true, |all, s| all & is_sound(s, areas, nodes));
    let in_order = |strip: Strip| {
        let spans = &parts.spans[strip.start as usize..strip.end() as usize];
        let rises = |column: &[Span]| column.windows(2).all(|pair| pair[0].floor < pair[1].floor);
        strip.depth < 2 || spans.chunks(strip.depth as usize).all(rises)
    };
    if parts.spans.chunks(1024).all(all_sound) && strips(&parts.first).all(in_order) {
        return Ok(());
    }
    for column in parts.first.windows(2) {
        let mut below = f32::NEG_INFINITY;
        for at in column[0]..column[1] {
            let span = &parts.spans[at as usize];
            if !is_sound(span, areas, nodes) || span.floor <= below {
                return fail(format!("span {at}"), span_problem(parts, span, below));
            }
            below = span.floor;
        }
    }
    fail("spans", "some are out of order")
}

/// Whether a span is sound by itself.
#[inline(always)]
fn is_sound(span: &Span, areas: u32, nodes: u32) -> bool {
    let NodeId(node) = span.node();
    span.floor.is_finite()
        & (span.ceiling >= span.floor)
        & span.has_unit_normal()
        & (u32::from(span.area().0) < areas)
        & ((node < nodes) | (node == NodeId::NONE.0))
}

/// What is wrong with a span that failed its check.
#[cold]
fn span_problem(parts: &GridParts, span: &Span, below: f32) -> String {
    if !span.floor.is_finite() {
        format!("its floor {} is not a height", span.floor)
    } else if span.floor <= below {
        format!("its floor {} is not above the one below it at {below}", span.floor)
    } else if span.ceiling.is_nan() || span.ceiling < span.floor {
        format!("its ceiling {} is below its floor {}", span.ceiling, span.floor)
    } else if !span.has_unit_normal() {
        "its normal is longer than 1".to_owned()
    } else if usize::from(span.area().0) >= parts.areas.len() {
        format!("its area {} does not exist", span.area().0)
    } else {
        format!("its node {} does not exist", span.node().0)
    }
}

fn check_agents(parts: &GridParts) -> Result<(), GridError> {
    if parts.layers.len() > usize::from(u16::MAX) {
        return fail("agents", format!("{} of them, at most {}", parts.layers.len(), u16::MAX));
    }
    let mut names = BTreeSet::new();
    for (at, layer) in parts.layers.iter().enumerate() {
        if let Err(error) = layer.agent.check() {
            return fail(format!("agent {at}"), error.to_string());
        }
        if !names.insert(&layer.agent.name) {
            let problem = format!("another is named \"{}\" too", layer.agent.name);
            return fail(format!("agent {at}"), problem);
        }
    }
    Ok(())
}

fn check_links(parts: &GridParts) -> Result<(), GridError> {
    let mut ids = BTreeSet::new();
    for (at, link) in parts.links.iter().enumerate() {
        let place = || format!("link {at} \"{}\"", link.name);
        if !ids.insert(link.id) {
            return fail(place(), format!("another has the id {} too", link.id.0));
        }
        link.check_values().or_else(|problem| fail(place(), problem))?;
        if link.lanes.len() != parts.layers.len() {
            let (lanes, agents) = (link.lanes.len(), parts.layers.len());
            return fail(place(), format!("lanes for {lanes} agents of {agents}"));
        }
        for (layer, lanes) in parts.layers.iter().zip(&link.lanes) {
            check_lanes(layer, lanes).or_else(|problem| fail(place(), problem))?;
        }
    }
    Ok(())
}

/// Checks the lanes of a link for one agent.
fn check_lanes(layer: &AgentLayer, lanes: &[LinkLane]) -> Result<(), String> {
    let agent = &layer.agent.name;
    let mut known = BTreeSet::new();
    for LinkLane { spans, run_up, apex } in lanes {
        let can_stand =
            |end: &SpanId| layer.standings.get(end.index()).is_some_and(|s| s.is_walkable());
        if let Some(end) = spans.iter().find(|end| !can_stand(end)) {
            return Err(format!("agent \"{agent}\" cannot stand on span {}, its end", end.0));
        }
        if !known.insert(spans) {
            let [from, to] = spans.map(|span| span.0);
            return Err(format!("agent \"{agent}\" has two lanes from span {from} to {to}"));
        }
        if let Some(length) = [run_up, apex].into_iter().find(|v| !(**v >= 0.0 && v.is_finite())) {
            return Err(format!(
                "agent \"{agent}\" has a lane with a run-up or apex of {length} m"
            ));
        }
    }
    Ok(())
}
