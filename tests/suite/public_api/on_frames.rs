//! Frames, cells, directions, and other plain values.

use nalgebra::Vector3;
use surefoot::agent::Agent;
use surefoot::cost::{CellCost, CostModel, Edge, HeightCost};
use surefoot::crowd::CrowdSettings;
use surefoot::debug::DebugColor;
use surefoot::diagnosis::Shortfall;
use surefoot::follow::{FollowSettings, FollowState, Motion};
use surefoot::grid::{
    Area, Dir, EntriesOfRange, GroundEnd, LowCeiling, NodeId, RoomLimit, Span, SpanEntry,
    SpanMeasure, SpanRoom, SpanTable,
};
use surefoot::level::{AreaId, Link, LinkKind};
use surefoot::search::{Engine, FieldQuery, Outcome, Query};
use surefoot::view::{AreaFilter, LinkFilter};
use surefoot::{AgentId, Cell, GridFrame, PathError, SpanId, Verdict};

use super::odd::{self, COUNTS, FLOATS, OddCost};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    cells_and_directions(attack);
    frames(attack);
    spans(attack);
    measures(attack);
    rooms(attack);
    costs(attack);
    settings(attack);
    names(attack);
}

fn cells_and_directions(attack: &mut Attack) {
    for dir in Dir::ALL {
        call!(attack, Dir::index, dir);
        call!(attack, Dir::offset, dir);
        call!(attack, Dir::opposite, dir);
        call!(attack, Dir::is_diagonal, dir);
        call!(attack, Dir::length, dir);
        (0..=u8::MAX).for_each(|eighths| {
            call!(attack, Dir::turned, dir, eighths);
        });
        odd::cells().for_each(|cell| {
            call!(attack, Cell::neighbor, cell, dir);
        });
    }
    call!(attack, Cell::new, i32::MIN, i32::MAX);
    call!(attack, AgentId::index, AgentId(u16::MAX));
    call!(attack, SpanId::index, SpanId(u32::MAX));
    call!(attack, AreaId::index, AreaId(u8::MAX));
}

fn frames(attack: &mut Attack) {
    for [a, b] in odd::pairs() {
        for cell_size in FLOATS {
            call!(attack, GridFrame::covering, cell_size, [a, b], [b, a]);
        }
    }
    for frame in odd::frames() {
        call!(attack, GridFrame::cells, &frame);
        call!(attack, GridFrame::bounds, &frame);
        call!(attack, GridFrame::row_divider, &frame);
        for [x, z] in odd::pairs() {
            call!(attack, GridFrame::cell_at, &frame, x, z);
            call!(attack, GridFrame::subcells, &frame, x, z);
        }
        for cell in odd::cells() {
            call!(attack, GridFrame::center, &frame, cell);
            call!(attack, GridFrame::point, &frame, cell, f32::NAN);
            call!(attack, GridFrame::index, &frame, cell);
            call!(attack, GridFrame::borders, &frame, cell);
        }
        COUNTS.iter().for_each(|&at| {
            call!(attack, GridFrame::cell, &frame, at);
        });
        odd::IDS.iter().for_each(|&by| {
            call!(attack, GridFrame::grown, &frame, by);
        });
    }
    for (a, b) in odd::frames().iter().zip(odd::frames().iter().rev()) {
        call!(attack, GridFrame::overlap, a, b);
        call!(attack, GridFrame::bounding, a, b);
    }
}

fn measures(attack: &mut Attack) {
    let end = |distance| Some(GroundEnd { distance, is_drop: true });
    for [a, b] in odd::pairs() {
        let measures = [
            call!(attack, SpanMeasure::beside, Some([[a, b], [b, a]]), [true; 8]),
            call!(attack, SpanMeasure::ends, [end(a), None, end(b), None]),
        ];
        for measure in measures.into_iter().flatten() {
            let ceiling = LowCeiling { headroom: a, lip: b, lips: [true; 8] };
            call!(attack, SpanMeasure::under, measure, ceiling);
            call!(attack, SpanMeasure::headroom, &measure);
            call!(attack, SpanMeasure::lip, &measure, Dir::ALL[7]);
            call!(attack, SpanMeasure::as_passage, &measure);
            call!(attack, SpanMeasure::as_ends, &measure);
            call!(attack, SpanMeasure::has_wall, &measure, Dir::ALL[7]);
            call!(attack, SpanMeasure::with_walls_over_steps, measure, [true; 4]);
            call!(attack, SpanMeasure::has_wall_over_step, &measure, Dir::ALL[7]);
            let entries = [SpanEntry { span: SpanId(7), value: measure }];
            call!(attack, SpanTable::new, 5, &entries);
        }
    }
}

fn rooms(attack: &mut Attack) {
    let limited: Vec<SpanEntry<SpanRoom>> = odd::pairs()
        .filter_map(|[a, b]| {
            let limit = |distance| RoomLimit { normal: [a, b], distance };
            let mut limits = [limit(a), limit(b), limit(0.1)];
            let room = call!(attack, SpanRoom::within, &mut limits, b)?;
            call!(attack, SpanRoom::is_full, &room);
            call!(attack, SpanRoom::limits, &room).into_iter().flatten().for_each(drop);
            call!(attack, SpanRoom::contains, &room, [a, b], b);
            call!(attack, SpanRoom::nearest, &room, [a, b]);
            Some(SpanEntry { span: SpanId(3), value: room })
        })
        .take(1)
        .collect();
    for list in [&limited[..], &[]] {
        let Some(rooms) = call!(attack, SpanTable::new, 5, list) else { continue };
        call!(attack, SpanTable::is_empty, &rooms);
        call!(attack, SpanTable::len, &rooms);
        call!(attack, SpanTable::entries, &rooms).into_iter().flatten().for_each(drop);
        for (start, end, total) in [(0, 5, 9), (4, 2, 3), (7, u32::MAX, 0), (u32::MAX, 0, 200)] {
            let mut changed = rooms.clone();
            let limited = call!(attack, SpanTable::entries_in, &rooms, start..end);
            limited.into_iter().flatten().for_each(drop);
            let others = EntriesOfRange { spans: end, entries: list, total };
            call!(attack, SpanTable::replace, &mut changed, start..end, &others);
        }
        odd::spans().iter().for_each(|&span| {
            call!(attack, SpanTable::of, &rooms, span);
        });
    }
}

fn spans(attack: &mut Attack) {
    for [a, b] in odd::pairs() {
        let Some(span) = call!(attack, Span::new, a, b, Vector3::new(a, b, a)) else { continue };
        call!(attack, Span::area, &span);
        call!(attack, Span::node, &span);
        call!(attack, Span::headroom, &span);
        call!(attack, Span::normal, &span);
        call!(attack, Span::gradient, &span);
        call!(attack, Span::on, span, AreaId(u8::MAX), NodeId(u32::MAX));
    }
}

fn costs(attack: &mut Attack) {
    let span = Span::new(0.0, f32::NAN, Vector3::zeros());
    let views = odd::views();
    for [a, b] in odd::pairs() {
        let edge = Edge { from: &span, to: &span, along: [a, b], rise: b, factor: a };
        call!(attack, Edge::run, &edge);
        call!(attack, Edge::length, &edge);
        let Some(cells) = call!(attack, CellCost::ten_fourteen, a) else { continue };
        let cells = CellCost { straight: b, ..cells };
        let models: [&dyn CostModel; 3] =
            [&HeightCost { ascend: a, descend: b }, &cells, &OddCost(a)];
        for model in models {
            call!(attack, CostModel::cost, model, &edge);
            call!(attack, CostModel::level_cost, model, &edge);
            call!(attack, CostModel::is_uniform, model);
            call!(attack, CostModel::link_cost, model, &link(a));
            for view in &views {
                call!(attack, CostModel::lower_bound, model, view);
                call!(attack, CostModel::units, model, view);
            }
        }
    }
}

fn link(cost: f32) -> Link {
    let ends = [[cost; 3], [-cost; 3]].map(Into::into);
    Link { two_way: true, cost, ..Link::new("", LinkKind::Drop, ends) }
}

fn settings(attack: &mut Attack) {
    call!(attack, Agent::default_set,);
    call!(attack, Area::walkable,);
    call!(attack, Link::is_reversible, &link(f32::NAN));
    FLOATS.iter().for_each(|&by| {
        call!(attack, Link::capacity_by_width, &link(by), by);
        call!(attack, Link::capacity_by_width, &link(by), 0.3);
    });
    let links = call!(attack, LinkFilter::only, &[LinkKind::Jump]).expect("a filter");
    call!(attack, LinkFilter::forbid, links, LinkKind::Door);
    call!(attack, LinkFilter::allows, links, LinkKind::Door);
    call!(attack, LinkFilter::is_all, links);
    for [a, b] in odd::pairs() {
        let agent = call!(attack, Agent::new, "");
        let agent = Agent {
            radius: a,
            height: b,
            max_climb: a,
            slope_limit: b,
            ..agent.expect("an agent")
        };
        call!(attack, Agent::check, &agent);
        call!(attack, Agent::ledge_margin, &agent);
        let walk = FollowSettings { speed: a, acceleration: b, patience: a, ..Default::default() };
        call!(attack, FollowSettings::check, &walk);
        let crowd = CrowdSettings { planning_budget: 0, horizon: a, neighbor_distance: b };
        call!(attack, CrowdSettings::check, &crowd);
        call!(attack, Motion::at, [a, b, a]);
        call!(attack, Query::new, [a, b, a], [b, a, b]);
        let filter = call!(attack, AreaFilter::scale, AreaFilter::default(), AreaId(u8::MAX), a);
        let filter = filter.and_then(Result::ok).unwrap_or_default();
        call!(attack, AreaFilter::is_empty, &filter);
        call!(attack, AreaFilter::forbid, filter, AreaId(9));
    }
    let spans = odd::spans();
    call!(attack, FieldQuery::to, &spans);
    call!(attack, FieldQuery::from, &spans);
}

fn names(attack: &mut Attack) {
    call!(attack, Shortfall::name, &Shortfall::RunTimeObstacle);
    let error = PathError::StartOffGrid { nearest: Some([f32::NAN; 3].into()) };
    let partial = Outcome::Partial { reason: error, gap: f32::NAN };
    call!(attack, PathError::name, &error);
    call!(attack, Outcome::name, &partial);
    call!(attack, Outcome::has_path, &partial);
    call!(attack, Engine::name, Engine::Field);
    call!(attack, FollowState::name, &FollowState::OffGrid { nearest: None });
    call!(attack, FollowState::is_at_rest, &FollowState::Idle);
    call!(attack, DebugColor::rgb, DebugColor::Verdict(Verdict::Obstacle(NodeId(u32::MAX))));
}
