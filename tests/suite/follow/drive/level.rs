//! A scene with its grid and its colliders, and places to walk between.

use rapier3d::prelude::PhysicsWorld;
use surefoot::navigator::Navigator;
use surefoot::search::{Outcome, Query};
use surefoot::{AgentId, NavGrid, Path, SpanId};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::{BakeSettings, bake};
use surefoot_rapier::GridThenCast;

use surefoot_testing::Random;

pub struct Level {
    pub name: String,
    pub grid: NavGrid,
    pub world: CollisionWorld,
    pub physics: PhysicsWorld,
}

/// A path between two places that reach each other, for an agent.
pub struct Trip {
    pub agent: AgentId,
    pub path: Path,
}

impl Level {
    pub fn bake(path: &std::path::Path) -> Self {
        let scene = surefoot_testing::load(path);
        let grid = bake(&scene, &BakeSettings::default(), &()).expect("it bakes").grid;
        let world = CollisionWorld::new(&scene).expect("a world");
        let physics = world.to_physics().expect("rapier takes it");
        Level { name: surefoot_testing::name(path), grid, world, physics }
    }

    /// Paths between places anywhere; fewer where the agent can stand on next to nothing.
    pub fn trips(&self, agent: AgentId, count: usize) -> Vec<Trip> {
        let spans = 0..self.grid.spans().len() as u32;
        let places: Vec<SpanId> =
            spans.map(SpanId).filter(|&span| self.grid.is_walkable(agent, span)).collect();
        let mut random = Random(u64::from(agent.0) + 1);
        let mut nav = Navigator::new(self.grid.clone(), agent).expect("an agent");
        let sight = GridThenCast::new(&self.physics);
        let mut trips = Vec::new();
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
            let answer = nav.with_sight(&sight).find(&query);
            assert_eq!(answer.outcome, Outcome::Complete, "{query:?}");
            trips.extend(answer.path().cloned().map(|path| Trip { agent, path }));
            if trips.len() == count {
                break;
            }
        }
        trips
    }
}

/// Pairs tried for each that is wanted: many do not reach each other.
const TRIES: usize = 100;
