//! Provides [`RouteIndex`]: the ground of one agent, prepared for routes by any costs.

use std::collections::BTreeSet;

use crate::grid::{AgentId, AreaId, NavGrid, RouteOrder, SpanId};
use crate::solve::{Change, CostModel, SlopeLimit, Tariff, Terrain};

use super::costs::{Ground, Kept, RouteCosts, RouteRules, Rows};
use super::dissect::dissect;
use super::front::Front;
use super::grain::Grain;
use super::part::{Part, neighbors};
use super::pricing::{Pricing, is_symmetric};
use super::shape::{NONE, Shape};
use super::workshop::Workshop;

/// What prepared routes of one agent have in common, whatever ways cost: districts within
/// districts, and the spans between them.
///
/// ```
/// use surefoot::{NavGrid, routes::{RouteIndex, RouteRules, RouteSearch, Routes}};
/// use surefoot::solve::{HeightCost, Query, Terrain};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let grid = NavGrid::from_map(map, 1.0, &[])?;
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let terrain = Terrain::new(&grid, human).ok_or("no such agent")?;
/// let model = HeightCost::default();
/// let index = RouteIndex::new(&grid, human).ok_or("no such agent")?;
/// let costs = index.price(&terrain, &model, RouteRules::default());
/// let mut search = RouteSearch::default();
/// let query = Query::new([0.5, 0.0, 0.5], [4.5, 0.0, 0.5]);
/// let routes = Routes { index: &index, costs: &costs };
/// let answer = search.path(routes, (&terrain, &model), &query);
/// assert_eq!(answer.path().ok_or("no way")?.waypoints().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RouteIndex {
    pub(super) shape: Shape,
    agent: AgentId,
    /// Fingerprint of the grid.
    grid: u64,
}

impl RouteIndex {
    /// Prepares a grid for one of its agents, by the order that the grid has for it if there is
    /// one; `None` for an agent it does not have, and for ground that does not come apart, which
    /// takes thousands of links from everywhere to everywhere. O(spans · log spans) without an
    /// order.
    pub fn new(grid: &NavGrid, agent: AgentId) -> Option<Self> {
        let terrain = Terrain::new(grid, agent)?;
        // An order need only be true; whoever made it may not have made it good.
        let known = grid.order(agent).map(|order| RouteIndex::of(&terrain, order, Grain::USUAL));
        let good = known.filter(|index| index.shape.widest() <= widest(index.shape.order.len()));
        let index = good.unwrap_or_else(|| RouteIndex::of_grain(&terrain, Grain::USUAL));
        (index.shape.widest() <= WIDEST).then_some(index)
    }

    /// Prepares the ground of a terrain as it was baked.
    pub(super) fn of_grain(baked: &Terrain, grain: Grain) -> Self {
        RouteIndex::of(baked, &dissect(&Part::of(baked), grain), grain)
    }

    fn of(baked: &Terrain, order: &RouteOrder, grain: Grain) -> Self {
        let shape = Shape::new(baked, order, grain);
        RouteIndex { shape, agent: baked.agent_id(), grid: baked.grid().fingerprint() }
    }

    /// Finds the order to prepare a grid by, to be kept with it; `None` for an agent it does not
    /// have. O(spans · log spans).
    pub fn order(grid: &NavGrid, agent: AgentId) -> Option<RouteOrder> {
        Some(dissect(&Part::of(&Terrain::new(grid, agent)?), Grain::USUAL))
    }

    /// Whose routes they are.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Bytes of memory, without any costs.
    pub fn bytes(&self) -> usize {
        self.shape.bytes()
    }

    /// Bytes of memory that the costs by one model take, with the agent's own slope limit: about half
    /// as many on grids without links by models that tell their [`CostModel::level`].
    pub fn cost_bytes<M: CostModel + ?Sized>(&self, terrain: &Terrain, model: &M) -> usize {
        let tariff = tariff(terrain, model, RouteRules::default());
        let (shape, is_symmetric) = (&self.shape, is_symmetric(&tariff));
        let costs = |district: usize| {
            let through = Front::ways(shape.border(district).len(), is_symmetric);
            let rows = Rows::count(shape.own(district), shape.front(district), is_symmetric);
            (if shape.is_block(district) { 0 } else { rows })
                + if shape.keeps_through(district) { through } else { 0 }
        };
        let districts = shape.districts.len();
        Kept::bytes(districts, (0..districts).map(costs).sum())
    }

    /// Whether the index is for a terrain's grid, or one just like it, and its agent.
    pub(super) fn fits(&self, terrain: &Terrain) -> bool {
        self.agent == terrain.agent_id() && self.grid == terrain.grid().fingerprint()
    }

    /// The rank of a span; `None` where nobody walks on it, on the grid that the index was made for.
    pub(super) fn rank(&self, span: SpanId) -> Option<u32> {
        self.shape.ranks.get(span.index()).copied().filter(|&rank| rank != NONE)
    }

    /// Works out what ways cost on a terrain by a model. A terrain of another grid or agent has no
    /// ways here. About O(spans · √spans) on open ground; levels with rooms take less.
    pub fn price<M: CostModel + Sync + ?Sized>(
        &self,
        terrain: &Terrain,
        model: &M,
        rules: RouteRules,
    ) -> RouteCosts {
        let tariff = tariff(terrain, model, rules);
        let kept =
            if self.fits(terrain) { self.workshop(&tariff, rules).all() } else { Vec::new() };
        let ground = ground(terrain, &tariff);
        let mut costs = RouteCosts { kept, rules, ground, largest: 0 };
        costs.find_largest();
        costs
    }

    /// Brings costs up to date with what changed on a terrain since, by the same model. Returns
    /// how many districts were worked out again; the fewer, the smaller those are that lie around
    /// the changes.
    pub fn refresh<M: CostModel + Sync + ?Sized>(
        &self,
        costs: &mut RouteCosts,
        terrain: &Terrain,
        model: &M,
    ) -> usize {
        let tariff = tariff(terrain, model, costs.rules);
        let ground = ground(terrain, &tariff);
        let changes = terrain.changes_since(costs.ground.state);
        let same_units = Ground { state: ground.state, ..costs.ground } == ground;
        let Some(changes) = changes.filter(|_| same_units && self.fits(terrain)) else {
            *costs = self.price(terrain, model, costs.rules);
            return self.shape.districts.len();
        };
        let districts = self.touched(terrain, changes);
        let count = self.workshop(&tariff, costs.rules).again(&mut costs.kept, districts);
        costs.ground = ground;
        costs.find_largest();
        count
    }

    /// About how much there is to do to bring costs up to date: sums of two costs.
    pub(super) fn work(&self, costs: &RouteCosts, terrain: &Terrain) -> u64 {
        let work = |district: usize| {
            let front = self.shape.front(district) as u64;
            self.shape.own(district) as u64 * front * front
        };
        let changes = terrain.changes_since(costs.ground.state);
        let Some(changes) = changes.filter(|_| self.fits(terrain)) else {
            return (0..self.shape.districts.len()).map(work).sum();
        };
        let mut districts = self.touched(terrain, changes);
        let mut sum = 0;
        while let Some(district) = districts.pop_first() {
            sum += work(district);
            let parent = self.shape.districts[district].parent;
            districts.extend((parent != NONE).then_some(parent as usize));
        }
        sum
    }

    fn workshop<'a, M: CostModel + ?Sized>(
        &'a self,
        tariff: &'a Tariff<'a, M>,
        rules: RouteRules,
    ) -> Workshop<'a, M> {
        Workshop { shape: &self.shape, pricing: Pricing::new(tariff, rules.directions) }
    }

    /// The districts whose own steps and links cost something else since some changes.
    fn touched(&self, terrain: &Terrain, changes: Vec<Change>) -> BTreeSet<usize> {
        let mut districts = BTreeSet::new();
        for change in changes {
            match change {
                Change::Ground(agent, cells) if agent == self.agent => {
                    let columns = (0..cells.cells()).map(|index| cells.cell(index));
                    let spans = columns.flat_map(|cell| terrain.grid().column_spans(cell));
                    for span in spans {
                        self.touch(span, &mut districts);
                        // A link is of no use where one end is blocked.
                        let exits = terrain.grid().exits(agent);
                        let far = [exits.leaving(SpanId(span)), exits.entering(SpanId(span))];
                        let far = far.into_iter().flatten();
                        far.for_each(|exit| self.touch(exit.other.0, &mut districts));
                    }
                }
                Change::Ground(..) => {}
                Change::Area(area) => self.touch_area(terrain, area, &mut districts),
                Change::Link(link) => {
                    let link = &terrain.grid().links()[link as usize];
                    let ends = link.ends[self.agent.index()].into_iter().flatten();
                    ends.for_each(|SpanId(span)| self.touch(span, &mut districts));
                }
            }
        }
        districts
    }

    fn touch(&self, span: u32, districts: &mut BTreeSet<usize>) {
        let rank = self.shape.ranks[span as usize];
        if rank != NONE {
            districts.insert(self.shape.owner(rank));
        }
    }

    /// A kind of ground counts for the steps to it, too.
    fn touch_area(&self, terrain: &Terrain, area: AreaId, districts: &mut BTreeSet<usize>) {
        for &span in &self.shape.order {
            if terrain.spans()[span as usize].area() == area {
                self.touch(span, districts);
                neighbors(terrain, span, |other| self.touch(other, districts));
            }
        }
    }
}

/// The widest front that can be worked out: its costs take 1 GiB [spans].
const WIDEST: usize = 1 << 14;

/// The widest front to be expected of a good order. Open ground is cut along lines as long as it is
/// wide, and its districts have four sides.
fn widest(spans: usize) -> usize {
    500 + 12 * spans.isqrt()
}

pub(super) fn tariff<'a, M: CostModel + ?Sized>(
    terrain: &'a Terrain<'a>,
    model: &'a M,
    rules: RouteRules,
) -> Tariff<'a, M> {
    let coarseness = Tariff::least_coarseness(terrain, model);
    Tariff::new(terrain, model, SlopeLimit::of(terrain, rules.slope_limit), coarseness)
}

fn ground<M: CostModel + ?Sized>(terrain: &Terrain, tariff: &Tariff<M>) -> Ground {
    Ground {
        grid: terrain.grid().fingerprint(),
        state: terrain.state(),
        coarseness: tariff.coarseness,
        least: tariff.least,
        is_symmetric: is_symmetric(tariff),
    }
}
