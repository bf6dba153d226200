//! surefoot's side, by its public door.

use std::hint::black_box;
use std::time::Instant;

use glam::Vec3;
use surefoot::path::{Progress, Waypoint};
use surefoot::{AgentId, HeightCost, Navigator, Query};

use super::{Output, Side};
use crate::levels::Ground;
use crate::memory::held;
use crate::pairs::{Pair, to_ours};
use crate::wire::Preparation;

/// What a path costs.
#[derive(Clone, Copy, PartialEq)]
pub enum Counted {
    /// Its length.
    Length,
    /// Its length, and how far it goes up and down.
    Heights,
}

/// How it is found.
#[derive(Clone, Copy, PartialEq)]
pub enum Found {
    /// By a search, with nothing prepared.
    Searched,
    /// By routes that were prepared.
    Prepared,
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq)]
pub enum Wanted {
    /// A path.
    Path,
    /// Only the spans that a path is straightened from.
    Corridor,
}

/// Which of surefoot's ways this is.
#[derive(Clone, Copy)]
pub struct Kind {
    pub counted: Counted,
    pub found: Found,
    pub wanted: Wanted,
}

pub struct Ours<'a> {
    pairs: &'a [Pair],
    nav: Navigator,
    kind: Kind,
    preparation: Preparation,
}

impl<'a> Ours<'a> {
    pub fn new(ground: &Ground, pairs: &'a [Pair], kind: Kind) -> Self {
        let model = match kind.counted {
            Counted::Length => HeightCost::FLAT,
            Counted::Heights => HeightCost::default(),
        };
        let before = held();
        let start = Instant::now();
        let mut nav = Navigator::with_model(ground.grid.clone(), AgentId(0), model)
            .expect("a grid of one agent");
        if kind.found == Found::Prepared {
            nav.prepare().expect("ground that comes apart");
        }
        let seconds = start.elapsed().as_secs_f64();
        let preparation = Preparation { seconds, bytes: 0 };
        let mut side = Ours { pairs, nav, kind, preparation };
        let order: Vec<usize> = (0..pairs.len()).collect();
        drop(side.run(&order));
        drop(order);
        side.preparation.bytes = ground.bytes + held() - before;
        side
    }

    /// Whether there is a path.
    fn find(&mut self, ends: &Pair) -> bool {
        let [from, to] = ends.map(to_ours);
        if self.kind.wanted == Wanted::Path {
            return self.nav.path(from, to).is_ok();
        }
        let mut progress = self.nav.begin(&Query::new(from, to));
        while progress == Progress::Running {
            progress = self.nav.advance(u32::MAX);
        }
        true
    }
}

impl Side for Ours<'_> {
    fn name(&self) -> String {
        let Kind { counted, found, .. } = self.kind;
        let counted = if counted == Counted::Heights { "heights" } else { "length" };
        let found = if found == Found::Prepared { "prepared" } else { "search" };
        format!("surefoot, {counted}, {found}")
    }

    fn output(&self) -> Output {
        if self.kind.wanted == Wanted::Corridor { Output::Corridor } else { Output::Path }
    }

    fn run(&mut self, order: &[usize]) -> Vec<f64> {
        let mut times = vec![0.0; order.len()];
        for &pair in order {
            let ends = self.pairs[pair];
            let start = Instant::now();
            black_box(self.find(black_box(&ends)));
            times[pair] = start.elapsed().as_secs_f64() * 1e6;
        }
        times
    }

    fn answers(&mut self) -> Vec<Option<Vec<Vec3>>> {
        let path = |ends: &Pair| {
            let [from, to] = ends.map(to_ours);
            let path = self.nav.path(from, to).ok()?;
            let corner = |at: &Waypoint| Vec3::new(at.point.x, at.point.y, at.point.z);
            Some(path.waypoints().iter().map(corner).collect())
        };
        self.pairs.iter().map(path).collect()
    }

    fn preparation(&self) -> Preparation {
        self.preparation
    }
}
