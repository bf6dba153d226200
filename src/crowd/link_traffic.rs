//! Provides [`LinkTraffic`]: lets no more bodies on a link than it has room for.
//!
//! Members that come to a link line up in front of it, and get on in the order in which they arrived. One
//! gets on once the link is not full and, if it moves, at its stop; nobody on it comes the other way or is
//! too near ahead; and the ground where it lands is free. It keeps that ground free until it has landed:
//! others see a body there. The line stands back from the link, so that those who come out get by. Nobody
//! waits forever for the ground: after some seconds a member lands wherever there is room beside the one that
//! stands there.

use std::ops::Range;

use nalgebra::Point3;

use super::agent_views::AgentViews;
use crate::crowd::link_turn::{LinePlace, LinkTurn};
use crate::crowd::member::Member;
use crate::crowd::slot_map::SlotMap;
use crate::follow::{LinkAhead, dot, horizontal_distance, norm};
use crate::level::Link;
use crate::view::Overlay;

/// Lets no more bodies on a link than it has room for.
#[derive(Debug, Default)]
pub(crate) struct LinkTraffic {
    /// Steps so far.
    step: u64,
    /// How long the step is [s].
    dt: f32,
    /// Those on links or in front of them, in the order in which they arrived.
    users: Vec<LinkUser>,
    /// Of one link: those on it, or about to get on. Indices of `users`.
    occupying: Vec<usize>,
    /// Of one link: those whose turn it is not, so far.
    denied: Vec<usize>,
}

/// A member on a link or in front of it.
#[derive(Clone, Copy, Debug)]
struct LinkUser {
    link: u32,
    ticket: u64,
    /// The slot of the member.
    index: u32,
    phase: Phase,
    start: Point3<f32>,
    landing: Point3<f32>,
    position: Point3<f32>,
    radius: f32,
    height: f32,
    /// Whether it is on the link and flies.
    flies: bool,
    /// How long it takes to the end [s].
    seconds_left: f32,
    /// [m/s]
    speed: f32,
}

/// What the members of a crowd stand on.
pub(crate) struct LinkGround<'a> {
    /// For each agent, its ground as it is now.
    pub views: &'a AgentViews<'a>,
    pub links: &'a [Link],
    /// Says where links are that move.
    pub overlay: &'a Overlay,
}

/// Where a member is in front of its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    OnLink,
    Goes,
    Waits,
}

/// Members take their place in the line this near to a link [m].
const LINE_DISTANCE: f32 = 6.0;
/// The first in the line stands this far from the link, beside the width of two bodies [m].
const GAP_TO_LINK: f32 = 0.6;
/// Those behind it spread over the ground, each with this part of the square of its width.
const LINE_DENSITY: f32 = 0.9;
/// Bodies in the line, or on a link one after the other, keep this distance [sums of both radii].
const SPACING: f32 = 1.25;
/// A body in the line stands if another is in front: the cosine to the link is above this.
const IN_FRONT: f32 = 0.5;
/// A body this near to its place stands [m].
const AT_PLACE: f32 = 0.05;
/// Bodies wait no longer than this for the ground where they land [s].
const LANDING_PATIENCE: f32 = 4.0;
/// A body whose turn it is has to get on the link within this time [s].
const GOING_PATIENCE: f32 = 8.0;
/// This near to the link, it looks once more whether it can land [m].
const LAST_LOOK: f32 = 0.5;
/// A body that does not fly keeps the ground free only for the last part of its way [s].
const LANDING_TIME: f32 = 1.0;
/// Bodies that touch by no more than this do not stand on each other [m].
const TOUCH: f32 = 0.01;

impl LinkTraffic {
    /// Decides whose turn it is on each link.
    pub(crate) fn update(&mut self, slot_map: &mut SlotMap, ground: &LinkGround, dt: f32) {
        self.step += 1;
        self.dt = dt;
        self.users.clear();
        for member in slot_map.iter_mut() {
            self.users.extend(look_ahead(member, ground, self.step));
            member.following.is_link_barred = true;
        }
        self.users.sort_unstable_by_key(|user| (user.link, user.ticket, user.index));
        let mut first = 0;
        while let Some(link) = self.users.get(first).map(|user| user.link) {
            let count = self.users[first..].partition_point(|user| user.link == link);
            let group = first..first + count;
            self.take_turns(slot_map, group.clone(), ground.most_on(link));
            for at in group.clone() {
                self.stand_in_line(slot_map, at, group.clone());
                self.get_on(slot_map, at);
                self.come_off(slot_map, at, group.clone());
            }
            first += count;
        }
    }

    /// Gives a turn to those in front of a link for whom there is room.
    fn take_turns(&mut self, slot_map: &mut SlotMap, group: Range<usize>, most: usize) {
        self.denied.clear();
        self.occupying.clear();
        self.occupying.extend(group.clone().filter(|&at| self.users[at].phase != Phase::Waits));
        for at in group {
            let user = self.users[at];
            if user.phase != Phase::Waits {
                continue;
            }
            let meets = |other: &usize| user.meets(&self.users[*other]);
            let has_room = self.occupying.len() < most
                && !self.occupying.iter().any(meets)
                && !self.denied.iter().any(meets);
            let can_land = has_room && self.can_land(slot_map, &user);
            let Some(member) = slot_map.at_mut(user.index) else { continue };
            let turn = &mut member.link_turn;
            let is_turn = has_room && (can_land || turn.blocked > LANDING_PATIENCE);
            if let Some(place) = turn.place.as_mut().filter(|_| is_turn) {
                (place.goes, place.time) = (true, 0.0);
                member.following.forget_hold_up();
                self.users[at].phase = Phase::Goes;
                self.occupying.push(at);
            } else {
                turn.blocked += if has_room { self.dt } else { 0.0 };
                self.denied.push(at);
            }
        }
    }

    /// Tells a member that waits where it stands. Those before it have got closer places.
    fn stand_in_line(&self, slot_map: &mut SlotMap, at: usize, group: Range<usize>) {
        let own = self.users[at];
        if own.phase != Phase::Waits {
            return;
        }
        let others = self.users[group.start..at].iter();
        let before = others.filter(|other| {
            other.phase == Phase::Waits && near(&own.start, &other.start, LINE_DISTANCE)
        });
        let (mut count, mut is_behind) = (0.0, false);
        for other in before {
            count += 1.0;
            is_behind |= own.is_behind(other);
        }
        let width = 2.0 * own.radius * SPACING;
        let first = 2.0 * own.radius + GAP_TO_LINK;
        let distance = (first * first + LINE_DENSITY * count * width * width).sqrt();
        let room = horizontal_distance(&own.position, &own.start) - distance;
        let member = slot_map.at_mut(own.index);
        if let Some(place) = member.and_then(|member| member.link_turn.place.as_mut()) {
            (place.room, place.stands) = (room, is_behind || room < AT_PLACE);
        }
    }

    /// Lets a member on the link whose turn it is, once it is there. It loses its turn if it does not come.
    fn get_on(&self, slot_map: &mut SlotMap, at: usize) {
        let own = self.users[at];
        if own.phase != Phase::Goes {
            return;
        }
        let distance = horizontal_distance(&own.position, &own.start);
        let can_land = distance > LAST_LOOK || self.can_land(slot_map, &own);
        let (dt, ticket) = (self.dt, self.step);
        let Some(member) = slot_map.at_mut(own.index) else { return };
        let turn = &mut member.link_turn;
        turn.blocked += if can_land { 0.0 } else { dt };
        member.following.is_link_barred = !can_land && turn.blocked <= LANDING_PATIENCE;
        let Some(place) = turn.place.as_mut() else { return };
        (place.room, place.time) = (distance, place.time + dt);
        if place.time > GOING_PATIENCE {
            (place.goes, place.ticket) = (false, ticket);
            member.following.is_link_barred = true;
        }
    }

    /// Keeps the ground free where a member on a link lands. Until it is free, one that does not fly waits
    /// in front of it.
    fn come_off(&self, slot_map: &mut SlotMap, at: usize, group: Range<usize>) {
        let own = self.users[at];
        if own.phase != Phase::OnLink {
            return;
        }
        let lands_soon = own.flies || own.seconds_left <= LANDING_TIME;
        let can_land = lands_soon && self.can_land(slot_map, &own);
        let is_ahead = |other: &LinkUser| {
            other.index != own.index && other.phase == Phase::OnLink && own.follows(other)
        };
        let is_behind = !own.flies && self.users[group].iter().any(is_ahead);
        let dt = self.dt;
        let Some(member) = slot_map.at_mut(own.index) else { return };
        let turn = &mut member.link_turn;
        turn.has_landing |= can_land;
        let at_end = own.seconds_left <= 2.0 * own.radius * SPACING / own.speed;
        let waits = !own.flies && (is_behind || at_end && !turn.has_landing);
        turn.holds = waits && turn.blocked <= LANDING_PATIENCE;
        turn.blocked += if waits { dt } else { 0.0 };
    }

    /// Whether nobody stands where a member lands, and nobody else on a link is about to land there.
    fn can_land(&self, slot_map: &SlotMap, own: &LinkUser) -> bool {
        let is_in_the_way = |other: &Member| {
            if other.id.index == own.index {
                return false;
            }
            let place = match other.following.traversal() {
                None => other.position,
                Some(_) if !other.link_turn.has_landing => return false,
                Some(traversal) => traversal.end().point,
            };
            let radius = own.radius + other.radius;
            near(&place, &own.landing, radius - TOUCH)
                && (place.y - own.landing.y).abs() < own.height
        };
        !slot_map.iter().any(is_in_the_way)
    }
}

impl LinkGround<'_> {
    /// How many bodies may be on a link or about to get on: none while it is away.
    fn most_on(&self, link: u32) -> usize {
        let index = link as usize;
        match self.links.get(index).map_or(0, |link| link.capacity) {
            _ if !self.overlay.is_link_at_stop(index) => 0,
            0 => usize::MAX,
            capacity => capacity as usize,
        }
    }
}

impl LinkUser {
    /// Whether it cannot be on the link at once with another: they come towards each other, or the other
    /// is still too near ahead.
    fn meets(&self, other: &LinkUser) -> bool {
        let radius = self.radius + other.radius;
        let touch = |a: &Point3<f32>, b: &Point3<f32>| near(a, b, radius);
        let are_opposed = touch(&self.start, &other.landing) || touch(&self.landing, &other.start);
        let are_on_one_lane =
            touch(&self.start, &other.start) || touch(&self.landing, &other.landing);
        let is_away = other.phase == Phase::OnLink
            && !other.flies
            && (other.position - self.start).norm() > SPACING * radius;
        are_opposed || are_on_one_lane && !is_away
    }

    /// Whether another stands in front of it, both in the line.
    fn is_behind(&self, other: &LinkUser) -> bool {
        let flat = |from: &Point3<f32>, to: &Point3<f32>| [to.x - from.x, to.z - from.z];
        let (to_other, to_link) =
            (flat(&self.position, &other.position), flat(&self.position, &self.start));
        let (distance, length) = (norm(to_other), norm(to_link));
        distance < SPACING * (self.radius + other.radius)
            && dot(to_other, to_link) > IN_FRONT * distance * length
    }

    /// Whether another is close ahead on the way to the same end.
    fn follows(&self, other: &LinkUser) -> bool {
        let radius = self.radius + other.radius;
        let is_ahead = (other.seconds_left, other.index) < (self.seconds_left, self.index);
        is_ahead
            && near(&self.landing, &other.landing, radius)
            && (self.position - other.position).norm() < SPACING * radius
    }
}

/// Whether two points are nearer than a distance [m], seen from above.
fn near(a: &Point3<f32>, b: &Point3<f32>, distance: f32) -> bool {
    horizontal_distance(a, b) < distance
}

/// Returns a member that is on a link or in front of it. One that is not loses its place.
fn look_ahead(member: &mut Member, ground: &LinkGround, step: u64) -> Option<LinkUser> {
    let agent = ground.views.get(member.agent)?.agent();
    let place = member.link_turn.place;
    let user = |member: &Member, link: LinkAhead, phase| LinkUser {
        link: link.link,
        ticket: place.map_or(step, |place| place.ticket),
        index: member.id.index,
        phase,
        start: link.from.point,
        landing: link.to.point,
        position: member.position,
        radius: agent.radius,
        height: agent.height,
        flies: false,
        seconds_left: f32::INFINITY,
        speed: member.settings.speed,
    };
    if let Some(traversal) = member.following.traversal() {
        let own = user(member, traversal.ahead(), Phase::OnLink);
        let (flies, seconds_left) = (traversal.flies(), traversal.seconds_left());
        return Some(LinkUser { flies, seconds_left, ..own });
    }
    let is_near = |link: &LinkAhead| near(&link.from.point, &member.position, LINE_DISTANCE);
    let is_on_its_way = member.is_under_way() && member.duty.errand().is_none();
    let ahead = member.following.link_ahead().filter(|_| is_on_its_way).filter(is_near);
    let Some(link) = ahead else {
        member.link_turn = LinkTurn::default();
        return None;
    };
    if place.is_none_or(|place| place.link != link.link) {
        let place = LinePlace::new(link.link, step);
        member.link_turn = LinkTurn { place: Some(place), ..LinkTurn::default() };
        return Some(LinkUser { ticket: step, ..user(member, link, Phase::Waits) });
    }
    if !ground.overlay.is_link_at_stop(link.link as usize) {
        // It left before the member was on it, which keeps its place in the line.
        member.link_turn.place = place.map(|place| LinePlace { goes: false, ..place });
    }
    let phase = if member.link_turn.goes() { Phase::Goes } else { Phase::Waits };
    Some(user(member, link, phase))
}
