//! Provides [`PlanSearch`]: finds moves for all bodies: for all at once, or by stages.

use crate::mapf::configuration_search::{ConfigurationSearch, Progress};
use crate::mapf::staged_search::StagedSearch;
use crate::mapf::task::{PlannedMove, Task};

/// A search for a plan, which is made in slices. First for all bodies at once; if that does not succeed soon,
/// by stages; and from where those have brought everyone for all at once again.
#[derive(Debug)]
pub(crate) struct PlanSearch {
    part: Part,
}

#[derive(Debug)]
enum Part {
    ForAll(Box<ConfigurationSearch>),
    ByStages(Box<StagedSearch>),
    /// From where all are after some moves.
    Rest(Box<Rest>),
}

/// What is left after some moves.
#[derive(Debug)]
struct Rest {
    task: Task,
    search: ConfigurationSearch,
    before: Vec<PlannedMove>,
}

/// Attempts for all bodies at once, before stages are tried.
const FIRST_ATTEMPTS: u32 = 8;
/// Attempts from where the stages have brought everyone.
const LAST_ATTEMPTS: u32 = 28;

impl PlanSearch {
    pub(crate) fn new(task: &Task) -> Self {
        let search = ConfigurationSearch::new(task, FIRST_ATTEMPTS);
        PlanSearch { part: Part::ForAll(Box::new(search)) }
    }

    /// Goes on for so many steps.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Progress {
        match &mut self.part {
            Part::ForAll(search) => match search.go_on(task, steps) {
                Progress::GoesOn => {}
                Progress::Found(moves) if task.rank(&task.after(&moves)).away == 0 => {
                    return Progress::Found(moves);
                }
                _ => self.part = Part::ByStages(Box::new(StagedSearch::new(task))),
            },
            Part::ByStages(search) => {
                if let Some(before) = search.go_on(task, steps) {
                    let task = task.from(&task.after(&before));
                    let search = ConfigurationSearch::new(&task, LAST_ATTEMPTS);
                    self.part = Part::Rest(Box::new(Rest { task, search, before }));
                }
            }
            Part::Rest(rest) => return rest.go_on(steps),
        }
        Progress::GoesOn
    }
}

impl Rest {
    fn go_on(&mut self, steps: usize) -> Progress {
        let moves = match self.search.go_on(&self.task, steps) {
            Progress::GoesOn => return Progress::GoesOn,
            Progress::Found(moves) => moves,
            Progress::Failed if self.before.is_empty() => return Progress::Failed,
            Progress::Failed => Vec::new(),
        };
        self.before.extend(moves);
        Progress::Found(std::mem::take(&mut self.before))
    }
}
