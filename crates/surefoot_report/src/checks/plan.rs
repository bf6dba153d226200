//! Provides [`CheckPlan`]: the checks of a file with all their names resolved.

use std::collections::{BTreeMap, BTreeSet};

use globset::GlobMatcher;
use surefoot::HeightCost;
use surefoot::grid::{AgentId, AreaId};

use super::error::{CheckError, SpecPath};
use super::input::CheckInput;
use super::limits::check_costs;
use super::places::{CheckPlace, PlaceTable, glob_of, listed};
use super::promised::PromiseWords;
use super::spec::{
    AreaPromise, CheckFile, GridPromise, PathPromise, ReachPromise, WalkablePromise,
};
use super::widest_route::most_clearance;
use crate::standing::VERDICTS;

/// The checks of a file, ready to be evaluated.
pub(super) struct CheckPlan<'a> {
    pub checks: Vec<PlannedCheck<'a>>,
}

/// A check, and for whom.
pub(super) struct PlannedCheck<'a> {
    pub head: CheckHead,
    pub task: CheckTask<'a>,
}

/// What all kinds of checks have.
pub(super) struct CheckHead {
    pub kind: &'static str,
    pub at: SpecPath,
    pub name: String,
    pub promised: String,
    /// Empty for what is no matter of agents.
    pub agents: Vec<AgentId>,
}

/// What is to be found out.
pub(super) enum CheckTask<'a> {
    Path(PathTask<'a>),
    Reach(ReachTask<'a>),
    Walkable(WalkableTask<'a>),
    Area(AreaTask<'a>),
    Grid(&'a GridPromise),
}

pub(super) struct PathTask<'a> {
    pub promise: &'a PathPromise,
    pub from: Vec<CheckPlace>,
    pub to: Vec<CheckPlace>,
    pub model: HeightCost,
}

pub(super) struct ReachTask<'a> {
    pub promise: &'a ReachPromise,
    pub from: Vec<CheckPlace>,
    pub to: Vec<CheckPlace>,
}

pub(super) struct WalkableTask<'a> {
    pub promise: &'a WalkablePromise,
    pub places: Vec<CheckPlace>,
    /// Of what is to be in the way.
    pub node: Option<NodePattern>,
}

pub(super) struct AreaTask<'a> {
    pub promise: &'a AreaPromise,
    pub area: Option<AreaId>,
    /// For each node of the grid whether it counts; `None` if all do.
    pub nodes: Option<Vec<bool>>,
}

/// The name of a node, or a glob.
pub(super) struct NodePattern {
    name: String,
    glob: Option<GlobMatcher>,
}

impl NodePattern {
    fn new(name: &str, at: &SpecPath) -> Result<Self, CheckError> {
        Ok(NodePattern { name: name.to_owned(), glob: glob_of(name, at)? })
    }

    pub fn matches(&self, node: &str) -> bool {
        self.name == node || self.glob.as_ref().is_some_and(|glob| glob.is_match(node))
    }
}

/// A path check looks at so many pairs of places at most.
const MOST_PAIRS: usize = 100_000;

impl<'a> CheckPlan<'a> {
    /// Resolves all names of a file.
    pub fn new(file: &'a CheckFile, input: &CheckInput) -> Result<Self, CheckError> {
        check_costs(file.ascend_cost, file.descend_cost, &SpecPath::default())?;
        let places = PlaceTable::new(file, input)?;
        let resolver = Resolver { file, input, places };
        let everyone = resolver.agents(&file.agents, &SpecPath::default())?;
        let resolver = AgentResolver { resolver, everyone };
        let mut checks = Vec::new();
        let lists = [
            resolver.each("path", &file.path, AgentResolver::path)?,
            resolver.each("reach", &file.reach, AgentResolver::reach)?,
            resolver.each("walkable", &file.walkable, AgentResolver::walkable)?,
            resolver.each("area", &file.area, AgentResolver::area)?,
        ];
        checks.extend(lists.into_iter().flatten());
        if let Some(promise) = &file.grid {
            let at = SpecPath::of("grid");
            check_hash(promise, input, &at)?;
            let planned = Planned { words: promise.words(), agents: Vec::new() };
            checks.push(planned.check("grid", at, CheckTask::Grid(promise)));
        }
        if checks.is_empty() {
            let kinds = "[[path]], [[reach]], [[walkable]], [[area]] or [grid]";
            return Err(SpecPath::default().error(format!("nothing is checked; add {kinds}")));
        }
        name_apart(&mut checks)?;
        Ok(CheckPlan { checks: checks.into_iter().map(|named| named.check).collect() })
    }
}

/// A check whose name may still be that of another.
struct NamedCheck<'a> {
    check: PlannedCheck<'a>,
    is_name_given: bool,
}

/// What a check needs beside its task.
struct Planned {
    words: PromiseWords,
    agents: Vec<AgentId>,
}

impl Planned {
    fn check<'a>(self, kind: &'static str, at: SpecPath, task: CheckTask<'a>) -> NamedCheck<'a> {
        let PromiseWords { given, name, promised } = self.words;
        let is_name_given = given.is_some();
        let (name, agents) = (given.unwrap_or(name), self.agents);
        let head = CheckHead { kind, at, name, promised, agents };
        NamedCheck { check: PlannedCheck { head, task }, is_name_given }
    }
}

/// Numbers names that were made and are alike; refuses names that were given twice.
fn name_apart(checks: &mut [NamedCheck]) -> Result<(), CheckError> {
    let mut given = BTreeSet::new();
    for NamedCheck { check: PlannedCheck { head, .. }, .. } in
        checks.iter().filter(|check| check.is_name_given)
    {
        let at = head.at.key("name");
        if head.name.trim().is_empty() {
            return Err(at.error("this name is empty; leave it out, or give the check one"));
        }
        if !given.insert(head.name.clone()) {
            return Err(
                at.error(format!("another check is named \"{}\", too; rename one", head.name))
            );
        }
    }
    // A check for one agent may be called as that for another: reports name the agent, too.
    let mut taken: BTreeSet<(String, Option<AgentId>)> = BTreeSet::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for NamedCheck { check, .. } in checks.iter_mut().filter(|check| !check.is_name_given) {
        let CheckHead { name, agents, .. } = &mut check.head;
        let titles = |name: &str| -> Vec<(String, Option<AgentId>)> {
            let everyone =
                agents.iter().copied().map(Some).chain(agents.is_empty().then_some(None));
            everyone.map(|agent| (name.to_owned(), agent)).collect()
        };
        let own = name.clone();
        let number = numbers.entry(own.clone()).or_insert(1);
        loop {
            let titles = titles(name);
            if !given.contains(name) && !titles.iter().any(|title| taken.contains(title)) {
                taken.extend(titles);
                break;
            }
            *number += 1;
            *name = format!("{own} ({number})");
        }
    }
    Ok(())
}

/// What the names of a file mean.
struct Resolver<'a, 'i> {
    file: &'a CheckFile,
    input: &'i CheckInput<'i>,
    places: PlaceTable,
}

impl Resolver<'_, '_> {
    /// The agents of a list; all of the grid without one.
    fn agents(
        &self,
        names: &Option<Vec<String>>,
        at: &SpecPath,
    ) -> Result<Vec<AgentId>, CheckError> {
        let grid = self.input.grid;
        let at = at.key("agents");
        let Some(names) = names else {
            return Ok((0..grid.layers().len() as u16).map(AgentId).collect());
        };
        let mut agents = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let at = at.index(index);
            let agent = grid.agent_id(name).map_err(|error| at.error(error.to_string()))?;
            if agents.contains(&agent) {
                return Err(at.error(format!("agent \"{name}\" is listed twice; remove one")));
            }
            agents.push(agent);
        }
        if agents.is_empty() {
            return Err(at.error("no agent is listed; name some, or leave it out for all"));
        }
        Ok(agents)
    }
}

/// The same, with the agents of checks that name none.
struct AgentResolver<'a, 'i> {
    resolver: Resolver<'a, 'i>,
    everyone: Vec<AgentId>,
}

impl<'a> AgentResolver<'a, '_> {
    fn each<P>(
        &self,
        kind: &str,
        promises: &'a [P],
        plan: impl Fn(&Self, &'a P, SpecPath) -> Result<NamedCheck<'a>, CheckError>,
    ) -> Result<Vec<NamedCheck<'a>>, CheckError> {
        let list = SpecPath::of(kind);
        promises.iter().enumerate().map(|(at, own)| plan(self, own, list.index(at))).collect()
    }

    fn planned(
        &self,
        words: PromiseWords,
        agents: &Option<Vec<String>>,
        at: &SpecPath,
    ) -> Result<Planned, CheckError> {
        let agents = match agents {
            Some(_) => self.resolver.agents(agents, at)?,
            None => self.everyone.clone(),
        };
        if agents.is_empty() {
            return Err(at.error("the grid has no agent; bake it for one"));
        }
        Ok(Planned { words, agents })
    }

    fn path(&self, promise: &'a PathPromise, at: SpecPath) -> Result<NamedCheck<'a>, CheckError> {
        let Resolver { file, input, places } = &self.resolver;
        promise.check(&at, most_clearance(input.grid.frame().cell_size))?;
        let from = places.look_up(&promise.from, &at.key("from"))?;
        let to = places.look_up(&promise.to, &at.key("to"))?;
        let pairs = from.len().saturating_mul(to.len());
        if pairs > MOST_PAIRS {
            return Err(at.error(format!(
                "{} places times {} are too many paths; use [[reach]], or fewer places",
                from.len(),
                to.len()
            )));
        }
        refuse_one_place(&from, &to, &at)?;
        let default = HeightCost::default();
        let cost = |own: Option<f64>, of_file: Option<f64>, default: f32| {
            own.or(of_file).map_or(default, |cost| cost as f32)
        };
        let model = HeightCost {
            ascend: cost(promise.ascend_cost, file.ascend_cost, default.ascend),
            descend: cost(promise.descend_cost, file.descend_cost, default.descend),
        };
        let planned = self.planned(promise.words(), &promise.agents, &at)?;
        Ok(planned.check("path", at, CheckTask::Path(PathTask { promise, from, to, model })))
    }

    fn reach(&self, promise: &'a ReachPromise, at: SpecPath) -> Result<NamedCheck<'a>, CheckError> {
        let places = &self.resolver.places;
        let from = places.look_up(&promise.from, &at.key("from"))?;
        let to = places.look_up(&promise.to, &at.key("to"))?;
        refuse_one_place(&from, &to, &at)?;
        let planned = self.planned(promise.words(), &promise.agents, &at)?;
        Ok(planned.check("reach", at, CheckTask::Reach(ReachTask { promise, from, to })))
    }

    fn walkable(
        &self,
        promise: &'a WalkablePromise,
        at: SpecPath,
    ) -> Result<NamedCheck<'a>, CheckError> {
        let places = self.resolver.places.look_up(&promise.at, &at.key("at"))?;
        for (key, is_given) in
            [("verdict", promise.verdict.is_some()), ("node", promise.node.is_some())]
        {
            if is_given && promise.is == Some(true) {
                let problem =
                    "what is walkable has nothing in the way; leave out this or `is = true`";
                return Err(at.key(key).error(problem));
            }
        }
        if let Some(verdict) = &promise.verdict
            && !VERDICTS.contains(&verdict.as_str())
            && verdict != NO_FLOOR
        {
            let known = VERDICTS.join(", ");
            return Err(at.key("verdict").error(format!(
                "\"{verdict}\" is no reason not to stand somewhere; there are: {known}, {NO_FLOOR}"
            )));
        }
        let node_at = at.key("node");
        let node =
            promise.node.as_ref().map(|node| NodePattern::new(node, &node_at)).transpose()?;
        if let (Some(node), Some(asked)) = (&node, &promise.node) {
            self.known_nodes(node, asked, &node_at)?;
        }
        let planned = self.planned(promise.words(), &promise.agents, &at)?;
        Ok(planned.check(
            "walkable",
            at,
            CheckTask::Walkable(WalkableTask { promise, places, node }),
        ))
    }

    fn area(&self, promise: &'a AreaPromise, at: SpecPath) -> Result<NamedCheck<'a>, CheckError> {
        promise.check(&at)?;
        let grid = self.resolver.input.grid;
        let area = promise.area.as_ref().map(|name| {
            grid.area_id(name).map_err(|error| at.key("area").error(error.to_string()))
        });
        let nodes = promise.node.as_ref().map(|name| {
            let at = at.key("node");
            self.known_nodes(&NodePattern::new(name, &at)?, name, &at)
        });
        let task = AreaTask { promise, area: area.transpose()?, nodes: nodes.transpose()? };
        let planned = self.planned(promise.words(), &promise.agents, &at)?;
        Ok(planned.check("area", at, CheckTask::Area(task)))
    }

    /// For each node of the grid whether a pattern means it.
    fn known_nodes(
        &self,
        pattern: &NodePattern,
        asked: &str,
        at: &SpecPath,
    ) -> Result<Vec<bool>, CheckError> {
        let names = self.resolver.input.grid.nodes();
        let nodes: Vec<bool> = names.iter().map(|node| pattern.matches(node)).collect();
        if nodes.contains(&true) {
            return Ok(nodes);
        }
        let problem = match pattern.glob {
            Some(_) => format!("the glob \"{asked}\" matches no node of the grid"),
            None => format!("no node \"{asked}\" in the grid"),
        };
        let known = listed(names.iter().map(String::as_str), asked);
        Err(at.error(format!("{problem}; there are: {known}")))
    }
}

/// What a promise calls the lack of a floor.
pub(super) const NO_FLOOR: &str = "no_floor";

/// Refuses checks that lead from a place to itself and nowhere else: nothing would be looked at.
fn refuse_one_place(
    from: &[CheckPlace],
    to: &[CheckPlace],
    at: &SpecPath,
) -> Result<(), CheckError> {
    match (from, to) {
        ([start], [goal]) if start.id.is_some() && start.id == goal.id => Err(at
            .key("to")
            .error(format!("this is where it starts, {}; give another", start.name))),
        _ => Ok(()),
    }
}

/// Refuses what is no hash, such as one that was cut short.
fn check_hash(promise: &GridPromise, input: &CheckInput, at: &SpecPath) -> Result<(), CheckError> {
    let is_hash = promise.hash.len() == input.hash.len()
        && promise.hash.chars().all(|c| c.is_ascii_hexdigit());
    if is_hash {
        return Ok(());
    }
    Err(at.key("hash").error(format!(
        "\"{}\" is no hash of a grid; that of this one is \"{}\"",
        promise.hash, input.hash
    )))
}
