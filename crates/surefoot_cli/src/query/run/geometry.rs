//! Provides [`GeometryCheck`]: tests bodies against the geometry that a grid was baked from.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow};
use rayon::prelude::*;
use serde::Serialize;
use surefoot::grid::AgentId;
use surefoot::{Agent, NavGrid};
use surefoot_bake::casts::{Caster, CollisionWorld, RapierCaster, Room, TileCaster};
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
pub struct GeometryCheck<'a> {
    world: &'a CollisionWorld,
    caster: &'a RapierCaster<'a>,
    grid: &'a NavGrid,
    /// The body, made smaller and smaller by [`shrinkage`].
    probes: Vec<Probe>,
    pub contacts: Contacts,
}

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
    pub fn new(
        world: &'a CollisionWorld,
        caster: &'a RapierCaster<'a>,
        grid: &'a NavGrid,
        agent: AgentId,
    ) -> Self {
        let probes = probes(&grid.layers()[agent.index()].agent);
        GeometryCheck { world, caster, grid, probes, contacts: Contacts::default() }
    }

    /// Adds a sample of everyone.
    pub fn add(&mut self, members: &[MemberSample]) {
        let tile = || self.caster.tile(self.grid.frame(), &self.probes);
        let contacts: Vec<Option<Contact>> = members
            .par_iter()
            .with_min_len(BATCH)
            .map_init(tile, |tile, member| deepest(tile, &self.probes, member))
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
        let node = self.world.nodes().get(self.world.node(solid).0 as usize);
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

/// Bodies that one thread tests in a row.
const BATCH: usize = 32;
/// Probes for each metre that a body shrinks by.
const PROBES_A_METRE: f32 = 100.0;

/// How much smaller a probe is than the body, on every side [m].
fn shrinkage(probe: usize) -> f32 {
    if probe == 0 { CONTACT_TOLERANCE } else { probe as f32 / PROBES_A_METRE }
}

/// Probes from an agent's body down to almost nothing.
fn probes(agent: &Agent) -> Vec<Probe> {
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
