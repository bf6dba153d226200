//! `surefoot run`: lets a crowd walk, headless, and measures how it does.
//!
//! ```text
//! arguments ─► trips ─► simulation ─► samples ─► report, picture, CSV file
//! ```
//!
//! Everyone gets a start and a goal, the crowd walks ([`simulation`]) and is measured from
//! outside, by nothing but positions and states ([`measurements`]).

mod geometry;
mod journey;
mod measurements;
mod member_sample;
mod options;
mod overlaps;
mod recorder;
mod report;
mod simulation;
mod timing;
mod unfinished;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use surefoot::NavGrid;
use surefoot::cost::HeightCost;
use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::FollowSettings;
use surefoot::grid::AgentId;
use surefoot::navigator::Navigator;
use surefoot_bake::casts::TiledCaster;
use surefoot_report::{Jam, Trip, random_trips};

use crate::shared::console::{note, print, print_json};
use crate::shared::interrupt::{self, INTERRUPTED, Interrupted};
use crate::shared::progress::ProgressDisplay;
use crate::shared::threads;
use geometry::GeometryCheck;
use measurements::Measurements;
use recorder::{Recorder, RunEnd, RunOutputs};
use report::RunReport;
use simulation::Simulation;
use timing::{Clock, Timing};

pub use options::RunArguments;

/// Runs the command.
///
/// # Errors
/// A file cannot be loaded or written, the grid has no such agent or was not baked from the scene, or
/// there is no room for that many bodies.
pub fn run(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    walk_and_report(arguments).or_else(|error| {
        let interrupted = error.downcast::<Interrupted>()?;
        note(interrupted);
        Ok(ExitCode::from(INTERRUPTED))
    })
}

fn walk_and_report(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let outputs = RunOutputs::check_paths(arguments)?;
    let progress = ProgressDisplay::new(arguments.quiet);
    let result = threads::run_on(arguments.threads.map(usize::from), || {
        load_and_walk(arguments, outputs, &progress)
    });
    progress.end();
    let RunResult { report, preparing } = result?;
    if let Some(time) = preparing.filter(|_| !arguments.quiet) {
        note(format_args!("preparing routes took {:.2} s", time.as_secs_f64()));
    }
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(report.exit_code())
}

/// Loads the grid, and the scene if there is one, and lets the crowd walk.
fn load_and_walk(
    arguments: &RunArguments,
    outputs: RunOutputs,
    progress: &ProgressDisplay,
) -> anyhow::Result<RunResult> {
    let (grid, agent) = interrupt::exiting_at_once(|| arguments.input.load())?;
    let scene = arguments.scene.as_deref();
    let load =
        |scene| interrupt::exiting_at_once(|| geometry::load(scene, &grid, &arguments.input));
    let world = scene.map(load).transpose()?;
    let caster = interrupt::exiting_at_once(|| world.as_ref().map(TiledCaster::new));
    let probes = geometry::probes(&grid.layers()[agent.index()].agent);
    let check = || caster.as_ref().map(|caster| GeometryCheck::new(caster, &grid, &probes));
    let geometry = interrupt::exiting_at_once(check);
    interrupt::check()?;
    Walk { arguments, grid: &grid, agent, progress }.run(outputs, geometry)
}

/// What a run leads to.
struct RunResult {
    report: RunReport,
    /// How long routes were prepared; `None` if they were not.
    preparing: Option<Duration>,
}

/// Who walks where.
struct Walk<'a> {
    arguments: &'a RunArguments,
    grid: &'a NavGrid,
    agent: AgentId,
    progress: &'a ProgressDisplay,
}

/// On grids with more spans than this, routes are prepared for many bodies: searches would hold up everyone.
const MOST_SPANS_SEARCHED: usize = 200_000;
/// On grids with more spans than this they are not, unless their order is in the file: it would take minutes.
const MOST_SPANS_PREPARED: usize = 5_000_000;
/// Fewer bodies find all their paths sooner by searches, unless the order is in the file.
const LEAST_BODIES_PREPARED: u32 = 100;

impl<'a> Walk<'a> {
    /// Lets the crowd walk.
    fn run(
        &self,
        outputs: RunOutputs,
        geometry: Option<GeometryCheck<'a>>,
    ) -> anyhow::Result<RunResult> {
        let &Walk { arguments, grid, agent, progress } = self;
        let navigator = Navigator::new(grid.clone(), agent)?;
        let view = navigator.view();
        let name = &view.agent().name;
        progress.begin(&format!("placing {} {name}", arguments.count));
        // Nothing has been written yet, and there is nothing to report.
        let trips = interrupt::exiting_at_once(|| self.trips(&navigator))?;
        let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
        let preparing = self.prepare(&mut crowd, trips.is_empty());
        interrupt::check()?;
        let members = interrupt::exiting_at_once(|| self.join(&mut crowd, &trips))?;
        let mut simulation = Simulation {
            crowd,
            journeys: vec![Default::default(); members.len()],
            members,
            timing: Timing::new(arguments.seconds, arguments.dt),
            clock: Clock::default(),
            measurements: Measurements::new(view.clone(), geometry),
            recorder: Recorder::new(outputs)?,
        };
        progress.begin(&format!("running {} {name} for {} s", trips.len(), arguments.seconds));
        simulation.run(progress)?;
        let jams = Jam::all(&simulation.crowd, &simulation.members, &navigator);
        let mut report = RunReport::new(&simulation, arguments, name);
        report.jams = jams;
        let states: Vec<_> = simulation.states().collect();
        let end = RunEnd { timing: simulation.timing, states: &states };
        if let Some(file) = &arguments.png {
            progress.begin(&format!("drawing {}", file.display()));
        }
        simulation.recorder.finish(view, &end)?;
        Ok(RunResult { report, preparing })
    }

    /// Trips for all bodies; none if nothing is walkable.
    fn trips(&self, navigator: &Navigator) -> anyhow::Result<Vec<Trip>> {
        let count = self.arguments.count as usize;
        let trips = random_trips(navigator, count, self.arguments.seed);
        let (fit, name) = (trips.len(), &navigator.view().agent().name);
        ensure!(
            fit == 0 || fit == count,
            "{}: only {fit} {name} fit on the largest region without overlap, not {count}; use \
             --count {fit} or less",
            self.arguments.input.name()
        );
        Ok(trips)
    }

    fn prepare(&self, crowd: &mut Crowd, is_empty: bool) -> Option<Duration> {
        let spans = MOST_SPANS_SEARCHED..MOST_SPANS_PREPARED;
        let are_many = self.arguments.count >= LEAST_BODIES_PREPARED;
        let pays = are_many && spans.contains(&self.grid.spans().len())
            || self.grid.order(self.agent).is_some();
        if is_empty || !pays {
            return None;
        }
        self.progress.begin("preparing routes");
        let start = Instant::now();
        // On ground that cannot be prepared the crowd searches.
        let prepared = interrupt::exiting_at_once(|| crowd.prepare(self.agent));
        prepared.is_ok().then(|| start.elapsed())
    }

    fn join(&self, crowd: &mut Crowd, trips: &[Trip]) -> anyhow::Result<Vec<MemberId>> {
        let settings = FollowSettings { speed: self.arguments.speed, ..FollowSettings::default() };
        let join = |trip: &Trip| {
            let id = crowd.add(self.agent, trip.from, settings.clone())?;
            crowd.set_goal(id, trip.to)?;
            Ok(id)
        };
        let name = || self.arguments.input.name();
        trips.iter().map(join).collect::<anyhow::Result<_>>().with_context(name)
    }
}
