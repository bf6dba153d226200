//! One tile from geometry to connected floors: the stages that need the world.
//!
//! A tile works on its cells and a ring of one cell around them, so that every connection and
//! border edge of its own cells is found here. The result covers its own cells only, and is the
//! same for any tile size.

pub(super) mod apply_volumes;
mod connect_floors;
mod find_border_edges;
mod find_candidates;
mod find_floor_ends;
pub(super) mod find_floors;
mod find_passages;
mod find_rooms;
mod find_squares;
mod find_walls;
mod judge_standing;
mod open_ground;
mod small_map;
mod step_rule;
mod work;

use std::ops::Range;

use super::memory_watch::MemoryWatch;
use super::observer::{BakeObserver, Stage};
use super::plan::BakeContext;
use crate::casts::{Caster, TileCaster};
use apply_volumes::apply_volumes;
use connect_floors::{FloorConnections, PossibleSteps};
pub(super) use find_border_edges::BorderEdge;
use find_border_edges::find_border_edges;
use find_candidates::{Candidates, NO_FLOOR};
pub(super) use find_floor_ends::FloorEnd;
use find_floor_ends::FloorEnds;
use find_floors::Floors;
use find_passages::find_passages;
use find_rooms::find_rooms;
use find_squares::{Square, find_squares};
use judge_standing::{AgentFloors, judge_standing};
use step_rule::StepRule;
use surefoot::Observer;
use surefoot::grid::baker::{ConnectionCode, LEVEL_CONNECTIONS};
use surefoot::grid::{
    Cell, Dir, GridFrame, Span, SpanEntry, SpanId, SpanMeasure, SpanRoom, Standing, Verdict,
};
use work::TileWork;

/// The spans of a tile's own cells.
#[derive(Clone, Debug)]
pub(super) struct TileResult {
    /// The cells.
    pub frame: GridFrame,
    /// For each cell the number of its spans, in row-major order.
    pub counts: Vec<u32>,
    /// The spans, column by column, low to high.
    pub spans: Vec<Span>,
    /// What each agent may do, in the order of agents.
    pub agents: Vec<TileAgent>,
}

/// What one agent may do in a tile. Span ids are indices within the tile.
#[derive(Clone, Debug)]
pub(super) struct TileAgent {
    /// One for each span, with its connections in the first four directions; ledges not yet marked.
    pub standings: Vec<Standing>,
    /// Connections whose layers differ too much for a code, sorted.
    pub far: Vec<FarStep>,
    /// Where floors end, in the order of spans.
    pub border_edges: Vec<BorderEdge>,
    /// The rooms that are less than the cell, in the order of spans.
    pub rooms: Vec<SpanEntry<SpanRoom>>,
    /// What is beside the agent where it does not fit, in the order of spans.
    pub passages: Vec<SpanEntry<SpanMeasure>>,
}

/// A connection over more layers than its code in a [`Standing`] can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FarStep {
    pub from: SpanId,
    pub dir: Dir,
    /// Layer of the target.
    pub layer: u32,
}

impl TileResult {
    /// Bakes one tile, watched instead of by the observer of the whole bake.
    pub fn bake<C: Caster>(
        context: &BakeContext<C>,
        observer: &MemoryWatch,
        cells: &GridFrame,
    ) -> Self {
        let BakeContext { caster, plan, .. } = *context;
        let memory = observer.begin_tile();
        let world = caster.world();
        observer.begin(Stage::Gather);
        let frame = cells.grown(1);
        let mut caster = caster.tile(&frame, &plan.probes);
        observer.begin(Stage::Columns);
        let columns = caster.columns(&|hits| {
            memory.holds_hits(hits);
            !observer.is_cancelled()
        });
        observer.begin(Stage::Floors);
        let mut floors = Floors::find(world, &columns, frame.cells(), &plan.areas);
        drop(columns);
        memory.holds_floors(floors.floors.len());
        apply_volumes(&mut floors, &frame, &plan.volumes, &plan.areas);
        let feet = floors.feet(&frame);
        let mut work = TileWork { plan, observer, world, caster, frame, floors, feet };
        observer.begin(Stage::Standing);
        let judged = judge_standing(&mut work);
        let mut groups = Vec::new();
        let agents = judged.iter().map(|judged| {
            observer.begin(Stage::Connections);
            let ClimbGroup { candidates, squares, ends, .. } =
                climb_group(&mut groups, judged.agent, &work);
            let steps = PossibleSteps { candidates, squares };
            let connections = FloorConnections::find(&mut work, judged, &steps);
            observer.begin(Stage::BorderEdges);
            let border_edges = find_border_edges(&mut work, judged, &connections, ends);
            observer.begin(Stage::Rooms);
            let rooms = find_rooms(&mut work, judged);
            let passages = find_passages(&mut work, judged);
            let found = FoundOnFloors { connections, border_edges, rooms, passages };
            work.tile_agent(judged, &found)
        });
        let agents = agents.collect();
        let columns = || work.inner_rows().flatten().map(|cell| work.floors.column(cell));
        TileResult {
            frame: *cells,
            counts: columns().map(|column| column.len() as u32).collect(),
            spans: columns().flatten().map(|floor| work.floors.floors[floor].span).collect(),
            agents,
        }
    }
}

/// What agents with the same step rule share: it does not depend on their size.
struct ClimbGroup {
    rule: StepRule,
    candidates: Candidates,
    squares: Vec<Square>,
    ends: FloorEnds,
}

/// Returns the group of an agent, or creates it.
fn climb_group<'g, T>(
    groups: &'g mut Vec<ClimbGroup>,
    agent: usize,
    work: &TileWork<T>,
) -> &'g mut ClimbGroup {
    let rule = StepRule::of(&work.plan.agents[agent]);
    let index = groups.iter().position(|group| group.rule == rule).unwrap_or_else(|| {
        let candidates = Candidates::find(&rule, &work.frame, &work.floors);
        let squares = find_squares(&candidates, &work.floors.floors, &work.feet);
        let ends = FloorEnds::new(rule, &work.frame, work.feet.len());
        groups.push(ClimbGroup { rule, candidates, squares, ends });
        groups.len() - 1
    });
    &mut groups[index]
}

/// What was found for an agent, by the floors of a tile.
struct FoundOnFloors {
    connections: FloorConnections,
    border_edges: Vec<BorderEdge>,
    rooms: Vec<SpanEntry<SpanRoom>>,
    passages: Vec<SpanEntry<SpanMeasure>>,
}

impl<T: TileCaster> TileWork<'_, T> {
    /// Returns what was found for an agent over the tile's own cells.
    fn tile_agent(&self, judged: &AgentFloors, found: &FoundOnFloors) -> TileAgent {
        let FoundOnFloors { connections, border_edges, rooms, passages } = found;
        let mut inner = TileAgent {
            standings: Vec::with_capacity(self.feet.len()),
            far: Vec::new(),
            border_edges: Vec::with_capacity(border_edges.len()),
            rooms: Vec::with_capacity(rooms.len()),
            passages: Vec::with_capacity(passages.len()),
        };
        let mut border_edges = border_edges.iter().peekable();
        let mut rooms = rooms.iter().peekable();
        let mut passages = passages.iter().peekable();
        let (first, width) = (&self.floors.first, self.frame.size_x as usize);
        for cells in self.inner_rows() {
            let (start, end) = (first[cells.start] as usize, first[cells.end]);
            // The floors of a row are spans in the same order.
            let in_tile = |floor: u32| floor - start as u32 + inner.standings.len() as u32;
            let edge = |edge: &BorderEdge| BorderEdge { floor: in_tile(edge.floor), ..*edge };
            let edges = std::iter::from_fn(|| border_edges.next_if(|edge| edge.floor < end));
            inner.border_edges.extend(edges.map(edge));
            let own = std::iter::from_fn(|| rooms.next_if(|room| room.span.0 < end));
            let span = |floor: SpanId| SpanId(in_tile(floor.0));
            inner.rooms.extend(own.map(|room| SpanEntry { span: span(room.span), ..*room }));
            let own = std::iter::from_fn(|| passages.next_if(|passage| passage.span.0 < end));
            let passages = own.map(|own| SpanEntry { span: span(own.span), ..*own });
            inner.passages.extend(passages);
            // All neighbors of the tile's own cells are in the tile or its ring.
            let below = &first[cells.start + width - 1..cells.end + width + 1];
            let targets = &connections.to[start..end as usize];
            let standings = start..end as usize;
            let standings =
                standings.map(|floor| self.bare_standing(judged.verdicts[floor], floor));
            let mut floors = targets.iter().zip(standings);
            for (own, below) in first[cells.start..=cells.end].windows(2).zip(below.windows(3)) {
                let lowest = [own[1], below[2], below[1], below[0]];
                for (layer, (targets, standing)) in (0..own[1] - own[0]).zip(floors.by_ref()) {
                    let from = SpanId(inner.standings.len() as u32);
                    let far = |dir, layer| inner.far.push(FarStep { from, dir, layer });
                    let codes = connection_codes(targets, lowest, layer, far);
                    inner.standings.push(standing.with_forward_connections(codes));
                }
            }
        }
        inner
    }

    /// The standing on a floor, without connections.
    fn bare_standing(&self, verdict: Verdict, floor: usize) -> Standing {
        match verdict {
            Verdict::LowCeiling => Standing::under(self.floors.floors[floor].ceiling_node),
            verdict => Standing::new(verdict),
        }
    }
}

/// Encodes the connections from a layer to the floors of four neighboring columns as nibbles, given
/// the lowest floor of each; calls back with the direction and the layer of those that do not fit.
#[inline]
fn connection_codes(
    targets: &[u32; 4],
    lowest: [u32; 4],
    layer: u32,
    mut far: impl FnMut(Dir, u32),
) -> u16 {
    if *targets == lowest.map(|lowest| lowest + layer) {
        // Most floors are connected to their own layer in all directions.
        return LEVEL_CONNECTIONS as u16;
    }
    let mut codes = 0;
    for (dir, (&to, lowest)) in targets.iter().zip(lowest).enumerate() {
        if to == NO_FLOOR {
            continue;
        }
        let code = ConnectionCode::new(i64::from(to - lowest) - i64::from(layer));
        codes |= u16::from(code.0) << (4 * dir);
        if code == ConnectionCode::FAR {
            far(Dir::ALL[dir], to - lowest);
        }
    }
    codes
}

/// A row of a tile's cells.
pub(super) struct TileRow {
    /// Its first cell.
    pub cell: Cell,
    /// Indices of its cells in the tile.
    pub cells: Range<usize>,
    /// Indices of their spans in the tile.
    pub spans: Range<usize>,
}

impl TileResult {
    /// Calls back with the part of each row of cells that lies in a frame.
    pub fn for_each_row_in(&self, frame: &GridFrame, mut call: impl FnMut(TileRow)) {
        let shared = self.frame.overlap(frame);
        let width = self.frame.size_x as usize;
        let mut span = 0;
        for z in 0..self.frame.size_z {
            let row_z = self.frame.min.z + z as i32;
            let row = z as usize * width;
            let skip = (shared.min.x - self.frame.min.x) as usize;
            let cells = row + skip..row + skip + shared.size_x as usize;
            let count = |cells: Range<usize>| -> usize {
                self.counts[cells].iter().map(|&n| n as usize).sum()
            };
            let start = span + count(row..cells.start);
            let end = start + count(cells.clone());
            span = end + count(cells.end..row + width);
            let inside = row_z >= shared.min.z && row_z < shared.min.z + shared.size_z as i32;
            if inside && !cells.is_empty() {
                call(TileRow { cell: Cell::new(shared.min.x, row_z), cells, spans: start..end });
            }
        }
    }
}
