//! Grants what a diagnosis names: an agent with relaxed limits, and links where no limit would do.

use nalgebra::Point3;
use surefoot::diagnosis::{Blocker, Separation, Shortfall};
use surefoot::grid::LinkKind;
use surefoot::search::Query;
use surefoot::{Agent, Navigator};
use surefoot_bake::scene::LinkMarker;
use surefoot_bake::{Scene, bake};

use super::{CELL_SIZE, settings};

/// What it takes beside other limits, the most of all that was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relief {
    /// Nothing.
    Limits,
    /// Links over gaps, and over steps as high as the body.
    Link,
    /// Links from storey to storey.
    Storey,
    /// Links through walls.
    Wall,
}

/// What was named, granted.
pub struct Granted {
    pub relief: Relief,
    agent: Agent,
    links: Vec<LinkMarker>,
}

/// Limits are relaxed to this much above what was named [m].
const ABOVE: f32 = 0.01;
/// The thinnest body [m].
const THINNEST: f32 = 0.02;

impl Granted {
    pub fn of(agent: &Agent, separation: &Separation) -> Self {
        let mut granted =
            Granted { relief: Relief::Limits, agent: agent.clone(), links: Vec::new() };
        separation.blockers.iter().for_each(|blocker| granted.grant(blocker));
        let Agent { max_climb, height, .. } = granted.agent;
        granted.agent.height = height.max(max_climb + ABOVE);
        granted
    }

    fn grant(&mut self, blocker: &Blocker) {
        let agent = &mut self.agent;
        match &blocker.shortfall {
            Shortfall::Step { rise, .. } if !blocker.needs_link => {
                agent.max_climb = agent.max_climb.max(rise.abs() + ABOVE);
            }
            Shortfall::Slope { angle, .. } if angle.to_degrees() < 84.5 => {
                agent.slope_limit = agent.slope_limit.max(angle + 0.5f32.to_radians());
            }
            Shortfall::LowCeiling { headroom, .. } => {
                agent.height = agent.height.min(headroom - 0.2 * ABOVE);
            }
            Shortfall::NarrowPassage { width, .. } => {
                // At the center of some cell, however the passage lies.
                let aside = std::f32::consts::SQRT_2 * CELL_SIZE;
                let fits = 0.5 * (width.unwrap_or(2.0 * agent.radius) - aside) - ABOVE;
                agent.radius = agent.radius.min(fits.max(THINNEST));
            }
            Shortfall::NarrowLedge { width, .. } => {
                let width = width.unwrap_or(2.0 * agent.ledge_margin());
                let margin = (0.5 * width - CELL_SIZE).max(0.0);
                agent.ledge_margin = Some(agent.ledge_margin().min(margin));
            }
            Shortfall::Storey { .. } => self.link(Relief::Storey, blocker),
            Shortfall::Wall { .. } => self.link(Relief::Wall, blocker),
            _ => self.link(Relief::Link, blocker),
        }
    }

    fn link(&mut self, relief: Relief, blocker: &Blocker) {
        self.relief = self.relief.max(relief);
        self.links.push(LinkMarker {
            name: format!("granted {}", self.links.len()),
            from: blocker.before,
            to: blocker.after,
            two_way: true,
            cost: None,
            kind: LinkKind::Authored,
            ..LinkMarker::default()
        });
    }

    /// What is still in the way once everything is granted; `None` if a path joins the two places.
    pub fn still_in_the_way(&self, scene: &Scene, [from, to]: [Point3<f32>; 2]) -> Option<String> {
        let mut scene = scene.clone();
        scene.links.extend(self.links.iter().cloned());
        let baked = bake(&scene, &settings(self.agent.clone()), &()).expect("it bakes");
        let mut nav = Navigator::new(baked.grid, "human").expect("it has a human");
        if nav.find(&Query::new(from, to)).path().is_ok() {
            return None;
        }
        Some(match nav.why_not(from, to) {
            Ok(separation) => separation.to_string(),
            Err(error) => error.to_string(),
        })
    }
}
