//! Provides [`Task`]: bodies on a graph of places, and where each has to be.

use crate::grid::NextGrid;
use crate::mapf::place_graph::{PlaceGraph, PlaceId};

/// A body, by its number.
pub(crate) type BodyId = u16;

/// Nobody stands on a place.
pub(crate) const NOBODY: BodyId = BodyId::MAX;

/// A body that is to be brought somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub start: PlaceId,
    pub target: Target,
}

/// Where a body has to be in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// It does not matter.
    Anywhere,
    /// On this place.
    Place(PlaceId),
    /// On one of these places, whichever others leave.
    OneOf(Vec<PlaceId>),
}

/// How bad it is where everyone is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// So many are not where they have to be.
    pub away: usize,
    /// How far all of them are [mm].
    pub distance: u64,
}

/// A body goes to a place beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlannedMove {
    pub body: BodyId,
    pub to: PlaceId,
}

/// Bodies on a graph, and how far each is from its target.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub graph: PlaceGraph,
    pub bodies: Vec<Body>,
    /// For each target that differs from all before, how far places are from it [mm].
    distances: Vec<Vec<u32>>,
    /// For each body, which of those are its own; `None` if it does not matter where it is.
    table_of: Vec<Option<u32>>,
    /// Searches with another seed choose otherwise.
    pub seed: u64,
}

impl Task {
    pub(crate) fn new(graph: PlaceGraph, bodies: Vec<Body>) -> Self {
        let mut targets: Vec<&[PlaceId]> = Vec::new();
        let mut distances = Vec::new();
        let mut table_of = Vec::with_capacity(bodies.len());
        for body in &bodies {
            let Some(places) = body.target.places() else {
                table_of.push(None);
                continue;
            };
            let known = targets.iter().position(|target| *target == places);
            let table = known.unwrap_or_else(|| {
                targets.push(places);
                distances.push(graph.distances(places));
                targets.len() - 1
            });
            table_of.push(Some(table as u32));
        }
        Task { graph, bodies, distances, table_of, seed: 0 }
    }

    /// Where everyone is after some moves.
    pub(crate) fn after(&self, moves: &[PlannedMove]) -> Vec<PlaceId> {
        let mut at: Vec<PlaceId> = self.bodies.iter().map(|body| body.start).collect();
        moves.iter().for_each(|next| at[usize::from(next.body)] = next.to);
        at
    }

    /// The same from other places.
    pub(crate) fn from(&self, starts: &[PlaceId]) -> Self {
        let mut task = self.clone();
        task.bodies.iter_mut().zip(starts).for_each(|(body, &start)| body.start = start);
        task
    }

    /// The same for other choices in a search.
    pub(crate) fn with_seed(self, seed: u64) -> Self {
        Task { seed, ..self }
    }

    /// The same on the next grid; `None` if some ground is gone.
    pub(crate) fn on_next(self, next: &NextGrid) -> Option<Self> {
        Some(Task { graph: self.graph.on_next(next)?, ..self })
    }

    /// How bad it is if the bodies are on some places.
    pub(crate) fn rank(&self, configuration: &[PlaceId]) -> Rank {
        let mut rank = Rank { away: 0, distance: 0 };
        for (body, &place) in configuration.iter().enumerate() {
            let distance = self.distance(body as BodyId, place);
            rank.away += usize::from(distance > 0);
            rank.distance += u64::from(distance);
        }
        rank
    }

    /// How far a body would be from its target on a place [mm].
    pub(crate) fn distance(&self, body: BodyId, place: PlaceId) -> u32 {
        match self.table_of[usize::from(body)] {
            Some(table) => self.distances[table as usize][usize::from(place)],
            None => 0,
        }
    }
}

impl Target {
    /// The places that will do; `None` if all do.
    fn places(&self) -> Option<&[PlaceId]> {
        match self {
            Target::Anywhere => None,
            Target::Place(place) => Some(std::slice::from_ref(place)),
            Target::OneOf(places) => Some(places),
        }
    }
}

/// Where everyone stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// For each body, its place.
    pub at: Vec<PlaceId>,
    /// For each place, who stands on it.
    pub on: Vec<BodyId>,
}

impl Standing {
    /// Puts everyone where a configuration says.
    pub(crate) fn fill(&mut self, graph: &PlaceGraph, configuration: &[PlaceId]) {
        self.at.clear();
        self.at.extend_from_slice(configuration);
        self.on.clear();
        self.on.resize(graph.len(), NOBODY);
        for (body, &place) in configuration.iter().enumerate() {
            if !graph.is_roomy(place) {
                self.on[usize::from(place)] = body as BodyId;
            }
        }
    }

    /// Who stands on a place; `None` if nobody does, or there is room for others.
    pub(crate) fn on(&self, place: PlaceId) -> Option<BodyId> {
        Some(self.on[usize::from(place)]).filter(|&body| body != NOBODY)
    }

    /// Moves a body to a free place.
    pub(crate) fn put(&mut self, graph: &PlaceGraph, body: BodyId, to: PlaceId) {
        let from = std::mem::replace(&mut self.at[usize::from(body)], to);
        self.on[usize::from(from)] = NOBODY;
        if !graph.is_roomy(to) {
            self.on[usize::from(to)] = body;
        }
    }
}
