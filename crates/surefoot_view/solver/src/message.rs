//! The form of messages: the length of a JSON text in four bytes, little-endian, the text, and bytes.
//!
//! In an answer the bytes are arrays of numbers, one after the other. Each begins at a multiple of four
//! bytes from the start of the bytes, and the JSON's `arrays` tells their names, types and lengths.

use serde::Serialize;
use serde_json::{Value, json};

/// Takes a message apart: its text and its bytes; `None` if it is too short for what it announces.
pub fn split(message: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = message.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Puts a message together.
pub fn join(text: &[u8], bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    [&length.to_le_bytes(), text, bytes].concat()
}

/// An answer: a JSON value, and arrays of numbers.
#[derive(Debug, Default)]
pub struct Answer {
    /// As text: numbers are as long as the commands print them.
    value: String,
    arrays: Vec<Value>,
    bytes: Vec<u8>,
}

impl Answer {
    /// An answer without arrays. What cannot be written as JSON becomes `null`.
    pub fn new(value: &impl Serialize) -> Self {
        let value = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
        Answer { value, ..Answer::default() }
    }

    /// An answer that says what is wrong.
    pub fn error(message: impl ToString) -> Self {
        Answer::new(&json!({ "error": message.to_string() }))
    }

    /// Adds an array.
    #[must_use]
    pub fn floats(mut self, name: &str, numbers: &[f32]) -> Self {
        self.describe(name, "f32", numbers.len());
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self
    }

    /// Adds an array.
    #[must_use]
    pub fn octets(mut self, name: &str, numbers: &[u8]) -> Self {
        self.describe(name, "u8", numbers.len());
        self.bytes.extend_from_slice(numbers);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self
    }

    fn describe(&mut self, name: &str, kind: &str, length: usize) {
        let at = self.bytes.len();
        self.arrays.push(json!({ "name": name, "type": kind, "at": at, "length": length }));
    }

    /// The message.
    pub fn into_message(self) -> Vec<u8> {
        let arrays = Value::from(self.arrays);
        let mut text = format!("{{\"value\":{},\"arrays\":{arrays}}}", self.value).into_bytes();
        // Spaces after the text, so that the bytes begin at a multiple of four in the message.
        text.resize(text.len().next_multiple_of(4), b' ');
        join(&text, &self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_split_again() {
        let message = join(b"{}", &[1, 2, 3]);
        assert_eq!(split(&message), Some((&b"{}"[..], &[1u8, 2, 3][..])));
        assert_eq!(split(&message[..5]), None);
        assert_eq!(split(&[9]), None);
    }

    #[test]
    fn arrays_lie_where_the_text_says() {
        let answer = Answer::new(&"äö").octets("few", &[7]).floats("one", &[1.5]);
        let message = answer.into_message();
        let (text, bytes) = split(&message).unwrap();
        assert_eq!((message.len() - bytes.len()) % 4, 0);
        let value: Value = serde_json::from_slice(text).unwrap();
        assert_eq!(value["value"], "äö");
        assert_eq!(value["arrays"][1]["at"], 4);
        assert_eq!(bytes[4..8], 1.5f32.to_le_bytes());
    }
}
