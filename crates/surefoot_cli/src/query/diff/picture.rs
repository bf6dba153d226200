//! The picture of a difference.

use surefoot::NavGrid;
use surefoot_report::GridDifference;

use crate::shared::output::Output;

/// Draws.
pub fn write(
    _grids: [&NavGrid; 2],
    _difference: &GridDifference,
    _output: &Output,
) -> anyhow::Result<()> {
    Ok(())
}
