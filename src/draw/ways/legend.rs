//! The words round a picture of ways.

use crate::grid::{AreaId, Verdict};
use crate::solve::Path;

use super::super::area::prints;
use super::super::heights;
use super::super::legend::{Block, Swatch};
use super::super::palette::{CLOSED, OUT_OF_REACH, SOLID, height_tint, mix, order_tint};
use super::super::rim::trimmed;
use super::lines::{End, color};
use super::subject::ORDER_COVER;
use super::{Way, WayPicture, WayScene};

/// What a picture shows, in one line.
pub(super) fn way_line(picture: &WayPicture) -> String {
    let expanded = match picture.expanded.len() {
        0 => String::new(),
        count => format!("; {} expanded", spans(count)),
    };
    match picture.ways {
        [Way { path: Some(path), .. }] => format!("{}{expanded}", figures(path)),
        [] | [_] => format!("No way{expanded}"),
        ways => format!("{} ways between the same two places{expanded}", ways.len()),
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

/// The blocks of the legend; `links` is how many there are on the map.
pub(super) fn blocks(scene: &WayScene, links: usize) -> Vec<Block> {
    let picture = scene.picture;
    let ways = picture.ways.iter().enumerate();
    let mut blocks: Vec<Block> = ways.map(|(number, way)| way_block(way, number)).collect();
    blocks.push(ends());
    blocks.push(search(picture));
    blocks.push(ground(scene));
    blocks.push(areas(scene));
    blocks.push(heights::block(scene.heights, true));
    let mut block = Block::new("Links");
    if links > 0 {
        block.row(Swatch::Link { live: true }, "can be taken", links.to_string());
    }
    blocks.push(block);
    blocks.retain(|block| !block.rows.is_empty());
    blocks
}

fn way_block(way: &Way, number: usize) -> Block {
    let mut block = Block::new(way.name);
    let Some(path) = way.path else {
        block.note("there is none");
        return block;
    };
    block.row(Swatch::Way(color(number)), "length", length(path.length()));
    block.row(Swatch::Blank, "climb and descent", {
        format!("{} up, {} down", length(path.climb()), length(path.descent()))
    });
    block.row(Swatch::Blank, "cost", format!("{:.2}", path.cost()));
    if way.corridor.is_some_and(|corridor| !corridor.spans().is_empty()) {
        let cost = format!("cost {:.2}", path.corridor_cost());
        block.row(Swatch::Corridor(color(number)), "before it was straightened", cost);
    }
    block.row(Swatch::Blank, "waypoints", path.waypoints().len().to_string());
    let links = path.waypoints().iter().filter(|waypoint| waypoint.link.is_some()).count();
    if links > 0 {
        block.row(Swatch::Blank, "links taken", links.to_string());
    }
    block
}

fn ends() -> Block {
    let mut block = Block::new("Ends, as asked for");
    block.row(Swatch::End(End::Start), "start", String::new());
    block.row(Swatch::End(End::Goal), "goal", String::new());
    block
}

fn search(picture: &WayPicture) -> Block {
    let mut block = Block::new("Search");
    if !picture.expanded.is_empty() {
        let tint =
            |at: usize| mix(height_tint(0.45), order_tint(at as f32 / STRIPES as f32), ORDER_COVER);
        let tints = Swatch::Tints((0..=STRIPES).map(tint).collect());
        block.row(tints, "expanded, from first to last", picture.expanded.len().to_string());
    }
    block
}

/// The swatch of the search has so many stripes, and one more.
const STRIPES: usize = 15;

/// The kinds of ground there are on the map, to the agent.
fn ground(scene: &WayScene) -> Block {
    let terrain = scene.picture.terrain;
    let start = scene.start();
    let mut there = [false; 3];
    let mut out_of_reach = false;
    for span in scene.cutaway.shown() {
        match terrain.standing(span).map(|standing| standing.verdict()) {
            Some(Verdict::Walkable) => {
                let reached = start.is_none_or(|start| terrain.may_reach(start, span));
                there[0] |= reached;
                out_of_reach |= !reached;
            }
            Some(Verdict::InsideSolid) | None => there[2] = true,
            Some(_) => there[1] = true,
        }
    }
    let name = &terrain.agent().name;
    let mut block = Block::new("Ground");
    let rows = [
        (there[0], height_tint(0.45), format!("{name} can walk here")),
        (out_of_reach, OUT_OF_REACH, "also, but no way leads here".to_owned()),
        (there[1], CLOSED, format!("{name} cannot stand here")),
        (there[2], SOLID, "inside a solid".to_owned()),
    ];
    for (_, tint, label) in rows.into_iter().filter(|row| row.0) {
        block.row(Swatch::Tints(vec![tint]), label, String::new());
    }
    block
}

/// The kinds of ground that are on the map, and how much of a single way lies on each.
fn areas(scene: &WayScene) -> Block {
    let terrain = scene.picture.terrain;
    let grid = terrain.grid();
    let mut there = vec![false; grid.areas().len()];
    for span in scene.cutaway.shown() {
        let area = usize::from(grid.spans()[span.index()].area().0);
        if let Some(there) = there.get_mut(area) {
            *there = true;
        }
    }
    let path = match scene.picture.ways {
        [way] => way.path,
        _ => None,
    };
    let mut block = Block::new("Kinds of ground");
    let prints = prints(grid.areas());
    for (id, area) in grid.areas().iter().enumerate().skip(1).filter(|(id, _)| there[*id]) {
        let id = AreaId(id as u8);
        let cost = match area.forbidden {
            true => "forbidden".to_owned(),
            false => format!("cost × {}", trimmed(f64::from(terrain.factor(id)))),
        };
        let walked = path.map(|path| path.area_length(id)).filter(|&length| length > 0.0);
        let value = walked.map_or(String::new(), |walked| format!("{} of the way", length(walked)));
        let swatch = Swatch::Ground(height_tint(0.45), prints[usize::from(id.0)]);
        block.row(swatch, format!("{}, {cost}", area.name), value);
    }
    block
}
