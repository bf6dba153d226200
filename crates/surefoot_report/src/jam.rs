//! Provides [`Jam`]: bodies that got no further, and why.

use std::collections::HashMap;

use nalgebra::Point3;
use serde::Serialize;
use surefoot::crowd::{Crowd, Member, MemberId};
use surefoot::follow::{FollowState, StuckReason};
use surefoot::navigator::Navigator;

/// Bodies beside each other that got no further.
#[derive(Clone, Debug, Serialize)]
pub struct Jam {
    /// Where the first of them is [m].
    position: [f32; 3],
    /// The indices of the bodies, as in the CSV file: those that are stuck come first.
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
        let is_stuck = |at: usize| crowd.member(members[at]).is_some_and(is_stuck);
        let has_arrived = |at: usize| {
            crowd.member(members[at]).is_none_or(|member| member.state() == FollowState::Arrived)
        };
        let left = (0..members.len()).filter(|&at| !has_arrived(at));
        let places = left.filter_map(|at| Some((at, crowd.member(members[at])?.position())));
        let mut jams = Vec::new();
        for mut bodies in groups(&places.collect::<Vec<_>>()) {
            bodies.sort_unstable_by_key(|&at| (!is_stuck(at), at));
            // Else all of them are still on their way.
            if is_stuck(bodies[0]) {
                jams.extend(Jam::of(crowd, members, bodies, navigator));
            }
        }
        jams
    }

    fn of(
        crowd: &Crowd,
        members: &[MemberId],
        bodies: Vec<usize>,
        navigator: &Navigator,
    ) -> Option<Jam> {
        // Who touches nobody may wait behind those who do.
        let mut all = bodies.iter().filter_map(|&at| crowd.held_up(members[at]).ok());
        let first = all.next()?;
        let first_time = first.time;
        let held_up = all.find(|other| first.touched.is_empty() && !other.touched.is_empty());
        let held_up = held_up.unwrap_or(first);
        let no_path = bodies.iter().find_map(|&at| no_path(crowd.member(members[at])?, navigator));
        let is_resting =
            |id: &&MemberId| crowd.member(**id).is_some_and(|member| member.state().is_at_rest());
        let resting = held_up.touched.iter().filter(is_resting).count();
        let place = format!("where the ground is {:.1} m wide", held_up.width);
        let goes_on = |at: &usize| {
            let state = crowd.member(members[*at]).map(Member::state);
            matches!(state, Some(FollowState::MakingWay | FollowState::Following))
        };
        let why = no_path.unwrap_or_else(|| match (held_up.touched.len(), resting) {
            _ if bodies.iter().all(goes_on) => {
                format!("they wait for others to go first, {place}")
            }
            (0, _) => format!("nothing that the grid knows is in the way, {place}"),
            (_, 0) => format!("they block each other {place}"),
            (_, count) => format!("{count} that arrived rest in the way, {place}"),
        });
        let position = held_up.position.into();
        let seconds = first_time.max(held_up.time);
        Some(Jam { position, bodies, seconds, why })
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

/// Bodies that are near to each other, or joined by others: the groups by their first bodies.
fn groups(places: &[(usize, Point3<f32>)]) -> Vec<Vec<usize>> {
    let square = |point: &Point3<f32>| [point.x, point.z].map(|at| (at / SAME_JAM).floor() as i64);
    // For each square as wide as bodies may be apart, the places in it that are in no group yet.
    let mut left: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    for (place, (_, point)) in places.iter().enumerate() {
        left.entry(square(point)).or_default().push(place);
    }
    let mut is_taken = vec![false; places.len()];
    let mut groups = Vec::new();
    for first in 0..places.len() {
        if std::mem::replace(&mut is_taken[first], true) {
            continue;
        }
        let (mut group, mut next) = (vec![first], 0);
        while let Some(&from) = group.get(next) {
            let (_, from) = &places[from];
            let [x, z] = square(from);
            for beside in (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| [x, z])) {
                let Some(here) = left.get_mut(&beside) else { continue };
                here.retain(|&place| !is_taken[place]);
                group.extend(here.extract_if(.., |&mut place| {
                    let is_near = (places[place].1 - from).norm() < SAME_JAM;
                    is_taken[place] |= is_near;
                    is_near
                }));
            }
            next += 1;
        }
        groups.push(group.into_iter().map(|place| places[place].0).collect());
    }
    groups
}

fn is_stuck(member: &Member) -> bool {
    matches!(
        member.state(),
        FollowState::Stuck { .. }
            | FollowState::OffGrid { .. }
            | FollowState::MakingWay
            | FollowState::Partial { .. }
    )
}

/// Why there is no path, if that is what keeps a member.
fn no_path(member: &Member, navigator: &Navigator) -> Option<String> {
    let error = match member.state() {
        FollowState::Stuck { reason: StuckReason::NoPath(error) } => error,
        FollowState::Partial { reason, .. } => reason,
        _ => return None,
    };
    let separation = navigator.why_not(member.position(), member.goal()?).ok();
    Some(match separation {
        Some(separation) => format!("no path to its goal: {separation}"),
        None => format!("no path to its goal: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use surefoot::follow::FollowSettings;
    use surefoot::{Agent, HeightCost, NavGrid};

    use super::*;

    #[test]
    fn bodies_are_in_one_jam_if_others_join_them() {
        let at = |x: f32, z: f32| Point3::new(x, 0.0, z);
        // Three in a row, one far away, and one that is near to the first across a border of squares.
        let row = [at(0.1, 0.0), at(9.0, 9.0), at(2.5, 0.0), at(1.4, 0.0), at(-0.9, -0.9)];
        let places: Vec<_> =
            row.into_iter().enumerate().map(|(at, point)| (10 + at, point)).collect();
        let mut found = groups(&places);
        found.iter_mut().for_each(|group| group.sort_unstable());
        assert_eq!(found, [vec![10, 12, 13, 14], vec![11]]);
        assert!(groups(&[]).is_empty());
    }

    /// A passage of fifteen cells, one cell wide.
    const CORRIDOR: &str = "type octile\nheight 1\nwidth 15\nmap\n...............\n";

    /// Bodies that walk for half a minute on a map, from points to points.
    fn jams(map: &str, trips: &[[[f32; 3]; 2]]) -> Vec<Jam> {
        jams_after(30, map, trips)
    }

    /// The same for so many seconds.
    fn jams_after(seconds: u32, map: &str, trips: &[[[f32; 3]; 2]]) -> Vec<Jam> {
        let slim = Agent { ledge_margin: Some(0.0), ..Agent::new("slim") };
        let grid = NavGrid::from_map(map, 0.2, &[slim]).unwrap();
        let navigator = Navigator::new(grid.clone(), "slim").unwrap();
        let mut crowd = Crowd::new(grid, HeightCost::default());
        let join = |&[from, to]: &[[f32; 3]; 2]| {
            let id = crowd.add("slim", from, FollowSettings::default()).unwrap();
            crowd.set_goal(id, to).unwrap();
            id
        };
        let members: Vec<MemberId> = trips.iter().map(join).collect();
        for _ in 0..30 * seconds {
            crowd.step(1.0 / 30.0);
        }
        Jam::all(&crowd, &members, &navigator)
    }

    /// No order of moves lets two change places in a passage that is blind at both ends.
    #[test]
    fn what_geometry_jams_for_good_is_named() {
        let ends = [[0.1, 0.0, 0.1], [2.9, 0.0, 0.1]];
        let jams = jams(CORRIDOR, &[ends, [ends[1], ends[0]]]);
        let [jam] = &jams[..] else { panic!("{jams:?}") };
        assert_eq!(jam.bodies.len(), 2);
        assert!((0.1..=2.9).contains(&jam.position[0]), "{jam:?}");
        assert!(jam.seconds > 2.0, "{jam:?}");
        assert!(jam.why.contains("block each other where the ground is 0."), "{jam:?}");
        assert!(jam.text().starts_with("2 bodies at ("), "{}", jam.text());
    }

    #[test]
    fn those_who_wait_for_their_turn_say_so() {
        let rows: String = (0..16)
            .map(|row| {
                format!("{0}{1}{0}\n", ".".repeat(16), if row == 8 { "." } else { "@" }.repeat(20))
            })
            .collect();
        let map = format!("type octile\nheight 16\nwidth 52\nmap\n{rows}");
        let trip = |at: usize| {
            let z = 0.7 + 0.7 * (at / 2) as f32;
            let ends = [[0.5, 0.0, z], [9.9, 0.0, z]];
            if at.is_multiple_of(2) { ends } else { [ends[1], ends[0]] }
        };
        let trips: Vec<_> = (0..6).map(trip).collect();
        let jams = jams_after(3, &map, &trips);
        let waits = |jam: &Jam| jam.why.starts_with("they wait for others to go first, where");
        assert!(jams.iter().any(waits), "{jams:?}");
        assert!(jams_after(60, &map, &trips).is_empty());
    }

    #[test]
    fn nobody_is_jammed_who_arrives() {
        assert!(jams(CORRIDOR, &[[[0.1, 0.0, 0.1], [2.9, 0.0, 0.1]]]).is_empty());
    }

    #[test]
    fn without_a_path_the_reason_is_given() {
        let map = "type octile\nheight 1\nwidth 9\nmap\n....@....\n";
        let jams = jams(map, &[[[0.1, 0.0, 0.1], [1.7, 0.0, 0.1]]]);
        assert!(jams[0].why.starts_with("no path to its goal: "), "{jams:?}");
        assert_eq!(jams[0].bodies, [0]);
    }
}
