//! The tables of `world.toml`, as they are written.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use surefoot_bake::scene::SceneError;
use toml::Spanned;

use super::places::{self, PlaceFault};
use crate::instances::PlacedFile;
use crate::terrain::{HeightFileOptions, stem};

/// All of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldTable {
    pub name: Option<String>,
    #[serde(default)]
    pub origin: [f64; 3],
    #[serde(default)]
    pub bake: toml::Table,
    #[serde(default)]
    pub scenes: Vec<Spanned<SceneTable>>,
    #[serde(default)]
    pub terrain: Vec<Spanned<TerrainTable>>,
}

/// A scene file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneTable {
    file: PathBuf,
    name: Option<String>,
    #[serde(default)]
    places: Places,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a list of places [x, y, z, turn, scale], or the name of a file of them"
)]
enum Places {
    Here(Vec<Vec<f64>>),
    File(PathBuf),
}

impl Default for Places {
    fn default() -> Self {
        Places::Here(vec![vec![0.0; 3]])
    }
}

/// What is wrong with a table.
pub enum TableFault {
    /// In the table.
    Here(String),
    /// In another file.
    Elsewhere(SceneError),
}

impl TableFault {
    /// Returns the error, given what makes one of a problem in the table.
    pub fn within(self, here: impl FnOnce(&str) -> SceneError) -> SceneError {
        match self {
            TableFault::Here(problem) => here(&problem),
            TableFault::Elsewhere(error) => error,
        }
    }
}

impl SceneTable {
    /// Returns the scene at its places.
    pub fn placed(self, folder: &Path, origin: [f64; 3]) -> Result<PlacedFile, TableFault> {
        let file = folder.join(self.file);
        let name = self.name.unwrap_or_else(|| stem(&file));
        if name.is_empty() {
            return Err(TableFault::Here("the scene's name is empty; give it one".to_owned()));
        }
        let places = match self.places {
            Places::Here(places) => {
                places::of_numbers(&places, origin).map_err(|PlaceFault { number, problem }| {
                    TableFault::Here(format!("place {number}: {problem}"))
                })?
            }
            Places::File(path) => {
                places::read(&folder.join(path), origin).map_err(TableFault::Elsewhere)?
            }
        };
        Ok(PlacedFile { file, name, places })
    }
}

/// A height file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainTable {
    file: PathBuf,
    name: Option<String>,
    spacing: Option<Spacing>,
    origin: Option<[f64; 3]>,
    height_scale: Option<f64>,
    #[serde(default)]
    height_offset: f64,
    no_data: Option<f64>,
    size: Option<[usize; 2]>,
    area: Option<String>,
    cost: Option<Cost>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected metres between samples, or [x, z]")]
enum Spacing {
    Both(f64),
    Each([f64; 2]),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or \"forbidden\"")]
enum Cost {
    Factor(f32),
    Word(CostWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum CostWord {
    Forbidden,
}

impl TerrainTable {
    /// Returns the file and its options.
    pub fn options(self, folder: &Path) -> Result<(PathBuf, HeightFileOptions), String> {
        if self.name.as_ref().is_some_and(String::is_empty) {
            return Err("the terrain's name is empty; give it one".to_owned());
        }
        let spacing = self.spacing.map(|spacing| match spacing {
            Spacing::Both(spacing) => [spacing; 2],
            Spacing::Each(spacing) => spacing,
        });
        let (cost, forbidden) = match self.cost {
            Some(Cost::Factor(factor)) => (Some(factor), false),
            Some(Cost::Word(CostWord::Forbidden)) => (None, true),
            None => (None, false),
        };
        let options = HeightFileOptions {
            name: self.name,
            spacing,
            origin: self.origin,
            height_scale: self.height_scale,
            height_offset: self.height_offset,
            no_data: self.no_data,
            size: self.size,
            area: self.area,
            cost,
            forbidden,
        };
        Ok((folder.join(self.file), options))
    }
}
