//! A navigator and a crowd on one level, and what they do.

use std::hash::{DefaultHasher, Hash, Hasher};

use nalgebra::{Point3, Vector3};
use surefoot::cch::RouteRules;
use surefoot::cost::CostLowerBound;
use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::FollowSettings;
use surefoot::level::AreaId;
use surefoot::search::{Engine, FieldQuery, GoalMode, Heuristic, Query};
use surefoot::view::{AreaFilter, Directions, ObstacleId};
use surefoot::{AgentId, HeightCost, NavGrid, Navigator, Obstacle, SpanId};

use super::operation::{Ask, Operation, Place, Shape};
use crate::grid_laws;

/// Members beyond these do not join.
const MOST_MEMBERS: usize = 10;
/// Obstacles beyond these are not placed.
const MOST_OBSTACLES: usize = 12;
/// Larger costs of a metre may forbid what no body minds.
const MOST_COST: f32 = 1e6;
/// The most steps of one operation.
const MOST_STEPS: u8 = 6;

/// A navigator, a crowd, and a hash of all that they answered.
pub(super) struct World {
    nav: Navigator,
    crowd: Crowd,
    /// Of the navigator, and of the crowd.
    obstacles: [Vec<ObstacleId>; 2],
    members: Vec<MemberId>,
    hasher: DefaultHasher,
}

impl World {
    pub fn new(grid: &NavGrid, agent: u8) -> Self {
        let agent = AgentId(u16::from(agent) % grid.layers().len() as u16);
        World {
            nav: Navigator::new(grid.clone(), agent).expect("a known agent"),
            crowd: Crowd::new(grid.clone(), HeightCost::default()),
            obstacles: [Vec::new(), Vec::new()],
            members: Vec::new(),
            hasher: DefaultHasher::new(),
        }
    }

    /// A hash of all answers and all motion so far.
    pub fn hash(&self) -> u64 {
        self.hasher.finish()
    }

    /// Carries out an operation, and checks what holds after it.
    pub fn carry_out(&mut self, operation: &Operation) {
        match *operation {
            Operation::Find { from, to } => self.find([from, to]),
            Operation::Ask(ask) => self.ask(&ask),
            Operation::Prepare { four_directions } => {
                let directions = directions(four_directions);
                let query = Query { directions, ..Query::new([0.0; 3], [0.0; 3]) };
                self.nav.prepare_for(RouteRules::of(&query)).expect("small ground");
            }
            Operation::SetModel { ascend, descend } => {
                self.nav.set_model(HeightCost { ascend: ascend.0, descend: descend.0 });
            }
            Operation::Table { from, to } => self.table(from, to),
            Operation::Field { source, within } => self.field(source, within.0),
            _ => self.change(operation),
        }
    }

    fn change(&mut self, operation: &Operation) {
        match *operation {
            Operation::Block { by_crowd, obstacle } => self.block(by_crowd, &obstacle),
            Operation::Unblock { by_crowd, which } => self.unblock(by_crowd, which),
            Operation::SetFactor { by_crowd, area, factor } => {
                let area = AreaId(area % 4);
                let changed = match by_crowd {
                    true => self.crowd.set_factor(area, factor.0),
                    false => self.nav.set_factor(area, factor.0),
                };
                changed.is_ok().hash(&mut self.hasher);
            }
            Operation::SetLinkOpen { by_crowd, link, open } => {
                let link = usize::from(link % 3);
                let changed = match by_crowd {
                    true => self.crowd.set_link_open(link, open),
                    false => self.nav.set_link_open(link, open),
                };
                changed.is_ok().hash(&mut self.hasher);
            }
            Operation::Share { from_crowd } => self.share(from_crowd),
            _ => self.walk(operation),
        }
    }

    fn walk(&mut self, operation: &Operation) {
        match *operation {
            Operation::Add { agent, at, speed, tolerance } => {
                let agent = AgentId(u16::from(agent % 3));
                let settings = FollowSettings {
                    speed: speed.0,
                    waypoint_tolerance: tolerance.0,
                    ..FollowSettings::default()
                };
                self.add(agent, at, settings);
            }
            Operation::Think { time } => self.crowd.think(time.0),
            Operation::Step { time, times } => self.step(time.0, times),
            Operation::Walk { times } => self.step(1.0 / 20.0, times),
            Operation::PrepareCrowd { agent } => {
                self.crowd.prepare(AgentId(u16::from(agent % 3))).ok();
            }
            _ => self.direct(operation),
        }
    }

    /// What is done to one member.
    fn direct(&mut self, operation: &Operation) {
        let member = |which: u8| self.members.get(usize::from(which) % self.members.len().max(1));
        match *operation {
            Operation::Remove { member: which } => {
                if let Some(&id) = member(which) {
                    // It stays in the list: its id is never used again.
                    self.crowd.remove(id).ok();
                    assert!(self.crowd.member(id).is_none());
                }
            }
            Operation::SetGoal { member: which, goal } => {
                if let Some(&id) = member(which) {
                    self.crowd.set_goal(id, self.point(goal)).ok();
                }
            }
            Operation::SetTarget { member: which, target } => {
                if let Some(&id) = member(which) {
                    self.crowd.set_target(id, self.point(target)).ok();
                }
            }
            Operation::Stop { member: which } => {
                if let Some(&id) = member(which) {
                    self.crowd.stop(id).ok();
                }
            }
            Operation::Put { member: which, at, velocity: [x, z] } => {
                if let Some(&id) = member(which) {
                    let velocity = Vector3::new(x.0, 0.0, z.0);
                    // Its velocity is whatever it is said to be, if only for a moment.
                    let is_finite = velocity.iter().all(|v| v.is_finite());
                    let velocity = if is_finite { velocity } else { Vector3::zeros() };
                    self.crowd.put(id, self.point(at), velocity).ok();
                }
            }
            Operation::SetPriority { member: which, priority } => {
                if let Some(&id) = member(which) {
                    self.crowd.set_priority(id, priority).ok();
                }
            }
            _ => {}
        }
    }

    fn point(&self, place: Place) -> Point3<f32> {
        let grid = self.nav.grid();
        match place {
            Place::At(point) => point.into(),
            Place::Near(span, offset) => {
                let span = SpanId(u32::from(span) % grid.spans().len() as u32);
                let size = grid.frame().cell_size;
                let [x, y, z] = offset.map(|v| f32::from(v) / 64.0 * size);
                grid.point(span).expect("a span") + Vector3::new(x, y, z)
            }
        }
    }

    fn span(&self, which: u8) -> SpanId {
        SpanId(u32::from(which) * 3 % (self.nav.grid().spans().len() as u32 + 2))
    }

    fn find(&mut self, ends: [Place; 2]) {
        let [from, to] = ends.map(|place| self.point(place));
        let query = Query::new(from, to);
        let answer = self.nav.find(&query).clone();
        self.note(&answer);
        grid_laws::check_answer(&self.nav, &query, &answer);
        grid_laws::same_cost_by_every_engine(&mut self.nav, &query);
        let model = self.nav.model();
        let CostLowerBound { ascend, descend, .. } = model.lower_bound(self.nav.view());
        if [ascend, descend].iter().all(|cost| (0.0..MOST_COST).contains(cost)) {
            grid_laws::explain(&mut self.nav, &query);
        }
    }

    fn ask(&mut self, ask: &Ask) {
        let goals = [GoalMode::Fail, GoalMode::NearestByRing, GoalMode::NearestAlongLine];
        let engines = [None, Some(Engine::Routes), Some(Engine::Field), Some(Engine::AStar)];
        let heuristics =
            [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::None];
        let mut filter = AreaFilter::default();
        if let Some(area) = ask.forbid {
            filter = filter.forbid(AreaId(area % 4));
        }
        if let Some((area, scale)) = ask.scale {
            filter = filter.clone().scale(AreaId(area % 4), scale.0).unwrap_or(filter);
        }
        let query = Query {
            goal: goals[usize::from(ask.goal % 3)],
            engine: engines[usize::from(ask.engine % 4)],
            heuristic: heuristics[usize::from(ask.heuristic % 4)],
            directions: directions(ask.four_directions),
            weight: ask.weight.0,
            budget: if ask.budget.is_multiple_of(2) { u32::MAX } else { u32::from(ask.budget) },
            snap_radius: ask.snap_radius.map(|v| v.0),
            vertical_tolerance: ask.tolerance.map(|v| v.0),
            slope_limit: ask.slope.map(|v| v.0),
            filter,
            ..Query::new(self.point(ask.from), self.point(ask.to))
        };
        let answer = self.nav.find(&query).clone();
        self.note(&answer);
        grid_laws::check_answer(&self.nav, &query, &answer);
        self.nav.why_not_by(&query).ok();
    }

    fn note(&mut self, answer: &surefoot::path::Answer) {
        format!("{answer:?}").hash(&mut self.hasher);
    }

    fn table(&mut self, from: [u8; 2], to: [u8; 2]) {
        let [from, to] = [from, to].map(|ends| ends.map(|which| self.span(which)));
        let Some(table) = self.nav.table(&from, &to) else { return };
        assert_eq!(table.len(), 4);
        assert!(table.iter().all(|cost| *cost >= 0.0), "{table:?}");
        table.iter().for_each(|cost| cost.to_bits().hash(&mut self.hasher));
    }

    fn field(&mut self, source: u8, within: f32) {
        let source = self.span(source);
        let field = self.nav.field(&FieldQuery { within, ..FieldQuery::to(&[source]) });
        for &span in field.reached() {
            let cost = field.cost(span).expect("it was reached");
            assert!(cost >= 0.0 && self.nav.view().is_walkable(span));
            cost.to_bits().hash(&mut self.hasher);
        }
    }

    fn block(&mut self, by_crowd: bool, obstacle: &Shape) {
        let list = usize::from(by_crowd);
        if self.obstacles[list].len() >= MOST_OBSTACLES {
            return;
        }
        let obstacle = self.obstacle(obstacle);
        let id = match by_crowd {
            true => self.crowd.block(obstacle),
            false => self.nav.block(obstacle),
        };
        id.is_ok().hash(&mut self.hasher);
        self.obstacles[list].extend(id);
    }

    fn obstacle(&self, shape: &Shape) -> Obstacle {
        match *shape {
            Shape::Box { at, half: [x, y, z], yaw } => {
                let half = Vector3::new(x.0, y.0, z.0) * 0.4;
                Obstacle::Box { center: self.point(at), half, yaw: yaw.0 }
            }
            Shape::Cylinder { at, radius, height } => {
                let radius = radius.0 * 0.4;
                Obstacle::Cylinder { base: self.point(at), radius, height: height.0 }
            }
            Shape::Prism { corners, top } => {
                let points = corners.map(|corner| self.point(corner));
                let bottom = points[0].y;
                let corners = points.iter().map(|point| [point.x, point.z]).collect();
                Obstacle::Prism { corners, bottom, top: bottom + top.0 }
            }
        }
    }

    fn unblock(&mut self, by_crowd: bool, which: u8) {
        let list = &mut self.obstacles[usize::from(by_crowd)];
        if list.is_empty() {
            return;
        }
        let id = list.swap_remove(usize::from(which) % list.len());
        // Where overlays were shared it may be gone.
        let removed = if by_crowd { self.crowd.unblock(id) } else { self.nav.unblock(id) };
        removed.hash(&mut self.hasher);
    }

    fn share(&mut self, from_crowd: bool) {
        let shared = match from_crowd {
            true => self.nav.set_overlay(self.crowd.overlay().clone()),
            false => self.crowd.set_overlay(self.nav.overlay().clone()),
        };
        shared.expect("an overlay of the same grid");
        let from = usize::from(from_crowd);
        self.obstacles[1 - from] = self.obstacles[from].clone();
    }

    fn add(&mut self, agent: AgentId, at: Place, settings: FollowSettings) {
        if self.crowd.len() >= MOST_MEMBERS {
            return;
        }
        let added = self.crowd.add(agent, self.point(at), settings);
        added.is_ok().hash(&mut self.hasher);
        self.members.extend(added);
    }

    fn step(&mut self, time: f32, times: u8) {
        for _ in 0..=times % MOST_STEPS {
            self.crowd.step(time);
            grid_laws::members_are_on_the_ground(&self.crowd);
            for member in self.crowd.members() {
                let at = member.position();
                at.iter().for_each(|v| v.to_bits().hash(&mut self.hasher));
                format!("{:?}", member.state()).hash(&mut self.hasher);
            }
        }
    }
}

fn directions(four: bool) -> Directions {
    if four { Directions::Four } else { Directions::Eight }
}
