//! Provides [`JamTask`]: who takes part in sorting out a jam, and where each has to be.

use crate::crowd::duty::Duty;
use crate::crowd::jam_targets::{Halls, JamTargets};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::slot_map::SlotMap;
use crate::crowd::walker::Walker;
use crate::grid::NextGrid;
use crate::mapf::{Body, Target, Task};

/// Those who take part, and where each has to be.
#[derive(Debug)]
pub(crate) struct JamTask {
    pub task: Task,
    pub halls: Halls,
    /// In the order of the task's bodies.
    pub walkers: Vec<Walker>,
}

impl JamTask {
    /// Takes in those of some members who stand where two cannot pass.
    pub(crate) fn new(mut targets: JamTargets, members: &[&Member]) -> Self {
        let starts = members.iter().filter_map(|member| Some((member, targets.start(member)?)));
        let starts: Vec<_> = starts.collect();
        let bodies = starts.iter().map(|&(member, start)| {
            let target = targets.target(member, start);
            Body { start, target }
        });
        let bodies: Vec<Body> = bodies.collect();
        let walkers = starts.iter().map(|(member, _)| Walker { id: member.id, made: 0, begun: 0 });
        let walkers = walkers.collect();
        let (graph, halls) = targets.into_parts();
        JamTask { task: Task::new(graph, bodies), halls, walkers }
    }

    /// The same for other choices in the search for a plan.
    pub(crate) fn with_seed(self, seed: u64) -> Self {
        JamTask { task: self.task.with_seed(seed), ..self }
    }

    /// Gives everyone a duty.
    pub(crate) fn set_duties(&self, slot_map: &mut SlotMap, duty: &Duty) {
        for walker in &self.walkers {
            if let Some(member) = slot_map.member_mut(walker.id) {
                member.duty = duty.clone();
            }
        }
    }

    /// The same on the next grid; `None` if some ground is gone.
    pub(crate) fn on_next(self, next: &NextGrid) -> Option<Self> {
        Some(JamTask { task: self.task.on_next(next)?, ..self })
    }

    /// Whether nobody has to be brought anywhere.
    pub(crate) fn is_done(&self) -> bool {
        self.task.rank(&self.task.after(&[])).away == 0
    }

    /// Whether a member takes part that has to be where it is.
    pub(crate) fn is_at_target(&self, id: MemberId) -> bool {
        let mut all = self.walkers.iter().zip(&self.task.bodies);
        all.any(|(walker, body)| walker.id == id && body.target == Target::Place(body.start))
    }
}
