//! How long it takes to bring costs up to date after an obstacle has come or gone.

use std::collections::VecDeque;

use surefoot::cch::RouteRules;
use surefoot::view::{Obstacle, Overlay, View};
use surefoot::{AgentId, NavGrid, SpanId};

use crate::figures::{percentiles, timed};
use crate::prepared::{Prepared, largest_region};
use crate::sites::{SITES, Site};
use crate::support::Random;

/// Each comes and goes.
const OBSTACLES: usize = 200;
/// At most so many stand at a time.
const STANDING: usize = 8;
/// Of an obstacle [cells].
const RADIUS: f32 = 4.0;
/// One change of so many is held against costs worked out afresh.
const CHECK: usize = 2 * OBSTACLES / 20;

/// Prints a line for each site but the largest.
pub fn print() {
    println!("\nCosts after each of {OBSTACLES} obstacles of {RADIUS} cells came and went\n");
    println!("| level | median, µs | 90 %, µs | longest, µs | districts, median | afresh, µs |");
    println!("|---|--:|--:|--:|--:|--:|");
    for site in &SITES[..SITES.len() - 1] {
        let Some(grid) = site.grid() else { return };
        let prepared = Prepared::new(grid, &site.model);
        let mut upkeep = Upkeep::new(site, &prepared);
        upkeep.come_and_go();
        upkeep.print();
    }
}

/// Costs that are kept up to date, and what that took.
struct Upkeep<'a> {
    site: &'a Site,
    prepared: &'a Prepared,
    costs: RouteCosts,
    micros: Vec<f64>,
    districts: Vec<f64>,
    /// All worked out again [µs].
    afresh: Vec<f64>,
}

impl Upkeep<'_> {
    fn new<'a>(site: &'a Site, prepared: &'a Prepared) -> Upkeep<'a> {
        let [micros, districts, afresh] = Default::default();
        Upkeep { site, prepared, costs: prepared.costs.clone(), micros, districts, afresh }
    }

    fn come_and_go(&mut self) {
        let grid = &self.prepared.grid;
        let places = largest_region(grid);
        let (mut random, mut overlay) = (Random(9), Overlay::new(grid));
        let mut standing = VecDeque::new();
        for _ in 0..OBSTACLES {
            let place = places[random.below(places.len())];
            let id = overlay.block(grid, obstacle(grid, place)).expect("a cylinder");
            self.refresh(&overlay);
            standing.push_back(id);
            if standing.len() >= STANDING
                && let Some(first) = standing.pop_front()
            {
                overlay.unblock(grid, first);
                self.refresh(&overlay);
            }
        }
        for id in standing {
            overlay.unblock(grid, id);
            self.refresh(&overlay);
        }
    }

    fn refresh(&mut self, overlay: &Overlay) {
        let Prepared { grid, index, .. } = self.prepared;
        let terrain = View::changed(grid, AgentId(0), overlay).expect("its own overlay");
        let (costs, model) = (&mut self.costs, &self.site.model);
        let (districts, seconds) = timed(|| index.refresh(costs, &terrain, model));
        self.micros.push(seconds * 1e6);
        self.districts.push(districts as f64);
        if self.micros.len().is_multiple_of(CHECK) {
            let (fresh, seconds) = timed(|| index.price(&terrain, model, RouteRules::default()));
            assert!(fresh == self.costs, "after {} changes", self.micros.len());
            self.afresh.push(seconds * 1e6);
        }
    }

    fn print(self) {
        let [median, late, longest] = percentiles(self.micros, [50, 90, 100]);
        let [districts] = percentiles(self.districts, [50]);
        let [afresh] = percentiles(self.afresh, [50]);
        println!(
            "| {} | {median:.0} | {late:.0} | {longest:.0} | {districts} | {afresh:.0} |",
            self.site.name
        );
    }
}

/// As high as the agent.
fn obstacle(grid: &NavGrid, place: SpanId) -> Obstacle {
    let base = grid.point(place).expect("a span of the grid");
    let height = grid.layers()[0].agent.height;
    Obstacle::Cylinder { base, radius: RADIUS * grid.frame().cell_size, height }
}
