//! What one agent may do on one span: verdict, clearance, region and connections in 8 bytes.

use super::frame::Dir;
use super::span::{NodeId, RegionId};

/// Why a span is or is not walkable for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The ground is marked as forbidden to all agents.
    Forbidden,
    /// The floor lies inside a closed solid.
    InsideSolid,
    /// It could stand here, but the ground is cut off and smaller than the bake was set to keep.
    SmallRegion,
}

/// What one agent may do on one span: verdict, clearance, region and connections. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// A [`ConnectionCode`] for each direction, in four bits.
    connections: u32,
    /// Verdict in bits 0..4, clearance in 4..12; in 12..32 the region, or the obstacle's node, or one more than
    /// the node of a low ceiling, 0 where that is not known.
    state: u32,
}

/// How a [`Standing`] stores a connection: 0 for none, else the layer of its target relative to the
/// span's own layer, plus 7; 15 if the layers differ too much, and then the target is listed in
/// [`AgentLayer::far_connections`](super::AgentLayer::far_connections). `[0..16)`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionCode(pub u8);

impl ConnectionCode {
    /// No connection.
    pub const NONE: ConnectionCode = ConnectionCode(0);
    /// The target is in the list of far connections.
    pub const FAR: ConnectionCode = ConnectionCode(15);
    /// The target is in the same layer.
    pub const LEVEL: ConnectionCode = ConnectionCode(Self::ZERO as u8);
    const ZERO: i64 = 7;

    /// The code for a target whose layer is higher by `rise`.
    pub fn new(rise: i64) -> Self {
        let code = rise + Self::ZERO;
        if (1..15).contains(&code) { ConnectionCode(code as u8) } else { Self::FAR }
    }

    /// The code of the connection in the other direction; not a code for [`ConnectionCode::FAR`].
    pub fn reversed(self) -> Self {
        ConnectionCode(14u8.wrapping_sub(self.0))
    }

    /// Whether both directions can be stored in a nibble: they cannot if the target is 7 layers higher.
    #[inline]
    pub fn is_near_both_ways(self) -> bool {
        (1..14).contains(&self.0)
    }

    /// The code of two connections in a row; `None` if one of them is missing or far.
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

/// The codes of 8 connections to the span's own layer.
pub const LEVEL_CONNECTIONS: u32 = 0x7777_7777;

/// Fixed point of clearance: this many units to a cell.
pub(crate) const CLEARANCE_UNITS: f32 = 8.0;

impl Standing {
    /// A walkable span, as yet without connections, clearance and region.
    pub const WALKABLE: Standing = Standing { connections: 0, state: 0 };

    /// The standing for a verdict, without connections, clearance and region.
    pub fn new(verdict: Verdict) -> Self {
        let (code, node) = match verdict {
            Verdict::Walkable => (0, 0),
            Verdict::TooSteep => (1, 0),
            Verdict::LowCeiling => (2, 0),
            Verdict::Obstacle(node) => (3, node.0),
            Verdict::Ledge => (4, 0),
            Verdict::Forbidden => (5, 0),
            Verdict::InsideSolid => (6, 0),
            Verdict::SmallRegion => (7, 0),
        };
        Standing { connections: 0, state: node << 12 | code }
    }

    /// The standing of a span whose ceiling is lower than the agent, and a part of a node.
    pub fn under(ceiling: NodeId) -> Self {
        let owner = if ceiling == NodeId::NONE { 0 } else { ceiling.0 + 1 };
        Standing { connections: 0, state: owner << 12 | Standing::new(Verdict::LowCeiling).state }
    }

    /// The node of a low ceiling; `None` if that is not known, and for any other verdict.
    pub fn ceiling_node(&self) -> Option<NodeId> {
        let owner = self.owner();
        (self.code() == 2 && owner > 0).then(|| NodeId(owner - 1))
    }

    /// The same standing after nodes were given other numbers.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(NodeId) -> NodeId) -> Self {
        let new = match (self.verdict(), self.ceiling_node()) {
            (Verdict::Obstacle(node), _) => Standing::new(Verdict::Obstacle(number(node))),
            (_, Some(ceiling)) => Standing::under(number(ceiling)),
            _ => return self,
        };
        Standing { state: new.state | self.state & 0xFF0, ..self }
    }

    /// Whether the node that the standing of a blocked span names exists, or it names none, given the number of
    /// nodes.
    #[inline]
    pub(crate) fn names_node_of(&self, nodes: u32) -> bool {
        let (code, owner) = (self.code(), self.owner());
        let is_obstacle = (code == 3) & ((owner < nodes) | (owner == NodeId::NONE.0));
        let is_ceiling = (code == 2) & (owner <= nodes);
        let is_unnamed = (code != 3) & (owner == 0);
        is_obstacle | is_ceiling | is_unnamed
    }

    /// The same standing with only the connections of the first four directions, a nibble each.
    pub fn with_forward_connections(self, connections: u16) -> Self {
        Standing { connections: u32::from(connections), ..self }
    }

    /// The nibbles of the connections in the first four directions.
    #[inline]
    pub fn forward_connections(&self) -> u16 {
        self.connections as u16
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
            7 => Verdict::SmallRegion,
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

    /// Whether there is a connection in a direction.
    pub fn has_connection(&self, dir: Dir) -> bool {
        self.connection_code(dir).0 != 0
    }

    /// Clearance in eighths of a cell, at most 255.
    pub(crate) fn clearance_code(&self) -> u8 {
        (self.state >> 4) as u8
    }

    /// The connection codes, a nibble for each direction.
    #[inline]
    pub fn connection_codes(&self) -> u32 {
        self.connections
    }

    /// How the connection in a direction is stored.
    pub fn connection_code(&self, dir: Dir) -> ConnectionCode {
        ConnectionCode((self.connections >> (4 * dir.index()) & 15) as u8)
    }

    /// Stores or removes the connection in a direction.
    pub fn set_connection(&mut self, dir: Dir, code: ConnectionCode) {
        let shift = 4 * dir.index();
        self.connections = self.connections & !(15 << shift) | u32::from(code.0) << shift;
    }

    /// The same standing without the connection in a direction.
    #[must_use]
    pub fn without_connection(mut self, dir: Dir) -> Self {
        self.set_connection(dir, ConnectionCode::NONE);
        self
    }

    /// Stores the clearance, in eighths of a cell, rounded down.
    pub fn set_clearance(&mut self, code: u8) {
        self.state = self.state & !(0xFF << 4) | u32::from(code) << 4;
    }

    /// Stores the region of a walkable span.
    pub fn set_region(&mut self, region: RegionId) {
        self.state = self.state & 0xFFF | region.0 << 12;
    }

    pub(crate) fn has_connections(&self) -> bool {
        self.connections != 0
    }

    pub(crate) fn has_all_connections(&self) -> bool {
        self.connection_count() == 8
    }

    /// Number of directions with a connection [0..=8].
    pub fn connection_count(&self) -> u32 {
        self.connection_bits().count_ones()
    }

    /// Whether all 8 connections exist and lead to the span's own layer.
    #[inline]
    pub(crate) fn is_level(&self) -> bool {
        self.connections == LEVEL_CONNECTIONS
    }

    /// Not 0 if verdict, or region or obstacle differ.
    #[inline]
    pub(crate) fn ground_differs(&self, other: &Standing) -> u32 {
        (self.state ^ other.state) & !0xFF0
    }

    /// The bits in which two standings differ: connections below, state above. One word takes half
    /// the time of two to compare; several results may be joined by "or".
    #[inline]
    pub(crate) fn differs(&self, other: &Standing) -> u64 {
        let whole = |one: &Standing| u64::from(one.connections) | u64::from(one.state) << 32;
        whole(self) ^ whole(other)
    }

    /// Whether [`Self::differs`] found the same connections, verdict, and region or obstacle.
    pub(crate) fn alike_but_for_clearance(differs: u64) -> bool {
        differs & !(0xFF0 << 32) == 0
    }

    /// Whether two standings have the same connections, and both or neither can be stood on. False for
    /// far connections: their targets are listed elsewhere.
    #[inline]
    pub(crate) fn leads_alike(&self, other: &Standing) -> bool {
        self.connections == other.connections
            && self.is_walkable() == other.is_walkable()
            && !self.has_far_connection()
    }

    /// [`Self::connection_bits`], if all connections lead to the span's own layer.
    #[inline]
    pub(crate) fn level_bits(&self) -> u32 {
        self.connections & 0x1111_1111
    }

    /// Not 0 if a connection leads to another layer than the span's own.
    #[inline]
    pub(crate) fn unlevel_bits(&self) -> u32 {
        self.connections ^ (self.level_bits() * 7)
    }

    /// One bit a nibble, the lowest: whether there is a connection in that direction.
    pub(crate) fn connection_bits(&self) -> u32 {
        let pairs = self.connections | self.connections >> 1;
        (pairs | pairs >> 2) & 0x1111_1111
    }

    /// Whether there are connections to the west, in the same layer, and to the north-west. Then all
    /// that this span is joined to in the north and west is joined to its western neighbor too.
    #[inline]
    pub(crate) fn joins_as_west_neighbor(&self) -> bool {
        (self.connections & 0x000F_0000 == 0x0007_0000) & (self.connections & 0x00F0_0000 != 0)
    }

    /// Whether a target is in the list of far connections.
    pub(crate) fn has_far_connection(&self) -> bool {
        let pairs = self.connections & self.connections >> 1;
        pairs & pairs >> 2 & 0x1111_1111 != 0
    }

    /// [`Self::forward_surplus`], if all connections lead to the span's own layer.
    pub(crate) fn level_surplus(&self) -> i64 {
        surplus(self.level_bits())
    }

    /// How many more connections lead towards greater x or z than the other way; a count for each of
    /// the four axes, 16 times the one before. If every connection forward has its counterpart, no
    /// count summed over all standings is above 0, so that a sum of 0 means that none is left over.
    pub(crate) fn forward_surplus(&self) -> i64 {
        surplus(self.connection_bits())
    }

    /// The bits above the clearance: the region, or what names a node.
    pub(crate) fn owner(&self) -> u32 {
        self.state >> 12
    }

    /// The verdict without its node, as it is stored.
    pub(crate) fn code(&self) -> u32 {
        self.state & 15
    }

    /// The words that a file stores: connections, state.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        if at == 0 { self.connections } else { self.state }
    }

    #[inline]
    pub(crate) fn set_word(&mut self, at: usize, word: u32) {
        *(if at == 0 { &mut self.connections } else { &mut self.state }) = word;
    }
}

fn surplus(connection_bits: u32) -> i64 {
    i64::from(connection_bits & 0xFFFF) - i64::from(connection_bits >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_standings_name_exist_and_are_renumbered() {
        let obstacle = |node| Standing::new(Verdict::Obstacle(NodeId(node)));
        let low = |node| Standing::under(NodeId(node));
        let plain = Standing::new(Verdict::TooSteep);
        let unknown = Standing::under(NodeId::NONE);
        assert_eq!((unknown, unknown.ceiling_node()), (Standing::new(Verdict::LowCeiling), None));
        assert_eq!(low(0).ceiling_node(), Some(NodeId(0)));
        assert_eq!([obstacle(1), plain].map(|own| own.ceiling_node()), [None; 2]);
        assert_eq!(low(7).verdict(), Verdict::LowCeiling);

        let nodes = 3;
        for sound in [obstacle(2), obstacle(NodeId::NONE.0), low(2), unknown, plain] {
            assert!(sound.names_node_of(nodes), "{sound:?}");
        }
        for wrong in [obstacle(3), low(3), Standing { state: plain.state | 1 << 12, ..plain }] {
            assert!(!wrong.names_node_of(nodes), "{wrong:?}");
        }

        assert!(!obstacle(0).names_node_of(0) && !low(0).names_node_of(0));
        assert!(unknown.names_node_of(0) && plain.names_node_of(0));

        let next = |own: Standing| own.renumbered(|node| NodeId(node.0 + 1));
        let with_connections = low(4).with_forward_connections(0x7777);
        assert_eq!(next(with_connections), low(5).with_forward_connections(0x7777));
        assert_eq!([obstacle(4), plain, unknown].map(next), [obstacle(5), plain, unknown]);
    }
}
