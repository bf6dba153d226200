//! Finds rooms: where around the center of a cell an agent's body may stand and touch nothing.
//!
//! Between the body and each convex obstacle near it lies a gap, a slab as wide as the shortest distance.
//! As long as the body does not move across the slab, it does not reach the obstacle, in whatever other
//! direction it moves. So each obstacle in reach becomes a straight limit in the cell; for a wall the
//! limit is exact.

use crate::casts::{Gap, Surroundings, TileCaster};
use surefoot::grid::{RoomLimit, SpanEntry, SpanId, SpanRoom, Verdict};

use super::find_floors::Floor;
use super::judge_standing::AgentFloors;
use super::work::TileWork;

/// How deep a body may be in an obstacle at a limit [m]: far more than rounding, so that a wall along the
/// line between centers does not limit it.
const LIMIT_TOLERANCE: f32 = 1e-3;

/// Finds the rooms over a tile's own cells that are less than the cell, in the order of floors. The spans
/// are indices of floors.
pub(super) fn find_rooms<T: TileCaster>(
    work: &mut TileWork<T>,
    judged: &AgentFloors,
) -> Vec<SpanEntry<SpanRoom>> {
    let mut rooms = Vec::new();
    let mut gaps = Vec::new();
    let mut limits = Vec::new();
    let size = work.frame.cell_size;
    for range in work.inner_floors_until_cancelled() {
        for index in range {
            if judged.verdicts[index] != Verdict::Walkable {
                continue;
            }
            let reach = work.floors.floors[index].way_to_corner(size);
            if judged.rooms[index] >= reach {
                continue;
            }
            let (probe, feet) = (judged.agent, work.feet[index]);
            work.caster.gaps(&Surroundings { probe, feet, within: reach }, &mut gaps);
            limits.clear();
            let floor = &work.floors.floors[index];
            gaps.iter().for_each(|gap| add_limits(gap, floor, size, &mut limits));
            let room = SpanRoom::within(&mut limits, LIMIT_TOLERANCE / size);
            if !room.is_full() {
                rooms.push(SpanEntry { span: SpanId(index as u32), value: room });
            }
        }
    }
    rooms
}

/// Adds the limits that a gap sets to a body on a floor's slope, if they are inside the cell.
///
/// Between centers the ground is not quite the floor's plane: it is blended with the neighbors' floors,
/// and so rises or falls by a little more, the farther from the center. Next to a low ceiling that counts.
fn add_limits(gap: &Gap, floor: &Floor, size: f32, limits: &mut Vec<RoomLimit>) {
    let Gap { direction, width } = gap;
    // What a metre along x or z takes of the gap: the body rises and falls with the floor.
    let across = [0, 1].map(|axis| direction[2 * axis] + direction.y * floor.gradient[axis]);
    let blended = direction.y.abs() * MOST_BLENDED / (0.5 * size);
    let width = width.max(0.0) + LIMIT_TOLERANCE;
    if 0.5 * size * (across[0].abs() + across[1].abs() + blended) <= width {
        return;
    }
    // The blend grows with the greater of the two offsets: one limit for each side of the cell.
    let sides = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let sides = if blended > NO_BLEND { &sides[..] } else { &[[0.0; 2]] };
    limits.extend(sides.iter().filter_map(|side| {
        let across = [0, 1].map(|axis| across[axis] + blended * side[axis]);
        let length = across[0].hypot(across[1]);
        let normal = across.map(|v| v / length);
        (length > 0.0).then_some(RoomLimit { normal, distance: width / (length * size) })
    }));
}

/// How much the ground at the border of a cell is higher or lower than the floor's plane, at most [m].
const MOST_BLENDED: f32 = 0.06;
/// A blend that takes less of a gap for each metre does not count: the gap lies beside the body.
const NO_BLEND: f32 = 0.02;
