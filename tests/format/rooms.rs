//! Rooms in files: round trips, files without them, and sections that contradict the grid.

use surefoot::grid::{FormatError, RoomLimit, Rooms, SpanEntry, SpanRoom};
use surefoot::{NavGrid, SpanId};

use super::damage::changed;
use super::memory::load;
use super::{bytes_of, sample, try_lies};

/// Some spans of the first agent have less room than their cell; the second agent has all room.
fn limited_sample() -> NavGrid {
    let mut parts = sample().into_parts();
    let spans = parts.spans.len();
    let limited = (0..spans as u32).step_by(3).map(|span| {
        let angle = span as f32;
        let normal = [angle.cos(), angle.sin()];
        let room = SpanRoom::within(&mut [RoomLimit { normal, distance: 0.2 }], 0.0);
        SpanEntry { span: SpanId(span), value: room }
    });
    parts.layers[0].rooms = Rooms::new(spans, &limited.collect::<Vec<_>>());
    NavGrid::new(parts).expect("sound parts")
}

#[test]
fn rooms_come_back_to_their_agents() {
    let grid = limited_sample();
    let again = load(&bytes_of(&grid)).expect("it loads");
    assert_eq!(again, grid);
    assert!(again.layers()[0].rooms.len() > 20 && again.layers()[1].rooms.is_empty());
}

/// A program that does not know rooms reads the grid without them, and all else stays as it was.
#[test]
fn rooms_may_be_ignored() {
    let unknown = changed(&bytes_of(&limited_sample()), |tag, header, _| {
        if tag == b"ROOM" {
            header[..4].copy_from_slice(b"ROO2");
        }
    });
    assert_eq!(load(&unknown).expect("it loads"), sample());
}

#[test]
fn rooms_that_contradict_the_grid_are_refused() {
    let check = |expected: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let bytes = changed(&bytes_of(&limited_sample()), |tag, _, raw| {
            if tag == b"ROOM" {
                change(raw);
            }
        });
        match load(&bytes) {
            Err(FormatError::Damaged { section, problem, .. }) => {
                assert_eq!(section, "ROOM");
                assert!(problem.contains(expected), "{problem}");
            }
            other => panic!("{expected}: {other:?}"),
        }
    };
    check("bytes for", &|raw| raw.truncate(3));
    check("rooms", &|raw| raw.truncate(raw.len() - 1));
    check("rooms", &|raw| raw[0] ^= 2);
    check("does not exist", &|raw| {
        // The bit of the first span moves beyond the last.
        let last = sample().spans().len().div_ceil(8) - 1;
        (raw[0], raw[last]) = (raw[0] & !1, raw[last] | 0x80);
    });
    let [refused, _] = try_lies(&bytes_of(&limited_sample()), |tag| tag == b"ROOM");
    assert!(refused > 100, "{refused} refused");
}
