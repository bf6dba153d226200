//! Provides [`GroundMap`]: the relief that paths and tracks are drawn on, as one agent finds it.
//!
//! Which part of the grid is shown is for [`window`] to say, and which floor over each cell for
//! [`Cutaway`]: the one that is walked on, or the one that is connected with it, so that a path
//! through a house and up its stairs is seen on the floors it walks on.

use surefoot::grid::{Cell, GridFrame, RegionId, SpanId, Verdict};
use surefoot::view::View;
use surefoot::{Cancelled, Observer};

use super::super::area_style::area_styles;
use super::super::canvas::Canvas;
use super::super::heights::{contour_interval, height_range, share};
use super::super::layout::PageLayout;
use super::super::legend::LegendBlock;
use super::super::links;
use super::super::palette::{CLOSED, OUT_OF_REACH, Rgb, SOLID, height_tint, reason};
use super::super::phrases::agent_line;
use super::super::relief::{GroundKind, MapContent, MapSpan};
use super::cutaway::Cutaway;

/// Quiet ground, tinted by height where something can lead.
pub(in super::super) struct GroundMap<'a> {
    pub view: &'a View,
    /// The part of the grid that is shown.
    pub window: GridFrame,
    pub cutaway: Cutaway,
    /// The heights at the ends of the tints [m].
    pub heights: [f32; 2],
    /// The regions that something starts in, ascending; empty where none is known.
    starts: Vec<RegionId>,
}

/// What is written round a map.
pub(in super::super) struct MapText {
    pub title: String,
    /// What the picture shows, in one line.
    pub line: String,
    pub blocks: Vec<LegendBlock>,
}

impl<'a> GroundMap<'a> {
    /// The ground under what starts on some spans.
    pub(in super::super) fn new(
        view: &'a View,
        cutaway: Cutaway,
        starts: impl Iterator<Item = SpanId>,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let grid = view.grid();
        let cells = cutaway.window().cells();
        let heights = height_range(cells, observer, |at| {
            let span = cutaway.at_index(at).filter(|&span| view.is_walkable(span))?;
            Some(grid.spans()[span.index()].floor)
        })?;
        let regions = starts.filter_map(|span| grid.region(view.agent_id(), span));
        let mut starts: Vec<RegionId> = regions.collect();
        starts.sort_unstable();
        starts.dedup();
        Ok(GroundMap { view, window: *cutaway.window(), cutaway, heights, starts })
    }

    /// Draws a map of this ground, with its links.
    pub(in super::super) fn draw(
        &self,
        text: MapText,
        content: &dyn MapContent,
        observer: &dyn Observer,
    ) -> Result<Canvas, Cancelled> {
        let grid = self.view.grid();
        let page = PageLayout {
            window: self.window,
            title: text.title,
            lines: vec![agent_line(self.view.agent()), text.line],
            blocks: text.blocks.into_iter().filter(|block| !block.rows.is_empty()).collect(),
            area_styles: area_styles(grid.areas()),
            contours: contour_interval(self.heights),
        };
        let mut canvas = page.draw(grid, content, observer)?;
        self.links().iter().for_each(|arc| arc.draw(&mut canvas));
        Ok(canvas)
    }

    /// A title for something on this ground: `3 paths`.
    pub(in super::super) fn title(&self, something: &str) -> String {
        let agent = &self.view.agent().name;
        let mut letters = something.chars();
        match (self.view.grid().provenance().scene.as_str(), letters.next()) {
            ("", Some(first)) => {
                format!("{}{} for {agent}", first.to_uppercase(), letters.as_str())
            }
            (scene, _) => format!("{scene} — {something} for {agent}"),
        }
    }

    /// Whether a path may lead to a span; true if no start is known.
    pub(in super::super) fn in_reach(&self, span: SpanId) -> bool {
        let (grid, agent) = (self.view.grid(), self.view.agent_id());
        let region = grid.region(agent, span);
        let reaches = |&start: &RegionId| {
            region.is_some_and(|region| grid.region_reaches(agent, start, region))
        };
        self.starts.is_empty() || self.starts.iter().any(reaches)
    }

    /// What a span is to the agent.
    pub(in super::super) fn verdict(&self, span: SpanId) -> Verdict {
        let standing = self.view.standing(span);
        standing.map_or(Verdict::InsideSolid, |standing| standing.verdict())
    }

    pub(super) fn links(&self) -> Vec<links::LinkArc<'a>> {
        links::in_window(self.view.grid(), self.view.agent_id(), &self.window)
    }
}

impl MapContent for GroundMap<'_> {
    fn span_at(&self, cell: Cell) -> Option<MapSpan> {
        self.cutaway.at(cell).map(|span| MapSpan { span: span.index(), here: true })
    }

    fn tint(&self, spot: MapSpan) -> Rgb {
        let span = SpanId(spot.span as u32);
        match self.verdict(span) {
            Verdict::Walkable if !self.in_reach(span) => OUT_OF_REACH,
            Verdict::Walkable => {
                height_tint(share(self.heights, self.view.grid().spans()[spot.span].floor))
            }
            Verdict::InsideSolid => SOLID,
            _ => CLOSED,
        }
    }

    fn kind(&self, spot: MapSpan) -> GroundKind {
        let span = SpanId(spot.span as u32);
        let area = self.view.grid().spans()[spot.span].area().0;
        match self.verdict(span) {
            Verdict::Walkable => GroundKind::Open { group: self.in_reach(span).into(), area },
            Verdict::InsideSolid => GroundKind::Closed {
                reason: reason(Verdict::InsideSolid).unwrap_or_default() as u8,
                area,
            },
            _ => GroundKind::Closed { reason: 0, area },
        }
    }
}
