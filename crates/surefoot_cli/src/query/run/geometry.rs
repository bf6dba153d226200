//! Tests bodies against the real geometry of the scene that a grid was baked from.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use rayon::prelude::*;
use serde::Serialize;
use surefoot::grid::AgentId;
use surefoot::{Agent, NavGrid};
use surefoot_bake::BakeSettings;
use surefoot_bake::Scene;
use surefoot_bake::casts::{Caster, RapierCaster, Room, TileCaster, World};
use surefoot_bake::scene::SceneMarks;
use surefoot_rapier::{Body, Probe};

use super::measures::Seen;
use crate::shared::files;

/// Bodies that are less deep in something do not touch it [m]: a wall may be as near as that, and
/// numbers are rounded.
const TOUCH: f32 = 1e-3;

/// Loads the scene that a grid was baked from, with the marks of the bake.
///
/// # Errors
/// A scene that cannot be loaded, or another one than the grid's.
pub fn load(file: &Path, (grid, name): (&NavGrid, &Path)) -> anyhow::Result<World> {
    let (file_name, name) = (file.display(), name.display());
    let provenance = grid.provenance();
    let marks = provenance.settings.get("marks").cloned().map(serde_json::from_value);
    let marks: SceneMarks = marks.and_then(Result::ok).unwrap_or_default();
    std::fs::metadata(file).map_err(|error| files::unreadable(file, error, "change --scene"))?;
    let scene = Scene::load_within(file, &marks, BakeSettings::default().memory_limit)?;
    ensure!(
        scene.report.hash == provenance.scene_hash,
        "{file_name}: {name} was not baked from this scene as it is now; bake it again, or leave \
         out --scene"
    );
    World::new(&scene).map_err(|error| anyhow!(error)).context(file.display().to_string())
}

/// The geometry of a scene, and how often bodies touched it.
pub struct Solids<'a> {
    world: &'a World,
    caster: &'a RapierCaster<'a>,
    grid: &'a NavGrid,
    /// The body, less and less of it, as [`pared`] says.
    probes: Vec<Probe>,
    pub touches: Touches,
}

/// How often bodies touched something.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Touches {
    /// Samples in which a body that was not on a link touched something.
    pub in_geometry_samples: u64,
    /// Those in which it was on a link, which leads straight through whatever is there.
    pub in_geometry_on_links: u64,
    /// How deep the deepest of the first was [m].
    pub deepest_in_geometry: f32,
    /// What the first touched.
    pub in_geometry_nodes: BTreeMap<String, u64>,
}

impl<'a> Solids<'a> {
    pub fn new(
        (world, caster): (&'a World, &'a RapierCaster<'a>),
        (grid, agent): (&'a NavGrid, AgentId),
    ) -> Self {
        let probes = probes(&grid.layers()[agent.index()].agent);
        Solids { world, caster, grid, probes, touches: Touches::default() }
    }

    /// Looks at everyone.
    pub fn sample(&mut self, seen: &[Seen]) {
        let tile = || self.caster.tile(self.grid.frame(), &self.probes);
        let found: Vec<Option<(u32, f32)>> = seen
            .par_iter()
            .with_min_len(BATCH)
            .map_init(tile, |tile, seen| deepest(tile, &self.probes, seen))
            .collect();
        for (seen, (solid, depth)) in seen.iter().zip(found).filter_map(|(s, f)| Some((s, f?))) {
            self.count(seen, (solid, depth));
        }
    }

    fn count(&mut self, seen: &Seen, (solid, depth): (u32, f32)) {
        if seen.is_on_link() {
            self.touches.in_geometry_on_links += 1;
            return;
        }
        self.touches.in_geometry_samples += 1;
        self.touches.deepest_in_geometry = self.touches.deepest_in_geometry.max(depth);
        let node = self.world.nodes().get(self.world.node(solid).0 as usize);
        *self.touches.in_geometry_nodes.entry(node.cloned().unwrap_or_default()).or_default() += 1;
    }
}

/// Bodies that one thread looks at in a row.
const BATCH: usize = 32;
/// Probes for each metre that can be taken off a body.
const FINE: f32 = 100.0;

/// How much a probe is less than the body, all round [m].
fn pared(probe: usize) -> f32 {
    if probe == 0 { TOUCH } else { probe as f32 / FINE }
}

/// An agent's body, less and less of it, to about nothing.
fn probes(agent: &Agent) -> Vec<Probe> {
    let body = Body::new(agent);
    let most = body.radius.min(0.5 * (body.top - body.bottom));
    let less = |by: f32| Body {
        radius: body.radius - by,
        bottom: body.bottom + by,
        top: body.top - by,
        ..body
    };
    let all = (0..).map(pared).take_while(|&by| by < most);
    all.map(|by| Probe { body: less(by), enough: 0.0 }).collect()
}

/// What a member's body touches, and how deep it is in there [m]: as much as has to be taken off
/// it until it is free.
fn deepest(tile: &mut impl TileCaster, probes: &[Probe], seen: &Seen) -> Option<(u32, f32)> {
    // Bodies thinner than a touch have no probes.
    probes.first()?;
    let mut room = |probe: usize| tile.room(probe, seen.place);
    let Room::Blocked(solid) = room(0) else { return None };
    let (mut blocked, mut free) = (0, probes.len());
    while free - blocked > 1 {
        let middle = blocked.midpoint(free);
        match room(middle) {
            Room::Blocked(_) => blocked = middle,
            Room::Free(_) => free = middle,
        }
    }
    Some((solid, pared(blocked)))
}
