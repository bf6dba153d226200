//! Kinds of ground on the map: an ink and a hatching each, from their names where these tell.

use surefoot::grid::Area;

use super::palette::{Rgb, mix};

/// How a kind of ground is printed over the tints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AreaStyle {
    /// Color of the lines.
    pub ink: Rgb,
    /// Their pattern; `None` for plain ground.
    pub hatching: Option<Hatching>,
}

/// A pattern of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hatching {
    /// Waves.
    Waves,
    /// Dots, every other row shifted.
    Dots,
    /// Lines that rise to the right.
    Rising,
    /// Lines that fall to the right.
    Falling,
    /// Both.
    Net,
    /// Short dashes, every other row shifted.
    Dashes,
}

use Hatching::{Dashes, Dots, Falling, Net, Rising, Waves};

/// Words in names that say what the ground looks like.
const NATURAL: [(&[&str], Rgb, Hatching); 8] = [
    (&["water", "river", "lake", "sea", "pond", "swim"], [40, 112, 166], Waves),
    (&["mud", "swamp", "dirt", "soil", "bog"], [110, 76, 44], Dashes),
    (&["road", "path", "street", "pave", "walk", "asphalt"], [92, 90, 94], Rising),
    (&["grass", "forest", "wood", "meadow", "garden", "crop"], [58, 118, 62], Dots),
    (&["sand", "beach", "desert", "gravel"], [176, 136, 60], Dots),
    (&["snow", "ice", "glacier"], [96, 150, 190], Dots),
    (&["lava", "fire", "danger", "hazard"], [186, 62, 34], Net),
    (&["stair", "door", "ladder", "jump"], [120, 70, 130], Falling),
];

/// Kinds of ground whose names say nothing.
const OTHERS: [(Rgb, Hatching); 4] = [
    ([70, 96, 120], Falling),
    ([128, 92, 60], Net),
    ([96, 110, 66], Rising),
    ([122, 80, 110], Dashes),
];

/// How each area of a grid is printed.
pub(super) fn area_styles(areas: &[Area]) -> Vec<AreaStyle> {
    let print = |(number, area): (usize, &Area)| {
        let name = area.name.to_lowercase();
        let known = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let natural = NATURAL.iter().find(|(words, ..)| known(words));
        let other = OTHERS[number % OTHERS.len()];
        let (ink, hatching) = natural.map_or(other, |&(_, ink, hatching)| (ink, hatching));
        AreaStyle { ink, hatching: (number > 0).then_some(hatching) }
    };
    areas.iter().enumerate().map(print).collect()
}

impl AreaStyle {
    /// A tint with the print over it, at a pixel.
    pub(super) fn over(&self, tint: Rgb, at: [i64; 2]) -> Rgb {
        let Some(hatching) = self.hatching else { return tint };
        mix(tint, self.ink, if hatching.is_line(at) { LINE } else { WASH })
    }
}

/// How much ink a line lays on, and how much the ground between.
const LINE: f32 = 0.6;
const WASH: f32 = 0.18;

impl Hatching {
    /// Whether a pixel is on a line.
    fn is_line(self, [x, y]: [i64; 2]) -> bool {
        match self {
            Waves => (y + [0, 0, 1, 2, 2, 2, 1, 0][(x % 8) as usize]) % 7 == 0,
            Dots => y % 5 < 2 && (x + 5 * (y / 5 % 2)) % 10 < 2,
            Rising => (x + y) % 8 == 0,
            Falling => (x - y).rem_euclid(8) == 0,
            Net => (x + y) % 10 == 0 || (x - y).rem_euclid(10) == 0,
            Dashes => y % 6 == 0 && (x + 6 * (y / 6 % 2)) % 12 < 5,
        }
    }
}
