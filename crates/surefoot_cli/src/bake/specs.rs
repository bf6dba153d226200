//! Agents and areas as users write them, on the command line and in TOML.

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use surefoot::{Agent, BodyShape};
use surefoot_bake::scene::AreaMark;

use crate::shared::numbers::number;

/// An agent; what is left out has the default of [`Agent::new`].
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    name: String,
    radius: Option<f32>,
    height: Option<f32>,
    max_climb: Option<f32>,
    /// [degrees]
    slope_limit: Option<f32>,
    shape: Option<BodyShape>,
    ledge_margin: Option<f32>,
    jump_up: Option<f32>,
    jump_across: Option<f32>,
    drop: Option<f32>,
}

const KEYS: &str = "radius, height, max_climb, slope_limit, shape, ledge_margin, jump_up, \
                    jump_across, drop";

impl AgentSpec {
    /// The agent, not checked.
    pub fn agent(self) -> Agent {
        let default = Agent::new(self.name);
        Agent {
            radius: self.radius.unwrap_or(default.radius),
            height: self.height.unwrap_or(default.height),
            max_climb: self.max_climb.unwrap_or(default.max_climb),
            slope_limit: self.slope_limit.map_or(default.slope_limit, f32::to_radians),
            shape: self.shape.unwrap_or(default.shape),
            ledge_margin: self.ledge_margin.or(default.ledge_margin),
            jump_up: self.jump_up.unwrap_or(default.jump_up),
            jump_across: self.jump_across.unwrap_or(default.jump_across),
            drop: self.drop.unwrap_or(default.drop),
            ..default
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let field = match key {
            "radius" => &mut self.radius,
            "height" => &mut self.height,
            "max_climb" => &mut self.max_climb,
            "slope_limit" => &mut self.slope_limit,
            "ledge_margin" => &mut self.ledge_margin,
            "jump_up" => &mut self.jump_up,
            "jump_across" => &mut self.jump_across,
            "drop" => &mut self.drop,
            "shape" => return fill(&mut self.shape, shape(value)?),
            _ => return Err("unknown key; the keys are ".to_owned() + KEYS),
        };
        fill(field, number(value)?)
    }
}

impl FromStr for AgentSpec {
    type Err = String;

    /// Parses `NAME` or `NAME:key=value,...`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut spec = AgentSpec { name: name.trim().to_owned(), ..AgentSpec::default() };
        if spec.name.is_empty() || spec.name.contains('=') {
            return Err("an agent begins with its name, as in human:radius=0.3".to_owned());
        }
        for setting in settings.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let (key, value) = (key.trim(), value.trim());
            let problem = |problem| format!("{key}: {problem}");
            spec.set(key, value).map_err(problem)?;
        }
        Ok(spec)
    }
}

fn fill<T>(field: &mut Option<T>, value: T) -> Result<(), String> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err("given twice".to_owned()),
    }
}

fn shape(text: &str) -> Result<BodyShape, String> {
    match text {
        "capsule" => Ok(BodyShape::Capsule),
        "box" => Ok(BodyShape::Box),
        _ => Err(format!("\"{text}\" is not a shape; use capsule or box")),
    }
}

/// The nodes of an area.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaSpec {
    name: String,
    nodes: String,
    cost: Option<AreaCost>,
}

/// What a metre in an area costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AreaCost {
    Factor(f32),
    Forbidden,
}

impl AreaSpec {
    /// The mark to load the scene with.
    pub fn mark(self) -> AreaMark {
        let (cost, forbidden) = factor_and_ban(self.cost);
        AreaMark { name: self.name, nodes: self.nodes, cost, forbidden }
    }
}

/// The cost factor, and whether it is forbidden to stand there.
pub fn factor_and_ban(cost: Option<AreaCost>) -> (Option<f32>, bool) {
    match cost {
        Some(AreaCost::Factor(factor)) => (Some(factor), false),
        Some(AreaCost::Forbidden) => (None, true),
        None => (None, false),
    }
}

/// Parses `NAME=GLOB` or `NAME=GLOB:COST`.
///
/// # Errors
/// What is wrong with the text.
pub fn area_mark(text: &str) -> Result<AreaMark, String> {
    let (name, rest) = text.split_once('=').unwrap_or(("", ""));
    if name.is_empty() || rest.is_empty() {
        return Err("an area is NAME=GLOB or NAME=GLOB:COST, as in mud=Swamp*:3".to_owned());
    }
    let (nodes, cost) = match rest.rsplit_once(':') {
        Some((nodes, cost)) => (nodes, Some(cost.parse()?)),
        None => (rest, None),
    };
    Ok(AreaSpec { name: name.to_owned(), nodes: nodes.to_owned(), cost }.mark())
}

impl FromStr for AreaCost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "forbidden" {
            return Ok(AreaCost::Forbidden);
        }
        number(text).map(AreaCost::Factor).map_err(|problem| {
            format!("the cost after the last colon must be a number or forbidden: {problem}")
        })
    }
}

impl<'de> Deserialize<'de> for AreaCost {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct NumberOrWord;
        impl Visitor<'_> for NumberOrWord {
            type Value = AreaCost;

            fn expecting(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
                to.write_str("a number or \"forbidden\"")
            }

            fn visit_f64<E: Error>(self, factor: f64) -> Result<AreaCost, E> {
                Ok(AreaCost::Factor(factor as f32))
            }

            fn visit_i64<E: Error>(self, factor: i64) -> Result<AreaCost, E> {
                Ok(AreaCost::Factor(factor as f32))
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<AreaCost, E> {
                let other = || E::invalid_value(serde::de::Unexpected::Str(word), &self);
                (word == "forbidden").then_some(AreaCost::Forbidden).ok_or_else(other)
            }
        }
        from.deserialize_any(NumberOrWord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_has_its_default() {
        let agent = |text: &str| text.parse::<AgentSpec>().map(AgentSpec::agent);
        assert_eq!(agent("guard"), Ok(Agent::new("guard")));
        let cart =
            agent("cart: radius=0.6, height=1,slope_limit=30,shape=box,ledge_margin=0,drop=2");
        let expected = Agent {
            radius: 0.6,
            height: 1.0,
            slope_limit: 30f32.to_radians(),
            shape: BodyShape::Box,
            ledge_margin: Some(0.0),
            drop: 2.0,
            ..Agent::new("cart")
        };
        assert_eq!(cart, Ok(expected));
    }

    #[test]
    fn agents_that_cannot_be_parsed() {
        let check = |text: &str, message: &str| {
            assert_eq!(text.parse::<AgentSpec>().unwrap_err(), message, "{text}");
        };
        let keys = "girth: unknown key; the keys are \
                    radius, height, max_climb, slope_limit, shape, ledge_margin, jump_up, \
                    jump_across, drop";
        check("a:girth=1", keys);
        check("a:radius", "radius: \"\" is not a number");
        check("a:radius=wide", "radius: \"wide\" is not a number");
        check("a:radius=1,radius=1", "radius: given twice");
        check("a:shape=ball", "shape: \"ball\" is not a shape; use capsule or box");
        check("radius=1", "an agent begins with its name, as in human:radius=0.3");
        check(":radius=1", "an agent begins with its name, as in human:radius=0.3");
    }

    #[test]
    fn areas_with_and_without_cost() {
        let area = |nodes: &str, cost, forbidden| {
            Ok(AreaMark { name: "mud".to_owned(), nodes: nodes.to_owned(), cost, forbidden })
        };
        assert_eq!(area_mark("mud=Swamp*"), area("Swamp*", None, false));
        assert_eq!(area_mark("mud=Swamp*:2.5"), area("Swamp*", Some(2.5), false));
        assert_eq!(area_mark("mud=a:b*:forbidden"), area("a:b*", None, true));
        assert!(area_mark("mud=a:b*").unwrap_err().contains("\"b*\" is not a number"));
        assert!(area_mark("mud").unwrap_err().starts_with("an area is NAME=GLOB"));
    }
}
