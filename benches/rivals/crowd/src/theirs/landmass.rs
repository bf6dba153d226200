//! landmass: it says which velocity each agent should have, and leaves moving to its user.

use std::sync::Arc;

use ::landmass::{
    Agent, AgentId, Archipelago, ArchipelagoOptions, FromAgentRadius, HeightNavigationMesh,
    HeightPolygon, Island, NavigationMesh, PointSampleDistance3d, Transform, ValidNavigationMesh,
    Vec3 as Theirs, XYZ,
};
use glam::Vec3;

use crate::course::Course;
use crate::ground::Ground;
use crate::navmesh::Navmesh;
use crate::race::Side;
use crate::{DT, RADIUS, SPEED};

pub type Mesh = Arc<ValidNavigationMesh<XYZ>>;

/// The navmesh with its detail mesh, as the project's own conversion has it.
pub fn mesh(navmesh: &Navmesh) -> Mesh {
    let outline = |corners: &[u16]| corners.iter().map(|&corner| corner.into()).collect();
    let polygons: Vec<Vec<usize>> = navmesh.outlines().map(outline).collect();
    let detail = &navmesh.detail;
    let height_polygon = |part: &rerecast::SubMesh| HeightPolygon {
        base_vertex_index: part.base_vertex_index,
        vertex_count: part.vertex_count,
        base_triangle_index: part.base_triangle_index,
        triangle_count: part.triangle_count,
    };
    let mesh = NavigationMesh {
        vertices: navmesh.corners().map(to_theirs).collect(),
        polygon_type_indices: vec![0; polygons.len()],
        polygons,
        height_mesh: Some(HeightNavigationMesh {
            polygons: detail.meshes.iter().map(height_polygon).collect(),
            vertices: detail.vertices.iter().map(|&vertex| to_theirs(vertex)).collect(),
            triangles: detail.triangles.clone(),
        }),
    };
    Arc::new(mesh.validate().unwrap_or_else(|error| panic!("{error}")))
}

pub struct Crowd<'a> {
    archipelago: Archipelago<XYZ>,
    agents: Vec<AgentId>,
    ground: &'a Ground,
}

impl Crowd<'_> {
    pub fn new<'a>(mesh: &Mesh, ground: &'a Ground, course: &Course) -> Crowd<'a> {
        let mut archipelago = Archipelago::new(ArchipelagoOptions {
            // As in the project's example of a level with slopes.
            point_sample_distance: PointSampleDistance3d {
                distance_above: 0.75,
                distance_below: 0.75,
                ..PointSampleDistance3d::from_agent_radius(RADIUS)
            },
            ..ArchipelagoOptions::from_agent_radius(RADIUS)
        });
        let transform = Transform { translation: Theirs::ZERO, rotation: 0.0 };
        archipelago.add_island(Island::new(transform, mesh.clone()));
        let add = |(agent, &start): (usize, &Vec3)| {
            let at = to_theirs(start);
            let mut created = Agent::create(at, Theirs::ZERO, RADIUS, SPEED, SPEED);
            created.current_target = Some(to_theirs(course.goal(agent, 0)));
            archipelago.add_agent(created)
        };
        let agents = course.starts.iter().enumerate().map(add).collect();
        Crowd { archipelago, agents, ground }
    }

    fn agent(&mut self, agent: usize) -> &mut Agent<XYZ> {
        self.archipelago.get_agent_mut(self.agents[agent]).expect("nobody is removed")
    }
}

impl Side for Crowd<'_> {
    fn name(&self) -> &'static str {
        "landmass"
    }

    fn step(&mut self) {
        self.archipelago.update(DT);
        for agent in 0..self.agents.len() {
            let agent = self.agent(agent);
            agent.velocity = *agent.get_desired_velocity();
            agent.position += agent.velocity * DT;
        }
    }

    /// Onto the ground again, which is left to physics.
    fn settle(&mut self) {
        let ground = self.ground;
        for agent in 0..self.agents.len() {
            let agent = self.agent(agent);
            if let Some(place) = ground.nearest(to_ours(agent.position)) {
                agent.position = to_theirs(place);
            }
        }
    }

    fn position(&self, agent: usize) -> Vec3 {
        let agent = self.archipelago.get_agent(self.agents[agent]);
        to_ours(agent.expect("nobody is removed").position)
    }

    fn send(&mut self, agent: usize, goal: Vec3) {
        self.agent(agent).current_target = Some(to_theirs(goal));
    }
}

/// Up is z there.
fn to_theirs(point: Vec3) -> Theirs {
    Theirs::new(point.x, -point.z, point.y)
}

fn to_ours(point: Theirs) -> Vec3 {
    Vec3::new(point.x, point.z, -point.y)
}
