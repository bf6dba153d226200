//! Links as far paths take them: by the addresses of their ends.

use crate::grid::{AgentId, Cell, CellLayer, GridTile, Link};

use super::border::BorderRules;
use crate::cost::CostModel;

/// A lane of a link, for one agent, by the addresses of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarLink {
    /// Where it starts and where it ends.
    pub ends: [CellLayer; 2],
    /// What it costs from its start to its end, and from its end to its start [metres-equivalent]; infinite if
    /// it does not lead there.
    pub costs: [f32; 2],
}

impl FarLink {
    /// Returns lanes of a link that far paths take, given all lanes by the addresses of their ends. A wide link
    /// has as many gates as an opening of its width: of `spacing` lanes side by side that lead from one tile to
    /// one other, that in the middle. `tile_side` is the side of all tiles [cells, > 0].
    pub fn of(
        link: &Link,
        lanes: &[[CellLayer; 2]],
        tile_side: u32,
        rules: &BorderRules,
    ) -> Vec<FarLink> {
        let cost = rules.model.link_cost(link);
        let back = if link.is_reversible() { cost } else { f32::INFINITY };
        let side = i64::from(tile_side.max(1));
        let tile = |cell: Cell| [cell.x, cell.z].map(|v| i64::from(v).div_euclid(side));
        let tiles = |ends: &[CellLayer; 2]| ends.map(|end| tile(end.cell));
        let alike = lanes.chunk_by(|one, next| tiles(one) == tiles(next));
        let stretches = alike.flat_map(|alike| alike.chunks(rules.spacing.max(1) as usize));
        let middles = stretches.map(|stretch| stretch[stretch.len() / 2]);
        middles.map(|ends| FarLink { ends, costs: [cost, back] }).collect()
    }

    /// Returns the links of a tile's grid for an agent: those with an end on cells that are not its own. The others
    /// are on the way between its gates, see [`TileBorder::find`](super::TileBorder::find).
    pub fn leaving(
        tile: &GridTile,
        agent: AgentId,
        tile_side: u32,
        rules: &BorderRules,
    ) -> Vec<FarLink> {
        let links = tile.grid.links().iter();
        let of_link = |link| {
            let lanes = link_lanes(tile, agent, link);
            let leaves =
                |ends: &[CellLayer; 2]| ends.iter().any(|end| tile.own.index(end.cell).is_none());
            let leaving: Vec<_> = lanes.into_iter().filter(leaves).collect();
            FarLink::of(link, &leaving, tile_side, rules)
        };
        links.flat_map(of_link).collect()
    }
}

fn link_lanes(tile: &GridTile, agent: AgentId, link: &Link) -> Vec<[CellLayer; 2]> {
    let address = |span| tile.grid.cell_layer(span);
    let lanes = link.lanes_of(agent.index()).iter();
    lanes.filter_map(|lane| Some([address(lane.spans[0])?, address(lane.spans[1])?])).collect()
}
