//! Provides [`Crowd`]: many bodies on one grid, headless.

pub(crate) mod arrival;
pub(crate) mod avoidance;
pub(crate) mod member;
pub(crate) mod neighbors;
pub(crate) mod overlap_solver;
pub(crate) mod requests;
pub(crate) mod right_of_way;
pub(crate) mod settings;
pub(crate) mod slot_map;
pub(crate) mod steering;
pub(crate) mod walls;

mod changes;

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use crate::parallel::{for_each, with_others};
use neighbors::{Body, Neighborhood};
use overlap_solver::{OverlapSolver, Pushing};
use requests::Requests;
use right_of_way::RightOfWay;
use slot_map::SlotMap;
use steering::{Plan, SteeringContext, plan};

use crate::cost::{HeightCost, Metric};
use crate::follow::{FollowError, FollowSettings, passes, place};
use crate::grid::{AgentId, AgentKey, NavGrid, UnknownAgent};
use crate::navigator::{CannotPrepare, Navigator, NavigatorModel};
use crate::view::{Overlay, View, ViewRef};

pub use member::{Member, MemberId};
pub use settings::CrowdSettings;

/// Many bodies of several sizes on one grid: each goes to its own goal, round the others.
///
/// The crowd moves its members itself, over the ground and never off it. The same members and goals
/// give the same motion to the last bit, on any number of threads.
///
/// ```
/// use surefoot::{Crowd, HeightCost, NavGrid};
/// use surefoot::follow::{FollowSettings, FollowState};
/// let map = "type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
/// let mut crowd = Crowd::new(NavGrid::from_map(map, 1.0, &[])?, HeightCost::default());
/// let left = crowd.add("human", [0.5, 0.0, 1.5], FollowSettings::default())?;
/// let right = crowd.add("human", [8.5, 0.0, 1.5], FollowSettings::default())?;
/// crowd.set_goal(left, [8.5, 0.0, 1.5]);
/// crowd.set_goal(right, [0.5, 0.0, 1.5]);
/// for _ in 0..300 {
///     crowd.step(1.0 / 60.0);
/// }
/// assert!(crowd.members().all(|member| member.state() == FollowState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crowd<M = HeightCost> {
    grid: NavGrid,
    overlay: Arc<Overlay>,
    /// One for each agent.
    navigators: Vec<Navigator<M>>,
    /// For each agent, its ground as it is now.
    views: Vec<View>,
    /// For each agent, its ground as it was baked.
    baked: Vec<View>,
    settings: CrowdSettings,
    slot_map: SlotMap,
    requests: Requests,
    /// What others see of each member, by its slot; nothing on links.
    seen: Vec<Option<Body>>,
    neighborhood: Neighborhood,
    /// What each body does, in the order of the neighborhood.
    plans: Vec<Plan>,
    overlap_solver: OverlapSolver,
    /// How long it has walked [s].
    time: f64,
}

/// Cost fields are kept for this many goals of each agent.
const MOST_FIELDS: usize = 4;

/// Why routes cannot be prepared for an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The grid was not baked for such an agent.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// The ground cannot be prepared.
    #[error(transparent)]
    CannotPrepare(#[from] CannotPrepare),
}

/// Why a body cannot join a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The grid was not baked for such an agent.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// Its agent can stand nowhere near.
    #[error("no ground to stand on near {point}{}", hint(.nearest))]
    OffGrid {
        /// Where it was to be.
        point: Point3<f32>,
        /// The nearest place where it could, if there is any within a few cells.
        nearest: Option<Point3<f32>>,
    },
    /// A setting is out of its limits.
    #[error(transparent)]
    Settings(#[from] FollowError),
}

fn hint(nearest: &Option<Point3<f32>>) -> String {
    nearest.map_or_else(String::new, |point| format!("; the nearest is {point}"))
}

impl<M: NavigatorModel> Crowd<M> {
    /// An empty crowd on a grid.
    pub fn new(grid: NavGrid, model: M) -> Self {
        let agents = (0..grid.layers().len() as u16).map(AgentId);
        let baked: Vec<View> = agents.filter_map(|agent| View::new(&grid, agent).ok()).collect();
        let model = Arc::new(model);
        let navigators = baked
            .iter()
            .map(|view| Navigator::of(view.clone(), model.clone()).with_fields(MOST_FIELDS));
        Crowd {
            overlay: Arc::new(Overlay::new(&grid)),
            navigators: navigators.collect(),
            views: baked.clone(),
            baked,
            grid,
            settings: CrowdSettings::default(),
            slot_map: SlotMap::default(),
            requests: Requests::default(),
            seen: Vec::new(),
            neighborhood: Neighborhood::default(),
            plans: Vec::new(),
            overlap_solver: OverlapSolver::default(),
            time: 0.0,
        }
    }

    /// An empty crowd on a grid, with other settings.
    ///
    /// # Errors
    /// See [`CrowdSettings::check`].
    pub fn with_settings(
        grid: NavGrid,
        model: M,
        settings: CrowdSettings,
    ) -> Result<Self, FollowError> {
        settings.check()?;
        Ok(Crowd { settings, ..Crowd::new(grid, model) })
    }

    /// Prepares routes for an agent, by name or id, so that long paths over large grids are found many
    /// times faster. Takes some seconds for a million spans.
    ///
    /// # Errors
    /// The grid has no such agent, or its ground cannot be prepared.
    pub fn prepare(&mut self, agent: impl AgentKey) -> Result<(), PrepareError> {
        let agent = agent.find_in(&self.grid)?;
        self.navigators[agent.index()].prepare()?;
        Ok(())
    }

    /// Adds a body, standing at a point or on the nearest ground within two of its radii.
    ///
    /// # Errors
    /// See [`JoinError`].
    pub fn add(
        &mut self,
        agent: impl AgentKey,
        point: impl Into<Point3<f32>>,
        settings: FollowSettings,
    ) -> Result<MemberId, JoinError> {
        settings.check()?;
        let point = point.into();
        let agent = agent.find_in(&self.grid)?;
        let at = place(&self.views[agent.index()].parts(), None, point)
            .map_err(|nearest| JoinError::OffGrid { point, nearest })?;
        Ok(self.slot_map.add(|id| Member::new((id, agent), settings, at)))
    }

    /// Takes a body out; false where there is none of that id.
    pub fn remove(&mut self, id: MemberId) -> bool {
        self.slot_map.remove(id).is_some()
    }

    /// A member; `None` where there is none of that id any more.
    pub fn member(&self, id: MemberId) -> Option<&Member> {
        self.slot_map.member(id)
    }

    /// All members, always in the same order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.slot_map.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.slot_map.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many wait for a path.
    pub fn waiting(&self) -> usize {
        self.requests.len()
    }

    /// Sends a member to a place; false where there is no such member.
    pub fn set_goal(&mut self, id: MemberId, goal: impl Into<Point3<f32>>) -> bool {
        self.change(id, |member| member.following.set_goal(Some(goal.into())))
    }

    /// Sends a member after something that moves, as
    /// [`Follower::set_target`](super::Follower::set_target); false where there is no such member.
    pub fn set_target(&mut self, id: MemberId, target: impl Into<Point3<f32>>) -> bool {
        self.change(id, |member| member.following.set_target(target.into()))
    }

    /// Lets a member stand still; false where there is no such member.
    pub fn stop(&mut self, id: MemberId) -> bool {
        self.change(id, |member| member.following.set_goal(None))
    }

    /// Others of lower priority make way for a member, which makes way for those of higher ones; at
    /// first all have 128. False where there is no such member.
    pub fn set_priority(&mut self, id: MemberId, priority: u8) -> bool {
        self.change(id, |member| member.priority = priority)
    }

    /// Puts a member where something else has moved it, at the velocity it has there [m/s]; false
    /// where there is no such member or no ground near.
    pub fn put(
        &mut self,
        id: MemberId,
        point: impl Into<Point3<f32>>,
        velocity: Vector3<f32>,
    ) -> bool {
        let Some(member) = self.slot_map.member_mut(id) else { return false };
        let view = self.views[member.agent.index()].parts();
        let Ok(at) = place(&view, Some(member.at), point.into()) else { return false };
        (member.at, member.position, member.velocity) = (at, at.point, velocity);
        true
    }

    fn change(&mut self, id: MemberId, act: impl FnOnce(&mut Member)) -> bool {
        self.slot_map.member_mut(id).map(act).is_some()
    }

    /// The grid they walk on.
    pub fn grid(&self) -> &NavGrid {
        &self.grid
    }

    /// The ground as an agent finds it now; `None` if the grid has no such agent.
    pub fn view(&self, agent: AgentId) -> Option<&View> {
        self.views.get(agent.index())
    }

    /// Lets everyone go on for `dt` seconds [s]. Nothing happens in no time at all, and none goes
    /// back.
    pub fn step(&mut self, dt: f32) {
        if !passes(dt) {
            return;
        }
        self.think(dt);
        self.walk(dt);
        self.keep_apart(dt);
        self.settle(dt);
    }

    /// The first half of a step: everyone decides on a velocity and nobody moves. For bodies that
    /// physics moves; tell the crowd where they got to with [`Crowd::put`]. In a throng they press
    /// on, and it is for physics to keep them apart.
    pub fn think(&mut self, dt: f32) {
        if !passes(dt) {
            return;
        }
        self.time += f64::from(dt);
        self.follow_paths(dt);
        self.look_round();
        self.make_plans(dt);
        self.decide(dt);
    }

    /// What everyone would do alone.
    fn follow_paths(&mut self, dt: f32) {
        for nav in &self.navigators {
            let view = nav.view().parts();
            let (agent, model) = (view.agent_id(), nav.model());
            let metric = Metric::new(&view, model, None, 0);
            for_each(self.slot_map.slots_mut(), |_, slot| {
                if let Some(member) = slot.member.as_mut().filter(|own| own.agent == agent) {
                    member.follow(&metric, model, dt);
                }
            });
        }
    }

    /// Who is where.
    fn look_round(&mut self) {
        let (grid, slot_map) = (&self.grid, &self.slot_map);
        self.seen.resize(slot_map.slots(), None);
        for_each(&mut self.seen, |index, seen| {
            let member =
                slot_map.at(index as u32).filter(|member| member.following.traversal().is_none());
            *seen = member.map(|member| {
                let agent = &grid.layers()[member.agent.index()].agent;
                member.body(agent.radius, agent.height)
            });
        });
        self.neighborhood.fill(&self.seen);
        self.plans.resize(self.neighborhood.bodies().len(), Plan::default());
    }

    /// What everyone does about others; and paths for those who asked for one, as far as the budget
    /// goes. Both only look at members.
    fn make_plans(&mut self, dt: f32) {
        self.requests.queue(&mut self.slot_map);
        let Crowd { navigators, views, settings, slot_map, requests, neighborhood, .. } = self;
        let (slot_map, neighborhood) = (&*slot_map, &*neighborhood);
        let right_of_way = RightOfWay::at(self.time);
        let steer = |plans: &mut [Plan]| {
            for view in &*views {
                let view = &view.parts();
                let context = SteeringContext {
                    view,
                    neighborhood,
                    settings,
                    right_of_way: &right_of_way,
                    dt,
                };
                for_each(plans, |slot, own| {
                    let body = &neighborhood.bodies()[slot];
                    let is_own = body.agent == view.agent_id();
                    if let Some(member) = slot_map.at(body.index).filter(|_| is_own) {
                        *own = plan(&context, member, body);
                    }
                });
            }
        };
        let find_paths = || requests.find_paths(navigators, slot_map, settings.planning_budget);
        with_others(&mut self.plans, steer, find_paths);
    }

    /// Everyone takes up a velocity, and the path that was found.
    fn decide(&mut self, dt: f32) {
        let (plans, neighborhood) = (&self.plans, &self.neighborhood);
        for_each(self.slot_map.slots_mut(), |index, slot| {
            let plan = neighborhood.slot_of(index).map(|slot| &plans[slot]);
            if let Some((plan, member)) = plan.zip(slot.member.as_mut()) {
                member.decide((plan.velocity, plan.is_alone), dt);
            }
        });
        self.requests.hand_out(&self.navigators, &mut self.slot_map);
    }

    /// Moves everyone over the ground.
    fn walk(&mut self, dt: f32) {
        for (view, baked) in self.views.iter().zip(&self.baked) {
            let (view, baked) = (view.parts(), baked.parts());
            let agent = view.agent_id();
            for_each(self.slot_map.slots_mut(), |_, slot| {
                if let Some(member) = slot.member.as_mut().filter(|own| own.agent == agent) {
                    member.walk([&view, &baked], dt);
                }
            });
        }
    }

    /// Pushes those apart who overlap.
    fn keep_apart(&mut self, dt: f32) {
        let views: Vec<ViewRef> = self.views.iter().map(View::parts).collect();
        let right_of_way = RightOfWay::at(self.time);
        let (bodies, plans) = (self.neighborhood.bodies(), &self.plans[..]);
        let pushing = Pushing { views: &views, bodies, plans, right_of_way: &right_of_way, dt };
        self.overlap_solver.push(&pushing, &mut self.slot_map);
    }

    /// Lets those come to rest for whom there is no room at their goal.
    fn settle(&mut self, dt: f32) {
        arrival::settle(&mut self.slot_map, (&self.neighborhood, &mut self.plans), dt);
    }
}
