//! `surefoot info`: the size of a grid or a world, its agents, areas, links and routes, and its origin.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde::Serialize;
use surefoot::NavGrid;
use surefoot::cch::{RouteBytes, route_bytes};
use surefoot::cost::HeightCost;
use surefoot::grid::{AgentId, Area, Link, LinkId, LinkKind, RouteOrder};
use surefoot::view::View;
use surefoot::world::World;

use super::input::{PartOption, load, open_world};
use super::regions::RegionReport;
use super::world_info::WorldReport;
use crate::shared::console::{NOTHING_WALKABLE, print, print_json};
use crate::shared::figures::{Figures, LINE_WIDTH, wrapped};

/// Show what a grid or a world of tiles holds: its size, agents, areas, links and routes, and what it was baked from
#[derive(Debug, clap::Args)]
#[command(after_help = INFO_NOTES)]
pub struct InfoArguments {
    /// The grid or world: a .navgrid or .navworld file
    #[arg(value_name = "GRID")]
    file: PathBuf,

    #[command(flatten)]
    part: PartOption,

    /// List the regions of each agent, with a place and the size of each
    #[arg(long)]
    regions: bool,

    /// With --regions: list only those of this agent
    #[arg(long, value_name = "NAME", requires = "regions")]
    agent: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const INFO_NOTES: &str = "\
Examples:
  surefoot info level.navgrid
  surefoot info level.navgrid --json | jq .grid
  surefoot info level.navgrid --regions
  surefoot info level.navgrid --regions --agent human
  surefoot info world.navworld --regions
  surefoot info world.navworld --rect 0,0,500,500

With --rect a world is loaded, and shown as the grid that its tiles make there.

Exit codes: 0 success; 1 nothing is walkable for any agent, or a world has no floor; 2 an error.";

/// What `info --json` prints.
#[derive(Serialize)]
struct InfoReport<'a> {
    path: String,
    #[serde(flatten)]
    figures: Figures,
    areas: &'a [Area],
    links: Vec<LinkInfo<'a>>,
    /// One for each agent.
    routes: Vec<RouteInfo<'a>>,
    /// Only if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    regions: Option<Vec<RegionReport<'a>>>,
    scene: SceneInfo<'a>,
    /// The settings of the bake.
    settings: &'a serde_json::Value,
}

/// The scene that the grid was baked from.
#[derive(Serialize)]
pub struct SceneInfo<'a> {
    pub file: &'a str,
    pub hash: &'a str,
}

/// A link.
#[derive(Serialize)]
pub struct LinkInfo<'a> {
    id: LinkId,
    name: &'a str,
    kind: LinkKind,
    generated: bool,
    two_way: bool,
    cost: f32,
    /// The middle of where it starts and ends [m].
    from: [f32; 3],
    to: [f32; 3],
    /// How wide it is where it starts and where it ends [m].
    widths: [f32; 2],
    /// Names of the agents that can take it.
    agents: Vec<&'a str>,
}

/// Whether the routes of an agent are prepared, and how large they are.
#[derive(Serialize)]
struct RouteInfo<'a> {
    agent: &'a str,
    prepared: bool,
    supernodes: Option<usize>,
    /// Memory of the order in the grid [bytes].
    bytes: Option<usize>,
    /// Memory of the hierarchy that is built from it [bytes].
    index_bytes: Option<usize>,
    /// Memory of the costs by one cost model [bytes].
    cost_bytes: Option<usize>,
}

/// Before lines that go on with what the line above is about.
const INDENT: &str = "          ";

/// The views of all agents.
fn views(grid: &NavGrid) -> impl Iterator<Item = View> {
    let agents = (0..grid.layers().len() as u16).map(AgentId);
    agents.filter_map(|agent| View::new(grid, agent).ok())
}

/// Runs the command.
///
/// # Errors
/// The file cannot be loaded, or has no such agent.
pub fn run(arguments: &InfoArguments) -> anyhow::Result<ExitCode> {
    if arguments.part.rect.is_none()
        && let Some(world) = open_world(&arguments.file)?
    {
        return show_world(arguments, &world);
    }
    let (grid, bytes) = load(&arguments.file, arguments.part)?.with_bytes()?;
    let mut info = InfoReport::new(arguments.file.display().to_string(), &grid, &bytes);
    let agent = arguments.agent.as_deref();
    let agent = agent.map(|name| grid.agent_id(name)).transpose();
    let agent = agent.with_context(|| info.path.clone())?;
    info.regions = arguments.regions.then(|| RegionReport::all(&grid, agent));
    if arguments.json {
        print_json(&info)?;
    } else {
        print(&info.text())?;
    }
    Ok(ExitCode::from(if info.figures.any_walkable() { 0 } else { NOTHING_WALKABLE }))
}

fn show_world(arguments: &InfoArguments, world: &World) -> anyhow::Result<ExitCode> {
    let name = arguments.file.display().to_string();
    let summary = world.summary().with_context(|| name.clone())?;
    let summary = summary.with_context(|| format!("{name}: this world has no file"))?;
    let mut report =
        WorldReport::new(name.clone(), world, summary).with_context(|| name.clone())?;
    if arguments.regions {
        let regions = RegionReport::all_of_world(world, arguments.agent.as_deref());
        let Some(regions) = regions.with_context(|| name.clone())? else {
            bail!(
                "{name}: this world does not have its regions; pack it again by `surefoot world merge --pack`, \
                 or name a part of it with --rect x0,z0,x1,z1"
            );
        };
        report.regions = Some(regions);
    }
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(ExitCode::from(if report.has_ground() { 0 } else { NOTHING_WALKABLE }))
}

impl SceneInfo<'_> {
    /// The scene in a line.
    pub fn line(&self) -> String {
        named(self.file, self.hash)
    }
}

impl<'a> InfoReport<'a> {
    fn new(path: String, grid: &'a NavGrid, file: &[u8]) -> Self {
        let provenance = grid.provenance();
        InfoReport {
            path,
            figures: Figures::new(grid, file),
            areas: grid.areas(),
            links: grid.links().iter().map(|link| LinkInfo::of_grid(link, grid)).collect(),
            routes: views(grid).map(|view| RouteInfo::new(grid, &view)).collect(),
            regions: None,
            scene: SceneInfo { file: &provenance.scene, hash: &provenance.scene_hash },
            settings: &provenance.settings,
        }
    }

    fn text(&self) -> String {
        let mut lines = vec![
            format!("file      {}: {} bytes", self.path, self.figures.grid.bytes),
            format!("scene     {}", self.scene.line()),
            self.figures.grid_lines("grid      "),
        ];
        let table = self.figures.agent_table(LINE_WIDTH - INDENT.len());
        lines.extend(table.lines().map(|line| format!("{INDENT}{line}")));
        lines.extend(self.areas.iter().map(area_line));
        lines.extend(self.figures.link_lines().map(|line| format!("links     {line}")));
        let marked = self.links.iter().filter(|link| !link.generated);
        lines.extend(marked.map(LinkInfo::line));
        lines.extend(self.routes.iter().map(RouteInfo::lines));
        lines.extend(self.regions.iter().flatten().map(RegionReport::lines));
        lines.extend(setting_lines(self.settings));
        lines.join("\n")
    }
}

impl<'a> LinkInfo<'a> {
    fn of_grid(link: &'a Link, grid: &'a NavGrid) -> Self {
        let layers = grid.layers().iter().zip(&link.lanes);
        let able = layers.filter(|(_, lanes)| !lanes.is_empty());
        LinkInfo::new(link, able.map(|(layer, _)| layer.agent.name.as_str()).collect())
    }

    /// A link, and the agents that can take it.
    pub fn new(link: &'a Link, agents: Vec<&'a str>) -> Self {
        let [from, to] = link.middle().map(Into::into);
        LinkInfo {
            id: link.id,
            name: &link.name,
            kind: link.kind,
            generated: link.generated,
            two_way: link.two_way,
            cost: link.cost,
            from,
            to,
            widths: [link.from, link.to].map(|[first, last]| (last - first).norm()),
            agents,
        }
    }

    /// The link in a line.
    pub fn line(&self) -> String {
        let LinkInfo { name, cost, from, to, .. } = self;
        let kind = self.kind.name();
        let arrow = if self.two_way { "to and from" } else { "to" };
        let agents = match self.agents.is_empty() {
            true => "no agent".to_owned(),
            false => self.agents.join(", "),
        };
        format!("link      {name}: {kind} from {from:?} {arrow} {to:?}, cost {cost}, for {agents}")
    }
}

impl<'a> RouteInfo<'a> {
    fn new(grid: &'a NavGrid, view: &View) -> Self {
        let layer = &grid.layers()[view.agent_id().index()];
        let order = layer.order.as_ref();
        let bytes: Option<RouteBytes> =
            order.and_then(|_| route_bytes(view, &HeightCost::default()));
        RouteInfo {
            agent: &layer.agent.name,
            prepared: order.is_some(),
            supernodes: order.map(|order| order.supernodes.len()),
            bytes: order.map(RouteOrder::bytes),
            index_bytes: bytes.map(|bytes| bytes.index),
            cost_bytes: bytes.map(|bytes| bytes.costs),
        }
    }

    /// The routes as text, in one line or two.
    fn lines(&self) -> String {
        let agent = self.agent;
        let (Some(supernodes), Some(bytes)) = (self.supernodes, self.bytes) else {
            let phrases = [format!("{agent}:"), "not prepared; bake with --routes".to_owned()];
            return wrapped("routes    ", &phrases);
        };
        let [index, costs] = [self.index_bytes, self.cost_bytes].map(Option::unwrap_or_default);
        let phrases = [
            format!("{agent}:"),
            format!("prepared, {supernodes} supernodes, {bytes} bytes of memory;"),
            format!("in use {index} more,"),
            format!("and {costs} for each cost model"),
        ];
        wrapped("routes    ", &phrases)
    }
}

fn named(file: &str, hash: &str) -> String {
    match (file.is_empty(), hash.is_empty()) {
        (true, true) => "none; a program made the grid".to_owned(),
        (_, true) => file.to_owned(),
        _ => format!("{file}, content {hash}"),
    }
}

/// An area in a line.
pub fn area_line(area: &Area) -> String {
    match area.forbidden {
        true => format!("area      {}: forbidden", area.name),
        false => format!("area      {}: a metre costs {}", area.name, area.cost),
    }
}

/// A line for each setting but the agents, which have lines of their own.
pub fn setting_lines(settings: &serde_json::Value) -> impl Iterator<Item = String> {
    let settings = settings.as_object().into_iter().flatten();
    let shown = settings.filter(|(name, value)| *name != "agents" && !value.is_null());
    shown.map(|(name, value)| format!("setting   {name}: {value}"))
}
