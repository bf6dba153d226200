//! Provides [`RunReport`]: the result of a run, as one JSON object and as text.

use std::process::ExitCode;

use serde::Serialize;
use surefoot::follow::FollowState;
use surefoot_report::Jam;

use super::geometry::Contacts;
use super::journey::Journey;
use super::options::RunArguments;
use super::simulation::Simulation;
use super::unfinished::Unfinished;
use crate::shared::interrupt;

/// The exit code if nobody arrived.
const NOBODY_ARRIVED: u8 = 1;

/// What `run --json` prints. `agents` is the sum of `arrived`, `partial`, `stuck`, `waiting` and
/// `following`.
#[derive(Debug, Serialize)]
pub struct RunReport {
    agents: usize,
    arrived: usize,
    stuck: usize,
    off_grid_samples: u64,
    overlaps: u64,
    /// Time taken, divided by length over speed; `null` if nobody arrived.
    mean_time_ratio: Option<f64>,
    steps_per_second: f64,
    micros_per_agent_step: f64,
    /// Time walked [s].
    seconds: f64,
    waiting: usize,
    following: usize,
    /// Those who did not arrive whose way takes longer than the run at full speed.
    too_far: usize,
    partial: usize,
    /// Those of `overlaps` with a body on a link.
    overlaps_on_links: u64,
    /// Where bodies got no further.
    pub jams: Vec<Jam>,
    /// Who did not arrive.
    unfinished: Vec<Unfinished>,
    /// [s]
    longest_overlap_s: f64,
    /// [radii]
    deepest_overlap: f64,
    #[serde(flatten)]
    contacts: Option<Contacts>,
    /// Number of samples.
    samples: u64,
    slowest_step_ms: f64,
    seed: u32,
    threads: usize,
    /// Whether ctrl-C ended the run.
    interrupted: bool,
    /// Why nobody walked; `null` if somebody did.
    problem: Option<String>,
    #[serde(skip)]
    speed: f32,
    #[serde(skip)]
    agent: String,
}

impl RunReport {
    /// Counts how the run ended for everyone.
    pub fn new(run: &Simulation, arguments: &RunArguments, agent: &str) -> Self {
        let count = |kind: fn(&FollowState) -> bool| run.states().filter(kind).count();
        let arrived = count(|state| *state == FollowState::Arrived);
        let partial = count(|state| matches!(state, FollowState::Partial { .. }));
        let waiting = count(|state| *state == FollowState::Waiting);
        let following = count(|state| {
            let is_on_its_way =
                matches!(state, FollowState::Following | FollowState::OnLink { .. });
            is_on_its_way || *state == FollowState::MakingWay
        });
        let (agents, clock) = (run.members.len(), run.clock);
        let seconds = run.timing.seconds(clock.steps);
        let ends = run.journeys.iter().zip(run.states());
        let is_too_far = |(journey, state): &(&Journey, FollowState)| {
            *state != FollowState::Arrived && journey.is_too_far(seconds as f32, arguments.speed)
        };
        let too_far = ends.filter(is_too_far).count();
        let spent = clock.spent.as_secs_f64();
        let overlaps = &run.measurements.overlaps;
        RunReport {
            agents,
            arrived,
            stuck: agents - arrived - partial - waiting - following,
            off_grid_samples: run.measurements.off_grid,
            overlaps: overlaps.pairs,
            mean_time_ratio: mean_time_ratio(&run.journeys, run.timing.dt, arguments.speed),
            steps_per_second: per(clock.steps as f64, spent, 1),
            micros_per_agent_step: per(spent * 1e6, clock.steps as f64 * agents as f64, 3),
            seconds,
            waiting,
            following,
            too_far,
            partial,
            overlaps_on_links: overlaps.on_links,
            jams: Vec::new(),
            unfinished: Unfinished::all(run),
            longest_overlap_s: rounded(f64::from(overlaps.longest) * run.timing.interval(), 3),
            deepest_overlap: rounded(f64::from(overlaps.deepest), 4),
            contacts: run.measurements.geometry.as_ref().map(|check| check.contacts.clone()),
            samples: clock.steps / run.timing.stride + 1,
            slowest_step_ms: rounded(clock.slowest.as_secs_f64() * 1e3, 3),
            seed: arguments.seed,
            threads: rayon::current_num_threads(),
            interrupted: interrupt::is_requested(),
            problem: (agents == 0).then(|| nothing_is_walkable(agent)),
            speed: arguments.speed,
            agent: agent.to_owned(),
        }
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.arrived > 0 { 0 } else { NOBODY_ARRIVED })
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let RunReport { agents, agent, seconds, .. } = self;
        if let Some(problem) = &self.problem {
            return problem.clone();
        }
        let end = if self.interrupted { ", when ctrl-C ended it" } else { "" };
        let mut lines = vec![format!("{agents} {agent} after {seconds} s{end}: {}.", self.ends())];
        if self.too_far > 0 {
            lines.push(format!(
                "Too far   {} of them had more than {seconds} s to walk at {} m/s",
                self.too_far, self.speed
            ));
        }
        lines.extend(self.mean_time_ratio.map(|ratio| {
            format!("Time      {ratio:.2} times what the same paths take at {} m/s", self.speed)
        }));
        lines.extend(self.jams.iter().map(|jam| format!("Jam       {}", jam.text())));
        lines.extend(Unfinished::walking(&self.unfinished).map(|who| format!("Walking   {who}")));
        lines.push(format!("Ground    {}", self.ground()));
        lines.push(format!("Overlaps  {}", self.overlaps()));
        lines.extend(
            self.contacts.as_ref().map(|contacts| format!("Geometry  {}", contacts.text())),
        );
        lines.push(format!("Speed     {}", self.effort()));
        lines.join("\n")
    }

    fn ends(&self) -> String {
        let RunReport { arrived, partial, stuck, following, waiting, .. } = self;
        let all = [
            (arrived, "arrived"),
            (partial, "went as far as they could"),
            (stuck, "are stuck"),
            (following, "are still walking"),
            (waiting, "are waiting for a path"),
        ];
        let some = all.iter().filter(|(count, _)| **count > 0);
        some.map(|(count, words)| format!("{count} {words}")).collect::<Vec<_>>().join(", ")
    }

    fn ground(&self) -> String {
        match self.off_grid_samples {
            0 => format!("nobody off it in {} samples", self.samples),
            off => format!("{off} times a body was off it in {} samples", self.samples),
        }
    }

    fn overlaps(&self) -> String {
        let RunReport { overlaps, samples, overlaps_on_links, .. } = self;
        let deepest = format!("the deepest {:.2} radii", self.deepest_overlap);
        let on_links = match overlaps_on_links {
            0 => String::new(),
            count => format!(" ({count} on links)"),
        };
        match overlaps {
            0 => format!("no pair deeper than 5 % of a radius in {samples} samples; {deepest}"),
            pairs => format!(
                "{pairs} pairs{on_links} deeper than 5 % of a radius in {samples} samples; \
                 {deepest}, the longest {} s",
                self.longest_overlap_s
            ),
        }
    }

    fn effort(&self) -> String {
        let RunReport { steps_per_second, micros_per_agent_step, slowest_step_ms, threads, .. } =
            self;
        let threads =
            if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        format!(
            "{steps_per_second:.0} steps per second on {threads}, {micros_per_agent_step:.2} µs per \
             body and step; the slowest step took {slowest_step_ms:.1} ms"
        )
    }
}

fn nothing_is_walkable(agent: &str) -> String {
    format!("Nothing is walkable for {agent}; `surefoot why` gives the reason at a point.")
}

impl Contacts {
    fn text(&self) -> String {
        let on_links = match self.in_geometry_on_links {
            0 => String::new(),
            count => format!("; {count} times on links"),
        };
        let most = self.in_geometry_nodes.iter().max_by_key(|(_, count)| **count);
        match most {
            None => format!("nobody touched it{on_links}"),
            Some((node, _)) => format!(
                "{} times a body touched it, at most {:.2} m deep, most often \"{node}\"{on_links}",
                self.in_geometry_samples, self.deepest_in_geometry
            ),
        }
    }
}

/// The mean over all who arrived; `None` if nobody did.
fn mean_time_ratio(journeys: &[Journey], dt: f32, speed: f32) -> Option<f64> {
    let ratios: Vec<f64> =
        journeys.iter().filter_map(|own| own.time_ratio(f64::from(dt), speed)).collect();
    let sum: f64 = ratios.iter().sum();
    (!ratios.is_empty()).then(|| rounded(sum / ratios.len() as f64, 4))
}

/// A quotient, rounded to a number of decimal places; 0 if the divisor is 0.
fn per(value: f64, by: f64, places: i32) -> f64 {
    if by > 0.0 { rounded(value / by, places) } else { 0.0 }
}

fn rounded(value: f64, places: i32) -> f64 {
    let scale = 10f64.powi(places);
    (value * scale).round() / scale
}
