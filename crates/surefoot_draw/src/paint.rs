//! Paints a relief onto the canvas: tints under light, hatched areas, contours and borders.

use super::area_style::AreaStyle;
use super::canvas::{Canvas, Rect};
use super::heights::CONTOURS_TO_MAJOR;
use super::palette::{CONTOUR, INK, INSIDE_SOLID, Rgb, lighten, mix};
use super::relief::{Dot, GroundKind, Relief};
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

/// Where a map lies on the canvas, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MapArea {
    /// The pixels it covers.
    pub rect: Rect,
    /// Pixels along the side of a dot of the relief [> 0].
    pub zoom: i64,
    /// Metres along the side of a pixel [> 0].
    pub pixel: f32,
    /// Height between contour lines [m]; `None` for flat ground.
    pub contours: Option<f32>,
}

/// A relief that is to be painted.
pub(super) struct MapPaint<'a> {
    pub relief: &'a Relief,
    pub area: &'a MapArea,
    pub area_styles: &'a [AreaStyle],
    pub observer: &'a dyn Observer,
}

/// Paints everything that depends on one pixel and its neighbors.
pub(super) fn paint(canvas: &mut Canvas, map: &MapPaint) -> Result<(), Cancelled> {
    let MapPaint { relief, area, area_styles, observer } = *map;
    let pixels = 0..(area.rect.width * area.rect.height) as usize;
    let place = |at: usize| [at as i64 % area.rect.width, at as i64 / area.rect.width];
    let mut heights = Vec::with_capacity(pixels.len());
    for_each_observed(pixels.clone(), observer, |at| {
        heights.push(surface(relief, area, place(at)).floor);
    })?;
    for_each_observed(pixels, observer, |at| {
        let [x, y] = place(at);
        let light = surface(relief, area, [x, y]).light;
        let dot = relief.dot(x / area.zoom, y / area.zoom);
        let style = area_styles.get(usize::from(dot.kind.area()));
        let tint = style.map_or(dot.tint, |style| style.over(dot.tint, [x, y]));
        let mut color = lighten(tint, light);
        if has_contours(dot.kind) {
            let line = if matches!(dot.kind, GroundKind::Open { .. }) { CONTOUR } else { INK };
            color = mix(color, line, contour(&heights, area, [x, y]));
        }
        let (line, strength) = border(relief, area, [x, y]);
        let color = mix(color, line, strength);
        canvas.blend([area.rect.x + x, area.rect.y + y], color, 1.0);
    })
}

/// The ground at a pixel.
struct Surface {
    light: f32,
    /// Its height [m].
    floor: f32,
}

/// Light and height at a pixel: between the middles of dots they change evenly, but not across
/// edges of the ground.
fn surface(relief: &Relief, area: &MapArea, [x, y]: [i64; 2]) -> Surface {
    let own = relief.dot(x / area.zoom, y / area.zoom);
    if area.zoom == 1 || own.kind == GroundKind::Void {
        return Surface { light: own.light, floor: own.floor };
    }
    let at = |pixel: i64| (pixel as f32 + 0.5) / area.zoom as f32 - 0.5;
    let (left, top) = (at(x).floor(), at(y).floor());
    let (right_share, low_share) = (at(x) - left, at(y) - top);
    let reach = area.pixel * area.zoom as f32 + LARGEST_STEP;
    let (mut light, mut floor, mut weight) = (0.0, 0.0, 0.0);
    for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let dot = relief.dot(left as i64 + dx, top as i64 + dz);
        let along = |share: f32, step: i64| if step == 1 { share } else { 1.0 - share };
        // Across an edge the dot's own values stand in, so that the other side does not bleed in.
        let joined = (dot.floor - own.floor).abs() <= reach && ghost(dot.kind) == ghost(own.kind);
        let dot = if joined { dot } else { own };
        let part = along(right_share, dx) * along(low_share, dz);
        light += part * dot.light;
        floor += part * dot.floor;
        weight += part;
    }
    Surface { light: light / weight, floor: floor / weight }
}

/// Floors that differ by more than this and a cell are not one surface [m].
const LARGEST_STEP: f32 = 0.3;

fn ghost(kind: GroundKind) -> bool {
    matches!(kind, GroundKind::Beneath | GroundKind::Void)
}

/// Buildings stand out better without lines across them.
fn has_contours(kind: GroundKind) -> bool {
    match kind {
        GroundKind::Open { .. } => true,
        GroundKind::Closed { reason, .. } => usize::from(reason) != INSIDE_SOLID,
        GroundKind::Void | GroundKind::Beneath => false,
    }
}

/// How much of a pixel a contour line covers.
fn contour(heights: &[f32], area: &MapArea, [x, y]: [i64; 2]) -> f32 {
    let Some(interval) = area.contours else { return 0.0 };
    if x + 1 >= area.rect.width || y + 1 >= area.rect.height {
        return 0.0;
    }
    let row = area.rect.width;
    let at = |x: i64, y: i64| heights[(y * row + x) as usize];
    let here = at(x, y);
    let slope = (at(x + 1, y) - here).hypot(at(x, y + 1) - here);
    let per_metre = slope / area.pixel;
    // Level ground would be all contour or none; a jump is an edge, not a slope.
    if !(MIN_CONTOUR_SLOPE..=MAX_CONTOUR_SLOPE).contains(&per_metre) {
        return 0.0;
    }
    let nearest = (here / interval).round();
    let off = (here - nearest * interval).abs() / slope;
    let major = (nearest as i64) % CONTOURS_TO_MAJOR == 0;
    let (width, strength) = if major { (1.6, 0.85) } else { (1.0, 0.6) };
    // Lines closer than a few pixels would merge into a brown smear.
    let crowding = (interval / slope / 5.0).clamp(0.0, 1.0);
    strength * crowding * (width / 2.0 + 0.5 - off).clamp(0.0, 1.0)
}

const MIN_CONTOUR_SLOPE: f32 = 0.02;
const MAX_CONTOUR_SLOPE: f32 = 4.0;

/// The border line at a pixel: its color and how much of the pixel it covers.
fn border(relief: &Relief, area: &MapArea, [x, y]: [i64; 2]) -> (Rgb, f32) {
    let dot = |dx: i64, dy: i64| {
        relief.dot((x + dx).div_euclid(area.zoom), (y + dy).div_euclid(area.zoom))
    };
    let own = dot(0, 0);
    let cliff = CLIFF * (area.pixel * area.zoom as f32 + LARGEST_STEP);
    let line = |next: Dot| {
        let parted = !ghost(own.kind) && (own.floor - next.floor).abs() > cliff;
        edge(own.kind, next.kind).max(if parted { CLIFF_LINE } else { 0.0 })
    };
    let both = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    // One pixel is enough where cells are small; larger cells have a line on both sides.
    let sides = if area.zoom < 4 { &both[..2] } else { &both[..] };
    let strength = sides.iter().map(|&(dx, dy)| line(dot(dx, dy))).fold(0.0, f32::max);
    let fineness = if area.zoom == 1 { 0.55 } else { 1.0 };
    (INK, strength * fineness)
}

/// Neighbors this many times further apart in height than one surface could be have a line
/// between them, even where one region or one verdict holds both.
const CLIFF: f32 = 2.0;
const CLIFF_LINE: f32 = 0.6;

/// How heavy the line between two kinds is, 0..=1.
fn edge(one: GroundKind, other: GroundKind) -> f32 {
    use GroundKind::{Beneath, Closed, Open, Void};
    match (one, other) {
        _ if one == other => 0.0,
        (Void | Beneath, Void | Beneath) => 0.12,
        (Void | Beneath, _) | (_, Void | Beneath) => 0.8,
        (Open { .. }, Closed { .. }) | (Closed { .. }, Open { .. }) => 0.45,
        (Open { group, .. }, Open { group: next, .. }) if group != next => 0.7,
        (Open { .. }, Open { .. }) => 0.3,
        (Closed { .. }, Closed { .. }) => 0.12,
    }
}
