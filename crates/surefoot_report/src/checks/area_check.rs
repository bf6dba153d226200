//! Evaluates promises about how much ground there is.

use std::collections::BTreeMap;

use surefoot::SpanId;

use super::agent_checks::AgentChecks;
use super::plan::AreaTask;
use super::tally::Tally;
use crate::standing::verdict_name;

impl AgentChecks<'_> {
    /// Counts the ground. O(spans).
    pub fn area(&self, task: &AreaTask) -> Tally {
        let (grid, promise) = (self.grid, task.promise);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (span, at) in grid.spans().iter().zip(0..) {
            let node = span.node().0 as usize;
            let is_node = |nodes: &Vec<bool>| nodes.get(node).copied().unwrap_or(false);
            let counts_here = task.area.is_none_or(|area| span.area() == area)
                && task.nodes.as_ref().is_none_or(is_node);
            let verdict = grid.verdict(self.agent, SpanId(at)).filter(|_| counts_here);
            if let Some(verdict) = verdict {
                *counts.entry(verdict_name(verdict)).or_default() += 1;
            }
        }
        let cell = f64::from(grid.frame().cell_size);
        let square_metres = |count: usize| count as f64 * cell * cell;
        let walkable = square_metres(counts.remove("walkable").unwrap_or_default());
        let holds = promise.min_m2.is_none_or(|least| walkable >= least)
            && promise.max_m2.is_none_or(|most| walkable <= most);
        let mut tally = Tally::default();
        tally.count(1, usize::from(!holds));
        tally.walkable_m2 = Some(walkable);
        tally.found = Some(format!("{walkable:.1} m²"));
        if !holds {
            let others = counts
                .iter()
                .map(|(verdict, &count)| format!("{verdict} {:.1} m²", square_metres(count)));
            let others: Vec<String> = others.collect();
            tally.why = Some(match others.is_empty() {
                true => "there is no other ground".to_owned(),
                false => format!("{} cannot stand on the rest: {}", self.name(), others.join(", ")),
            });
        }
        tally
    }
}
