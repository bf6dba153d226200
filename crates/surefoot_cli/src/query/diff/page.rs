//! The page of a difference: what changed, each on its place of the new grid.

use surefoot_report::{
    AgentDifference, GridDifference, GroundChange, GroundCluster, LinkList, PathChange,
    PathFigures, PathList,
};
use surefoot_view::{GroundRectangle, Note, NoteTone, PageReport};

/// The report of a difference between two files for the page.
pub fn report(difference: &GridDifference, [old, new]: [&str; 2]) -> PageReport {
    let title = match difference.same {
        true => format!("{old} and {new} are the same: no agent notices a difference."),
        false => format!("From {old} to {new}."),
    };
    let mut notes = Vec::new();
    for agent in &difference.agents {
        for (tone, change) in [
            (NoteTone::Lost, &agent.lost),
            (NoteTone::Gained, &agent.gained),
            (NoteTone::Plain, &agent.moved),
        ] {
            notes.extend(ground_notes(&agent.agent, tone, change));
        }
        notes.extend(path_notes(agent));
    }
    notes.extend(link_notes(NoteTone::Lost, "lost", &difference.links.lost));
    notes.extend(link_notes(NoteTone::Gained, "new", &difference.links.gained));
    notes.extend(link_notes(NoteTone::Plain, "changed", &difference.links.changed));
    PageReport { title, notes }
}

fn ground_notes(agent: &str, tone: NoteTone, change: &GroundChange) -> Vec<Note> {
    let note = |cluster: &GroundCluster| Note {
        title: format!("{agent}: {:.1} m²: {}", cluster.area_m2, cluster.words),
        text: String::new(),
        tone,
        agent: Some(agent.to_owned()),
        points: vec![cluster.at],
        ground: cluster
            .rectangles
            .iter()
            .map(|own| GroundRectangle { min: own.min, max: own.max, y: own.y })
            .collect(),
    };
    change.clusters.iter().map(note).collect()
}

fn path_notes(agent: &AgentDifference) -> Vec<Note> {
    let Some(paths) = &agent.paths else { return Vec::new() };
    let kinds = [
        ("a path is no longer possible", NoteTone::Bad, &paths.impossible),
        ("a path is possible now", NoteTone::Good, &paths.possible),
        ("a path costs more", NoteTone::Plain, &paths.longer),
        ("a path costs less", NoteTone::Plain, &paths.shorter),
    ];
    let note = |words: &str, tone, path: &PathChange| Note {
        title: format!("{}: {words}", agent.agent),
        text: lengths(path),
        tone,
        agent: Some(agent.agent.clone()),
        points: vec![path.from, path.to],
        ground: Vec::new(),
    };
    let notes = |(words, tone, list): (&str, NoteTone, &PathList)| -> Vec<Note> {
        list.paths.iter().map(|path| note(words, tone, path)).collect()
    };
    kinds.into_iter().flat_map(notes).collect()
}

/// What a path was and is, and why it is not there.
fn lengths(path: &PathChange) -> String {
    let figures = |own: &Option<PathFigures>| match own {
        Some(own) => format!("{:.2} m at a cost of {:.2}", own.length, own.cost),
        None => "none".to_owned(),
    };
    let why = path.why.as_ref().map(|why| format!("\n{why}"));
    let (before, after) = (figures(&path.before), figures(&path.after));
    format!("before: {before}, now: {after}{}", why.unwrap_or_default())
}

fn link_notes(tone: NoteTone, words: &str, list: &LinkList) -> Vec<Note> {
    let notes = list.links.iter().map(|link| Note {
        title: format!("link \"{}\" ({}) {words}", link.name, link.kind.name()),
        text: link.changes.join("\n"),
        tone,
        agent: None,
        points: vec![link.from, link.to],
        ground: Vec::new(),
    });
    notes.collect()
}
