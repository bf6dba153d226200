//! The scenes of this repository: what each is made to show, for the three usual agents.

use std::path::Path;

use surefoot::grid::{Dir, LinkKind, RegionId};
use surefoot::{AgentId, NavGrid, SpanId, Verdict};
use surefoot_bake::{BakeSettings, bake};

type Point = [f32; 3];

const SMALL: AgentId = AgentId(0);
const HUMAN: AgentId = AgentId(1);
const LARGE: AgentId = AgentId(2);
const ALL: [AgentId; 3] = [SMALL, HUMAN, LARGE];

/// A baked scene and its name, for messages.
struct Level {
    name: &'static str,
    grid: NavGrid,
}

impl Level {
    fn new(name: &'static str) -> Self {
        Level::with(name, 0.25, None)
    }

    fn with(name: &'static str, cell: f32, bounds: Option<[f32; 4]>) -> Self {
        let scene = surefoot_testing::load(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes").join(name),
        );
        let settings = BakeSettings { cell_size: Some(cell), bounds, ..Default::default() };
        let baked = bake(&scene, &settings, &()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(baked.link_problems, [], "{name}");
        Level { name, grid: baked.grid }
    }

    /// The floor at a point, at most 15 cm above or below it.
    fn span(&self, point: Point) -> SpanId {
        let span = self.grid.span_at(point, 0.15);
        let floors = || {
            let cell = self.grid.column_at(point).expect("over the level");
            self.grid.column(cell).iter().map(|span| span.floor).collect::<Vec<_>>()
        };
        span.unwrap_or_else(|| panic!("{}: {point:?} is no floor of {:?}", self.name, floors()))
    }

    fn verdict(&self, agent: AgentId, point: Point) -> Verdict {
        self.grid.verdict(agent, self.span(point)).unwrap()
    }

    fn region(&self, agent: AgentId, point: Point) -> Option<RegionId> {
        self.grid.region(agent, self.span(point))
    }

    /// Each of the agents gets from each point to every other.
    fn joins(&self, agents: &[AgentId], points: &[Point]) {
        for &agent in agents {
            for &point in points {
                let regions = [points[0], point].map(|point| self.region(agent, point));
                let verdict = self.verdict(agent, point);
                assert!(
                    regions[1].is_some(),
                    "{}: {verdict:?} for {agent:?} at {point:?}",
                    self.name
                );
                assert_eq!(regions[0], regions[1], "{}: {agent:?} to {point:?}", self.name);
            }
        }
    }

    /// None of the agents gets from one point to the other, wherever it can stand.
    fn parts(&self, agents: &[AgentId], a: Point, b: Point) {
        for &agent in agents {
            let regions = [a, b].map(|point| self.region(agent, point));
            let apart = regions[0] != regions[1] || regions[0].is_none();
            assert!(apart, "{}: {agent:?} gets from {a:?} to {b:?}", self.name);
        }
    }

    /// The verdict of every agent at a point.
    fn says(&self, point: Point, expected: Verdict) {
        for agent in ALL {
            assert_eq!(self.verdict(agent, point), expected, "{}: {agent:?} {point:?}", self.name);
        }
    }

    fn stands(&self, agents: &[AgentId], point: Point) {
        for agent in ALL {
            let stands = self.region(agent, point).is_some();
            let verdict = self.verdict(agent, point);
            let expected = agents.contains(&agent);
            assert_eq!(stands, expected, "{}: {agent:?} {verdict:?} at {point:?}", self.name);
        }
    }

    /// Nobody stands at a point on the floor, or there is no floor.
    fn blocked(&self, point: Point) {
        if let Some(span) = self.grid.span_at(point, 0.15) {
            for agent in ALL {
                let verdict = self.grid.verdict(agent, span);
                assert!(
                    !self.grid.is_walkable(agent, span),
                    "{} {point:?}: {verdict:?}",
                    self.name
                );
            }
        }
    }
}

#[test]
fn stairs() {
    let level = Level::new("stairs.gltf");
    level.joins(&ALL, &[[1.0, 0.0, 1.0], [9.0, 2.0, 6.0]]);
    level.parts(&ALL, [1.0, 0.0, 1.0], [5.5, 1.0, 8.5]);
}

#[test]
fn ramps() {
    let level = Level::new("ramp_limit.gltf");
    level.joins(&ALL, &[[1.0, 0.0, 1.0], [7.6, 1.6, 5.0], [11.0, 3.0, 5.0]]);
    let level = Level::new("ramp_steep.gltf");
    level.parts(&ALL, [1.0, 0.0, 1.0], [11.0, 2.98, 5.0]);
    level.says([7.6, 1.9, 5.0], Verdict::TooSteep);
    level.stands(&ALL, [11.0, 2.98, 5.0]);
}

#[test]
fn mirrored() {
    let landings = [
        [0.0, 0.0, 0.0],
        [5.3, 1.0, 4.1],
        [-5.3, 1.0, 4.1],
        [5.8, 1.25, -4.0],
        [-6.55, 1.0, -5.1],
        [-0.7, 1.0, 12.1],
    ];
    Level::new("mirrored.gltf").joins(&ALL, &landings);
}

#[test]
fn bridge() {
    let level = Level::new("bridge.glb");
    let places = [[1.0, 0.0, 8.0], [15.0, 3.5, 8.0], [29.0, 0.0, 8.0], [15.0, 0.0, 8.0]];
    level.joins(&ALL, &places);
    let cell = level.grid.column_at([15.0, 0.0, 8.0]).unwrap();
    assert_eq!(level.grid.column(cell).len(), 2);
}

#[test]
fn two_storeys() {
    let level = Level::new("two_storeys.glb");
    let places = [[1.0, 0.0, 1.0], [10.0, 0.0, 9.0], [7.9, 1.4, 5.25], [12.0, 3.0, 9.0]];
    level.joins(&[SMALL, HUMAN], &places);
    for inside in &places[1..] {
        level.parts(&[LARGE], places[0], *inside);
    }
}

#[test]
fn spiral_tower() {
    let level = Level::new("spiral_tower.glb");
    level.joins(&ALL, &[[8.0, 0.0, 8.0], [3.5, 9.75, 0.1], [1.34, 20.1, -3.23]]);
}

#[test]
fn low_door() {
    let level = Level::new("low_door.gltf");
    let (out, inside) = ([1.0, 0.0, 1.0], [1.0, 0.0, 11.0]);
    level.joins(&[SMALL, HUMAN], &[out, inside]);
    level.parts(&[LARGE], out, inside);
    level.stands(&[SMALL], [4.0, 0.0, 6.0]);
    level.stands(&[SMALL, HUMAN], [12.0, 0.0, 6.0]);
}

#[test]
fn gaps() {
    let level = Level::new("gaps.gltf");
    let hall = [8.0, 0.0, 11.0];
    let yards = [[2.0, 0.0, 2.0], [8.0, 0.0, 2.0], [13.0, 0.0, 2.0]];
    level.joins(&[SMALL], &[hall, yards[0]]);
    level.parts(&[HUMAN, LARGE], hall, yards[0]);
    level.joins(&[SMALL, HUMAN], &[hall, yards[1]]);
    level.parts(&[LARGE], hall, yards[1]);
    level.joins(&ALL, &[hall, yards[2]]);
}

#[test]
fn thin_wall() {
    let level = Level::new("thin_wall.gltf");
    level.joins(&ALL, &[[2.0, 0.0, 2.0], [10.0, 0.0, 2.0]]);
    let frame = *level.grid.frame();
    let mut crossings = 0;
    for cell in (0..frame.cells()).map(|index| frame.cell(index)) {
        for (span, agent) in level.grid.column_spans(cell).flat_map(|s| ALL.map(|a| (SpanId(s), a)))
        {
            for dir in Dir::ALL {
                let [[x, z], [to_x, to_z]] = [cell, cell.neighbor(dir)].map(|c| frame.center(c));
                let floor = level.grid.span(span).unwrap().floor;
                if floor < 0.1
                    && level.grid.neighbor(agent, span, dir).is_some()
                    && (x < 6.0) != (to_x < 6.0)
                {
                    let opening = 8.0..10.0;
                    assert!(opening.contains(&z) && opening.contains(&to_z), "{x} {z} {dir:?}");
                    crossings += 1;
                }
            }
        }
    }
    assert!(crossings > 0);
}

#[test]
fn pillars() {
    let level = Level::new("pillars.gltf");
    level.joins(&ALL, &[[0.8, 0.0, 0.8], [23.0, 0.0, 23.0]]);
    level.says([2.0, 0.0, 2.0], Verdict::InsideSolid);
}

#[test]
fn solid_block() {
    let level = Level::new("solid_block.gltf");
    for inside in [[4.0, 0.0, 6.0], [10.0, 0.0, 6.0]] {
        level.says(inside, Verdict::InsideSolid);
    }
    for top in [[4.0, 2.0, 6.0], [10.0, 1.0, 6.0]] {
        level.stands(&ALL, top);
        level.parts(&ALL, [1.0, 0.0, 1.0], top);
    }
}

#[test]
fn tagged_ground() {
    let level = Level::new("tagged.gltf");
    let area = |point: Point| {
        let span = level.grid.span(level.span(point)).unwrap();
        let area = &level.grid.areas()[usize::from(span.area().0)];
        (area.name.as_str(), area.cost)
    };
    assert_eq!(area([1.0, 0.0, 10.0]), ("road", 0.5));
    assert_eq!(area([4.0, 0.05, 5.0]).0, "mud");
    assert_eq!(area([10.0, 0.05, 5.0]), ("marsh", 4.0));
    for free in [[14.0, 0.0, 2.0], [18.0, 0.0, 2.0], [22.0, 0.25, 6.0]] {
        level.stands(&ALL, free);
    }
    for taken in [[22.0, 0.0, 2.0], [14.0, 0.25, 6.0], [18.0, 0.25, 6.0]] {
        level.blocked(taken);
    }
    level.joins(&ALL, &[[1.0, 0.0, 10.0], [12.0, 1.0, 16.0], [16.0, 2.0, 16.0]]);
}

#[test]
fn tagged_links() {
    let level = Level::new("tagged.gltf");
    let check = |kind, (two_way, cost): (bool, Option<f32>), mut ends: [Point; 2]| {
        let link = level.grid.links().iter().find(|link| link.kind == kind).expect("it is there");
        assert_eq!(link.two_way, two_way, "{}", link.name);
        assert!(cost.is_none_or(|cost| cost == link.cost), "{}: {}", link.name, link.cost);
        let mut marked = link.middle().map(|p| [p.x, p.y, p.z]);
        if two_way {
            // Either end of a pair may come first.
            ends.sort_by(|a, b| a[1].total_cmp(&b[1]));
            marked.sort_by(|a, b| a[1].total_cmp(&b[1]));
        }
        assert_eq!(marked, ends, "{}", link.name);
        for agent in ALL {
            let [lane] = link.lanes_of(agent.index()) else { panic!("everyone can take it") };
            assert!(lane.spans.iter().all(|&span| level.grid.is_walkable(agent, span)));
        }
    };
    assert_eq!(level.grid.links().len(), 3);
    check(LinkKind::Ladder, (true, Some(5.0)), [[3.0, 0.0, 15.0], [5.0, 2.0, 15.0]]);
    check(LinkKind::Jump, (false, Some(3.0)), [[15.0, 2.0, 16.0], [7.0, 2.0, 16.0]]);
    check(LinkKind::Drop, (false, None), [[17.0, 2.0, 16.0], [20.0, 0.0, 16.0]]);
}

#[test]
fn primitives() {
    for name in ["primitives.gltf", "primitives_khr.gltf"] {
        let level = Level::new(name);
        level.joins(&ALL, &[[1.0, 0.0, 13.0], [7.0, 0.5, 10.5], [10.5, 1.0, 10.5]]);
        level.stands(&ALL, [10.0, 0.0, 13.75]);
        for x in [3.0, 8.0, 13.0, 17.0] {
            level.blocked([x, 0.0, 3.0]);
        }
    }
}

#[test]
fn village() {
    let level = Level::with("village.glb", 0.25, None);
    let market = [-8.0, 1.8, 22.0];
    let places = [
        market,
        [54.0, 4.4, 20.0],
        [54.0, -1.6, 20.0],
        [-112.0, 3.02, 21.0],
        [-112.0, 15.35, 21.0],
        [-33.0, 14.6, -95.0],
        [-47.0, 14.6, -95.0],
        [108.0, 9.76, -60.0],
        [102.0, 13.96, -83.2],
    ];
    level.joins(&[HUMAN], &places);
    let garden = [126.0, 8.35, -22.0];
    level.joins(&[SMALL], &[market, garden]);
    level.parts(&[HUMAN, LARGE], market, garden);
    level.joins(&[LARGE], &[market, [-62.0, 1.81, 90.0]]);
}
