//! What one agent may do on every span while obstacles are in its way.

use crate::grid::{
    AgentId, Cell, Connections, Dir, GridFrame, NavGrid, NodeId, SpanId, Standing, Verdict,
};

use super::footprint::Footprint;

/// A copy of an agent's standings, without those that obstacles forbid and the steps to them.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    standings: Vec<Standing>,
    /// For each span how many obstacles are in the forward direction.
    blockers: Vec<u32>,
}

impl Patch {
    pub(super) fn new(grid: &NavGrid, agent: AgentId) -> Self {
        let standings = grid.layers()[agent.index()].standings.clone();
        Patch { blockers: vec![0; standings.len()], standings }
    }

    pub(super) fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// Counts an obstacle in; the cells on whose spans that changed anything.
    pub(super) fn add(
        &mut self,
        grid: &NavGrid,
        agent: AgentId,
        footprint: &Footprint,
    ) -> Option<GridFrame> {
        self.count(grid, agent, (footprint, |blockers| blockers.saturating_add(1)))
    }

    /// Counts an obstacle out that was counted in; the cells on whose spans that changed anything.
    pub(super) fn remove(
        &mut self,
        grid: &NavGrid,
        agent: AgentId,
        footprint: &Footprint,
    ) -> Option<GridFrame> {
        self.count(grid, agent, (footprint, |blockers| blockers.saturating_sub(1)))
    }

    fn count(
        &mut self,
        grid: &NavGrid,
        agent: AgentId,
        (footprint, change): (&Footprint, fn(u32) -> u32),
    ) -> Option<GridFrame> {
        let body = &grid.layers()[agent.index()].agent;
        let frame = grid.frame();
        let under = cells_within(frame, footprint.bounds(body.radius))?;
        let mut changed = false;
        for cell in cells_of(&under) {
            for span in grid.column_spans(cell) {
                let floor = grid.spans()[span as usize].floor;
                if footprint.touches(body, frame.center(cell), floor) {
                    let blockers = &mut self.blockers[span as usize];
                    let before = std::mem::replace(blockers, change(*blockers));
                    changed |= (before == 0) != (*blockers == 0);
                }
            }
        }
        // Steps come from a neighbor, and diagonals pass between two.
        let around = under.grown(1).overlap(frame);
        if changed {
            self.restore(grid, agent, &around);
        }
        changed.then_some(around)
    }

    /// Works out again what may be done on the spans of some cells.
    fn restore(&mut self, grid: &NavGrid, agent: AgentId, cells: &GridFrame) {
        let layer = &grid.layers()[agent.index()];
        let steps = Connections::new(grid.frame(), &grid.parts().first, layer);
        for cell in cells_of(cells) {
            let Some(column) = grid.frame().index(cell) else { continue };
            for span in grid.column_spans(cell) {
                self.standings[span as usize] = self.standing(&steps, column, span);
            }
        }
    }

    /// What was baked, less what obstacles forbid.
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
        self.blockers[SpanId(span).index()] > 0
    }
}

/// The cells of a frame over a rectangle of places, least and greatest (x, z) [m].
fn cells_within(frame: &GridFrame, [low, high]: [[f32; 2]; 2]) -> Option<GridFrame> {
    let (least, greatest) = frame.bounds();
    let inside = |place: [f32; 2]| [0, 1].map(|i| place[i].clamp(least[i], greatest[i]));
    let covered = GridFrame::covering(frame.cell_size, inside(low), inside(high))?;
    let cells = covered.grown(1).overlap(frame);
    (cells.cells() > 0).then_some(cells)
}

fn cells_of(cells: &GridFrame) -> impl Iterator<Item = Cell> + use<> {
    let cells = *cells;
    (0..cells.cells()).map(move |index| cells.cell(index))
}
