//! Numbers: mostly those of sound levels, and now and then odd ones.

use arbitrary::{Result, Unstructured};

use crate::choices::once_in;

/// Numbers that a sound level does not have.
const ODD: [f32; 12] = [
    0.0,
    -0.0,
    1e-30,
    -1e-7,
    1e-45,
    65_536.0,
    9_999_999.0,
    -1e7,
    1.0001e7,
    1e30,
    f32::MAX,
    f32::MIN,
];

/// A coordinate [-8..8] in steps of 1/16, or an odd number.
pub(super) fn number(input: &mut Unstructured) -> Result<f32> {
    if once_in(input, 64)? {
        return Ok(*input.choose(&ODD)?);
    }
    Ok(f32::from(input.arbitrary::<i8>()?) / 16.0)
}

/// A coordinate, or an odd number that JSON does not have.
pub(super) fn any_number(input: &mut Unstructured) -> Result<f32> {
    match input.int_in_range(0..=127)? {
        0 => Ok(*input.choose(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY])?),
        1 => input.arbitrary(),
        _ => number(input),
    }
}

/// A size (0..4] in steps of 1/64.
pub(super) fn positive(input: &mut Unstructured) -> Result<f32> {
    Ok((f32::from(input.arbitrary::<u8>()?) + 1.0) / 64.0)
}

/// A point of coordinates.
pub(super) fn point(input: &mut Unstructured) -> Result<[f32; 3]> {
    Ok([number(input)?, number(input)?, number(input)?])
}

/// An index below a count, or now and then any.
pub(super) fn index(input: &mut Unstructured, count: usize) -> Result<usize> {
    if count == 0 || once_in(input, 64)? {
        return Ok(usize::from(input.arbitrary::<u8>()?));
    }
    input.choose_index(count)
}
