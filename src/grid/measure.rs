//! Provides [`SpanMeasure`]: how far it is from the center of a span's cell to what is beside it.
//!
//! Counting cells gives a width to one cell. Where a body does not fit, and where the ground ends, the bake
//! measures the geometry itself, so that an answer to "why not there?" is right to a millimetre. Nothing
//! that an agent may do depends on it.

use super::frame::Dir;

/// What a bake measured beside a span, in millimetres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanMeasure {
    kind: MeasureKind,
    /// A bit for each direction; 0 at ends.
    walls: u8,
    /// A bit for each straight direction; 0 at ends.
    walls_over_steps: u8,
    values: [i16; 4],
    ceiling: CeilingUnits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MeasureKind {
    Passage,
    Ends,
    Walls,
}

/// Where the ground at a span ends in a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundEnd {
    /// From the center of the cell along x or z [m, >= 0].
    pub distance: f32,
    /// Whether the body could go on there, and would fall: it meets no wall.
    pub is_drop: bool,
}

/// A ceiling that is too low for an agent. Heights are at most 65 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowCeiling {
    /// How high a body that is as wide and climbs as much may be over the center of a cell [m, > 0].
    pub headroom: f32,
    /// How high it may be under what hangs lower between that center and the next ones than over both [m, >= 0].
    pub lip: f32,
    /// Where such things hang, by the index of the direction.
    pub lips: [bool; 8],
}

/// A low ceiling, in millimetres; all 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CeilingUnits {
    headroom: u16,
    lip: u16,
    /// A bit for each direction.
    lips: u8,
}

impl CeilingUnits {
    /// A height of it [m].
    fn metres(self, units: u16) -> Option<f32> {
        (self.headroom != 0).then_some(f32::from(units) / UNITS_PER_METRE)
    }
}

/// A floor with less headroom than this part of an agent's height is in a slit: nobody makes a body for it.
pub const SLIT: f32 = 0.5;

/// Fixed point of lengths.
const UNITS_PER_METRE: f32 = 1000.0;
/// The ground goes on.
const NO_END: i16 = -1;
/// Set in the distance of an end at which the body meets something.
const BLOCKED: i16 = 1 << 14;

/// The first byte of a measure: its kind, and above that walls over steps.
const KIND_MASK: u8 = 0xF;
const STEP_SHIFT: u8 = 4;

/// Bytes of a measure in a file, without its ceiling.
pub(crate) const MEASURE_BYTES: usize = 10;
/// Bytes of a measure's ceiling in a file.
pub(crate) const CEILING_BYTES: usize = 5;

impl SpanMeasure {
    /// What is beside a body that does not fit. A passage: the ends of the shortest line across it, from
    /// something solid on one side to something solid on the other, along x and z from the center of the
    /// cell [m]. And walls: whether something is between the center and the next one, by the index of the
    /// direction.
    pub fn beside(passage: Option<[[f32; 2]; 2]>, walls: [bool; 8]) -> Self {
        let (kind, [[a, b], [c, d]]) = match passage {
            Some(ends) => (MeasureKind::Passage, ends),
            None => (MeasureKind::Walls, [[0.0; 2]; 2]),
        };
        let values = [a, b, c, d].map(to_units);
        let ceiling = CeilingUnits::default();
        SpanMeasure { kind, walls: direction_bits(walls), walls_over_steps: 0, values, ceiling }
    }

    /// The same measure with walls over steps: in which straight directions something is between the center and
    /// that of a floor that is too high to climb, above that floor.
    #[must_use]
    pub fn with_walls_over_steps(self, walls: [bool; 4]) -> Self {
        SpanMeasure { walls_over_steps: direction_bits(walls), ..self }
    }

    /// The same measure under a ceiling that is too low.
    #[must_use]
    pub fn under(self, ceiling: LowCeiling) -> Self {
        let LowCeiling { headroom, lip, lips } = ceiling;
        // Not more than there is.
        let [headroom, lip] = [headroom, lip].map(|metres| (metres * UNITS_PER_METRE) as u16);
        SpanMeasure { ceiling: CeilingUnits { headroom, lip, lips: direction_bits(lips) }, ..self }
    }

    /// Where the ground ends: how far from the center of the cell in the four straight directions, in the
    /// order of [`Dir::STRAIGHT`](super::Dir::STRAIGHT), at most 16 m; `None` where it goes on.
    pub fn ends(ends: [Option<GroundEnd>; 4]) -> Self {
        let value = |end: GroundEnd| {
            let distance = to_units(end.distance).clamp(0, BLOCKED - 1);
            if end.is_drop { distance } else { distance | BLOCKED }
        };
        SpanMeasure {
            kind: MeasureKind::Ends,
            walls: 0,
            walls_over_steps: 0,
            values: ends.map(|end| end.map_or(NO_END, value)),
            ceiling: CeilingUnits::default(),
        }
    }

    /// The ends of the shortest line across a passage, along x and z from the center of the cell [m].
    pub fn as_passage(&self) -> Option<[[f32; 2]; 2]> {
        let [a, b, c, d] = self.values.map(to_metres);
        (self.kind == MeasureKind::Passage).then_some([[a, b], [c, d]])
    }

    /// Where the ground ends in the four straight directions; `None` where it goes on. Nothing for a passage.
    pub fn as_ends(&self) -> [Option<GroundEnd>; 4] {
        let is_end = |value: i16| self.kind == MeasureKind::Ends && value != NO_END;
        let end = |value: i16| GroundEnd {
            distance: to_metres(value & !BLOCKED),
            is_drop: value & BLOCKED == 0,
        };
        self.values.map(|value| is_end(value).then(|| end(value)))
    }

    /// How high a body that is as wide as the agent may be over the center of the cell, if the agent is too
    /// high [m].
    pub fn headroom(&self) -> Option<f32> {
        self.ceiling.metres(self.ceiling.headroom)
    }

    /// How high such a body may be on its way from the center of the cell to the next one in a direction, if
    /// something hangs lower there than over both [m].
    pub fn lip(&self, dir: Dir) -> Option<f32> {
        let is_between = self.ceiling.lips >> dir.index() & 1 == 1;
        self.ceiling.metres(self.ceiling.lip).filter(|_| is_between)
    }

    /// Whether something is between the center of the cell and the next one in a direction.
    pub fn has_wall(&self, dir: Dir) -> bool {
        self.walls >> dir.index() & 1 == 1
    }

    /// Whether something is between the center of the cell and that of the lowest floor in a straight direction
    /// that is too high to climb; above that floor.
    pub fn has_wall_over_step(&self, dir: Dir) -> bool {
        let straight = Dir::STRAIGHT.iter().position(|&straight| straight == dir);
        straight.is_some_and(|straight| self.walls_over_steps >> straight & 1 == 1)
    }

    /// The bytes that a file stores of the ceiling, all 0 if none is too low.
    pub(crate) fn ceiling_bytes(&self) -> [u8; CEILING_BYTES] {
        let CeilingUnits { headroom, lip, lips } = self.ceiling;
        let [[a, b], [c, d]] = [headroom, lip].map(u16::to_le_bytes);
        [a, b, c, d, lips]
    }

    /// Takes over the ceiling that a file stores.
    pub(crate) fn set_ceiling_bytes(&mut self, [a, b, c, d, lips]: [u8; CEILING_BYTES]) {
        let [headroom, lip] = [[a, b], [c, d]].map(u16::from_le_bytes);
        self.ceiling = CeilingUnits { headroom, lip, lips };
    }

    /// The bytes that a file stores of the rest.
    pub(crate) fn to_bytes(self) -> [u8; MEASURE_BYTES] {
        let mut bytes = [0; MEASURE_BYTES];
        bytes[0] = self.kind as u8 | self.walls_over_steps << STEP_SHIFT;
        bytes[1] = self.walls;
        for (pair, value) in bytes[2..].chunks_exact_mut(2).zip(self.values) {
            pair.copy_from_slice(&value.to_le_bytes());
        }
        bytes
    }

    /// The measure of some bytes; `None` for a kind that there is not.
    pub(crate) fn from_bytes(bytes: [u8; MEASURE_BYTES]) -> Option<Self> {
        let walls_over_steps = bytes[0] >> STEP_SHIFT;
        let kind = match bytes[0] & KIND_MASK {
            0 => MeasureKind::Passage,
            1 => MeasureKind::Ends,
            2 => MeasureKind::Walls,
            _ => return None,
        };
        let value = |at: usize| i16::from_le_bytes([bytes[2 + 2 * at], bytes[3 + 2 * at]]);
        let values = [0, 1, 2, 3].map(value);
        let is_end = |value: &i16| *value >= NO_END;
        let is_known = kind != MeasureKind::Ends || values.iter().all(is_end);
        let ceiling = CeilingUnits::default();
        is_known.then_some(SpanMeasure { kind, walls: bytes[1], walls_over_steps, values, ceiling })
    }
}

/// A bit for each direction, by its index.
fn direction_bits<const N: usize>(directions: [bool; N]) -> u8 {
    (0u8..).zip(directions).map(|(dir, is_set)| u8::from(is_set) << dir).sum()
}

fn to_units(metres: f32) -> i16 {
    // A cast saturates: nothing that is measured is so far.
    (metres * UNITS_PER_METRE).round() as i16
}

fn to_metres(units: i16) -> f32 {
    f32::from(units) / UNITS_PER_METRE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_come_back_to_a_millimetre() {
        let mut walls = [false; 8];
        walls[Dir::ALL[5].index()] = true;
        let passage = SpanMeasure::beside(Some([[-0.2504, 0.1], [0.3, -1.75]]), walls);
        assert!(Dir::ALL.iter().all(|&dir| passage.has_wall(dir) == (dir == Dir::ALL[5])));
        assert_eq!(passage.as_passage(), Some([[-0.25, 0.1], [0.3, -1.75]]));
        assert_eq!(passage.as_ends(), [None; 4]);
        let end = |distance, is_drop| Some(GroundEnd { distance, is_drop });
        let given = [end(0.1236, true), None, end(0.0, false), end(99.0, false)];
        let ends = SpanMeasure::ends(given);
        let expected = [end(0.124, true), None, end(0.0, false), end(16.383, false)];
        assert_eq!(ends.as_ends(), expected);
        assert_eq!(ends.as_passage(), None);
        let walls = SpanMeasure::beside(None, [true; 8]);
        let walls = walls.with_walls_over_steps([false, true, false, true]);
        let over_steps = Dir::STRAIGHT.map(|dir| walls.has_wall_over_step(dir));
        assert_eq!(over_steps, [false, true, false, true]);
        assert!(!walls.has_wall_over_step(Dir::ALL[1]));
        assert_eq!((walls.as_passage(), walls.as_ends()), (None, [None; 4]));
        for measure in [passage, ends, walls] {
            assert_eq!(SpanMeasure::from_bytes(measure.to_bytes()), Some(measure));
        }
        assert_eq!(walls.headroom(), None);
        let mut lips = [false; 8];
        lips[Dir::ALL[2].index()] = true;
        let low = walls.under(LowCeiling { headroom: 1.3849, lip: 1.25, lips });
        assert_eq!(low.headroom(), Some(1.384));
        assert_eq!([2, 3].map(|dir: usize| low.lip(Dir::ALL[dir])), [Some(1.25), None]);
        let mut again = walls;
        again.set_ceiling_bytes(low.ceiling_bytes());
        assert_eq!(again, low);
        assert_eq!(SpanMeasure::from_bytes([3; MEASURE_BYTES]), None);
        assert_eq!(SpanMeasure::from_bytes([1, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0]), None);
    }
}
