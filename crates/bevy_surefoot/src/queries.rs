//! Provides [`NavQueries`]: paths, costs and reasons, for whoever asks.

use std::sync::Arc;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, SystemParam};
use bevy_math::{Vec2, Vec3};
use surefoot::diagnosis::Separation;
use surefoot::follow::slide;
use surefoot::grid::UnknownAgent;
use surefoot::path::{GridSight, Sight};
use surefoot::search::PathError;
use surefoot::view::NavPoint;
use surefoot::{AgentId, Crowd, NavGrid, Navigator, Overlay, Path, SpanId};

use crate::convert::{point, vec3_at};
use crate::nav_world::{NavCrowd, NavWorld};

/// Answers questions about the worlds, on the ground as it is now: with obstacles, and links that are
/// closed.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bevy_math::Vec3;
/// use bevy_surefoot::NavQueries;
/// fn ask(mut queries: NavQueries) {
///     let Ok(mut human) = queries.of("human") else { return };
///     match human.path(Vec3::ZERO, Vec3::new(40.0, 2.0, -7.5)) {
///         Ok(path) => println!("{} m", path.length()),
///         Err(reason) => println!("{reason}"),
///     }
/// }
/// # bevy_ecs::system::assert_is_system(ask);
/// ```
#[derive(SystemParam)]
pub struct NavQueries<'w, 's> {
    worlds:
        Query<'w, 's, (Entity, &'static NavWorld, &'static NavCrowd, &'static mut NavNavigators)>,
}

/// Why nobody answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NavQueryError {
    /// The entity is no world, or there is none at all.
    #[error("there is no such world; spawn an entity with a NavWorld")]
    NoWorld,
    /// There are several worlds.
    #[error("there are {worlds} worlds; say which, by of_world")]
    SeveralWorlds {
        /// How many.
        worlds: usize,
    },
    /// The world has no grid yet.
    #[error("the world has no grid yet; its NavWorldStatus says why")]
    NoGrid,
    /// The grid has no such agent.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
}

/// The navigators of a world, one for each agent that was asked for. Kept by the plugin, and made when they
/// are first needed.
#[derive(Component, Debug, Default)]
pub struct NavNavigators {
    navigators: Vec<(AgentId, Navigator)>,
    /// No changes, for navigators that wait while the ground changes.
    empty: Option<Arc<Overlay>>,
}

/// Answers questions about one agent.
pub struct NavAnswers<'a> {
    navigator: &'a mut Navigator,
}

/// Where a straight line over the ground ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavHit {
    /// The last point that the body gets to [m].
    pub at: Vec3,
    /// Which part of the way to the end that is [0..=1].
    pub part: f32,
}

impl NavQueries<'_, '_> {
    /// Answers for an agent in the only world.
    ///
    /// # Errors
    /// There are no worlds or several, it has no grid yet, or its grid no such agent.
    pub fn of(&mut self, agent: &str) -> Result<NavAnswers<'_>, NavQueryError> {
        let worlds = self.worlds.iter().count();
        if worlds > 1 {
            return Err(NavQueryError::SeveralWorlds { worlds });
        }
        let world = self.worlds.iter().next().map(|(world, ..)| world);
        self.of_world(world.ok_or(NavQueryError::NoWorld)?, agent)
    }

    /// Answers for an agent in a world. The first time, this makes a navigator, and prepares its routes if
    /// [`NavWorld::prepare`] names the agent.
    ///
    /// # Errors
    /// There is no such world, it has no grid yet, or its grid no such agent.
    pub fn of_world(
        &mut self,
        world: Entity,
        agent: &str,
    ) -> Result<NavAnswers<'_>, NavQueryError> {
        let (_, world, nav_crowd, navigators) =
            self.worlds.get_mut(world).map_err(|_| NavQueryError::NoWorld)?;
        let crowd = nav_crowd.crowd().ok_or(NavQueryError::NoGrid)?;
        let id = crowd.grid().agent_id(agent)?;
        let navigator = navigators.into_inner().navigator(id, world, crowd)?;
        Ok(NavAnswers { navigator })
    }
}

impl NavNavigators {
    fn navigator(
        &mut self,
        agent: AgentId,
        world: &NavWorld,
        crowd: &Crowd,
    ) -> Result<&mut Navigator, UnknownAgent> {
        let known = self.navigators.iter().position(|&(known, _)| known == agent);
        let at = match known {
            Some(at) => at,
            None => {
                let mut made = Navigator::with_model(crowd.grid().clone(), agent, world.cost)?;
                if world.prepare.iter().any(|name| *name == made.view().agent().name) {
                    // Ground that cannot be prepared is searched.
                    made.prepare().ok();
                }
                self.navigators.push((agent, made));
                self.navigators.len() - 1
            }
        };
        let navigator = &mut self.navigators[at].1;
        if !Arc::ptr_eq(navigator.overlay(), crowd.overlay()) {
            // It is of the same grid: navigators go on to another one with their crowd.
            navigator.set_overlay(crowd.overlay().clone()).ok();
        }
        Ok(navigator)
    }

    /// Lets go of the overlay, so that it can be changed without a copy. Navigators with prepared routes
    /// keep it: following the changes there and back would take them longer than the copy.
    pub(crate) fn release(&mut self) {
        for (_, navigator) in self.navigators.iter_mut().filter(|(_, own)| !own.is_prepared()) {
            let grid = navigator.grid().clone();
            let empty = self.empty.get_or_insert_with(|| Arc::new(Overlay::new(&grid))).clone();
            navigator.set_overlay(empty).ok();
        }
    }

    /// Goes on to another grid with the same agents.
    pub(crate) fn set_grid(&mut self, grid: &NavGrid) {
        self.empty = None;
        self.navigators.retain_mut(|(_, navigator)| navigator.set_grid(grid).is_ok());
    }

    pub(crate) fn clear(&mut self) {
        *self = NavNavigators::default();
    }
}

/// How exactly the end of a line is found: halved this often.
const HALVINGS: u32 = 20;
/// A body that was not held up ends as near as this to where it was to go [m].
const UNHINDERED: f32 = 1e-3;

impl NavAnswers<'_> {
    /// The cheapest path from one point to another [m].
    ///
    /// # Errors
    /// Why there is none.
    pub fn path(&mut self, from: Vec3, to: Vec3) -> Result<&Path, PathError> {
        self.navigator.path(point(from), point(to))
    }

    /// What the cheapest path costs [metres-equivalent].
    ///
    /// # Errors
    /// Why there is none.
    pub fn cost(&mut self, from: Vec3, to: Vec3) -> Result<f32, PathError> {
        self.path(from, to).map(Path::cost)
    }

    /// What separates two places: the barriers where the least would have to give. Takes longer than a
    /// search; ask after a path has failed.
    ///
    /// # Errors
    /// The agent cannot stand at an end, or anywhere near it.
    pub fn why_not(&self, from: Vec3, to: Vec3) -> Result<Separation, PathError> {
        self.navigator.why_not(point(from), point(to))
    }

    /// The nearest place where the agent can stand, within a distance [m]; `None` if there is none.
    pub fn nearest(&self, at: Vec3, within: f32) -> Option<Vec3> {
        let (_, nearest) = self.navigator.view().nearest_walkable(point(at), within)?;
        Some(vec3_at(nearest))
    }

    /// Where a body that stands at a point gets to if it is moved along x and z [m]: over the ground, along
    /// walls, and never off it. `None` if it does not stand on ground, or within two radii of it.
    pub fn slide(&self, from: Vec3, by: Vec2) -> Option<Vec3> {
        let from = self.ground(from)?;
        Some(vec3_at(slide(self.navigator.view(), from, by.to_array()).point))
    }

    /// How far a body that stands at a point gets straight towards another, seen from above [m]. `None` if
    /// it does not stand on ground, or within two radii of it.
    pub fn raycast(&self, from: Vec3, to: Vec3) -> Option<NavHit> {
        let from = self.ground(from)?;
        let view = self.navigator.view();
        let by = Vec2::new(to.x - from.point.x, to.z - from.point.z);
        let reached = |part: f32| {
            let part_of_way = by * part;
            let end = slide(view, from, part_of_way.to_array());
            let moved = Vec2::new(end.point.x - from.point.x, end.point.z - from.point.z);
            let is_straight = moved.distance(part_of_way) <= UNHINDERED;
            (is_straight && GridSight.is_clear(view, &from, &end)).then_some(end)
        };
        if let Some(end) = reached(1.0) {
            return Some(NavHit { at: vec3_at(end.point), part: 1.0 });
        }
        let (mut last, mut parts) = (from, [0.0, 1.0]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (parts[0] + parts[1]);
            match reached(middle) {
                Some(end) => (last, parts[0]) = (end, middle),
                None => parts[1] = middle,
            }
        }
        Some(NavHit { at: vec3_at(last.point), part: parts[0] })
    }

    /// The navigator, for everything else: filters, tolerances, cost fields, corridors. Its changes of the
    /// overlay are lost with the next change of the world.
    pub fn navigator(&mut self) -> &mut Navigator {
        self.navigator
    }

    /// The ground under a body, or within two of its radii.
    fn ground(&self, at: Vec3) -> Option<NavPoint> {
        let (view, at) = (self.navigator.view(), point(at));
        let agent = view.agent();
        let below = view.grid().span_at(at, agent.height).filter(|&span| view.is_walkable(span));
        let on = |span: SpanId| {
            let start = NavPoint { span, point: view.grid().point(span)? };
            let by = [at.x - start.point.x, at.z - start.point.z];
            Some(slide(view, start, by))
        };
        below.and_then(on).or_else(|| {
            let (span, point) = view.nearest_walkable(at, 2.0 * agent.radius)?;
            Some(NavPoint { span, point })
        })
    }
}
