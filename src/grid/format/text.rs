//! The text sections: agents, areas, links, settings and names.

use serde::{Deserialize, Serialize};

use super::super::parts::GridParts;
use super::container::FileSection;
use super::error::FormatError;
use crate::agent::Agent;
use crate::level::{Area, Link};

/// The section `META`: agents, areas, links and where the grid came from, but not the settings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MetaSection {
    pub agents: Vec<Agent>,
    pub areas: Vec<Area>,
    pub links: Vec<Link>,
    pub scene: String,
    pub scene_hash: String,
}

impl MetaSection {
    pub(super) fn new(parts: &GridParts) -> Self {
        MetaSection {
            agents: parts.layers.iter().map(|layer| layer.agent.clone()).collect(),
            areas: parts.areas.clone(),
            links: parts.links.clone(),
            scene: parts.provenance.scene.clone(),
            scene_hash: parts.provenance.scene_hash.clone(),
        }
    }
}

/// Reads a section of JSON.
pub(super) fn read_json<T: serde::de::DeserializeOwned>(
    section: &FileSection,
) -> Result<T, FormatError> {
    let raw = section.unpack()?;
    serde_json::from_slice(&raw).map_err(|error| section.damaged(error.to_string()))
}

/// Names, each as its length in bytes and its UTF-8 bytes.
pub(super) fn pack_names(names: &[String]) -> Vec<u8> {
    let mut raw = Vec::new();
    for name in names {
        raw.extend((name.len() as u32).to_le_bytes());
        raw.extend(name.as_bytes());
    }
    raw
}

/// The inverse of [`pack_names`].
pub(super) fn read_names(section: &FileSection) -> Result<Vec<String>, FormatError> {
    let raw = section.unpack()?;
    let mut rest = &raw[..];
    let mut names = Vec::new();
    while let Some((len, after)) = rest.split_first_chunk::<4>() {
        let len = u32::from_le_bytes(*len) as usize;
        let name = after.get(..len).and_then(|name| std::str::from_utf8(name).ok());
        let Some(name) = name else {
            return Err(section.damaged(format!("name {} is cut short or not UTF-8", names.len())));
        };
        names.push(name.to_owned());
        rest = &after[len..];
    }
    if !rest.is_empty() {
        return Err(section.damaged("the length of its last name is cut short"));
    }
    Ok(names)
}
