//! Provides [`KnownSources`]: the sources as they were handed to a bake, to tell what has changed.

use std::collections::BTreeMap;

use bevy_ecs::entity::Entity;
use nalgebra::Isometry3;
use surefoot_bake::ColliderId;

use super::components::{NavSource, NavSourceFault};
use super::geometry::SourcePlace;
use super::job::SourcePart;
use super::scan::{SourceNow, SourceScan};
use super::shapes::ShapeState;

/// The sources of a world as they were handed to a bake.
#[derive(Debug, Default)]
pub(crate) struct KnownSources {
    sources: BTreeMap<Entity, KnownSource>,
    /// Counts looks at the sources, to find those that are gone.
    looks: u64,
}

#[derive(Debug)]
struct KnownSource {
    source: NavSource,
    place: Option<SourcePlace>,
    state: ShapeState,
    fingerprint: u64,
    collider: Option<ColliderId>,
    fault: Option<String>,
    /// The look that has seen it last.
    seen: u64,
}

/// The sources of a world as they are now.
pub(crate) struct WorldSources<'a> {
    pub scan: &'a SourceScan<'a, 'a>,
    pub world: Entity,
    /// How far a source may move and count as at rest [m, rad].
    pub tolerance: f32,
}

/// What has changed.
#[derive(Default)]
pub(crate) struct SourceChanges {
    pub removed: Vec<ColliderId>,
    pub moved: Vec<(ColliderId, Isometry3<f32>)>,
    pub added: Vec<SourcePart>,
    /// There are other sources that cannot be baked than before.
    has_other_faults: bool,
}

impl SourceChanges {
    pub fn is_empty(&self) -> bool {
        let has_edits = !(self.removed.is_empty() && self.moved.is_empty());
        !has_edits && self.added.is_empty() && !self.has_other_faults
    }
}

impl KnownSource {
    fn has_state_of(&self, now: &SourceNow) -> bool {
        let is_deformed_as = match (&self.place, &now.place) {
            (Some(before), Some(now)) => before.is_deformed_as(now),
            (None, None) => true,
            _ => false,
        };
        is_deformed_as && self.state == now.state && self.source == *now.source
    }

    /// Moves its collider after it; returns false if it is not where it was and has no collider.
    fn follow(&mut self, now: &SourceNow, tolerance: f32, changes: &mut SourceChanges) -> bool {
        let (Some(before), Some(place)) = (&self.place, &now.place) else { return true };
        if before.is_near(place, tolerance) {
            return true;
        }
        let Some(collider) = self.collider else { return false };
        changes.moved.push((collider, place.pose));
        self.place = now.place;
        true
    }
}

impl KnownSources {
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// How many are baked.
    pub fn baked(&self) -> usize {
        self.sources.values().filter(|known| known.collider.is_some()).count()
    }

    /// Those that are not, and why.
    pub fn faults(&self) -> Vec<NavSourceFault> {
        let faults = self.sources.iter().filter_map(|(&source, known)| {
            Some(NavSourceFault { source, reason: known.fault.clone()? })
        });
        faults.collect()
    }

    /// Takes over what became of those that were added.
    pub fn adopt(&mut self, added: Vec<(Entity, Result<ColliderId, String>)>) {
        for (entity, result) in added {
            if let Some(known) = self.sources.get_mut(&entity) {
                match result {
                    Ok(collider) => known.collider = Some(collider),
                    Err(reason) => known.fault = Some(reason),
                }
            }
        }
    }

    /// Takes note of how the sources are now; returns what is new about that.
    pub fn note(&mut self, sources: &WorldSources) -> SourceChanges {
        self.looks += 1;
        let mut changes = SourceChanges::default();
        let mut seen = 0;
        sources.scan.each(sources.world, |now| {
            seen += 1;
            self.note_one(now, sources, &mut changes);
        });
        if seen < self.sources.len() {
            let looks = self.looks;
            self.sources.retain(|_, known| {
                let is_there = known.seen == looks;
                if !is_there {
                    changes.removed.extend(known.collider);
                    changes.has_other_faults |= known.fault.is_some();
                }
                is_there
            });
        }
        changes
    }

    fn note_one(&mut self, now: SourceNow, sources: &WorldSources, changes: &mut SourceChanges) {
        let mut before = self.sources.get_mut(&now.entity);
        if let Some(known) = &mut before {
            known.seen = self.looks;
            if known.has_state_of(&now) && known.follow(&now, sources.tolerance, changes) {
                return;
            }
        }
        let geometry = now.geometry(&sources.scan.shapes);
        let fingerprint = geometry.as_ref().map_or(0, |geometry| geometry.fingerprint());
        if let Some(known) = before {
            let is_same = known.fingerprint == fingerprint && known.source == *now.source;
            if is_same
                && geometry.is_ok()
                && known.collider.is_some()
                && known.follow(&now, sources.tolerance, changes)
            {
                // As when a physics engine has only touched the component.
                known.state = now.state;
                return;
            }
            changes.removed.extend(known.collider);
            changes.has_other_faults |= known.fault.is_some();
        }
        let (entity, source) = (now.entity, now.source.clone());
        let fault = geometry.as_ref().err().cloned();
        changes.has_other_faults |= fault.is_some();
        if let (Ok(geometry), Some(place)) = (geometry, now.place) {
            let (name, source, pose) = (now.name(), source.clone(), place.pose);
            changes.added.push(SourcePart { entity, name, source, geometry, pose });
        }
        let (place, state, seen) = (now.place, now.state, self.looks);
        let known = KnownSource { source, place, state, fingerprint, collider: None, fault, seen };
        self.sources.insert(entity, known);
    }
}
