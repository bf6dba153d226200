//! `Scene`: what is baked, from a glTF file or built of arrays.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyType;
use surefoot::grid::{Area, AreaId};
use surefoot_bake::scene::{
    LinkMarker, Placement, SceneBuilder, SceneError, SceneMarks, SceneReport,
};

use crate::arrays::{point, points, table};
use crate::convert::{from_python, pose};
use crate::errors::{bad_value, refused, system_error};
use crate::interrupt::{CancelFlag, interruptible};
use crate::mesh_arrays::MeshArrays;
use crate::pool::threads;

/// What is baked: a glTF file, by `Scene.load`, or parts that are added one by one.
///
/// Every part has a name, which reports and `why` mention, and stands upright at the origin or where `pose`
/// says: a (4, 4) matrix that turns and moves, or a position (3,).
///
/// Parameters
/// ----------
/// name : str
#[pyclass(frozen, module = "surefoot", name = "Scene")]
pub struct PyScene {
    content: Mutex<Content>,
}

#[derive(Clone)]
enum Content {
    Loaded(Arc<surefoot_bake::Scene>),
    Built(Box<SceneBuilder>),
}

impl PyScene {
    /// An empty scene that knows the areas of a level.
    pub fn of(builder: SceneBuilder) -> Self {
        PyScene { content: Mutex::new(Content::Built(Box::new(builder))) }
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scene, in canonical order.
    pub fn finished(&self) -> PyResult<Arc<surefoot_bake::Scene>> {
        match self.lock().clone() {
            Content::Loaded(scene) => Ok(scene),
            Content::Built(builder) => Ok(Arc::new(builder.build().map_err(refused)?)),
        }
    }

    /// The parts, if it is not that of a file.
    pub fn parts(&self) -> PyResult<SceneBuilder> {
        match &*self.lock() {
            Content::Built(builder) => Ok((**builder).clone()),
            Content::Loaded(_) => bad_value("a scene of a file is no list of parts".to_owned()),
        }
    }

    fn change<R>(&self, change: impl FnOnce(&mut SceneBuilder) -> R) -> PyResult<R> {
        match &mut *self.lock() {
            Content::Built(builder) => Ok(change(builder)),
            Content::Loaded(_) => bad_value(
                "a scene of a file takes no other parts; add them to a LiveBake of it".to_owned(),
            ),
        }
    }

    /// Where a part is and what its surface is.
    fn placement(
        &self,
        at: Option<&Bound<'_, PyAny>>,
        area: Option<&str>,
        obstacle: bool,
    ) -> PyResult<Placement> {
        let placement = Placement::from(pose(at)?);
        let placement = if obstacle { placement.obstacle() } else { placement };
        let Some(name) = area else { return Ok(placement) };
        self.change(|builder| {
            let known = builder.areas().iter().map(|area| area.name.as_str());
            let at = known.clone().position(|known| known == name);
            match at.and_then(|at| u8::try_from(at).ok()) {
                Some(at) => Ok(placement.area(AreaId(at))),
                None => bad_value(format!(
                    "there is no area {name:?}; add it first; there are {:?}",
                    known.collect::<Vec<_>>()
                )),
            }
        })?
    }
}

#[pymethods]
impl PyScene {
    #[new]
    #[pyo3(signature = (name = "scene"))]
    fn new(name: &str) -> Self {
        PyScene::of(SceneBuilder::new(name))
    }

    /// Loads a .gltf or .glb file.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    /// marks : dict, optional
    ///     Which nodes are what, beside what the file says: "ignore", "obstacle", "two_sided" (lists of globs on
    ///     names), "areas", "volumes", "links", as in the config file of `bake`.
    #[classmethod]
    #[pyo3(signature = (path, marks = None))]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        marks: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let marks: SceneMarks =
            marks.map(|marks| from_python(marks, "marks")).transpose()?.unwrap_or_default();
        let pool = threads()?;
        let load = |cancel: &CancelFlag| {
            surefoot_bake::Scene::load_within(&path, &marks, MEMORY_LIMIT, cancel)
        };
        let scene =
            interruptible(py, |cancel| pool.install(|| load(cancel)))?.map_err(scene_error)?;
        Ok(PyScene { content: Mutex::new(Content::Loaded(Arc::new(scene))) })
    }

    /// Adds a kind of ground.
    ///
    /// Parameters
    /// ----------
    /// name : str
    /// cost : float
    ///     Of a metre, relative to plain ground [> 0]. Costs are whole units of about a 2,000th of a cell: far below
    ///     0.01 they are counted coarsely.
    /// forbidden : bool
    ///     Whether agents are kept off it.
    #[pyo3(signature = (name, cost = 1.0, *, forbidden = false))]
    fn add_area(&self, name: &str, cost: f32, forbidden: bool) -> PyResult<()> {
        self.change(|builder| builder.area(Area { name: name.to_owned(), cost, forbidden }))?;
        Ok(())
    }

    /// Adds triangles.
    ///
    /// Parameters
    /// ----------
    /// name : str
    /// vertices : (n, 3) array of float
    ///     [m]
    /// triangles : (m, 3) array of int
    ///     The corners of each, counter-clockwise seen from outside.
    /// pose : (4, 4) or (3,) array of float, optional
    /// area : str, optional
    ///     The kind of ground that its surface is.
    /// obstacle : bool
    ///     Whether it blocks, and nobody stands on it.
    /// two_sided : bool
    ///     Whether triangles are floor from both sides.
    #[pyo3(signature = (
        name, vertices, triangles, pose = None, *, area = None, obstacle = false, two_sided = false
    ))]
    fn add_mesh(
        &self,
        name: &str,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        area: Option<&str>,
        obstacle: bool,
        two_sided: bool,
    ) -> PyResult<()> {
        let mesh = MeshArrays::read(vertices, triangles)?;
        let at = self.placement(pose, area, obstacle)?;
        let at = if two_sided { at.two_sided() } else { at };
        self.change(|builder| _ = builder.mesh(name, mesh.triangles(), at))
    }

    /// Adds a box with these half extents [m].
    #[pyo3(signature = (name, half_extents, pose = None, *, area = None, obstacle = false))]
    fn add_box(
        &self,
        name: &str,
        half_extents: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        area: Option<&str>,
        obstacle: bool,
    ) -> PyResult<()> {
        let half_extents = point(half_extents, "half_extents")?;
        let at = self.placement(pose, area, obstacle)?;
        self.change(|builder| _ = builder.cuboid(name, half_extents, at))
    }

    /// Adds an upright cylinder round the origin of its pose [m].
    #[pyo3(signature = (name, radius, height, pose = None, *, area = None, obstacle = false))]
    fn add_cylinder(
        &self,
        name: &str,
        radius: f32,
        height: f32,
        pose: Option<&Bound<'_, PyAny>>,
        area: Option<&str>,
        obstacle: bool,
    ) -> PyResult<()> {
        let at = self.placement(pose, area, obstacle)?;
        self.change(|builder| _ = builder.cylinder(name, [0.5 * height, radius], at))
    }

    /// Adds the convex hull of points: (n, 3) array of float, at least 4 [m].
    #[pyo3(signature = (name, points, pose = None, *, area = None, obstacle = false))]
    fn add_hull(
        &self,
        name: &str,
        points: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        area: Option<&str>,
        obstacle: bool,
    ) -> PyResult<()> {
        let corners = self::points(points, "points")?;
        let at = self.placement(pose, area, obstacle)?;
        self.change(|builder| _ = builder.hull(name, &corners, at))
    }

    /// Adds a height field, such as one of MuJoCo: two triangles between each four heights.
    ///
    /// Parameters
    /// ----------
    /// name : str
    /// heights : (rows, columns) array of float
    ///     [m]; rows along z, columns along x, at least 2 of each; NaN for holes.
    /// spacing : float
    ///     Between heights [m].
    /// pose : (4, 4) or (3,) array of float, optional
    ///     Where the first height is; the origin if left out.
    #[pyo3(signature = (name, heights, spacing, pose = None, *, area = None, obstacle = false))]
    fn add_heights(
        &self,
        name: &str,
        heights: &Bound<'_, PyAny>,
        spacing: f32,
        pose: Option<&Bound<'_, PyAny>>,
        area: Option<&str>,
        obstacle: bool,
    ) -> PyResult<()> {
        let mesh = MeshArrays::of_heights(&table(heights, "heights")?, spacing)?;
        let at = self.placement(pose, area, obstacle)?;
        self.change(|builder| _ = builder.mesh(name, mesh.triangles(), at))
    }

    /// Adds an off-mesh connection.
    ///
    /// Parameters
    /// ----------
    /// name : str
    /// start, end : (3,) array of float
    ///     [m]
    /// kind : {"authored", "jump", "drop", "climb", "ladder", "door"}
    /// two_way : bool
    /// cost : float, optional
    ///     In metres of plain ground; its length if left out.
    /// width : float
    ///     [m]; 0 for a point.
    #[pyo3(signature = (name, start, end, *, kind = "authored", two_way = false, cost = None, width = 0.0))]
    fn add_link(
        &self,
        name: &str,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        kind: &str,
        two_way: bool,
        cost: Option<f32>,
        width: f32,
    ) -> PyResult<()> {
        let kind = pyo3::types::PyString::new(start.py(), kind);
        let link = LinkMarker {
            name: name.to_owned(),
            from: point(start, "start")?.into(),
            to: point(end, "end")?.into(),
            two_way,
            cost,
            kind: from_python(&kind, "kind")?,
            ..LinkMarker::default()
        };
        self.change(|builder| _ = builder.link(link.wide(width)))
    }

    /// What was used and what was skipped, in words.
    fn report(&self) -> PyResult<Vec<String>> {
        Ok(report_lines(&self.finished()?.report))
    }
}

/// The memory that loading a file may take [bytes].
const MEMORY_LIMIT: u64 = 8 << 30;

/// The exception for a scene that cannot be loaded.
fn scene_error(error: SceneError) -> PyErr {
    let message = error.to_string();
    match error {
        SceneError::Read { source, .. } => system_error(source.kind(), message),
        _ => refused(message),
    }
}

fn report_lines(report: &SceneReport) -> Vec<String> {
    let skipped =
        report.skipped.iter().map(|part| format!("skipped {}: {}", part.node, part.reason));
    let warnings =
        report.warnings.iter().map(|warning| format!("{}: {}", warning.node, warning.message));
    skipped.chain(warnings).collect()
}
