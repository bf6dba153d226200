//! `surefoot info`: what a grid holds.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::{AgentId, AgentLayer, Area, Link, LinkKind, RouteOrder};

use surefoot::cost::HeightCost;
use surefoot::view::View;

use crate::shared::console::{NOTHING_WALKABLE, print, print_json};
use crate::shared::figures::Figures;

/// Tell what a grid holds: its size, what each agent can do, areas, links, and where it came from
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The grid: a .navgrid file
    file: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  surefoot info level.navgrid
  surefoot info level.navgrid --json | jq .grid

Exit codes: 0 good; 1 nothing is walkable for any agent; 2 an error.";

/// Everything `info --json` tells.
#[derive(Serialize)]
struct Info<'a> {
    path: String,
    #[serde(flatten)]
    figures: Figures,
    areas: &'a [Area],
    links: Vec<LinkInfo<'a>>,
    /// For each agent.
    routes: Vec<RouteInfo<'a>>,
    /// Where the grid came from.
    scene: SceneInfo<'a>,
    /// What it was baked with.
    settings: &'a serde_json::Value,
}

#[derive(Serialize)]
struct SceneInfo<'a> {
    file: &'a str,
    hash: &'a str,
}

#[derive(Serialize)]
struct LinkInfo<'a> {
    name: &'a str,
    kind: LinkKind,
    two_way: bool,
    cost: f32,
    from: [f32; 3],
    to: [f32; 3],
    /// Names of the agents that can take it.
    agents: Vec<&'a str>,
}

/// Whether an agent's routes are prepared.
#[derive(Serialize)]
struct RouteInfo<'a> {
    agent: &'a str,
    prepared: bool,
    districts: Option<usize>,
    /// Bytes of memory: of the order of the districts, of the index made from it, and of the costs
    /// by one model.
    bytes: Option<usize>,
    index_bytes: Option<usize>,
    cost_bytes: Option<usize>,
}

/// Answers the question.
///
/// # Errors
/// A file that cannot be loaded.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (grid, bytes) = super::load(&arguments.file)?;
    let info = Info::new(arguments.file.display().to_string(), &grid, &bytes);
    if arguments.json {
        print_json(&info)?;
    } else {
        print(&info.in_words())?;
    }
    Ok(ExitCode::from(if info.figures.any_walkable() { 0 } else { NOTHING_WALKABLE }))
}

impl<'a> Info<'a> {
    fn new(path: String, grid: &'a NavGrid, file: &[u8]) -> Self {
        let provenance = grid.provenance();
        Info {
            path,
            figures: Figures::new(grid, file),
            areas: grid.areas(),
            links: grid.links().iter().map(|link| LinkInfo::new(link, grid)).collect(),
            routes: (0..)
                .map(AgentId)
                .zip(grid.layers())
                .map(|own| RouteInfo::new(grid, own))
                .collect(),
            scene: SceneInfo { file: &provenance.scene, hash: &provenance.scene_hash },
            settings: &provenance.settings,
        }
    }

    fn in_words(&self) -> String {
        let SceneInfo { file, hash } = self.scene;
        let mut lines = vec![
            format!("file      {}: {} bytes", self.path, self.figures.grid.bytes),
            format!("scene     {}", named(file, hash)),
            format!("grid      {}", self.figures.grid_line()),
        ];
        let table = self.figures.agent_table();
        lines.extend(table.lines().map(|line| format!("          {line}")));
        lines.extend(self.areas.iter().map(area_line));
        lines.extend(self.links.iter().map(LinkInfo::line));
        lines.extend(self.routes.iter().map(RouteInfo::line));
        lines.extend(self.setting_lines());
        lines.join("\n")
    }

    /// The settings but for the agents, whom the table shows.
    fn setting_lines(&self) -> impl Iterator<Item = String> {
        let settings = self.settings.as_object().into_iter().flatten();
        let telling = settings.filter(|(name, value)| *name != "agents" && !value.is_null());
        telling.map(|(name, value)| format!("setting   {name}: {value}"))
    }
}

impl<'a> LinkInfo<'a> {
    fn new(link: &'a Link, grid: &'a NavGrid) -> Self {
        let layers = grid.layers().iter().zip(&link.ends);
        let able = layers.filter(|(_, ends)| ends.is_some());
        LinkInfo {
            name: &link.name,
            kind: link.kind,
            two_way: link.two_way,
            cost: link.cost,
            from: link.from.into(),
            to: link.to.into(),
            agents: able.map(|(layer, _)| layer.agent.name.as_str()).collect(),
        }
    }

    fn line(&self) -> String {
        let LinkInfo { name, cost, from, to, .. } = self;
        let kind = format!("{:?}", self.kind).to_lowercase();
        let arrow = if self.two_way { "to and from" } else { "to" };
        let agents = match self.agents.is_empty() {
            true => "nobody".to_owned(),
            false => self.agents.join(", "),
        };
        format!("link      {name}: {kind} from {from:?} {arrow} {to:?}, cost {cost}, for {agents}")
    }
}

impl<'a> RouteInfo<'a> {
    fn new(grid: &NavGrid, (agent, layer): (AgentId, &'a AgentLayer)) -> Self {
        let order = layer.order.as_ref();
        let index = order.and_then(|_| RouteIndex::new(grid, agent));
        let terrain = View::new(grid, agent);
        let cost_bytes = |(index, terrain): (&RouteIndex, View)| {
            index.cost_bytes(&terrain, &HeightCost::default())
        };
        RouteInfo {
            index_bytes: index.as_ref().map(RouteIndex::bytes),
            cost_bytes: index.as_ref().zip(terrain).map(cost_bytes),
            agent: &layer.agent.name,
            prepared: order.is_some(),
            districts: order.map(|order| order.districts.len()),
            bytes: order.map(RouteOrder::bytes),
        }
    }

    fn line(&self) -> String {
        let agent = self.agent;
        let (Some(districts), Some(bytes)) = (self.districts, self.bytes) else {
            return format!("routes    {agent}: not prepared; bake with --routes");
        };
        let [index, costs] = [self.index_bytes, self.cost_bytes].map(Option::unwrap_or_default);
        format!(
            "routes    {agent}: prepared, {districts} districts, {bytes} bytes of memory; in use \
             {index} more, and {costs} for each cost model"
        )
    }
}

fn named(file: &str, hash: &str) -> String {
    match (file.is_empty(), hash.is_empty()) {
        (true, true) => "none; the grid was made by a program".to_owned(),
        (_, true) => file.to_owned(),
        _ => format!("{file}, content {hash}"),
    }
}

fn area_line(area: &Area) -> String {
    match area.forbidden {
        true => format!("area      {}: forbidden", area.name),
        false => format!("area      {}: a metre costs {}", area.name, area.cost),
    }
}
