//! The tags of GeoTIFF: where samples are, in what unit, and which number stands for no data.
//!
//! Based on: OGC GeoTIFF 1.1, and GDAL's tag for no data.

use std::io::{Read, Seek};

use tiff::decoder::Decoder;
use tiff::tags::Tag;

use super::{HeightUnit, SamplePlace};

/// What the tags of a height file say.
pub struct HeightTags {
    pub place: Option<SamplePlace>,
    pub no_data: Option<f64>,
    /// What samples count, if the tags say it, or make it doubtful.
    pub unit: Option<HeightUnit>,
}

/// The key of GeoTIFF that says in which kind of coordinates places are, and its word for degrees.
const MODEL_TYPE: u16 = 1024;
const GEOGRAPHIC: u16 = 2;
/// The key that says whether a sample stands for a cell or for a point, and its word for a point.
const RASTER_TYPE: u16 = 1025;
const IS_POINT: u16 = 2;

/// The keys of the units of projected places, and of heights.
const LINEAR_UNITS: u16 = 3076;
const VERTICAL_UNITS: u16 = 4099;
/// Lengths by their numbers in both keys [m]: the metre, the international foot, the foot of the US survey.
const LENGTHS: [(u16, f64); 3] = [(9001, 1.0), (9002, 0.3048), (9003, 1200.0 / 3937.0)];

/// Reads the tags.
///
/// # Errors
/// Says what is wrong with them.
pub fn read<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<HeightTags, String> {
    let no_data = no_data(decoder)?;
    let keys = optional(decoder, Tag::GeoKeyDirectoryTag, |value| value.into_u16_vec())?;
    let scale = optional(decoder, Tag::ModelPixelScaleTag, |value| value.into_f64_vec())?;
    let tie = optional(decoder, Tag::ModelTiepointTag, |value| value.into_f64_vec())?;
    let keys = Keys(keys.unwrap_or_default());
    let in_degrees = keys.value(MODEL_TYPE) == Some(GEOGRAPHIC);
    let linear = if in_degrees { None } else { keys.length(LINEAR_UNITS, "places")? };
    let unit = match (keys.length(VERTICAL_UNITS, "heights")?, linear) {
        (Some(metres), _) => Some(HeightUnit::Metres(metres)),
        (None, Some(foot)) if foot != 1.0 => Some(HeightUnit::MetresOrFeet { foot }),
        (None, _) => None,
    };
    let (Some(scale), Some(tie)) = (scale, tie) else {
        return Ok(HeightTags { place: None, no_data, unit });
    };
    let is_point = keys.value(RASTER_TYPE) == Some(IS_POINT);
    let place = place(&scale, &tie, is_point)?.in_metres(linear.unwrap_or(1.0));
    let unplaced = SamplePlace { first: [0.0; 2], spacing: None };
    Ok(HeightTags { place: Some(if in_degrees { unplaced } else { place }), no_data, unit })
}

/// The keys of GeoTIFF: a row for each, and one before them.
struct Keys(Vec<u16>);

impl Keys {
    /// Returns the value of a key, if it is there and a whole number.
    fn value(&self, wanted: u16) -> Option<u16> {
        let rows = self.0.as_chunks::<4>().0.iter().skip(1);
        rows.into_iter().find(|row| row[0] == wanted && row[1] == 0).map(|row| row[3])
    }

    /// Returns the length that a key names [m], if it is there; `what` is in it.
    ///
    /// # Errors
    /// The length is not known.
    fn length(&self, key: u16, what: &str) -> Result<Option<f64>, String> {
        let Some(number) = self.value(key) else { return Ok(None) };
        let known = LENGTHS.iter().find(|(known, _)| *known == number);
        match known {
            Some((_, metres)) => Ok(Some(*metres)),
            None => Err(format!(
                "its {what} are in unit {number} of GeoTIFF, which is neither metres nor feet; convert them to metres"
            )),
        }
    }
}

impl SamplePlace {
    /// The same place, if its numbers are lengths of so many metres.
    fn in_metres(self, metres: f64) -> Self {
        let SamplePlace { first, spacing } = self;
        let scaled = |numbers: [f64; 2]| numbers.map(|number| number * metres);
        SamplePlace { first: scaled(first), spacing: spacing.map(scaled) }
    }
}

/// Returns where samples are: north is -z.
fn place(scale: &[f64], tie: &[f64], is_point: bool) -> Result<SamplePlace, String> {
    let (&[x_scale, y_scale, ..], &[column, row, _, x, y, ..]) = (scale, tie) else {
        return Err("its tags say too little of where it is; save it again".to_owned());
    };
    let half = if is_point { 0.0 } else { 0.5 };
    let first = [x + (half - column) * x_scale, -y + (half - row) * y_scale];
    let is_sound = first.iter().all(|v| v.is_finite())
        && [x_scale, y_scale].iter().all(|v| *v > 0.0 && v.is_finite());
    if !is_sound {
        return Err(format!(
            "its tags say that samples are {x_scale} and {y_scale} m apart; both must be more than 0"
        ));
    }
    Ok(SamplePlace { first, spacing: Some([x_scale, y_scale]) })
}

fn no_data<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Option<f64>, String> {
    let text = optional(decoder, Tag::GdalNodata, |value| value.into_string())?;
    let Some(text) = text else { return Ok(None) };
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    // NaN is no data anyway.
    let number: f64 = text
        .parse()
        .map_err(|_| format!("its tag for no data is {text:?}, which is no number; set no_data"))?;
    Ok(Some(number))
}

/// Returns the value of a tag, if it is there.
fn optional<R: Read + Seek, T>(
    decoder: &mut Decoder<R>,
    tag: Tag,
    convert: impl FnOnce(tiff::decoder::ifd::Value) -> tiff::TiffResult<T>,
) -> Result<Option<T>, String> {
    let value = decoder.find_tag(tag).and_then(|value| value.map(convert).transpose());
    value.map_err(|error| format!("its tag {tag:?} is damaged ({error}); save it again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_centers_of_cells() {
        let tie = [0.0, 0.0, 0.0, 100.0, 500.0, 0.0];
        let found = place(&[2.0, 4.0, 0.0], &tie, false);
        let spacing = Some([2.0, 4.0]);
        assert_eq!(found, Ok(SamplePlace { first: [101.0, -498.0], spacing }));
        let tie = [1.0, 2.0, 0.0, 100.0, 500.0, 0.0];
        let found = place(&[2.0, 4.0, 0.0], &tie, true);
        assert_eq!(found, Ok(SamplePlace { first: [98.0, -508.0], spacing }));
        assert!(place(&[2.0, -4.0, 0.0], &tie, true).is_err());
        assert!(place(&[2.0], &tie, true).expect_err("too short").contains("too little"));
    }
}
