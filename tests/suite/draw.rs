//! Pictures of grids: hand-made cases, looked at pixel by pixel.

use std::collections::BTreeSet;

use nalgebra::{Matrix3, Point3, Vector3};
use proptest::prelude::*;
use surefoot::grid::{AgentId, GridParts, NodeId};
use surefoot::{Agent, Cell, GridFrame, NavGrid, Span, SpanId, Verdict};
use surefoot_draw::{
    Canvas, DrawError, Image, MapTransform, Picture, PixelPoint, Storeys, Stroke, Track, TrackEnd,
    TrackPicture, palette, pictures, track_picture, write_all,
};

const CELL: f32 = 0.5;

fn frame(size_x: u32, size_z: u32) -> GridFrame {
    GridFrame { cell_size: CELL, min: Cell::new(-2, 3), size_x, size_z }
}

/// Level ground for some agents.
fn level(size: [u32; 2], names: &[&str]) -> NavGrid {
    let agents: Vec<Agent> = names.iter().map(|&name| Agent::new(name)).collect();
    let heights = vec![1.0; (size[0] * size[1]) as usize];
    NavGrid::from_heights(frame(size[0], size[1]), &heights, &agents).unwrap()
}

/// A row of cells, each closed to the agent for one reason.
fn closed(verdicts: &[Verdict]) -> NavGrid {
    let mut parts = level([verdicts.len() as u32, 1], &["human"]).into_parts();
    let layer = &mut parts.layers[0];
    layer.regions.clear();
    layer.standings =
        verdicts.iter().map(|&verdict| surefoot::grid::Standing::new(verdict)).collect();
    NavGrid::new(parts).unwrap()
}

/// A grid without agents, one row of columns, each with its floors [m].
fn columns(floors: &[&[f32]]) -> NavGrid {
    let mut parts: GridParts = level([floors.len() as u32, 1], &[]).into_parts();
    parts.first = vec![0];
    parts.spans.clear();
    for column in floors {
        for (at, &floor) in column.iter().enumerate() {
            let ceiling = column.get(at + 1).map_or(f32::INFINITY, |&next| next);
            parts.spans.push(Span::new(floor, ceiling, Vector3::y()));
        }
        parts.first.push(parts.spans.len() as u32);
    }
    NavGrid::new(parts).unwrap()
}

/// The storeys of the spans, column by column; `.` for none.
fn storeys_of(grid: &NavGrid) -> String {
    let storeys = Storeys::of(grid);
    let name = |span| storeys.storey(SpanId(span)).map_or(".".to_owned(), |at| at.to_string());
    let cells = (0..grid.frame().cells()).map(|at| grid.frame().cell(at));
    let columns = cells.map(|cell| grid.column_spans(cell).map(name).collect::<String>());
    columns.collect::<Vec<_>>().join(" ")
}

fn check_storeys(floors: &[&[f32]], expected: &str) {
    assert_eq!(storeys_of(&columns(floors)), expected, "{floors:?}");
}

fn color_at(picture: &Picture, x: f32, z: f32) -> [u8; 3] {
    let place = picture.transform.to_pixels([x, 0.0, z]);
    picture.image.pixel(place.x as u32, place.y as u32).unwrap()
}

const REASONS: [Verdict; 7] = [
    Verdict::TooSteep,
    Verdict::LowCeiling,
    Verdict::Obstacle(NodeId::NONE),
    Verdict::Ledge,
    Verdict::Forbidden,
    Verdict::InsideSolid,
    Verdict::SmallRegion,
];

#[test]
fn one_floor_is_one_storey_however_it_climbs() {
    check_storeys(&[&[0.0], &[0.4], &[0.8], &[9.0]], "0 0 0 0");
}

#[test]
fn a_deck_over_a_path_is_a_storey_of_its_own() {
    check_storeys(&[&[0.0], &[0.0, 3.0], &[0.0, 3.0], &[0.0]], "0 01 01 0");
}

#[test]
fn a_ramp_stays_with_the_ground_until_it_lies_above_it() {
    check_storeys(&[&[0.0, 1.6], &[0.0, 1.2], &[0.0, 0.8], &[0.4], &[0.0]], "01 01 01 0 0");
}

#[test]
fn a_gallery_opens_a_storey_between_larger_ones() {
    check_storeys(&[&[0.0, 6.0], &[0.0, 3.0, 6.0], &[0.0, 6.0]], "02 012 02");
}

#[test]
fn each_verdict_has_its_ink_where_it_is_and_nowhere_else() {
    for (at, &verdict) in REASONS.iter().enumerate() {
        let pictures = pictures(&closed(&[verdict]));
        let pixels = pictures[1].image.pixels();
        let shown: Vec<bool> =
            palette::REASON_INKS.iter().map(|ink| pixels.contains(ink)).collect();
        let expected: Vec<bool> = (0..REASONS.len()).map(|other| other == at).collect();
        assert_eq!(shown, expected, "{verdict:?}");
    }
}

#[test]
fn the_middle_of_a_level_cell_has_exactly_the_ink_of_its_verdict() {
    let grid = closed(&REASONS);
    let picture = &pictures(&grid)[1];
    for (at, &verdict) in REASONS.iter().enumerate() {
        let [x, z] = grid.frame().center(Cell::new(at as i32 - 2, 3));
        // A contour or a grid cross may run through the very middle.
        let color = color_at(picture, x + 0.1, z + 0.1);
        assert_eq!(color, palette::REASON_INKS[at], "{verdict:?}");
    }
}

#[test]
fn cells_have_whole_pixels_and_large_grids_share_them() {
    for (size, scale) in [([3, 2], 96.0), ([700, 10], 4.0), ([3000, 4], 1.0)] {
        let grid = level(size, &[]);
        let overview = &pictures(&grid)[0];
        assert_eq!(overview.transform.scale, scale, "{size:?}");
        let (width, height) = (overview.image.width(), overview.image.height());
        let map = [size[0] as f32 * CELL * scale, size[1] as f32 * CELL * scale];
        assert!(width as f32 > map[0] && width < 2600, "{width} for {size:?}");
        assert!(height as f32 > map[1] && height < 2600, "{height} for {size:?}");
    }
}

#[test]
fn without_a_floor_there_is_only_the_overview() {
    let frame = frame(4, 4);
    let grid = NavGrid::from_heights(frame, &[f32::NAN; 16], &[Agent::new("human")]).unwrap();
    let pictures = pictures(&grid);
    assert_eq!(pictures.len(), 1);
    assert_eq!(color_at(&pictures[0], -0.9, 1.6), palette::VOID);
}

#[test]
fn a_grid_without_cells_can_be_drawn() {
    assert_eq!(pictures(&level([0, 0], &["human"])).len(), 1);
}

#[test]
fn names_of_agents_become_safe_and_different_file_names() {
    let grid = level([2, 2], &["a/b", "a\\b", "A-B", "../..", "", "näive 2"]);
    let names: Vec<String> = pictures(&grid).into_iter().map(|picture| picture.name).collect();
    let expected = ["a-b", "a-b-2", "A-B-3", "-----", "agent", "näive-2"];
    let expected = expected.map(|stem| format!("{stem}-storey-0.png"));
    assert_eq!(names[0], "overview.png");
    assert_eq!(names[1..], expected);
}

#[test]
fn files_are_whole_pngs_in_a_folder_that_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("new/pictures");
    let grid = level([5, 4], &["human"]);
    let paths = write_all(&grid, &place).unwrap();
    let again = write_all(&grid, &place).unwrap();
    assert_eq!(paths, again);
    let drawn = pictures(&grid);
    for (path, picture) in paths.iter().zip(&drawn) {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (picture.image.width(), picture.image.height()));
        assert_eq!(pixels, picture.image.pixels().as_flattened());
    }
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), paths.len(), "nothing is left beside");
}

#[test]
fn an_error_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    std::fs::write(&taken, "a file").unwrap();
    let error = write_all(&level([2, 2], &[]), &taken.join("inside")).unwrap_err();
    assert!(matches!(error, DrawError::Folder { .. }));
    assert!(error.to_string().contains("taken"), "{error}");
    std::fs::create_dir(folder.path().join("overview.png")).unwrap();
    let error = write_all(&level([2, 2], &[]), folder.path()).unwrap_err();
    assert!(matches!(error, DrawError::Save { .. }));
    assert!(error.to_string().contains("overview.png"), "{error}");
}

/// Tracks of some bodies that walk back and forth over level ground.
fn tracks(count: usize) -> Vec<Track> {
    let ends = [TrackEnd::Arrived, TrackEnd::Moving, TrackEnd::Stuck];
    let track = |body: usize| {
        let at = |step: usize| {
            let (turn, far) = ((body * 37 + step * step / 90) as f32, (step + body % 50) as f32);
            Point3::new(4.0 + 0.03 * far * turn.sin(), 1.0, 6.0 + 0.03 * far * turn.cos())
        };
        let points = (0..60 + body % 40).map(at).collect();
        Track { points, radius: 0.3, end: ends[body % 3] }
    };
    (0..count).map(track).collect()
}

#[test]
fn tracks_are_drawn_the_same_every_time_and_more_of_them_cover_more() {
    let grid = level([24, 24], &["human"]);
    let ground = surefoot::view::View::new(&grid, AgentId(0)).unwrap();
    let draw = |tracks: &[Track]| {
        track_picture(&TrackPicture { view: &ground, title: "tracks", tracks, interval: 0.2 })
    };
    let cells: Vec<Cell> = (0..grid.frame().cells()).map(|at| grid.frame().cell(at)).collect();
    let colors = |picture: &Picture| -> Vec<[u8; 3]> {
        let centers = cells.iter().map(|&cell| grid.frame().center(cell));
        centers.map(|[x, z]| color_at(picture, x, z)).collect()
    };
    let bare = draw(&[]);
    assert_eq!(bare.name, "tracks.png");
    let mut covered = 0;
    for count in [20, 200] {
        let picture = draw(&tracks(count));
        let again = draw(&tracks(count)).image.to_png().unwrap();
        assert!(picture.image.to_png().unwrap() == again, "{count} tracks");
        assert_eq!(picture.transform.scale, bare.transform.scale);
        let more = colors(&picture).iter().zip(colors(&bare)).filter(|(a, b)| *a != b).count();
        assert!(more > covered, "{count} tracks cover {more} cells");
        covered = more;
    }
}

#[test]
fn a_line_covers_the_pixels_it_runs_through_and_half_of_those_it_touches() {
    let transform = MapTransform { origin: [0.0, 0.0], corner: PixelPoint::origin(), scale: 1.0 };
    let mut canvas = Canvas::new(Image::new(12, 7, [0; 3]), transform);
    let stroke = Stroke { color: [200; 3], width: 2.0 };
    canvas.line(PixelPoint::new(2.0, 3.5), PixelPoint::new(10.0, 3.5), stroke);
    let column: Vec<u8> = (0..7).map(|y| canvas.image().pixel(6, y).unwrap()[0]).collect();
    assert_eq!(column, [0, 0, 100, 200, 100, 0, 0]);
}

#[test]
fn points_of_the_world_have_their_place_on_the_canvas() {
    let transform =
        MapTransform { origin: [-1.0, 2.0], corner: PixelPoint::new(10.0, 20.0), scale: 4.0 };
    assert_eq!(transform.to_pixels([0.0, 7.0, 4.0]), PixelPoint::new(14.0, 28.0));
}

/// How eyes that lack one kind of cones see linear red, green and blue; first, common eyes.
/// From: Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color
/// vision deficiency", 2009.
const EYES: [[f64; 9]; 4] = [
    [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    [0.152, 1.053, -0.205, 0.115, 0.786, 0.099, -0.004, -0.048, 1.052],
    [0.367, 0.861, -0.228, 0.280, 0.673, 0.047, -0.012, 0.043, 0.969],
    [1.256, -0.077, -0.179, -0.078, 0.931, 0.148, 0.005, 0.691, 0.304],
];

/// The color in CIE L*a*b* as some eyes see it.
fn seen(color: [u8; 3], eyes: &[f64; 9]) -> Vector3<f64> {
    let linear = |value: u8| ((f64::from(value) / 255.0 + 0.055) / 1.055).powf(2.4);
    let light = Vector3::from(color.map(linear));
    let light = (Matrix3::from_row_slice(eyes) * light).map(|part| part.clamp(0.0, 1.0));
    let to_xyz = [0.434, 0.376, 0.190, 0.213, 0.715, 0.072, 0.018, 0.109, 0.873];
    let [x, y, z] = (Matrix3::from_row_slice(&to_xyz) * light).map(f64::cbrt).into();
    Vector3::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
}

/// Panics unless colors that mean different things look different to all eyes.
fn check_apart(one: [u8; 3], other: [u8; 3]) {
    for eyes in &EYES {
        let apart = (seen(one, eyes) - seen(other, eyes)).norm();
        assert!(apart >= 15.0, "{one:?} and {other:?} are {apart} apart for {eyes:?}");
    }
}

#[test]
fn inks_stay_apart_for_color_blind_eyes() {
    for inks in [&palette::REASON_INKS[..], &palette::TRACK_ENDS] {
        for (at, &one) in inks.iter().enumerate() {
            inks[..at].iter().for_each(|&other| check_apart(one, other));
        }
    }
}

#[test]
fn tracks_stand_out_from_the_ground_at_all_times_and_heights() {
    let shares = || (0..=20).map(|share| share as f32 / 20.0);
    for (time, height) in shares().flat_map(|time| shares().map(move |height| (time, height))) {
        check_apart(palette::time_tint(time), palette::height_tint(height));
    }
}

#[test]
fn later_times_have_lighter_colors() {
    let light = |at: usize| seen(palette::time_tint(at as f32 / 8.0), &EYES[0])[0];
    assert!((0..8).all(|at| light(at) + 3.0 < light(at + 1)));
}

proptest! {
    #[test]
    fn no_storey_has_two_spans_of_a_column(
        floors in prop::collection::vec(prop::collection::btree_set(0u8..40, 0..6), 1..60),
    ) {
        let metres = floors.iter().map(|column| column.iter().map(|&y| f32::from(y) * 0.3));
        let metres: Vec<Vec<f32>> = metres.map(Iterator::collect).collect();
        let grid = columns(&metres.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let storeys = Storeys::of(&grid);
        for at in 0..grid.frame().cells() {
            let column = grid.column_spans(grid.frame().cell(at));
            let on: Vec<_> = column.filter_map(|span| storeys.storey(SpanId(span))).collect();
            prop_assert_eq!(on.iter().collect::<BTreeSet<_>>().len(), on.len());
        }
        let drawn: usize = storeys.drawn().iter().map(|storey| storey.spans).sum();
        let rest = storeys.left_out();
        prop_assert_eq!(drawn + rest.covered + rest.spans, grid.spans().len());
    }
}
