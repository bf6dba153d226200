//! How long it takes to update prepared routes after an obstacle has come or gone.

use std::collections::VecDeque;

use surefoot::{NavGrid, Obstacle, Query, SpanId};

use crate::figures::{percentiles, timed};
use crate::prepared::{Prepared, largest_region, navigator};
use crate::sites::{SITES, Site};
use surefoot_testing::Random;

/// Each comes and goes.
const OBSTACLES: usize = 200;
/// The most that stand at a time.
const STANDING: usize = 8;
/// Of an obstacle [cells].
const RADIUS: f32 = 4.0;
/// One change in this many is compared with routes that are prepared anew.
const CHECK: usize = 2 * OBSTACLES / 20;

/// Prints a line for each site but the largest.
pub fn print() {
    println!(
        "\nRoutes after each of {OBSTACLES} obstacles of {RADIUS} cells is placed and removed\n"
    );
    println!("| level | median, µs | 90 %, µs | longest, µs | anew, µs | in the background |");
    println!("|---|--:|--:|--:|--:|--:|");
    for site in &SITES[..SITES.len() - 1] {
        let Some(grid) = site.grid() else { return };
        let mut upkeep = Upkeep::new(site, Prepared::new(grid, &site.model));
        upkeep.come_and_go();
        upkeep.print();
    }
}

/// Routes that are kept up to date, and how long that took [µs].
struct Upkeep<'a> {
    site: &'a Site,
    prepared: Prepared,
    /// Of the largest region.
    places: Vec<SpanId>,
    random: Random,
    updates: Vec<f64>,
    anew: Vec<f64>,
    /// Updates that went to a thread.
    in_background: usize,
}

impl Upkeep<'_> {
    fn new(site: &Site, prepared: Prepared) -> Upkeep<'_> {
        let places = largest_region(&prepared.grid);
        let (updates, anew) = Default::default();
        let (random, in_background) = (Random(9), 0);
        Upkeep { site, prepared, places, random, updates, anew, in_background }
    }

    fn place(&mut self) -> SpanId {
        self.places[self.random.below(self.places.len())]
    }

    fn come_and_go(&mut self) {
        let mut standing = VecDeque::new();
        for _ in 0..OBSTACLES {
            let place = self.place();
            let cylinder = obstacle(&self.prepared.grid, place);
            standing.push_back(self.prepared.nav.block(cylinder).expect("a cylinder"));
            self.update();
            if standing.len() >= STANDING
                && let Some(first) = standing.pop_front()
            {
                self.prepared.nav.unblock(first);
                self.update();
            }
        }
        for id in standing {
            self.prepared.nav.unblock(id);
            self.update();
        }
    }

    /// The next query after a change updates the routes; one from a place to itself does little else.
    fn update(&mut self) {
        let open =
            self.places.iter().copied().find(|&span| self.prepared.nav.view().is_walkable(span));
        let ends = [open.expect("some ground is free")];
        let (table, seconds) = timed(|| self.prepared.nav.table(&ends, &ends));
        match table {
            Some(costs) => {
                assert_eq!(costs, [0.0]);
                self.updates.push(seconds * 1e6);
            }
            None => self.search_meanwhile(ends),
        }
        if self.updates.len().is_multiple_of(CHECK) {
            let mut fresh = navigator(&self.prepared.grid, &self.site.model);
            let overlay = self.prepared.nav.overlay().clone();
            fresh.set_overlay(overlay).expect("its own grid");
            let (prepared, seconds) = timed(|| fresh.prepare());
            prepared.expect("ground that comes apart");
            self.anew.push(seconds * 1e6);
            let places: Vec<SpanId> = (0..20).map(|_| self.place()).collect();
            let free = places.into_iter().filter(|&span| fresh.view().is_walkable(span));
            let free: Vec<SpanId> = free.collect();
            let tables = [&mut fresh, &mut self.prepared.nav].map(|nav| nav.table(&free, &free));
            assert!(
                tables[0].is_some() && tables[0] == tables[1],
                "after {} changes",
                self.updates.len()
            );
        }
    }

    /// A large update goes to a thread: searches answer until they have done as much work.
    fn search_meanwhile(&mut self, ends: [SpanId; 1]) {
        self.in_background += 1;
        while self.prepared.nav.table(&ends, &ends).is_none() {
            let [from, to] = [(); 2].map(|()| self.place());
            let point = |span| self.prepared.grid.point(span).expect("a span of the grid");
            let query = Query::new(point(from), point(to));
            self.prepared.nav.find(&query);
        }
    }

    fn print(self) {
        let [anew] = percentiles(self.anew, [50]);
        let (name, meanwhile) = (self.site.name, self.in_background);
        let at_once = if self.updates.is_empty() {
            " | | ".to_owned()
        } else {
            let [median, late, longest] = percentiles(self.updates, [50, 90, 100]);
            format!("{median:.0} | {late:.0} | {longest:.0}")
        };
        println!("| {name} | {at_once} | {anew:.0} | {meanwhile} |");
    }
}

/// As high as the agent.
fn obstacle(grid: &NavGrid, place: SpanId) -> Obstacle {
    let base = grid.point(place).expect("a span of the grid");
    let height = grid.layers()[0].agent.height;
    Obstacle::Cylinder { base, radius: RADIUS * grid.frame().cell_size, height }
}
