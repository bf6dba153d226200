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

    /// Returns how high a body may be that touches none of some obstacles [m]; `None` if the lowest does.
    pub fn find(&self, near: &[u32]) -> Option<f32> {
        let [mut low, mut high] = [self.lowest.top, self.query.most];
        if !self.is_clear(low, near) {
            return None;
        }
        if high <= low || self.is_clear(high, near) {
            return Some(high);
        }
        while high - low > PRECISION {
            let middle = 0.5 * (low + high);
            if self.is_clear(middle, near) { low = middle } else { high = middle }
        }
        Some(low)
    }

    /// Returns whether a body that reaches so high touches nothing [m].
    fn is_clear(&self, top: f32, near: &[u32]) -> bool {
        let core = self.core(top);
        let [from, to] = self.query.feet;
        let motion: Vector = (to - from).into();
        near.chunks(LANES).all(|indices| {
            let obstacles = four_of(indices).map(&self.obstacle);
            let separations = core.separations_from(&obstacles);
            let mut lanes = obstacles.iter().enumerate().take(indices.len());
            lanes.all(|(lane, obstacle)| {
                core.sweep_is_clear_from(separations.lane(lane), obstacle, motion)
            })
        })
    }

    fn core(&self, top: f32) -> CoreShape {
        CoreShape::new(&Body { top, ..self.lowest }, self.query.feet[0].into())
    }
}
