//! Provides [`PathChanges`]: which of some sampled paths got longer or impossible.

use nalgebra::Point3;
use serde::Serialize;
use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, NavGrid, Navigator, Observer, Query, SpanId};

use super::changed_spans::ChangedSpans;
use super::grid_pair::AgentPair;
use super::path_sample::PathSample;
use crate::explanations::Explanations;
use crate::path::coordinates;

/// A path counts as longer or shorter only if its cost changed by more than this many cells, too: a path of two
/// steps may well become one of three.
const CELLS: f32 = 4.0;

/// So many paths are sampled if nobody says how many...
const USUAL_PATHS: usize = 200;
/// ...as long as searches for them expand no more spans than this, which takes a second or two.
const MOST_EXPANDED: u64 = 10_000_000;
/// So many paths of each kind are lines of text.
const SHOWN: usize = 3;

/// The observer counts so many parts of the work.
const PARTS: usize = 1000;

/// What became of some paths.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PathChanges {
    /// Number of pairs of places that a path was looked for between.
    pub sampled: usize,
    /// Pairs that are joined in neither grid.
    pub never: usize,
    /// Paths whose costs differ by no more than the tolerance.
    pub alike: usize,
    /// Paths that only the old grid has, the most expensive ones first.
    pub impossible: PathList,
    /// Paths that only the new grid has, the cheapest ones first.
    pub possible: PathList,
    /// Paths whose cost grew by more than the tolerance, those that grew by the greatest factor first.
    pub longer: PathList,
    /// Paths whose cost fell by more than the tolerance, those that fell by the greatest factor first.
    pub shorter: PathList,
}

/// How many paths, and the worst of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PathList {
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub paths: Vec<PathChange>,
}

/// A path that is not what it was. Lengths are in metres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathChange {
    /// Where it starts.
    pub from: [f32; 3],
    /// Where it ends.
    pub to: [f32; 3],
    /// It in the old grid; `None` if there was none.
    pub before: Option<PathFigures>,
    /// It in the new grid; `None` if there is none.
    pub after: Option<PathFigures>,
    /// What is in the way, or was; `None` if there are both paths, or that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A path in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PathFigures {
    /// Its cost [m of plain ground].
    pub cost: f32,
    /// Its length [m].
    pub length: f32,
}

/// What became of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathFate {
    Never,
    Alike,
    Impossible,
    Possible,
    Longer,
    Shorter,
}

/// How paths are to be sampled.
pub(super) struct PathRequest<'a> {
    /// How many; `None` for [`USUAL_PATHS`], or fewer if they exceed [`MOST_EXPANDED`].
    pub count: Option<usize>,
    /// At most so many are listed of each kind.
    pub most: usize,
    /// Costs that differ by no more than this share of the smaller one count as alike [>= 0].
    pub tolerance: f32,
    pub observer: &'a dyn Observer,
}

impl PathChanges {
    /// Looks for sampled paths in both grids.
    ///
    /// # Errors
    /// The observer cancelled it.
    pub(super) fn new(
        pair: &AgentPair,
        changed: &ChangedSpans,
        request: &PathRequest,
    ) -> Result<Self, Cancelled> {
        let count = request.count.unwrap_or(USUAL_PATHS);
        let sample = PathSample::new(pair, changed);
        let Some(mut paths) = PathComparison::new(pair) else { return Ok(PathChanges::default()) };
        let mut changes = PathChanges::default();
        for ends in (0..count as u64).map_while(|number| sample.path(number)) {
            check_cancelled(request.observer)?;
            if request.count.is_none() && paths.expanded > MOST_EXPANDED {
                break;
            }
            let change = paths.compare(ends);
            let fate = change.fate(pair.grids.new.frame().cell_size, request.tolerance);
            changes.add(change, fate);
            changes.sampled += 1;
            request.observer.parts_done(paths.progress(&changes, request), PARTS);
        }
        changes.shorten(request.most);
        paths.explain(&mut changes, request.observer)?;
        Ok(changes)
    }

    /// Whether all paths are about what they were.
    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|list| list.count == 0)
    }

    fn lists(&self) -> [&PathList; 4] {
        [&self.impossible, &self.possible, &self.longer, &self.shorter]
    }

    fn add(&mut self, change: PathChange, fate: PathFate) {
        let list = match fate {
            PathFate::Never => {
                self.never += 1;
                return;
            }
            PathFate::Alike => {
                self.alike += 1;
                return;
            }
            PathFate::Impossible => &mut self.impossible,
            PathFate::Possible => &mut self.possible,
            PathFate::Longer => &mut self.longer,
            PathFate::Shorter => &mut self.shorter,
        };
        list.count += 1;
        list.paths.push(change);
    }

    /// Sorts all lists, the worst first, and keeps so many of each.
    fn shorten(&mut self, most: usize) {
        let cost = |figures: &Option<PathFigures>| figures.map_or(0.0, |figures| figures.cost);
        let by = |list: &mut PathList, key: &dyn Fn(&PathChange) -> f32| {
            list.paths.sort_by(|a, b| key(b).total_cmp(&key(a)));
            list.paths.truncate(most);
        };
        by(&mut self.impossible, &|change| cost(&change.before));
        by(&mut self.possible, &|change| -cost(&change.after));
        by(&mut self.longer, &|change| cost(&change.after) / cost(&change.before));
        by(&mut self.shorter, &|change| cost(&change.before) / cost(&change.after));
    }

    /// Lines of text: a count of each kind, and the first paths of it.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        if self.sampled == 0 {
            return Vec::new();
        }
        let names = ["impossible now", "possible now", "longer", "shorter"];
        let counts = names.iter().zip(self.lists()).filter(|(_, list)| list.count > 0);
        let counts = counts.map(|(name, list)| format!("{} {name}", list.count));
        let rest = (self.never > 0).then(|| format!("{} in neither grid", self.never));
        let counts = counts.chain([format!("{} about as before", self.alike)]).chain(rest);
        let mut lines =
            vec![format!("of {} sampled: {}", self.sampled, counts.collect::<Vec<_>>().join(", "))];
        for (name, list) in names.iter().zip(self.lists()) {
            let shown = list.paths.iter().take(most.min(SHOWN));
            lines.extend(shown.map(|change| format!("{name}: {}", change.line())));
            let rest = list.count.saturating_sub(SHOWN);
            if rest > 0 && most > 0 {
                lines.push(format!("{name}: {rest} more; --json lists the first {}", most));
            }
        }
        lines
    }
}

impl PathChange {
    fn fate(&self, cell_size: f32, tolerance: f32) -> PathFate {
        let (before, after) = match (self.before, self.after) {
            (None, None) => return PathFate::Never,
            (Some(_), None) => return PathFate::Impossible,
            (None, Some(_)) => return PathFate::Possible,
            (Some(before), Some(after)) => (before.cost, after.cost),
        };
        let is_more = |less: f32, more: f32| more > (1.0 + tolerance) * less + CELLS * cell_size;
        match (is_more(before, after), is_more(after, before)) {
            (true, _) => PathFate::Longer,
            (_, true) => PathFate::Shorter,
            _ => PathFate::Alike,
        }
    }

    fn line(&self) -> String {
        let numbers = match (self.before, self.after) {
            (Some(before), Some(after)) => format!(
                "cost {:.2} instead of {:.2}, {:.2} m instead of {:.2}",
                after.cost, before.cost, after.length, before.length
            ),
            (Some(before), None) => format!("was {:.2} m", before.length),
            (None, Some(after)) => format!("{:.2} m", after.length),
            (None, None) => String::new(),
        };
        let why = self.why.as_ref().map_or(String::new(), |why| match self.before {
            Some(_) => format!("; {why}"),
            None => format!("; before, {why}"),
        });
        format!("--from {} --to {}: {numbers}{why}", coordinates(self.from), coordinates(self.to))
    }
}

/// Finds paths in both grids.
struct PathComparison<'a> {
    grids: [&'a NavGrid; 2],
    navigators: [Navigator; 2],
    /// How many spans all searches expanded.
    expanded: u64,
}

impl<'a> PathComparison<'a> {
    /// `None` if an agent is not there. Routes are prepared if both grids were baked for them.
    fn new(pair: &AgentPair<'a>) -> Option<Self> {
        let grids = [pair.grids.old, pair.grids.new];
        let navigator = |side: usize| Navigator::new(grids[side].clone(), pair.ids[side]).ok();
        let mut navigators = [navigator(0)?, navigator(1)?];
        if (0..2).all(|side| grids[side].order(pair.ids[side]).is_some()) {
            // Where that fails, searches find the same.
            for navigator in &mut navigators {
                navigator.prepare().ok();
            }
        }
        Some(PathComparison { grids, navigators, expanded: 0 })
    }

    /// Looks for the path between two places.
    fn compare(&mut self, ends: [[SpanId; 2]; 2]) -> PathChange {
        let point = |side: usize, end: usize| {
            self.grids[side].point(ends[end][side]).unwrap_or_else(Point3::origin)
        };
        let points = [0, 1].map(|side| [0, 1].map(|end| point(side, end)));
        let mut figures = |side: usize| {
            let [from, to] = points[side];
            let answer = self.navigators[side].find(&Query::new(from, to));
            self.expanded += u64::from(answer.expanded);
            let path = answer.path().ok()?;
            Some(PathFigures { cost: path.cost(), length: path.length() })
        };
        let (before, after) = (figures(0), figures(1));
        let [from, to] = points[1].map(Into::into);
        PathChange { from, to, before, after, why: None }
    }

    /// How much of the work is done, by the limit that comes first [0..=PARTS].
    fn progress(&self, changes: &PathChanges, request: &PathRequest) -> usize {
        let expanded = PARTS as u64 * self.expanded / MOST_EXPANDED;
        match request.count {
            Some(count) => PARTS * changes.sampled / count.max(1),
            None => (expanded as usize).max(PARTS * changes.sampled / USUAL_PATHS).min(PARTS),
        }
    }

    /// Adds what is in the way of paths that are listed and that one of the grids does not have.
    fn explain(&self, changes: &mut PathChanges, observer: &dyn Observer) -> Result<(), Cancelled> {
        let lists = [(0, &mut changes.possible), (1, &mut changes.impossible)];
        for (side, list) in lists {
            let mut known = Explanations::default();
            for change in &mut list.paths {
                check_cancelled(observer)?;
                let query = Query::new(change.from, change.to);
                change.why = known.why_not(&self.navigators[side], &query);
            }
        }
        Ok(())
    }
}
