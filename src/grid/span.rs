//! Spans: floors with the free space above them, and the ids of what belongs to them.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::level::AreaId;

/// Index of an agent in its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AgentId(pub u16);

/// Index of a scene node's name in its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// A floor or an obstacle that came from no node.
    pub const NONE: NodeId = NodeId(0xF_FFFF);
}

/// Index of a region of one agent; region 0 is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RegionId(pub u32);

impl AgentId {
    /// Position in the grid's list of agents.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One floor someone could stand on, with the free space above it.
///
/// 16 bytes, laid out as they are listed, so that other languages may read an array of spans in place: floor and
/// ceiling as 32-bit floats; x and z of the normal as 16-bit integers, in units of 1/32767; and 32 bits whose
/// lowest 8 are the area, the others the node.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Span {
    /// Height of the floor at the cell's center [m].
    pub floor: f32,
    /// Height of the lowest surface above [m, > floor]; infinite under open sky.
    pub ceiling: f32,
    /// x and z of the floor's unit normal, in units of 1/32767.
    normal: [i16; 2],
    /// Kind of ground, 8 bits, and the node the floor belongs to, 24 bits above.
    ground: u32,
}

impl Span {
    /// A span over a floor with a unit normal that points up.
    pub fn new(floor: f32, ceiling: f32, normal: Vector3<f32>) -> Self {
        // Rounds to the nearest, as `round` does, which is a call into the C library.
        let round = |v: f64| (v + 0.5f64.copysign(v)) as i16;
        let pack = |v: f32| round(f64::from(v * NORMAL_SCALE));
        Span {
            floor,
            ceiling,
            normal: [pack(normal.x), pack(normal.z)],
            ground: NodeId::NONE.0 << 8,
        }
    }

    /// The same span on an area that belongs to a node.
    pub fn on(self, area: AreaId, node: NodeId) -> Self {
        Span { ground: node.0 << 8 | u32::from(area.0), ..self }
    }

    /// Kind of ground.
    pub fn area(&self) -> AreaId {
        AreaId(self.ground as u8)
    }

    /// The node the floor belongs to.
    pub fn node(&self) -> NodeId {
        NodeId(self.ground >> 8)
    }

    /// Free height above the floor [m]; infinite under open sky.
    pub fn headroom(&self) -> f32 {
        self.ceiling - self.floor
    }

    /// Unit normal of the floor; it points up.
    pub fn normal(&self) -> Vector3<f32> {
        let [x, z] = self.normal.map(|v| f32::from(v) / NORMAL_SCALE);
        Vector3::new(x, (1.0 - x * x - z * z).max(0.0).sqrt(), z)
    }

    /// Whether the stored normal can be that of a floor: no longer than 1, but for rounding.
    pub(crate) fn has_unit_normal(&self) -> bool {
        let [x, z] = self.normal.map(i32::from);
        // Each square is at most 2^30; processors have an instruction for just this sum.
        (x * x).wrapping_add(z * z) as u32 <= LONGEST_NORMAL * LONGEST_NORMAL
    }

    /// Rise of the floor per metre along x and along z.
    #[inline]
    pub fn gradient(&self) -> [f32; 2] {
        // Most floors are level, and the rest takes a root and two divisions.
        if self.normal == [0; 2] {
            return [0.0; 2];
        }
        let normal = self.normal();
        let up = normal.y.max(LEAST_UP);
        [-normal.x / up, -normal.z / up]
    }

    /// How much higher its plane is at an offset along x and z than at the center [m]: as by
    /// [`Span::gradient`], with one division.
    #[inline]
    pub(crate) fn rise(&self, offset: [f32; 2]) -> f32 {
        if self.normal == [0; 2] {
            return 0.0;
        }
        let normal = self.normal();
        -(normal.x * offset[0] + normal.z * offset[1]) / normal.y.max(LEAST_UP)
    }

    /// All zeros, to be filled word by word.
    pub const BLANK: Span = Span { floor: 0.0, ceiling: 0.0, normal: [0; 2], ground: 0 };

    /// The words a file stores: floor, ceiling, normal, ground.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        match at {
            0 => self.floor.to_bits(),
            1 => self.ceiling.to_bits(),
            2 => u32::from(self.normal[0] as u16) | u32::from(self.normal[1] as u16) << 16,
            _ => self.ground,
        }
    }

    #[inline]
    pub(crate) fn set_word(&mut self, at: usize, word: u32) {
        match at {
            0 => self.floor = f32::from_bits(word),
            1 => self.ceiling = f32::from_bits(word),
            2 => self.normal = [word as u16 as i16, (word >> 16) as u16 as i16],
            _ => self.ground = word,
        }
    }
}

const NORMAL_SCALE: f32 = 32767.0;
/// Longest horizontal part of a unit normal, in stored units: both parts may be rounded up.
const LONGEST_NORMAL: u32 = 32768;
/// Least upward part of a normal that a gradient is computed from: 89.9°. Steeper ones count as so.
const LEAST_UP: f32 = 0.002;
