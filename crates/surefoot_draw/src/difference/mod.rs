//! The picture of what changed from one grid to another: gained and lost ground over the quiet relief of
//! the new grid, storey by storey.

mod change_legend;
mod change_paint;
mod changed_storeys;
mod quiet_map;
mod storey_page;
#[cfg(test)]
mod tests;

use nalgebra::{Point2, Point3};

use surefoot::grid::{AgentId, NavGrid, SpanId};
use surefoot::{Cancelled, Observer};

use super::canvas::{Canvas, MapTransform};
use super::image::Image;
use super::links::nearest_floor;
use super::marks::ChangeMark;
use super::palette::PAPER;
use super::picture::Picture;
use super::unobserved;

use changed_storeys::ChangedStoreys;
use storey_page::{StoreyChanges, StoreyPage};

/// A place that the picture numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberedPlace<'a> {
    /// Its number on the map and in the legend.
    pub number: usize,
    /// What happened there.
    pub mark: ChangeMark,
    /// Where the number stands [m].
    pub at: Point3<f32>,
    /// What the legend says of it.
    pub words: &'a str,
    /// The area of its cells [m²].
    pub area: f64,
}

/// A link that the picture shows because it came or went.
#[derive(Clone, Copy, Debug)]
pub struct ChangedLink {
    /// What happened to it.
    pub mark: ChangeMark,
    /// Where it starts and ends [m].
    pub ends: [Point3<f32>; 2],
}

/// What a picture of the difference of two grids shows, for one agent.
#[derive(Clone, Copy)]
pub struct DifferencePicture<'a> {
    /// The old grid and the new one; their cells have one size.
    pub grids: [&'a NavGrid; 2],
    /// The agent, in the old grid and in the new one.
    pub agents: [AgentId; 2],
    /// Spans of the old grid that the agent lost.
    pub lost: &'a [SpanId],
    /// Spans of the new grid that it gained.
    pub gained: &'a [SpanId],
    /// Spans of the new grid whose floors moved.
    pub moved: &'a [SpanId],
    /// Places to number.
    pub places: &'a [NumberedPlace<'a>],
    /// Links to show.
    pub links: &'a [ChangedLink],
}

/// Draws what changed: below each other the storeys with the most changes, each cropped to where they are.
///
/// The picture is called `difference.png`. Where nothing changed it shows the lowest storey as it is.
pub fn difference_picture(picture: &DifferencePicture) -> Picture {
    unobserved(picture.draw(&()))
}

/// A storey with no more than this share of the changes is not drawn.
const LEAST_SHARE: f64 = 0.01;
/// At most so many storeys are drawn.
const MOST_STOREYS: usize = 4;

impl DifferencePicture<'_> {
    /// Draws as [`difference_picture`] does, with an observer.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer says so.
    pub fn draw(&self, observer: &dyn Observer) -> Result<Picture, Cancelled> {
        let storeys = ChangedStoreys::new(self.grids, observer)?;
        let changes = self.by_storey(&storeys);
        let shown = shown(&changes);
        let is_left_out = |(storey, _): &(usize, &StoreyChanges)| !shown.contains(storey);
        let left_out = changes.iter().enumerate().filter(is_left_out);
        let left_out: usize = left_out.map(|(_, changes)| changes.size()).sum();
        let mut canvases = Vec::new();
        for (done, &storey) in shown.iter().enumerate() {
            let page = StoreyPage {
                picture: self,
                storeys: &storeys,
                storey,
                changes: &changes[storey],
                left_out,
            };
            canvases.push(page.draw(observer)?);
            observer.parts_done(done + 1, shown.len());
        }
        Ok(below_each_other(canvases))
    }

    /// The grid that spans of a mark are of.
    fn grid(&self, mark: ChangeMark) -> &NavGrid {
        if mark == ChangeMark::Lost { self.grids[0] } else { self.grids[1] }
    }

    /// Sorts cells, places and links by the storey they are drawn on.
    fn by_storey(&self, storeys: &ChangedStoreys) -> Vec<StoreyChanges> {
        let mut changes: Vec<StoreyChanges> = Vec::new();
        changes.resize_with(storeys.count(), StoreyChanges::default);
        let storey_of = |mark, span| match mark {
            ChangeMark::Lost => storeys.of_old(span),
            _ => storeys.of_new(span),
        };
        let lists = [
            (ChangeMark::Lost, self.lost),
            (ChangeMark::Gained, self.gained),
            (ChangeMark::Moved, self.moved),
        ];
        for (mark, spans) in lists {
            for &span in spans {
                if let Some(cell) = self.grid(mark).cell_of(span) {
                    let storey = &mut changes[storey_of(mark, span)];
                    storey.cells[mark as usize].insert(cell);
                    storey.spans[mark as usize] += 1;
                }
            }
        }
        let storey_at = |mark, at: Point3<f32>| {
            let span = nearest_floor(self.grid(mark), at);
            span.map_or(0, |span| storey_of(mark, span))
        };
        for (number, place) in self.places.iter().enumerate() {
            changes[storey_at(place.mark, place.at)].places.push(number);
        }
        for (number, link) in self.links.iter().enumerate() {
            let [from, to] = link.ends.map(|at| storey_at(link.mark, at));
            changes[from].links.push(number);
            if to != from {
                changes[to].links.push(number);
            }
        }
        changes
    }
}

/// The storeys to draw, lowest first: those that hold more than a trace of the changes, and all with links.
fn shown(changes: &[StoreyChanges]) -> Vec<usize> {
    let all: usize = changes.iter().map(StoreyChanges::size).sum();
    let mut shown: Vec<usize> = (0..changes.len()).collect();
    shown.sort_by_key(|&storey| std::cmp::Reverse(changes[storey].size()));
    shown.retain(|&storey| {
        let StoreyChanges { links, .. } = &changes[storey];
        changes[storey].size() as f64 > LEAST_SHARE * all as f64 || !links.is_empty()
    });
    shown.truncate(MOST_STOREYS);
    shown.sort_unstable();
    if shown.is_empty() {
        shown.push(0);
    }
    shown
}

/// One picture of several.
fn below_each_other(canvases: Vec<Canvas>) -> Picture {
    let (mut first, mut images) = (None, Vec::new());
    for canvas in canvases {
        let transform = *canvas.transform();
        first.get_or_insert(transform);
        images.push(canvas.into_image());
    }
    let width = images.iter().map(Image::width).max().unwrap_or(1);
    let height = images.iter().map(Image::height).sum::<u32>().max(1);
    let mut sheet = Image::new(width, height, PAPER);
    let mut top = 0;
    for image in &images {
        sheet.paste(image, top);
        top += image.height();
    }
    let transform =
        first.unwrap_or(MapTransform { origin: [0.0; 2], corner: Point2::origin(), scale: 1.0 });
    Picture { name: "difference.png".to_owned(), image: sheet, transform }
}
