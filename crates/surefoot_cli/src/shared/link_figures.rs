//! Provides [`LinkCount`]: how many links of a kind an agent can take.

use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::LinkKind;

/// How many links of a kind an agent can take.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct LinkCount {
    kind: LinkKind,
    /// Whether they were generated, not marked by an author.
    generated: bool,
    two_way: bool,
    count: usize,
}

impl LinkCount {
    /// Counts the links of an agent, by its index: by kind, those of authors first.
    pub fn all(grid: &NavGrid, agent: usize) -> Vec<LinkCount> {
        let mut keys: Vec<_> = grid
            .links()
            .iter()
            .filter(|link| !link.lanes_of(agent).is_empty())
            .map(|link| (link.generated, link.kind, link.is_reversible()))
            .collect();
        keys.sort_unstable();
        let groups = keys.chunk_by(|a, b| a == b);
        let count = |group: &[(bool, LinkKind, bool)]| {
            let (generated, kind, two_way) = group[0];
            LinkCount { kind, generated, two_way, count: group.len() }
        };
        groups.map(count).collect()
    }

    /// The counts in words: `3 doors, generated: 21 jumps both ways, 102 drops`.
    pub fn list(counts: &[LinkCount]) -> String {
        let generated = counts.iter().position(|count| count.generated);
        let (marked, generated) = counts.split_at(generated.unwrap_or(counts.len()));
        let words = |counts: &[LinkCount]| {
            counts.iter().map(LinkCount::words).collect::<Vec<_>>().join(", ")
        };
        match (marked.is_empty(), generated.is_empty()) {
            (_, true) => words(marked),
            (true, false) => format!("generated: {}", words(generated)),
            (false, false) => format!("{}; generated: {}", words(marked), words(generated)),
        }
    }

    fn words(&self) -> String {
        let LinkCount { kind, count, .. } = self;
        let plural = if *count == 1 { "" } else { "s" };
        let ways = if self.two_way { " both ways" } else { "" };
        match kind {
            LinkKind::Authored => format!("{count} link{plural}{ways}"),
            _ => format!("{count} {}{plural}{ways}", kind.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_listed_in_words() {
        let count = |kind, generated, two_way, count| LinkCount { kind, generated, two_way, count };
        let door = count(LinkKind::Door, false, true, 1);
        let drops = count(LinkKind::Drop, true, false, 12);
        assert_eq!(LinkCount::list(&[]), "");
        assert_eq!(LinkCount::list(&[drops]), "generated: 12 drops");
        let drops = count(LinkKind::Drop, true, false, 12);
        assert_eq!(LinkCount::list(&[door, drops]), "1 door both ways; generated: 12 drops");
    }
}
