//! Rooms and measures in files: round trips, files without them, and sections that contradict the grid.

use surefoot::grid::{
    FormatError, GroundEnd, LowCeiling, RoomLimit, SpanEntry, SpanMeasure, SpanRoom, SpanTable,
};
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
    parts.layers[0].rooms = SpanTable::new(spans, &limited.collect::<Vec<_>>());
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

/// Beside some spans of the second agent something was measured.
fn measured_sample() -> NavGrid {
    let mut parts = sample().into_parts();
    let spans = parts.spans.len();
    let measured = (0..spans as u32).step_by(2).map(|span| {
        let length = 0.001 * span as f32;
        let end = Some(GroundEnd { distance: length, is_drop: span % 3 == 0 });
        let lips = std::array::from_fn(|dir: usize| (span as usize).is_multiple_of(dir + 2));
        let ceiling = LowCeiling { headroom: 1.0 + length, lip: 1.0 + 0.5 * length, lips };
        let value = match span % 4 {
            0 => {
                let passage = Some([[-length, 0.2], [0.1, length]]);
                let steps = [true, false, span % 8 == 0, true];
                let beside = SpanMeasure::beside(passage, [false; 8]).under(ceiling);
                beside.with_walls_over_steps(steps)
            }
            _ => SpanMeasure::ends([end, None, None, end]),
        };
        SpanEntry { span: SpanId(span), value }
    });
    parts.layers[1].measures = SpanTable::new(spans, &measured.collect::<Vec<_>>());
    NavGrid::new(parts).expect("sound parts")
}

#[test]
fn measures_come_back_and_may_be_ignored() {
    let grid = measured_sample();
    let again = load(&bytes_of(&grid)).expect("it loads");
    assert_eq!(again, grid);
    assert!(again.layers()[1].measures.len() > 20 && again.layers()[0].measures.is_empty());
    let without = |unknown: &[&[u8; 4]]| {
        changed(&bytes_of(&grid), |tag, header, _| {
            if unknown.iter().any(|unknown| **unknown == *tag) {
                header[..4].copy_from_slice(b"NEW2");
            }
        })
    };
    assert_eq!(load(&without(&[b"MEAS", b"ROOF"])).expect("it loads"), sample());
    let open = load(&without(&[b"ROOF"])).expect("it loads");
    let [open, own] = [&open, &grid].map(|grid| &grid.layers()[1].measures);
    let low = |value: &SpanMeasure| value.headroom().is_some();
    assert!(own.entries().filter(|entry| low(&entry.value)).count() > 20);
    assert!(open.len() == own.len() && open.entries().all(|entry| !low(&entry.value)));
}

#[test]
fn low_ceilings_of_other_measures_are_refused() {
    let problem = |change: &dyn Fn(&mut Vec<u8>)| {
        let bytes = changed(&bytes_of(&measured_sample()), |tag, _, raw| {
            if tag == b"ROOF" {
                change(raw);
            }
        });
        match load(&bytes) {
            Err(FormatError::Damaged { section, problem, .. }) => (section, problem),
            other => panic!("{other:?}"),
        }
    };
    let check = |change: &dyn Fn(&mut Vec<u8>)| {
        let (section, problem) = problem(change);
        assert_eq!(section, "ROOF");
        assert!(problem.contains("measures"), "{problem}");
    };
    check(&|raw| raw.truncate(raw.len() - 1));
    check(&|raw| raw.truncate(raw.len() - 5));
    check(&|raw| raw.extend([0; 5]));
    let [refused, _] = try_lies(&bytes_of(&measured_sample()), |tag| tag == b"ROOF");
    assert!(refused > 20, "{refused} refused");
}

#[test]
fn measures_of_a_kind_that_there_is_not_are_refused() {
    let bytes = changed(&bytes_of(&measured_sample()), |tag, _, raw| {
        if tag == b"MEAS" {
            let first = sample().spans().len().div_ceil(8);
            raw[first] = 7;
        }
    });
    match load(&bytes) {
        Err(FormatError::Damaged { section, problem, .. }) => {
            assert_eq!(
                (section.as_str(), problem.as_str()),
                ("MEAS", "the measure of span 0 is none")
            );
        }
        other => panic!("{other:?}"),
    }
    let [refused, _] = try_lies(&bytes_of(&measured_sample()), |tag| tag == b"MEAS");
    assert!(refused > 50, "{refused} refused");
}
