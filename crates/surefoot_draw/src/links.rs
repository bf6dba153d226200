//! Draws off-mesh connections as arcs with arrow heads.

use nalgebra::Point3;

use surefoot::grid::{AgentId, GridFrame, Link, NavGrid, SpanId};

use super::arrows::{arrow_head, bow};
use super::canvas::{Canvas, Stroke};
use super::palette::{DEAD_LINK, LINK, PAPER};
use super::storeys::StoreyRef;

/// A link as one picture shows it.
pub(super) struct LinkArc<'a> {
    link: &'a Link,
    /// Whether the agent, or on the overview any agent, can take it.
    pub live: bool,
    /// For each end whether it lies on what the picture shows.
    here: [bool; 2],
}

/// The links that touch a storey, for one agent.
pub(super) fn on_storey<'a>(grid: &'a NavGrid, agent: AgentId, on: StoreyRef) -> Vec<LinkArc<'a>> {
    let arc = |link: &'a Link| {
        let lanes = link.lanes_of(agent.index());
        let spans = match lanes.get(lanes.len() / 2) {
            Some(lane) => lane.spans.map(Some),
            None => link.middle().map(|at| nearest_floor(grid, at)),
        };
        let here = spans.map(|span| span.is_some_and(|span| on.holds(span)));
        LinkArc { link, live: !lanes.is_empty(), here }
    };
    grid.links().iter().map(arc).filter(|arc| arc.here != [false; 2]).collect()
}

/// All links, as seen from above.
pub(super) fn on_overview(grid: &NavGrid) -> Vec<LinkArc<'_>> {
    let arc = |link| LinkArc { link, live: alive(link), here: [true; 2] };
    grid.links().iter().map(arc).collect()
}

/// The links an agent can take that start and end in a part of the grid.
pub(super) fn in_window<'a>(
    grid: &'a NavGrid,
    agent: AgentId,
    window: &GridFrame,
) -> Vec<LinkArc<'a>> {
    let inside = |at: Point3<f32>| window.index(window.cell_at(at.x, at.z)).is_some();
    let open = |link: &&Link| !link.lanes_of(agent.index()).is_empty();
    let near = grid.links().iter().filter(|link| link.middle().into_iter().all(inside));
    near.filter(open).map(|link| LinkArc { link, live: true, here: [true; 2] }).collect()
}

fn alive(link: &Link) -> bool {
    link.lanes.iter().any(|lanes| !lanes.is_empty())
}

/// The floor under or over a point that is nearest to it in height.
pub(super) fn nearest_floor(grid: &NavGrid, at: Point3<f32>) -> Option<SpanId> {
    let cell = grid.frame().cell_at(at.x, at.z);
    let off = |span: &SpanId| (grid.spans()[span.index()].floor - at.y).abs();
    grid.column_spans(cell).map(SpanId).min_by(|a, b| off(a).total_cmp(&off(b)))
}

impl LinkArc<'_> {
    /// Draws the link: full discs at ends on this storey, rings at ends on another.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let color = if self.live { LINK } else { DEAD_LINK };
        let color_of = |width| Stroke { color, width };
        for segment in [self.link.from, self.link.to] {
            if segment[0] != segment[1] {
                let segment = segment.map(|at| canvas.transform().to_pixels(at));
                canvas.polyline(&segment, color_of(3.0));
            }
        }
        let ends = self.link.middle().map(|at| canvas.transform().to_pixels(at));
        let curve = bow(ends);
        canvas.polyline(&curve, Stroke { color: PAPER, width: 5.0 });
        if self.live {
            canvas.polyline(&curve, Stroke { color, width: 2.2 });
        } else {
            for dash in curve.chunks(2) {
                canvas.polyline(dash, Stroke { color, width: 2.2 });
            }
        }
        for (end, here) in ends.into_iter().zip(self.here) {
            canvas.disc(end, 5.5, PAPER);
            canvas.circle(end, 3.6, Stroke { color, width: if here { 4.0 } else { 1.8 } });
            if here {
                canvas.disc(end, 3.0, color);
            }
        }
        let last = curve.len() - 1;
        arrow_head(canvas, [curve[last - 3], curve[last]], color);
        if self.link.two_way {
            arrow_head(canvas, [curve[3], curve[0]], color);
        }
    }
}
