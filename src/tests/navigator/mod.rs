//! The laws of the navigator: filters, changes while it is at work, updates of prepared routes.

mod change_laws;
mod filter_laws;
mod start_laws;
mod update_laws;
mod wall_laws;

use crate::agent::Agent;
use crate::cost::CostModel;
use crate::grid::{AgentId, Cell, GridFrame, NavGrid};
use crate::path::PathSearch;
use crate::search::Query;
use crate::tests::search::cases::run;
use crate::view::{Obstacle, View};

pub(crate) const WALKER: AgentId = AgentId(0);
pub(crate) const SIDE: u32 = 160;
const CELL: f32 = 0.5;

/// Hills with walls every 20 m, each with a door of 2 m: at one end, then at the other. Pricing all
/// of it is more than routes are updated by at once.
pub(crate) fn hills() -> NavGrid {
    let frame = GridFrame { cell_size: CELL, min: Cell::new(0, 0), size_x: SIDE, size_z: SIDE };
    let height = |at: u32| {
        let (x, z) = (at % SIDE, at / SIDE);
        let is_wall = x % 40 == 39 && if x / 40 % 2 == 0 { z >= 4 } else { z < SIDE - 4 };
        let hill = (x as f32 / 15.0).sin() * 1.5 + (z as f32 / 19.0).cos();
        if is_wall { f32::NAN } else { hill }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    let walker = Agent { radius: 0.2, ledge_margin: Some(0.0), ..Agent::new("walker") };
    NavGrid::from_heights(frame, &heights, &[walker]).expect("sound heights")
}

/// A place in the hills, given in cells.
pub(crate) fn place([x, z]: [u32; 2]) -> [f32; 3] {
    [(x as f32 + 0.5) * CELL, 0.0, (z as f32 + 0.5) * CELL]
}

/// A query between two places in the hills.
pub(crate) fn query(from: [u32; 2], to: [u32; 2]) -> Query {
    Query { vertical_tolerance: Some(9.0), ..Query::new(place(from), place(to)) }
}

/// The cost of the cheapest corridor, searched for.
pub(crate) fn searched<M: CostModel>(view: &View, model: &M, query: &Query) -> f32 {
    run(&mut PathSearch::default(), (view, model), query).cost()
}

/// What closes half of the first door.
pub(crate) fn half_door() -> Obstacle {
    let (center, half) = ([19.75, 1.0, 1.7].into(), [0.4, 5.0, 0.4].into());
    Obstacle::Box { center, half, yaw: 0.0 }
}
