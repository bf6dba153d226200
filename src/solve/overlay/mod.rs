//! stub
use crate::agent::Agent;
use crate::grid::{AgentId, NavGrid, Standing};
/// Changes.
#[derive(Clone, Debug)]
pub struct Overlay {}
impl Overlay {
    pub(crate) fn fits(&self, _: &NavGrid) -> bool {
        true
    }
    pub(crate) fn standings(&self, _: AgentId) -> Option<&[Standing]> {
        None
    }
    pub(crate) fn factors(&self) -> &[f32] {
        &[]
    }
    pub(crate) fn distance_to_blocked(&self, _: &Agent, _: [f32; 2], _: f32) -> Option<f32> {
        None
    }
    pub(crate) fn is_open(&self, _: usize) -> bool {
        true
    }
    /// v
    pub fn version(&self) -> u64 {
        0
    }
}
