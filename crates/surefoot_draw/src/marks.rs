//! Marks on the map and in the legend: the ends of paths, and the bodies of tracks.

use super::canvas::{Canvas, CoveredPixel, PixelPoint, Rect, Stroke, line_cover};
use super::palette::{ENDS, GROUND_CHANGES, INK, PAPER, Rgb, TRACK_ENDS, mix};

/// The start or the goal of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndMark {
    Start,
    Goal,
}

impl EndMark {
    /// Draws the mark: a dot for the start, a target for the goal.
    pub(super) fn draw(self, canvas: &mut Canvas, at: PixelPoint) {
        canvas.disc(at, 11.0, PAPER);
        canvas.disc(at, 9.0, ENDS[self as usize]);
        match self {
            EndMark::Start => canvas.disc(at, 3.6, PAPER),
            EndMark::Goal => {
                canvas.disc(at, 6.0, PAPER);
                canvas.disc(at, 3.6, ENDS[1]);
            }
        }
    }
}

/// How a track ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackEnd {
    /// It is at its goal.
    Arrived,
    /// It was still moving.
    Moving,
    /// It got no farther.
    Stuck,
}

/// How much of the ground a body covers inside its outline.
const BODY: f32 = 0.55;
/// Width of its outline [pixels].
const OUTLINE: f32 = 1.6;

/// Draws where a track starts; the radius is in pixels.
pub(super) fn draw_start(canvas: &mut Canvas, at: PixelPoint, radius: f32) {
    canvas.disc(at, radius + 0.7, PAPER);
    canvas.disc(at, radius, INK);
}

impl TrackEnd {
    /// All of them, in the order in which they are drawn.
    pub(super) const ALL: [TrackEnd; 3] = [TrackEnd::Arrived, TrackEnd::Moving, TrackEnd::Stuck];

    fn color(self) -> [u8; 3] {
        TRACK_ENDS[self as usize]
    }

    /// Draws a body; its radius is in pixels.
    pub(super) fn draw(self, canvas: &mut Canvas, at: PixelPoint, radius: f32) {
        let (width, height) = (canvas.image().width().into(), canvas.image().height().into());
        let all = Rect { x: 0, y: 0, width, height };
        for CoveredPixel { at, cover } in line_cover([at; 2], 2.0 * radius, all) {
            canvas.blend(at, self.color(), BODY * cover.min(1.0));
        }
        self.draw_outline(canvas, at, radius);
    }

    /// Draws the outline of a body; of one that is stuck there is a ring round it.
    pub(super) fn draw_outline(self, canvas: &mut Canvas, at: PixelPoint, radius: f32) {
        let stroke = Stroke { color: self.color(), width: OUTLINE };
        canvas.circle(at, radius + 0.5, Stroke { color: PAPER, width: 1.0 });
        canvas.circle(at, radius - OUTLINE / 2.0, stroke);
        if self == TrackEnd::Stuck {
            canvas.circle(at, radius + 3.0, stroke);
        }
    }
}

/// What happened to ground or to a link from one grid to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeMark {
    /// It is gone.
    Lost,
    /// It is new.
    Gained,
    /// It is higher or lower.
    Moved,
}

/// Lines on lost and moved ground, for readers who cannot tell the colors apart [pixels].
const CHANGE_PERIOD: i64 = 9;
const CHANGE_WIDTH: i64 = 2;

impl ChangeMark {
    /// Its color.
    pub(super) fn color(self) -> Rgb {
        GROUND_CHANGES[self as usize]
    }

    /// The color of its outline.
    pub(super) fn outline(self) -> Rgb {
        mix(self.color(), INK, 0.55)
    }

    /// The color of changed ground at a pixel: lost ground has lines that rise to the right, moved ground
    /// has lines that fall.
    pub(super) fn shade(self, [x, y]: [i64; 2]) -> Rgb {
        let has_line = match self {
            ChangeMark::Lost => (x + y).rem_euclid(CHANGE_PERIOD) < CHANGE_WIDTH,
            ChangeMark::Gained => false,
            ChangeMark::Moved => (x - y).rem_euclid(CHANGE_PERIOD) < CHANGE_WIDTH,
        };
        if has_line { mix(self.color(), INK, 0.4) } else { self.color() }
    }
}
