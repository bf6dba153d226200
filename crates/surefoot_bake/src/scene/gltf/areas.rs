//! The kinds of ground of a scene: collected from globs and extras, numbered by name.

use std::collections::BTreeMap;

use super::extras::{Mark, Nav};
use super::fault::Fault;
use super::volume_spec::VolumeSpec;
use crate::scene::{SceneMarks, Surface, Warning};
use surefoot::grid::{Area, AreaId};

/// What is known of the areas of a scene.
#[derive(Debug, Default)]
pub(super) struct Areas {
    /// What the command line and the file say of each name.
    statements: BTreeMap<String, AreaStatements>,
    /// Names in use, in order; their ids count from 1.
    used: Vec<String>,
}

#[derive(Debug, Default)]
struct AreaStatements {
    /// From the command line, which is stronger.
    fixed: Option<f32>,
    /// From the file; the highest counts, so that order does not.
    cost: Option<f32>,
    differs: bool,
    forbidden: bool,
    always_listed: bool,
}

impl Areas {
    /// Starts with the areas of the command line; they are listed even where nothing uses them.
    pub fn new(marks: &SceneMarks) -> Self {
        let mut areas = Areas::default();
        let of_nodes =
            marks.areas.iter().map(|mark| (mark.name.as_str(), mark.cost, mark.forbidden));
        let of_volumes = marks
            .volumes
            .iter()
            .filter_map(|mark| mark.area_name().map(|name| (name, mark.cost, mark.forbidden)));
        for (name, cost, forbidden) in of_nodes.chain(of_volumes) {
            if name.eq_ignore_ascii_case("walkable") {
                continue;
            }
            let statements = areas.statements.entry(name.to_owned()).or_default();
            statements.fixed = statements.fixed.or(cost);
            statements.forbidden |= forbidden;
            statements.always_listed = true;
        }
        areas
    }

    /// Records a definition of an area in the file.
    pub fn note(&mut self, nav: &Nav) {
        if let Some(Mark::Area(name)) = &nav.mark {
            self.note_area(name, nav.cost, nav.forbidden);
        }
    }

    /// Records what a volume in the file says of its area.
    pub fn note_volume(&mut self, volume: &VolumeSpec) {
        if let Some(Mark::Area(name)) = &volume.ground {
            self.note_area(name, volume.cost, volume.forbidden);
        }
    }

    fn note_area(&mut self, name: &str, cost: Option<f32>, forbidden: bool) {
        let statements = self.statements.entry(name.to_owned()).or_default();
        statements.forbidden |= forbidden;
        if let Some(cost) = cost {
            statements.differs |= statements.cost.is_some_and(|known| known != cost);
            statements.cost = Some(statements.cost.map_or(cost, |known| known.max(cost)));
        }
    }

    /// Numbers the areas in use, by name.
    pub fn number<'m>(&mut self, marks: impl Iterator<Item = &'m Mark>) -> Result<(), Fault> {
        let listed = self.statements.iter().filter(|(_, statements)| statements.always_listed);
        let mut used: Vec<String> = listed.map(|(name, _)| name.clone()).collect();
        used.extend(marks.filter_map(|mark| match mark {
            Mark::Area(name) => Some(name.to_string()),
            _ => None,
        }));
        used.sort();
        used.dedup();
        if used.len() > usize::from(u8::MAX) {
            let count = used.len();
            return Err(Fault::file(format!("it has {count} areas; there can be at most 255")));
        }
        self.used = used;
        Ok(())
    }

    /// What a surface with a mark counts as.
    pub fn surface(&self, mark: &Mark, two_sided: bool) -> Surface {
        let area = match mark {
            // The list is at most 255 long.
            Mark::Area(name) => self
                .used
                .binary_search_by(|n| n.as_str().cmp(name))
                .map_or(0, |index| index as u8 + 1),
            _ => 0,
        };
        Surface { area: AreaId(area), obstacle: *mark == Mark::Obstacle, two_sided }
    }

    /// The list for the scene, plain walkable ground first, and what looks like a mistake.
    pub fn list(&self) -> (Vec<Area>, Vec<Warning>) {
        let mut areas = vec![Area::walkable()];
        let mut warnings = Vec::new();
        for name in &self.used {
            let statements = self.statements.get(name);
            let cost = statements
                .and_then(|statements| statements.fixed.or(statements.cost))
                .unwrap_or(1.0);
            let forbidden =
                name == "forbidden" || statements.is_some_and(|statements| statements.forbidden);
            areas.push(Area { name: name.clone(), cost, forbidden });
            if statements.is_some_and(|statements| statements.differs && statements.fixed.is_none())
            {
                let message =
                    format!("the area {name:?} is given several costs; the highest counts");
                warnings.push(Warning { node: String::new(), message });
            }
        }
        (areas, warnings)
    }
}
