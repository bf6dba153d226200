//! Provides [`Walk`]: a crowd of one agent that the page watches.

use serde::Deserialize;
use surefoot::crowd::MemberId;
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::{Crowd, HeightCost, Navigator};
use surefoot_report::{Jam, random_trips};

use crate::message::Answer;

/// How many bodies walk, and where to.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrowdRequest {
    count: usize,
    seed: u32,
    /// Where all of them go [m]; each to a place of its own if there is none.
    goal: Option<[f32; 3]>,
}

/// A crowd under way.
#[derive(Debug)]
pub struct Walk {
    crowd: Crowd,
    members: Vec<MemberId>,
    steps: u32,
}

/// On ground of more spans than this long paths take so long that routes pay.
const LARGE: usize = 200_000;
/// Steps a second.
pub const RATE: f32 = 60.0;

impl Walk {
    /// Puts bodies on the ground of a navigator's agent; fewer than asked for if there is no room.
    pub fn new(navigator: &Navigator, request: CrowdRequest) -> Result<Self, String> {
        let agent = navigator.view().agent_id();
        let mut crowd = Crowd::new(navigator.grid().clone(), HeightCost::default());
        let overlay = navigator.overlay().clone();
        crowd.set_overlay(overlay).map_err(|error| error.to_string())?;
        if navigator.grid().spans().len() > LARGE {
            // Ground that does not come apart is searched.
            crowd.prepare(agent).ok();
        }
        let mut members = Vec::new();
        for trip in random_trips(navigator, request.count, request.seed) {
            // An obstacle may stand where a body was to start.
            let Ok(id) = crowd.add(agent, trip.from, FollowSettings::default()) else { continue };
            let goal = request.goal.unwrap_or(trip.to.into());
            crowd.set_goal(id, goal).map_err(|error| error.to_string())?;
            members.push(id);
        }
        Ok(Walk { crowd, members, steps: 0 })
    }

    /// Lets everyone follow a change of the level.
    pub fn change(&mut self, navigator: &Navigator) -> Result<(), String> {
        let overlay = navigator.overlay().clone();
        self.crowd.set_overlay(overlay).map_err(|error| error.to_string())
    }

    /// Lets everyone walk for so many steps.
    pub fn step(&mut self, steps: u32) {
        for _ in 0..steps {
            self.crowd.step(1.0 / RATE);
            self.steps += 1;
        }
    }

    /// Where everyone is, and what they do.
    pub fn answer(&self) -> Answer {
        let members = || self.members.iter().filter_map(|&id| self.crowd.member(id));
        let at = members().flat_map(|member| {
            let at = member.position();
            [at.x, at.y, at.z, member.facing()]
        });
        let states: Vec<FollowState> = members().map(|member| member.state()).collect();
        let count =
            |wanted: fn(&FollowState) -> bool| states.iter().filter(|at| wanted(at)).count();
        let value = serde_json::json!({
            "members": states.len(),
            "seconds": f64::from(self.steps) / f64::from(RATE),
            "arrived": count(|state| matches!(state, FollowState::Arrived)),
            "stuck": count(|state| state_kind(state) == STUCK),
            "all_at_rest": states.iter().all(FollowState::is_at_rest),
        });
        let kinds: Vec<u8> = states.iter().map(state_kind).collect();
        Answer::new(&value).floats("at", &at.collect::<Vec<_>>()).octets("states", &kinds)
    }

    /// Who gets no further, and why.
    pub fn jams(&self, navigator: &Navigator) -> Vec<Jam> {
        Jam::all(&self.crowd, &self.members, navigator)
    }
}

/// Of those who make no progress.
const STUCK: u8 = 4;

/// What the page colors bodies by.
fn state_kind(state: &FollowState) -> u8 {
    match state {
        FollowState::Waiting | FollowState::Idle => 0,
        FollowState::Following => 1,
        FollowState::OnLink { .. } => 2,
        FollowState::MakingWay => 3,
        FollowState::Arrived | FollowState::Partial { .. } => 5,
        _ => STUCK,
    }
}
