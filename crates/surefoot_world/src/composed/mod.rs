//! Provides [`ComposedWorld`]: scenes at their places and the ground of height files, as one world.

mod areas;
mod progress;
mod report;

use std::path::{Path, PathBuf};

use nalgebra::Point3;
use surefoot::grid::{Area, ColliderRecord};
use surefoot::observer::check_cancelled;
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::scene::{NodeMarks, SceneBuilder, SceneError, SceneMarks, Surface};
use surefoot_bake::{BakeError, Scene, WorldBakeError, WorldSource};
use surefoot_rapier::distance::GroundRect;

use crate::instances::{Instances, PlacedFile, SceneLoading, joined};
use crate::terrain::{HeightFileOptions, Terrain, TerrainInput};
use areas::AreaList;
use progress::FileProgress;
use report::ReportParts;

/// A world made of scenes and height files. What a tile needs is read when it is asked for; scenes are kept
/// within a limit of memory.
///
/// Of a height file, 21 bytes for each chunk of 64 x 64 squares are kept; of scenes, 40 bytes for each solid
/// at each place.
pub struct ComposedWorld {
    outline: Scene,
    instances: Instances,
    terrains: Vec<Terrain>,
    bounds: Option<(Point3<f32>, Point3<f32>)>,
}

/// What a world is made of.
pub struct WorldParts<'a> {
    /// For the report.
    pub file_name: String,
    pub scenes: &'a [PlacedFile],
    pub terrains: &'a [(PathBuf, HeightFileOptions)],
    /// What is subtracted from the places of terrains [m].
    pub origin: [f64; 3],
}

/// A glTF file with nothing in it: what is loaded from it are the marks alone.
const NOTHING: &[u8] = br#"{"asset":{"version":"2.0"}}"#;

impl ComposedWorld {
    /// Opens a world: loads each scene once, and reads each height file once.
    ///
    /// # Errors
    /// A file or a mark cannot be used, files disagree, or the observer cancels.
    pub(crate) fn open(
        parts: &WorldParts<'_>,
        options: &SceneLoading<'_>,
    ) -> Result<Self, SceneError> {
        let SceneLoading { marks, observer, .. } = *options;
        let marked = Scene::from_slice(NOTHING, &parts.file_name, None, marks)?;
        let of_nodes = SceneMarks { volumes: Vec::new(), links: Vec::new(), ..marks.clone() };
        let mut list = AreaList::new(marks);
        let mut report = ReportParts::new(marks);
        let options = SceneLoading { marks: &of_nodes, ..*options };
        let mut instances = Instances::load(parts.scenes, &options, |placed, scene| {
            report.add(&placed.name, &scene.report);
            list.add(&placed.file, &scene.areas)
        })?;
        let grounds = marked_grounds(parts, marks, &mut report)?;
        for Ground { file, options, .. } in &grounds {
            list.add_terrain(file, options)?;
        }
        let areas = list.areas()?;
        instances.place(&areas, observer)?;
        let mut terrains = Vec::with_capacity(grounds.len());
        let mut progress = FileProgress::new(observer, grounds.len());
        for Ground { file, options, surface } in &grounds {
            check_cancelled(&progress)?;
            let area = options.area.as_ref().and_then(|name| areas::id(&areas, name));
            let surface = Surface { area: area.unwrap_or_default(), ..*surface };
            let input = TerrainInput { file, options, surface, world_origin: parts.origin };
            terrains.push(Terrain::open(&input, &progress)?);
            progress.next_file();
        }
        let mut world = ComposedWorld {
            outline: Scene { areas, ..Scene::default() },
            bounds: terrains.iter().map(Terrain::bounds).fold(instances.bounds(), joined),
            instances,
            terrains,
        };
        world.outline = world.outlined(&marked, &parts.file_name)?;
        world.complete(report);
        Ok(world)
    }

    /// Returns the outline: areas, links and volumes.
    fn outlined(&self, marked: &Scene, name: &str) -> Result<Scene, SceneError> {
        let mut builder = self.builder(name);
        for link in &marked.links {
            builder.link(link.clone());
        }
        for volume in &marked.volumes {
            builder.volume(areas::renumbered(volume, &marked.areas, &self.outline.areas));
        }
        self.instances.add_markers(&mut builder)?;
        builder.build()
    }

    /// Completes the report of the outline.
    fn complete(&mut self, report: ReportParts) {
        let terrains = self.terrains.iter().flat_map(Terrain::records);
        let mut records: Vec<ColliderRecord> =
            self.instances.records().iter().copied().chain(terrains).collect();
        records.sort_unstable_by_key(|record| record.hash);
        let triangles = self.terrains.iter().map(Terrain::triangles).sum::<usize>();
        let triangles = triangles + self.instances.triangles();
        report.complete(&mut self.outline.report, &records, triangles);
    }

    /// Starts a scene with the areas of the world.
    fn builder(&self, name: &str) -> SceneBuilder {
        let mut builder = SceneBuilder::new(name);
        for area in self.outline.areas.iter().skip(1) {
            builder.area(Area::clone(area));
        }
        builder
    }

    /// Returns the solids over a rectangle, with the areas of the outline, but without its links and volumes.
    fn solids_over(&self, rect: &GroundRect) -> Result<Scene, SceneError> {
        let mut builder = self.builder(&self.outline.report.file);
        self.instances.add_over(rect, &mut builder)?;
        for terrain in &self.terrains {
            terrain.add_over(rect, &mut builder)?;
        }
        builder.build()
    }
}

/// A height file, and what marks make of it.
struct Ground<'a> {
    file: &'a Path,
    options: HeightFileOptions,
    /// Without its area.
    surface: Surface,
}

/// Returns the height files that are not ignored, with the areas that marks give them.
fn marked_grounds<'a>(
    parts: &WorldParts<'a>,
    marks: &SceneMarks,
    report: &mut ReportParts,
) -> Result<Vec<Ground<'a>>, SceneError> {
    let mut grounds = Vec::with_capacity(parts.terrains.len());
    for (file, options) in parts.terrains {
        let name = options.name_of(file);
        let NodeMarks { ignored, obstacle, two_sided, area } = marks.of_node(&name)?;
        report.add_terrain(&name, ignored)?;
        if ignored {
            continue;
        }
        let mut options = options.clone();
        if let Some(area) = area {
            (options.area, options.cost, options.forbidden) = (Some(area), None, false);
        }
        let surface = Surface { obstacle, two_sided, ..Surface::default() };
        grounds.push(Ground { file, options, surface });
    }
    Ok(grounds)
}

impl WorldSource for ComposedWorld {
    fn outline(&self) -> &Scene {
        &self.outline
    }

    fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        self.bounds
    }

    fn records_over(&self, rect: &GroundRect) -> Result<Vec<ColliderRecord>, SceneError> {
        let mut records = self.instances.records_over(rect);
        records.extend(self.terrains.iter().flat_map(|terrain| terrain.records_over(rect)));
        Ok(records)
    }

    fn scene_over(&self, rect: &GroundRect) -> Result<Scene, SceneError> {
        let Scene { meshes, solids, .. } = self.solids_over(rect)?;
        Ok(Scene { meshes, solids, ..self.outline.clone() })
    }

    fn world_over(&self, rect: &GroundRect) -> Result<CollisionWorld, WorldBakeError> {
        let scene = self.solids_over(rect)?;
        Ok(CollisionWorld::new(&scene).map_err(BakeError::from)?)
    }
}

impl std::fmt::Debug for ComposedWorld {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let report = &self.outline.report;
        let mut fields = to.debug_struct("ComposedWorld");
        fields.field("file", &report.file).field("hash", &report.hash);
        fields.field("colliders", &report.colliders).finish_non_exhaustive()
    }
}
