//! Provides [`Jam`]: bodies that got no further, and why.

use serde::Serialize;
use surefoot::crowd::{Crowd, Member, MemberId};
use surefoot::follow::{FollowState, StuckReason};
use surefoot::navigator::Navigator;

/// Bodies beside each other that got no further.
#[derive(Clone, Debug, Serialize)]
pub struct Jam {
    /// Where the first of them is [m].
    position: [f32; 3],
    /// The indices of the bodies, as in the CSV file.
    bodies: Vec<usize>,
    /// How long the first of them has not come nearer to its goal [s].
    seconds: f32,
    /// Why, in a line.
    why: String,
}

/// Bodies this near to each other are in the same jam [m].
const SAME_JAM: f32 = 1.5;

impl Jam {
    /// The jams at the end of a run, the first body of each in order.
    pub fn all(crowd: &Crowd, members: &[MemberId], navigator: &Navigator) -> Vec<Jam> {
        let mut stuck: Vec<usize> =
            (0..members.len()).filter(|&at| is_stuck(crowd.member(members[at]))).collect();
        let position = |at: usize| crowd.member(members[at]).map(Member::position);
        let mut jams = Vec::new();
        while !stuck.is_empty() {
            let mut bodies = vec![stuck.remove(0)];
            let mut next = 0;
            while next < bodies.len() {
                let from = position(bodies[next]);
                let is_near = |at: &mut usize| {
                    let offset = from.zip(position(*at)).map(|(from, at)| (at - from).norm());
                    offset.is_some_and(|offset| offset < SAME_JAM)
                };
                bodies.extend(stuck.extract_if(.., is_near));
                next += 1;
            }
            bodies.sort_unstable();
            jams.extend(Jam::of(crowd, members, bodies, navigator));
        }
        jams
    }

    fn of(
        crowd: &Crowd,
        members: &[MemberId],
        bodies: Vec<usize>,
        navigator: &Navigator,
    ) -> Option<Jam> {
        let id = members[*bodies.first()?];
        let (member, held_up) = (crowd.member(id)?, crowd.held_up(id).ok()?);
        let no_path = bodies.iter().find_map(|&at| no_path(crowd.member(members[at])?, navigator));
        let is_resting =
            |id: &&MemberId| crowd.member(**id).is_some_and(|member| member.state().is_at_rest());
        let resting = held_up.touched.iter().filter(is_resting).count();
        let width = held_up.width;
        let radius = navigator.view().agent().radius;
        let why = no_path.unwrap_or_else(|| match (held_up.touched.len(), resting) {
            (0, _) => "nothing that the grid knows is in its way".to_owned(),
            (_, 0) if width < 4.0 * radius => {
                format!("they block each other where the ground is {width:.1} m wide")
            }
            (_, 0) => format!("they block each other on ground {width:.1} m wide"),
            (_, count) => format!(
                "{count} that arrived rest in the way, where the ground is {width:.1} m wide"
            ),
        });
        let position = member.position().into();
        Some(Jam { position, bodies, seconds: held_up.time, why })
    }

    /// The jam as a line of text.
    pub fn text(&self) -> String {
        let [x, y, z] = self.position;
        let bodies = match self.bodies.len() {
            1 => "1 body".to_owned(),
            count => format!("{count} bodies"),
        };
        format!("{bodies} at ({x:.2}, {y:.2}, {z:.2}): {}", self.why)
    }
}

fn is_stuck(member: Option<&Member>) -> bool {
    member.is_some_and(|member| {
        let state = member.state();
        matches!(state, FollowState::Stuck { .. } | FollowState::OffGrid { .. })
            || state == FollowState::MakingWay
    })
}

/// Why there is no path, if that is what keeps a member.
fn no_path(member: &Member, navigator: &Navigator) -> Option<String> {
    let FollowState::Stuck { reason: StuckReason::NoPath(error) } = member.state() else {
        return None;
    };
    let separation = navigator.why_not(member.position(), member.goal()?).ok();
    Some(match separation {
        Some(separation) => format!("no path to its goal: {separation}"),
        None => format!("no path to its goal: {error}"),
    })
}
