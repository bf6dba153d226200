//! Provides [`Ground`]: the relief that ways and tracks are drawn on, as one agent finds it.
//!
//! Which part of the grid is shown is for [`window`] to say, and which floor over each cell for
//! [`Cutaway`]: the one that is walked on, or the one that hangs together with it, so that a way
//! through a house and up its stairs is seen on the floors it walks on.

use surefoot::grid::{Cell, GridFrame, RegionId, SpanId, Verdict};
use surefoot::view::View;

use super::super::area_style::prints;
use super::super::canvas::Canvas;
use super::super::heights::{contour_interval, height_range, share};
use super::super::layout::Plate;
use super::super::legend::Block;
use super::super::links;
use super::super::palette::{CLOSED, OUT_OF_REACH, Rgb, SOLID, height_tint, reason};
use super::super::phrases::agent_line;
use super::super::relief::{Kind, Spot, Subject};
use super::cutaway::Cutaway;

/// Quiet ground, tinted by height where something can lead.
pub(in super::super) struct Ground<'a> {
    pub terrain: &'a View,
    /// The part of the grid that is shown.
    pub window: GridFrame,
    pub cutaway: Cutaway,
    /// The heights at the ends of the tints [m].
    pub heights: [f32; 2],
    /// The regions that something starts in, ascending; empty where none is known.
    starts: Vec<RegionId>,
}

/// What is written round a map.
pub(in super::super) struct Words {
    pub title: String,
    /// What the picture shows, in one line.
    pub line: String,
    pub blocks: Vec<Block>,
}

impl<'a> Ground<'a> {
    /// The ground under what starts on some spans.
    pub(in super::super) fn new(
        terrain: &'a View,
        cutaway: Cutaway,
        starts: impl Iterator<Item = SpanId>,
    ) -> Self {
        let grid = terrain.grid();
        let walkable = cutaway.shown().filter(|&span| terrain.is_walkable(span));
        let count = walkable.clone().count();
        let heights = height_range(walkable.map(|span| grid.spans()[span.index()].floor), count);
        let regions = starts.filter_map(|span| grid.region(terrain.agent_id(), span));
        let mut starts: Vec<RegionId> = regions.collect();
        starts.sort_unstable();
        starts.dedup();
        Ground { terrain, window: *cutaway.window(), cutaway, heights, starts }
    }

    /// The map of a subject on this ground, with its links.
    pub(in super::super) fn print(&self, words: Words, subject: &dyn Subject) -> Canvas {
        let grid = self.terrain.grid();
        let plate = Plate {
            window: self.window,
            title: words.title,
            lines: vec![agent_line(self.terrain.agent()), words.line],
            blocks: words.blocks.into_iter().filter(|block| !block.rows.is_empty()).collect(),
            prints: prints(grid.areas()),
            contours: contour_interval(self.heights),
        };
        let mut canvas = plate.print(grid, subject);
        self.links().iter().for_each(|arc| arc.draw(&mut canvas));
        canvas
    }

    /// A title for something on this ground: `3 ways`.
    pub(in super::super) fn title(&self, something: &str) -> String {
        let agent = &self.terrain.agent().name;
        let mut letters = something.chars();
        match (self.terrain.grid().provenance().scene.as_str(), letters.next()) {
            ("", Some(first)) => {
                format!("{}{} for {agent}", first.to_uppercase(), letters.as_str())
            }
            (scene, _) => format!("{scene} — {something} for {agent}"),
        }
    }

    /// Whether anything may lead to a span; true where it is not known from where.
    pub(in super::super) fn in_reach(&self, span: SpanId) -> bool {
        let (grid, agent) = (self.terrain.grid(), self.terrain.agent_id());
        let region = grid.region(agent, span);
        let reaches = |&start: &RegionId| {
            region.is_some_and(|region| grid.region_reaches(agent, start, region))
        };
        self.starts.is_empty() || self.starts.iter().any(reaches)
    }

    /// What a span is to the agent.
    pub(in super::super) fn verdict(&self, span: SpanId) -> Verdict {
        let standing = self.terrain.standing(span);
        standing.map_or(Verdict::InsideSolid, |standing| standing.verdict())
    }

    pub(super) fn links(&self) -> Vec<links::Arc<'a>> {
        links::in_window(self.terrain.grid(), self.terrain.agent_id(), &self.window)
    }
}

impl Subject for Ground<'_> {
    fn spot(&self, cell: Cell) -> Option<Spot> {
        self.cutaway.at(cell).map(|span| Spot { span: span.index(), here: true })
    }

    fn tint(&self, spot: Spot) -> Rgb {
        let span = SpanId(spot.span as u32);
        match self.verdict(span) {
            Verdict::Walkable if !self.in_reach(span) => OUT_OF_REACH,
            Verdict::Walkable => {
                height_tint(share(self.heights, self.terrain.grid().spans()[spot.span].floor))
            }
            Verdict::InsideSolid => SOLID,
            _ => CLOSED,
        }
    }

    fn kind(&self, spot: Spot) -> Kind {
        let span = SpanId(spot.span as u32);
        let area = self.terrain.grid().spans()[spot.span].area().0;
        match self.verdict(span) {
            Verdict::Walkable => Kind::Open { group: self.in_reach(span).into(), area },
            Verdict::InsideSolid => Kind::Closed {
                reason: reason(Verdict::InsideSolid).unwrap_or_default() as u8,
                area,
            },
            _ => Kind::Closed { reason: 0, area },
        }
    }
}
