//! One tile from geometry to joined floors: all that needs the world.
//!
//! A tile works on its cells and a ring of one cell round them, so that every join and rim of its
//! own cells is found here. What leaves a tile speaks of its own cells only, and is the same for
//! any tile size.

use nalgebra::Point3;

use super::ends::Ends;
use super::floors::Floors;
use super::joins::Joins;
use super::observer::{Observer, Stage};
use super::partners::{NONE, Partners};
use super::rims::{self, Rim};
use super::rule::Rule;
use super::settings::Plan;
use super::standing::{self, AgentFloors};
use crate::casts::{Caster, TileCaster, World};
use surefoot::grid::baker::{ConnectionCode, LEVEL_CONNECTIONS, row_major_offsets};
use surefoot::grid::{Area, Cell, Dir, GridFrame, Span, Standing};

/// A tile being worked on.
pub(super) struct TileWork<'a, T> {
    pub plan: &'a Plan,
    pub world: &'a World,
    pub caster: T,
    /// The tile's cells and the ring round them.
    pub frame: GridFrame,
    pub floors: Floors,
    /// For each floor where feet stand: over the middle of its cell.
    pub feet: Vec<Point3<f32>>,
}

/// What a tile found over its own cells.
pub(super) struct TileResult {
    /// The cells.
    pub frame: GridFrame,
    /// For each cell the number of its spans, in row-major order.
    pub counts: Vec<u32>,
    /// Its spans, column by column, low to high.
    pub spans: Vec<Span>,
    /// What each agent may do, in the order of agents.
    pub agents: Vec<TileAgent>,
}

/// What one agent may do in a tile. Spans are counted within the tile.
pub(super) struct TileAgent {
    /// One for each span, with the steps in the first four directions; ledges not yet marked.
    pub standings: Vec<Standing>,
    /// Connections whose layers differ too much: span, direction, layer of the target.
    pub far: Vec<(u32, Dir, u32)>,
    /// Where floors end, in the order of spans.
    pub rims: Vec<Rim>,
}

impl TileResult {
    /// Bakes one tile.
    pub fn bake<C: Caster>(
        (world, caster): (&World, &C),
        plan: &Plan,
        (cells, areas): (&GridFrame, &[Area]),
        observer: &dyn Observer,
    ) -> Self {
        observer.begin(Stage::Gather);
        let frame = cells.grown(1);
        let mut caster = caster.tile(&frame, &plan.probes);
        observer.begin(Stage::Columns);
        let columns = caster.columns();
        observer.begin(Stage::Floors);
        let floors = Floors::find(world, &columns, frame.cells(), areas);
        drop(columns);
        let feet = floors.feet(&frame);
        let mut work = TileWork { plan, world, caster, frame, floors, feet };
        observer.begin(Stage::Standing);
        let judged = standing::judge_all(&mut work);
        let mut known = Vec::new();
        let agents = judged.iter().enumerate().map(|(agent, judged)| {
            observer.begin(Stage::Joins);
            let Alike { rule, partners, ends } = alike(&mut known, agent, &work);
            let joins = Joins::find(&mut work, (agent, judged), (rule, partners));
            observer.begin(Stage::Rims);
            let rims = rims::find(&mut work, agent, (judged, &joins), ends);
            work.own(judged, &joins, &rims)
        });
        let agents = agents.collect();
        let columns = || work.own_cells().map(|cell| work.floors.column(cell));
        TileResult {
            frame: *cells,
            counts: columns().map(|column| column.len() as u32).collect(),
            spans: columns().flatten().map(|floor| work.floors.floors[floor].span).collect(),
            agents,
        }
    }
}

/// What agents that climb alike share.
struct Alike {
    rule: Rule,
    partners: Partners,
    ends: Ends,
}

/// What an agent shares with those before it that climb alike.
fn alike<'k, T>(known: &'k mut Vec<Alike>, agent: usize, work: &TileWork<T>) -> &'k mut Alike {
    let rule = Rule::of(&work.plan.agents[agent]);
    let index = known.iter().position(|alike| alike.rule == rule).unwrap_or_else(|| {
        let partners = Partners::find(&rule, &work.frame, &work.floors);
        known.push(Alike { rule, partners, ends: Ends::new(rule, work.feet.len()) });
        known.len() - 1
    });
    &mut known[index]
}

impl<T: TileCaster> TileWork<'_, T> {
    /// The neighboring cell, if it is in the tile or its ring.
    pub fn neighbor(&self, cell: usize, dir: Dir) -> Option<usize> {
        self.frame.index(self.frame.cell(cell).neighbor(dir))
    }

    /// The tile's cells without the ring, by index in the frame.
    pub fn own_cells(&self) -> impl Iterator<Item = usize> + use<T> {
        let (width, height) = (self.frame.size_x as usize, self.frame.size_z as usize);
        (1..height - 1).flat_map(move |z| (1..width - 1).map(move |x| z * width + x))
    }

    /// What of an agent's findings concerns the tile's own cells.
    fn own(&self, judged: &AgentFloors, joins: &Joins, rims: &[Rim]) -> TileAgent {
        let mut own = TileAgent {
            standings: Vec::with_capacity(self.feet.len()),
            far: Vec::new(),
            rims: Vec::with_capacity(rims.len()),
        };
        let offsets = row_major_offsets(&self.frame);
        let mut rims = rims.iter().peekable();
        for cell in self.own_cells() {
            // Round the tile's own cells all neighbors are in its ring.
            let lowest = [0, 1, 2, 3].map(|dir| {
                let next = cell.wrapping_add_signed(offsets[dir]);
                self.floors.first[next]
            });
            for (layer, floor) in (0..).zip(self.floors.column(cell)) {
                let span = own.standings.len() as u32;
                let far = |dir, layer| own.far.push((span, dir, layer));
                let steps = connection_codes(&joins.to[floor], (lowest, layer), far);
                let standing = Standing::new(judged.verdicts[floor]);
                own.standings.push(standing.with_forward_connections(steps));
                while let Some(rim) = rims.next_if(|rim| rim.floor as usize == floor) {
                    own.rims.push(Rim { floor: span, ..*rim });
                }
            }
        }
        own
    }
}

/// The steps from a layer to the floors of four neighboring columns, as nibbles, given the lowest
/// floor of each; calls back with the direction and the layer of those that no nibble can say.
#[inline]
fn connection_codes(
    targets: &[u32; 4],
    (lowest, layer): ([u32; 4], u32),
    mut far: impl FnMut(Dir, u32),
) -> u16 {
    if *targets == lowest.map(|lowest| lowest + layer) {
        // Most floors are joined to their own layer all round.
        return LEVEL_CONNECTIONS as u16;
    }
    let mut steps = 0;
    for (dir, (&to, lowest)) in targets.iter().zip(lowest).enumerate() {
        if to == NONE {
            continue;
        }
        let code = ConnectionCode::new(i64::from(to - lowest) - i64::from(layer));
        steps |= u16::from(code.0) << (4 * dir);
        if code == ConnectionCode::FAR {
            far(Dir::ALL[dir], to - lowest);
        }
    }
    steps
}

impl TileResult {
    /// Calls back with each row of cells that lies in a frame: the row's least cell, the positions
    /// of its first and last cell in the tile, and of its first and last span.
    pub fn rows_in(
        &self,
        frame: &GridFrame,
        mut call: impl FnMut(Cell, std::ops::Range<usize>, std::ops::Range<usize>),
    ) {
        let shared = self.frame.overlap(frame);
        let width = self.frame.size_x as usize;
        let mut span = 0;
        for z in 0..self.frame.size_z {
            let row_z = self.frame.min.z + z as i32;
            let row = z as usize * width;
            let skip = (shared.min.x - self.frame.min.x) as usize;
            let cells = row + skip..row + skip + shared.size_x as usize;
            let count = |cells: std::ops::Range<usize>| -> usize {
                self.counts[cells].iter().map(|&n| n as usize).sum()
            };
            let start = span + count(row..cells.start);
            let end = start + count(cells.clone());
            span = end + count(cells.end..row + width);
            let inside = row_z >= shared.min.z && row_z < shared.min.z + shared.size_z as i32;
            if inside && !cells.is_empty() {
                call(Cell::new(shared.min.x, row_z), cells, start..end);
            }
        }
    }
}
