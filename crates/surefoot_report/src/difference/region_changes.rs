//! Provides [`RegionChanges`]: which regions fell apart, were joined, appeared and vanished.

use serde::Serialize;
use surefoot::{NavGrid, SpanId};

use super::grid_pair::AgentPair;
use super::pair_counts::{PairCount, PairCounts};
use crate::path::coordinates;

/// Smaller regions and parts of regions are only counted [m²].
const LEAST_AREA: f64 = 1.0;

/// What became of the regions of an agent: ground of which every part is reached from every other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RegionChanges {
    /// Number of regions in the old grid.
    pub before: usize,
    /// Number of regions in the new grid.
    pub after: usize,
    /// Regions of the old grid of which several of the new grid remain.
    pub split: Vec<RegionChange>,
    /// Regions of the new grid that were several.
    pub joined: Vec<RegionChange>,
    /// Regions of the new grid with nothing of a region of the old.
    pub appeared: Vec<RegionPlace>,
    /// Regions of the old grid of which nothing is left.
    pub vanished: Vec<RegionPlace>,
    /// How many such changes are of less than a square metre, and not listed.
    pub lesser: usize,
}

/// One region of one grid, and its parts in the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegionChange {
    /// The region.
    pub region: u32,
    /// Its area [m²].
    pub area_m2: f64,
    /// What the regions of the other grid have of it, the largest first; parts of less than a square
    /// metre are left out.
    pub parts: Vec<RegionPlace>,
    /// How many parts are left out.
    pub lesser: usize,
}

/// A region, or a part of one, with a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RegionPlace {
    /// The number of the region in its grid.
    pub region: u32,
    /// The area of the region, or of the part [m²].
    pub area_m2: f64,
    /// The center of its cell with the most room around it [m].
    pub at: [f32; 3],
}

impl RegionChanges {
    /// Compares the regions of an agent by the ground that both grids have. O(spans).
    pub(super) fn new(pair: &AgentPair) -> Self {
        let shared = RegionComparison::new(pair);
        let mut changes = RegionChanges {
            before: pair.old_layer().regions.len(),
            after: pair.new_layer().regions.len(),
            ..RegionChanges::default()
        };
        shared.parts_of(0, &mut changes);
        shared.parts_of(1, &mut changes);
        shared.without_parts(0, &mut changes);
        shared.without_parts(1, &mut changes);
        changes
    }

    /// Whether all regions are what they were.
    pub fn is_empty(&self) -> bool {
        self.lesser == 0
            && self.split.is_empty()
            && self.joined.is_empty()
            && self.appeared.is_empty()
            && self.vanished.is_empty()
    }

    /// Lines of text, each about one change, at most `most` of each kind.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let split = |change: &RegionChange| change.line("fell apart:", "now in");
        let joined = |change: &RegionChange| change.line("joins what was apart:", "of old");
        let appeared = |place: &RegionPlace| format!("{} is new", place.line());
        let vanished = |place: &RegionPlace| format!("{} is gone", place.line());
        let mut add = |found: Vec<String>, rest: usize, what: &str| {
            lines.extend(found);
            if rest > 0 {
                lines.push(format!("{rest} more {what}"));
            }
        };
        let rest = |count: usize| count.saturating_sub(most);
        add(
            self.split.iter().take(most).map(split).collect(),
            rest(self.split.len()),
            "fell apart",
        );
        let more = rest(self.joined.len());
        add(self.joined.iter().take(most).map(joined).collect(), more, "join what was apart");
        let more = rest(self.appeared.len());
        add(self.appeared.iter().take(most).map(appeared).collect(), more, "are new");
        let more = rest(self.vanished.len());
        add(self.vanished.iter().take(most).map(vanished).collect(), more, "are gone");
        add(Vec::new(), self.lesser, "changes of less than 1 m²");
        lines
    }
}

impl RegionChange {
    /// The region, what happened, and its parts; `joint` stands between the area and the region of each.
    fn line(&self, what: &str, joint: &str) -> String {
        let part = |part: &RegionPlace| {
            let at = coordinates(part.at);
            format!("{:.1} m² {joint} region {} at {at}", part.area_m2, part.region)
        };
        let mut parts: Vec<String> = self.parts.iter().take(MOST_PARTS).map(part).collect();
        let rest = self.parts.len().saturating_sub(MOST_PARTS) + self.lesser;
        if rest > 0 {
            parts.push(format!("{rest} more"));
        }
        let area = self.area_m2;
        format!("region {} of {area:.1} m² {what} {}", self.region, parts.join(", "))
    }
}

/// A line lists at most so many parts of a region.
const MOST_PARTS: usize = 5;

impl RegionPlace {
    fn line(&self) -> String {
        format!("region {} of {:.1} m² at {}", self.region, self.area_m2, coordinates(self.at))
    }
}

/// The ground that the regions of both grids share.
struct RegionComparison<'a> {
    pair: &'a AgentPair<'a>,
    /// Sorted by the region of the old grid.
    by_old: Vec<PairCount>,
    /// Sorted by the region of the new grid.
    by_new: Vec<PairCount>,
}

impl<'a> RegionComparison<'a> {
    fn new(pair: &'a AgentPair) -> Self {
        let mut counts = PairCounts::default();
        for [own, other] in pair.shared_ground() {
            let regions = [pair.old_standing(own), pair.new_standing(other)];
            let [Some(before), Some(after)] = regions.map(|standing| standing.region()) else {
                continue;
            };
            counts.count([before.0, after.0], [own, other], pair.clearance([own, other]));
        }
        let by_old = counts.finish();
        let mut by_new = by_old.clone();
        by_new.sort_by_key(|count| [count.pair[1], count.pair[0]]);
        RegionComparison { pair, by_old, by_new }
    }

    fn grid(&self, side: usize) -> &'a NavGrid {
        if side == 0 { self.pair.grids.old } else { self.pair.grids.new }
    }

    /// The counts, sorted by the region of a grid: of the old one (0) or of the new (1).
    fn counts(&self, side: usize) -> &[PairCount] {
        if side == 0 { &self.by_old } else { &self.by_new }
    }

    /// The areas of the regions of a grid, in spans.
    fn sizes(&self, side: usize) -> impl Iterator<Item = u32> {
        let layer = if side == 0 { self.pair.old_layer() } else { self.pair.new_layer() };
        layer.regions.iter().map(|region| region.spans)
    }

    /// Adds the regions of a grid that are several in the other.
    fn parts_of(&self, side: usize, changes: &mut RegionChanges) {
        let area = |spans: usize| self.pair.grids.area_of(spans);
        let sizes: Vec<u32> = self.sizes(side).collect();
        for parts in self.counts(side).chunk_by(|a, b| a.pair[side] == b.pair[side]) {
            if parts.len() < 2 {
                continue;
            }
            let region = parts[0].pair[side];
            let mut parts: Vec<RegionPlace> =
                parts.iter().map(|count| self.place(count, 1 - side)).collect();
            parts.sort_by(|a, b| b.area_m2.total_cmp(&a.area_m2));
            let listed = parts.iter().filter(|part| part.area_m2 >= LEAST_AREA).count();
            if listed < 2 {
                changes.lesser += 1;
                continue;
            }
            let lesser = parts.len() - listed;
            parts.truncate(listed);
            let area_m2 = area(sizes.get(region as usize).copied().unwrap_or(0) as usize);
            let list = if side == 0 { &mut changes.split } else { &mut changes.joined };
            list.push(RegionChange { region, area_m2, parts, lesser });
        }
    }

    fn place(&self, count: &PairCount, side: usize) -> RegionPlace {
        RegionPlace {
            region: count.pair[side],
            area_m2: self.pair.grids.area_of(count.spans),
            at: point(self.grid(side), count.place[side]),
        }
    }

    /// Adds the regions of a grid of which the other has nothing.
    fn without_parts(&self, side: usize, changes: &mut RegionChanges) {
        let area = |spans: u32| self.pair.grids.area_of(spans as usize);
        let mut is_known: Vec<bool> = self.sizes(side).map(|_| false).collect();
        for count in self.counts(side) {
            if let Some(known) = is_known.get_mut(count.pair[side] as usize) {
                *known = true;
            }
        }
        let sizes = (0u32..).zip(self.sizes(side));
        let alone: Vec<(u32, u32)> =
            sizes.filter(|(region, _)| !is_known[*region as usize]).collect();
        let listed = alone.iter().filter(|(_, spans)| area(*spans) >= LEAST_AREA);
        let mut places: Vec<RegionPlace> = listed
            .map(|&(region, spans)| RegionPlace { region, area_m2: area(spans), at: [0.0; 3] })
            .collect();
        changes.lesser += alone.len() - places.len();
        self.find_places(side, &mut places);
        *(if side == 0 { &mut changes.vanished } else { &mut changes.appeared }) = places;
    }

    /// Finds the roomiest place of each region; they ascend.
    fn find_places(&self, side: usize, places: &mut [RegionPlace]) {
        if places.is_empty() {
            return;
        }
        let (grid, agent) = (self.grid(side), self.pair.ids[side]);
        let mut best = vec![-1.0; places.len()];
        for span in (0..grid.spans().len() as u32).map(SpanId) {
            let Some(region) = grid.region(agent, span) else { continue };
            let Ok(at) = places.binary_search_by_key(&region.0, |place| place.region) else {
                continue;
            };
            let clearance = grid.clearance(agent, span).unwrap_or_default();
            if clearance > best[at] {
                best[at] = clearance;
                places[at].at = point(grid, span);
            }
        }
    }
}

fn point(grid: &NavGrid, span: SpanId) -> [f32; 3] {
    grid.point(span).map_or([0.0; 3], Into::into)
}
