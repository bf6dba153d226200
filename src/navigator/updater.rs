//! Provides [`RouteUpdater`]: costs of prepared routes that follow what changes.
//!
//! Small changes are worked in at once. Large ones go to a thread, and searches answer until its
//! result is adopted. When that is depends on how much work the searches have done since, never on
//! the clock: so the same queries have the same answers, whenever the thread finishes.

use std::sync::Arc;

use crate::cch::{Hierarchy, HierarchyMetric, RouteRules};
use crate::parallel::Background;
use crate::view::View;

use crate::cost::SharedModel;

/// The costs of prepared routes, or work in progress on them.
#[derive(Debug)]
pub(crate) struct RouteUpdater {
    state: State,
    rules: RouteRules,
}

#[derive(Debug)]
enum State {
    /// Shared with the clones of a navigator until one of them has to change it.
    Ready(Arc<HierarchyMetric>),
    Updating(Updating),
    /// The update panicked in the user's cost model; the next one starts from nothing.
    Lost,
}

impl Clone for RouteUpdater {
    /// An update under way stays with the one that began it: the other begins its own.
    fn clone(&self) -> Self {
        let state = match &self.state {
            State::Ready(metric) => State::Ready(metric.clone()),
            State::Updating(_) | State::Lost => State::Lost,
        };
        RouteUpdater { state, rules: self.rules }
    }
}

/// An update that a thread works on.
#[derive(Debug)]
struct Updating {
    result: Background<HierarchyMetric>,
    /// How much others have to do before the result is adopted.
    left: u64,
}

/// Larger updates than this go to a thread [sums of two costs].
const AT_ONCE: u64 = 20_000_000;
/// Expanding a span takes as long as this many sums of two costs.
const SUMS_AN_EXPANSION: u64 = 250;
/// A query takes at least as long as this many sums of two costs.
const SUMS_A_QUERY: u64 = 25_000;
/// A step of a crowd counts as this many sums of two costs.
const SUMS_A_STEP: u64 = 10_000_000;

impl RouteUpdater {
    pub(crate) fn new(metric: HierarchyMetric) -> Self {
        RouteUpdater { rules: metric.rules(), state: State::Ready(Arc::new(metric)) }
    }

    /// The costs, if they are up to date with a view. Otherwise begins to bring them up to date.
    pub(crate) fn current(
        &mut self,
        hierarchy: &Arc<Hierarchy>,
        model: &SharedModel,
        view: &View,
    ) -> Option<&HierarchyMetric> {
        self.adopt();
        if let State::Ready(metric) = &mut self.state
            && !metric.is_current(view)
        {
            if hierarchy.update_work(metric, view) <= AT_ONCE {
                hierarchy.update(Arc::make_mut(metric), view, model);
            } else {
                self.start(hierarchy, model, view);
            }
        }
        if let State::Lost = &self.state {
            self.start(hierarchy, model, view);
        }
        match &self.state {
            State::Ready(metric) => Some(metric),
            State::Updating(_) | State::Lost => None,
        }
    }

    /// Brings the costs up to date with a view before it returns, however much there is to do.
    pub(crate) fn catch_up(
        &mut self,
        hierarchy: &Arc<Hierarchy>,
        model: &SharedModel,
        view: &View,
    ) {
        let known = std::mem::replace(&mut self.state, State::Lost);
        let metric = match known {
            State::Ready(metric) => Some(metric),
            State::Updating(updating) => updating.result.join().map(Arc::new),
            State::Lost => None,
        };
        let mut metric =
            metric.unwrap_or_else(|| Arc::new(hierarchy.customize(view, model, self.rules)));
        if !metric.is_current(view) {
            hierarchy.update(Arc::make_mut(&mut metric), view, model);
        }
        self.state = State::Ready(metric);
    }

    /// Counts the work of a search that answered in place of the routes.
    pub(crate) fn count_search(&mut self, expanded: u32) {
        self.count(SUMS_A_QUERY + SUMS_AN_EXPANSION * u64::from(expanded));
    }

    /// Counts a step of a crowd.
    pub(crate) fn count_step(&mut self) {
        self.count(SUMS_A_STEP);
    }

    fn count(&mut self, sums: u64) {
        if let State::Updating(updating) = &mut self.state {
            updating.left = updating.left.saturating_sub(sums);
        }
    }

    /// Adopts the result of an update once it is due, and waits for it if it is late.
    fn adopt(&mut self) {
        if !matches!(&self.state, State::Updating(updating) if updating.left == 0) {
            return;
        }
        if let State::Updating(updating) = std::mem::replace(&mut self.state, State::Lost)
            && let Some(metric) = updating.result.join()
        {
            self.state = State::Ready(Arc::new(metric));
        }
    }

    fn start(&mut self, hierarchy: &Arc<Hierarchy>, model: &SharedModel, view: &View) {
        let known = match std::mem::replace(&mut self.state, State::Lost) {
            State::Ready(metric) => Some(metric),
            State::Updating(_) | State::Lost => None,
        };
        let known = known.map(Arc::unwrap_or_clone);
        let left = known
            .as_ref()
            .map_or(hierarchy.customization_work(), |metric| hierarchy.update_work(metric, view));
        let rules = self.rules;
        let (hierarchy, model, view) = (hierarchy.clone(), model.clone(), view.clone());
        let result = Background::start(move || match known {
            Some(mut metric) => {
                hierarchy.update(&mut metric, &view, &model);
                metric
            }
            None => hierarchy.customize(&view, &model, rules),
        });
        self.state = State::Updating(Updating { result, left });
    }

    /// The costs as they were last computed. Waits for an update under way: what it finds does not depend
    /// on when it ends. `None` if there are none.
    pub(crate) fn into_metric(self) -> Option<HierarchyMetric> {
        match self.state {
            State::Ready(metric) => Some(Arc::unwrap_or_clone(metric)),
            State::Updating(updating) => updating.result.join(),
            State::Lost => None,
        }
    }

    /// The rules that queries have to ask for.
    pub(crate) fn rules(&self) -> RouteRules {
        self.rules
    }

    /// Bytes of memory of the costs; 0 while an update is under way.
    pub(crate) fn bytes(&self) -> usize {
        match &self.state {
            State::Ready(metric) => metric.bytes(),
            State::Updating(_) | State::Lost => 0,
        }
    }
}
