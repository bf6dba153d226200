//! Instances: scenes from files, each at many places.
//!
//! A scene is loaded where it is needed, and kept as long as others do not need the memory. What a solid at
//! a place is hashed by, and the rectangle below it, are found once, from the very solids that tiles get.

mod placed;
mod rect_tree;
mod store;

use std::path::PathBuf;

use nalgebra::{Isometry3, Point3};
use surefoot::Observer;
use surefoot::grid::{Area, AreaId, ColliderRecord};
use surefoot::observer::check_cancelled;
use surefoot_bake::scene::{Mesh, SceneBuilder, SceneError, SceneMarks, Solid};
use surefoot_bake::{Scene, SceneSource, WorldSource};
use surefoot_rapier::distance::GroundRect;

use crate::fault::in_file;
use placed::placed_solid;
use rect_tree::RectTree;
use store::{SceneFile, SceneStore, StoredKey};

/// A scene file and where it is put.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedFile {
    pub file: PathBuf,
    /// Comes before the names of its nodes.
    pub name: String,
    pub places: Vec<ScenePlace>,
}

/// Where a scene is put: scaled, turned around y, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScenePlace {
    pub pose: Isometry3<f32>,
    pub scale: f32,
}

/// Scenes at their places.
pub struct Instances {
    store: SceneStore,
    /// By file, then in the order of places.
    places: Vec<PlacedScene>,
    /// All solids, in the order of the tree.
    solids: Vec<PlacedSolid>,
    /// In the same order.
    records: Vec<ColliderRecord>,
    tree: RectTree,
    bounds: Option<(Point3<f32>, Point3<f32>)>,
    triangles: usize,
}

#[derive(Clone, Copy)]
struct PlacedScene {
    key: StoredKey,
    pose: Isometry3<f32>,
}

/// A solid of a scene at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlacedSolid {
    place: u32,
    solid: u32,
}

/// There may be millions.
const _: () = assert!(size_of::<PlacedSolid>() + size_of::<ColliderRecord>() == 40);

/// Solids are converted so many at a time.
const SOLIDS_AT_ONCE: usize = 1 << 14;

/// How scenes are loaded and kept.
pub struct SceneLoading<'a> {
    /// The marks of nodes.
    pub marks: &'a SceneMarks,
    /// What one scene, and the scenes that are kept, may take [bytes].
    pub memory_limit: u64,
    pub observer: &'a dyn Observer,
}

impl Instances {
    /// Loads every file once. Calls back with each scene.
    ///
    /// # Errors
    /// A file cannot be read or used, or the observer cancels.
    pub fn load(
        files: &[PlacedFile],
        options: &SceneLoading<'_>,
        mut seen: impl FnMut(&PlacedFile, &Scene) -> Result<(), SceneError>,
    ) -> Result<Self, SceneError> {
        let mut store = SceneStore::new(options.marks, options.memory_limit);
        for placed in files {
            let file = SceneFile::new(&placed.file, &placed.name);
            let scene = store.add(file, options.observer)?;
            seen(placed, &scene)?;
        }
        let places = (0..).zip(files).flat_map(|(file, PlacedFile { places, .. })| {
            places.iter().map(move |place| PlacedScene {
                key: StoredKey::new(file, place.scale),
                pose: place.pose,
            })
        });
        Ok(Instances {
            store,
            places: places.collect(),
            solids: Vec::new(),
            records: Vec::new(),
            tree: RectTree::default(),
            bounds: None,
            triangles: 0,
        })
    }

    /// Finds where all solids are, given the areas of the world.
    ///
    /// # Errors
    /// A solid cannot be converted or scaled, or the observer cancels.
    pub fn place(&mut self, areas: &[Area], observer: &dyn Observer) -> Result<(), SceneError> {
        self.store.number_areas(areas)?;
        let mut order: Vec<u32> = (0..self.places.len() as u32).collect();
        order.sort_by_key(|&place| self.places[place as usize].key);
        let keys: Vec<StoredKey> = self.places.iter().map(|place| place.key).collect();
        for same in order.chunk_by(|&a, &b| keys[a as usize] == keys[b as usize]) {
            let key = keys[same[0] as usize];
            let scene = self.store.scene(key, observer)?;
            let at_once = (SOLIDS_AT_ONCE / scene.solids.len().max(1)).max(1);
            for places in same.chunks(at_once) {
                check_cancelled(observer)?;
                self.record(key, &scene, places)?;
            }
            self.triangles += scene.triangle_count() * same.len();
        }
        let rects: Vec<GroundRect> = self.records.iter().map(ground_rect).collect();
        let (tree, order) = RectTree::new(&rects);
        self.records = order.iter().map(|&index| self.records[index as usize]).collect();
        self.solids = order.iter().map(|&index| self.solids[index as usize]).collect();
        self.tree = tree;
        Ok(())
    }

    /// Records the solids of a scene at some places.
    fn record(&mut self, key: StoredKey, scene: &Scene, places: &[u32]) -> Result<(), SceneError> {
        let all = |place: u32| {
            (0..scene.solids.len() as u32).map(move |solid| PlacedSolid { place, solid })
        };
        let solids: Vec<PlacedSolid> = places.iter().copied().flat_map(all).collect();
        let part = Scene { meshes: scene.meshes.clone(), ..Scene::default() };
        let placed = solids.iter().map(|placed| self.solid(scene, *placed));
        let part = Scene { solids: placed.collect(), ..part };
        let odd = |error: &dyn std::fmt::Display| in_file(self.store.path(key), error.to_string());
        let source = SceneSource::new(part).map_err(|error| odd(&error))?;
        self.records.extend(source.records());
        self.solids.extend(solids);
        self.bounds = joined(self.bounds, source.bounds());
        Ok(())
    }

    /// The box around all solids: least and greatest corner [m].
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        self.bounds
    }

    /// How many triangles there are; each use of a mesh counts.
    pub fn triangles(&self) -> usize {
        self.triangles
    }

    /// The records of all solids.
    pub fn records(&self) -> &[ColliderRecord] {
        &self.records
    }

    /// Returns the records of the solids over a rectangle.
    pub fn records_over(&self, rect: &GroundRect) -> Vec<ColliderRecord> {
        self.over(rect).into_iter().map(|index| self.records[index]).collect()
    }

    /// Adds the solids over a rectangle to a scene that has the areas of the world.
    ///
    /// # Errors
    /// A file cannot be read, or is another than when it was loaded first.
    pub fn add_over(
        &self,
        rect: &GroundRect,
        builder: &mut SceneBuilder,
    ) -> Result<(), SceneError> {
        let over = self.over(rect).into_iter();
        let mut over: Vec<PlacedSolid> = over.map(|index| self.solids[index]).collect();
        over.sort_unstable_by_key(|placed| (self.key(placed.place), *placed));
        for same in over.chunk_by(|a, b| self.key(a.place) == self.key(b.place)) {
            let scene = self.store.scene(self.key(same[0].place), &())?;
            let mut part = Scene::default();
            let mut numbers = vec![usize::MAX; scene.meshes.len()];
            for placed in same {
                let mut solid = self.solid(&scene, *placed);
                placed::use_mesh(&mut solid.shape, |mesh| {
                    if numbers[mesh] == usize::MAX {
                        numbers[mesh] = part.meshes.len();
                        part.meshes.push(Mesh::clone(&scene.meshes[mesh]));
                    }
                    numbers[mesh]
                });
                part.solids.push(solid);
            }
            builder.scene(part);
        }
        Ok(())
    }

    /// Adds all links and volumes to a scene that has the areas of the world.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn add_markers(&self, builder: &mut SceneBuilder) -> Result<(), SceneError> {
        for (number, PlacedScene { key, pose }) in self.places.iter().enumerate() {
            if !self.store.has_markers(*key) {
                continue;
            }
            let scene = self.store.scene(*key, &())?;
            let prefix = self.store.name(*key);
            for link in &scene.links {
                builder.link(placed::placed_link(link, pose, &placed::LinkHome { prefix, number }));
            }
            for volume in &scene.volumes {
                let volume = placed::placed_volume(volume, pose, prefix);
                builder.volume(self.store.numbered_volume(*key, volume));
            }
        }
        Ok(())
    }

    /// The solids over a rectangle, by their places in the tree.
    fn over(&self, rect: &GroundRect) -> Vec<usize> {
        self.tree.over(rect, self.records.len(), |index| ground_rect(&self.records[index]))
    }

    fn key(&self, place: u32) -> StoredKey {
        self.places[place as usize].key
    }

    fn solid(&self, scene: &Scene, placed: PlacedSolid) -> Solid {
        let PlacedScene { key, pose } = self.places[placed.place as usize];
        let mut solid =
            placed_solid(&scene.solids[placed.solid as usize], &pose, self.store.name(key));
        solid
            .surfaces
            .iter_mut()
            .for_each(|surface| surface.area = self.store.area(key, surface.area));
        solid
    }
}

fn ground_rect(record: &ColliderRecord) -> GroundRect {
    GroundRect { min: record.min, max: record.max }
}

/// Returns the area of a list with a name.
fn area_named(areas: &[Area], name: &str) -> Option<AreaId> {
    areas.iter().position(|area| area.name == name).map(|index| AreaId(index as u8))
}

/// Returns the box around two.
pub fn joined(
    a: Option<(Point3<f32>, Point3<f32>)>,
    b: Option<(Point3<f32>, Point3<f32>)>,
) -> Option<(Point3<f32>, Point3<f32>)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.inf(&b.0), a.1.sup(&b.1))),
        (one, other) => one.or(other),
    }
}
