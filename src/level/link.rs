//! Provides [`Link`]: an off-mesh connection.

use std::collections::BTreeSet;

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::SpanId;
use super::link_record::{LaneRecord, LinkRecord};

/// An off-mesh connection: it joins spans that no step joins.
///
/// A wide link has a segment at each end and several lanes, any of which may be taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "LinkRecord")]
pub struct Link {
    /// Tells it from the other links of its grid, in later bakes too.
    pub id: LinkId,
    /// Name of the node that marks it, or of the rule that generated it.
    pub name: String,
    /// What kind of movement it takes.
    pub kind: LinkKind,
    /// Whether it was generated, not marked by an author.
    pub generated: bool,
    /// Whether it may also be taken from its end to its start. Ignored for drops, which never can:
    /// see [`Link::is_reversible`].
    pub two_way: bool,
    /// Cost of taking it, in metres of plain ground [>= 0, finite].
    pub cost: f32,
    /// Where it starts: a segment [m]. Both ends are the same if it starts at a point.
    pub from: [Point3<f32>; 2],
    /// Where it ends: a segment [m].
    pub to: [Point3<f32>; 2],
    /// How many bodies of a crowd may be on it at once; 0 means any number.
    #[serde(skip_serializing_if = "is_zero")]
    pub capacity: u32,
    /// What its author says of it, as compact JSON; empty if that is nothing. Nothing here reads it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub user_data: String,
    /// Which stop it leads to, if the link moves at its end; `None` if it stays where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<LinkStop>,
    /// For each agent the lanes it can take, without repeats; none if it cannot take the link.
    pub lanes: Vec<Vec<LinkLane>>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A stop of a link that moves, such as a lift. Each stop is a link of its own, and bodies get on only
/// where it is now: at first those with number 0, then those that
/// [`Overlay::set_link_stop`](crate::view::Overlay::set_link_stop) was given last. In front of the others
/// they wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkStop {
    /// What moves: the same for all its stops, and no other link's.
    pub moving: LinkId,
    /// The number of the stop, in the order of the author's list [>= 0].
    pub number: u32,
}

/// Tells a link from the others of its grid. It is a whole number below 2^53, so that every reader of
/// JSON reads it exactly.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct LinkId(pub u64);

/// Gives every link whose id an earlier one has the next free id.
pub fn make_ids_unique(links: &mut [Link]) {
    let mut taken = BTreeSet::new();
    for link in links {
        while !taken.insert(link.id) {
            link.id = link.id.next();
        }
    }
}

/// One of the places where a link can be taken, from span to span.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "LaneRecord", into = "LaneRecord")]
pub struct LinkLane {
    /// Where it starts and where it ends.
    pub spans: [SpanId; 2],
    /// How far the body goes level before it leaves the ground [m, >= 0].
    pub run_up: f32,
    /// How far above its higher end the body rises on the way [m, >= 0].
    pub apex: f32,
}

/// What kind of movement a link takes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LinkKind {
    /// Any other movement that an author marked.
    #[default]
    Authored,
    /// Over a gap.
    Jump,
    /// Down only.
    Drop,
    /// Up onto a ledge by hands and feet, and down again.
    Climb,
    /// Up or down a ladder.
    Ladder,
    /// Through a door.
    Door,
}

impl LinkKind {
    /// All kinds.
    pub const ALL: [LinkKind; 6] = [
        LinkKind::Authored,
        LinkKind::Jump,
        LinkKind::Drop,
        LinkKind::Climb,
        LinkKind::Ladder,
        LinkKind::Door,
    ];

    /// Its name, as in files: `jump`.
    pub const fn name(self) -> &'static str {
        match self {
            LinkKind::Authored => "authored",
            LinkKind::Jump => "jump",
            LinkKind::Drop => "drop",
            LinkKind::Climb => "climb",
            LinkKind::Ladder => "ladder",
            LinkKind::Door => "door",
        }
    }
}

impl LinkId {
    /// The id that follows from some text.
    ///
    /// Based on: Fowler, Noll, Vo, FNV-1a with 64 bits, of which the upper ones are folded in.
    pub fn of(text: &str) -> Self {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        LinkId((hash ^ hash >> 53) & ((1 << 53) - 1))
    }

    /// The next id: for a link whose own is taken.
    pub fn next(self) -> Self {
        LinkId(self.0.wrapping_add(1) & ((1 << 53) - 1))
    }
}

impl Link {
    /// A one-way link from point to point that costs the length of it [m] and that no agent can take
    /// yet. Its id follows from its name.
    pub fn new(name: impl Into<String>, kind: LinkKind, [from, to]: [Point3<f32>; 2]) -> Self {
        let name = name.into();
        Link {
            id: LinkId::of(&name),
            name,
            kind,
            generated: false,
            two_way: false,
            cost: (to - from).norm(),
            from: [from; 2],
            to: [to; 2],
            capacity: 0,
            user_data: String::new(),
            stop: None,
            lanes: Vec::new(),
        }
    }

    /// Checks what does not depend on a grid.
    ///
    /// # Errors
    /// What is wrong: a cost or an end that is no number.
    pub(crate) fn check_values(&self) -> Result<(), String> {
        if !(self.cost >= 0.0 && self.cost.is_finite()) {
            return Err(format!("its cost {} is not >= 0", self.cost));
        }
        if !self.from.iter().chain(&self.to).flat_map(Point3::iter).all(|v| v.is_finite()) {
            return Err("an end is not a finite point".to_owned());
        }
        Ok(())
    }

    /// Whether it can be taken in both directions and so joins the regions at its ends into one.
    pub fn is_reversible(&self) -> bool {
        self.two_way && self.kind != LinkKind::Drop
    }

    /// Whether it is more than a point wide, at either end.
    pub fn is_wide(&self) -> bool {
        [self.from, self.to].iter().any(|[first, last]| first != last)
    }

    /// How many bodies of a radius [m, > 0] fit side by side at its narrower end; at least 1. The baker
    /// takes it for the capacity of links where bodies fly or climb.
    pub fn capacity_by_width(&self, radius: f32) -> u32 {
        let width = |[first, last]: [Point3<f32>; 2]| (last - first).norm();
        let bodies = width(self.from).min(width(self.to)) / (2.0 * radius);
        // What is no number becomes 0, and what is too large the largest number.
        (bodies as u32).saturating_add(1)
    }

    /// The lanes that an agent can take, by its index; none for an agent that the grid does not have.
    pub fn lanes_of(&self, agent: usize) -> &[LinkLane] {
        self.lanes.get(agent).map_or(&[], Vec::as_slice)
    }

    /// The middle of where it starts, and of where it ends [m].
    pub fn middle(&self) -> [Point3<f32>; 2] {
        [self.from, self.to].map(|[first, last]| nalgebra::center(&first, &last))
    }

    /// Where a lane starts and ends if it is a point wide; the lanes of wide links start and end at the
    /// centers of their spans.
    pub(crate) fn points(&self) -> Option<[Point3<f32>; 2]> {
        (!self.is_wide()).then_some([self.from[0], self.to[0]])
    }
}

impl LinkLane {
    /// A lane that leads straight from span to span.
    pub fn new(spans: [SpanId; 2]) -> Self {
        LinkLane { spans, run_up: 0.0, apex: 0.0 }
    }
}
