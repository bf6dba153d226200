//! Where the floor ends on a line: exactly, and not by cells.

use super::flight::MotionTest;
use super::ground::SpanAddress;
use crate::casts::{GroundLine, Section, TileCaster};
use surefoot::grid::{Dir, Verdict};

/// A gap no wider than this is a crack between surfaces that touch [m].
const MAX_CRACK: f32 = 1e-3;
/// How much a step may exceed the climb [m].
const STEP_TOLERANCE: f32 = 1e-3;

impl<T: TileCaster> MotionTest<'_, T> {
    /// Returns how far from the center of a floor its ground goes on in a direction, seen from above
    /// [m]; no further than some number of cells. Ground goes on where the agent could step, whether its
    /// body fits there or not, and ends at ground that is forbidden.
    pub fn ground_length(&mut self, from: SpanAddress, dir: Dir, most_cells: u32) -> f32 {
        let step = self.ground.step_length(dir);
        let mut floor = from;
        for cells in 0..most_cells {
            let Some(next) = self.ground.column_beyond(floor.column, dir, 1) else {
                return step * (cells as f32 + 0.5);
            };
            let Some(on) = self.continued(floor, next, step) else {
                return step * (cells as f32 + self.part_of_step(floor, dir));
            };
            if self.ground.verdict(on) == Verdict::Forbidden {
                return step * (cells as f32 + 0.5);
            }
            floor = on;
        }
        step * most_cells as f32
    }

    /// Returns the floor of the next column that continues a floor: the nearest in height.
    fn continued(&self, floor: SpanAddress, next: usize, step: f32) -> Option<SpanAddress> {
        let height = self.ground.height(floor);
        let rise = |other: &SpanAddress| (self.ground.height(*other) - height).abs();
        let nearest = self.ground.column(next).min_by(|a, b| rise(a).total_cmp(&rise(b)))?;
        (rise(&nearest) <= self.max_rise(step)).then_some(nearest)
    }

    fn max_rise(&self, step: f32) -> f32 {
        let agent = self.ground.agent;
        agent.max_climb.max(agent.slope_limit.tan() * step) + STEP_TOLERANCE
    }

    /// Returns the part of the step to the next center up to which surfaces continue a floor.
    fn part_of_step(&mut self, floor: SpanAddress, dir: Dir) -> f32 {
        let from = self.ground.point(floor);
        let to = from + self.ground.step(dir);
        let rise = self.max_rise(self.ground.step_length(dir));
        let heights = [from.y - rise, from.y + rise];
        let line = GroundLine { ends: [from, to].map(|end| [end.x, end.z]), heights };
        let mut sections = std::mem::take(&mut self.sections);
        self.caster.sections(&line, &mut sections);
        let world = self.world;
        let mut parts: Vec<[f32; 2]> = sections
            .iter()
            .filter(|section| {
                section.up > 0.0 || world.surface(section.solid, section.triangle).two_sided
            })
            .filter_map(|section| within(section, heights))
            .collect();
        self.sections = sections;
        parts.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let crack = MAX_CRACK / self.ground.step_length(dir);
        let mut end = 0.0f32;
        for [from, to] in parts {
            if from > end + crack {
                break;
            }
            end = end.max(to);
        }
        end.min(1.0)
    }
}

/// Returns the part of a section that lies between two heights.
fn within(section: &Section, [low, high]: [f32; 2]) -> Option<[f32; 2]> {
    let ([from, to], [start, end]) = (section.along, section.y);
    let cut = |at: f32, rise: f32| from + (to - from) * (at - start) / rise;
    let rise = end - start;
    if rise == 0.0 {
        return (low..=high).contains(&start).then_some([from, to]);
    }
    let [a, b] = [cut(low, rise), cut(high, rise)];
    let part = [a.min(b).max(from), a.max(b).min(to)];
    (part[0] <= part[1]).then_some(part)
}
