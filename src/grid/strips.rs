//! Strips: neighboring columns that hold equally many spans.
//!
//! Within a strip the span of the same layer in the next column always lies at the same distance in the
//! flat arrays, so many spans can be processed at once without a look at their columns.

/// The longest possible run of columns with equally many spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    /// Position of its first column.
    pub column: usize,
    /// Number of its columns [>= 1].
    pub columns: usize,
    /// Its first span.
    pub start: u32,
    /// Spans in each of its columns.
    pub depth: u32,
}

impl Strip {
    /// The span after its last one.
    pub(super) fn end(&self) -> u32 {
        self.start + self.depth * self.columns as u32
    }
}

/// The strips of columns that start at `first`, whose last entry closes the list. O(columns).
pub(super) fn strips(first: &[u32]) -> impl Iterator<Item = Strip> {
    strips_of_two(first, first)
}

/// Strips in which two rows of equal length agree, without the columns that hold different numbers of
/// spans. Positions and spans are those of the first row. O(columns).
pub(super) fn strips_of_two(row: &[u32], other: &[u32]) -> impl Iterator<Item = Strip> {
    let mut column = 0;
    std::iter::from_fn(move || {
        let depths = |row: &[u32], at: usize| Some(row.get(at + 1)? - row[at]);
        let depth = loop {
            let depth = depths(row, column)?;
            if depths(other, column)? == depth {
                break depth;
            }
            column += 1;
        };
        let columns = alike(&row[column..], &other[column..], depth);
        let strip = Strip { column, columns, start: row[column], depth };
        column += columns;
        Some(strip)
    })
}

/// Columns compared at once.
const COLUMN_LANES: usize = 16;

/// How many of the first columns hold `depth` spans in both rows.
fn alike(row: &[u32], other: &[u32], depth: u32) -> usize {
    let chunk_alike = |[starts, ends]: [&[u32; COLUMN_LANES]; 2]| {
        let differs = |at: usize| ends[at].wrapping_sub(starts[at]) ^ depth;
        (0..COLUMN_LANES).fold(0, |all, at| all | differs(at)) == 0
    };
    let both_alike = |(a, b)| chunk_alike(a) && chunk_alike(b);
    let whole =
        chunks(row).zip(chunks(other)).take_while(|&pair| both_alike(pair)).count() * COLUMN_LANES;
    let depths = |row: &[u32]| row.windows(2).take_while(|p| p[1] - p[0] == depth).count();
    let rest = |row: &[u32]| depths(&row[whole..row.len().min(whole + COLUMN_LANES + 1)]);
    whole + rest(row).min(rest(other))
}

/// The starts of columns and their ends, chunk by chunk, without the last columns that fill no chunk.
fn chunks(row: &[u32]) -> impl Iterator<Item = [&[u32; COLUMN_LANES]; 2]> {
    let (starts, _) = row[..row.len() - 1].as_chunks();
    let (ends, _) = row[1..].as_chunks();
    starts.iter().zip(ends).map(|(starts, ends)| [starts, ends])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &[u32], other: &[u32], expected: &[[u32; 4]]) {
        let found: Vec<_> = strips_of_two(row, other)
            .map(|s| [s.column as u32, s.columns as u32, s.start, s.depth])
            .collect();
        assert_eq!(found, expected, "{row:?} over {other:?}");
    }

    #[test]
    fn strips_end_where_the_number_of_spans_changes() {
        check(&[0], &[0], &[]);
        check(&[0, 0], &[0, 0], &[[0, 1, 0, 0]]);
        let row = [3, 4, 5, 7, 9, 9, 10];
        check(&row, &row, &[[0, 2, 3, 1], [2, 2, 5, 2], [4, 1, 9, 0], [5, 1, 9, 1]]);
        assert_eq!(strips(&row).map(|strip| strip.end()).collect::<Vec<_>>(), [5, 9, 9, 10]);
    }

    #[test]
    fn columns_of_two_rows_that_disagree_are_skipped() {
        check(
            &[0, 1, 2, 4, 6, 7],
            &[9, 9, 10, 12, 13, 14],
            &[[1, 1, 1, 1], [2, 1, 2, 2], [4, 1, 6, 1]],
        );
        check(&[0, 1, 2], &[5, 5, 5], &[]);
    }
}
