//! Lays a picture out: title, map with its coordinates, scale bar and legend.
//!
//! The legend stands beside the map; below it where the map is much wider than high.

use surefoot::grid::{GridFrame, NavGrid};
use surefoot::{Cancelled, Observer};

use super::area_style::AreaStyle;
use super::axes;
use super::canvas::{Canvas, MapTransform, PixelPoint, Rect};
use super::image::Image;
use super::legend::{self, LegendBlock};
use super::paint::{MapArea, MapPaint, paint};
use super::palette::{FAINT_INK, INK, PAPER};
use super::relief::{MapContent, Relief, ReliefWindow};
use super::text_style::TextStyle;

/// What stands round a map, and where the map lies.
pub(super) struct PageLayout {
    /// The part of the grid that is shown.
    pub window: GridFrame,
    pub title: String,
    pub lines: Vec<String>,
    pub blocks: Vec<LegendBlock>,
    pub area_styles: Vec<AreaStyle>,
    /// Height between contour lines [m].
    pub contours: Option<f32>,
}

/// How many pixels a cell has, or how many cells a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zoom {
    /// Pixels along the side of a dot [1..=48].
    pub pixels: u32,
    /// Cells along the side of a dot [> 0]; more than 1 only where `pixels` is 1.
    pub cells: u32,
}

/// The long side of a map is about this [pixels]; it is never more than one and a half times it.
const LONG_SIDE: u32 = 1400;
const LARGEST_CELL: u32 = 48;
const MARGIN: i64 = 40;
const GUTTER: i64 = 52;
const HEADER: i64 = 66;
const LINE: i64 = 24;
const FOOTER: i64 = 76;
const GAP: i64 = 36;
/// The legend goes below maps this many times wider than high.
const WIDE: f32 = 1.8;
/// Narrower maps are put on a sheet as wide as this, for the title and the scale bar.
const MIN_WIDTH: i64 = 420;

impl Zoom {
    /// The zoom for a grid with this many cells along its long side.
    pub(super) fn of(cells: u32) -> Self {
        let cells = cells.max(1);
        let rounded = |a: u32, b: u32| (a + b / 2) / b;
        Zoom {
            pixels: rounded(LONG_SIDE, cells).clamp(1, LARGEST_CELL),
            cells: rounded(cells, LONG_SIDE).max(1),
        }
    }

    /// How a map of a frame lies on a picture, with its top left corner at a pixel.
    pub(super) fn transform(&self, frame: &GridFrame, corner: PixelPoint) -> MapTransform {
        let scale = self.pixels as f32 / (self.cells as f32 * frame.cell_size);
        MapTransform { origin: frame.bounds().0, corner, scale }
    }
}

/// Where things are on a picture.
struct Positions {
    size: [i64; 2],
    map: Rect,
    /// Corner of each block.
    blocks: Vec<[i64; 2]>,
}

impl PageLayout {
    /// The finished canvas of a map, on which links and labels may still be drawn.
    pub(super) fn draw(
        &self,
        grid: &NavGrid,
        content: &dyn MapContent,
        observer: &dyn Observer,
    ) -> Result<Canvas, Cancelled> {
        let frame = &self.window;
        let zoom = Zoom::of(frame.size_x.max(frame.size_z));
        let window = ReliefWindow { frame, block: zoom.cells };
        let relief = Relief::of(grid, content, window, observer)?;
        let layout = self.layout(&relief, i64::from(zoom.pixels));
        let transform =
            zoom.transform(frame, PixelPoint::new(layout.map.x as f32, layout.map.y as f32));
        let image = Image::new(layout.size[0] as u32, layout.size[1] as u32, PAPER);
        let mut canvas = Canvas::new(image, transform);
        let area = MapArea {
            rect: layout.map,
            zoom: i64::from(zoom.pixels),
            pixel: 1.0 / transform.scale,
            contours: self.contours,
        };
        let (relief, area_styles) = (&relief, &self.area_styles);
        paint(&mut canvas, &MapPaint { relief, area: &area, area_styles, observer })?;
        axes::draw(&mut canvas, layout.map, frame.cell_size);
        self.draw_words(&mut canvas, &layout);
        Ok(canvas)
    }

    fn draw_words(&self, canvas: &mut Canvas, layout: &Positions) {
        let room = (layout.size[0] - 2 * MARGIN) as f32;
        let title = TextStyle::new(34.0, INK).bold();
        let text = canvas.shortened(&self.title, title, room);
        canvas.text(PixelPoint::new(MARGIN as f32, (MARGIN + 26) as f32), &text, title);
        for (at, line) in self.lines.iter().enumerate() {
            let style = TextStyle::new(18.0, FAINT_INK);
            let text = canvas.shortened(line, style, room);
            let y = MARGIN + 54 + LINE * at as i64;
            canvas.text(PixelPoint::new(MARGIN as f32, y as f32), &text, style);
        }
        for (block, &corner) in self.blocks.iter().zip(&layout.blocks) {
            block.draw(canvas, corner);
        }
    }

    fn layout(&self, relief: &Relief, zoom: i64) -> Positions {
        let (width, height) = (relief.width as i64 * zoom, relief.height as i64 * zoom);
        let top = MARGIN + HEADER + LINE * self.lines.len() as i64 + 8;
        let map = Rect { x: MARGIN + GUTTER, y: top, width, height };
        let wide = map.width as f32 > WIDE * map.height as f32;
        if wide { self.below(map) } else { self.beside(map) }
    }

    fn beside(&self, map: Rect) -> Positions {
        let x = map.x + map.width.max(MIN_WIDTH) + GAP;
        let mut y = map.y - 2;
        let mut blocks = Vec::new();
        for block in &self.blocks {
            blocks.push([x, y]);
            y += block.height();
        }
        let bottom = (map.y + map.height + FOOTER).max(y);
        Positions { size: [x + legend::WIDTH + MARGIN, bottom + MARGIN / 2], map, blocks }
    }

    fn below(&self, map: Rect) -> Positions {
        let width = map.width.max(MIN_WIDTH);
        let columns = ((width + GAP) / (legend::WIDTH + GAP)).max(1) as usize;
        let top = map.y + map.height + FOOTER + GAP;
        let mut ends = vec![top; columns];
        let mut blocks = Vec::new();
        for block in &self.blocks {
            let shortest = (0..columns).min_by_key(|&column| ends[column]).unwrap_or(0);
            let x = map.x + shortest as i64 * (legend::WIDTH + GAP);
            blocks.push([x, ends[shortest]]);
            ends[shortest] += block.height();
        }
        let bottom = ends.into_iter().max().unwrap_or(top);
        Positions { size: [map.x + width + MARGIN, bottom + MARGIN / 2], map, blocks }
    }
}
