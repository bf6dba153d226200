//! The last stage of making a layer: from verdicts and steps to clearance and regions.

use super::clearance::measure_clearance;
use super::regions::find_regions;
use super::{AgentId, AgentLayer, GridError, GridFrame, Link, SpanId};

/// Fills in clearance and regions of a layer whose verdicts and steps stand, and sorts its far
/// steps. `two_way`
/// holds the spans that two-way links join for this agent, see [`two_way_ends`]. Layers do not
/// touch each other, so callers may finish them in parallel. O(spans).
///
/// # Errors
/// More regions than can be numbered.
pub(crate) fn finish_layer(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &mut AgentLayer,
) -> Result<(), GridError> {
    layer.far_steps.sort_unstable();
    measure_clearance(frame, first, layer);
    find_regions(frame, first, two_way, layer)
}

/// The spans that the two-way links join for one agent.
pub(crate) fn two_way_ends(links: &[Link], agent: AgentId) -> Vec<[SpanId; 2]> {
    let ends = |link: &Link| link.ends.get(agent.index()).copied().flatten();
    links.iter().filter(|link| link.returns()).filter_map(ends).collect()
}
