//! Pictures of paths over made-up country, looked at pixel by pixel.

use nalgebra::Point3;

use surefoot::agent::Agent;
use surefoot::cost::HeightCost;
use surefoot::grid::{Cell, GridFrame, NavGrid, SpanId};
use surefoot::navigator::Navigator;
use surefoot::path::Answer;
use surefoot::search::{Outcome, PathError, Query};
use surefoot::view::View;

use super::super::palette::{ENDS, OUT_OF_REACH, PATH_COLORS};
use super::super::samples::{country, tower};
use super::super::{Image, Picture};
use super::scene::{PathScene, cutaway, window};
use super::{DrawnPath, PathPicture, Recording, film, legend, path_picture};

/// Ends of a way through the country's valley, beneath the bridge.
const VALLEY: [[f32; 3]; 2] = [[11.0, 0.0, -20.0], [17.0, 0.0, 20.0]];

fn view(grid: &NavGrid) -> View {
    View::new(grid, "human").expect("there")
}

/// The answer to a query, searched step by step.
fn searched(view: &View, ends: [[f32; 3]; 2]) -> (Answer, Navigator, Recording) {
    let mut search = Navigator::new(view.grid().clone(), view.agent_id()).expect("there");
    let recording = Recording::of(&mut search, &Query::new(ends[0], ends[1]));
    let answer = search.finish().clone();
    (answer, search, recording)
}

fn picture<'a>(view: &'a View, paths: &'a [DrawnPath<'a>], ends: [[f32; 3]; 2]) -> PathPicture<'a> {
    PathPicture { view, title: "", ends: ends.map(Into::into), paths, expanded: &[] }
}

fn has(image: &Image, color: [u8; 3]) -> bool {
    image.pixels().contains(&color)
}

fn color_at(picture: &Picture, point: Point3<f32>) -> [u8; 3] {
    let place = picture.transform.to_pixels(point);
    picture.image.pixel(place.x as u32, place.y as u32).expect("on the picture")
}

#[test]
fn a_recording_counts_what_the_search_counts() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let (answer, _, recording) = searched(&view, VALLEY);
    assert_eq!(recording.expanded().len(), answer.expanded as usize);
    let reached = recording.reached();
    assert!(reached.is_sorted_by_key(|(after, _)| *after));
    // Whatever was expanded had been reached before, but for the start.
    let expanded = recording.expanded().iter().enumerate().skip(1);
    let early = |(at, span): (usize, &SpanId)| {
        reached.iter().any(|(after, other)| other == span && *after <= at)
    };
    assert!(expanded.step_by(97).all(early));
}

#[test]
fn a_way_beneath_a_bridge_is_seen_on_its_floor() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let (answer, search, recording) = searched(&view, VALLEY);
    let path = answer.path().expect("a way through");
    let covered = |span: SpanId| grid.spans()[span.index()].headroom().is_finite();
    assert!(path.track().iter().any(|point| covered(point.span)));
    let paths = [DrawnPath {
        name: "through",
        path: Some(path),
        corridor: Some(search.corridor()),
        outcome: Outcome::Complete,
    }];
    let bare = picture(&view, &paths, VALLEY);
    let cutaway = cutaway(&bare, &window(&bare), &()).expect("nobody cancels");
    assert!(path.track().iter().all(|point| cutaway.shows(&grid, point.span)));

    let drawn = path_picture(&PathPicture { expanded: recording.expanded(), ..bare });
    for pair in path.waypoints().windows(2).filter(|pair| pair[1].distance - pair[0].distance > 1.5)
    {
        let middle = path.sample(&view, (pair[0].distance + pair[1].distance) / 2.0);
        assert_eq!(color_at(&drawn, middle.expect("a point")), PATH_COLORS[0]);
    }
    assert_eq!(ENDS.map(|color| has(&drawn.image, color)), [true; 2]);
}

#[test]
fn the_upper_of_two_turns_hides_the_lower() {
    let grid = tower(&[Agent::new("human")]);
    let view = view(&grid);
    let (answer, ..) = searched(&view, [[6.0, 1.7, 0.5], [6.0, 8.1, 0.5]]);
    let path = answer.path().expect("a way up");
    let paths =
        [DrawnPath { name: "up", path: Some(path), corridor: None, outcome: Outcome::Complete }];
    let picture = picture(&view, &paths, [[6.0, 1.7, 0.5], [6.0, 8.1, 0.5]]);
    let cutaway = cutaway(&picture, &window(&picture), &()).expect("nobody cancels");
    let floor = |span: SpanId| grid.spans()[span.index()].floor;
    for point in path.track() {
        let shown = cutaway.at(grid.cell_of(point.span).expect("a cell")).expect("a floor");
        assert!(floor(shown) >= floor(point.span));
    }
}

#[test]
fn each_way_has_a_color_of_its_own() {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: 60, size_z: 40 };
    let hill = |at: usize| {
        let [x, z] = frame.center(frame.cell(at));
        4.0 * (-((x - 15.0).powi(2) + (z - 9.0).powi(2)) / 30.0).exp()
    };
    let heights: Vec<f32> = (0..frame.cells()).map(hill).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("a hill");
    let view = view(&grid);
    let ends = [[2.0, 0.0, 10.0], [28.0, 0.0, 10.0]];
    let way = |ascend| {
        let model = HeightCost { ascend, descend: 0.0 };
        let mut nav = Navigator::with_model(grid.clone(), "human", model).expect("there");
        nav.find(&Query::new(ends[0], ends[1])).clone()
    };
    let (over, round) = (way(0.0), way(5.0));
    let named = |name, answer| DrawnPath {
        name,
        path: Answer::path(answer).ok(),
        corridor: None,
        outcome: Outcome::Complete,
    };
    let paths = [named("over", &over), named("round", &round)];
    let drawn = path_picture(&picture(&view, &paths, ends));
    assert_eq!([0, 1, 2].map(|way| has(&drawn.image, PATH_COLORS[way])), [true, true, false]);
    let top = over.path().expect("a way over").sample(&view, 13.0).expect("a point");
    assert_eq!(color_at(&drawn, top), PATH_COLORS[0]);
}

#[test]
fn without_a_way_there_is_still_a_picture() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let roof = [[-9.0, 4.0, 4.0], [-3.0, 10.6, -10.0]];
    let paths =
        [DrawnPath { name: "none", path: None, corridor: None, outcome: Outcome::Complete }];
    let drawn = path_picture(&picture(&view, &paths, roof));
    assert!(!has(&drawn.image, PATH_COLORS[0]) && has(&drawn.image, ENDS[1]));
    assert!(has(&drawn.image, OUT_OF_REACH), "the roof is out of reach");
    let far = [[9e30, 0.0, 0.0], [f32::NAN, 0.0, 0.0]];
    let whole = picture(&view, &[], far);
    assert_eq!(window(&whole), *grid.frame());
    assert!(!has(&path_picture(&whole).image, OUT_OF_REACH));
    let nothing = GridFrame { size_x: 0, size_z: 0, ..*grid.frame() };
    let empty = NavGrid::from_heights(nothing, &[], &[Agent::new("human")]).expect("no cells");
    let view = self::view(&empty);
    path_picture(&picture(&view, &paths, roof));
}

#[test]
fn a_picture_is_cropped_to_what_there_is_to_see() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let near = picture(&view, &[], [[0.0, 4.0, 0.0], [3.0, 4.0, 0.0]]);
    let window = window(&near);
    assert!(window.cells() * 20 < grid.frame().cells(), "{window:?}");
    assert!(near.ends.iter().all(|end| window.index(window.cell_at(end.x, end.z)).is_some()));
}

#[test]
fn films_are_short_and_small_however_long_the_search() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let (answer, _, recording) = searched(&view, VALLEY);
    assert!(recording.expanded().len() > 1000);
    let paths = [DrawnPath {
        name: "up",
        path: answer.path().ok(),
        corridor: None,
        outcome: Outcome::Complete,
    }];
    let animation = film(&picture(&view, &paths, VALLEY), &recording).expect("encoded");
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(animation.bytes())).read_info().expect("a header");
    let info = reader.info();
    assert!(info.width <= 700 && info.height <= 700);
    let control = info.animation_control().expect("animated");
    assert!((60..=120).contains(&control.num_frames) && control.num_plays == 0);
    assert_eq!(control.num_frames, animation.frames());
    let frames = control.num_frames;
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    for _ in 0..frames {
        reader.next_frame(&mut pixels).expect("a whole frame");
    }
    let last = reader.info().frame_control().expect("a last frame");
    assert_eq!((last.delay_num, last.delay_den), (3000, 1000));
    assert!(
        pixels.chunks(4).any(|pixel| pixel[..3] == PATH_COLORS[0]),
        "the way is on the last frame"
    );
}

#[test]
fn a_partial_path_says_that_it_is_and_why() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let (answer, ..) = searched(&view, VALLEY);
    let reason = PathError::Unreachable;
    let partial = Outcome::Partial { reason, gap: 2.5 };
    let path = answer.path().ok();
    for (outcome, words) in
        [(partial, "Partial, ends 2.50 m from the goal; "), (Outcome::Complete, "")]
    {
        let paths = [DrawnPath { name: "way", path, corridor: None, outcome }];
        let picture = picture(&view, &paths, VALLEY);
        let summary = legend::summary_line(&picture);
        assert!(summary.starts_with(words), "{summary}");
        let blocks = PathScene::new(&picture, &()).and_then(|scene| legend::blocks(&scene, &()));
        let blocks = blocks.expect("nobody cancels");
        let labels = blocks[0].rows.iter().map(|row| row.label.as_str());
        let text = labels.collect::<Vec<_>>().join(" ");
        assert_eq!(text.contains(&reason.to_string()), outcome == partial, "{text}");
    }
}
