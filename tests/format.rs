//! The promises of the `.navgrid` format: round trips, refused damage, bounded memory, safe saves.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::Crc;
use proptest::prelude::*;
use surefoot::grid::{Dir, FormatError};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId};

/// Counts the bytes that the current thread holds, and the most it ever held.
struct Counting;

thread_local! {
    static HELD: Counter<isize> = const { Counter::new(0) };
    static MOST: Counter<isize> = const { Counter::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends may free after its counters are gone.
    let held = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        held.get()
    });
    if let Ok(held) = held {
        MOST.try_with(|most| most.set(most.get().max(held))).ok();
    }
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Loads bytes, and holds time and memory against what any file may take.
fn load(bytes: &[u8]) -> Result<NavGrid, FormatError> {
    let before = HELD.get();
    MOST.set(before);
    let start = Instant::now();
    let result = NavGrid::from_bytes(bytes);
    let (took, most) = (start.elapsed(), MOST.get() - before);
    assert!(took < Duration::from_secs(1), "{took:?} for {} bytes", bytes.len());
    assert!(most <= (10 * bytes.len() + (64 << 20)) as isize, "{most} for {}", bytes.len());
    result
}

fn agents() -> [Agent; 2] {
    [Agent::new("human"), Agent { max_climb: 0.1, ..Agent::new("cart") }]
}

/// A small grid with holes, slopes, a swamp's worth of regions and two agents.
fn sample() -> NavGrid {
    let height = |index: u32| match index % 7 {
        0 => f32::NAN,
        step => (index / 12 + step) as f32 * 0.15,
    };
    let heights: Vec<f32> = (0..12 * 9).map(height).collect();
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(-3, 40), size_x: 12, size_z: 9 };
    NavGrid::from_heights(frame, &heights, &agents()).expect("sound heights")
}

fn bytes_of(grid: &NavGrid) -> Vec<u8> {
    grid.to_bytes().expect("it can be written")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_written_is_read(
        (size_x, size_z) in (0u32..12, 0u32..12),
        corner in (-1000i32..1000, -1000i32..1000),
        heights in prop::collection::vec(prop_oneof![
            2 => (-30i32..30).prop_map(|step| step as f32 * 0.1),
            1 => -1e6f32..1e6,
            1 => Just(f32::NAN),
        ], 144),
        agent_count in 0usize..3,
    ) {
        let frame = GridFrame { cell_size: 0.3, min: Cell::new(corner.0, corner.1), size_x, size_z };
        let heights = &heights[..(size_x * size_z) as usize];
        let grid = NavGrid::from_heights(frame, heights, &agents()[..agent_count.min(2)]).unwrap();
        let bytes = bytes_of(&grid);
        let again = load(&bytes).unwrap();
        prop_assert_eq!(&again, &grid);
        prop_assert_eq!(bytes_of(&again), bytes);
    }
}

#[test]
fn names_links_and_settings_come_back() {
    use surefoot::grid::{Area, Link, LinkKind, Provenance};
    let mut parts = sample().into_parts();
    parts.nodes = vec!["Mauer".to_owned(), String::new(), "橋".to_owned()];
    parts.areas.push(Area { name: "mud".to_owned(), cost: 2.1, forbidden: false });
    let settings = serde_json::json!({ "cell_size": 0.1, "agents": ["a", null] });
    parts.provenance =
        Provenance { scene: "a.glb".to_owned(), scene_hash: "ab".to_owned(), settings };
    let walkable = |at: &usize| parts.layers.iter().all(|l| l.standings[*at].is_walkable());
    let ends: Vec<u32> = (0..90).filter(walkable).map(|at| at as u32).collect();
    let ends = [ends[0], ends[ends.len() - 1]].map(SpanId);
    parts.links.push(Link {
        name: "drop".to_owned(),
        kind: LinkKind::Drop,
        two_way: false,
        cost: 1.1,
        from: [0.1, 0.2, 0.3].into(),
        to: [1e-30, 1e30, -0.0].into(),
        ends: vec![Some(ends), None],
    });
    let grid = NavGrid::new(parts).expect("sound parts");
    assert_eq!(load(&bytes_of(&grid)).expect("it loads"), grid);
}

#[test]
fn every_truncated_prefix_is_refused() {
    let bytes = bytes_of(&sample());
    for len in 0..bytes.len() {
        assert!(load(&bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
    }
}

#[test]
fn extra_bytes_are_refused() {
    let bytes = bytes_of(&sample());
    for extra in [&[0][..], &[0; 32], &bytes] {
        assert!(load(&[&bytes, extra].concat()).is_err(), "{} more", extra.len());
    }
}

#[test]
fn other_files_are_told_apart() {
    for bytes in [&b""[..], b"glTF", b"\x89PNG\r\n\x1a\n and so on and on and on", &[0; 64]] {
        assert!(matches!(load(bytes), Err(FormatError::NotANavgrid)), "{bytes:?}");
    }
}

#[test]
fn another_version_says_so() {
    let mut bytes = bytes_of(&sample());
    bytes[8] = 2;
    match load(&bytes) {
        Err(error @ FormatError::Version { found: 2, supported: 1 }) => {
            assert!(error.to_string().contains("version 2"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn damage_names_section_and_offset() {
    let bytes = bytes_of(&sample());
    for section in sections(&bytes) {
        let mut damaged = bytes.clone();
        let Some(byte) = damaged.get_mut(section.start) else { continue };
        *byte ^= 1;
        match load(&damaged) {
            Err(FormatError::Damaged { section: name, offset, .. }) => {
                assert_eq!(name.as_bytes(), &bytes[section.header..section.header + 4]);
                assert_eq!(offset, section.start as u64);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Where a section of a file lies.
#[derive(Clone, Copy)]
struct Section {
    header: usize,
    start: usize,
    end: usize,
}

/// The sections of a sound file.
fn sections(bytes: &[u8]) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut header = 32;
    while header < bytes.len() {
        let len = u64::from_le_bytes(bytes[header + 8..header + 16].try_into().unwrap());
        let start = header + 32;
        sections.push(Section { header, start, end: start + len as usize });
        header = start + len as usize;
    }
    sections
}

/// A small generator of its own: the same mutations in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

const MUTATIONS: u64 = 10_000;

#[test]
fn mutations_are_refused() {
    let bytes = bytes_of(&sample());
    for seed in 1..=MUTATIONS {
        let mutant = mutate(&bytes, &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        assert!(mutant == bytes || load(&mutant).is_err(), "seed {seed} loads");
    }
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(mutant.len());
        match random.below(4) {
            _ if mutant.is_empty() => mutant.push(random.below(256) as u8),
            0 => mutant[at] ^= 1 << random.below(8),
            1 => mutant.truncate(at + 1),
            2 => {
                let from = random.below(bytes.len());
                let len = random.below(64).min(bytes.len() - from);
                mutant.splice(at..at, bytes[from..from + len].iter().copied());
            }
            _ => mutant[at] = random.below(256) as u8,
        }
    }
    mutant
}

/// Mutations that keep the checksums right, so that decoders and validation see them.
#[test]
fn lies_with_right_checksums_are_harmless() {
    let bytes = bytes_of(&sample());
    let (mut refused, mut invalid, mut sound) = (0, 0, 0);
    for seed in 1..=MUTATIONS {
        let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let mutant = lie(&bytes, &mut random);
        match load(&mutant) {
            Ok(grid) => {
                hold_promises(&grid);
                sound += 1;
            }
            Err(FormatError::Invalid(_)) => invalid += 1,
            Err(_) => refused += 1,
        }
    }
    println!("{refused} refused by the decoders, {invalid} by validation, {sound} sound");
    assert!(refused > 500 && invalid > 500, "{refused} and {invalid}: they do not get that far");
}

/// Walks every step of a grid there and back, and both ways round each corner.
fn hold_promises(grid: &NavGrid) {
    for (agent, layer) in (0..).map(AgentId).zip(grid.layers()) {
        for id in (0..grid.spans().len() as u32).map(SpanId) {
            let cell = grid.cell_of(id).expect("a span");
            for dir in Dir::ALL.into_iter().filter(|&d| layer.standings[id.index()].has_step(d)) {
                let step = |id, cell, dir| grid.step(agent, id, (cell, dir)).expect("a step");
                let (to, over) = (step(id, cell, dir), cell.neighbor(dir));
                assert!(grid.region(agent, id).is_some());
                assert_eq!(grid.region(agent, id), grid.region(agent, to));
                assert_eq!(step(to, over, dir.opposite()), id);
                if dir.is_diagonal() {
                    let (left, right) = (dir.turned(7), dir.turned(1));
                    assert_eq!(step(step(id, cell, left), cell.neighbor(left), right), to);
                    assert_eq!(step(step(id, cell, right), cell.neighbor(right), left), to);
                }
            }
        }
    }
}

/// Changes a section's unpacked bytes, or its header, and seals the file again.
fn lie(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let sections = sections(bytes);
    let chosen = random.below(sections.len());
    let mut file = bytes[..32].to_vec();
    for (at, section) in sections.iter().enumerate() {
        let mut header = bytes[section.header..section.start].to_vec();
        let mut stored = bytes[section.start..section.end].to_vec();
        if at == chosen {
            match random.below(5) {
                0 => header[random.below(24)] ^= 1 << random.below(8),
                1 => stored = mutate(&stored, random),
                _ => {
                    let raw = mutate(&inflate(&stored), random);
                    header[16..24].copy_from_slice(&(raw.len() as u64).to_le_bytes());
                    stored = deflate(&raw);
                    header[8..16].copy_from_slice(&(stored.len() as u64).to_le_bytes());
                }
            }
        }
        append(&mut file, &mut header, &stored);
    }
    seal(&mut file);
    file
}

fn append(file: &mut Vec<u8>, header: &mut [u8], stored: &[u8]) {
    header[24..28].copy_from_slice(&checksum(stored).to_le_bytes());
    let sum = checksum(&header[..28]);
    header[28..32].copy_from_slice(&sum.to_le_bytes());
    file.extend_from_slice(header);
    file.extend(stored);
}

fn seal(file: &mut [u8]) {
    let len = file.len() as u64;
    file[16..24].copy_from_slice(&len.to_le_bytes());
    let sum = checksum(&file[..28]);
    file[28..32].copy_from_slice(&sum.to_le_bytes());
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn inflate(stored: &[u8]) -> Vec<u8> {
    let mut raw = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(stored), &mut raw).unwrap();
    raw
}

fn deflate(raw: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    let mut encoder = flate2::read::DeflateEncoder::new(raw, flate2::Compression::fast());
    std::io::Read::read_to_end(&mut encoder, &mut stored).unwrap();
    stored
}

/// A small file that claims a world, with every checksum right.
#[test]
fn a_bomb_is_refused_before_it_unpacks() {
    let bytes = bytes_of(&sample());
    let mut file = bytes[..32].to_vec();
    for section in sections(&bytes) {
        let mut header = bytes[section.header..section.start].to_vec();
        let mut raw = inflate(&bytes[section.start..section.end]);
        match &header[..4] {
            b"HEAD" => raw[20..24].copy_from_slice(&50_000_000u32.to_le_bytes()),
            b"META" | b"SETT" | b"NODE" => {}
            _ => raw = vec![0; 200_000_000],
        }
        let stored = deflate(&raw);
        header[8..16].copy_from_slice(&(stored.len() as u64).to_le_bytes());
        header[16..24].copy_from_slice(&(raw.len() as u64).to_le_bytes());
        append(&mut file, &mut header, &stored);
        if &header[..4] == b"FLOR" {
            break;
        }
    }
    file[12..16].copy_from_slice(&6u32.to_le_bytes());
    seal(&mut file);
    let error = load(&file).expect_err("it is refused").to_string();
    assert!(error.contains("more than a file of"), "{error}");
}

/// Flat ground packs better than a file may unpack to: the writer pads, and it loads.
#[test]
fn a_large_flat_grid_still_loads() {
    let side = 1500;
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: side, size_z: side };
    let flat = vec![0.0; (side * side) as usize];
    let grid = NavGrid::from_heights(frame, &flat, &[Agent::new("human")]).expect("sound heights");
    let bytes = bytes_of(&grid);
    assert!(bytes.windows(4).any(|tag| tag == b"PADD"));
    let before = HELD.get();
    MOST.set(before);
    assert_eq!(NavGrid::from_bytes(&bytes).expect("it loads"), grid);
    let most = (MOST.get() - before) as usize;
    assert!(most <= 10 * bytes.len() + (64 << 20), "{most} for {} bytes", bytes.len());
}

#[test]
fn a_save_replaces_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    let grid = sample();
    grid.save(&path).expect("the folder can be written");
    assert_eq!(NavGrid::load(&path).expect("it loads"), grid);
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}

#[test]
fn a_failed_save_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    // A folder cannot be replaced by a file: the last step of the save fails.
    let path = folder.path().join("level.navgrid");
    fs::create_dir(&path).unwrap();
    let error = sample().save(&path).expect_err("it fails");
    assert!(matches!(&error, FormatError::Io { path: at, .. } if *at == path), "{error}");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
    let nowhere = folder.path().join("missing").join("level.navgrid");
    assert!(sample().save(&nowhere).expect_err("it fails").to_string().contains("missing"));
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_keeps_the_old_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let free = fs::write(folder.path().join("probe"), "").is_ok();
    let result = sample().save(&path);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if free {
        println!("skipped: this user may write read-only folders");
        return;
    }
    assert!(matches!(result, Err(FormatError::Io { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}

/// Set for the run of this test's own binary whose files may not grow.
const LIMITED: &str = "SUREFOOT_TEST_LIMITED_SAVE";

/// The system refuses to let files grow, as on a full disk, in a process of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_the_old_file() {
    if let Some(path) = std::env::var_os(LIMITED) {
        let error = sample().save(path).expect_err("files may not grow here");
        println!("{error}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    let program = std::env::current_exe().unwrap();
    // The signal for a file beyond the limit is ignored, so that the write itself fails.
    let script =
        "trap '' XFSZ; ulimit -f 0; exec \"$0\" a_full_disk_keeps_the_old_file --exact --nocapture";
    let run = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .env(LIMITED, &path)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .output();
    let Ok(run) = run else {
        println!("skipped: no shell to limit the size of files");
        return;
    };
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(said.contains("level.navgrid: "), "{said}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}
