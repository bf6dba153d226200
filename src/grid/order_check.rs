//! Validation of a [`RouteOrder`]: what routes along districts rely on.
//!
//! Every span that the agent can stand on is one district's own, districts nest, and steps and
//! links join only spans of which one's district lies in the other's: there is no way round the
//! spans between two parts. One pass over the districts, which come after their parts, and one
//! over the grid.

use super::connections::Connections;
use super::layer_check::FORWARD;
use super::validate::fail;
use super::{AgentId, Dir, GridError, GridParts, RouteDistrict, RouteOrder};

/// The most districts within each other: what works on them may go down by recursion. Where each
/// part is half of the whole, 2^32 spans make 32 levels; measured on levels and maps, up to 19.
pub(crate) const MOST_LEVELS: u8 = 200;

/// Checks an order for an agent whose standings, steps and links are sound. O(spans).
pub(super) fn check_order(
    parts: &GridParts,
    agent: AgentId,
    order: &RouteOrder,
) -> Result<(), GridError> {
    let check = OrderCheck { parts, agent, order };
    let nest = check.nest()?;
    let owners = check.owners()?;
    let separation = Separation { owners, firsts: nest.firsts };
    check.check_steps(&separation)?;
    check.check_links(&separation)
}

struct OrderCheck<'a> {
    parts: &'a GridParts,
    agent: AgentId,
    order: &'a RouteOrder,
}

/// No district.
const NONE: u32 = u32::MAX;

impl OrderCheck<'_> {
    fn fail<T>(&self, place: &str, problem: impl Into<String>) -> Result<T, GridError> {
        let agent = &self.parts.layers[self.agent.index()].agent;
        fail(format!("agent \"{}\", {place}", agent.name), problem)
    }

    fn nest(&self) -> Result<Nest, GridError> {
        let districts = &self.order.districts;
        if districts.len() >= NONE as usize {
            return self.fail("order", format!("{} districts, at most {NONE}", districts.len()));
        }
        let mut nest = Nest::with_capacity(districts.len());
        for (at, district) in districts.iter().enumerate() {
            if let Err(problem) = nest.add(district) {
                return self.fail(&format!("district {at}"), problem);
            }
        }
        Ok(nest)
    }

    /// For each span the district whose own it is.
    fn owners(&self) -> Result<Vec<u32>, GridError> {
        let standings = &self.parts.layers[self.agent.index()].standings;
        let mut owners = vec![NONE; standings.len()];
        let mut rest = &self.order.spans[..];
        for (at, district) in (0..).zip(&self.order.districts) {
            let wrong = |problem: String| self.fail(&format!("district {at}"), problem);
            let Some((own, after)) = rest.split_at_checked(district.own as usize) else {
                return wrong(format!("{} own spans, {} are left", district.own, rest.len()));
            };
            for span in own {
                if !standings.get(span.index()).is_some_and(|standing| standing.is_walkable()) {
                    return wrong(format!("the agent cannot stand on its span {}", span.0));
                }
                if owners[span.index()] != NONE {
                    return wrong(format!("its span {} stands in the order twice", span.0));
                }
                owners[span.index()] = at;
            }
            rest = after;
        }
        match rest.first() {
            None => Ok(owners),
            Some(span) => self.fail("order", format!("span {} is in no district", span.0)),
        }
    }

    /// Checks that no span is missing, and what each step joins.
    fn check_steps(&self, separation: &Separation) -> Result<(), GridError> {
        let layer = &self.parts.layers[self.agent.index()];
        let steps = Connections::new(&self.parts.frame, &self.parts.first, layer);
        for (column, ends) in self.parts.first.windows(2).enumerate() {
            for span in ends[0]..ends[1] {
                if !layer.standings[span as usize].is_walkable() {
                    continue;
                }
                if separation.owners[span as usize] == NONE {
                    return self.fail("order", format!("span {span} is missing"));
                }
                let forward = Dir::ALL[FORWARD].iter();
                let mut targets = forward.filter_map(|&dir| steps.known_target(column, span, dir));
                if let Some(to) = targets.find(|&to| !separation.keeps([span, to])) {
                    return self.fail("order", separation.problem("a step", [span, to]));
                }
            }
        }
        Ok(())
    }

    fn check_links(&self, separation: &Separation) -> Result<(), GridError> {
        let links = self.parts.links.iter();
        let ends = links.filter_map(|link| *link.ends.get(self.agent.index())?);
        let mut ends = ends.map(|ends| ends.map(|span| span.0));
        match ends.find(|&ends| !separation.keeps(ends)) {
            None => Ok(()),
            Some(ends) => self.fail("order", separation.problem("a link", ends)),
        }
    }
}

/// The districts so far.
struct Nest {
    /// For each district the first of those within it, itself if there is none.
    firsts: Vec<u32>,
    /// For each district how many lie within each other there, itself counted.
    levels: Vec<u8>,
}

impl Nest {
    fn with_capacity(districts: usize) -> Self {
        Nest { firsts: Vec::with_capacity(districts), levels: Vec::with_capacity(districts) }
    }

    /// Adds a district; the time is that for its parts.
    fn add(&mut self, district: &RouteDistrict) -> Result<(), String> {
        if district.parts == 0 && district.own == 0 {
            return Err("it has neither parts nor spans of its own".to_owned());
        }
        let (mut first, mut levels) = (self.firsts.len(), 0);
        for part in 0..district.parts {
            // Before the first of those within a part ends the part before it.
            let Some(last) = first.checked_sub(1) else {
                return Err(format!("{} parts, there are {part} before it", district.parts));
            };
            first = self.firsts[last] as usize;
            levels = levels.max(self.levels[last]);
        }
        if levels >= MOST_LEVELS {
            return Err(format!("more than {MOST_LEVELS} districts lie within each other"));
        }
        self.firsts.push(first as u32);
        self.levels.push(levels + 1);
        Ok(())
    }
}

/// Which districts lie in which, and which spans in which.
struct Separation {
    /// For each span the district whose own it is.
    owners: Vec<u32>,
    /// For each district the first of those within it: all from there on lie in it.
    firsts: Vec<u32>,
}

impl Separation {
    /// Whether two spans may be neighbors: one's district is the other's or lies in it.
    #[inline]
    fn keeps(&self, spans: [u32; 2]) -> bool {
        let [a, b] = spans.map(|span| self.owners[span as usize]);
        a == b || self.firsts.get(a.max(b) as usize).is_none_or(|&first| first <= a.min(b))
    }

    fn problem(&self, way: &str, spans: [u32; 2]) -> String {
        let [from, to] = spans;
        let [a, b] = spans.map(|span| self.owners[span as usize]);
        format!("{way} joins spans {from} and {to}, but districts {a} and {b} lie apart")
    }
}
