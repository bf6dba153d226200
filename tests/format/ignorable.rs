//! Sections that a program does not know: ignored where the file says so, else asked for by name.

use surefoot::NavGrid;
use surefoot::grid::FormatError;

use super::damage::{append, changed, seal, sections};
use super::memory::load;
use super::{bytes_of, named_sample, prepared_sample};

/// Flags of a section that may be ignored.
const IGNORABLE: u16 = 1;

/// A section's tag and flags.
#[derive(Clone, Copy)]
struct Extra {
    tag: [u8; 4],
    flags: u16,
}

const UNKNOWN: Extra = Extra { tag: *b"WXYZ", flags: IGNORABLE };

/// A file with a section more, before the one at a position; and where the new one's bytes start.
fn with_section(bytes: &[u8], position: usize, extra: Extra) -> (Vec<u8>, usize) {
    let all = sections(bytes);
    let at = all.get(position).map_or(bytes.len(), |section| section.header);
    let mut file = bytes[..at].to_vec();
    let mut header = [0; 32];
    header[..4].copy_from_slice(&extra.tag);
    header[4..6].copy_from_slice(&7u16.to_le_bytes());
    header[6..8].copy_from_slice(&extra.flags.to_le_bytes());
    let stored = b"of a later version";
    header[8..16].copy_from_slice(&(stored.len() as u64).to_le_bytes());
    header[16..24].copy_from_slice(&1000u64.to_le_bytes());
    append(&mut file, &mut header, stored);
    file.extend(&bytes[at..]);
    file[12..16].copy_from_slice(&(all.len() as u32 + 1).to_le_bytes());
    seal(&mut file);
    (file, at + 32)
}

fn samples() -> [NavGrid; 2] {
    [named_sample(), prepared_sample()]
}

#[test]
fn unknown_sections_may_be_anywhere() {
    for grid in samples() {
        let bytes = bytes_of(&grid);
        for position in 0..=sections(&bytes).len() {
            let (file, _) = with_section(&bytes, position, UNKNOWN);
            let again = load(&file).unwrap_or_else(|error| panic!("{position}: {error}"));
            assert_eq!(again, grid);
            assert_eq!(bytes_of(&again), bytes);
        }
    }
}

/// What is ignored still has to be as it was written.
#[test]
fn damage_in_ignored_sections_is_found() {
    let bytes = bytes_of(&named_sample());
    let (file, start) = with_section(&bytes, 3, UNKNOWN);
    for at in start - 32..start + 18 {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        match load(&damaged) {
            Err(FormatError::Damaged { section, offset, .. }) => {
                assert!(section.len() == 4 && at - 4 >= start - 32 || at < start - 28, "{section}");
                assert!([start, start - 32].contains(&(offset as usize)), "{offset}");
            }
            other => panic!("{at}: {:?}", other.map(|_| "it loads")),
        }
    }
    for len in start - 32..file.len() {
        assert!(load(&file[..len]).is_err());
    }
}

#[track_caller]
fn check_unsupported(file: &[u8], place: (&str, usize), expected: &str) {
    let error = load(file).expect_err("it is refused");
    let text = error.to_string();
    assert!(text.contains(expected) && text.contains("newer surefoot"), "{text}");
    match error {
        FormatError::Unsupported { section, offset, .. } => {
            assert_eq!((section.as_str(), offset as usize), place);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn unknown_sections_that_matter_ask_for_a_newer_program() {
    let bytes = bytes_of(&named_sample());
    for flags in [0, 2, 0xFFFE] {
        for position in [0, 4, sections(&bytes).len()] {
            let (file, at) = with_section(&bytes, position, Extra { flags, ..UNKNOWN });
            check_unsupported(&file, ("WXYZ", at), "this program does not know it");
        }
    }
}

#[test]
fn unknown_flags_of_known_sections_ask_for_a_newer_program() {
    let bytes = bytes_of(&named_sample());
    let file = changed(&bytes, |tag, header, _| {
        if tag == b"CEIL" {
            header[6] |= 4;
        }
    });
    let place = sections(&file).into_iter().find(|s| file[s.header..].starts_with(b"CEIL"));
    check_unsupported(&file, ("CEIL", place.unwrap().start), "does not know its flags 0x0004");
}

/// Padding belongs to the versions before.
#[test]
fn padding_is_unknown_now() {
    let bytes = bytes_of(&named_sample());
    let (file, at) = with_section(&bytes, 99, Extra { tag: *b"PADD", flags: 0 });
    check_unsupported(&file, ("PADD", at), "this program does not know it");
}
