//! Provides [`GeometryCheck`]: tests bodies against the geometry that a grid was baked from.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow};
use rayon::prelude::*;
use serde::Serialize;
use surefoot::{Agent, NavGrid};
use surefoot_bake::casts::{Caster, CollisionWorld, Room, TileCaster, TiledCaster};
use surefoot_rapier::{Body, Probe};

use super::member_sample::MemberSample;
use crate::query::input::GridInput;
use crate::query::scene::load_scene;

/// A body that is less deep in a solid does not count as touching it [m]: bodies may walk along walls,
/// and numbers are rounded.
const CONTACT_TOLERANCE: f32 = 1e-3;

/// Bodies stand less deep than this in a solid, if at all, wherever the library puts them [m].
const PROMISED_DEPTH: f32 = 0.01;

/// Loads the scene that a grid was baked from, ready for casts.
///
/// # Errors
/// The scene cannot be loaded, or the grid was not baked from it.
pub fn load(file: &Path, grid: &NavGrid, input: &GridInput) -> anyhow::Result<CollisionWorld> {
    let scene = load_scene(file, grid, input)?;
    CollisionWorld::new(&scene).map_err(|error| anyhow!(error)).context(file.display().to_string())
}

/// Tests bodies against the geometry of a scene.
///
/// It casts as the bake does: parry's casts in 32 bits are off by a few centimeters for some boxes beside long
/// triangles, which would count as contacts.
pub struct GeometryCheck<'a> {
    caster: &'a TiledCaster<'a>,
    probes: &'a [Probe],
    /// One for each thread.
    tiles: Vec<Tile<'a>>,
    pub contacts: Contacts,
}

type Tile<'a> = <TiledCaster<'a> as Caster>::Tile<'a>;

/// How often and how deep bodies were in the geometry.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Contacts {
    /// Samples of bodies in contact that were not on a link.
    pub in_geometry_samples: u64,
    /// Those of them that were deeper than 1 cm.
    pub in_geometry_deep_samples: u64,
    /// Samples of bodies in contact on a link: links lead straight through the geometry.
    pub in_geometry_on_links: u64,
    /// The deepest contact off links [m].
    pub deepest_in_geometry: f32,
    /// Contacts off links by the name of the node.
    pub in_geometry_nodes: BTreeMap<String, u64>,
}

impl<'a> GeometryCheck<'a> {
    /// A check of bodies on a grid, with the [`probes`] of their agent.
    pub fn new(caster: &'a TiledCaster<'a>, grid: &NavGrid, probes: &'a [Probe]) -> Self {
        let tile = |_| caster.tile(grid.frame(), probes);
        let tiles = (0..rayon::current_num_threads()).into_par_iter().map(tile).collect();
        GeometryCheck { caster, probes, tiles, contacts: Contacts::default() }
    }

    /// Adds a sample of everyone.
    pub fn add(&mut self, members: &[MemberSample]) {
        let batch = members.len().div_ceil(self.tiles.len()).max(LEAST_BATCH);
        let contacts: Vec<Option<Contact>> = (self.tiles.par_iter_mut())
            .zip(members.par_chunks(batch))
            .flat_map_iter(|(tile, members)| {
                members.iter().map(|member| deepest(tile, self.probes, member))
            })
            .collect();
        for (member, contact) in members.iter().zip(contacts) {
            if let Some(contact) = contact {
                self.count(member, contact);
            }
        }
    }

    fn count(&mut self, member: &MemberSample, Contact { solid, depth }: Contact) {
        if member.is_on_link() {
            self.contacts.in_geometry_on_links += 1;
            return;
        }
        self.contacts.in_geometry_samples += 1;
        self.contacts.in_geometry_deep_samples += u64::from(depth >= PROMISED_DEPTH);
        self.contacts.deepest_in_geometry = self.contacts.deepest_in_geometry.max(depth);
        let world = self.caster.world();
        let node = world.nodes().get(world.node(solid).0 as usize);
        *self.contacts.in_geometry_nodes.entry(node.cloned().unwrap_or_default()).or_default() += 1;
    }
}

/// A body's contact with a solid.
struct Contact {
    /// Index of the solid in the world.
    solid: u32,
    /// How much the body has to shrink until it is free [m].
    depth: f32,
}

/// Bodies that one thread tests in a row, at least.
const LEAST_BATCH: usize = 32;
/// Probes for each metre that a body shrinks by.
const PROBES_A_METRE: f32 = 100.0;

/// How much smaller a probe is than the body, on every side [m].
fn shrinkage(probe: usize) -> f32 {
    if probe == 0 { CONTACT_TOLERANCE } else { probe as f32 / PROBES_A_METRE }
}

/// Probes from an agent's body down to almost nothing: it is made smaller and smaller by [`shrinkage`].
pub fn probes(agent: &Agent) -> Vec<Probe> {
    let body = Body::new(agent);
    let most = body.radius.min(0.5 * (body.top - body.bottom));
    let smaller = |by: f32| Body {
        radius: body.radius - by,
        bottom: body.bottom + by,
        top: body.top - by,
        ..body
    };
    let all = (0..).map(shrinkage).take_while(|&by| by < most);
    all.map(|by| Probe { body: smaller(by), max_room: 0.0 }).collect()
}

/// The contact of a member's body with the geometry, found by bisection over the probes.
fn deepest(tile: &mut impl TileCaster, probes: &[Probe], member: &MemberSample) -> Option<Contact> {
    // Bodies thinner than the tolerance have no probes.
    probes.first()?;
    let mut room = |probe: usize| tile.room(probe, member.position);
    let Room::Blocked(solid) = room(0) else { return None };
    let (mut blocked, mut free) = (0, probes.len());
    while free - blocked > 1 {
        let middle = blocked.midpoint(free);
        match room(middle) {
            Room::Blocked(_) => blocked = middle,
            Room::Free(_) => free = middle,
        }
    }
    Some(Contact { solid, depth: shrinkage(blocked) })
}

#[cfg(test)]
mod tests {
    use nalgebra::{Isometry3, Point3};
    use surefoot::follow::FollowState;
    use surefoot::grid::GridFrame;
    use surefoot::{BodyShape, Cell};
    use surefoot_bake::Scene;
    use surefoot_bake::scene::{Mesh, Shape, Solid};

    use super::*;

    /// The top of a wall beside a box, 28 mm from where it is shrunk by 2 cm. parry's cast says that it is in
    /// the way.
    #[test]
    fn a_box_beside_long_triangles_touches_nothing() {
        let points = [[24.0, -1.5, -17.0], [25.0, -1.5, -16.0], [28.25, -2.0, -12.75]];
        let more = [[23.0, -1.5, -16.0], [29.5, -1.5, -11.5]];
        let vertices = points.into_iter().chain(more).map(Point3::from).collect();
        let triangles = vec![[0, 1, 2], [3, 4, 1], [1, 4, 2]];
        let wall = Solid {
            name: "wall".to_owned(),
            shape: Shape::Mesh(0),
            pose: Isometry3::identity(),
            surfaces: Vec::new(),
        };
        let meshes = vec![Mesh { vertices, triangles, slots: Vec::new() }];
        let scene = Scene { meshes, solids: vec![wall], ..Scene::default() };
        let world = CollisionWorld::new(&scene).expect("a mesh");
        let caster = TiledCaster::new(&world);
        let shape = BodyShape::Box;
        let size = Agent { radius: 0.45, height: 1.2, max_climb: 0.2, ..Agent::new("cart") };
        let probes = probes(&Agent { slope_limit: 30.0, shape, ..size });
        let frame =
            GridFrame { cell_size: 0.15, min: Cell::new(150, -120), size_x: 40, size_z: 40 };
        let mut tile = caster.tile(&frame, &probes);
        let mut depth = |x: f32| {
            let position = Point3::new(x, -2.0, -16.247547);
            let member = MemberSample { position, state: FollowState::Arrived };
            deepest(&mut tile, &probes, &member).map(|contact| contact.depth)
        };
        assert_eq!(depth(25.651028), None);
        // The corner is 36 mm deep across the wall, 25 mm along each side.
        assert_eq!(depth(25.60), Some(0.02));
    }
}
