//! Provides [`GroundDetails`]: what else differs on ground where an agent can stand in both grids.

use serde::Serialize;
use surefoot::grid::{AreaId, Dir, NodeId, SpanRoom};
use surefoot::{NavGrid, SpanId};

use super::changed_spans::MOVED;
use super::grid_pair::AgentPair;

/// On ground where the agent can stand in both grids, how many spans or steps differ otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GroundDetails {
    /// Steps between neighboring cells that lead on only in the new grid.
    pub steps_gained: usize,
    /// Steps that led on only in the old grid.
    pub steps_lost: usize,
    /// Spans whose height differs by no more than a centimetre.
    pub heights: usize,
    /// Spans with another headroom.
    pub headrooms: usize,
    /// Spans with another slope.
    pub slopes: usize,
    /// Spans whose floor belongs to a node of another name.
    pub nodes: usize,
    /// Spans that are nearer to or farther from where the agent cannot stand.
    pub clearances: usize,
    /// Spans with another room around the center of their cell.
    pub rooms: usize,
}

impl GroundDetails {
    /// Compares the ground of an agent. O(spans).
    pub(super) fn new(pair: &AgentPair) -> Self {
        let steps = StepComparison::new(pair);
        let mut details = GroundDetails::default();
        for places in pair.shared_ground() {
            details.compare(pair, places);
            steps.compare(places, &mut details);
        }
        details
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        *self == GroundDetails::default()
    }

    /// What differs, in words.
    pub(super) fn words(&self) -> String {
        let counts = [
            (self.steps_gained, "steps gained"),
            (self.steps_lost, "steps lost"),
            (self.heights, "floors up to 1 cm higher or lower"),
            (self.headrooms, "other headroom"),
            (self.slopes, "other slope"),
            (self.nodes, "ground of a node with another name"),
            (self.clearances, "nearer to or farther from where it cannot stand"),
            (self.rooms, "other room in the cell"),
        ];
        let shown = counts.iter().filter(|(count, _)| *count > 0);
        shown.map(|(count, what)| format!("{what}: {count}")).collect::<Vec<_>>().join(", ")
    }

    fn compare(&mut self, pair: &AgentPair, [old, new]: [SpanId; 2]) {
        let grids = pair.grids;
        let (before, after) = (&grids.old.spans()[old.index()], &grids.new.spans()[new.index()]);
        // Most are equal, apart from the numbers of areas and nodes.
        let bare = [before, after].map(|span| span.on(AreaId(0), NodeId::NONE));
        if bare[0] != bare[1] {
            let is_moved = (before.floor - after.floor).abs() > MOVED;
            self.heights += usize::from(before.floor != after.floor && !is_moved);
            let above = before.headroom() != after.headroom() && before.ceiling != after.ceiling;
            self.headrooms += usize::from(above);
            self.slopes += usize::from(before.gradient() != after.gradient());
        }
        self.nodes += usize::from(!grids.is_same_node(before.node(), after.node()));
        let clearance =
            [grids.old.clearance(pair.ids[0], old), grids.new.clearance(pair.ids[1], new)];
        self.clearances += usize::from(clearance[0] != clearance[1]);
        let full = &SpanRoom::FULL;
        let rooms = [
            pair.old_layer().rooms.of(old).unwrap_or(full),
            pair.new_layer().rooms.of(new).unwrap_or(full),
        ];
        self.rooms += usize::from(rooms[0] != rooms[1]);
    }
}

/// Compares where steps lead. They are stored by layers, so that equal codes lead to the same floors only
/// where the columns around have the same floors.
struct StepComparison<'a> {
    pair: &'a AgentPair<'a>,
    /// For each span of the new grid whether it has as many floors beneath it as in the old one, and all
    /// its neighbors have.
    is_even: Vec<bool>,
}

impl<'a> StepComparison<'a> {
    fn new(pair: &'a AgentPair) -> Self {
        StepComparison { pair, is_even: even_spans(pair) }
    }

    #[inline]
    fn compare(&self, [old, new]: [SpanId; 2], details: &mut GroundDetails) {
        let standings = [self.pair.old_standing(old), self.pair.new_standing(new)];
        let codes = standings.map(|standing| standing.connection_codes());
        if codes[0] == codes[1] && self.is_even[new.index()] {
            return;
        }
        let AgentPair { grids, ids } = *self.pair;
        let matching = &grids.matching;
        // The other four directions are those of the neighbors.
        for &dir in &Dir::ALL[..4] {
            let before = grids.old.neighbor(ids[0], old, dir).and_then(|to| matching.new_of(to));
            let after = grids.new.neighbor(ids[1], new, dir);
            if before == after {
                continue;
            }
            let stands_in_new = |&to: &SpanId| self.pair.new_standing(to).is_walkable();
            let stood = |&to: &SpanId| {
                matching.old_of(to).is_some_and(|to| self.pair.old_standing(to).is_walkable())
            };
            details.steps_lost += usize::from(before.as_ref().is_some_and(stands_in_new));
            details.steps_gained += usize::from(after.as_ref().is_some_and(stood));
        }
    }
}

/// For each span of the new grid whether equal connection codes lead to the same floors.
fn even_spans(pair: &AgentPair) -> Vec<bool> {
    let (old, new) = (pair.grids.old, pair.grids.new);
    let has_far = |grid: &NavGrid, agent: usize| !grid.layers()[agent].far_connections.is_empty();
    if has_far(old, pair.ids[0].index()) || has_far(new, pair.ids[1].index()) {
        return vec![false; new.spans().len()];
    }
    let uneven = uneven_columns(pair);
    let mut is_even = vec![true; new.spans().len()];
    let frame = new.frame();
    for at in (0..frame.cells()).filter(|&at| uneven[at]) {
        let cell = frame.cell(at);
        let around = Dir::ALL.iter().map(|&dir| cell.neighbor(dir));
        for cell in around.chain([cell]) {
            let spans = new.column_spans(cell);
            is_even[spans.start as usize..spans.end as usize].fill(false);
        }
    }
    is_even
}

/// For each cell of the new grid whether its floors are not just those of the old grid.
fn uneven_columns(pair: &AgentPair) -> Vec<bool> {
    let (old, new) = (pair.grids.old, pair.grids.new);
    let frame = new.frame();
    let first = &new.parts().first;
    let is_uneven = |at: usize| {
        let own = first[at]..first[at + 1];
        let all = old.column_spans(frame.cell(at));
        let is_same =
            |(new, old): (u32, u32)| pair.grids.matching.new_of(SpanId(old)) == Some(SpanId(new));
        own.len() != all.len() || !own.zip(all).all(is_same)
    };
    (0..frame.cells()).map(is_uneven).collect()
}
