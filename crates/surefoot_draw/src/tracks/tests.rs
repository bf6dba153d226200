//! Pictures of tracks over made-up country, looked at pixel by pixel.

use nalgebra::{Point3, Vector2};

use surefoot::agent::Agent;
use surefoot::grid::{Cell, GridFrame, NavGrid, SpanId};
use surefoot::view::View;

use super::super::canvas::{Canvas, MapTransform, PixelPoint};
use super::super::marks::TrackEnd;
use super::super::palette::{HAIRLINE, OUT_OF_REACH, Rgb, TRACK_ENDS, time_tint};
use super::super::samples::country;
use super::super::{Image, Picture};
use super::scene::{TrackScene, floor_under};
use super::tally::{Tally, Tone, TrackSegment};
use super::{Track, TrackPicture, track_picture};

/// Level ground of 30 by 6 m.
fn meadow() -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 120, size_z: 24 };
    NavGrid::from_heights(frame, &[0.0; 2880], &[Agent::new("human")]).expect("level ground")
}

fn view(grid: &NavGrid) -> View {
    View::new(grid, "human").expect("there")
}

/// A track along straight lines at an even pace, over the floors that are highest or lowest.
fn track(grid: &NavGrid, corners: &[[f32; 2]], high: bool) -> Track {
    let mut points = Vec::new();
    for pair in corners.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(Vector2::from);
        points.extend((0..=100).map(|at| {
            let at = from.lerp(&to, at as f32 / 100.0);
            let mut column = grid.column_spans(grid.frame().cell_at(at.x, at.y));
            let span = if high { column.next_back() } else { column.next() };
            let floor = span.map_or(0.0, |span| grid.spans()[span as usize].floor);
            Point3::new(at.x, floor, at.y)
        }));
    }
    Track { points, radius: 0.3, end: TrackEnd::Arrived }
}

fn picture<'a>(view: &'a View, tracks: &'a [Track]) -> TrackPicture<'a> {
    TrackPicture { view, title: "", tracks, interval: 0.1 }
}

fn drawn(grid: &NavGrid, tracks: &[Track]) -> Picture {
    track_picture(&picture(&view(grid), tracks))
}

fn color_at(picture: &Picture, at: [f32; 2], aside: [f32; 2]) -> Rgb {
    let place = picture.transform.to_pixels([at[0], 0.0, at[1]]);
    let (x, y) = ((place.x + aside[0]) as u32, (place.y + aside[1]) as u32);
    picture.image.pixel(x, y).expect("on the picture")
}

/// How far two colors are apart.
fn apart(one: Rgb, other: Rgb) -> f32 {
    one.iter().zip(other).map(|(&a, b)| (f32::from(a) - f32::from(b)).powi(2)).sum::<f32>().sqrt()
}

/// The time whose color is nearest, in tenths of the run.
fn time_of(color: Rgb) -> usize {
    let off = |&tenth: &usize| apart(color, time_tint(tenth as f32 / 10.0));
    (0..=10).min_by(|a, b| off(a).total_cmp(&off(b))).expect("ten")
}

fn scene_of<'a>(picture: &'a TrackPicture<'a>) -> TrackScene<'a> {
    TrackScene::new(picture, &()).expect("nobody cancels")
}

#[test]
fn a_line_has_the_colors_of_its_times() {
    let grid = meadow();
    let drawn = drawn(&grid, &[track(&grid, &[[3.0, 2.6], [27.0, 2.6]], true)]);
    for tenth in 1..10 {
        let color = color_at(&drawn, [3.0 + 2.4 * tenth as f32, 2.6], [0.0; 2]);
        assert_eq!(time_of(color), tenth, "{color:?}");
        assert!(apart(color, time_tint(tenth as f32 / 10.0)) < 20.0, "{color:?}");
    }
}

#[test]
fn stragglers_do_not_use_up_the_colors() {
    let grid = meadow();
    let mut tracks = vec![track(&grid, &[[3.0, 2.6], [27.0, 2.6]], true); 19];
    let last = tracks[0].points[100];
    tracks[0].points.extend([last; 900]);
    let drawn = drawn(&grid, &tracks);
    assert_eq!(time_of(color_at(&drawn, [22.2, 2.6], [0.0; 2])), 8);
}

#[test]
fn no_track_hides_another() {
    let grid = meadow();
    let early = track(&grid, &[[15.1, 2.0], [15.1, 5.5], [3.0, 5.5]], true);
    let late = track(&grid, &[[3.0, 1.0], [3.0, 3.1], [20.0, 3.1]], true);
    let one = drawn(&grid, &[early.clone(), late.clone()]);
    let other = drawn(&grid, &[late, early]);
    let crossing = [[15.1, 3.1], [15.1, 4.0], [14.0, 3.1]];
    let colors = crossing.map(|at| color_at(&one, at, [0.0; 2]));
    assert_eq!(crossing.map(|at| color_at(&other, at, [0.0; 2])), colors);
    assert_eq!(colors.map(time_of), [5, 3, 8]);
}

#[test]
fn bodies_are_as_large_as_they_are_in_the_color_of_their_end() {
    let grid = meadow();
    let ends = TrackEnd::ALL;
    let tracks: Vec<Track> = [1.5, 3.0, 4.5]
        .into_iter()
        .zip(ends)
        .map(|(z, end)| Track { radius: 0.5, end, ..track(&grid, &[[3.0, z], [20.0, z]], true) })
        .collect();
    let drawn = drawn(&grid, &tracks);
    let radius = 0.5 * drawn.transform.scale;
    for (track, color) in tracks.iter().zip(TRACK_ENDS) {
        let at = [20.0, track.points[0].z];
        let near = |reach: f32| color_at(&drawn, at, [reach, 0.0]);
        assert!(apart(near(radius - 0.8), color) < 30.0, "{:?}", track.end);
        assert!(apart(near(radius / 2.0), color) > 10.0, "the ground is seen through");
        let stuck = track.end == TrackEnd::Stuck;
        assert_eq!(apart(near(radius + 3.0), color) < 60.0, stuck, "{:?}", track.end);
        assert!(apart(near(radius + 7.0), color) > 80.0);
    }
}

#[test]
fn a_track_counts_once_for_a_place() {
    let segment = |from: [f32; 2], to: [f32; 2]| TrackSegment {
        ends: [PixelPoint::from(from), PixelPoint::from(to)],
        time: 0.5,
    };
    let there = segment([2.0, 5.5], [18.0, 5.5]);
    let back = segment([18.0, 5.5], [2.0, 5.5]);
    let laid = |tracks: &[&[TrackSegment]]| {
        let mut tally = Tally::new([20, 10]);
        tracks.iter().for_each(|segments| tally.count(segments, 3.0));
        let transform = MapTransform { origin: [0.0; 2], corner: PixelPoint::origin(), scale: 1.0 };
        let mut canvas = Canvas::new(Image::new(20, 10, [255; 3]), transform);
        tally.lay(&mut canvas, |tracks| tracks / 4.0);
        (tally.busiest(), canvas.into_image())
    };
    let once = laid(&[&[there]]);
    assert_eq!(once.0, 1.0);
    assert_eq!(laid(&[&[there, back, there]]), once);
    let twice = laid(&[&[there], &[back]]);
    assert_eq!(twice.0, 2.0);
    assert!(apart(twice.1.pixels()[110], once.1.pixels()[110]) > 50.0);
}

#[test]
fn lines_are_seen_however_many_there_are_and_more_the_more_there_are() {
    for busiest in [1.0, 2.0, 14.0, 60.0, 5000.0] {
        let tone = Tone { busiest };
        assert!(tone.strength(1.0) > 0.3);
        let steps: Vec<f32> = (0..60).map(|at| tone.strength(1.2f32.powi(at) / 4.0)).collect();
        assert!(steps.is_sorted() && steps.iter().all(|part| (0.0..=1.0).contains(part)));
        assert_eq!(tone.strength(busiest), tone.strength(2.0 * busiest));
    }
}

#[test]
fn tracks_beneath_a_floor_that_is_walked_on_are_dashed() {
    let grid = country(&[Agent::new("human")]);
    let below = track(&grid, &[[14.1, -6.0], [14.1, 8.0]], false);
    let above = track(&grid, &[[2.0, 1.1], [12.0, 1.1]], true);
    let (view, tracks) = (view(&grid), [below, above]);
    let both = picture(&view, &tracks);
    let scene = scene_of(&both);
    // Nobody walks on this part of the deck, but it hangs together with the part somebody does.
    assert!(scene.hides(tracks[0].points[50]) && !scene.hides(tracks[0].points[5]));
    assert!(tracks[1].points.iter().all(|&point| !scene.hides(point)));
    let alone = picture(&view, &tracks[..1]);
    let scene = scene_of(&alone);
    assert!(tracks[0].points.iter().all(|&point| !scene.hides(point)));

    let tone = |tracks: &TrackPicture| {
        let picture = track_picture(tracks);
        let mut points = tracks.tracks[0].points[47..65].iter();
        points.all(|point| {
            let color = color_at(&picture, [point.x, point.z], [0.0; 2]);
            apart(color, time_tint(0.5)) < 60.0
        })
    };
    assert!(tone(&alone) && !tone(&both));
}

#[test]
fn a_storey_is_shown_whole_where_somebody_walks_on_it() {
    let grid = country(&[Agent::new("human")]);
    let mut tracks =
        [[-7.0, -10.0], [-3.0, -13.0]].map(|[x, z]| track(&grid, &[[x, z], [x + 0.5, z]], false));
    let middle = grid.frame().cell_at(-6.0, -10.0);
    let floors: Vec<SpanId> = grid.column_spans(middle).map(SpanId).collect();
    let shown =
        |tracks: &[Track]| scene_of(&picture(&view(&grid), tracks)).ground.cutaway.at(middle);
    assert_eq!(shown(&tracks), Some(floors[0]));
    tracks[1].points.iter_mut().for_each(|point| point.y += 3.2);
    assert_eq!(shown(&tracks), Some(floors[1]), "upstairs, however near the other");
}

#[test]
fn unreachable_ground_is_marked() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let from_roof = track(&grid, &[[-9.0, -10.0], [8.0, -10.0]], true);
    let ground = floor_under(&grid, from_roof.points[100]).expect("ground");
    let mut from_ground = from_roof.clone();
    from_ground.points.reverse();
    let in_reach = |tracks: &[Track]| scene_of(&picture(&view, tracks)).ground.in_reach(ground);
    assert!(!in_reach(std::slice::from_ref(&from_roof)), "no way leads down");
    let image = drawn(&grid, std::slice::from_ref(&from_roof)).image;
    assert!(image.pixels().contains(&OUT_OF_REACH));
    assert!(in_reach(&[from_roof, from_ground]));
}

#[test]
fn a_picture_is_cropped_to_the_tracks_or_shows_all() {
    let grid = country(&[Agent::new("human")]);
    let view = view(&grid);
    let near = [track(&grid, &[[0.0, 0.0], [3.0, 3.0]], true)];
    let window = |tracks: &[Track]| scene_of(&picture(&view, tracks)).ground.window;
    let cropped = window(&near);
    assert!(cropped.cells() * 20 < grid.frame().cells(), "{cropped:?}");
    let inside = |point: &Point3<f32>| cropped.index(cropped.cell_at(point.x, point.z)).is_some();
    assert!(near[0].points.iter().all(inside));
    let far = [near[0].clone(), track(&grid, &[[-54.0, -39.0], [54.0, 39.0]], true)];
    assert_eq!(window(&far), *grid.frame());
    assert_eq!(window(&[]), *grid.frame());
}

#[test]
fn points_that_are_no_places_leave_gaps() {
    let grid = meadow();
    let whole = track(&grid, &[[3.0, 2.6], [27.0, 2.6]], true);
    let line = |picture: &Picture, x: f32| {
        let ground = color_at(picture, [x, 1.1], [0.0; 2]);
        apart(color_at(picture, [x, 2.6], [0.0; 2]), ground) > 60.0
    };
    for nowhere in [f32::NAN, f32::INFINITY, -1e30, 500.0] {
        let mut track = whole.clone();
        track.points[40..60].iter_mut().for_each(|point| point.x = nowhere);
        track.points.push(Point3::new(nowhere, nowhere, nowhere));
        let picture = drawn(&grid, &[track]);
        assert_eq!([8.1, 16.1, 22.1].map(|x| line(&picture, x)), [true, false, true], "{nowhere}");
        // The body is where it was last seen.
        let body = color_at(&picture, [27.0, 2.6], [0.3 * picture.transform.scale - 0.8, 0.0]);
        assert!(apart(body, TRACK_ENDS[0]) < 30.0);
    }
}

#[test]
fn strange_tracks_are_drawn_without_a_fuss() {
    let grid = meadow();
    let sound = track(&grid, &[[3.0, 2.6], [27.0, 2.6]], true);
    let nowhere = Point3::new(f32::NAN, 0.0, 3.0);
    let strange = [
        Track { points: Vec::new(), ..sound.clone() },
        Track { points: vec![nowhere; 3], ..sound.clone() },
        Track { points: vec![Point3::new(-900.0, 0.0, 2.0); 5], ..sound.clone() },
    ];
    let only = drawn(&grid, &strange);
    let all = GridFrame { size_x: 0, size_z: 0, ..*grid.frame() };
    assert_eq!(only.transform.scale, drawn(&grid, &[]).transform.scale);
    for radius in [f32::NAN, -3.0, 0.0, f32::INFINITY] {
        drawn(&grid, &[Track { radius, ..sound.clone() }]);
    }
    let one = Track { points: vec![sound.points[0]], ..sound.clone() };
    let image = drawn(&grid, std::slice::from_ref(&one)).image;
    assert!(image.pixels().contains(&TRACK_ENDS[0]) && image.pixels().contains(&HAIRLINE));
    for interval in [f32::NAN, 0.0, -1.0, f32::INFINITY] {
        let tracks = [one.clone()];
        track_picture(&TrackPicture { interval, ..picture(&view(&grid), &tracks) });
    }
    let empty = NavGrid::from_heights(all, &[], &[Agent::new("human")]).expect("no cells");
    drawn(&empty, &[sound]);
    drawn(&empty, &[]);
}

#[test]
fn a_body_in_the_air_is_over_the_floor_beneath_it() {
    let grid = country(&[Agent::new("human")]);
    let ground = grid.column_spans(grid.frame().cell_at(14.1, 1.1)).next().map(SpanId);
    let low = track(&grid, &[[14.1, 1.1], [14.2, 1.1]], false).points[0];
    assert_eq!(floor_under(&grid, low), ground);
    assert_eq!(floor_under(&grid, Point3::new(low.x, low.y + 0.8, low.z)), ground);
    assert_eq!(floor_under(&grid, Point3::new(low.x, f32::NAN, low.z)), None);
}
