//! Numbers and sentences on the pictures.

use surefoot::agent::{Agent, BodyShape};
use surefoot::grid::{GridFrame, NavGrid};

use super::numbers::{metres, trimmed};
use super::storeys::Storeys;

/// An agent's numbers on one line.
pub(super) fn agent_line(agent: &Agent) -> String {
    let number = |value: f32| trimmed(f64::from(value));
    let shape = match agent.shape {
        BodyShape::Capsule => "capsule",
        BodyShape::Box => "box",
    };
    format!(
        "{}: {shape} of radius {} m and height {} m, climbs {} m, slopes up to {}°, keeps {} m from ledges",
        agent.name,
        number(agent.radius),
        number(agent.height),
        number(agent.max_climb),
        trimmed(f64::from((agent.slope_limit.to_degrees() * 10.0).round() / 10.0)),
        number(agent.ledge_margin()),
    )
}

/// The lowest and the highest of some heights.
pub(super) fn height_span([low, high]: [f32; 2]) -> String {
    if high - low < 0.05 {
        return format!("{} m", metres(low, 0.1));
    }
    format!("{} to {} m", metres(low, 0.1), metres(high, 0.1))
}

/// The ground some spans cover.
pub(super) fn area_of(spans: usize, frame: &GridFrame) -> String {
    square_metres(spans as f64 * f64::from(frame.cell_size).powi(2))
}

/// An area with its thousands separated [m²]; in square kilometres from ten upward.
pub(super) fn square_metres(area: f64) -> String {
    if area < 100.0 {
        return format!("{area:.1} m²");
    }
    if area >= 1e7 {
        return format!("{:.1} km²", area / 1e6);
    }
    let digits = format!("{area:.0}");
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    format!("{grouped} m²")
}

/// A part of a whole in percent; what is there is never 0 %, what is missing never leaves 100 %.
pub(super) fn share(part: usize, whole: usize) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    match percent {
        percent if part > 0 && percent < 0.1 => "< 0.1 %".to_owned(),
        percent if part < whole && percent > 99.9 => "> 99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// What no picture of the agent shows, in sentences.
pub(super) fn not_drawn(grid: &NavGrid, storeys: &Storeys, agent: usize) -> Vec<String> {
    let rest = storeys.left_out();
    let mut notes = Vec::new();
    if rest.covered > 0 {
        let area = area_of(rest.covered, grid.frame());
        notes.push(format!("{area} close beneath another floor, too low for any agent"));
    }
    if rest.spans > 0 {
        let (area, walkable) = (
            area_of(rest.spans, grid.frame()),
            area_of(rest.walkable.get(agent).copied().unwrap_or(0), grid.frame()),
        );
        let storeys = match rest.storeys {
            1 => "on one lesser storey".to_owned(),
            count => format!("on {count} lesser storeys"),
        };
        notes.push(format!("{area} {storeys}, {walkable} of it walkable"));
    }
    notes
}
