//! Provides [`Relief`]: what a map shows, cell by cell or, on large grids, block by block.
//!
//! A [`MapContent`] says which span is seen over a cell and how it is colored; the relief adds the
//! light from the north-west and the shadows it casts. Blocks of several cells average the colors
//! of up to 16 of them, and take the rest from the cell in their middle.

use surefoot::grid::{Cell, GridFrame, NavGrid, Span};
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

use super::palette::Rgb;

/// What a map shows.
pub(super) trait MapContent {
    /// The span seen over a cell, and whether it belongs to the map or lies dimly beneath.
    fn span_at(&self, cell: Cell) -> Option<MapSpan>;
    /// The color of a span on level ground.
    fn tint(&self, spot: MapSpan) -> Rgb;
    /// Borders are drawn between spans of different kinds.
    fn kind(&self, spot: MapSpan) -> GroundKind;
}

/// A span seen on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MapSpan {
    /// Index of the span.
    pub span: usize,
    /// Whether it belongs to the map; else it lies beneath.
    pub here: bool,
}

/// What a dot of the map shows; borders are drawn between different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroundKind {
    /// No floor.
    Void,
    /// A floor of a lower storey.
    Beneath,
    /// Nobody stands here, for a reason as the palette counts them.
    Closed { reason: u8, area: u8 },
    /// Open ground of a group: a region, or the agents that can stand there.
    Open { group: u32, area: u8 },
}

impl GroundKind {
    /// The area, where it is hatched.
    pub(super) fn area(self) -> u8 {
        match self {
            GroundKind::Closed { area, .. } | GroundKind::Open { area, .. } => area,
            GroundKind::Void | GroundKind::Beneath => 0,
        }
    }
}

/// One dot of the relief: a cell or a block of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    /// Its color without light.
    pub tint: Rgb,
    /// What it is.
    pub kind: GroundKind,
    /// 1 on level ground in the sun, less in the shade.
    pub light: f32,
    /// Height of the floor [m]; NaN in the void.
    pub floor: f32,
}

const VOID: Dot =
    Dot { tint: super::palette::VOID, kind: GroundKind::Void, light: 1.0, floor: f32::NAN };

/// A map's dots, row by row.
pub(super) struct Relief {
    /// Dots along x.
    pub width: usize,
    /// Dots along z.
    pub height: usize,
    dots: Vec<Dot>,
}

/// A part of a grid, and how finely it is shown.
#[derive(Clone, Copy)]
pub(super) struct ReliefWindow<'a> {
    pub frame: &'a GridFrame,
    /// Cells along the side of a dot [> 0].
    pub block: u32,
}

/// Cells of a block that are looked at along each side, at most.
const SAMPLES: u32 = 4;

impl Relief {
    /// The relief of a map over a part of the grid.
    pub(super) fn of(
        grid: &NavGrid,
        content: &dyn MapContent,
        window: ReliefWindow,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let ReliefWindow { frame, block } = window;
        let (width, height) = (frame.size_x.div_ceil(block), frame.size_z.div_ceil(block));
        let sampler = Sampler { grid, content, block, sun: Sunlight::over(grid.spans()) };
        let (width, height) = (width as usize, height as usize);
        let mut dots = Vec::with_capacity(width * height);
        for_each_observed(0..width * height, observer, |at| {
            let [x, z] = [at % width, at / width].map(|dot| dot as u32 * block);
            let corner = Cell::new(frame.min.x + x as i32, frame.min.z + z as i32);
            dots.push(sampler.dot(corner));
        })?;
        let mut relief = Relief { width, height, dots };
        relief.cast_shadows(frame.cell_size * block as f32, observer)?;
        Ok(relief)
    }

    /// The dot in a column and a row; the void outside.
    pub(super) fn dot(&self, x: i64, z: i64) -> Dot {
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&z);
        if inside { self.dots[z as usize * self.width + x as usize] } else { VOID }
    }

    /// Darkens what lies in the shadow of something higher to the north-west; `size` is of a dot.
    fn cast_shadows(&mut self, size: f32, observer: &dyn Observer) -> Result<(), Cancelled> {
        let mut shades = Vec::with_capacity(self.dots.len());
        for_each_observed(0..self.dots.len(), observer, |at| {
            let (x, z) = ((at % self.width) as i64, (at / self.width) as i64);
            shades.push(self.shade([x, z], size));
        })?;
        for (dot, shade) in self.dots.iter_mut().zip(shades) {
            dot.light *= 1.0 - shade;
        }
        Ok(())
    }

    fn shade(&self, [x, z]: [i64; 2], size: f32) -> f32 {
        let floor = self.dot(x, z).floor;
        let rise = size * std::f32::consts::SQRT_2 * SHADOW_SLOPE;
        let lit = |step: i64| {
            let over = self.dot(x - step, z - step).floor - floor - rise * step as f32;
            if over > MIN_CASTER { SHADOW_DEPTH * (1.0 - step as f32 / SHADOW_REACH) } else { 0.0 }
        };
        (1..SHADOW_REACH as i64).map(lit).fold(0.0, f32::max)
    }
}

/// Shadows reach this far [dots].
const SHADOW_REACH: f32 = 8.0;
/// Rise of the line from a shadow's end to what casts it.
const SHADOW_SLOPE: f32 = 0.8;
/// What stands out less than this casts no shadow [m].
const MIN_CASTER: f32 = 0.3;
/// How much light a shadow takes.
const SHADOW_DEPTH: f32 = 0.3;

/// Finds what each dot shows.
struct Sampler<'a> {
    grid: &'a NavGrid,
    content: &'a dyn MapContent,
    /// Cells along the side of a dot [> 0].
    block: u32,
    sun: Sunlight,
}

impl Sampler<'_> {
    fn dot(&self, corner: Cell) -> Dot {
        let half = self.block as i32 / 2;
        let tint = self.mean_tint(corner);
        let Some(seen) = self.content.span_at(Cell::new(corner.x + half, corner.z + half)) else {
            return Dot { tint, ..VOID };
        };
        let span = &self.grid.spans()[seen.span];
        let kind = if seen.here { self.content.kind(seen) } else { GroundKind::Beneath };
        let light = self.sun.light(span);
        let light = match kind {
            // Inks stay recognizable where their ground is steep.
            GroundKind::Closed { .. } => 1.0 + (light - 1.0) * 0.4,
            GroundKind::Beneath => 1.0 + (light - 1.0) * 0.5,
            GroundKind::Open { .. } | GroundKind::Void => light,
        };
        Dot { tint, kind, light, floor: span.floor }
    }

    /// The mean color of a block.
    fn mean_tint(&self, corner: Cell) -> Rgb {
        let samples = self.block.min(SAMPLES);
        let mut sum = [0u32; 3];
        for at in 0..samples * samples {
            let offset = |sample: u32| (sample * self.block / samples) as i32;
            let (x, z) = (corner.x + offset(at % samples), corner.z + offset(at / samples));
            let seen = self.content.span_at(Cell::new(x, z));
            let tint = seen.map_or(VOID.tint, |seen| self.content.tint(seen));
            for (sum, part) in sum.iter_mut().zip(tint) {
                *sum += u32::from(part);
            }
        }
        sum.map(|sum| (sum / (samples * samples)) as u8)
    }
}

/// The light on the ground, from the north-west at 45°.
struct Sunlight {
    /// How much steeper slopes are made to look: gentle country would be without relief.
    exaggeration: f32,
}

/// The slope that shows best; gentler country is exaggerated towards it.
const LIKED_SLOPE: f32 = 0.3;
/// Spans looked at to find how steep the country is.
const SLOPE_SAMPLES: usize = 10_000;

impl Sunlight {
    fn over(spans: &[Span]) -> Self {
        let every = spans.len().div_ceil(SLOPE_SAMPLES).max(1);
        let slopes: Vec<f32> = spans
            .iter()
            .step_by(every)
            .map(|span| {
                let [x, z] = span.gradient();
                x.hypot(z).min(1.0)
            })
            .filter(|&slope| slope > 0.01)
            .collect();
        let mean = slopes.iter().sum::<f32>() / slopes.len().max(1) as f32;
        Sunlight { exaggeration: (LIKED_SLOPE / mean.max(0.01)).clamp(1.0, 3.0) }
    }

    /// 1 on level ground, less on slopes that face away, a little more on those that face it.
    fn light(&self, span: &Span) -> f32 {
        let [x, z] = span.gradient().map(|slope| slope * self.exaggeration);
        let facing =
            (1.0 + (x + z) * std::f32::consts::FRAC_1_SQRT_2) / (1.0 + x * x + z * z).sqrt();
        (0.38 + 0.62 * facing).clamp(0.45, 1.25)
    }
}
