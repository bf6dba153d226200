//! Laws of neighbors: the nearest are found, whatever squares they are on.

use crate::crowd::avoidance::{Disc, MOST_NEIGHBORS};
use crate::crowd::duty::Role;
use crate::crowd::neighbors::{CrowdBody, Neighborhood};
use crate::grid::AgentId;
use crate::tests::search::random::Random;

fn body(index: u32, random: &mut Random, width: f32) -> CrowdBody {
    let feet = random.pick(&[0.0, 0.1, 3.0]);
    CrowdBody {
        disc: Disc {
            center: [0; 2].map(|_| random.between(-width, width)),
            velocity: [0.0; 2],
            radius: random.pick(&[0.3, 0.3, 0.6]),
        },
        heights: [feet, feet + 1.8],
        desired: [0.0; 2],
        index,
        agent: AgentId(0),
        role: Role::None,
        spread: 0.0,
        priority: 0,
        held_up: 0.0,
        is_at_rest: false,
        is_fixed: false,
        is_in_link_line: false,
        passage: None,
    }
}

#[test]
fn the_nearest_on_the_same_storey_are_found() {
    let mut random = Random(5);
    for case in 0..300 {
        let width = random.pick(&[2.0, 10.0, 30.0, 5000.0]);
        let count = random.below(200) as u32;
        let list: Vec<Option<CrowdBody>> = (0..count)
            .map(|index| (index % 7 != 3).then(|| body(index, &mut random, width)))
            .collect();
        let bodies: Vec<CrowdBody> = list.iter().flatten().copied().collect();
        let mut neighborhood = Neighborhood::default();
        neighborhood.fill(&list);
        for (index, body) in list.iter().enumerate() {
            let found = neighborhood.slot_of(index).map(|slot| neighborhood.bodies()[slot]);
            assert_eq!(found, *body);
        }
        assert_eq!(neighborhood.bodies().len(), bodies.len());
        let range = random.between(0.0, 20.0);
        for own in &bodies {
            let mut expected: Vec<(f32, u32)> = bodies
                .iter()
                .filter(|other| other.index != own.index)
                .filter(|other| (other.heights[0] - own.heights[0]).abs() < 1.8)
                .map(|other| {
                    let [x, z] = [0, 1].map(|axis| other.disc.center[axis] - own.disc.center[axis]);
                    let most = range + own.disc.radius + other.disc.radius;
                    (x * x + z * z, other.index, most)
                })
                .filter(|(off, _, most)| *off <= most * most)
                .map(|(off, index, _)| (off, index))
                .collect();
            expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            expected.truncate(MOST_NEIGHBORS);
            let nearest = neighborhood.nearest(own, range);
            let found: Vec<u32> =
                nearest.slots().map(|slot| neighborhood.bodies()[slot].index).collect();
            let expected: Vec<u32> = expected.iter().map(|(_, index)| *index).collect();
            assert_eq!(found, expected, "case {case}, body {}", own.index);
        }
    }
}
