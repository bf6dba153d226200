//! Begins a crowd once its grid is loaded, and goes on to the next grid when that is replaced.

use std::sync::Arc;

use bevy_asset::{AssetLoadError, AssetServer, Assets, LoadState};
use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Ref};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::{Query, Res, SystemParam};
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool};
use surefoot::crowd::CrowdSettings;
use surefoot::{Crowd, HeightCost, NavGrid};

use crate::asset::NavGridAsset;
use crate::messages::NavGridFailed;
use crate::nav_world::{NavCrowd, NavWorld, NavWorldStatus};
use crate::queries::NavNavigators;

/// How far a world's crowd is.
#[derive(Component, Debug, Default)]
pub(crate) struct CrowdLoad {
    /// What the crowd was begun with.
    begun: Option<CrowdRules>,
    /// A crowd whose routes are being prepared.
    preparing: Option<Task<Result<Box<Crowd>, String>>>,
    /// The failure that was reported last.
    reported: Option<Arc<AssetLoadError>>,
}

/// What a crowd is begun with, beside the grid.
#[derive(Clone, Debug, PartialEq)]
struct CrowdRules {
    settings: CrowdSettings,
    cost: HeightCost,
    prepare: Vec<String>,
}

impl CrowdRules {
    fn are_those_of(&self, world: &NavWorld) -> bool {
        self.settings == world.settings && self.cost == world.cost && self.prepare == world.prepare
    }
}

/// Grids, and what became of their files.
#[derive(SystemParam)]
pub(crate) struct Grids<'w> {
    assets: Res<'w, Assets<NavGridAsset>>,
    server: Res<'w, AssetServer>,
    failed: MessageWriter<'w, NavGridFailed>,
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct WorldRow {
    entity: Entity,
    world: Ref<'static, NavWorld>,
    status: &'static mut NavWorldStatus,
    crowd: &'static mut NavCrowd,
    navigators: &'static mut NavNavigators,
    load: &'static mut CrowdLoad,
}

/// Sees to it that each world has the crowd that its [`NavWorld`] asks for.
pub(crate) fn load_worlds(mut worlds: Query<WorldRow>, mut grids: Grids) {
    for mut row in &mut worlds {
        if row.world.is_added() {
            // It may have been a world before.
            *row.load = CrowdLoad::default();
        }
        let id = row.world.grid.id();
        let grid = grids.assets.get(id).map(|asset| &asset.grid);
        if let Some(grid) = grid {
            row.keep_up_with(grid);
        }
        let failure = match grids.server.get_load_state(id) {
            Some(LoadState::Failed(error)) => Some(error),
            Some(LoadState::Loading) => continue,
            _ => None,
        };
        let reason = row.report(failure);
        if let Some(reason) = reason {
            grids.failed.write(NavGridFailed { world: row.entity, reason });
        }
    }
}

impl WorldRowItem<'_, '_> {
    fn keep_up_with(&mut self, grid: &NavGrid) {
        let is_begun =
            self.load.begun.as_ref().is_some_and(|rules| rules.are_those_of(&self.world));
        if !is_begun {
            self.begin(grid);
        }
        self.adopt();
        let Some(crowd) = self.crowd.crowd.as_ref() else { return };
        if !std::ptr::eq(crowd.grid().parts(), grid.parts()) && self.load.preparing.is_none() {
            self.go_on_to(grid);
        }
    }

    /// Begins a crowd; on another thread if routes have to be prepared.
    fn begin(&mut self, grid: &NavGrid) {
        let NavWorld { settings, cost, prepare, .. } = &*self.world;
        let rules =
            CrowdRules { settings: settings.clone(), cost: *cost, prepare: prepare.clone() };
        self.load.begun = Some(rules.clone());
        self.load.preparing = None;
        let grid = grid.clone();
        if prepare.is_empty() {
            let begun = begin_crowd(grid, &rules);
            self.replace(begun);
        } else {
            let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
            self.load.preparing = Some(pool.spawn(async move { begin_crowd(grid, &rules) }));
        }
    }

    /// Takes over the crowd whose routes are prepared.
    fn adopt(&mut self) {
        if let Some(begun) = self.load.preparing.as_mut().and_then(check_ready) {
            self.load.preparing = None;
            self.replace(begun);
        }
    }

    fn replace(&mut self, begun: Result<Box<Crowd>, String>) {
        let status = match begun {
            Ok(crowd) => {
                self.crowd.begin(crowd);
                NavWorldStatus::Ready
            }
            Err(reason) => {
                tracing::error!("no crowd on {:?}: {reason}", self.world.grid);
                self.crowd.end();
                NavWorldStatus::Failed { reason }
            }
        };
        self.navigators.clear();
        *self.status = status;
    }

    fn go_on_to(&mut self, grid: &NavGrid) {
        self.navigators.release();
        if self.crowd.set_grid(grid) {
            self.navigators.set_grid(grid);
        } else {
            // It was baked for other agents.
            self.begin(grid);
        }
    }

    /// Says what became of the file. Returns the reason if that is new and bad.
    fn report(&mut self, failure: Option<Arc<AssetLoadError>>) -> Option<String> {
        let is_known = match (&failure, &self.load.reported) {
            (Some(failure), Some(reported)) => Arc::ptr_eq(failure, reported),
            (None, None) => true,
            _ => false,
        };
        if is_known {
            return None;
        }
        // What follows the first line is where the program was, if it was asked to say so.
        let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
        let reason = failure.as_ref().map(|error| first_line(error.to_string()));
        self.load.reported = failure;
        let has_crowd = self.crowd.crowd.is_some();
        self.status.set_if_neq(match reason.clone() {
            Some(reason) if has_crowd => NavWorldStatus::KeptOldGrid { reason },
            Some(reason) => NavWorldStatus::Failed { reason },
            None if has_crowd => NavWorldStatus::Ready,
            None => NavWorldStatus::Loading,
        });
        reason
    }
}

fn begin_crowd(grid: NavGrid, rules: &CrowdRules) -> Result<Box<Crowd>, String> {
    let HeightCost { ascend, descend } = rules.cost;
    for (field, value) in [("ascend", ascend), ("descend", descend)] {
        if value < 0.0 || value.is_nan() {
            return Err(format!("cost.{field} is {value}; it must be 0 or more"));
        }
    }
    let crowd = Crowd::with_settings(grid, rules.cost, rules.settings.clone());
    let mut crowd = crowd.map_err(|error| error.to_string())?;
    for agent in &rules.prepare {
        crowd.prepare(agent.as_str()).map_err(|error| error.to_string())?;
    }
    Ok(Box::new(crowd))
}
