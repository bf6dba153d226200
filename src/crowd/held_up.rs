//! Provides [`HeldUp`]: what keeps a member of a crowd from getting on.

use nalgebra::Point3;

use super::agent_views::AgentViews;
use crate::crowd::member::{Member, MemberId};
use crate::crowd::slot_map::SlotMap;
use crate::follow::{SAME_STOREY, norm};
use crate::grid::SpanId;
use crate::view::ViewRef;

/// What is around a member that does not get on.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldUp {
    /// Where it is [m].
    pub position: Point3<f32>,
    /// How long it has not come nearer to its goal [s].
    pub time: f32,
    /// The width of the ground there, from wall to wall or ledge [m]: to about one cell. Two bodies pass
    /// each other where it is twice their width.
    pub width: f32,
    /// The members that it touches, or that stand within 10 cm of it, nearest first. If there are none, and there
    /// is a path, something that the grid does not know is in its way.
    pub touched: Vec<MemberId>,
}

/// Members this near to each other, from body to body, may be in each other's way: avoidance can keep them from
/// coming nearer [m].
pub(crate) const BESIDE: f32 = 0.1;

impl HeldUp {
    pub(crate) fn of(member: &Member, views: &AgentViews, slot_map: &SlotMap) -> Self {
        let others = slot_map.iter().filter(|other| other.id() != member.id());
        let gaps = others.map(|other| (gap(member, other), other.id()));
        let mut touched: Vec<(f32, MemberId)> = gaps.filter(|(gap, _)| *gap <= BESIDE).collect();
        touched
            .sort_by(|(gap, id), (other_gap, other)| gap.total_cmp(other_gap).then(id.cmp(other)));
        HeldUp {
            position: member.position(),
            time: member.following.held_up(),
            width: views.get(member.agent()).map_or(0.0, |view| width(view, member.at.span)),
            touched: touched.into_iter().map(|(_, id)| id).collect(),
        }
    }
}

/// The gap between two members [m]; negative if they overlap.
pub(crate) fn gap(one: &Member, other: &Member) -> f32 {
    let offset = other.position() - one.position();
    let is_level = offset.y.abs() <= SAME_STOREY;
    let gap = norm([offset.x, offset.z]) - one.radius - other.radius;
    if is_level { gap } else { f32::INFINITY }
}

/// The width of the ground around a span [m].
fn width(view: &ViewRef, span: SpanId) -> f32 {
    let column = view.column(span.0);
    let around = view
        .connections()
        .dirs(span.0)
        .filter_map(|dir| view.connections().known_target(column, span.0, dir).map(SpanId));
    let clearance = |span| view.grid().clearance(view.agent_id(), span).unwrap_or(0.0);
    let most = around.map(clearance).fold(clearance(span), f32::max);
    // Clearance is measured to the edge of the nearest cell where the center of the body cannot be.
    2.0 * (most - 0.5 * view.cell_size()).max(0.0) + 2.0 * view.agent().radius
}
