//! Simple polygons seen from above: the outlines of prisms.

/// The most corners of a polygon. Every side is compared with every other.
const MOST_CORNERS: usize = 4096;

/// Why corners are no simple polygon.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OutlineFault {
    #[error("its polygon has {0} corners; it needs at least 3")]
    TooFew(usize),
    #[error("its polygon has {0} corners; it may have at most {MOST_CORNERS}")]
    TooMany(usize),
    /// Side `i` begins at corner `i`.
    #[error(
        "its polygon crosses or touches itself: sides {0} and {1} meet, where side 0 begins at the \
         first corner; list the corners in order around it"
    )]
    Meets(usize, usize),
}

/// Checks that corners are a simple polygon: sides meet at shared corners only.
pub(super) fn check(corners: &[[f32; 2]]) -> Result<(), OutlineFault> {
    let count = corners.len();
    if count < 3 {
        return Err(OutlineFault::TooFew(count));
    }
    if count > MOST_CORNERS {
        return Err(OutlineFault::TooMany(count));
    }
    let sides: Vec<Side> = sides(corners).collect();
    for (one, side) in sides.iter().enumerate() {
        for (other, later) in sides.iter().enumerate().skip(one + 1) {
            let meet = if other == one + 1 {
                side.turns_back_on(later)
            } else if one == 0 && other + 1 == count {
                later.turns_back_on(side)
            } else {
                side.meets(later)
            };
            if meet {
                return Err(OutlineFault::Meets(one, other));
            }
        }
    }
    Ok(())
}

/// Returns whether a point lies in a polygon, or no farther than a tolerance outside it.
///
/// Counts the sides that a ray towards +x crosses.
/// Based on: Shimrat, "Algorithm 112: Position of point relative to polygon", 1962.
pub(super) fn contains(corners: &[[f32; 2]], [x, z]: [f64; 2], tolerance: f64) -> bool {
    let crosses = |Side([from, to]): &Side| {
        (from[1] > z) != (to[1] > z)
            && x < from[0] + (z - from[1]) / (to[1] - from[1]) * (to[0] - from[0])
    };
    sides(corners).filter(crosses).count() % 2 == 1
        || sides(corners).any(|side| side.distance([x, z]) <= tolerance)
}

/// Returns the least and the greatest x and z of some corners.
pub(super) fn bounds(corners: &[[f32; 2]]) -> [[f32; 2]; 2] {
    let fold = |start: f32, pick: fn(f32, f32) -> f32| {
        [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).fold(start, pick))
    };
    [fold(f32::INFINITY, f32::min), fold(f32::NEG_INFINITY, f32::max)]
}

/// A side, from corner to corner.
struct Side([[f64; 2]; 2]);

fn sides(corners: &[[f32; 2]]) -> impl Iterator<Item = Side> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(from, to)| Side([from, to].map(|corner| corner.map(f64::from))))
}

impl Side {
    /// On which side of the line a point lies: > 0, < 0, or 0 on it.
    fn turn(&self, at: [f64; 2]) -> f64 {
        let Side([from, to]) = self;
        (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
    }

    /// Whether a point on the line lies between the ends.
    fn spans(&self, at: [f64; 2]) -> bool {
        let Side([from, to]) = self;
        [0, 1].iter().all(|&axis| {
            from[axis].min(to[axis]) <= at[axis] && at[axis] <= from[axis].max(to[axis])
        })
    }

    fn meets(&self, other: &Side) -> bool {
        let apart = |a: f64, b: f64| a > 0.0 && b > 0.0 || a < 0.0 && b < 0.0;
        let [own, others] =
            [(self, other), (other, self)].map(|(line, ends)| ends.0.map(|end| line.turn(end)));
        if [own, others].iter().any(|&[a, b]| apart(a, b)) {
            return false;
        }
        if own == [0.0; 2] {
            return other.0.iter().any(|&end| self.spans(end))
                || self.0.iter().any(|&end| other.spans(end));
        }
        true
    }

    /// Whether the next side runs back along this one, or one of them is a point.
    fn turns_back_on(&self, next: &Side) -> bool {
        let (Side([from, corner]), Side([_, to])) = (self, next);
        let ahead = (corner[0] - from[0]) * (to[0] - corner[0])
            + (corner[1] - from[1]) * (to[1] - corner[1]);
        self.turn(*to) == 0.0 && ahead <= 0.0
    }

    fn distance(&self, [x, z]: [f64; 2]) -> f64 {
        let Side([from, to]) = self;
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0] * along[0] + along[1] * along[1];
        let part = ((x - from[0]) * along[0] + (z - from[1]) * along[1]) / length;
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        (from[0] + along[0] * part - x).hypot(from[1] + along[1] * part - z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_simple_polygons_pass() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert_eq!(check(&square), Ok(()));
        let mut reversed = square;
        reversed.reverse();
        assert_eq!(check(&reversed), Ok(()));
        // A corner in the middle of a side is allowed.
        assert_eq!(check(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 2.0]]), Ok(()));
        for broken in [
            vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]],
            // The same corner twice, a spike, a corner that touches another side.
            vec![[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [1.0, 2.0]],
            vec![[0.0, 0.0], [2.0, 0.0], [3.0, 0.0], [2.0, 0.0], [1.0, 2.0]],
            vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]],
            vec![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]],
        ] {
            assert!(matches!(check(&broken), Err(OutlineFault::Meets(..))), "{broken:?}");
        }
        assert_eq!(check(&square[..2]), Err(OutlineFault::TooFew(2)));
        let many = vec![[0.0, 0.0]; MOST_CORNERS + 1];
        assert_eq!(check(&many), Err(OutlineFault::TooMany(MOST_CORNERS + 1)));
    }
}
