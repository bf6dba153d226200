//! Provides [`SectionReader`]: reads the numbers of a section one after the other, little-endian.

use nalgebra::Point3;

use super::error::WorldError;

/// Reads the numbers of a section, of which any may be missing.
pub(super) struct SectionReader<'a> {
    /// How errors name the section.
    name: &'static str,
    length: usize,
    rest: &'a [u8],
}

impl<'a> SectionReader<'a> {
    pub fn new(name: &'static str, bytes: &'a [u8]) -> Self {
        SectionReader { name, length: bytes.len(), rest: bytes }
    }

    /// The error for what is wrong where the reader is.
    pub fn damaged(&self, problem: &str) -> WorldError {
        let at = self.length - self.rest.len();
        WorldError::damaged(self.name, 0, format!("{problem}, at its byte {at}"))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], WorldError> {
        let (number, rest) =
            self.rest.split_first_chunk().ok_or_else(|| self.damaged("it ends too early"))?;
        self.rest = rest;
        Ok(*number)
    }

    pub fn u32(&mut self) -> Result<u32, WorldError> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, WorldError> {
        self.take().map(i32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, WorldError> {
        self.take().map(u64::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, WorldError> {
        self.take().map(f32::from_le_bytes)
    }

    pub fn point(&mut self) -> Result<Point3<f32>, WorldError> {
        Ok(Point3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    pub fn bytes(&mut self, length: usize) -> Result<&'a [u8], WorldError> {
        let (bytes, rest) =
            self.rest.split_at_checked(length).ok_or_else(|| self.damaged("it ends too early"))?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads how many things follow that take so many bytes each, which must be there [bytes > 0].
    pub fn count(&mut self, bytes_of_each: usize) -> Result<usize, WorldError> {
        let count = self.u32()? as usize;
        if count > self.rest.len() / bytes_of_each {
            return Err(self.damaged("there are not that many"));
        }
        Ok(count)
    }

    /// Checks that nothing is left.
    pub fn end(self) -> Result<(), WorldError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.damaged("more follows")) }
    }
}
