//! The section of a route order: how its supernodes nest, then which spans each has.
//!
//! First the number of supernodes, then the number of children and of spans of each, all u32. Then
//! the spans in their order, as runs from column to column in one layer: how far the first column is
//! from that of the run before, which layer, and how many more columns. Within a supernode the runs
//! of two rows are as far apart as a row of the grid is long, again and again, which deflates well:
//! on levels and maps a span takes 0.1 to 0.3 bytes, half of what the differences of ids take.

use super::super::order::{RouteOrder, RouteSupernode};
use super::container::{FileSection, u32_at};
use super::error::FormatError;
use super::varint::{Varints, push_varint, unzigzag, zigzag};
use crate::level::SpanId;

/// The bytes of an order; `first` are the columns of the grid.
pub(super) fn pack_order(order: &RouteOrder, first: &[u32]) -> Vec<u8> {
    let mut raw = (order.supernodes.len() as u32).to_le_bytes().to_vec();
    let words = order.supernodes.iter().flat_map(|node| [node.children, node.spans]);
    raw.extend(words.flat_map(u32::to_le_bytes));
    let (mut rest, mut before) = (&order.spans[..], 0);
    while let Some(&start) = rest.first() {
        let column = first.partition_point(|&low| low <= start.0) - 1;
        let layer = start.0 - first[column];
        let more = rest[1..]
            .iter()
            .zip(column + 1..)
            .take_while(|&(&span, column)| span_at(first, column, layer) == Some(span))
            .count();
        push_varint(&mut raw, zigzag(column as i64 - before));
        push_varint(&mut raw, u64::from(layer));
        push_varint(&mut raw, more as u64);
        (rest, before) = (&rest[1 + more..], column as i64);
    }
    raw
}

/// The span in a layer of a column.
#[inline]
fn span_at(first: &[u32], column: usize, layer: u32) -> Option<SpanId> {
    let (low, high) = (*first.get(column)?, *first.get(column + 1)?);
    low.checked_add(layer).filter(|&span| span < high).map(SpanId)
}

/// The order in a section; validation checks that it fits the grid.
pub(super) fn read_order(section: &FileSection, first: &[u32]) -> Result<RouteOrder, FormatError> {
    let raw = section.unpack()?;
    let Some((supernodes, runs)) = read_supernodes(&raw) else {
        return Err(section.damaged("its supernodes are cut short"));
    };
    let count: u64 = supernodes.iter().map(|node| u64::from(node.spans)).sum();
    let most = u64::from(first[first.len() - 1]);
    if count > most {
        return Err(
            section.damaged(format!("its supernodes have {count} spans, the grid has {most}"))
        );
    }
    match read_runs(runs, first, count as usize) {
        Ok(spans) => Ok(RouteOrder { spans, supernodes }),
        Err(problem) => Err(section.damaged(problem)),
    }
}

/// The supernodes, and the bytes after them.
fn read_supernodes(raw: &[u8]) -> Option<(Vec<RouteSupernode>, &[u8])> {
    let (count, rest) = raw.split_at_checked(4)?;
    let len = 8usize.checked_mul(u32_at(count, 0) as usize)?;
    let (words, rest) = rest.split_at_checked(len)?;
    let supernode = |at: &[u8; 8]| RouteSupernode { children: u32_at(at, 0), spans: u32_at(at, 4) };
    Some((words.as_chunks().0.iter().map(supernode).collect(), rest))
}

/// The spans of runs, `count` of them, which is at most the number in the grid.
fn read_runs(runs: &[u8], first: &[u32], count: usize) -> Result<Vec<SpanId>, &'static str> {
    let (mut numbers, mut before) = (Varints(runs), 0i64);
    let mut spans = Vec::with_capacity(count);
    while spans.len() < count {
        let mut next = || numbers.next().ok_or("a run of its spans cannot be read");
        let (ahead, layer, more) = (unzigzag(next()?), next()?, next()?);
        let column = before.checked_add(ahead).and_then(|column| usize::try_from(column).ok());
        let column = column.filter(|&column| column < first.len());
        let (Some(column), Ok(layer)) = (column, u32::try_from(layer)) else {
            return Err("a run of its spans starts outside the grid");
        };
        if more >= (count - spans.len()) as u64 {
            return Err("its runs have more spans than its supernodes");
        }
        for column in column..=column + more as usize {
            let span = span_at(first, column, layer);
            spans.push(span.ok_or("a run of its spans goes over a cell without a span")?);
        }
        before = column as i64;
    }
    if numbers.is_empty() { Ok(spans) } else { Err("there are bytes after its spans") }
}
