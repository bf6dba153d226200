//! Counts the spans that each volume touches.

use nalgebra::Point3;
use rayon::prelude::*;

use crate::scene::Volume;
use surefoot::grid::{GridFrame, GridParts};

/// How many spans lie inside a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeSpans {
    /// Name of the volume.
    pub volume: String,
    /// Number of spans inside, whether or not another volume is stronger there.
    pub spans: usize,
}

/// Counts the spans inside each volume, in the order of volumes. O(cells below the volumes).
pub(super) fn count_volume_spans(parts: &GridParts, volumes: &[Volume]) -> Vec<VolumeSpans> {
    let count = |volume: &Volume| VolumeSpans {
        volume: volume.name.clone(),
        spans: cells_below(&parts.frame, volume).map_or(0, |cells| count_in(parts, &cells, volume)),
    };
    volumes.par_iter().map(count).collect()
}

/// Returns the cells of a frame that a volume may lie over, and a few more.
fn cells_below(frame: &GridFrame, volume: &Volume) -> Option<GridFrame> {
    let (low, high) = volume.shape.bounds();
    let (least, greatest) = frame.bounds();
    let clamped = |x: f32, z: f32| [x.clamp(least[0], greatest[0]), z.clamp(least[1], greatest[1])];
    let covered =
        GridFrame::covering(frame.cell_size, clamped(low.x, low.z), clamped(high.x, high.z))?;
    Some(covered.grown(1).overlap(frame))
}

fn count_in(parts: &GridParts, cells: &GridFrame, volume: &Volume) -> usize {
    let in_cell = |index: usize| {
        let cell = cells.cell(index);
        let Some(column) = parts.frame.index(cell) else { return 0 };
        let [x, z] = parts.frame.center(cell);
        let spans = parts.first[column] as usize..parts.first[column + 1] as usize;
        let is_inside =
            |span: &&surefoot::Span| volume.shape.contains(Point3::new(x, span.floor, z));
        parts.spans[spans].iter().filter(is_inside).count()
    };
    (0..cells.cells()).map(in_cell).sum()
}
