//! Provides [`Separation`], [`Blocker`] and [`Shortfall`]: what is in the way between two places.

use std::fmt::{Display, Formatter, Result};

use nalgebra::Point3;

use crate::grid::{RegionId, SpanId};
use crate::search::outcome::in_centimetres;
use crate::view::NavPoint;

/// What separates two places: the path on which the least would have to give.
///
/// Its [`Display`] is one line: what would have to give, in order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Separation {
    /// Where the start is on the ground.
    pub start: NavPoint,
    /// Where the goal is on the ground.
    pub goal: NavPoint,
    /// The regions of start and goal; `None` where an obstacle of an overlay stands.
    pub regions: [Option<RegionId>; 2],
    /// Whether a path was found on which limits would have to give. Without one nothing joins the
    /// two places but a gap of more than 1024 cells, a wall of more than 30 m, or one that no line in
    /// the eight directions of the cells crosses.
    pub is_explained: bool,
    /// What would have to give, from the start to the goal; empty if nothing keeps the agent from
    /// the goal.
    pub blockers: Vec<Blocker>,
    /// The path with its limits relaxed: the floor at the center of each of its cells [m].
    pub track: Vec<NavPoint>,
}

/// One thing that keeps an agent from going on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Blocker {
    /// What it is, and how much would have to give.
    pub shortfall: Shortfall,
    /// Where [m].
    pub at: Point3<f32>,
    /// The last place before it where the agent can stand [m].
    pub before: Point3<f32>,
    /// The first place behind it where the agent can stand [m].
    pub after: Point3<f32>,
    /// The name of the node that is in the way, or that the ground belongs to; of a gap, of what stands in
    /// it or hangs over it. `None` if there is none, or the grid does not know it.
    pub node: Option<String>,
    /// Whether a link is what it takes: no agent climbs as much as it is high, or a body that climbs so
    /// much is too high for places along the track. `false` for everything but steps.
    pub needs_link: bool,
}

/// What falls short of an agent's limits, and by how much. Lengths are in metres, angles in radians.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shortfall {
    /// A step between two floors that is higher than the agent's climb.
    Step {
        /// Height of the step at the edge that the two cells share [m]; negative for a drop.
        rise: f32,
        /// The agent's climb [m].
        max_climb: f32,
    },
    /// Ground that is steeper than the agent's slope limit.
    Slope {
        /// The steepest part [rad].
        angle: f32,
        /// The agent's limit [rad].
        slope_limit: f32,
    },
    /// A ceiling that is lower than the agent is high.
    LowCeiling {
        /// How high a body may be that is as wide as the agent and climbs as much; between floor and ceiling, if
        /// none is low enough, or in files of older programs [m].
        headroom: f32,
        /// The agent's height, or how high its body reaches when it climbs if that is more [m].
        height: f32,
        /// What a body needs that climbs as much and is as wide as the agent, however low it is [m].
        least: f32,
    },
    /// A passage that is too narrow for the body.
    NarrowPassage {
        /// Width of the narrowest part [m]; `None` if the bake measured none: in files of older programs, or
        /// if something that is thinner than a cell, such as a closed door, stands in the passage.
        width: Option<f32>,
        /// Width of the body [m]. The body has to fit at the center of a cell, so that a passage less than
        /// the diagonal of a cell wider than the body may be too narrow, too.
        body: f32,
    },
    /// Ground on which the agent comes nearer to an edge than its ledge margin.
    NarrowLedge {
        /// Width of the ground between its edges, or twice the distance to the only one [m]; `None` if the
        /// bake measured none.
        width: Option<f32>,
        /// The agent's ledge margin [m].
        ledge_margin: f32,
    },
    /// A gap between two floors.
    Gap {
        /// The shortest way from floor to floor as seen from above [m]; to one cell where the bake did not
        /// measure it, as next to a railing.
        width: f32,
        /// How much higher the ground behind it is [m].
        rise: f32,
    },
    /// Ground that an area forbids.
    Forbidden {
        /// Name of the area.
        area: String,
    },
    /// Ground on a node that is marked as an obstacle.
    MarkedObstacle,
    /// A link that is closed.
    ClosedLink {
        /// Name of the link.
        link: String,
    },
    /// A link that leads only the other way.
    OneWayLink {
        /// Name of the link.
        link: String,
    },
    /// An obstacle that was added at run time.
    RunTimeObstacle,
    /// A floor between two storeys: no stairs lead from one to the other.
    Storey {
        /// How much higher the other storey is [m]; negative for one below.
        rise: f32,
    },
    /// Something solid. No limit of the agent would have to give: it would have to go.
    Wall {
        /// From floor to floor through it [m], to one cell; 0 for something thinner than a cell.
        thickness: f32,
    },
}

impl Default for Separation {
    fn default() -> Self {
        let nowhere = NavPoint { span: SpanId(0), point: Point3::origin() };
        Separation {
            start: nowhere,
            goal: nowhere,
            regions: [None; 2],
            is_explained: false,
            blockers: Vec::new(),
            track: Vec::new(),
        }
    }
}

impl Separation {
    /// Whether nothing keeps the agent from the goal.
    pub fn is_connected(&self) -> bool {
        self.is_explained && self.blockers.is_empty()
    }
}

impl Display for Separation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.blockers[..] {
            [] if self.is_explained => write!(f, "nothing is in the way"),
            [] => write!(f, "{NOTHING_FOUND}"),
            [first, rest @ ..] => {
                write!(f, "in the way: {first}")?;
                rest.iter()
                    .take(SHOWN - 1)
                    .try_for_each(|blocker| write!(f, "; then {blocker}"))?;
                match rest.len().saturating_sub(SHOWN - 1) {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more"),
                }
            }
        }
    }
}

/// What is said of places that no relaxed path joins.
const NOTHING_FOUND: &str = "what lies between is too wide, or no straight line along the cells or their \
                             diagonals joins the floors, at any slope, width or height";

/// One line shows at most this many blockers.
const SHOWN: usize = 3;

impl Display for Blocker {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match (&self.shortfall, self.needs_link) {
            (Shortfall::Step { rise, max_climb }, true) => {
                let kind = if *rise < 0.0 { "a drop" } else { "a step" };
                let climb = format!("max climb {max_climb:.2}; it takes a link");
                write!(f, "{kind} of {:.2} m ({climb})", rise.abs())?;
            }
            (shortfall, _) => write!(f, "{shortfall}")?,
        }
        write!(f, " at {}", in_centimetres(self.at))?;
        let Some(node) = &self.node else { return Ok(()) };
        let relation = match self.shortfall {
            Shortfall::Gap { .. } => "in or under",
            Shortfall::LowCeiling { .. } => "under",
            Shortfall::NarrowPassage { .. } => "beside",
            _ => "of",
        };
        write!(f, ", {relation} \"{node}\"")
    }
}

impl Display for Shortfall {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Shortfall::Step { rise, max_climb } => {
                let kind = if *rise < 0.0 { "a drop" } else { "a step" };
                write!(f, "{kind} of {:.2} m (max climb {max_climb:.2})", rise.abs())
            }
            Shortfall::Slope { angle, slope_limit } => {
                let [angle, limit] = [angle, slope_limit].map(|angle| angle.to_degrees());
                write!(f, "a slope of {angle:.1}° (limit {limit:.1}°)")
            }
            Shortfall::LowCeiling { headroom, height, least } => {
                let note = match (headroom < least, height > least) {
                    (false, _) => String::new(),
                    (_, true) => {
                        format!(", and never less than {least:.2} with this climb and radius")
                    }
                    _ => " with this climb and radius, however low the body is".to_owned(),
                };
                write!(f, "a ceiling of {headroom:.2} m (needs {height:.2}{note})")
            }
            Shortfall::NarrowPassage { width: None, body } => {
                write!(f, "a passage too narrow for the body ({body:.2}), or something thin in it")
            }
            Shortfall::NarrowPassage { width: Some(width), body } => {
                let centers = at_centers(*width, *body);
                write!(f, "a passage {width:.2} m wide (body {body:.2}{centers})")
            }
            Shortfall::NarrowLedge { width: None, ledge_margin } => {
                write!(f, "a ledge too narrow for the ledge margin ({ledge_margin:.2})")
            }
            Shortfall::NarrowLedge { width: Some(width), ledge_margin } => {
                let needed = 2.0 * ledge_margin;
                write!(f, "a ledge {width:.2} m wide (needs {needed:.2}")?;
                write!(f, "{}, ledge margin {ledge_margin:.2})", at_centers(*width, needed))
            }
            Shortfall::Gap { width, rise } => {
                write!(f, "a gap of {width:.2} m")?;
                match rise {
                    rise if *rise >= 0.01 => write!(f, " to ground {rise:.2} m higher"),
                    rise if *rise <= -0.01 => write!(f, " to ground {:.2} m lower", -rise),
                    _ => Ok(()),
                }
            }
            Shortfall::Forbidden { area } => write!(f, "ground forbidden by area \"{area}\""),
            Shortfall::MarkedObstacle => write!(f, "ground marked as an obstacle"),
            Shortfall::ClosedLink { link } => write!(f, "the closed link \"{link}\""),
            Shortfall::OneWayLink { link } => {
                write!(f, "the link \"{link}\", which leads only the other way")
            }
            Shortfall::RunTimeObstacle => write!(f, "an obstacle added at run time"),
            Shortfall::Storey { rise } => {
                let side = if *rise < 0.0 { "below" } else { "above" };
                write!(f, "a floor without a way through to ground {:.2} m {side}", rise.abs())
            }
            Shortfall::Wall { thickness } if *thickness > 0.0 => {
                write!(f, "a wall about {thickness:.2} m thick")
            }
            Shortfall::Wall { .. } => write!(f, "something thin"),
        }
    }
}

/// What to say where the width is enough, but not at the centers of cells.
fn at_centers(width: f32, needed: f32) -> &'static str {
    if width < needed { "" } else { ", at the centers of cells" }
}

impl Shortfall {
    /// Its name in lower case with underscores, such as `narrow_passage`.
    pub fn name(&self) -> &'static str {
        match self {
            Shortfall::Step { .. } => "step",
            Shortfall::Slope { .. } => "slope",
            Shortfall::LowCeiling { .. } => "low_ceiling",
            Shortfall::NarrowPassage { .. } => "narrow_passage",
            Shortfall::NarrowLedge { .. } => "narrow_ledge",
            Shortfall::Gap { .. } => "gap",
            Shortfall::Forbidden { .. } => "forbidden",
            Shortfall::MarkedObstacle => "marked_obstacle",
            Shortfall::ClosedLink { .. } => "closed_link",
            Shortfall::OneWayLink { .. } => "one_way_link",
            Shortfall::RunTimeObstacle => "run_time_obstacle",
            Shortfall::Storey { .. } => "storey",
            Shortfall::Wall { .. } => "wall",
        }
    }
}
