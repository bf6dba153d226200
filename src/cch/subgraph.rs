//! Provides [`Part`]: a piece of the ground as a graph of its own, and how it comes apart.

use crate::grid::SpanId;
use crate::view::ViewRef;

/// Spans and what joins them, by indices of its own. What a way costs, and in which direction it
/// leads, does not matter here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The spans of the grid.
    pub spans: Vec<u32>,
    /// Their cells (x, z), from the frame's corner.
    places: Vec<[i32; 2]>,
    /// For each span where its neighbors begin; one more entry closes the list.
    first: Vec<u32>,
    neighbors: Vec<u32>,
}

/// What is left of a part where something was cut out of it.
pub(crate) struct Remains {
    /// Connected pieces, in the order of their first spans.
    pub parts: Vec<Part>,
    /// What was cut out: the spans of the grid.
    pub cut: Vec<u32>,
}

/// No piece: a span that was cut out, or has not been looked at.
const NO_PIECE: u32 = u32::MAX;

impl Part {
    /// All ground that an agent walks on, joined by its steps and links as they were baked.
    pub(crate) fn of(view: &ViewRef) -> Part {
        let walkable = (0..view.spans().len() as u32).filter(|&s| view.is_walkable(SpanId(s)));
        let mut part = Part { spans: walkable.collect(), ..Part::default() };
        part.places.reserve(part.spans.len());
        let mut local = vec![NO_PIECE; view.spans().len()];
        for (at, &span) in (0..).zip(&part.spans) {
            local[span as usize] = at;
            let (x, z) = view.place(span);
            part.places.push([x, z]);
        }
        part.first.push(0);
        for &span in &part.spans {
            neighbors(view, span, |other| part.neighbors.push(local[other as usize]));
            part.first.push(part.neighbors.len() as u32);
        }
        part
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// How far each span lies along an axis, from the first that any lies at [cells].
    pub(crate) fn along(&self, axis: usize) -> Vec<u32> {
        let places = self.places.iter().map(|place| place[axis]);
        let least = places.clone().min().unwrap_or(0);
        places.map(|place| place.abs_diff(least)).collect()
    }

    pub(crate) fn neighbors(&self, at: usize) -> &[u32] {
        &self.neighbors[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// Takes the part apart into connected pieces, without the spans that are cut out.
    pub(crate) fn without(&self, is_cut: &[bool]) -> Remains {
        let (mut pieces, mut parts) = (vec![NO_PIECE; self.len()], Vec::new());
        let mut local = vec![0; self.len()];
        let mut members = Vec::new();
        for start in 0..self.len() {
            if is_cut[start] || pieces[start] != NO_PIECE {
                continue;
            }
            let piece = parts.len() as u32;
            self.flood((start, piece), is_cut, (&mut pieces, &mut members));
            // In the order of the grid, so that neighbors stay near each other in memory.
            members.sort_unstable();
            for (at, &member) in (0..).zip(&members) {
                local[member as usize] = at;
            }
            parts.push(self.piece(&members, (&pieces, piece), &local));
        }
        let cut = (0..self.len()).filter(|&at| is_cut[at]).map(|at| self.spans[at]).collect();
        Remains { parts, cut }
    }

    fn flood(
        &self,
        (start, piece): (usize, u32),
        is_cut: &[bool],
        (pieces, members): (&mut [u32], &mut Vec<u32>),
    ) {
        members.clear();
        members.push(start as u32);
        pieces[start] = piece;
        let mut next = 0;
        while let Some(&at) = members.get(next) {
            next += 1;
            for &other in self.neighbors(at as usize) {
                if !is_cut[other as usize] && pieces[other as usize] == NO_PIECE {
                    pieces[other as usize] = piece;
                    members.push(other);
                }
            }
        }
    }

    fn piece(&self, members: &[u32], (pieces, piece): (&[u32], u32), local: &[u32]) -> Part {
        let mut part = Part::default();
        part.first.push(0);
        for &member in members {
            part.spans.push(self.spans[member as usize]);
            part.places.push(self.places[member as usize]);
            let inside = self.neighbors(member as usize).iter();
            let inside = inside.filter(|&&other| pieces[other as usize] == piece);
            part.neighbors.extend(inside.map(|&other| local[other as usize]));
            part.first.push(part.neighbors.len() as u32);
        }
        part
    }
}

/// Calls for every span that a step or a link joins with one, as baked; links in both directions.
pub(crate) fn neighbors(view: &ViewRef, span: u32, mut found: impl FnMut(u32)) {
    let mut targets = [0; 8];
    view.connections().find_targets(view.address(span), u32::MAX, &mut targets);
    targets.into_iter().filter(|&target| target != span).for_each(&mut found);
    view.leaving(span).for_each(|link_edge| found(link_edge.other.0));
    view.entering(span).for_each(|link_edge| found(link_edge.other.0));
}
