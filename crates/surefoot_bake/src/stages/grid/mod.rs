//! The stages that need the whole grid: tiles become one grid, then ledges are marked.

mod assemble;
mod bands;
mod edge_segment;
mod mark_ledges;
mod mirror_connections;
mod span_tables;

pub(super) use assemble::{AgentSpans, GridColumns};
pub(super) use mark_ledges::{ledge_reach, mark_ledges};
pub(super) use span_tables::rooms_of_walkable;
