//! Changes the ground of random grids, as a level changes: columns, connections and links in a window.

use std::collections::BTreeSet;

use crate::grid::baker::{finish_layer, two_way_ends};
use crate::grid::{
    AgentLayer, Cell, Connections, Dir, GridFrame, GridParts, Link, NavGrid, NodeId, Span, SpanId,
    Standing, Verdict, bare_parts,
};

use crate::tests::search::random::Random;
use crate::tests::search::random_grids::{
    AGENT, APART, Table, add_links, column, join, neighbor, pairs, write,
};

/// A grid in the making, from another one.
struct Edit<'a> {
    old: &'a GridParts,
    window: GridFrame,
    parts: GridParts,
    standings: Vec<Standing>,
    /// For each span of the old grid what it is now.
    new_of: Vec<Option<u32>>,
}

/// The grid after a change of a random window of cells: spans come, go, rise and are blocked or freed,
/// connections and links come and go.
pub(crate) fn edited(grid: &NavGrid, random: &mut Random) -> NavGrid {
    let old = grid.parts();
    let parts = GridParts { areas: old.areas.clone(), ..bare_parts(old.frame) };
    let window = window(&old.frame, random);
    let new_of = vec![None; old.spans.len()];
    let mut edit = Edit { old, window, parts, standings: Vec::new(), new_of };
    (0..old.frame.cells()).for_each(|index| edit.column(index, random));
    let table = edit.connections(random);
    let mut layer = AgentLayer {
        standings: std::mem::take(&mut edit.standings),
        far_connections: Vec::new(),
        regions: Vec::new(),
        ..old.layers[0].clone()
    };
    write(&edit.parts, &table, &mut layer);
    edit.links(&layer, random);
    let mut parts = edit.parts;
    let two_way = two_way_ends(&parts.links, AGENT);
    finish_layer(&parts.frame, &parts.first, &two_way, &mut layer).expect("few regions");
    parts.layers.push(layer);
    NavGrid::new(parts).expect("a sound grid")
}

fn window(frame: &GridFrame, random: &mut Random) -> GridFrame {
    let most = random.pick(&[2, 2, 4, 12]);
    let mut part = |size: u32| {
        let wide = 1 + random.below(size.min(most) as usize) as u32;
        (random.below((size - wide + 1) as usize) as i32, wide)
    };
    let [(x, size_x), (z, size_z)] = [part(frame.size_x), part(frame.size_z)];
    GridFrame { min: Cell::new(frame.min.x + x, frame.min.z + z), size_x, size_z, ..*frame }
}

impl Edit<'_> {
    fn is_inside(&self, index: usize) -> bool {
        self.window.index(self.parts.frame.cell(index)).is_some()
    }

    fn column(&mut self, index: usize, random: &mut Random) {
        let start = self.parts.spans.len();
        for at in column(self.old, index) {
            let standing = &self.old.layers[0].standings[at as usize];
            let mut span = self.old.spans[at as usize];
            let mut standing = Standing::new(standing.verdict());
            if self.is_inside(index) {
                if random.chance(15) {
                    continue;
                }
                if random.chance(15) {
                    span.floor += random.between(-0.1, 0.1);
                }
                let is_forbidden = self.old.areas[usize::from(span.area().0)].forbidden;
                if random.chance(20) && !is_forbidden {
                    let blocked = Standing::new(Verdict::Obstacle(NodeId::NONE));
                    standing = random.pick(&[Standing::WALKABLE, Standing::WALKABLE, blocked]);
                }
            }
            self.new_of[at as usize] = Some(self.parts.spans.len() as u32);
            self.parts.spans.push(span);
            self.standings.push(standing);
        }
        if self.is_inside(index) && random.chance(15) {
            let top = self.parts.spans[start..].last().map_or(0.0, |span| span.floor);
            let floor = top + APART + random.between(0.0, 0.5);
            self.parts.spans.push(Span::new(floor, f32::INFINITY, nalgebra::Vector3::y()));
            self.standings.push(Standing::WALKABLE);
        }
        if self.is_inside(index) {
            let column = &mut self.parts.spans[start..];
            for at in 1..column.len() {
                column[at].floor = column[at].floor.max(column[at - 1].floor + APART);
                column[at - 1].ceiling = column[at].floor - 0.1;
            }
            if let Some(top) = column.last_mut() {
                top.ceiling = f32::INFINITY;
            }
        }
        self.parts.first.push(self.parts.spans.len() as u32);
    }

    /// Whether two spans can be joined by a step.
    fn fits(&self, [from, to]: [u32; 2]) -> bool {
        let rise = self.parts.spans[to as usize].floor - self.parts.spans[from as usize].floor;
        let stands = [from, to].map(|span| self.standings[span as usize].is_walkable());
        rise.abs() <= self.old.layers[0].agent.max_climb && stands == [true; 2]
    }

    fn connections(&self, random: &mut Random) -> Table {
        let mut table = vec![[None; 8]; self.parts.spans.len()];
        let straight = [Dir::ALL[0], Dir::ALL[2]];
        self.keep_connections(&mut table, straight, random);
        for (index, dir) in pairs(&self.parts, straight) {
            let Some(beside) = neighbor(&self.parts, index, dir) else { continue };
            if !self.is_inside(index) && !self.is_inside(beside) {
                continue;
            }
            for from in column(&self.parts, index) {
                let is_free = |to: &u32| table[*to as usize][dir.opposite().index()].is_none();
                let mut found = column(&self.parts, beside).filter(is_free);
                let found = found.find(|&to| self.fits([from, to]));
                if let Some(to) = found.filter(|_| table[from as usize][dir.index()].is_none())
                    && random.chance(70)
                {
                    join(&mut table, dir, [from, to]);
                }
            }
        }
        self.add_diagonals(&mut table, random);
        table
    }

    /// Joins what was joined, but for some in the window.
    fn keep_connections(&self, table: &mut Table, dirs: [Dir; 2], random: &mut Random) {
        let known = Connections::new(&self.old.frame, &self.old.first, &self.old.layers[0]);
        for (index, dir) in pairs(self.old, dirs) {
            let drops = if self.is_inside(index) { 10 } else { 0 };
            for old in column(self.old, index) {
                let Some(to) = known.known_target(index, old, dir) else { continue };
                let ends = [old, to].map(|span| self.new_of[span as usize]);
                if let [Some(from), Some(to)] = ends
                    && self.fits([from, to])
                    && !random.chance(drops)
                {
                    join(table, dir, [from, to]);
                }
            }
        }
    }

    /// Diagonal connections where there were some, and near the window where there may be some.
    fn add_diagonals(&self, table: &mut Table, random: &mut Random) {
        let known = Connections::new(&self.old.frame, &self.old.first, &self.old.layers[0]);
        let near = self.window.grown(1);
        let mut old_of = vec![None; self.parts.spans.len()];
        for (old, new) in (0u32..).zip(&self.new_of) {
            if let Some(new) = *new {
                old_of[new as usize] = Some(old);
            }
        }
        for (index, dir) in pairs(&self.parts, [Dir::ALL[1], Dir::ALL[3]]) {
            let is_near = near.index(self.parts.frame.cell(index)).is_some();
            for from in column(&self.parts, index) {
                let by =
                    |a: Dir, b: Dir| table[table[from as usize][a.index()]? as usize][b.index()];
                let (left, right) = (dir.turned(7), dir.turned(1));
                let (one, other) = (by(left, right), by(right, left));
                let Some(to) = one.filter(|_| one == other) else { continue };
                let old = old_of[from as usize].and_then(|old| known.known_target(index, old, dir));
                let was = old.and_then(|old| self.new_of[old as usize]) == Some(to);
                if was || is_near && random.chance(80) {
                    join(table, dir, [from, to]);
                }
            }
        }
    }

    /// Keeps the links that still have lanes, but for some, and adds others.
    fn links(&mut self, layer: &AgentLayer, random: &mut Random) {
        for link in &self.old.links {
            if random.chance(5) {
                continue;
            }
            let mut link: Link = link.clone();
            if random.chance(5) {
                link.cost = random.between(0.0, 9.0);
            }
            for lanes in &mut link.lanes {
                lanes.retain_mut(|lane| {
                    let ends = lane.spans.map(|span| self.new_of[span.index()]);
                    let ends = ends
                        .map(|end| end.filter(|&end| layer.standings[end as usize].is_walkable()));
                    let [Some(from), Some(to)] = ends else { return false };
                    lane.spans = [from, to].map(SpanId);
                    true
                });
            }
            self.parts.links.push(link);
        }
        if random.chance(20) {
            add_links(&mut self.parts, layer, random);
        }
        let mut ids = BTreeSet::new();
        self.parts.links.retain(|link| ids.insert(link.id));
    }
}
