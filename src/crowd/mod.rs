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
pub(crate) mod workers;

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use crate::crowd::neighbors::{Body, Neighborhood};
use crate::crowd::overlap_solver::OverlapSolver;
use crate::crowd::requests::{Ground, Requests};
use crate::crowd::right_of_way::RightOfWay;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::steering::{Plan, plan};
use crate::crowd::workers::{for_each, with_others};

use crate::cost::{CostModel, HeightCost, Metric};
use crate::follow::passes;
use crate::follow::place;
use crate::follow::{FollowError, FollowSettings};
use crate::grid::{AgentId, NavGrid};
use crate::view::{Overlay, ViewRef};

pub use crate::crowd::member::{Member, MemberId};
pub use crate::crowd::settings::CrowdSettings;

/// Many bodies of several sizes on one grid: each goes to its own goal, round the others.
///
/// The crowd moves its members itself, over the ground and never off it. The same members and goals
/// give the same motion to the last bit, on any number of threads.
///
/// ```
/// use std::sync::Arc;
/// use surefoot::follow::{Crowd, FollowSettings, FollowState};
/// use surefoot::{NavGrid, solve::HeightCost};
/// let map = "type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
/// let grid = Arc::new(NavGrid::from_map(map, 1.0, &[])?);
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let mut crowd = Crowd::new(grid, HeightCost::default());
/// let left = crowd.add(human, [0.5, 0.0, 1.5], FollowSettings::default())?;
/// let right = crowd.add(human, [8.5, 0.0, 1.5], FollowSettings::default())?;
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
    grid: Arc<NavGrid>,
    overlay: Overlay,
    model: M,
    settings: CrowdSettings,
    slot_map: SlotMap,
    requests: Requests<M>,
    /// What others see of each member, by its place in the roster; nothing on links.
    seen: Vec<Option<Body>>,
    neighborhood: Neighborhood,
    /// What each body does, in the order of the neighborhood.
    plans: Vec<Plan>,
    overlap_solver: OverlapSolver,
    /// How long it has walked [s].
    time: f64,
}

/// Why a body cannot join a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The grid was not baked for such an agent.
    #[error("the grid has no agent {}; it has {agents}", .agent.0)]
    NoSuchAgent {
        /// The agent asked for.
        agent: AgentId,
        /// How many there are.
        agents: usize,
    },
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

impl<M: CostModel + Clone + Send + Sync + 'static> Crowd<M> {
    /// Nobody, on a grid.
    pub fn new(grid: Arc<NavGrid>, model: M) -> Self {
        Crowd {
            overlay: Overlay::new(&grid),
            requests: Requests::new(grid.layers().len()),
            grid,
            model,
            settings: CrowdSettings::default(),
            slot_map: SlotMap::default(),
            seen: Vec::new(),
            neighborhood: Neighborhood::default(),
            plans: Vec::new(),
            overlap_solver: OverlapSolver::default(),
            time: 0.0,
        }
    }

    /// Nobody, on a grid, by other settings.
    ///
    /// # Errors
    /// See [`CrowdSettings::check`].
    pub fn with_settings(
        grid: Arc<NavGrid>,
        model: M,
        settings: CrowdSettings,
    ) -> Result<Self, FollowError> {
        settings.check()?;
        Ok(Crowd { settings, ..Crowd::new(grid, model) })
    }

    /// Prepares routes for an agent, so that long ways over large grids are found many times
    /// faster; false for one that the grid does not have. Takes some seconds for a million
    /// spans.
    pub fn prepare(&mut self, agent: AgentId) -> bool {
        let ground = Ground { grid: &self.grid, overlay: &self.overlay, model: &self.model };
        self.requests.prepare(&ground, agent)
    }

    /// Adds a body, standing at a point or on the nearest ground within two of its radii.
    ///
    /// # Errors
    /// See [`JoinError`].
    pub fn add(
        &mut self,
        agent: AgentId,
        point: impl Into<Point3<f32>>,
        settings: FollowSettings,
    ) -> Result<MemberId, JoinError> {
        settings.check()?;
        let point = point.into();
        let agents = self.grid.layers().len();
        let view = self.view(agent).ok_or(JoinError::NoSuchAgent { agent, agents })?;
        let at =
            place(&view, None, point).map_err(|nearest| JoinError::OffGrid { point, nearest })?;
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

    /// How many wait for a way.
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
        let view = ViewRef::changed(&self.grid, member.agent, &self.overlay);
        let Some(Ok(at)) = view.map(|view| place(&view, Some(member.at), point.into())) else {
            return false;
        };
        (member.at, member.position, member.velocity) = (at, at.point, velocity);
        true
    }

    fn change(&mut self, id: MemberId, act: impl FnOnce(&mut Member)) -> bool {
        self.slot_map.member_mut(id).map(act).is_some()
    }

    /// The grid they walk on.
    pub fn grid(&self) -> &Arc<NavGrid> {
        &self.grid
    }

    /// What changed since the bake.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// To change the ground: those whose way is cut find another one. Take care to leave an overlay
    /// of the same grid there.
    pub fn overlay_mut(&mut self) -> &mut Overlay {
        &mut self.overlay
    }

    /// The ground as one agent finds it now; `None` for one that the grid does not have.
    pub fn view(&self, agent: AgentId) -> Option<ViewRef<'_>> {
        ViewRef::changed(&self.grid, agent, &self.overlay)
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
        self.follow_ways(dt);
        self.look_round();
        self.make_plans(dt);
        self.decide(dt);
    }

    /// What everyone would do alone.
    fn follow_ways(&mut self, dt: f32) {
        for view in views(&self.grid, &self.overlay) {
            let agent = view.agent_id();
            let metric = Metric::new(&view, &self.model, None, 0);
            for_each(self.slot_map.slots_mut(), |_, slot| {
                if let Some(member) = slot.member.as_mut().filter(|own| own.agent == agent) {
                    member.follow(&metric, &self.model, dt);
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

    /// What everyone does about others; and ways for those who asked for one, as far as the budget
    /// goes. Both only look at members.
    fn make_plans(&mut self, dt: f32) {
        self.requests.queue(&mut self.slot_map);
        let Crowd { grid, overlay, model, settings, slot_map, requests, neighborhood, .. } = self;
        let (slot_map, settings, neighborhood) = (&*slot_map, &*settings, &*neighborhood);
        let rules = (settings, &RightOfWay::at(self.time), dt);
        let evade = |plans: &mut [Plan]| {
            for view in views(grid, overlay) {
                let agent = view.agent_id();
                for_each(plans, |slot, own| {
                    let body = &neighborhood.bodies()[slot];
                    let member = slot_map.at(body.index).filter(|_| body.agent == agent);
                    if let Some(member) = member {
                        *own = plan((&view, neighborhood), (member, body), rules);
                    }
                });
            }
        };
        let ground = Ground { grid, overlay, model };
        let find_ways = || requests.find_ways(&ground, slot_map, settings.planning_budget);
        with_others(&mut self.plans, evade, find_ways);
    }

    /// Everyone takes up a velocity, and the way that was found.
    fn decide(&mut self, dt: f32) {
        let (plans, neighborhood) = (&self.plans, &self.neighborhood);
        for_each(self.slot_map.slots_mut(), |index, slot| {
            let plan = neighborhood.slot_of(index).map(|slot| &plans[slot]);
            if let Some((plan, member)) = plan.zip(slot.member.as_mut()) {
                member.decide((plan.velocity, plan.is_alone), dt);
            }
        });
        let ground = Ground { grid: &self.grid, overlay: &self.overlay, model: &self.model };
        self.requests.hand_out(&ground, &mut self.slot_map);
    }

    /// Moves everyone over the ground.
    fn walk(&mut self, dt: f32) {
        for view in views(&self.grid, &self.overlay) {
            let agent = view.agent_id();
            let Some(baked) = ViewRef::new(&self.grid, agent) else { continue };
            for_each(self.slot_map.slots_mut(), |_, slot| {
                if let Some(member) = slot.member.as_mut().filter(|own| own.agent == agent) {
                    member.walk([&view, &baked], dt);
                }
            });
        }
    }

    /// Pushes those apart who overlap.
    fn keep_apart(&mut self, dt: f32) {
        let bodies = self.neighborhood.bodies();
        let right_of_way = RightOfWay::at(self.time);
        let ground = (&*self.grid, &self.overlay, dt);
        self.overlap_solver.push(ground, &mut self.slot_map, (bodies, &self.plans, &right_of_way));
    }

    /// Lets those come to rest for whom there is no room at their goal.
    fn settle(&mut self, dt: f32) {
        arrival::settle(&mut self.slot_map, (&self.neighborhood, &mut self.plans), dt);
    }
}

/// The ground as each agent finds it now.
fn views<'a>(grid: &'a NavGrid, overlay: &'a Overlay) -> impl Iterator<Item = ViewRef<'a>> + 'a {
    let agents = (0..grid.layers().len() as u16).map(AgentId);
    agents.filter_map(|agent| ViewRef::changed(grid, agent, overlay))
}
