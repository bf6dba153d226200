//! Provides [`PlaceGraph`]: places on the ground that have room for one body each.
//!
//! All ground belongs to the place nearest to it. Places whose ground touches are joined by a step, along the shortest
//! way; corners of cells, by straight ones. A step knows the other places from which a body would be in its way.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use nalgebra::{Point3, Vector3};

use crate::grid::NextGrid;
use crate::mapf::buckets::{Buckets, distance};
use crate::mapf::local_ground::LocalGround;
use crate::mapf::straight_ways;
use crate::mapf::trail_ground::TrailGround;
use crate::view::{NavPoint, ViewRef};

/// A place, by its number.
pub(crate) type PlaceId = u16;

/// Places, and the steps between them.
#[derive(Clone, Debug)]
pub(crate) struct PlaceGraph {
    pub points: Vec<NavPoint>,
    /// The span of each place, as a number of the local ground.
    spans: Vec<u32>,
    /// For each place, where its steps begin; one more than places.
    first: Vec<u32>,
    steps: Vec<Step>,
    /// Of all steps, one after another.
    in_the_way: Vec<PlaceId>,
    trails: Vec<NavPoint>,
    /// For each span of the local ground, the place nearest to it.
    nearest: Vec<PlaceId>,
    /// From this place on they are corners of cells.
    first_corner: PlaceId,
    /// For each place, whether there is room for any number of bodies around it.
    is_roomy: Vec<bool>,
}

/// A step from a place to one beside it.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub to: PlaceId,
    /// [mm]
    pub length: u32,
    in_the_way: Range<u32>,
    trail: Range<u32>,
}

/// Where bodies stand, and what they want.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Occupants<'a> {
    pub starts: &'a [NavPoint],
    pub goals: &'a [NavPoint],
    /// The corners of cells around these are places too.
    pub corners: &'a [NavPoint],
    /// They may push each other aside a little to get past.
    pub may_push: bool,
    /// Places are closer together: there are more ways to get past each other, and it takes longer to find one.
    pub is_dense: bool,
}

/// What may become a place.
#[derive(Clone, Copy)]
struct Candidate {
    at: NavPoint,
    /// How far from all others it has to be [m].
    apart: f32,
}

/// Which corners of cells become places.
#[derive(Clone, Copy)]
struct Corners<'a> {
    view: &'a ViewRef<'a>,
    /// About as near to one of these as bodies are wide.
    around: &'a [NavPoint],
}

/// Where the ground of one place touches that of another.
#[derive(Clone, Copy)]
struct Border {
    /// From place to place [mm].
    length: u32,
    /// A span of the first place, and one of the other beside it.
    spans: [u32; 2],
}

/// The way from a place to another.
pub(crate) struct Joint {
    /// [mm]
    pub length: u32,
    pub trail: Vec<NavPoint>,
}

/// How far each span is from the place nearest to it, and how to get there.
struct Trees {
    /// [mm]
    distances: Vec<u32>,
    parents: Vec<u32>,
}

/// Places are this far apart [diameters of a body].
const SPACING: f32 = 1.1;
/// The same if they are closer together.
const DENSE_SPACING: f32 = 0.55;
/// Bodies that press on each other may stand this near to each other [diameters of a body].
const PRESSED_SPACING: f32 = 0.75;
/// Goals are at least this far apart [diameters of a body].
const GOAL_SPACING: f32 = 0.9;
/// Corners of cells are at least this far from all other places [diameters of a body].
const CORNER_SPACING: f32 = 0.25;
/// Corners of cells are taken this far from their middles, to be in them [halves of a cell].
const INSIDE: f32 = 0.998;
/// There are no more places than this.
const MOST_PLACES: usize = 2_000;

impl PlaceGraph {
    /// Places for bodies as large as an agent: where bodies stand, at their goals, and on all ground that is
    /// left, as far as they are apart.
    pub(crate) fn new(view: &ViewRef, local: &LocalGround, occupants: Occupants) -> Self {
        let Occupants { starts, goals, corners, may_push, is_dense } = occupants;
        let width = 2.0 * view.agent().radius;
        let mut graph = PlaceGraph {
            points: Vec::new(),
            spans: Vec::new(),
            first: vec![0],
            steps: Vec::new(),
            in_the_way: Vec::new(),
            trails: Vec::new(),
            nearest: vec![0; local.len()],
            first_corner: 0,
            is_roomy: Vec::new(),
        };
        let mut places = Buckets::over(local, SPACING * width);
        let starts = starts.iter().map(|at| (at, PRESSED_SPACING));
        let goals = goals.iter().map(|at| (at, GOAL_SPACING));
        let spacing = if is_dense { DENSE_SPACING } else { SPACING };
        let all = local.points.iter().map(|at| (at, spacing));
        for (at, spacing) in starts.chain(goals).chain(all) {
            graph.add_place(local, &mut places, Candidate { at: *at, apart: spacing * width });
        }
        let trees = graph.grow_trees(local);
        graph.first_corner = graph.len() as PlaceId;
        graph.add_corners(local, &mut places, Corners { view, around: corners });
        let ground = TrailGround::new(view, local, &places, may_push);
        let mut joints: BTreeMap<[PlaceId; 2], Joint> = BTreeMap::new();
        for (ends, border) in graph.borders(local, &trees) {
            let trail = graph.lay_trail(&ground, ends, &trees.way_over(border));
            joints.insert(ends, Joint { length: border.length, trail });
        }
        joints.extend(straight_ways::out_of_blind_ends(&graph, &ground, &joints));
        joints.extend(straight_ways::from_places(graph.first_corner, &graph, &ground));
        for (ends, joint) in joints {
            graph.first.resize(usize::from(ends[0]) + 1, graph.steps.len() as u32);
            let in_the_way = ground.in_the_way(ends, &joint.trail);
            graph.add_step(&joint.trail, &in_the_way, joint.length);
        }
        graph.first.resize(graph.len() + 1, graph.steps.len() as u32);
        graph.is_roomy = vec![false; graph.len()];
        graph
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// Says where there is room for any number of bodies: nobody is in anybody's way there.
    pub(crate) fn make_roomy(&mut self, is_roomy: impl Fn(PlaceId) -> bool) {
        self.is_roomy = (0..self.len() as PlaceId).map(is_roomy).collect();
    }

    /// Whether there is room for any number of bodies around a place.
    pub(crate) fn is_roomy(&self, place: PlaceId) -> bool {
        self.is_roomy[usize::from(place)]
    }

    /// Whether a place is a corner of a cell, between others.
    pub(crate) fn is_corner(&self, place: PlaceId) -> bool {
        place >= self.first_corner
    }

    /// Whether more than two ways lead from a place.
    pub(crate) fn is_junction(&self, place: PlaceId) -> bool {
        self.steps(place).len() > 2
    }

    /// Leaves out all steps that lead from a place, or that a body there would be in the way of.
    pub(crate) fn close(&mut self, place: PlaceId) {
        let (mut first, mut steps) = (vec![0], Vec::new());
        for from in 0..self.len() as PlaceId {
            let is_left = |step: &&Step| from != place && !self.in_the_way(step).contains(&place);
            steps.extend(self.steps(from).iter().filter(is_left).cloned());
            first.push(steps.len() as u32);
        }
        (self.first, self.steps) = (first, steps);
    }

    /// The span of a place, as a number of the local ground.
    pub(crate) fn span(&self, place: PlaceId) -> u32 {
        self.spans[usize::from(place)]
    }

    pub(crate) fn steps(&self, from: PlaceId) -> &[Step] {
        let from = usize::from(from);
        &self.steps[self.first[from] as usize..self.first[from + 1] as usize]
    }

    /// The step between two places beside each other.
    pub(crate) fn step(&self, from: PlaceId, to: PlaceId) -> Option<&Step> {
        self.steps(from).iter().find(|step| step.to == to)
    }

    /// The places from which a body would be in the way of a step, and the one that it leads to.
    pub(crate) fn in_the_way(&self, step: &Step) -> &[PlaceId] {
        &self.in_the_way[step.in_the_way.start as usize..step.in_the_way.end as usize]
    }

    /// The ground along a step, from one place to the other.
    pub(crate) fn trail(&self, step: &Step) -> &[NavPoint] {
        &self.trails[step.trail.start as usize..step.trail.end as usize]
    }

    /// The place nearest to a span of the local ground.
    pub(crate) fn nearest(&self, number: u32) -> PlaceId {
        self.nearest[number as usize]
    }

    /// How far each place is from the nearest of some [mm]; `u32::MAX` where no way leads.
    pub(crate) fn distances(&self, to: &[PlaceId]) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.len()];
        let mut open = BinaryHeap::new();
        for &place in to {
            distances[usize::from(place)] = 0;
            open.push(Reverse((0, place)));
        }
        while let Some(Reverse((distance, place))) = open.pop() {
            if distance > distances[usize::from(place)] {
                continue;
            }
            for step in self.steps(place) {
                let total = distance + step.length;
                if total < distances[usize::from(step.to)] {
                    distances[usize::from(step.to)] = total;
                    open.push(Reverse((total, step.to)));
                }
            }
        }
        distances
    }

    /// The same places on the next grid; `None` if some ground is gone.
    pub(crate) fn on_next(mut self, next: &NextGrid) -> Option<Self> {
        for at in self.points.iter_mut().chain(&mut self.trails) {
            *at = at.on_next(next)?;
        }
        Some(self)
    }

    /// Adds a place if it is far enough from all others.
    fn add_place(&mut self, local: &LocalGround, places: &mut Buckets, new: Candidate) {
        let point = new.at.point;
        let Some(span) = local.number(new.at.span) else { return };
        let mut is_free = self.len() < MOST_PLACES;
        places.near(point, |place, other| {
            is_free &= self.spans[place] != span && distance(point, other) >= new.apart;
        });
        if is_free {
            places.add(self.len(), point);
            self.points.push(new.at);
            self.spans.push(span);
        }
    }

    /// Adds corners of cells as places. Ground belongs to none of them: they are joined to others by straight ways.
    fn add_corners(&mut self, local: &LocalGround, places: &mut Buckets, corners: Corners) {
        let Corners { view, around } = corners;
        let width = 2.0 * view.agent().radius;
        let half = 0.5 * view.cell_size();
        let corner_at = INSIDE * half;
        let is_near =
            |middle: Point3<f32>| around.iter().any(|at| distance(at.point, middle) < width + half);
        for (middle, span) in local.points.iter().zip(0..).filter(|(at, _)| is_near(at.point)) {
            for [x, z] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
                let corner = middle.point + corner_at * Vector3::new(x, 0.0, z);
                let at = NavPoint::at(view, middle.span, corner).in_room(view);
                let mut is_free = self.len() < MOST_PLACES;
                places.near(at.point, |_, other| {
                    is_free &= distance(at.point, other) >= CORNER_SPACING * width;
                });
                if is_free {
                    places.add(self.len(), at.point);
                    self.points.push(at);
                    self.spans.push(span);
                }
            }
        }
    }

    /// Finds the nearest place of each span.
    fn grow_trees(&mut self, local: &LocalGround) -> Trees {
        let mut trees =
            Trees { distances: vec![u32::MAX; local.len()], parents: vec![0; local.len()] };
        let mut open = BinaryHeap::new();
        for (place, &span) in self.spans.iter().enumerate() {
            trees.distances[span as usize] = 0;
            trees.parents[span as usize] = span;
            self.nearest[span as usize] = place as PlaceId;
            open.push(Reverse((0, span)));
        }
        while let Some(Reverse((distance, span))) = open.pop() {
            if distance > trees.distances[span as usize] {
                continue;
            }
            for next in local.neighbors(span) {
                let total = distance + next.length;
                if total < trees.distances[next.span as usize] {
                    trees.distances[next.span as usize] = total;
                    trees.parents[next.span as usize] = span;
                    self.nearest[next.span as usize] = self.nearest[span as usize];
                    open.push(Reverse((total, next.span)));
                }
            }
        }
        trees
    }

    /// The shortest way between each two places whose ground touches, in order.
    fn borders(&self, local: &LocalGround, trees: &Trees) -> BTreeMap<[PlaceId; 2], Border> {
        let mut borders: BTreeMap<[PlaceId; 2], Border> = BTreeMap::new();
        for span in 0..local.len() as u32 {
            for next in local.neighbors(span) {
                let spans = [span, next.span];
                let ends = spans.map(|span| self.nearest(span));
                if ends[0] == ends[1] {
                    continue;
                }
                let [one, other] = spans.map(|span| trees.distances[span as usize]);
                let border = Border { length: one + next.length + other, spans };
                let best = borders.entry(ends).or_insert(border);
                // By the lower span first: so the way there is the way back.
                let rank = |border: &Border| {
                    let [one, other] = border.spans;
                    (border.length, one.min(other), one.max(other))
                };
                if rank(&border) < rank(best) {
                    *best = border;
                }
            }
        }
        borders
    }

    /// The trail from one place to another, on the way over some spans.
    fn lay_trail(&self, ground: &TrailGround, ends: [PlaceId; 2], way: &[u32]) -> Vec<NavPoint> {
        let mut trail = ground.trail(ends.map(|place| self.points[usize::from(place)]), way);
        // The way there is the way back.
        if ends[0] < ends[1] {
            return ground.straightened(trail);
        }
        trail.reverse();
        let mut trail = ground.straightened(trail);
        trail.reverse();
        trail
    }

    /// Adds a step along a trail; the first place in its way is the one that it leads to.
    fn add_step(&mut self, trail: &[NavPoint], in_the_way: &[PlaceId], length: u32) {
        let begins = [self.in_the_way.len(), self.trails.len()].map(|begin| begin as u32);
        self.in_the_way.extend(in_the_way);
        self.trails.extend(trail);
        self.steps.push(Step {
            to: in_the_way[0],
            length,
            in_the_way: begins[0]..self.in_the_way.len() as u32,
            trail: begins[1]..self.trails.len() as u32,
        });
    }
}

impl Trees {
    /// The spans from place to place, over a border.
    fn way_over(&self, border: Border) -> Vec<u32> {
        let to_place = |mut span: u32| {
            let mut spans = vec![span];
            while self.parents[span as usize] != span {
                span = self.parents[span as usize];
                spans.push(span);
            }
            spans
        };
        let [mut way, rest] = border.spans.map(to_place);
        way.reverse();
        way.extend(rest);
        way
    }
}
