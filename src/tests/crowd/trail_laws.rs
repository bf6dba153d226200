//! Whoever walks by a plan keeps to its trail: others stand beside it.

use nalgebra::Point3;

use crate::crowd::errand::Errand;
use crate::crowd::walker::joining_point;
use crate::follow::{
    FollowSettings, FollowStep, SAME_STOREY, approach, horizontal_distance, slide_on,
};
use crate::grid::{AgentId, NavGrid, RoomLimit, Rooms, SpanEntry, SpanId, SpanRoom};
use crate::view::{NavPoint, View, ViewRef};

const DT: f32 = 1.0 / 30.0;
const CELL: f32 = 0.3;

/// Walks a trail from its first point, and returns everywhere that it comes to in 30 seconds.
fn walk(view: &ViewRef, trail: &[NavPoint]) -> Vec<Point3<f32>> {
    let settings = FollowSettings::default();
    let mut errand = Errand::new(trail.to_vec());
    let (mut at, mut velocity) = (trail[0], [0.0; 2]);
    let step = |_| {
        let desired = errand.velocity(view, &at, FollowStep { settings: &settings, dt: DT });
        velocity = approach(velocity, [desired.x, desired.z], settings.acceleration * DT);
        at = slide_on(view, at, velocity.map(|v| v * DT));
        at.point
    };
    (0..900).map(step).collect()
}

/// An open room of so many cells to each side.
pub(crate) fn room(side: usize) -> NavGrid {
    let rows = vec![".".repeat(side); side].join("\n");
    NavGrid::from_map(
        &format!("type octile\nheight {side}\nwidth {side}\nmap\n{rows}\n"),
        CELL,
        &[],
    )
    .expect("a map")
}

/// The middles of cells, by column and row.
pub(crate) fn trail(view: &ViewRef, cells: impl Iterator<Item = [usize; 2]>) -> Vec<NavPoint> {
    let middle = |[column, row]: [usize; 2]| {
        let [x, z] = [column, row].map(|cell| CELL * (cell as f32 + 0.5));
        let (span, point) =
            view.view.nearest_walkable(Point3::new(x, 0.0, z), SAME_STOREY).expect("open ground");
        NavPoint { span, point }
    };
    cells.map(middle).collect()
}

/// In an open room, where a body could cut every corner, it neither does so nor swings out behind one.
#[test]
fn corners_in_the_open_are_not_cut() {
    let grid = room(30);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let along = (5..20).map(|column| [column, 5]);
    let across = (6..20).map(|row| [19, row]);
    let back = (8..19).rev().map(|column| [column, 19]);
    let trail = trail(&view, along.chain(across).chain(back));
    let track = walk(&view, &trail);
    let off = |at: &Point3<f32>| {
        trail.iter().map(|point| horizontal_distance(&point.point, at)).fold(f32::MAX, f32::min)
    };
    let farthest = track.iter().map(off).fold(0.0, f32::max);
    assert!(farthest < 0.3, "{farthest} m off the trail");
    let (end, goal) = (track.last().expect("a place"), trail.last().expect("an end"));
    assert!(horizontal_distance(end, &goal.point) < 0.02, "{end} is not the end");
}

/// A trail that leads out and back the same way is walked to where it turns.
#[test]
fn the_way_out_and_back_is_walked_to_its_end() {
    let grid = room(30);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let trail = trail(&view, (5..15).chain((5..14).rev()).map(|column| [column, 5]));
    let track = walk(&view, &trail);
    let turn = trail[9].point;
    let nearest = track.iter().map(|at| horizontal_distance(at, &turn)).fold(f32::MAX, f32::min);
    assert!(nearest < 0.2, "{nearest} m short of the turn");
    let end = track.last().expect("a place");
    assert!(horizontal_distance(end, &trail[0].point) < 0.02, "{end} is not the end");
}

/// Ground where bodies come from cell to cell over the middles of both only.
pub(crate) fn narrow(side: usize) -> NavGrid {
    let mut parts = room(side).into_parts();
    let limit = |normal| RoomLimit { normal, distance: 0.1 };
    let limited = |span| {
        let mut limits = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].map(limit).to_vec();
        SpanEntry { span, value: SpanRoom::within(&mut limits, 0.0) }
    };
    let limited: Vec<_> = (0..parts.spans.len() as u32).map(SpanId).map(limited).collect();
    parts.layers[0].rooms = Rooms::new(parts.spans.len(), &limited);
    NavGrid::new(parts).expect("a sound grid")
}

/// Where room ends right beside a trail, a body a little off it goes back onto it, and to rest there; and if it gets no
/// farther for long, straight on.
#[test]
fn who_is_off_its_trail_goes_back_onto_it() {
    let grid = narrow(10);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let trail = trail(&view, (2..6).map(|column| [column, 5]));
    let at = slide_on(&view, trail[0], [-0.02, 0.02]);
    let settings = FollowSettings::default();
    let mut errand = Errand::new(trail.clone());
    let mut next = || {
        let velocity = errand.velocity(&view, &at, FollowStep { settings: &settings, dt: DT });
        at.point + velocity * DT
    };
    let away = |point: Point3<f32>| horizontal_distance(&point, &trail[0].point);
    let steps: Vec<f32> = (0..150).map(|_| away(next())).collect();
    assert!(steps[..100].iter().all(|away| *away < 0.02), "it goes back, and not past the trail");
    assert!(steps[125] > 0.05, "it goes straight on");
}

/// Bodies that come around corners are carried on sideways. Where the ground is no wider than a line they get on
/// all the same, and without long stops at each corner.
#[test]
fn trails_no_wider_than_a_line_are_walked_to_their_end() {
    let grid = narrow(12);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let along = (2..6).map(|column| [column, 2]);
    let across = (3..7).map(|row| [5, row]);
    let trail = trail(&view, along.chain(across).chain([[6, 6], [7, 6]]));
    let goal = trail.last().expect("an end").point;
    let track = walk(&view, &trail);
    let end = track.last().expect("a place");
    assert!(horizontal_distance(end, &goal) < 0.02, "{end} is not the end, {goal}");
    let steps = track.iter().take_while(|at| horizontal_distance(at, &goal) > 0.02).count();
    assert!(steps < 150, "after {steps} steps");
}

/// Who has come to a place counts as there, and goes on from there: the way back may be another's by now.
#[test]
fn what_is_behind_a_place_is_left_behind() {
    let grid = room(30);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let trail = trail(&view, [[5, 5], [12, 5], [12, 12]].into_iter());
    let settings = FollowSettings::default();
    let towards_end = |errand: &mut Errand| {
        let velocity =
            errand.velocity(&view, &trail[0], FollowStep { settings: &settings, dt: DT });
        velocity.z > 0.1
    };
    let mut errand = Errand::new(trail.clone());
    assert!(!towards_end(&mut errand), "it goes to the corner first");
    errand.come_to(&trail[1]);
    assert_eq!(errand.ahead(), &trail[1..]);
    errand.come_to(&trail[2]);
    assert!(towards_end(&mut errand), "straight to the end");
}

/// Between two points of a trail a body goes on to the second.
#[test]
fn trails_are_joined_ahead() {
    let grid = room(30);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let points = trail(&view, [[5, 5], [15, 5], [15, 15]].into_iter());
    let joins_at = |cell| joining_point(&view, &trail(&view, [cell].into_iter())[0], &points);
    assert_eq!(joins_at([4, 5]), Some(0));
    assert_eq!(joins_at([7, 5]), Some(1), "nearer to the first point");
    assert_eq!(joins_at([14, 9]), Some(2));
}

/// Steps of a plan meet in a point that both have: a turn there is one all the same, and is braked for.
#[test]
fn turns_between_two_steps_are_braked_for() {
    let grid = room(40);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let trail = trail(&view, [[5, 5], [25, 5], [25, 5], [25, 15]].into_iter());
    let track = walk(&view, &trail);
    let corner = trail[1].point;
    let past = track.iter().map(|at| at.x - corner.x).fold(0.0, f32::max);
    assert!(past < 0.3, "{past} m past the turn");
    let end = track.last().expect("a place");
    assert!(horizontal_distance(end, &trail[3].point) < 0.02, "{end} is not the end");
}
