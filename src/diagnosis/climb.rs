//! Finds how much climb can be granted: a body that climbs more also reaches higher.
//!
//! The body is lifted by its climb, and comes to rest on whatever it could climb beside it. So a raised
//! climb helps at one step, and may shut out a low stair elsewhere along the way. A bake refuses a climb
//! that is not less than the height.

use crate::grid::{CellOffset, Verdict};

use super::blocker::{Blocker, Shortfall};
use super::ground::{RelaxedGround, TOLERANCE};
use super::nodes::{Allowance, TrackNode};

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
    let spans = track.iter().map(|node| node.span.0);
    let low = spans.clone().filter(|&span| ground.verdict(span) == Verdict::LowCeiling);
    let headrooms = low.map(|span| ground.headroom(span));
    // Where ceilings are too low the body has to be lower.
    let height = headrooms.fold(ground.agent.height, f32::min);
    // No agent climbs as much as it is high.
    climb + TOLERANCE < height && {
        let body = Allowance { max_climb: climb, height, ..ground.allowance() };
        spans.clone().all(|span| fits(ground, span, body))
    }
}

/// Whether a body fits over a span and where it comes to rest there, if the agent did or was too high.
fn fits(ground: &RelaxedGround, span: u32, body: Allowance) -> bool {
    if !matches!(ground.verdict(span), Verdict::Walkable | Verdict::LowCeiling) {
        return true;
    }
    let rest = rest_height(ground, span, body.max_climb);
    let headroom = ground.headroom(span);
    headroom >= ground.top(body) + rest - TOLERANCE || is_no_worse(ground, span, body)
}

/// Whether a body needs no more room over a span than the agent does.
fn is_no_worse(ground: &RelaxedGround, span: u32, body: Allowance) -> bool {
    let own = ground.allowance();
    let [before, after] = [own, body].map(|body| rest_height(ground, span, body.max_climb));
    ground.verdict(span) == Verdict::Walkable
        && after <= before
        && ground.top(body) <= ground.top(own)
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
