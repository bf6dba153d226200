//! Whoever goes after another by a plan may set out once their ways are clear of each other.

use nalgebra::Point3;

use crate::crowd::clear_way::Way;
use crate::grid::SpanId;
use crate::view::NavPoint;

/// Bodies must not come nearer to each other than this [m].
const APART: f32 = 0.54;

/// Points on level ground, by x and z.
fn points(places: &[[f32; 2]]) -> Vec<NavPoint> {
    let point = |&[x, z]: &[f32; 2]| NavPoint { span: SpanId(0), point: Point3::new(x, 0.0, z) };
    places.iter().map(point).collect()
}

/// Whether one body can set out on its way while another is on its own.
fn is_clear(own: &[[f32; 2]], other: &[[f32; 2]]) -> bool {
    let [own, other] = [points(own), points(other)];
    let [own, other] = [way(&own), way(&other)];
    own.is_clear_of(other, APART, (own.from - other.from).norm())
}

fn way(points: &[NavPoint]) -> Way<'_> {
    Way { from: points[0].point, points: &points[1..] }
}

#[test]
fn who_goes_ahead_has_to_be_gone() {
    assert!(!is_clear(&[[0.0, 0.0], [1.0, 0.0]], &[[1.1, 0.0], [2.0, 0.0]]));
    assert!(is_clear(&[[0.0, 0.0], [1.0, 0.0]], &[[1.6, 0.0], [2.0, 0.0]]));
}

/// It ran past the place where its way turns off, and has to come back to there.
#[test]
fn who_has_to_come_back_is_waited_for() {
    let own = [[0.0, 0.0], [1.0, 0.0]];
    assert!(!is_clear(&own, &[[1.8, 0.0], [1.0, 0.0], [1.0, 1.0]]));
    assert!(is_clear(&own, &[[1.8, 0.0]]), "it stays there");
}

/// A body that stands close to another may go away from it.
#[test]
fn leaving_is_never_in_the_way() {
    assert!(is_clear(&[[0.0, 0.0], [-1.0, 0.0]], &[[0.4, 0.0]]));
    assert!(!is_clear(&[[0.0, 0.0], [1.0, 0.0]], &[[0.4, 0.0]]));
}

/// Points may be far from each other: what counts is the way between them.
#[test]
fn ways_that_cross_are_not_clear() {
    assert!(!is_clear(&[[0.0, 0.0], [4.0, 0.0]], &[[2.0, -2.0], [2.0, 2.0]]));
    assert!(is_clear(&[[0.0, 0.0], [4.0, 0.0]], &[[2.0, -2.0], [2.0, -0.6]]));
}
