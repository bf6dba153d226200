//! Records of scenes in files: round trips, files without them, and sections that are damaged.

use surefoot::NavGrid;
use surefoot::grid::{ColliderRecord, FormatError, SceneRecord};

use super::damage::changed;
use super::memory::{least_limit, load};
use super::{bytes_of, named_sample, try_lies};

/// The sample with so many colliders.
pub fn recorded_sample(colliders: u16) -> NavGrid {
    let mut parts = named_sample().into_parts();
    let colliders = (0..colliders).rev().map(|number| {
        let mut hash = [9; 16];
        hash[..2].copy_from_slice(&number.to_be_bytes());
        ColliderRecord { hash, min: [-1e30, -0.0], max: [f32::from(number), 0.0] }
    });
    parts.provenance.record = Some(SceneRecord::new([7; 16], colliders.collect()));
    NavGrid::new(parts).expect("sound parts")
}

#[test]
fn records_come_back() {
    for colliders in [0, 1, 30, 30_000] {
        let grid = recorded_sample(colliders);
        let bytes = bytes_of(&grid);
        let again = load(&bytes).expect("it loads");
        assert_eq!(again.provenance().record, grid.provenance().record);
        assert_eq!(bytes_of(&again), bytes);
    }
    assert_ne!(recorded_sample(2), named_sample());
}

#[test]
fn many_colliders_stay_within_the_limit() {
    let (grid, _) = least_limit(&bytes_of(&recorded_sample(30_000)));
    assert_eq!(
        grid.provenance().record.as_ref().map(|record| record.colliders.len()),
        Some(30_000)
    );
}

/// A program that does not know records reads the grid without them, and all else stays as it was.
#[test]
fn records_may_be_ignored() {
    let unknown = changed(&bytes_of(&recorded_sample(3)), |tag, header, _| {
        if tag == b"SCEN" {
            header[..4].copy_from_slice(b"SCE2");
        }
    });
    assert_eq!(load(&unknown).expect("it loads"), named_sample());
}

#[test]
fn damaged_records_are_refused() {
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let bytes = changed(&bytes_of(&recorded_sample(3)), |tag, _, raw| {
            if tag == b"SCEN" {
                change(raw);
            }
        });
        load(&bytes).expect_err("it is refused")
    };
    for len in [0, 15, 17, 16 + 33, 16 + 3 * 32 - 1] {
        match with(&|raw| raw.truncate(len)) {
            FormatError::Damaged { section, problem, .. } => {
                assert_eq!(section, "SCEN");
                assert!(problem.contains(&format!("{len} bytes")), "{problem}");
            }
            other => panic!("{len}: {other:?}"),
        }
    }
    let invalid = |expected: &str, change: &dyn Fn(&mut Vec<u8>)| match with(change) {
        FormatError::Invalid(error) => assert!(error.to_string().contains(expected), "{error}"),
        other => panic!("{expected}: {other:?}"),
    };
    invalid("colliders: they are not sorted", &|raw| raw[16] = 1);
    let side = |collider: usize, side: usize| 16 + 32 * collider + 16 + 4 * side;
    for (at, number) in [(0, f32::NAN), (1, 1.0), (2, f32::INFINITY), (3, -1.0)] {
        invalid("collider 1: ", &|raw| {
            raw[side(1, at)..][..4].copy_from_slice(&number.to_le_bytes());
        });
    }
    let [_, invalid] = try_lies(&bytes_of(&recorded_sample(30)), |tag| tag == b"SCEN");
    assert!(invalid > 100, "{invalid} invalid");
}
