//! Provides [`WorldFile`]: `world.toml`, which says what a world is made of.

mod places;
mod tables;

use std::path::{Path, PathBuf};

use surefoot::Observer;
use surefoot_bake::scene::{SceneError, SceneMarks};

use crate::composed::{ComposedWorld, WorldParts};
use crate::fault::{in_file, unreadable};
use crate::instances::{PlacedFile, SceneLoading};
use crate::terrain::{HeightFileOptions, stem};
use tables::WorldTable;

/// What a world is made of: scenes at places, and height files.
///
/// ```toml
/// name = "valley"          # by default the file's name without its ending
/// origin = [0, 0, 0]       # subtracted from every place in this file, for coordinates far out
///
/// [bake]                   # the settings of a bake
/// cell_size = 0.5
///
/// [[scenes]]
/// file = "house.glb"
/// places = [[10, 0, 20], [40, 0, 20, 90], [70, 0, 20, 180, 1.5]]    # x, y, z, turn, scale
///
/// [[terrain]]
/// file = "heights.png"
/// spacing = 2.0            # metres between samples
/// height_scale = 0.01      # metres a unit
/// ```
///
/// A turn is around y, in degrees, counter-clockwise as seen from above. Places may be the name of a file
/// with a line `x,y,z[,turn[,scale]]` for each. The nodes of `house.glb` are called `house/roof` and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldFile {
    path: PathBuf,
    name: String,
    origin: [f64; 3],
    bake: toml::Table,
    scenes: Vec<PlacedFile>,
    terrains: Vec<(PathBuf, HeightFileOptions)>,
}

/// The most bytes of a file of text.
const MOST_TEXT: u64 = 1 << 30;

impl WorldFile {
    /// Reads a file. Paths in it are relative to its folder. The scenes and height files are not read yet.
    ///
    /// # Errors
    /// It cannot be read, or says what makes no sense: the file, the line and what to do.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let text = read_text(path)?;
        let fault = |place: usize, problem: &str| {
            in_file(path, format!("line {}: {problem}", line_at(&text, place)))
        };
        let table: WorldTable = toml::from_str(&text)
            .map_err(|error| fault(error.span().map_or(0, |span| span.start), error.message()))?;
        if table.scenes.is_empty() && table.terrain.is_empty() {
            let problem = "there is nothing in this world; add [[scenes]] or [[terrain]]";
            return Err(fault(0, problem));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut world = WorldFile {
            path: path.to_owned(),
            name: table.name.unwrap_or_else(|| stem(path)),
            origin: table.origin,
            bake: table.bake,
            scenes: Vec::new(),
            terrains: Vec::new(),
        };
        for scene in table.scenes {
            let start = scene.span().start;
            let scene = scene.into_inner().placed(folder, world.origin);
            world
                .scenes
                .push(scene.map_err(|error| error.within(|problem| fault(start, problem)))?);
        }
        for terrain in table.terrain {
            let start = terrain.span().start;
            let terrain = terrain.into_inner().options(folder);
            world.terrains.push(terrain.map_err(|problem| fault(start, &problem))?);
        }
        Ok(world)
    }

    /// A world of one height file.
    pub fn of_heights(file: &Path, options: HeightFileOptions) -> Self {
        WorldFile {
            path: file.to_owned(),
            name: options.name_of(file),
            origin: [0.0; 3],
            bake: toml::Table::new(),
            scenes: Vec::new(),
            terrains: vec![(file.to_owned(), options)],
        }
    }

    /// The name of the world.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table `[bake]`, as it is written.
    pub fn bake_table(&self) -> &toml::Table {
        &self.bake
    }

    /// What is subtracted from every place in the file [m].
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// The scenes and height files, in the order of the file.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let scenes = self.scenes.iter().map(|scene| scene.file.as_path());
        scenes.chain(self.terrains.iter().map(|(file, _)| file.as_path()))
    }

    /// Opens the world: loads each scene once, and reads each height file once.
    ///
    /// Marks match nodes by their names in their own file. Volumes and links among them are where the world
    /// has them, with its origin subtracted. A scene, and the scenes that are kept, may take `memory_limit`
    /// bytes each; less than 64 MiB counts as 64 MiB for one scene.
    ///
    /// # Errors
    /// A file or a mark cannot be used, files disagree on an area, or the observer cancels.
    pub fn open(
        &self,
        marks: &SceneMarks,
        memory_limit: u64,
        observer: &dyn Observer,
    ) -> Result<ComposedWorld, SceneError> {
        let file_name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (scenes, terrains) = (self.scenes.as_slice(), self.terrains.as_slice());
        let parts = WorldParts { file_name, scenes, terrains, origin: self.origin };
        ComposedWorld::open(&parts, &SceneLoading { marks, memory_limit, observer })
    }
}

/// Reads a file of text.
fn read_text(path: &Path) -> Result<String, SceneError> {
    let length = std::fs::metadata(path).map_err(|error| unreadable(path, error))?.len();
    if length > MOST_TEXT {
        return Err(in_file(path, format!("its {length} bytes are too many; split it")));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
        in_file(path, format!("line {line}: it is no UTF-8 text; save it as UTF-8"))
    })
}

/// The number of the line at a place of a text [bytes].
fn line_at(text: &str, place: usize) -> usize {
    1 + text.as_bytes().iter().take(place).filter(|&&byte| byte == b'\n').count()
}
