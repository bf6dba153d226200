//! What straightening does more where the ground rolls, and eight directions or one straight line say
//! little about what a path has to cost.
//!
//! A corridor goes over slopes by steps in eight directions, and a long segment that costs no more may
//! lead straight over what a better path goes round. So short stretches of the corridor are crossed
//! straight first: farther segments then have less to keep to. And long segments are tried with a corner
//! in their middle, to either side. Level ground pays for neither.

use crate::cost::CostModel;
use crate::view::NavPoint;

use super::corner_sweep::Corner;
use super::segment::Segments;
use super::segment_walk::SegmentTarget;
use super::string_pulling::CorridorPoint;

/// So many steps of a corridor are crossed at once, where that is cheaper.
const STEPS_ACROSS: usize = 8;
/// Steps are level, and not crossed, if their heights differ by less than this [cells]...
const LEAST_RISE: f32 = 0.5;
/// ...or if they cost at most this part over the least that they can.
const CHEAP_STEPS: f64 = 0.002;
/// A segment is not bent if it costs at most this part over the least that it can...
const CHEAP_SEGMENT: f64 = 0.04;
/// ...or is shorter than this [cells].
const LEAST_CELLS_TO_BEND: f32 = 32.0;
/// How far aside the middle of a segment is moved [parts of its length].
const BEND: f32 = 1.0 / 16.0;

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// Leaves out points of a corridor, a few at a time, where the ground is not level and the straight
    /// segment across is clear and cheaper.
    pub(super) fn cross_slopes(&self, points: &mut Vec<CorridorPoint>) {
        let (mut kept, mut from, mut saved) = (1, 0, 0.0);
        while from + 1 < points.len() {
            let to = (from + STEPS_ACROSS).min(points.len() - 1);
            let left_out = self.left_out(&points[from..=to]);
            saved += left_out.unwrap_or(0.0);
            let next = if left_out.is_some() { to } else { from + 1 };
            for position in next..=to {
                let CorridorPoint { at, cost } = points[position];
                points[kept] = CorridorPoint { at, cost: cost - saved };
                kept += 1;
            }
            from = to;
        }
        points.truncate(kept);
    }

    /// What a straight segment saves between the first of some points and the last, if it saves anything.
    fn left_out(&self, points: &[CorridorPoint]) -> Option<f64> {
        let [from, .., to] = points else { return None };
        if points.len() < 3 || self.begins_level(points) {
            return None;
        }
        let along = to.cost - from.cost;
        let least = self.metric.least_by_steps(from.at.point, to.at.point);
        let is_cheap = along <= least * (1.0 + CHEAP_STEPS);
        let straight = if is_cheap { None } else { self.clear(&from.at, &to.at, along) };
        straight.map(|straight| along - straight)
    }

    /// Whether the first steps over points of a corridor, or all if there are few, are level.
    pub(super) fn begins_level(&self, points: &[CorridorPoint]) -> bool {
        let heights = points.iter().take(STEPS_ACROSS + 1).map(|point| point.at.point.y);
        let highest = heights.clone().fold(f32::NEG_INFINITY, f32::max);
        highest - heights.fold(f32::INFINITY, f32::min) < LEAST_RISE * self.metric.view.cell_size()
    }

    /// Bends long segments over ground that is not level, and their halves again, where that is cheaper.
    pub(super) fn bend_aside(&self, corners: &mut Vec<Corner>) {
        let mut at = 1;
        while at < corners.len() {
            match self.bend(&corners[at - 1].at, &corners[at]) {
                Some([bend, after]) => {
                    corners[at] = after;
                    corners.insert(at, bend);
                }
                None => at += 1,
            }
        }
    }

    /// A segment with a corner in its middle, moved to the side where it is cheaper; `None` if it is on
    /// neither.
    fn bend(&self, from: &NavPoint, to: &Corner) -> Option<[Corner; 2]> {
        let [start, end] = [from.place(), to.at.place()];
        let [x, z] = [0, 1].map(|axis| end[axis] - start[axis]);
        let least_length = LEAST_CELLS_TO_BEND * self.metric.view.cell_size();
        let least = self.metric.least_between(from.point, to.at.point);
        let is_cheap = to.segment <= least * (1.0 + CHEAP_SEGMENT);
        let length_squared = x * x + z * z;
        let is_short = length_squared < least_length * least_length;
        if is_cheap || is_short || !length_squared.is_finite() {
            return None;
        }
        // Where numbers are too large or too small to be halved, there would be no end.
        let is_half = |from: [f32; 2], to: [f32; 2]| {
            let [x, z] = [0, 1].map(|axis| to[axis] - from[axis]);
            x * x + z * z < length_squared / 2.0
        };
        let (mut bent, mut most) = (None, to.segment);
        for aside in [BEND, -BEND] {
            let place = [start[0] + x / 2.0 + z * aside, start[1] + z / 2.0 - x * aside];
            let Ok(first) = self.try_clear(from, SegmentTarget::Place(place), most) else {
                continue;
            };
            let middle = first.end.place();
            if !is_half(start, middle) || !is_half(middle, end) {
                continue;
            }
            let Some(second) = self.clear(&first.end, &to.at, most - first.cost) else { continue };
            most = first.cost + second;
            bent = Some([Corner::new(first.end, first.cost), Corner { segment: second, ..*to }]);
        }
        bent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::cost::{HeightCost, Metric};
    use crate::grid::{AgentId, Cell, GridFrame, NavGrid, SpanId};
    use crate::view::{View, ViewRef};

    const SIDE: u32 = 48;

    /// Ground of a height at each cell of 0.5 m.
    fn view(height: impl Fn(f32, f32) -> f32) -> View {
        let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: SIDE, size_z: SIDE };
        let at = |at: u32| height((at % SIDE) as f32, (at / SIDE) as f32);
        let heights: Vec<f32> = (0..SIDE * SIDE).map(at).collect();
        let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]);
        View::new(&grid.expect("sound heights"), AgentId(0)).expect("an agent")
    }

    /// A hill beside the middle of the ground.
    fn hill(x: f32, z: f32) -> f32 {
        3.0 * (-((x - 24.0).powi(2) + (z - 22.0).powi(2)) / 60.0).exp()
    }

    fn center(view: &ViewRef, x: u32, z: u32) -> NavPoint {
        NavPoint::center(view, SpanId(z * SIDE + x))
    }

    /// The corners of a straight line over the middle of the ground, bent.
    fn bent(view: &View) -> (f64, Vec<Corner>) {
        let view = view.parts();
        let model = HeightCost::default();
        let metric = Metric::new(&view, &model, None, 0);
        let segments = Segments { metric: &metric, sight: None };
        let [start, end] = [center(&view, 2, 24), center(&view, 45, 24)];
        let straight = segments.clear(&start, &end, f64::INFINITY).expect("open ground");
        let mut corners = vec![Corner::new(start, 0.0), Corner::new(end, straight)];
        segments.bend_aside(&mut corners);
        for pair in corners.windows(2) {
            let cost = segments.clear(&pair[0].at, &pair[1].at, f64::INFINITY);
            assert_eq!(cost, Some(pair[1].segment));
        }
        (straight, corners)
    }

    #[test]
    fn a_segment_over_a_hill_is_bent_away_from_its_top() {
        let (straight, corners) = bent(&view(hill));
        let sum: f64 = corners.iter().map(|corner| corner.segment).sum();
        assert!(corners.len() > 2 && sum < straight * 0.97, "{sum} of {straight}");
        let middle = corners[corners.len() / 2].at.point;
        assert!(middle.z > 12.5, "{middle}");
    }

    #[test]
    fn a_segment_over_level_ground_stays_straight() {
        let (_, corners) = bent(&view(|x, _| if x < 20.0 { 0.0 } else { 0.1 }));
        assert_eq!(corners.len(), 2);
    }

    #[test]
    fn slopes_are_crossed_straight_and_level_ground_is_not() {
        let slope = |x: f32, _: f32| (x - 24.0).max(0.0) * 0.2;
        let view = &view(slope);
        let view = &view.parts();
        let model = HeightCost::default();
        let metric = Metric::new(view, &model, None, 0);
        let segments = Segments { metric: &metric, sight: None };
        // Two steps along x for each diagonal one.
        let places = (0..40).map(|step| center(view, 4 + step, 4 + step / 3));
        let mut points: Vec<CorridorPoint> = Vec::new();
        for at in places {
            let cost = points.last().map_or(0.0, |before| {
                before.cost + segments.clear(&before.at, &at, f64::INFINITY).expect("a step")
            });
            points.push(CorridorPoint { at, cost });
        }
        let along = points.clone();
        segments.cross_slopes(&mut points);
        assert_eq!(points.first().map(|point| point.at), along.first().map(|point| point.at));
        assert_eq!(points.last().map(|point| point.at), along.last().map(|point| point.at));
        let is_level = |point: &&CorridorPoint| point.at.point.y == 0.0;
        let level = along.iter().filter(is_level).count();
        assert!(points.iter().filter(is_level).count() + 8 >= level);
        assert!(points.len() < level + (along.len() - level) / 2, "{}", points.len());
        for pair in points.windows(2) {
            let cost = segments.clear(&pair[0].at, &pair[1].at, f64::INFINITY).expect("clear");
            assert!((pair[1].cost - pair[0].cost - cost).abs() < 1e-6);
        }
        assert!(points[points.len() - 1].cost < along[along.len() - 1].cost);
    }
}
