//! Provides random layered grids: storeys that overlap, ramps, towers, holes, links.

use nalgebra::{Point3, Vector3};

use crate::agent::Agent;
use crate::grid::baker::{ConnectionWriter, SpanLayer, finish_layer, two_way_ends};
use crate::grid::{
    AgentId, AgentLayer, Area, AreaId, Cell, Dir, GridFrame, GridParts, Link, LinkKind, LinkLane,
    Measures, NavGrid, NodeId, Rooms, Span, SpanId, Standing, Verdict, bare_parts,
};

use crate::tests::search::random::Random;

/// The only agent of these grids.
pub(crate) const AGENT: AgentId = AgentId(0);
/// Floors of one column are at least so far apart [m].
pub(super) const APART: f32 = 0.5;

/// A layered grid of up to 12 by 12 columns.
pub(crate) fn layered(random: &mut Random) -> NavGrid {
    let size = |random: &mut Random| 1 + random.below(12) as u32;
    let frame = GridFrame {
        cell_size: random.pick(&[0.25, 0.3, 0.5, 1.0]),
        min: Cell::new(random.below(99) as i32 - 50, random.below(99) as i32 - 50),
        size_x: size(random),
        size_z: size(random),
    };
    let mut parts = GridParts { areas: areas(random), ..bare_parts(frame) };
    raise(&mut parts, random);
    let standings = parts.spans.iter().map(|span| standing(&parts, span, random)).collect();
    let climb = random.pick(&[0.2, 0.4, 0.7]);
    let mut layer = AgentLayer {
        agent: Agent { max_climb: climb, ..Agent::new("walker") },
        standings,
        far_connections: Vec::new(),
        regions: Vec::new(),
        rooms: Rooms::default(),
        measures: Measures::default(),
        order: None,
    };
    let table = joined(&parts, &layer, random);
    write(&parts, &table, &mut layer);
    add_links(&mut parts, &layer, random);
    let two_way = two_way_ends(&parts.links, AGENT);
    finish_layer(&parts.frame, &parts.first, &two_way, &mut layer).expect("few regions");
    parts.layers.push(layer);
    NavGrid::new(parts).expect("a sound grid")
}

/// One level floor of 1 m cells with holes; so many in a hundred.
pub(crate) fn flat(size: [u32; 2], holes: usize, random: &mut Random) -> NavGrid {
    let frame =
        GridFrame { cell_size: 1.0, min: Cell::new(-2, 3), size_x: size[0], size_z: size[1] };
    let mut height = |_| if random.chance(holes) { f32::NAN } else { 0.0 };
    let heights: Vec<f32> = (0..frame.cells()).map(&mut height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("sound heights")
}

/// Plain ground, three kinds that cost something else, and one where nobody may stand.
fn areas(random: &mut Random) -> Vec<Area> {
    let mut areas = vec![Area::walkable()];
    for name in ["mud", "road", "sand", "lava"] {
        let cost = random.between(0.3, 8.0);
        areas.push(Area { name: name.to_owned(), cost, forbidden: name == "lava" });
    }
    areas
}

/// Fills the columns with floors: storeys on a ramp, each floor off by some random height; or, on
/// some grids, level ones with patches of other ground.
fn raise(parts: &mut GridParts, random: &mut Random) {
    let storey = random.between(0.8, 3.0);
    let is_level = random.chance(25);
    let wobble = if is_level { 0.0 } else { random.pick(&[0.0, 0.1, 0.4]) };
    let slope = if is_level { 0.0 } else { 0.3 };
    let ramp = [0; 2].map(|_| random.between(-slope, slope));
    let one_kind = random.chance(30);
    let size_x = parts.frame.size_x as usize;
    for index in 0..parts.frame.cells() {
        let depth = match random.below(200) {
            0 => 12,
            lot if is_level => 1 + lot / 190,
            lot => random.pick(&[0, 1, 1, 1, 2, 2, 3]).min(lot),
        };
        let along = [(index % size_x) as f32, (index / size_x) as f32];
        let base = ramp[0] * along[0] + ramp[1] * along[1] - 2.0;
        let mut below = f32::NEG_INFINITY;
        let mut floors = Vec::new();
        for level in 0..depth {
            let floor = base + storey * level as f32 + random.between(-wobble, wobble);
            below = floor.max(below + APART);
            floors.push(below);
        }
        for (at, &floor) in floors.iter().enumerate() {
            let ceiling = floors.get(at + 1).map_or(f32::INFINITY, |above| above - 0.1);
            let tilt = slope / 3.0;
            let rise = ramp.map(|v| v / parts.frame.cell_size + random.between(-tilt, tilt));
            let normal = Vector3::new(-rise[0], 1.0, -rise[1]).normalize();
            let is_plain = one_kind || !is_level && random.chance(60);
            let patch = (index % size_x / 5 + index / size_x / 6) % 4;
            let other = if is_level { patch } else { random.below(5) };
            let area = if is_plain { 0 } else { other };
            let span = Span::new(floor, ceiling, normal);
            parts.spans.push(span.on(AreaId(area as u8), NodeId::NONE));
        }
        parts.first.push(parts.spans.len() as u32);
    }
}

fn standing(parts: &GridParts, span: &Span, random: &mut Random) -> Standing {
    if parts.areas[usize::from(span.area().0)].forbidden {
        Standing::new(Verdict::Forbidden)
    } else if random.chance(7) {
        Standing::new(Verdict::Obstacle(NodeId::NONE))
    } else {
        Standing::WALKABLE
    }
}

/// For each span where its steps lead.
pub(super) type Table = Vec<[Option<u32>; 8]>;

/// Steps between floors that differ by no more than the climb, some left out; diagonal ones where
/// both ways round the corner are there.
fn joined(parts: &GridParts, layer: &AgentLayer, random: &mut Random) -> Table {
    let mut table = vec![[None; 8]; parts.spans.len()];
    let gaps = random.pick(&[0, 3, 15]);
    let straight = [Dir::ALL[0], Dir::ALL[2]];
    for (index, dir) in pairs(parts, straight) {
        for from in column(parts, index) {
            let Some(to) = neighbor(parts, index, dir) else { continue };
            let fits = |to: &u32| {
                let rise = parts.spans[*to as usize].floor - parts.spans[from as usize].floor;
                let stands = [from, *to].map(|span| layer.standings[span as usize].is_walkable());
                rise.abs() <= layer.agent.max_climb
                    && stands == [true; 2]
                    && table[*to as usize][dir.opposite().index()].is_none()
            };
            let found: Vec<u32> = column(parts, to).filter(fits).collect();
            if !found.is_empty() && !random.chance(gaps) {
                join(&mut table, dir, [from, random.pick(&found)]);
            }
        }
    }
    let diagonal = [Dir::ALL[1], Dir::ALL[3]];
    for (index, dir) in pairs(parts, diagonal) {
        for from in column(parts, index) {
            let by = |a: Dir, b: Dir| table[table[from as usize][a.index()]? as usize][b.index()];
            let (left, right) = (dir.turned(7), dir.turned(1));
            let (one, other) = (by(left, right), by(right, left));
            if let Some(to) = one.filter(|_| one == other && !random.chance(gaps)) {
                join(&mut table, dir, [from, to]);
            }
        }
    }
    table
}

/// Each column with each of two directions.
pub(super) fn pairs(
    parts: &GridParts,
    dirs: [Dir; 2],
) -> impl Iterator<Item = (usize, Dir)> + use<> {
    (0..parts.frame.cells()).flat_map(move |index| dirs.map(|dir| (index, dir)))
}

pub(super) fn column(parts: &GridParts, index: usize) -> std::ops::Range<u32> {
    parts.first[index]..parts.first[index + 1]
}

pub(super) fn neighbor(parts: &GridParts, index: usize, dir: Dir) -> Option<usize> {
    parts.frame.index(parts.frame.cell(index).neighbor(dir))
}

pub(super) fn join(table: &mut Table, dir: Dir, [from, to]: [u32; 2]) {
    table[from as usize][dir.index()] = Some(to);
    table[to as usize][dir.opposite().index()] = Some(from);
}

pub(super) fn write(parts: &GridParts, table: &Table, layer: &mut AgentLayer) {
    let mut writer = ConnectionWriter::default();
    let place = |span: u32| {
        let index = parts.first.partition_point(|&first| first <= span) - 1;
        SpanLayer { span: SpanId(span), layer: span - parts.first[index] }
    };
    for (from, targets) in (0..).zip(table) {
        for (dir, to) in Dir::ALL.into_iter().zip(targets) {
            if let Some(to) = *to {
                let ends = [place(from), place(to)];
                writer.write(&mut layer.standings[from as usize], dir, ends);
            }
        }
    }
    layer.far_connections = writer.far_connections;
}

/// Up to 6 links, some of which cost nothing.
pub(super) fn add_links(parts: &mut GridParts, layer: &AgentLayer, random: &mut Random) {
    let walkable = |span: &u32| layer.standings[*span as usize].is_walkable();
    let ends: Vec<u32> = (0..parts.spans.len() as u32).filter(walkable).collect();
    if ends.is_empty() {
        return;
    }
    for number in 0..random.pick(&[0, 0, 1, 2, 4, 6]) {
        let pair = [0; 2].map(|_| random.pick(&ends));
        let [from, to] = pair.map(|span| link_point(parts, span, random));
        let most = random.pick(&[0.0, 0.0, 2.0, 20.0, 1000.0]);
        let kinds = [LinkKind::Jump, LinkKind::Drop, LinkKind::Ladder, LinkKind::Door];
        let link = Link {
            two_way: random.chance(60),
            cost: random.between(0.0, most),
            lanes: vec![lanes(pair, &ends, random)],
            ..Link::new(format!("link {number}"), random.pick(&kinds), [from, to])
        };
        let to = if link.lanes[0].len() > 1 { [to, to + Vector3::x()] } else { [to; 2] };
        let link = Link { to, ..link };
        parts.links.push(link);
    }
}

/// No lane, one, or several of a wide link.
fn lanes(pair: [u32; 2], ends: &[u32], random: &mut Random) -> Vec<LinkLane> {
    if random.chance(10) {
        return Vec::new();
    }
    let mut lanes = vec![LinkLane::new(pair.map(SpanId))];
    for _ in 0..random.pick(&[0, 0, 3]) {
        let lane = LinkLane::new([0; 2].map(|_| SpanId(random.pick(ends))));
        if !lanes.contains(&lane) {
            lanes.push(lane);
        }
    }
    lanes
}

/// The center of a span's cell, a place in the cell, or one next to it.
fn link_point(parts: &GridParts, span: u32, random: &mut Random) -> Point3<f32> {
    let index = parts.first.partition_point(|&first| first <= span) - 1;
    let center = parts.frame.point(parts.frame.cell(index), parts.spans[span as usize].floor);
    let off = parts.frame.cell_size * random.pick(&[0.0, 0.0, 0.0, 0.45, 0.8]);
    center + Vector3::new(random.between(-off, off), 0.0, random.between(-off, off))
}
