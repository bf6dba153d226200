//! The `volume` of a `"nav"` mark, as an author writes it: in the node's own space; and what it becomes
//! in the world.

use serde::Deserialize;
use serde_json::Value;

use super::extras::Mark;
use crate::scene::{VolumeMark, VolumeShape};

/// A volume that a node marks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VolumeSpec {
    /// `None` if it was not understood, which is reported.
    pub shape: Option<ShapeSpec>,
    /// What the ground inside is: [`Mark::Walkable`] clears.
    pub ground: Option<Mark>,
    pub cost: Option<f32>,
    pub forbidden: bool,
}

/// The shape of a volume in its node's space [m].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "shape", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum ShapeSpec {
    /// Around the origin; without a size the box around the node's mesh.
    Box { size: Option<[f64; 3]> },
    /// Around the origin.
    Sphere { radius: f64 },
    /// Upwards from the height of the origin.
    Prism { points: Vec<[f64; 2]>, height: f64 },
}

impl ShapeSpec {
    /// Reads a shape; `None` for `false`, which is no volume.
    pub fn read(value: Value) -> Option<Result<Self, String>> {
        let around_mesh = ShapeSpec::Box { size: None };
        match value {
            Value::Bool(false) => None,
            Value::Bool(true) => Some(Ok(around_mesh)),
            Value::Number(number) if number.as_i64() == Some(0) => None,
            Value::Number(number) if number.as_i64() == Some(1) => Some(Ok(around_mesh)),
            Value::String(word) if word == "box" => Some(Ok(around_mesh)),
            Value::Object(_) => {
                Some(serde_json::from_value(value).map_err(|error| error.to_string()))
            }
            other => Some(Err(format!("{:.80} is no shape", other.to_string()))),
        }
    }
}

/// A volume in the world, before areas have numbers.
pub(super) struct FoundVolume {
    pub name: String,
    pub shape: VolumeShape,
    /// What the ground inside is: [`Mark::Walkable`] clears.
    pub ground: Mark,
}

impl FoundVolume {
    /// A volume that is not in the file; it was checked with the marks.
    pub fn of_mark(mark: &VolumeMark) -> Self {
        let ground = mark.area_name().map_or(Mark::Walkable, |name| Mark::Area(name.into()));
        FoundVolume { name: mark.name.clone(), shape: mark.shape.clone(), ground }
    }
}
