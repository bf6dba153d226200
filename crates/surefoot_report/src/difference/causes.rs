//! Provides [`Causes`]: what differs of scene, settings, agents and areas, and may be why the ground does.

use serde::Serialize;
use surefoot::grid::{Area, ColliderRecord};
use surefoot::{Agent, NavGrid};

/// What differs of what the grids were baked from. It does not make them differ by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Causes {
    /// The scenes of the old grid and of the new one.
    pub scenes: [SceneName; 2],
    /// Colliders that are in only one of the scenes; `None` if a grid has no record of its colliders.
    pub colliders: Option<ColliderChanges>,
    /// Settings of the bake that differ, without those of agents.
    pub settings: Vec<SettingChange>,
    /// What the old grid and the new one cover: least and greatest x and z [m].
    pub bounds: [[[f32; 2]; 2]; 2],
}

/// A scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneName {
    /// Name of its file; empty if a program made the grid.
    pub file: String,
    /// Hash of its content.
    pub hash: String,
}

/// Colliders that are in only one of two scenes. One that moved is in both lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ColliderChanges {
    /// Those that only the new scene has.
    pub added: Vec<ColliderPlace>,
    /// Those that only the old scene has.
    pub removed: Vec<ColliderPlace>,
}

/// Where a collider lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ColliderPlace {
    /// The least x and z [m].
    pub min: [f32; 2],
    /// The greatest x and z [m].
    pub max: [f32; 2],
}

/// A value that differs, as it is written in files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingChange {
    /// Its name.
    pub name: String,
    /// In the old grid; `None` if it is not set.
    pub old: Option<String>,
    /// In the new grid; `None` if it is not set.
    pub new: Option<String>,
}

impl Causes {
    /// Compares where two grids come from.
    pub(super) fn new(grids: [&NavGrid; 2]) -> Self {
        let scenes = grids.map(|grid| SceneName {
            file: grid.provenance().scene.clone(),
            hash: grid.provenance().scene_hash.clone(),
        });
        let bounds = grids.map(|grid| {
            let (min, max) = grid.frame().bounds();
            [min, max]
        });
        Causes { scenes, colliders: colliders(grids), settings: settings(grids), bounds }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.scenes[0] == self.scenes[1]
            && self.colliders.as_ref().is_none_or(ColliderChanges::is_empty)
            && self.settings.is_empty()
            && self.bounds[0] == self.bounds[1]
    }

    /// What differs, in sentences.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let [old, new] = &self.scenes;
        if old.file != new.file {
            lines.push(format!("scene     {} instead of {}", named(&new.file), named(&old.file)));
        }
        let colliders = self.colliders.as_ref().filter(|changes| !changes.is_empty());
        if let Some(changes) = colliders {
            lines.push(format!("scene     {}", changes.words()));
        } else if old.hash != new.hash {
            lines.push("scene     its content is not the same".to_owned());
        }
        lines.extend(self.settings.iter().map(|setting| format!("setting   {}", setting.words())));
        if self.bounds[0] != self.bounds[1] {
            let [old, new] = self.bounds.map(|[min, max]| {
                format!("x {} to {}, z {} to {}", min[0], max[0], min[1], max[1])
            });
            lines.push(format!("bounds    {new} instead of {old}"));
        }
        lines
    }
}

fn named(file: &str) -> String {
    if file.is_empty() {
        "none (a program made the grid)".to_owned()
    } else {
        format!("\"{file}\"")
    }
}

impl ColliderChanges {
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    fn words(&self) -> String {
        let list = |places: &[ColliderPlace], what: &str| {
            let shown = places.iter().take(SHOWN).map(|place| {
                let ([x0, z0], [x1, z1]) = (place.min, place.max);
                format!("x {x0:.1} to {x1:.1}, z {z0:.1} to {z1:.1}")
            });
            let mut shown: Vec<String> = shown.collect();
            if places.len() > SHOWN {
                shown.push(format!("{} more", places.len() - SHOWN));
            }
            let plural = if places.len() == 1 { "" } else { "s" };
            format!("{} collider{plural} {what} ({})", places.len(), shown.join("; "))
        };
        let removed = (!self.removed.is_empty()).then(|| list(&self.removed, "gone"));
        let added = (!self.added.is_empty()).then(|| list(&self.added, "new"));
        removed.into_iter().chain(added).collect::<Vec<_>>().join(", ")
    }
}

/// So many colliders are shown in words.
const SHOWN: usize = 3;

impl SettingChange {
    /// It in a few words.
    pub fn words(&self) -> String {
        let value = |value: &Option<String>| value.clone().unwrap_or("not set".to_owned());
        format!("{}: {} instead of {}", self.name, value(&self.new), value(&self.old))
    }

    fn of(name: &str, [old, new]: [String; 2]) -> Option<Self> {
        (old != new).then(|| SettingChange {
            name: name.to_owned(),
            old: Some(old),
            new: Some(new),
        })
    }
}

/// The colliders in only one of two records, which are sorted.
fn colliders(grids: [&NavGrid; 2]) -> Option<ColliderChanges> {
    let [old, new] = grids.map(|grid| grid.provenance().record.as_ref());
    let (mut old, mut new) = (&old?.colliders[..], &new?.colliders[..]);
    let place = |own: &ColliderRecord| ColliderPlace { min: own.min, max: own.max };
    let mut changes = ColliderChanges::default();
    loop {
        match (old.split_first(), new.split_first()) {
            (None, None) => break,
            (Some((a, rest)), Some((b, others))) if a.hash == b.hash => {
                (old, new) = (rest, others);
            }
            (Some((a, rest)), next) if next.is_none_or(|(b, _)| a.hash < b.hash) => {
                changes.removed.push(place(a));
                old = rest;
            }
            (_, Some((b, others))) => {
                changes.added.push(place(b));
                new = others;
            }
            (Some(_), None) => break,
        }
    }
    for list in [&mut changes.added, &mut changes.removed] {
        list.sort_by(|a, b| a.min[1].total_cmp(&b.min[1]).then(a.min[0].total_cmp(&b.min[0])));
    }
    Some(changes)
}

/// The settings that differ; those of agents are compared agent by agent.
fn settings(grids: [&NavGrid; 2]) -> Vec<SettingChange> {
    let lists = grids.map(setting_list);
    let of = |side: usize, name: &str| {
        lists[side].iter().find(|setting| setting.name == name).map(|setting| setting.value.clone())
    };
    let only_new = lists[1].iter().filter(|setting| of(0, &setting.name).is_none());
    let changed = lists[0].iter().chain(only_new).map(|Setting { name, .. }| SettingChange {
        name: name.clone(),
        old: of(0, name),
        new: of(1, name),
    });
    changed.filter(|change| change.old != change.new).collect()
}

/// A setting of a bake.
struct Setting {
    /// With the name of the group that it is in, if it is in one: `marks.ignore`.
    name: String,
    value: String,
}

/// All settings but those of agents that say something: not what is empty or switched off.
fn setting_list(grid: &NavGrid) -> Vec<Setting> {
    let mut list = Vec::new();
    let mut add = |name: String, value: String| {
        if !["null", "false", "[]", "{}", "\"\""].contains(&value.as_str()) {
            list.push(Setting { name, value });
        }
    };
    let settings = grid.provenance().settings.as_object();
    for (name, value) in settings.into_iter().flatten().filter(|(name, _)| *name != "agents") {
        match value.as_object() {
            None => add(name.clone(), value.to_string()),
            Some(group) => group.iter().for_each(|(own, value)| {
                add(format!("{name}.{own}"), value.to_string());
            }),
        }
    }
    list
}

/// What differs of an agent's body and limits.
pub(super) fn body_changes(old: &Agent, new: &Agent) -> Vec<SettingChange> {
    let degrees = |agent: &Agent| super::super::standing::degrees(agent.slope_limit);
    let numbers = |number: fn(&Agent) -> f32| [old, new].map(|agent| number(agent).to_string());
    let shapes = [old, new].map(|agent| format!("{:?}", agent.shape).to_lowercase());
    [
        ("radius", numbers(|agent| agent.radius)),
        ("height", numbers(|agent| agent.height)),
        ("max_climb", numbers(|agent| agent.max_climb)),
        ("slope_limit", [old, new].map(degrees)),
        ("shape", shapes),
        ("ledge_margin", numbers(Agent::ledge_margin)),
        ("jump_up", numbers(|agent| agent.jump_up)),
        ("jump_across", numbers(|agent| agent.jump_across)),
        ("drop", numbers(|agent| agent.drop)),
    ]
    .into_iter()
    .filter_map(|(name, values)| SettingChange::of(name, values))
    .collect()
}

/// What differs of the areas, by name.
pub(super) fn area_changes(old: &[Area], new: &[Area]) -> Vec<SettingChange> {
    let words = |area: &Area| match area.forbidden {
        true => "forbidden".to_owned(),
        false => format!("a metre costs {}", area.cost),
    };
    let of = |areas: &[Area], name: &str| areas.iter().find(|area| area.name == name).map(words);
    let only_new = new.iter().filter(|area| of(old, &area.name).is_none());
    let names = old.iter().chain(only_new).map(|area| area.name.clone());
    let changed = names.map(|name| {
        let (old, new) = (of(old, &name), of(new, &name));
        SettingChange { name, old, new }
    });
    changed.filter(|change| change.old != change.new).collect()
}
