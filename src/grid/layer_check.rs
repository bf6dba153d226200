//! Validation of one agent's layer: standings, connections, regions and order.
//!
//! One pass over the standings checks every connection towards greater x or z: it exists in the other
//! direction too, stays in its region and cuts no corner. Counting the connections in both directions
//! then shows that none of the others lacks its counterpart. A second pass joins what the connections
//! join, and compares the components with the regions.

use std::ops::Range;

use super::block_check::BlockCheck;
use super::connections::{ColumnPosition, Connections};
use super::finish::two_way_ends;
use super::frame::Dir;
use super::order_check::check_order;
use super::parts::{AgentLayer, FarConnection, GridError, GridParts, fail};
use super::regions::{MOST_REGIONS, join};
use super::span::AgentId;
use super::standing::{ConnectionCode, Standing};
use super::strips::{Strip, strips_of_two};
use crate::level::SpanId;

/// Checks everything about an agent's layer. O(spans).
pub(super) fn check_layer(parts: &GridParts, agent: AgentId) -> Result<(), GridError> {
    LayerCheck::new(parts, agent).run(agent)
}

/// The check of one agent's layer.
struct LayerCheck<'a> {
    parts: &'a GridParts,
    layer: &'a AgentLayer,
    connections: Connections<'a>,
    /// Checks blocks, and counts the spans seen in each region.
    blocks: BlockCheck,
    /// Connections seen towards greater x or z less those seen the other way, see
    /// [`Standing::forward_surplus`].
    surplus: i64,
    /// Far connections seen.
    far: usize,
}

/// Spans checked at once: enough to be worth it, few enough that one uneven span costs little.
const BLOCK_SPANS: usize = 16;

impl<'a> LayerCheck<'a> {
    fn new(parts: &'a GridParts, agent: AgentId) -> Self {
        let layer = &parts.layers[agent.index()];
        let connections = Connections::new(&parts.frame, &parts.first, layer);
        let blocks = BlockCheck::new(parts.nodes.len(), layer.regions.len());
        LayerCheck { parts, layer, connections, blocks, surplus: 0, far: 0 }
    }

    fn run(mut self, agent: AgentId) -> Result<(), GridError> {
        let (layer, spans) = (self.layer, self.parts.spans.len());
        if layer.standings.len() != spans {
            let problem = format!("{} standings for {spans} spans", layer.standings.len());
            return self.fail("standings", problem);
        }
        if layer.regions.len() > MOST_REGIONS {
            let problem = format!("{} of them, at most {MOST_REGIONS}", layer.regions.len());
            return self.fail("regions", problem);
        }
        self.check_far_connections()?;
        self.check_standings()?;
        if self.surplus != 0 {
            return self.one_sided_connection();
        }
        if self.far != layer.far_connections.len() {
            let listed = layer.far_connections.len();
            return self.fail("far connections", format!("{listed} listed, {} in use", self.far));
        }
        self.check_regions(agent)?;
        layer.order.as_ref().map_or(Ok(()), |order| check_order(self.parts, agent, order))
    }

    fn fail<T>(&self, place: &str, problem: impl Into<String>) -> Result<T, GridError> {
        fail(format!("agent \"{}\", {place}", self.layer.agent.name), problem)
    }

    fn check_far_connections(&self) -> Result<(), GridError> {
        let far = &self.layer.far_connections;
        let key = |far: &FarConnection| (far.from, far.dir);
        if let Some(at) = far.windows(2).position(|pair| key(&pair[0]) >= key(&pair[1])) {
            return self.fail("far connections", format!("number {} is out of order", at + 1));
        }
        let spans = self.layer.standings.len();
        if let Some(at) = far.iter().position(|f| f.from.index().max(f.to.index()) >= spans) {
            let problem = format!("number {at} names a span that does not exist");
            return self.fail("far connections", problem);
        }
        Ok(())
    }

    /// Checks all standings: in blocks where rows and columns have equally many spans, else one by
    /// one.
    ///
    /// Blocks pay for their weight. Measured on a village of 2.5 M spans for three agents, on one
    /// thread: loading takes 0.17 s, and 0.31 s if all spans are checked one by one.
    fn check_standings(&mut self) -> Result<(), GridError> {
        let first = &self.parts.first[..];
        let columns = self.parts.frame.size_x as usize;
        for row in 0..self.parts.frame.size_z as usize {
            let start = row * columns;
            let mut checked = 0;
            // The last row has no next one to agree with.
            let next = first.get(start + columns..=start + 2 * columns).unwrap_or(&[]);
            let this = &first[start..=start + columns];
            for strip in strips_of_two(&this[..this.len().min(next.len())], next) {
                if strip.columns < 3 || !(1..=BLOCK_SPANS as u32).contains(&strip.depth) {
                    continue;
                }
                // The outermost columns of a strip have neighbors outside it.
                self.check_columns(start, checked..strip.column + 1)?;
                checked = strip.column + strip.columns - 1;
                self.check_strip(start, &strip)?;
            }
            self.check_columns(start, checked..columns)?;
        }
        Ok(())
    }

    /// Checks a strip but for its first and last column, block by block.
    fn check_strip(&mut self, row: usize, strip: &Strip) -> Result<(), GridError> {
        let inner = strip.column + 1..strip.column + strip.columns - 1;
        let (depth, next) = (strip.depth as usize, row + self.parts.frame.size_x as usize);
        for start in inner.clone().step_by(BLOCK_SPANS / depth) {
            let columns = start..inner.end.min(start + BLOCK_SPANS / depth);
            // A block with the columns before and after it, in this row and in the next.
            let around = |row: usize| {
                let first = self.parts.first[row + columns.start] as usize;
                &self.layer.standings[first - depth..first + (columns.len() + 1) * depth]
            };
            match self.blocks.check(around(row), around(next), depth) {
                Some(surplus) => self.surplus += surplus,
                None => self.check_columns(row, columns)?,
            }
        }
        Ok(())
    }

    /// Checks some columns of the row that starts at a position, span by span.
    fn check_columns(&mut self, row: usize, columns: Range<usize>) -> Result<(), GridError> {
        for x in columns {
            let index = row + x;
            for span in self.parts.first[index]..self.parts.first[index + 1] {
                let position = ColumnPosition { index, x, span };
                if let Err(problem) = self.check_standing(position) {
                    return self.fail(&format!("span {span}"), problem);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn check_standing(&mut self, position: ColumnPosition) -> Result<(), String> {
        let standing = self.layer.standings[position.span as usize];
        if !standing.is_walkable() {
            return self.check_blocked(position);
        }
        let region = standing.owner();
        if !self.blocks.count(region, 1) {
            return Err(format!("its region {region} does not exist"));
        }
        self.surplus += standing.forward_surplus();
        if !self.pairs_up(position, standing) {
            for dir in Dir::FORWARD {
                if standing.has_connection(dir) {
                    self.check_connection(position, dir)?;
                }
            }
        }
        self.count_far(position)
    }

    /// Whether all connections towards greater x or z are sound, decided from the nibbles alone: the
    /// layers of a connection and its counterpart differ by opposite amounts, and so do those along
    /// both ways round a corner. False if anything is wrong or far; then [`Self::check_connection`]
    /// decides.
    #[inline]
    fn pairs_up(&self, position: ColumnPosition, standing: Standing) -> bool {
        let [east, south_east, south, south_west, west, ..] = Dir::ALL;
        let follow = |dir| self.near(position, standing, dir);
        let (Some(to_east), Some(to_south), Some(to_west)) =
            (follow(east), follow(south), follow(west))
        else {
            return false;
        };
        let corner = |diagonal: Dir, sides: [(Dir, Standing); 2]| {
            let code = standing.connection_code(diagonal);
            let [(a, by_a), (b, by_b)] = sides;
            let chain = |a, by_a: Standing, b| {
                ConnectionCode::chain(standing.connection_code(a), by_a.connection_code(b))
            };
            code == ConnectionCode::NONE
                || follow(diagonal).is_some()
                    && chain(a, by_a, b) == Some(code)
                    && chain(b, by_b, a) == Some(code)
        };
        corner(south_east, [(east, to_east), (south, to_south)])
            && corner(south_west, [(west, to_west), (south, to_south)])
    }

    /// The standing at the other end of a near connection, if it exists, is of the same region and
    /// has the counterpart; the span's own if there is no connection.
    #[inline]
    fn near(&self, position: ColumnPosition, standing: Standing, dir: Dir) -> Option<Standing> {
        let code = standing.connection_code(dir);
        if code == ConnectionCode::NONE {
            return Some(standing);
        }
        let to = self.connections.near_target(position, dir, code)?;
        let other = self.layer.standings[to as usize];
        let sound = other.is_walkable()
            && other.owner() == standing.owner()
            && other.connection_code(dir.opposite()) == code.reversed();
        sound.then_some(other)
    }

    /// Checks a connection towards greater x or z: it ends on a walkable span of the same region,
    /// which is joined to the same span in return, and it cuts no corner.
    #[cold]
    fn check_connection(&self, from: ColumnPosition, dir: Dir) -> Result<(), String> {
        let standings = &self.layer.standings;
        let wrong =
            |problem: &str| Err(format!("its connection in direction {} {problem}", dir.index()));
        let Some(to) = self.connections.target(from, dir) else {
            return wrong("leads to no span");
        };
        let (own, other) = (&standings[from.span as usize], &standings[to.span as usize]);
        if !other.is_walkable() || own.owner() != other.owner() {
            return wrong("leads out of its region");
        }
        if self.connections.target(to, dir.opposite()) != Some(from) {
            return wrong("does not come back");
        }
        if dir.is_diagonal() && !self.keeps_corner(from, to, dir) {
            return wrong("cuts a corner");
        }
        Ok(())
    }

    /// Whether both ways round the corner lead to the same span as the diagonal.
    fn keeps_corner(&self, from: ColumnPosition, to: ColumnPosition, dir: Dir) -> bool {
        let (left, right) = (dir.turned(7), dir.turned(1));
        let target = |from, dir| self.connections.target(from, dir);
        let by_way_of = |a, b| target(from, a).and_then(|mid| target(mid, b)) == Some(to);
        by_way_of(left, right) && by_way_of(right, left)
    }

    /// Counts the far nibbles, and compares each with the list.
    #[inline]
    fn count_far(&mut self, position: ColumnPosition) -> Result<(), String> {
        let standing = self.layer.standings[position.span as usize];
        if !standing.has_far_connection() {
            return Ok(());
        }
        let layer = i64::from(position.span - self.parts.first[position.index]);
        let is_far = |dir: &Dir| standing.connection_code(*dir) == ConnectionCode::FAR;
        for dir in Dir::ALL.into_iter().filter(is_far) {
            let at = dir.index();
            let Some(to) = self.connections.target(position, dir) else {
                return Err(format!("its far connection in direction {at} leads nowhere"));
            };
            let rise = i64::from(to.span - self.parts.first[to.index]) - layer;
            if ConnectionCode::new(rise) != ConnectionCode::FAR {
                return Err(format!("its connection in direction {at} is not far"));
            }
            self.far += 1;
        }
        Ok(())
    }

    fn check_blocked(&self, position: ColumnPosition) -> Result<(), String> {
        let standing = self.layer.standings[position.span as usize];
        let nodes = self.parts.nodes.len() as u32;
        if !(1..=7).contains(&standing.code()) {
            return Err(format!("its verdict {} is unknown", standing.code()));
        }
        if !standing.names_node_of(nodes) {
            return Err(format!("its obstacle or ceiling {} does not exist", standing.owner()));
        }
        if standing.has_connections() || standing.clearance_code() != 0 {
            return Err("it is not walkable, but it has connections or clearance".to_owned());
        }
        Ok(())
    }

    /// Finds the connection without a counterpart, once the counts have shown that there is one.
    #[cold]
    fn one_sided_connection(&self) -> Result<(), GridError> {
        let target = |from, dir| self.connections.target(from, dir);
        for index in 0..self.parts.frame.cells() {
            let x = index % self.parts.frame.size_x as usize;
            for span in self.parts.first[index]..self.parts.first[index + 1] {
                let from = ColumnPosition { index, x, span };
                let standing = self.layer.standings[span as usize];
                let is_one_sided = |dir: &Dir| {
                    let back = target(from, *dir).and_then(|to| target(to, dir.opposite()));
                    standing.has_connection(*dir) && back != Some(from)
                };
                if let Some(dir) = Dir::ALL.into_iter().find(is_one_sided) {
                    let at = dir.index();
                    let problem = format!("its connection in direction {at} does not come back");
                    return self.fail(&format!("span {span}"), problem);
                }
            }
        }
        self.fail("connections", "they do not pair up")
    }

    fn check_regions(&self, agent: AgentId) -> Result<(), GridError> {
        let regions = &self.layer.regions;
        for (at, (region, &size)) in regions.iter().zip(&self.blocks.sizes).enumerate() {
            let place = format!("region {at}");
            if region.spans != size || size == 0 {
                let problem = format!("it claims {} spans and has {size}", region.spans);
                return self.fail(&place, problem);
            }
            if at > 0 && regions[at - 1].spans < region.spans {
                return self.fail(&place, "it is larger than the one before it");
            }
        }
        let two_way = two_way_ends(&self.parts.links, agent);
        let region = |span: SpanId| self.layer.standings[span.index()].region();
        if let Some([from, to]) = two_way.iter().find(|[a, b]| region(*a) != region(*b)) {
            let problem = format!("spans {} and {} are linked but not in one", from.0, to.0);
            return self.fail("regions", problem);
        }
        // Connections and links stay within regions: if there are as many components as regions,
        // each region is one component.
        let components =
            join(&self.parts.frame, &self.parts.first, &two_way, self.layer).components();
        if components != regions.len() {
            let problem = format!("{} for {components} components", regions.len());
            return self.fail("regions", problem);
        }
        Ok(())
    }
}
