//! Headroom: how high a body may be where the agent's own is too high.

use nalgebra::Point3;
use parry3d::math::Vector;

use surefoot_rapier::Body;
use surefoot_rapier::distance::{Bounds, ConvexObstacle, CoreShape, LANES};

use super::passage::four_of;

/// The headroom is known to so much [m].
const PRECISION: f32 = 5e-4;

/// Where to look for headroom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadroomQuery {
    /// The body that the others are as wide and lifted as far as, one of the tile's probes.
    pub probe: usize,
    /// Where its feet are, and where they move in a straight line.
    pub feet: [Point3<f32>; 2],
    /// Higher bodies do not matter [m].
    pub most: f32,
}

/// Bodies of all heights in straight motion.
pub(super) struct HeadroomSearch<F> {
    lowest: Body,
    query: HeadroomQuery,
    /// An obstacle by its index.
    obstacle: F,
}

impl HeadroomQuery {
    /// Returns the box that the cores of all bodies sweep over, given the probe's.
    pub(super) fn bounds(&self, body: &Body) -> Bounds {
        let [a, b] = self.feet.map(|feet| CoreShape::new(body, feet.into()).bounds());
        Bounds { min: a.min.min(b.min), max: a.max.max(b.max) }
    }
}

impl<'o, F: Fn(u32) -> ConvexObstacle<'o>> HeadroomSearch<F> {
    pub fn new(body: &Body, query: HeadroomQuery, obstacle: F) -> Self {
        HeadroomSearch { lowest: body.lowest(), query, obstacle }
    }

    /// Returns the core of the lowest body at the start.
    pub fn lowest(&self) -> CoreShape {
        self.core(self.lowest.top)
    }

    /// Returns whether an obstacle is in the way of all bodies, the highest and the lowest.
    pub fn is_in_the_way(&self, obstacle: u32) -> bool {
        let touches = |top: f32| self.touched(&self.core(top), &[obstacle])[0];
        touches(self.highest()) && touches(self.lowest.top)
    }

    /// Returns how high a body may be that touches none of some obstacles [m]; `None` if the lowest does.
    ///
    /// A lower body is part of a higher one: only what the highest touches is in the way of any.
    pub fn find(&self, near: &mut Vec<u32>) -> Option<f32> {
        let [mut low, mut high] = [self.lowest.top, self.highest()];
        self.keep_touched(high, near);
        if near.is_empty() {
            return Some(high);
        }
        if self.touches(low, near) {
            return None;
        }
        while high - low > PRECISION {
            let middle = 0.5 * (low + high);
            if self.touches(middle, near) { high = middle } else { low = middle }
        }
        Some(low)
    }

    /// Returns whether a body that reaches so high touches any of some obstacles [m].
    fn touches(&self, top: f32, near: &[u32]) -> bool {
        let core = self.core(top);
        near.chunks(LANES).any(|indices| self.touched(&core, indices).contains(&true))
    }

    /// Keeps the obstacles that a body touches which reaches so high [m].
    fn keep_touched(&self, top: f32, near: &mut Vec<u32>) {
        let core = self.core(top);
        let mut kept = 0;
        for start in (0..near.len()).step_by(LANES) {
            let end = near.len().min(start + LANES);
            let touched = self.touched(&core, &near[start..end]);
            for at in (start..end).filter(|at| touched[at - start]) {
                near[kept] = near[at];
                kept += 1;
            }
        }
        near.truncate(kept);
    }

    /// Returns which of up to four obstacles a body touches on its way.
    #[inline]
    fn touched(&self, core: &CoreShape, indices: &[u32]) -> [bool; LANES] {
        let [from, to] = self.query.feet;
        let motion: Vector = (to - from).into();
        let obstacles = four_of(indices).map(&self.obstacle);
        let separations = core.separations_from(&obstacles);
        std::array::from_fn(|lane| {
            let separation = separations.lane(lane);
            separation.length() < core.radius
                || !core.sweep_is_clear_from(separation, &obstacles[lane], motion)
        })
    }

    /// How high the highest body reaches [m].
    fn highest(&self) -> f32 {
        self.query.most.max(self.lowest.top)
    }

    fn core(&self, top: f32) -> CoreShape {
        CoreShape::new(&Body { top, ..self.lowest }, self.query.feet[0].into())
    }
}
