//! For bakers: how the arrays of a grid are filled before they are frozen.
//!
//! A program that loads grids does not need this. A baker writes the connections of each agent's layer
//! with a [`ConnectionWriter`], lets [`finish_layer`] compute clearance and regions, and freezes the
//! parts by [`NavGrid::from_baker`](super::NavGrid::from_baker).

pub use super::change::{
    CHANGE_REACH, ChangedLayer, GridChange, LayerChange, SpanPlace, TwoWayEnds, UNKNOWN_REGION,
    lowest_spans, merge_windows,
};
pub use super::connections::{
    ColumnPosition, ConnectionWriter, Connections, SpanLayer, row_major_offsets,
};
pub use super::finish::{finish_layer, two_way_ends};
pub use super::frame::RowDivider;
pub use super::measure::SLIT;
pub use super::standing::{ConnectionCode, LEVEL_CONNECTIONS};
pub use crate::level::make_ids_unique;
