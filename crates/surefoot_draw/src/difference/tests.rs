//! Tests of the picture.

use nalgebra::Point3;

use surefoot::grid::{AgentId, NavGrid, SpanId};

use super::super::palette::GROUND_CHANGES;
use super::*;

fn map(rows: &[&str]) -> NavGrid {
    let (height, width) = (rows.len(), rows[0].len());
    let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&text, 0.5, &[]).expect("a map")
}

/// How far a color is from another, at most.
fn off(a: [u8; 3], b: [u8; 3]) -> u8 {
    (0..3).map(|at| a[at].abs_diff(b[at])).max().unwrap_or(0)
}

#[test]
fn changed_cells_have_the_colors_of_what_happened() {
    let old = map(&["....", "@...", "...."]);
    let new = map(&["....", "....", "...@"]);
    let picture = DifferencePicture {
        grids: [&old, &new],
        agents: [AgentId(0); 2],
        lost: &[SpanId(10)],
        gained: &[SpanId(4)],
        moved: &[],
        places: &[],
        links: &[],
    };
    let Picture { name, image, transform } = difference_picture(&picture);
    assert_eq!(name, "difference.png");
    let color = |at: [f32; 2]| {
        let at = transform.to_pixels([at[0], 0.0, at[1]]);
        image.pixel(at.x as u32, at.y as u32).expect("a pixel")
    };
    let [lost, gained, _] = GROUND_CHANGES;
    // Lost ground lies where the new grid has no floor.
    assert!(off(color([1.77, 1.27]), lost) < 90, "{:?}", color([1.77, 1.27]));
    assert!(off(color([0.25, 0.75]), gained) < 60, "{:?}", color([0.25, 0.75]));
    assert!(off(color([0.75, 0.75]), gained) > 90, "{:?}", color([0.75, 0.75]));
    assert_eq!(difference_picture(&picture).image, image);
}

#[test]
fn grids_without_floors_and_without_changes_are_drawn() {
    let (full, empty) = (map(&["..", ".."]), map(&["@@", "@@"]));
    let all: Vec<SpanId> = (0..4).map(SpanId).collect();
    let ends = [Point3::new(0.1, 0.0, 0.1), Point3::new(0.9, 0.0, 0.9)];
    let place = NumberedPlace {
        number: 1,
        mark: ChangeMark::Lost,
        at: ends[0],
        words: "all of it is gone",
        area: 1.0,
    };
    for (grids, lost) in
        [([&full, &empty], &all[..]), ([&full, &full], &[]), ([&empty, &empty], &[])]
    {
        let picture = DifferencePicture {
            grids,
            agents: [AgentId(0); 2],
            lost,
            gained: &[],
            moved: &[],
            places: &[place],
            links: &[ChangedLink { mark: ChangeMark::Gained, ends }],
        };
        assert!(difference_picture(&picture).image.width() > 400);
    }
}
