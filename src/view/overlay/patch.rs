//! What one agent may do on every span while there are obstacles.

use crate::grid::{AgentId, Cell, Connections, Dir, GridFrame, NavGrid, NodeId, Standing, Verdict};

use super::footprint::Footprint;

/// A copy of an agent's standings, in which spans that obstacles block are not walkable and have no
/// connections.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    agent: AgentId,
    standings: Vec<Standing>,
    /// For each span how many obstacles block it.
    blockers: Vec<u32>,
}

/// Whether an obstacle comes or goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum PatchChange {
    Add,
    /// It has been added before.
    Remove,
}

impl Patch {
    pub(super) fn new(grid: &NavGrid, agent: AgentId) -> Self {
        let standings = grid.layers()[agent.index()].standings.clone();
        Patch { agent, blockers: vec![0; standings.len()], standings }
    }

    pub(super) fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// Adds or removes an obstacle; returns the cells whose spans may have changed, `None` if no span
    /// changes between blocked and free.
    pub(super) fn apply(
        &mut self,
        grid: &NavGrid,
        footprint: &Footprint,
        change: PatchChange,
    ) -> Option<GridFrame> {
        let body = &grid.layers()[self.agent.index()].agent;
        let frame = grid.frame();
        let under = cells_within(frame, footprint.bounds(body.radius))?;
        let mut changed = false;
        for cell in cells_of(&under) {
            for span in grid.column_spans(cell) {
                let floor = grid.spans()[span as usize].floor;
                if footprint.touches(body, frame.center(cell), floor) {
                    let blockers = &mut self.blockers[span as usize];
                    let before = *blockers;
                    *blockers = match change {
                        PatchChange::Add => before.saturating_add(1),
                        PatchChange::Remove => before.saturating_sub(1),
                    };
                    changed |= (before == 0) != (*blockers == 0);
                }
            }
        }
        // The neighbors lose connections too, and diagonals pass between two neighbors.
        let around = under.grown(1).overlap(frame);
        if changed {
            self.update(grid, &around);
        }
        changed.then_some(around)
    }

    /// Computes the standings over some cells from those baked and from what is blocked.
    fn update(&mut self, grid: &NavGrid, cells: &GridFrame) {
        let layer = &grid.layers()[self.agent.index()];
        let baked = Connections::new(grid.frame(), &grid.parts().first, layer);
        for cell in cells_of(cells) {
            let Some(column) = grid.frame().index(cell) else { continue };
            for span in grid.column_spans(cell) {
                self.standings[span as usize] = self.standing(&baked, column, span);
            }
        }
    }

    /// The baked standing without the connections that obstacles block.
    fn standing(&self, baked: &Connections, column: usize, span: u32) -> Standing {
        let standing = baked.standings()[span as usize];
        if !standing.is_walkable() {
            return standing;
        }
        if self.is_blocked(span) {
            return Standing::new(Verdict::Obstacle(NodeId::NONE));
        }
        let blocked = |dir: Dir| {
            let target = baked.known_target(column, span, dir);
            target.is_some_and(|target| self.is_blocked(target))
        };
        let closed = |dir: &Dir| {
            let beside = dir.is_diagonal() && (blocked(dir.turned(1)) || blocked(dir.turned(7)));
            beside || blocked(*dir)
        };
        Dir::ALL.into_iter().filter(closed).fold(standing, Standing::without_connection)
    }

    fn is_blocked(&self, span: u32) -> bool {
        self.blockers[span as usize] > 0
    }
}

/// The cells of a frame over a rectangle, given its least and greatest (x, z) [m], and one more cell on
/// every side; `None` if there are no such cells.
fn cells_within(frame: &GridFrame, [low, high]: [[f32; 2]; 2]) -> Option<GridFrame> {
    let (least, greatest) = frame.bounds();
    let inside = |point: [f32; 2]| [0, 1].map(|i| point[i].clamp(least[i], greatest[i]));
    let covered = GridFrame::covering(frame.cell_size, inside(low), inside(high))?;
    let cells = covered.grown(1).overlap(frame);
    (cells.cells() > 0).then_some(cells)
}

fn cells_of(cells: &GridFrame) -> impl Iterator<Item = Cell> + use<> {
    let cells = *cells;
    (0..cells.cells()).map(move |index| cells.cell(index))
}
