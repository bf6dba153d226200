//! Provides [`ChunkLines`]: the lines over the ground of a grid, chunk by chunk, kept until it changes.

use std::collections::BTreeMap;

use bevy_math::Vec3;
use surefoot::grid::Dir;
use surefoot::{Cell, GridFrame, SpanId, View};

use super::draw::NavGroundLines;

/// A chunk is so many cells from side to side.
const CHUNK: u32 = 16;
/// Lines lie so far above the ground, so that it does not hide them [m].
pub(crate) const LIFT: f32 = 0.05;

/// The lines of a grid's chunks. Those of a chunk are made when it is first drawn.
#[derive(Debug, Default)]
pub(crate) struct ChunkLines {
    chunks: BTreeMap<[u32; 2], Vec<[Vec3; 2]>>,
}

impl ChunkLines {
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// The chunks within a distance of a point, seen from above [m].
    pub fn near(
        frame: &GridFrame,
        at: Vec3,
        distance: f32,
    ) -> impl Iterator<Item = [u32; 2]> + use<> {
        let (least, greatest) = frame.bounds();
        let side = CHUNK as f32 * frame.cell_size;
        let chunks = |axis: usize, at: f32| {
            let most = ((greatest[axis] - least[axis]) / side).ceil();
            let first = ((at - distance - least[axis]) / side).floor().clamp(0.0, most);
            let last = ((at + distance - least[axis]) / side).ceil().clamp(0.0, most);
            first as u32..last as u32
        };
        let (x, z) = (chunks(0, at.x), chunks(1, at.z));
        let corner = [least[0], least[1]];
        z.flat_map(move |z| x.clone().map(move |x| [x, z])).filter(move |chunk| {
            let gap = |axis: usize, at: f32| {
                let from = corner[axis] + chunk[axis] as f32 * side;
                (from - at).max(at - from - side).max(0.0)
            };
            gap(0, at.x).hypot(gap(1, at.z)) <= distance
        })
    }

    /// The lines of a chunk.
    pub fn chunk(&mut self, chunk: [u32; 2], view: &View, kind: NavGroundLines) -> &[[Vec3; 2]] {
        self.chunks.entry(chunk).or_insert_with(|| lines(chunk, view, kind))
    }
}

fn lines([x, z]: [u32; 2], view: &View, kind: NavGroundLines) -> Vec<[Vec3; 2]> {
    let frame = view.grid().frame();
    let first = |min: i32, chunk: u32| min + (chunk * CHUNK) as i32;
    let (x, z) = (first(frame.min.x, x), first(frame.min.z, z));
    let side = CHUNK as i32;
    let mut lines = Vec::new();
    for cell in (z..z + side).flat_map(|z| (x..x + side).map(move |x| Cell::new(x, z))) {
        for span in view.grid().column_spans(cell).map(SpanId) {
            if !view.is_walkable(span) {
                continue;
            }
            for dir in Dir::STRAIGHT {
                let next = view.neighbor(span, dir).filter(|&next| view.is_walkable(next));
                if kind == NavGroundLines::Cells || next.is_none() {
                    lines.extend(edge(view, span, dir));
                }
            }
        }
    }
    lines
}

/// The side of a span's cell in a straight direction.
fn edge(view: &View, span: SpanId, dir: Dir) -> Option<[Vec3; 2]> {
    let (grid, offset) = (view.grid(), dir.offset());
    let (dx, dz) = (offset.x, offset.z);
    let (center, gradient) = (grid.point(span)?, grid.span(span)?.gradient());
    let half = 0.5 * grid.frame().cell_size;
    let corner = |side: i32| {
        let (x, z) = match dx {
            0 => (side as f32 * half, dz as f32 * half),
            _ => (dx as f32 * half, side as f32 * half),
        };
        let rise = gradient[0] * x + gradient[1] * z;
        Vec3::new(center.x + x, center.y + rise + LIFT, center.z + z)
    };
    Some([corner(-1), corner(1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::{AgentId, NavGrid};

    /// A room of 40 by 20 cells of half a metre with a pillar of one cell.
    fn view() -> View {
        let row = |z: u32| (0..40).map(move |x| if (x, z) == (20, 10) { '@' } else { '.' });
        let rows: Vec<String> = (0..20).map(|z| row(z).collect()).collect();
        let map = format!("type octile\nheight 20\nwidth 40\nmap\n{}\n", rows.join("\n"));
        let grid = NavGrid::from_map(&map, 0.5, &[]).expect("a map");
        View::new(&grid, AgentId(0)).expect("an agent")
    }

    fn all(kind: NavGroundLines) -> Vec<[Vec3; 2]> {
        let (view, mut lines) = (view(), ChunkLines::default());
        let chunks: Vec<_> = ChunkLines::near(view.grid().frame(), Vec3::ZERO, 100.0).collect();
        assert_eq!(chunks.len(), 6);
        chunks.into_iter().flat_map(|chunk| lines.chunk(chunk, &view, kind).to_vec()).collect()
    }

    #[test]
    fn edges_are_drawn_where_ground_ends_and_cells_everywhere() {
        let edges = all(NavGroundLines::Edges);
        assert_eq!(edges.len(), 2 * (40 + 20) + 4);
        let pillar = edges.iter().filter(|line| {
            let middle = line[0].midpoint(line[1]);
            middle.distance(Vec3::new(10.25, middle.y, 5.25)) < 0.3
        });
        assert_eq!(pillar.count(), 4);
        assert!(edges.iter().all(|[from, to]| (from.distance(*to) - 0.5).abs() < 1e-6));
        assert_eq!(all(NavGroundLines::Cells).len(), 4 * (40 * 20 - 1));
    }

    #[test]
    fn only_chunks_that_are_near_are_drawn() {
        let frame = *view().grid().frame();
        let near =
            |at: Vec3, distance: f32| ChunkLines::near(&frame, at, distance).collect::<Vec<_>>();
        assert_eq!(near(Vec3::new(1.0, 50.0, 1.0), 2.0), [[0, 0]]);
        assert_eq!(near(Vec3::new(8.0, 0.0, 1.0), 1.0), [[0, 0], [1, 0]]);
        assert_eq!(near(Vec3::new(-5.0, 0.0, -5.0), 3.0), [[0; 2]; 0]);
        assert_eq!(near(Vec3::new(1e9, 0.0, 0.0), 10.0), [[0; 2]; 0]);
    }
}
