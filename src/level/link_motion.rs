//! Provides [`LinkMotion`]: how a body moves along a lane of a link.

use nalgebra::{Point3, Vector3};

use super::link::{Link, LinkKind, LinkLane};

/// How a body moves along a lane of a link: where its feet are, from the start to the end.
///
/// - A *jump* flies: a parabola that rises above its higher end by the lane's apex; without one, by an
///   eighth of its length, and at least 0.2 m.
/// - A *drop* first goes level over the edge for the lane's run-up, then flies without a leap.
/// - A *climb* goes straight up until it is above its higher end by the apex, then over it, then down.
/// - All others go straight.
///
/// ```
/// use surefoot::grid::{Link, LinkKind, LinkLane, LinkMotion, SpanId};
/// let ends = [[0.0, 0.0, 0.0].into(), [3.0, 0.0, 0.0].into()];
/// let jump = Link::new("gap", LinkKind::Jump, ends);
/// let lane = LinkLane { apex: 0.5, ..LinkLane::new([SpanId(0), SpanId(7)]) };
/// let motion = LinkMotion::new(&jump, &lane, ends, 2.0);
/// assert!((motion.duration() - 2.0 * (2.0 * 0.5 / LinkMotion::GRAVITY).sqrt()).abs() < 1e-6);
/// assert!((motion.position(0.5 * motion.duration()).y - 0.5).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkMotion {
    /// Only the first `count` are used. The rest repeat one of them.
    phases: [Phase; MOST_PHASES],
    count: usize,
}

/// The most parts that a motion has.
const MOST_PHASES: usize = 3;

/// A part of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Phase {
    from: Point3<f32>,
    to: Point3<f32>,
    /// How long it takes [s].
    seconds: f32,
    /// Velocity at its start, if the body flies [m/s].
    launch: Option<Vector3<f32>>,
}

/// The least speed that a motion is timed with [m/s].
const LEAST_SPEED: f32 = 1e-3;
/// The usual apex of a jump by its length.
const APEX_BY_LENGTH: f32 = 0.125;
/// A flight that takes less time than this goes straight [s].
const SHORTEST_FLIGHT: f32 = 1e-3;
/// The most pieces that a flight is cut into.
const MOST_PIECES: f32 = 4096.0;

impl LinkMotion {
    /// The gravity that flights are baked for [m/s²].
    pub const GRAVITY: f32 = 9.81;

    /// The least apex of a generated jump [m].
    pub const LEAST_APEX: f32 = 0.2;

    /// The apex of a jump of some length [m] where nothing is in the way: an eighth of it, and at least
    /// [`LinkMotion::LEAST_APEX`].
    pub fn usual_apex(length: f32) -> f32 {
        (APEX_BY_LENGTH * length).max(Self::LEAST_APEX)
    }

    /// The motion along a lane of a link between two points, in the direction of the link, by a body
    /// that walks and climbs at a speed [m/s, > 0].
    pub fn new(link: &Link, lane: &LinkLane, ends: [Point3<f32>; 2], speed: f32) -> Self {
        let [from, to] = ends;
        let speed = speed.max(LEAST_SPEED);
        let line = |from: Point3<f32>, to: Point3<f32>| Phase {
            from,
            to,
            seconds: (to - from).norm() / speed,
            launch: None,
        };
        match link.kind {
            LinkKind::Jump => {
                let usual = || LinkMotion::usual_apex((to - from).norm());
                let apex = if lane.apex > 0.0 { lane.apex } else { usual() };
                LinkMotion::of([Phase::flight(ends, apex)])
            }
            LinkKind::Drop => {
                let launch = lane.launch(ends);
                LinkMotion::of([line(from, launch), Phase::flight([launch, to], lane.apex)])
            }
            LinkKind::Climb => {
                let top = from.y.max(to.y) + lane.apex;
                let [above, over] = ends.map(|end| Point3::new(end.x, top, end.z));
                LinkMotion::of([line(from, above), line(above, over), line(over, to)])
            }
            _ => LinkMotion::of([line(from, to)]),
        }
    }

    /// A motion of some phases, at least one.
    fn of<const N: usize>(own: [Phase; N]) -> Self {
        let phases = std::array::from_fn(|at| own[at.min(N - 1)]);
        LinkMotion { phases, count: N }
    }

    fn phases(&self) -> &[Phase] {
        &self.phases[..self.count]
    }

    fn last(&self) -> &Phase {
        &self.phases[self.count - 1]
    }

    /// The same motion against its direction.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.phases[..self.count].reverse();
        for phase in &mut self.phases {
            let arrival = phase.launch.map(|launch| launch + phase.seconds * gravity());
            std::mem::swap(&mut phase.from, &mut phase.to);
            phase.launch = arrival.map(|arrival| -arrival);
        }
        self
    }

    /// How long it takes [s].
    pub fn duration(&self) -> f32 {
        self.phases().iter().map(|phase| phase.seconds).sum()
    }

    /// Where the feet are some time after the start [s], clamped to the motion.
    pub fn position(&self, seconds: f32) -> Point3<f32> {
        self.at(seconds).map_or(self.last().to, |(phase, seconds)| phase.position(seconds))
    }

    /// The velocity of the body some time after the start [s] [m/s]; at the end that with which it lands.
    pub fn velocity(&self, seconds: f32) -> Vector3<f32> {
        let last = self.last();
        let (phase, seconds) = self.at(seconds).unwrap_or((last, last.seconds));
        phase.velocity(seconds)
    }

    /// The phase some time after the start [s], and the time since its own start [s]; `None` at the end.
    fn at(&self, seconds: f32) -> Option<(&Phase, f32)> {
        let mut left = seconds.max(0.0);
        for phase in self.phases() {
            if left < phase.seconds {
                return Some((phase, left));
            }
            left -= phase.seconds;
        }
        None
    }

    /// Points along the motion, its ends included: the ends of what is straight, and of flights at least
    /// one for every so many seconds [> 0].
    pub fn corners(&self, interval: f32) -> Vec<Point3<f32>> {
        let mut corners = vec![self.phases[0].from];
        for phase in self.phases() {
            let pieces = match phase.launch {
                Some(_) => (phase.seconds / interval).ceil().clamp(1.0, MOST_PIECES),
                None => 1.0,
            };
            let inner = (1..pieces as u32).map(|at| phase.seconds * at as f32 / pieces);
            corners.extend(inner.map(|seconds| phase.position(seconds)));
            corners.push(phase.to);
        }
        corners
    }

    /// Where the body leaves the ground, and its velocity there [m/s]; `None` if it does not fly.
    pub fn launch(&self) -> Option<(Point3<f32>, Vector3<f32>)> {
        self.phases().iter().find_map(|phase| Some((phase.from, phase.launch?)))
    }
}

impl LinkLane {
    /// Where a body leaves the ground on the lane between two points.
    pub(crate) fn launch(&self, [from, to]: [Point3<f32>; 2]) -> Point3<f32> {
        let along = Vector3::new(to.x - from.x, 0.0, to.z - from.z);
        let length = along.norm();
        if length > 0.0 { from + along * (self.run_up.min(length) / length) } else { from }
    }
}

impl Phase {
    /// A flight that rises above its higher end by an apex [m].
    fn flight([from, to]: [Point3<f32>; 2], apex: f32) -> Self {
        let top = from.y.max(to.y) + apex.max(0.0);
        let fall_time = |height: f32| (2.0 * height / LinkMotion::GRAVITY).sqrt();
        let rising = fall_time(top - from.y);
        let seconds = rising + fall_time(top - to.y);
        if seconds < SHORTEST_FLIGHT {
            return Phase { from, to, seconds: (to - from).norm(), launch: None };
        }
        let mut launch = (to - from) / seconds;
        launch.y = LinkMotion::GRAVITY * rising;
        Phase { from, to, seconds, launch: Some(launch) }
    }

    fn position(&self, seconds: f32) -> Point3<f32> {
        match self.launch {
            Some(launch) => self.from + seconds * launch + 0.5 * seconds * seconds * gravity(),
            // Only within its time, so that is not 0.
            None => self.from + (self.to - self.from) * (seconds / self.seconds),
        }
    }

    fn velocity(&self, seconds: f32) -> Vector3<f32> {
        match self.launch {
            Some(launch) => launch + seconds * gravity(),
            None if self.seconds > 0.0 => (self.to - self.from) / self.seconds,
            None => Vector3::zeros(),
        }
    }
}

fn gravity() -> Vector3<f32> {
    Vector3::new(0.0, -LinkMotion::GRAVITY, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::SpanId;

    fn motion(kind: LinkKind, run_up: f32, apex: f32, ends: [Point3<f32>; 2]) -> LinkMotion {
        let lane = LinkLane { run_up, apex, ..LinkLane::new([SpanId(0), SpanId(1)]) };
        LinkMotion::new(&Link::new("link", kind, ends), &lane, ends, 2.0)
    }

    #[test]
    fn motions_begin_and_end_where_they_should() {
        let ends = [Point3::new(1.0, 3.0, 0.0), Point3::new(4.0, 1.0, 4.0)];
        for kind in LinkKind::ALL {
            let there = motion(kind, 0.5, 0.25, ends);
            let back = there.reversed();
            let last = there.duration();
            assert!((there.duration() - back.duration()).abs() < 1e-5);
            for step in 0..=20 {
                let at = last * step as f32 / 20.0;
                let off = there.position(at) - back.position(last - at);
                assert!(off.norm() < 1e-4, "{kind:?} {step}: {off}");
            }
            for step in 0..20 {
                let [at, soon] = [0, 1].map(|more| last * (step + more) as f32 / 20.0);
                let middle = there.velocity(0.5 * (at + soon));
                let moved = (there.position(soon) - there.position(at)) / (soon - at);
                // But where one phase ends and the next begins.
                let is_smooth = (there.velocity(at) - there.velocity(soon)).norm() < 1.5;
                assert!(!is_smooth || (moved - middle).norm() < 0.1, "{kind:?} {step}");
            }
            assert!((there.position(0.0) - ends[0]).norm() < 1e-6);
            assert!((there.position(last) - ends[1]).norm() < 1e-5);
        }
    }

    #[test]
    fn a_drop_goes_level_first_and_falls_freely_then() {
        let ends = [Point3::new(0.0, 4.905, 0.0), Point3::new(3.0, 0.0, 0.0)];
        let drop = motion(LinkKind::Drop, 1.0, 0.0, ends);
        let (launch, velocity) = drop.launch().expect("it flies");
        assert!((launch - Point3::new(1.0, 4.905, 0.0)).norm() < 1e-6);
        assert!((velocity - Vector3::new(2.0, 0.0, 0.0)).norm() < 1e-5);
        assert!((drop.duration() - 1.5).abs() < 1e-5);
    }

    #[test]
    fn straight_down_needs_no_speed() {
        let ends = [Point3::new(0.0, 2.0, 0.0), Point3::new(1.0, 0.0, 0.0)];
        let (launch, velocity) = motion(LinkKind::Drop, 9.0, 0.0, ends).launch().expect("it flies");
        assert_eq!((launch.x, velocity.norm()), (1.0, 0.0));
    }
}
