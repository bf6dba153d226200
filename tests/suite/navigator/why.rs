//! What separates two places is named: a level for each thing that can be in the way.

mod ceilings;
mod walls;

use surefoot::diagnosis::{Blocker, Separation, Shortfall};
use surefoot::grid::{Area, LinkKind};
use surefoot::search::PathError;
use surefoot::{Agent, AgentId, NavGrid, Navigator, Obstacle};
use surefoot_bake::scene::{LinkMarker, Placement, SceneBuilder, Triangles};
use surefoot_bake::{BakeSettings, bake};

/// Side of the cells [m].
const CELL: f32 = 0.25;
/// The two places: in the middle of the two halves of every level.
const WEST: [f32; 3] = [-4.0, 0.0, 0.0];

/// A level 12 m long and 4 m wide, from x = -6 to x = 6.
struct Level(SceneBuilder);

impl Level {
    fn new() -> Self {
        Level(SceneBuilder::new("level"))
    }

    /// Adds a box, from its least to its greatest corner [m].
    fn add(mut self, name: &str, min: [f32; 3], max: [f32; 3]) -> Self {
        self.0.cuboid(name, half(min, max), Placement::at(middle(min, max)));
        self
    }

    /// A floor 0.2 m thick from one x to another, whose top is at a height [m].
    fn floor(self, name: &str, [from, to]: [f32; 2], y: f32) -> Self {
        self.add(name, [from, y - 0.2, -2.0], [to, y, 2.0])
    }

    /// Adds a thin ceiling that is seen from below alone, from one x to another.
    fn plaster(mut self, name: &str, [from, to]: [f32; 2], y: f32) -> Self {
        let vertices = [[from, y, -2.0], [to, y, -2.0], [to, y, 2.0], [from, y, 2.0]];
        let triangles = [[0, 1, 2], [0, 2, 3]];
        let shell = Triangles { vertices: &vertices, triangles: &triangles };
        self.0.mesh(name, shell, Placement::default());
        self
    }

    fn link(mut self, kind: LinkKind, [from, to]: [[f32; 3]; 2]) -> Self {
        let (from, to) = (from.into(), to.into());
        let name = "Passage".to_owned();
        self.0.link(LinkMarker {
            name,
            from,
            to,
            two_way: false,
            cost: None,
            kind,
            ..LinkMarker::default()
        });
        self
    }

    fn navigator(self) -> Navigator {
        self.navigator_for(Agent::new("human"))
    }

    fn navigator_for(self, agent: Agent) -> Navigator {
        let scene = self.0.build().expect("a sound scene");
        let agents = vec![agent];
        let settings = BakeSettings { agents, cell_size: Some(CELL), ..BakeSettings::default() };
        let baked = bake(&scene, &settings, &()).expect("it bakes");
        Navigator::new(baked.grid, AgentId(0)).expect("it has an agent")
    }

    /// What separates the western half from a height in the eastern one.
    fn separation(self, y: f32) -> Separation {
        separation(&self.navigator(), y)
    }

    /// The only thing in the way.
    #[track_caller]
    fn only(self, y: f32) -> Blocker {
        only(self.separation(y))
    }
}

fn half(min: [f32; 3], max: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| 0.5 * (max[axis] - min[axis]))
}

fn middle(min: [f32; 3], max: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| 0.5 * (max[axis] + min[axis]))
}

fn separation(nav: &Navigator, y: f32) -> Separation {
    nav.why_not(WEST, [4.0, y, 0.0]).expect("both ends are walkable")
}

#[track_caller]
fn only(separation: Separation) -> Blocker {
    assert!(separation.is_explained && !separation.is_connected());
    assert_eq!(separation.blockers.len(), 1, "{separation}");
    separation.blockers.into_iter().next().expect("there is one")
}

#[track_caller]
fn near(value: f32, expected: f32, tolerance: f32) {
    assert!((value - expected).abs() <= tolerance, "{value}, not {expected}");
}

/// Sizes are named to one centimetre [m].
const FINE: f32 = 0.01;

#[test]
fn nothing_is_in_the_way_on_open_ground() {
    let separation = Level::new().floor("Ground", [-6.0, 6.0], 0.0).separation(0.0);
    assert!(separation.is_connected(), "{separation}");
    assert_eq!(separation.to_string(), "nothing is in the way");
}

#[test]
fn a_step_is_named_both_ways() {
    let level =
        || Level::new().floor("Ground", [-6.0, 0.0], 0.0).floor("Stairs3", [0.0, 6.0], 0.62);
    let step = level().only(0.62);
    let Shortfall::Step { rise, max_climb } = step.shortfall else { panic!("{step}") };
    near(rise, 0.62, FINE);
    assert_eq!((max_climb, step.node.as_deref()), (0.4, Some("Stairs3")));
    near(step.at.x, 0.0, CELL);
    assert!(step.to_string().starts_with("a step of 0.62 m (max climb 0.40) at 0.00,0.00,"));
    let nav = level().navigator();
    let drop = only(nav.why_not([4.0, 0.62, 0.0], WEST).expect("both ends are walkable"));
    let Shortfall::Step { rise, .. } = drop.shortfall else { panic!("{drop}") };
    near(rise, -0.62, FINE);
}

#[test]
fn a_slope_is_named() {
    // From 58° on the ramp rises by more than the climb from cell to cell.
    [52.0, 60.0, 70.0].into_iter().for_each(check_slope);
}

fn check_slope(degrees: f32) {
    let run = 2.0 / degrees.to_radians().tan();
    let mut level = Level::new().floor("Ground", [-6.0, 0.0], 0.0);
    let points: Vec<[f32; 3]> = [-2.0, 2.0]
        .into_iter()
        .flat_map(|z| [[0.0, 0.0, z], [run, 2.0, z], [run, -0.2, z], [0.0, -0.2, z]])
        .collect();
    level.0.hull("Ramp", &points, Placement::default());
    let slope = level.floor("Roof", [run, 6.0], 2.0).only(2.0);
    let Shortfall::Slope { angle, .. } = slope.shortfall else { panic!("{slope}") };
    near(angle.to_degrees(), degrees, 0.1);
    assert_eq!(slope.node.as_deref(), Some("Ramp"));
}

#[test]
fn a_narrow_passage_is_named() {
    let level = Level::new()
        .floor("Ground", [-6.0, 6.0], 0.0)
        .add("Left", [-0.4, 0.0, -2.0], [0.4, 5.0, -0.275])
        .add("Right", [-0.4, 0.0, 0.275], [0.4, 5.0, 2.0]);
    let passage = level.only(0.0);
    let Shortfall::NarrowPassage { width: Some(width), body } = passage.shortfall else {
        panic!("{passage}")
    };
    near(width, 0.55, 0.001);
    assert_eq!(body, 0.6);
    near(passage.at.z, 0.0, FINE);
    assert!(matches!(passage.node.as_deref(), Some("Left" | "Right")), "{passage}");
}

#[test]
fn a_narrow_ledge_is_named() {
    let level = Level::new()
        .floor("Ground", [-6.0, -2.0], 0.0)
        .floor("Ground", [2.0, 6.0], 0.0)
        .add("Plank", [-2.0, -0.2, -0.25], [2.0, 0.0, 0.25]);
    let ledge = level.only(0.0);
    let Shortfall::NarrowLedge { width: Some(width), ledge_margin } = ledge.shortfall else {
        panic!("{ledge}")
    };
    near(width, 0.5, 0.001);
    assert_eq!((ledge_margin, ledge.node.as_deref()), (0.3, Some("Plank")));
    near(ledge.at.z, 0.0, FINE);
}

#[test]
fn a_gap_is_named() {
    let level = Level::new().floor("Ground", [-6.0, -0.6], 0.0).floor("Ground", [0.6, 6.0], 0.0);
    let gap = level.only(0.0);
    let Shortfall::Gap { width, rise } = gap.shortfall else { panic!("{gap}") };
    near(width, 1.2, 0.001);
    near(rise, 0.0, FINE);
    near(gap.at.x, 0.0, FINE);
    assert!(gap.before.x < -0.6 && gap.after.x > 0.6, "{gap:?}");
}

#[test]
fn what_stands_in_a_gap_is_named() {
    let gap = Level::new().floor("Ground", [-6.0, -1.2], 0.0).floor("Ground", [1.2, 6.0], 0.0);
    let wall = gap.add("Wall", [-0.4, -6.0, -2.0], [0.4, 8.0, 2.0]).only(0.0);
    let Shortfall::Gap { width, .. } = wall.shortfall else { panic!("{wall}") };
    near(width, 2.4, 0.001);
    assert_eq!(wall.node.as_deref(), Some("Wall"));
    assert!(wall.to_string().ends_with(", in or under \"Wall\""), "{wall}");
    assert_eq!(islands().only(0.0).node, None);
}

#[test]
fn forbidden_ground_is_named() {
    let mut level =
        Level::new().floor("Ground", [-6.0, -1.0], 0.0).floor("Ground", [1.0, 6.0], 0.0);
    let area = level.0.area(Area { name: "Lava".to_owned(), cost: 1.0, forbidden: true });
    let (min, max) = ([-1.0, -0.2, -2.0], [1.0, 0.0, 2.0]);
    level.0.cuboid("Pool", half(min, max), Placement::at(middle(min, max)).area(area));
    let lava = level.only(0.0);
    assert_eq!(lava.shortfall, Shortfall::Forbidden { area: "Lava".to_owned() });
    assert_eq!(lava.node.as_deref(), Some("Pool"));
}

/// Two floors of which one is a storey higher, far from each other.
fn islands() -> Level {
    Level::new().floor("Ground", [-6.0, -2.0], 0.0).floor("Ground", [2.0, 6.0], 0.0)
}

#[test]
fn a_closed_link_is_named() {
    let level = islands().link(LinkKind::Authored, [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    let mut nav = level.navigator();
    assert!(separation(&nav, 0.0).is_connected());
    nav.set_link_open(0, false).expect("there is a link");
    let link = "Passage".to_owned();
    assert_eq!(only(separation(&nav, 0.0)).shortfall, Shortfall::ClosedLink { link });
}

#[test]
fn a_link_that_leads_only_the_other_way_is_named() {
    let level = islands().link(LinkKind::Drop, [[3.0, 0.0, 0.0], [-3.0, 0.0, 0.0]]);
    let link = "Passage".to_owned();
    assert_eq!(level.only(0.0).shortfall, Shortfall::OneWayLink { link });
}

#[test]
fn an_obstacle_of_an_overlay_is_named() {
    let mut nav = Level::new().floor("Ground", [-6.0, 6.0], 0.0).navigator();
    let (center, half) = ([0.0, 1.0, 0.0].into(), [0.5, 1.0, 3.0].into());
    nav.block(Obstacle::Box { center, half, yaw: 0.0 }).expect("a sound box");
    assert_eq!(only(separation(&nav, 0.0)).shortfall, Shortfall::RunTimeObstacle);
}

#[test]
fn an_obstacle_on_the_end_of_a_link_is_named() {
    let level = islands().link(LinkKind::Authored, [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    let mut nav = level.navigator();
    let base = [3.0, 0.0, 0.0].into();
    nav.block(Obstacle::Cylinder { base, radius: 0.3, height: 1.0 }).expect("a sound cylinder");
    assert_eq!(only(separation(&nav, 0.0)).shortfall, Shortfall::RunTimeObstacle);
}

/// Less would have to give on the straight line than there is to walk on the way around.
#[test]
fn a_long_way_around_is_no_separation() {
    let row = ".".repeat(1000);
    let map = format!("type octile\nheight 3\nwidth 1000\nmap\n{row}\n{row}\n{row}\n");
    let grid = NavGrid::from_map(&map, 1.0, &[]).expect("a sound map");
    let mut nav = Navigator::new(grid, AgentId(0)).expect("it has an agent");
    let (center, half) = ([499.0, 1.0, 1.5].into(), [499.0, 1.0, 0.1].into());
    nav.block(Obstacle::Box { center, half, yaw: 0.0 }).expect("a sound box");
    let [from, to] = [[0.5, 0.0, 0.5], [0.5, 0.0, 2.5]];
    assert!(nav.path(from, to).expect("a path around").length() > 1900.0);
    let separation = nav.why_not(from, to).expect("both ends are walkable");
    assert!(separation.is_connected(), "{separation}");
}

#[test]
fn a_wall_and_another_storey_come_last() {
    let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0);
    let wall = level.add("Wall", [-0.5, 0.0, -2.0], [0.5, 6.0, 2.0]).only(0.0);
    let Shortfall::Wall { thickness } = wall.shortfall else { panic!("{wall}") };
    near(thickness, 1.0, CELL);
    assert_eq!(wall.node.as_deref(), Some("Wall"));
    let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0).floor("Upper", [-6.0, 6.0], 3.0);
    let storey = level.only(3.0);
    let Shortfall::Storey { rise } = storey.shortfall else { panic!("{storey}") };
    near(rise, 3.0, FINE);
}

/// Two floors with a step between them.
fn terrace(rise: f32) -> Level {
    Level::new().floor("Ground", [-6.0, 0.0], 0.0).floor("Terrace", [0.0, 6.0], rise)
}

#[test]
fn a_step_that_no_climb_gets_over_needs_a_link() {
    let step = |rise: f32| terrace(rise).only(rise);
    assert!(!step(1.37).needs_link);
    let climber = Agent { max_climb: 1.37, ..Agent::new("human") };
    assert!(separation(&terrace(1.37).navigator_for(climber), 1.37).is_connected());
    // No agent climbs as much as it is high.
    let high = step(1.8);
    assert!(high.needs_link && matches!(high.shortfall, Shortfall::Step { .. }), "{high}");
    assert!(high.to_string().starts_with("a step of 1.80 m (max climb 0.40; it takes a link)"));
    // Nor does a body fit under a ceiling that is lifted by so much.
    let roof = |y: f32| terrace(1.5).add("Roof", [-6.0, y, -2.0], [-1.0, y + 0.2, 2.0]).only(1.5);
    assert!(roof(1.9).needs_link && !roof(3.0).needs_link);
}

#[test]
fn a_marked_obstacle_is_named() {
    let mut level =
        Level::new().floor("Ground", [-6.0, -1.0], 0.0).floor("Ground", [1.0, 6.0], 0.0);
    let (min, max) = ([-1.0, -0.2, -2.0], [1.0, 0.0, 2.0]);
    level.0.cuboid("Table", half(min, max), Placement::at(middle(min, max)).obstacle());
    let table = level.only(0.0);
    assert_eq!(table.shortfall, Shortfall::MarkedObstacle);
    assert!(table.to_string().starts_with("ground marked as an obstacle at "), "{table}");
    assert!(table.to_string().ends_with(", of \"Table\""), "{table}");
}

/// A door wider than the body, which does not fit at the center of any cell.
#[test]
fn a_passage_that_is_too_narrow_at_the_centers_of_cells_says_so() {
    let level = Level::new()
        .floor("Ground", [-6.0, 6.0], 0.0)
        .add("Left", [-0.4, 0.0, -2.0], [0.4, 5.0, -0.45])
        .add("Right", [-0.4, 0.0, 0.4], [0.4, 5.0, 2.0]);
    let wide = Agent { radius: 0.375, ledge_margin: Some(0.0), ..Agent::new("human") };
    let passage = only(separation(&level.navigator_for(wide), 0.0));
    let Shortfall::NarrowPassage { width: Some(width), body } = passage.shortfall else {
        panic!("{passage}")
    };
    near(width, 0.85, 0.001);
    assert_eq!(body, 0.75);
    let words = "a passage 0.85 m wide (body 0.75, at the centers of cells) at ";
    assert!(passage.to_string().starts_with(words), "{passage}");
}

/// Level ground with walls around it.
fn hall() -> Level {
    Level::new()
        .floor("Ground", [-6.0, 6.0], 0.0)
        .add("Wall", [-6.0, 0.0, 1.5], [6.0, 6.0, 1.8])
        .add("Wall", [-6.0, 0.0, -1.8], [6.0, 6.0, -1.5])
        .add("Wall", [-6.0, 0.0, -1.5], [-5.7, 6.0, 1.5])
        .add("Wall", [5.7, 0.0, -1.5], [6.0, 6.0, 1.5])
}

/// Walls around a hall are no way out: over them is farther than through anything thin.
#[test]
fn what_crosses_a_hall_is_named_and_no_wall_around_it() {
    for (name, thickness, height) in
        [("Kerb", 0.08, 0.47), ("Fence", 0.03, 1.0), ("Pane", 0.02, 6.0)]
    {
        // Wherever it is between the centers of cells.
        for part in 0..10 {
            let x = 0.025 * part as f32;
            let found = hall().add(name, [x, 0.0, -1.5], [x + thickness, height, 1.5]).only(0.0);
            assert_eq!(found.node.as_deref(), Some(name), "{x}: {:?}", found.shortfall);
        }
    }
}

#[test]
fn a_ledge_says_how_wide_it_has_to_be() {
    let said = [Some(0.25), Some(0.7), None]
        .map(|width| Shortfall::NarrowLedge { width, ledge_margin: 0.3 }.to_string());
    assert_eq!(said[0], "a ledge 0.25 m wide (needs 0.60, ledge margin 0.30)");
    assert_eq!(
        said[1],
        "a ledge 0.70 m wide (needs 0.60, at the centers of cells, ledge margin 0.30)"
    );
    assert_eq!(said[2], "a ledge too narrow for the ledge margin (0.30)");
}

#[test]
fn a_gap_to_higher_ground_is_named() {
    for rise in [0.5, 1.5, 2.5] {
        let level = Level::new().floor("Ground", [-6.0, -0.6], 0.0).floor("Roof", [0.6, 6.0], rise);
        let gap = level.only(rise);
        let Shortfall::Gap { width, rise: found } = gap.shortfall else { panic!("{gap}") };
        near(width, 1.2, 0.001);
        near(found, rise, FINE);
    }
}

/// More cells within the ledge margin than can be counted.
#[test]
fn a_ledge_margin_may_be_any_number_of_cells() {
    let map = "type octile\nheight 1\nwidth 3\nmap\n.W.\n";
    let wide = Agent { ledge_margin: Some(1000.0), ..Agent::new("wide") };
    let grid = NavGrid::from_map(map, 1e-20, &[wide]).expect("a sound map");
    let nav = Navigator::new(grid, AgentId(0)).expect("it has an agent");
    let separation = nav.why_not([0.5e-20; 3], [2.5e-20, 0.0, 0.5e-20]).expect("two places");
    let area = "water".to_owned();
    let is_water =
        |blocker: &Blocker| blocker.shortfall == Shortfall::Forbidden { area: area.clone() };
    assert!(separation.blockers.iter().any(is_water), "{separation}");
}

#[test]
fn several_things_come_in_order() {
    let level = Level::new()
        .floor("Ground", [-6.0, 0.0], 0.0)
        .floor("Terrace", [0.0, 6.0], 0.8)
        .add("Beam", [-3.0, 1.6, -2.0], [-2.0, 2.2, 2.0]);
    let separation = level.separation(0.8);
    let kinds: Vec<&str> =
        separation.blockers.iter().map(|blocker| blocker.shortfall.name()).collect();
    assert_eq!(kinds, ["low_ceiling", "step"], "{separation}");
    assert!(separation.to_string().contains("; then a step of 0.80 m"), "{separation}");
}

#[test]
fn ends_off_the_grid_are_refused_with_the_nearest_place() {
    let nav = Level::new().floor("Ground", [-6.0, 6.0], 0.0).navigator();
    let error = nav.why_not(WEST, [9.0, 0.0, 0.0]).unwrap_err();
    assert!(matches!(error, PathError::GoalOffGrid { nearest: Some(_) }), "{error}");
    assert!(
        error.to_string().ends_with("; the nearest point where it can is 5.75,0.00,0.00"),
        "{error}"
    );
}

#[test]
fn what_lies_above_a_floor_is_named() {
    let nav = Level::new()
        .floor("Ground", [-6.0, 6.0], 0.0)
        .add("Crate", [-1.0, 0.0, -1.0], [1.0, 1.0, 1.0])
        .add("Beam", [-5.0, 1.7, -2.0], [-4.0, 2.0, 2.0])
        .add("Carpet", [-5.0, 2.0, -2.0], [-4.0, 2.05, 2.0])
        .plaster("Plaster", [2.0, 3.0], 1.6)
        .navigator();
    let name = |x: f32| {
        let span = nav.grid().span_at([x, 0.0, 0.1], 0.1)?;
        Some(nav.grid().nodes()[nav.grid().node_above(span)?.0 as usize].as_str())
    };
    assert_eq!([0.1, -4.5, 4.0].map(name), [Some("Crate"), Some("Beam"), None]);
    // What faces down alone is nobody's floor.
    assert_eq!(name(2.5), Some("Plaster"));
}
