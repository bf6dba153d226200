//! What checks promise, in words, and what they are called if nobody names them.

use surefoot::grid::LinkKind;

use super::spec::{
    AllowedLinks, AreaPromise, GridPromise, PathPromise, ReachPromise, WalkablePromise,
};

/// A check in words.
pub(super) struct PromiseWords {
    /// The name that the file gives it.
    pub given: Option<String>,
    /// What it is called without one.
    pub name: String,
    /// What is promised.
    pub promised: String,
}

impl AllowedLinks {
    /// As the end of a sentence; empty if all may be taken.
    fn words(self) -> String {
        if self.0.is_all() {
            return String::new();
        }
        let kinds = LinkKind::ALL.into_iter().filter(|&kind| self.0.allows(kind));
        let kinds: Vec<&str> = kinds.map(LinkKind::name).collect();
        match kinds[..] {
            [] => " without links".to_owned(),
            _ => format!(" by no links but {}", kinds.join(", ")),
        }
    }
}

impl PathPromise {
    pub(super) fn words(&self) -> PromiseWords {
        let some = if self.exists { "path" } else { "no path" };
        let ends = format!("from {} to {}", self.from.label(), self.to.label());
        let links = self.links.words();
        let article = if self.exists { "a " } else { "" };
        let mut promised = format!("{article}{some} {ends}{links}");
        let limits = [
            (self.min_length, ", at least ", " m long"),
            (self.max_length, ", at most ", " m long"),
            (self.max_cost, ", at a cost of at most ", ""),
            (self.max_climb, ", going up at most ", " m"),
            (self.max_descent, ", going down at most ", " m"),
            (self.min_clearance, ", with a clearance of at least ", " m"),
        ];
        for (value, before, unit) in limits {
            if let Some(value) = value {
                promised += &format!("{before}{value}{unit}");
            }
        }
        PromiseWords { given: self.name.clone(), name: format!("{some} {ends}{links}"), promised }
    }
}

impl ReachPromise {
    pub(super) fn words(&self) -> PromiseWords {
        let (from, to, links) = (self.from.label(), self.to.label(), self.links.words());
        let (verb, subject) =
            if self.exists { ("reach", "each") } else { ("do not reach", "none") };
        PromiseWords {
            given: self.name.clone(),
            name: format!("{from} {verb} {to}{links}"),
            promised: format!("{subject} of {from} reaches each of {to}{links}"),
        }
    }
}

impl WalkablePromise {
    /// Whether the agent is to be able to stand there.
    pub(super) fn expects_walkable(&self) -> bool {
        self.is.unwrap_or(self.verdict.is_none() && self.node.is_none())
    }

    pub(super) fn words(&self) -> PromiseWords {
        let at = self.at.label();
        let is = if self.expects_walkable() { "walkable" } else { "not walkable" };
        let verdict = self.verdict.as_ref().map(|verdict| format!(", verdict {verdict}"));
        let node = self.node.as_ref().map(|node| format!(", because of {node}"));
        PromiseWords {
            given: self.name.clone(),
            name: format!("{at} {is}"),
            promised: [format!("{at} is {is}")].into_iter().chain(verdict).chain(node).collect(),
        }
    }
}

impl AreaPromise {
    pub(super) fn words(&self) -> PromiseWords {
        let mut name = "walkable ground".to_owned();
        name.extend(self.area.iter().map(|area| format!(" of area {area}")));
        name.extend(self.node.iter().map(|node| format!(" on {node}")));
        let limits = match (self.min_m2, self.max_m2) {
            (Some(low), Some(high)) => format!("{low} to {high} m²"),
            (Some(low), None) => format!("at least {low} m²"),
            (None, Some(high)) => format!("at most {high} m²"),
            (None, None) => String::new(),
        };
        let promised = format!("{limits} of {name}");
        PromiseWords { given: self.name.clone(), name, promised }
    }
}

impl GridPromise {
    pub(super) fn words(&self) -> PromiseWords {
        let name = "hash of the grid".to_owned();
        PromiseWords { given: None, name, promised: format!("hash {}", self.hash) }
    }
}
