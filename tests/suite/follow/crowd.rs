//! Crowds on real ground: never off it, never into each other, the same on any number of threads.

use surefoot::cost::HeightCost;
use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::search::{CostField, FieldQuery};
use surefoot::view::View;
use surefoot::{AgentId, NavGrid, SpanId};
use surefoot_bake::{BakeSettings, bake};

use surefoot_testing::{Random, agent, data_folder, load, own_scenes};

const HUMAN: AgentId = AgentId(0);
const DT: f32 = 1.0 / 30.0;
const RADIUS: f32 = 0.3;

/// A scene in cells of 0.25 m for a small and a large body.
fn grid(path: &std::path::Path) -> NavGrid {
    let agents = vec![agent("human", RADIUS, 1.8), agent("large", 0.6, 2.4)];
    let settings = BakeSettings { agents, cell_size: Some(0.25), ..BakeSettings::default() };
    bake(&load(path), &settings, &()).expect("it bakes").grid
}

/// The spans of an agent's largest region.
fn ground(grid: &NavGrid, agent: AgentId) -> Vec<SpanId> {
    let view = View::new(grid, agent).expect("an agent");
    let all = (0..grid.spans().len() as u32).map(SpanId).filter(|&span| view.is_walkable(span));
    let mut regions = std::collections::BTreeMap::<_, Vec<SpanId>>::new();
    for span in all {
        regions.entry(grid.region(agent, span)).or_default().push(span);
    }
    regions.into_values().max_by_key(Vec::len).expect("ground")
}

/// Adds members that start apart from each other at random places; fewer if there is no room.
fn gather(crowd: &mut Crowd, agent: AgentId, count: usize, random: &mut Random) {
    let grid = crowd.grid().clone();
    let spans = ground(&grid, agent);
    for _ in 0..20 * count {
        let place = grid.point(spans[random.below(spans.len())]).expect("a span");
        let is_free = crowd.members().all(|other| (other.position() - place).norm() > 1.0);
        if is_free && crowd.len() < count {
            crowd.add(agent, place, FollowSettings::default()).expect("ground");
        }
    }
}

/// A place that a member can walk to, at most 20 m off.
fn goal_near(crowd: &Crowd, id: MemberId, field: &mut CostField, seed: u64) -> [f32; 3] {
    let member = crowd.member(id).expect("a member");
    let view = crowd.view(member.agent()).expect("an agent");
    let sources = [member.span().expect("on the ground")];
    let query =
        FieldQuery { circle: Some((member.position(), 15.0)), ..FieldQuery::from(&sources) };
    field.fill(view, &HeightCost::default(), &query);
    field.random_place(view, seed).expect("its own place at least").point.into()
}

/// What is watched of one member.
#[derive(Clone, Copy)]
struct Watch {
    /// When it got its goal [s].
    since: f32,
    /// Where it was last seen to have moved half a metre, and when.
    anchor: ([f32; 3], f32),
}

/// A thousand on a real level for a minute, each from goal to goal within 15 m: nearly all goals
/// are reached within half a minute. Eight runs from other seeds reached 98.9 of 100 on average, and
/// 98.7 in the worst; this one reaches 98.8.
#[test]
fn a_thousand_walk_for_a_minute_and_nothing_goes_wrong() {
    let Some(data) = data_folder() else { return };
    let grid = grid(&data.join("scenes/dungeon.gltf"));
    let [reached, failed] = a_minute_of_a_thousand(&grid, 17);
    assert!(reached > 7_000, "only {reached} goals were reached");
    assert!(40 * failed <= reached + failed, "{reached} goals reached in time, {failed} not");
}

/// How many goals are reached within half a minute, and how many are not.
fn a_minute_of_a_thousand(grid: &NavGrid, seed: u64) -> [usize; 2] {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let mut random = Random(seed);
    gather(&mut crowd, HUMAN, 1000, &mut random);
    assert_eq!(crowd.len(), 1000);
    let ids: Vec<MemberId> = crowd.members().map(|member| member.id()).collect();
    let mut field = CostField::default();
    let mut watches = Vec::new();
    for &id in &ids {
        let goal = goal_near(&crowd, id, &mut field, random.next());
        crowd.set_goal(id, goal).expect("a member");
        let at = crowd.member(id).expect("a member").position().into();
        watches.push(Watch { since: 0.0, anchor: (at, 0.0) });
    }
    let (mut reached, mut late) = (0, 0);
    let mut overlapping = std::collections::BTreeMap::new();
    for step in 1..=1800 {
        let time = step as f32 * DT;
        crowd.step(DT);
        overlapping = overlaps(&crowd, &overlapping);
        let longest = overlapping.values().copied().fold(0.0, f32::max);
        assert!(longest <= 0.2 + DT, "{time} s: two overlap for {longest} s");
        for (watch, &id) in watches.iter_mut().zip(&ids) {
            let state = look_at(&crowd, id, watch, time);
            if state.is_at_rest() && time - watch.since > 0.5 {
                reached += 1;
                late += usize::from(time - watch.since > 30.0);
                watch.since = time;
                let goal = goal_near(&crowd, id, &mut field, random.next());
                crowd.set_goal(id, goal).expect("a member");
            }
        }
    }
    // A goal that has not been reached after half a minute is missed.
    let missed = watches.iter().filter(|watch| 60.0 - watch.since > 30.0).count();
    println!("seed {seed}: {reached} goals reached, {late} of them late, {missed} missed");
    [reached - late, late + missed]
}

/// Holds one member against the grid, found from its position alone.
fn look_at(crowd: &Crowd, id: MemberId, watch: &mut Watch, time: f32) -> FollowState {
    let grid = crowd.grid();
    let member = crowd.member(id).expect("a member");
    let at = member.position();
    assert!(at.iter().all(|v| v.is_finite()), "{time} s: {at}");
    if let Some(span) = member.span() {
        let cell = grid.column_at(at).expect("inside the grid");
        assert!(grid.column_spans(cell).contains(&span.0), "{time} s: {at} is beside its span");
        assert!(grid.is_walkable(member.agent(), span), "{time} s: {at} is off");
        let height = grid.ground_height(at.x, at.z, span).expect("ground");
        assert!((height - at.y).abs() < 1e-3, "{time} s: {at} is not on its storey");
    }
    let moved: f32 = (0..3).map(|axis| (at[axis] - watch.anchor.0[axis]).powi(2)).sum();
    let state = member.state();
    if moved > 0.25 || state != FollowState::Following {
        watch.anchor = (at.into(), time);
    }
    let still = time - watch.anchor.1;
    assert!(still < 5.0, "{time} s: {at} stands for {still} s and reports nothing");
    state
}

/// How long pairs have been deeper in each other than a twentieth of a radius [s].
fn overlaps(
    crowd: &Crowd,
    before: &std::collections::BTreeMap<(usize, usize), f32>,
) -> std::collections::BTreeMap<(usize, usize), f32> {
    let places: Vec<[f32; 3]> = crowd.members().map(|member| member.position().into()).collect();
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a][0].total_cmp(&places[b][0]));
    let mut now = std::collections::BTreeMap::new();
    for (at, &one) in order.iter().enumerate() {
        let near = |&&other: &&usize| places[other][0] - places[one][0] < 2.0 * RADIUS;
        for &other in order[at + 1..].iter().take_while(near) {
            let [x, y, z] = [0, 1, 2].map(|axis| places[other][axis] - places[one][axis]);
            let deep = x.hypot(z) < (2.0 - 0.05) * RADIUS && y.abs() < 1.8;
            if deep {
                let pair = (one.min(other), one.max(other));
                now.insert(pair, before.get(&pair).copied().unwrap_or(0.0) + DT);
            }
        }
    }
    now
}

/// The same motion to the last bit.
#[test]
fn a_thousand_steps_are_the_same_on_any_number_of_threads() {
    let pillars = own_scenes().into_iter().find(|path| path.ends_with("pillars.gltf"));
    let grid = grid(&pillars.expect("scenes/pillars.gltf"));
    let hashes = [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| hash_of_run(&grid))
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
}

fn hash_of_run(grid: &NavGrid) -> u64 {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let mut random = Random(3);
    // More than a thread takes at once.
    gather(&mut crowd, AgentId(1), 20, &mut random);
    let spans = ground(grid, HUMAN);
    for at in 0..300 {
        let place = grid.point(spans[at * spans.len() / 300]).expect("a span");
        crowd.add(HUMAN, place, FollowSettings::default()).expect("ground");
    }
    let ids: Vec<(MemberId, AgentId)> =
        crowd.members().map(|member| (member.id(), member.agent())).collect();
    for (id, _) in ids {
        let goal = grid.point(spans[random.below(spans.len())]).expect("a span");
        crowd.set_goal(id, goal).expect("a member");
    }
    for _ in 0..1000 {
        crowd.step(DT);
    }
    let bits = crowd.members().flat_map(|member| {
        let (at, velocity) = (member.position(), member.velocity());
        [at.x, at.y, at.z, velocity.x, velocity.z, member.facing()].map(f32::to_bits)
    });
    bits.fold(0, |hash: u64, bits| hash.wrapping_mul(0x100_0000_01B3) ^ u64::from(bits))
}

/// Members under a bridge or a floor ignore those above.
#[test]
fn members_on_another_storey_do_not_count() {
    let path = own_scenes().into_iter().find(|path| path.ends_with("bridge.glb"));
    let grid = grid(&path.expect("scenes/bridge.glb"));
    // Places with two floors over each other.
    let frame = grid.frame();
    let spans = (0..frame.cells()).map(|at| frame.cell(at)).filter_map(|cell| {
        let open: Vec<SpanId> = grid
            .column_spans(cell)
            .map(SpanId)
            .filter(|&span| grid.is_walkable(HUMAN, span))
            .collect();
        (open.len() > 1).then(|| [open[0], open[1]])
    });
    let [below, above] = spans.collect::<Vec<_>>().pop().expect("a bridge over a path");
    let points = [below, above].map(|span| grid.point(span).expect("a span"));
    let alone = passes(&grid, points[0], None);
    let under = passes(&grid, points[0], Some(points[1]));
    assert_eq!(alone, under);
}

/// Walks through a place and back, maybe with another member above. Returns the track.
fn passes(
    grid: &NavGrid,
    place: nalgebra::Point3<f32>,
    above: Option<nalgebra::Point3<f32>>,
) -> Vec<[f32; 3]> {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let mut field = CostField::default();
    let id = crowd.add(HUMAN, place, FollowSettings::default()).expect("ground");
    if let Some(above) = above {
        crowd.add(HUMAN, above, FollowSettings::default()).expect("ground");
    }
    let goal = goal_near(&crowd, id, &mut field, 5);
    crowd.set_goal(id, goal).expect("a member");
    let mut track = Vec::new();
    for step in 0..600 {
        if step == 300 {
            crowd.set_goal(id, place).expect("a member");
        }
        crowd.step(DT);
        track.push(crowd.member(id).expect("a member").position().into());
    }
    track
}
