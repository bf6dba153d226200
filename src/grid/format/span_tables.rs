//! The sections of values that only some spans have: an agent's rooms, and what was measured beside spans.
//!
//! First a bit for each span, from the lowest bit of the first byte on. Then, for each span with a value in
//! order, the bytes of its value, as planes one after another: first the first byte of each, and so on.
//! Along a wall the bytes repeat, which deflates well. The low ceilings of measures have a section of their own,
//! which files did not always have.

use super::super::measure::{CEILING_BYTES, MEASURE_BYTES, SpanMeasure};
use super::super::room::{ROOM_BYTES, SpanRoom};
use super::super::span_table::{Measures, SpanEntry, SpanTable};
use super::container::FileSection;
use super::error::FormatError;
use crate::level::SpanId;

/// A value that has `N` bytes in a file.
pub(super) trait SpanValue<const N: usize>: Copy {
    /// What a value is called.
    const NAME: &str;

    fn to_bytes(self) -> [u8; N];

    /// The value of some bytes; `None` if no value has them.
    fn from_bytes(bytes: [u8; N]) -> Option<Self>;
}

impl SpanValue<ROOM_BYTES> for SpanRoom {
    const NAME: &str = "room";

    fn to_bytes(self) -> [u8; ROOM_BYTES] {
        SpanRoom::to_bytes(self)
    }

    fn from_bytes(bytes: [u8; ROOM_BYTES]) -> Option<Self> {
        Some(SpanRoom::from_bytes(bytes))
    }
}

impl SpanValue<MEASURE_BYTES> for SpanMeasure {
    const NAME: &str = "measure";

    fn to_bytes(self) -> [u8; MEASURE_BYTES] {
        SpanMeasure::to_bytes(self)
    }

    fn from_bytes(bytes: [u8; MEASURE_BYTES]) -> Option<Self> {
        SpanMeasure::from_bytes(bytes)
    }
}

/// The bytes of a table on a grid with some spans.
pub(super) fn pack_table<const N: usize, T: SpanValue<N>>(
    table: &SpanTable<T>,
    spans: usize,
) -> Vec<u8> {
    let mut raw = vec![0; spans.div_ceil(8)];
    let mut planes = vec![0; N * table.len()];
    for (at, SpanEntry { span, value }) in table.entries().enumerate() {
        raw[span.index() / 8] |= 1 << (span.index() % 8);
        for (plane, byte) in value.to_bytes().into_iter().enumerate() {
            planes[plane * table.len() + at] = byte;
        }
    }
    raw.append(&mut planes);
    raw
}

/// The table in a section, for a grid with some spans.
pub(super) fn read_table<const N: usize, T: SpanValue<N>>(
    section: &FileSection,
    spans: usize,
) -> Result<SpanTable<T>, FormatError> {
    let raw = section.unpack()?;
    let Some((bits, planes)) = raw.split_at_checked(spans.div_ceil(8)) else {
        return Err(section.damaged(format!("it has {} bytes for {spans} spans", raw.len())));
    };
    // Counted before anything is allocated for them.
    let count: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
    if planes.len() != N * count {
        let problem = format!("it has {} bytes for {count} {}s", planes.len(), T::NAME);
        return Err(section.damaged(problem));
    }
    let has_value = |span: &usize| bits[span / 8] >> (span % 8) & 1 == 1;
    let mut entries = Vec::with_capacity(count);
    for span in (0..8 * bits.len()).filter(has_value) {
        if span >= spans {
            let problem = format!("it has a {} for a span that does not exist", T::NAME);
            return Err(section.damaged(problem));
        }
        let at = entries.len();
        let value = T::from_bytes(std::array::from_fn(|plane| planes[plane * count + at]));
        let Some(value) = value else {
            return Err(section.damaged(format!("the {} of span {span} is none", T::NAME)));
        };
        entries.push(SpanEntry { span: SpanId(span as u32), value });
    }
    Ok(SpanTable::new(spans, &entries))
}

/// The low ceiling of each measure, one after another; `None` if no measure has one.
pub(super) fn pack_ceilings(measures: &Measures) -> Option<Vec<u8>> {
    let ceilings = measures.values().iter().map(SpanMeasure::ceiling_bytes);
    let has_any = ceilings.clone().any(|ceiling| ceiling != [0; CEILING_BYTES]);
    has_any.then(|| ceilings.flatten().collect())
}

/// Gives each measure the low ceiling in a section.
pub(super) fn read_ceilings(
    section: &FileSection,
    measures: &mut Measures,
) -> Result<(), FormatError> {
    let raw = section.unpack()?;
    let (ceilings, rest) = raw.as_chunks();
    if ceilings.len() != measures.len() || !rest.is_empty() {
        let (bytes, count) = (raw.len(), measures.len());
        return Err(section.damaged(format!("it has {bytes} bytes for {count} measures")));
    }
    for (measure, &ceiling) in measures.values_mut().iter_mut().zip(ceilings) {
        measure.set_ceiling_bytes(ceiling);
    }
    Ok(())
}
