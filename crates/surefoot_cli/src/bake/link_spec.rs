//! Links as users write them in TOML, in the words of the marks of nodes.

use serde::Deserialize;
use serde_json::Value;
use surefoot::grid::{LinkId, LinkKind, LinkStop};
use surefoot_bake::scene::LinkMarker;

/// A link; several if it moves, one for each stop.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "LinkFields")]
pub struct LinkSpec(Vec<LinkMarker>);

/// A link as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkFields {
    name: String,
    from: [f32; 3],
    to: Ends,
    #[serde(default)]
    kind: LinkKind,
    cost: Option<f32>,
    one_way: Option<bool>,
    #[serde(default)]
    width: f32,
    capacity: Option<u32>,
    user_data: Option<Value>,
    #[serde(default)]
    moving: bool,
}

/// Where a link leads.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a place [x, y, z], or a list of them for a link that moves"
)]
enum Ends {
    One([f32; 3]),
    Stops(Vec<[f32; 3]>),
}

/// The widest link [m].
const WIDEST: f32 = 1000.0;

impl LinkSpec {
    /// The links to load the scene with; where they are is not checked.
    pub fn markers(&self) -> &[LinkMarker] {
        &self.0
    }
}

impl TryFrom<LinkFields> for LinkSpec {
    type Error = String;

    fn try_from(fields: LinkFields) -> Result<Self, String> {
        let name = fields.name.clone();
        fields.markers().map(LinkSpec).map_err(|problem| format!("link {name:?}: {problem}"))
    }
}

impl LinkFields {
    fn markers(self) -> Result<Vec<LinkMarker>, String> {
        if self.name.trim().is_empty() {
            return Err("it has no name; add one, such as name = \"lift\"".to_owned());
        }
        if !(0.0..=WIDEST).contains(&self.width) {
            return Err(format!("its width is {}; it must be 0 to {WIDEST} m", self.width));
        }
        let ends = match self.to {
            Ends::One(end) => vec![end],
            Ends::Stops(ends) if self.moving && !ends.is_empty() => ends,
            Ends::Stops(_) => {
                return Err("it leads to a list of places; only one that is moving has several \
                            stops, and it has at least one"
                    .to_owned());
            }
        };
        let is_drop = self.kind == LinkKind::Drop;
        if is_drop && self.one_way == Some(false) {
            return Err("nobody takes a drop back; leave one_way out, or use another kind".into());
        }
        if is_drop && ends.iter().any(|end| end[1] > self.from[1]) {
            return Err("it is a drop, but leads up; swap from and to".to_owned());
        }
        let moving = LinkId::of(&format!("{} moving", self.name));
        let user_data = self.user_data.map_or_else(String::new, |data| data.to_string());
        let marker = |(number, end): (u32, [f32; 3])| LinkMarker {
            name: self.name.clone(),
            from: self.from.into(),
            to: end.into(),
            two_way: !is_drop && self.one_way != Some(true),
            cost: self.cost,
            kind: self.kind,
            capacity: self.capacity,
            user_data: user_data.clone(),
            stop: self.moving.then_some(LinkStop { moving, number }),
            ..LinkMarker::default()
        };
        Ok((0..).zip(ends).map(|end| marker(end).wide(self.width)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<LinkSpec, toml::de::Error> {
        toml::from_str(&format!("name = 'a'\nfrom = [0, 2, 0]\n{text}"))
    }

    #[test]
    fn every_key_is_read() {
        let text =
            "to = [4, 1, 0]\nkind = 'jump'\ncost = 3\none_way = true\nwidth = 2\ncapacity = 5
                    user_data = { gate = 7, tags = ['x'] }";
        let spec = read(text).expect("a link");
        let expected = LinkMarker {
            name: "a".to_owned(),
            from: [0.0, 2.0, 0.0].into(),
            to: [4.0, 1.0, 0.0].into(),
            kind: LinkKind::Jump,
            cost: Some(3.0),
            capacity: Some(5),
            across: [0.0, 0.0, 2.0].into(),
            user_data: "{\"gate\":7,\"tags\":[\"x\"]}".to_owned(),
            ..LinkMarker::default()
        };
        assert_eq!(spec.markers(), [expected]);
    }

    #[test]
    fn what_is_left_out_has_the_defaults_of_nodes() {
        let plain = read("to = [4, 2, 0]").expect("a link");
        assert!(plain.markers()[0].two_way && plain.markers()[0].stop.is_none());
        let down = read("to = [4, 0, 0]\nkind = 'drop'").expect("a drop");
        assert!(!down.markers()[0].two_way);
    }

    #[test]
    fn a_link_that_moves_has_a_stop_for_each_place() {
        let lift = read("to = [[1, 0, 0], [1, 3, 0]]\nmoving = true").expect("a lift");
        let [low, high] = lift.markers() else { panic!("{lift:?}") };
        let stops = [low, high].map(|stop| stop.stop.expect("it moves"));
        assert_eq!(stops.map(|stop| stop.number), [0, 1]);
        assert_eq!(stops[0].moving, stops[1].moving);
        assert_eq!(high.to.y, 3.0);
        assert!(read("to = [1, 0, 0]\nmoving = true").expect("it moves").0[0].stop.is_some());
    }

    #[test]
    fn links_that_make_no_sense() {
        let refused = |text: &str, words: &str| {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        };
        refused("to = [1, 2]", "expected a place [x, y, z], or a list");
        refused("to = [[1, 2, 3], [4, 5, 6]]", "only one that is moving has several");
        refused("to = []\nmoving = true", "it has at least one");
        refused(
            "to = [1, 2, 3]\nwidth = -1",
            "link \"a\": its width is -1; it must be 0 to 1000 m",
        );
        refused("to = [1, 2, 3]\nwidth = nan", "its width is NaN");
        refused("to = [1, 2, 3]\ncapacity = -2", "-2");
        refused("to = [1, 2, 3]\nkind = 'hop'", "unknown variant `hop`");
        refused("to = [1, 3, 3]\nkind = 'drop'", "leads up");
        refused("to = [1, 1, 3]\nkind = 'drop'\none_way = false", "leave one_way out");
        refused("to = [1, 2, 3]\nlanes = 2", "unknown field `lanes`");
        refused("", "missing field `to`");
    }
}
