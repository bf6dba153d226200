//! The reference caster: one plain call to rapier or parry for each query.
//!
//! Slow, and simple enough to be trusted: tests compare the tiled caster with it. A vertical ray
//! through a mesh is cast at each triangle whose box it hits, because a ray cast at the whole mesh
//! reports the first hit only.

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::query::{Ray, RayCast, ShapeCastOptions};
use parry3d::shape::{Ball, Capsule, Cuboid, Shape, TriMesh};
use rapier3d::prelude::{ColliderBuilder, ColliderHandle, PhysicsWorld};

use super::columns::{CellHit, Columns, Hit};
use super::cracks::{is_in_crack, lines_beside};
use super::gaps::{FoundGaps, Gap, Surroundings};
use super::headroom::{HeadroomQuery, HeadroomSearch};
use super::passage::{Beside, PassageQuery, PassageSearch};
use super::sections::{GroundLine, Section};
use super::solid::{SolidForm, WorldSolid};
use super::{Caster, CollisionError, CollisionWorld, Room, TileCaster};
use surefoot::agent::BodyShape;
use surefoot::grid::{GridFrame, NodeId};
use surefoot_rapier::distance::{Bounds, ConvexObstacle, CoreShape};
use surefoot_rapier::{Body, Probe};

impl CollisionWorld {
    /// Returns a rapier world with the solids as fixed colliders, ready for queries. The user data
    /// of a collider is the index of its solid.
    ///
    /// # Errors
    /// Fails for a mesh that rapier refuses.
    pub fn to_physics(&self) -> Result<PhysicsWorld, CollisionError> {
        let mut physics = PhysicsWorld::new();
        for (index, solid) in self.solids.iter().enumerate() {
            let shape = solid.shared_shape().map_err(|problem| self.error(solid.node, problem))?;
            let collider =
                ColliderBuilder::new(shape).position(solid.pose).user_data(index as u128);
            physics.insert_collider(collider, None);
        }
        physics.detect_collisions(&(), &());
        Ok(physics)
    }

    fn error(&self, node: NodeId, problem: String) -> CollisionError {
        let node = self.nodes.get(node.0 as usize).cloned().unwrap_or_default();
        CollisionError { node, problem }
    }
}

/// Answers queries with one cast at a time.
pub struct RapierCaster<'w> {
    world: &'w CollisionWorld,
    physics: PhysicsWorld,
}

impl<'w> RapierCaster<'w> {
    /// Puts the world's solids into a rapier world. O(triangles) time and memory.
    ///
    /// # Errors
    /// Fails for a mesh that rapier refuses.
    pub fn new(world: &'w CollisionWorld) -> Result<Self, CollisionError> {
        Ok(RapierCaster { world, physics: world.to_physics()? })
    }
}

impl Caster for RapierCaster<'_> {
    type Tile<'a>
        = RapierTile<'a>
    where
        Self: 'a;

    fn world(&self) -> &CollisionWorld {
        self.world
    }

    fn tile<'a>(&'a self, cells: &GridFrame, probes: &'a [Probe]) -> RapierTile<'a> {
        RapierTile { caster: self, cells: *cells, probes }
    }
}

/// The reference caster over one rectangle of cells.
pub struct RapierTile<'a> {
    caster: &'a RapierCaster<'a>,
    cells: GridFrame,
    probes: &'a [Probe],
}

/// Rays along a line on the ground; a surface counts as level around each.
const RAYS_PER_LINE: usize = 8;

impl TileCaster for RapierTile<'_> {
    fn columns(&mut self, goes_on: &dyn Fn(usize) -> bool) -> Columns {
        let (mut all, mut lines) = (Vec::new(), [const { Vec::new() }; 3]);
        for index in 0..self.cells.cells() {
            if !goes_on(all.len()) {
                return Columns::from_hits(self.cells.cells(), &[]);
            }
            let center = self.cells.center(self.cells.cell(index));
            let [left, right] = lines_beside(center);
            for (at, hits) in [center, left, right].into_iter().zip(&mut lines) {
                self.hits_at(at, [f32::NEG_INFINITY, f32::INFINITY], hits);
            }
            let [line, left, right] = &lines;
            let hits = if is_in_crack(line, [left, right]) { left } else { line };
            all.extend(hits.iter().map(|&hit| CellHit { cell: index as u32, hit }));
        }
        Columns::from_hits(self.cells.cells(), &all)
    }

    fn sections(&mut self, line: &GroundLine, sections: &mut Vec<Section>) {
        sections.clear();
        let mut hits = Vec::new();
        for ray in 0..RAYS_PER_LINE {
            let [from, middle, to] =
                [0.0, 0.5, 1.0].map(|at| (ray as f32 + at) / RAYS_PER_LINE as f32);
            self.hits_at(line.at(middle), line.heights, &mut hits);
            sections.extend(hits.iter().map(|hit| Section {
                along: [from, to],
                y: [hit.y; 2],
                edge: None,
                up: hit.normal[1],
                solid: hit.solid,
                triangle: hit.triangle,
            }));
        }
    }

    fn room(&mut self, probe: usize, feet: nalgebra::Point3<f32>) -> Room {
        let body = &self.probes[probe].body;
        let SoleCast { sole, height, rise } = SoleCast::new(body);
        let start = Vector::new(feet.x, feet.y + height, feet.z);
        // A cast is reliable only if it starts clear.
        let touched = match body.shape {
            BodyShape::Capsule => self.touched_by_ball(start, body.radius),
            BodyShape::Box => None,
        };
        let touched = touched.or_else(|| {
            if rise > 0.0 {
                self.first_touched(&*sole, start, Vector::new(0.0, rise, 0.0))
            } else {
                None
            }
        });
        touched.map_or(Room::Free(0.0), Room::Blocked)
    }

    fn has_room_throughout(&mut self, _: usize, _: [nalgebra::Point3<f32>; 2], _: f32) -> bool {
        false
    }

    fn gaps(&mut self, around: &Surroundings, gaps: &mut Vec<Gap>) {
        let Surroundings { probe, feet, within } = *around;
        let core = CoreShape::new(&self.probes[probe].body, feet.into());
        self.with_obstacles(&core.bounds().grown(core.radius + within), |obstacles| {
            let mut found = FoundGaps::default();
            for (index, obstacle) in obstacles.iter().enumerate() {
                found.add(&core, index as u32, core.separation_from(obstacle));
            }
            found.move_to(gaps, &core, |index| obstacles[index as usize]);
        });
    }

    fn beside(&mut self, query: &PassageQuery) -> Beside {
        let Some(axis) = query.axis(&self.probes[query.probe].body) else {
            return Beside::default();
        };
        self.with_obstacles(&axis.bounds().grown(query.within), |obstacles| {
            let mut near = (0..obstacles.len() as u32).collect();
            let obstacle = |index: u32| obstacles[index as usize];
            let bounds = |_| Bounds { min: Vector::NEG_INFINITY, max: Vector::INFINITY };
            PassageSearch { axis, obstacle, bounds, query }.find(&mut near, &mut Vec::new())
        })
    }

    fn walls(&mut self, query: &PassageQuery) -> [bool; 8] {
        self.beside(query).walls
    }

    fn headroom(&mut self, query: &HeadroomQuery) -> Option<f32> {
        let body = &self.probes[query.probe].body;
        self.with_obstacles(&query.bounds(body).grown(body.radius), |obstacles| {
            let mut near = (0..obstacles.len() as u32).collect();
            let obstacle = |index: u32| obstacles[index as usize];
            HeadroomSearch::new(body, *query, obstacle).find(&mut near)
        })
    }

    fn can_move(&mut self, probe: usize, [from, to]: [nalgebra::Point3<f32>; 2]) -> bool {
        let (whole, height) = whole_body(&self.probes[probe].body);
        let start = Vector::new(from.x, from.y + height, from.z);
        self.first_touched(&*whole, start, (to - from).into()).is_none()
    }
}

impl RapierTile<'_> {
    /// Calls back with what is in a box: triangles and round solids.
    fn with_obstacles<R>(&self, near: &Bounds, call: impl FnOnce(&[ConvexObstacle<'_>]) -> R) -> R {
        let near = Aabb::new(near.min, near.max);
        let (mut triangles, mut round) = (Vec::new(), Vec::new());
        for (index, solid) in self.caster.world.solids.iter().enumerate() {
            if !solid.bounds.intersects(&near) {
                continue;
            }
            let Some(facets) = solid.facets() else {
                if let SolidForm::Round(shape) = &solid.form {
                    round.push(ConvexObstacle::Solid(&**shape, &solid.pose));
                }
                continue;
            };
            let mut add = |triangle| triangles.push(solid.triangle(facets, triangle));
            match self.mesh(index) {
                Some(mesh) => {
                    let local = near.transform_by(&solid.pose.inverse());
                    mesh.bvh().leaves(|node| node.aabb().intersects(&local)).for_each(&mut add);
                }
                None => (0..facets.triangles.len() as u32).for_each(&mut add),
            }
        }
        let triangles = triangles.iter().map(ConvexObstacle::Triangle);
        call(&triangles.chain(round).collect::<Vec<_>>())
    }

    /// Replaces `hits` by all surfaces on the vertical line at (x, z) between two heights, lower
    /// and upper, both included [m]; high to low.
    pub fn hits_at(&self, at: [f32; 2], [low, high]: [f32; 2], hits: &mut Vec<Hit>) {
        hits.clear();
        for (index, solid) in self.caster.world.solids.iter().enumerate() {
            if !solid.is_on_line(at) {
                continue;
            }
            let add = |y, normal: Vector, triangle| {
                let normal = normal.to_array();
                hits.push(Hit { y, normal, solid: index as u32, triangle });
            };
            self.hits_of_solid(index, at, add);
        }
        hits.retain(|hit| (low..=high).contains(&hit.y));
        Hit::sort(hits);
    }

    /// Calls back with the hits of a vertical line with one solid: height, normal by winding,
    /// triangle.
    fn hits_of_solid(&self, index: usize, at: [f32; 2], mut add: impl FnMut(f32, Vector, u32)) {
        let solid = &self.caster.world.solids[index];
        match &solid.form {
            SolidForm::Shell(_) => {
                if let Some(mesh) = self.mesh(index) {
                    mesh_hits(solid, mesh, at, add);
                }
            }
            SolidForm::Faceted(_, shape) | SolidForm::Round(shape) => {
                solid.convex_hits(shape, at, |y, normal| add(y, normal, 0));
            }
        }
    }

    /// Returns the mesh that rapier holds for a solid. Colliders were inserted in the order of
    /// solids.
    fn mesh(&self, index: usize) -> Option<&TriMesh> {
        let handle = ColliderHandle::from_raw_parts(index as u32, 0);
        self.caster.physics.colliders.get(handle)?.shape().as_trimesh()
    }

    /// Returns the solid nearest to the center of a ball, if it touches the ball.
    fn touched_by_ball(&self, center: Vector, radius: f32) -> Option<u32> {
        let pipeline = self.caster.physics.query_pipeline();
        let (handle, _) = pipeline.project_point(center, radius, true)?;
        Some(handle.into_raw_parts().0)
    }

    /// Returns the solid that a shape touches first during a motion, or where it starts.
    fn first_touched(&self, shape: &dyn Shape, start: Vector, motion: Vector) -> Option<u32> {
        let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
        let pose = Pose::from_translation(start);
        let pipeline = self.caster.physics.query_pipeline();
        let (handle, _) = pipeline.cast_shape(&pose, motion, shape, options)?;
        Some(handle.into_raw_parts().0)
    }
}

/// Calls back with the hits of a vertical line with each triangle of a mesh.
fn mesh_hits(
    solid: &WorldSolid,
    mesh: &TriMesh,
    at: [f32; 2],
    mut add: impl FnMut(f32, Vector, u32),
) {
    let Some(facets) = solid.facets() else { return };
    let top = solid.bounds.maxs.y + 1.0;
    let length = top - solid.bounds.mins.y + 1.0;
    let ray = Ray::new(Vector::new(at[0], top, at[1]), Vector::new(0.0, -1.0, 0.0));
    let local = ray.inverse_transform_by(&solid.pose);
    for leaf in mesh.bvh().leaves(|node| node.aabb().intersects_local_ray(&local, length)) {
        let hit = mesh.triangle(leaf).cast_local_ray_and_get_normal(&local, length, false);
        if let Some(hit) = hit {
            let [a, b, c] = solid.triangle(facets, leaf);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            add(top - hit.time_of_impact, normal, leaf);
        }
    }
}

/// A cast of the lowest slice of a body that sweeps out the whole body.
struct SoleCast {
    sole: Box<dyn Shape>,
    /// The height of its center above the feet at the start [m].
    height: f32,
    /// How far it rises [m].
    rise: f32,
}

impl SoleCast {
    fn new(body: &Body) -> Self {
        match body.shape {
            BodyShape::Capsule => {
                let [low, high] = body.axis();
                SoleCast { sole: Box::new(Ball::new(body.radius)), height: low, rise: high - low }
            }
            BodyShape::Box => {
                let half = 0.05 * (body.top - body.bottom);
                let slice = Cuboid::new(Vector::new(body.radius, half, body.radius));
                let rise = body.top - body.bottom - 2.0 * half;
                SoleCast { sole: Box::new(slice), height: body.bottom + half, rise }
            }
        }
    }
}

/// Returns the whole of a body, and the height of its center above the feet [m].
fn whole_body(body: &Body) -> (Box<dyn Shape>, f32) {
    let half = 0.5 * (body.top - body.bottom);
    let center = body.bottom + half;
    match body.shape {
        BodyShape::Capsule => {
            let [low, high] = body.axis();
            let shape: Box<dyn Shape> = if high > low {
                Box::new(Capsule::new_y(0.5 * (high - low), body.radius))
            } else {
                Box::new(Ball::new(body.radius))
            };
            (shape, 0.5 * (low + high))
        }
        BodyShape::Box => {
            (Box::new(Cuboid::new(Vector::new(body.radius, half, body.radius))), center)
        }
    }
}
