//! Provides [`Way`]: where a body goes next, and whether another can go its own way meanwhile.

use nalgebra::Point3;

use crate::view::NavPoint;

/// Where a body goes: from a point to others, straight from one to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub from: Point3<f32>,
    pub points: &'a [NavPoint],
}

/// Two ways are compared this often [m].
const SAMPLE: f32 = 0.1;

impl<'a> Way<'a> {
    /// Whether two bodies are never nearer to each other than some distance [m], wherever each is on its way;
    /// or no nearer than they are now.
    pub(crate) fn is_clear_of(self, other: Way, apart: f32, now: f32) -> bool {
        let least = apart.min(now);
        self.samples().all(|own| other.samples().all(|other| (own - other).norm() >= least))
    }

    fn samples(self) -> impl Iterator<Item = Point3<f32>> + 'a {
        let mut begin = self.from;
        let rest = self.points.iter().flat_map(move |to| {
            let from = std::mem::replace(&mut begin, to.point);
            let parts = ((to.point - from).norm() / SAMPLE).ceil().max(1.0);
            (1..=parts as u32).map(move |part| from + (to.point - from) * (part as f32 / parts))
        });
        std::iter::once(self.from).chain(rest)
    }
}
