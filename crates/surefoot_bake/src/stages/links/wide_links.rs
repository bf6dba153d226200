//! Merges lanes that lie side by side into wide links.

use nalgebra::{Point3, Vector3};

use super::detour::Detours;
use super::flight::Trial;
use super::ground::{LinkGround, SpanAddress};
use super::take_off::FoundLane;
use crate::stages::settings::LinkCosts;
use surefoot::grid::{Cell, Link, LinkId, LinkKind};

/// Lanes of one link start at most so many cells apart at the higher end, and end at most so far apart
/// at the lower end [m].
const MOST_CELLS_APART: i32 = 2;
const MOST_APART: f32 = 1.2;

/// Merges the lanes of a block into links of an agent, by its index of so many agents.
pub(super) struct LaneMerger<'a> {
    pub ground: LinkGround<'a>,
    pub costs: &'a LinkCosts,
    pub agent: usize,
    pub agents: usize,
}

/// Returns the lanes of a link that walking does not do nearly as well. The first, the middle and the last
/// speak for all if they agree.
fn needed(mut lanes: Vec<FoundLane>, detours: &mut Detours) -> Vec<FoundLane> {
    let mut is_needed = |lane: &FoundLane| !detours.are_near_by_foot(lane.trial.floors);
    let [first, middle, last] =
        [0, lanes.len() / 2, lanes.len() - 1].map(|at| is_needed(&lanes[at]));
    if first != middle || middle != last {
        lanes.retain(is_needed);
    } else if !first {
        lanes.clear();
    }
    lanes
}

impl LaneMerger<'_> {
    /// Returns the links that walking does not nearly as well, in the order of their first lanes.
    pub fn merge(&self, mut lanes: Vec<FoundLane>, detours: &mut Detours) -> Vec<Link> {
        lanes.sort_by_key(|lane| (lane.trial.kind, lane.two_way, lane.trial.floors));
        let mut group_of: Vec<usize> = (0..lanes.len()).collect();
        for later in 0..lanes.len() {
            for earlier in 0..later {
                if self.are_beside(&lanes[earlier], &lanes[later]) {
                    join(&mut group_of, earlier, later);
                }
            }
        }
        let roots = (0..lanes.len()).filter(|&lane| root(&group_of, lane) == lane);
        let members = |group: usize| {
            let own = (0..lanes.len()).filter(|&lane| root(&group_of, lane) == group);
            own.map(|lane| lanes[lane]).collect::<Vec<_>>()
        };
        let groups = roots.map(|group| needed(members(group), detours));
        groups.filter(|lanes| !lanes.is_empty()).map(|lanes| self.link(&lanes)).collect()
    }

    fn are_beside(&self, a: &FoundLane, b: &FoundLane) -> bool {
        if (a.trial.kind, a.two_way) != (b.trial.kind, b.two_way) {
            return false;
        }
        let turn = (a.dir.index() as i32 - b.dir.index() as i32).rem_euclid(8);
        let cell = |floor: SpanAddress| self.ground.frame.cell(floor.column);
        let [high, low] = [a.ends(self), b.ends(self)].map(|ends| ends.map(cell));
        let near = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.z - b.z).abs());
        let apart = |end: usize| {
            let points = [a, b].map(|lane| self.ground.point(lane.ends(self)[end]));
            let between = points[1] - points[0];
            let climb = between.y.abs() <= self.ground.agent.max_climb.max(0.1);
            (Vector3::new(between.x, 0.0, between.z).norm(), climb)
        };
        let ((_, first_level), (between, last_level)) = (apart(0), apart(1));
        matches!(turn, 0 | 1 | 7)
            && near(high[0], low[0]) <= MOST_CELLS_APART
            && between <= MOST_APART
            && first_level
            && last_level
    }

    fn link(&self, lanes: &[FoundLane]) -> Link {
        let Trial { kind, floors, .. } = lanes[0].trial;
        let across = self.across(lanes);
        let place = |lane: &FoundLane| {
            let [from, _] = lane.trial.floors.map(|floor| self.ground.point(floor));
            across.dot(&from.coords)
        };
        let extreme = |sign: f32| {
            let key = |lane: &&FoundLane| sign * place(lane);
            let found = lanes.iter().min_by(|a, b| key(a).total_cmp(&key(b)));
            found.unwrap_or(&lanes[0]).trial.floors.map(|floor| self.ground.point(floor))
        };
        let [[from, to], [other_from, other_to]] = [extreme(1.0), extreme(-1.0)];
        let costs = lanes.iter().map(|lane| {
            let [from, to] = lane.trial.floors.map(|floor| self.ground.point(floor));
            self.costs.of(kind, to - from)
        });
        let mut all = vec![Vec::new(); self.agents];
        all[self.agent] = lanes.iter().map(|lane| lane.trial.lane()).collect();
        Link {
            id: link_id(&self.ground, kind, floors),
            generated: true,
            two_way: lanes[0].two_way,
            cost: costs.fold(0.0, f32::max),
            from: [from, other_from],
            to: [to, other_to],
            lanes: all,
            ..Link::new(kind.name(), kind, [Point3::origin(); 2])
        }
    }

    /// Returns the direction along the edge, seen from above.
    fn across(&self, lanes: &[FoundLane]) -> Vector3<f32> {
        let along: Vector3<f32> = lanes.iter().map(|lane| self.ground.step(lane.dir)).sum();
        Vector3::new(-along.z, 0.0, along.x)
    }
}

/// Returns an id that depends on the ends of a link's first lane alone.
pub(super) fn link_id(ground: &LinkGround, kind: LinkKind, floors: [SpanAddress; 2]) -> LinkId {
    let place = |floor: SpanAddress| {
        let Cell { x, z } = ground.frame.cell(floor.column);
        format!("{x} {z} {:.2}", ground.height(floor))
    };
    let [from, to] = floors.map(place);
    LinkId::of(&format!("{} {} {from} {to}", kind.name(), ground.agent.name))
}

/// Returns the ends of a lane, the one first that it was looked for from: the higher one, or of two at one
/// height the first.
pub(super) fn higher_first(ground: &LinkGround, [from, to]: [SpanAddress; 2]) -> [SpanAddress; 2] {
    let is_up = ground.height(from) < ground.height(to);
    if is_up { [to, from] } else { [from, to] }
}

impl FoundLane {
    /// Returns its higher and its lower end.
    fn ends(&self, merger: &LaneMerger) -> [SpanAddress; 2] {
        higher_first(&merger.ground, self.trial.floors)
    }
}

/// Returns the first of the lanes that a lane is joined with.
fn root(group_of: &[usize], mut lane: usize) -> usize {
    while group_of[lane] != lane {
        lane = group_of[lane];
    }
    lane
}

/// Joins the groups of two lanes.
fn join(group_of: &mut [usize], a: usize, b: usize) {
    let [a, b] = [a, b].map(|lane| root(group_of, lane));
    group_of[a.max(b)] = a.min(b);
}
