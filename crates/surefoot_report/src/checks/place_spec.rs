//! Provides [`PlaceSpec`]: a place as it is written in a file of checks.

use std::fmt::Formatter;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A place, or several. Among the named places a text is a node of the scene, in a check it is a named
/// place; either may be a glob.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceSpec {
    /// `x, y, z`, or `x, z` where there is one floor [m].
    Point(Vec<f64>),
    /// The name of a node or place, or a glob.
    Name(String),
    /// All of these.
    Several(Vec<PlaceSpec>),
    /// A place that may be moved: to the nearest point where the agent can stand.
    Within {
        /// The place.
        at: Box<PlaceSpec>,
        /// How far it may be moved horizontally [m, >= 0].
        within: f64,
    },
}

impl PlaceSpec {
    /// It in a few words.
    pub(super) fn label(&self) -> String {
        match self {
            PlaceSpec::Point(numbers) => {
                numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
            }
            PlaceSpec::Name(name) => name.clone(),
            PlaceSpec::Several(places) => {
                places.iter().map(PlaceSpec::label).collect::<Vec<_>>().join(", ")
            }
            PlaceSpec::Within { at, .. } => at.label(),
        }
    }
}

const FORM: &str = "a name, x, y, z or x, z as a list of numbers, a list of such places, or \
                    { at = .., within = metres }";

impl<'de> Deserialize<'de> for PlaceSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PlaceForms)
    }
}

struct PlaceForms;

impl<'de> Visitor<'de> for PlaceForms {
    type Value = PlaceSpec;

    fn expecting(&self, to: &mut Formatter) -> std::fmt::Result {
        to.write_str(FORM)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<PlaceSpec, E> {
        Ok(PlaceSpec::Name(name.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PlaceSpec, A::Error> {
        let (mut numbers, mut places) = (Vec::new(), Vec::new());
        while let Some(element) = list.next_element()? {
            match element {
                Element::Number(number) => numbers.push(number),
                Element::Place(place) => places.push(place),
            }
        }
        match (numbers.len(), places.len()) {
            (2 | 3, 0) => Ok(PlaceSpec::Point(numbers)),
            (0, 1..) => Ok(PlaceSpec::Several(places)),
            (0, 0) => Err(A::Error::custom(format!("an empty list is no place; give {FORM}"))),
            (count, 0) => Err(A::Error::custom(format!(
                "a place has 2 or 3 numbers, x, z or x, y, z, but this has {count}"
            ))),
            _ => Err(A::Error::custom("a list holds numbers or places, not both")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<PlaceSpec, A::Error> {
        let (mut at, mut within) = (None, None);
        while let Some(key) = table.next_key::<String>()? {
            match key.as_str() {
                "at" => at = Some(Box::new(table.next_value()?)),
                "within" => within = Some(table.next_value()?),
                _ => {
                    table.next_value::<IgnoredAny>()?;
                    return Err(A::Error::unknown_field(&key, &["at", "within"]));
                }
            }
        }
        Ok(PlaceSpec::Within {
            at: at.ok_or_else(|| A::Error::missing_field("at"))?,
            within: within.ok_or_else(|| A::Error::missing_field("within"))?,
        })
    }
}

/// An element of a list: a coordinate or a place.
enum Element {
    Number(f64),
    Place(PlaceSpec),
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ElementForms)
    }
}

struct ElementForms;

impl<'de> Visitor<'de> for ElementForms {
    type Value = Element;

    fn expecting(&self, to: &mut Formatter) -> std::fmt::Result {
        to.write_str("a number or a place")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Element, E> {
        Ok(Element::Number(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Element, E> {
        Ok(Element::Number(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Element, E> {
        Ok(Element::Number(number as f64))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Element, E> {
        PlaceForms.visit_str(name).map(Element::Place)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Element, A::Error> {
        PlaceForms.visit_seq(list).map(Element::Place)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Element, A::Error> {
        PlaceForms.visit_map(table).map(Element::Place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<PlaceSpec, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn every_form_is_read() {
        let point = PlaceSpec::Point(vec![1.0, -2.5]);
        let name = PlaceSpec::Name("spawn_*".to_owned());
        assert_eq!(read("[1, -2.5]"), Ok(point.clone()));
        assert_eq!(read("\"spawn_*\""), Ok(name.clone()));
        let several = PlaceSpec::Several(vec![name.clone(), point]);
        assert_eq!(read("[\"spawn_*\", [1, -2.5]]"), Ok(several.clone()));
        assert_eq!(several.label(), "spawn_*, 1,-2.5");
        let within = PlaceSpec::Within { at: Box::new(name), within: 2.0 };
        assert_eq!(read("{\"at\": \"spawn_*\", \"within\": 2}"), Ok(within));
    }

    #[test]
    fn what_is_no_place_is_refused() {
        let check = |json: &str, words: &str| {
            let error = read(json).unwrap_err();
            assert!(error.contains(words), "{json}: {error}");
        };
        check("1", "expected a name, x, y, z or x, z as a list");
        check("true", "expected a name");
        check("[]", "an empty list is no place");
        check("[1]", "a place has 2 or 3 numbers, x, z or x, y, z, but this has 1");
        check("[1, 2, 3, 4]", "but this has 4");
        check("[1, \"a\"]", "numbers or places, not both");
        check("[true]", "a number or a place");
        check("{\"at\": [1, 2]}", "missing field `within`");
        check("{\"within\": 2}", "missing field `at`");
        check("{\"at\": [1, 2], \"radius\": 2}", "unknown field `radius`");
    }
}
