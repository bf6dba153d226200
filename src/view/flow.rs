//! Provides [`Flow`]: in which direction costs count.

/// Whether a field holds the costs to its sources or from them: uphill is not downhill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// From everywhere to the nearest source.
    #[default]
    ToSources,
    /// From the nearest source to everywhere.
    FromSources,
}
