//! Scenes built in code: for users without a glTF file, and for tests.
//!
//! Parts are added one by one. [`SceneBuilder::build`] reports what is wrong with them, and puts
//! the scene in the same canonical order as a loaded one.

use nalgebra::{Isometry3, Point3, Translation3, Vector3};

use super::canonical::{self, Soup};
use super::limits::{MAX_COORDINATE, check_point};
use super::{
    Area, AreaId, LinkMarker, Mesh, Scene, SceneError, SceneReport, Shape, Skipped, Solid, Surface,
    Volume, VolumeEffect,
};

/// A shell of triangles for [`SceneBuilder::mesh`].
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a, P = [f32; 3]> {
    /// Positions of the corners [m].
    pub vertices: &'a [P],
    /// The corners of each triangle, as indices of vertices, counter-clockwise seen from outside.
    pub triangles: &'a [[u32; 3]],
}

/// Builds a [`Scene`] part by part.
///
/// ```
/// use surefoot_bake::scene::{Placement, SceneBuilder, Triangles};
/// let mut builder = SceneBuilder::new("yard");
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 0.0]];
/// let ground = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
/// builder.mesh("ground", ground, Placement::default());
/// builder.cuboid("crate", [0.5, 0.5, 0.5], Placement::at([2.0, 0.5, 2.0]).obstacle());
/// let scene = builder.build()?;
/// assert_eq!(scene.solids.len(), 2);
/// # Ok::<(), surefoot_bake::scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneBuilder {
    scene: Scene,
    /// The first fault: the part's name and the problem.
    fault: Option<(String, String)>,
}

/// Where a part is, and what its surface is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement {
    /// From the part's local space to the world.
    pub pose: Isometry3<f32>,
    /// What all of its surface is.
    pub surface: Surface,
}

impl Placement {
    /// Upright at a point [m], plain walkable ground.
    pub fn at(point: impl Into<Point3<f32>>) -> Self {
        Isometry3::from(Translation3::from(point.into())).into()
    }

    /// Returns the same placement as an obstacle: it blocks, and no agent stands on it.
    pub fn obstacle(mut self) -> Self {
        self.surface.obstacle = true;
        self
    }

    /// Returns the same placement with triangles that can be floor on both sides.
    pub fn two_sided(mut self) -> Self {
        self.surface.two_sided = true;
        self
    }

    /// Returns the same placement with another kind of ground.
    pub fn area(mut self, area: AreaId) -> Self {
        self.surface.area = area;
        self
    }
}

impl From<Isometry3<f32>> for Placement {
    fn from(pose: Isometry3<f32>) -> Self {
        Placement { pose, surface: Surface::default() }
    }
}

impl SceneBuilder {
    /// Starts an empty scene with a name, and with plain walkable ground as its only area.
    pub fn new(name: impl Into<String>) -> Self {
        let report = SceneReport { file: name.into(), ..SceneReport::default() };
        let scene = Scene { areas: vec![Area::walkable()], report, ..Scene::default() };
        SceneBuilder { scene, fault: None }
    }

    /// Starts an empty scene with known areas.
    pub(crate) fn with_areas(areas: Vec<Area>) -> Self {
        SceneBuilder { scene: Scene { areas, ..Scene::default() }, fault: None }
    }

    /// Checks a pose, as for a part that is added.
    pub(crate) fn check_pose(name: &str, pose: &Isometry3<f32>) -> Result<(), SceneError> {
        let mut builder = SceneBuilder::new("");
        builder.ball(name, 1.0, *pose);
        match builder.fault {
            Some((name, problem)) => Err(SceneError::Part { name, problem }),
            None => Ok(()),
        }
    }

    /// Adds a kind of ground; areas keep the order in which they are added.
    pub fn area(&mut self, area: Area) -> AreaId {
        let name = area.name.clone();
        if !(area.cost > 0.0 && area.cost.is_finite()) {
            self.blame(&name, format!("its cost is {}; it must be more than 0", area.cost));
        }
        if self.scene.areas.iter().any(|known| known.name == area.name) {
            self.blame(&name, "there is already an area with that name".to_owned());
        }
        let id = u8::try_from(self.scene.areas.len()).unwrap_or_else(|_| {
            self.blame(&name, "there can be at most 256 areas".to_owned());
            u8::MAX
        });
        self.scene.areas.push(area);
        AreaId(id)
    }

    /// The kinds of ground so far; their ids are their indices.
    pub fn areas(&self) -> &[Area] {
        &self.scene.areas
    }

    /// Adds a shell of triangles.
    pub fn mesh<P: Into<Point3<f32>> + Copy>(
        &mut self,
        name: &str,
        shell: Triangles<'_, P>,
        at: impl Into<Placement>,
    ) -> &mut Self {
        let Triangles { vertices, triangles } = shell;
        let vertices: Vec<Point3<f32>> = vertices.iter().map(|&vertex| vertex.into()).collect();
        self.check_points(name, &vertices);
        let count = vertices.len();
        if triangles.iter().flatten().any(|&corner| corner as usize >= count) {
            self.blame(name, format!("a triangle has a corner beyond its {count} vertices"));
            return self;
        }
        let soup = Soup { vertices, triangles: triangles.to_vec(), slots: Vec::new() };
        let (mesh, dropped) = canonical::mesh(soup, &()).unwrap_or_default();
        if dropped > 0 {
            let reason = format!("{dropped} triangles without area");
            self.scene.report.skipped.push(Skipped { node: name.to_owned(), reason });
        }
        if mesh.triangles.is_empty() {
            self.blame(name, "it has no triangle with an area".to_owned());
        }
        let shape = Shape::Mesh(self.push_mesh(mesh));
        self.solid(name, shape, at.into())
    }

    /// Adds the convex hull of points, at least 4 [m].
    pub fn hull(
        &mut self,
        name: &str,
        points: &[impl Into<Point3<f32>> + Copy],
        at: impl Into<Placement>,
    ) -> &mut Self {
        let points: Vec<Point3<f32>> = points.iter().map(|&point| point.into()).collect();
        self.check_points(name, &points);
        let mesh = canonical::hull(&points, &()).unwrap_or_default();
        if !canonical::has_volume(&mesh.vertices) {
            self.blame(name, "its points enclose no volume".to_owned());
        }
        let shape = Shape::Hull(self.push_mesh(mesh));
        self.solid(name, shape, at.into())
    }

    /// Adds a box around the origin of its pose [half extents in m, > 0].
    pub fn cuboid(
        &mut self,
        name: &str,
        half_extents: impl Into<Vector3<f32>>,
        at: impl Into<Placement>,
    ) -> &mut Self {
        self.solid(name, Shape::Cuboid { half_extents: half_extents.into() }, at.into())
    }

    /// Adds a ball around the origin of its pose [radius in m, > 0].
    pub fn ball(&mut self, name: &str, radius: f32, at: impl Into<Placement>) -> &mut Self {
        self.solid(name, Shape::Ball { radius }, at.into())
    }

    /// Adds a capsule along local y: half the height of its straight part, and its radius
    /// [m, > 0].
    pub fn capsule(
        &mut self,
        name: &str,
        [half_height, radius]: [f32; 2],
        at: impl Into<Placement>,
    ) -> &mut Self {
        self.solid(name, Shape::Capsule { half_height, radius }, at.into())
    }

    /// Adds a cylinder along local y: half its height, and its radius [m, > 0].
    pub fn cylinder(
        &mut self,
        name: &str,
        [half_height, radius]: [f32; 2],
        at: impl Into<Placement>,
    ) -> &mut Self {
        self.solid(name, Shape::Cylinder { half_height, radius }, at.into())
    }

    /// Adds an off-mesh connection.
    pub fn link(&mut self, link: LinkMarker) -> &mut Self {
        if let Err(problem) = link.check() {
            self.blame(&link.name, problem);
        }
        self.scene.links.push(link);
        self
    }

    /// Adds a volume, which says what the ground inside it is.
    pub fn volume(&mut self, volume: Volume) -> &mut Self {
        if let Err(problem) = volume.shape.check() {
            self.blame(&volume.name, problem);
        }
        if let VolumeEffect::Area(area) = volume.effect {
            self.check_area(&volume.name, area);
        }
        self.scene.volumes.push(volume);
        self
    }

    /// Adds all of another scene, such as one that was loaded, without its report. Its areas have to be the
    /// first of those here; its meshes have to be those of a scene that was built or loaded.
    pub fn scene(&mut self, mut other: Scene) -> &mut Self {
        let meshes = self.scene.meshes.len();
        for solid in other.solids.drain(..) {
            self.check_points(&solid.name, &[solid.pose.translation.vector.into()]);
            solid.surfaces.iter().for_each(|surface| self.check_area(&solid.name, surface.area));
            if solid.shape.mesh().is_some_and(|mesh| mesh >= other.meshes.len()) {
                self.blame(&solid.name, "its scene has no such mesh".to_owned());
            }
            let shape = solid.shape.with_mesh_offset(meshes);
            self.scene.solids.push(Solid { shape, ..solid });
        }
        self.scene.meshes.append(&mut other.meshes);
        other.links.drain(..).for_each(|link| _ = self.link(link));
        other.volumes.drain(..).for_each(|volume| _ = self.volume(volume));
        if !self.scene.areas.starts_with(&other.areas) {
            self.blame(&other.report.file, "its areas are others than those here".to_owned());
        }
        self
    }

    /// Returns the scene, in canonical order.
    ///
    /// # Errors
    /// Names the first part with a number that is NaN, infinite or out of range, or without a
    /// shape.
    pub fn build(mut self) -> Result<Scene, SceneError> {
        if let Some((name, problem)) = self.fault {
            return Err(SceneError::Part { name, problem });
        }
        canonical::canonicalize(&mut self.scene, &())?;
        Ok(self.scene)
    }

    fn solid(&mut self, name: &str, shape: Shape, at: Placement) -> &mut Self {
        let sizes = match shape {
            Shape::Mesh(_) | Shape::Hull(_) => [1.0; 3],
            Shape::Cuboid { half_extents } => half_extents.into(),
            Shape::Ball { radius } => [radius; 3],
            Shape::Capsule { half_height, radius } | Shape::Cylinder { half_height, radius } => {
                [half_height, radius, radius]
            }
        };
        if !sizes.iter().all(|&size| size > 0.0 && size <= MAX_COORDINATE) {
            self.blame(
                name,
                format!("each of its sizes must be more than 0 and at most {MAX_COORDINATE} m"),
            );
        }
        if (at.pose.rotation.coords.norm() - 1.0).abs().is_nan() {
            self.blame(name, "its rotation is not a number".to_owned());
        }
        self.check_area(name, at.surface.area);
        self.check_points(name, &[at.pose.translation.vector.into()]);
        let surfaces = vec![at.surface];
        self.scene.solids.push(Solid { name: name.to_owned(), shape, pose: at.pose, surfaces });
        self
    }

    fn check_area(&mut self, name: &str, area: AreaId) {
        if area.index() >= self.scene.areas.len() {
            self.blame(name, format!("there is no area {}; add it first", area.0));
        }
    }

    fn push_mesh(&mut self, mesh: Mesh) -> usize {
        self.scene.meshes.push(mesh);
        self.scene.meshes.len() - 1
    }

    fn check_points(&mut self, name: &str, points: &[Point3<f32>]) {
        if let Err(problem) = points.iter().try_for_each(check_point) {
            self.blame(name, problem);
        }
    }

    fn blame(&mut self, name: &str, problem: String) {
        self.fault.get_or_insert((name.to_owned(), problem));
    }
}
