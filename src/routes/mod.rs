//! Prepared routes.
#![allow(missing_docs, dead_code)]
mod climb;
mod costs;
mod dissect;
mod front;
mod index;
mod local;
mod part;
mod pricing;
mod route;
mod shape;
pub use index::RouteIndex;
use crate::solve::*;
use crate::grid::SpanId;
pub fn probe(terrain: &Terrain, pairs: &[[SpanId; 2]]) {
    let t = std::time::Instant::now();
    let shape = shape::Shape::new(terrain, &dissect::dissect(&part::Part::of(terrain)));
    let t1 = t.elapsed();
    let t = std::time::Instant::now();
    let model = HeightCost{ascend:1.0,descend:0.0};
    let tariff = Tariff::new(terrain, &model, None, 0);
    let workshop = costs::Workshop { shape: &shape, pricing: pricing::Pricing { tariff: &tariff, steps: u32::MAX } };
    let costs = workshop.all();
    let n = shape.order.len();
    println!("  shape {t1:?} costs {:?} {:.1} B/span; largest {}", t.elapsed(), costs.bytes() as f64 / n as f64, costs.kept.iter().map(|k| k.most).max().unwrap());
    let mut search = route::RouteSearch::default();
    let mut star = Search::default();
    let map = route::Map { shape: &shape, costs: &costs };
    let (mut ta, mut tb, mut tc) = (0.0, 0.0, 0.0);
    let mut unpacked = vec![];
    let (mut wrong, mut stops, mut len) = (0, 0, 0);
    for round in 0..2 {
    for &[a, b] in pairs {
        let q = Query { snap_radius: Some(0.0), ..Query::new(terrain.grid().point(a).unwrap(), terrain.grid().point(b).unwrap()) };
        let t = std::time::Instant::now();
        let ends = [a, b].map(|s| shape.ranks[s.index()]);
        let cost = search.find(map, &workshop.pricing, ends);
        if round == 1 { ta += t.elapsed().as_secs_f64(); }
        let t = std::time::Instant::now();
        search.unpack(map, &mut unpacked);
        if round == 1 { tb += t.elapsed().as_secs_f64(); }
        stops += unpacked.len();
        let t = std::time::Instant::now();
        star.begin(terrain, &model, &q);
        while star.advance(terrain, &model, u32::MAX) == Progress::Running {}
        if round == 1 { tc += t.elapsed().as_secs_f64(); }
        len += star.corridor().spans().len();
        if tariff.cost(cost) != star.corridor().cost() { wrong += 1; }
    } }
    let k = 1e6 / pairs.len() as f64;
    println!("  distance {:.1} us, unpack {:.1} us to {} stops of {} spans; A* {:.1} us; wrong {wrong}", ta * k, tb * k, stops / pairs.len() / 2, len / pairs.len() / 2, tc * k);
}
