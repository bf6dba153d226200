//! Provides [`SharedModel`]: the cost model of a navigator, whichever it is.
//!
//! Rust compiles code that is generic over a model together with the program that chooses the model, and optimizes
//! it only as much as that program. In debug builds that made searches eight times as slow as they are now, and
//! preparing routes forty times, however well this crate was optimized. So the engines of a navigator run on this
//! one type, and are compiled with this crate.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::grid::Link;
use crate::view::View;

use super::model::{CellCost, CostLowerBound, CostModel, Edge, HeightCost};

/// A cost model that navigators share. Those of this crate are asked without a detour.
#[derive(Clone)]
pub(crate) enum SharedModel {
    Height(HeightCost),
    Cell(CellCost),
    Other(Arc<dyn CostModel + Send + Sync>),
}

impl SharedModel {
    pub fn new<M: CostModel + Send + Sync + 'static>(model: M) -> Self {
        let any = &model as &dyn Any;
        if let Some(height) = any.downcast_ref() {
            SharedModel::Height(*height)
        } else if let Some(cell) = any.downcast_ref() {
            SharedModel::Cell(*cell)
        } else {
            SharedModel::Other(Arc::new(model))
        }
    }

    /// The model that was given.
    pub fn given(&self) -> &(dyn CostModel + Send + Sync) {
        match self {
            SharedModel::Height(model) => model,
            SharedModel::Cell(model) => model,
            SharedModel::Other(model) => &**model,
        }
    }
}

impl CostModel for SharedModel {
    #[inline]
    fn cost(&self, edge: &Edge) -> f32 {
        match self {
            SharedModel::Height(model) => model.cost(edge),
            SharedModel::Cell(model) => model.cost(edge),
            SharedModel::Other(model) => model.cost(edge),
        }
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        self.given().lower_bound(view)
    }

    fn is_uniform(&self) -> bool {
        self.given().is_uniform()
    }

    #[inline]
    fn level_cost(&self, edge: &Edge) -> Option<f32> {
        match self {
            SharedModel::Height(model) => model.level_cost(edge),
            SharedModel::Cell(model) => model.level_cost(edge),
            SharedModel::Other(model) => model.level_cost(edge),
        }
    }

    fn link_cost(&self, link: &Link) -> f32 {
        self.given().link_cost(link)
    }

    fn units(&self, view: &View) -> f32 {
        self.given().units(view)
    }
}

impl fmt::Debug for SharedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SharedModel::Height(model) => model.fmt(f),
            SharedModel::Cell(model) => model.fmt(f),
            SharedModel::Other(_) => f.write_str("CostModel"),
        }
    }
}
