//! Lines of sight by the grid and by casting the body through a rapier world.
//!
//! The bake has moved the body from center to center of the cells a line crosses; the line itself
//! passes beside the centers, by up to half a cell. So the cast may find blocked what the grid
//! finds clear, but never the line over the centers.

use std::path::Path;

use nalgebra::Point3;
use rapier3d::prelude::PhysicsWorld;
use surefoot::grid::Dir;
use surefoot::path::{GridSight, Sight};
use surefoot::view::{NavPoint, View};
use surefoot::{Agent, AgentId, BodyShape, Cell, NavGrid, SpanId};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_rapier::CastSight;
use surefoot_rapier::{Body, BodySweep};

use surefoot_testing::{DEMO_LEVELS, Random};

/// Lines compared on a scene, for each agent.
const LINES: usize = 400;
/// The longest of them, along each axis [m].
const LONGEST: f32 = 10.0;
/// Of lines between centers of cells, and of lines between any points, this part may touch
/// something beside the centers. A crate has corners, and between pillars there are many.
const FEW: [f32; 2] = [0.015, 0.1];

/// A baked scene, and its colliders.
struct Level {
    name: String,
    grid: NavGrid,
    physics: PhysicsWorld,
}

impl Level {
    fn own(path: &Path) -> Self {
        let name = surefoot_testing::name(path);
        let bounds = (name == "village.glb").then_some([-60.0, -20.0, 20.0, 60.0]);
        let agents = vec![
            Agent::new("human"),
            Agent { shape: BodyShape::Box, ..surefoot_testing::agent("crate", 0.4, 1.0) },
        ];
        let settings =
            BakeSettings { cell_size: Some(0.25), agents, bounds, ..BakeSettings::default() };
        let scene = surefoot_testing::load(path);
        let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
        Level::new(name, &scene, grid)
    }

    fn new(name: impl Into<String>, scene: &Scene, grid: NavGrid) -> Self {
        let world = CollisionWorld::new(scene).expect("a world");
        Level { name: name.into(), grid, physics: world.to_physics().expect("rapier takes it") }
    }

    fn compare(&self) {
        for agent in 0..self.grid.layers().len() as u16 {
            let view = View::new(&self.grid, AgentId(agent)).expect("an agent");
            let lines = Lines { view: &view, sweep: BodySweep::from(&self.physics) };
            lines.compare(&self.name);
        }
    }
}

struct Lines<'a> {
    view: &'a View,
    sweep: BodySweep<'a>,
}

impl Lines<'_> {
    fn compare(&self, name: &str) {
        let sight = CastSight::new(self.sweep);
        let body = Body::new(self.view.agent());
        let mut random = Random(17);
        for (centered, few) in [true, false].into_iter().zip(FEW) {
            let lines = self.lines(&mut random, centered);
            let mut blocked = 0;
            for line in &lines {
                let [from, to] = line;
                let clear = sight.is_clear(self.view, from, to);
                assert_eq!(clear, sight.is_clear(self.view, to, from), "{name}: {line:?}");
                let goes = self.sweep.can_go(&body, self.over_centers(line));
                assert!(goes, "{name}: {line:?} is blocked over the centers of cells");
                blocked += usize::from(!clear);
            }
            let agent = &self.view.agent().name;
            let lines = lines.len();
            println!("{name:>20} {agent:>6}, centers {centered:>5}: {blocked:>2} of {lines} touch");
            assert!(lines > LINES / 2 && blocked as f32 <= few * lines as f32, "{name}");
        }
    }

    /// Random lines that the grid finds clear.
    fn lines(&self, random: &mut Random, centered: bool) -> Vec<[NavPoint; 2]> {
        let grid = self.view.grid();
        let spans = (0..grid.spans().len() as u32).map(SpanId);
        let open: Vec<SpanId> = spans.filter(|&span| self.view.is_walkable(span)).collect();
        let mut lines = Vec::new();
        for _ in 0..20 * LINES {
            if open.is_empty() || lines.len() == LINES {
                break;
            }
            let from = open[random.below(open.len())];
            let start = grid.point(from).expect("a span of the grid");
            let mut part = || random.below(1 << 16) as f32 / 65536.0 - 0.5;
            let [x, z] = [start.x, start.z].map(|v| v + 2.0 * LONGEST * part());
            let reached = grid.nearest_walkable(self.view.agent_id(), [x, start.y, z], 1.0);
            let Some((to, _)) = reached else { continue };
            let size = self.view.cell_size() * 0.999;
            let ends = [from, to].map(|span| {
                let mut point = grid.point(span).expect("a span of the grid");
                if !centered {
                    point.x += size * part();
                    point.z += size * part();
                    point.y = grid.ground_height(point.x, point.z, span).expect("over its cell");
                }
                NavPoint { span, point }
            });
            if GridSight.is_clear(self.view, &ends[0], &ends[1]) {
                lines.push(ends);
            }
        }
        lines
    }

    /// The centers of the floors that a clear line leads over.
    fn over_centers(&self, [from, to]: &[NavPoint; 2]) -> Vec<Point3<f32>> {
        let frame = self.view.grid().frame();
        let center = |span| self.view.grid().point(span).expect("a span of the grid");
        let along = to.point - from.point;
        let parts = (along.x.hypot(along.z) / frame.cell_size * 256.0).ceil().max(1.0) as usize;
        let (mut span, mut cell) = (from.span, frame.cell_at(from.point.x, from.point.z));
        let mut points = vec![center(span)];
        for part in 1..=parts {
            let place = from.point + along * (part as f32 / parts as f32);
            let next = frame.cell_at(place.x, place.z);
            if next == cell {
                continue;
            }
            // Next to a corner a point may lie over a cell that the line, which is exact, does not
            // cross, or a cell that it does be left out.
            let corners = [Cell::new(next.x, cell.z), Cell::new(cell.x, next.z)];
            let around =
                || corners.iter().find_map(|&corner| self.steps(span, &[cell, corner, next]));
            if let Some(beyond) = self.steps(span, &[cell, next]).or_else(around) {
                points.extend(beyond.iter().map(|&span| center(span)));
                (span, cell) = (beyond[beyond.len() - 1], next);
            }
        }
        assert_eq!(span, to.span, "{from:?} to {to:?}");
        points
    }

    /// The spans that steps lead to from cell to cell.
    fn steps(&self, mut span: SpanId, cells: &[Cell]) -> Option<Vec<SpanId>> {
        let step = |pair: &[Cell]| {
            let dir = Dir::ALL.into_iter().find(|&dir| pair[0].neighbor(dir) == pair[1])?;
            span = self.view.neighbor(span, dir)?;
            Some(span)
        };
        cells.windows(2).map(step).collect()
    }
}

#[test]
fn own_scenes() {
    surefoot_testing::own_scenes().iter().for_each(|path| Level::own(path).compare());
}

#[test]
fn real_scenes() {
    for demo in DEMO_LEVELS {
        let Some((scene, grid)) = demo.bake() else { return };
        Level::new(demo.file, &scene, grid).compare();
    }
}
