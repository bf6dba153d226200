//! Worlds in one `.navworld` file: their links, regions and far costs are those of one grid.

use std::collections::BTreeSet;

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::grid::{CellLayer, Link, LinkId};
use surefoot::search::{CostField, FieldQuery};
use surefoot::world::{FarJourney, TilePlace, World, WorldBudget, WorldError, WorldRegion};
use surefoot::{AgentId, Crowd, HeightCost, NavGrid, Navigator};
use surefoot_bake::scene::{LinkMarker, Placement};
use surefoot_bake::{BakeSettings, Baked, LiveBake, Scene, SceneSource, WorldSource, bake};
use surefoot_testing::{Random, human_and_goat, load, repository};
use surefoot_world::{
    PackedWorld, WorldJobs, WorldPlan, WorldRequest, WorldStore, all_seams, pack,
};

const HUMAN: AgentId = AgentId(0);
const GOAT: AgentId = AgentId(1);

/// A world that was baked in tiles and packed, and the same baked at once.
struct Packed {
    world: World,
    packed: PackedWorld,
    whole: Baked,
    _folder: tempfile::TempDir,
}

impl Packed {
    /// Packs a scene in tiles of 64 cells.
    fn new(scene: Scene, settings: BakeSettings, gate_spacing: u32) -> Self {
        let whole = bake(&scene, &settings, &()).expect("it can be baked");
        let source: Box<dyn WorldSource> = Box::new(SceneSource::new(scene).expect("a source"));
        let request =
            WorldRequest { tile_side: 64, gate_spacing, ..WorldRequest::new("level", settings) };
        let plan = WorldPlan::new(&*source, request, &()).expect("a plan");
        let store = WorldStore::in_memory();
        let jobs = WorldJobs::new(&*source, &plan, &store).expect("jobs");
        jobs.all_tiles(&()).expect("tiles");
        all_seams(&plan, &store, &()).expect("borders");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("level.navworld");
        let packed = pack(&plan, &store, &file, &()).expect("a world");
        let world = World::open(&file).expect("a world");
        Packed { world, packed, whole, _folder: folder }
    }

    /// Loads all of it as one grid.
    fn load(&self) -> NavGrid {
        let (low, high) = self.world.info().frame.bounds();
        self.world.load([low[0], low[1], high[0], high[1]]).expect("a grid")
    }
}

/// The village with links from place to place: a portal across it, one to a roof, one that ends nowhere, a wide one,
/// and one of the same name.
fn village() -> Scene {
    let mut scene = load(&repository().join("scenes/village.glb"));
    let grid = bake(&scene, &human_and_goat(2.0, true), &()).expect("it can be baked").grid;
    let (low, high) = grid.frame().bounds();
    let place = |[x, z]: [f32; 2], y: f32| {
        let [x, z] = [low[0] + x * (high[0] - low[0]), low[1] + z * (high[1] - low[1])];
        grid.nearest_walkable(HUMAN, [x, y, z], 50.0).expect("ground").1
    };
    let marker = |name: &str, [from, to]: [Point3<f32>; 2], cost: f32| {
        let (name, cost) = (name.to_owned(), Some(cost));
        LinkMarker { name, from, to, cost, two_way: true, ..LinkMarker::default() }
    };
    let far = [place([0.1, 0.1], 0.0), place([0.9, 0.9], 0.0)];
    let there = [place([0.2, 0.8], 0.0), place([0.8, 0.2], 0.0)];
    let nowhere = [far[0], far[1] + nalgebra::Vector3::y() * 90.0];
    scene.links.extend([
        marker("portal", far, 0.5),
        marker("nowhere", nowhere, 3.0),
        LinkMarker { two_way: false, ..marker("way", there, 20.0) },
        marker("way", [there[1], far[0]], 30.0).wide(9.0),
    ]);
    scene
}

/// What a link is, whatever numbers the spans of its grid have.
type LinkContent = (String, bool, Option<LinkId>, Vec<BTreeSet<[CellLayer; 2]>>);

fn contents(grid: &NavGrid) -> Vec<LinkContent> {
    let of = |link: &Link| {
        let lanes = link.lanes.iter().map(|lanes| {
            let ends = lanes.iter().map(|lane| lane.spans.map(|span| grid.cell_layer(span)));
            ends.map(|ends| ends.map(|end| end.expect("a span"))).collect()
        });
        let id = (!link.generated).then_some(link.id);
        (link.name.clone(), link.generated, id, lanes.collect())
    };
    let mut all: Vec<LinkContent> = grid.links().iter().map(of).collect();
    all.sort();
    all
}

/// Checks that a world is its whole grid, but for links without lanes.
fn check_loaded(packed: &Packed) {
    let (loaded, whole) = (packed.load(), &packed.whole.grid);
    let mut expected = contents(whole);
    expected.retain(|(_, _, _, lanes)| lanes.iter().any(|lanes| !lanes.is_empty()));
    assert_eq!(contents(&loaded), expected);
    for agent in [HUMAN, GOAT] {
        let regions = |grid: &NavGrid| -> Vec<u32> {
            grid.layers()[agent.index()].regions.iter().map(|region| region.spans).collect()
        };
        assert_eq!(regions(&loaded), regions(whole), "regions of {agent:?}");
        for span in (0..whole.spans().len() as u32).map(surefoot::SpanId) {
            let address = whole.cell_layer(span).expect("a span");
            let other = loaded.span_of(address).expect("a span");
            assert_eq!(loaded.verdict(agent, other), whole.verdict(agent, span), "{address:?}");
        }
    }
}

/// Checks that the regions of a world are those of its whole grid.
fn check_regions(packed: &Packed, agent: AgentId) {
    let (world, whole) = (&packed.world, &packed.whole.grid);
    let layer = &whole.layers()[agent.index()];
    let index = world.regions(&layer.agent.name).expect("it can be read").expect("regions");
    let sizes: Vec<u64> = index.regions.iter().map(|region| region.spans).collect();
    let expected: Vec<u64> = layer.regions.iter().map(|region| region.spans.into()).collect();
    assert_eq!(sizes, expected, "the largest first");
    assert!(index.bytes() < 100_000, "{}", index.bytes());
    // Span by span, both have the same ground in one region.
    let mut pairs = BTreeSet::new();
    for place in index.tiles.iter().map(|tile| tile.place) {
        let tile = world.tile(place).expect("it can be read").expect("a tile");
        let own = world.info().cells_of(place);
        for span in (0..own.cells()).flat_map(|at| tile.column_spans(own.cell(at))) {
            let address = tile.cell_layer(surefoot::SpanId(span)).expect("a span");
            let whole_span = whole.span_of(address).expect("a span");
            let Some(region) = tile.region(agent, surefoot::SpanId(span)) else {
                assert!(whole.region(agent, whole_span).is_none());
                continue;
            };
            let of_world = index.region_of(place, region).expect("it has cells of its own");
            let of_whole = whole.region(agent, whole_span).expect("a region");
            pairs.insert((of_world, of_whole));
            let point = whole.point(whole_span).expect("a point");
            let WorldRegion { min, max, .. } = index.regions[of_world];
            assert!((0..3).all(|axis| min[axis] <= point[axis] && point[axis] <= max[axis]));
        }
    }
    assert_eq!(pairs.len(), index.regions.len(), "each is one of the whole grid");
    for (at, region) in index.regions.iter().enumerate().take(20) {
        let found = world.region_at(&index, &layer.agent.name, region.at);
        assert_eq!(found.expect("it can be read"), Some(at), "{region:?}");
    }
}

/// Checks that seen from one of its tiles a world is the same, somewhere else.
fn check_origin(packed: &Packed, agent: &str) {
    let (world, tile) = (&packed.world, TilePlace::new(-1, 1));
    let seen = world.at_origin(tile).expect("a tile");
    let side = world.info().tile_side as f32 * world.info().frame.cell_size;
    let offset = nalgebra::Vector3::new(-side, 0.0, side);
    let moved = |point: Point3<f32>| point - offset;
    let (low, high) = seen.info().frame.bounds();
    let grid = seen.load([low[0], low[1], high[0], high[1]]).expect("a grid");
    let whole = packed.load();
    assert!(grid.spans() == whole.spans() && grid.layers() == whole.layers());
    for (link, other) in grid.links().iter().zip(whole.links()) {
        assert!(link.lanes == other.lanes && link.id == other.id);
        let apart = (link.from[0] - moved(other.from[0])).norm();
        assert!(apart < 1e-4, "{apart}");
    }
    let [routes, seen_routes] = [world, &seen].map(|world| world.far_routes(agent).expect("costs"));
    let [index, seen_index] = [world, &seen].map(|world| world.regions(agent).expect("regions"));
    let (index, seen_index) = (index.expect("regions"), seen_index.expect("regions"));
    let portal =
        whole.links().iter().find(|link| link.name == "portal").expect("a portal").middle();
    for region in index.regions.iter().take(5) {
        let [from, to] = [portal[0], region.at];
        let path = |world: &World, routes, ends: [Point3<f32>; 2]| {
            world.far_path(routes, ends[0], ends[1]).ok().map(|path| (path.cost, path.links))
        };
        let expected = path(world, &routes, [from, to]);
        assert_eq!(path(&seen, &seen_routes, [from, to].map(moved)), expected);
        let region = seen.region_at(&seen_index, agent, moved(to)).expect("it can be read");
        assert_eq!(region, world.region_at(&index, agent, to).expect("it can be read"));
    }
    let back = seen.at_origin(TilePlace::new(1, -1)).expect("a tile");
    assert_eq!(back.info(), world.info());
    assert_eq!(back.regions(agent).expect("regions"), Some(index));
}

/// Checks that far costs are the least costs of the whole grid, for pairs of places; returns how many were
/// compared.
fn check_far(packed: &Packed, agent: AgentId, pairs: usize) -> usize {
    let (world, whole) = (&packed.world, &packed.whole.grid);
    let name = &whole.layers()[agent.index()].agent.name;
    let routes = world.far_routes(name).expect("border costs");
    let nav = Navigator::new(whole.clone(), agent).expect("an agent");
    let (mut field, mut random, mut compared) = (CostField::default(), Random(11), 0);
    let mut place = || loop {
        let span = surefoot::SpanId(random.below(whole.spans().len()) as u32);
        if whole.is_walkable(agent, span) {
            break (span, whole.point(span).expect("a point"));
        }
    };
    for _ in 0..pairs {
        let ((start, from), (goal, to)) = (place(), place());
        nav.fill(&mut field, &FieldQuery::from(&[start]));
        match (field.cost(goal), world.far_path(&routes, from, to)) {
            (Some(least), Ok(far)) => {
                let ratio = far.cost / least.max(1e-3);
                assert!((ratio - 1.0).abs() < 1e-3 || least < 1.0, "{from} to {to}: {ratio}");
                compared += 1;
            }
            (None, Err(WorldError::Far(_))) => {}
            (least, far) => panic!("{from} to {to}: {least:?} and {far:?}"),
        }
    }
    compared
}

#[test]
fn packed_worlds_have_the_links_of_the_author() {
    let packed = Packed::new(village(), human_and_goat(2.0, true), 1);
    check_loaded(&packed);
    check_regions(&packed, HUMAN);
    check_regions(&packed, GOAT);
    check_origin(&packed, "human");
    let PackedWorld { links, link_problems, dropped_regions } = &packed.packed;
    assert_eq!((*links, dropped_regions.len()), (packed.world.info().links.len(), 0));
    assert_eq!(*link_problems, packed.whole.link_problems);
    assert!(link_problems.iter().any(|problem| problem.link == "nowhere"));
    assert!(check_far(&packed, HUMAN, 60) > 30);
    assert!(check_far(&packed, GOAT, 60) > 30);
    // A path from one end of the portal to the other takes it.
    let portal = &packed.whole.grid.links().iter().find(|link| link.name == "portal");
    let [from, to] = portal.expect("a portal").middle();
    let routes = packed.world.far_routes("human").expect("border costs");
    let far = packed.world.far_path(&routes, from, to).expect("a path");
    let &[link] = &far.links[..] else { panic!("{far:?}") };
    let ends = [far.gates[link], far.gates[link + 1]];
    assert!((ends[0] - from).norm() < 2.0 && (ends[1] - to).norm() < 2.0, "{ends:?}");
    // A window has those whose ends are both loaded.
    let has_portal = |rect: [f32; 4]| {
        let grid = packed.world.load(rect).expect("a grid");
        grid.links().iter().any(|link| link.name == "portal")
    };
    assert!(!has_portal([from.x - 9.0, from.z - 9.0, from.x + 9.0, from.z + 9.0]));
    assert!(has_portal([from.x, from.z, to.x, to.z]));
}

#[test]
fn a_link_more_changes_borders_only_where_it_leads() {
    let plan = |scene: Scene| {
        let source: Box<dyn WorldSource> = Box::new(SceneSource::new(scene).expect("a source"));
        let request = WorldRequest::new("level", human_and_goat(2.0, true));
        let request = WorldRequest { tile_side: 64, ..request };
        WorldPlan::new(&*source, request, &()).expect("a plan")
    };
    let mut scene = village();
    let before = plan(scene.clone());
    let portal = scene.links.iter().find(|link| link.name == "portal").expect("a portal").clone();
    scene.links.push(LinkMarker { name: "another".to_owned(), ..portal });
    let after = plan(scene);
    assert_eq!(before.tiles, after.tiles, "tiles are baked without links");
    assert_ne!(before.id(), after.id());
    let borders = |plan: &WorldPlan| -> Vec<String> {
        (0..plan.tiles.len()).map(|at| plan.borders_file(at).expect("a tile")).collect()
    };
    let changed = borders(&before).iter().zip(borders(&after)).filter(|(a, b)| *a != b).count();
    assert!((2..=8).contains(&changed) && changed < before.tiles.len(), "{changed}");
}

#[test]
fn packed_worlds_have_no_small_regions() {
    let settings = BakeSettings { min_region_area: 150.0, ..human_and_goat(1.6, true) };
    let packed = Packed::new(village(), settings, 1);
    assert_eq!(packed.packed.dropped_regions, packed.whole.dropped_regions);
    assert!(packed.packed.dropped_regions.iter().all(|dropped| dropped.regions > 0));
    assert_eq!(packed.packed.link_problems, packed.whole.link_problems);
    check_loaded(&packed);
    check_regions(&packed, HUMAN);
    check_regions(&packed, GOAT);
    assert!(check_far(&packed, HUMAN, 25) > 10);
    assert!(check_far(&packed, GOAT, 25) > 10);
}

/// The village with blocks around a place, a cellar under it that gives floors other layers, and a new gap to be
/// jumped.
fn built_on(scene: &Scene, place: Point3<f32>) -> Scene {
    let mut live = LiveBake::new(scene.clone(), &human_and_goat(2.0, true), &()).expect("a level");
    let mut parts = live.builder();
    let at = |x: f32, y: f32, z: f32| Placement::at([place.x + x, place.y + y, place.z + z]);
    parts.cuboid("cellar", [8.0, 1.0, 8.0], at(0.0, -20.0, 0.0));
    parts.cuboid("wall", [1.0, 6.0, 30.0], at(12.0, 0.0, 10.0));
    parts.cuboid("pier", [6.0, 2.0, 30.0], at(25.0, 0.5, 5.0));
    parts.cuboid("another", [6.0, 2.0, 30.0], at(34.0, 0.5, 5.0));
    live.add(parts).expect("parts");
    live.scene().expect("a scene")
}

#[test]
fn far_paths_follow_tiles_that_change() {
    // In the order in which a level has its links.
    let level = LiveBake::new(village(), &human_and_goat(2.0, true), &()).expect("a level");
    let scene = level.scene().expect("a scene");
    let portal = scene.links.iter().find(|link| link.name == "portal").expect("a portal").clone();
    let after = built_on(&scene, portal.from);
    let settings = || human_and_goat(2.0, true);
    let mut packed = Packed::new(scene, settings(), 1);
    let before = ["human", "goat"].map(|name| packed.world.far_routes(name).expect("border costs"));
    let changed = Packed::new(after, settings(), 1);
    let places: Vec<TilePlace> = {
        let index = packed.world.regions("human").expect("it can be read").expect("regions");
        let differs = |place: &TilePlace| {
            let tile = |world: &World| world.tile(*place).expect("it can be read");
            tile(&packed.world) != tile(&changed.world)
        };
        index.tiles.iter().map(|tile| tile.place).filter(differs).collect()
    };
    assert_eq!(packed.world.info().frame, changed.world.info().frame);
    let tile = |&place: &TilePlace| (place, changed.world.tile(place).expect("it can be read"));
    packed.world.set_tiles(places.iter().map(tile)).expect("tiles of the world");
    assert_eq!(packed.world.info().links, changed.world.info().links, "they stay on their floors");
    for (name, mut routes) in ["human", "goat"].into_iter().zip(before) {
        let expected = changed.world.far_routes(name).expect("border costs");
        let computed = packed.world.update_far_routes(&mut routes).expect("routes");
        let tiles = packed.world.tiles().expect("a file") as usize;
        assert!((places.len()..tiles).contains(&computed), "{computed} of {tiles}");
        assert_eq!(packed.world.update_far_routes(&mut routes).expect("routes"), 0);
        let anew = packed.world.far_routes(name).expect("border costs");
        for tile in packed.world.regions(name).expect("it can be read").expect("regions").tiles {
            let min = packed.world.info().cells_of(tile.place).min;
            assert!(routes.border(min) == expected.border(min), "{name}: tile {}", tile.place);
            assert!(anew.border(min) == expected.border(min), "{name}: tile {}", tile.place);
        }
        assert_eq!((routes.gates(), routes.bytes()), (expected.gates(), expected.bytes()));
    }
    let Packed { world, packed, _folder, .. } = packed;
    let there = Packed { world, packed, whole: changed.whole, _folder };
    assert!(check_far(&there, HUMAN, 40) > 20);
    assert!(check_far(&there, GOAT, 40) > 20);
    // As in the file again.
    let Packed { mut world, .. } = there;
    let file = world.another();
    let old = |&place: &TilePlace| (place, None);
    world.set_tiles(places.iter().map(old)).expect("tiles of the world");
    assert!(file.tile(places[0]).expect("it can be read").is_some());
    let without = world.far_routes("human").expect("border costs");
    let min = world.info().cells_of(places[0]).min;
    assert!(without.border(min).is_none() && file.info().links != world.info().links);
}

#[test]
fn members_walk_far_paths_goal_by_goal() {
    let mut packed = Packed::new(village(), human_and_goat(1.0, false), 8);
    let whole = packed.whole.grid.clone();
    let world = &mut packed.world;
    let routes = world.far_routes("human").expect("border costs");
    let place =
        |x: f32, z: f32| whole.nearest_walkable(HUMAN, [x, 8.0, z], 40.0).expect("ground").1;
    // Side by side through the village; the last one by the portal, which leads out of the window.
    let ends = [-100.0, 0.0, 90.0].map(|x| [place(x, -110.0), place(-x, 112.0)]);
    let portal =
        whole.links().iter().find(|link| link.name == "portal").expect("a portal").middle();
    let ends = [&ends[..], &[portal]].concat();
    for [from, to] in ends {
        let far = world.far_path(&routes, from, to).expect("a far path");
        let mut journey = FarJourney::new(&far, to);
        world.set_budget(WorldBudget { bytes: 1 << 20, ..WorldBudget::default() });
        world.set_interest(&[from]).expect("a point");
        let grid = world.wait().or_else(|| world.grid().cloned()).expect("ground");
        let mut crowd = Crowd::new(grid, HeightCost::default());
        let settings =
            FollowSettings { speed: 8.0, acceleration: 20.0, ..FollowSettings::default() };
        let id = crowd.add("human", from, settings.clone()).expect("ground");
        let (mut goals, mut jumps) = (0, 0);
        for _ in 0..6000 {
            let member = crowd.member(id).expect("it is never lost");
            let (at, rests) = (member.position(), member.state().is_at_rest());
            if journey.is_last() && rests {
                break;
            }
            world.set_interest(&[at]).expect("a point");
            if let Some(grid) = world.wait() {
                assert_eq!(crowd.set_grid(&grid), Ok(vec![]));
            }
            if let Some(goal) = journey.next_goal(&*world, at) {
                crowd.set_goal(id, goal).expect("a member");
                goals += 1;
            }
            if let Some(end) = journey.link_ahead().filter(|_| rests && goals > 0) {
                // No window has both ends.
                world.set_interest(&[end]).expect("a point");
                let grid = world.wait().expect("the other end");
                crowd = Crowd::new(grid, HeightCost::default());
                assert_eq!(crowd.add("human", end, settings.clone()).expect("ground"), id);
                jumps += 1;
            }
            crowd.step(1.0 / 20.0);
        }
        let member = crowd.member(id).expect("it is never lost");
        assert_eq!(
            member.state(),
            FollowState::Arrived,
            "{from} to {to}, at {}",
            member.position()
        );
        assert!((member.position() - to).norm() < 1.0 && goals > 0);
        assert_eq!(jumps, far.links.len(), "{goals} goals");
        assert!(world.loaded().count() < world.tiles().expect("a file") as usize);
    }
}
