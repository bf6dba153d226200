//! The baker: a scene becomes a grid, one file a stage.
//!
//! Tiles go through the stages that need the world: columns, floors, standing, joins, rims. Their
//! results are then put together, and the stages that need the grid alone follow: ledges, links,
//! clearance, regions. Every stage is a function of the geometry and the settings; neither tiles
//! nor threads nor the order of anything in the file can be seen in the result.

mod assemble;
mod back;
mod bands;
mod ends;
mod error;
mod estimate;
mod floors;
mod joins;
mod ledges;
mod links;
mod observer;
mod partners;
mod rims;
mod rule;
mod settings;
mod standing;
mod stretch;
mod tile;
mod tiling;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use crate::casts::{Caster, TiledCaster, World};
use crate::scene::{Scene, SceneMarks, SceneReport};
use surefoot::agent::Agent;
use surefoot::grid::baker::{finish_layer, two_way_ends};
use surefoot::grid::{AgentId, AgentLayer, Area, GridError, GridParts, NavGrid, Provenance};

pub use error::BakeError;
pub use links::LinkProblem;
pub use observer::{Observer, Stage};
pub use settings::BakeSettings;

use assemble::Layout;
use estimate::check_memory;
use settings::Plan;
use tile::TileResult;

/// A baked grid, and what its user should know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Baked {
    /// The grid.
    pub grid: NavGrid,
    /// Links that some agent cannot take.
    pub link_problems: Vec<LinkProblem>,
}

/// Bakes a scene.
///
/// Runs on the current rayon thread pool. O(cells + triangles), for each agent.
///
/// # Errors
/// Settings that cannot be meant, an empty scene, a grid too large, or the observer's wish.
pub fn bake(
    scene: &Scene,
    settings: &BakeSettings,
    observer: &dyn Observer,
) -> Result<Baked, BakeError> {
    observer.begin(Stage::Index);
    let world = World::new(scene)?;
    let (caster, ()) = rayon::join(|| TiledCaster::new(&world), || world.find_shells());
    bake_with(scene, (&world, &caster), settings, observer)
}

/// Bakes a scene with a caster of the caller's choice, made from the scene's world.
///
/// # Errors
/// As [`bake`].
pub fn bake_with<C: Caster>(
    scene: &Scene,
    (world, caster): (&World, &C),
    settings: &BakeSettings,
    observer: &dyn Observer,
) -> Result<Baked, BakeError> {
    let plan = Plan::new(world, settings)?;
    let places = (&plan, scene.areas.as_slice());
    check_memory((world, caster), places, settings.memory_limit)?;
    let tiles = bake_tiles((world, caster), places, observer)?;
    observer.begin(Stage::Assemble);
    let layout = Layout::of(plan.work, &tiles)?;
    let agents = (0..plan.agents.len()).into_par_iter();
    let assemble_agents = || agents.map(|i| layout.assemble_agent(&tiles, i)).collect::<Vec<_>>();
    let (spans, found) = rayon::join(|| layout.spans(&tiles), assemble_agents);
    drop(tiles);
    observer.begin(Stage::Ledges);
    let mut layers: Vec<AgentLayer> = plan.agents.iter().map(empty_layer).collect();
    layers.par_iter_mut().zip(found).for_each(|(layer, found)| ledges::mark(&layout, found, layer));
    observer.begin(Stage::Freeze);
    let provenance = provenance(scene, settings);
    let Layout { frame, first } = layout;
    let areas = scene.areas.clone();
    let nodes = world.nodes().to_vec();
    let mut parts =
        GridParts { frame, first, spans, layers, links: Vec::new(), areas, nodes, provenance };
    parts.crop(&plan.frame);
    freeze(parts, scene)
}

fn bake_tiles<C: Caster>(
    (world, caster): (&World, &C),
    (plan, areas): (&Plan, &[Area]),
    observer: &dyn Observer,
) -> Result<Vec<TileResult>, BakeError> {
    let tiles = tiling::tiles(&plan.work, plan.tile_size, rayon::current_num_threads());
    let done = AtomicUsize::new(0);
    tiles
        .par_iter()
        // Else the last few in a row would be left to one thread.
        .with_max_len(1)
        .map(|cells| {
            if observer.is_cancelled() {
                return Err(BakeError::Cancelled);
            }
            let result = TileResult::bake((world, caster), plan, (cells, areas), observer);
            observer.tiles_done(done.fetch_add(1, Ordering::Relaxed) + 1, tiles.len());
            Ok(result)
        })
        .collect()
}

fn empty_layer(agent: &Agent) -> AgentLayer {
    AgentLayer {
        agent: agent.clone(),
        standings: Vec::new(),
        far_connections: Vec::new(),
        regions: Vec::new(),
        order: None,
    }
}

/// What a grid remembers of its making: the settings, and with them the marks of the scene if
/// there were any.
fn provenance(scene: &Scene, settings: &BakeSettings) -> Provenance {
    let SceneReport { file, hash, marks, .. } = &scene.report;
    let mut settings = to_json(settings);
    if let (Some(settings), true) = (settings.as_object_mut(), *marks != SceneMarks::default()) {
        settings.insert("marks".to_owned(), to_json(marks));
    }
    Provenance { scene: file.clone(), scene_hash: hash.clone(), settings }
}

/// By way of text, so that the number 0.3 stays that and does not become the double nearest to the
/// float nearest to it.
fn to_json(value: &impl Serialize) -> serde_json::Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Links, then clearance and regions, which two-way links join, and validation.
fn freeze(mut parts: GridParts, scene: &Scene) -> Result<Baked, BakeError> {
    // Snapping needs verdicts only, so that all else is computed once.
    let (links, link_problems) = links::snap(&parts, &scene.links);
    parts.links = links;
    finish_layers(&mut parts)?;
    Ok(Baked { grid: NavGrid::from_baker(parts)?, link_problems })
}

fn finish_layers(parts: &mut GridParts) -> Result<(), GridError> {
    #[cfg(test)]
    tests::FINISHED.set(tests::FINISHED.get() + 1);
    let GridParts { frame, first, layers, links, .. } = parts;
    layers.par_iter_mut().enumerate().try_for_each(|(index, layer)| {
        let two_way = two_way_ends(links, AgentId(index as u16));
        finish_layer(frame, first, &two_way, layer)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use nalgebra::Vector3;

    use super::*;
    use crate::grid::LinkKind;
    use crate::scene::{LinkMarker, Placement, SceneBuilder};

    thread_local! {
        /// How often this thread has computed clearance and regions.
        pub(super) static FINISHED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn clearance_and_regions_are_computed_once() {
        let mut builder = SceneBuilder::new("islands");
        for x in [-4.0, 4.0] {
            builder.cuboid("island", Vector3::new(2.0, 0.5, 2.0), Placement::at([x, 0.0, 0.0]));
        }
        builder.link(LinkMarker {
            name: "bridge".to_owned(),
            from: [-3.0, 0.5, 0.0].into(),
            to: [3.0, 0.5, 0.0].into(),
            two_way: true,
            cost: None,
            kind: LinkKind::Jump,
        });
        let scene = builder.build().expect("a sound scene");
        let settings = BakeSettings { agents: vec![Agent::new("human")], ..Default::default() };
        let before = FINISHED.get();
        let baked = bake(&scene, &settings, &()).expect("it can be baked");
        assert_eq!(baked.link_problems, []);
        assert_eq!(baked.grid.layers()[0].regions.len(), 1, "the link joins the islands");
        assert_eq!(FINISHED.get() - before, 1);
    }
}
