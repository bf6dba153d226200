//! Made-up grids for the tests of this room.

use nalgebra::{Point3, Vector3};

use surefoot::agent::Agent;
use surefoot::grid::baker::{ConnectionWriter, SpanLayer, finish_layer, two_way_ends};
use surefoot::grid::{
    AgentId, AgentLayer, Area, AreaId, Cell, Dir, GridFrame, GridParts, Link, LinkKind, LinkLane,
    Measures, NavGrid, NodeId, Provenance, Rooms, Span, SpanId, Standing, Verdict,
};

/// One floor of a made-up column.
#[derive(Clone, Copy)]
struct Floor {
    y: f32,
    area: u8,
    solid: bool,
}

fn floor(y: f32) -> Floor {
    Floor { y, area: 0, solid: false }
}

const CELL: f32 = 0.25;

/// A grid from a function that lists the floors over a point, low to high.
fn columns(size: [u32; 2], areas: Vec<Area>, floors: impl Fn(f32, f32) -> Vec<Floor>) -> Sketch {
    let min = Cell::new(-(size[0] as i32) / 2, -(size[1] as i32) / 2);
    let frame = GridFrame { cell_size: CELL, min, size_x: size[0], size_z: size[1] };
    let mut parts = GridParts {
        frame,
        first: vec![0],
        spans: Vec::new(),
        layers: Vec::new(),
        links: Vec::new(),
        areas,
        nodes: Vec::new(),
        provenance: Provenance { scene: "sample.glb".to_owned(), ..Provenance::default() },
    };
    let mut solid = Vec::new();
    for at in 0..frame.cells() {
        let [x, z] = frame.center(frame.cell(at));
        let column = floors(x, z);
        for (layer, here) in column.iter().enumerate() {
            let ceiling = column.get(layer + 1).map_or(f32::INFINITY, |next| next.y - 0.1);
            let near = |x: f32, z: f32| {
                let near = floors(x, z);
                let off = |other: &&Floor| (other.y - here.y).abs();
                near.iter().min_by(|a, b| off(a).total_cmp(&off(b))).map_or(here.y, |near| near.y)
            };
            let slope = |a: f32, b: f32| if (a - b).abs() < 1.0 { (a - b) / 0.2 } else { 0.0 };
            let normal = Vector3::new(
                -slope(near(x + 0.1, z), near(x - 0.1, z)),
                1.0,
                -slope(near(x, z + 0.1), near(x, z - 0.1)),
            );
            let span = Span::new(here.y, ceiling, normal.normalize());
            parts.spans.push(span.on(AreaId(here.area), NodeId::NONE));
            solid.push(here.solid);
        }
        parts.first.push(parts.spans.len() as u32);
    }
    Sketch { parts, solid }
}

/// Columns on which nobody stands yet.
struct Sketch {
    parts: GridParts,
    /// For each span whether it lies inside a solid.
    solid: Vec<bool>,
}

impl Sketch {
    /// Adds an agent by the simplest rules that look right.
    fn add(&mut self, agent: &Agent) {
        let layer = stand(&self.parts, &self.solid, agent);
        self.parts.layers.push(layer);
    }

    /// The grid, once the links are known.
    fn finish(mut self) -> NavGrid {
        let parts = &mut self.parts;
        let mut layers = std::mem::take(&mut parts.layers);
        for (agent, layer) in layers.iter_mut().enumerate() {
            join(parts, layer);
            let ends = two_way_ends(&parts.links, AgentId(agent as u16));
            finish_layer(&parts.frame, &parts.first, &ends, layer).expect("few regions");
        }
        parts.layers = layers;
        NavGrid::new(self.parts).expect("a sound sample")
    }
}

/// Verdicts by the simplest rules that look right.
fn stand(parts: &GridParts, solid: &[bool], agent: &Agent) -> AgentLayer {
    let standings = vec![Standing::WALKABLE; parts.spans.len()];
    let mut layer = AgentLayer {
        agent: agent.clone(),
        standings,
        far_connections: Vec::new(),
        regions: Vec::new(),
        rooms: Rooms::default(),
        measures: Measures::default(),
        order: None,
    };
    for (id, span) in parts.spans.iter().enumerate() {
        let [x, z] = span.gradient();
        let verdict = if solid[id] {
            Verdict::InsideSolid
        } else if parts.areas.get(usize::from(span.area().0)).is_some_and(|area| area.forbidden) {
            Verdict::Forbidden
        } else if x.hypot(z) > agent.slope_limit.tan() {
            Verdict::TooSteep
        } else if span.headroom() < agent.height {
            Verdict::LowCeiling
        } else {
            Verdict::Walkable
        };
        layer.standings[id] = Standing::new(verdict);
    }
    keep_off(parts, solid, &mut layer);
    layer
}

/// Steps between the spans of neighboring columns that are nearest to each other in height.
fn join(parts: &GridParts, layer: &mut AgentLayer) {
    let mut writer = ConnectionWriter::default();
    let spans = cells(parts);
    let paths = |at: CellSpan, dir: Dir, layer: &AgentLayer| {
        let to = nearest(parts, at, dir).filter(|&to| {
            nearest(parts, to, dir.opposite()) == Some(at)
                && layer.standings[at.span].is_walkable()
                && layer.standings[to.span].is_walkable()
        })?;
        let rise = (parts.spans[at.span].floor - parts.spans[to.span].floor).abs();
        let slope_rise = layer.agent.slope_limit.tan() * dir.length() * CELL;
        (rise <= layer.agent.max_climb.max(slope_rise)).then_some(to)
    };
    for dir in Dir::STRAIGHT.into_iter().chain(Dir::DIAGONAL) {
        for &at in &spans {
            let Some(to) = paths(at, dir, layer) else { continue };
            let round = |a: Dir, b: Dir| paths(at, a, layer).and_then(|mid| paths(mid, b, layer));
            let (left, right) = (dir.turned(7), dir.turned(1));
            let around = [round(left, right), round(right, left)];
            if !dir.is_diagonal() || around == [Some(to); 2] {
                let end = |end: CellSpan| SpanLayer {
                    span: SpanId(end.span as u32),
                    layer: end.span as u32 - parts.first[end.cell],
                };
                writer.write(&mut layer.standings[at.span], dir, [end(at), end(to)]);
            }
        }
    }
    layer.far_connections = writer.far_connections;
}

/// A span, and the cell of its column.
#[derive(Clone, Copy, PartialEq)]
struct CellSpan {
    cell: usize,
    span: usize,
}

fn nearest(parts: &GridParts, at: CellSpan, dir: Dir) -> Option<CellSpan> {
    let next = parts.frame.index(parts.frame.cell(at.cell).neighbor(dir))?;
    let off = |to: &usize| (parts.spans[*to].floor - parts.spans[at.span].floor).abs();
    let column = parts.first[next] as usize..parts.first[next + 1] as usize;
    column.min_by(|a, b| off(a).total_cmp(&off(b))).map(|span| CellSpan { cell: next, span })
}

fn joined(parts: &GridParts, climb: f32, at: CellSpan) -> Vec<Option<CellSpan>> {
    let neighbor = |dir: &Dir| {
        let next = parts.frame.index(parts.frame.cell(at.cell).neighbor(*dir))?;
        let mut column = parts.first[next] as usize..parts.first[next + 1] as usize;
        let rise = |to: usize| (parts.spans[to].floor - parts.spans[at.span].floor).abs();
        column.find(|&to| rise(to) <= climb).map(|span| CellSpan { cell: next, span })
    };
    Dir::STRAIGHT.iter().map(neighbor).collect()
}

fn cells(parts: &GridParts) -> Vec<CellSpan> {
    let column = |cell: usize| parts.first[cell] as usize..parts.first[cell + 1] as usize;
    (0..parts.frame.cells())
        .flat_map(|cell| column(cell).map(move |span| CellSpan { cell, span }))
        .collect()
}

/// Within a radius of solids: obstacle; of drops: ledge.
fn keep_off(parts: &GridParts, solid: &[bool], layer: &mut AgentLayer) {
    let reach = (layer.agent.radius / CELL).ceil() as usize;
    let mut marks: Vec<Option<Verdict>> = vec![None; parts.spans.len()];
    for _ in 0..reach {
        let before = marks.clone();
        for at in cells(parts) {
            let span = at.span;
            if !layer.standings[span].is_walkable() || marks[span].is_some() {
                continue;
            }
            for next in joined(parts, 0.6, at) {
                marks[span] = match next {
                    None => Some(Verdict::Ledge),
                    Some(to) if solid[to.span] => Some(Verdict::Obstacle(NodeId::NONE)),
                    Some(to) => before[to.span],
                };
                if marks[span].is_some() {
                    break;
                }
            }
        }
    }
    for (standing, mark) in layer.standings.iter_mut().zip(marks) {
        if let Some(verdict) = mark {
            *standing = Standing::new(verdict);
        }
    }
}

fn inside([x0, z0, x1, z1]: [f32; 4], (x, z): (f32, f32)) -> bool {
    (x0..x1).contains(&x) && (z0..z1).contains(&z)
}

/// Height of the country's ground.
fn ground(x: f32, z: f32) -> f32 {
    let hill = |cx: f32, cz: f32, size: f32, high: f32| {
        high * (-((x - cx).powi(2) + (z - cz).powi(2)) / (size * size)).exp()
    };
    let rolling = 0.5 * (x * 0.11).sin() * (z * 0.13).cos() + 0.25 * (x * 0.31 + z * 0.23).sin();
    let valley = -4.5 * (-(x - 14.0 - 3.0 * (z * 0.09).sin()).powi(2) / 14.0).exp();
    let mesa = 7.0 / (1.0 + (((x + 42.0).hypot(z - 24.0) - 8.0) * 1.6).exp());
    4.0 + rolling + valley + mesa + hill(-30.0, -18.0, 12.0, 11.0) + hill(40.0, 10.0, 9.0, 6.0)
        - hill(-8.0, 22.0, 9.0, 4.0)
}

/// Hills with a lake, a road, a bridge over a valley, a house on two storeys, a solid block and a
/// mesa no path leads to.
pub(super) fn country(agents: &[Agent]) -> NavGrid {
    let floors = move |x: f32, z: f32| {
        let y = ground(x, z);
        let lake = (x + 8.0).hypot(z - 22.0) < 7.5;
        let road = (z - 1.0 - 2.0 * (x * 0.06).sin()).abs() < 1.3;
        let mud = (x - 30.0).hypot(z - 24.0) < 6.0;
        let area = if lake {
            1
        } else if road {
            2
        } else if mud {
            3
        } else {
            0
        };
        let mut column =
            vec![Floor { y: if lake { ground(-15.0, 24.0) } else { y }, area, solid: false }];
        let (deck, at) = (4.3, (x, z));
        if inside([6.0, -0.6, 23.0, 2.6], at) && y < deck - 0.2 {
            column.push(Floor { y: deck, area: 2, solid: false });
        }
        let house = [-12.0, -16.0, 0.0, -6.0];
        if inside(house, at) {
            let base = ground(-6.0, -11.0) + 0.1;
            let wall =
                !inside([-11.6, -15.6, -0.4, -6.4], at) && !inside([-7.0, -7.0, -5.0, -5.0], at);
            let stair = inside([-11.6, -15.4, -5.6, -14.0], at);
            let up = ((x + 11.6) / 6.0 * 10.0).floor() / 10.0 * 3.0 + 0.3;
            column = match (wall, stair) {
                (true, _) => vec![Floor { solid: true, ..floor(base) }, floor(base + 6.2)],
                (_, true) => vec![floor(base), floor(base + up), floor(base + 6.2)],
                _ => vec![floor(base), floor(base + 3.2), floor(base + 6.2)],
            };
        }
        if inside([28.0, -26.0, 36.0, -18.0], at) {
            column = vec![Floor { y, area: 0, solid: true }, floor(ground(32.0, -22.0) + 5.0)];
        }
        if inside([-30.0, 8.0, -22.0, 14.0], at) {
            column = vec![floor(y), floor(y + 1.5)];
        }
        column
    };
    let area = |name: &str, cost, forbidden| Area { name: name.to_owned(), cost, forbidden };
    let water = area("water", 1.0, true);
    let areas = vec![Area::walkable(), water, area("road", 0.5, false), area("mud", 3.0, false)];
    let mut sketch = columns([440, 320], areas, floors);
    agents.iter().for_each(|agent| sketch.add(agent));
    sketch.parts.links = links(&sketch.parts);
    sketch.finish()
}

fn links(parts: &GridParts) -> Vec<Link> {
    let near = |x: f32, z: f32| {
        let cell = parts.frame.index(parts.frame.cell_at(x, z)).expect("inside");
        SpanId(parts.first[cell + 1] - 1)
    };
    let link = |from: [f32; 2], to: [f32; 2], two_way, open: bool| {
        let ends = [near(from[0], from[1]), near(to[0], to[1])];
        let at = |x: [f32; 2], id: SpanId| Point3::new(x[0], parts.spans[id.index()].floor, x[1]);
        let points = [at(from, ends[0]), at(to, ends[1])];
        let lanes: Vec<_> = open.then(|| LinkLane::new(ends)).into_iter().collect();
        let lanes = vec![lanes; parts.layers.len()];
        let name = format!("link at {from:?}");
        Link { two_way, cost: 4.0, lanes, ..Link::new(name, LinkKind::Ladder, points) }
    };
    vec![
        link([-28.0, 20.0], [-40.0, 23.0], true, true),
        link([32.0, -21.0], [24.0, -16.0], false, true),
        link([10.0, 20.0], [20.0, 24.0], false, false),
    ]
}

/// A spiral ramp of several turns round a solid core.
pub(super) fn tower(agents: &[Agent]) -> NavGrid {
    let floors = |x: f32, z: f32| {
        let off = x.hypot(z);
        let turn = z.atan2(x) / std::f32::consts::TAU + 0.5;
        match off {
            off if off < 4.0 => vec![Floor { solid: true, ..floor(0.0) }, floor(13.0)],
            off if off < 8.0 => (0..4).map(|k| floor((k as f32 + turn) * 3.2)).collect(),
            off if off < 15.0 => vec![floor(0.0)],
            _ => Vec::new(),
        }
    };
    let mut sketch = columns([140, 140], vec![Area::walkable()], floors);
    agents.iter().for_each(|agent| sketch.add(agent));
    sketch.finish()
}
