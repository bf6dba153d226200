//! From a corridor to a path: straightens each part between links, and lays the legs out.

use super::corridor::Corridor;
use super::cost::CostModel;
use super::ends::Footing;
use super::leg::Legs;
use super::path::Path;
use super::straighten::Strand;

/// A corridor between the places where a way really starts and ends.
pub(crate) struct Way<'a, M: ?Sized> {
    pub legs: Legs<'a, M>,
    pub corridor: &'a Corridor,
    pub ends: [Footing; 2],
}

impl<M: CostModel + ?Sized> Way<'_, M> {
    /// Lays the straightened way into an empty path.
    pub(crate) fn lay(&self, strand: &mut Strand, path: &mut Path) {
        let spans = self.corridor.spans();
        let terrain = self.legs.tariff.terrain;
        let mut corridor_cost = 0.0;
        let mut from = self.ends[0];
        let mut first = 0;
        path.stand(terrain, &from);
        for (position, exit) in self.corridor.exits() {
            let [end, begin] = Footing::link_ends(terrain, &exit);
            corridor_cost += self.lay_part(strand, path, (first..position, [from, end]));
            let cost = self.legs.tariff.link_price(&exit).map_or(0.0, f64::from);
            corridor_cost += cost;
            path.take(terrain, (exit.link, cost), &begin);
            (from, first) = (begin, position);
        }
        let rest = (first..spans.len(), [from, self.ends[1]]);
        corridor_cost += self.lay_part(strand, path, rest);
        // Nothing that was tried on the way there may have been the straight line itself.
        if self.legs.clear(&self.ends[0], &self.ends[1], path.cost).is_some() {
            self.lay_straight(path);
        }
        path.corridor_cost = corridor_cost.max(path.cost);
    }

    /// Lays a path of one leg.
    pub(crate) fn lay_straight(&self, path: &mut Path) {
        let terrain = self.legs.tariff.terrain;
        path.clear(terrain.grid().areas().len());
        path.stand(terrain, &self.ends[0]);
        path.walk(self.legs.tariff, &self.ends[0], &self.ends[1]);
        path.corridor_cost = path.cost;
    }

    /// Straightens the spans between two links. Returns what they cost unstraightened.
    fn lay_part(
        &self,
        strand: &mut Strand,
        path: &mut Path,
        (range, ends): (std::ops::Range<usize>, [Footing; 2]),
    ) -> f64 {
        let between_links = ends[0] == ends[1] && range.len() < self.corridor.spans().len();
        if between_links {
            return 0.0;
        }
        let (corners, cost) = self.legs.pull_tight(strand, &self.corridor.spans()[range], ends);
        for pair in corners.windows(2) {
            path.walk(self.legs.tariff, &pair[0].at, &pair[1].at);
        }
        cost
    }
}
