//! The border of a map: neat line, coordinates in metres, scale bar and the directions of the axes.

use super::arrows::arrow_head;
use super::canvas::{Canvas, PixelPoint, Rect, Stroke};
use super::numbers::{metres, round_length, trimmed};
use super::palette::{FAINT_INK, INK, PAPER};
use super::text_style::{Align, TextStyle};

/// Draws the border and the axes round a map.
pub(super) fn draw(canvas: &mut Canvas, map: Rect, cell_size: f32) {
    let outer = Rect { x: map.x - 1, y: map.y - 1, width: map.width + 2, height: map.height + 2 };
    canvas.frame(outer, INK);
    let step = round_length(TICK_DISTANCE / canvas.transform().scale);
    draw_columns(canvas, map, step);
    draw_rows(canvas, map, step);
    draw_crosses(canvas, map, step);
    draw_scale_bar(canvas, map, cell_size);
    draw_axes(canvas, map);
}

/// About the distance between two coordinates [pixels].
const TICK_DISTANCE: f32 = 150.0;
const TICK: i64 = 6;

fn draw_columns(canvas: &mut Canvas, map: Rect, step: f32) {
    let transform = *canvas.transform();
    for value in multiples(transform.origin[0], map.width as f32 / transform.scale, step) {
        let x = map.x + ((value - transform.origin[0]) * transform.scale).round() as i64;
        canvas.fill(Rect { x, y: map.y - TICK, width: 1, height: TICK }, INK);
        let at = PixelPoint::new(x as f32, (map.y - TICK - 5) as f32);
        canvas.text(at, &metres(value, step), coordinate(Align::Center));
    }
}

fn draw_rows(canvas: &mut Canvas, map: Rect, step: f32) {
    let transform = *canvas.transform();
    for value in multiples(transform.origin[1], map.height as f32 / transform.scale, step) {
        let y = map.y + ((value - transform.origin[1]) * transform.scale).round() as i64;
        canvas.fill(Rect { x: map.x - TICK, y, width: TICK, height: 1 }, INK);
        let at = PixelPoint::new((map.x - TICK - 5) as f32, y as f32 + 5.0);
        canvas.text(at, &metres(value, step), coordinate(Align::Right));
    }
}

/// Small crosses where the lines between the ticks would meet.
fn draw_crosses(canvas: &mut Canvas, map: Rect, step: f32) {
    let transform = *canvas.transform();
    let place = |value: f32, axis: usize| {
        ((value - transform.origin[axis]) * transform.scale).round() as i64
    };
    for z in multiples(transform.origin[1], map.height as f32 / transform.scale, step) {
        for x in multiples(transform.origin[0], map.width as f32 / transform.scale, step) {
            let (x, y) = (map.x + place(x, 0), map.y + place(z, 1));
            for arm in -4..=4 {
                for (x, y) in [(x + arm, y), (x, y + arm)] {
                    let inside = (map.x..map.x + map.width).contains(&x)
                        && (map.y..map.y + map.height).contains(&y);
                    canvas.blend([x, y], INK, if inside { 0.35 } else { 0.0 });
                }
            }
        }
    }
}

fn coordinate(align: Align) -> TextStyle {
    TextStyle::new(15.0, FAINT_INK).aligned(align)
}

/// The multiples of a step within a length from a start.
fn multiples(start: f32, length: f32, step: f32) -> impl Iterator<Item = f32> {
    let (start, length, step) = (f64::from(start), f64::from(length), f64::from(step));
    let first = (start / step - 1e-6).ceil();
    let last = ((start + length) / step + 1e-6).floor();
    let count = (last - first + 1.0).clamp(0.0, MAX_TICKS) as u32;
    (0..count).map(move |at| ((first + f64::from(at)) * step) as f32)
}

const MAX_TICKS: f64 = 100.0;

/// A bar of four parts, each a round length.
fn draw_scale_bar(canvas: &mut Canvas, map: Rect, cell_size: f32) {
    let scale = canvas.transform().scale;
    let part = round_length(BAR_PART / scale);
    let y = map.y + map.height + 26;
    let at = |parts: i64| map.x + (part * scale * parts as f32).round() as i64;
    let bar = Rect { x: at(0), y, width: at(4) - at(0) + 1, height: 8 };
    canvas.fill(bar, PAPER);
    for parts in [0, 2] {
        canvas.fill(Rect { x: at(parts), width: at(parts + 1) - at(parts), ..bar }, INK);
    }
    canvas.frame(bar, INK);
    for parts in [0, 1, 2, 4] {
        let place = PixelPoint::new(at(parts) as f32, (y + 25) as f32);
        canvas.text(place, &metres(part * parts as f32, part), coordinate(Align::Center));
    }
    let last = canvas.text_width(&metres(part * 4.0, part), coordinate(Align::Left));
    let end = PixelPoint::new(at(4) as f32 + last / 2.0 + 5.0, (y + 25) as f32);
    let cells = format!("m        cell {} m", trimmed(f64::from(cell_size)));
    canvas.text(end, &cells, coordinate(Align::Left));
}

/// About as long is a part of the scale bar [pixels].
const BAR_PART: f32 = 56.0;

/// Two arrows at the map's lower right: x to the right, z downwards.
fn draw_axes(canvas: &mut Canvas, map: Rect) {
    let stroke = Stroke { color: FAINT_INK, width: 1.4 };
    let right = (map.x + map.width.max(380)) as f32;
    let corner = PixelPoint::new(right - 60.0, (map.y + map.height + 18) as f32);
    let x = PixelPoint::new(corner.x + 34.0, corner.y);
    let z = PixelPoint::new(corner.x, corner.y + 34.0);
    for tip in [x, z] {
        canvas.line(corner, tip, stroke);
        arrow_head(canvas, [corner, tip + (tip - corner) * 0.1], FAINT_INK);
    }
    canvas.text(PixelPoint::new(x.x + 8.0, x.y + 5.0), "x", coordinate(Align::Left));
    canvas.text(PixelPoint::new(z.x + 9.0, z.y + 3.0), "z", coordinate(Align::Left));
}
