//! Provides [`Member`]: one body of a crowd.

use nalgebra::{Point3, Vector3};

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::crowd::avoidance::Disc;
use crate::crowd::duty::{Duty, Role};
use crate::crowd::link_turn::LinkTurn;
use crate::crowd::neighbors::CrowdBody;
use crate::crowd::turn::{Stance, Turn};
use crate::follow::{DesiredVelocity, FollowStep, PathFollowing, PlanarNavPoint, Traversal};
use crate::follow::{FollowSettings, FollowState, LinkTraversal};
use crate::follow::{approach, landing_velocity, norm, slide_on, turn_facing};
use crate::grid::{AgentId, SpanId};
use crate::path::{Segments, Waypoint};
use crate::view::{NavPoint, ViewRef};

/// The id of a member of a crowd. It is never used again for another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// One body of a crowd.
#[derive(Clone, Debug)]
pub struct Member {
    pub(crate) id: MemberId,
    pub(crate) agent: AgentId,
    pub(crate) settings: FollowSettings,
    pub(crate) priority: u8,
    pub(crate) following: PathFollowing,
    pub(crate) desired: DesiredVelocity,
    /// The ground under it; on a link, the ground where the link began.
    pub(crate) at: NavPoint,
    pub(crate) position: Point3<f32>,
    pub(crate) velocity: Vector3<f32>,
    pub(crate) facing: f32,
    /// It is in the queue for a path.
    pub(crate) is_queued: bool,
    /// How long it has touched others that rest at its goal [s].
    pub(crate) crowded_time: f32,
    /// How long it will stop pressing, because it could not be pushed clear of others [s].
    pub(crate) yield_time: f32,
    pub(crate) duty: Duty,
    /// How often it has been jammed on the way to its goal.
    pub(crate) jams: u32,
    /// What it does about the narrow passage ahead.
    pub(crate) turn: Turn,
    /// Where it was last where two cannot pass; `None` once it has got clear of there.
    pub(crate) last_narrow: Option<Point3<f32>>,
    /// Where it was last in front of a passage.
    pub(crate) last_open: Option<Point3<f32>>,
    /// What it does about the link ahead, or the one that it is on.
    pub(crate) link_turn: LinkTurn,
    /// Radius of its body [m].
    pub(crate) radius: f32,
}

impl Member {
    pub(crate) fn new(
        id: MemberId,
        agent: AgentId,
        settings: FollowSettings,
        at: NavPoint,
    ) -> Self {
        Member {
            id,
            agent,
            settings,
            priority: DEFAULT_PRIORITY,
            following: PathFollowing::with_leeway(LEEWAY),
            desired: DesiredVelocity::default(),
            at,
            position: at.point,
            velocity: Vector3::zeros(),
            facing: 0.0,
            is_queued: false,
            crowded_time: 0.0,
            yield_time: 0.0,
            duty: Duty::default(),
            jams: 0,
            turn: Turn::None,
            last_narrow: None,
            last_open: None,
            link_turn: LinkTurn::default(),
            radius: 0.0,
        }
    }

    /// The member with a body of a radius [m].
    pub(crate) fn with_radius(self, radius: f32) -> Self {
        Member { radius, ..self }
    }

    /// Returns its id in the crowd.
    pub fn id(&self) -> MemberId {
        self.id
    }

    /// Returns its agent, which is the size of its body.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Returns the position of its feet [m].
    pub fn position(&self) -> Point3<f32> {
        self.position
    }

    /// Returns its velocity [m/s].
    pub fn velocity(&self) -> Vector3<f32> {
        self.velocity
    }

    /// Returns the direction it faces: the angle from +x towards +z [rad, -π..π].
    pub fn facing(&self) -> f32 {
        self.facing
    }

    /// Returns the span it stands on; `None` on a link.
    pub fn span(&self) -> Option<SpanId> {
        (!self.is_on_link()).then_some(self.at.span)
    }

    /// Returns what it is doing, and why it is not doing more.
    pub fn state(&self) -> FollowState {
        let stands = self.duty.errand().is_none() && self.following.state().is_at_rest();
        let makes_way = self.stands_in_line() || !self.duty.is_none() && !stands;
        if makes_way { FollowState::MakingWay } else { self.following.state() }
    }

    /// Whether it wants to go nowhere: it has come to rest, or is idle.
    pub(crate) fn stands(&self) -> bool {
        let state = self.state();
        state.is_at_rest() || state == FollowState::Idle
    }

    /// Returns its goal.
    pub fn goal(&self) -> Option<Point3<f32>> {
        self.following.goal()
    }

    /// Returns the waypoints still ahead, the next one first.
    pub fn waypoints(&self) -> &[Waypoint] {
        self.following.waypoints()
    }

    /// Returns the distance to the end along its path [m]; `None` without a path.
    pub fn remaining_distance(&self) -> Option<f32> {
        self.following.remaining(&self.at)
    }

    /// Returns its settings.
    pub fn settings(&self) -> &FollowSettings {
        &self.settings
    }

    /// Returns its priority: members of lower priority make way for it.
    pub fn priority(&self) -> u8 {
        self.priority
    }

    /// Whether it stands in front of a passage or a link until it is its turn.
    pub(crate) fn stands_in_line(&self) -> bool {
        self.duty.is_none() && (self.turn.is_in_line() || self.link_turn.is_in_line())
    }

    /// Whether it goes along a path on the ground.
    pub(crate) fn is_under_way(&self) -> bool {
        let has_path = !self.waypoints().is_empty() && !self.following.state().is_at_rest();
        has_path && !self.is_on_link()
    }

    /// Whether it has got so far into a narrow passage that it goes on, even if it was pushed in.
    pub(crate) fn is_deep_inside(&self) -> bool {
        let far = DEEP_RADII * self.radius;
        self.last_open.is_none_or(|open| (open - self.position()).norm() > far)
    }

    /// Whether it is under way and waits for nothing.
    pub(crate) fn goes_on(&self) -> bool {
        self.is_under_way() && !(self.duty.is_none() && self.turn.waits())
    }

    pub(crate) fn is_on_link(&self) -> bool {
        self.following.is_on_link()
    }

    /// Returns where on a link it is; `None` if it is on none.
    pub fn traversal(&self) -> Option<LinkTraversal> {
        self.following.traversal().map(Traversal::pose)
    }

    /// Computes its desired velocity: what it would do alone.
    pub(crate) fn follow<M: CostModel + ?Sized>(&mut self, metric: &Metric<M>, model: &M, dt: f32) {
        let step = FollowStep { settings: &self.settings, dt };
        if self.stands_in_line() {
            self.following.wait(dt);
        } else {
            self.following.add_time(dt);
        }
        let link_end = self.following.traversal().map(Traversal::end);
        if let Some(end) = link_end {
            self.desired = match self.link_turn.holds {
                true => DesiredVelocity::default(),
                false => self.following.traverse_link(self.position, step),
            };
            if let Some(traversal) = self.following.traversal() {
                if !traversal.is_taken_over {
                    self.velocity = self.desired.velocity;
                }
                return;
            }
            (self.at, self.position) = (end, end.point);
        }
        self.follow_on_ground(metric, model, dt);
        if link_end.is_some() {
            let flat = |v: Vector3<f32>| [v.x, v.z];
            let [x, z] = landing_velocity(flat(self.velocity), flat(self.desired.velocity));
            self.velocity = Vector3::new(x, 0.0, z);
        }
        if self.is_on_link() {
            self.velocity = self.desired.velocity;
        }
    }

    fn follow_on_ground<M: CostModel + ?Sized>(&mut self, metric: &Metric<M>, model: &M, dt: f32) {
        let view = metric.view;
        let step = FollowStep { settings: &self.settings, dt };
        if !view.is_walkable(self.at.span) {
            self.desired = self.step_back(view);
            return;
        }
        let limit = SlopeLimit::of(view, self.settings.slope_limit);
        let own = limit.map(|limit| Metric::new(view, model, Some(limit), 0));
        let segments = Segments { metric: own.as_ref().unwrap_or(metric), sight: None };
        // A need that was not queued yet is kept.
        let needs_path = self.desired.needs_path;
        self.desired = self.following.advance(&segments, &self.at, step);
        self.desired.needs_path |= needs_path;
        if self.is_on_link() {
            return;
        }
        if self.duty.is_none() && self.turn.is_in_line() {
            self.desired.velocity = self.turn.velocity(self.desired.velocity, step);
        } else if self.duty.is_none() && self.link_turn.place.is_some() {
            self.desired.velocity = self.link_turn.velocity(self.desired.velocity, step);
        } else if let Some(velocity) = self.duty.velocity(view, &self.at, step) {
            self.desired.velocity = velocity;
        }
    }

    /// Returns the velocity to the nearest free ground, because an obstacle was put on the member.
    fn step_back(&mut self, view: &ViewRef) -> DesiredVelocity {
        let radius = STEP_BACK_RADII * view.agent().radius;
        let nearest = view.view.nearest_walkable(self.position, radius).map(|(_, point)| point);
        self.following.leave_grid(nearest);
        let offset = nearest.map_or(Vector3::zeros(), |point| point - self.position);
        let distance = offset.norm();
        let velocity =
            if distance > 0.0 { offset * (self.settings.speed / distance) } else { offset };
        DesiredVelocity { velocity, needs_path: false }
    }

    /// Accelerates towards the velocity that was decided [m/s], or brakes while it yields. Unless it is
    /// alone it keeps to the right, at an offset of its own.
    pub(crate) fn apply(&mut self, velocity: [f32; 2], is_alone: bool, dt: f32) {
        self.following.edge_offset = (!is_alone).then(|| own_edge_offset(self.id.index));
        self.yield_time = (self.yield_time - dt).max(0.0);
        let velocity = if self.yield_time > 0.0 { [0.0; 2] } else { velocity };
        let before = [self.velocity.x, self.velocity.z];
        let [x, z] = approach(before, velocity, self.settings.acceleration * dt);
        self.velocity = Vector3::new(x, self.velocity.y, z);
    }

    /// Moves it to where it was pushed within a step. It takes up the velocity of the push, up to its
    /// maximum speed, so that it does not press against those that pushed it.
    pub(crate) fn push(&mut self, to: NavPoint, dt: f32) {
        let pushed = self.velocity + (to.point - self.position) / dt;
        let speed = norm([pushed.x, pushed.z]);
        self.take_up(if speed > self.settings.speed {
            pushed * (self.settings.speed / speed)
        } else {
            pushed
        });
        (self.at, self.position) = (to, to.point);
    }

    /// Moves it for a step: over the ground as it is now, or as it was baked if an obstacle was put on
    /// the member since.
    pub(crate) fn walk(&mut self, [view, baked]: [&ViewRef; 2], dt: f32) {
        let max_turn = self.settings.turn_rate * dt;
        self.facing = turn_facing(self.facing, [self.velocity.x, self.velocity.z], max_turn);
        let by = self.velocity * dt;
        if let Some(traversal) = self.following.traversal() {
            if !traversal.is_taken_over {
                self.position = traversal.position();
            }
            return;
        }
        let is_on_ground = view.is_walkable(self.at.span);
        self.at = slide_on(if is_on_ground { view } else { baked }, self.at, [by.x, by.z]);
        let moved = self.at.point - self.position;
        // Far from the origin a step may be smaller than the spacing of f32, and the velocity of what
        // was moved would be wrong or 0: so the velocity is kept unless the step really fell short.
        let is_unhindered = norm([moved.x - by.x, moved.z - by.z]) <= UNHINDERED_TOLERANCE;
        if !is_unhindered {
            self.following.look_again();
        }
        let [x, z] = if is_unhindered { [by.x, by.z] } else { [moved.x, moved.z] };
        self.take_up(Vector3::new(x, moved.y, z) / dt);
        self.position = self.at.point;
    }

    /// Takes up a velocity [m/s]. After a move in next to no time it may not be finite: that counts for nothing.
    fn take_up(&mut self, velocity: Vector3<f32>) {
        if velocity.iter().all(|v| v.is_finite()) {
            self.velocity = velocity;
        }
    }

    /// Returns what others see of it. On a link that is a body that nobody can push: where it lands, or
    /// where its caller has put it; nothing if the ground where it lands is not kept free yet.
    pub(crate) fn seen(&self, height: f32) -> Option<CrowdBody> {
        let body = self.body(height);
        let Some(traversal) = self.following.traversal() else { return Some(body) };
        if !traversal.is_taken_over && !self.link_turn.has_landing {
            return None;
        }
        let at = if traversal.is_taken_over { self.position } else { traversal.end().point };
        let disc = Disc { center: [at.x, at.z], velocity: [0.0; 2], ..body.disc };
        let heights = [at.y, at.y + height];
        let (is_fixed, is_at_rest, desired) = (true, true, [0.0; 2]);
        Some(CrowdBody { disc, heights, desired, is_at_rest, is_fixed, ..body })
    }

    /// Returns where others see it.
    pub(crate) fn seen_at(&self) -> PlanarNavPoint {
        match self.following.traversal() {
            None => PlanarNavPoint::from(self.at),
            Some(traversal) if traversal.is_taken_over => {
                PlanarNavPoint { span: self.at.span, position: [self.position.x, self.position.z] }
            }
            Some(traversal) => PlanarNavPoint::from(traversal.end()),
        }
    }

    fn body(&self, height: f32) -> CrowdBody {
        let (at, velocity, desired) = (self.position, self.velocity, self.desired.velocity);
        let radius = self.radius;
        CrowdBody {
            disc: Disc { center: [at.x, at.z], velocity: [velocity.x, velocity.z], radius },
            heights: [at.y, at.y + height],
            desired: [desired.x, desired.z],
            index: self.id.index,
            agent: self.agent,
            role: match self.turn {
                _ if !self.stands_in_line() => self.duty.role,
                Turn::Waits { stance: Stance::StepsAside { .. }, .. } => Role::StepAside,
                _ => Role::StandInLine,
            },
            spread: self.duty.spread,
            priority: self.priority,
            held_up: self.following.held_up(),
            is_at_rest: self.stands(),
            is_fixed: false,
            is_in_link_line: self.duty.is_none() && self.link_turn.is_in_line(),
            passage: self.turn.passage().filter(|_| self.duty.is_none()),
        }
    }
}

/// The priority of a new member.
const DEFAULT_PRIORITY: u8 = 128;
/// A body that was pushed farther than this into a passage goes on [radii].
const DEEP_RADII: f32 = 4.0;

/// A member that an obstacle was put on looks for free ground within this distance [radii].
const STEP_BACK_RADII: f32 = 8.0;
/// A step that falls short by no more than this was not held up by anything [m].
const UNHINDERED_TOLERANCE: f32 = 1e-3;
/// A member that was pushed no farther than this from its goal stays there, so that nobody fights for the
/// exact point [radii].
const LEEWAY: f32 = 3.0;

/// Returns the edge offset of a member [0.05..0.95), always the same. A multiplicative hash spreads the
/// offsets without randomness.
fn own_edge_offset(index: u32) -> f32 {
    let part = (index.wrapping_mul(2_654_435_769) >> 8) as f32 / (1 << 24) as f32;
    0.05 + 0.9 * part
}
