//! Provides [`BakeJob`]: a bake, or an update of one, to be run on any thread.

use bevy_ecs::entity::Entity;
use nalgebra::Isometry3;
use surefoot::grid::AreaId;
use surefoot_bake::scene::{Placement, SceneBuilder, Triangles};
use surefoot_bake::{ColliderId, LiveBake, LiveUpdate};

use super::components::{NavBake, NavSource};
use super::geometry::Geometry;

/// What there is to bake.
pub(crate) struct BakeJob {
    /// What was baked before; `None` to bake everything.
    pub live: Option<Box<LiveBake>>,
    pub bake: NavBake,
    pub removed: Vec<ColliderId>,
    pub moved: Vec<(ColliderId, Isometry3<f32>)>,
    pub added: Vec<SourcePart>,
}

/// A source that is new, or another than before.
pub(crate) struct SourcePart {
    pub entity: Entity,
    /// No other source has this name.
    pub name: String,
    pub source: NavSource,
    pub geometry: Geometry,
    pub pose: Isometry3<f32>,
}

/// What became of a job.
pub(crate) struct BakeOutcome {
    pub live: Option<Box<LiveBake>>,
    pub result: Result<LiveUpdate, String>,
    /// For each source that was added, its collider or what is wrong with it.
    pub added: Vec<(Entity, Result<ColliderId, String>)>,
}

impl BakeJob {
    pub fn run(mut self) -> BakeOutcome {
        self.added.sort_by(|one, other| one.name.cmp(&other.name));
        let (mut sound, mut faulty) = (Vec::new(), Vec::new());
        for part in std::mem::take(&mut self.added) {
            match part.check(&self.bake) {
                Ok(()) => sound.push(part),
                Err(reason) => faulty.push((part.entity, Err(reason))),
            }
        }
        let mut outcome = match self.live.take() {
            Some(live) => self.update(live, sound),
            None => self.bake_whole(sound),
        };
        outcome.added.append(&mut faulty);
        outcome
    }

    fn bake_whole(&self, parts: Vec<SourcePart>) -> BakeOutcome {
        let mut builder = SceneBuilder::new("bevy");
        for area in &self.bake.areas {
            builder.area(area.clone());
        }
        for link in &self.bake.links {
            builder.link(link.clone());
        }
        parts.iter().for_each(|part| part.add_to(&mut builder, &self.bake));
        let scene = builder.build().map_err(|error| error.to_string());
        let live = scene.and_then(|scene| {
            LiveBake::new(scene, &self.bake.settings, &()).map_err(|error| error.to_string())
        });
        match live {
            Ok(live) => {
                let cells = live.grid().parts().first.len().saturating_sub(1);
                let id = |part: &SourcePart| {
                    let id = live.colliders(&part.name).next();
                    (part.entity, id.ok_or_else(|| "it is not in the baked scene".to_owned()))
                };
                let added = parts.iter().map(id).collect();
                let result = Ok(LiveUpdate { cells_baked: cells, cells });
                BakeOutcome { live: Some(Box::new(live)), result, added }
            }
            // They are tried again with the next change.
            Err(reason) => BakeOutcome { live: None, result: Err(reason), added: Vec::new() },
        }
    }

    fn update(&self, mut live: Box<LiveBake>, parts: Vec<SourcePart>) -> BakeOutcome {
        let mut fault = None;
        for &collider in &self.removed {
            fault = fault.or(live.remove(collider).err());
        }
        for &(collider, pose) in &self.moved {
            fault = fault.or(live.move_to(collider, pose).err());
        }
        let mut builder = live.builder();
        parts.iter().for_each(|part| part.add_to(&mut builder, &self.bake));
        // Ids come in the order of the names, and so do the parts.
        let added = match live.add(builder) {
            Ok(ids) => parts.iter().map(|part| part.entity).zip(ids.into_iter().map(Ok)).collect(),
            Err(error) => {
                let reason = error.to_string();
                parts.iter().map(|part| (part.entity, Err(reason.clone()))).collect()
            }
        };
        let updated = live.update(&()).map_err(|error| error.to_string());
        let result = match fault {
            Some(fault) => Err(fault.to_string()),
            None => updated,
        };
        BakeOutcome { live: Some(live), result, added }
    }
}

impl SourcePart {
    /// Whether it can be baked at all, so that one bad source does not spoil the others.
    fn check(&self, bake: &NavBake) -> Result<(), String> {
        if let Some(name) = &self.source.area
            && !bake.areas.iter().any(|area| area.name == *name)
        {
            let known: Vec<&str> = bake.areas.iter().map(|area| area.name.as_str()).collect();
            return Err(format!("there is no area \"{name}\"; there are {known:?}"));
        }
        let mut builder = SceneBuilder::new("");
        for area in &bake.areas {
            builder.area(area.clone());
        }
        self.add_to(&mut builder, bake);
        builder.build().map(drop).map_err(|error| error.to_string())
    }

    fn add_to(&self, builder: &mut SceneBuilder, bake: &NavBake) {
        let area = self.source.area.as_ref().and_then(|name| {
            let at = bake.areas.iter().position(|area| area.name == *name)?;
            // The first area of every grid is plain ground.
            Some(AreaId(at as u8 + 1))
        });
        let mut placement = Placement::from(self.pose).area(area.unwrap_or(AreaId(0)));
        placement.surface.obstacle = self.source.is_obstacle;
        placement.surface.two_sided = self.source.is_two_sided;
        let Geometry { vertices, triangles } = &self.geometry;
        builder.mesh(&self.name, Triangles { vertices, triangles }, placement);
    }
}
