//! Keeps the grid of each baked world up to date with its sources.

use bevy_asset::{Assets, Handle};
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::observer::On;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::{Query, ResMut, SystemParam};
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool};
use surefoot_bake::{LiveBake, LiveUpdate};

use super::components::{NavBake, NavBakeReport, NavBakeStatus, NavBaked};
use super::job::{BakeJob, BakeOutcome};
use super::known::{KnownSources, SourceChanges, WorldSources};
use super::scan::SourceScan;
use crate::asset::NavGridAsset;
use crate::messages::NavGridFailed;
use crate::nav_world::NavWorld;

/// What is baked of a world. Kept by the plugin.
#[derive(Component, Default)]
pub(crate) struct BakedSources {
    /// How the first bake was begun.
    begun: Option<NavBake>,
    grid: Option<Handle<NavGridAsset>>,
    /// What was baked; it is with the job while one runs.
    live: Option<Box<LiveBake>>,
    job: Option<Task<BakeOutcome>>,
    known: KnownSources,
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct BakeRow {
    entity: Entity,
    bake: &'static NavBake,
    baked: &'static mut BakedSources,
    status: &'static mut NavBakeStatus,
    report: &'static mut NavBakeReport,
    world: &'static mut NavWorld,
}

/// Where grids go.
#[derive(SystemParam)]
pub(crate) struct BakeResults<'w> {
    grids: ResMut<'w, Assets<NavGridAsset>>,
    done: MessageWriter<'w, NavBaked>,
    failed: MessageWriter<'w, NavGridFailed>,
}

/// What was baked goes with its [`NavBake`]; the grid stays.
pub(crate) fn forget(removed: On<Remove, NavBake>, mut baked: Query<&mut BakedSources>) {
    if let Ok(mut baked) = baked.get_mut(removed.entity) {
        *baked = BakedSources::default();
    }
}

/// Takes over bakes that are done, and begins those that are needed.
pub(crate) fn bake_levels(mut bakes: Query<BakeRow>, scan: SourceScan, mut results: BakeResults) {
    for mut row in &mut bakes {
        if row.baked.begun.as_ref() != Some(row.bake) {
            // A job that runs is dropped: what it finds is out of date.
            let (begun, grid) = (Some(row.bake.clone()), row.baked.grid.take());
            *row.baked = BakedSources { begun, grid, ..BakedSources::default() };
        }
        if let Some(job) = &mut row.baked.job {
            let Some(outcome) = check_ready(job) else { continue };
            row.baked.job = None;
            row.adopt(outcome, &mut results);
        }
        if row.baked.live.is_some() && !row.bake.follows {
            continue;
        }
        let Some(job) = row.next_job(&scan) else { continue };
        if row.bake.in_background {
            row.status.set_if_neq(NavBakeStatus::Baking);
            let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
            row.baked.job = Some(pool.spawn(async move { job.run() }));
        } else {
            row.adopt(job.run(), &mut results);
        }
    }
}

impl BakeRowItem<'_, '_> {
    /// What has changed since the last job; `None` if nothing has, or there is nothing to bake.
    fn next_job(&mut self, scan: &SourceScan) -> Option<BakeJob> {
        let baked = self.baked.bypass_change_detection();
        let sources = WorldSources { scan, world: self.entity, tolerance: self.bake.tolerance };
        let is_first = baked.known.is_empty();
        let mut changes = baked.known.note(&sources);
        if changes.is_empty() {
            return None;
        }
        if baked.live.is_none() && !is_first {
            // The bake before failed: everything is tried again.
            baked.known = KnownSources::default();
            changes = baked.known.note(&sources);
        }
        let SourceChanges { removed, moved, added, .. } = changes;
        let (has_edits, live) = (!(removed.is_empty() && moved.is_empty()), baked.live.take());
        if added.is_empty() && !(has_edits && live.is_some()) {
            baked.live = live;
            if baked.live.is_none() {
                self.status.set_if_neq(NavBakeStatus::NoSources);
            }
            self.report_sources(None);
            return None;
        }
        Some(BakeJob { live, bake: self.bake.clone(), removed, moved, added })
    }

    fn adopt(&mut self, outcome: BakeOutcome, results: &mut BakeResults) {
        let BakeOutcome { live, result, added } = outcome;
        let baked = &mut *self.baked;
        baked.known.adopt(added);
        baked.live = live;
        let world = self.entity;
        match result {
            Ok(update) => {
                self.publish(&mut results.grids);
                self.status.set_if_neq(NavBakeStatus::Done);
                let LiveUpdate { cells_baked, cells } = update;
                results.done.write(NavBaked { world, cells_baked, cells });
                self.report_sources(Some(update));
            }
            Err(reason) => {
                tracing::error!("the bake of {world} failed: {reason}");
                self.status.set_if_neq(NavBakeStatus::Failed { reason: reason.clone() });
                results.failed.write(NavGridFailed { world, reason });
                self.report_sources(None);
            }
        }
    }

    /// Puts the grid in place of the one before.
    fn publish(&mut self, grids: &mut Assets<NavGridAsset>) {
        let baked = &mut *self.baked;
        let Some(live) = &baked.live else { return };
        let asset = NavGridAsset::from(live.grid().clone());
        match &baked.grid {
            // The handle keeps its place free.
            Some(grid) => drop(grids.insert(grid.id(), asset)),
            None => baked.grid = Some(grids.add(asset)),
        }
        if let Some(grid) = &baked.grid
            && self.world.grid != *grid
        {
            self.world.grid = grid.clone();
        }
    }

    fn report_sources(&mut self, update: Option<LiveUpdate>) {
        let mut report = NavBakeReport {
            sources: self.baked.known.baked(),
            faults: self.baked.known.faults(),
            ..*self.report
        };
        if let Some(LiveUpdate { cells_baked, cells }) = update {
            (report.cells_baked, report.cells) = (cells_baked, cells);
        }
        for fault in report.faults.iter().filter(|fault| !self.report.faults.contains(fault)) {
            tracing::warn!("{} is not baked: {}", fault.source, fault.reason);
        }
        self.report.set_if_neq(report);
    }
}
