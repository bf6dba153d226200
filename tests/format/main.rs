//! The promises of the `.navgrid` format: round trips, refused damage, bounded memory.

mod damage;
mod ignorable;
mod memory;
mod orders;
mod rooms;
mod scene_records;
mod versions;

use damage::{Random, Section, append, changed, inflate, lie, mutate, pack, seal, sections};
use memory::{LIMIT, least_limit, load, refusal};
use proptest::prelude::*;
use surefoot::cch::find_order;
use surefoot::grid::{Dir, FormatError};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, Navigator, SpanId};

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

/// A grid with an order for each of its agents.
fn prepared(mut grid: NavGrid) -> NavGrid {
    for agent in (0..grid.layers().len() as u16).map(AgentId) {
        let order = find_order(&grid, agent, &()).expect("the agent is there");
        grid = grid.with_order(agent, order).expect("it suits the grid");
    }
    grid
}

/// Hills with holes, wide enough for supernodes within supernodes, and prepared.
fn prepared_sample() -> NavGrid {
    let height = |index: u32| match (index * 7) % 23 {
        0 => f32::NAN,
        step => (index % 20 / 4 + step / 8) as f32 * 0.1,
    };
    let heights: Vec<f32> = (0..20 * 15).map(height).collect();
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(7, -8), size_x: 20, size_z: 15 };
    prepared(NavGrid::from_heights(frame, &heights, &agents()).expect("sound heights"))
}

/// Sound files: without and with route orders.
fn files() -> [Vec<u8>; 2] {
    [sample(), prepared_sample()].map(|grid| bytes_of(&grid))
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
        is_prepared: bool,
    ) {
        let frame = GridFrame { cell_size: 0.3, min: Cell::new(corner.0, corner.1), size_x, size_z };
        let heights = &heights[..(size_x * size_z) as usize];
        let grid = NavGrid::from_heights(frame, heights, &agents()[..agent_count.min(2)]).unwrap();
        let grid = if is_prepared { prepared(grid) } else { grid };
        let bytes = bytes_of(&grid);
        let again = load(&bytes).unwrap();
        prop_assert_eq!(&again, &grid);
        prop_assert_eq!(bytes_of(&again), bytes);
    }
}

/// The sample with names, another kind of ground, settings and a link.
fn named_sample() -> NavGrid {
    use surefoot::grid::{Area, Link, LinkKind, LinkLane, Provenance};
    let mut parts = sample().into_parts();
    parts.nodes = vec!["Mauer".to_owned(), String::new(), "橋".to_owned()];
    parts.areas.push(Area { name: "mud".to_owned(), cost: 2.1, forbidden: false });
    let settings = serde_json::json!({ "cell_size": 0.1, "agents": ["a", null] });
    let (scene, scene_hash) = ("a.glb".to_owned(), "ab".to_owned());
    parts.provenance = Provenance { scene, scene_hash, settings, record: None };
    let walkable = |at: &usize| parts.layers.iter().all(|l| l.standings[*at].is_walkable());
    let ends: Vec<u32> = (0..90).filter(walkable).map(|at| at as u32).collect();
    let ends = [ends[0], ends[ends.len() - 1]].map(SpanId);
    let points = [[0.1, 0.2, 0.3], [1e-30, 1e30, -0.0]].map(Into::into);
    let lanes = vec![vec![LinkLane::new(ends)], Vec::new()];
    parts.links.push(Link { cost: 1.1, lanes, ..Link::new("drop", LinkKind::Drop, points) });
    NavGrid::new(parts).expect("sound parts")
}

#[test]
fn names_links_and_settings_come_back() {
    let grid = named_sample();
    assert_eq!(load(&bytes_of(&grid)).expect("it loads"), grid);
}

#[test]
fn what_authors_say_of_links_comes_back() {
    use surefoot::grid::{Link, LinkId, LinkStop};
    let mut parts = named_sample().into_parts();
    let stop = Some(LinkStop { moving: LinkId(7), number: 3 });
    let user_data = r#"{"sound":"鍵","volume":0.5}"#.to_owned();
    let (id, capacity) = (LinkId(8), u32::MAX);
    let lift = Link { id, capacity, user_data, stop, ..parts.links[0].clone() };
    parts.links.push(lift.clone());
    let grid = load(&bytes_of(&NavGrid::new(parts).expect("sound parts"))).expect("it loads");
    assert_eq!(grid.links()[1], lift);
}

#[test]
fn every_truncated_prefix_is_refused() {
    for bytes in files() {
        for len in 0..bytes.len() {
            assert!(load(&bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn extra_bytes_are_refused() {
    for bytes in files() {
        for extra in [&[0][..], &[0; 32], &bytes] {
            assert!(load(&[&bytes, extra].concat()).is_err(), "{} more", extra.len());
        }
    }
}

#[test]
fn other_files_are_recognized() {
    for bytes in [&b""[..], b"glTF", b"\x89PNG\r\n\x1a\n and so on and on and on", &[0; 64]] {
        assert!(matches!(load(bytes), Err(FormatError::NotANavgrid)), "{bytes:?}");
    }
}

#[test]
fn another_version_says_so() {
    for mut bytes in files() {
        bytes[8] = 5;
        match load(&bytes) {
            Err(error @ FormatError::Version { found: 5, supported: 4 }) => {
                assert!(error.to_string().contains("version 5"), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn damage_names_section_and_offset() {
    for bytes in files() {
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
}

const MUTATIONS: u64 = 10_000;

#[test]
fn mutations_are_refused() {
    for bytes in files() {
        for seed in 1..=MUTATIONS {
            let mutant = mutate(&bytes, &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            assert!(mutant == bytes || load(&mutant).is_err(), "seed {seed} loads");
        }
    }
}

/// Mutations that keep the checksums right, so that decoders and validation see them.
#[test]
fn lies_with_right_checksums_are_harmless() {
    for bytes in files() {
        let [refused, invalid] = try_lies(&bytes, |_| true);
        assert!(refused > 500 && invalid > 500, "{refused}, {invalid}: they do not get that far");
    }
}

/// How many lies about some sections decoders and validation refuse; the others are harmless.
fn try_lies(bytes: &[u8], about: impl Fn(&[u8]) -> bool) -> [usize; 2] {
    let chosen = |section: &Section| about(&bytes[section.header..section.header + 4]);
    let (mut refused, mut invalid, mut sound) = (0, 0, 0);
    for seed in 1..=MUTATIONS {
        let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let mutant = lie(bytes, chosen, &mut random);
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
    [refused, invalid]
}

/// Follows every connection of a grid there and back, and both ways around each corner; prepares
/// routes by its orders.
fn hold_promises(grid: &NavGrid) {
    for (agent, layer) in (0..).map(AgentId).zip(grid.layers()) {
        let mut nav = Navigator::new(grid.clone(), agent).expect("the agent is there");
        nav.prepare().expect("ground that comes apart");
        for id in (0..grid.spans().len() as u32).map(SpanId) {
            for dir in
                Dir::ALL.into_iter().filter(|&d| layer.standings[id.index()].has_connection(d))
            {
                let step = |id, dir| grid.neighbor(agent, id, dir).expect("a connection");
                let to = step(id, dir);
                assert!(grid.region(agent, id).is_some());
                assert_eq!(grid.region(agent, id), grid.region(agent, to));
                assert_eq!(step(to, dir.opposite()), id);
                if dir.is_diagonal() {
                    let (left, right) = (dir.turned(7), dir.turned(1));
                    assert_eq!(step(step(id, left), right), to);
                    assert_eq!(step(step(id, right), left), to);
                }
            }
        }
    }
}

/// Numbers of agents are two bytes.
#[test]
fn too_many_agents_are_refused() {
    let file = changed(&bytes_of(&sample()), |tag, _, raw| {
        if tag == b"HEAD" {
            raw[24..28].copy_from_slice(&65536u32.to_le_bytes());
        }
    });
    let error = load(&file).expect_err("it is refused").to_string();
    assert!(error.contains("section HEAD, byte 64: it has 65536 agents, at most"), "{error}");
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
        let stored = pack(&mut header, &raw);
        append(&mut file, &mut header, &stored);
        if &header[..4] == b"FLOR" {
            break;
        }
    }
    file[12..16].copy_from_slice(&6u32.to_le_bytes());
    seal(&mut file);
    let (section, _, needed) = refusal(&file, LIMIT);
    assert_eq!(section, "COLS");
    assert!(needed > 1_000_000_000, "{needed}");
}

/// Flat ground packs very well. It loads by default, and within the limit that a refusal names.
#[test]
fn a_large_flat_grid_still_loads() {
    let side = 1500;
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: side, size_z: side };
    let flat = vec![0.0; (side * side) as usize];
    let grid = NavGrid::from_heights(frame, &flat, &[Agent::new("human")]).expect("sound heights");
    let bytes = bytes_of(&grid);
    assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
    assert_eq!(NavGrid::from_bytes(&bytes).expect("it loads"), grid);
    let (again, needed) = least_limit(&bytes);
    assert_eq!(again, grid);
    let spans = u64::from(side * side);
    assert!(needed < spans * 64, "{} bytes a span", needed / spans);
}
