//! What makes an order of supernodes sound: each rule broken by hand, and all of them against a
//! plain reading of them on orders spoiled at random.

use surefoot::cch::find_order;
use surefoot::grid::{Dir, Link, LinkKind, LinkLane, RouteOrder, RouteSupernode};
use surefoot::{Agent, AgentId, NavGrid, SpanId};

use surefoot_testing::Random;

const AGENT: AgentId = AgentId(0);
/// Supernodes within each other.
const MOST_LEVELS: usize = 200;

fn grid(rows: &[&str]) -> NavGrid {
    let (height, width) = (rows.len(), rows[0].len());
    let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&text, 1.0, &[Agent::new("human")]).expect("a sound map")
}

/// Supernodes as `parts: spans`.
fn order(text: &str) -> RouteOrder {
    let mut order = RouteOrder::default();
    for supernode in text.split('|').filter(|supernode| !supernode.is_empty()) {
        let (parts, own) = supernode.split_once(':').expect("parts: spans");
        let own: Vec<_> = own.split_whitespace().map(|at| SpanId(at.parse().unwrap())).collect();
        let parts = parts.trim().parse().unwrap();
        order.supernodes.push(RouteSupernode { children: parts, spans: own.len() as u32 });
        order.spans.extend(own);
    }
    order
}

/// A one-way link down.
fn one_way(ends: Option<[u32; 2]>) -> Link {
    let lanes = ends.into_iter().map(|ends| LinkLane::new(ends.map(SpanId))).collect();
    Link { lanes: vec![lanes], ..Link::new("drop", LinkKind::Drop, [[0.0; 3].into(); 2]) }
}

/// What is wrong with an order; nothing where it is sound.
fn problem(grid: &NavGrid, order: RouteOrder) -> String {
    let kept = grid.clone().with_order(AGENT, order.clone());
    let mut parts = grid.clone().into_parts();
    parts.layers[0].order = Some(order);
    assert_eq!(kept, NavGrid::new(parts));
    kept.map_or_else(|error| error.to_string(), |_| String::new())
}

#[track_caller]
fn check(rows: &[&str], text: &str, expected: &str) {
    let expected = if expected.is_empty() { "" } else { &format!("agent \"human\", {expected}") };
    assert_eq!(problem(&grid(rows), order(text)), expected, "{text}");
}

#[test]
fn sound_orders() {
    let row = &["....@.."];
    for text in [
        "0: 0 1 2 3 4 5",
        "0: 5 0 3 2 4 1",
        "0: 4 5 | 0: 0 1 2 3",
        "0: 0 1 | 0: 3 | 0: 4 5 | 3: 2",
        "0: 0 | 0: 2 | 2: 1 | 1: 3 | 0: 4 5",
        "0: 4 5 | 0: 0 1 2 3 | 2:",
    ] {
        check(row, text, "");
    }
    check(&["WW"], "", "");
}

#[test]
fn each_span_once() {
    let row = &["...W."];
    check(row, "0: 0 1 2 | 0: 4", "");
    check(row, "0: 0 1 2", "order: span 4 is missing");
    check(row, "", "order: span 0 is missing");
    check(row, "0: 0 1 | 0: 2 4 0", "supernode 1: its span 0 stands in the order twice");
    check(row, "0: 0 1 2 3 4", "supernode 0: the agent cannot stand on its span 3");
    check(row, "0: 0 1 2 4 5", "supernode 0: the agent cannot stand on its span 5");
}

#[test]
fn supernodes_nest() {
    let row = &["....."];
    let few = "supernode 1: 2 children, there are 1 before it";
    check(row, "0: 0 1 | 2: 2 3 4", few);
    check(row, "0: 0 | 1: 1 2 | 2: 3 4", "supernode 2: 2 children, there are 1 before it");
    check(row, "0: | 1: 0 1 2 3 4", "supernode 0: it has neither children nor spans");
    let mut short = order("0: 0 1 | 1: 2 3 4");
    short.spans.pop();
    let place = "agent \"human\", supernode 1: ";
    assert_eq!(problem(&grid(row), short.clone()), place.to_owned() + "3 spans, 2 are left");
    short.spans.extend([SpanId(4), SpanId(4)]);
    let left = "agent \"human\", order: span 4 is in no supernode";
    assert_eq!(problem(&grid(row), short.clone()), left);
    short.supernodes[1] = RouteSupernode { children: u32::MAX, spans: u32::MAX };
    let parts = format!("{} children, there are 1 before it", u32::MAX);
    assert_eq!(problem(&grid(row), short), place.to_owned() + &parts);
}

#[test]
fn supernodes_nest_to_a_limited_depth() {
    let row = ".".repeat(MOST_LEVELS + 1);
    let chain = |levels: usize| {
        let mut text = String::from("0: 0");
        (1..levels).for_each(|level| text += &format!("|1: {level}"));
        text
    };
    check(&[&row[1..]], &chain(MOST_LEVELS), "");
    let problem = "supernode 200: more than 200 supernodes lie one below the other";
    check(&[&row], &chain(MOST_LEVELS + 1), problem);
}

#[test]
fn steps_join_no_separate_supernodes() {
    let apart = "order: a connection joins spans 1 and 2, but supernodes 0 and 1 lie apart";
    check(&["...."], "0: 0 1 | 0: 2 3", apart);
    let apart = "order: a connection joins spans 1 and 2, but supernodes 0 and 2 lie apart";
    check(&["...."], "0: 0 1 | 0: 3 | 1: 2", apart);
    let across = "order: a connection joins spans 0 and 3, but supernodes 0 and 1 lie apart";
    check(&["..", ".."], "0: 0 | 0: 3 | 2: 1 2", across);
    check(&["..", ".."], "0: 0 | 1: 1 2 3", "");
}

#[test]
fn links_join_no_separate_supernodes() {
    let linked = |ends| {
        let mut parts = grid(&["..@.."]).into_parts();
        parts.links.push(one_way(ends));
        NavGrid::new(parts).expect("a sound link")
    };
    for (ends, said) in
        [([1, 2], "1 and 2, but supernodes 0 and 1"), ([3, 0], "3 and 0, but supernodes 1 and 0")]
    {
        let expected = format!("agent \"human\", order: a link joins spans {said} lie apart");
        assert_eq!(problem(&linked(Some(ends)), order("0: 0 1 | 0: 2 3")), expected);
        assert_eq!(problem(&linked(Some(ends)), order("0: 0 1 | 1: 2 3")), "");
    }
    assert_eq!(problem(&linked(None), order("0: 0 1 | 0: 2 3")), "");
}

#[test]
fn an_agent_the_grid_does_not_have() {
    let error = grid(&[".."]).with_order(AgentId(1), order("0: 0 1")).unwrap_err();
    assert_eq!(error.to_string(), "agent 1: the grid has 1 agents");
    assert_eq!(grid(&[".."]).order(AgentId(1)), None);
    let kept = grid(&[".."]).with_order(AGENT, order("0: 0 1")).expect("a sound order");
    assert_eq!(kept.order(AGENT).map(RouteOrder::bytes), Some(16));
}

/// A map with walls at random, and drops from anywhere to anywhere.
fn random_grid(random: &mut Random) -> NavGrid {
    let mut letter = |_| if random.below(4) == 0 { '@' } else { '.' };
    let rows: Vec<String> = (0..18).map(|_| (0..18).map(&mut letter).collect()).collect();
    let mut parts = grid(&rows.iter().map(String::as_str).collect::<Vec<_>>()).into_parts();
    let mut span = || random.below(parts.spans.len()) as u32;
    let links: Vec<Link> = (0..4).map(|_| one_way(Some([span(), span()]))).collect();
    parts.links = links;
    surefoot::grid::baker::make_ids_unique(&mut parts.links);
    NavGrid::new(parts).expect("sound links")
}

/// All pairs of neighbors, in both orders.
fn neighbors(grid: &NavGrid) -> Vec<[SpanId; 2]> {
    let mut pairs = Vec::new();
    for span in (0..grid.spans().len() as u32).map(SpanId) {
        let to = Dir::ALL.into_iter().filter_map(|dir| grid.neighbor(AGENT, span, dir));
        pairs.extend(to.map(|to| [span, to]));
    }
    let lanes = grid.links().iter().flat_map(|link| link.lanes_of(0));
    pairs.extend(lanes.flat_map(|LinkLane { spans: [from, to], .. }| [[*from, *to], [*to, *from]]));
    pairs
}

/// For each rank the first rank of the supernode whose own it is; `None` where supernodes do not
/// nest, or have not as many spans as there are.
fn begins(order: &RouteOrder) -> Option<Vec<usize>> {
    let (mut orphans, mut begins) = (Vec::new(), Vec::new());
    for supernode in &order.supernodes {
        let kept = orphans.len().checked_sub(supernode.children as usize)?;
        let begin = orphans.drain(kept..).next().unwrap_or(begins.len());
        if supernode.children == 0 && supernode.spans == 0 {
            return None;
        }
        orphans.push(begin);
        begins.extend((0..supernode.spans).map(|_| begin));
    }
    (begins.len() == order.spans.len()).then_some(begins)
}

/// The rules, one by one.
fn keeps_all_rules(grid: &NavGrid, order: &RouteOrder) -> bool {
    let mut sorted = order.spans.clone();
    sorted.sort_unstable();
    let Some(begins) = begins(order) else { return false };
    let rank = |span| order.spans.iter().position(|&other| other == span).unwrap_or_default();
    let ranks: Vec<usize> = (0..grid.spans().len() as u32).map(|at| rank(SpanId(at))).collect();
    let mut pairs = neighbors(grid).into_iter().map(|pair| pair.map(|span| ranks[span.index()]));
    // On these maps every span is walkable.
    sorted.iter().map(|span| span.index()).eq(0..grid.spans().len())
        && pairs.all(|[a, b]| a >= b || a >= begins[b])
}

fn spoil(order: &mut RouteOrder, random: &mut Random) {
    let (spans, supernodes) = (order.spans.len(), order.supernodes.len());
    let (span, supernode) = (random.below(spans), random.below(supernodes));
    match random.below(6) {
        0 => order.spans.swap(span, random.below(spans)),
        1 | 2 => order.spans.swap(span, (span + 1) % spans),
        3 => order.spans[span] = order.spans[random.below(spans)],
        4 => {
            // The spans of two supernodes, shifted against each other.
            let other = random.below(supernodes);
            if order.supernodes[supernode].spans > 0 {
                order.supernodes[supernode].spans -= 1;
                order.supernodes[other].spans += 1;
            }
        }
        _ => order.supernodes[supernode].children = random.below(4) as u32,
    }
}

#[test]
fn orders_are_judged_by_the_rules() {
    let mut random = Random(5);
    let mut counts = [0; 2];
    for _ in 0..20 {
        let grid = random_grid(&mut random);
        let sound = find_order(&grid, AGENT, &()).expect("the agent is there");
        assert!(sound.supernodes.len() > 3 && keeps_all_rules(&grid, &sound));
        assert_eq!(problem(&grid, sound.clone()), "");
        for _ in 0..100 {
            let mut order = sound.clone();
            (0..=random.below(2)).for_each(|_| spoil(&mut order, &mut random));
            let expected = keeps_all_rules(&grid, &order);
            let found = problem(&grid, order);
            assert_eq!(found.is_empty(), expected, "{found}");
            counts[usize::from(expected)] += 1;
        }
    }
    assert!(counts[0] > 300 && counts[1] > 300, "{counts:?}");
}
