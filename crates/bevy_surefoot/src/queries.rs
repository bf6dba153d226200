//! Provides [`NavQueries`]: paths, costs and reasons, for whoever asks.

use std::sync::Arc;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, SystemParam};
use bevy_math::{Vec2, Vec3};
use surefoot::diagnosis::Separation;
use surefoot::follow::slide;
use surefoot::grid::UnknownAgent;
use surefoot::search::PathError;
use surefoot::{AgentId, Crowd, NavGrid, Navigator, Overlay, Path};

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
    /// Which part of the line that is, seen from above [0..=1].
    pub part: f32,
    /// Whether nothing is in the way.
    pub is_clear: bool,
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
        self.navigator.cost(point(from), point(to))
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
    /// walls, and never off it.
    ///
    /// # Errors
    /// The agent cannot stand at the point, or within two radii of it.
    pub fn slide(&self, from: Vec3, by: Vec2) -> Result<Vec3, PathError> {
        let from = self.navigator.snap(point(from))?;
        Ok(vec3_at(slide(self.navigator.view(), from, by.to_array()).point))
    }

    /// How far a body that stands at a point gets straight towards another, seen from above [m].
    ///
    /// # Errors
    /// The agent cannot stand at the point, or within two radii of it.
    pub fn raycast(&self, from: Vec3, to: Vec3) -> Result<NavHit, PathError> {
        let hit = self.navigator.raycast(point(from), point(to))?;
        Ok(NavHit { at: vec3_at(hit.end.point), part: hit.part, is_clear: hit.is_clear })
    }

    /// The navigator, for everything else: filters, tolerances, cost fields, corridors. Its changes of the
    /// overlay are lost with the next change of the world.
    pub fn navigator(&mut self) -> &mut Navigator {
        self.navigator
    }
}
