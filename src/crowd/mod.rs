//! Provides [`Crowd`]: many bodies that walk on one grid, headless.
//!
//! A step computes what each member would do alone (path following), lets it avoid its neighbors (ORCA),
//! moves it over the ground, and pushes overlapping bodies apart (position-based overlap solver). Members
//! wait for their paths in a queue with a budget.

pub(crate) mod agent_views;
mod another_grid;
mod arrival;
pub(crate) mod avoidance;
pub(crate) mod clear_way;
pub(crate) mod duty;
pub(crate) mod errand;
pub(crate) mod ground_search;
pub(crate) mod jam_resolver;
pub(crate) mod jam_targets;
pub(crate) mod jam_task;
mod lanes;
pub(crate) mod link_traffic;
pub(crate) mod link_turn;
pub(crate) mod member;
pub(crate) mod narrow_ground;
mod nearby;
pub(crate) mod neighbors;
pub(crate) mod one_way;
pub(crate) mod overlap_solver;
pub(crate) mod passage;
mod passage_ground;
pub(crate) mod rearrangement;
pub(crate) mod requests;
pub(crate) mod right_of_way;
pub(crate) mod route_ahead;
pub(crate) mod settings;
pub(crate) mod slot_map;
pub(crate) mod steering;
pub(crate) mod turn;
pub(crate) mod walker;
pub(crate) mod walls;

mod changes;
mod errors;
mod held_up;
mod traversals;

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use crate::parallel::{for_each, with_others};
use agent_views::AgentViews;
use jam_resolver::JamResolver;
use link_traffic::{LinkGround, LinkTraffic};
use neighbors::{CrowdBody, Neighborhood};
use overlap_solver::{OverlapContext, OverlapSolver};
use requests::PathRequests;
use right_of_way::RightOfWay;
use slot_map::SlotMap;
use steering::{SteeringContext, SteeringDecision};

use crate::cost::{Metric, SharedModel};
use crate::follow::{FollowError, FollowSettings, is_positive_time, locate};
use crate::grid::{AgentId, AgentKey, NavGrid};
use crate::navigator::{Navigator, NavigatorModel};
use crate::view::{Overlay, View};

pub use errors::{JoinError, OtherAgents, PrepareError, PutError, TraversalError, UnknownMember};
pub use held_up::HeldUp;
pub use member::{Member, MemberId};
pub use settings::CrowdSettings;

/// Many bodies of several sizes on one grid: each goes to its own goal and avoids the others.
///
/// The crowd moves its members itself, over the ground and never off it. The same members and goals
/// give the same motion to the last bit, on any number of threads and on every machine.
///
/// ```
/// use surefoot::{Crowd, HeightCost, NavGrid};
/// use surefoot::follow::{FollowSettings, FollowState};
/// let map = "type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
/// let mut crowd = Crowd::new(NavGrid::from_map(map, 1.0, &[])?, HeightCost::default());
/// let left = crowd.add("human", [0.5, 0.0, 1.5], FollowSettings::default())?;
/// let right = crowd.add("human", [8.5, 0.0, 1.5], FollowSettings::default())?;
/// crowd.set_goal(left, [8.5, 0.0, 1.5])?;
/// crowd.set_goal(right, [0.5, 0.0, 1.5])?;
/// for _ in 0..300 {
///     crowd.step(1.0 / 60.0);
/// }
/// assert!(crowd.members().all(|member| member.state() == FollowState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crowd {
    grid: NavGrid,
    overlay: Arc<Overlay>,
    /// One for each agent.
    navigators: Vec<Navigator>,
    /// For each agent, its ground as it is now.
    views: Vec<View>,
    /// For each agent, its ground as it was baked.
    baked: Vec<View>,
    settings: CrowdSettings,
    slot_map: SlotMap,
    requests: PathRequests,
    /// What others see of each member, by its slot; `None` if they see nothing of it on its link.
    seen: Vec<Option<CrowdBody>>,
    neighborhood: Neighborhood,
    /// The decision of each body, in the order of the neighborhood.
    decisions: Vec<SteeringDecision>,
    overlap_solver: OverlapSolver,
    jam_resolver: JamResolver,
    link_traffic: LinkTraffic,
    /// How long the crowd has walked [s].
    time: f64,
}

/// Cost fields are kept for this many goals of each agent.
const MOST_FIELDS: usize = 4;

impl Crowd {
    /// An empty crowd on a grid.
    pub fn new(grid: NavGrid, model: impl NavigatorModel) -> Self {
        let agents = (0..grid.layers().len() as u16).map(AgentId);
        let baked: Vec<View> = agents.filter_map(|agent| View::new(&grid, agent).ok()).collect();
        let model = SharedModel::new(model);
        let navigators = baked
            .iter()
            .map(|view| Navigator::of(view.clone(), model.clone()).with_fields(MOST_FIELDS));
        let overlay = baked.iter().find_map(View::shared_overlay);
        let mut crowd = Crowd {
            overlay: Arc::new(Overlay::new(&grid)),
            navigators: navigators.collect(),
            views: baked.clone(),
            baked,
            grid,
            settings: CrowdSettings::default(),
            slot_map: SlotMap::default(),
            requests: PathRequests::default(),
            seen: Vec::new(),
            neighborhood: Neighborhood::default(),
            decisions: Vec::new(),
            overlap_solver: OverlapSolver::default(),
            jam_resolver: JamResolver::default(),
            link_traffic: LinkTraffic::default(),
            time: 0.0,
        };
        if let Some(overlay) = overlay {
            let fits = crowd.set_overlay(overlay);
            debug_assert!(fits.is_ok(), "the overlay is of this grid");
        }
        crowd
    }

    /// An empty crowd on a grid, with settings.
    ///
    /// # Errors
    /// Returns the first setting that is out of its limits, see [`CrowdSettings::check`].
    pub fn with_settings(
        grid: NavGrid,
        model: impl NavigatorModel,
        settings: CrowdSettings,
    ) -> Result<Self, FollowError> {
        settings.check()?;
        Ok(Crowd { settings, ..Crowd::new(grid, model) })
    }

    /// Prepares routes for an agent, by name or id, so that long paths over large grids are found many
    /// times faster. This takes some seconds for a million spans.
    ///
    /// # Errors
    /// The grid has no such agent, or its ground cannot be prepared.
    pub fn prepare(&mut self, agent: impl AgentKey) -> Result<(), PrepareError> {
        let agent = agent.find_in(&self.grid)?;
        self.navigators[agent.index()].prepare()?;
        Ok(())
    }

    /// Adds a body at a point, or on the nearest ground within two of its radii.
    ///
    /// # Errors
    /// The grid has no such agent, there is no ground near, or a setting is out of its limits.
    pub fn add(
        &mut self,
        agent: impl AgentKey,
        point: impl Into<Point3<f32>>,
        settings: FollowSettings,
    ) -> Result<MemberId, JoinError> {
        settings.check()?;
        let point = point.into();
        let agent = agent.find_in(&self.grid)?;
        let view = self.views[agent.index()].parts();
        let at = locate(&view, None, point)
            .map_err(|nearest| JoinError::OffGrid { point, nearest })?
            .in_room(&view);
        let radius = view.agent().radius;
        Ok(self.slot_map.add(|id| Member::new(id, agent, settings, at).with_radius(radius)))
    }

    /// Removes a member.
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn remove(&mut self, id: MemberId) -> Result<(), UnknownMember> {
        self.slot_map.remove(id).map(drop).ok_or(UnknownMember)
    }

    /// Returns a member; `None` if it was removed.
    pub fn member(&self, id: MemberId) -> Option<&Member> {
        self.slot_map.member(id)
    }

    /// Returns what keeps a member from getting on: how wide the ground is, and whom it touches. O(members).
    /// If its [state](Member::state) says that there is no path, [`Navigator::why_not`] tells the reason.
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn held_up(&self, id: MemberId) -> Result<HeldUp, UnknownMember> {
        let member = self.slot_map.member(id).ok_or(UnknownMember)?;
        Ok(HeldUp::of(member, &AgentViews::new(&self.views), &self.slot_map))
    }

    /// Returns all members, always in the same order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.slot_map.iter()
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.slot_map.len()
    }

    /// Whether the crowd has no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of members that wait for a path.
    pub fn waiting(&self) -> usize {
        self.requests.len()
    }

    /// Sends a member to a goal; a later step finds its path.
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn set_goal(
        &mut self,
        id: MemberId,
        goal: impl Into<Point3<f32>>,
    ) -> Result<(), UnknownMember> {
        let member = self.member_mut(id)?;
        member.jams = 0;
        member.following.set_goal(Some(goal.into()));
        Ok(())
    }

    /// Sends a member after a moving target, as
    /// [`Follower::set_target`](super::Follower::set_target).
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn set_target(
        &mut self,
        id: MemberId,
        target: impl Into<Point3<f32>>,
    ) -> Result<(), UnknownMember> {
        self.member_mut(id)?.following.set_target(target.into());
        Ok(())
    }

    /// Drops the goal of a member; it brakes and stands.
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn stop(&mut self, id: MemberId) -> Result<(), UnknownMember> {
        self.member_mut(id)?.following.set_goal(None);
        Ok(())
    }

    /// Sets the priority of a member [0..=255]: members of lower priority make way for it. A new member
    /// has 128.
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn set_priority(&mut self, id: MemberId, priority: u8) -> Result<(), UnknownMember> {
        self.member_mut(id)?.priority = priority;
        Ok(())
    }

    /// Puts a member where something else has moved it, with the velocity it has there [m/s]. A member on
    /// a link may be put anywhere, and stays on the link.
    ///
    /// # Errors
    /// The crowd has no such member, or there is no ground near the point; nothing changes.
    pub fn put(
        &mut self,
        id: MemberId,
        point: impl Into<Point3<f32>>,
        velocity: Vector3<f32>,
    ) -> Result<(), PutError> {
        let point = point.into();
        let member = self.slot_map.member_mut(id).ok_or(UnknownMember)?;
        if member.is_on_link() {
            if !point.iter().all(|value| value.is_finite()) {
                return Err(PutError::OffGrid { point, nearest: None });
            }
            (member.position, member.velocity) = (point, velocity);
            return Ok(());
        }
        let view = self.views[member.agent.index()].parts();
        let at = locate(&view, Some(member.at), point)
            .map_err(|nearest| PutError::OffGrid { point, nearest })?;
        (member.at, member.position, member.velocity) = (at, at.point, velocity);
        Ok(())
    }

    fn member_mut(&mut self, id: MemberId) -> Result<&mut Member, UnknownMember> {
        self.slot_map.member_mut(id).ok_or(UnknownMember)
    }

    /// Returns the grid the members walk on.
    pub fn grid(&self) -> &NavGrid {
        &self.grid
    }

    /// Returns the ground of an agent as it is now; `None` if the grid has no such agent.
    pub fn view(&self, agent: AgentId) -> Option<&View> {
        self.views.get(agent.index())
    }

    /// Moves everyone for `dt` seconds. Does nothing if `dt` is not positive and finite.
    pub fn step(&mut self, dt: f32) {
        if !is_positive_time(dt) {
            return;
        }
        self.think(dt);
        self.walk(dt);
        self.solve_overlaps(dt);
        self.rest_around_goals(dt);
    }

    /// Does the first half of a step: everyone decides on a velocity, and nobody moves. This is for
    /// bodies that physics moves; report their positions with [`Crowd::put`]. In a dense crowd they keep
    /// pressing, and physics has to keep them apart.
    pub fn think(&mut self, dt: f32) {
        if !is_positive_time(dt) {
            return;
        }
        self.time += f64::from(dt);
        let views = &AgentViews::new(&self.views);
        self.jam_resolver.step(views, &mut self.slot_map, dt);
        let links = self.grid.links();
        if !links.is_empty() {
            let ground = LinkGround { views, links, overlay: &self.overlay };
            self.link_traffic.update(&mut self.slot_map, &ground, dt);
        }
        self.follow_paths(dt);
        self.sort_bodies();
        self.decide(dt);
        self.apply_decisions(dt);
    }

    /// Computes the desired velocities.
    fn follow_paths(&mut self, dt: f32) {
        for nav in &self.navigators {
            let view = nav.view().parts();
            let (agent, model) = (view.agent_id(), nav.shared_model());
            let metric = Metric::new(&view, model, None, 0);
            for_each(self.slot_map.slots_mut(), |_, slot| {
                if let Some(member) = slot.member.as_mut().filter(|own| own.agent == agent) {
                    member.follow(&metric, model, dt);
                }
            });
        }
    }

    /// Sorts the bodies of everyone on the ground, to find neighbors by.
    fn sort_bodies(&mut self) {
        let (grid, slot_map) = (&self.grid, &self.slot_map);
        self.seen.resize(slot_map.slot_count(), None);
        for_each(&mut self.seen, |index, seen| {
            *seen = slot_map
                .at(index as u32)
                .and_then(|member| member.seen(grid.layers()[member.agent.index()].agent.height));
        });
        self.neighborhood.fill(&self.seen);
        self.decisions.resize(self.neighborhood.bodies().len(), SteeringDecision::default());
    }

    /// Decides what everyone does about the others and, at the same time, finds paths as far as the
    /// budget allows. Both only read the members.
    fn decide(&mut self, dt: f32) {
        self.requests.queue(&mut self.slot_map);
        let Crowd { navigators, views, settings, slot_map, requests, neighborhood, .. } = self;
        let (slot_map, neighborhood) = (&*slot_map, &*neighborhood);
        let right_of_way = &RightOfWay::at(self.time);
        let steer = |decisions: &mut [SteeringDecision]| {
            for view in &*views {
                let view = &view.parts();
                let context = SteeringContext { view, neighborhood, settings, right_of_way, dt };
                for_each(decisions, |slot, decision| {
                    let body = &neighborhood.bodies()[slot];
                    let is_of_agent = body.agent == view.agent_id();
                    if let Some(member) = slot_map.at(body.index).filter(|_| is_of_agent) {
                        *decision = context.decide(member, body);
                    }
                });
            }
        };
        let find_paths = || requests.find_paths(navigators, slot_map, settings.planning_budget);
        with_others(&mut self.decisions, steer, find_paths);
    }

    /// Gives everyone its velocity, and the path that was found for it.
    fn apply_decisions(&mut self, dt: f32) {
        let (decisions, neighborhood) = (&self.decisions, &self.neighborhood);
        for_each(self.slot_map.slots_mut(), |index, slot| {
            let decision = neighborhood.slot_of(index).map(|slot| &decisions[slot]);
            let member = slot.member.as_mut().filter(|member| !member.is_on_link());
            if let Some((decision, member)) = decision.zip(member) {
                member.apply(decision.velocity, decision.is_alone, dt);
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

    /// Pushes overlapping bodies apart.
    fn solve_overlaps(&mut self, dt: f32) {
        let views = AgentViews::new(&self.views);
        let context = OverlapContext {
            views: &views,
            bodies: self.neighborhood.bodies(),
            decisions: &self.decisions,
            right_of_way: &RightOfWay::at(self.time),
            dt,
        };
        self.overlap_solver.solve(&context, &mut self.slot_map);
    }

    /// Brings members to rest that find no room at their goals.
    fn rest_around_goals(&mut self, dt: f32) {
        let Crowd { slot_map, neighborhood, decisions, .. } = self;
        arrival::rest_around_goals(slot_map, neighborhood, decisions, dt);
    }
}
