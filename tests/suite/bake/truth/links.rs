//! Off-mesh connections, brought to the ground.

use super::*;
use nalgebra::Point3;
use surefoot::grid::{Link, LinkKind};
use surefoot_bake::scene::LinkMarker;

/// Two islands 4 m apart, and links between them.
fn islands(site: &Site, links: &[LinkMarker]) -> Baked {
    let island = |x: f64| site.floor([x, 0.0, x + 4.0, 4.0], 1.0);
    let mut builder = scene(&[("west", island(0.0)), ("east", island(8.0))]);
    for link in links {
        builder.link(link.clone());
    }
    site.bake(builder, &Agent::default_set())
}

/// From the middle of the west island to the middle of the east one.
fn marker(site: &Site, kind: LinkKind, two_way: bool) -> LinkMarker {
    let (from, to) = (site.at([2.0, 1.0, 2.0]).into(), site.at([10.0, 1.0, 2.0]).into());
    LinkMarker {
        name: "link".to_owned(),
        from,
        to,
        two_way,
        cost: None,
        kind,
        ..LinkMarker::default()
    }
}

fn regions(grid: &NavGrid, link: &Link, agent: u16) -> [RegionId; 2] {
    let [lane] = link.lanes_of(usize::from(agent)) else { panic!("the agent can take it") };
    lane.spans.map(|end| grid.region(AgentId(agent), end).expect("its ends are walkable"))
}

#[test]
fn a_two_way_link_joins_regions() {
    for site in Site::all() {
        let Baked { grid, link_problems, .. } =
            islands(&site, &[marker(&site, LinkKind::Door, true)]);
        assert!(link_problems.is_empty(), "{link_problems:?}");
        for agent in 0..3u16 {
            assert_eq!(grid.layers()[usize::from(agent)].regions.len(), 1);
            assert_eq!(regions(&grid, &grid.links()[0], agent), [RegionId(0); 2]);
        }
        assert!((grid.links()[0].cost - 8.0).abs() < 2e-3, "the cost is the length");
    }
}

#[test]
fn a_one_way_link_leads_one_way() {
    for site in Site::all() {
        for (kind, two_way) in [(LinkKind::Jump, false), (LinkKind::Drop, true)] {
            let link = LinkMarker { cost: Some(3.5), ..marker(&site, kind, two_way) };
            let Baked { grid, link_problems, .. } = islands(&site, &[link]);
            assert!(link_problems.is_empty());
            let link = &grid.links()[0];
            assert_eq!((link.cost, link.two_way, link.kind), (3.5, false, kind));
            for agent in 0..3u16 {
                let [from, to] = regions(&grid, link, agent);
                assert_ne!(from, to);
                assert!(grid.region_reaches(AgentId(agent), from, to));
                assert!(!grid.region_reaches(AgentId(agent), to, from));
            }
        }
    }
}

#[test]
fn ends_are_brought_to_the_nearest_ground() {
    for site in Site::all() {
        // 0.7 m off the edge of the west island, and over the middle of the east one.
        let (from, to) = ([4.7, 1.0, 2.0], [10.0, 1.9, 2.0]);
        let link = LinkMarker {
            from: site.at(from).into(),
            to: site.at(to).into(),
            ..marker(&site, LinkKind::Jump, true)
        };
        let Baked { grid, link_problems, .. } = islands(&site, std::slice::from_ref(&link));
        assert_eq!(grid.links()[0].from, [link.from; 2], "the marker itself is kept");
        for (agent, layer) in grid.layers().iter().enumerate() {
            let reach = layer.agent.radius + 1.0;
            let [lane] = grid.links()[0].lanes_of(agent) else {
                // The margin, up to a cell more, and the 0.7 m are too much for its reach.
                let least = 0.7 + layer.agent.ledge_margin();
                assert!(least + site.cell > reach, "{site:?} {agent}");
                assert!(link_problems.iter().any(|p| p.agent == layer.agent.name));
                continue;
            };
            for (end, marked) in lane.spans.into_iter().zip([link.from, link.to]) {
                let ground = grid.point(end).unwrap();
                let cell = f64::from(site.cell) as f32;
                assert!((ground - marked).norm() < reach + cell, "{site:?} {ground} {marked}");
                assert!(grid.is_walkable(AgentId(agent as u16), end));
            }
        }
    }
}

#[test]
fn a_wide_link_has_a_lane_for_every_cell() {
    for site in Site::all() {
        let [from, to] = [[3.0, 1.0, 2.0], [9.0, 1.0, 2.0]].map(|at| Point3::from(site.at(at)));
        let across = Point3::from(site.at([3.0, 1.0, 3.0])) - from;
        let plain = LinkMarker { from, to, ..marker(&site, LinkKind::Jump, true) };
        let wide = LinkMarker { across, user_data: "[1]".to_owned(), ..plain.clone() };
        let free = LinkMarker { name: "free".to_owned(), capacity: Some(0), ..wide.clone() };
        let door = LinkMarker { kind: LinkKind::Door, name: "door".to_owned(), ..wide.clone() };
        let Baked { grid, link_problems, .. } = islands(&site, &[plain, wide, free, door]);
        assert!(link_problems.is_empty(), "{link_problems:?}");
        let [door, free, plain, wide] = [
            grid.links().iter().find(|link| link.name == "door").expect("the door"),
            grid.links().iter().find(|link| link.name == "free").expect("the free one"),
            grid.links().iter().find(|link| !link.is_wide()).expect("the plain one"),
            grid.links().iter().find(|link| link.name == "link" && link.is_wide()).expect("it"),
        ];
        assert_eq!((plain.capacity, free.capacity, door.capacity), (1, 0, 0));
        assert!(wide.capacity >= 1 && wide.user_data == "[1]" && plain.user_data.is_empty());
        for agent in 0..3 {
            let lanes = wide.lanes_of(agent);
            let cells = (1.0 / site.cell).round() as usize;
            assert!((cells - 1..=cells + 1).contains(&lanes.len()), "{site:?}: {}", lanes.len());
            assert_eq!(plain.lanes_of(agent).len(), 1);
            let ends = lanes.iter().map(|lane| lane.spans.map(|end| grid.point(end).unwrap()));
            for [from, to] in ends {
                let straight = (to - from).cross(&across).norm() / (8.0 * across.norm());
                assert!(straight > 0.7, "{site:?}: the lanes lie side by side");
            }
        }
        let half = 0.5 * across;
        assert_eq!((wide.from, wide.to), ([from - half, from + half], [to - half, to + half]));
    }
}

#[test]
fn each_stop_of_a_lift_is_a_link_with_an_id_that_stays() {
    use surefoot::grid::{LinkId, LinkStop};
    let site = Site::all().next().expect("a site");
    let stop = |number, z| LinkMarker {
        name: "lift".to_owned(),
        to: site.at([10.0, 1.0, z]).into(),
        stop: Some(LinkStop { moving: LinkId(5), number }),
        ..marker(&site, LinkKind::Authored, true)
    };
    let ids = |links: &[LinkMarker]| {
        let grid = islands(&site, links).grid;
        let mut ids: Vec<_> = grid.links().iter().map(|l| (l.stop.unwrap().number, l.id)).collect();
        ids.sort();
        ids
    };
    let [one, other] = [[1.0, 2.0, 3.0], [3.0, 1.5, 2.5]];
    let of = |at: [f64; 3]| ids(&[0, 1, 2].map(|number| stop(number, at[number as usize])));
    assert_eq!(of(one), of(other));
    assert_eq!(of(one).len(), 3);
}

#[test]
fn a_link_without_ground_is_reported() {
    for site in Site::all() {
        let far = LinkMarker {
            to: site.at([6.0, 5.0, 2.0]).into(),
            ..marker(&site, LinkKind::Jump, true)
        };
        let same = LinkMarker {
            name: "loop".to_owned(),
            to: site.at([2.0, 1.0, 2.0]).into(),
            ..marker(&site, LinkKind::Jump, true)
        };
        let Baked { grid, link_problems, .. } = islands(&site, &[far, same]);
        assert!(grid.links().iter().flat_map(|link| &link.lanes).all(Vec::is_empty));
        let said: Vec<_> =
            link_problems.iter().map(|p| (p.link.as_str(), p.agent.as_str())).collect();
        let agents = ["small", "human", "large"];
        let expected: Vec<_> =
            ["link", "loop"].iter().flat_map(|&link| agents.map(|agent| (link, agent))).collect();
        assert_eq!(said, expected);
        assert!(link_problems[0].problem.contains("of the end"), "{link_problems:?}");
        assert!(link_problems[3].problem.contains("same place"), "{link_problems:?}");
        assert!(grid.layers().iter().all(|layer| layer.regions.len() == 2));
    }
}
