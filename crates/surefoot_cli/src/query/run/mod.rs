//! `surefoot run`: lets a crowd walk, headless, and measures how it does.
//!
//! Arguments say who walks and for how long ([`options`]), everyone gets a start and a goal
//! ([`placing`]), the crowd walks ([`simulation`]) and is looked at from outside ([`measures`]),
//! which makes a report.

mod journeys;
mod measures;
mod options;
mod overlaps;
mod placing;
mod recorder;
mod report;
mod simulation;
mod solids;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use surefoot::NavGrid;
use surefoot::cost::HeightCost;
use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::FollowSettings;
use surefoot::grid::AgentId;
use surefoot::view::View;
use surefoot_bake::casts::RapierCaster;

use crate::shared::console::{note, print, print_json};
use crate::shared::interrupt::{self, INTERRUPTED, Interrupted};
use crate::shared::progress::Progress;
use crate::shared::threads;
use measures::Measures;
use placing::Trip;
use recorder::{Ends, Outputs, Recorder};
use report::Report;
use simulation::{Clock, Pace, Simulation};
use solids::Solids;

pub use options::Arguments;

/// Lets the crowd walk.
///
/// # Errors
/// A file that cannot be loaded or written, an agent that is not in the grid, a scene that is not
/// the grid's, more bodies than there is room for.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    carry_out(arguments).or_else(|error| {
        let interrupted = error.downcast::<Interrupted>()?;
        note(interrupted);
        Ok(ExitCode::from(INTERRUPTED))
    })
}

fn carry_out(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let outputs = Outputs::claim(arguments)?;
    let (grid, agent) = arguments.subject.load()?;
    let grid = Arc::new(grid);
    let load = |scene: &PathBuf| solids::load(scene, (&grid, &arguments.subject.file));
    let world = arguments.scene.as_ref().map(load).transpose()?;
    let caster = world.as_ref().map(RapierCaster::new).transpose()?;
    let solids = world.as_ref().zip(caster.as_ref());
    let solids = solids.map(|geometry| Solids::new(geometry, (&grid, agent)));
    interrupt::check()?;
    let pool = threads::pool(arguments.threads.map(usize::from))?;
    let progress = Progress::new(arguments.quiet);
    let walk = Walk { arguments, outputs, grid: &grid, agent, progress: &progress };
    let told = pool.install(|| walk.told(solids));
    progress.end();
    let (report, preparing) = told?;
    if let Some(time) = preparing.filter(|_| !arguments.quiet) {
        note(format_args!("preparing routes took {:.2} s", time.as_secs_f64()));
    }
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&report.in_words())?;
    }
    Ok(report.exit_code())
}

/// Who is to walk where.
struct Walk<'a> {
    arguments: &'a Arguments,
    outputs: Outputs,
    grid: &'a Arc<NavGrid>,
    agent: AgentId,
    progress: &'a Progress,
}

/// Grids with more spans get routes prepared: searches over them would hold up everyone.
const LARGE: usize = 200_000;

impl Walk<'_> {
    /// Lets the crowd walk; tells of it, and how long routes were prepared.
    fn told(&self, solids: Option<Solids>) -> anyhow::Result<(Report, Option<Duration>)> {
        let &Walk { arguments, ref outputs, grid, agent, progress } = self;
        let terrain = View::new(grid, agent).ok_or_else(|| anyhow!("no such agent"))?;
        let name = &terrain.agent().name;
        progress.begin(&format!("placing {} {name}", arguments.count));
        let trips = self.trips(&terrain)?;
        let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
        let preparing = self.prepare(&mut crowd, trips.is_empty());
        interrupt::check()?;
        let members = self.join(&mut crowd, &trips)?;
        let mut run = Simulation {
            crowd,
            journeys: vec![Default::default(); members.len()],
            members,
            pace: Pace::new(arguments.seconds, arguments.dt),
            clock: Clock::default(),
            measures: Measures::new((grid, agent), solids),
            recorder: Recorder::new(outputs.clone())?,
        };
        progress.begin(&format!("running {} {name} for {} s", trips.len(), arguments.seconds));
        run.run(progress)?;
        let report = Report::new(&run, (arguments, name));
        let states: Vec<_> = run.states().collect();
        let ends = Ends { pace: run.pace, journeys: &run.journeys, states: &states };
        if let Some(file) = &arguments.png {
            progress.begin(&format!("drawing {}", file.display()));
        }
        run.recorder.finish(&terrain, &ends)?;
        Ok((report, preparing))
    }

    /// Trips for everyone, or for nobody where nothing is walkable.
    fn trips(&self, terrain: &View) -> anyhow::Result<Vec<Trip>> {
        let count = self.arguments.count as usize;
        let trips = placing::trips(terrain, count, self.arguments.seed);
        let (fit, file, name) =
            (trips.len(), self.arguments.subject.file.display(), &terrain.agent().name);
        ensure!(
            fit == 0 || fit == count,
            "{file}: {fit} {name} fit on the largest region without standing in each other, {count} \
             do not; use --count {fit} or less"
        );
        Ok(trips)
    }

    fn prepare(&self, crowd: &mut Crowd, is_empty: bool) -> Option<Duration> {
        let pays = self.grid.spans().len() > LARGE || self.grid.order(self.agent).is_some();
        if is_empty || !pays {
            return None;
        }
        self.progress.begin("preparing routes");
        let start = Instant::now();
        // Nothing is written as yet, and there is nothing to tell of.
        interrupt::at_once(|| crowd.prepare(self.agent)).then(|| start.elapsed())
    }

    fn join(&self, crowd: &mut Crowd, trips: &[Trip]) -> anyhow::Result<Vec<MemberId>> {
        let settings = FollowSettings { speed: self.arguments.speed, ..FollowSettings::default() };
        let join = |trip: &Trip| {
            let id = crowd.add(self.agent, trip.from, settings.clone())?;
            crowd.set_goal(id, trip.to);
            Ok(id)
        };
        let name = || self.arguments.subject.file.display().to_string();
        trips.iter().map(join).collect::<anyhow::Result<_>>().with_context(name)
    }
}
