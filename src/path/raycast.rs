//! Provides [`raycast`]: how far an agent gets straight over the ground.

use nalgebra::Point3;

use crate::view::{NavPoint, View, ViewRef};

use super::segment_walk::{SegmentTarget, walk_segment};
use super::sight::LineEnd;

/// How far an agent gets along a straight line over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Where it ends: the line's end, or where something is in the way. The body touches nothing there.
    pub end: NavPoint,
    /// The part of the line up to there, seen from above [0..=1].
    pub part: f32,
    /// Whether nothing is in the way. Then the end may still lie on another floor than the one that was
    /// meant: it is the one that the ground leads to.
    pub is_clear: bool,
}

/// Halvings of what is left of a line where it leaves the room of a cell.
const HALVINGS: u32 = 20;
/// Ends keep this part of a cell from the border of the grid.
const BORDER_INSET: f32 = 1.0 / 512.0;

/// Follows a straight line over the ground from a place towards a point; the height of the point does not
/// count. Links are not taken. A place that is not of this grid, or a point that is not finite: the line
/// ends where it begins. O(cells crossed).
///
/// ```
/// use surefoot::path::raycast;
/// use surefoot::view::{NavPoint, View};
/// use surefoot::{NavGrid, SpanId};
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 4\nmap\n...@\n", 1.0, &[])?;
/// let view = View::new(&grid, "human")?;
/// let from = NavPoint { span: SpanId(0), point: [0.5, 0.0, 0.5].into() };
/// let hit = raycast(&view, &from, [3.5, 0.0, 0.5]);
/// assert!(!hit.is_clear && (hit.end.point.x - 3.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn raycast(view: &View, from: &NavPoint, to: impl Into<Point3<f32>>) -> RayHit {
    let to = to.into();
    let is_known = from.span.index() < view.grid().spans().len();
    let stay = RayHit { end: *from, part: 0.0, is_clear: false };
    if !is_known || !from.point.iter().chain(to.iter()).all(|value| value.is_finite()) {
        return stay;
    }
    Ray { view: &view.parts(), from, along: [to.x - from.point.x, to.z - from.point.z] }.cast(stay)
}

/// A line over the ground.
struct Ray<'a> {
    view: &'a ViewRef<'a>,
    from: &'a NavPoint,
    /// Along x and z [m].
    along: [f32; 2],
}

impl Ray<'_> {
    fn cast(&self, stay: RayHit) -> RayHit {
        let inside = self.part_inside();
        let [before, mut blocked] = match self.follow(inside) {
            Ok(end) if self.has_room(&end) => {
                return RayHit { end, part: inside, is_clear: inside == 1.0 };
            }
            // Lines may end where a body was pushed to; a ray may not.
            Ok(_) => [0.0, inside],
            Err(LineEnd::Blocked(block)) => block.over.map(|part| part * inside),
            Err(_) => return stay,
        };
        let mut best = self.reach(before).unwrap_or(stay);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (best.part + blocked);
            match self.reach(middle) {
                Some(hit) => best = hit,
                None => blocked = middle,
            }
        }
        best
    }

    /// Where a part of the line ends, if nothing is in its way.
    fn reach(&self, part: f32) -> Option<RayHit> {
        let end = self.follow(part).ok().filter(|end| self.has_room(end))?;
        Some(RayHit { end, part, is_clear: false })
    }

    fn follow(&self, part: f32) -> Result<NavPoint, LineEnd> {
        let [x, z] = self.place(part);
        walk_segment(self.view, self.from, SegmentTarget::Place([x, z]), |_| true)
    }

    /// Whether the body touches nothing at a place.
    fn has_room(&self, at: &NavPoint) -> bool {
        let offset = || self.view.offset_in_cell(self.view.column(at.span.0), at.place());
        self.view.cell_room(at.span).is_none_or(|room| room.allows(offset()))
    }

    fn place(&self, part: f32) -> [f32; 2] {
        let start = [self.from.point.x, self.from.point.z];
        [0, 1].map(|axis| start[axis] + self.along[axis] * part)
    }

    /// The part of the line that lies over the grid; 1 if all of it does.
    fn part_inside(&self) -> f32 {
        let (min, max) = self.view.frame().bounds();
        let inset = BORDER_INSET * self.view.cell_size();
        let start = self.place(0.0);
        let parts = [0, 1].map(|axis| {
            let along = self.along[axis];
            let [low, high] = [min[axis] + inset, max[axis] - inset];
            let end = start[axis] + along;
            let border = if end < low { low } else { high };
            let is_inside = along == 0.0 || (low..=high).contains(&end);
            if is_inside { 1.0 } else { ((border - start[axis]) / along).clamp(0.0, 1.0) }
        });
        parts[0].min(parts[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{NavGrid, SpanId};
    use crate::path::{GridSight, Sight};

    const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@...\n......\n...@..\n";

    fn from(x: f32, z: f32, view: &View) -> NavPoint {
        let point = Point3::new(x, 0.0, z);
        NavPoint { span: view.grid().span_at(point, 1.0).expect("a floor"), point }
    }

    #[test]
    fn rays_end_at_walls_and_at_the_border_of_the_grid() {
        let grid = NavGrid::from_map(MAP, 1.0, &[]).expect("a map");
        let view = View::new(&grid, "human").expect("an agent");
        for (place, to, end, is_clear) in [
            ([0.5, 0.5], [5.5, 0.5], [5.5, 0.5], true),
            ([0.5, 1.5], [5.5, 1.5], [1.0, 1.5], false),
            ([4.5, 2.5], [4.5, -50.0], [4.5, 0.0], false),
            ([3.5, 1.5], [-1e9, 1.5], [3.0, 1.5], false),
            ([0.5, 0.5], [0.5, 0.5], [0.5, 0.5], true),
        ] {
            let hit = raycast(&view, &from(place[0], place[1], &view), [to[0], 0.0, to[1]]);
            assert_eq!(hit.is_clear, is_clear, "{place:?} to {to:?}: {hit:?}");
            let off = [hit.end.point.x - end[0], hit.end.point.z - end[1]];
            assert!(off.iter().all(|v| v.abs() < 0.01), "{place:?} to {to:?}: {hit:?}");
        }
    }

    #[test]
    fn what_is_not_of_the_grid_stays() {
        let grid = NavGrid::from_map(MAP, 1.0, &[]).expect("a map");
        let view = View::new(&grid, "human").expect("an agent");
        let start = from(0.5, 0.5, &view);
        for to in [[f32::NAN, 0.0, 0.0], [0.0, 0.0, f32::INFINITY]] {
            assert_eq!(raycast(&view, &start, to).end, start);
        }
        let foreign = NavPoint { span: SpanId(99), ..start };
        assert_eq!(raycast(&view, &foreign, [3.0, 0.0, 0.5]).end, foreign);
    }

    #[test]
    fn the_line_to_the_end_is_clear() {
        let grid = NavGrid::from_map(MAP, 0.3, &[]).expect("a map");
        let view = View::new(&grid, "human").expect("an agent");
        for start in [from(0.1, 0.2, &view), from(1.2, 0.65, &view)] {
            for turn in 0..64 {
                let (z, x) = (turn as f32 * 0.1).sin_cos();
                let hit = raycast(&view, &start, [start.point.x + x, 0.0, start.point.z + z]);
                assert!(GridSight.is_clear(&view, &start, &hit.end), "{turn}: {hit:?}");
            }
        }
    }
}
