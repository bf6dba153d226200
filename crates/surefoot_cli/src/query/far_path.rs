//! Provides [`FarQuestion`]: what a path costs over a world of which only the ends are loaded.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};
use nalgebra::{Point3, distance};
use serde::Serialize;
use surefoot::far::FarError;
use surefoot::world::{World, WorldError};
use surefoot_report::Place;

use super::path::PathArguments;
use crate::shared::console::{NO_PATH, print, print_json};
use crate::shared::progress::LateProgress;

/// A world, and from where to where.
pub struct FarQuestion<'a> {
    pub world: &'a World,
    pub arguments: &'a PathArguments,
}

/// What `path --json` prints of a far path. Numbers of the path are `null` if there is none.
#[derive(Debug, Serialize)]
struct FarReport {
    outcome: &'static str,
    cost: Option<f32>,
    /// From gate to gate in straight lines [m]: the path is at least so long.
    least_length: Option<f32>,
    /// How many borders of tiles it crosses.
    crossings: usize,
    /// Where it does: a place before, and a place behind each border.
    gates: Vec<[f32; 3]>,
    /// The indices of the gates from which a link leads to the next one.
    links: Vec<usize>,
    /// How much ground is joined with each end, if no path leads from one to the other [m²].
    regions_m2: Option<[f64; 2]>,
    engine: &'static str,
    /// Gates that were looked at.
    expanded: usize,
    /// Time to load the tiles of the ends and to search [µs].
    micros: f64,
}

impl FarQuestion<'_> {
    /// Finds the path, and prints it.
    ///
    /// # Errors
    /// The world has no such agent or no border costs, a height was left out where there are several
    /// floors, or a tile cannot be read.
    pub fn answer(&self) -> anyhow::Result<ExitCode> {
        let PathArguments { input, json, .. } = self.arguments;
        let report = self.report().with_context(|| input.name())?;
        if *json {
            print_json(&report)?;
        } else {
            print(&report.text())?;
        }
        Ok(ExitCode::from(if report.cost.is_some() { 0 } else { NO_PATH }))
    }

    fn report(&self) -> anyhow::Result<FarReport> {
        let PathArguments { input, from, to, .. } = self.arguments;
        let agents = &self.world.info().agents;
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        let agent = input.agent_of(&names)?;
        let progress = LateProgress::new(format!("reading {}", input.name()));
        let routes = self.world.far_routes(agent);
        progress.end();
        let routes = routes?;
        let start = Instant::now();
        let mut report = FarReport::new("start_off_grid");
        let Some(from) = self.end(from, agent).context("--from")? else { return Ok(report) };
        report.outcome = "goal_off_grid";
        let Some(to) = self.end(to, agent).context("--to")? else { return Ok(report) };
        match self.world.far_path(&routes, from, to) {
            Err(WorldError::Far(FarError::Unreachable)) => {
                report.outcome = "unreachable";
                report.regions_m2 = self.areas(agent, [from, to])?;
            }
            Err(error) => return Err(anyhow!(error)),
            Ok(path) => {
                let points: Vec<Point3<f32>> =
                    [from].into_iter().chain(path.gates.iter().copied()).chain([to]).collect();
                let lengths = points.windows(2).map(|two| distance(&two[0], &two[1]));
                report.outcome = "complete";
                report.cost = Some(path.cost);
                report.least_length = Some(lengths.sum());
                report.crossings = path.gates.len() / 2;
                report.gates = path.gates.into_iter().map(Into::into).collect();
                report.links = path.links;
                report.expanded = path.expanded;
            }
        }
        report.micros = (start.elapsed().as_secs_f64() * 1e7).round() / 10.0;
        Ok(report)
    }

    /// How much ground is joined with each end [m²]; `None` if the world does not say.
    fn areas(&self, agent: &str, ends: [Point3<f32>; 2]) -> anyhow::Result<Option<[f64; 2]>> {
        let Some(index) = self.world.regions(agent)? else { return Ok(None) };
        let mut areas = [0.0; 2];
        for (area, end) in areas.iter_mut().zip(ends) {
            let region = self.world.region_at(&index, agent, end)?;
            let Some(region) = region else { return Ok(None) };
            *area = index.regions[region].area(self.world.info().frame.cell_size);
        }
        Ok(Some(areas))
    }

    /// An end on the ground of its tile; `None` if the agent cannot stand near it.
    fn end(&self, place: &Place, agent: &str) -> anyhow::Result<Option<Point3<f32>>> {
        let info = self.world.info();
        let [x, z] = place.ground();
        let at = info.place_at(x, z);
        let Some(tile) = self.world.tile(at)? else { return Ok(None) };
        let Ok(own) = tile.cropped_to(&info.cells_of(at)) else { return Ok(None) };
        let agent = own.agent_id(agent)?;
        let point: Point3<f32> = place.point(&own, agent)?.into();
        let radius = 2.0 * own.layers()[agent.index()].agent.radius;
        Ok(own.nearest_walkable(agent, point, radius).map(|_| point))
    }
}

impl FarReport {
    fn new(outcome: &'static str) -> Self {
        FarReport {
            outcome,
            cost: None,
            least_length: None,
            crossings: 0,
            gates: Vec::new(),
            links: Vec::new(),
            regions_m2: None,
            engine: "far",
            expanded: 0,
            micros: 0.0,
        }
    }

    fn text(&self) -> String {
        let FarReport { expanded, micros, crossings, .. } = self;
        let (Some(cost), Some(length)) = (self.cost, self.least_length) else {
            let reason = match self.outcome {
                "start_off_grid" => "the agent cannot stand near --from",
                "goal_off_grid" => "the agent cannot stand near --to",
                _ => "no path leads there",
            };
            let apart = self.regions_m2.map(|[from, to]| {
                format!("; {from:.0} m² of ground are joined with --from, {to:.0} m² with --to")
            });
            return format!("No path: {reason}{}.", apart.unwrap_or_default());
        };
        let lines = self.gates.iter().map(|[x, y, z]| format!("\n  {x:.2},{y:.2},{z:.2}"));
        format!(
            "Complete: at least {length:.2} m at a cost of {cost:.2}, over {crossings} borders of tiles; {expanded} \
             gates looked at in {micros:.0} µs.{}",
            lines.collect::<String>()
        )
    }
}
