//! Gaps, ledges, pits, crates and balconies of known sizes: one just within an agent's reach, and one
//! just beyond. Each is baked with several cells, on their lattice and off it.

use nalgebra::Vector3;
use surefoot::grid::{AgentId, Link, LinkKind, NavGrid};
use surefoot::{Agent, BodyShape};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, LinkVerdict, bake, explain_link};

const HUMAN: AgentId = AgentId(0);
/// Just within and just beyond a reach [m].
const NEARLY: f32 = 0.01;

/// A level of boxes, moved by an offset from the lattice of cells.
struct Boxes {
    builder: SceneBuilder,
    off: [f32; 2],
}

impl Boxes {
    /// Adds a box between two corners.
    fn add(&mut self, name: &str, min: [f32; 3], max: [f32; 3]) -> &mut Self {
        let [min, max] = [min, max].map(Vector3::from);
        let (half, middle) = (0.5 * (max - min), 0.5 * (max + min));
        let at = [middle.x + self.off[0], middle.y, middle.z + self.off[1]];
        self.builder.cuboid(name, half, Placement::at(at));
        self
    }
}

/// Bakes a level for one agent with several cells and offsets; calls back with each grid.
fn each(agent: &Agent, build: impl Fn(&mut Boxes), mut check: impl FnMut(&NavGrid, &str)) {
    for cell_size in [0.1, 0.15, 0.25, 0.3] {
        for off in [[0.0, 0.0], [0.0813, -0.1371], [0.17, 0.04]] {
            let mut boxes = Boxes { builder: SceneBuilder::new("boxes"), off };
            build(&mut boxes);
            let scene = boxes.builder.build().expect("a sound scene");
            let settings = BakeSettings {
                cell_size: Some(cell_size),
                agents: vec![agent.clone()],
                ..BakeSettings::default()
            };
            let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
            check(&grid, &format!("{} cells of {cell_size} off by {off:?}", agent.name));
        }
    }
}

/// Holds a level to whether links join two places, there and back.
fn check(agent: &Agent, build: impl Fn(&mut Boxes), ways: Ways) {
    each(agent, build, |grid, what| {
        let region = |at: [f32; 3]| {
            let (span, _) = grid.nearest_walkable(HUMAN, at, 1.0).expect("ground");
            grid.region(HUMAN, span).expect("a region")
        };
        let [from, to] = [ways.from, ways.to].map(region);
        let found = [grid.region_reaches(HUMAN, from, to), grid.region_reaches(HUMAN, to, from)];
        let kinds: Vec<LinkKind> = grid.links().iter().map(|link| link.kind).collect();
        assert_eq!(found, ways.lead, "{what}: {kinds:?}");
        let is_right = |link: &Link| link.kind == ways.kind;
        assert!(grid.links().iter().all(is_right), "{what}: {kinds:?}");
        assert!(grid.links().iter().all(|link| link.generated && link.cost > 0.0));
    });
}

/// Two places, whether links lead there and back, and of what kind they are.
#[derive(Clone, Copy)]
struct Ways {
    from: [f32; 3],
    to: [f32; 3],
    lead: [bool; 2],
    kind: LinkKind,
}

fn human() -> Agent {
    Agent::new("human")
}

fn boxed(agent: Agent) -> Agent {
    Agent { name: format!("boxed {}", agent.name), shape: BodyShape::Box, ..agent }
}

/// Two platforms with nothing below.
fn gap(width: f32) -> impl Fn(&mut Boxes) {
    move |boxes| {
        boxes.add("west", [-4.0, -1.0, -2.0], [0.0, 0.0, 2.0]);
        boxes.add("east", [width, -1.0, -2.0], [width + 4.0, 0.0, 2.0]);
    }
}

#[test]
fn gaps_are_jumped_that_are_no_wider_than_the_reach() {
    for reach in [1.0, 2.5] {
        let jumper = Agent { jump_across: reach, jump_up: 0.5, ..human() };
        for agent in [jumper.clone(), boxed(jumper)] {
            for (width, is_within) in [(reach - NEARLY, true), (reach + NEARLY, false)] {
                let ways = Ways {
                    from: [-2.0, 0.0, 0.0],
                    to: [width + 2.0, 0.0, 0.0],
                    lead: [is_within; 2],
                    kind: LinkKind::Jump,
                };
                check(&agent, gap(width), ways);
            }
        }
    }
}

/// A block on the ground.
fn ledge(height: f32) -> impl Fn(&mut Boxes) {
    move |boxes| {
        boxes.add("ground", [-6.0, -1.0, -3.0], [0.0, 0.0, 3.0]);
        boxes.add("block", [0.0, -1.0, -3.0], [4.0, height, 3.0]);
    }
}

fn ledge_ways(height: f32, kind: LinkKind, lead: [bool; 2]) -> Ways {
    Ways { from: [2.0, height, 0.0], to: [-3.0, 0.0, 0.0], lead, kind }
}

#[test]
fn ledges_are_climbed_that_are_no_higher_than_the_reach() {
    let climber = Agent { jump_up: 1.1, ..human() };
    for agent in [climber.clone(), boxed(climber)] {
        for (height, is_within) in [(0.5, true), (1.1 - NEARLY, true), (1.1 + NEARLY, false)] {
            check(&agent, ledge(height), ledge_ways(height, LinkKind::Climb, [is_within; 2]));
        }
    }
}

#[test]
fn drops_are_taken_that_are_no_deeper_than_the_reach() {
    let dropper = Agent { drop: 3.0, ..human() };
    for agent in [dropper.clone(), boxed(dropper)] {
        for (height, is_within) in
            [(0.5, true), (1.0, true), (3.0 - NEARLY, true), (3.0 + NEARLY, false)]
        {
            check(&agent, ledge(height), ledge_ways(height, LinkKind::Drop, [is_within, false]));
        }
    }
}

#[test]
fn a_body_drops_into_a_pit_hardly_wider_than_itself() {
    // Walls on three sides; the pit is wide enough for a place to stand at the center of some cell.
    let pit = |boxes: &mut Boxes| {
        boxes.add("floor", [-3.0, -1.0, -2.0], [4.0, 0.0, 2.0]);
        boxes.add("high", [-3.0, 0.0, -2.0], [0.0, 2.0, 2.0]);
        boxes.add("back", [1.0, 0.0, -2.0], [2.0, 6.0, 2.0]);
        boxes.add("left", [0.0, 0.0, -2.0], [1.0, 6.0, -0.6]);
        boxes.add("right", [0.0, 0.0, 0.6], [1.0, 6.0, 2.0]);
    };
    let ways = Ways {
        from: [-1.5, 2.0, 0.0],
        to: [0.5, 0.0, 0.0],
        lead: [true, false],
        kind: LinkKind::Drop,
    };
    check(&Agent { drop: 2.5, ..human() }, pit, ways);
}

#[test]
fn crates_are_climbed() {
    let level = |boxes: &mut Boxes| {
        boxes.add("ground", [-4.0, -1.0, -4.0], [4.0, 0.0, 4.0]);
        boxes.add("crate", [-0.75, 0.0, -0.75], [0.75, 0.9, 0.75]);
    };
    let ways =
        Ways { from: [0.0, 0.9, 0.0], to: [3.0, 0.0, 0.0], lead: [true; 2], kind: LinkKind::Climb };
    check(&Agent { jump_up: 1.0, ..human() }, level, ways);
}

#[test]
fn a_railing_keeps_a_body_on_its_balcony() {
    for (railing, falls) in [(0.0, true), (1.0, false)] {
        let level = |boxes: &mut Boxes| {
            boxes.add("ground", [-4.0, -1.0, -4.0], [4.0, 0.0, 4.0]);
            boxes.add("balcony", [-4.0, 2.6, -4.0], [0.0, 2.9, 4.0]);
            if railing > 0.0 {
                boxes.add("railing", [-0.1, 2.9, -4.0], [0.0, 2.9 + railing, 4.0]);
                boxes.add("side", [-4.0, 2.9, -4.0], [0.0, 2.9 + railing, -3.9]);
                boxes.add("side", [-4.0, 2.9, 3.9], [0.0, 2.9 + railing, 4.0]);
                boxes.add("back", [-4.0, 2.9, -4.0], [-3.9, 2.9 + railing, 4.0]);
            }
        };
        let ways = Ways {
            from: [-2.0, 2.9, 0.0],
            to: [2.0, 0.0, 0.0],
            lead: [falls, false],
            kind: LinkKind::Drop,
        };
        check(&Agent { drop: 4.0, jump_up: 0.3, ..human() }, level, ways);
    }
}

#[test]
fn what_walking_does_nearly_as_well_gets_no_link() {
    // Ten metres of ledge beside a stair: links only where the way round by the stair is long.
    let level = |boxes: &mut Boxes| {
        boxes.add("ground", [-6.0, -1.0, 0.0], [0.0, 0.0, 30.0]);
        boxes.add("terrace", [0.0, -1.0, 0.0], [4.0, 0.8, 30.0]);
        boxes.add("step", [-1.0, -1.0, 0.0], [0.0, 0.4, 3.0]);
    };
    let climber = Agent { jump_up: 1.0, drop: 2.0, ..human() };
    each(&climber, level, |grid, what| {
        let nearest =
            |link: &Link| link.from.iter().chain(&link.to).map(|end| end.z).fold(99.0, f32::min);
        let nearest = grid.links().iter().map(nearest).fold(99.0, f32::min);
        assert!((4.0..9.0).contains(&nearest), "{what}: the first link is at {nearest}");
        let farthest =
            |link: &Link| link.from.iter().chain(&link.to).map(|end| end.z).fold(0.0, f32::max);
        let farthest = grid.links().iter().map(farthest).fold(0.0, f32::max);
        assert!(farthest > 28.0, "{what}: the last link ends at {farthest}");
        assert!(grid.links().len() <= 5, "{what}: {} links", grid.links().len());
        assert!(grid.links().iter().all(|link| link.kind == LinkKind::Climb), "{what}");
    });
}

#[test]
fn agents_that_only_walk_get_no_links() {
    each(&human(), ledge(1.0), |grid, _| assert!(grid.links().is_empty()));
}

/// What keeps an agent of some reach from crossing a level.
fn explained(agent: &Agent, build: impl Fn(&mut Boxes), ends: [[f32; 3]; 2]) -> LinkVerdict {
    let mut boxes = Boxes { builder: SceneBuilder::new("boxes"), off: [0.0; 2] };
    build(&mut boxes);
    let scene = boxes.builder.build().expect("a sound scene");
    let agents = vec![agent.clone()];
    let settings = BakeSettings { cell_size: Some(0.15), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
    explain_link(&scene, &grid, HUMAN, ends.map(Into::into)).expect("a sound scene")
}

#[test]
fn what_keeps_a_link_from_a_place_is_named() {
    let jumper = Agent { jump_across: 2.0, jump_up: 1.0, drop: 2.0, ..human() };
    let over = |width: f32| [[-0.5, 0.0, 0.0], [width + 0.5, 0.0, 0.0]];
    let possible = LinkVerdict::Possible { kind: LinkKind::Jump };
    assert_eq!(explained(&jumper, gap(1.9), over(1.9)), possible);
    let LinkVerdict::OutOfReach { fall, gap: Some(width) } =
        explained(&jumper, gap(2.4), over(2.4))
    else {
        panic!("the gap is too wide");
    };
    assert!(fall == 0.0 && (width - 2.4).abs() < 0.01, "{width}");
    let down = [[0.5, 3.0, 0.0], [-0.5, 0.0, 0.0]];
    let too_deep = LinkVerdict::OutOfReach { fall: 3.0, gap: None };
    assert_eq!(explained(&jumper, ledge(3.0), down), too_deep);
    assert_eq!(explained(&human(), ledge(3.0), down), LinkVerdict::Walks);
    // A beam over the gap, at the height of a head.
    let beam = |boxes: &mut Boxes| {
        gap(1.5)(boxes);
        boxes.add("beam", [0.6, 1.5, -2.0], [0.9, 1.8, 2.0]);
    };
    let LinkVerdict::Touches { kind: LinkKind::Jump, node, .. } =
        explained(&jumper, beam, over(1.5))
    else {
        panic!("the beam is in the way");
    };
    assert_eq!(node, "beam");
}
