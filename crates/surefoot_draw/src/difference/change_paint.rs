//! Paints changed cells, the links that came and went, and the numbers of places over a map.

use std::collections::BTreeSet;
use std::ops::Range;

use nalgebra::{Point3, distance};

use surefoot::grid::{Cell, GridFrame};

use super::super::arrows::{arrow_head, bow};
use super::super::canvas::{Canvas, PixelPoint, Stroke};
use super::super::marks::ChangeMark;
use super::super::palette::{INK, PAPER, mix};
use super::super::text_style::{Align, TextStyle};
use super::NumberedPlace;

/// How much of the color lies over the ground.
const COVER: f32 = 0.82;
/// Where ground was lost above ground that was gained, or beneath, stripes show both [pixels].
const STRIPES: i64 = 16;

/// Paints cells by what happened there, with an outline where the next cell is not among them.
pub(super) fn paint_cells(canvas: &mut Canvas, frame: &GridFrame, cells: &[BTreeSet<Cell>; 3]) {
    for mark in [ChangeMark::Moved, ChangeMark::Gained, ChangeMark::Lost] {
        let own = &cells[mark as usize];
        for &cell in own {
            let is_striped =
                mark == ChangeMark::Lost && cells[ChangeMark::Gained as usize].contains(&cell);
            let pixels = CellPixels::of(canvas, frame, cell);
            let is_edge = |x: i32, z: i32| !own.contains(&Cell::new(cell.x + x, cell.z + z));
            let edges = [is_edge(-1, 0), is_edge(1, 0), is_edge(0, -1), is_edge(0, 1)];
            pixels.paint(canvas, mark, &CellStyle { edges, is_striped });
        }
    }
}

/// How a cell is painted.
struct CellStyle {
    /// Whether it has an outline on the left, on the right, above and below.
    edges: [bool; 4],
    is_striped: bool,
}

/// The pixels of a cell; at least one.
struct CellPixels {
    columns: Range<i64>,
    rows: Range<i64>,
}

impl CellPixels {
    fn of(canvas: &Canvas, frame: &GridFrame, cell: Cell) -> Self {
        let half = frame.cell_size / 2.0;
        let [x, z] = frame.center(cell);
        let corner = |side: f32| canvas.transform().to_pixels([x + side, 0.0, z + side]);
        let [low, high] = [corner(-half), corner(half)];
        let pixels = |low: f32, high: f32| {
            let start = low.round() as i64;
            start..(high.round() as i64).max(start + 1)
        };
        CellPixels { columns: pixels(low.x, high.x), rows: pixels(low.y, high.y) }
    }

    fn paint(&self, canvas: &mut Canvas, mark: ChangeMark, style: &CellStyle) {
        let [left, right, top, bottom] = style.edges;
        for y in self.rows.clone() {
            for x in self.columns.clone() {
                let is_outline = left && x == self.columns.start
                    || right && x + 1 == self.columns.end
                    || top && y == self.rows.start
                    || bottom && y + 1 == self.rows.end;
                let is_between = (x + y).rem_euclid(STRIPES) >= STRIPES / 2;
                if is_outline {
                    canvas.blend([x, y], mark.outline(), 1.0);
                } else if !style.is_striped {
                    canvas.blend([x, y], mark.shade([x, y]), COVER);
                } else if !is_between {
                    canvas.blend([x, y], mark.color(), COVER);
                }
            }
        }
    }
}

/// Draws a link that came or went.
pub(super) fn draw_link(canvas: &mut Canvas, ends: [Point3<f32>; 2], mark: ChangeMark) {
    let color = mark.color();
    let ends = ends.map(|at| canvas.transform().to_pixels(at));
    let curve = bow(ends);
    canvas.polyline(&curve, Stroke { color: PAPER, width: 6.0 });
    match mark {
        ChangeMark::Lost => canvas.dashes(&curve, 10.0, Stroke { color, width: 3.0 }),
        _ => canvas.polyline(&curve, Stroke { color, width: 3.0 }),
    }
    for end in ends {
        canvas.disc(end, 5.5, PAPER);
        canvas.disc(end, 3.8, color);
    }
    let last = curve.len() - 1;
    arrow_head(canvas, [curve[last - 3], curve[last]], color);
}

/// Draws the numbers of places, the first ones where they are and others beside them.
pub(super) fn draw_numbers<'a>(
    canvas: &mut Canvas,
    places: impl Iterator<Item = &'a NumberedPlace<'a>>,
) {
    let mut taken: Vec<PixelPoint> = Vec::new();
    for place in places {
        let mut at = canvas.transform().to_pixels(place.at);
        let is_taken = |at: PixelPoint| taken.iter().any(|other| distance(&at, other) < DISC_WIDTH);
        for _ in 0..MOST_STEPS_ASIDE {
            if !is_taken(at) {
                break;
            }
            at.x += DISC_WIDTH;
        }
        taken.push(at);
        let place_itself = canvas.transform().to_pixels(place.at);
        canvas.line(place_itself, at, Stroke { color: INK, width: 1.5 });
        draw_number(canvas, at, place);
    }
}

/// Width of the disc under a number, with its rim [pixels].
const DISC_WIDTH: f32 = 24.0;
/// A number stands at most this many discs beside its place.
const MOST_STEPS_ASIDE: usize = 3;

fn draw_number(canvas: &mut Canvas, at: PixelPoint, place: &NumberedPlace) {
    let style = TextStyle::new(14.0, PAPER).bold().aligned(Align::Center);
    canvas.disc(at, DISC_WIDTH / 2.0, PAPER);
    canvas.disc(at, DISC_WIDTH / 2.0 - 1.5, mix(place.mark.color(), INK, 0.5));
    canvas.text(PixelPoint::new(at.x, at.y + 5.0), &place.number.to_string(), style);
}
