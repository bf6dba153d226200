//! Provides [`LinkChanges`]: links that were gained, lost and changed.

use std::collections::BTreeMap;

use nalgebra::Point3;
use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::{Link, LinkId, LinkKind};

use crate::path::coordinates;

/// What became of the links of a level.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LinkChanges {
    /// Links of the new grid that the old one has not.
    pub gained: LinkList,
    /// Links of the old grid that the new one has not.
    pub lost: LinkList,
    /// Links of both that are not what they were.
    pub changed: LinkList,
}

/// How many links, and some of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LinkList {
    /// How many there are of each kind.
    pub kinds: BTreeMap<&'static str, usize>,
    /// The first of them: those of authors, then generated ones, in the order of the grid.
    pub links: Vec<LinkPlace>,
    /// All of them, for pictures.
    #[serde(skip)]
    pub all: Vec<LinkPlace>,
}

/// A link that was gained, lost or changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkPlace {
    /// Its id, in the new grid if both have it.
    pub id: LinkId,
    /// Its name.
    pub name: String,
    /// What kind of movement it takes.
    pub kind: LinkKind,
    /// Whether it was generated, not marked by an author.
    pub generated: bool,
    /// The middle of where it starts [m].
    pub from: [f32; 3],
    /// The middle of where it ends [m].
    pub to: [f32; 3],
    /// The agents that can take it; for a changed link, in the new grid.
    pub agents: Vec<String>,
    /// What changed of it, as phrases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

/// What to compare.
pub(super) struct LinkComparison<'a> {
    pub grids: [&'a NavGrid; 2],
    /// Only what this agent can take, if it is given.
    pub agent: Option<&'a str>,
    /// At most so many links are listed of each list.
    pub most: usize,
}

impl LinkChanges {
    /// Whether all links are what they were.
    pub fn is_empty(&self) -> bool {
        [&self.gained, &self.lost, &self.changed].iter().all(|list| list.is_empty())
    }
}

impl LinkList {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.kinds.values().sum()
    }

    /// How many there are by kind: `2 jumps, 1 door`.
    pub(super) fn counts(&self) -> String {
        let words = self.kinds.iter().map(|(kind, count)| {
            let kind = if *kind == "authored" { "link" } else { *kind };
            format!("{count} {kind}{}", if *count == 1 { "" } else { "s" })
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

impl LinkPlace {
    /// It in a line of text.
    pub(super) fn line(&self) -> String {
        let name = match self.generated {
            true => self.kind.name().to_owned(),
            false => format!("\"{}\" ({})", self.name, self.kind.name()),
        };
        let agents = match self.agents.is_empty() {
            true => "no agent".to_owned(),
            false => self.agents.join(", "),
        };
        let changes = match self.changes.is_empty() {
            true => String::new(),
            false => format!(": {}", self.changes.join(", ")),
        };
        let (from, to) = (coordinates(self.from), coordinates(self.to));
        format!("{name} from {from} to {to}, for {agents}{changes}")
    }
}

impl<'a> LinkComparison<'a> {
    /// Compares the links of both grids. O(links · log links).
    pub fn changes(&self) -> LinkChanges {
        let lists = [0, 1].map(|side| self.links(side));
        let counterparts = self.match_links(&lists);
        let mut is_known = vec![false; lists[1].len()];
        let mut changed: Vec<(&Link, Vec<String>)> = Vec::new();
        for (old, counterpart) in lists[0].iter().zip(&counterparts) {
            let Some(counterpart) = *counterpart else { continue };
            is_known[counterpart] = true;
            let new = lists[1][counterpart];
            let phrases = self.compare([old, new]);
            if !phrases.is_empty() {
                changed.push((new, phrases));
            }
        }
        let plain = |link: &&'a Link| (*link, Vec::new());
        let lost =
            lists[0].iter().zip(&counterparts).filter(|(_, counterpart)| counterpart.is_none());
        let gained = lists[1].iter().zip(&is_known).filter(|(_, known)| !**known);
        LinkChanges {
            lost: self.list(0, lost.map(|(link, _)| plain(link)).collect()),
            gained: self.list(1, gained.map(|(link, _)| plain(link)).collect()),
            changed: self.list(1, changed),
        }
    }

    /// The links of a grid that are looked at.
    fn links(&self, side: usize) -> Vec<&'a Link> {
        let agent = self.agent.and_then(|agent| self.grids[side].agent_id(agent).ok());
        let can_take =
            |link: &&Link| agent.is_none_or(|agent| !link.lanes_of(agent.index()).is_empty());
        self.grids[side].links().iter().filter(can_take).collect()
    }

    /// For each link of the old list which of the new list it is: that of its id, or else one of its kind
    /// that starts and ends within a cell of it.
    fn match_links(&self, lists: &[Vec<&Link>; 2]) -> Vec<Option<usize>> {
        let ids: BTreeMap<LinkId, usize> =
            lists[1].iter().enumerate().map(|(at, link)| (link.id, at)).collect();
        let is_kind = |old: &Link, at: usize| lists[1][at].kind == old.kind;
        let by_id = lists[0]
            .iter()
            .map(|old| ids.get(&old.id).copied().filter(|&at| is_kind(old, at) || !old.generated));
        let mut counterparts: Vec<Option<usize>> = by_id.collect();
        let mut is_free = vec![true; lists[1].len()];
        counterparts.iter().flatten().for_each(|&at| is_free[at] = false);
        let near = LinkStarts::new(&lists[1], self.grids[1].frame().cell_size);
        for (old, counterpart) in lists[0].iter().zip(&mut counterparts) {
            if counterpart.is_none() {
                *counterpart = near.nearest(old, &is_free);
                counterpart.iter().for_each(|&at| is_free[at] = false);
            }
        }
        counterparts
    }

    /// What is different about a link, as phrases.
    fn compare(&self, [old, new]: [&Link; 2]) -> Vec<String> {
        let mut phrases = Vec::new();
        let mut note = |is_different: bool, phrase: String| {
            if is_different {
                phrases.push(phrase);
            }
        };
        let kinds = [old, new].map(|link| link.kind.name());
        note(kinds[0] != kinds[1], format!("was a {}", kinds[0]));
        note(!old.generated && !new.generated && old.name != new.name, {
            format!("was called \"{}\"", old.name)
        });
        let moved = [0, 1].map(|end| (new.middle()[end] - old.middle()[end]).norm());
        note(moved[0] > MOVED_END, format!("starts {:.2} m from where it did", moved[0]));
        note(moved[1] > MOVED_END, format!("ends {:.2} m from where it did", moved[1]));
        let widths = [old, new].map(width);
        note((widths[0] - widths[1]).abs() > MOVED_END, {
            format!("{:.2} m wide instead of {:.2}", widths[1], widths[0])
        });
        let ways = |link: &Link| if link.is_reversible() { "both ways" } else { "one way" };
        note(old.is_reversible() != new.is_reversible(), {
            format!("{} instead of {}", ways(new), ways(old))
        });
        note((old.cost - new.cost).abs() > LEAST_COST, {
            format!("costs {} instead of {}", thousandths(new.cost), thousandths(old.cost))
        });
        note(old.capacity != new.capacity, {
            format!("capacity {} instead of {}", new.capacity, old.capacity)
        });
        note(old.user_data != new.user_data, "other user data".to_owned());
        note(old.stop != new.stop, "another stop".to_owned());
        let agents = [self.agents(0, old), self.agents(1, new)];
        note(
            agents[0] != agents[1],
            match agents[0].is_empty() {
                true => "no agent could take it".to_owned(),
                false => format!("was for {}", agents[0].join(", ")),
            },
        );
        phrases
    }

    /// The agents that can take a link of a grid; only the one that was asked for, if one was.
    fn agents(&self, side: usize, link: &Link) -> Vec<String> {
        let layers = self.grids[side].layers().iter().zip(&link.lanes);
        let able = layers.filter(|(_, lanes)| !lanes.is_empty());
        let names = able.map(|(layer, _)| &layer.agent.name);
        names.filter(|name| self.agent.is_none_or(|agent| agent == *name)).cloned().collect()
    }

    fn list(&self, side: usize, mut found: Vec<(&Link, Vec<String>)>) -> LinkList {
        let mut kinds = BTreeMap::new();
        for (link, _) in &found {
            *kinds.entry(link.kind.name()).or_default() += 1;
        }
        found.sort_by_key(|(link, _)| link.generated);
        let place = |(link, changes): (&Link, Vec<String>)| {
            let [from, to] = link.middle().map(Into::into);
            LinkPlace {
                id: link.id,
                name: link.name.clone(),
                kind: link.kind,
                generated: link.generated,
                from,
                to,
                agents: self.agents(side, link),
                changes,
            }
        };
        let all: Vec<LinkPlace> = found.into_iter().map(place).collect();
        LinkList { kinds, links: all.iter().take(self.most).cloned().collect(), all }
    }
}

/// Costs that differ by no more than this are equal: those of generated links are sums of rounded numbers
/// [m].
const LEAST_COST: f32 = 0.0005;

/// A number, rounded to three places after the point.
fn thousandths(number: f32) -> f32 {
    (number * 1000.0).round() / 1000.0
}

/// Ends that are farther from where they were than this moved [m].
const MOVED_END: f32 = 0.01;

/// The width of a link where it starts or ends, whichever is more [m].
fn width(link: &Link) -> f32 {
    let width = |[first, last]: [Point3<f32>; 2]| (last - first).norm();
    width(link.from).max(width(link.to))
}

/// Links by where they start.
struct LinkStarts<'a> {
    links: &'a [&'a Link],
    /// Numbers of the links, by x of where they start.
    order: Vec<usize>,
    /// How far apart the ends of the same link may be [m].
    reach: f32,
}

impl<'a> LinkStarts<'a> {
    fn new(links: &'a [&'a Link], reach: f32) -> Self {
        let mut order: Vec<usize> = (0..links.len()).collect();
        let x = |at: &usize| links[*at].middle()[0].x;
        order.sort_by(|a, b| x(a).total_cmp(&x(b)));
        LinkStarts { links, order, reach }
    }

    /// The free link of the same kind whose ends are nearest to those of a link, within reach.
    fn nearest(&self, own: &Link, is_free: &[bool]) -> Option<usize> {
        let ends = own.middle();
        let x = |at: usize| self.links[at].middle()[0].x;
        let start = self.order.partition_point(|&at| x(at) < ends[0].x - self.reach);
        let near = self.order[start..].iter().take_while(|&&at| x(at) <= ends[0].x + self.reach);
        let candidates = near.filter(|&&at| is_free[at] && self.links[at].kind == own.kind);
        let off = |at: usize| {
            let other = self.links[at].middle();
            (other[0] - ends[0]).norm().max((other[1] - ends[1]).norm())
        };
        let within = candidates.map(|&at| (off(at), at)).filter(|(off, _)| *off <= self.reach);
        within.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, at)| at)
    }
}
