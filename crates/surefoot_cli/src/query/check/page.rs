//! The page of a report: each check on its place of the level.

use surefoot_report::checks::{CheckReport, CheckResult, Finding, FoundPlace};
use surefoot_view::{Note, NoteTone, PageReport};

/// So many places of one check that fails are shown.
const MOST_SHOWN: usize = 20;

/// The report for the page: what fails comes first.
pub fn report(report: &CheckReport) -> PageReport {
    let (good, bad): (Vec<_>, Vec<_>) = report.results.iter().partition(|result| result.holds);
    let notes = bad.into_iter().chain(good).flat_map(notes).collect();
    PageReport { title: report.summary(), notes }
}

/// A note on a check, and one on each of the first places where it fails, if there are several.
fn notes(result: &CheckResult) -> Vec<Note> {
    let shown = result.findings.iter().find(|finding| finding.holds == result.holds);
    let text = match result.holds {
        true => result.found.clone(),
        false => result.failure_lines().join("\n"),
    };
    let whole = Note {
        title: result.title(),
        text,
        tone: tone(result.holds),
        agent: result.agent.clone(),
        points: shown.map(points).unwrap_or_default(),
        ground: Vec::new(),
    };
    let failing: Vec<&Finding> =
        result.findings.iter().filter(|finding| !finding.holds && !result.holds).collect();
    let each = failing.iter().take(MOST_SHOWN).map(|finding| Note {
        title: title(finding),
        text: [Some(finding.found.clone()), finding.why.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n"),
        tone: NoteTone::Bad,
        agent: result.agent.clone(),
        points: points(finding),
        ground: Vec::new(),
    });
    let each: Vec<Note> = if failing.len() > 1 { each.collect() } else { Vec::new() };
    std::iter::once(whole).chain(each).collect()
}

fn tone(holds: bool) -> NoteTone {
    if holds { NoteTone::Good } else { NoteTone::Bad }
}

/// The names of the places of a finding.
fn title(finding: &Finding) -> String {
    let name = |place: &Option<FoundPlace>| place.as_ref().map(|place| place.name.clone());
    match (name(&finding.at), name(&finding.from), name(&finding.to)) {
        (Some(at), _, _) => at,
        (None, Some(from), Some(to)) => format!("{from} to {to}"),
        _ => "there".to_owned(),
    }
}

/// The place, the path, or the ends with what is in the way between them.
fn points(finding: &Finding) -> Vec<[f32; 3]> {
    let point = |place: &Option<FoundPlace>| place.as_ref().and_then(|place| place.point);
    if let Some(at) = point(&finding.at) {
        return vec![at];
    }
    if !finding.waypoints.is_empty() {
        return finding.waypoints.clone();
    }
    let between = finding.blockers.iter().map(|blocker| blocker.at);
    point(&finding.from).into_iter().chain(between).chain(point(&finding.to)).collect()
}
