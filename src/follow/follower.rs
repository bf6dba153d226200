//! Provides [`Follower`]: steers one body to its goal.

use nalgebra::{Point3, Vector3};

use super::horizontal::{horizontal_distance, norm};
use super::locate::{locate, nearest_ground};
use super::path_following::PathFollowing;
use super::settings::{FollowError, FollowSettings};
use super::speed::{
    DesiredVelocity, FollowStep, approach, approach_along, is_positive_time, landing_velocity,
    turn_facing,
};
use super::state::FollowState;
use super::traversal::{LinkAhead, LinkTraversal, NotOnLink, Traversal};
use crate::cost::{Metric, SharedModel, SlopeLimit};
use crate::navigator::{Guide, Navigator};
use crate::path::{Path, Segments, Sight, Waypoint};
use crate::search::{GoalMode, Query};
use crate::view::{NavPoint, View};

/// Steers one body to its goal. It returns a velocity; the caller moves the body.
///
/// It relies on the body to climb the steps that its agent climbs. A rigid capsule that rests on the
/// ground climbs only those lower than its radius: let it float, as the example `e11_rigid_bodies` does.
///
/// ```
/// use surefoot::{NavGrid, Navigator};
/// use surefoot::follow::{Follower, FollowSettings, FollowState, Motion};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let mut nav = Navigator::new(NavGrid::from_map(map, 1.0, &[])?, "human")?;
///
/// let mut follower = Follower::new(FollowSettings::default())?;
/// follower.set_goal([4.5, 0.0, 0.5]);
/// let mut motion = Motion::at([0.5, 0.0, 0.5]);
/// let dt = 1.0 / 60.0;
/// while follower.state() != FollowState::Arrived {
///     motion.velocity = follower.step(&mut nav, &motion, dt).velocity;
///     motion.position += motion.velocity * dt;
/// }
/// assert!((motion.position.x - 4.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    settings: FollowSettings,
    following: PathFollowing,
    nav_point: Option<NavPoint>,
    /// The number of the grid that all of this refers to; `None` before the first step.
    grid: Option<u64>,
    goal_mode: GoalMode,
    facing: f32,
    /// The velocity it returned last, along x and z [m/s].
    last_velocity: [f32; 2],
    /// The body has come off a link in this step.
    has_landed: bool,
    /// It has landed where an obstacle was put meanwhile, or its link is gone: it goes to the nearest ground.
    steps_off: bool,
    /// How far it may still go towards a link that moves and is elsewhere [m]; `None` if that is not next.
    room_to_link: Option<f32>,
}

/// The position and velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Position of its feet, or of any other point of the body above them [m].
    pub position: Point3<f32>,
    /// Its real velocity [m/s].
    pub velocity: Vector3<f32>,
}

/// The velocity and facing that a body should have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// The velocity the body should have [m/s]; it rises and falls with the ground ahead.
    pub velocity: Vector3<f32>,
    /// The direction it should face: the angle from +x towards +z [rad, -π..π].
    pub facing: f32,
}

impl Motion {
    /// A body at rest.
    pub fn at(position: impl Into<Point3<f32>>) -> Self {
        Motion { position: position.into(), velocity: Vector3::zeros() }
    }
}

impl Follower {
    /// A follower without a goal.
    ///
    /// # Errors
    /// Returns the first setting that is out of its limits.
    pub fn new(settings: FollowSettings) -> Result<Self, FollowError> {
        settings.check()?;
        let goal_mode = GoalMode::NearestByRing;
        let following = PathFollowing::default();
        Ok(Follower {
            settings,
            following,
            nav_point: None,
            grid: None,
            goal_mode,
            facing: 0.0,
            last_velocity: [0.0; 2],
            has_landed: false,
            steps_off: false,
            room_to_link: None,
        })
    }

    /// Sends the body to a goal; the next step finds the path.
    pub fn set_goal(&mut self, goal: impl Into<Point3<f32>>) {
        self.following.set_goal(Some(goal.into()));
    }

    /// Sends the body after a moving target. Call it at every step with the target's position. Another
    /// path is found when the target has moved by more than `replan_distance` of the settings, or by
    /// more than half the distance to it, but not before their `replan_interval` is over.
    pub fn set_target(&mut self, target: impl Into<Point3<f32>>) {
        self.following.set_target(target.into());
    }

    /// Follows a path that was found before. If the body cannot follow it to its end, the follower
    /// finds its own path to the same end.
    pub fn set_path(&mut self, nav: &Navigator, path: &Path) {
        self.notice_grid(nav.view());
        let ground = FollowerGround { nav, sight: None, slope_limit: self.settings.slope_limit };
        ground.with_segments(|segments| self.following.set_path(segments, path.waypoints()));
    }

    /// Sets what happens if the goal cannot be reached. By default the body goes to the nearest point
    /// that can be reached, and its state says so.
    pub fn set_goal_mode(&mut self, mode: GoalMode) {
        self.goal_mode = mode;
    }

    /// Drops the goal; the body brakes and stands.
    pub fn stop(&mut self) {
        self.following.set_goal(None);
    }

    /// Returns what the body is doing, and why it is not doing more.
    pub fn state(&self) -> FollowState {
        if self.waits_for_link() { FollowState::MakingWay } else { self.following.state() }
    }

    /// Returns the goal.
    pub fn goal(&self) -> Option<Point3<f32>> {
        self.following.goal()
    }

    /// Returns the waypoints still ahead, the next one first.
    pub fn waypoints(&self) -> &[Waypoint] {
        self.following.waypoints()
    }

    /// Returns the ground the body stands on; `None` before the first step, on links, and off the
    /// grid.
    pub fn nav_point(&self) -> Option<NavPoint> {
        self.nav_point
    }

    /// Returns the distance to the end along the path [m]; `None` without a path.
    pub fn remaining_distance(&self) -> Option<f32> {
        self.nav_point.and_then(|at| self.following.remaining(&at))
    }

    /// Returns the time to the end of the path at full speed [s]; `None` without a path.
    pub fn remaining_time(&self) -> Option<f32> {
        self.remaining_distance().map(|distance| distance / self.settings.speed)
    }

    /// Returns where on a link the body is; `None` if it is on none. While it is on one, the velocity of
    /// each step leads along the motion of the link, through the air if that flies: the caller lets the
    /// body follow, without gravity of its own.
    pub fn traversal(&self) -> Option<LinkTraversal> {
        self.following.traversal().map(Traversal::pose)
    }

    /// Takes over the traversal of the link that the body is on, to play it as an animation. The follower
    /// waits, and returns no velocity, until the body is handed back. A new goal waits as well.
    ///
    /// # Errors
    /// The body is on no link.
    pub fn take_over(&mut self) -> Result<LinkTraversal, NotOnLink> {
        self.following.take_over().map(|traversal| traversal.pose()).ok_or(NotOnLink)
    }

    /// Hands back a body that has been brought to the end of its link: it goes on from there.
    ///
    /// # Errors
    /// The body is on no link.
    pub fn hand_back_at_end(&mut self) -> Result<(), NotOnLink> {
        let end = self.following.traversal().ok_or(NotOnLink)?.end();
        self.following.land();
        self.nav_point = Some(end);
        Ok(())
    }

    /// Hands back a body somewhere else, as when something has knocked it off the link. Returns the
    /// nearest ground, where the caller has to put the body: from there it goes on by another path. A body
    /// that was not taken over can be handed back as well.
    ///
    /// # Errors
    /// The body is on no link.
    pub fn hand_back(
        &mut self,
        nav: &Navigator,
        position: impl Into<Point3<f32>>,
    ) -> Result<NavPoint, NotOnLink> {
        let traversal = self.following.traversal().ok_or(NotOnLink)?;
        let ends = [traversal.begin(), traversal.end()];
        let ground = nearest_ground(&nav.view().parts(), position.into(), ends);
        self.following.interrupt();
        self.nav_point = Some(ground);
        Ok(ground)
    }

    /// Returns the settings.
    pub fn settings(&self) -> &FollowSettings {
        &self.settings
    }

    /// Returns what the body should do for the next `dt` seconds. Finds a path first if one is needed.
    /// Does nothing if `dt` is not positive and finite.
    ///
    /// A position that is not finite counts as off the grid, and a velocity that is not finite as the
    /// one that was returned last. The steering is finite all the same, and the next sound motion is
    /// followed as if nothing had happened.
    ///
    /// `guide` is a `&mut Navigator`, or one with a line of sight that confirms every segment, so that
    /// what the grid does not know counts too: see [`Navigator::with_sight`].
    #[must_use]
    pub fn step<'a>(&mut self, guide: impl Into<Guide<'a>>, motion: &Motion, dt: f32) -> Steering {
        self.step_by(guide.into(), motion, dt)
    }

    fn step_by(&mut self, mut guide: Guide, motion: &Motion, dt: f32) -> Steering {
        let motion = &self.sound(motion);
        if !is_positive_time(dt) {
            return Steering { velocity: motion.velocity, facing: self.facing };
        }
        self.notice_grid(guide.nav.view());
        self.keep_off_link(guide.nav.view());
        if self.waits_for_link() {
            self.following.wait(dt);
        } else {
            self.following.add_time(dt);
        }
        let mut desired = self.desired_velocity(&guide, motion, dt);
        if desired.needs_path {
            self.find_path(&mut guide);
            self.keep_off_link(guide.nav.view());
            desired = self.desired_velocity(&guide, motion, dt);
        }
        if let Some(room) = self.room_to_link {
            let most = FollowStep { settings: &self.settings, dt }.braking_speed(room, 0.0);
            desired.velocity = desired.velocity.cap_magnitude(if room > 0.0 { most } else { 0.0 });
        }
        self.steer(desired, motion, dt)
    }

    /// Keeps off a link that moves and is elsewhere.
    fn keep_off_link(&mut self, view: &View) {
        let is_away = |link: &LinkAhead| {
            view.overlay().is_some_and(|overlay| !overlay.is_link_at_stop(link.link as usize))
        };
        let ahead = self.following.link_ahead().filter(is_away);
        self.following.is_link_barred = ahead.is_some();
        let gap = LINK_GAP_RADII * view.agent().radius;
        let room = |(link, at): (LinkAhead, NavPoint)| {
            horizontal_distance(&link.from.point, &at.point) - gap
        };
        self.room_to_link = ahead.zip(self.nav_point).map(room);
    }

    /// Whether it stands in front of a link that moves and is elsewhere.
    fn waits_for_link(&self) -> bool {
        let is_at_place = self.room_to_link.is_some_and(|room| room < AT_PLACE);
        is_at_place && self.following.link_ahead().is_some()
    }

    /// Forgets the ground if the navigator has gone on to another grid.
    fn notice_grid(&mut self, view: &View) {
        let number = view.grid().number();
        if self.grid.replace(number).is_some_and(|known| known != number) {
            self.nav_point = None;
            // A body in the air heads for the nearest ground.
            self.steps_off = self.following.is_on_link();
            self.following.change_grid();
        }
    }

    /// Returns a motion without the velocity if that is no velocity, as from a physics engine that
    /// divides by zero: the body then counts as moving by the last steering.
    fn sound(&self, motion: &Motion) -> Motion {
        let real = motion.velocity;
        let is_sound = real.y.is_finite() && norm([real.x, real.z]).is_finite();
        let [x, z] = self.last_velocity;
        let velocity = if is_sound { motion.velocity } else { Vector3::new(x, 0.0, z) };
        Motion { velocity, ..*motion }
    }

    fn desired_velocity(&mut self, guide: &Guide, motion: &Motion, dt: f32) -> DesiredVelocity {
        let step = FollowStep { settings: &self.settings, dt };
        if let Some(end) = self.following.traversal().map(Traversal::end) {
            let desired = self.following.traverse_link(motion.position, step);
            self.has_landed = !self.following.is_on_link();
            self.nav_point = self.has_landed.then_some(end);
            if !self.has_landed {
                return desired;
            }
            self.steps_off = !guide.nav.view().is_walkable(end.span);
        }
        let view = guide.nav.view();
        match locate(&view.parts(), self.nav_point, motion.position) {
            Ok(nav_point) => {
                (self.nav_point, self.steps_off) = (Some(nav_point), false);
                let following = &mut self.following;
                let slope_limit = self.settings.slope_limit;
                let ground = FollowerGround { nav: guide.nav, sight: guide.sight, slope_limit };
                let desired =
                    ground.with_segments(|segments| following.advance(segments, &nav_point, step));
                let radius = view.agent().radius;
                if self.following.is_held_up_within(radius, &nav_point, &self.settings) {
                    self.following.rest_here();
                }
                desired
            }
            Err(nearest) => {
                self.nav_point = None;
                self.following.leave_grid(nearest);
                let off = nearest.filter(|_| self.steps_off).map(|to| to - motion.position);
                let velocity = off.and_then(|off| off.try_normalize(f32::MIN_POSITIVE));
                let velocity = velocity.map_or(Vector3::zeros(), |off| off * self.settings.speed);
                DesiredVelocity { velocity, needs_path: false }
            }
        }
    }

    fn find_path(&mut self, guide: &mut Guide) {
        let (Some(from), Some(goal)) = (self.nav_point, self.following.goal()) else { return };
        let slope_limit = self.settings.slope_limit;
        let (mode, links) = (self.goal_mode, self.settings.links);
        let query = Query { goal: mode, slope_limit, links, ..Query::new(from.point, goal) };
        guide.nav.find_by(&query, guide.sight);
        let answer = guide.nav.answer();
        let waypoints = answer.path().map_or(&[][..], Path::waypoints);
        let following = &mut self.following;
        let ground = FollowerGround { nav: guide.nav, sight: guide.sight, slope_limit };
        ground.with_segments(|segments| following.take_answer(segments, answer.outcome, waypoints));
    }

    fn steer(&mut self, desired: DesiredVelocity, motion: &Motion, dt: f32) -> Steering {
        let desired = desired.velocity;
        let velocity = if self.following.is_on_link() {
            desired
        } else {
            let max_change = self.settings.acceleration * dt;
            let flat = [desired.x, desired.z];
            let start = match std::mem::take(&mut self.has_landed) {
                true => landing_velocity([motion.velocity.x, motion.velocity.z], flat),
                false => self.start_velocity(motion),
            };
            let [x, z] = approach_along(start, flat, max_change);
            // Rises and falls in proportion to the desired speed, and no faster: engines turn a push
            // into the ground into speed along it, which would make the next push harder.
            let part = norm([x, z]) / norm([desired.x, desired.z]);
            Vector3::new(x, if part.is_finite() { part.min(1.0) * desired.y } else { 0.0 }, z)
        };
        self.last_velocity = [velocity.x, velocity.z];
        let max_turn = self.settings.turn_rate * dt;
        self.facing = turn_facing(self.facing, self.last_velocity, max_turn);
        Steering { velocity, facing: self.facing }
    }

    /// Returns the velocity to accelerate from: the body's own, plus some of what something took from
    /// the last proposed one. Without that a body moved by an engine would not get over the edge of a
    /// step.
    fn start_velocity(&self, motion: &Motion) -> [f32; 2] {
        let real = [motion.velocity.x, motion.velocity.z];
        if norm(real) > norm(self.last_velocity) {
            return real;
        }
        approach(real, self.last_velocity, PUSH_TIME * self.settings.acceleration)
    }
}

/// A body that is held up is pushed with the speed that it would gain in this time [s].
const PUSH_TIME: f32 = 0.25;
/// A body waits this far from the start of a link that is elsewhere [radii].
const LINK_GAP_RADII: f32 = 2.0;
/// A body this near to where it waits stands [m].
const AT_PLACE: f32 = 0.05;

/// What a follower prices and confirms segments with.
struct FollowerGround<'a> {
    nav: &'a Navigator,
    sight: Option<&'a dyn Sight>,
    slope_limit: Option<f32>,
}

impl FollowerGround<'_> {
    fn with_segments<R>(&self, act: impl FnOnce(&Segments<SharedModel>) -> R) -> R {
        let view = self.nav.view().parts();
        let limit = SlopeLimit::of(&view, self.slope_limit);
        let metric = Metric::new(&view, self.nav.shared_model(), limit, 0);
        act(&Segments { metric: &metric, sight: self.sight })
    }
}
