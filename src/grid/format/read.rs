//! Reading: turns bytes into the parts of a grid, checked at every step.
//!
//! All section headers are read first, and the memory that the load takes by their lengths is compared
//! with the caller's limit before anything is unpacked.

use std::iter::once;

use super::super::frame::{Cell, Dir, GridFrame};
use super::super::parts::{AgentLayer, FarConnection, GridParts, Provenance, Region};
use super::super::span::Span;
use super::container::{FileSection, PADDING, SectionId, read_sections, u32_at};
use super::error::FormatError;
use super::memory::MemoryLimit;
use super::orders::read_order;
use super::planes::{PlanarRecord, unpack};
use super::scene_records::read_scene;
use super::span_tables::{read_ceilings, read_table};
use super::text::{MetaSection, read_json, read_names};
use super::varint::Varints;
use crate::agent::Agent;
use crate::level::{SpanId, make_ids_unique};
use crate::parallel::{LEAST_SPANS_FOR_THREADS, for_each_job};

/// The parts in the bytes of a file; they still have to be validated.
pub(super) fn read(bytes: &[u8], limit: MemoryLimit) -> Result<GridParts, FormatError> {
    let sections = read_sections(bytes, limit)?;
    let mut next = SectionQueue { sections: &sections, taken: 0, end: bytes.len() };
    let head = Head::read(&next.take(SectionId::whole(b"HEAD"))?)?;
    let section = next.take(SectionId::whole(b"META"))?;
    let mut meta: MetaSection = read_json(&section)?;
    // Before version 4 links had no ids.
    make_ids_unique(&mut meta.links);
    if meta.agents.len() != usize::from(head.agents) {
        let found = meta.agents.len();
        return Err(
            section.damaged(format!("it has {found} agents, the head says {}", head.agents))
        );
    }
    let settings = read_json(&next.take(SectionId::whole(b"SETT"))?)?;
    let nodes = read_names(&next.take(SectionId::whole(b"NODE"))?)?;
    let record = next.take_optional(SectionId::whole(b"SCEN"))?;
    let record = record.as_ref().map(read_scene).transpose()?;
    let first = read_counts(&next.take(SectionId::whole(b"COLS"))?, &head)?;
    let mut whole = |tag| next.take(SectionId::whole(tag));
    let sections = [whole(b"FLOR")?, whole(b"CEIL")?, whole(b"NORM")?, whole(b"GRND")?];
    let mut orders = Vec::new();
    let layers = (0..=u16::MAX).zip(meta.agents).map(|(at, agent)| {
        let sections = LAYER_TAGS.map(|tag| next.take(SectionId { tag, agent: at }));
        let tables = [b"ROOM", b"MEAS", b"ROOF"];
        let [rooms, measures, ceilings] =
            tables.map(|&tag| next.take_optional(SectionId { tag, agent: at }));
        orders.push(next.take_optional(SectionId { tag: *b"ORDR", agent: at }));
        Packed::Layer(Box::new(PackedLayer { agent, sections, rooms, measures, ceilings }))
    });
    let jobs = once(Packed::Spans(sections)).chain(layers).collect();
    let (mut spans, mut layers) = (Vec::new(), Vec::new());
    for done in for_each_job(jobs, head.spans as usize >= LEAST_SPANS_FOR_THREADS, |packed| {
        packed.unpack(&first)
    }) {
        match done? {
            Unpacked::Spans(unpacked) => spans = unpacked,
            Unpacked::Layer(layer) => layers.push(*layer),
        }
    }
    next.finish()?;
    read_orders(orders, &first, &mut layers)?;
    let (scene, scene_hash) = (meta.scene, meta.scene_hash);
    let provenance = Provenance { scene, scene_hash, settings, record };
    let (frame, links, areas) = (head.frame, meta.links, meta.areas);
    Ok(GridParts { frame, first, spans, layers, links, areas, nodes, provenance })
}

/// The sections of a file, taken in the order they have to stand in.
struct SectionQueue<'a> {
    sections: &'a [FileSection<'a>],
    taken: usize,
    /// Length of the file.
    end: usize,
}

impl<'a> SectionQueue<'a> {
    fn take(&mut self, id: SectionId) -> Result<FileSection<'a>, FormatError> {
        match self.sections.get(self.taken) {
            Some(section) if section.id == id => {
                self.taken += 1;
                Ok(*section)
            }
            Some(other) => Err(id.damaged(other.offset, "another section is in its place")),
            None => Err(id.damaged(self.end, "it is missing")),
        }
    }

    /// A section that not every grid or agent has.
    fn take_optional(&mut self, id: SectionId) -> Result<Option<FileSection<'a>>, FormatError> {
        match self.sections.get(self.taken) {
            Some(section) if section.id.tag == id.tag => {
                self.taken += 1;
                if section.id.agent != id.agent {
                    let [found, agent] = [section.id.agent, id.agent];
                    let problem = format!("it belongs to agent {found}, not {agent}");
                    return Err(section.damaged(problem));
                }
                Ok(Some(*section))
            }
            _ => Ok(None),
        }
    }

    /// Nothing but the padding of older versions may follow.
    fn finish(&self) -> Result<(), FormatError> {
        match self.sections.get(self.taken..) {
            None | Some([]) => Ok(()),
            Some([last]) if last.id == PADDING => last.check_padding(),
            Some([extra, ..]) => Err(extra.damaged("the file should end before it")),
        }
    }
}

/// Frame and counts.
struct Head {
    frame: GridFrame,
    spans: u32,
    agents: u16,
}

impl Head {
    const LEN: u64 = 28;

    fn read(section: &FileSection) -> Result<Self, FormatError> {
        if section.raw_len != Self::LEN {
            return Err(section.damaged(format!("it has {} bytes instead of 28", section.raw_len)));
        }
        let raw = section.unpack()?;
        let word = |at: usize| u32_at(&raw, 4 * at);
        let frame = GridFrame {
            cell_size: f32::from_bits(word(0)),
            min: Cell::new(word(1) as i32, word(2) as i32),
            size_x: word(3),
            size_z: word(4),
        };
        let agents = u16::try_from(word(6))
            .map_err(|_| section.damaged(format!("it has {} agents, at most 65535", word(6))))?;
        Ok(Head { frame, spans: word(5), agents })
    }

    fn cells(&self) -> u64 {
        u64::from(self.frame.size_x) * u64::from(self.frame.size_z)
    }
}

/// Reads the number of spans in each column, and adds them up.
fn read_counts(section: &FileSection, head: &Head) -> Result<Vec<u32>, FormatError> {
    let cells = head.cells();
    if !(cells..=cells.saturating_mul(5)).contains(&section.raw_len) {
        return Err(
            section.damaged(format!("it has {} bytes for {cells} columns", section.raw_len))
        );
    }
    let raw = section.unpack()?;
    let mut first = Vec::with_capacity(cells as usize + 1);
    first.push(0);
    let (mut numbers, mut sum) = (Varints(&raw), 0);
    while !numbers.is_empty() {
        let Some(count) = numbers.next() else {
            return Err(section.damaged("a count is cut short or too long"));
        };
        sum += count;
        if sum > u64::from(head.spans) || first.len() as u64 > cells {
            return Err(section.damaged("it counts more spans or columns than the head says"));
        }
        first.push(sum as u32);
    }
    if first.len() as u64 != cells + 1 || sum != u64::from(head.spans) {
        return Err(section.damaged("it counts fewer spans or columns than the head says"));
    }
    Ok(first)
}

/// The sections of an agent: connections, states, far connections, sizes of regions.
const LAYER_TAGS: [[u8; 4]; 4] = [*b"STEP", *b"STAT", *b"FARS", *b"REGN"];

/// The sections that hold most of a file.
enum Packed<'a> {
    Spans([FileSection<'a>; 4]),
    Layer(Box<PackedLayer<'a>>),
}

/// The sections of an agent.
struct PackedLayer<'a> {
    agent: Agent,
    sections: [Result<FileSection<'a>, FormatError>; 4],
    /// Its rooms, if the file has any.
    rooms: Result<Option<FileSection<'a>>, FormatError>,
    /// What was measured beside its spans, likewise.
    measures: Result<Option<FileSection<'a>>, FormatError>,
    /// The low ceilings among them, likewise.
    ceilings: Result<Option<FileSection<'a>>, FormatError>,
}

enum Unpacked {
    Spans(Vec<Span>),
    Layer(Box<AgentLayer>),
}

impl Packed<'_> {
    fn unpack(self, first: &[u32]) -> Result<Unpacked, FormatError> {
        match self {
            Packed::Spans(sections) => Ok(Unpacked::Spans(read_records(sections, first)?)),
            Packed::Layer(layer) => Ok(Unpacked::Layer(Box::new(layer.unpack(first)?))),
        }
    }
}

impl PackedLayer<'_> {
    fn unpack(self, first: &[u32]) -> Result<AgentLayer, FormatError> {
        let PackedLayer { agent, sections, rooms, measures, ceilings } = self;
        let [connections, states, far_connections, regions] = sections;
        let standings = read_records([connections?, states?], first)?;
        let far_connections = read_list(&far_connections?, far_connection)?;
        let size = |bytes: &[u8; 4]| Some(Region { spans: u32::from_le_bytes(*bytes) });
        let regions = read_list(&regions?, size)?;
        let spans = standings.len();
        let rooms = rooms?.map(|section| read_table(&section, spans)).transpose()?;
        let rooms = rooms.unwrap_or_default();
        let measures = measures?.map(|section| read_table(&section, spans)).transpose()?;
        let mut measures = measures.unwrap_or_default();
        ceilings?.map(|section| read_ceilings(&section, &mut measures)).transpose()?;
        Ok(AgentLayer { agent, standings, far_connections, regions, rooms, measures, order: None })
    }
}

/// One record for each span, from a section for each of its words.
fn read_records<T: PlanarRecord, const N: usize>(
    sections: [FileSection; N],
    first: &[u32],
) -> Result<Vec<T>, FormatError> {
    let spans = first[first.len() - 1];
    let mut planes = [const { Vec::new() }; N];
    for (section, planes) in sections.into_iter().zip(&mut planes) {
        if section.raw_len != 4 * u64::from(spans) {
            return Err(
                section.damaged(format!("it has {} bytes for {spans} spans", section.raw_len))
            );
        }
        *planes = section.unpack()?;
    }
    Ok(unpack(&planes, first))
}

/// Reads records of a fixed length, one after another.
fn read_list<T, const N: usize>(
    section: &FileSection,
    read: impl Fn(&[u8; N]) -> Option<T>,
) -> Result<Vec<T>, FormatError> {
    let raw = section.unpack()?;
    let (records, rest) = raw.as_chunks::<N>();
    let list: Option<Vec<T>> = records.iter().map(read).collect();
    match list {
        Some(list) if rest.is_empty() => Ok(list),
        _ => Err(section.damaged("its records cannot be read")),
    }
}

fn far_connection(bytes: &[u8; 9]) -> Option<FarConnection> {
    let dir = *Dir::ALL.get(usize::from(bytes[4]))?;
    let (from, to) = (SpanId(u32_at(bytes, 0)), SpanId(u32_at(bytes, 5)));
    Some(FarConnection { from, dir, to })
}

/// Gives each agent its order, if it has one.
fn read_orders(
    orders: Vec<Result<Option<FileSection>, FormatError>>,
    first: &[u32],
    layers: &mut [AgentLayer],
) -> Result<(), FormatError> {
    let with_order = |(layer, order): (_, Result<_, _>)| Some((layer, order.transpose()?));
    let jobs: Vec<_> = layers.iter_mut().zip(orders).filter_map(with_order).collect();
    let read = |(layer, section): (&mut AgentLayer, Result<FileSection, _>)| {
        layer.order = Some(read_order(&section?, first)?);
        Ok(())
    };
    for_each_job(jobs, first[first.len() - 1] as usize >= LEAST_SPANS_FOR_THREADS, read)
        .into_iter()
        .collect()
}
