//! The section of an agent's rooms: which spans have less than their cell, then the rooms.
//!
//! First a bit for each span, from the lowest bit of the first byte on. Then, for each limited span in
//! order, the eight bytes of its room, as eight planes one after another: first the first byte of each,
//! and so on. Along a wall the bytes repeat, which deflates well.

use super::super::room::{ROOM_BYTES, SpanRoom};
use super::super::rooms::{LimitedSpan, Rooms};
use super::container::FileSection;
use super::error::FormatError;
use crate::level::SpanId;

/// The bytes of an agent's rooms on a grid with some spans.
pub(super) fn pack_rooms(rooms: &Rooms, spans: usize) -> Vec<u8> {
    let mut raw = vec![0; spans.div_ceil(8)];
    let mut planes = vec![0; ROOM_BYTES * rooms.len()];
    for (at, LimitedSpan { span, room }) in rooms.limited().enumerate() {
        raw[span.index() / 8] |= 1 << (span.index() % 8);
        for (plane, byte) in room.to_bytes().into_iter().enumerate() {
            planes[plane * rooms.len() + at] = byte;
        }
    }
    raw.append(&mut planes);
    raw
}

/// The rooms in a section, for a grid with some spans.
pub(super) fn read_rooms(section: &FileSection, spans: usize) -> Result<Rooms, FormatError> {
    let raw = section.unpack()?;
    let Some((bits, planes)) = raw.split_at_checked(spans.div_ceil(8)) else {
        return Err(section.damaged(format!("it has {} bytes for {spans} spans", raw.len())));
    };
    // Counted before anything is allocated for them.
    let count: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
    if planes.len() != ROOM_BYTES * count {
        let problem = format!("it has {} bytes for {count} rooms", planes.len());
        return Err(section.damaged(problem));
    }
    let is_limited = |span: &usize| bits[span / 8] >> (span % 8) & 1 == 1;
    let mut limited = Vec::with_capacity(count);
    for span in (0..8 * bits.len()).filter(is_limited) {
        if span >= spans {
            return Err(section.damaged("it has a room for a span that does not exist"));
        }
        let at = limited.len();
        let bytes = std::array::from_fn(|plane| planes[plane * count + at]);
        let room = SpanRoom::from_bytes(bytes);
        limited.push(LimitedSpan { span: SpanId(span as u32), room });
    }
    Ok(Rooms::new(spans, &limited))
}
