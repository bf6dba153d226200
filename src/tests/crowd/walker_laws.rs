//! Whoever walks by a plan has made a move once it is where the move leads.

use crate::crowd::member::{Member, MemberId};
use crate::crowd::walker::{Places, Walker};
use crate::grid::{AgentId, NavGrid, SpanId};
use crate::mapf::{LocalGround, Move, Occupants, PlaceGraph, PlaceId, Reach};
use crate::tests::crowd::gatherings::settings;
use crate::view::{NavPoint, View};

const HUMAN: AgentId = AgentId(0);
const ID: MemberId = MemberId { index: 0, generation: 0 };
const REACH: Reach = Reach { distance: 100_000, open: 100_000, spans: 1_000 };

/// Whether a member that stands so far from a place [m] has made its move to there, after nobody has made one for
/// some time [s], where two can pass each other or where they cannot.
fn has_come(away: f32, idle: f32, is_open: bool) -> bool {
    let map = format!("type octile\nheight 1\nwidth 20\nmap\n{}\n", ".".repeat(20));
    let grid = NavGrid::from_map(&map, 0.5, &[]).expect("a map");
    let view = View::new(&grid, HUMAN).expect("an agent");
    let view = view.parts();
    let ground = LocalGround::around(&view, SpanId(0), REACH, |_| !is_open);
    let graph = PlaceGraph::new(&view, &ground, Occupants::default());
    let to = graph.len() as PlaceId / 2;
    let step = &graph.steps(to)[0];
    let moves = [Move { from: step.to, to, after: Vec::new() }];
    let [point, from] = [to, step.to].map(|place| graph.points[usize::from(place)].point);
    let point = point + (from - point).normalize() * away;
    let at = NavPoint { span: grid.span_at(point, 1.0).expect("ground"), point };
    let member = Member::new(ID, HUMAN, settings(), at);
    let mut walker = Walker { id: ID, made: 0, begun: 1 };
    walker.count_moves(&member, &moves, &Places { graph: &graph, ground: &ground, idle });
    walker.made == 1
}

/// Somebody without a part in the plan may stand on a place. Where two can pass each other, beside it will do, once
/// nobody has got any farther for a while. Where they cannot, nobody gets past who is not quite there.
#[test]
fn beside_a_place_where_a_stranger_stands_will_do() {
    const WIDTH: f32 = 0.6;
    for is_open in [true, false] {
        assert!(has_come(0.1, 0.0, is_open), "it is there");
        assert!(!has_come(WIDTH, 1.0, is_open), "others may still go");
    }
    assert!(has_come(WIDTH, 4.5, true), "no plan has to end for one who stands there");
    assert!(!has_come(WIDTH, 4.5, false), "it is in the way of others");
}
