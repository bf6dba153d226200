//! The areas of a world: those of all files and of the marks, merged by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use surefoot::grid::{Area, AreaId};
use surefoot_bake::scene::{SceneError, SceneMarks, Volume, VolumeEffect};

use crate::fault::in_file;
use crate::terrain::HeightFileOptions;

/// What is said of each area.
#[derive(Default)]
pub struct AreaList {
    known: BTreeMap<String, Statement>,
}

/// What is said of an area.
#[derive(Default)]
struct Statement {
    /// The marks name it.
    is_marked: bool,
    /// The marks say what it costs: that is stronger than files.
    is_fixed: bool,
    cost: Option<f32>,
    forbidden: bool,
    /// Who said it.
    file: PathBuf,
}

const MOST: usize = 256;

impl AreaList {
    /// Starts with the areas of the marks.
    pub fn new(marks: &SceneMarks) -> Self {
        let mut list = AreaList::default();
        let of_nodes =
            marks.areas.iter().map(|mark| (mark.name.as_str(), mark.cost, mark.forbidden));
        let of_volumes = marks.volumes.iter().filter_map(|mark| {
            let named = mark.area.as_deref().or(mark.forbidden.then_some("forbidden"))?;
            (!mark.clear).then_some((named, mark.cost, mark.forbidden))
        });
        for (name, cost, forbidden) in of_nodes.chain(of_volumes) {
            if name.eq_ignore_ascii_case("walkable") {
                continue;
            }
            let statement = list.known.entry(name.to_owned()).or_default();
            statement.is_marked = true;
            statement.cost = statement.cost.or(cost);
            statement.forbidden |= forbidden || name == "forbidden";
            statement.is_fixed |= cost.is_some() || forbidden;
        }
        list
    }

    /// Adds the areas of a scene.
    ///
    /// # Errors
    /// Another file says something else of one.
    pub fn add(&mut self, file: &Path, areas: &[Area]) -> Result<(), SceneError> {
        areas.iter().skip(1).try_for_each(|area| {
            // The loader lists every area of the marks, also one of which the file says nothing.
            let is_plain = area.cost == 1.0 && !area.forbidden;
            let is_marked = self.known.get(&area.name).is_some_and(|known| known.is_marked);
            let cost = (!(is_plain && is_marked)).then_some(area.cost);
            self.note(file, &area.name, Said { cost, forbidden: area.forbidden })
        })
    }

    /// Adds the area of a height file, if it names one.
    ///
    /// # Errors
    /// Another file says something else of it, or it makes no sense.
    pub fn add_terrain(
        &mut self,
        file: &Path,
        options: &HeightFileOptions,
    ) -> Result<(), SceneError> {
        let HeightFileOptions { area, cost, forbidden, .. } = options;
        let Some(area) = area else {
            if cost.is_some() || *forbidden {
                let problem = "its cost has no effect without an area; name one";
                return Err(in_file(file, problem));
            }
            return Ok(());
        };
        let is = |word: &str| area.eq_ignore_ascii_case(word);
        if area.is_empty() || is("ignore") || is("obstacle") {
            let problem = format!("{area:?} is no name of an area; use another");
            return Err(in_file(file, problem));
        }
        if cost.is_some_and(|cost| !(cost > 0.0 && cost.is_finite())) {
            let problem = format!("a metre of its area costs {cost:?}; it must be more than 0");
            return Err(in_file(file, problem));
        }
        if is("walkable") {
            if cost.is_some_and(|cost| cost != 1.0) || *forbidden {
                let problem = "walkable ground always costs 1; give the area another name";
                return Err(in_file(file, problem));
            }
            return Ok(());
        }
        let forbidden = *forbidden || area == "forbidden";
        let cost = cost.or(forbidden.then_some(1.0));
        self.note(file, area, Said { cost, forbidden })
    }

    fn note(&mut self, file: &Path, name: &str, said: Said) -> Result<(), SceneError> {
        let known = self.known.entry(name.to_owned()).or_default();
        if known.is_fixed {
            return Ok(());
        }
        let Some(cost) = said.cost else { return Ok(()) };
        let Some(first) = known.cost else {
            (known.cost, known.forbidden) = (Some(cost), said.forbidden || known.forbidden);
            file.clone_into(&mut known.file);
            return Ok(());
        };
        if first == cost && known.forbidden == said.forbidden {
            return Ok(());
        }
        let words = |cost: f32, forbidden: bool| match forbidden {
            true => "is forbidden".to_owned(),
            false => format!("costs {cost}"),
        };
        let problem = format!(
            "the area {name:?} {} here, but {} in {}; make them equal, or set it for all in an \
             [[areas]] mark",
            words(cost, said.forbidden),
            words(first, known.forbidden),
            known.file.display()
        );
        Err(in_file(file, problem))
    }

    /// Returns all areas: plain walkable ground, then the others by name.
    ///
    /// # Errors
    /// There are too many.
    pub fn areas(&self) -> Result<Vec<Area>, SceneError> {
        let named = self.known.iter().map(|(name, known)| Area {
            name: name.clone(),
            cost: known.cost.unwrap_or(1.0),
            forbidden: known.forbidden,
        });
        let areas: Vec<Area> = std::iter::once(Area::walkable()).chain(named).collect();
        if areas.len() > MOST {
            let problem = format!("a world has at most {MOST} areas; this one has {}", areas.len());
            return Err(SceneError::Part { name: "areas".to_owned(), problem });
        }
        Ok(areas)
    }
}

/// What a file says of an area.
struct Said {
    /// `None` leaves it to others.
    cost: Option<f32>,
    forbidden: bool,
}

/// Returns the area of a list with a name.
pub fn id(areas: &[Area], name: &str) -> Option<AreaId> {
    let name = if name.eq_ignore_ascii_case("walkable") { "walkable" } else { name };
    areas.iter().position(|area| area.name == name).map(|index| AreaId(index as u8))
}

/// Returns a volume with its area by another list.
pub fn renumbered(volume: &Volume, from: &[Area], to: &[Area]) -> Volume {
    let effect = match volume.effect {
        VolumeEffect::Area(area) => {
            let name = from.get(area.index()).map_or("", |area| area.name.as_str());
            VolumeEffect::Area(id(to, name).unwrap_or_default())
        }
        VolumeEffect::Clear => VolumeEffect::Clear,
    };
    Volume { effect, ..volume.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_bake::scene::AreaMark;

    fn area(name: &str, cost: f32, forbidden: bool) -> Vec<Area> {
        vec![Area::walkable(), Area { name: name.to_owned(), cost, forbidden }]
    }

    #[test]
    fn files_have_to_agree() {
        let mut list = AreaList::new(&SceneMarks::default());
        let [a, b] = ["a.glb", "b.glb"].map(Path::new);
        list.add(a, &area("mud", 2.0, false)).expect("the first");
        list.add(b, &area("mud", 2.0, false)).expect("the same");
        let error = list.add(b, &area("mud", 3.0, false)).expect_err("another").to_string();
        assert!(
            error.starts_with("b.glb: the area \"mud\" costs 3 here, but costs 2 in a.glb"),
            "{error}"
        );
        let error = list.add(b, &area("mud", 2.0, true)).expect_err("another").to_string();
        assert!(error.contains("is forbidden here"), "{error}");
    }

    #[test]
    fn marks_are_stronger_than_files() {
        let mark =
            |name: &str, cost| AreaMark { name: name.to_owned(), cost, ..AreaMark::default() };
        let areas = vec![mark("mud", Some(4.0)), mark("sand", None)];
        let mut list = AreaList::new(&SceneMarks { areas, ..SceneMarks::default() });
        let [a, b, c] = ["a.glb", "b.glb", "c.npy"].map(Path::new);
        list.add(a, &area("mud", 2.0, false)).expect("mud");
        list.add(a, &area("sand", 1.0, false)).expect("says nothing");
        list.add(b, &area("sand", 3.0, false)).expect("sand");
        let options = HeightFileOptions { area: Some("sand".to_owned()), ..Default::default() };
        list.add_terrain(c, &options).expect("says nothing");
        let areas = list.areas().expect("few areas");
        let found: Vec<_> = areas.iter().map(|area| (area.name.as_str(), area.cost)).collect();
        assert_eq!(found, [("walkable", 1.0), ("mud", 4.0), ("sand", 3.0)]);
    }

    #[test]
    fn areas_of_terrains_that_make_no_sense() {
        let refused = |area: Option<&str>, cost, words: &str| {
            let mut list = AreaList::new(&SceneMarks::default());
            let area = area.map(str::to_owned);
            let options = HeightFileOptions { area, cost, ..Default::default() };
            let error =
                list.add_terrain(Path::new("a.npy"), &options).expect_err(words).to_string();
            assert!(error.starts_with("a.npy: ") && error.contains(words), "{error}");
        };
        refused(None, Some(2.0), "no effect without an area");
        refused(Some("obstacle"), None, "no name of an area");
        refused(Some(""), None, "no name of an area");
        refused(Some("mud"), Some(0.0), "it must be more than 0");
        refused(Some("Walkable"), Some(2.0), "always costs 1");
    }
}
