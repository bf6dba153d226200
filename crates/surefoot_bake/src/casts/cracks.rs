//! Cracks: where a vertical line falls between surfaces that touch.
//!
//! Modules of a level that are placed side by side touch, but for the rounding of their positions.
//! Where such a crack runs under the center of a cell, a line there may hit neither. It is cast
//! beside the crack instead.

use super::columns::Hit;

/// How far rounding may move a vertex, as a fraction of its distance from the origin.
const POSITION_ROUNDING: f32 = 1.0 / (1 << 20) as f32;
/// Surfaces whose heights differ by no more are level with each other [m].
const LEVEL_TOLERANCE: f32 = 1e-3;

/// Returns how wide a crack between two surfaces that touch can be near (x, z) [m].
pub(super) fn crack_tolerance([x, z]: [f32; 2]) -> f32 {
    POSITION_ROUNDING * x.abs().max(z.abs()).max(1.0)
}

/// Returns the points one crack tolerance to either side of (x, z), in a direction along which
/// levels seldom have cracks.
pub(super) fn lines_beside(at: [f32; 2]) -> [[f32; 2]; 2] {
    let tolerance = crack_tolerance(at);
    [1.0, -1.0].map(|side| [at[0] + side * tolerance, at[1] + side * 0.4 * tolerance])
}

/// Returns whether a line falls into a crack: the lines on either side hit surfaces that are level
/// with each other and face the same way, and it does not. All are sorted, high to low. O(hits).
pub(super) fn is_in_crack(line: &[Hit], [left, right]: [&[Hit]; 2]) -> bool {
    let [mut line, mut right] = [line, right].map(LevelHits::of);
    left.iter().any(|surface| right.has(surface) && !line.has(surface))
}

/// Returns whether a line hits what could be each of some surfaces. Both are sorted, high to low.
/// O(hits + surfaces).
pub(super) fn has_all_level_hits(line: &[Hit], surfaces: &[Hit]) -> bool {
    let mut line = LevelHits::of(line);
    surfaces.iter().all(|surface| line.has(surface))
}

/// Looks for surfaces among the hits of a line on the way down. Each hit is passed once, whatever the
/// number of surfaces: any number may be level with each other.
struct LevelHits<'a> {
    /// The hits that face up and those that do not, which have not been passed.
    sides: [&'a [Hit]; 2],
}

impl<'a> LevelHits<'a> {
    /// Starts at the top of a line, whose hits are sorted, high to low.
    fn of(line: &'a [Hit]) -> Self {
        LevelHits { sides: [line; 2] }
    }

    /// Returns whether the line hits what could be the same surface. No surface may be above the last.
    fn has(&mut self, surface: &Hit) -> bool {
        let faces_up = surface.faces_up();
        let hits = &mut self.sides[usize::from(!faces_up)];
        let is_passed =
            |hit: &Hit| hit.faces_up() != faces_up || hit.y - surface.y > LEVEL_TOLERANCE;
        while let [_, below @ ..] = *hits
            && is_passed(&hits[0])
        {
            *hits = below;
        }
        hits.first().is_some_and(|hit| surface.y - hit.y <= LEVEL_TOLERANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(heights: impl Iterator<Item = f32>, up: f32) -> Vec<Hit> {
        heights.map(|y| Hit { y, normal: [0.0, up, 0.0], solid: 0, triangle: 0 }).collect()
    }

    /// The definition.
    fn has_level_hit(line: &[Hit], surface: &Hit) -> bool {
        line.iter().any(|hit| {
            hit.faces_up() == surface.faces_up() && (hit.y - surface.y).abs() <= LEVEL_TOLERANCE
        })
    }

    #[test]
    fn level_hits_are_found_by_definition() {
        let mut seed = 3u64;
        let mut random = |limit: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32 % limit
        };
        let mut counts = [0; 4];
        for _ in 0..3000 {
            // Steps of about half the tolerance, up and down sides mixed.
            let [line, left, right] = [0; 3].map(|_| {
                let mut line: Vec<Hit> = (0..random(7))
                    .flat_map(|_| {
                        let up = if random(2) == 0 { 1.0 } else { -1.0 };
                        hits(std::iter::once(1.0 + 0.000_5 * random(40) as f32), up)
                    })
                    .collect();
                Hit::sort(&mut line);
                line
            });
            let all = right.iter().all(|surface| has_level_hit(&line, surface));
            assert_eq!(has_all_level_hits(&line, &right), all);
            let crack = left
                .iter()
                .any(|surface| has_level_hit(&right, surface) && !has_level_hit(&line, surface));
            assert_eq!(is_in_crack(&line, [&left, &right]), crack);
            counts[usize::from(all)] += 1;
            counts[2 + usize::from(crack)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn hits_at_one_height_are_passed_once() {
        let mut line = hits(std::iter::repeat_n(1.0, 10_000), -1.0);
        line.push(hits(std::iter::once(1.0), 1.0)[0]);
        let mut search = LevelHits::of(&line);
        let surface = line[10_000];
        assert!(search.has(&surface));
        assert_eq!(search.sides.map(<[Hit]>::len), [1, 10_001], "the others are not seen again");
        assert!(search.has(&surface) && search.has(&line[0]));
        assert_eq!(search.sides.map(<[Hit]>::len), [1, 10_001]);
    }
}
