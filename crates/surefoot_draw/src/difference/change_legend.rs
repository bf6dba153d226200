//! The words around the picture of a difference.

use surefoot::grid::NavGrid;

use super::super::area_style::area_styles;
use super::super::heights;
use super::super::legend::{LegendBlock, Swatch};
use super::super::marks::ChangeMark;
use super::super::numbers::trimmed;
use super::super::palette::{CLOSED, GHOST, PAPER, SOLID, height_tint, mix};
use super::super::phrases::{area_of, height_span, square_metres};
use super::quiet_map::{GroundKinds, QuietMap};
use super::storey_page::StoreyPage;

/// The legend has room for so many places.
const MOST_PLACES: usize = 12;

const MARKS: [(ChangeMark, &str); 3] = [
    (ChangeMark::Lost, "lost"),
    (ChangeMark::Gained, "gained"),
    (ChangeMark::Moved, "higher or lower"),
];

const LINK_MARKS: [(ChangeMark, &str); 3] =
    [(ChangeMark::Lost, "lost"), (ChangeMark::Gained, "gained"), (ChangeMark::Moved, "changed")];

impl StoreyPage<'_> {
    pub(super) fn title(&self, agent: &str) -> String {
        match self.picture.grids[1].provenance().scene.as_str() {
            "" => format!("What changed for {agent}"),
            scene => format!("{scene} — what changed for {agent}"),
        }
    }

    /// What the storey is, and how much changed on it.
    pub(super) fn summary(&self) -> String {
        let all = self.storeys.storeys.drawn();
        let Some(storey) = all.get(self.storey) else {
            return format!("No floor is left; {}", self.changed());
        };
        let place = match all.len() {
            1 => "The only storey".to_owned(),
            count => format!("Storey {} of 0 to {}", self.storey, count - 1),
        };
        format!("{place}, floors at {}; {}", height_span(storey.heights), self.changed())
    }

    fn changed(&self) -> String {
        let frame = self.picture.grids[1].frame();
        let spans = |mark: ChangeMark| self.changes.spans[mark as usize];
        let there = MARKS.iter().filter(|(mark, _)| spans(*mark) > 0);
        let words: Vec<String> =
            there.map(|&(mark, word)| format!("{} {word}", area_of(spans(mark), frame))).collect();
        if words.is_empty() { "no ground changed".to_owned() } else { words.join(", ") }
    }

    pub(super) fn blocks(&self, map: &QuietMap, kinds: &GroundKinds) -> Vec<LegendBlock> {
        let mut blocks = vec![self.ground(), self.places(), self.links(), quiet(kinds)];
        blocks.push(areas(map.grid, kinds));
        blocks.push(heights::block(map.heights, kinds.kinds[0]));
        blocks.retain(|block| !block.rows.is_empty());
        blocks
    }

    fn ground(&self) -> LegendBlock {
        let frame = self.picture.grids[1].frame();
        let mut block = LegendBlock::new("Ground that changed");
        for (mark, word) in MARKS {
            let spans = self.changes.spans[mark as usize];
            if spans > 0 {
                let swatch = Swatch::Changed(mark);
                block.row(swatch, word, area_of(spans, frame));
            }
        }
        let [lost, gained, _] = &self.changes.cells;
        let both = lost.intersection(gained).count();
        if both > 0 {
            let tints = [ChangeMark::Lost, ChangeMark::Gained].map(ChangeMark::color);
            let swatch = Swatch::Tints([tints; 3].concat());
            block.row(swatch, "both, one above the other", area_of(both, frame));
        }
        if self.left_out > 0 {
            let area = area_of(self.left_out, frame);
            block.note(&format!("{area} more on storeys that are not drawn"));
        }
        block
    }

    fn places(&self) -> LegendBlock {
        let mut block = LegendBlock::new("Places, by size");
        for &at in self.changes.places.iter().take(MOST_PLACES) {
            let place = &self.picture.places[at];
            let swatch = Swatch::Numbered(mix(place.mark.color(), PAPER, 0.55), place.number);
            block.row(swatch, place.words, square_metres(place.area));
        }
        let rest = self.changes.places.len().saturating_sub(MOST_PLACES);
        if rest > 0 {
            block.note(&format!("and {rest} more numbers on the map"));
        }
        block
    }

    fn links(&self) -> LegendBlock {
        let mut block = LegendBlock::new("Links");
        for (mark, word) in LINK_MARKS {
            let links = self.changes.links.iter().map(|&at| &self.picture.links[at]);
            let count = links.filter(|link| link.mark == mark).count();
            let color = mark.color();
            let swatch = match mark {
                ChangeMark::Lost => Swatch::Dashes(color),
                _ => Swatch::Path(color),
            };
            if count > 0 {
                block.row(swatch, word, count.to_string());
            }
        }
        block
    }
}

/// The ground below.
fn quiet(kinds: &GroundKinds) -> LegendBlock {
    let mut block = LegendBlock::new("Ground as it is now");
    let rows = [
        (height_tint(0.45), "walkable"),
        (CLOSED, "not walkable"),
        (SOLID, "inside a solid"),
        (GHOST, "floors beneath this storey"),
    ];
    for ((tint, label), _) in rows.into_iter().zip(kinds.kinds).filter(|(_, there)| *there) {
        block.row(Swatch::Tints(vec![tint]), label, String::new());
    }
    block
}

fn areas(grid: &NavGrid, kinds: &GroundKinds) -> LegendBlock {
    let mut block = LegendBlock::new("Kinds of ground");
    let styles = grid.areas().iter().zip(area_styles(grid.areas())).zip(&kinds.areas);
    for ((area, style), _) in styles.skip(1).filter(|(_, there)| **there) {
        let cost = match area.forbidden {
            true => "forbidden".to_owned(),
            false => format!("cost × {}", trimmed(f64::from(area.cost))),
        };
        let swatch = Swatch::Ground(height_tint(0.45), style);
        block.row(swatch, format!("{}, {cost}", area.name), String::new());
    }
    block
}
