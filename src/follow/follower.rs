//! Provides [`Follower`]: leads one body to its goal.

use nalgebra::{Point3, Vector3};

use super::horizontal::norm;
use super::locate::place;
use super::path_following::{DesiredVelocity, PathFollowing};
use super::settings::{FollowError, FollowSettings};
use super::speed::{approach, passes, turn, turn_into};
use super::state::FollowState;
use crate::cost::{Metric, SlopeLimit};
use crate::navigator::{Guide, Navigator, NavigatorModel};
use crate::path::{Path, Segments, Sight, Waypoint};
use crate::search::{GoalMode, Query};
use crate::view::NavPoint;

/// Leads one body to its goal. It proposes a velocity; whoever simulates the body moves it.
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
    goal_mode: GoalMode,
    facing: f32,
    /// The velocity it proposed last, along x and z.
    told: [f32; 2],
}

/// How a body moves now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Where its feet are, or any other point of it above them [m].
    pub position: Point3<f32>,
    /// How fast it really moves [m/s].
    pub velocity: Vector3<f32>,
}

/// What a follower proposes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// The velocity the body should have [m/s]; up and down as the ground ahead.
    pub velocity: Vector3<f32>,
    /// Where it should face: the angle from +x towards +z [rad, -π..π].
    pub facing: f32,
}

impl Motion {
    /// At rest.
    pub fn at(position: impl Into<Point3<f32>>) -> Self {
        Motion { position: position.into(), velocity: Vector3::zeros() }
    }
}

impl Follower {
    /// A follower without a goal.
    ///
    /// # Errors
    /// A setting that is out of its limits.
    pub fn new(settings: FollowSettings) -> Result<Self, FollowError> {
        settings.check()?;
        let goal_mode = GoalMode::NearestByRing;
        let following = PathFollowing::default();
        Ok(Follower {
            settings,
            following,
            nav_point: None,
            goal_mode,
            facing: 0.0,
            told: [0.0; 2],
        })
    }

    /// Sets out for a place; the path is found at the next step.
    pub fn set_goal(&mut self, goal: impl Into<Point3<f32>>) {
        self.following.set_goal(Some(goal.into()));
    }

    /// Goes after something that moves; call it with its place at every step. The way is found anew
    /// when the target has moved further than the settings' `replan_distance`, or than half the
    /// distance to it, and not before their `replan_interval`.
    pub fn set_target(&mut self, target: impl Into<Point3<f32>>) {
        self.following.set_target(target.into());
    }

    /// Follows a path that was found before. If it cannot go on along it, it finds its own path to
    /// the same end.
    pub fn set_path<M: NavigatorModel>(&mut self, nav: &Navigator<M>, path: &Path) {
        let look = LookAhead { nav, sight: None, limit: self.settings.slope_limit };
        look.with_segments(|segments| self.following.take(segments, path.waypoints()));
    }

    /// What happens where the goal cannot be reached: by default it goes to the nearest place that
    /// can, and says so.
    pub fn set_goal_mode(&mut self, mode: GoalMode) {
        self.goal_mode = mode;
    }

    /// Gives up its goal; it brakes and stands.
    pub fn stop(&mut self) {
        self.following.set_goal(None);
    }

    /// What it is doing, and why it is not doing more.
    pub fn state(&self) -> FollowState {
        self.following.state()
    }

    /// Where it wants to go.
    pub fn goal(&self) -> Option<Point3<f32>> {
        self.following.goal()
    }

    /// The waypoints still ahead, the next one first.
    pub fn waypoints(&self) -> &[Waypoint] {
        self.following.waypoints()
    }

    /// The ground it stands on; `None` before the first step, on links, and off the grid.
    pub fn nav_point(&self) -> Option<NavPoint> {
        self.nav_point
    }

    /// How far it is along the path to its end [m]; `None` where there is no path.
    pub fn remaining_distance(&self) -> Option<f32> {
        self.nav_point.and_then(|at| self.following.remaining(&at))
    }

    /// How long that takes at full speed [s].
    pub fn remaining_time(&self) -> Option<f32> {
        self.remaining_distance().map(|distance| distance / self.settings.speed)
    }

    /// How it walks.
    pub fn settings(&self) -> &FollowSettings {
        &self.settings
    }

    /// What the body should do for the next `dt` seconds [s]. Finds a path first if one is needed.
    /// Does nothing if `dt` is zero or negative.
    ///
    /// `guide` is a `&mut Navigator`, or one with a line of sight that confirms every segment, so that
    /// what the grid does not know counts too: see [`Navigator::with_sight`].
    pub fn step<'a, M: NavigatorModel>(
        &mut self,
        guide: impl Into<Guide<'a, M>>,
        motion: &Motion,
        dt: f32,
    ) -> Steering {
        let mut guide = guide.into();
        if !passes(dt) {
            return Steering { velocity: motion.velocity, facing: self.facing };
        }
        self.following.wait(dt);
        let mut desired = self.desired(&guide, motion, dt);
        if desired.asks {
            self.find_path(&mut guide);
            desired = self.desired(&guide, motion, dt);
        }
        self.steer(desired, motion, dt)
    }

    fn desired<M: NavigatorModel>(
        &mut self,
        guide: &Guide<M>,
        motion: &Motion,
        dt: f32,
    ) -> DesiredVelocity {
        let pace = (&self.settings, dt);
        if let Some(end) = self.following.traversal() {
            let desired = self.following.traverse(motion.position, pace);
            self.nav_point = self.following.traversal().is_none().then_some(end);
            return desired;
        }
        let view = guide.nav.view();
        match place(&view.parts(), self.nav_point, motion.position) {
            Ok(nav_point) => {
                self.nav_point = Some(nav_point);
                let following = &mut self.following;
                let limit = self.settings.slope_limit;
                let look = LookAhead { nav: guide.nav, sight: guide.sight, limit };
                let desired =
                    look.with_segments(|segments| following.advance(segments, &nav_point, pace));
                let radius = view.agent().radius;
                if self.following.is_held_up_within(radius, &nav_point, &self.settings) {
                    self.following.settle();
                }
                desired
            }
            Err(nearest) => {
                self.nav_point = None;
                self.following.strand(nearest);
                DesiredVelocity::default()
            }
        }
    }

    fn find_path<M: NavigatorModel>(&mut self, guide: &mut Guide<M>) {
        let (Some(from), Some(goal)) = (self.nav_point, self.following.goal()) else { return };
        let slope_limit = self.settings.slope_limit;
        let query = Query { goal: self.goal_mode, slope_limit, ..Query::new(from.point, goal) };
        guide.nav.find_by(&query, guide.sight);
        let answer = guide.nav.answer();
        let waypoints = answer.path().map_or(&[][..], Path::waypoints);
        let following = &mut self.following;
        let look = LookAhead { nav: guide.nav, sight: guide.sight, limit: slope_limit };
        look.with_segments(|segments| following.answer(segments, (answer.outcome, waypoints)));
    }

    fn steer(&mut self, desired: DesiredVelocity, motion: &Motion, dt: f32) -> Steering {
        let wanted = desired.velocity;
        let velocity = if self.following.traversal().is_some() {
            wanted
        } else {
            let most = self.settings.acceleration * dt;
            let [x, z] = turn_into(self.before(motion), [wanted.x, wanted.z], most);
            // Up and down as it would at the speed that is wanted, and no faster: engines turn a
            // push into the ground into speed along it, and that would make the next push harder.
            let part = norm([x, z]) / norm([wanted.x, wanted.z]);
            Vector3::new(x, if part.is_finite() { part.min(1.0) * wanted.y } else { 0.0 }, z)
        };
        self.told = [velocity.x, velocity.z];
        self.facing = turn(self.facing, [velocity.x, velocity.z], self.settings.turn_rate * dt);
        Steering { velocity, facing: self.facing }
    }

    /// The velocity to go on from: the body's, and some of what it was told and something took from
    /// it. Without that an engine's body would not get over the edge of a step.
    fn before(&self, motion: &Motion) -> [f32; 2] {
        let moves = [motion.velocity.x, motion.velocity.z];
        if norm(moves) > norm(self.told) {
            return moves;
        }
        approach(moves, self.told, PUSH * self.settings.acceleration)
    }
}

/// A body that is held up is pushed with what it would gain in so long [s].
const PUSH: f32 = 0.25;

/// What a follower looks ahead with.
struct LookAhead<'a, M> {
    nav: &'a Navigator<M>,
    sight: Option<&'a dyn Sight>,
    limit: Option<f32>,
}

impl<M: NavigatorModel> LookAhead<'_, M> {
    fn with_segments<R>(&self, act: impl FnOnce(&Segments<M>) -> R) -> R {
        let view = self.nav.view().parts();
        let limit = SlopeLimit::of(&view, self.limit);
        let metric = Metric::new(&view, self.nav.model(), limit, 0);
        act(&Segments { metric: &metric, sight: self.sight })
    }
}
