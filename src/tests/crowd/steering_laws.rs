//! Laws of steering: what a body does about its neighbors.

use nalgebra::Point3;

use crate::Agent;
use crate::cost::model::HeightCost;
use crate::crowd::Crowd;
use crate::crowd::avoidance::Disc;
use crate::crowd::duty::Role;
use crate::crowd::neighbors::{CrowdBody, Neighborhood};
use crate::crowd::right_of_way::RightOfWay;
use crate::crowd::settings::CrowdSettings;
use crate::crowd::steering::SteeringContext;
use crate::follow::norm;
use crate::grid::{AgentId, Cell, GridFrame, NavGrid};
use crate::tests::crowd::gatherings::settings;

const DT: f32 = 1.0 / 30.0;
const START: [f32; 2] = [2.0, 2.5];

fn body(index: u32, center: [f32; 2], held_up: f32) -> CrowdBody {
    CrowdBody {
        disc: Disc { center, velocity: [0.0; 2], radius: 0.3 },
        heights: [0.0, 1.8],
        desired: [0.0; 2],
        index,
        agent: AgentId(0),
        role: Role::None,
        spread: 0.0,
        priority: 128,
        held_up,
        is_at_rest: held_up == 0.0,
        is_fixed: false,
        is_in_link_line: false,
        passage: None,
    }
}

/// The turn to the right of a member that wants to go along x and has been held up for a time [s], with another
/// at rest at an offset [rad].
fn turn(held_up: f32, offset: [f32; 2]) -> f32 {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 40, size_z: 20 };
    let ground = NavGrid::from_heights(frame, &[0.0; 800], &[Agent::new("human")]);
    let mut crowd = Crowd::new(ground.expect("a level"), HeightCost::default());
    let [start, goal] = [START[0], 9.0].map(|x| Point3::new(x, 0.0, START[1]));
    let id = crowd.add(AgentId(0), start, settings()).expect("ground");
    crowd.set_goal(id, goal).expect("a member");
    (0..3).for_each(|_| crowd.step(DT));
    let member = crowd.member(id).expect("a member");
    let desired = member.desired.velocity;
    assert!(desired.x > 0.1 && desired.z.abs() < 1e-3, "it wants to go along x: {desired}");
    let desired = [desired.x, desired.z];
    let own = CrowdBody { desired, ..body(0, START, held_up) };
    let other = body(1, [0, 1].map(|axis| START[axis] + offset[axis]), 0.0);
    let mut neighborhood = Neighborhood::default();
    neighborhood.fill(&[Some(own), Some(other)]);
    let context = SteeringContext {
        view: &crowd.view(AgentId(0)).expect("an agent").parts(),
        neighborhood: &neighborhood,
        settings: &CrowdSettings::default(),
        right_of_way: &RightOfWay::at(0.0),
        dt: DT,
    };
    let [x, z] = context.decide(member, &own).velocity;
    assert!(norm([x, z]) > 0.1, "it goes on");
    z.atan2(x)
}

/// Who is held up turns aside more and more, but not because of those who rest and are not in its way: it would go
/// round and round instead of to where it wants.
#[test]
fn who_is_held_up_does_not_turn_because_of_those_who_rest_elsewhere() {
    let in_front = [0.65, 0.1];
    assert!(turn(9.0, in_front).abs() > 0.4, "{} rad", turn(9.0, in_front));
    assert!(turn(30.0, in_front).abs() > 1.0, "{} rad", turn(30.0, in_front));
    for elsewhere in [[0.0, 0.65], [0.3, -0.7], [-0.65, 0.0], [2.0, 0.0]] {
        let turn = turn(30.0, elsewhere);
        assert!(turn.abs() < 0.1, "{turn} rad with another at {elsewhere:?}");
    }
}
