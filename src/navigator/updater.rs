//! Provides [`RouteUpdater`]: costs that are brought up to date, if need be behind the caller's back.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crate::cost::CostModel;
use crate::grid::NavGrid;
use crate::view::{Overlay, ViewRef};

use crate::cch::RouteIndex;
use crate::cch::{RouteMetric, RouteRules};

/// How far routes are up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Update {
    /// They are.
    Done,
    /// A thread is working on it; queries are answered by searches until then.
    UnderWay,
    /// The overlay is for another grid; nothing was done.
    OtherGrid,
}

/// Costs, or a thread that is working on them.
#[derive(Debug)]
pub(crate) struct RouteUpdater {
    ready: Option<RouteMetric>,
    under_way: Option<JoinHandle<Option<RouteMetric>>>,
    rules: RouteRules,
}

/// Changes that take more work than this are left to a thread: sums of two costs.
const AT_ONCE: u64 = 20_000_000;

impl RouteUpdater {
    pub(crate) fn new(costs: RouteMetric) -> Self {
        RouteUpdater { rules: costs.rules(), ready: Some(costs), under_way: None }
    }

    /// The costs, unless a thread has them; of whatever state.
    pub(crate) fn ready(&self) -> Option<&RouteMetric> {
        self.ready.as_ref()
    }

    /// Takes over what a thread has finished.
    pub(crate) fn collect(&mut self) {
        if let Some(thread) = self.under_way.take_if(|thread| thread.is_finished()) {
            // A cost model that panics leaves none; the next update begins anew.
            self.ready = thread.join().ok().flatten();
        }
    }

    /// Brings the costs to the state of a terrain.
    pub(crate) fn update<M: CostModel + Send + Sync + 'static>(
        &mut self,
        (grid, index, model): (&Arc<NavGrid>, &Arc<RouteIndex>, &Arc<M>),
        (overlay, view): (&Overlay, &ViewRef),
    ) -> Update {
        self.collect();
        if self.under_way.is_some() {
            return Update::UnderWay;
        }
        if let Some(costs) = &mut self.ready {
            if costs.are_current(view) {
                return Update::Done;
            }
            if index.work(costs, view) <= AT_ONCE {
                index.refresh(costs, view, &**model);
                return Update::Done;
            }
        }
        let (grid, index, model) = (grid.clone(), index.clone(), model.clone());
        let (overlay, rules, costs) = (overlay.clone(), self.rules, self.ready.take());
        let work = move || {
            let view = ViewRef::changed(&grid, index.agent(), &overlay)?;
            match costs {
                Some(mut costs) => {
                    index.refresh(&mut costs, &view, &*model);
                    Some(costs)
                }
                None => Some(index.price(&view, &*model, rules)),
            }
        };
        self.under_way = Builder::new().name("surefoot routes".to_owned()).spawn(work).ok();
        Update::UnderWay
    }
}
