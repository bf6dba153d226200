//! A scene with its grid and its colliders, and places to walk between.

use std::path::Path;

use rapier3d::prelude::PhysicsWorld;
use surefoot_bake::bake;
use surefoot_rapier::GridThenCast;
use surefoot::cost::HeightCost;
use surefoot::search::{Outcome, Query};
use surefoot::path::{Path as Way, Progress};
use surefoot::navigator::Navigator;
use surefoot::view::View;
use surefoot_bake::casts::World;
use surefoot::{AgentId, NavGrid, SpanId};
use surefoot_bake::BakeSettings;

use crate::support::{self, Random};

pub struct Level {
    pub name: String,
    pub grid: NavGrid,
    pub world: World,
    pub physics: PhysicsWorld,
}

/// A way between two places that reach each other, for an agent.
pub struct Errand {
    pub agent: AgentId,
    pub way: Way,
}

impl Level {
    pub fn bake(path: &Path) -> Self {
        let scene = support::load(path);
        let grid = bake(&scene, &BakeSettings::default(), &()).expect("it bakes").grid;
        let world = World::new(&scene).expect("a world");
        let physics = world.to_physics().expect("rapier takes it");
        Level { name: support::name(path), grid, world, physics }
    }

    /// Ways between places anywhere; fewer where the agent can stand on next to nothing.
    pub fn errands(&self, agent: AgentId, count: usize) -> Vec<Errand> {
        let terrain = View::new(&self.grid, agent).expect("an agent");
        let spans = 0..self.grid.spans().len() as u32;
        let places: Vec<SpanId> =
            spans.map(SpanId).filter(|&span| self.grid.is_walkable(agent, span)).collect();
        let mut random = Random(u64::from(agent.0) + 1);
        let mut search = Navigator::default();
        let sight = GridThenCast::new(&self.physics);
        let mut errands = Vec::new();
        for _ in 0..TRIES * count {
            let ends = [0, 1].map(|_| places.get(random.below(places.len())).copied());
            let [Some(from), Some(to)] = ends else { break };
            let regions = [from, to].map(|span| self.grid.region(agent, span));
            let [Some(start), Some(end)] = regions else { continue };
            if from == to || !self.grid.region_reaches(agent, start, end) {
                continue;
            }
            let point = |span| self.grid.point(span).expect("a span of the grid");
            let (from, to) = (point(from), point(to));
            let query = Query::new(from, to);
            let model = HeightCost::default();
            search.begin(&terrain, &model, &query);
            while search.advance(&terrain, &model, u32::MAX) == Progress::Running {}
            let answer = search.straighten(&terrain, &model, Some(&sight));
            assert_eq!(answer.outcome, Outcome::Complete, "{query:?}");
            errands.extend(answer.path().cloned().map(|way| Errand { agent, way }));
            if errands.len() == count {
                break;
            }
        }
        errands
    }
}

/// Pairs tried for each that is wanted: many do not reach each other.
const TRIES: usize = 100;
