//! Validation of a block of standings at once, where columns and their neighbors are alike.
//!
//! If all columns around hold equally many spans and all connections keep to their layer, then a
//! connection and its counterpart lie at fixed distances in the flat arrays. Each rule becomes a few
//! bit operations on whole words of nibbles, without branches, so that the compiler handles several
//! spans at a time. All else is left to the check of single spans.

use super::standing::Standing;

/// The check of blocks of one layer, and how many spans of each region have been checked so far.
pub(super) struct BlockCheck {
    /// Number of nodes that an obstacle can belong to.
    nodes: u32,
    /// Spans checked in each region.
    pub sizes: Vec<u32>,
}

impl BlockCheck {
    pub(super) fn new(nodes: usize, regions: usize) -> Self {
        BlockCheck { nodes: nodes as u32, sizes: vec![0; regions] }
    }

    /// Counts spans of a region; returns whether the region exists.
    #[inline]
    pub(super) fn count(&mut self, region: u32, spans: usize) -> bool {
        let size = self.sizes.get_mut(region as usize);
        size.map(|size| *size += spans as u32).is_some()
    }

    /// Checks and counts a block of standings of one row. `own` holds it between the columns before
    /// and after it, `south` the same columns of the next row; all columns have `depth` spans.
    /// Returns its [`Standing::forward_surplus`]; `None` if single spans have to be checked.
    #[inline]
    pub(super) fn check(
        &mut self,
        own: &[Standing],
        south: &[Standing],
        depth: usize,
    ) -> Option<i64> {
        let len = own.len() - 2 * depth;
        if let Some(region) = level_region(own)
            && level_region(south) == Some(region)
        {
            // The usual case: level ground has as many connections forward as back.
            return self.count(region, len).then_some(0);
        }
        // Connections to other layers are left to the single spans, also those of the neighbors: the
        // counterpart of one of them would pass for a level one.
        if !all_level(own) || !all_level(south) {
            return None;
        }
        let block = StandingBlock {
            own: &own[depth..][..len],
            east: &own[2 * depth..][..len],
            west: &own[..len],
            south_west: &south[..len],
            south: &south[depth..][..len],
            south_east: &south[2 * depth..][..len],
        };
        if !block.is_sound(self.nodes) {
            return None;
        }
        // Counted one by one, each span would wait until the one before it is in memory.
        let mut alike = block.own.chunk_by(|a, b| a.ground_differs(b) == 0);
        let counted = alike
            .all(|alike| alike[0].region().is_none_or(|region| self.count(region.0, alike.len())));
        counted.then(|| block.own.iter().map(Standing::level_surplus).sum())
    }
}

/// Connections towards greater x or z, as in [`Standing::level_bits`]; their counterparts lie 16
/// bits higher.
const EAST_BIT: u32 = 1;
const SOUTH_EAST_BIT: u32 = 1 << 4;
const SOUTH_BIT: u32 = 1 << 8;
const SOUTH_WEST_BIT: u32 = 1 << 12;
const FORWARD_BITS: u32 = EAST_BIT | SOUTH_EAST_BIT | SOUTH_BIT | SOUTH_WEST_BIT;

/// A block of consecutive standings, and those next to each of them in the same layer: all of
/// one length, and without connections to other layers.
struct StandingBlock<'a> {
    own: &'a [Standing],
    east: &'a [Standing],
    west: &'a [Standing],
    south_west: &'a [Standing],
    south: &'a [Standing],
    south_east: &'a [Standing],
}

impl StandingBlock<'_> {
    /// Whether all its connections have their counterparts, cut no corner and stay in their region,
    /// and spans that are not walkable hold nothing else. False means that single spans have to be
    /// checked.
    ///
    /// Region and walkability are compared along straight connections only: a diagonal leads where
    /// two straight ones lead.
    fn is_sound(&self, nodes: u32) -> bool {
        // Slices of one known length: the compiler drops the bounds checks from the loop.
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
            let counterparts = to_east & EAST_BIT << 16
                | south_east[at].level_bits() & SOUTH_EAST_BIT << 16
                | to_south & SOUTH_BIT << 16
                | south_west[at].level_bits() & SOUTH_WEST_BIT << 16;
            wrong |= bits & FORWARD_BITS & !(counterparts >> 16);
            // At each diagonal's bit: the straight connections beside it, then those that follow.
            let beside = bits << 4 & bits >> 4;
            let after_east = to_east >> 4 & to_south << 4 & SOUTH_EAST_BIT;
            let after_west = to_west << 4 & to_south >> 4 & SOUTH_WEST_BIT;
            let round = beside & (after_east | after_west);
            wrong |= bits & (SOUTH_EAST_BIT | SOUTH_WEST_BIT) & !round;
            let all_if = |bit: u32| u32::from(bits & bit != 0).wrapping_neg();
            wrong |= standing.ground_differs(&east[at]) & all_if(EAST_BIT);
            wrong |= standing.ground_differs(&south[at]) & all_if(SOUTH_BIT);
            wrong |= u32::from(!is_plain(standing, nodes));
        }
        wrong == 0
    }
}

/// The region of some standings, if all of them are walkable, of one region and have all 8
/// connections, none to another layer.
fn level_region(standings: &[Standing]) -> Option<u32> {
    let head = standings.first().filter(|head| head.is_walkable() & head.is_level())?;
    let all = standings.iter().fold(0, |all, other| all | head.differs(other));
    Standing::alike_but_for_clearance(all).then_some(head.owner())
}

/// Whether no connection leads to another layer than its own.
fn all_level(standings: &[Standing]) -> bool {
    standings.iter().fold(0, |all, standing| all | standing.unlevel_bits()) == 0
}

/// Whether a standing is walkable, or blocked by what exists and without connections and clearance.
#[inline(always)]
fn is_plain(standing: Standing, nodes: u32) -> bool {
    let is_known = (standing.code() <= 7) & standing.names_node_of(nodes);
    let bare = !standing.has_connections() & (standing.clearance_code() == 0);
    standing.is_walkable() | (bare & is_known)
}

#[cfg(test)]
mod tests {
    use crate::agent::Agent;
    use crate::grid::build::bare_parts;
    use crate::grid::connections::{ColumnPosition, Connections};
    use crate::grid::standing::ConnectionCode;
    use crate::grid::{Cell, Dir, GridFrame, GridParts, NavGrid, NodeId, RegionId, Span};

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

    /// The rules for single spans, one connection after another.
    fn keeps_all_rules(parts: &GridParts) -> bool {
        let layer = &parts.layers[0];
        let mut sizes = vec![0; layer.regions.len()];
        let sound = (0..parts.frame.cells()).all(|index| {
            (parts.first[index]..parts.first[index + 1]).all(|span| {
                let standing = layer.standings[span as usize];
                if !standing.is_walkable() {
                    // No obstacle exists: there are no nodes.
                    let bare = [1, 2, 4, 5, 6, 7].contains(&standing.word(1))
                        || standing.word(1) == NodeId::NONE.0 << 12 | 3;
                    return bare && standing.word(0) == 0;
                }
                let Some(size) = sizes.get_mut(standing.owner() as usize) else { return false };
                *size += 1;
                let x = index % parts.frame.size_x as usize;
                Dir::ALL
                    .into_iter()
                    .all(|dir| is_connection_sound(parts, ColumnPosition { index, x, span }, dir))
            })
        });
        sound && layer.regions.iter().map(|region| region.spans).eq(sizes)
    }

    fn is_connection_sound(parts: &GridParts, from: ColumnPosition, dir: Dir) -> bool {
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

    /// Spoils a standing, or changes a connection at both its ends.
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
