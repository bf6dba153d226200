//! The stages that need the whole grid: tiles become one grid, then ledges are marked.

mod assemble;
mod bands;
mod edge_segment;
mod mark_ledges;
mod mirror_connections;

pub(super) use assemble::{AgentSpans, GridColumns};
pub(super) use mark_ledges::{ledge_reach, mark_ledges};
