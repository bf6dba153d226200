//! Which neighboring floors are joined.

use super::*;

/// Treads of solid stone, each 1.3 m deep along x, risers as given.
fn stairs(site: &Site, riser: f64) -> SceneBuilder {
    let tread = |i: f64| site.block([DEPTH * i, -1.0, 0.0], [DEPTH * 4.0, riser * i, 4.0]);
    scene(&[(
        "stairs",
        (0..4).map(|i| tread(f64::from(i))).reduce(surefoot_testing::with).unwrap(),
    )])
}

const DEPTH: f64 = 1.313;

/// The walkable regions on the tread of a height.
fn regions_at(result: &Result, agent: usize, y: f64) -> Vec<RegionId> {
    let id = AgentId(agent as u16);
    let spots = result.spots_at(y);
    let mut found: Vec<_> = spots.iter().filter_map(|s| result.grid.region(id, s.id)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn risers_as_high_as_the_climb_are_climbed() {
    for site in Site::all() {
        let agents = Agent::default_set();
        for (agent, body) in agents.iter().enumerate() {
            let riser = f64::from(body.max_climb);
            let result = site.result(stairs(&site, riser), &agents);
            for tread in 0..4 {
                let regions = regions_at(&result, agent, riser * f64::from(tread));
                assert_eq!(regions, [RegionId(0)], "{site:?}: {} on tread {tread}", body.name);
            }
        }
    }
}

#[test]
fn risers_a_centimetre_higher_are_not() {
    for site in Site::all() {
        let agents = bold_agents();
        for (agent, body) in agents.iter().enumerate() {
            let riser = f64::from(body.max_climb) + 0.01;
            let result = site.result(stairs(&site, riser), &agents);
            let mut regions: Vec<_> =
                (0..4).flat_map(|i| regions_at(&result, agent, riser * f64::from(i))).collect();
            regions.sort_unstable();
            regions.dedup();
            assert_eq!(regions.len(), 4, "{site:?}: {}", body.name);
        }
    }
}

fn thin(radius: f32) -> Agent {
    Agent { ledge_margin: Some(0.0), ..surefoot_testing::agent("thin", radius, 1.0) }
}

#[test]
fn a_wall_between_the_centers_cuts_the_steps() {
    for site in Site::near() {
        let border = site.border_after(2.5);
        let wall = site.block([border - 0.005, -0.1, -0.5], [border + 0.005, 2.0, 2.6]);
        let parts = [("ground", site.floor([0.0, 0.0, 5.0, 5.0], 0.0)), ("wall", wall)];
        let result = site.result(scene(&parts), &[thin(0.03)]);
        let spots = result.spots_at(0.0);
        assert!(spots.iter().all(|spot| result.verdict(0, spot) == Verdict::Walkable));
        let mut cut = 0;
        for spot in &spots {
            for dir in Dir::ALL {
                let Some(next) = result.column(spot.cell.neighbor(dir)).into_iter().next() else {
                    continue;
                };
                let crosses = (spot.x < border) != (next.x < border);
                // A diagonal needs both detours around its corner, so both ends count.
                let beside = spot.z.min(next.z) - 2.6;
                let joined = result.step(0, spot, dir).is_some();
                if !crosses || (beside - 0.03).abs() > 1e-3 {
                    let expected = !crosses || beside > 0.03;
                    assert_eq!(joined, expected, "{site:?} {spot:?} {dir:?}");
                }
                cut += usize::from(crosses && !joined);
            }
        }
        assert!(cut > 0);
        assert!(result.joins(0, [1.0, 0.0, 1.0], [4.0, 0.0, 1.0]), "around the end of the wall");
    }
}

#[test]
fn no_diagonal_passes_a_corner() {
    for site in Site::all() {
        // Two blocks that touch at a corner of cells, and stand clear of the centers beside it.
        let [x, z] = [site.border_after(2.5), {
            let turned = Site { origin: [site.origin[1], site.origin[0]], ..site };
            turned.border_after(2.5)
        }];
        let size = f64::from(site.cell);
        let near = site.block([x - size, 0.0, z - size], [x, 2.0, z]);
        let far = site.block([x, 0.0, z], [x + size, 2.0, z + size]);
        let parts =
            [("ground", site.floor([0.0, 0.0, 5.0, 5.0], 0.0)), ("near", near), ("far", far)];
        let result = site.result(scene(&parts), &[thin(0.02)]);
        let left = result.spot([x - 0.5 * size, 0.0, z + 0.5 * size]);
        let right = result.spot([x + 0.5 * size, 0.0, z - 0.5 * size]);
        for spot in [&left, &right] {
            assert_eq!(result.verdict(0, spot), Verdict::Walkable, "{site:?}");
        }
        let [up, down] = [Dir::ALL[7], Dir::ALL[3]];
        assert!(result.step(0, &left, up).is_none() && result.step(0, &right, down).is_none());
        assert!(result.joins(0, [1.0, 0.0, 1.0], [4.0, 0.0, 4.0]));
    }
}

#[test]
fn a_diagonal_has_both_ways_round_its_corner() {
    for site in Site::all() {
        let block = site.block([2.1, -1.0, 2.2], [3.4, 0.6, 3.7]);
        let result = site.result(
            scene(&[("ground", site.floor([0.0, 0.0, 5.0, 5.0], 0.0)), ("block", block)]),
            &[Agent::new("human")],
        );
        for spot in result.spots() {
            for dir in Dir::DIAGONAL {
                let Some(across) = result.step(0, &spot, dir) else { continue };
                for [first, second] in [[7, 1], [1, 7]] {
                    let mid = result.step(0, &spot, dir.turned(first));
                    let end = mid.and_then(|mid| result.step(0, &mid, dir.turned(second)));
                    assert_eq!(end.map(|end| end.id), Some(across.id), "{site:?} {spot:?}");
                }
            }
            for dir in Dir::ALL {
                if let Some(to) = result.step(0, &spot, dir) {
                    let back = result.step(0, &to, dir.opposite());
                    assert_eq!(back.map(|back| back.id), Some(spot.id), "{site:?} {spot:?}");
                }
            }
        }
    }
}
