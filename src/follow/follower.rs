//! Provides [`Follower`]: leads one body to its goal.

use nalgebra::{Point3, Vector3};

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::follow::flat::norm;
use crate::follow::locate::place;
use crate::follow::path_following::{DesiredVelocity, PathFollowing};
use crate::follow::settings::{FollowError, FollowSettings};
use crate::follow::speed::{approach, passes, turn, turn_into};
use crate::follow::state::FollowState;
use crate::path::{Path, PathSearch, Segments, Sight, Waypoint};
use crate::search::{GoalMode, Query};
use crate::view::{NavPoint, ViewRef};

/// Leads one body to its goal. It proposes a velocity; whoever simulates the body moves it.
///
/// ```
/// use surefoot::follow::{Follower, FollowSettings, FollowState, Guide, Motion};
/// use surefoot::{NavGrid, solve::{HeightCost, Search, Terrain}};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let grid = NavGrid::from_map(map, 1.0, &[])?;
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let terrain = Terrain::new(&grid, human).ok_or("no such agent")?;
/// let (model, mut search) = (HeightCost::default(), Search::default());
/// let mut guide = Guide { terrain: &terrain, model: &model, search: &mut search, sight: None };
///
/// let mut follower = Follower::new(FollowSettings::default())?;
/// follower.set_goal([4.5, 0.0, 0.5]);
/// let mut motion = Motion::at([0.5, 0.0, 0.5]);
/// let dt = 1.0 / 60.0;
/// while follower.state() != FollowState::Arrived {
///     motion.velocity = follower.step(&mut guide, &motion, dt).velocity;
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

/// What a follower finds its way with: the ground, what ground costs, a search, and a line of sight
/// that confirms what the grid allows, if there is one.
pub struct Guide<'a, M: ?Sized> {
    /// The ground as it is now.
    pub view: &'a ViewRef<'a>,
    /// What it costs.
    pub model: &'a M,
    /// Finds ways. Any number of followers may share one.
    pub search: &'a mut PathSearch,
    /// Has to confirm each leg; `None` where the grid is enough.
    pub sight: Option<&'a dyn Sight>,
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

    /// Sets out for a place; the way is found at the next step.
    pub fn set_goal(&mut self, goal: impl Into<Point3<f32>>) {
        self.following.set_goal(Some(goal.into()));
    }

    /// Goes after something that moves; call it with its place at every step. The way is found anew
    /// when the target has moved further than the settings' `replan_distance`, or than half the
    /// distance to it, and not before their `replan_interval`.
    pub fn set_target(&mut self, target: impl Into<Point3<f32>>) {
        self.following.set_target(target.into());
    }

    /// Goes along a path that was found before. Where it cannot go on along it, it finds its own
    /// way to the path's end.
    pub fn set_path<M: CostModel + ?Sized>(&mut self, guide: &Guide<M>, path: &Path) {
        guide.with_legs(&self.settings, |segments| self.following.take(segments, path.waypoints()));
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

    /// How far it is along the way to its end [m]; `None` where there is no way.
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

    /// What the body should do for the next `dt` seconds [s]. Finds a way first, where one is
    /// needed. In no time at all, and back in time, it goes on as it does.
    pub fn step<M: CostModel + ?Sized>(
        &mut self,
        guide: &mut Guide<M>,
        motion: &Motion,
        dt: f32,
    ) -> Steering {
        if !passes(dt) {
            return Steering { velocity: motion.velocity, facing: self.facing };
        }
        self.following.wait(dt);
        let mut desired = self.desired(guide, motion, dt);
        if desired.asks {
            self.find_way(guide);
            desired = self.desired(guide, motion, dt);
        }
        self.steer(desired, motion, dt)
    }

    fn desired<M: CostModel + ?Sized>(
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
        match place(guide.view, self.nav_point, motion.position) {
            Ok(nav_point) => {
                self.nav_point = Some(nav_point);
                let desired = guide.with_legs(&self.settings, |segments| {
                    self.following.advance(segments, &nav_point, pace)
                });
                let radius = guide.view.agent().radius;
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

    fn find_way<M: CostModel + ?Sized>(&mut self, guide: &mut Guide<M>) {
        let (Some(from), Some(goal)) = (self.nav_point, self.following.goal()) else { return };
        let slope_limit = self.settings.slope_limit;
        let query = Query { goal: self.goal_mode, slope_limit, ..Query::new(from.point, goal) };
        guide.find(&query);
        let answer = guide.search.answer();
        let way = answer.path().map_or(&[][..], Path::waypoints);
        guide.with_legs(&self.settings, |segments| {
            self.following.answer(segments, (answer.outcome, way))
        });
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

impl<M: CostModel + ?Sized> Guide<'_, M> {
    /// Finds a way, each leg of it confirmed by the line of sight.
    fn find(&mut self, query: &Query) {
        match self.sight {
            None => {
                self.search.path(self.view, self.model, query);
            }
            sight => {
                use crate::path::Progress;
                self.search.begin(self.view, self.model, query);
                while self.search.advance(self.view, self.model, u32::MAX) == Progress::Running {}
                self.search.straighten(self.view, self.model, sight);
            }
        }
    }

    fn with_legs<R>(&self, settings: &FollowSettings, act: impl FnOnce(&Segments<M>) -> R) -> R {
        let limit = SlopeLimit::of(self.view, settings.slope_limit);
        let metric = Metric::new(self.view, self.model, limit, 0);
        act(&Segments { metric: &metric, sight: self.sight })
    }
}
