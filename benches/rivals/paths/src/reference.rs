//! The shortest of all paths whose corners are centers of cells, to hold answers against on small levels.
//!
//! It bends only where the ground does: at cells that a corner of something unwalkable juts out to. All
//! of these that see one another are joined, so the level must have few.

use surefoot::SpanId;
use surefoot::grid::Dir;
use surefoot::path::{GridSight, Sight};
use surefoot::view::{NavPoint, View};

use crate::pairs::{Pair, open_spans};
use crate::quality::{ground_length, on_floor};

/// Centers that see one another, and how far it is between them [m].
pub struct Reference<'a> {
    view: &'a View,
    centers: Vec<NavPoint>,
    /// Of each center: others, and how far they are.
    seen: Vec<Vec<(usize, f64)>>,
}

impl<'a> Reference<'a> {
    pub fn of(view: &'a View) -> Self {
        let corners = open_spans(view.grid()).into_iter().filter(|&span| is_corner(view, span));
        let center = |span| NavPoint { span, point: view.grid().point(span).expect("a span") };
        let centers: Vec<NavPoint> = corners.map(center).collect();
        let mut reference = Reference { view, centers, seen: Vec::new() };
        let seen = |center| reference.seen_from(center);
        reference.seen = reference.centers.iter().map(seen).collect();
        reference
    }

    fn seen_from(&self, from: &NavPoint) -> Vec<(usize, f64)> {
        let seen = self.centers.iter().enumerate();
        let length = |(at, to): (usize, &NavPoint)| Some((at, self.clear_length(from, to)?));
        seen.filter_map(length).collect()
    }

    fn clear_length(&self, from: &NavPoint, to: &NavPoint) -> Option<f64> {
        let is_clear = GridSight.is_clear(self.view, from, to);
        is_clear.then(|| ground_length(self.view, [*from, *to]))
    }

    /// The length of the shortest path of a pair [m]; none if there is none.
    pub fn shortest(&self, pair: &Pair) -> Option<f64> {
        let [from, to] = pair.map(|end| on_floor(self.view, end));
        let (from, to) = (from?, to?);
        let (mut lengths, rest) = (self.lengths_from(&from), self.lengths_from(&to));
        let mut shortest = self.clear_length(&from, &to).unwrap_or(f64::INFINITY);
        let mut open: Vec<usize> = (0..self.centers.len()).collect();
        while let Some(nearest) = place_of_least(&open, &lengths) {
            let center = open.swap_remove(nearest);
            let length = lengths[center];
            if length >= shortest {
                break;
            }
            shortest = shortest.min(length + rest[center]);
            for &(beyond, further) in &self.seen[center] {
                lengths[beyond] = lengths[beyond].min(length + further);
            }
        }
        shortest.is_finite().then_some(shortest)
    }

    /// Straight to each center, infinite where that is not clear.
    fn lengths_from(&self, from: &NavPoint) -> Vec<f64> {
        let mut lengths = vec![f64::INFINITY; self.centers.len()];
        for (center, length) in self.seen_from(from) {
            lengths[center] = length;
        }
        lengths
    }
}

/// Where in a list the center with the least length is.
fn place_of_least(centers: &[usize], lengths: &[f64]) -> Option<usize> {
    let length = |place: usize| lengths[centers[place]];
    (0..centers.len()).min_by(|&a, &b| length(a).total_cmp(&length(b)))
}

/// Whether there is no way to a diagonal neighbor although there is to both cells beside it.
fn is_corner(view: &View, span: SpanId) -> bool {
    Dir::DIAGONAL.into_iter().any(|dir| {
        let beside = [dir.turned(1), dir.turned(7)];
        view.neighbor(span, dir).is_none()
            && beside.into_iter().all(|dir| view.neighbor(span, dir).is_some())
    })
}
