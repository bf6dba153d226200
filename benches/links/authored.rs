//! The lifts, teleporters and moving floors of levels whose files have none: links in a file for each level
//! in this folder, which `bake --config` reads as well.

use serde::Deserialize;
use surefoot::grid::LinkKind;
use surefoot_bake::scene::{LinkMarker, SceneMarks};
use surefoot_testing::repository;

#[derive(Deserialize)]
struct LinkFile {
    links: Vec<GivenLink>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenLink {
    name: String,
    from: [f32; 3],
    to: [f32; 3],
    #[serde(default)]
    kind: LinkKind,
    #[serde(default)]
    one_way: bool,
    #[serde(default)]
    width: f32,
}

/// The links of a level, by the name of its file; `None` if the folder has none.
pub fn marks(level: &str) -> Option<SceneMarks> {
    let stem = level.split('.').next().unwrap_or(level);
    let path = repository().join("benches/links").join(stem).with_extension("toml");
    let text = std::fs::read_to_string(path).ok()?;
    let file: LinkFile = toml::from_str(&text).unwrap_or_else(|error| panic!("{level}: {error}"));
    let links = file.links.into_iter().map(GivenLink::marker).collect();
    Some(SceneMarks { links, ..SceneMarks::default() })
}

impl GivenLink {
    fn marker(self) -> LinkMarker {
        LinkMarker {
            name: self.name,
            from: self.from.into(),
            to: self.to.into(),
            kind: self.kind,
            two_way: !self.one_way,
            ..LinkMarker::default()
        }
        .wide(self.width)
    }
}
