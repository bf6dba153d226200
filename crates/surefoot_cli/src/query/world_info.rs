//! What `surefoot info` says of a world of tiles.

use serde::Serialize;
use surefoot::Agent;
use surefoot::grid::Area;
use surefoot::world::{World, WorldLink, WorldSummary};
use surefoot_report::degrees;

use super::info::{LinkInfo, SceneInfo, area_line, setting_lines};
use super::regions::RegionReport;

/// What `info --json` prints of a world.
#[derive(Serialize)]
pub struct WorldReport<'a> {
    path: String,
    world: WorldFigures<'a>,
    agents: &'a [Agent],
    areas: &'a [Area],
    /// Those of the author.
    links: Vec<LinkInfo<'a>>,
    sections: Vec<SectionFigures>,
    /// One for each agent, if the world has border costs.
    borders: Vec<BorderFigures<'a>>,
    /// Only if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regions: Option<Vec<RegionReport<'a>>>,
    scene: SceneInfo<'a>,
    /// The settings of the bake.
    settings: &'a serde_json::Value,
}

/// The `world` of the report.
#[derive(Serialize)]
struct WorldFigures<'a> {
    name: &'a str,
    version: u32,
    bytes: u64,
    cell_size: f32,
    size_x: u32,
    size_z: u32,
    /// Least and greatest x and z [m].
    bounds: [f32; 4],
    tile_side: u32,
    tiles: u64,
    stored_tiles: u64,
    tile_bytes: u64,
    spans: u64,
    load_bytes: u64,
}

/// A section of the file.
#[derive(Serialize)]
struct SectionFigures {
    tag: String,
    bytes: u64,
}

/// What it costs to cross tiles, for one agent.
#[derive(Serialize)]
struct BorderFigures<'a> {
    agent: &'a str,
    gates: usize,
    /// Memory that they take [bytes].
    bytes: usize,
}

/// The section of border costs.
const BORDERS: &str = "BORD";

impl<'a> WorldReport<'a> {
    /// A report on a world of a file. Reads the directory and the border costs, and no tile.
    ///
    /// # Errors
    /// The world cannot be read.
    pub fn new(path: String, world: &'a World, summary: WorldSummary) -> anyhow::Result<Self> {
        let info = world.info();
        let ([x0, z0], [x1, z1]) = info.frame.bounds();
        let has_borders = summary.sections.iter().any(|section| section.tag == BORDERS);
        let agents = info.agents.iter().filter(|_| has_borders).map(|agent| {
            let routes = world.far_routes(&agent.name)?;
            let (gates, bytes) = (routes.gates(), routes.bytes());
            anyhow::Ok(BorderFigures { agent: &agent.name, gates, bytes })
        });
        let sections = summary.sections.into_iter();
        let provenance = &info.provenance;
        Ok(WorldReport {
            path,
            world: WorldFigures {
                name: &info.name,
                version: summary.version,
                bytes: summary.bytes,
                cell_size: info.frame.cell_size,
                size_x: info.frame.size_x,
                size_z: info.frame.size_z,
                bounds: [x0, z0, x1, z1],
                tile_side: info.tile_side,
                tiles: summary.tiles,
                stored_tiles: summary.stored_tiles,
                tile_bytes: summary.tile_bytes,
                spans: summary.spans,
                load_bytes: summary.load_bytes,
            },
            agents: &info.agents,
            areas: &info.areas,
            links: info.links.iter().map(|link| link_info(link, &info.agents)).collect(),
            borders: agents.collect::<anyhow::Result<_>>()?,
            sections: sections
                .map(|section| SectionFigures { tag: section.tag, bytes: section.bytes })
                .collect(),
            regions: None,
            scene: SceneInfo { file: &provenance.scene, hash: &provenance.scene_hash },
            settings: &provenance.settings,
        })
    }

    /// Whether there is any floor.
    pub fn has_ground(&self) -> bool {
        self.world.spans > 0
    }

    /// The report in lines.
    pub fn text(&self) -> String {
        let WorldFigures { name, version, bytes, tiles, stored_tiles, .. } = &self.world;
        let WorldFigures { tile_side, tile_bytes, spans, load_bytes, .. } = &self.world;
        let mut lines = vec![
            format!("file      {}: {bytes} bytes, a world of version {version}", self.path),
            format!("scene     {}", self.scene.line()),
            format!("world     {name}: {}", self.world.extent()),
            format!(
                "tiles     {tiles} of {tile_side} x {tile_side} cells, {stored_tiles} of them stored in \
                 {tile_bytes} bytes, as equal tiles are stored once"
            ),
            format!(
                "spans     {spans}, with those around each tile; one grid of all takes up to {load_bytes} bytes \
                 of memory"
            ),
        ];
        lines.extend(self.agents.iter().map(agent_line));
        lines.extend(self.areas.iter().map(area_line));
        lines.extend(self.links.iter().take(MOST_LINKS).map(LinkInfo::line));
        if let Some(more) = self.links.len().checked_sub(MOST_LINKS + 1) {
            lines.push(format!("links     and {} more: see --json", more + 1));
        }
        let of_section = |section: &SectionFigures| format!("{} {}", section.tag, section.bytes);
        let sections: Vec<String> = self.sections.iter().map(of_section).collect();
        lines.push(format!("sections  bytes: {}", sections.join(", ")));
        lines.extend(self.borders.iter().map(BorderFigures::line));
        if self.borders.is_empty() {
            lines.push(
                "borders   no border costs; `surefoot world merge --pack` computes them".into(),
            );
        }
        lines.extend(self.regions.iter().flatten().map(RegionReport::lines));
        lines.extend(setting_lines(self.settings));
        lines.join("\n")
    }
}

impl WorldFigures<'_> {
    fn extent(&self) -> String {
        let WorldFigures { cell_size, size_x, size_z, bounds: [x0, z0, x1, z1], .. } = self;
        let (wide, long) = (x1 - x0, z1 - z0);
        format!(
            "{wide} x {long} m, {size_x} x {size_z} cells of {cell_size} m, from ({x0}, {z0}) to ({x1}, {z1})"
        )
    }
}

/// So many links of the author have a line.
const MOST_LINKS: usize = 12;

/// Returns what a link of a world is.
fn link_info<'a>(link: &'a WorldLink, agents: &'a [Agent]) -> LinkInfo<'a> {
    let able = agents.iter().zip(&link.lanes).filter(|(_, lanes)| !lanes.is_empty());
    LinkInfo::new(&link.link, able.map(|(agent, _)| agent.name.as_str()).collect())
}

impl BorderFigures<'_> {
    fn line(&self) -> String {
        let BorderFigures { agent, gates, bytes } = self;
        format!("borders   {agent}: {gates} gates between tiles, {bytes} bytes of memory")
    }
}

fn agent_line(agent: &Agent) -> String {
    let Agent { name, radius, height, max_climb, slope_limit, .. } = agent;
    let Agent { jump_up, jump_across, drop, .. } = agent;
    let slope = degrees(*slope_limit);
    let jumps = match *jump_up > 0.0 || *jump_across > 0.0 || *drop > 0.0 {
        true => format!(", jumps {jump_up} up and {jump_across} across, drops {drop}"),
        false => String::new(),
    };
    format!(
        "agent     {name}: radius {radius}, height {height}, climb {max_climb}, slope {slope}{jumps}"
    )
}
