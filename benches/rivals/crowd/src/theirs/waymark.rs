//! waymark-crowd: after DetourCrowd. Its agents head for the goal itself and slide along what is in
//! the way; the corridor that it finds and keeps does not steer them.

use ::waymark::{NavMesh, NavMeshBuilder, NavMeshCreateParams, NavMeshParams, NavMeshQuery};
use ::waymark::{PolyRef, QueryFilter};
use glam::Vec3;
use rerecast::SubMesh;
use waymark_crowd::{AgentParams, RVOConfig};

use crate::course::Course;
use crate::navmesh::Navmesh;
use crate::race::Side;
use crate::{DT, RADIUS, SPEED};

/// The navmesh with its detail mesh, as one tile.
pub fn mesh(navmesh: &Navmesh) -> NavMesh {
    let tile = tile(navmesh);
    let mut params = NavMeshParams::default();
    params.origin = tile.bmin;
    params.tile_width = tile.bmax[0] - tile.bmin[0];
    params.tile_height = tile.bmax[2] - tile.bmin[2];
    (params.max_tiles, params.max_polys_per_tile) = (1, tile.poly_count);
    let mut mesh = NavMesh::new(params).expect("a box with a volume");
    let tile = NavMeshBuilder::build_tile(&tile).expect("a sound mesh");
    mesh.add_mesh_tile(tile).expect("room for one tile");
    mesh.build_bvh_tree().expect("polygons with corners");
    mesh
}

fn tile(navmesh: &Navmesh) -> NavMeshCreateParams {
    let (polygons, detail) = (&navmesh.polygons, &navmesh.detail);
    let mut tile = NavMeshCreateParams::default();
    (tile.bmin, tile.bmax) = (polygons.aabb.min.to_array(), polygons.aabb.max.to_array());
    (tile.cs, tile.ch) = (polygons.cell_size, polygons.cell_height);
    tile.nvp = polygons.max_vertices_per_polygon.into();
    tile.poly_count = detail.meshes.len() as i32;
    tile.verts = navmesh.corners().flat_map(|corner| corner.to_array()).collect();
    tile.vert_count = polygons.vertices.len() as i32;
    let rows = polygons.polygons.chunks_exact(tile.nvp as usize);
    tile.polys = rows.zip(navmesh.neighbors()).flat_map(|rows| [rows.0, rows.1].concat()).collect();
    for (part, outline) in detail.meshes.iter().zip(navmesh.outlines()) {
        // The first vertices of a part are the polygon's corners and not listed again.
        let vertices = &detail.vertices[part.base_vertex_index as usize..];
        let more = &vertices[outline.len()..part.vertex_count as usize];
        let first = tile.detail_verts.len() as u32 / 3;
        let SubMesh { base_triangle_index, triangle_count, .. } = *part;
        let counts = [more.len() as u32, triangle_count];
        tile.detail_meshes.extend([[first, base_triangle_index], counts].concat());
        tile.detail_verts.extend(more.iter().flat_map(|vertex| vertex.to_array()));
    }
    tile.detail_vert_count = tile.detail_verts.len() as i32 / 3;
    tile.detail_tris = detail.triangles.iter().flat_map(|&[a, b, c]| [a, b, c, 0]).collect();
    tile.detail_tri_count = detail.triangles.len() as i32;
    tile
}

/// How agents keep apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// By avoidance of everyone near, whom it looks for among all: its default.
    Avoidance,
    /// By separation from those whom its grid lists within the range.
    Separation,
}

/// Above and below a place polygons are looked for in half of it [m]: on hills they lie far from
/// the triangles that they have. Agents have no other use for it.
const LOOK: f32 = 8.0;
/// As in the Recast demo [m].
const SEPARATION_RANGE: f32 = 12.0 * RADIUS;

pub struct Crowd<'a> {
    apart: Apart,
    crowd: waymark_crowd::Crowd<'a>,
    query: NavMeshQuery<'a>,
    agents: Vec<usize>,
}

impl Crowd<'_> {
    pub fn new<'a>(mesh: &'a NavMesh, course: &Course, apart: Apart) -> Crowd<'a> {
        let mut avoidance = RVOConfig::default();
        (avoidance.radius, avoidance.max_speed) = (RADIUS, SPEED);
        let params = AgentParams::default()
            .with_radius(RADIUS)
            .with_height(LOOK)
            .with_max_speed(SPEED)
            .with_collision_query_range(SEPARATION_RANGE)
            .with_use_rvo(apart == Apart::Avoidance)
            .with_rvo_config(avoidance);
        let mut crowd = waymark_crowd::Crowd::new(mesh, course.starts.len(), RADIUS);
        let mut add = |start: &Vec3| {
            let added = crowd.add_agent(start.to_array().into(), params.clone());
            added.expect("a start on the mesh")
        };
        let agents: Vec<usize> = course.starts.iter().map(&mut add).collect();
        let mut crowd = Crowd { apart, crowd, query: NavMeshQuery::new(mesh), agents };
        for agent in 0..course.starts.len() {
            crowd.send(agent, course.goal(agent, 0));
        }
        crowd
    }
}

impl Side for Crowd<'_> {
    fn name(&self) -> &'static str {
        match self.apart {
            Apart::Avoidance => "waymark-crowd",
            Apart::Separation => "waymark-crowd, separation",
        }
    }

    fn step(&mut self) {
        self.crowd.update(DT).expect("everyone is on the mesh");
    }

    fn position(&self, agent: usize) -> Vec3 {
        let agent = self.crowd.get_agent(self.agents[agent]).expect("nobody is removed");
        agent.get_pos().to_array().into()
    }

    fn send(&mut self, agent: usize, goal: Vec3) {
        let extents = [2.0 * RADIUS, LOOK / 2.0, 2.0 * RADIUS];
        let filter = QueryFilter::default();
        let found = self.query.find_nearest_poly(goal.to_array().into(), extents.into(), &filter);
        let (polygon, place): (PolyRef, _) = found.expect("a goal on the mesh");
        let sent = self.crowd.request_move_target(self.agents[agent], polygon, place);
        sent.expect("nobody is removed");
    }
}
