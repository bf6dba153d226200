//! The numbers of plain files: whole ones and floats, in either order of bytes.

/// How a sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    F64,
}

impl SampleKind {
    /// How many bytes a sample has.
    pub fn bytes(self) -> usize {
        match self {
            SampleKind::U8 | SampleKind::I8 => 1,
            SampleKind::U16 | SampleKind::I16 => 2,
            SampleKind::U32 | SampleKind::I32 | SampleKind::F32 => 4,
            SampleKind::F64 => 8,
        }
    }

    /// Whether samples are whole numbers.
    pub fn is_whole(self) -> bool {
        !matches!(self, SampleKind::F32 | SampleKind::F64)
    }
}

/// How the samples of a file are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    pub kind: SampleKind,
    pub big_endian: bool,
    /// The number that stands for no data.
    pub no_data: Option<f64>,
}

impl Numbers {
    /// Appends the samples of bytes; bytes after the last whole sample are left over.
    pub fn decode(&self, bytes: &[u8], samples: &mut Vec<f32>) {
        let no_data = self.no_data;
        macro_rules! numbers {
            ($number:ty) => {{
                const BYTES: usize = size_of::<$number>();
                let (parts, _) = bytes.as_chunks::<BYTES>();
                if self.big_endian {
                    let values = parts.iter().map(|part| <$number>::from_be_bytes(*part));
                    samples.extend(values.map(|value| f64::from(value).height(no_data)));
                } else {
                    let values = parts.iter().map(|part| <$number>::from_le_bytes(*part));
                    samples.extend(values.map(|value| f64::from(value).height(no_data)));
                }
            }};
        }
        match self.kind {
            SampleKind::U8 => numbers!(u8),
            SampleKind::I8 => numbers!(i8),
            SampleKind::U16 => numbers!(u16),
            SampleKind::I16 => numbers!(i16),
            SampleKind::U32 => numbers!(u32),
            SampleKind::I32 => numbers!(i32),
            SampleKind::F32 => {
                // A number that is written with few digits means the float nearest to it.
                let rounded = no_data.map(|number| f64::from(number as f32));
                let (parts, _) = bytes.as_chunks::<4>();
                let value = |part: &[u8; 4]| match self.big_endian {
                    true => f32::from_be_bytes(*part),
                    false => f32::from_le_bytes(*part),
                };
                samples.extend(parts.iter().map(|part| f64::from(value(part)).height(rounded)));
            }
            SampleKind::F64 => numbers!(f64),
        }
    }
}

/// A sample as it is stored.
pub trait StoredSample {
    /// The sample, or NaN if it stands for no data.
    fn height(self, no_data: Option<f64>) -> f32;
}

impl StoredSample for f64 {
    fn height(self, no_data: Option<f64>) -> f32 {
        if no_data == Some(self) { f32::NAN } else { self as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_data_becomes_nan() {
        let decode = |kind, no_data, bytes: &[u8]| {
            let mut samples = Vec::new();
            Numbers { kind, big_endian: false, no_data: Some(no_data) }.decode(bytes, &mut samples);
            samples
        };
        let found = decode(SampleKind::I16, -32768.0, &[0, 128, 1, 0, 7]);
        assert!(found[0].is_nan() && found[1..] == [1.0], "{found:?}");
        let low = (-9999.9f32).to_le_bytes();
        assert!(decode(SampleKind::F32, -9999.9, &low)[0].is_nan());
        assert_eq!(decode(SampleKind::U8, 0.5, &[0, 255]), [0.0, 255.0]);
    }
}
