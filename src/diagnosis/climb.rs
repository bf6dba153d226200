//! Finds how much climb can be granted: a body that climbs more also reaches higher.
//!
//! The body is lifted by its climb, and comes to rest on whatever it could climb beside it. So a raised
//! climb helps at one step, and may shut out a low stair elsewhere along the way.

use crate::agent::BodyShape;
use crate::grid::{CellOffset, Verdict};

use super::blocker::{Blocker, Shortfall};
use super::ground::{RelaxedGround, TOLERANCE};
use super::nodes::TrackNode;

/// Marks the steps that take a link: no climb gets over them with which the body still fits along the
/// rest of the track.
pub(super) fn mark_links(ground: &RelaxedGround, track: &[TrackNode], blockers: &mut [Blocker]) {
    let rise = |blocker: &Blocker| match blocker.shortfall {
        Shortfall::Step { rise, .. } => Some(rise.abs()),
        _ => None,
    };
    let mut steps: Vec<f32> = blockers.iter().filter_map(rise).collect();
    steps.sort_by(f32::total_cmp);
    let fits = steps.partition_point(|&climb| fits_along(ground, track, climb));
    let most = fits.checked_sub(1).map_or(0.0, |last| steps[last]);
    for blocker in blockers {
        blocker.needs_link = rise(blocker).is_some_and(|rise| rise > most);
    }
}

/// Whether a body fits along a track that climbs so much [m].
fn fits_along(ground: &RelaxedGround, track: &[TrackNode], climb: f32) -> bool {
    let agent = ground.agent;
    let top = match agent.shape {
        BodyShape::Capsule => agent.height.max(climb + 2.0 * agent.radius),
        BodyShape::Box => agent.height,
    };
    // A body that would be higher than it is has other limits everywhere.
    top <= agent.height + TOLERANCE && track.iter().all(|node| fits(ground, node.span.0, climb))
}

/// Whether the body fits over a span where it comes to rest, if it did before.
fn fits(ground: &RelaxedGround, span: u32, climb: f32) -> bool {
    if ground.verdict(span) != Verdict::Walkable {
        return true;
    }
    let agent = ground.agent;
    let [before, after] = [agent.max_climb, climb].map(|climb| rest_height(ground, span, climb));
    let headroom = ground.view.spans()[span as usize].headroom();
    after <= before || headroom >= agent.height + after - TOLERANCE
}

/// How far above a floor a body may come to rest on something beside it that it can climb [m].
fn rest_height(ground: &RelaxedGround, span: u32, climb: f32) -> f32 {
    let floor = ground.view.floor(span);
    let column = ground.view.column(span);
    let frame = ground.view.frame();
    // With tiny cells a body covers more of them than there are.
    let most = frame.size_x.max(frame.size_z) as f32;
    let reach = (ground.agent.radius / ground.cell_size).ceil().min(most) as i32;
    let offsets = (-reach..=reach).flat_map(|z| (-reach..=reach).map(move |x| CellOffset { x, z }));
    let beside = offsets.filter_map(|offset| ground.beside(column, offset));
    let tops = beside.flat_map(|column| ground.view.grid().column_range(column));
    let rises = tops.map(|span| ground.view.floor(span) - floor);
    rises.filter(|&rise| rise <= climb + TOLERANCE).fold(0.0, f32::max)
}
