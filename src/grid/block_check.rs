//! Validation of many standings at once, where columns and their neighbors look alike.
//!
//! Where all columns around hold equally many spans and all steps keep to their layer, a step and
//! what has to answer it lie at fixed distances in the flat arrays. Each rule then becomes a few
//! operations on whole words of nibbles, without branches, so that the compiler handles several
//! spans at a time. Anything else is left to the check of single spans.

use std::ops::Range;

use super::layer_check::LayerCheck;
use super::strips::{Strip, strips_of_two};
use super::{GridError, NodeId, Standing};

/// Spans checked at once: long enough to be worth it, and short where one of them is uneven.
const BLOCK: usize = 16;

impl LayerCheck<'_> {
    /// Checks all standings: blocks of them where they look alike, else one by one. O(spans).
    pub(super) fn check_standings(&mut self) -> Result<(), GridError> {
        let first = &self.parts.first[..];
        let columns = self.parts.frame.size_x as usize;
        for row in 0..self.parts.frame.size_z as usize {
            let start = row * columns;
            let mut checked = 0;
            // The last row has no other to agree with.
            let next = first.get(start + columns..=start + 2 * columns).unwrap_or(&[]);
            let this = &first[start..=start + columns];
            for strip in strips_of_two(&this[..this.len().min(next.len())], next) {
                if strip.columns < 3 || !(1..=BLOCK as u32).contains(&strip.depth) {
                    continue;
                }
                // The outermost columns have neighbors of another kind.
                self.check_columns(start, checked..strip.column + 1)?;
                checked = strip.column + strip.columns - 1;
                self.check_strip(start, &strip)?;
            }
            self.check_columns(start, checked..columns)?;
        }
        Ok(())
    }

    /// Checks a strip but for its first and last column, block by block.
    fn check_strip(&mut self, row: usize, strip: &Strip) -> Result<(), GridError> {
        let inner = strip.column + 1..strip.column + strip.columns - 1;
        let columns = BLOCK / strip.depth as usize;
        for start in inner.clone().step_by(columns) {
            let block = start..inner.end.min(start + columns);
            if !self.check_block(row, &block, strip.depth as usize) {
                self.check_columns(row, block)?;
            }
        }
        Ok(())
    }

    /// Whether columns in the midst of a strip are sound beyond doubt; counts them if so.
    fn check_block(&mut self, row: usize, columns: &Range<usize>, depth: usize) -> bool {
        let next = row + self.parts.frame.size_x as usize;
        let span_of = |column: usize| self.parts.first[column] as usize;
        let (own, south) = (span_of(row + columns.start), span_of(next + columns.start));
        let len = columns.len() * depth;
        let standings = &self.layer.standings;
        let around = |start: usize| &standings[start - depth..start + len + depth];
        if let Some(region) = level_region(around(own))
            && level_region(around(south)) == Some(region)
        {
            // The usual case: level ground has as many steps forward as back.
            return self.add_size(region, len);
        }
        // Steps to other layers are left to the single spans, those of the neighbors too: an answer
        // from one of them would pass for a level one.
        if !all_level(around(own)) || !all_level(around(south)) {
            return false;
        }
        let block = Block {
            own: &standings[own..own + len],
            east: &standings[own + depth..][..len],
            west: &standings[own - depth..][..len],
            south_west: &standings[south - depth..][..len],
            south: &standings[south..][..len],
            south_east: &standings[south + depth..][..len],
        };
        if !block.is_sound(self.parts.nodes.len() as u32) {
            return false;
        }
        self.surplus += block.surplus();
        // Counted one by one, each span would wait until the one before it is in memory.
        let mut stretches = block.own.chunk_by(|a, b| a.ground_differs(b) == 0);
        stretches.all(|alike| {
            alike[0].region().is_none_or(|region| self.add_size(region.0, alike.len()))
        })
    }

    /// Counts spans of a region; whether it exists.
    #[inline]
    fn add_size(&mut self, region: u32, spans: usize) -> bool {
        let size = self.sizes.get_mut(region as usize);
        size.map(|size| *size += spans as u32).is_some()
    }
}

/// Steps towards greater x or z, as [`Standing::level_bits`]; their ways back lie 16 bits higher.
const EAST: u32 = 1;
const SOUTH_EAST: u32 = 1 << 4;
const SOUTH: u32 = 1 << 8;
const SOUTH_WEST: u32 = 1 << 12;
const FORWARD: u32 = EAST | SOUTH_EAST | SOUTH | SOUTH_WEST;

/// A block of consecutive standings, and those next to each of them in the same layer: all of
/// one length, and without steps to other layers.
struct Block<'a> {
    own: &'a [Standing],
    east: &'a [Standing],
    west: &'a [Standing],
    south_west: &'a [Standing],
    south: &'a [Standing],
    south_east: &'a [Standing],
}

impl Block<'_> {
    /// Whether all steps in it come back, cut no corner and stay in their region, and blocked spans
    /// hold nothing else. `false` means that single spans have to be looked at.
    ///
    /// Only the straight steps are held to their region and to walkable ground: diagonal ones lead
    /// where two straight ones lead.
    fn is_sound(&self, nodes: u32) -> bool {
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
            wrong |= u32::from(!is_plain(standing, nodes));
        }
        wrong == 0
    }

    /// How many more steps lead forward than back, see [`surplus`].
    fn surplus(&self) -> i64 {
        self.own.iter().map(|standing| surplus(standing.level_bits())).sum()
    }
}

/// The region of a stretch of standings, if all of them are walkable, of one region and have all
/// steps, none to another layer.
fn level_region(standings: &[Standing]) -> Option<u32> {
    let head = standings.first().filter(|head| head.is_walkable() & head.is_level())?;
    let all = standings.iter().fold(0, |all, other| all | head.differs(other));
    Standing::alike_but_for_clearance(all).then_some(head.owner())
}

/// Whether no step leads to another layer than its own.
fn all_level(standings: &[Standing]) -> bool {
    standings.iter().fold(0, |all, standing| all | standing.unlevel_bits()) == 0
}

/// How many more steps of a standing lead towards greater x or z than the other way; a count for
/// each of the four axes, 16 times the one before. Where every step forward has its own way back,
/// no count is above 0, so that a sum of 0 means that none is left over.
pub(super) fn surplus(connection_bits: u32) -> i64 {
    i64::from(connection_bits & 0xFFFF) - i64::from(connection_bits >> 16)
}

/// Whether a standing is walkable, or blocked by what exists and without steps and clearance.
#[inline(always)]
fn is_plain(standing: Standing, nodes: u32) -> bool {
    let owner = standing.owner();
    let is_obstacle = standing.code() == 3;
    let obstacle = is_obstacle & ((owner < nodes) | (owner == NodeId::NONE.0));
    let unowned = !is_obstacle & (standing.code() <= 6) & (owner == 0);
    let bare = !standing.has_connections() & (standing.clearance_code() == 0);
    standing.is_walkable() | (bare & (obstacle | unowned))
}

#[cfg(test)]
mod tests {
    use super::super::build::bare_parts;
    use super::super::connections::{ColumnPosition, Connections};
    use super::super::span::ConnectionCode;
    use super::super::{Cell, Dir, GridFrame, GridParts, NavGrid, RegionId, Span};
    use super::*;
    use crate::agent::Agent;

    const SIZE: (u32, u32) = (43, 7);

    /// Storeys of level ground with a hole, each its own region.
    fn storeys(depth: u32) -> GridParts {
        let (size_x, size_z) = SIZE;
        let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x, size_z };
        let mut heights = vec![0.0; frame.cells()];
        heights[2 * size_x as usize + 30] = f32::NAN;
        let ground = NavGrid::from_heights(frame, &heights, &[Agent::new("human")]);
        let ground = ground.expect("sound heights").into_parts();
        let mut parts = GridParts { layers: ground.layers.clone(), ..bare_parts(frame) };
        parts.first = ground.first.iter().map(|first| first * depth).collect();
        let layer = &mut parts.layers[0];
        layer.standings.clear();
        layer.regions = ground.layers[0].regions.repeat(depth as usize);
        for (span, standing) in ground.spans.iter().zip(&ground.layers[0].standings) {
            for storey in 0..depth {
                let floor = span.floor + 10.0 * storey as f32;
                parts.spans.push(Span::new(floor, floor + 5.0, span.normal()));
                let mut standing = *standing;
                standing.set_region(RegionId(storey));
                layer.standings.push(standing);
            }
        }
        parts
    }

    /// The rules for single spans, step by step.
    fn keeps_all_rules(parts: &GridParts) -> bool {
        let layer = &parts.layers[0];
        let mut sizes = vec![0; layer.regions.len()];
        let sound = (0..parts.frame.cells()).all(|index| {
            (parts.first[index]..parts.first[index + 1]).all(|span| {
                let standing = layer.standings[span as usize];
                if !standing.is_walkable() {
                    // No obstacle exists: there are no nodes.
                    let bare = [1, 2, 4, 5, 6].contains(&standing.word(1))
                        || standing.word(1) == NodeId::NONE.0 << 12 | 3;
                    return bare && standing.word(0) == 0;
                }
                let Some(size) = sizes.get_mut(standing.owner() as usize) else { return false };
                *size += 1;
                let x = index % parts.frame.size_x as usize;
                Dir::ALL
                    .into_iter()
                    .all(|dir| is_step_sound(parts, ColumnPosition { index, x, span }, dir))
            })
        });
        sound && layer.regions.iter().map(|region| region.spans).eq(sizes)
    }

    fn is_step_sound(parts: &GridParts, from: ColumnPosition, dir: Dir) -> bool {
        let layer = &parts.layers[0];
        let steps = Connections::new(&parts.frame, &parts.first, layer);
        let standing = |at: ColumnPosition| layer.standings[at.span as usize];
        if !standing(from).has_connection(dir) {
            return true;
        }
        let Some(to) = steps.target(from, dir) else { return false };
        let by_way_of =
            |a, b| steps.target(from, a).and_then(|mid| steps.target(mid, b)) == Some(to);
        let (left, right) = (dir.turned(7), dir.turned(1));
        steps.target(to, dir.opposite()) == Some(from)
            && standing(to).region() == standing(from).region()
            && (!dir.is_diagonal() || by_way_of(left, right) && by_way_of(right, left))
    }

    /// Spoils a standing, or changes a step at both its ends.
    fn spoil(parts: &mut GridParts, random: &mut impl FnMut(u32) -> u32) {
        let span = random(parts.spans.len() as u32);
        let index = parts.first.partition_point(|&first| first <= span) - 1;
        let place = ColumnPosition { index, x: index % SIZE.0 as usize, span };
        let dir = Dir::ALL[random(8) as usize];
        let to = Connections::new(&parts.frame, &parts.first, &parts.layers[0]).target(place, dir);
        let standings = &mut parts.layers[0].standings;
        match (random(5), to) {
            (0, _) => {
                let word = random(2) as usize;
                let spoiled = standings[span as usize].word(word) ^ 1 << random(32);
                standings[span as usize].set_word(word, spoiled);
            }
            (1, _) => standings[span as usize].set_connection(dir, ConnectionCode::NONE),
            (2, Some(to)) => {
                let code = 1 + random(13) as u8;
                standings[span as usize].set_connection(dir, ConnectionCode(code));
                standings[to.span as usize]
                    .set_connection(dir.opposite(), ConnectionCode(code).reversed());
            }
            (_, Some(to)) => {
                standings[span as usize].set_connection(dir, ConnectionCode::NONE);
                standings[to.span as usize].set_connection(dir.opposite(), ConnectionCode::NONE);
            }
            (_, None) => {}
        }
    }

    #[test]
    fn blocks_and_single_spans_are_judged_alike() {
        let mut seed = 7u64;
        let mut random = |limit: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32 % limit
        };
        for depth in 1..=3 {
            let (sound, mut counts) = (storeys(depth), [0; 2]);
            assert!(keeps_all_rules(&sound) && NavGrid::new(sound.clone()).is_ok());
            for _ in 0..2000 {
                let mut parts = sound.clone();
                (0..=random(2)).for_each(|_| spoil(&mut parts, &mut random));
                let expected = keeps_all_rules(&parts);
                let found = NavGrid::new(parts);
                assert_eq!(found.is_ok(), expected, "{:?}", found.err());
                counts[usize::from(expected)] += 1;
            }
            assert!(counts[0] > 500 && counts[1] > 200, "{counts:?}");
        }
    }
}
