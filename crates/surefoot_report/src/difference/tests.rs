//! Tests of whole differences.

use nalgebra::Point3;
use surefoot::grid::{Area, Cell, GridFrame, GridParts, Link, LinkKind, LinkLane, RegionId};
use surefoot::{Agent, NavGrid, SpanId};

use super::*;

fn map(rows: &[&str]) -> NavGrid {
    let (height, width) = (rows.len(), rows[0].len());
    let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&text, 1.0, &[]).expect("a map")
}

fn between(old: &NavGrid, new: &NavGrid) -> GridDifference {
    GridDifference::between(old, new, &DifferenceOptions::default()).expect("a difference")
}

/// The same grid with other parts.
fn changed(grid: &NavGrid, change: impl FnOnce(&mut GridParts)) -> NavGrid {
    let mut parts = grid.clone().into_parts();
    change(&mut parts);
    NavGrid::new(parts).expect("a grid")
}

fn link(name: &str, ends: [[f32; 3]; 2], spans: [u32; 2]) -> Link {
    let lanes = vec![vec![LinkLane::new(spans.map(SpanId))]];
    Link { lanes, ..Link::new(name, LinkKind::Jump, ends.map(Point3::from)) }
}

/// A room of 3 by 4 m and a hall of 4 by 4 m, with a door in the wall between them.
const OPEN: [&str; 4] = ["...@....", "........", "...@....", "...@...."];
const CLOSED: [&str; 4] = ["...@....", "...@....", "...@....", "...@...."];

#[test]
fn a_closed_door_splits_a_region_and_makes_paths_impossible() {
    let difference = between(&map(&OPEN), &map(&CLOSED));
    let human = &difference.agents[0];
    assert!(!difference.same);
    assert_eq!((human.lost.spans, human.lost.area_m2, human.gained.spans), (1, 1.0, 0));
    let place = &human.lost.clusters[0];
    assert_eq!((place.at, place.number), ([3.5, 0.0, 1.5], 1));
    assert_eq!((place.min, place.max), ([3.0, 0.0, 1.0], [4.0, 0.0, 2.0]));
    assert_eq!((place.before, place.after), (VerdictKind::Walkable, VerdictKind::NoFloor));
    assert_eq!(human.regions.split.len(), 1);
    let parts: Vec<f64> = human.regions.split[0].parts.iter().map(|part| part.area_m2).collect();
    assert_eq!((human.regions.split[0].area_m2, parts), (29.0, vec![16.0, 12.0]));
    let paths = human.paths.as_ref().expect("paths");
    assert_eq!(paths.sampled, 200);
    assert!(paths.impossible.count > 20, "{paths:?}");
    assert_eq!((paths.possible.count, paths.longer.count), (0, 0));
    let why = paths.impossible.paths[0].why.as_ref().expect("a reason");
    assert!(why.contains("in the way"), "{why}");
    let text = difference.text(10);
    for words in ["1.0 m² at 1 place: now 1.0 m² no floor", "region 0 of 29.0 m² fell apart: 16.0"]
    {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

#[test]
fn an_opened_door_is_a_closed_one_seen_from_the_other_side() {
    let there = between(&map(&OPEN), &map(&CLOSED));
    let back = between(&map(&CLOSED), &map(&OPEN));
    let (there, back) = (&there.agents[0], &back.agents[0]);
    assert_eq!(there.lost.spans, back.gained.spans);
    assert_eq!(there.lost.clusters[0].at, back.gained.clusters[0].at);
    assert_eq!(there.changed.lost, back.changed.gained);
    assert_eq!(there.regions.split, back.regions.joined);
    let [there, back] = [there, back].map(|agent| agent.paths.as_ref().expect("paths"));
    assert_eq!(there.impossible.count, back.possible.count);
    assert_eq!((there.alike, there.never), (back.alike, back.never));
}

#[test]
fn equal_grids_are_the_same() {
    let grid = map(&OPEN);
    let difference = between(&grid, &grid.clone());
    assert!(difference.same && difference.agents[0].is_empty());
    assert_eq!(difference.agents[0].paths, None);
    let text = difference.text(10);
    assert_eq!(text, "The grids are the same: no agent notices a difference.");
}

#[test]
fn ground_may_be_all_gone() {
    let (full, empty) = (map(&["...", "..."]), map(&["@@@", "@@@"]));
    let gone = between(&full, &empty);
    assert_eq!((gone.agents[0].lost.spans, gone.agents[0].regions.vanished.len()), (6, 1));
    assert_eq!(gone.agents[0].paths.as_ref().map(|paths| paths.sampled), Some(0));
    let back = between(&empty, &full);
    assert_eq!((back.agents[0].gained.spans, back.agents[0].regions.appeared.len()), (6, 1));
    assert!(between(&empty, &empty).same);
}

#[test]
fn cells_of_two_sizes_cannot_be_compared() {
    let text = "type octile\nheight 1\nwidth 1\nmap\n.\n";
    let [one, half] = [1.0, 0.5].map(|size| NavGrid::from_map(text, size, &[]).expect("a map"));
    let error = GridDifference::between(&one, &half, &DifferenceOptions::default()).unwrap_err();
    assert_eq!(error, DifferenceError::CellSizes { old: 1.0, new: 0.5 });
    assert!(error.to_string().contains("bake both with the same --cell-size"), "{error}");
}

/// Level ground at heights over cells from x on.
fn strip(x: i32, heights: &[f32], agents: &[Agent]) -> NavGrid {
    let size_x = heights.len() as u32;
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(x, 0), size_x, size_z: 1 };
    NavGrid::from_heights(frame, heights, agents).expect("a grid")
}

/// It is a point that keeps no distance from ledges.
fn ant(name: &str) -> Agent {
    Agent { radius: 0.1, height: 0.5, max_climb: 0.2, ledge_margin: Some(0.0), ..Agent::new(name) }
}

#[test]
fn grids_of_other_extents_share_the_cells_of_the_world() {
    let ants = [ant("ant")];
    let difference = between(&strip(-2, &[0.0; 6], &ants), &strip(0, &[0.0; 6], &ants));
    let found = &difference.agents[0];
    assert_eq!((found.lost.spans, found.gained.spans), (2, 2));
    assert_eq!((found.lost.clusters[0].min[0], found.gained.clusters[0].max[0]), (-2.0, 6.0));
    assert_eq!(difference.causes.bounds[0], [[-2.0, 0.0], [4.0, 1.0]]);
    assert!(difference.text(3).contains("bounds    x 0 to 6"), "{}", difference.text(3));
    let apart = between(&strip(-900, &[0.0; 6], &ants), &strip(900, &[0.0; 6], &ants));
    assert_eq!((apart.agents[0].lost.spans, apart.agents[0].gained.spans), (6, 6));
    assert_eq!(apart.agents[0].paths.as_ref().map(|paths| paths.sampled), Some(0));
}

#[test]
fn floors_move_or_are_gone() {
    let ants = [ant("ant")];
    let flat = strip(0, &[0.0; 5], &ants);
    let raised = between(&flat, &strip(0, &[0.0, 0.0, 0.0, 0.1, 0.1], &ants));
    let moved = &raised.agents[0].moved;
    assert_eq!((moved.spans, raised.agents[0].lost.spans), (2, 0));
    assert_eq!(moved.clusters[0].rise, Some([0.1, 0.1]));
    assert!(moved.clusters[0].words.ends_with("0.10 m higher"), "{}", moved.clusters[0].words);
    let high = between(&flat, &strip(0, &[0.0, 0.0, 0.0, 2.0, 2.0], &ants));
    let counts = &high.agents[0];
    assert_eq!((counts.moved.spans, counts.lost.spans, counts.gained.spans), (0, 2, 2));
}

#[test]
fn agents_are_matched_by_name() {
    let agents = |names: &[&str]| names.iter().map(|name| ant(name)).collect::<Vec<_>>();
    let old = strip(0, &[0.0; 4], &agents(&["a", "b"]));
    let mut bigger = agents(&["c", "b"]);
    bigger[1].height = 0.7;
    let new = strip(0, &[0.0; 4], &bigger);
    let difference = between(&old, &new);
    assert_eq!(
        (&difference.agents_lost[..], &difference.agents_gained[..]),
        (&["a".to_owned()][..], &["c".to_owned()][..])
    );
    assert_eq!(difference.agents.len(), 1);
    assert_eq!(difference.agents[0].body[0].words(), "height: 0.7 instead of 0.5");
    let only = |agent| {
        let options = DifferenceOptions { agent: Some(agent), ..DifferenceOptions::default() };
        GridDifference::between(&old, &new, &options)
    };
    let one = only("b").expect("both have it");
    assert!(one.agents_lost.is_empty() && one.agents.len() == 1);
    let error = |agent| only(agent).unwrap_err().to_string();
    assert_eq!(error("a"), "only the old grid has an agent \"a\"; both have \"b\"");
    assert_eq!(error("c"), "only the new grid has an agent \"c\"; both have \"b\"");
    assert_eq!(error("d"), "neither grid has an agent \"d\"; both have \"b\"");
}

#[test]
fn areas_and_what_they_cost_are_compared_by_name() {
    let old = map(&["....", "...."]);
    let new = map(&["..SS", "..SS"]);
    let swamp = between(&old, &new);
    let found = &swamp.agents[0].areas;
    assert_eq!((found.len(), found[0].spans), (1, 4));
    assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("walkable", "swamp"));
    let bog = changed(&new, |parts| parts.areas[1].cost = 9.0);
    let dry = changed(&new, |parts| {
        // The same areas in another order.
        parts.areas.swap(1, 2);
        for span in &mut parts.spans {
            let area = match span.area().0 {
                1 => 2,
                own => own,
            };
            *span = span.on(surefoot::grid::AreaId(area), span.node());
        }
    });
    assert_eq!(between(&new, &bog).areas[0].words(), {
        "swamp: a metre costs 9 instead of a metre costs 2"
    });
    let text = between(&new, &bog).text(3);
    assert!(text.contains("area      swamp: a metre costs 9; before, a metre costs 2"), "{text}");
    assert!(between(&new, &dry).same, "{}", between(&new, &dry).text(3));
    let renamed = changed(&new, |parts| {
        parts.areas[1] = Area { name: "mud".to_owned(), ..parts.areas[1].clone() };
    });
    let text = between(&new, &renamed).text(3);
    for words in ["swamp is gone: a metre costs 2", "mud is new: a metre costs 2"] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

#[test]
fn links_are_gained_lost_and_changed() {
    let bare = map(&CLOSED);
    let ends = [[2.5, 0.0, 1.5], [4.5, 0.0, 1.5]];
    let spans = [9, 10].map(|span| span as u32);
    let linked = |change: fn(&mut Link)| {
        changed(&bare, |parts| {
            let mut own = link("gap", ends, spans);
            change(&mut own);
            parts.links.push(own);
        })
    };
    let gained = between(&bare, &linked(|_| {}));
    assert_eq!((gained.links.gained.count(), gained.links.lost.count()), (1, 0));
    let found = &gained.links.gained.links[0];
    assert_eq!(
        (found.from, found.to, &found.agents[..]),
        (ends[0], ends[1], &["human".to_owned()][..])
    );
    assert!(gained.text(3).contains("links     1 jump gained"), "{}", gained.text(3));
    // A link that joins two regions: paths are possible now.
    assert!(gained.agents[0].paths.as_ref().expect("paths").possible.count > 0);
    assert_eq!(between(&linked(|_| {}), &bare).links.lost.count(), 1);
    let costly = between(&linked(|_| {}), &linked(|own| own.cost = 7.0));
    assert_eq!(costly.links.changed.links[0].changes, ["costs 7 instead of 2"]);
    // Another id at the same place is the same link.
    let other = |own: &mut Link| own.id = own.id.next();
    assert!(between(&linked(|_| {}), &linked(other)).same);
}

#[test]
fn places_are_listed_up_to_a_number_and_all_are_counted() {
    let old = map(&[".........", ".........", "........."]);
    let new = map(&[".@..@@..@", ".........", "@........"]);
    let options = DifferenceOptions { most: 2, rectangles: true, ..DifferenceOptions::default() };
    let difference = GridDifference::between(&old, &new, &options).expect("a difference");
    let lost = &difference.agents[0].lost;
    assert_eq!((lost.places, lost.spans, lost.clusters.len()), (4, 5, 2));
    let rectangle = lost.clusters[0].rectangles[0];
    assert_eq!((rectangle.min, rectangle.max), ([4.0, 0.0], [6.0, 1.0]));
    assert!(difference.text(2).contains("and 2 more, 2.0 m² in all"), "{}", difference.text(2));
    assert!(difference.text(1).contains("and 3 more, 3.0 m² in all"), "{}", difference.text(1));
}

#[test]
fn a_step_that_is_missing_between_unchanged_floors_is_found() {
    let old = map(&["...", "..."]);
    let new = changed(&old, |parts| {
        let layer = &mut parts.layers[0];
        // The columns in the middle and on the right are no longer joined.
        for at in 0..6usize {
            for (dir, x) in [(0, 1), (1, 1), (7, 1), (3, -1), (4, -1), (5, -1)] {
                let from = at as i32 % 3;
                if [from, from + x] == [1, 2] || [from, from + x] == [2, 1] {
                    let dir = surefoot::grid::Dir::ALL[dir];
                    layer.standings[at] = layer.standings[at].without_connection(dir);
                }
            }
            if at % 3 == 2 {
                layer.standings[at].set_region(RegionId(1));
            }
        }
        layer.regions =
            vec![surefoot::grid::Region { spans: 4 }, surefoot::grid::Region { spans: 2 }];
    });
    let there = between(&old, &new);
    let human = &there.agents[0];
    assert_eq!((human.lost.spans, human.gained.spans), (0, 0));
    // Two straight ones and two over the corner.
    assert_eq!((human.details.steps_lost, human.details.steps_gained), (4, 0));
    assert_eq!(human.regions.split.len(), 1);
    assert_eq!(between(&new, &old).agents[0].details.steps_gained, 4);
}
