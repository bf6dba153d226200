//! Cost fields round goals that many share.
//!
//! One search over everything answers all who want to go to one place; it is worth its time once
//! enough of them have asked.

use crate::cch::RouteRules;
use crate::grid::SpanId;
use crate::path::{ExternalResult, PathSearch, Progress};
use crate::search::{CostField, Engine, FieldQuery, Query};
use crate::view::{LinkFilter, Stamp, View};

use super::context::EngineContext;

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
    links: LinkFilter,
    rules: RouteRules,
}

/// A search that a field may answer.
pub(crate) struct FieldRequest {
    pub key: FieldKey,
    /// How many queries have asked for its goal.
    pub asked: usize,
}

/// A field is filled once a goal has been asked for so often: one query for this many spans. By
/// then it would have paid.
const SPANS_A_QUERY: usize = 2000;
/// Goals are not shared before so many queries, however small the grid.
const SHARED: usize = 4;

/// What a cached field did for a query.
pub(crate) struct FieldAnswer {
    pub progress: Progress,
    /// Spans that were looked at to fill a field.
    pub looked_at: u32,
}

impl FieldKey {
    /// The goal of the search under way; `None` if none is, and if the query has an area filter.
    pub(crate) fn of(search: &PathSearch, view: &View, query: &Query) -> Option<Self> {
        let [_, goal] = search.ends()?;
        let (stamp, rules) = (view.stamp(), RouteRules::of(query));
        let links = query.links.among(view.grid().links());
        let key = FieldKey { stamp, goal: goal.0, links, rules };
        query.filter.is_empty().then_some(key)
    }
}

impl FieldCache {
    /// Keeps at most so many fields, at least one.
    pub(crate) fn new(most: usize) -> Self {
        FieldCache { fields: Vec::new(), most: most.max(1) }
    }

    /// How many fields are kept at most.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Forgets all fields.
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
    }

    /// Ends a search that was begun, if there is a field of its goal, or if `asked` queries for it are
    /// enough to pay for one.
    pub(crate) fn answer(
        &mut self,
        search: &mut PathSearch,
        context: &EngineContext,
        request: FieldRequest,
    ) -> FieldAnswer {
        let EngineContext { view, model, query, .. } = context;
        let FieldRequest { key, asked } = request;
        let pays = asked >= SHARED && asked * SPANS_A_QUERY >= view.grid().spans().len();
        let known = self.fields.iter().position(|(other, _)| *other == key);
        let looked_at = match known {
            Some(at) => {
                self.fields[..=at].rotate_right(1);
                0
            }
            None if pays && !query.is_cancelled() => self.fill(context, key),
            None => return FieldAnswer { progress: Progress::Running, looked_at: 0 },
        };
        let field = &self.fields[0].1;
        let progress = search.finish_with(*model, Engine::Field, |metric, [start, _], corridor| {
            let found = ExternalResult::Found { looked_at: 0 };
            corridor.follow_field(metric, field, start).map_or(ExternalResult::Unknown, |()| found)
        });
        FieldAnswer { progress, looked_at }
    }

    /// Fills a field in place of the one that has not been used for longest.
    fn fill(&mut self, context: &EngineContext, key: FieldKey) -> u32 {
        let EngineContext { view, model, query, .. } = context;
        if self.fields.len() < self.most {
            self.fields.push((key, CostField::default()));
        }
        self.fields.rotate_right(1);
        let (own, field) = &mut self.fields[0];
        let sources = [SpanId(key.goal)];
        let field_query = FieldQuery {
            slope_limit: query.slope_limit,
            links: key.links,
            directions: query.directions,
            ..FieldQuery::to(&sources)
        };
        field.fill(view, *model, &field_query);
        *own = key;
        field.reached().len() as u32
    }
}
