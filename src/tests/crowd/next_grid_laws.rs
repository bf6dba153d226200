//! Crowds that go on to another grid of the same ground.

use nalgebra::Point3;

use crate::agent::Agent;
use crate::cost::HeightCost;
use crate::crowd::Crowd;
use crate::follow::FollowState;
use crate::grid::{Cell, GridFrame, NavGrid, SpanId};
use crate::tests::crowd::gatherings::settings;
use crate::tests::search::cases::cases;
use crate::tests::search::random_grids::AGENT;

const DT: f32 = 1.0 / 30.0;

/// The same bytes in other memory.
fn copy(grid: &NavGrid) -> NavGrid {
    let copy = NavGrid::new(grid.parts().clone()).expect("sound parts");
    assert!(copy == *grid && copy.number() != grid.number());
    copy
}

/// Where everybody is, to the bit.
fn bits(crowd: &Crowd) -> Vec<[u32; 3]> {
    let bits = |at: Point3<f32>| [at.x, at.y, at.z].map(f32::to_bits);
    crowd.members().map(|member| bits(member.position())).collect()
}

/// On any ground, with links, jams and goals out of reach: a crowd that is given an equal grid again and again
/// moves as one that is not, to the last bit.
#[test]
fn an_equal_grid_changes_nothing() {
    let mut on_links = 0;
    for mut case in cases(0..60) {
        let count = 1 + case.random.below(12);
        let trips: Vec<[SpanId; 2]> = (0..count).map(|_| [case.span(), case.span()]).collect();
        let [mut stays, mut goes_on] = [0; 2].map(|_| {
            let mut crowd = Crowd::new(case.grid.clone(), HeightCost::default());
            for ends in &trips {
                let [start, goal] = ends.map(|span| case.grid.point(span).expect("a span"));
                let id = crowd.add(AGENT, start, settings()).expect("ground");
                crowd.set_goal(id, goal).expect("a member");
            }
            crowd
        });
        for step in 0..300 {
            if step % 13 == 5 {
                let state = |crowd: &Crowd| -> Vec<FollowState> {
                    crowd.members().map(|member| member.state()).collect()
                };
                let (before, waiting) = (state(&goes_on), goes_on.waiting());
                assert_eq!(goes_on.set_grid(&copy(&case.grid)), Ok(Vec::new()));
                assert_eq!((state(&goes_on), goes_on.waiting()), (before, waiting));
            }
            stays.step(DT);
            goes_on.step(DT);
            assert_eq!(bits(&stays), bits(&goes_on), "seed {}, step {step}", case.seed);
            on_links += goes_on.members().filter(|own| own.traversal().is_some()).count();
        }
    }
    assert!(on_links > 100, "{on_links}");
}

/// A yard with pillars, and a passage in the middle that is too narrow for two. It may have more cells around it,
/// and an island there: spans are numbered otherwise then.
fn yard(more: u32) -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 120, size_z: 60 };
    let frame = frame.grown(more);
    let heights: Vec<f32> = (0..frame.cells()).map(|at| height(frame.cell(at))).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("heights")
}

fn height(Cell { x, z }: Cell) -> f32 {
    let is_yard = (2..118).contains(&x) && (2..58).contains(&z);
    let is_wall = (58..64).contains(&x) && !(30..32).contains(&z);
    let is_pillar = x % 17 < 3 && z % 13 < 3;
    let is_island = x < -20 && z < -20;
    let is_floor = is_island || is_yard && !is_wall && !is_pillar;
    if is_floor { 0.3 * (x as f32 * 0.05).sin() } else { f32::NAN }
}

/// Members of both sides meet in the passages, and the grids that they go on to have other numbers for the same
/// spans.
#[test]
fn other_numbers_of_the_same_spans_change_nothing() {
    let grids = [yard(0), yard(40), yard(64)];
    assert!(grids[0].spans().len() + 300 < grids[1].spans().len());
    let crowd = || {
        let mut crowd = Crowd::new(grids[0].clone(), HeightCost::default());
        for at in 0..40 {
            let (side, row, column) = (at % 2, at / 2 % 5, at / 10);
            let x = if side == 0 { 2.0 + column as f32 } else { 28.0 - column as f32 };
            let from = [x, 0.0, 3.0 + 2.0 * row as f32];
            let id = crowd.add("human", from, settings()).expect("ground");
            crowd.set_goal(id, [30.0 - x, 0.0, from[2]]).expect("a member");
        }
        crowd
    };
    let [mut stays, mut goes_on] = [crowd(), crowd()];
    let mut making_way = 0;
    for step in 0..1800 {
        if step % 7 == 3 {
            assert_eq!(goes_on.set_grid(&grids[step / 7 % 3]), Ok(Vec::new()));
        }
        stays.step(DT);
        goes_on.step(DT);
        assert_eq!(bits(&stays), bits(&goes_on), "step {step}");
        let states = goes_on.members().map(|member| member.state());
        making_way += states.filter(|state| *state == FollowState::MakingWay).count();
    }
    let states: Vec<FollowState> = goes_on.members().map(|own| own.state()).collect();
    let arrived = states.iter().filter(|state| **state == FollowState::Arrived).count();
    assert!(arrived > 10 && making_way > 100, "{making_way}: {states:?}");
}
