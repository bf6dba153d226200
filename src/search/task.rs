//! A search under way: what was asked, between which places, and how far to go on at a time.

use super::cost::CostModel;
use super::ends::{Footing, Goal};
use super::frontier::{Expanded, Frontier, Lead};
use super::heuristic::Estimate;
use super::outcome::Shortfall;
use super::query::Query;
use super::tariff::Tariff;
use super::terrain::Stamp;

/// A search under way.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub query: Query,
    pub stamp: Stamp,
    pub start: Footing,
    pub goal: Goal,
    pub coarseness: i32,
    /// On level ground only natural steps are looked at.
    pub is_natural: bool,
    /// No span is left twice.
    pub leaves_once: bool,
}

/// Why a search stopped.
pub(crate) enum Stop {
    Goal,
    Short(Shortfall),
    Cancelled,
}

/// Spans expanded between looks at whether the query was cancelled.
const BETWEEN_LOOKS: u32 = 1024;

impl Task {
    pub(crate) fn lead<'a, M: ?Sized>(
        &'a self,
        (tariff, estimate): (&'a Tariff<'a, M>, &'a Estimate),
    ) -> Lead<'a, M> {
        let terrain = tariff.terrain;
        let even_ground = if self.is_natural { terrain.even_ground() } else { None };
        Lead {
            even_ground,
            tariff,
            estimate,
            codes: self.query.directions.step_codes(),
            weight: self.query.weight_in_256ths(),
            leaves_once: self.leaves_once,
        }
    }

    /// Expands at most so many spans more; `None` where there is still more to do.
    pub(crate) fn expand<M: CostModel + ?Sized>(
        &self,
        (tariff, estimate): (&Tariff<M>, &Estimate),
        frontier: &mut Frontier,
        (expanded, more): (&mut u32, u32),
    ) -> Option<Stop> {
        let (lead, goal) = (self.lead((tariff, estimate)), self.goal.footing.span.0);
        for count in 0..more {
            if count % BETWEEN_LOOKS == 0 && self.query.is_cancelled() {
                return Some(Stop::Cancelled);
            }
            if *expanded >= self.query.budget {
                return Some(Stop::Short(Shortfall::OutOfBudget));
            }
            match frontier.expand(&lead, goal) {
                Expanded::More => *expanded += 1,
                Expanded::Goal => return Some(Stop::Goal),
                Expanded::Nothing => return Some(Stop::Short(Shortfall::Unreachable)),
            }
        }
        None
    }
}
