//! Cropping: a smaller frame out of a larger one, before clearance and regions are known.

use super::span::StepCode;
use super::{AgentLayer, Dir, FarStep, GridFrame, GridParts, SpanId};

impl GridParts {
    /// Keeps the cells of a frame that lies within the present one. Steps over its border go.
    pub(crate) fn crop(&mut self, frame: &GridFrame) {
        if *frame == self.frame {
            return;
        }
        let mut first = vec![0];
        // Old ids in their new order, which is the old order.
        let mut kept: Vec<u32> = Vec::new();
        for index in 0..frame.cells() {
            if let Some(old) = self.frame.index(frame.cell(index)) {
                kept.extend(self.first[old]..self.first[old + 1]);
            }
            first.push(kept.len() as u32);
        }
        self.spans = kept.iter().map(|&old| self.spans[old as usize]).collect();
        for layer in &mut self.layers {
            layer.standings = kept.iter().map(|&old| layer.standings[old as usize]).collect();
            layer.far_steps =
                layer.far_steps.iter().filter_map(|far| renumbered(&kept, *far)).collect();
            layer.order = None;
            cut_border(frame, &first, layer);
        }
        (self.first, self.frame) = (first, *frame);
    }
}

/// A far step between kept spans, in their new numbers.
fn renumbered(kept: &[u32], far: FarStep) -> Option<FarStep> {
    let new = |old: SpanId| kept.binary_search(&old.0).ok().map(|id| SpanId(id as u32));
    Some(FarStep { from: new(far.from)?, dir: far.dir, to: new(far.to)? })
}

/// Takes away the steps that lead out of the frame.
fn cut_border(frame: &GridFrame, first: &[u32], layer: &mut AgentLayer) {
    for index in 0..frame.cells() {
        let cell = frame.cell(index);
        for dir in Dir::ALL {
            if frame.index(cell.neighbor(dir)).is_some() {
                continue;
            }
            for span in first[index]..first[index + 1] {
                layer.standings[span as usize].set_step(dir, StepCode::NONE);
            }
        }
    }
}
