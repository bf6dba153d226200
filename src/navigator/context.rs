//! What the engines of a navigator are given.

use crate::cost::{CostModel, SharedModel};
use crate::search::Query;
use crate::view::View;

/// A cost model that a navigator or a crowd can own: prepared routes share it with a background thread. Every
/// such [`CostModel`] is one.
pub trait NavigatorModel: CostModel + Send + Sync + 'static {}

impl<M: CostModel + Send + Sync + 'static> NavigatorModel for M {}

/// What an engine answers: a query on a view, by a cost model.
pub(crate) struct EngineContext<'a> {
    pub view: &'a View,
    pub model: &'a SharedModel,
    pub query: &'a Query,
    /// How many cells of the corridor are wanted at once, if the engine can leave out the rest.
    pub cells: u32,
}
