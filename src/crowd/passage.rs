//! Provides [`Passage`]: the narrow ground that a member has to go through next.

use nalgebra::Point3;

use crate::crowd::member::Member;
use crate::crowd::narrow_ground::{NarrowGround, PathPlace};
use crate::crowd::turn::{MOUTH_WIDTH, is_near};
use crate::follow::norm;
use crate::grid::SpanId;
use crate::view::ViewRef;

/// The narrow ground ahead on a member's path, up to the next ground that has room for several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passage {
    /// How far along the path it begins [m]; 0 for a member that is inside.
    pub entrance: f32,
    /// How long it is [m].
    pub length: f32,
    /// It has no exit: the member's goal is in it.
    ends_inside: bool,
    /// The radius of the body [m].
    radius: f32,
    samples: Vec<Sample>,
    /// The corners of a box around all samples, seen from above [m].
    low: [f32; 2],
    high: [f32; 2],
}

/// A place in a passage.
#[derive(Clone, Copy, Debug)]
struct Sample {
    point: Point3<f32>,
    /// Which way the path goes here, seen from above [unit length].
    direction: [f32; 2],
}

/// Places along a path are this far apart [m].
const SAMPLE_DISTANCE: f32 = 0.4;
/// Passages are looked for this far ahead [m].
const LOOK_AHEAD: f32 = 6.0;
/// A passage goes on behind open ground that is shorter than this along the path [m]: not enough bodies
/// could wait there.
const LEAST_OPEN: f32 = 1.5;
/// What is farther along the passage does not count [m].
const MOST_LENGTH: f32 = 60.0;
/// A body that is nearer to its path than this is on it [m].
const OFF_PATH: f32 = 1.0;
/// Two paths are opposed where the cosine between them is below this.
const OPPOSED: f32 = -0.3;

impl Passage {
    /// Reads the passage ahead of a member; false if there is none near.
    pub(crate) fn read(
        &mut self,
        member: &Member,
        view: &ViewRef,
        narrow: &mut NarrowGround,
    ) -> bool {
        *self = Passage {
            radius: view.agent().radius,
            samples: std::mem::take(&mut self.samples),
            low: [f32::INFINITY; 2],
            high: [f32::NEG_INFINITY; 2],
            ..Passage::default()
        };
        self.samples.clear();
        let waypoints = member.waypoints();
        let to_link = waypoints.iter().position(|waypoint| waypoint.link.is_some());
        let ahead = &waypoints[..to_link.map_or(waypoints.len(), |at| at + 1)];
        // The little that a body was pushed off its path says nothing of where it goes.
        let (mut from, mut along) = (member.position(), 0.0);
        let mut beside = member.following.beside(&member.at);
        if let Some(beside) = beside.take_if(|beside| is_near(*beside - from, OFF_PATH)) {
            let offset = beside - std::mem::replace(&mut from, beside);
            along = norm([offset.x, offset.z]);
        }
        if is_inside(member, view, narrow) {
            along = 0.0;
        }
        let mut points = beside.into_iter().chain(ahead.iter().map(|waypoint| waypoint.point));
        let mut walk = PassageWalk { passage: self, view, narrow, along, open: 0.0, wide: 0.0 };
        let is_over = points.any(|to| walk.segment(std::mem::replace(&mut from, to), to));
        let (along, open) = (walk.along, walk.open);
        self.length = along - self.entrance - open;
        self.ends_inside = !is_over && open == 0.0 && !self.samples.is_empty();
        !self.samples.is_empty()
    }

    /// Where it begins.
    pub(crate) fn begin(&self) -> Point3<f32> {
        self.samples.first().map_or(Point3::origin(), |sample| sample.point)
    }

    /// Places in it, one after the other.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point3<f32>> {
        self.samples.iter().map(|sample| sample.point)
    }

    /// Whether a body that is not inside comes to it near a point.
    pub(crate) fn begins_near(&self, point: &Point3<f32>) -> bool {
        self.entrance > 0.0 && is_near(self.begin() - point, MOUTH_WIDTH * self.radius)
    }

    /// The radius of the body [m].
    pub(crate) fn radius(&self) -> f32 {
        self.radius
    }

    fn add(&mut self, point: Point3<f32>, direction: [f32; 2]) {
        self.samples.push(Sample { point, direction });
        for (axis, at) in [point.x, point.z].into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(at);
            self.high[axis] = self.high[axis].max(at);
        }
    }

    /// Whether two bodies would meet head on somewhere.
    pub(crate) fn is_opposed_to(&self, other: &Passage) -> bool {
        let apart = self.radius + other.radius;
        let is_far = (0..2).any(|axis| {
            self.low[axis] > other.high[axis] + apart || other.low[axis] > self.high[axis] + apart
        });
        !is_far
            && self.samples.iter().any(|own| {
                let opposes = |other: &Sample| {
                    let [one, other_one] = [own.direction, other.direction];
                    let cosine = one[0] * other_one[0] + one[1] * other_one[1];
                    cosine < OPPOSED && is_near(own.point - other.point, apart)
                };
                other.samples.iter().any(opposes)
            })
    }

    /// Whether the body comes by a point in it.
    pub(crate) fn leads_by(&self, point: &Point3<f32>) -> bool {
        self.samples.iter().any(|sample| is_near(sample.point - point, self.radius))
    }

    /// Whether the body would come to rest in another's way, which goes on from there.
    pub(crate) fn ends_in(&self, other: &Passage) -> bool {
        let apart = self.radius + other.radius;
        let end = self.samples.last().filter(|_| self.ends_inside);
        let end_of_other = other.samples.last().filter(|_| other.ends_inside);
        let is_passed_by = |end: &Sample| {
            let is_same = end_of_other.is_some_and(|other| is_near(end.point - other.point, apart));
            let is_near = |other: &Sample| is_near(end.point - other.point, apart);
            !is_same && other.samples.iter().any(is_near)
        };
        end.is_some_and(is_passed_by)
    }
}

/// Walks along a path to find the passage ahead.
struct PassageWalk<'a, 'v> {
    passage: &'a mut Passage,
    view: &'a ViewRef<'v>,
    narrow: &'a mut NarrowGround,
    /// So far [m].
    along: f32,
    /// Since the last narrow ground [m].
    open: f32,
    /// From here on there is room for two bodies for at least as far as this [m].
    wide: f32,
}

impl PassageWalk<'_, '_> {
    /// Walks along a segment; returns true if the passage has ended, or none is near.
    fn segment(&mut self, from: Point3<f32>, to: Point3<f32>) -> bool {
        let offset = to - from;
        let length = norm([offset.x, offset.z]);
        if length <= 0.0 {
            return false;
        }
        let direction = [offset.x, offset.z].map(|part| part / length);
        let steps = (length / SAMPLE_DISTANCE).ceil();
        (0..=steps as u32).any(|step| {
            let point = from + offset * (step as f32 / steps);
            self.place(point, direction, if step == 0 { 0.0 } else { length / steps })
        })
    }

    fn place(&mut self, point: Point3<f32>, direction: [f32; 2], by: f32) -> bool {
        self.along += by;
        self.wide -= by;
        if self.is_narrow(point, direction) {
            if self.passage.samples.is_empty() {
                self.passage.entrance = self.along;
            }
            self.open = 0.0;
            self.passage.add(point, direction);
        } else {
            self.open += by;
        }
        if self.passage.samples.is_empty() {
            self.along >= LOOK_AHEAD
        } else {
            self.open >= LEAST_OPEN || self.along - self.passage.entrance >= MOST_LENGTH
        }
    }

    /// Whether two bodies cannot pass each other here.
    fn is_narrow(&mut self, point: Point3<f32>, direction: [f32; 2]) -> bool {
        if self.wide > 0.0 {
            return false;
        }
        let PassageWalk { view, narrow, .. } = self;
        let Some(span) = view.grid().span_at(point, view.agent().height) else { return false };
        self.wide = wide_for(view, span);
        let at = PathPlace { direction, position: [point.x, point.z] };
        narrow.is_narrow_across(view, span, at)
    }
}

/// How far from any point of a span two bodies can certainly pass each other [m]. Clearance shrinks by no more than
/// the distance between centers of cells, which is up to a diagonal longer than that between the points.
pub(crate) fn wide_for(view: &ViewRef, span: SpanId) -> f32 {
    let clearance = view.grid().clearance(view.agent_id(), span).unwrap_or(0.0);
    clearance - view.agent().radius - 1.5 * view.grid().frame().cell_size
}

/// Whether two cannot pass each other where a member stands.
fn is_inside(member: &Member, view: &ViewRef, narrow: &mut NarrowGround) -> bool {
    let at = member.position();
    let Some(next) = member.waypoints().first() else { return false };
    let offset = [next.point.x - at.x, next.point.z - at.z];
    let direction = offset.map(|part| part / norm(offset).max(f32::MIN_POSITIVE));
    let place = PathPlace { direction, position: [at.x, at.z] };
    narrow.is_narrow_across(view, member.at.span, place)
}
