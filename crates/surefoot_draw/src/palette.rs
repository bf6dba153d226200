//! The colors of the pictures: off-white paper, quiet ground, and inks that color-blind readers
//! can tell apart.
//!
//! Verdicts differ in lightness as well as in hue, so that they stay apart for every common kind
//! of color vision and on a black and white printer. Ground is pale; verdicts are not.

use surefoot::grid::Verdict;

/// Red, green and blue, each 0..=255, in sRGB.
pub type Rgb = [u8; 3];

/// The sheet everything is printed on.
pub const PAPER: Rgb = [250, 247, 239];
/// Inside the map's border where there is no floor.
pub const VOID: Rgb = [241, 237, 226];
/// Titles and lines.
pub const INK: Rgb = [52, 46, 40];
/// Lesser text.
pub const FAINT_INK: Rgb = [122, 113, 101];
/// Hair lines of the legend and the border.
pub const HAIRLINE: Rgb = [205, 197, 181];
/// Contour lines.
pub const CONTOUR: Rgb = [146, 98, 58];
/// Regions beyond the ones with a tint of their own.
pub const LESSER_REGION: Rgb = [216, 212, 203];
/// Floors of lower storeys.
pub const GHOST: Rgb = [219, 214, 203];
/// Off-mesh connections the agent can take.
pub const LINK: Rgb = [18, 92, 97];
/// Off-mesh connections it cannot take.
pub const DEAD_LINK: Rgb = [138, 132, 124];
/// Ground where no agent can stand, in the overview.
pub const NOBODY: Rgb = [186, 178, 166];
/// Ground where only some agents can stand, in the overview: one color for each combination of agents.
pub const SOMEBODY: [Rgb; 12] = [
    [212, 112, 44],  // orange
    [86, 130, 196],  // blue
    [178, 84, 150],  // magenta
    [40, 140, 130],  // teal
    [140, 96, 60],   // brown
    [120, 90, 180],  // violet
    [200, 66, 66],   // red
    [96, 178, 196],  // sky
    [226, 176, 50],  // amber
    [102, 104, 54],  // olive
    [236, 150, 176], // pink
    [62, 90, 122],   // slate
];

/// The reasons why an agent cannot stand somewhere, in the order of the legend.
pub const REASONS: usize = 7;

/// Position of a verdict in the legend; `None` for walkable.
pub fn reason(verdict: Verdict) -> Option<usize> {
    match verdict {
        Verdict::Walkable => None,
        Verdict::TooSteep => Some(0),
        Verdict::LowCeiling => Some(1),
        Verdict::Obstacle(_) => Some(2),
        Verdict::Ledge => Some(3),
        Verdict::Forbidden => Some(FORBIDDEN),
        Verdict::InsideSolid => Some(INSIDE_SOLID),
        Verdict::SmallRegion => Some(SMALL_REGION),
        // Verdicts of later versions look like ground that is closed by rule.
        _ => Some(FORBIDDEN),
    }
}

/// The position of forbidden ground.
pub(super) const FORBIDDEN: usize = 4;
/// The position of what lies inside a solid.
pub(super) const INSIDE_SOLID: usize = 5;
/// The position of regions that were dropped for being too small.
const SMALL_REGION: usize = 6;

/// What a reason is called in the legend.
pub const REASON_NAMES: [&str; REASONS] = [
    "too steep",
    "low ceiling",
    "obstacle",
    "ledge",
    "forbidden",
    "inside a solid",
    "small region",
];

/// The ink of each reason.
pub const REASON_INKS: [Rgb; REASONS] = [
    [146, 108, 80],  // rock
    [47, 107, 173],  // blue
    [178, 50, 36],   // vermilion
    [240, 190, 62],  // amber
    [200, 142, 200], // mauve
    [74, 72, 76],    // charcoal
    [104, 150, 150], // slate green
];

/// Number of regions with a tint of their own.
pub const TINTED_REGIONS: usize = 8;

/// Tints of the regions after the largest, which is printed in the tints of its heights.
const REGION_TINTS: [Rgb; TINTED_REGIONS - 1] = [
    [176, 203, 226], // sky
    [230, 190, 204], // rose
    [200, 186, 224], // lilac
    [160, 214, 205], // aqua
    [245, 210, 160], // apricot
    [206, 224, 140], // lime
    [226, 172, 150], // salmon
];

/// Height tints from low to high.
const HEIGHTS: [Rgb; 6] = [
    [150, 184, 148],
    [184, 205, 158],
    [222, 222, 172],
    [238, 223, 178],
    [228, 202, 162],
    [240, 230, 220],
];

/// The tint of a height; `share` from 0, the lowest on the map, to 1, the highest.
pub fn height_tint(share: f32) -> Rgb {
    ramp(&HEIGHTS, share)
}

/// The color at a share along evenly spaced colors; at least two.
fn ramp(colors: &[Rgb], share: f32) -> Rgb {
    let last = colors.len() - 1;
    let at = share.clamp(0.0, 1.0) * last as f32;
    let band = (at as usize).min(last - 1);
    mix(colors[band], colors[band + 1], at - band as f32)
}

/// The tint of walkable ground of a region, at a height as in [`height_tint`].
pub fn region_tint(region: usize, share: f32) -> Rgb {
    match region {
        0 => height_tint(share),
        _ => lighten(flat_region_tint(region), 0.93 + 0.11 * share.clamp(0.0, 1.0)),
    }
}

/// The tint of a region in the legend.
pub fn flat_region_tint(region: usize) -> Rgb {
    match region {
        0 => height_tint(0.45),
        _ => REGION_TINTS.get(region - 1).copied().unwrap_or(LESSER_REGION),
    }
}

/// The lines of paths, one after the other; dark enough to stand out from any ground.
pub const PATH_COLORS: [Rgb; 5] = [
    [22, 66, 152],  // blue
    [178, 24, 92],  // crimson
    [0, 104, 92],   // pine
    [104, 52, 148], // violet
    [92, 70, 10],   // umber
];

/// The start and the goal of a path.
pub const ENDS: [Rgb; 2] = [[24, 128, 78], [196, 34, 44]];

/// Walkable ground that no path from the start leads to.
pub const OUT_OF_REACH: Rgb = [214, 214, 220];
/// Ground where the agent cannot stand, on maps of paths.
pub const CLOSED: Rgb = [190, 181, 168];
/// What lies inside a solid, on maps of paths.
pub const SOLID: Rgb = [132, 124, 118];
/// What a search has reached and not yet expanded.
pub const OPEN: Rgb = [40, 138, 176];

/// Ground that was lost, gained and moved. Based on: Okabe and Ito, "Color universal design", 2008.
pub const GROUND_CHANGES: [Rgb; 3] = [[213, 94, 0], [0, 114, 178], [136, 84, 160]];

/// Spans in the order in which a search expanded them.
const ORDER: [Rgb; 4] = [[255, 240, 150], [253, 206, 96], [240, 146, 56], [204, 76, 24]];

/// The tint of an expanded span; `share` from 0, the first, to 1, the last.
pub fn order_tint(share: f32) -> Rgb {
    ramp(&ORDER, share)
}

/// Times of a run: evenly spaced in OKLab, and dark enough for any ground.
const TIMES: [Rgb; 9] = [
    [0, 52, 161],
    [66, 49, 176],
    [109, 49, 176],
    [147, 50, 164],
    [181, 52, 143],
    [209, 59, 114],
    [230, 76, 80],
    [244, 102, 33],
    [242, 132, 2],
];

/// The color of a track at a time; `share` from 0, the start of the run, to 1, its end.
pub fn time_tint(share: f32) -> Rgb {
    ramp(&TIMES, share)
}

/// Bodies that arrived, that are still moving, and that are stuck.
pub const TRACK_ENDS: [Rgb; 3] = [[22, 122, 76], [96, 178, 232], [218, 28, 32]];

/// Blends two colors: 0 is the first, 1 the second.
pub fn mix(from: Rgb, to: Rgb, share: f32) -> Rgb {
    let share = share.clamp(0.0, 1.0);
    let blend = |i: usize| {
        let (a, b) = (f32::from(from[i]), f32::from(to[i]));
        (a + (b - a) * share).round() as u8
    };
    [blend(0), blend(1), blend(2)]
}

/// The color under light: 1 leaves it, less darkens it, more bleaches it.
pub fn lighten(color: Rgb, light: f32) -> Rgb {
    if light <= 1.0 { mix(SHADOW, color, light) } else { mix(color, [255; 3], light - 1.0) }
}

/// Shadows are not black but a warm dark violet, as on printed relief maps.
const SHADOW: Rgb = [38, 32, 52];
