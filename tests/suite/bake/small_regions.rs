//! Regions that are smaller than a bake was set to keep.

use surefoot::grid::LinkKind;
use surefoot::{Agent, AgentId, NavGrid, SpanId, Verdict};
use surefoot_bake::scene::{LinkMarker, Placement, SceneBuilder};
use surefoot_bake::{BakeError, BakeSettings, Baked, DroppedRegions, bake};

const HUMAN: AgentId = AgentId(0);

fn settings(min_region_area: f32) -> BakeSettings {
    let agent = Agent { ledge_margin: Some(0.0), ..surefoot_testing::agent("human", 0.3, 1.8) };
    let bold = Agent { name: "climber".to_owned(), max_climb: 1.2, ..agent.clone() };
    let agents = vec![agent, bold];
    BakeSettings { cell_size: Some(0.25), agents, min_region_area, ..BakeSettings::default() }
}

/// A floor of 8 m by 8 m, a crate of 1 m by 2 m by 1 m on it, and a plateau of 3 m by 3 m beside it.
fn yard() -> SceneBuilder {
    let mut builder = SceneBuilder::new("yard");
    builder.cuboid("floor", [4.0, 0.1, 4.0], Placement::at([0.0, -0.1, 0.0]));
    builder.cuboid("crate", [0.5, 0.5, 1.0], Placement::at([0.0, 0.5, 0.0]));
    builder.cuboid("plateau", [1.5, 1.5, 1.5], Placement::at([8.0, 1.5, 0.0]));
    builder
}

fn link(name: &str, ends: [[f32; 3]; 2], two_way: bool) -> LinkMarker {
    let [from, to] = ends.map(Into::into);
    LinkMarker {
        name: name.to_owned(),
        from,
        to,
        two_way,
        cost: None,
        kind: LinkKind::Jump,
        ..LinkMarker::default()
    }
}

fn baked(builder: &SceneBuilder, min_region_area: f32) -> Baked {
    let scene = builder.clone().build().expect("a sound yard");
    bake(&scene, &settings(min_region_area), &()).expect("it bakes")
}

fn verdict(grid: &NavGrid, point: [f32; 3]) -> Option<Verdict> {
    grid.verdict(HUMAN, grid.span_at(point, 0.1).expect("a floor"))
}

const ON_FLOOR: [f32; 3] = [3.0, 0.0, 3.0];
const ON_CRATE: [f32; 3] = [0.1, 1.0, 0.1];
const ON_PLATEAU: [f32; 3] = [8.1, 3.0, 0.1];

#[test]
fn regions_below_the_area_are_dropped_for_each_agent() {
    let plain = baked(&yard(), 0.0);
    assert_eq!(plain.dropped_regions, []);
    assert_eq!(verdict(&plain.grid, ON_CRATE), Some(Verdict::Walkable));
    let spans = |baked: &Baked, agent: usize| {
        let layer = &baked.grid.layers()[agent];
        layer.regions.iter().map(|region| region.spans as usize).collect::<Vec<_>>()
    };
    let [floor, plateau, top] = spans(&plain, 0)[..] else { panic!("{:?}", spans(&plain, 0)) };
    let area = |spans: usize| spans as f32 * 0.0625;
    for (min_area, kept) in [(area(top), 3), (area(top) + 0.01, 2), (area(plateau) + 0.1, 1)] {
        let result = baked(&yard(), min_area);
        assert_eq!(spans(&result, 0), [floor, plateau, top][..kept], "{min_area}");
        let lost = DroppedRegions {
            agent: "human".to_owned(),
            regions: 3 - kept,
            spans: [floor, plateau, top][kept..].iter().sum(),
        };
        assert_eq!(result.dropped_regions[0], lost);
        let expected = if kept < 3 { Verdict::SmallRegion } else { Verdict::Walkable };
        assert_eq!(verdict(&result.grid, ON_CRATE), Some(expected));
        assert_eq!(verdict(&result.grid, ON_FLOOR), Some(Verdict::Walkable));
        let small = result.grid.summary().agents[0].verdicts.small_region;
        assert_eq!(small, lost.spans);
        // The climber steps onto the crate.
        assert_eq!(result.dropped_regions[1].regions, usize::from(kept < 2));
        let crate_top = result.grid.span_at(ON_CRATE, 0.1).expect("a floor");
        assert_eq!(result.grid.verdict(AgentId(1), crate_top), Some(Verdict::Walkable));
    }
    // All of it: nothing is left to stand on.
    let nothing = baked(&yard(), 1e9);
    assert!(nothing.grid.layers().iter().all(|layer| layer.regions.is_empty()));
}

/// What is kept stays as it was, to the last bit.
#[test]
fn what_is_kept_does_not_change() {
    let mut builder = yard();
    // Beside the crate, so that bodies have less room on it.
    builder.cuboid("wall", [0.05, 1.5, 1.0], Placement::at([0.8, 1.5, 0.0]));
    let (plain, dropped) = (baked(&builder, 0.0).grid, baked(&builder, 3.0).grid);
    for (one, other) in plain.layers().iter().zip(dropped.layers()) {
        for (id, (one, other)) in (0..).zip(one.standings.iter().zip(&other.standings)) {
            assert!(other == one || other.verdict() == Verdict::SmallRegion, "span {id}");
        }
        let mut rooms = other.rooms.entries();
        assert!(rooms.all(|room| other.standings[room.span.index()].is_walkable()));
    }
    let rooms = |grid: &NavGrid| grid.layers()[0].rooms.len();
    assert!(rooms(&dropped) < rooms(&plain), "what is dropped needs no rooms");
    let bytes = dropped.to_bytes().expect("it can be written");
    assert_eq!(NavGrid::from_bytes(&bytes).expect("it loads"), dropped);
}

#[test]
fn two_way_links_join_and_one_way_links_lead_nowhere() {
    let mut joined = yard();
    joined.link(link("stairs", [[2.0, 0.0, 0.0], [0.3, 1.0, 0.6]], true));
    let result = baked(&joined, 3.0);
    assert_eq!(verdict(&result.grid, ON_CRATE), Some(Verdict::Walkable), "a link joins it");
    assert_eq!((result.link_problems, result.dropped_regions[0].regions), (vec![], 0));

    let mut one_way = yard();
    one_way.link(link("hop", [[2.0, 0.0, 0.0], [0.3, 1.0, 0.6]], false));
    one_way.link(link("leap", [[3.8, 0.0, 0.0], [6.8, 3.0, 0.0]], false));
    let result = baked(&one_way, 3.0);
    assert_eq!(verdict(&result.grid, ON_CRATE), Some(Verdict::SmallRegion));
    assert_eq!(verdict(&result.grid, ON_PLATEAU), Some(Verdict::Walkable));
    let [problem] = &result.link_problems[..] else { panic!("{:?}", result.link_problems) };
    assert_eq!((problem.link.as_str(), problem.agent.as_str()), ("hop", "human"));
    assert!(problem.problem.contains("dropped for being too small"), "{}", problem.problem);
    for (at, link) in result.grid.links().iter().enumerate() {
        let can_take = link.lanes.iter().map(|lanes| !lanes.is_empty()).collect::<Vec<_>>();
        let expected = if link.name == "hop" { [false, true] } else { [true, true] };
        assert_eq!(can_take, expected, "link {at}");
    }
}

#[test]
fn dropped_ground_is_no_place_to_go() {
    let grid = baked(&yard(), 3.0).grid;
    let top = grid.span_at(ON_CRATE, 0.1).expect("a floor");
    assert!(surefoot::grid::Dir::ALL.iter().all(|&dir| grid.neighbor(HUMAN, top, dir).is_none()));
    assert_eq!(grid.region(HUMAN, top), None);
    let near = grid.nearest_walkable(HUMAN, ON_CRATE, 2.0).map(|(_, point)| point.y);
    assert_eq!(near, Some(0.0));
    let spans = 0..grid.spans().len() as u32;
    let targets = spans.flat_map(|span| {
        let neighbors = surefoot::grid::Dir::ALL.map(|dir| grid.neighbor(HUMAN, SpanId(span), dir));
        neighbors.into_iter().flatten()
    });
    assert!(targets.into_iter().all(|to| grid.is_walkable(HUMAN, to)));
}

/// Links that the bake generates join regions as others do, and are gone with what they lead to.
#[test]
fn generated_links_count_as_links() {
    let bake_for = |agent: Agent| {
        let agents = vec![Agent { ledge_margin: Some(0.0), ..agent }];
        let settings = BakeSettings { agents, ..settings(3.0) };
        let scene = yard().build().expect("a sound yard");
        bake(&scene, &settings, &()).expect("it bakes")
    };
    let human = surefoot_testing::agent("human", 0.3, 1.8);
    let jumper = bake_for(Agent { jump_up: 1.2, drop: 1.2, ..human.clone() });
    assert!(jumper.grid.links().iter().any(|link| link.is_reversible()), "up and down again");
    assert_eq!(verdict(&jumper.grid, ON_CRATE), Some(Verdict::Walkable));
    let faller = bake_for(Agent { drop: 1.2, ..human });
    assert_eq!(verdict(&faller.grid, ON_CRATE), Some(Verdict::SmallRegion));
    assert_eq!(faller.grid.links(), [], "nothing leads from where nobody is");
    assert_eq!(faller.link_problems, []);
}

/// What keeps the agent off the crate and the plateau is named, dropped or not.
#[test]
fn why_not_looks_past_dropped_ground() {
    let mut builder = SceneBuilder::new("crossing");
    builder.cuboid("west", [2.0, 0.1, 1.0], Placement::at([-2.5, -0.1, 0.0]));
    // A step up, a crumb of 1 m by 2 m, and a step down.
    builder.cuboid("block", [0.5, 0.5, 1.0], Placement::at([0.0, 0.5, 0.0]));
    builder.cuboid("east", [2.0, 0.1, 1.0], Placement::at([2.5, -0.1, 0.0]));
    for min_area in [0.0, 3.0] {
        let grid = baked(&builder, min_area).grid;
        let navigator = surefoot::Navigator::new(grid, "human").expect("a human");
        let separation = navigator.why_not([-2.5, 0.0, 0.1], [2.5, 0.0, 0.1]).expect("both ends");
        let kinds: Vec<_> =
            separation.blockers.iter().map(|blocker| blocker.shortfall.name()).collect();
        assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == "step"), "{kinds:?}");
    }
}

#[test]
fn areas_out_of_range_are_refused() {
    let scene = yard().build().expect("a sound yard");
    for area in [-1.0, f32::NAN, f32::INFINITY] {
        let error = bake(&scene, &settings(area), &()).expect_err("no area");
        assert!(matches!(error, BakeError::MinRegionArea(_)), "{error}");
    }
}
