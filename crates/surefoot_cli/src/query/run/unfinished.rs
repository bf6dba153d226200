//! Provides [`Unfinished`]: a body that did not arrive, and how far it got.

use serde::Serialize;
use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::FollowState;

use super::simulation::Simulation;

/// A body that did not arrive.
#[derive(Debug, Serialize)]
pub struct Unfinished {
    /// Its index, as in the CSV file.
    body: usize,
    state: &'static str,
    /// [m]
    position: [f32; 3],
    /// [m]
    goal: Option<[f32; 3]>,
    /// Length of the rest of its path; `null` without a path [m].
    remaining: Option<f32>,
    #[serde(skip)]
    is_walking: bool,
}

/// So many are listed in text.
const SHOWN: usize = 3;

impl Unfinished {
    /// All that did not arrive, in order.
    pub fn all(run: &Simulation) -> Vec<Self> {
        let bodies = run.members.iter().enumerate();
        bodies.filter_map(|(body, &id)| Self::of(&run.crowd, body, id)).collect()
    }

    fn of(crowd: &Crowd, body: usize, id: MemberId) -> Option<Self> {
        let member = crowd.member(id)?;
        let state = member.state();
        let goes_on = [FollowState::Following, FollowState::MakingWay].contains(&state);
        (state != FollowState::Arrived).then(|| Unfinished {
            body,
            state: state.name(),
            position: member.position().into(),
            goal: member.goal().map(Into::into),
            remaining: member.remaining_distance(),
            is_walking: goes_on || matches!(state, FollowState::OnLink { .. }),
        })
    }

    /// Where some are still walking, as a line of text; `None` if nobody is.
    pub fn walking(all: &[Unfinished]) -> Option<String> {
        let walking: Vec<&Unfinished> = all.iter().filter(|body| body.is_walking).collect();
        let mut places: Vec<String> = walking.iter().take(SHOWN).map(|body| body.text()).collect();
        let more = walking.len().saturating_sub(SHOWN);
        places.extend((more > 0).then(|| format!("{more} more")));
        (!places.is_empty()).then(|| places.join("; "))
    }

    fn text(&self) -> String {
        let Unfinished { body, position: [x, y, z], .. } = self;
        let rest = self.remaining.map(|rest| format!(", with {rest:.1} m to go"));
        format!("body {body} at ({x:.2}, {y:.2}, {z:.2}){}", rest.unwrap_or_default())
    }
}
