//! Validation of a [`RouteOrder`]: what prepared routes rely on.
//!
//! Every walkable span is in one supernode, supernodes form trees in postorder, and connections and
//! links join only spans whose supernodes are the same or lie below one another: no path leads round
//! a separator. One pass over the supernodes and one over the grid.

use super::connections::Connections;
use super::frame::Dir;
use super::order::{RouteOrder, RouteSupernode};
use super::parts::{GridError, GridParts, fail};
use super::span::AgentId;

/// The most supernodes one below the other, so that code may descend by recursion. If each child is
/// half of its parent, 2^32 spans make 32 levels; real levels and maps have up to 19.
pub(crate) const MOST_LEVELS: u8 = 200;

/// Checks an order for an agent whose standings, connections and links are sound. O(spans).
pub(super) fn check_order(
    parts: &GridParts,
    agent: AgentId,
    order: &RouteOrder,
) -> Result<(), GridError> {
    let check = OrderCheck { parts, agent, order };
    let trees = check.trees()?;
    let supernode_of = check.supernode_of_spans()?;
    let separation = Separation { supernode_of, first_below: trees.first_below };
    check.check_connections(&separation)?;
    check.check_links(&separation)
}

struct OrderCheck<'a> {
    parts: &'a GridParts,
    agent: AgentId,
    order: &'a RouteOrder,
}

/// Stands for no supernode.
const NO_SUPERNODE: u32 = u32::MAX;

impl OrderCheck<'_> {
    fn fail<T>(&self, place: &str, problem: impl Into<String>) -> Result<T, GridError> {
        let agent = &self.parts.layers[self.agent.index()].agent;
        fail(format!("agent \"{}\", {place}", agent.name), problem)
    }

    fn trees(&self) -> Result<Trees, GridError> {
        let supernodes = &self.order.supernodes;
        if supernodes.len() >= NO_SUPERNODE as usize {
            let problem = format!("{} supernodes, at most {NO_SUPERNODE}", supernodes.len());
            return self.fail("order", problem);
        }
        let mut trees = Trees::with_capacity(supernodes.len());
        for (at, supernode) in supernodes.iter().enumerate() {
            if let Err(problem) = trees.add(supernode) {
                return self.fail(&format!("supernode {at}"), problem);
            }
        }
        Ok(trees)
    }

    /// For each span its supernode.
    fn supernode_of_spans(&self) -> Result<Vec<u32>, GridError> {
        let standings = &self.parts.layers[self.agent.index()].standings;
        let mut supernode_of = vec![NO_SUPERNODE; standings.len()];
        let mut rest = &self.order.spans[..];
        for (at, supernode) in (0..).zip(&self.order.supernodes) {
            let wrong = |problem: String| self.fail(&format!("supernode {at}"), problem);
            let Some((spans, after)) = rest.split_at_checked(supernode.spans as usize) else {
                return wrong(format!("{} spans, {} are left", supernode.spans, rest.len()));
            };
            for span in spans {
                if !standings.get(span.index()).is_some_and(|standing| standing.is_walkable()) {
                    return wrong(format!("the agent cannot stand on its span {}", span.0));
                }
                if supernode_of[span.index()] != NO_SUPERNODE {
                    return wrong(format!("its span {} stands in the order twice", span.0));
                }
                supernode_of[span.index()] = at;
            }
            rest = after;
        }
        match rest.first() {
            None => Ok(supernode_of),
            Some(span) => self.fail("order", format!("span {} is in no supernode", span.0)),
        }
    }

    /// Checks that no span is missing, and what each connection joins.
    fn check_connections(&self, separation: &Separation) -> Result<(), GridError> {
        let layer = &self.parts.layers[self.agent.index()];
        let connections = Connections::new(&self.parts.frame, &self.parts.first, layer);
        for (column, ends) in self.parts.first.windows(2).enumerate() {
            for span in ends[0]..ends[1] {
                if !layer.standings[span as usize].is_walkable() {
                    continue;
                }
                if separation.supernode_of[span as usize] == NO_SUPERNODE {
                    return self.fail("order", format!("span {span} is missing"));
                }
                let target = |&dir: &Dir| connections.known_target(column, span, dir);
                let mut targets = Dir::FORWARD.iter().filter_map(target);
                if let Some(to) = targets.find(|&to| !separation.allows([span, to])) {
                    return self.fail("order", separation.problem("a connection", [span, to]));
                }
            }
        }
        Ok(())
    }

    fn check_links(&self, separation: &Separation) -> Result<(), GridError> {
        let links = self.parts.links.iter();
        let lanes = links.flat_map(|link| link.lanes_of(self.agent.index()));
        let mut ends = lanes.map(|lane| lane.spans.map(|span| span.0));
        match ends.find(|&ends| !separation.allows(ends)) {
            None => Ok(()),
            Some(ends) => self.fail("order", separation.problem("a link", ends)),
        }
    }
}

/// The trees of the supernodes so far.
struct Trees {
    /// For each supernode the first one below it, itself if there is none.
    first_below: Vec<u32>,
    /// For each supernode the height of its tree, itself counted.
    levels: Vec<u8>,
}

impl Trees {
    fn with_capacity(supernodes: usize) -> Self {
        Trees {
            first_below: Vec::with_capacity(supernodes),
            levels: Vec::with_capacity(supernodes),
        }
    }

    /// Adds a supernode. O(its children).
    fn add(&mut self, supernode: &RouteSupernode) -> Result<(), String> {
        if supernode.children == 0 && supernode.spans == 0 {
            return Err("it has neither children nor spans".to_owned());
        }
        let (mut first, mut levels) = (self.first_below.len(), 0);
        for child in 0..supernode.children {
            // In postorder the supernode before the first one below a child is the child before.
            let Some(last) = first.checked_sub(1) else {
                let children = supernode.children;
                return Err(format!("{children} children, there are {child} before it"));
            };
            first = self.first_below[last] as usize;
            levels = levels.max(self.levels[last]);
        }
        if levels >= MOST_LEVELS {
            return Err(format!("more than {MOST_LEVELS} supernodes lie one below the other"));
        }
        self.first_below.push(first as u32);
        self.levels.push(levels + 1);
        Ok(())
    }
}

/// Which spans lie in which supernodes, and which supernodes below which.
struct Separation {
    /// For each span its supernode.
    supernode_of: Vec<u32>,
    /// For each supernode the first one below it; all from there on lie below it.
    first_below: Vec<u32>,
}

impl Separation {
    /// Whether two spans may be neighbors: their supernodes are the same or one lies below the other.
    #[inline]
    fn allows(&self, spans: [u32; 2]) -> bool {
        let [a, b] = spans.map(|span| self.supernode_of[span as usize]);
        // A span without a supernode is reported when its turn comes, so here it passes.
        a == b || self.first_below.get(a.max(b) as usize).is_none_or(|&first| first <= a.min(b))
    }

    fn problem(&self, what: &str, spans: [u32; 2]) -> String {
        let [from, to] = spans;
        let [a, b] = spans.map(|span| self.supernode_of[span as usize]);
        format!("{what} joins spans {from} and {to}, but supernodes {a} and {b} lie apart")
    }
}
