//! Costs that overflow, and routes of another grid.

use crate::agent::Agent;
use crate::cch::hierarchy::Hierarchy;
use crate::cch::metric::RouteRules;
use crate::cch::{CustomizedHierarchy, TableEnds};
use crate::cost::model::HeightCost;
use crate::grid::{AgentId, Cell, GridFrame, NavGrid, SpanId};
use crate::navigator::Navigator;
use crate::path::path_search::{PathSearch, Progress};
use crate::search::outcome::{Engine, Outcome};
use crate::search::query::Query;
use crate::tests::cch::RouteSearch;
use crate::view::View;

const AGENT: AgentId = AgentId(0);

/// A table from the first of two spans to the other.
fn ends(spans: &[SpanId; 2]) -> TableEnds<'_> {
    TableEnds { from: &spans[..1], to: &spans[1..] }
}

fn cost(search: &mut PathSearch, view: &View, model: &HeightCost, query: &Query) -> f32 {
    let mut progress = search.begin(view, model, query);
    while progress == Progress::Running {
        progress = search.advance(view, model, u32::MAX);
    }
    search.corridor().cost()
}

/// A swamp in which some paths cost more than half of what can be counted, and some less.
#[test]
fn costs_that_overflow_are_searched() {
    let (width, height) = (1000usize, 12usize);
    let rows: Vec<String> = (0..height)
        .map(|z| (0..width).map(|x| if x == width / 2 && z != 9 { '@' } else { 'S' }).collect())
        .collect();
    let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"));
    let mut parts = NavGrid::from_map(&text, 0.25, &[]).expect("a map").into_parts();
    parts.areas[1].cost = 1000.0;
    let grid = NavGrid::new(parts).expect("a sound grid");
    let view = View::new(&grid, AGENT).expect("an agent");
    let model = HeightCost::default();
    let hierarchy = Hierarchy::new(&grid, AGENT).expect("a hierarchy");
    let costs = hierarchy.customize(&view, &model, RouteRules::default());
    let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
    let (mut by_routes, mut search) = (RouteSearch::default(), PathSearch::default());
    let mut engines = Vec::new();
    for to in [200, 500, 700, 850, 920, 999] {
        let places =
            [(1, 5), (to, 6)].map(|(x, z)| [0.25 * x as f32 + 0.1, 0.0, 0.25 * z as f32 + 0.1]);
        let query = Query::new(places[0], places[1]);
        let least = cost(&mut search, &view, &model, &query);
        assert_eq!(by_routes.find(routes, (&view, &model), &query), Outcome::Complete, "{to}");
        assert_eq!(by_routes.corridor().cost(), least, "{to}");
        let spans = places.map(|end| grid.nearest_walkable(AGENT, end, 0.5).expect("ground").0);
        let table = by_routes.table(routes, (&view, &model), ends(&spans));
        assert!(table.is_none_or(|table| table == [least]), "{to}");
        engines.push(by_routes.engine());
    }
    assert!(engines.contains(&Engine::Routes) && engines.contains(&Engine::AStar), "{engines:?}");
}

/// A level of the same size with a wall in it.
#[test]
fn another_grid_of_the_same_size_is_searched() {
    let grid = |wall: f32| {
        let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 60, size_z: 60 };
        let height = |at: usize| if at % 60 == 30 && at / 60 < 55 { wall } else { 0.0 };
        let heights: Vec<f32> = (0..3600).map(height).collect();
        NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("heights")
    };
    let (own, like, other) = (grid(0.0), grid(0.0), grid(8.0));
    let model = HeightCost::default();
    let hierarchy = Hierarchy::new(&own, AGENT).expect("a hierarchy");
    let view = |grid| View::new(grid, AGENT).expect("an agent");
    let costs = hierarchy.customize(&view(&own), &model, RouteRules::default());
    assert!(costs.is_current(&view(&like)) && !costs.is_current(&view(&other)));
    let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
    let mut by_routes = RouteSearch::default();
    let spans = [SpanId(0), SpanId(59)];
    let table = by_routes.table(routes, (&view(&other), &model), ends(&spans));
    assert_eq!(table, None);
    let mut nav = Navigator::with_model(other.clone(), AGENT, model).expect("an agent");
    nav.prepare().expect("ground that comes apart");
    let query = Query::new([0.5, 0.0, 0.5], [59.5, 0.0, 3.5]);
    let least = cost(&mut PathSearch::default(), &view(&other), &model, &query);
    assert!(least > 100.0);
    for _ in 0..3 {
        nav.find(&query);
        assert_eq!(nav.corridor().cost(), least);
    }
    by_routes.find(routes, (&view(&other), &model), &query);
    assert_eq!((by_routes.corridor().cost(), by_routes.engine()), (least, Engine::AStar));
    by_routes.find(routes, (&view(&like), &model), &query);
    assert_eq!(by_routes.engine(), Engine::Routes);
}
