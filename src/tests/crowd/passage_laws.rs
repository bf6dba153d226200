//! Laws of the passages that members look ahead for.

use crate::agent::Agent;
use crate::crowd::passage::wide_for;
use crate::grid::{AgentId, NavGrid, SpanId};
use crate::tests::search::random::Random;
use crate::view::{NavPoint, View};

const SIDE: usize = 40;
const CELL: f32 = 0.25;

/// Open ground with some blocks on it.
fn blocks(random: &mut Random) -> NavGrid {
    let mut rows = vec![vec![b'.'; SIDE]; SIDE];
    for _ in 0..1 + random.below(6) {
        let [x, z] = [0; 2].map(|_| random.below(SIDE - 4));
        let [width, depth] = [0; 2].map(|_| 1 + random.below(4));
        rows[z..z + depth].iter_mut().for_each(|row| row[x..x + width].fill(b'@'));
    }
    let rows: Vec<&str> =
        rows.iter().map(|row| str::from_utf8(row).expect("dots and blocks")).collect();
    let map = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&map, CELL, &[Agent::new("human")]).expect("a sound map")
}

/// Where ground counts as wide for some way, there is room for two bodies as far as that in every direction:
/// no passage is overlooked.
#[test]
fn nothing_is_narrow_where_ground_is_wide() {
    let mut looked_at = 0;
    for seed in 0..200 {
        let mut random = Random(seed);
        let grid = blocks(&mut random);
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        let parts = view.parts();
        let agent = parts.agent();
        for _ in 0..50 {
            let span = SpanId(random.below(grid.spans().len()) as u32);
            let from = NavPoint::center(&parts, span).point;
            let [x, z] = [0; 2].map(|_| random.between(-0.5, 0.5) * CELL);
            let turn = random.between(0.0, 6.3);
            let wide = wide_for(&parts, span);
            for step in (0..20).filter(|_| wide > 0.0) {
                let along = wide * step as f32 / 20.0;
                let at = [from.x + x + along * turn.cos(), 0.0, from.z + z + along * turn.sin()];
                let here = grid.span_at(at, agent.height);
                let clearance = here.and_then(|span| grid.clearance(AgentId(0), span));
                assert!(
                    clearance.is_some_and(|clearance| clearance >= agent.radius),
                    "seed {seed}: {clearance:?} m at {at:?}, {along} m of {wide} from {from}"
                );
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 5_000, "only {looked_at} places");
}
