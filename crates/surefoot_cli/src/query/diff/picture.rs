//! The picture of a difference: where ground was gained and lost.

use nalgebra::Point3;
use surefoot::NavGrid;
use surefoot_draw::{ChangeMark, ChangedLink, DifferencePicture, NumberedPlace};
use surefoot_report::{AgentDifference, GridDifference, GroundChange, LinkPlace};

use crate::shared::console::note;
use crate::shared::interrupt;
use crate::shared::output::Output;
use crate::shared::progress::LateProgress;

/// Draws the changes for the agent with the most of them, from the first of two grids to the second.
///
/// # Errors
/// The file cannot be written, or the grids have no agent in common.
pub fn write(
    grids: [&NavGrid; 2],
    difference: &GridDifference,
    output: &Output,
) -> anyhow::Result<()> {
    let Some(agent) = most_changed(difference) else {
        anyhow::bail!("the grids have no agent in common; leave out --png")
    };
    if difference.agents.len() > 1 {
        let name = &agent.agent;
        note(format_args!("{}: drawn for {name}; --agent draws for another", output.name()));
    }
    let places = places(agent);
    let links = links(difference, &agent.agent);
    let picture = DifferencePicture {
        grids,
        agents: agent.ids,
        lost: &agent.changed.lost,
        gained: &agent.changed.gained,
        moved: &agent.changed.moved,
        places: &places,
        links: &links,
    };
    let progress = LateProgress::new(format!("drawing {}", output.name()));
    let bytes = picture.draw(&progress)?.image.to_png_observed(&progress)?;
    progress.end();
    interrupt::uninterrupted(|| output.write(&bytes, || false))
}

/// The agent that gains, loses or finds moved the most ground; of several the first.
fn most_changed(difference: &GridDifference) -> Option<&AgentDifference> {
    let spans =
        |agent: &&AgentDifference| agent.lost.spans + agent.gained.spans + agent.moved.spans;
    difference.agents.iter().rev().max_by_key(spans)
}

/// The places that the report lists, with their numbers.
fn places(agent: &AgentDifference) -> Vec<NumberedPlace<'_>> {
    let mut places = numbered(ChangeMark::Lost, &agent.lost);
    places.append(&mut numbered(ChangeMark::Gained, &agent.gained));
    places.append(&mut numbered(ChangeMark::Moved, &agent.moved));
    places
}

fn numbered(mark: ChangeMark, change: &GroundChange) -> Vec<NumberedPlace<'_>> {
    let places = change.clusters.iter().map(|cluster| NumberedPlace {
        number: cluster.number,
        mark,
        at: cluster.at.into(),
        words: &cluster.words,
        area: cluster.area_m2,
    });
    places.collect()
}

/// All links that came, went or changed, and that the agent can take or could.
fn links(difference: &GridDifference, agent: &str) -> Vec<ChangedLink> {
    let links = &difference.links;
    let mut found = changed_links(ChangeMark::Lost, &links.lost.all, agent);
    found.append(&mut changed_links(ChangeMark::Gained, &links.gained.all, agent));
    found.append(&mut changed_links(ChangeMark::Moved, &links.changed.all, agent));
    found
}

fn changed_links(mark: ChangeMark, links: &[LinkPlace], agent: &str) -> Vec<ChangedLink> {
    let own = links.iter().filter(|link| link.agents.iter().any(|name| name == agent));
    own.map(|link| ChangedLink { mark, ends: [link.from, link.to].map(Point3::from) }).collect()
}
