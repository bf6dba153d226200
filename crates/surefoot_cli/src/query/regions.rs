//! Provides [`RegionReport`]: where the regions of a grid or a world are, and how large.

use nalgebra::Point3;
use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::{AgentId, SpanId};
use surefoot::world::{World, WorldError, WorldRegion};

use crate::shared::figures::wrapped;

/// A region of an agent.
#[derive(Serialize)]
pub struct RegionReport<'a> {
    agent: &'a str,
    region: u32,
    spans: u64,
    /// The area of its cells [m²].
    area_m2: f64,
    /// The center of its cell with the most room around it [m].
    at: [f32; 3],
    /// The least and greatest coordinates of the centers of its cells [m].
    min: [f32; 3],
    max: [f32; 3],
    /// Clearance at `at` [m].
    #[serde(skip)]
    clearance: f32,
}

impl<'a> RegionReport<'a> {
    /// The regions of a world for one agent or for all, those of each from the largest; `None` if the world does
    /// not have them.
    ///
    /// # Errors
    /// They cannot be read, or the world has no such agent.
    pub fn all_of_world(
        world: &'a World,
        only: Option<&'a str>,
    ) -> Result<Option<Vec<RegionReport<'a>>>, WorldError> {
        let agents = world.info().agents.iter();
        let names = match only {
            Some(name) => vec![name],
            None => agents.map(|agent| agent.name.as_str()).collect(),
        };
        let mut reports = Vec::new();
        for name in names {
            let Some(index) = world.regions(name)? else { return Ok(None) };
            let regions = (0..).zip(&index.regions);
            reports.extend(
                regions.map(|(at, region)| RegionReport::of_world(world, name, at, region)),
            );
        }
        Ok(Some(reports))
    }

    fn of_world(world: &World, agent: &'a str, number: u32, region: &WorldRegion) -> Self {
        let WorldRegion { spans, at, min, max } = *region;
        RegionReport {
            agent,
            region: number,
            spans,
            area_m2: region.area(world.info().frame.cell_size),
            at: at.into(),
            min: min.into(),
            max: max.into(),
            clearance: 0.0,
        }
    }

    /// The regions of one agent or of all, those of each from the largest.
    pub fn all(grid: &'a NavGrid, only: Option<AgentId>) -> Vec<RegionReport<'a>> {
        let agents = (0..grid.layers().len() as u16).map(AgentId);
        let agents = agents.filter(|&agent| only.is_none_or(|only| only == agent));
        agents.flat_map(|agent| RegionReport::of(grid, agent)).collect()
    }

    fn of(grid: &'a NavGrid, agent: AgentId) -> Vec<RegionReport<'a>> {
        let layer = &grid.layers()[agent.index()];
        let cell = f64::from(grid.frame().cell_size);
        let empty = (0..).zip(&layer.regions).map(|(region, size)| RegionReport {
            agent: &layer.agent.name,
            region,
            spans: size.spans.into(),
            area_m2: f64::from(size.spans) * cell * cell,
            at: [0.0; 3],
            min: [f32::INFINITY; 3],
            max: [f32::NEG_INFINITY; 3],
            clearance: -1.0,
        });
        let mut reports: Vec<RegionReport> = empty.collect();
        for span in (0..grid.spans().len() as u32).map(SpanId) {
            let region = grid.region(agent, span).map(|region| region.0 as usize);
            let report = region.and_then(|region| reports.get_mut(region));
            if let (Some(report), Some(point)) = (report, grid.point(span)) {
                report.add(point, grid.clearance(agent, span).unwrap_or_default());
            }
        }
        reports
    }

    fn add(&mut self, point: Point3<f32>, clearance: f32) {
        let point = <[f32; 3]>::from(point);
        for (axis, value) in point.into_iter().enumerate() {
            self.min[axis] = self.min[axis].min(value);
            self.max[axis] = self.max[axis].max(value);
        }
        if clearance > self.clearance {
            (self.at, self.clearance) = (point, clearance);
        }
    }

    /// The region as text, in as many lines as it takes.
    pub fn lines(&self) -> String {
        let RegionReport { agent, region, area_m2, at: [x, y, z], min, max, .. } = self;
        let phrases = [
            format!("{agent} {region}:"),
            format!("{area_m2:.1} m² at {x:.2},{y:.2},{z:.2},"),
            format!("x {:.1} to {:.1},", min[0], max[0]),
            format!("y {:.1} to {:.1},", min[1], max[1]),
            format!("z {:.1} to {:.1}", min[2], max[2]),
        ];
        wrapped("region    ", &phrases)
    }
}
