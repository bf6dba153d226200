//! Provides [`FarRoutes`]: the borders of all tiles of a world, and the search over them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use nalgebra::Point3;

use super::border::{BorderRules, TileBorder};
use super::encode::FarError;
use super::gates::Gate;
use crate::grid::{AgentId, Cell, GridFrame, GridTile, SpanId};
use crate::search::{CostField, FieldQuery};
use crate::view::View;

/// The borders of all tiles of a world for one agent. Takes the square of a tile's gates, times 4 bytes, for
/// each tile.
#[derive(Clone, Debug)]
pub struct FarRoutes {
    ground: FarGround,
    rules: BorderRules,
    /// In the order of their least cells.
    tiles: Vec<TileBorder>,
    /// The number of each tile's first gate, and one more.
    first: Vec<u32>,
    /// For each gate the tile that it belongs to.
    tile_of: Vec<u32>,
    /// For each gate the one on the other side; [`NO_GATE`] if there is none.
    partner: Vec<u32>,
    /// For each gate the number of those that it is joined with, in either direction.
    group: Vec<u32>,
    /// The least that a metre costs between two gates, seen from above [metres-equivalent].
    least_factor: f32,
    /// By their least cells, the tiles that are not as in the file, and which version of each the costs are of.
    pub(crate) versions: BTreeMap<Cell, u64>,
}

/// Whose paths, and over what ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarGround {
    /// The agent.
    pub agent: AgentId,
    /// Side of a cell [m].
    pub cell_size: f32,
}

const NO_GATE: u32 = u32::MAX;

/// An end of a far path: the place, and the tile that it lies on.
#[derive(Clone, Copy, Debug)]
pub struct FarEnd<'a> {
    /// [m]
    pub point: Point3<f32>,
    /// The tile.
    pub tile: GridTile<'a>,
}

/// A path over tiles that need not be loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct FarPath {
    /// What it costs [metres-equivalent].
    pub cost: f32,
    /// Where it crosses the borders of tiles: on the near side and on the far side of each, in order.
    pub gates: Vec<Point3<f32>>,
    /// The indices of the gates from which a link leads to the next one. If that lies beyond the window, its
    /// link is not in a grid of the window either: whoever walks takes it by other means.
    pub links: Vec<usize>,
    /// How many gates were looked at.
    pub expanded: usize,
}

/// An end of a far path on its tile.
struct Start {
    tile: usize,
    /// What it costs from there to each gate of its tile, or from each gate to there.
    costs: Vec<f32>,
    field: CostField,
    span: SpanId,
    cell: Cell,
}

impl FarRoutes {
    /// Joins the borders of tiles, in any order, that were found by the same rules.
    pub fn new(ground: FarGround, rules: BorderRules, mut tiles: Vec<TileBorder>) -> Self {
        tiles.sort_by_key(|tile| tile.min);
        let mut first = vec![0];
        let mut tile_of = Vec::new();
        for (at, tile) in (0..).zip(&tiles) {
            tile_of.extend(std::iter::repeat_n(at, tile.gates.len()));
            first.push(tile_of.len() as u32);
        }
        let gates = || tiles.iter().flat_map(|tile| &tile.gates);
        let mut names: Vec<_> = gates().map(Gate::name).zip(0u32..).collect();
        names.sort_unstable();
        let find = |gate: &Gate| {
            let found = names.binary_search_by_key(&gate.partner(), |(name, _)| *name);
            found.map_or(NO_GATE, |at| names[at].1)
        };
        let partner = gates().map(find).collect();
        let mut routes = FarRoutes {
            ground,
            rules,
            tiles,
            first,
            tile_of,
            partner,
            group: Vec::new(),
            least_factor: 0.0,
            versions: BTreeMap::new(),
        };
        routes.group = routes.groups();
        routes.least_factor = routes.least_factor();
        routes
    }

    /// The rules that the borders were found by.
    pub fn rules(&self) -> &BorderRules {
        &self.rules
    }

    /// Whose paths, and over what ground.
    pub fn ground(&self) -> FarGround {
        self.ground
    }

    /// The border of the tile with a least cell; `None` if there is no such tile. O(log tiles).
    pub fn border(&self, min: Cell) -> Option<&TileBorder> {
        self.tile_at(min).map(|at| &self.tiles[at])
    }

    fn tile_at(&self, min: Cell) -> Option<usize> {
        self.tiles.binary_search_by_key(&min, |tile| tile.min).ok()
    }

    /// Puts borders in place of those of the same tiles; `None` for a tile that is gone. O(gates · log gates).
    pub fn replace(&mut self, tiles: BTreeMap<Cell, Option<TileBorder>>) {
        let mut all = std::mem::take(&mut self.tiles);
        all.retain(|tile| !tiles.contains_key(&tile.min));
        all.extend(tiles.into_values().flatten());
        let versions = std::mem::take(&mut self.versions);
        *self = FarRoutes { versions, ..FarRoutes::new(self.ground, self.rules, all) };
    }

    /// Calls back with each pair of gates that is joined, and what it costs to get from one to the other.
    fn for_each_step(&self, mut call: impl FnMut([u32; 2], f32)) {
        for (&first, tile) in self.first.iter().zip(&self.tiles) {
            for (from, gate) in (first..).zip(&tile.gates) {
                let partner = self.partner[from as usize];
                if partner != NO_GATE && gate.crossing < f32::INFINITY {
                    call([from, partner], gate.crossing);
                }
                let row = tile.costs.chunks(tile.gates.len()).nth((from - first) as usize);
                for (to, &cost) in (first..).zip(row.unwrap_or_default()).take(tile.gates.len()) {
                    if cost < f32::INFINITY && from != to {
                        call([from, to], cost);
                    }
                }
            }
        }
    }

    /// Returns for each gate the least number of those that it is joined with.
    fn groups(&self) -> Vec<u32> {
        let mut parents: Vec<u32> = (0..self.gates() as u32).collect();
        fn root(parents: &mut [u32], mut gate: u32) -> u32 {
            while parents[gate as usize] != gate {
                parents[gate as usize] = parents[parents[gate as usize] as usize];
                gate = parents[gate as usize];
            }
            gate
        }
        self.for_each_step(|ends, _| {
            let [one, other] = ends.map(|gate| root(&mut parents, gate));
            parents[one.max(other) as usize] = one.min(other);
        });
        (0..self.gates() as u32).map(|gate| root(&mut parents, gate)).collect()
    }

    /// Returns the least that a metre costs from gate to gate. Links may cost less than their length.
    fn least_factor(&self) -> f32 {
        let mut least = f32::INFINITY;
        self.for_each_step(|ends, cost| {
            let [from, to] = ends.map(|gate| self.gate(gate).at.cell);
            least = least.min(cost / self.metres(from, to));
        });
        if least.is_finite() { least.max(0.0) } else { 0.0 }
    }

    /// Returns the length of the shortest way over cells from one to another, by their eight neighbors [m].
    fn metres(&self, from: Cell, to: Cell) -> f32 {
        let (x, z) = (from.x.abs_diff(to.x), from.z.abs_diff(to.z));
        let (short, long) = (x.min(z) as f32, x.max(z) as f32);
        self.ground.cell_size * (long + (std::f32::consts::SQRT_2 - 1.0) * short)
    }

    /// How many gates there are.
    pub fn gates(&self) -> usize {
        self.tile_of.len()
    }

    /// How much memory they take [bytes].
    pub fn bytes(&self) -> usize {
        let of_tile = |tile: &TileBorder| size_of_val(&*tile.costs) + size_of_val(&*tile.gates);
        let of_gates = 3 * size_of_val(&*self.tile_of);
        self.tiles.iter().map(of_tile).sum::<usize>() + of_gates
    }

    /// Finds the path between two places. Their tiles are searched whole; of those between, only the costs
    /// between gates are needed. O(gates · log gates) for those that may lie on the path.
    ///
    /// # Errors
    /// An end has no ground near it that the agent can stand on, or no path leads to the goal.
    pub fn path(&self, from: FarEnd, to: FarEnd) -> Result<FarPath, FarError> {
        let start = self.end(&from, FieldQuery::from(&[]))?;
        let goal = self.end(&to, FieldQuery::to(&[]))?;
        let mut search = FarSearch::new(self, &goal);
        if start.tile == goal.tile && from.tile.own == to.tile.own {
            search.best = start.field.cost(goal.span).unwrap_or(f32::INFINITY);
        }
        if search.best == f32::INFINITY && !self.may_join(&start, &goal) {
            return Err(FarError::Unreachable);
        }
        for (gate, &cost) in (self.first[start.tile]..).zip(&start.costs) {
            search.reach(gate, cost, NO_GATE);
        }
        search.run(&goal);
        if search.best == f32::INFINITY {
            return Err(FarError::Unreachable);
        }
        Ok(search.path())
    }

    /// Whether gates that one end reaches are joined with gates that reach the other.
    fn may_join(&self, start: &Start, goal: &Start) -> bool {
        let groups = |end: &Start| -> BTreeSet<u32> {
            let of_tile = self.group[self.first[end.tile] as usize..].iter().zip(&end.costs);
            let joined = of_tile.filter(|(_, cost)| **cost < f32::INFINITY);
            joined.map(|(group, _)| *group).collect()
        };
        !groups(start).is_disjoint(&groups(goal))
    }

    /// Finds an end on the ground of its tile, and the costs between it and the tile's gates.
    fn end(&self, end: &FarEnd, query: FieldQuery) -> Result<Start, FarError> {
        let agent = self.ground.agent;
        let [x, y, z] = end.point.into();
        let fail = || FarError::NoGround(format!("({x}, {y}, {z})"));
        let GridTile { own, grid } = &end.tile;
        let tile = self.tile_at(own.min).ok_or_else(fail)?;
        let inner = match grid.frame() == own {
            true => (*grid).clone(),
            false => grid.cropped_to(own).map_err(|_| fail())?,
        };
        let view = View::new(&inner, agent).map_err(|_| fail())?;
        let radius = 2.0 * view.agent().radius;
        let (span, _) = inner.nearest_walkable(agent, end.point, radius).ok_or_else(fail)?;
        let mut field = CostField::default();
        field.fill(&view, &self.rules.model, &FieldQuery { sources: &[span], ..query });
        let cost = |gate: &Gate| {
            let span = inner.span_of(gate.at);
            span.and_then(|span| field.cost(span)).unwrap_or(f32::INFINITY)
        };
        let costs = self.tiles[tile].gates.iter().map(cost).collect();
        let cell = inner.cell_of(span).unwrap_or_default();
        Ok(Start { tile, costs, field, span, cell })
    }

    fn gate(&self, gate: u32) -> &Gate {
        let tile = self.tile_of[gate as usize] as usize;
        &self.tiles[tile].gates[(gate - self.first[tile]) as usize]
    }
}

/// A search over gates.
struct FarSearch<'a> {
    routes: &'a FarRoutes,
    goal: Cell,
    /// The least that a metre costs, on the last stretch too.
    least_factor: f32,
    costs: Vec<f32>,
    parents: Vec<u32>,
    /// By the least that a path through them can cost, as the bits of a float.
    open: BinaryHeap<Reverse<(u32, u32)>>,
    is_done: Vec<bool>,
    /// What the best path so far costs, and the gate before its goal.
    best: f32,
    last: u32,
    expanded: usize,
}

impl<'a> FarSearch<'a> {
    fn new(routes: &'a FarRoutes, goal: &Start) -> Self {
        let gates = routes.gates();
        let of_tile = routes.tiles[goal.tile].gates.iter().zip(&goal.costs);
        let factors = of_tile.map(|(gate, cost)| cost / routes.metres(gate.at.cell, goal.cell));
        FarSearch {
            routes,
            goal: goal.cell,
            least_factor: factors.fold(routes.least_factor, f32::min),
            costs: vec![f32::INFINITY; gates],
            parents: vec![NO_GATE; gates],
            open: BinaryHeap::new(),
            is_done: vec![false; gates],
            best: f32::INFINITY,
            last: NO_GATE,
            expanded: 0,
        }
    }

    fn run(&mut self, goal: &Start) {
        let routes = self.routes;
        while let Some(Reverse((least, gate))) = self.open.pop() {
            if f32::from_bits(least) >= self.best {
                return;
            }
            if std::mem::replace(&mut self.is_done[gate as usize], true) {
                continue;
            }
            self.expanded += 1;
            let cost = self.costs[gate as usize];
            let tile = routes.tile_of[gate as usize] as usize;
            let first = routes.first[tile];
            let own = (gate - first) as usize;
            if tile == goal.tile && cost + goal.costs[own] < self.best {
                (self.best, self.last) = (cost + goal.costs[own], gate);
            }
            let TileBorder { gates, costs, .. } = &routes.tiles[tile];
            self.reach(routes.partner[gate as usize], cost + gates[own].crossing, gate);
            let row = costs.chunks(gates.len()).nth(own).unwrap_or_default();
            for (next, &along) in (first..).zip(row) {
                self.reach(next, cost + along, gate);
            }
        }
    }

    /// Notes a path to a gate if it is the cheapest so far.
    fn reach(&mut self, gate: u32, cost: f32, parent: u32) {
        if gate == NO_GATE || cost >= self.costs[gate as usize] {
            return;
        }
        self.costs[gate as usize] = cost;
        self.parents[gate as usize] = parent;
        let least = cost + self.least_from(gate);
        if least < self.best {
            self.open.push(Reverse((least.to_bits(), gate)));
        }
    }

    /// Returns the least that a path from a gate to the goal can cost.
    fn least_from(&self, gate: u32) -> f32 {
        let metres = self.routes.metres(self.routes.gate(gate).at.cell, self.goal);
        metres * self.least_factor * ROUNDING
    }

    /// Returns the best path.
    fn path(&self) -> FarPath {
        let parent =
            |&gate: &u32| Some(self.parents[gate as usize]).filter(|&next| next != NO_GATE);
        let first = Some(self.last).filter(|&last| last != NO_GATE);
        let mut gates: Vec<u32> = std::iter::successors(first, parent).collect();
        gates.reverse();
        let FarRoutes { ground, partner, .. } = self.routes;
        let min = Cell::default();
        let frame = GridFrame { cell_size: ground.cell_size, min, size_x: 0, size_z: 0 };
        let point = |&gate: &u32| {
            let gate = self.routes.gate(gate);
            frame.point(gate.at.cell, gate.height)
        };
        let takes_link =
            |two: &[u32]| two[1] == partner[two[0] as usize] && self.routes.gate(two[0]).is_link;
        let steps = gates.windows(2).enumerate();
        FarPath {
            cost: self.best,
            gates: gates.iter().map(point).collect(),
            links: steps.filter(|(_, two)| takes_link(two)).map(|(at, _)| at).collect(),
            expanded: self.expanded,
        }
    }
}

/// Less than 1 by more than the sum of the costs of a path is rounded.
const ROUNDING: f32 = 0.9999;
