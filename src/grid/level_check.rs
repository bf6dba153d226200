//! Validation of many standings at once, where columns and their neighbors look alike.
//!
//! Where all columns around hold equally many spans and all steps keep to their layer, a step and
//! what has to answer it lie at fixed distances in the flat arrays. Each rule then becomes a few
//! operations on whole words of nibbles, without branches, so that the compiler handles several
//! spans at a time. Anything else is left to the check of single spans.

use super::{NodeId, Standing};

/// Steps towards greater x or z, as [`Standing::level_bits`]; their ways back lie 16 bits higher.
const EAST: u32 = 1;
const SOUTH_EAST: u32 = 1 << 4;
const SOUTH: u32 = 1 << 8;
const SOUTH_WEST: u32 = 1 << 12;
const FORWARD: u32 = EAST | SOUTH_EAST | SOUTH | SOUTH_WEST;

/// A block of consecutive standings, and those next to each of them in the same layer: all of
/// one length.
pub(super) struct Block<'a> {
    pub own: &'a [Standing],
    pub east: &'a [Standing],
    pub west: &'a [Standing],
    pub south_west: &'a [Standing],
    pub south: &'a [Standing],
    pub south_east: &'a [Standing],
}

impl Block<'_> {
    /// Whether all steps in it are level, come back, cut no corner and stay in their region, and
    /// blocked spans hold nothing else. `false` means that single spans have to be looked at.
    ///
    /// Only the straight steps are held to their region and to walkable ground: diagonal ones lead
    /// where two straight ones lead.
    pub(super) fn is_sound(&self, nodes: u32) -> bool {
        let len = self.own.len();
        let (own, east, west) = (self.own, &self.east[..len], &self.west[..len]);
        let (south_west, south) = (&self.south_west[..len], &self.south[..len]);
        let south_east = &self.south_east[..len];
        let mut wrong = 0;
        for at in 0..len {
            let standing = own[at];
            let bits = standing.level_bits();
            let [to_east, to_west] = [east[at], west[at]].map(|next| next.level_bits());
            let to_south = south[at].level_bits();
            let answers = to_east & EAST << 16
                | south_east[at].level_bits() & SOUTH_EAST << 16
                | to_south & SOUTH << 16
                | south_west[at].level_bits() & SOUTH_WEST << 16;
            wrong |= bits & FORWARD & !(answers >> 16);
            // From each diagonal's place: the straight steps beside it, then those that follow.
            let beside = bits << 4 & bits >> 4;
            let after_east = to_east >> 4 & to_south << 4 & SOUTH_EAST;
            let after_west = to_west << 4 & to_south >> 4 & SOUTH_WEST;
            wrong |= bits & (SOUTH_EAST | SOUTH_WEST) & !(beside & (after_east | after_west));
            let all_if = |step: u32| u32::from(bits & step != 0).wrapping_neg();
            wrong |= standing.ground_differs(&east[at]) & all_if(EAST);
            wrong |= standing.ground_differs(&south[at]) & all_if(SOUTH);
            wrong |= standing.unlevel_bits() | u32::from(!is_plain(standing, nodes));
        }
        wrong == 0
    }

    /// How many more steps lead forward than back, see [`surplus`].
    pub(super) fn surplus(&self) -> i64 {
        self.own.iter().map(|standing| surplus(standing.level_bits())).sum()
    }

    /// The region of the whole block, if it is walkable all over and of one region.
    pub(super) fn region(&self) -> Option<u32> {
        let head = self.own.first().filter(|standing| standing.is_walkable())?;
        let differs = self.own.iter().fold(0, |all, other| all | head.ground_differs(other));
        (differs == 0).then_some(head.owner())
    }
}

/// How many more steps of a standing lead towards greater x or z than the other way; a count for
/// each of the four axes, 16 times the one before. Where every step forward has its own way back,
/// no count is above 0, so that a sum of 0 means that none is left over.
pub(super) fn surplus(step_bits: u32) -> i64 {
    i64::from(step_bits & 0xFFFF) - i64::from(step_bits >> 16)
}

/// Whether a standing is walkable, or blocked by what exists and without steps and clearance.
#[inline(always)]
fn is_plain(standing: Standing, nodes: u32) -> bool {
    let owner = standing.owner();
    let is_obstacle = standing.code() == 3;
    let obstacle = is_obstacle & ((owner < nodes) | (owner == NodeId::NONE.0));
    let unowned = !is_obstacle & (standing.code() <= 6) & (owner == 0);
    let bare = !standing.has_steps() & (standing.clearance_code() == 0);
    standing.is_walkable() | (bare & (obstacle | unowned))
}
