//! Provides [`AgentDifference`]: what changed for one agent.

use std::ops::Range;

use serde::Serialize;
use surefoot::{AgentId, Cancelled, Observer, SpanId};

use super::causes::{SettingChange, body_changes};
use super::changed_spans::{ChangedSpans, GroundComparison};
use super::clustering::Clustering;
use super::grid_pair::AgentPair;
use super::ground_cluster::{ClusterReader, GroundCluster, GroundFate};
use super::ground_details::GroundDetails;
use super::options::DifferenceOptions;
use super::pair_counts::PairCounts;
use super::path_changes::{PathChanges, PathRequest};
use super::region_changes::RegionChanges;
use super::transition::{Transition, VerdictKind};
use crate::path::coordinates;

/// What changed for one agent that both grids have.
#[derive(Clone, Debug, Serialize)]
pub struct AgentDifference {
    /// Its name.
    pub agent: String,
    /// Its ids in the old grid and in the new one.
    #[serde(skip)]
    pub ids: [AgentId; 2],
    /// What differs of its body and its limits.
    pub body: Vec<SettingChange>,
    /// Where it can stand in the old grid and in the new one [m²].
    pub walkable_m2: [f64; 2],
    /// Where it can stand and could not.
    pub gained: GroundChange,
    /// Where it could stand and cannot.
    pub lost: GroundChange,
    /// Where it can stand and could, more than a centimetre higher or lower.
    pub moved: GroundChange,
    /// How much ground went from one verdict to another, the most first.
    pub transitions: Vec<Transition>,
    /// Ground where it can stand and could that is of another area.
    pub areas: Vec<AreaTransition>,
    /// What became of the regions.
    pub regions: RegionChanges,
    /// What else differs where it can stand and could.
    pub details: GroundDetails,
    /// What became of sampled paths; `None` if none were sampled, or nothing differs for the agent.
    pub paths: Option<PathChanges>,
    /// All spans that changed, for pictures.
    #[serde(skip)]
    pub changed: ChangedSpans,
}

/// Ground that was gained or lost, or that moved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GroundChange {
    /// Number of spans.
    pub spans: usize,
    /// The area of their cells [m²].
    pub area_m2: f64,
    /// Number of places: ground in one piece each.
    pub places: usize,
    /// The largest of them, from the largest down.
    pub clusters: Vec<GroundCluster>,
}

/// Ground that went from one area to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaTransition {
    /// The name of the area in the old grid.
    pub before: String,
    /// The name of the area in the new grid.
    pub after: String,
    /// Number of spans.
    pub spans: usize,
    /// The area of their cells [m²].
    pub area_m2: f64,
    /// The center of the cell with the most room around it [m].
    pub at: [f32; 3],
}

/// What the difference for an agent is made with.
#[derive(Clone, Copy)]
pub(super) struct AgentRequest<'a> {
    pub options: &'a DifferenceOptions<'a>,
    /// Whether links or areas differ, so that paths may even where the ground does not.
    pub may_reroute: bool,
    pub observer: &'a dyn Observer,
}

impl AgentDifference {
    /// Compares two grids for one agent. O(spans) and the time of the paths.
    ///
    /// # Errors
    /// The observer cancelled it.
    pub(super) fn new(pair: &AgentPair, request: &AgentRequest) -> Result<Self, Cancelled> {
        let options = request.options;
        let GroundComparison { changed, transitions } = GroundComparison::new(pair);
        let mut listed = 0usize;
        let mut ground = |fate, spans: &[SpanId]| {
            let reader = ClusterReader { pair: *pair, fate, rectangles: options.rectangles };
            let last = (listed + 1).saturating_add(options.most);
            let change = GroundChange::new(&reader, spans, listed + 1..last);
            listed += change.clusters.len();
            change
        };
        // In the order of their numbers.
        let lost = ground(GroundFate::Lost, &changed.lost);
        let gained = ground(GroundFate::Gained, &changed.gained);
        let moved = ground(GroundFate::Moved, &changed.moved);
        let walkable = |regions: &[surefoot::grid::Region]| {
            pair.grids.area_of(regions.iter().map(|region| region.spans as usize).sum())
        };
        let (old, new) = (pair.old_layer(), pair.new_layer());
        let mut difference = AgentDifference {
            agent: new.agent.name.clone(),
            ids: pair.ids,
            body: body_changes(&old.agent, &new.agent),
            walkable_m2: [walkable(&old.regions), walkable(&new.regions)],
            gained,
            lost,
            moved,
            transitions: transitions.list(pair.grids.cell_area()),
            areas: area_transitions(pair),
            regions: RegionChanges::new(pair),
            details: GroundDetails::new(pair),
            paths: None,
            changed,
        };
        if options.paths != Some(0) && (request.may_reroute || !difference.is_empty()) {
            let paths = PathRequest {
                count: options.paths,
                most: options.most,
                tolerance: options.path_tolerance.max(0.0),
                observer: request.observer,
            };
            difference.paths = Some(PathChanges::new(pair, &difference.changed, &paths)?);
        }
        Ok(difference)
    }

    /// Whether the agent finds nothing changed.
    pub fn is_empty(&self) -> bool {
        self.body.is_empty()
            && self.transitions.is_empty()
            && self.moved.spans == 0
            && self.areas.is_empty()
            && self.regions.is_empty()
            && self.details.is_empty()
            && self.paths.as_ref().is_none_or(PathChanges::is_empty)
    }

    /// Lines of text about it, with at most `most` of each kind.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        let [before, after] = self.walkable_m2;
        let name = &self.agent;
        if self.is_empty() {
            return vec![format!("agent     {name}: nothing differs, {after:.1} m² walkable")];
        }
        let mut lines = vec![format!(
            "agent     {name}: {before:.1} m² walkable before, {after:.1} after; {:.1} gained, \
             {:.1} lost",
            self.gained.area_m2, self.lost.area_m2
        )];
        lines.extend(self.body.iter().map(|body| format!("  body    {}", body.words())));
        lines.extend(self.lost.lines("lost", &self.lost_by_verdict(), most));
        lines.extend(self.gained.lines("gained", &self.gained_by_verdict(), most));
        lines.extend(self.moved.lines("moved", "", most));
        lines.extend(self.unwalkable_line());
        lines.extend(self.areas.iter().map(AreaTransition::line));
        lines.extend(self.regions.lines(most).iter().map(|line| format!("  regions {line}")));
        let paths = self.paths.iter().flat_map(|paths| paths.lines(most));
        lines.extend(paths.map(|line| format!("  paths   {line}")));
        if !self.details.is_empty() {
            lines
                .push(format!("  also    in cells where it could stand, {}", self.details.words()));
        }
        lines
    }

    /// What the lost ground is now: `2.0 m² inside a solid, 1.0 m² beside an obstacle`.
    fn lost_by_verdict(&self) -> String {
        let lost = self.transitions.iter().filter(|of| of.before == VerdictKind::Walkable);
        let words = lost.map(|of| format!("{:.1} m² {}", of.area_m2, of.after.words()));
        format!("now {}", words.collect::<Vec<_>>().join(", "))
    }

    /// What the gained ground was.
    fn gained_by_verdict(&self) -> String {
        let gained = self.transitions.iter().filter(|of| of.after == VerdictKind::Walkable);
        let words = gained.map(|of| format!("{:.1} m² {}", of.area_m2, of.before.words()));
        format!("before {}", words.collect::<Vec<_>>().join(", "))
    }

    /// How much ground is not walkable for another reason than before.
    fn unwalkable_line(&self) -> Option<String> {
        let walkable = VerdictKind::Walkable;
        let others = self.transitions.iter();
        let others = others.filter(|of| of.before != walkable && of.after != walkable);
        let area: f64 = others.map(|of| of.area_m2).sum();
        (area > 0.0).then(|| {
            format!("  also    {area:.1} m² not walkable: for another reason now, or new, or gone")
        })
    }
}

impl GroundChange {
    /// Groups spans by place and describes the largest places, as many as there are numbers.
    fn new(reader: &ClusterReader, spans: &[SpanId], numbers: Range<usize>) -> Self {
        let agent = &reader.pair.new_layer().agent;
        let clustering = Clustering::new(reader.grid(), agent, spans);
        let groups = clustering.groups();
        GroundChange {
            spans: spans.len(),
            area_m2: reader.pair.grids.area_of(spans.len()),
            places: groups.len(),
            clusters: numbers
                .zip(groups)
                .map(|(number, group)| reader.read(number, group))
                .collect(),
        }
    }

    /// A line of all of it, one of each of the largest places, and one of the rest.
    fn lines(&self, what: &str, by_verdict: &str, most: usize) -> Vec<String> {
        if self.spans == 0 {
            return Vec::new();
        }
        let places = if self.places == 1 { "place" } else { "places" };
        let by_verdict = match by_verdict {
            "" => String::new(),
            words => format!(": {words}"),
        };
        let area = self.area_m2;
        let mut lines =
            vec![format!("  {what:<8}{area:.1} m² at {} {places}{by_verdict}", self.places)];
        let shown = &self.clusters[..self.clusters.len().min(most)];
        lines.extend(shown.iter().map(GroundCluster::line));
        let rest = self.places - shown.len();
        if rest > 0 {
            let area = area - shown.iter().map(|cluster| cluster.area_m2).sum::<f64>();
            lines.push(format!("          and {rest} more, {area:.1} m² in all"));
        }
        lines
    }
}

impl GroundCluster {
    /// It in a line of text.
    fn line(&self) -> String {
        let ([x0, _, z0], [x1, _, z1]) = (self.min, self.max);
        let place =
            format!("{} (x {x0:.1} to {x1:.1}, z {z0:.1} to {z1:.1})", coordinates(self.at));
        format!("      {:>2}  {:.2} m² at {place}: {}", self.number, self.area_m2, self.words)
    }
}

impl AreaTransition {
    fn line(&self) -> String {
        let AreaTransition { before, after, area_m2, at, .. } = self;
        format!("  ground  {area_m2:.1} m² of {before} are {after} now, at {}", coordinates(*at))
    }
}

/// The ground where an agent can stand in both grids that is of areas with other names.
fn area_transitions(pair: &AgentPair) -> Vec<AreaTransition> {
    let (old, new) = (pair.grids.old, pair.grids.new);
    let mut counts = PairCounts::default();
    for [own, other] in pair.shared_ground() {
        let areas = [old.spans()[own.index()].area(), new.spans()[other.index()].area()];
        if pair.grids.new_area(areas[0]) == Some(areas[1]) {
            continue;
        }
        let clearance = pair.clearance([own, other]);
        counts.count(areas.map(|area| area.0.into()), [own, other], clearance);
    }
    let name = |side: usize, area: u32| {
        let areas = if side == 0 { old.areas() } else { new.areas() };
        areas.get(area as usize).map_or(String::new(), |area| area.name.clone())
    };
    let found = counts.finish().into_iter().map(|count| AreaTransition {
        before: name(0, count.pair[0]),
        after: name(1, count.pair[1]),
        spans: count.spans,
        area_m2: pair.grids.area_of(count.spans),
        at: new.point(count.place[1]).map_or([0.0; 3], Into::into),
    });
    let mut found: Vec<AreaTransition> = found.collect();
    found.sort_by_key(|change| std::cmp::Reverse(change.spans));
    found
}
