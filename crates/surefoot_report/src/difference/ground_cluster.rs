//! Provides [`GroundCluster`]: one place where ground was gained, lost or moved.

use serde::Serialize;
use surefoot::grid::{Cell, NodeId};
use surefoot::{NavGrid, SpanId, Verdict};

use super::cell_rectangle::CellRectangle;
use super::grid_pair::AgentPair;
use super::transition::VerdictKind;

/// What happened to some ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroundFate {
    /// It became walkable; its spans are those of the new grid.
    Gained,
    /// It ceased to be; its spans are those of the old grid.
    Lost,
    /// It is higher or lower; its spans are those of the new grid.
    Moved,
}

/// Ground in one piece that an agent gained or lost, or that moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroundCluster {
    /// Its number among the listed places of the agent, from 1 on: lost ones first, then gained ones, then
    /// those that moved. Pictures show it.
    pub number: usize,
    /// Number of spans.
    pub spans: usize,
    /// The area of their cells [m²].
    pub area_m2: f64,
    /// The center of its most central cell, on the floor [m].
    pub at: [f32; 3],
    /// The least x and z of its cells, and its lowest floor [m].
    pub min: [f32; 3],
    /// The greatest x and z of its cells, and its highest floor [m].
    pub max: [f32; 3],
    /// What most of it was in the old grid.
    pub before: VerdictKind,
    /// What most of it is in the new grid.
    pub after: VerdictKind,
    /// The node that is in the way or ceased to be, or whose floor it is.
    pub node: Option<String>,
    /// The least and the greatest rise of its floors [m]; only if it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rise: Option<[f32; 2]>,
    /// Its cells; only if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rectangles: Vec<CellRectangle>,
    /// What happened, as a phrase.
    pub words: String,
}

/// Describes the clusters of one agent and one fate.
pub(super) struct ClusterReader<'a> {
    pub pair: AgentPair<'a>,
    pub fate: GroundFate,
    /// Whether to list the cells of each cluster.
    pub rectangles: bool,
}

/// A node of the old grid (0) or of the new one (1).
type NodeOfGrid = (usize, NodeId);

impl ClusterReader<'_> {
    /// Describes ground in one piece; there is at least one span, and they ascend.
    pub fn read(&self, number: usize, spans: &[SpanId]) -> GroundCluster {
        let grid = self.grid();
        let extent = Extent::of(grid, spans);
        let [before, after] = self.usual_transition(spans);
        let node = self.usual_node(spans, [before, after]).and_then(|node| self.name(node));
        let rise = (self.fate == GroundFate::Moved).then(|| self.rise(spans));
        let words = match rise {
            Some(rise) => moved_words(rise, node.as_deref()),
            None if self.fate == GroundFate::Lost => lost_words(after, node.as_deref()),
            None => gained_words(before, node.as_deref()),
        };
        GroundCluster {
            number,
            spans: spans.len(),
            area_m2: self.pair.grids.area_of(spans.len()),
            at: extent.central(grid, spans),
            min: extent.min,
            max: extent.max,
            before,
            after,
            node,
            rise,
            rectangles: match self.rectangles {
                true => CellRectangle::cover(grid, spans),
                false => Vec::new(),
            },
            words,
        }
    }

    /// The grid that the spans are of.
    pub fn grid(&self) -> &NavGrid {
        match self.fate {
            GroundFate::Lost => self.pair.grids.old,
            GroundFate::Gained | GroundFate::Moved => self.pair.grids.new,
        }
    }

    /// What a span is in the grid where it is not walkable.
    fn other_verdict(&self, span: SpanId) -> Option<Verdict> {
        match self.fate {
            GroundFate::Lost => self.pair.verdict_in_new(span),
            GroundFate::Gained => self.pair.verdict_in_old(span),
            GroundFate::Moved => Some(Verdict::Walkable),
        }
    }

    fn transition(&self, span: SpanId) -> [VerdictKind; 2] {
        let other = self.other_verdict(span).map_or(VerdictKind::NoFloor, VerdictKind::of);
        match self.fate {
            GroundFate::Lost => [VerdictKind::Walkable, other],
            GroundFate::Gained | GroundFate::Moved => [other, VerdictKind::Walkable],
        }
    }

    /// What most of the spans were and are.
    fn usual_transition(&self, spans: &[SpanId]) -> [VerdictKind; 2] {
        let kinds: Vec<[VerdictKind; 2]> =
            spans.iter().map(|&span| self.transition(span)).collect();
        most_frequent(kinds).unwrap_or([VerdictKind::Walkable; 2])
    }

    /// The node that most of the spans of a transition have.
    fn usual_node(&self, spans: &[SpanId], of: [VerdictKind; 2]) -> Option<NodeOfGrid> {
        let spans = spans.iter().filter(|&&span| self.transition(span) == of);
        most_frequent(spans.map(|&span| self.node(span)).collect())
    }

    /// The node that is to blame for a span's verdict where it is not walkable; else that of its floor.
    fn node(&self, span: SpanId) -> NodeOfGrid {
        let grids = self.pair.grids;
        let (other, at, counterpart) = match self.fate {
            GroundFate::Lost => (grids.new, 1, grids.matching.new_of(span)),
            GroundFate::Gained | GroundFate::Moved => (grids.old, 0, grids.matching.old_of(span)),
        };
        let own = (1 - at, self.grid().spans()[span.index()].node());
        let Some(counterpart) = counterpart else { return own };
        match self.other_verdict(span) {
            Some(Verdict::Obstacle(node)) => (at, node),
            Some(Verdict::LowCeiling | Verdict::InsideSolid) => {
                (at, other.node_above(counterpart).unwrap_or(NodeId::NONE))
            }
            Some(Verdict::Walkable) | None => own,
            Some(_) => (at, other.spans()[counterpart.index()].node()),
        }
    }

    fn name(&self, (grid, node): NodeOfGrid) -> Option<String> {
        let grid = if grid == 0 { self.pair.grids.old } else { self.pair.grids.new };
        grid.nodes().get(node.0 as usize).cloned()
    }

    /// The least and the greatest rise of the floors of spans that moved.
    fn rise(&self, spans: &[SpanId]) -> [f32; 2] {
        let grids = self.pair.grids;
        let rises = spans.iter().filter_map(|&span| {
            let old = grids.matching.old_of(span)?;
            Some(grids.new.spans()[span.index()].floor - grids.old.spans()[old.index()].floor)
        });
        rises.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], rise| {
            [low.min(rise), high.max(rise)]
        })
    }
}

/// The item that occurs most often; of several the least.
fn most_frequent<T: Ord + Copy>(mut items: Vec<T>) -> Option<T> {
    items.sort_unstable();
    let mut best: Option<&[T]> = None;
    for run in items.chunk_by(|a, b| a == b) {
        if best.is_none_or(|best| run.len() > best.len()) {
            best = Some(run);
        }
    }
    best.map(|run| run[0])
}

/// Where some spans lie.
struct Extent {
    min: [f32; 3],
    max: [f32; 3],
    /// Mean of their centers [m].
    middle: [f64; 3],
}

impl Extent {
    fn of(grid: &NavGrid, spans: &[SpanId]) -> Self {
        let frame = grid.frame();
        let (mut low, mut high) = (Cell::new(i32::MAX, i32::MAX), Cell::new(i32::MIN, i32::MIN));
        let mut heights = [f32::INFINITY, f32::NEG_INFINITY];
        let mut sum = [0.0f64; 3];
        for &span in spans {
            let Some(cell) = grid.cell_of(span) else { continue };
            let y = grid.spans()[span.index()].floor;
            low = Cell::new(low.x.min(cell.x), low.z.min(cell.z));
            high = Cell::new(high.x.max(cell.x), high.z.max(cell.z));
            heights = [heights[0].min(y), heights[1].max(y)];
            let point = [cell.x.into(), f64::from(y), cell.z.into()];
            sum.iter_mut().zip(point).for_each(|(sum, part)| *sum += part);
        }
        let [x, y, z] = sum.map(|sum| sum / spans.len() as f64);
        let size = f64::from(frame.cell_size);
        let ([min, _], [_, max]) = (frame.borders(low), frame.borders(high));
        Extent {
            min: [min[0] as f32, heights[0], min[1] as f32],
            max: [max[0] as f32, heights[1], max[1] as f32],
            middle: [(x + 0.5) * size, y, (z + 0.5) * size],
        }
    }

    /// The point of the span that is nearest to the middle; of several that of the first.
    fn central(&self, grid: &NavGrid, spans: &[SpanId]) -> [f32; 3] {
        let mut best = (f64::INFINITY, [0.0; 3]);
        for point in spans.iter().filter_map(|&span| grid.point(span)) {
            let point = <[f32; 3]>::from(point);
            let off: f64 =
                (0..3).map(|axis| (f64::from(point[axis]) - self.middle[axis]).powi(2)).sum();
            if off < best.0 {
                best = (off, point);
            }
        }
        best.1
    }
}

/// A node in quotation marks.
fn quoted(node: Option<&str>) -> String {
    node.map_or("something without a name".to_owned(), |node| format!("\"{node}\""))
}

fn lost_words(after: VerdictKind, node: Option<&str>) -> String {
    let node = quoted(node);
    match after {
        VerdictKind::Obstacle => format!("{node} is in the way"),
        VerdictKind::LowCeiling => format!("{node} hangs too low over it"),
        VerdictKind::InsideSolid => format!("it lies inside {node}"),
        VerdictKind::TooSteep => format!("{node} is too steep"),
        VerdictKind::Ledge => format!("too near a ledge of {node}"),
        VerdictKind::Forbidden => format!("{node} is forbidden"),
        VerdictKind::SmallRegion => format!("cut off on {node}, and too small to keep"),
        VerdictKind::NoFloor | VerdictKind::Walkable => format!("the floor of {node} is gone"),
    }
}

fn gained_words(before: VerdictKind, node: Option<&str>) -> String {
    let node = quoted(node);
    match before {
        VerdictKind::Obstacle => format!("{node} was in the way"),
        VerdictKind::LowCeiling => format!("{node} hung too low over it"),
        VerdictKind::InsideSolid => format!("it lay inside {node}"),
        VerdictKind::TooSteep => format!("{node} was too steep"),
        VerdictKind::Ledge => format!("was too near a ledge of {node}"),
        VerdictKind::Forbidden => format!("{node} was forbidden"),
        VerdictKind::SmallRegion => format!("was cut off on {node}, and too small to keep"),
        VerdictKind::NoFloor | VerdictKind::Walkable => format!("a new floor, of {node}"),
    }
}

fn moved_words([low, high]: [f32; 2], node: Option<&str>) -> String {
    let node = quoted(node);
    let range = |low: f32, high: f32| match format!("{low:.2}") == format!("{high:.2}") {
        true => format!("{low:.2}"),
        false => format!("{low:.2} to {high:.2}"),
    };
    if low > 0.0 {
        format!("{node} is {} m higher", range(low, high))
    } else if high < 0.0 {
        format!("{node} is {} m lower", range(-high, -low))
    } else {
        format!("{node} is up to {:.2} m lower and up to {high:.2} m higher", -low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_least() {
        assert_eq!(most_frequent(vec![3, 1, 3, 1, 2]), Some(1));
        assert_eq!(most_frequent(vec![3, 1, 3]), Some(3));
        assert_eq!(most_frequent::<u32>(Vec::new()), None);
    }

    #[test]
    fn moves_are_said_in_words() {
        assert_eq!(moved_words([0.2, 0.2], Some("Deck")), "\"Deck\" is 0.20 m higher");
        assert_eq!(moved_words([-0.3, -0.1], Some("Deck")), "\"Deck\" is 0.10 to 0.30 m lower");
        let both = "something without a name is up to 0.10 m lower and up to 0.20 m higher";
        assert_eq!(moved_words([-0.1, 0.2], None), both);
    }
}
