//! Provides [`FoundCorridor`]: what is known of a corridor that was found, beside its spans.

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::search::SearchTask;
use crate::view::{Directions, NavPoint, View, ViewRef};

use super::corridor::{Corridor, CorridorFiller};

/// Between which points a corridor leads, on which view, and how its costs are counted.
#[derive(Clone, Debug)]
pub(crate) struct FoundCorridor {
    pub view: View,
    pub limit: Option<SlopeLimit>,
    pub directions: Directions,
    /// That of the units in which its cost was counted.
    pub unit_exponent: i32,
    pub start: NavPoint,
    pub end: NavPoint,
    /// The straight line was the answer: there is no corridor to straighten.
    pub is_straight: bool,
    /// The answer has been given; what is left of interest is the corridor.
    pub is_answered: bool,
}

impl FoundCorridor {
    /// Between the start of a search and an end.
    pub(crate) fn of(task: &SearchTask, end: NavPoint) -> Self {
        FoundCorridor {
            view: task.view.clone(),
            limit: SlopeLimit::of(&task.view.parts(), task.query.slope_limit),
            directions: task.query.directions,
            unit_exponent: task.unit_exponent,
            start: task.start,
            end,
            is_straight: false,
            is_answered: false,
        }
    }

    /// The costs by which it was found.
    pub(crate) fn metric<'a, M: CostModel + ?Sized>(
        &self,
        view: &'a ViewRef<'a>,
        model: &'a M,
    ) -> Metric<'a, M> {
        Metric::new(view, model, self.limit, self.unit_exponent)
    }

    /// Lays out what a corridor leaves out.
    pub(crate) fn fill_gaps<M: CostModel + ?Sized>(
        &self,
        corridor: &mut Corridor,
        filler: &mut CorridorFiller,
        model: &M,
    ) {
        let parts = self.view.parts();
        corridor.fill_gaps(filler, &self.metric(&parts, model), self.directions);
    }
}
