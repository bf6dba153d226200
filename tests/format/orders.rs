//! Orders in files: round trips, and sections that contradict the grid.

use surefoot::grid::{FormatError, RouteOrder, RouteSupernode};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId};

use super::damage::{append, changed, inflate, pack, seal, sections};
use super::memory::{LIMIT, least_limit, load, refusal};
use super::{bytes_of, files, prepared_sample, try_lies};

/// One agent has an order, another none.
#[test]
fn orders_come_back_to_their_agents() {
    for without in [0, 1] {
        let mut parts = prepared_sample().into_parts();
        parts.layers[without].order = None;
        let grid = NavGrid::new(parts).expect("sound parts");
        let again = load(&bytes_of(&grid)).expect("it loads");
        assert_eq!(again, grid);
        assert!(again.order(AgentId(without as u16)).is_none());
        let order = again.order(AgentId(1 - without as u16)).expect("it was kept");
        assert!(order.supernodes.len() > 4, "{order:?}");
    }
}

/// A program that does not know orders reads the grid without them.
#[test]
fn orders_may_be_ignored() {
    let [plain, prepared] = files();
    assert_eq!((plain[8], prepared[8]), (4, 4));
    let mut parts = prepared_sample().into_parts();
    parts.layers.iter_mut().for_each(|layer| layer.order = None);
    let grid = NavGrid::new(parts).expect("sound parts");
    assert!(bytes_of(&grid).len() < prepared.len());
    let unknown = changed(&prepared, |tag, header, _| {
        if tag == b"ORDR" {
            header[..4].copy_from_slice(b"ORD2");
        }
    });
    assert_eq!(load(&unknown).expect("it loads"), grid);
}

#[test]
fn lies_about_orders_are_harmless() {
    let [refused, invalid] = try_lies(&files()[1], |tag| tag == b"ORDR");
    assert!(refused > 500 && invalid > 100, "{refused}, {invalid}: they do not get that far");
}

/// A sound file but for its first order, whose header and bytes are changed.
fn with_order_changed(change: impl Fn(&mut Vec<u8>, &mut Vec<u8>)) -> Vec<u8> {
    let [_, bytes] = files();
    let (mut file, mut is_changed) = (bytes[..32].to_vec(), false);
    for section in sections(&bytes) {
        let mut header = bytes[section.header..section.start].to_vec();
        let mut stored = bytes[section.start..section.end].to_vec();
        if header.starts_with(b"ORDR") && !is_changed {
            let mut raw = inflate(&stored);
            change(&mut header, &mut raw);
            stored = pack(&mut header, &raw);
            is_changed = true;
        }
        append(&mut file, &mut header, &stored);
    }
    seal(&mut file);
    file
}

#[track_caller]
fn check(expected: &str, change: impl Fn(&mut Vec<u8>, &mut Vec<u8>)) {
    let bytes = with_order_changed(change);
    let orders = sections(&bytes).into_iter().find(|at| bytes[at.header..].starts_with(b"ORDR"));
    match load(&bytes) {
        Err(FormatError::Damaged { section, offset, problem }) => {
            assert_eq!((section.as_str(), problem.as_str()), ("ORDR", expected));
            assert_eq!(offset, orders.expect("a section").start as u64);
        }
        other => panic!("{expected}: {other:?}"),
    }
}

/// The number of supernodes in a section, and where its runs begin.
fn runs_of(raw: &[u8]) -> usize {
    4 + 8 * u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]) as usize
}

/// Puts runs in place of all.
fn with_runs(runs: &[u8]) -> impl Fn(&mut Vec<u8>, &mut Vec<u8>) {
    move |_, raw| {
        raw.truncate(runs_of(raw));
        raw.extend(runs);
    }
}

#[test]
fn orders_that_cannot_be_are_named() {
    load(&with_order_changed(|_, _| {})).expect("nothing has changed");
    check("its supernodes are cut short", |_, raw| raw.clear());
    check("its supernodes are cut short", |_, raw| raw.truncate(runs_of(raw) - 1));
    check("its supernodes are cut short", |_, raw| raw[..4].fill(0xFF));
    let own = "its supernodes have 4294967558 spans, the grid has 286";
    check(own, |_, raw| raw[8..12].fill(0xFF));
    check("there are bytes after its spans", |_, raw| raw.push(0));
    check("a run of its spans cannot be read", |_, raw| raw.truncate(raw.len() - 1));
    check("a run of its spans cannot be read", with_runs(&[]));
    check("a run of its spans cannot be read", with_runs(&[0xFF; 30]));
    let outside = "a run of its spans starts outside the grid";
    check(outside, with_runs(&[1, 0, 0]));
    check(outside, with_runs(&[0x80, 0x80, 1, 0, 0]));
    check(outside, with_runs(&[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0]));
    check(outside, with_runs(&[0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0]));
    let nowhere = "a run of its spans goes over a cell without a span";
    check(nowhere, with_runs(&[2, 1, 0]));
    check(nowhere, with_runs(&[2, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0]));
    check(nowhere, with_runs(&[2, 0, 100]));
    let more = "its runs have more spans than its supernodes";
    check(more, with_runs(&[2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]));
    check("it belongs to agent 1, not 0", |header, _| header[4] = 1);
    check("it belongs to agent 513, not 0", |header, _| header[4..6].copy_from_slice(&[1, 2]));
}

#[test]
fn an_order_too_many_is_named() {
    let [_, bytes] = files();
    let last = *sections(&bytes).last().expect("sections");
    let mut file = [&bytes[..], &bytes[last.header..]].concat();
    file[12] += 1;
    seal(&mut file);
    let error = load(&file).expect_err("it is refused").to_string();
    let expected =
        format!("section ORDR, byte {}: the file should end before it", bytes.len() + 32);
    assert!(error.starts_with(&expected), "{error}");
}

/// A small section that claims a world is refused before it unpacks.
#[test]
fn a_bomb_of_an_order_is_refused() {
    let bytes = with_order_changed(|_, raw| raw.resize(200_000_000, 0));
    let (section, _, needed) = refusal(&bytes, LIMIT);
    assert_eq!(section, "ORDR");
    assert!(needed > 200_000_000, "{needed}");
}

/// An order that packs very well loads within the limit that a refusal names.
#[test]
fn a_large_order_still_loads() {
    let side = 1200;
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: side, size_z: side };
    // As on a chess board: no span has a neighbor.
    let height = |at: u32| if (at / side + at % side).is_multiple_of(2) { 0.0 } else { f32::NAN };
    let heights: Vec<f32> = (0..side * side).map(height).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")]);
    let grid = grid.expect("sound heights");
    let plain = bytes_of(&grid).len();
    let spans: Vec<SpanId> = (0..side * side / 2).map(SpanId).collect();
    let supernodes = vec![RouteSupernode { children: 0, spans: 1 }; spans.len()];
    let grid = grid.with_order(AgentId(0), RouteOrder { spans, supernodes }).expect("it suits");
    let bytes = bytes_of(&grid);
    let (again, needed) = least_limit(&bytes);
    assert_eq!(again, grid);
    println!("{needed} for {} bytes, {plain} without the order", bytes.len());
}
