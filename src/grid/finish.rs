//! The last stage of making a layer: from verdicts and connections to clearance and regions.

use super::clearance::measure_clearance;
use super::frame::GridFrame;
use super::parts::{AgentLayer, GridError};
use super::regions::find_regions;
use super::span::AgentId;
use crate::level::{Link, SpanId};
use crate::parallel::both;

/// Computes clearance and regions of a layer whose verdicts and connections are final, and sorts its
/// far connections. `two_way` holds the spans that two-way links join for this agent, see
/// [`two_way_ends`]. Layers do not depend on each other, so callers may finish them in parallel.
/// O(spans).
///
/// # Errors
/// More regions than can be numbered.
pub fn finish_layer(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &mut AgentLayer,
) -> Result<(), GridError> {
    layer.far_connections.sort_unstable();
    let connected = &*layer;
    let (clearance, regions) = both(
        || measure_clearance(frame, first, connected, frame),
        || find_regions(frame, first, two_way, connected),
    );
    let regions = regions?;
    let of_spans = clearance.into_iter().zip(regions.of_spans());
    for (standing, (clearance, region)) in layer.standings.iter_mut().zip(of_spans) {
        if standing.is_walkable() {
            standing.set_clearance(clearance);
            standing.set_region(region);
        }
    }
    layer.regions = regions.regions;
    Ok(())
}

/// The spans that two-way links join for one agent.
pub fn two_way_ends(links: &[Link], agent: AgentId) -> Vec<[SpanId; 2]> {
    let two_way = links.iter().filter(|link| link.is_reversible());
    two_way.flat_map(|link| link.lanes_of(agent.index())).map(|lane| lane.spans).collect()
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::agent::Agent;
    use crate::grid::build::bare_parts;
    use crate::grid::connections::{ConnectionWriter, SpanLayer};
    use crate::grid::{
        Cell, Dir, FarConnection, GridParts, Link, LinkKind, LinkLane, Measures, NavGrid, RegionId,
        Rooms, Span, Standing, Verdict,
    };

    const AGENT: AgentId = AgentId(0);

    /// A grid of one row; each column lists the heights of its floors. Neighbors of the same
    /// height are joined along the row.
    fn row(columns: &[&[i32]], links: Vec<Link>) -> Result<NavGrid, GridError> {
        let size_x = columns.len() as u32;
        let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x, size_z: 1 };
        let mut parts = GridParts { links, ..bare_parts(frame) };
        for floors in columns {
            let span = |&y: &i32| Span::new(y as f32, y as f32 + 2.5, Vector3::y());
            parts.spans.extend(floors.iter().map(span));
            parts.first.push(parts.spans.len() as u32);
        }
        let mut layer = AgentLayer {
            agent: Agent::new("human"),
            standings: vec![Standing::WALKABLE; parts.spans.len()],
            far_connections: Vec::new(),
            regions: Vec::new(),
            rooms: Rooms::default(),
            measures: Measures::default(),
            order: None,
        };
        let mut writer = ConnectionWriter::default();
        for (x, pair) in columns.windows(2).enumerate() {
            for (low, y) in (0..).zip(pair[0]) {
                let Some(high) = pair[1].iter().position(|other| other == y) else { continue };
                let address = |column: usize, layer| SpanLayer {
                    span: SpanId(parts.first[column] + layer),
                    layer,
                };
                let (from, to) = (address(x, low), address(x + 1, high as u32));
                let (east, west) = (Dir::STRAIGHT[0], Dir::STRAIGHT[2]);
                writer.write(&mut layer.standings[to.span.index()], west, [to, from]);
                writer.write(&mut layer.standings[from.span.index()], east, [from, to]);
            }
        }
        layer.far_connections = writer.far_connections;
        let two_way = two_way_ends(&parts.links, AGENT);
        finish_layer(&parts.frame, &parts.first, &two_way, &mut layer)?;
        parts.layers.push(layer);
        NavGrid::new(parts)
    }

    fn regions(grid: &NavGrid) -> Vec<u32> {
        let standings = grid.layers()[0].standings.iter();
        standings.map(|standing| standing.region().map_or(99, |region| region.0)).collect()
    }

    fn link(kind: LinkKind, two_way: bool, ends: [u32; 2]) -> Link {
        let points = [[0.0; 3].into(); 2];
        Link { two_way, lanes: vec![lanes(ends)], ..Link::new(kind.name(), kind, points) }
    }

    fn lanes(ends: [u32; 2]) -> Vec<LinkLane> {
        vec![LinkLane::new(ends.map(SpanId))]
    }

    #[test]
    fn floors_above_each_other_stay_apart() {
        let grid = row(&[&[0, 3], &[0, 3], &[0], &[0, 3]], vec![]).expect("sound parts");
        assert_eq!(regions(&grid), [0, 1, 0, 1, 0, 0, 2]);
        assert_eq!(grid.neighbor(AGENT, SpanId(1), Dir::ALL[0]), Some(SpanId(3)));
        assert_eq!(grid.layer_of(SpanId(3)), Some(1));
        assert_eq!(grid.clearance(AGENT, SpanId(3)), Some(0.5));
    }

    /// Column 0 is a tower of 20 floors; the only floor of column 1 joins the topmost.
    fn tower() -> NavGrid {
        let floors: Vec<i32> = (0..20).map(|floor| floor * 3).collect();
        row(&[&floors, &[57], &[57]], vec![]).expect("sound parts")
    }

    #[test]
    fn connections_over_many_layers_are_found() {
        let grid = tower();
        let far = &grid.layers()[0].far_connections;
        let (east, west) = (Dir::STRAIGHT[0], Dir::STRAIGHT[2]);
        assert_eq!(far[0], FarConnection { from: SpanId(19), dir: east, to: SpanId(20) });
        assert_eq!(far[1], FarConnection { from: SpanId(20), dir: west, to: SpanId(19) });
        assert_eq!(grid.neighbor(AGENT, SpanId(19), east), Some(SpanId(20)));
        assert_eq!(grid.neighbor(AGENT, SpanId(20), west), Some(SpanId(19)));
        assert_eq!(grid.region(AGENT, SpanId(19)), grid.region(AGENT, SpanId(21)));
        assert_eq!(grid.layers()[0].regions.len(), 20);
        let bytes = grid.to_bytes().expect("it can be written");
        assert_eq!(NavGrid::from_bytes(&bytes).expect("it loads"), grid);
    }

    #[test]
    fn orders_know_far_connections() {
        use crate::grid::{RouteOrder, RouteSupernode};
        let order = |children| RouteOrder {
            spans: (0..22).map(SpanId).collect(),
            supernodes: vec![
                RouteSupernode { children: 0, spans: 20 },
                RouteSupernode { children, spans: 2 },
            ],
        };
        let error = tower().with_order(AGENT, order(0)).expect_err("span 20 lies beyond");
        assert!(error.problem.starts_with("a connection joins spans 19 and 20"), "{error}");
        tower().with_order(AGENT, order(1)).expect("a sound order");
    }

    #[test]
    fn spoiled_far_connections_are_refused() {
        let check = |expected: &str, spoil: &dyn Fn(&mut Vec<FarConnection>)| {
            let mut parts = tower().into_parts();
            spoil(&mut parts.layers[0].far_connections);
            let error = NavGrid::new(parts).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("out of order", &|far| far.swap(0, 1));
        check("does not exist", &|far| far[0].to = SpanId(22));
        check("leads to no span", &|far| far[0].to = SpanId(21));
        check("does not come back", &|far| far[1].to = SpanId(3));
        check("leads to no span", &|far| far.truncate(0));
        check("2 in use", &|far| far.push(FarConnection { from: SpanId(21), ..far[1] }));
    }

    #[test]
    fn two_way_links_join_regions_and_drops_lead_down() {
        let columns: [&[i32]; 5] = [&[0], &[3], &[6], &[9], &[9]];
        let links = vec![
            link(LinkKind::Ladder, true, [1, 2]),
            link(LinkKind::Drop, true, [3, 1]),
            link(LinkKind::Jump, false, [2, 0]),
        ];
        let grid = row(&columns, links).expect("sound parts");
        assert_eq!(regions(&grid), [2, 0, 0, 1, 1]);
        let reaches = |from, to| grid.region_reaches(AGENT, RegionId(from), RegionId(to));
        assert!(reaches(1, 0) && reaches(0, 2) && reaches(1, 2) && reaches(2, 2));
        assert!(!reaches(0, 1) && !reaches(2, 0) && !reaches(2, 1));
    }

    #[test]
    fn links_are_held_to_the_spans_they_join() {
        let columns: [&[i32]; 2] = [&[0], &[3]];
        let check = |expected: &str, spoil: &dyn Fn(&mut GridParts)| {
            let grid = row(&columns, vec![link(LinkKind::Jump, true, [0, 1])]);
            let mut parts = grid.expect("sound parts").into_parts();
            spoil(&mut parts);
            let error = NavGrid::new(parts).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("its end", &|parts| parts.links[0].lanes = vec![lanes([0, 7])]);
        check("lanes for 0 agents", &|parts| parts.links[0].lanes.clear());
        check("is not >= 0", &|parts| parts.links[0].cost = f32::NAN);
        check("not a finite point", &|parts| parts.links[0].to[1].y = f32::INFINITY);
        check("for 2 components", &|parts| parts.links.clear());
        check("has connections or clearance", &|parts| {
            let mut blocked = Standing::new(Verdict::Ledge);
            blocked.set_clearance(4);
            parts.links.clear();
            parts.layers[0].standings[0] = blocked;
        });
    }

    #[test]
    fn a_rise_too_high_bounds_clearance_and_region() {
        let grid = row(&[&[0], &[0], &[0], &[1], &[1], &[1]], vec![]).expect("sound parts");
        let clearance: Vec<_> = (0..6).map(|id| grid.clearance(AGENT, SpanId(id))).collect();
        assert_eq!(clearance, [Some(0.5); 6]);
        assert_eq!(regions(&grid), [0, 0, 0, 1, 1, 1]);
    }
}
