//! Cropping: a smaller frame out of a larger one, before clearance and regions are computed.

use std::ops::Range;

use super::finish::{finish_layer, two_way_ends};
use super::parts::fail;
use super::standing::ConnectionCode;
use super::{
    AgentId, AgentLayer, Dir, FarConnection, GridError, GridFrame, GridParts, Link, NavGrid,
    SpanEntry, SpanId, SpanTable,
};

impl NavGrid {
    /// The part of the grid within a rectangle [m]: `[x0, z0, x1, z1]`, widened to whole cells. What lies
    /// outside is as if it were not there: the border cuts connections and regions, and links with an end
    /// outside are gone. Orders of prepared routes and the record of the scene are not kept. O(cells +
    /// spans).
    ///
    /// # Errors
    /// The rectangle has no cell of the grid, or is none.
    pub fn cropped(&self, [x0, z0, x1, z1]: [f32; 4]) -> Result<NavGrid, GridError> {
        // A rectangle may be larger than any grid.
        let ([low_x, low_z], [high_x, high_z]) = self.frame().bounds();
        let (min, max) = ([x0.max(low_x), z0.max(low_z)], [x1.min(high_x), z1.min(high_z)]);
        let is_rectangle = x0 <= x1 && z0 <= z1;
        let wanted = GridFrame::covering(self.frame().cell_size, min, max);
        let frame = wanted.filter(|_| is_rectangle).map(|wanted| wanted.overlap(self.frame()));
        let Some(frame) = frame.filter(|frame| frame.cells() > 0) else {
            return Err(GridError {
                place: "bounds".to_owned(),
                problem: format!(
                    "[{x0}, {z0}, {x1}, {z1}] has no cell of the grid, which lies from \
                     ({low_x}, {low_z}) to ({high_x}, {high_z})"
                ),
            });
        };
        self.cropped_to(&frame)
    }

    /// The part of the grid over the cells of a frame, as [`NavGrid::cropped`].
    ///
    /// # Errors
    /// The grid does not have all of these cells.
    pub fn cropped_to(&self, frame: &GridFrame) -> Result<NavGrid, GridError> {
        if frame.overlap(self.frame()) != *frame || frame.cell_size != self.frame().cell_size {
            return fail("frame", "the grid does not have all of these cells");
        }
        let mut parts = self.parts().clone();
        parts.crop(frame);
        parts.provenance.record = None;
        for (agent, layer) in (0..).map(AgentId).zip(&mut parts.layers) {
            let two_way = two_way_ends(&parts.links, agent);
            layer.order = None;
            finish_layer(&parts.frame, &parts.first, &two_way, layer)?;
        }
        NavGrid::new(parts)
    }
}

impl GridParts {
    /// Keeps only the cells of a frame, which lies within the present one, and removes connections and
    /// links across its border. O(cells + spans).
    pub fn crop(&mut self, frame: &GridFrame) {
        if *frame == self.frame {
            return;
        }
        let map = CropMap::new(self, frame);
        self.links =
            std::mem::take(&mut self.links).into_iter().filter_map(|link| map.link(link)).collect();
        self.spans = map.copy(&self.spans);
        for layer in &mut self.layers {
            layer.standings = map.copy(&layer.standings);
            layer.far_connections =
                layer.far_connections.iter().filter_map(|far| map.renumber(*far)).collect();
            layer.rooms = map.table(&layer.rooms);
            layer.measures = map.table(&layer.measures);
            layer.order = None;
            close_border(frame, &map.first, layer);
        }
        (self.first, self.frame) = (map.first, *frame);
    }
}

/// Maps the ids of spans before a crop to those after it. The spans of a row of cells follow each
/// other before and after.
struct CropMap {
    /// Where each column starts.
    first: Vec<u32>,
    /// The old ids of each row.
    rows: Vec<Range<u32>>,
    /// The first new id of each row.
    starts: Vec<u32>,
}

impl CropMap {
    fn new(parts: &GridParts, frame: &GridFrame) -> Self {
        let mut map = CropMap { first: vec![0], rows: Vec::new(), starts: Vec::new() };
        let columns = frame.size_x as usize;
        let rows = if frame.cells() > 0 { frame.size_z as usize } else { 0 };
        for row in 0..rows {
            let Some(old) = parts.frame.index(frame.cell(row * columns)) else { continue };
            let firsts = &parts.first[old..=old + columns];
            let start = map.first[map.first.len() - 1];
            map.first.extend(firsts[1..].iter().map(|first| first - firsts[0] + start));
            map.rows.push(firsts[0]..firsts[columns]);
            map.starts.push(start);
        }
        map
    }

    fn copy<T: Copy>(&self, all: &[T]) -> Vec<T> {
        let rows = self.rows.iter().map(|row| &all[row.start as usize..row.end as usize]);
        rows.collect::<Vec<_>>().concat()
    }

    /// The new id of a span; `None` if it is cropped.
    fn new_id(&self, old: SpanId) -> Option<SpanId> {
        let row = self.rows.partition_point(|row| row.end <= old.0);
        let before = old.0.checked_sub(self.rows.get(row)?.start)?;
        Some(SpanId(self.starts[row] + before))
    }

    /// The values of the spans that are kept.
    fn table<T: Copy>(&self, table: &SpanTable<T>) -> SpanTable<T> {
        let kept = table
            .entries()
            .filter_map(|entry| Some(SpanEntry { span: self.new_id(entry.span)?, ..entry }));
        let spans = self.first[self.first.len() - 1] as usize;
        SpanTable::new(spans, &kept.collect::<Vec<_>>())
    }

    /// A link with the lanes that are kept; `None` if none is.
    fn link(&self, mut link: Link) -> Option<Link> {
        for lanes in &mut link.lanes {
            lanes.retain_mut(|lane| {
                let [from, to] = lane.spans.map(|span| self.new_id(span));
                let kept = from.zip(to);
                lane.spans = kept.map_or(lane.spans, |(from, to)| [from, to]);
                kept.is_some()
            });
        }
        link.lanes.iter().any(|lanes| !lanes.is_empty()).then_some(link)
    }

    /// A far connection between the new ids; `None` if a span is cropped.
    fn renumber(&self, far: FarConnection) -> Option<FarConnection> {
        Some(FarConnection { from: self.new_id(far.from)?, dir: far.dir, to: self.new_id(far.to)? })
    }
}

/// Removes the connections that lead out of the frame.
fn close_border(frame: &GridFrame, first: &[u32], layer: &mut AgentLayer) {
    let (columns, cells) = (frame.size_x as usize, frame.cells());
    let sides = (0..cells).step_by(columns.max(1)).flat_map(|west| [west, west + columns - 1]);
    let ends = (0..columns.min(cells)).chain(cells.saturating_sub(columns)..cells);
    for index in ends.chain(sides) {
        let cell = frame.cell(index);
        for dir in Dir::ALL.into_iter().filter(|&dir| frame.index(cell.neighbor(dir)).is_none()) {
            for span in first[index]..first[index + 1] {
                layer.standings[span as usize].set_connection(dir, ConnectionCode::NONE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::agent::Agent;
    use crate::grid::{Cell, LinkKind, LinkLane, Span, Standing, build::bare_parts};

    /// Columns of 0, 1 or 2 spans, each floor at another height; all connections exist, and a far
    /// one from every span to the next.
    fn parts(size_x: u32, size_z: u32) -> GridParts {
        let frame = GridFrame { cell_size: 0.5, min: Cell::new(-3, 4), size_x, size_z };
        let mut parts = bare_parts(frame);
        for column in 0..frame.cells() {
            for _ in 0..(column * 7 + 3) % 3 {
                let floor = parts.spans.len() as f32;
                parts.spans.push(Span::new(floor, floor + 0.5, Vector3::y()));
            }
            parts.first.push(parts.spans.len() as u32);
        }
        let mut standing = Standing::WALKABLE;
        Dir::ALL.into_iter().for_each(|dir| standing.set_connection(dir, ConnectionCode::LEVEL));
        let spans = parts.spans.len() as u32;
        let far =
            |from| FarConnection { from: SpanId(from), dir: Dir::ALL[2], to: SpanId(from + 1) };
        parts.layers.push(AgentLayer {
            agent: Agent::new("human"),
            standings: vec![standing; spans as usize],
            far_connections: (0..spans - 1).map(far).collect(),
            regions: Vec::new(),
            rooms: SpanTable::default(),
            measures: SpanTable::default(),
            order: None,
        });
        parts
    }

    #[test]
    fn cells_within_stay_as_they_are_and_connections_across_the_border_go() {
        let whole = parts(9, 7);
        for (min, size_x, size_z) in [
            ([-3, 4], 9, 7),
            ([0, 5], 0, 5),
            ([-1, 5], 5, 4),
            ([0, 4], 1, 7),
            ([-3, 10], 9, 1),
            ([2, 8], 2, 2),
        ] {
            let frame = GridFrame { min: Cell::new(min[0], min[1]), size_x, size_z, ..whole.frame };
            let mut cropped = whole.clone();
            cropped.crop(&frame);
            assert_eq!((cropped.frame, cropped.first.len()), (frame, frame.cells() + 1));
            let spans = |parts: &GridParts, cell: Cell| {
                let at = parts.frame.index(cell).expect("inside");
                parts.first[at] as usize..parts.first[at + 1] as usize
            };
            for cell in (0..frame.cells()).map(|at| frame.cell(at)) {
                let (old, new) = (spans(&whole, cell), spans(&cropped, cell));
                assert_eq!(whole.spans[old], cropped.spans[new.clone()], "{cell:?}");
                let is_whole = frame == whole.frame;
                for standing in &cropped.layers[0].standings[new] {
                    let inside = |dir: &Dir| frame.index(cell.neighbor(*dir)).is_some();
                    let kept =
                        Dir::ALL.iter().all(|dir| standing.has_connection(*dir) == inside(dir));
                    assert!(kept || is_whole, "{cell:?}");
                }
            }
            // The heights of floors show which spans a far connection joined.
            let floor = |span: SpanId| cropped.spans[span.index()].floor;
            let far = &cropped.layers[0].far_connections;
            assert!(far.iter().all(|far| floor(far.to) - floor(far.from) == 1.0));
            let joined = cropped.spans.windows(2).filter(|two| two[1].floor - two[0].floor == 1.0);
            assert_eq!(far.len(), joined.count());
        }
    }

    #[test]
    fn a_cropped_grid_is_a_grid_of_its_own() {
        let rows = "..........\n".repeat(10);
        let map = format!("type octile\nheight 10\nwidth 10\nmap\n{rows}");
        let grid = NavGrid::from_map(&map, 0.5, &[]).expect("a map");
        let part = grid.cropped([1.0, 1.0, 3.4, 2.0]).expect("a part");
        assert_eq!((part.frame().size_x, part.frame().size_z), (5, 2));
        assert_eq!(part.spans().len(), 10);
        assert_eq!(part.layers()[0].regions.len(), 1);
        assert_eq!(part.point(SpanId(0)), grid.point(SpanId(22)));
        let whole = grid.cropped([-9.0, -9.0, 99.0, 99.0]).expect("the whole");
        assert_eq!(whole.spans(), grid.spans());
        let outside = grid.cropped([20.0, 0.0, 30.0, 5.0]).expect_err("nothing");
        assert!(outside.to_string().contains("has no cell of the grid"), "{outside}");
        assert!(grid.cropped([f32::NAN, 0.0, 1.0, 1.0]).is_err());
        let huge = grid.cropped([-1e12, -1e12, 1e12, 1e12]).expect("the whole");
        assert_eq!(huge.spans(), grid.spans());
    }

    #[test]
    fn links_out_of_a_cropped_grid_are_gone() {
        let map = "type octile\nheight 1\nwidth 6\nmap\n......\n";
        let mut parts = NavGrid::from_map(map, 1.0, &[]).expect("a map").into_parts();
        let link = |name: &str, ends: [u32; 2]| {
            let lane = LinkLane::new(ends.map(SpanId));
            let points = [[0.5, 0.0, 0.5].into(), [2.5, 0.0, 0.5].into()];
            Link { lanes: vec![vec![lane]], ..Link::new(name, LinkKind::Jump, points) }
        };
        parts.links = vec![link("kept", [1, 3]), link("gone", [1, 5])];
        let agents = parts.layers.len();
        parts.links.iter_mut().for_each(|link| link.lanes.resize(agents, Vec::new()));
        let grid = NavGrid::new(parts).expect("a grid");
        let part = grid.cropped([1.0, 0.0, 4.0, 1.0]).expect("a part");
        let [kept] = part.links() else { panic!("{:?}", part.links()) };
        assert_eq!(kept.lanes[0][0].spans, [SpanId(0), SpanId(2)]);
    }
}
