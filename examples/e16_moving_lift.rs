//! A lift: two links, up and down, that are the stops of one thing that moves.
//!
//! `set_link_stop` says on which storey the lift stands. Only there do bodies get on; in front of the other
//! link they wait for it. The program takes over whoever is on a link, carries them on the platform, walks
//! them off it, and hands them back.
//!
//! `cargo run --example e16_moving_lift` draws `target/moving_lift.png`.

use std::error::Error;
use std::path::Path;

use surefoot::crowd::{Member, MemberId};
use surefoot::follow::{FollowSettings, FollowState, LinkTraversal};
use surefoot::grid::{LinkId, LinkStop};
use surefoot::{Agent, AgentId, Crowd, HeightCost};
use surefoot_bake::scene::{LinkMarker, Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

const DT: f32 = 1.0 / 30.0;
/// Steps from one point of a track to the next.
const PACE: usize = 4;
/// Of the lift, and of those who walk on its platform [m/s].
const SPEED: f32 = 1.4;
/// The doors of the lift: on the ground, and on the balcony.
const DOORS: [[f32; 3]; 2] = [[-0.5, 0.0, 0.0], [3.5, 4.0, 0.0]];
/// Where riders stand: the part of the way from door to door, and off to the side [m].
const SEATS: [[f32; 2]; 4] = [[0.65, -0.5], [0.65, 0.5], [0.4, -0.5], [0.4, 0.5]];
/// The lift leaves once nobody has got on for so long, and sooner if it is full [s].
const PATIENCE: [f32; 2] = [4.0, 1.5];

/// What the lift does.
#[derive(PartialEq)]
enum Stage {
    Moves,
    LetsOff,
    LetsOn,
}

/// A platform, and those who stand on it.
struct Lift {
    stage: Stage,
    /// The storey where it stands, or where it goes.
    storey: usize,
    height: f32,
    /// How long nobody has got on [s].
    quiet: f32,
    /// In the order in which they get on, and off.
    riders: Vec<(MemberId, LinkTraversal)>,
    rides: usize,
}

impl Lift {
    fn step(&mut self, crowd: &mut Crowd) -> Result<(), Box<dyn Error>> {
        let gets_on = |own: LinkTraversal| !own.is_taken_over;
        let members = crowd.members().filter(|member| member.traversal().is_some_and(gets_on));
        for id in members.map(Member::id).collect::<Vec<_>>() {
            self.riders.push((id, crowd.take_over(id)?));
            self.quiet = 0.0;
        }
        let way = DOORS[self.storey][1] - self.height;
        self.height += way.clamp(-SPEED * DT, SPEED * DT);
        self.carry(crowd)?;

        self.quiet += DT;
        let is_full = self.riders.len() == SEATS.len();
        match self.stage {
            Stage::Moves if way == 0.0 => self.stage = Stage::LetsOff,
            Stage::LetsOff if self.riders.is_empty() => {
                // Either link names the lift.
                crowd.set_link_stop(0, Some(self.storey as u32))?;
                (self.stage, self.quiet) = (Stage::LetsOn, 0.0);
            }
            Stage::LetsOn if self.quiet > PATIENCE[usize::from(is_full)] => {
                crowd.set_link_stop(0, None)?;
                (self.stage, self.storey) = (Stage::Moves, 1 - self.storey);
                self.rides += usize::from(!self.riders.is_empty());
            }
            _ => {}
        }
        Ok(())
    }

    /// Leads the riders over the platform to their seats, and the first of them off.
    fn carry(&mut self, crowd: &mut Crowd) -> Result<(), Box<dyn Error>> {
        let mut is_off = false;
        for (at, &(id, way)) in self.riders.iter().enumerate() {
            let gets_off = at == 0 && self.stage == Stage::LetsOff;
            let [part, side] = if gets_off { [1.0, 0.0] } else { SEATS[at] };
            let mut target = way.from + (way.to - way.from) * part;
            (target.y, target.z) = (self.height, target.z + side);
            let mut place = crowd.member(id).ok_or("a rider")?.position();
            place.y = self.height;
            let step = (target - place).cap_magnitude(SPEED * DT);
            crowd.put(id, place + step, step / DT)?;
            is_off |= gets_off && (target - place).norm() <= SPEED * DT;
        }
        if is_off {
            crowd.hand_back_at_end(self.riders.remove(0).0)?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut level = SceneBuilder::new("lift");
    level.cuboid("ground", [5.0, 0.5, 6.0], Placement::at([-5.0, -0.5, 0.0]));
    level.cuboid("balcony", [5.0, 2.0, 6.0], Placement::at([8.0, 2.0, 0.0]));
    level.cuboid("pit", [1.5, 0.5, 1.5], Placement::at([1.5, -1.5, 0.0]).obstacle());
    for (number, name) in [(0, "up"), (1, "down")] {
        level.link(LinkMarker {
            name: name.to_owned(),
            from: DOORS[number].into(),
            to: DOORS[1 - number].into(),
            // Its length does not count the wait.
            cost: Some(20.0),
            capacity: Some(SEATS.len() as u32),
            stop: Some(LinkStop { moving: LinkId::of("lift"), number: number as u32 }),
            ..LinkMarker::default()
        });
    }
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.2), agents, ..BakeSettings::default() };
    let grid = bake(&level.build()?, &settings, &())?.grid;

    let mut crowd = Crowd::new(grid, HeightCost::default());
    for at in 0..14 {
        let (row, column) = ((at / 2 % 4) as f32, (at / 8) as f32);
        let mut ends = [[-5.0 - column, 0.0, row - 1.5], [8.0 + column, 4.0, row - 1.5]];
        ends.rotate_left(at % 2);
        let id = crowd.add("human", ends[0], FollowSettings::default())?;
        crowd.set_goal(id, ends[1])?;
    }
    let mut lift =
        Lift { stage: Stage::LetsOn, storey: 0, height: 0.0, quiet: 0.0, riders: vec![], rides: 0 };
    let mut tracks: Vec<Vec<_>> = vec![Vec::new(); crowd.len()];
    let mut waits = vec![0.0f32; crowd.len()];
    let mut steps = 0;
    while crowd.members().any(|member| member.state() != FollowState::Arrived) {
        crowd.step(DT);
        lift.step(&mut crowd)?;
        for (at, member) in crowd.members().enumerate() {
            waits[at] += if member.state() == FollowState::MakingWay { DT } else { 0.0 };
            if steps % PACE == 0 {
                tracks[at].push(member.position());
            }
        }
        steps += 1;
        assert!(steps < 9000, "all arrive within five minutes");
    }
    let (count, seconds) = (crowd.len(), steps as f32 * DT);
    let longest = waits.into_iter().fold(0.0, f32::max);
    println!("{count} have arrived after {seconds:.0} s and {} rides", lift.rides);
    println!("nobody waited for longer than {longest:.0} s");

    let track = |points| Track { points, radius: 0.3, end: TrackEnd::Arrived };
    let tracks: Vec<Track> = tracks.into_iter().map(track).collect();
    let picture = track_picture(&TrackPicture {
        view: crowd.view(AgentId(0)).ok_or("an agent")?,
        title: "A lift to a balcony",
        tracks: &tracks,
        interval: DT * PACE as f32,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/moving_lift.png"))?;
    Ok(())
}
