//! Cost fields round goals that many share.
//!
//! One search over everything answers all who want to go to one place; it is worth its time once
//! enough of them have asked.

use crate::cch::RouteRules;
use crate::cost::CostModel;
use crate::path::{ExternalResult, PathSearch, Progress};
use crate::search::{CostField, Engine, FieldQuery, Query};
use crate::view::{Stamp, ViewRef};

/// The fields of the goals that were asked for last.
#[derive(Clone, Debug)]
pub(crate) struct FieldCache {
    /// The one used last comes first.
    fields: Vec<(FieldKey, CostField)>,
    most: usize,
}

/// What a field holds: the costs to a span, on which ground, by which rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FieldKey {
    stamp: Stamp,
    goal: u32,
    rules: RouteRules,
}

/// A field is filled once a goal has been asked for so often: one query for this many spans. By
/// then it would have paid.
const SPANS_A_QUERY: usize = 2000;
/// Goals are not shared before so many queries, however small the grid.
const SHARED: usize = 4;

impl FieldKey {
    /// The goal of the search under way; `None` where none is.
    pub(crate) fn of(search: &PathSearch, view: &ViewRef, query: &Query) -> Option<Self> {
        let [_, goal] = search.ends()?;
        let rules = RouteRules::of(query);
        Some(FieldKey { stamp: view.stamp(), goal: goal.0, rules })
    }
}

impl FieldCache {
    /// Keeps at most so many fields, at least one.
    pub(crate) fn new(most: usize) -> Self {
        FieldCache { fields: Vec::new(), most: most.max(1) }
    }

    /// Ends a search that was begun, where there is a field of its goal, or enough have asked for
    /// it. Returns how many spans were looked at as well.
    pub(crate) fn finish_with<M: CostModel + ?Sized>(
        &mut self,
        search: &mut PathSearch,
        (view, model): (&ViewRef, &M),
        (query, asked): (&Query, usize),
    ) -> (Progress, u32) {
        let Some(key) = FieldKey::of(search, view, query) else { return (Progress::Running, 0) };
        let paid = asked >= SHARED && asked * SPANS_A_QUERY >= view.spans().len();
        let known = self.fields.iter().position(|(other, _)| *other == key);
        let looked_at = match known {
            Some(at) => {
                self.fields[..=at].rotate_right(1);
                0
            }
            None if paid && !query.is_cancelled() => self.fill((view, model), (key, query)),
            None => return (Progress::Running, 0),
        };
        let field = &self.fields[0].1;
        let progress =
            search.finish_with((view, model), Engine::Field, |metric, [start, _], corridor| {
                let way = ExternalResult::Found { looked_at: 0 };
                corridor
                    .follow_field(metric, field, start)
                    .map_or(ExternalResult::Unknown, |()| way)
            });
        (progress, looked_at)
    }

    /// Fills a field in place of the one that has not been used for longest.
    fn fill<M: CostModel + ?Sized>(
        &mut self,
        (view, model): (&ViewRef, &M),
        (key, query): (FieldKey, &Query),
    ) -> u32 {
        if self.fields.len() < self.most {
            self.fields.push((key, CostField::default()));
        }
        self.fields.rotate_right(1);
        let (own, field) = &mut self.fields[0];
        let sources = [crate::grid::SpanId(key.goal)];
        let asked = FieldQuery {
            slope_limit: query.slope_limit,
            directions: query.directions,
            ..FieldQuery::to(&sources)
        };
        field.fill(view, model, &asked);
        *own = key;
        field.reached().len() as u32
    }
}
