//! Provides [`StandingQuestion`]: whether an agent can stand at a position, and why not.

use nalgebra::Point3;
use serde::Serialize;
use surefoot::grid::{AgentId, NodeId};
use surefoot::{Agent, NavGrid, SpanId, Verdict};

use super::links_near::LinkNear;

/// What `why --json` prints for one position.
#[derive(Serialize)]
pub struct StandingReport<'a> {
    agent: &'a str,
    at: [f32; 3],
    /// Whether the agent can stand on the floor there.
    pub walkable: bool,
    /// The name of the verdict; `null` if there is no floor.
    pub(crate) verdict: Option<&'static str>,
    /// The node that the body would touch, if the verdict is an obstacle.
    pub(crate) obstacle: Option<&'a str>,
    /// The node above the floor, if its ceiling is too low, or around it, if it lies inside one.
    pub(crate) cover: Option<&'a str>,
    floor: Option<FloorReport<'a>>,
    /// The nearest point where the agent can stand, if it cannot here.
    nearest: Option<NearestPoint>,
    /// The nearest links that lead on from here.
    links: Vec<LinkNear<'a>>,
    /// All of it in words.
    pub words: String,
    /// In words, without the nearest place.
    #[serde(skip)]
    pub reason: String,
}

/// The floor under the position.
#[derive(Serialize)]
pub struct FloorReport<'a> {
    /// At the center of its cell [m].
    y: f32,
    /// [m]; `null` under open sky.
    headroom: Option<f32>,
    /// How high a body may be that is as wide, if the agent is too high here, and a lower one fits [m].
    fits: Option<f32>,
    /// [rad]
    slope: f32,
    node: Option<&'a str>,
    area: &'a str,
    /// Distance to the nearest place where the agent may not stand [m].
    clearance: f32,
    region: Option<u32>,
}

/// The nearest point where the agent can stand.
#[derive(Serialize)]
pub struct NearestPoint {
    point: [f32; 3],
    distance: f64,
}

impl StandingReport<'_> {
    /// The nearest point where the agent can stand [m]; `None` if it can here, or nowhere.
    pub fn nearest_point(&self) -> Option<[f32; 3]> {
        self.nearest.as_ref().map(|nearest| nearest.point)
    }
}

/// Whether an agent can stand at a position of a grid.
pub struct StandingQuestion<'a> {
    /// The grid.
    pub grid: &'a NavGrid,
    /// One of its agents.
    pub agent: AgentId,
    /// The position [m].
    pub at: Point3<f32>,
}

impl<'a> StandingQuestion<'a> {
    fn body(&self) -> &'a Agent {
        &self.grid.layers()[self.agent.index()].agent
    }

    /// Answers the question.
    pub fn report(&self) -> StandingReport<'a> {
        // A point anywhere in the body belongs to the floor under it.
        let span = self.grid.span_at(self.at, self.body().height);
        let verdict = span.and_then(|span| self.grid.verdict(self.agent, span));
        let floor = span.and_then(|span| self.floor(span));
        let cover = span.zip(verdict).and_then(|(span, verdict)| self.cover(span, verdict));
        let nearest = (verdict != Some(Verdict::Walkable)).then(|| self.nearest()).flatten();
        let mut words = match (verdict, &floor) {
            (Some(verdict), Some(floor)) => {
                format!("{}; {}.", self.reason(verdict, cover), self.on(floor))
            }
            _ => self.no_floor(),
        };
        let reason = words.clone();
        if verdict != Some(Verdict::Walkable) {
            words += &self.nearest_sentence(nearest.as_ref());
        }
        let links = span
            .filter(|_| verdict == Some(Verdict::Walkable))
            .map_or(Vec::new(), |span| LinkNear::all(self.grid, self.agent, span, self.at));
        links.iter().for_each(|link| words += &format!("\n{}", link.line()));
        StandingReport {
            agent: &self.body().name,
            at: self.at.into(),
            walkable: verdict == Some(Verdict::Walkable),
            verdict: verdict.map(verdict_name),
            obstacle: match verdict {
                Some(Verdict::Obstacle(node)) => self.node(node),
                _ => None,
            },
            cover,
            floor,
            nearest,
            links,
            words,
            reason,
        }
    }

    /// The node whose ceiling is too low, or that the floor lies inside.
    fn cover(&self, span: SpanId, verdict: Verdict) -> Option<&'a str> {
        match verdict {
            Verdict::LowCeiling | Verdict::InsideSolid => self.node(self.grid.node_above(span)?),
            _ => None,
        }
    }

    fn floor(&self, id: SpanId) -> Option<FloorReport<'a>> {
        let span = self.grid.span(id)?;
        Some(FloorReport {
            y: span.floor,
            headroom: Some(span.headroom()).filter(|headroom| headroom.is_finite()),
            fits: self.fits(id),
            slope: span.normal().y.clamp(0.0, 1.0).acos(),
            node: self.node(span.node()),
            area: &self.grid.areas().get(usize::from(span.area().0))?.name,
            clearance: self.grid.clearance(self.agent, id)?,
            region: self.grid.region(self.agent, id).map(|region| region.0),
        })
    }

    /// How high a body may be, where the ceiling keeps the agent off [m].
    fn fits(&self, id: SpanId) -> Option<f32> {
        self.grid.layers()[self.agent.index()].measures.of(id)?.headroom()
    }

    fn nearest(&self) -> Option<NearestPoint> {
        let (_, point) = self.grid.nearest_walkable(self.agent, self.at, f32::INFINITY)?;
        let distance = (point.cast::<f64>() - self.at.cast()).norm();
        Some(NearestPoint { point: point.into(), distance })
    }

    fn node(&self, id: NodeId) -> Option<&'a str> {
        self.grid.nodes().get(id.0 as usize).map(String::as_str)
    }

    fn reason(&self, verdict: Verdict, cover: Option<&str>) -> String {
        let body = self.body();
        match verdict {
            Verdict::Walkable => format!("Walkable: {} can stand here", body.name),
            Verdict::TooSteep => "TooSteep: the floor is steeper than its slope limit".to_owned(),
            Verdict::LowCeiling => {
                let of = cover.map_or(String::new(), |node| format!(" under \"{node}\""));
                format!("LowCeiling: the ceiling{of} is lower than its height")
            }
            Verdict::Obstacle(node) => match self.node(node) {
                Some(node) => format!("Obstacle: the body would touch \"{node}\""),
                None => "Obstacle: the body would touch something without a name".to_owned(),
            },
            Verdict::Ledge => format!(
                "Ledge: nearer than {:.2} m to an edge it could fall off",
                body.ledge_margin()
            ),
            Verdict::Forbidden => "Forbidden: no agent may stand in this area".to_owned(),
            Verdict::InsideSolid => match cover {
                Some(node) => format!("InsideSolid: the floor lies inside \"{node}\""),
                None => "InsideSolid: the floor lies inside a closed solid".to_owned(),
            },
            Verdict::SmallRegion => format!(
                "SmallRegion: {} fits here, but the ground is cut off and smaller than the bake keeps \
                 (min_region_area)",
                body.name
            ),
            other => format!("{other:?}"),
        }
    }

    fn on(&self, floor: &FloorReport) -> String {
        let body = self.body();
        let mut headroom = match floor.headroom {
            Some(headroom) => format!("headroom {headroom:.2} m (needs {:.2})", body.height),
            None => "open sky".to_owned(),
        };
        if let Some(fits) = floor.fits.filter(|fits| *fits < body.height) {
            headroom += &format!(", a body as wide fits up to {fits:.2} m high");
        }
        let ground = match floor.node {
            Some(node) => format!("ground of \"{node}\""),
            None => "ground without a name".to_owned(),
        };
        let mut words = format!(
            "floor at y {:.2}, {headroom}, slope {} (limit {}), {ground}, area {}",
            floor.y,
            degrees(floor.slope),
            degrees(body.slope_limit),
            floor.area
        );
        if let Some(region) = floor.region {
            words += &format!(", region {region}, {:.2} m clear around", floor.clearance);
        }
        words
    }

    fn no_floor(&self) -> String {
        let Point3 { coords, .. } = self.at;
        let Some(cell) = self.grid.column_at(self.at) else {
            let ([x0, z0], [x1, z1]) = self.grid.frame().bounds();
            return format!(
                "No floor: the point is outside the grid, which covers x {x0} to {x1}, z {z0} to {z1}."
            );
        };
        let floors = || self.grid.column(cell).iter().map(|span| span.floor);
        let below = floors().rfind(|&floor| floor <= coords.y);
        let above = floors().find(|&floor| floor > coords.y);
        let floors = [
            below.map(|y| format!("below at y {y:.2}")),
            above.map(|y| format!("above at y {y:.2}")),
        ];
        let floors: Vec<String> = floors.into_iter().flatten().collect();
        if floors.is_empty() {
            return "No floor: there is none at any height here.".to_owned();
        }
        format!(
            "No floor within {:.2} m of this height: the nearest is {}.",
            self.body().height,
            floors.join(", and ")
        )
    }

    fn nearest_sentence(&self, nearest: Option<&NearestPoint>) -> String {
        let name = &self.body().name;
        match nearest {
            Some(NearestPoint { point: [x, y, z], distance }) => format!(
                " Nearest place {name} can stand: {x:.2},{y:.2},{z:.2} ({distance:.2} m away)."
            ),
            None => format!(" There is no place where {name} can stand."),
        }
    }
}

/// The names of all verdicts on ground where an agent cannot stand.
pub(crate) const VERDICTS: [&str; 7] =
    ["too_steep", "low_ceiling", "obstacle", "ledge", "forbidden", "inside_solid", "small_region"];

/// The name of a verdict.
pub(crate) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Walkable => "walkable",
        Verdict::TooSteep => "too_steep",
        Verdict::LowCeiling => "low_ceiling",
        Verdict::Obstacle(_) => "obstacle",
        Verdict::Ledge => "ledge",
        Verdict::Forbidden => "forbidden",
        Verdict::InsideSolid => "inside_solid",
        Verdict::SmallRegion => "small_region",
        _ => "unknown",
    }
}

/// An angle [rad] in degrees, rounded to a tenth.
pub fn degrees(radians: f32) -> String {
    format!("{}°", (radians.to_degrees() * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::degrees;

    #[test]
    fn whole_degrees_have_no_fraction() {
        assert_eq!(degrees(45f32.to_radians()), "45°");
        assert_eq!(degrees(30.25f32.to_radians()), "30.3°");
    }
}
