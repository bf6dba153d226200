//! Provides [`GroundRequest`]: the floors of a square of cells, merged into as few rectangles as show them.
//!
//! A rectangle is a set of spans of one kind that lie near one plane: it grows from its first span along x,
//! then along z, as long as the floors stay within a tolerance of that plane. One quad a span would be
//! too much for any screen: a million spans of level ground are a few thousand rectangles.

use serde::Deserialize;
use surefoot::grid::{AgentId, AreaId};
use surefoot::{Cell, NavGrid, Span, SpanId, Verdict};

/// How far rectangles reach over their cells [cells]: planes that only nearly meet leave no cracks then.
const OVERLAP: f32 = 0.06;
/// The same for floors that are not level, which meet less well.
const SLOPED_OVERLAP: f32 = 0.4;
/// Side of a square of ground [cells].
pub const CHUNK: u32 = 64;

/// A part of the ground, and what is to be seen of it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundRequest {
    agent: u16,
    layer: Layer,
    /// The square's place among those of the grid.
    x: u32,
    z: u32,
    /// How far floors may lie from what is shown [m].
    tolerance: f32,
    /// The verdicts to show, a bit for each by its [`verdict_kind`].
    verdicts: u32,
}

/// What the color of the ground tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Layer {
    Verdict,
    Region,
    Clearance,
    Slope,
    Area,
}

/// Rectangles on the ground: four corners and a kind each, which the page gives a color.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rectangles {
    /// x, y, z of each corner [m].
    pub corners: Vec<f32>,
    /// For each corner, the same for all four of a rectangle.
    pub kinds: Vec<u8>,
}

/// Kinds of ground, by layer. The first eight are verdicts, on every layer.
const REGIONS: u8 = 16;
const MOST_REGIONS: u32 = 15;
const CLEARANCES: u8 = 32;
const SLOPES: u8 = 48;
const AREAS: u8 = 64;
/// Steps of the scales of clearance and slope.
const STEPS: u8 = 15;
/// Clearance of the last step [m].
const WIDEST: f32 = 3.0;

/// The kind of ground of a verdict [0..8).
pub fn verdict_kind(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Walkable => 0,
        Verdict::TooSteep => 1,
        Verdict::LowCeiling => 2,
        Verdict::Obstacle(_) => 3,
        Verdict::Ledge => 4,
        Verdict::InsideSolid => 6,
        Verdict::SmallRegion => 7,
        // Verdicts of later versions look like ground that is closed by rule.
        _ => 5,
    }
}

impl GroundRequest {
    /// Merges the floors of the square. O(spans of the square).
    pub fn rectangles(&self, grid: &NavGrid) -> Rectangles {
        let frame = grid.frame();
        let corner = Cell::new(
            frame.min.x.wrapping_add((self.x * CHUNK) as i32),
            frame.min.z.wrapping_add((self.z * CHUNK) as i32),
        );
        let mut merger = Merger {
            grid,
            request: self,
            corner,
            first: Vec::with_capacity((CHUNK * CHUNK) as usize),
            is_merged: Vec::new(),
            found: Rectangles::default(),
        };
        merger.merge();
        merger.found
    }

    /// The kind of a span; `None` if it is not to be shown.
    fn kind(&self, grid: &NavGrid, span: SpanId) -> Option<u8> {
        let agent = AgentId(self.agent);
        let verdict = verdict_kind(grid.verdict(agent, span)?);
        if self.verdicts & 1 << verdict == 0 {
            return None;
        }
        let own = grid.span(span)?;
        let steps = |share: f32| (share.clamp(0.0, 1.0) * f32::from(STEPS)) as u8;
        Some(match self.layer {
            Layer::Area => AREAS.saturating_add(own.area().0),
            Layer::Slope => SLOPES + steps(own.normal().y.acos() / std::f32::consts::FRAC_PI_2),
            _ if verdict != 0 => verdict,
            Layer::Verdict => 0,
            Layer::Region => REGIONS + grid.region(agent, span)?.0.min(MOST_REGIONS) as u8,
            Layer::Clearance => CLEARANCES + steps(grid.clearance(agent, span)? / WIDEST),
        })
    }
}

/// A span with its place in the square [cells].
#[derive(Clone, Copy)]
struct Seed {
    id: u32,
    x: u32,
    z: u32,
    kind: u8,
}

struct Merger<'a> {
    grid: &'a NavGrid,
    request: &'a GroundRequest,
    /// The first cell of the square.
    corner: Cell,
    /// For each cell of the square where its spans begin in `is_merged`.
    first: Vec<u32>,
    is_merged: Vec<bool>,
    found: Rectangles,
}

impl Merger<'_> {
    fn merge(&mut self) {
        let mut spans = 0;
        for (x, z) in cells() {
            self.first.push(spans);
            spans += self.column(x, z).len() as u32;
        }
        self.is_merged = vec![false; spans as usize];
        for (x, z) in cells() {
            for id in self.column(x, z) {
                let kind = self.request.kind(self.grid, SpanId(id));
                if let Some(kind) = kind.filter(|_| !self.is_merged[self.mark(x, z, id)]) {
                    self.grow(Seed { id, x, z, kind });
                }
            }
        }
    }

    /// Merges what goes on from a span in one plane.
    fn grow(&mut self, seed: Seed) {
        let own = self.grid.spans()[seed.id as usize];
        let mut width = 1;
        while let Some(mark) = self.like(&own, seed, [width, 0]) {
            self.is_merged[mark] = true;
            width += 1;
        }
        let mut depth = 1;
        let mut row = Vec::with_capacity(width as usize);
        loop {
            row.clear();
            row.extend((0..width).map_while(|x| self.like(&own, seed, [x, depth])));
            if row.len() < width as usize {
                break;
            }
            row.iter().for_each(|&mark| self.is_merged[mark] = true);
            depth += 1;
        }
        let mark = self.mark(seed.x, seed.z, seed.id);
        self.is_merged[mark] = true;
        self.add(&own, seed, [width, depth]);
    }

    /// Where the span at an offset [cells] is marked that goes on in the plane of the first; `None` if
    /// there is none, or another rectangle has it.
    fn like(&self, own: &Span, seed: Seed, offset: [u32; 2]) -> Option<usize> {
        let (x, z) = (seed.x + offset[0], seed.z + offset[1]);
        if x >= CHUNK || z >= CHUNK {
            return None;
        }
        let expected = self.expected(own, offset);
        let found = self.column(x, z).find(|&id| {
            let floor = self.grid.spans()[id as usize].floor;
            (floor - expected).abs() <= self.request.tolerance
        })?;
        let mark = self.mark(x, z, found);
        let kind = self.request.kind(self.grid, SpanId(found));
        (kind == Some(seed.kind) && !self.is_merged[mark]).then_some(mark)
    }

    /// Adds the rectangle from a span on, of so many cells. Its corners lie on the floors of the cells there,
    /// so that rectangles beside each other meet.
    fn add(&mut self, own: &Span, seed: Seed, [width, depth]: [u32; 2]) {
        let side = self.grid.frame().cell_size;
        for [along_x, along_z] in [[0, 0], [0, 1], [1, 1], [1, 0]] {
            let offset = [along_x * (width - 1), along_z * (depth - 1)];
            let (x, z) = (seed.x + offset[0], seed.z + offset[1]);
            let expected = self.expected(own, offset);
            let floor = self.floor_near(x, z, expected).unwrap_or(*own);
            let [center_x, center_z] = self.grid.frame().center(self.cell(x, z));
            let [rise_x, rise_z] = floor.gradient();
            let is_level = rise_x == 0.0 && rise_z == 0.0;
            let overlap = if is_level { OVERLAP } else { SLOPED_OVERLAP };
            let to_corner =
                [along_x, along_z].map(|far| side * (far as f32 - 0.5) * (1.0 + overlap));
            let rise = rise_x * to_corner[0] + rise_z * to_corner[1];
            let (x, z) = (center_x + to_corner[0], center_z + to_corner[1]);
            self.found.corners.extend([x, floor.floor + rise, z]);
            self.found.kinds.push(seed.kind);
        }
    }

    /// The height of the plane through a span at an offset from it [cells].
    fn expected(&self, own: &Span, offset: [u32; 2]) -> f32 {
        let size = self.grid.frame().cell_size;
        let [rise_x, rise_z] = own.gradient();
        own.floor + size * (rise_x * offset[0] as f32 + rise_z * offset[1] as f32)
    }

    fn floor_near(&self, x: u32, z: u32, height: f32) -> Option<Span> {
        let near = |id: &u32| {
            let floor = self.grid.spans()[*id as usize].floor;
            (floor - height).abs() <= self.request.tolerance
        };
        self.column(x, z).find(near).map(|id| self.grid.spans()[id as usize])
    }

    fn cell(&self, x: u32, z: u32) -> Cell {
        Cell::new(self.corner.x.wrapping_add(x as i32), self.corner.z.wrapping_add(z as i32))
    }

    fn column(&self, x: u32, z: u32) -> std::ops::Range<u32> {
        self.grid.column_spans(self.cell(x, z))
    }

    fn mark(&self, x: u32, z: u32, id: u32) -> usize {
        (self.first[(z * CHUNK + x) as usize] + id - self.column(x, z).start) as usize
    }
}

/// The cells of a square, row by row.
fn cells() -> impl Iterator<Item = (u32, u32)> {
    (0..CHUNK).flat_map(|z| (0..CHUNK).map(move |x| (x, z)))
}

/// The names of the areas' kinds are those of the grid; the page asks for this one's.
pub fn area_kind(area: AreaId) -> u8 {
    AREAS.saturating_add(area.0)
}

#[cfg(test)]
mod tests {
    use surefoot::{Agent, GridFrame};

    use super::*;

    const ALL: u32 = 0xFF;

    fn request(tolerance: f32) -> GroundRequest {
        GroundRequest { agent: 0, layer: Layer::Verdict, x: 0, z: 0, tolerance, verdicts: ALL }
    }

    fn heights(heights: &[f32]) -> NavGrid {
        let side = heights.len() as u32;
        let frame = GridFrame { cell_size: 0.5, min: Cell::new(-1, 2), size_x: side, size_z: 1 };
        let pin = Agent { ledge_margin: Some(0.0), ..Agent::new("pin") };
        NavGrid::from_heights(frame, heights, &[pin]).unwrap()
    }

    /// The number of cells of 0.5 m under all rectangles.
    fn cells_shown(found: &Rectangles) -> f32 {
        let side = |from: f32, to: f32| ((to - from) / 0.5 - OVERLAP).round();
        found.corners.chunks(12).map(|c| side(c[0], c[6]) * side(c[2], c[8])).sum()
    }

    #[test]
    fn level_ground_is_one_rectangle() {
        let map = format!("type octile\nheight 9\nwidth 9\nmap\n{}", ".........\n".repeat(9));
        let grid = NavGrid::from_map(&map, 1.0, &[]).unwrap();
        let found = request(0.01).rectangles(&grid);
        assert_eq!(found.kinds, [0; 4]);
        let expected = [0., 0., 0., 0., 0., 9., 9., 0., 9., 9., 0., 0.];
        for (found, expected) in found.corners.iter().zip(expected) {
            assert!((found - expected).abs() <= 0.5 * OVERLAP + 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn every_floor_is_shown_once() {
        let grid = heights(&[0.0, 0.0, 0.1, 3.0, 3.0]);
        let found = request(0.01).rectangles(&grid);
        assert_eq!(cells_shown(&found), 5.0);
        let coarse = request(0.5).rectangles(&grid);
        assert_eq!(cells_shown(&coarse), 5.0);
        assert!(coarse.kinds.len() < found.kinds.len());
    }

    #[test]
    fn slopes_are_one_plane() {
        let found = request(0.01).rectangles(&heights(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]));
        assert!(found.kinds.len() <= 3 * 4, "{found:?}");
    }

    #[test]
    fn what_is_hidden_is_not_shown() {
        let map = "type octile\nheight 1\nwidth 3\nmap\n.@.\n";
        let grid = NavGrid::from_map(map, 1.0, &[]).unwrap();
        let none = GroundRequest { verdicts: 0, ..request(0.1) };
        assert_eq!(none.rectangles(&grid), Rectangles::default());
        assert_eq!(request(0.1).rectangles(&grid).kinds.len(), 8);
    }
}
