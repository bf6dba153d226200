//! The Python package of surefoot: `pip install surefoot`.
//!
//! Everything is batched: arrays of numpy come in and go out, Python's lock is released meanwhile, and the work is
//! divided among threads in such a way that answers do not depend on their number. What is public in Python, with
//! its types, is `python/surefoot`; this module is `surefoot._surefoot`.

// Functions of Python have keyword arguments with defaults, however many; a struct would be a worse name for them.
#![allow(clippy::too_many_arguments)]

mod arrays;
mod bake;
mod batch;
mod convert;
mod crowd;
mod errors;
mod field;
mod grid;
mod ground;
mod height_scan;
mod interrupt;
mod mesh_arrays;
mod navigator;
mod obstacle;
mod options;
mod outcome;
mod packed_world;
mod paths;
mod pool;
mod raster;
mod scene;
mod world;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule(gil_used = false)]
mod _surefoot {
    #[pymodule_export]
    use crate::bake::{PyLiveBake, bake_scene, default_settings};
    #[pymodule_export]
    use crate::crowd::PyCrowd;
    #[pymodule_export]
    use crate::errors::SurefootError;
    #[pymodule_export]
    use crate::field::PyCostField;
    #[pymodule_export]
    use crate::grid::PyNavGrid;
    #[pymodule_export]
    use crate::navigator::PyNavigator;
    #[pymodule_export]
    use crate::obstacle::PyObstacle;
    #[pymodule_export]
    use crate::options::PathOptions;
    #[pymodule_export]
    use crate::packed_world::{PyFarPath, PyWorld};
    #[pymodule_export]
    use crate::paths::Paths;
    #[pymodule_export]
    use crate::pool::{set_threads, thread_count};
    #[pymodule_export]
    use crate::scene::PyScene;
    #[pymodule_export]
    use crate::world::PyWorldBake;
}
