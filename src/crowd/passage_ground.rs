//! Provides [`PassageGround`]: where two bodies cannot pass, and where others are being sorted out.

use super::agent_views::AgentViews;
use crate::crowd::member::Member;
use crate::crowd::narrow_ground::NarrowGround;
use crate::crowd::passage::Passage;
use crate::crowd::rearrangement::Rearrangement;
use crate::grid::SpanId;
use crate::view::ViewRef;

/// What turns and plans depend on besides the members.
pub(crate) struct PassageGround<'a> {
    pub views: &'a AgentViews<'a>,
    pub narrow: &'a mut NarrowGround,
    /// Nobody else gets in where these are under way.
    pub rearrangements: &'a [Rearrangement],
}

/// A member in front of a passage, or inside.
pub(crate) struct GroundAhead<'a> {
    pub view: &'a ViewRef<'a>,
    pub member: &'a Member,
    pub passage: &'a Passage,
    /// It was not its turn so far.
    pub waits: bool,
}

/// A body inside stands if others are being sorted out within so many places on its path.
const INSIDE_SAMPLES: usize = 5;

impl PassageGround<'_> {
    /// Whether others are being sorted out on a span.
    pub(crate) fn closes(&self, span: SpanId) -> bool {
        self.rearrangements.iter().any(|own| own.closes(span))
    }

    /// Whether a member goes no farther, because others are being sorted out in its passage; or right ahead,
    /// if it is inside. One that a plan has let go where they are goes on and out; one that had to wait does not.
    pub(crate) fn is_closed(&self, way: &GroundAhead) -> bool {
        let GroundAhead { view, member, passage, waits } = *way;
        if self.rearrangements.is_empty() {
            return false;
        }
        let is_inside = passage.entrance == 0.0;
        if is_inside && self.closes(member.at.span) {
            return waits;
        }
        let span = |point| view.grid().span_at(point, view.agent().height);
        let most = if is_inside { INSIDE_SAMPLES } else { usize::MAX };
        passage.points().take(most).filter_map(span).any(|span| self.closes(span))
    }
}
