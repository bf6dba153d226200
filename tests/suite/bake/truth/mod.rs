//! Small worlds where geometry alone tells the right answer, cell by cell.
//!
//! Each is baked at three cell sizes, near the origin and 5 km out, on the lattice of cells and
//! off it: what an agent may do must not depend on any of that.

mod bodies;
mod edges;
mod ground;
mod heights;
mod links;
mod slopes;
mod solids;
mod steps;

use surefoot::grid::{Dir, RegionId};
use surefoot::{Agent, AgentId, Cell, NavGrid, Span, SpanId, Verdict};
use surefoot_bake::scene::{Placement, SceneBuilder, Triangles};
use surefoot_bake::{BakeSettings, Baked, bake};

use surefoot_testing::Faces;

/// A place for a small world: coordinates in it are local, x and z counted from its origin [m].
#[derive(Clone, Copy, Debug)]
struct Site {
    cell: f32,
    origin: [f64; 2],
}

impl Site {
    /// Near and far, on the lattice and off it, for each cell size.
    fn all() -> impl Iterator<Item = Site> {
        [0.1f32, 0.25, 0.3].into_iter().flat_map(|cell| {
            let far = (5000.0 / f64::from(cell)).round() * f64::from(cell);
            let places = [[0.0, 0.0], [0.0813, -0.1371], [far, -far], [far + 0.0377, far + 0.0791]];
            places.map(|origin| Site { cell, origin })
        })
    }

    /// Those near the origin, where numbers are exact to a micrometre.
    fn near() -> impl Iterator<Item = Site> {
        Site::all().filter(|site| site.origin[0].abs() < 100.0)
    }

    /// Rounding of coordinates here [m].
    fn rounding(&self) -> f64 {
        if self.origin[0].abs() < 100.0 { 1e-5 } else { 5e-4 }
    }

    /// A local point in the world.
    fn at(&self, [x, y, z]: [f64; 3]) -> [f32; 3] {
        [(self.origin[0] + x) as f32, y as f32, (self.origin[1] + z) as f32]
    }

    /// A closed box.
    fn block(&self, min: [f64; 3], max: [f64; 3]) -> Faces {
        surefoot_testing::block(self.at(min), self.at(max))
    }

    /// A level rectangle facing up, between (x0, z0) and (x1, z1).
    fn floor(&self, [x0, z0, x1, z1]: [f64; 4], y: f64) -> Faces {
        let corners = [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]];
        (corners.map(|corner| self.at(corner)).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
    }

    /// The local x of the cell center next above.
    fn center_after(&self, x: f64) -> f64 {
        let size = f64::from(self.cell);
        (((self.origin[0] + x) / size).ceil() + 0.5) * size - self.origin[0]
    }

    /// The local x of the border of cells next above.
    fn border_after(&self, x: f64) -> f64 {
        let size = f64::from(self.cell);
        ((self.origin[0] + x) / size).ceil() * size - self.origin[0]
    }

    fn bake(&self, builder: SceneBuilder, agents: &[Agent]) -> Baked {
        let scene = builder.build().expect("the parts are sound");
        let agents = agents.to_vec();
        let settings = BakeSettings { cell_size: Some(self.cell), agents, ..Default::default() };
        bake(&scene, &settings, &()).expect("it bakes")
    }

    fn result(&self, builder: SceneBuilder, agents: &[Agent]) -> Result {
        Result { site: *self, grid: self.bake(builder, agents).grid }
    }
}

/// A scene with parts in it.
fn scene(parts: &[(&str, Faces)]) -> SceneBuilder {
    let mut builder = SceneBuilder::new("world");
    for (name, faces) in parts {
        add(&mut builder, name, faces, Placement::default());
    }
    builder
}

fn add(builder: &mut SceneBuilder, name: &str, (corners, faces): &Faces, at: Placement) {
    builder.mesh(name, Triangles { vertices: corners, triangles: faces }, at);
}

/// A baked site.
struct Result {
    site: Site,
    grid: NavGrid,
}

/// One span, and where it is.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// Local [m].
    x: f64,
    z: f64,
    cell: Cell,
    id: SpanId,
    span: Span,
}

impl Result {
    /// Every span.
    fn spots(&self) -> Vec<Spot> {
        let frame = self.grid.frame();
        let cells = (0..frame.cells()).map(|index| frame.cell(index));
        cells.flat_map(|cell| self.column(cell)).collect()
    }

    /// The spans whose floor is at a height, to a millimetre.
    fn spots_at(&self, y: f64) -> Vec<Spot> {
        let mut spots = self.spots();
        spots.retain(|spot| (f64::from(spot.span.floor) - y).abs() < 1e-3);
        spots
    }

    fn column(&self, cell: Cell) -> Vec<Spot> {
        let [x, z] = self.grid.frame().center(cell);
        let [x0, z0] = self.site.origin;
        let (x, z) = (f64::from(x) - x0, f64::from(z) - z0);
        let spot = |id| Spot { x, z, cell, id: SpanId(id), span: self.grid.spans()[id as usize] };
        self.grid.column_spans(cell).map(spot).collect()
    }

    /// The span at a local point.
    fn spot(&self, point: [f64; 3]) -> Spot {
        let at = self.site.at(point);
        let id = self.grid.span_at(at, 0.1).unwrap_or_else(|| panic!("no floor at {point:?}"));
        let column = self.column(self.grid.cell_of(id).unwrap());
        column.into_iter().find(|spot| spot.id == id).unwrap()
    }

    fn verdict(&self, agent: usize, spot: &Spot) -> Verdict {
        self.grid.verdict(AgentId(agent as u16), spot.id).unwrap()
    }

    /// Whether the verdict is an obstacle, of the given name.
    fn is_obstacle(&self, agent: usize, spot: &Spot, name: &str) -> bool {
        match self.verdict(agent, spot) {
            Verdict::Obstacle(node) => {
                assert_eq!(self.grid.nodes()[node.0 as usize], name, "{spot:?}");
                true
            }
            _ => false,
        }
    }

    fn agent(&self, agent: usize) -> &Agent {
        &self.grid.layers()[agent].agent
    }

    fn region(&self, agent: usize, point: [f64; 3]) -> Option<RegionId> {
        self.grid.region(AgentId(agent as u16), self.spot(point).id)
    }

    /// Whether an agent gets from one local point to another and back.
    fn joins(&self, agent: usize, a: [f64; 3], b: [f64; 3]) -> bool {
        let (a, b) = (self.region(agent, a), self.region(agent, b));
        a.is_some() && a == b
    }

    /// The span a step leads to.
    fn step(&self, agent: usize, spot: &Spot, dir: Dir) -> Option<Spot> {
        let to = self.grid.neighbor(AgentId(agent as u16), spot.id, dir)?;
        self.column(spot.cell.neighbor(dir)).into_iter().find(|spot| spot.id == to)
    }

    /// Fails with what was expected where.
    fn fail(&self, agent: usize, spot: &Spot, why: &str) -> ! {
        let (name, verdict) = (&self.agent(agent).name, self.verdict(agent, spot));
        panic!("{:?}, {name}: {verdict:?} at {spot:?}; {why}", self.site)
    }
}

/// Distance from a point to a rectangle (x0, z0, x1, z1); 0 inside.
fn distance_to([x0, z0, x1, z1]: [f64; 4], spot: &Spot) -> f64 {
    let beside = |v: f64, low: f64, high: f64| (low - v).max(v - high).max(0.0);
    beside(spot.x, x0, x1).hypot(beside(spot.z, z0, z1))
}

/// How far inside a rectangle a point is; negative outside.
fn depth_in([x0, z0, x1, z1]: [f64; 4], spot: &Spot) -> f64 {
    (spot.x - x0).min(x1 - spot.x).min(spot.z - z0).min(z1 - spot.z)
}

/// How far the body of a capsule is held above its floor, by the rule [m].
fn lift(agent: &Agent) -> f64 {
    let slope = agent.radius * (1.0 / agent.slope_limit.cos() - 1.0);
    f64::from(agent.max_climb.max(slope)) + 0.05
}

/// How far beside its axis the round end of a capsule touches an edge that is `depth` beyond the
/// end's tip [m].
fn touches_within(radius: f32, depth: f64) -> f64 {
    let radius = f64::from(radius);
    if depth >= radius { radius } else { (2.0 * radius * depth - depth * depth).sqrt() }
}

/// The usual three without ledge margins, so that only bodies count.
fn bold_agents() -> Vec<Agent> {
    let mut agents = Agent::default_set();
    agents.iter_mut().for_each(|agent| agent.ledge_margin = Some(0.0));
    agents
}
