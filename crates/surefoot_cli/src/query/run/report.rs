//! What came of a run: as one JSON object, and in words.

use std::process::ExitCode;

use serde::Serialize;
use surefoot::follow::FollowState;

use super::journeys::Journey;
use super::options::Arguments;
use super::simulation::Simulation;
use super::solids::Touches;

/// The exit code where nobody arrived.
const NOBODY_ARRIVED: u8 = 1;

/// Everything `run --json` tells. `agents` is `arrived`, `partial`, `stuck`, `waiting` and
/// `following` together.
#[derive(Debug, Serialize)]
pub struct Report {
    agents: usize,
    arrived: usize,
    stuck: usize,
    off_grid_samples: u64,
    overlaps: u64,
    /// Time taken over length divided by speed; `null` where nobody arrived.
    mean_time_ratio: Option<f64>,
    steps_per_second: f64,
    micros_per_agent_step: f64,
    /// How long they walked [s].
    seconds: f64,
    waiting: usize,
    following: usize,
    partial: usize,
    /// Of `overlaps` those with a body on a link.
    overlaps_on_links: u64,
    /// [s]
    longest_overlap_s: f64,
    /// [radii]
    deepest_overlap: f64,
    #[serde(flatten)]
    touches: Option<Touches>,
    /// Times everyone was looked at.
    samples: u64,
    slowest_step_ms: f64,
    seed: u32,
    threads: usize,
    /// Whether ctrl-C ended the run.
    interrupted: bool,
    #[serde(skip)]
    speed: f32,
    #[serde(skip)]
    agent: String,
}

impl Report {
    /// Counts what became of everyone.
    pub fn new(run: &Simulation, (arguments, agent): (&Arguments, &str)) -> Self {
        let count = |kind: fn(&FollowState) -> bool| run.states().filter(kind).count();
        let arrived = count(|state| *state == FollowState::Arrived);
        let partial = count(|state| matches!(state, FollowState::Partial { .. }));
        let waiting = count(|state| *state == FollowState::Waiting);
        let following =
            count(|state| matches!(state, FollowState::Following | FollowState::OnLink { .. }));
        let (agents, clock) = (run.members.len(), run.clock);
        let spent = clock.spent.as_secs_f64();
        let overlaps = &run.measures.overlaps;
        Report {
            agents,
            arrived,
            stuck: agents - arrived - partial - waiting - following,
            off_grid_samples: run.measures.off_grid,
            overlaps: overlaps.pairs,
            mean_time_ratio: mean_time_ratio(&run.journeys, (run.pace.dt, arguments.speed)),
            steps_per_second: per(clock.steps as f64, spent, 1),
            micros_per_agent_step: per(spent * 1e6, clock.steps as f64 * agents as f64, 3),
            seconds: run.pace.seconds(clock.steps),
            waiting,
            following,
            partial,
            overlaps_on_links: overlaps.on_links,
            longest_overlap_s: rounded(f64::from(overlaps.longest) * run.pace.interval(), 3),
            deepest_overlap: rounded(f64::from(overlaps.deepest), 4),
            touches: run.measures.solids.as_ref().map(|solids| solids.touches.clone()),
            samples: clock.steps / run.pace.stride + 1,
            slowest_step_ms: rounded(clock.slowest.as_secs_f64() * 1e3, 3),
            seed: arguments.seed,
            threads: rayon::current_num_threads(),
            interrupted: super::interrupt::is_asked(),
            speed: arguments.speed,
            agent: agent.to_owned(),
        }
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.arrived > 0 { 0 } else { NOBODY_ARRIVED })
    }

    /// The report for people; several lines.
    pub fn in_words(&self) -> String {
        let Report { agents, agent, seconds, .. } = self;
        if *agents == 0 {
            return format!(
                "Nothing is walkable for {agent}; `surefoot why` tells the reason at a point."
            );
        }
        let end = if self.interrupted { ", when it was interrupted" } else { "" };
        let mut lines = vec![format!("{agents} {agent} after {seconds} s{end}: {}.", self.ends())];
        lines.extend(self.mean_time_ratio.map(|ratio| {
            format!("Time      {ratio:.2} times what the same ways take at {} m/s", self.speed)
        }));
        lines.push(format!("Ground    {}", self.ground()));
        lines.push(format!("Overlaps  {}", self.contacts()));
        lines.extend(self.touches.as_ref().map(|own| format!("Geometry  {}", own.in_words())));
        lines.push(format!("Speed     {}", self.effort()));
        lines.join("\n")
    }

    fn ends(&self) -> String {
        let Report { arrived, partial, stuck, following, waiting, .. } = self;
        let all = [
            (arrived, "arrived"),
            (partial, "went as far as they could"),
            (stuck, "are stuck"),
            (following, "are on their way"),
            (waiting, "wait for a way"),
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

    fn contacts(&self) -> String {
        let Report { overlaps, samples, overlaps_on_links, .. } = self;
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
        let Report { steps_per_second, micros_per_agent_step, slowest_step_ms, threads, .. } = self;
        let threads =
            if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        format!(
            "{steps_per_second:.0} steps a second on {threads}, {micros_per_agent_step:.2} µs a \
             body and step; the slowest step {slowest_step_ms:.1} ms"
        )
    }
}

impl Touches {
    fn in_words(&self) -> String {
        let on_links = match self.in_geometry_on_links {
            0 => String::new(),
            count => format!("; on links {count}"),
        };
        let most = self.in_geometry_nodes.iter().max_by_key(|(_, count)| **count);
        match most {
            None => format!("nobody touched any{on_links}"),
            Some((node, _)) => format!(
                "{} times a body touched some, at most {:.2} m deep, most often \"{node}\"{on_links}",
                self.in_geometry_samples, self.deepest_in_geometry
            ),
        }
    }
}

/// Over all who arrived; `None` where nobody did.
fn mean_time_ratio(journeys: &[Journey], (dt, speed): (f32, f32)) -> Option<f64> {
    let ratios: Vec<f64> =
        journeys.iter().filter_map(|own| own.time_ratio(f64::from(dt), speed)).collect();
    let sum: f64 = ratios.iter().sum();
    (!ratios.is_empty()).then(|| rounded(sum / ratios.len() as f64, 4))
}

/// A quotient to so many places; 0 where there is nothing to divide by.
fn per(value: f64, by: f64, places: i32) -> f64 {
    if by > 0.0 { rounded(value / by, places) } else { 0.0 }
}

fn rounded(value: f64, places: i32) -> f64 {
    let scale = 10f64.powi(places);
    (value * scale).round() / scale
}
