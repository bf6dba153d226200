//! Pictures of grids, as a good printed map would show them.
//!
//! [`pictures`] draws one overview of a grid and, for each agent, one picture of each storey that
//! matters: heights as shaded relief, ground to walk on tinted by region, everything else in the
//! color of its verdict, with a legend, coordinates and a scale bar. [`write_all`] puts them into a
//! folder as PNG files. [`path_picture`] draws paths over the relief, with what a search expanded,
//! and [`film`] draws the search step by step; [`track_picture`] draws where the bodies of
//! a run have been, and [`difference_picture`] what changed from one grid to another. [`Canvas`] is for
//! drawing more over such maps.

mod animation;
mod area_style;
mod arrows;
mod axes;
mod canvas;
mod debug_picture;
mod difference;
mod grid_maps;
mod ground;
mod heights;
mod image;
mod layout;
mod legend;
mod links;
mod marks;
mod numbers;
mod overview;
mod paint;
pub mod palette;
mod patches;
mod paths;
mod phrases;
mod picture;
mod relief;
#[cfg(test)]
mod samples;
mod storey_counts;
mod storey_map;
mod storeys;
#[cfg(test)]
mod tests;
mod text_style;
mod tracks;

use std::path::{Path, PathBuf};

use surefoot::grid::{AgentId, NavGrid};
use surefoot::{Cancelled, Observer};

use storeys::StoreyRef;

pub use animation::Animation;
pub use canvas::{Canvas, MapTransform, PixelPoint, Rect, Stroke};
pub use debug_picture::DebugPicture;
pub use difference::{ChangedLink, DifferencePicture, NumberedPlace, difference_picture};
pub use image::{DrawError, Image, is_own_png};
pub use marks::{ChangeMark, TrackEnd};
pub use paths::{DrawnPath, PathPicture, Recording, film, path_picture, separation_picture};
pub use picture::Picture;
pub use storeys::{LeftOut, Storey, Storeys};
pub use text_style::{Align, TextStyle};
pub use tracks::{Track, TrackPicture, track_picture};

/// Draws all pictures of a grid: the overview, then each storey for each agent.
///
/// They are all in memory at once, a few megabytes each; [`write_all`] holds one at a time.
pub fn pictures(grid: &NavGrid) -> Vec<Picture> {
    let atlas = unobserved(Atlas::of(grid, &()));
    atlas.pages().map(|page| unobserved(atlas.draw(&page, &()))).collect()
}

/// Draws all pictures of a grid and writes them into a folder, which is made where it is missing.
/// Returns the paths, the overview first.
///
/// # Errors
/// The first folder or file that cannot be written; the pictures before it stay.
pub fn write_all(grid: &NavGrid, folder: &Path) -> Result<Vec<PathBuf>, DrawError> {
    std::fs::create_dir_all(folder)
        .map_err(|source| DrawError::Folder { path: folder.into(), source })?;
    let mut paths = Vec::new();
    each_picture(grid, &(), |picture| {
        let path = folder.join(picture.name);
        picture.image.save(&path)?;
        paths.push(path);
        Ok::<(), DrawError>(())
    })?;
    Ok(paths)
}

/// Draws all pictures of a grid one after another, the overview first, and hands each over: only
/// one at a time is in memory.
///
/// The parts that the observer counts are the pictures.
///
/// # Errors
/// The first of `take`, or [`Cancelled`] if the observer says so; nothing more is drawn then.
pub fn each_picture<E: From<Cancelled>>(
    grid: &NavGrid,
    observer: &dyn Observer,
    mut take: impl FnMut(Picture) -> Result<(), E>,
) -> Result<(), E> {
    let atlas = Atlas::of(grid, observer)?;
    let count = atlas.pages().count();
    for (at, page) in atlas.pages().enumerate() {
        take(atlas.draw(&page, observer)?)?;
        observer.parts_done(at + 1, count);
    }
    Ok(())
}

/// The result of work that nobody cancels.
fn unobserved<T>(result: Result<T, Cancelled>) -> T {
    result.expect("the observer `()` cancels nothing")
}

/// Whether a picture of some grid may have this name, as [`pictures`] names them.
pub fn is_picture_name(name: &str) -> bool {
    let storey = name.strip_suffix(".png").and_then(|stem| stem.rsplit_once("-storey-"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    name == OVERVIEW || storey.is_some_and(|(_, number)| is_number(number))
}

/// The name of the first picture.
const OVERVIEW: &str = "overview.png";

/// What there is to draw of a grid.
struct Atlas<'a> {
    grid: &'a NavGrid,
    storeys: Storeys,
    /// For each agent the start of its file names.
    stems: Vec<String>,
}

enum Page {
    OverviewMap,
    Storey { agent: usize, storey: usize },
}

impl<'a> Atlas<'a> {
    fn of(grid: &'a NavGrid, observer: &dyn Observer) -> Result<Self, Cancelled> {
        let names = grid.layers().iter().map(|layer| layer.agent.name.as_str());
        let storeys = Storeys::observed(grid, observer)?;
        Ok(Atlas { grid, storeys, stems: file_stems(names) })
    }

    fn pages(&self) -> impl Iterator<Item = Page> {
        let storeys = self.storeys.drawn().len();
        let of = move |agent| (0..storeys).map(move |storey| Page::Storey { agent, storey });
        std::iter::once(Page::OverviewMap).chain((0..self.stems.len()).flat_map(of))
    }

    fn draw(&self, page: &Page, observer: &dyn Observer) -> Result<Picture, Cancelled> {
        let (name, canvas) = match *page {
            Page::OverviewMap => {
                (OVERVIEW.to_owned(), overview::draw(self.grid, &self.storeys, observer)?)
            }
            Page::Storey { agent, storey } => {
                (format!("{}-storey-{storey}.png", self.stems[agent]), {
                    let on = StoreyRef { storeys: &self.storeys, number: storey };
                    storey_map::draw(self.grid, AgentId(agent as u16), on, observer)?
                })
            }
        };
        Ok(Picture::new(name, canvas))
    }
}

/// Letters kept of an agent's name in a file name.
const STEM_LETTERS: usize = 40;

/// Starts of file names, one for each agent: only letters, digits, `-` and `_`, and no two equal,
/// not even where large and small letters count as one.
fn file_stems<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for name in names {
        let safe = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        let kept = name.trim().chars().take(STEM_LETTERS);
        let stem: String = kept.map(|letter| if safe(letter) { letter } else { '-' }).collect();
        let stem = if stem.is_empty() { "agent".to_owned() } else { stem };
        let free = |stem: &String| !stems.iter().any(|s| s.to_lowercase() == stem.to_lowercase());
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let stem = std::iter::once(stem.clone()).chain(numbered).find(free);
        stems.extend(stem);
    }
    stems
}
