//! Spans and what each agent may do on them: the records a grid is made of.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::frame::Dir;

/// Index of a span in its grid, in the order of columns, low to high within each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SpanId(pub u32);

/// Index of an agent in its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AgentId(pub u16);

/// Index of an area in its grid; 0 is plain walkable ground.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct AreaId(pub u8);

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

impl SpanId {
    /// Position in the grid's array of spans.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl AgentId {
    /// Position in the grid's list of agents.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One floor someone could stand on, with the free space above it. 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Why a span is or is not standable for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The agent can stand here.
    Walkable,
    /// The floor is steeper than its slope limit.
    TooSteep,
    /// The ceiling is lower than its height.
    LowCeiling,
    /// Its body would touch a collider of this node.
    Obstacle(NodeId),
    /// Nearer than its ledge margin to an edge it could fall off.
    Ledge,
    /// The ground is marked so that nobody stands on it.
    Forbidden,
    /// The floor lies inside a closed solid.
    InsideSolid,
}

/// What one agent may do on one span: verdict, clearance, region and steps. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// A nibble for each direction, see [`ConnectionCode`].
    steps: u32,
    /// Verdict in bits 0..4, clearance in 4..12, region or obstacle's node in 12..32.
    state: u32,
}

/// How a step is stored: 0 for none, else the layer of its target relative to the span's own,
/// plus 7; 15 where the layers differ too much and the target stands in a list beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionCode(pub u8);

impl ConnectionCode {
    pub const NONE: ConnectionCode = ConnectionCode(0);
    pub const FAR: ConnectionCode = ConnectionCode(15);
    /// The target is in the same layer.
    pub const LEVEL: ConnectionCode = ConnectionCode(Self::ZERO as u8);
    const ZERO: i64 = 7;

    /// The code for a target whose layer is higher by `rise`.
    pub fn new(rise: i64) -> Self {
        let code = rise + Self::ZERO;
        if (1..15).contains(&code) { ConnectionCode(code as u8) } else { Self::FAR }
    }

    /// The code of the way back; no code at all for [`ConnectionCode::FAR`].
    pub fn reversed(self) -> Self {
        ConnectionCode(14u8.wrapping_sub(self.0))
    }

    /// Whether a nibble can say the way back too: it cannot where the target is higher by 7 layers.
    #[inline]
    pub fn is_near_both_ways(self) -> bool {
        (1..14).contains(&self.0)
    }

    /// The code of two steps in a row; `None` where either is missing or far.
    pub fn chain(first: ConnectionCode, second: ConnectionCode) -> Option<ConnectionCode> {
        let near = |code: ConnectionCode| (1..15).contains(&code.0);
        let rise = i64::from(first.0) + i64::from(second.0) - 2 * Self::ZERO;
        (near(first) && near(second)).then(|| ConnectionCode::new(rise))
    }

    /// How much higher the target's layer is; meaningless for [`ConnectionCode::FAR`].
    pub fn rise(self) -> i64 {
        i64::from(self.0) - Self::ZERO
    }
}

/// The codes of 8 steps that all lead to the span's own layer.
pub const LEVEL_CONNECTIONS: u32 = 0x7777_7777;

/// Clearance is stored in fractions of a cell: this many to the cell.
pub(crate) const CLEARANCE_STEPS: f32 = 8.0;

impl Standing {
    /// A span where the agent may stand, as yet without steps, clearance and region.
    pub const WALKABLE: Standing = Standing { steps: 0, state: 0 };

    /// The record for a verdict, without steps, clearance and region.
    pub fn new(verdict: Verdict) -> Self {
        let (code, node) = match verdict {
            Verdict::Walkable => (0, 0),
            Verdict::TooSteep => (1, 0),
            Verdict::LowCeiling => (2, 0),
            Verdict::Obstacle(node) => (3, node.0),
            Verdict::Ledge => (4, 0),
            Verdict::Forbidden => (5, 0),
            Verdict::InsideSolid => (6, 0),
        };
        Standing { steps: 0, state: node << 12 | code }
    }

    /// The same standing with the steps of the first four directions, a nibble each, and no others.
    pub fn with_forward_connections(self, steps: u16) -> Self {
        Standing { steps: u32::from(steps), ..self }
    }

    /// The nibbles of the steps in the first four directions.
    #[inline]
    pub fn forward_connections(&self) -> u16 {
        self.steps as u16
    }

    /// Why the agent can or cannot stand here.
    pub fn verdict(&self) -> Verdict {
        match self.state & 15 {
            0 => Verdict::Walkable,
            1 => Verdict::TooSteep,
            2 => Verdict::LowCeiling,
            3 => Verdict::Obstacle(NodeId(self.state >> 12)),
            4 => Verdict::Ledge,
            5 => Verdict::Forbidden,
            _ => Verdict::InsideSolid,
        }
    }

    /// Whether the agent can stand here.
    pub fn is_walkable(&self) -> bool {
        self.state & 15 == 0
    }

    /// The region the span belongs to; `None` where the agent cannot stand.
    pub fn region(&self) -> Option<RegionId> {
        self.is_walkable().then_some(RegionId(self.state >> 12))
    }

    /// Whether there is a step in a direction.
    pub fn has_connection(&self, dir: Dir) -> bool {
        self.connection_code(dir).0 != 0
    }

    /// Clearance in eighths of a cell, at most 255.
    pub(crate) fn clearance_code(&self) -> u8 {
        (self.state >> 4) as u8
    }

    /// A nibble for each direction.
    #[inline]
    pub fn connection_codes(&self) -> u32 {
        self.steps
    }

    pub fn connection_code(&self, dir: Dir) -> ConnectionCode {
        ConnectionCode((self.steps >> (4 * dir.index()) & 15) as u8)
    }

    pub fn set_connection(&mut self, dir: Dir, code: ConnectionCode) {
        let shift = 4 * dir.index();
        self.steps = self.steps & !(15 << shift) | u32::from(code.0) << shift;
    }

    /// The same standing without the step in a direction.
    pub fn without_connection(mut self, dir: Dir) -> Self {
        self.set_connection(dir, ConnectionCode::NONE);
        self
    }

    pub fn set_clearance(&mut self, code: u8) {
        self.state = self.state & !(0xFF << 4) | u32::from(code) << 4;
    }

    pub fn set_region(&mut self, region: RegionId) {
        self.state = self.state & 0xFFF | region.0 << 12;
    }

    pub(crate) fn has_connections(&self) -> bool {
        self.steps != 0
    }

    pub(crate) fn has_all_connections(&self) -> bool {
        self.connection_count() == 8
    }

    /// Number of directions with a step.
    pub(crate) fn connection_count(&self) -> u32 {
        self.connection_bits().count_ones()
    }

    /// Whether all 8 steps are there and lead to the span's own layer.
    #[inline]
    pub(crate) fn is_level(&self) -> bool {
        self.steps == LEVEL_CONNECTIONS
    }

    /// Not 0 where verdict, or region or obstacle differ.
    #[inline]
    pub(crate) fn ground_differs(&self, other: &Standing) -> u32 {
        (self.state ^ other.state) & !0xFF0
    }

    /// The bits in which two standings differ: steps below, state above. As one word, which is
    /// compared in half the time of two; several answers may be joined by "or".
    #[inline]
    pub(crate) fn differs(&self, other: &Standing) -> u64 {
        let whole = |one: &Standing| u64::from(one.steps) | u64::from(one.state) << 32;
        whole(self) ^ whole(other)
    }

    /// Whether [`Self::differs`] found the same steps, verdict, and region or obstacle.
    pub(crate) fn alike_but_for_clearance(differs: u64) -> bool {
        differs & !(0xFF0 << 32) == 0
    }

    /// [`Self::connection_bits`] where all steps lead to the span's own layer.
    #[inline]
    pub(crate) fn level_bits(&self) -> u32 {
        self.steps & 0x1111_1111
    }

    /// Not 0 where a step leads to another layer than the span's own.
    #[inline]
    pub(crate) fn unlevel_bits(&self) -> u32 {
        self.steps ^ (self.level_bits() * 7)
    }

    /// The lowest bit of each nibble is set where there is a step in that direction.
    pub(crate) fn connection_bits(&self) -> u32 {
        let pairs = self.steps | self.steps >> 1;
        (pairs | pairs >> 2) & 0x1111_1111
    }

    /// Whether there is a step to the same layer in the west, and one to the north-west: then
    /// everything this span leads to in the north and west hangs together over the one in the west.
    #[inline]
    pub(crate) fn hangs_together_west(&self) -> bool {
        (self.steps & 0x000F_0000 == 0x0007_0000) & (self.steps & 0x00F0_0000 != 0)
    }

    /// Whether a step's target stands in the list of far steps.
    pub(crate) fn has_far_connection(&self) -> bool {
        let pairs = self.steps & self.steps >> 1;
        pairs & pairs >> 2 & 0x1111_1111 != 0
    }

    /// The bits above the clearance: region or obstacle's node.
    pub(crate) fn owner(&self) -> u32 {
        self.state >> 12
    }

    pub(crate) fn code(&self) -> u32 {
        self.state & 15
    }

    /// The words a file stores: steps, state.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        if at == 0 { self.steps } else { self.state }
    }

    #[inline]
    pub(crate) fn set_word(&mut self, at: usize, word: u32) {
        *(if at == 0 { &mut self.steps } else { &mut self.state }) = word;
    }
}
