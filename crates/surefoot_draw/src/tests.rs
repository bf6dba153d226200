//! Whole pictures of made-up country.

use std::collections::BTreeSet;

use surefoot::agent::Agent;
use surefoot::grid::{NavGrid, SpanId};

use super::palette::REASON_INKS;
use super::samples::{country, tower};
use super::{Image, Storeys, is_picture_name, pictures, write_all};

fn person() -> Vec<Agent> {
    vec![Agent::new("human")]
}

/// Panics unless every column has at most one span of each storey, and every span is accounted for.
fn check_storeys(grid: &NavGrid) -> Storeys {
    let storeys = Storeys::of(grid);
    for at in 0..grid.frame().cells() {
        let column = grid.column_spans(grid.frame().cell(at));
        let on: Vec<usize> = column.filter_map(|span| storeys.storey(SpanId(span))).collect();
        assert_eq!(on.iter().collect::<BTreeSet<_>>().len(), on.len(), "column {at}");
    }
    let drawn: usize = storeys.drawn().iter().map(|storey| storey.spans).sum();
    let rest = storeys.left_out();
    assert_eq!(drawn + rest.covered + rest.spans, grid.spans().len());
    storeys
}

fn holds(image: &Image, color: [u8; 3]) -> bool {
    image.pixels().contains(&color)
}

#[test]
fn a_house_has_its_floors_on_storeys_above_each_other() {
    let grid = country(&person());
    let storeys = check_storeys(&grid);
    let house = grid.column_spans(grid.frame().cell_at(-4.0, -10.0));
    let on: Vec<_> = house.map(|span| storeys.storey(SpanId(span))).collect();
    assert_eq!(on, [Some(0), Some(1), Some(2)]);
}

#[test]
fn a_bridge_is_above_the_valley_it_crosses() {
    let grid = country(&person());
    let storeys = check_storeys(&grid);
    let bridge = grid.column_spans(grid.frame().cell_at(14.0, 1.0));
    let on: Vec<_> = bridge.map(|span| storeys.storey(SpanId(span))).collect();
    assert_eq!(on, [Some(0), Some(1)]);
}

#[test]
fn each_turn_of_a_spiral_is_a_storey() {
    let grid = tower(&person());
    let storeys = check_storeys(&grid);
    assert!((4..=6).contains(&storeys.drawn().len()), "{:?}", storeys.drawn());
    let turns = grid.column_spans(grid.frame().cell_at(0.0, 6.0));
    let mut on: Vec<_> = turns.map(|span| storeys.storey(SpanId(span))).collect();
    let low_to_high = on.clone();
    on.sort();
    assert_eq!(on, low_to_high);
}

#[test]
fn pictures_are_the_same_every_time_and_show_the_verdicts_there_are() {
    let grid = country(&person());
    let first = pictures(&grid);
    let folder = tempfile::tempdir().expect("a folder");
    let paths = write_all(&grid, folder.path()).expect("writable");
    assert_eq!(paths.len(), first.len());
    for (picture, path) in first.iter().zip(&paths) {
        assert_eq!(path, &folder.path().join(&picture.name));
        assert_eq!(std::fs::read(path).expect("written"), picture.image.to_png().expect("encoded"));
    }
    assert!(first.iter().all(|picture| is_picture_name(&picture.name)));
    for other in ["level.navgrid", "storey-0.png", "a-storey-.png", "a-storey-x.png"] {
        assert!(!is_picture_name(other), "{other}");
    }
    let ground = &first[1];
    assert_eq!(ground.name, "human-storey-0.png");
    let shown = REASON_INKS.map(|ink| holds(&ground.image, ink));
    assert_eq!(shown, [true, true, true, true, true, true, false], "no region was dropped");
    let upstairs = &first[3].image;
    assert!(!holds(upstairs, REASON_INKS[4]), "no forbidden ground on the roof");
}
