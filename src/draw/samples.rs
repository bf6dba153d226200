//! Made-up grids for the tests of this room, and the tests that look at whole pictures.

use nalgebra::{Point3, Vector3};

use crate::agent::Agent;
use crate::grid::{
    AgentLayer, Area, AreaId, Cell, Dir, GridFrame, GridParts, Link, LinkKind, NavGrid, NodeId,
    Provenance, Region, RegionId, Span, SpanId, Standing, Verdict,
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
fn grid(size: [u32; 2], agents: &[Agent], floors: impl Fn(f32, f32) -> Vec<Floor>) -> GridParts {
    let min = Cell::new(-(size[0] as i32) / 2, -(size[1] as i32) / 2);
    let frame = GridFrame { cell_size: CELL, min, size_x: size[0], size_z: size[1] };
    let mut parts = GridParts {
        frame,
        first: vec![0],
        spans: Vec::new(),
        layers: Vec::new(),
        links: Vec::new(),
        areas: vec![Area::walkable()],
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
    for agent in agents {
        let layer = stand(&parts, &solid, agent);
        parts.layers.push(layer);
    }
    parts
}

/// Verdicts, regions and clearance by the simplest rules that look right.
fn stand(parts: &GridParts, solid: &[bool], agent: &Agent) -> AgentLayer {
    let standings = vec![Standing::WALKABLE; parts.spans.len()];
    let mut layer =
        AgentLayer { agent: agent.clone(), standings, far_steps: Vec::new(), regions: Vec::new() };
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
    measure(parts, &mut layer);
    layer
}

fn joined(
    parts: &GridParts,
    climb: f32,
    (cell, span): (usize, usize),
) -> Vec<Option<(usize, usize)>> {
    let neighbor = |dir: &Dir| {
        let next = parts.frame.index(parts.frame.cell(cell).neighbor(*dir))?;
        let mut column = parts.first[next] as usize..parts.first[next + 1] as usize;
        let rise = |to: usize| (parts.spans[to].floor - parts.spans[span].floor).abs();
        column.find(|&to| rise(to) <= climb).map(|to| (next, to))
    };
    Dir::STRAIGHT.iter().map(neighbor).collect()
}

fn cells(parts: &GridParts) -> Vec<(usize, usize)> {
    let column = |cell: usize| parts.first[cell] as usize..parts.first[cell + 1] as usize;
    (0..parts.frame.cells()).flat_map(|cell| column(cell).map(move |span| (cell, span))).collect()
}

/// Within a radius of solids: obstacle; of drops: ledge.
fn keep_off(parts: &GridParts, solid: &[bool], layer: &mut AgentLayer) {
    let reach = (layer.agent.radius / CELL).ceil() as usize;
    let mut marks: Vec<Option<Verdict>> = vec![None; parts.spans.len()];
    for _ in 0..reach {
        let before = marks.clone();
        for (cell, span) in cells(parts) {
            if !layer.standings[span].is_walkable() || marks[span].is_some() {
                continue;
            }
            for next in joined(parts, 0.6, (cell, span)) {
                marks[span] = match next {
                    None => Some(Verdict::Ledge),
                    Some((_, to)) if solid[to] => Some(Verdict::Obstacle(NodeId::NONE)),
                    Some((_, to)) => before[to],
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

fn measure(parts: &GridParts, layer: &mut AgentLayer) {
    let climb = layer.agent.max_climb;
    let cells = cells(parts);
    let mut region = vec![usize::MAX; parts.spans.len()];
    let mut sizes: Vec<u32> = Vec::new();
    for &seed in &cells {
        if !layer.standings[seed.1].is_walkable() || region[seed.1] != usize::MAX {
            continue;
        }
        let mut open = vec![seed];
        region[seed.1] = sizes.len();
        sizes.push(0);
        while let Some(at) = open.pop() {
            sizes[region[at.1]] += 1;
            for next in joined(parts, climb, at).into_iter().flatten() {
                if layer.standings[next.1].is_walkable() && region[next.1] == usize::MAX {
                    region[next.1] = region[at.1];
                    open.push(next);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(sizes[at]));
    layer.regions = order.iter().map(|&at| Region { spans: sizes[at] }).collect();
    let mut rank = vec![0; sizes.len()];
    for (at, &region) in order.iter().enumerate() {
        rank[region] = at as u32;
    }
    for &(_, span) in cells.iter().filter(|(_, span)| region[*span] != usize::MAX) {
        layer.standings[span].set_region(RegionId(rank[region[span]]));
    }
    clear(parts, layer, &cells);
}

fn clear(parts: &GridParts, layer: &mut AgentLayer, cells: &[(usize, usize)]) {
    for ring in 0..31 {
        let before = layer.standings.clone();
        for &at in cells.iter().filter(|(_, span)| before[*span].is_walkable()) {
            let inside = |next: Option<(usize, usize)>| {
                let standing = next.map(|(_, to)| before[to]);
                standing.is_some_and(|s| s.is_walkable() && s.clearance_code() >= 8 * ring)
            };
            if joined(parts, 0.6, at).into_iter().all(inside) {
                layer.standings[at.1].set_clearance(8 * (ring + 1));
            }
        }
    }
}

fn inside([x0, z0, x1, z1]: [f32; 4], (x, z): (f32, f32)) -> bool {
    (x0..x1).contains(&x) && (z0..z1).contains(&z)
}

/// Hills with a lake, a road, a bridge over a valley, a house on two storeys, a solid block and a
/// mesa no path leads to.
pub(super) fn country(agents: &[Agent]) -> NavGrid {
    let ground = |x: f32, z: f32| {
        let hill = |cx: f32, cz: f32, size: f32, high: f32| {
            high * (-((x - cx).powi(2) + (z - cz).powi(2)) / (size * size)).exp()
        };
        let rolling =
            0.5 * (x * 0.11).sin() * (z * 0.13).cos() + 0.25 * (x * 0.31 + z * 0.23).sin();
        let valley = -4.5 * (-(x - 14.0 - 3.0 * (z * 0.09).sin()).powi(2) / 14.0).exp();
        let mesa = 7.0 / (1.0 + (((x + 42.0).hypot(z - 24.0) - 8.0) * 1.6).exp());
        4.0 + rolling + valley + mesa + hill(-30.0, -18.0, 12.0, 11.0) + hill(40.0, 10.0, 9.0, 6.0)
            - hill(-8.0, 22.0, 9.0, 4.0)
    };
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
    let mut parts = grid([440, 320], agents, floors);
    let area = |name: &str, cost, forbidden| Area { name: name.to_owned(), cost, forbidden };
    parts.areas = vec![
        Area::walkable(),
        area("water", 1.0, true),
        area("road", 0.5, false),
        area("mud", 3.0, false),
    ];
    for at in 0..parts.spans.len() {
        if parts.spans[at].area() == AreaId(1) {
            for layer in &mut parts.layers {
                layer.standings[at] = Standing::new(Verdict::Forbidden);
            }
        }
    }
    parts.links = links(&parts);
    NavGrid::new(parts).expect("a sound sample")
}

fn links(parts: &GridParts) -> Vec<Link> {
    let near = |x: f32, z: f32| {
        let cell = parts.frame.index(parts.frame.cell_at(x, z)).expect("inside");
        SpanId(parts.first[cell + 1] - 1)
    };
    let link = |from: [f32; 2], to: [f32; 2], two_way, open: bool| {
        let ends = [near(from[0], from[1]), near(to[0], to[1])];
        let at = |x: [f32; 2], id: SpanId| Point3::new(x[0], parts.spans[id.index()].floor, x[1]);
        Link {
            name: "link".to_owned(),
            kind: LinkKind::Ladder,
            two_way,
            cost: 4.0,
            from: at(from, ends[0]),
            to: at(to, ends[1]),
            ends: vec![open.then_some(ends); parts.layers.len()],
        }
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
    NavGrid::new(grid([140, 140], agents, floors)).expect("a sound sample")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Storeys, storeys, write_all};

    #[test]
    fn country_is_drawn() {
        let folder = std::env::temp_dir().join("surefoot-draw/country");
        write_all(&country(&Agent::default_set()[1..]), &folder).unwrap();
        let folder = std::env::temp_dir().join("surefoot-draw/tower");
        let grid = tower(&Agent::default_set()[1..2]);
        assert_eq!(storeys::clashes(&grid, &Storeys::of(&grid)), 0);
        write_all(&grid, &folder).unwrap();
    }
}
