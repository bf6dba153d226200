//! Provides [`StoreyPage`]: one storey of a picture of changes.

use std::collections::BTreeSet;

use surefoot::grid::{Cell, GridFrame, SpanId};
use surefoot::{Cancelled, Observer};

use super::super::area_style::area_styles;
use super::super::canvas::Canvas;
use super::super::ground::window::around;
use super::super::heights::{contour_interval, height_range};
use super::super::layout::PageLayout;
use super::super::phrases::agent_line;
use super::super::storeys::StoreyRef;
use super::change_paint::{draw_link, draw_numbers, paint_cells};
use super::changed_storeys::ChangedStoreys;
use super::quiet_map::QuietMap;
use super::{ChangedLink, DifferencePicture};

/// What changed on one storey.
#[derive(Default)]
pub(super) struct StoreyChanges {
    /// How many spans changed, by what happened to them.
    pub spans: [usize; 3],
    /// Their cells.
    pub cells: [BTreeSet<Cell>; 3],
    /// Numbers of places and links, by their positions in the picture's lists.
    pub places: Vec<usize>,
    pub links: Vec<usize>,
}

impl StoreyChanges {
    /// How many spans changed in all.
    pub fn size(&self) -> usize {
        self.spans.iter().sum()
    }
}

/// One storey of the picture.
pub(super) struct StoreyPage<'a> {
    pub picture: &'a DifferencePicture<'a>,
    pub storeys: &'a ChangedStoreys<'a>,
    pub storey: usize,
    pub changes: &'a StoreyChanges,
    /// Changed spans on storeys that are not drawn.
    pub left_out: usize,
}

impl StoreyPage<'_> {
    pub fn draw(&self, observer: &dyn Observer) -> Result<Canvas, Cancelled> {
        let DifferencePicture { grids, agents, .. } = *self.picture;
        let new = grids[1];
        let on = StoreyRef { storeys: &self.storeys.storeys, number: self.storey };
        let floor = |at: usize| on.holds(SpanId(at as u32)).then(|| new.spans()[at].floor);
        let heights = height_range(new.spans().len(), observer, floor)?;
        let map = QuietMap {
            grid: new,
            agent: agents[1],
            storeys: &self.storeys.storeys,
            storey: self.storey,
            heights,
        };
        let agent = &new.layers()[agents[1].index()].agent;
        let window = self.window();
        let page = PageLayout {
            window,
            title: self.title(&agent.name),
            lines: vec![agent_line(agent), self.summary()],
            blocks: self.blocks(&map, &map.kinds(&window, observer)?),
            area_styles: area_styles(new.areas()),
            contours: contour_interval(heights),
        };
        let mut canvas = page.draw(new, &map, observer)?;
        self.draw_changes(&mut canvas);
        Ok(canvas)
    }

    /// What is shown: all changes of the storey, with a margin.
    fn window(&self) -> GridFrame {
        let [old, new] = self.picture.grids.map(|grid| *grid.frame());
        let links = self.changes.links.iter().flat_map(|&at| self.picture.links[at].ends);
        let links = links.map(|at| new.cell_at(at.x, at.z));
        let cells = self.changes.cells.iter().flatten().copied();
        around(both(&old, &new), cells.chain(links))
    }

    fn draw_changes(&self, canvas: &mut Canvas) {
        paint_cells(canvas, self.picture.grids[1].frame(), &self.changes.cells);
        for &at in &self.changes.links {
            let ChangedLink { mark, ends } = self.picture.links[at];
            draw_link(canvas, ends, mark);
        }
        let places = self.changes.places.iter().map(|&at| &self.picture.places[at]);
        draw_numbers(canvas, places);
    }
}

/// The smallest frame that holds two; that of the second if cells cannot be numbered so far.
fn both(a: &GridFrame, b: &GridFrame) -> GridFrame {
    let end = |min: i32, size: u32| i64::from(min) + i64::from(size);
    let min = Cell::new(a.min.x.min(b.min.x), a.min.z.min(b.min.z));
    let x = end(a.min.x, a.size_x).max(end(b.min.x, b.size_x)) - i64::from(min.x);
    let z = end(a.min.z, a.size_z).max(end(b.min.z, b.size_z)) - i64::from(min.z);
    match [x, z].map(u32::try_from) {
        [Ok(size_x), Ok(size_z)] => GridFrame { min, size_x, size_z, ..*b },
        _ => *b,
    }
}
