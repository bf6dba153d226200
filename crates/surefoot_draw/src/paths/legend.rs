//! The words round a picture of paths.

use surefoot::grid::AreaId;
use surefoot::path::Path;
use surefoot::search::Outcome;
use surefoot::{Cancelled, Observer};

use super::super::legend::{LegendBlock, Swatch};
use super::super::marks::EndMark;
use super::super::palette::{height_tint, mix, order_tint};
use super::expansion_map::ORDER_COVER;
use super::lines::color;
use super::scene::{DrawnPath, PathPicture, PathScene};

/// What a picture shows, in one line.
pub(super) fn summary_line(picture: &PathPicture) -> String {
    let expanded = match picture.expanded.len() {
        0 => String::new(),
        count => format!("; {} expanded", spans(count)),
    };
    match picture.paths {
        [DrawnPath { path: Some(path), outcome, .. }] => {
            let partial = gap(outcome).map_or(String::new(), |gap| format!("Partial, {gap}; "));
            format!("{partial}{}{expanded}", figures(path))
        }
        [] | [_] => format!("No path{expanded}"),
        paths => format!("{} paths between the same two points{expanded}", paths.len()),
    }
}

fn spans(count: usize) -> String {
    if count == 1 { "1 span".to_owned() } else { format!("{count} spans") }
}

/// Length, cost and heights of a path.
pub(super) fn figures(path: &Path) -> String {
    format!(
        "{} long at a cost of {:.2}; {} up, {} down",
        length(path.length()),
        path.cost(),
        length(path.climb()),
        length(path.descent()),
    )
}

fn length(metres: f32) -> String {
    format!("{metres:.2} m")
}

/// The blocks of the legend.
pub(super) fn blocks(
    scene: &PathScene,
    observer: &dyn Observer,
) -> Result<Vec<LegendBlock>, Cancelled> {
    let picture = scene.picture;
    let paths = picture.paths.iter().enumerate();
    let mut blocks: Vec<LegendBlock> = paths.map(|(number, way)| path_block(way, number)).collect();
    blocks.push(ends());
    blocks.push(search(picture));
    let path = match picture.paths {
        [way] => way.path,
        _ => None,
    };
    blocks.extend(scene.ground.blocks(observer, |area: AreaId| {
        let walked = path.map(|path| path.area_length(area)).filter(|&length| length > 0.0);
        walked.map_or(String::new(), |walked| format!("{} of the path", length(walked)))
    })?);
    Ok(blocks)
}

fn path_block(way: &DrawnPath, number: usize) -> LegendBlock {
    let mut block = LegendBlock::new(way.name);
    let Some(path) = way.path else {
        match way.outcome {
            Outcome::Failed(error) => block.note(&format!("there is none: {error}")),
            _ => block.note("there is none"),
        }
        return block;
    };
    block.row(Swatch::Path(color(number)), "length", length(path.length()));
    block.row(Swatch::Blank, "climb and descent", {
        format!("{} up, {} down", length(path.climb()), length(path.descent()))
    });
    block.row(Swatch::Blank, "cost", format!("{:.2}", path.cost()));
    if way.corridor.is_some_and(|corridor| !corridor.spans().is_empty()) {
        let cost = format!("cost {:.2}", path.corridor_cost());
        block.row(Swatch::Dashes(color(number)), "before it was straightened", cost);
    }
    block.row(Swatch::Blank, "waypoints", path.waypoints().len().to_string());
    let links = path.waypoints().iter().filter(|waypoint| waypoint.link.is_some()).count();
    if links > 0 {
        block.row(Swatch::Blank, "links taken", links.to_string());
    }
    if let (Outcome::Partial { reason, .. }, Some(gap)) = (way.outcome, gap(&way.outcome)) {
        block.note(&format!("partial, {gap}: {reason}"));
    }
    block
}

/// Where a partial path ends.
fn gap(outcome: &Outcome) -> Option<String> {
    match *outcome {
        Outcome::Partial { gap, .. } => Some(format!("ends {} from the goal", length(gap))),
        _ => None,
    }
}

fn ends() -> LegendBlock {
    let mut block = LegendBlock::new("Ends, as asked for");
    block.row(Swatch::End(EndMark::Start), "start", String::new());
    block.row(Swatch::End(EndMark::Goal), "goal", String::new());
    block
}

fn search(picture: &PathPicture) -> LegendBlock {
    let mut block = LegendBlock::new("Search");
    if !picture.expanded.is_empty() {
        let tint =
            |at: usize| mix(height_tint(0.45), order_tint(at as f32 / STRIPES as f32), ORDER_COVER);
        let tints = Swatch::Tints((0..=STRIPES).map(tint).collect());
        block.row(tints, "expanded, from first to last", picture.expanded.len().to_string());
    }
    block
}

/// The swatch of the search has one stripe more than this.
const STRIPES: usize = 15;
