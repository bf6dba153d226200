//! Opens and closes links as their switches say.

use std::collections::{BTreeMap, BTreeSet};

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Ref};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::With;
use bevy_ecs::system::{Local, Query, ResMut};
use surefoot::grid::Link;

use crate::nav_world::{InNavWorld, NavCrowd, NavWorld};
use crate::obstacle::{LinkName, LinkRules, NavLinkStatus, NavLinkSwitch};
use crate::queries::NavNavigators;

type Switches<'w, 's> = Query<
    'w,
    's,
    (Ref<'static, NavLinkSwitch>, Option<Ref<'static, InNavWorld>>, &'static mut NavLinkStatus),
>;

type Grounds<'w, 's> =
    Query<'w, 's, (Entity, &'static mut NavCrowd, &'static mut NavNavigators), With<NavWorld>>;

/// Applies all switches, if one of them or a grid has changed.
pub(crate) fn apply_switches(
    mut switches: Switches,
    mut grounds: Grounds,
    mut rules: ResMut<LinkRules>,
    mut known: Local<Vec<(Entity, u64)>>,
) {
    let now = grounds.iter().map(|(world, nav_crowd, _)| (world, nav_crowd.counts.grids));
    let has_new_grids = !now.clone().eq(known.iter().copied());
    let is_changed = switches.iter().any(|(switch, in_world, _)| {
        switch.is_changed() || in_world.is_some_and(|named| named.is_changed())
    });
    if !(has_new_grids || is_changed || rules.is_stale) {
        return;
    }
    known.clear();
    known.extend(now);
    rules.is_stale = false;
    for (world, mut nav_crowd, mut navigators) in &mut grounds {
        let wanted = wanted_links(world, &nav_crowd, &switches);
        switch_links(&mut nav_crowd, &mut navigators, wanted);
    }
    for (switch, in_world, mut status) in &mut switches {
        let own = in_world.map(|named| named.0);
        status.set_if_neq(status_of(&switch.link, own, &grounds));
    }
}

/// The links of a world that switches name, and whether they are open.
fn wanted_links(world: Entity, nav_crowd: &NavCrowd, switches: &Switches) -> BTreeMap<usize, bool> {
    let mut wanted = BTreeMap::new();
    let Some(crowd) = nav_crowd.crowd() else { return wanted };
    for (switch, in_world, _) in switches {
        if in_world.is_some_and(|named| named.0 != world) {
            continue;
        }
        for (index, link) in crowd.grid().links().iter().enumerate() {
            if names(&switch.link, link) {
                *wanted.entry(index).or_insert(true) &= switch.open;
            }
        }
    }
    wanted
}

fn switch_links(
    nav_crowd: &mut NavCrowd,
    navigators: &mut NavNavigators,
    wanted: BTreeMap<usize, bool>,
) {
    let Some(crowd) = nav_crowd.crowd() else { return };
    let freed = nav_crowd.switched.iter().filter(|link| !wanted.contains_key(link));
    let all = freed.map(|&link| (link, true)).chain(wanted.iter().map(|(&at, &open)| (at, open)));
    let changes: Vec<(usize, bool)> =
        all.filter(|&(link, open)| crowd.overlay().is_link_open(link) != open).collect();
    nav_crowd.switched = wanted.into_keys().collect();
    if changes.is_empty() {
        return;
    }
    navigators.release();
    if let Some(crowd) = nav_crowd.ground_mut() {
        for (link, open) in changes {
            // It is a link of this grid.
            crowd.set_link_open(link, open).ok();
        }
    }
}

fn names(name: &LinkName, link: &Link) -> bool {
    match name {
        LinkName::Name(name) => *name == link.name,
        LinkName::Id(id) => *id == link.id,
    }
}

fn status_of(name: &LinkName, own: Option<Entity>, grounds: &Grounds) -> NavLinkStatus {
    let is_own = |world: Entity| own.is_none_or(|own| own == world);
    let crowds = grounds.iter().filter(|&(world, ..)| is_own(world));
    let mut grids = crowds.filter_map(|(_, nav_crowd, _)| nav_crowd.crowd()).peekable();
    if grids.peek().is_none() {
        return NavLinkStatus::NoGrid;
    }
    let all: Vec<&Link> = grids.flat_map(|crowd| crowd.grid().links()).collect();
    match all.iter().filter(|link| names(name, link)).count() {
        0 => {
            let known: BTreeSet<&String> = all.iter().map(|link| &link.name).collect();
            NavLinkStatus::Unknown { known: known.into_iter().cloned().collect() }
        }
        links => NavLinkStatus::Switches { links },
    }
}
