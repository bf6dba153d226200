//! Laws of the right of way.

use crate::crowd::avoidance::Disc;
use crate::crowd::duty::Role;
use crate::crowd::neighbors::CrowdBody;
use crate::crowd::right_of_way::RightOfWay;
use crate::grid::AgentId;
use crate::tests::search::random::Random;

fn body(index: u32, random: &mut Random) -> CrowdBody {
    CrowdBody {
        disc: Disc { center: [0.0; 2], velocity: [0.0; 2], radius: 0.3 },
        heights: [0.0, 1.8],
        desired: [0; 2].map(|_| random.between(-3.0, 3.0)),
        index,
        agent: AgentId(0),
        role: Role::None,
        spread: 0.0,
        priority: random.pick(&[100, 128]),
        held_up: random.pick(&[0.0, 0.5, 5.0]),
        is_at_rest: false,
        is_fixed: false,
        is_in_link_line: false,
        passage: None,
    }
}

/// The shares of two bodies add up to 1, and a higher priority counts before all else.
#[test]
fn shares_add_up_to_one() {
    let mut random = Random(4);
    let mut one_sided = 0;
    for at in 0..1000 {
        let [one, other] = [0, 1].map(|index| body(index, &mut random));
        let right_of_way = RightOfWay::at(f64::from(at));
        let shares = [right_of_way.share(&one, &other), right_of_way.share(&other, &one)];
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-6, "{shares:?}");
        match one.priority.cmp(&other.priority) {
            std::cmp::Ordering::Less => assert_eq!(shares[0], 1.0),
            std::cmp::Ordering::Greater => assert_eq!(shares[0], 0.0),
            std::cmp::Ordering::Equal if one.held_up.max(other.held_up) == 0.0 => {
                assert_eq!(shares[0], 0.5);
            }
            std::cmp::Ordering::Equal => one_sided += u32::from((shares[0] - 0.5).abs() > 0.2),
        }
    }
    assert!(one_sided > 50, "only {one_sided} had the right of way");
}

/// Of two bodies that stand against each other, each has the right of way before long.
#[test]
fn nobody_gives_way_forever() {
    let mut random = Random(8);
    for _ in 0..200 {
        let own = CrowdBody { priority: 128, held_up: 9.0, ..body(0, &mut random) };
        let other = CrowdBody { desired: own.desired.map(|v| -v), index: 1, ..own };
        let shares: Vec<f32> =
            (0..60).map(|time| RightOfWay::at(f64::from(time)).share(&own, &other)).collect();
        assert!(shares.iter().any(|&share| share < 0.25), "{:?}: {shares:?}", own.desired);
        assert!(shares.iter().any(|&share| share > 0.75), "{:?}: {shares:?}", own.desired);
    }
}
