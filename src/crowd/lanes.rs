//! Provides [`Lanes`]: the next metres of those who go on, which those who wait keep free.
//!
//! Where many wait in front of a narrow passage they stand around its mouth, and nobody who comes out of
//! it would get through them. So whoever waits steps aside from where another is about to go.

use nalgebra::Point3;

use crate::crowd::member::{Member, MemberId};
use crate::crowd::route_ahead::RouteAhead;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::turn::Stance;
use crate::follow::norm;

/// The next metres of those who go on.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
    /// So many of them are in use; the others are kept for their memory.
    count: usize,
}

#[derive(Debug, Default)]
struct Lane {
    owner: Option<MemberId>,
    /// The radius of the body [m].
    radius: f32,
    start: Point3<f32>,
    route: RouteAhead,
}

/// Others step aside from so much of a member's path [m].
const LENGTH: f32 = 4.0;
/// They leave this much more room than it needs [m].
const MARGIN: f32 = 0.1;
/// Nearer to that than this nobody who waits walks on [m].
const STANDING_MARGIN: f32 = 0.5;
/// Farther than this from where a lane ends nobody is beside it [m].
const OUT_OF_REACH: f32 = 1.0;

impl Lanes {
    /// Reads the lanes of all members that are under way and wait for nothing.
    pub(crate) fn read(&mut self, slot_map: &SlotMap) {
        self.count = 0;
        for member in slot_map.iter().filter(|member| member.goes_on()) {
            if self.lanes.len() == self.count {
                self.lanes.push(Lane::default());
            }
            let lane = &mut self.lanes[self.count];
            (lane.owner, lane.radius) = (Some(member.id()), member.radius);
            lane.start = member.position();
            lane.route.read(member, LENGTH);
            self.count += 1;
        }
    }

    /// What a member that waits does about others' lanes; `None` if there is none near.
    pub(crate) fn stance(&self, member: &Member) -> Option<Stance> {
        let mut out = [0.0; 2];
        let mut is_beside = false;
        for lane in &self.lanes[..self.count] {
            let apart = lane.radius + member.radius + MARGIN;
            if (lane.start - member.position()).norm() > LENGTH + OUT_OF_REACH + apart {
                continue;
            }
            let Some(beside) = lane.route.beside(member.position()) else { continue };
            let depth = apart - beside.distance;
            if lane.owner == Some(member.id()) || beside.along <= 0.0 {
                continue;
            }
            is_beside |= depth > -STANDING_MARGIN;
            let depth = depth.max(0.0);
            for (part, away) in out.iter_mut().zip(beside.away) {
                *part += depth * away;
            }
        }
        let length = norm(out);
        if length > 0.0 {
            return Some(Stance::StepsAside { direction: out.map(|part| part / length) });
        }
        is_beside.then_some(Stance::Stands)
    }
}
