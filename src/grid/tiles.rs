//! Tiles: grids of neighboring cells become one.
//!
//! A tile has cells of its own, and the cells around them as far as connections and links of its own
//! cells lead. Where two tiles meet, both know the connections across the border; that they agree is
//! checked.

use std::collections::BTreeSet;
use std::ops::Range;

use super::parts::{AgentLayer, FarConnection, GridError, GridParts, Provenance, fail};
use super::span_table::{SpanEntry, SpanTable};
use super::standing::{ConnectionCode, Standing};
use super::{Cell, Dir, GridFrame, Link, NavGrid, NodeId, SpanId};

/// A tile of a larger grid.
#[derive(Clone, Copy, Debug)]
pub struct GridTile<'a> {
    /// The cells that are its own.
    pub own: GridFrame,
    /// A grid that has those, and the cells around them that their connections and links lead to.
    pub grid: &'a NavGrid,
}

/// Joins tiles into the parts of one grid over a frame. What lies over no tile is empty, and connections
/// and links that lead there are gone. Clearance and regions are not computed, see
/// [`finish_layer`](super::baker::finish_layer); links are in the order of tiles. O(cells + spans).
///
/// # Errors
/// The frame has more than 4 billion cells; tiles overlap, differ in agents, areas or cell size, or do not
/// fit where they meet.
pub fn merge_tiles(frame: &GridFrame, tiles: &[GridTile]) -> Result<GridParts, GridError> {
    if u32::try_from(frame.cells()).is_err() {
        return fail("frame", "it has more than 4 billion cells");
    }
    check_alike(frame, tiles)?;
    let merge = Merge::new(frame, tiles)?;
    let parts = merge.parts()?;
    merge.check_borders(&parts)?;
    Ok(parts)
}

/// Checks that tiles have the same agents and areas, cells of one size, and all cells of their own.
fn check_alike(frame: &GridFrame, tiles: &[GridTile]) -> Result<(), GridError> {
    let agents = |tile: &GridTile| -> Vec<_> {
        tile.grid.layers().iter().map(|layer| layer.agent.clone()).collect()
    };
    for (at, tile) in tiles.iter().enumerate() {
        let own = tile.own.overlap(tile.grid.frame());
        if tile.grid.frame().cell_size != frame.cell_size {
            let size = tile.grid.frame().cell_size;
            return fail(format!("tile {at}"), format!("its cells are {size} m wide"));
        }
        if own != tile.own {
            return fail(format!("tile {at}"), "its grid does not have all of its cells");
        }
        if agents(tile) != agents(&tiles[0]) || tile.grid.areas() != tiles[0].grid.areas() {
            return fail(format!("tile {at}"), "it has other agents or areas than tile 0");
        }
    }
    Ok(())
}

/// Tiles on their way into one grid.
struct Merge<'a> {
    frame: GridFrame,
    tiles: &'a [GridTile<'a>],
    /// Row by row, from left to right.
    pieces: Vec<Piece>,
    /// For each tile the tiles that have cells next to its own, and itself, in order.
    near: Vec<Vec<usize>>,
    /// Where each column starts in the grid.
    first: Vec<u32>,
    nodes: Vec<String>,
    /// For each tile what its nodes are called in the grid; `None` if they keep their numbers.
    numbers: Vec<Option<Vec<NodeId>>>,
}

/// Columns of one row that follow each other in a tile and in the grid.
struct Piece {
    tile: usize,
    /// Indices of the columns in the tile.
    columns: Range<usize>,
    /// Index of the first one in the grid.
    start: usize,
}

impl<'a> Merge<'a> {
    fn new(frame: &GridFrame, tiles: &'a [GridTile<'a>]) -> Result<Self, GridError> {
        let names = tiles.iter().flat_map(|tile| &tile.grid.parts().nodes);
        let names: BTreeSet<&String> = names.collect();
        let nodes: Vec<String> = names.into_iter().cloned().collect();
        let numbers = tiles.iter().map(|tile| {
            let own = &tile.grid.parts().nodes;
            let number =
                |name| nodes.binary_search(name).map_or(NodeId::NONE, |at| NodeId(at as u32));
            (*own != nodes).then(|| own.iter().map(number).collect())
        });
        let numbers = numbers.collect();
        let first = Vec::with_capacity(frame.cells() + 1);
        let (pieces, near) = (Vec::new(), Vec::new());
        let mut merge = Merge { frame: *frame, tiles, pieces, near, first, nodes, numbers };
        merge.cut()?;
        merge.near = (0..tiles.len()).map(|tile| merge.tiles_near(tile)).collect();
        merge.count()?;
        Ok(merge)
    }

    /// Cuts the tiles into pieces of rows.
    fn cut(&mut self) -> Result<(), GridError> {
        for (tile, GridTile { own, grid }) in self.tiles.iter().enumerate() {
            let own = own.overlap(&self.frame);
            for row in 0..if own.size_x > 0 { own.size_z } else { 0 } {
                let cell = Cell::new(own.min.x, own.min.z + row as i32);
                let at = (self.frame.index(cell), grid.frame().index(cell));
                if let (Some(start), Some(column)) = at {
                    let columns = column..column + own.size_x as usize;
                    self.pieces.push(Piece { tile, columns, start });
                }
            }
        }
        self.pieces.sort_unstable_by_key(|piece| piece.start);
        for two in self.pieces.windows(2) {
            if two[0].end() > two[1].start {
                let Cell { x, z } = self.frame.cell(two[1].start);
                let problem = format!("it has cell ({x}, {z}) as tile {} does", two[0].tile);
                return fail(format!("tile {}", two[1].tile), problem);
            }
        }
        Ok(())
    }

    /// Returns the tiles that have cells next to those of a tile, and the tile itself, in order: those with
    /// pieces in the rows of the tile and in the two beside them. O(rows · log pieces).
    fn tiles_near(&self, tile: usize) -> Vec<usize> {
        let own = self.tiles[tile].own.overlap(&self.frame);
        if own.cells() == 0 {
            return Vec::new();
        }
        let around = own.grown(1).overlap(&self.frame);
        let mut near = Vec::new();
        for row in 0..around.size_z as i32 {
            let cell = Cell::new(around.min.x, around.min.z + row);
            let Some(start) = self.frame.index(cell) else { continue };
            let end = start + around.size_x as usize;
            let first = self.pieces.partition_point(|piece| piece.end() <= start);
            let pieces = self.pieces[first..].iter().take_while(|piece| piece.start < end);
            near.extend(pieces.map(|piece| piece.tile));
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Counts the spans of all columns.
    fn count(&mut self) -> Result<(), GridError> {
        let mut total = 0u32;
        self.first.push(0);
        for piece in &self.pieces {
            self.first.resize(piece.start + 1, total);
            let starts = &self.tiles[piece.tile].grid.parts().first;
            let starts = &starts[piece.columns.start..=piece.columns.end];
            for two in starts.windows(2) {
                let Some(sum) = total.checked_add(two[1] - two[0]) else {
                    return fail("spans", "there are more than 4 billion");
                };
                total = sum;
                self.first.push(total);
            }
        }
        self.first.resize(self.frame.cells() + 1, total);
        Ok(())
    }

    fn parts(&self) -> Result<GridParts, GridError> {
        let layers = self.tiles.first().map_or(&[][..], |tile| tile.grid.layers());
        let layers = (0..layers.len()).map(|agent| self.layer(agent)).collect();
        let areas = self.tiles.first().map_or(&[][..], |tile| tile.grid.areas());
        Ok(GridParts {
            frame: self.frame,
            first: self.first.clone(),
            spans: self.array(|tile| {
                let numbers = &self.numbers[tile];
                let spans = &self.tiles[tile].grid.parts().spans;
                move |span| match numbers {
                    Some(numbers) => {
                        spans[span].on(spans[span].area(), number(numbers, spans[span].node()))
                    }
                    None => spans[span],
                }
            }),
            layers,
            links: self.links(),
            areas: areas.to_vec(),
            nodes: self.nodes.clone(),
            provenance: Provenance::default(),
        })
    }

    /// Returns an array with one record a span, given how to read that of each tile.
    fn array<T, F: Fn(usize) -> T>(&self, of_tile: impl Fn(usize) -> F) -> Vec<T> {
        let mut all = Vec::with_capacity(self.first[self.first.len() - 1] as usize);
        for piece in &self.pieces {
            let read = of_tile(piece.tile);
            all.extend(self.spans_of(piece).map(read));
        }
        all
    }

    /// Returns the spans of a piece in its tile.
    fn spans_of(&self, piece: &Piece) -> Range<usize> {
        let first = &self.tiles[piece.tile].grid.parts().first;
        first[piece.columns.start] as usize..first[piece.columns.end] as usize
    }

    /// Returns the values of all spans, given those of the spans of each tile.
    fn table<'t, T: Copy + 't>(&self, of_tile: impl Fn(usize) -> &'t SpanTable<T>) -> SpanTable<T> {
        let mut entries = Vec::new();
        for piece in &self.pieces {
            let spans = self.spans_of(piece);
            let to = |span: SpanId| SpanId(span.0 - spans.start as u32 + self.first[piece.start]);
            let own = of_tile(piece.tile).entries_in(spans.start as u32..spans.end as u32);
            entries.extend(own.map(|own| SpanEntry { span: to(own.span), ..own }));
        }
        SpanTable::new(self.first[self.first.len() - 1] as usize, &entries)
    }

    fn layer(&self, agent: usize) -> AgentLayer {
        let of = |tile: usize| &self.tiles[tile].grid.layers()[agent];
        let standings = self.array(|tile| {
            let (numbers, standings) = (&self.numbers[tile], &of(tile).standings);
            move |span| renumbered(standings[span], numbers.as_deref())
        });
        let mut far_connections = Vec::new();
        for tile in 0..self.tiles.len() {
            let far = of(tile).far_connections.iter().filter_map(|far| {
                let from = self.own_span(tile, far.from)?;
                Some(FarConnection { from, dir: far.dir, to: self.span(tile, far.to)? })
            });
            far_connections.extend(far);
        }
        far_connections.sort_unstable();
        let agent = of(0).agent.clone();
        let mut layer = AgentLayer {
            agent,
            standings,
            far_connections,
            regions: Vec::new(),
            rooms: self.table(|tile| &of(tile).rooms),
            measures: self.table(|tile| &of(tile).measures),
            order: None,
        };
        self.close_borders(&mut layer);
        layer
    }

    /// Returns the links of all tiles, with the lanes whose ends both exist.
    fn links(&self) -> Vec<Link> {
        let of_tile = |tile: usize| {
            let links = self.tiles[tile].grid.links().iter();
            links.filter_map(move |link| {
                let mut link = link.clone();
                for lanes in &mut link.lanes {
                    lanes.retain_mut(|lane| {
                        let [from, to] = lane.spans.map(|span| self.span(tile, span));
                        let spans = from.zip(to);
                        lane.spans = spans.map_or(lane.spans, |(from, to)| [from, to]);
                        spans.is_some()
                    });
                }
                link.lanes.iter().any(|lanes| !lanes.is_empty()).then_some(link)
            })
        };
        (0..self.tiles.len()).flat_map(of_tile).collect()
    }

    /// Returns what a span of a tile is called in the grid; `None` if no tile has its cell.
    fn span(&self, tile: usize, span: SpanId) -> Option<SpanId> {
        let (cell, layer) = self.place(tile, span);
        let column = self.frame.index(cell)?;
        let id = self.first[column] + layer;
        (id < self.first[column + 1]).then_some(SpanId(id))
    }

    /// Returns the same for a span over one of the tile's own cells.
    fn own_span(&self, tile: usize, span: SpanId) -> Option<SpanId> {
        let (cell, _) = self.place(tile, span);
        self.tiles[tile].own.index(cell)?;
        self.span(tile, span)
    }

    /// Returns the cell of a span of a tile, and its layer.
    fn place(&self, tile: usize, span: SpanId) -> (Cell, u32) {
        let GridParts { frame, first, .. } = self.tiles[tile].grid.parts();
        let column = first.partition_point(|&first| first <= span.0) - 1;
        (frame.cell(column), span.0 - first[column])
    }

    /// Removes the connections that lead to cells over no tile, or past one.
    fn close_borders(&self, layer: &mut AgentLayer) {
        for tile in 0..self.tiles.len() {
            self.for_each_crossing(tile, |column, dir, neighbor| {
                if neighbor.is_none() {
                    for span in self.first[column]..self.first[column + 1] {
                        layer.standings[span as usize].set_connection(dir, ConnectionCode::NONE);
                    }
                }
            });
        }
        let AgentLayer { standings, far_connections, .. } = layer;
        far_connections.retain(|far| standings[far.from.index()].has_connection(far.dir));
    }

    /// Checks that the connections across borders lead to spans, and back.
    fn check_borders(&self, parts: &GridParts) -> Result<(), GridError> {
        let mut odd = None;
        for tile in 0..self.tiles.len() {
            self.for_each_crossing(tile, |column, dir, neighbor| {
                let Some(next) = neighbor else { return };
                if odd.is_none()
                    && !parts.layers.iter().all(|layer| self.fits(layer, [column, next], dir))
                {
                    odd = Some((tile, self.frame.cell(column)));
                }
            });
        }
        let Some((tile, Cell { x, z })) = odd else { return Ok(()) };
        let problem = format!("it does not fit its neighbor at cell ({x}, {z})");
        fail(format!("tile {tile}"), problem)
    }

    /// Returns whether the connections from a column to the next in a direction lead to spans that are
    /// connected back.
    fn fits(&self, layer: &AgentLayer, [column, next]: [usize; 2], dir: Dir) -> bool {
        let spans = |column: usize| self.first[column]..self.first[column + 1];
        let count = |column: usize, dir: Dir| {
            let standings = spans(column).map(|span| &layer.standings[span as usize]);
            standings.filter(|standing| standing.has_connection(dir)).count()
        };
        let leads_back = |(low, span): (i64, u32)| {
            let code = layer.standings[span as usize].connection_code(dir);
            if code == ConnectionCode::NONE || code == ConnectionCode::FAR {
                return true;
            }
            let target = i64::from(self.first[next]) + low + code.rise();
            let range = i64::from(self.first[next])..i64::from(self.first[next + 1]);
            range.contains(&target) && {
                let back = layer.standings[target as usize].connection_code(dir.opposite());
                back == ConnectionCode::FAR || back == code.reversed()
            }
        };
        count(column, dir) == count(next, dir.opposite())
            && (0..).zip(spans(column)).all(leads_back)
    }

    /// Calls back for each step from a cell at the border of a tile to one outside of it: with the column,
    /// the direction, and the column that it leads to if tiles have that and those that it passes between.
    fn for_each_crossing(&self, tile: usize, mut call: impl FnMut(usize, Dir, Option<usize>)) {
        let own = self.tiles[tile].own.overlap(&self.frame);
        if own.cells() == 0 {
            return;
        }
        let near = self.near[tile].iter().map(|&other| &self.tiles[other].own);
        let near: Vec<&GridFrame> = near.collect();
        for cell in border(&own) {
            let Some(column) = self.frame.index(cell) else { continue };
            for dir in Dir::ALL {
                let next = cell.neighbor(dir);
                if own.index(next).is_some() {
                    continue;
                }
                let is_covered = |cell: Cell| near.iter().any(|other| other.index(cell).is_some());
                // A diagonal passes between two cells, over which there has to be ground, too.
                let beside = [1, 7].map(|turn| cell.neighbor(dir.turned(turn)));
                let is_open =
                    is_covered(next) && (!dir.is_diagonal() || beside.into_iter().all(is_covered));
                call(column, dir, self.frame.index(next).filter(|_| is_open));
            }
        }
    }
}

impl Piece {
    /// Returns the index behind its last column in the grid.
    fn end(&self) -> usize {
        self.start + self.columns.len()
    }
}

/// Returns the cells of a frame that have neighbors outside of it.
fn border(frame: &GridFrame) -> impl Iterator<Item = Cell> {
    let (width, height) = (frame.size_x as i32, frame.size_z as i32);
    let min = frame.min;
    let rows = (0..width).flat_map(move |x| [(x, 0), (x, height - 1)]);
    let sides = (1..height - 1).flat_map(move |z| [(0, z), (width - 1, z)]);
    rows.chain(sides).map(move |(x, z)| Cell::new(min.x + x, min.z + z))
}

/// Returns what a node is called among other names.
fn number(numbers: &[NodeId], node: NodeId) -> NodeId {
    numbers.get(node.0 as usize).copied().unwrap_or(node)
}

/// Returns a standing with the new number of the node that it names.
fn renumbered(standing: Standing, numbers: Option<&[NodeId]>) -> Standing {
    match numbers {
        Some(numbers) => standing.renumbered(|node| number(numbers, node)),
        None => standing,
    }
}
