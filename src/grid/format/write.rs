//! Writing: turns a grid into bytes.

use super::super::frame::GridFrame;
use super::super::parts::{AgentLayer, FarConnection, GridError, GridParts, Region};
use super::container::{SectionId, Writer};
use super::error::FormatError;
use super::orders::pack_order;
use super::planes::pack;
use super::scene_records::pack_scene;
use super::span_tables::{pack_ceilings, pack_table};
use super::text::{MetaSection, pack_names};
use super::varint::push_varint;

/// The bytes of a file for validated parts.
pub(super) fn write(parts: &GridParts) -> Result<Vec<u8>, FormatError> {
    let meta = json("about", &MetaSection::new(parts))?;
    let settings = json("provenance.settings", &parts.provenance.settings)?;
    // Settings that nest deeper than the reader allows would make a file that never loads.
    serde_json::from_slice::<serde_json::Value>(&settings)
        .map_err(|e| unwritable("settings", e))?;
    let names = pack_names(&parts.nodes);
    let mut file = Writer::new();
    file.required(SectionId::whole(b"HEAD"), &head(&parts.frame, parts));
    file.required(SectionId::whole(b"META"), &meta);
    file.required(SectionId::whole(b"SETT"), &settings);
    file.required(SectionId::whole(b"NODE"), &names);
    if let Some(record) = &parts.provenance.record {
        file.ignorable(SectionId::whole(b"SCEN"), &pack_scene(record));
    }
    file.required(SectionId::whole(b"COLS"), &counts(&parts.first));
    let first = &parts.first;
    let spans = &parts.spans;
    file.required(SectionId::whole(b"FLOR"), &pack(spans, first, 0));
    file.required(SectionId::whole(b"CEIL"), &pack(spans, first, 1));
    file.required(SectionId::whole(b"NORM"), &pack(spans, first, 2));
    file.required(SectionId::whole(b"GRND"), &pack(spans, first, 3));
    for (agent, layer) in parts.layers.iter().enumerate() {
        write_layer(&mut file, agent as u16, layer, first);
    }
    Ok(file.finish())
}

/// Writes one agent's sections.
fn write_layer(file: &mut Writer, agent: u16, layer: &AgentLayer, first: &[u32]) {
    let id = |tag: &[u8; 4]| SectionId { tag: *tag, agent };
    let standings = &layer.standings;
    let far: Vec<u8> = layer.far_connections.iter().flat_map(far_bytes).collect();
    let size = |region: &Region| region.spans.to_le_bytes();
    let regions: Vec<u8> = layer.regions.iter().flat_map(size).collect();
    file.required(id(b"STEP"), &pack(standings, first, 0));
    file.required(id(b"STAT"), &pack(standings, first, 1));
    file.required(id(b"FARS"), &far);
    file.required(id(b"REGN"), &regions);
    if !layer.rooms.is_empty() {
        file.ignorable(id(b"ROOM"), &pack_table(&layer.rooms, standings.len()));
    }
    if !layer.measures.is_empty() {
        file.ignorable(id(b"MEAS"), &pack_table(&layer.measures, standings.len()));
        if let Some(ceilings) = pack_ceilings(&layer.measures) {
            file.ignorable(id(b"ROOF"), &ceilings);
        }
    }
    if let Some(order) = &layer.order {
        file.ignorable(id(b"ORDR"), &pack_order(order, first));
    }
}

fn head(frame: &GridFrame, parts: &GridParts) -> Vec<u8> {
    let counts = [parts.spans.len() as u32, parts.layers.len() as u32];
    let min = [frame.min.x, frame.min.z].map(|v| v as u32);
    let words = [frame.cell_size.to_bits(), min[0], min[1], frame.size_x, frame.size_z];
    words.into_iter().chain(counts).flat_map(u32::to_le_bytes).collect()
}

/// The number of spans in each column.
fn counts(first: &[u32]) -> Vec<u8> {
    let mut raw = Vec::with_capacity(first.len());
    for column in first.windows(2) {
        push_varint(&mut raw, u64::from(column[1] - column[0]));
    }
    raw
}

fn far_bytes(far: &FarConnection) -> [u8; 9] {
    let mut bytes = [0; 9];
    bytes[0..4].copy_from_slice(&far.from.0.to_le_bytes());
    bytes[4] = far.dir.index() as u8;
    bytes[5..9].copy_from_slice(&far.to.0.to_le_bytes());
    bytes
}

fn json(place: &str, value: &impl serde::Serialize) -> Result<Vec<u8>, FormatError> {
    serde_json::to_vec(value).map_err(|error| unwritable(place, error))
}

fn unwritable(place: &str, error: serde_json::Error) -> FormatError {
    let problem = format!("it cannot be written as JSON: {error}");
    FormatError::Invalid(GridError { place: place.to_owned(), problem })
}
