//! Debug drawing: what the run time knows, as lines, triangles and text.
//!
//! An engine's gizmos, a viewer or a picture implements [`DebugDraw`], and the functions here draw
//! onto it: the connections and links of a view, its verdicts, a path, the corridor below it, a crowd.
//! Points are in world space [m]. Everything lies a little above the ground, so that the level's own
//! triangles do not hide it.
//!
//! Based on: Mononen, Recast's `duDebugDraw`; Crozet, rapier's `DebugRenderBackend`.

use nalgebra::Point3;

use crate::crowd::{Crowd, Member};
use crate::grid::{Dir, GridFrame, Link, SpanId, Verdict};
use crate::path::{Corridor, Path, TrackPoint};
use crate::portable;
use crate::view::View;

/// Draws lines, triangles and text. Whoever implements it chooses depth, width and font.
///
/// ```
/// use nalgebra::Point3;
/// use surefoot::debug::{DebugColor, DebugDraw, draw_path};
/// use surefoot::{NavGrid, Navigator};
///
/// #[derive(Default)]
/// struct Lines(Vec<[Point3<f32>; 2]>);
///
/// impl DebugDraw for Lines {
///     fn line(&mut self, from: Point3<f32>, to: Point3<f32>, _color: DebugColor) {
///         self.0.push([from, to]);
///     }
///     fn triangle(&mut self, _corners: [Point3<f32>; 3], _color: DebugColor) {}
/// }
///
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 3\nmap\n...\n", 1.0, &[])?;
/// let mut nav = Navigator::new(grid, "human")?;
/// let mut lines = Lines::default();
/// draw_path(nav.path([0.5, 0.0, 0.5], [2.5, 0.0, 0.5])?, &mut lines);
/// assert!(!lines.0.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DebugDraw {
    /// Draws a straight line [m].
    fn line(&mut self, from: Point3<f32>, to: Point3<f32>, color: DebugColor);

    /// Fills a triangle [m]. Its corners are in no particular order, so draw both of its sides.
    fn triangle(&mut self, corners: [Point3<f32>; 3], color: DebugColor);

    /// Writes a short text at a point [m]. Does nothing by default.
    fn text(&mut self, _at: Point3<f32>, _text: &str) {}
}

/// What a line or a triangle stands for. [`DebugColor::rgb`] is a color for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DebugColor {
    /// A connection between neighboring spans.
    Connection,
    /// A link that the agent can take.
    Link,
    /// The floor of a span, by its verdict.
    Verdict(Verdict),
    /// A span of a corridor, and the step to the next one.
    Corridor,
    /// A segment of a path.
    Path,
    /// The body of a crowd's member.
    Body,
    /// Where a member goes within the next second.
    Velocity,
    /// The line from a member through the waypoints ahead of it.
    Ahead,
}

impl DebugColor {
    /// Red, green and blue [0..=255], in sRGB.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            DebugColor::Connection => [122, 113, 101],
            DebugColor::Link => [18, 92, 97],
            DebugColor::Verdict(verdict) => verdict_rgb(verdict),
            DebugColor::Corridor => [152, 196, 222],
            DebugColor::Path => [20, 62, 140],
            DebugColor::Body => [52, 46, 40],
            DebugColor::Velocity => [218, 28, 32],
            DebugColor::Ahead => [96, 178, 232],
        }
    }
}

/// Verdicts differ in lightness as well as in hue, for color-blind readers.
fn verdict_rgb(verdict: Verdict) -> [u8; 3] {
    match verdict {
        Verdict::Walkable => [170, 200, 150],
        Verdict::TooSteep => [146, 108, 80],
        Verdict::LowCeiling => [47, 107, 173],
        Verdict::Obstacle(_) => [178, 50, 36],
        Verdict::Ledge => [240, 190, 62],
        Verdict::Forbidden => [200, 142, 200],
        Verdict::InsideSolid => [74, 72, 76],
        Verdict::SmallRegion => [104, 150, 150],
    }
}

/// Draws the connections and links of a view in a part of its grid: a line for each, and the name of
/// each link. `view.grid().frame()` is the whole grid. O(spans of the part + links).
pub fn draw_grid(view: &View, part: &GridFrame, out: &mut dyn DebugDraw) {
    let grid = view.grid();
    let is_inside =
        |span: SpanId| grid.cell_of(span).is_some_and(|cell| part.index(cell).is_some());
    for span in spans(view, part) {
        // A connection leads both ways: it is drawn from the lower id.
        let targets = Dir::ALL.into_iter().filter_map(|dir| view.neighbor(span, dir));
        for to in targets.filter(|&to| to > span && is_inside(to)) {
            span_line(view, [span, to], DebugColor::Connection, out);
        }
    }
    let agent = view.agent_id().index();
    let is_open = |link: usize| {
        view.overlay()
            .is_none_or(|overlay| overlay.is_link_open(link) && overlay.is_link_at_stop(link))
    };
    let is_near = |link: &Link| {
        let mut ends = link.from.into_iter().chain(link.to);
        ends.any(|end| part.index(part.cell_at(end.x, end.z)).is_some())
    };
    for (number, link) in grid.links().iter().enumerate() {
        let can_take = !link.lanes_of(agent).is_empty();
        if can_take && is_open(number) && is_near(link) {
            let [from, to] = link.middle().map(lifted);
            out.line(from, to, DebugColor::Link);
            for [first, last] in [link.from, link.to].map(|end| end.map(lifted)) {
                if first != last {
                    out.line(first, last, DebugColor::Link);
                }
            }
            out.text(from, &link.name);
        }
    }
}

/// Draws the floor of every span in a part of a view's grid in the color of its verdict: two
/// triangles each. `view.grid().frame()` is the whole grid. O(spans of the part).
pub fn draw_verdicts(view: &View, part: &GridFrame, out: &mut dyn DebugDraw) {
    for span in spans(view, part) {
        if let Some(standing) = view.standing(span) {
            floor(view, span, DebugColor::Verdict(standing.verdict()), out);
        }
    }
}

/// Draws a path: a line between neighboring points of its track, in the color of links where it takes
/// one, and at each waypoint the distance from the start [m].
pub fn draw_path(path: &Path, out: &mut dyn DebugDraw) {
    let by_link = path.waypoints().windows(2).filter(|pair| pair[0].link.is_some());
    let links: Vec<[f32; 2]> = by_link.map(|pair| [pair[0].distance, pair[1].distance]).collect();
    let is_link = |a: &TrackPoint, b: &TrackPoint| links.contains(&[a.distance, b.distance]);
    for pair in path.track().windows(2) {
        let color = if is_link(&pair[0], &pair[1]) { DebugColor::Link } else { DebugColor::Path };
        out.line(lifted(pair[0].point), lifted(pair[1].point), color);
    }
    for waypoint in path.waypoints() {
        out.text(lifted(waypoint.point), &format!("{:.1}", waypoint.distance));
    }
}

/// Draws a corridor: the floors of its spans, two triangles each, and a line from center to center.
pub fn draw_corridor(view: &View, corridor: &Corridor, out: &mut dyn DebugDraw) {
    for &span in corridor.spans() {
        floor(view, span, DebugColor::Corridor, out);
    }
    for (at, pair) in corridor.spans().windows(2).enumerate() {
        let is_link = corridor.link_to(at + 1).is_some();
        let color = if is_link { DebugColor::Link } else { DebugColor::Corridor };
        span_line(view, [pair[0], pair[1]], color, out);
    }
}

/// Draws the members of a crowd: a circle with the radius of each body, its velocity, a line through
/// the waypoints ahead of it, and the name of its agent.
pub fn draw_crowd(crowd: &Crowd, out: &mut dyn DebugDraw) {
    for member in crowd.members() {
        let agent = &crowd.grid().layers()[member.agent().index()].agent;
        circle(member.position(), agent.radius, out);
        let feet = lifted(member.position());
        out.line(feet, feet + member.velocity(), DebugColor::Velocity);
        draw_ahead(member, out);
        out.text(feet, &agent.name);
    }
}

fn draw_ahead(member: &Member, out: &mut dyn DebugDraw) {
    let mut from = member.position();
    for waypoint in member.waypoints() {
        out.line(lifted(from), lifted(waypoint.point), DebugColor::Ahead);
        from = waypoint.point;
    }
}

/// Lines that a circle is drawn with.
const CIRCLE_LINES: usize = 16;

fn circle(center: Point3<f32>, radius: f32, out: &mut dyn DebugDraw) {
    let point = |at: usize| {
        let (sin, cos) = portable::sin_cos(at as f32 / CIRCLE_LINES as f32 * std::f32::consts::TAU);
        lifted(Point3::new(center.x + radius * cos, center.y, center.z + radius * sin))
    };
    for at in 0..CIRCLE_LINES {
        out.line(point(at), point(at + 1), DebugColor::Body);
    }
}

/// The spans over the cells of a part of the grid.
fn spans<'a>(view: &'a View, part: &'a GridFrame) -> impl Iterator<Item = SpanId> + 'a {
    // A part may be far larger than the grid.
    let part = view.grid().frame().overlap(part);
    let cells = (0..part.cells()).map(move |at| part.cell(at));
    cells.flat_map(|cell| view.grid().column_spans(cell)).map(SpanId)
}

fn span_line(view: &View, ends: [SpanId; 2], color: DebugColor, out: &mut dyn DebugDraw) {
    if let [Some(from), Some(to)] = ends.map(|span| view.grid().point(span)) {
        out.line(lifted(from), lifted(to), color);
    }
}

/// A floor rises by at most this many cells across its cell: the plane of an almost upright one
/// would stick out of the level.
const STEEPEST: f32 = 2.0;

/// Fills the floor of a span with two triangles, sloped as it is.
fn floor(view: &View, span: SpanId, color: DebugColor, out: &mut dyn DebugDraw) {
    let grid = view.grid();
    let (Some(center), Some(data)) = (grid.point(span), grid.span(span)) else { return };
    let half = view.cell_size() / 2.0;
    let slope = data.gradient().map(|slope| slope.clamp(-STEEPEST, STEEPEST));
    let corner = |x: f32, z: f32| {
        let rise = slope[0] * x + slope[1] * z;
        lifted(Point3::new(center.x + x, center.y + rise, center.z + z))
    };
    let [a, b] = [corner(-half, -half), corner(half, -half)];
    let [c, d] = [corner(half, half), corner(-half, half)];
    out.triangle([a, b, c], color);
    out.triangle([a, c, d], color);
}

/// How far above the ground everything is drawn [m].
const LIFT: f32 = 0.02;

fn lifted(point: Point3<f32>) -> Point3<f32> {
    Point3::new(point.x, point.y + LIFT, point.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::FollowSettings;
    use crate::{HeightCost, NavGrid, Navigator, Query};

    /// Counts what is drawn in each color.
    #[derive(Default)]
    struct Counter {
        lines: Vec<DebugColor>,
        triangles: Vec<DebugColor>,
        texts: Vec<String>,
    }

    impl DebugDraw for Counter {
        fn line(&mut self, from: Point3<f32>, to: Point3<f32>, color: DebugColor) {
            assert!([from, to].iter().all(|point| point.iter().all(|value| value.is_finite())));
            self.lines.push(color);
        }

        fn triangle(&mut self, corners: [Point3<f32>; 3], color: DebugColor) {
            let [a, b, c] = corners;
            assert!((b - a).cross(&(c - a)).norm() > 0.0);
            self.triangles.push(color);
        }

        fn text(&mut self, _at: Point3<f32>, text: &str) {
            self.texts.push(text.to_owned());
        }
    }

    fn drawn(draw: impl FnOnce(&mut Counter)) -> Counter {
        let mut counter = Counter::default();
        draw(&mut counter);
        counter
    }

    /// Level ground of 4 by 3 cells.
    fn meadow() -> NavGrid {
        let map = "type octile\nheight 3\nwidth 4\nmap\n....\n....\n....\n";
        NavGrid::from_map(map, 1.0, &[]).expect("a map")
    }

    #[test]
    fn each_connection_is_drawn_once_and_each_floor_by_two_triangles() {
        let view = View::new(&meadow(), "human").expect("there");
        let frame = *view.grid().frame();
        let grid = drawn(|out| draw_grid(&view, &frame, out));
        // Along x, along z, and both diagonals.
        assert_eq!(grid.lines, vec![DebugColor::Connection; 3 * 3 + 4 * 2 + 2 * 3 * 2]);
        let verdicts = drawn(|out| draw_verdicts(&view, &frame, out));
        assert_eq!(verdicts.triangles, vec![DebugColor::Verdict(Verdict::Walkable); 2 * 12]);
        let part = GridFrame { size_x: 2, size_z: 1, ..frame };
        assert_eq!(drawn(|out| draw_grid(&view, &part, out)).lines.len(), 1);
        assert_eq!(drawn(|out| draw_verdicts(&view, &part, out)).triangles.len(), 4);
    }

    #[test]
    fn a_path_is_drawn_along_its_track_and_its_corridor_below() {
        let mut nav = Navigator::new(meadow(), "human").expect("there");
        nav.begin_search(&Query::new([0.5, 0.0, 0.5], [3.5, 0.0, 0.5]));
        nav.advance(u32::MAX);
        let path = nav.finish().path().expect("a path").clone();
        let lines = drawn(|out| draw_path(&path, out));
        assert_eq!(lines.lines, vec![DebugColor::Path; path.track().len() - 1]);
        assert_eq!(lines.texts, ["0.0", "3.0"]);
        let corridor = drawn(|out| draw_corridor(nav.view(), nav.corridor(), out));
        assert_eq!(corridor.triangles, vec![DebugColor::Corridor; 2 * 4]);
        assert_eq!(corridor.lines, vec![DebugColor::Corridor; 3]);
    }

    #[test]
    fn a_member_is_a_circle_with_a_velocity_and_what_is_ahead() {
        let mut crowd = Crowd::new(meadow(), HeightCost::default());
        let settings = FollowSettings::default();
        let member = crowd.add("human", [0.5, 0.0, 0.5], settings).expect("there");
        assert_eq!(drawn(|out| draw_crowd(&crowd, out)).lines.len(), CIRCLE_LINES + 1);
        crowd.set_goal(member, [3.5, 0.0, 0.5]).expect("a member");
        crowd.step(0.1);
        let moving = drawn(|out| draw_crowd(&crowd, out));
        let ahead = crowd.member(member).expect("there").waypoints().len();
        assert!(ahead > 0);
        assert_eq!(moving.lines.len(), CIRCLE_LINES + 1 + ahead);
        assert_eq!(moving.lines.last(), Some(&DebugColor::Ahead));
        assert_eq!(moving.texts, ["human"]);
    }
}
