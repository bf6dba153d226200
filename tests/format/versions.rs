//! Files of all versions so far: the old ones still load.

use surefoot::NavGrid;
use surefoot::grid::FormatError;

use super::damage::{Section, append, inflate, seal, sections};
use super::memory::load;
use super::{bytes_of, named_sample, prepared_sample};

/// Written by the first version: two agents, names, an area, settings and a link.
const VERSION_1: &[u8] = include_bytes!("fixtures/v1.navgrid");
/// Written by the second version: the same sections, and a route order for each agent.
const VERSION_2: &[u8] = include_bytes!("fixtures/v2.navgrid");
/// Written by the third version: the sections of the first, with another header.
const VERSION_3: &[u8] = include_bytes!("fixtures/v3.navgrid");

/// A grid without its route orders, which may differ once a better order is found.
fn without_orders(grid: NavGrid) -> NavGrid {
    let mut parts = grid.into_parts();
    parts.layers.iter_mut().for_each(|layer| layer.order = None);
    NavGrid::new(parts).expect("sound parts")
}

#[test]
fn version_1_still_loads() {
    assert_eq!(VERSION_1[8..12], [1, 0, 0, 0]);
    assert_eq!(load(VERSION_1).expect("it loads"), named_sample());
}

#[test]
fn version_2_still_loads() {
    assert_eq!(VERSION_2[8..12], [2, 0, 0, 0]);
    let grid = load(VERSION_2).expect("it loads");
    assert!(grid.layers().iter().all(|layer| layer.order.is_some()));
    assert_eq!(without_orders(grid), without_orders(prepared_sample()));
}

#[test]
fn version_3_still_loads() {
    assert_eq!(VERSION_3[8..12], [3, 0, 0, 0]);
    assert_eq!(load(VERSION_3).expect("it loads"), named_sample());
}

#[test]
fn old_files_are_saved_in_the_newest_version() {
    for (old, sample) in
        [(VERSION_1, named_sample()), (VERSION_2, prepared_sample()), (VERSION_3, named_sample())]
    {
        let grid = load(old).expect("it loads");
        let bytes = bytes_of(&grid);
        assert_eq!((bytes[8], bytes_of(&sample)[8]), (4, 4));
        assert_eq!(load(&bytes).expect("it loads"), grid);
    }
}

/// A version 1 file with a section more at its end.
fn with_last(tag: &[u8; 4], flags: u8, stored: &[u8]) -> Vec<u8> {
    let mut file = VERSION_1.to_vec();
    let mut header = [0; 32];
    header[..4].copy_from_slice(tag);
    header[6] = flags;
    header[8..16].copy_from_slice(&(stored.len() as u64).to_le_bytes());
    append(&mut file, &mut header, stored);
    file[12] += 1;
    seal(&mut file);
    file
}

#[test]
fn padded_files_still_load() {
    let file = with_last(b"PADD", 0, &[0; 5000]);
    assert_eq!(load(&file).expect("it loads"), named_sample());
    let damaged = |file: &[u8]| match load(file) {
        Err(FormatError::Damaged { section, problem, .. }) => format!("{section}: {problem}"),
        other => panic!("{other:?}"),
    };
    assert_eq!(damaged(&with_last(b"PADD", 0, &[0, 1])), "PADD: the padding is not all zeros");
    assert_eq!(damaged(&with_last(b"WXYZ", 0, &[])), "WXYZ: version 1 has no such section");
    assert_eq!(damaged(&with_last(b"PADD", 1, &[])), "PADD: it belongs to an agent above 65535");
}

/// What has changed since is the version, the flags of orders, that nothing is padded, and what `META`
/// says of links.
#[test]
fn all_versions_have_the_same_sections() {
    let new = bytes_of(&named_sample());
    let old = sections(VERSION_1);
    assert_eq!(sections(&new).len(), old.len());
    for (new_one, old_one) in sections(&new).into_iter().zip(old) {
        let header = |bytes: &[u8], at: Section| bytes[at.header..at.header + 8].to_vec();
        assert_eq!(header(&new, new_one), header(VERSION_1, old_one));
        let raw = |bytes: &[u8], at: Section| inflate(&bytes[at.start..at.end]);
        if header(&new, new_one).starts_with(b"META") {
            continue;
        }
        assert_eq!(raw(&new, new_one), raw(VERSION_1, old_one));
    }
}
