//! Marks in `extras`: `"nav"` on nodes, meshes and materials, as Blender writes its custom
//! properties.
//!
//! Either a word, `"ignore"`, `"obstacle"`, `"walkable"` in any case or the name of an area, or an
//! object with `area`, `cost`, `forbidden`, `obstacle`, `ignore`, `two_sided`, `link`, `volume` and
//! `clear`.

use std::rc::Rc;

use gltf::json::Extras;
use serde::Deserialize;
use serde_json::Value;

use super::volume_spec::{ShapeSpec, VolumeSpec};
use surefoot::grid::LinkKind;

/// An author's mark on a surface. Ordered, so that slots of a mesh can be sorted by it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Walkable,
    Obstacle,
    Ignore,
    Area(Rc<str>),
}

/// The longest name of an area [bytes].
const LONGEST_NAME: usize = 128;
/// The widest link [m].
const WIDEST_LINK: f32 = 1000.0;

impl Mark {
    /// The mark a word stands for, in any case; names of areas keep theirs.
    pub fn from_word(word: &str) -> Self {
        let marks =
            [("ignore", Mark::Ignore), ("obstacle", Mark::Obstacle), ("walkable", Mark::Walkable)];
        let mark = marks.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        mark.map_or_else(|| Mark::Area(word.into()), |(_, mark)| mark)
    }
}

/// The contents of one `"nav"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Nav {
    pub mark: Option<Mark>,
    pub cost: Option<f32>,
    pub forbidden: bool,
    pub two_sided: bool,
    pub links: Vec<LinkSpec>,
    /// A part of space that the mark is for, in place of the surface.
    pub volume: Option<Box<VolumeSpec>>,
    /// What could not be understood, for the report.
    pub problems: Vec<String>,
}

/// One end of a link, or a link to a named node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LinkSpec {
    pub other: LinkOther,
    pub kind: LinkKind,
    pub cost: Option<f32>,
    /// `None` where it is not given: a drop is one-way, other links are two-way.
    pub one_way: Option<bool>,
    /// [m, >= 0]
    pub width: Option<f32>,
    pub capacity: Option<u32>,
    /// Compact JSON; empty where it is not given.
    pub user_data: String,
}

/// How a link finds its other end.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LinkOther {
    /// By the name of a node.
    To(String),
    /// By the names of the nodes at its stops, as it moves.
    Stops(Vec<String>),
    /// By an id that two nodes share.
    Pair(String),
}

#[derive(Deserialize)]
struct Holder {
    nav: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NavObject {
    area: Option<String>,
    cost: Option<f64>,
    #[serde(default, deserialize_with = "flag")]
    forbidden: bool,
    #[serde(default, deserialize_with = "flag")]
    obstacle: bool,
    #[serde(default, deserialize_with = "flag")]
    ignore: bool,
    #[serde(default, deserialize_with = "flag")]
    two_sided: bool,
    link: Option<OneOrMany>,
    volume: Option<Value>,
    #[serde(default, deserialize_with = "flag")]
    clear: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    Many(Vec<LinkObject>),
    One(LinkObject),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkObject {
    to: Option<OneName>,
    pair: Option<Value>,
    kind: Option<String>,
    cost: Option<f64>,
    #[serde(default, deserialize_with = "optional_flag")]
    one_way: Option<bool>,
    width: Option<f64>,
    capacity: Option<f64>,
    user_data: Option<Value>,
    #[serde(default, deserialize_with = "flag")]
    moving: bool,
}

/// The name of a node, or those of several.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneName {
    One(String),
    Several(Vec<String>),
}

/// Blender writes check boxes of old as 0 and 1.
fn flag<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(deserializer)?;
    value
        .as_bool()
        .or_else(|| value.as_i64().map(|number| number != 0))
        .ok_or_else(|| serde::de::Error::custom(format!("{value} where true or false is expected")))
}

fn optional_flag<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<bool>, D::Error> {
    flag(d).map(Some)
}

impl Nav {
    /// Reads the extras of a node, mesh or material.
    pub fn read(extras: &Extras) -> Self {
        let Some(raw) = extras else { return Nav::default() };
        if !raw.get().contains("nav") {
            return Nav::default();
        }
        // Extras of any other form are someone else's.
        match serde_json::from_str(raw.get()) {
            Ok(Holder { nav: Some(value) }) => Nav::from_value(value),
            _ => Nav::default(),
        }
    }

    fn from_value(value: Value) -> Self {
        match value {
            Value::String(word) if word.trim_start().starts_with('{') => {
                match serde_json::from_str(&word) {
                    Ok(value @ Value::Object(_)) => Nav::from_value(value),
                    _ => Nav::not_understood(format!("{word:.80?} is no JSON object")),
                }
            }
            Value::String(word) if word.len() > LONGEST_NAME => {
                Nav::not_understood("its name is too long".to_owned())
            }
            Value::String(word) if !word.trim().is_empty() => {
                let mark = Mark::from_word(word.trim());
                Nav { mark: Some(mark), ..Nav::default() }
            }
            Value::Object(_) => match serde_json::from_value(value) {
                Ok(object) => Nav::from_object(object),
                Err(error) => Nav::not_understood(error.to_string()),
            },
            other => {
                Nav::not_understood(format!("{:.80} is no word and no object", other.to_string()))
            }
        }
    }

    fn not_understood(problem: String) -> Self {
        let problem = format!("its \"nav\" mark is not understood and has no effect: {problem}");
        Nav { problems: vec![problem], ..Nav::default() }
    }

    fn from_object(object: NavObject) -> Self {
        if object.area.as_ref().is_some_and(|area| area.len() > LONGEST_NAME || area.is_empty()) {
            return Nav::not_understood("its area's name is empty or too long".to_owned());
        }
        let mut nav = Nav { two_sided: object.two_sided, ..Nav::default() };
        nav.forbidden = object.forbidden;
        nav.mark = match &object.area {
            _ if object.ignore => Some(Mark::Ignore),
            _ if object.obstacle => Some(Mark::Obstacle),
            Some(area) => Some(Mark::from_word(area)),
            None if object.forbidden => Some(Mark::Area("forbidden".into())),
            None => None,
        };
        nav.cost = nav.checked_cost(object.cost, f32::MIN_POSITIVE);
        if nav.cost.is_some() && !matches!(nav.mark, Some(Mark::Area(_))) {
            nav.problems.push("its cost has no effect without an area's name beside it".to_owned());
            nav.cost = None;
        }
        let links = match object.link {
            None => Vec::new(),
            Some(OneOrMany::One(link)) => vec![link],
            Some(OneOrMany::Many(links)) => links,
        };
        nav.links = links.into_iter().filter_map(|link| nav.link(link)).collect();
        match object.volume.and_then(ShapeSpec::read) {
            Some(shape) => nav.take_volume(shape, object.clear),
            None if object.clear => {
                nav.problems.push("clear has no effect without a volume beside it".to_owned());
            }
            None => {}
        }
        nav
    }

    /// Makes the mark one for a volume: what it says of ground is not about the surface of the node.
    fn take_volume(&mut self, shape: Result<ShapeSpec, String>, clear: bool) {
        let problems = &mut self.problems;
        let shape = shape.map_err(|problem| {
            problems.push(format!("its volume is not understood and has no effect: {problem}"));
        });
        let ground = match self.mark.take() {
            // Nothing of the node counts, nor of what is below it.
            ignored @ Some(Mark::Ignore) => {
                self.mark = ignored;
                return;
            }
            Some(Mark::Obstacle) => {
                problems.push("its volume cannot be an obstacle; use forbidden".to_owned());
                None
            }
            Some(Mark::Area(_)) if clear => {
                problems.push("its volume both clears and gives an area; it clears".to_owned());
                Some(Mark::Walkable)
            }
            None if clear => Some(Mark::Walkable),
            ground => ground,
        };
        let (cost, forbidden) = (self.cost.take(), std::mem::take(&mut self.forbidden));
        self.volume = Some(Box::new(VolumeSpec { shape: shape.ok(), ground, cost, forbidden }));
    }

    fn link(&mut self, link: LinkObject) -> Option<LinkSpec> {
        let kind = link.kind.map_or(LinkKind::Authored, |word| self.link_kind(&word));
        let cost = self.checked_cost(link.cost, 0.0);
        if link.moving && link.to.is_none() {
            let problem =
                "its link moves, which has no effect without \"to\", the nodes at its stops";
            self.problems.push(problem.to_owned());
        }
        let other = match (link.to, link.pair) {
            (Some(OneName::One(to)), None) if link.moving => LinkOther::Stops(vec![to]),
            (Some(OneName::Several(to)), None) if link.moving => LinkOther::Stops(to),
            (Some(OneName::One(to)), None) => LinkOther::To(to),
            (Some(OneName::Several(_)), None) => {
                let problem = "its link leads to a list of nodes, but only one that is \"moving\" \
                               has several stops";
                self.problems.push(problem.to_owned());
                return None;
            }
            (None, Some(Value::String(id))) => LinkOther::Pair(id),
            (None, Some(id @ Value::Number(_))) => LinkOther::Pair(id.to_string()),
            _ => {
                let problem = "its link needs either \"to\", the name of a node, or \"pair\", \
                               an id that two nodes share";
                self.problems.push(problem.to_owned());
                return None;
            }
        };
        Some(LinkSpec {
            other,
            kind,
            cost,
            one_way: link.one_way,
            width: self.checked_width(link.width),
            capacity: self.checked_capacity(link.capacity),
            user_data: link.user_data.map_or_else(String::new, |data| data.to_string()),
        })
    }

    fn checked_width(&mut self, width: Option<f64>) -> Option<f32> {
        let width = width? as f32;
        if (0.0..=WIDEST_LINK).contains(&width) {
            return Some(width);
        }
        let problem = format!("its link's width of {width} has no effect; it must be 0 to 1000 m");
        self.problems.push(problem);
        None
    }

    fn checked_capacity(&mut self, capacity: Option<f64>) -> Option<u32> {
        let capacity = capacity?;
        if capacity.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&capacity) {
            return Some(capacity as u32);
        }
        let problem = format!(
            "its link's capacity of {capacity} has no effect; it must be a whole number, 0 for any"
        );
        self.problems.push(problem);
        None
    }

    fn link_kind(&mut self, word: &str) -> LinkKind {
        match word {
            "jump" => LinkKind::Jump,
            "drop" => LinkKind::Drop,
            "climb" => LinkKind::Climb,
            "ladder" => LinkKind::Ladder,
            "door" => LinkKind::Door,
            "authored" => LinkKind::Authored,
            other => {
                self.problems.push(format!(
                    "{other:.40?} is no kind of link; use jump, drop, climb, ladder or door"
                ));
                LinkKind::Authored
            }
        }
    }

    fn checked_cost(&mut self, cost: Option<f64>, least: f32) -> Option<f32> {
        let cost = cost? as f32;
        if cost.is_finite() && cost >= least {
            return Some(cost);
        }
        self.problems.push(format!("its cost of {cost} has no effect; it must be more than 0"));
        None
    }
}
