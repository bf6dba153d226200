//! Sorts out bodies that block each other where two cannot pass (multi-agent path finding): who stands where,
//! and who moves when.
//!
//! Ground around a jam ([`LocalGround`]) becomes a graph of places with room for one body each
//! ([`PlaceGraph`]). Over the configurations of all bodies on it a search finds moves that bring everyone to
//! its target (`ConfigurationSearch`). Where that goes astray, bodies are brought home one after another
//! (`EscortSearch`, [`PlanSearch`]); and where there is hardly room to move, two change places at a time
//! (`ExchangeSearch`). Then a few bodies at a time look for faster ways between all others (`PlanRefinement`).
//! Each move is bound to those that have to come before ([`MovePlan`]), so that bodies may walk them at their
//! own pace. This room knows nothing of crowds.
//!
//! Sources: Okumura, "LaCAM: Search-based algorithm for quick multi-agent pathfinding", 2023, and "Improving
//! LaCAM for scalable eventually optimal multi-agent pathfinding", 2023; Okumura et al., "Priority inheritance
//! with backtracking for iterative multi-agent path finding", 2022. Plans that are walked at any pace: Hönig et
//! al., "Multi-agent path finding with kinematic constraints", 2016.

mod buckets;
mod configuration_search;
mod detours;
mod escort;
mod escort_search;
mod exchange;
mod exchange_search;
mod goal_choice;
mod homecoming;
mod local_ground;
mod move_plan;
mod occupancy;
mod place_graph;
mod plan_refinement;
mod plan_search;
mod safe_path;
mod step_maker;
mod straight_ways;
mod swap;
mod task;
mod timetable;
mod trail_ground;

pub(crate) use configuration_search::Progress;
pub(crate) use local_ground::{LocalGround, Reach};
pub(crate) use move_plan::{Condition, Move, MovePlan};
pub(crate) use place_graph::{Occupants, PlaceGraph, PlaceId};
pub(crate) use plan_search::PlanSearch;
pub(crate) use task::{Body, BodyId, Target, Task};
#[cfg(test)]
pub(crate) use {
    escort::{Errand, Escort, Outcome},
    escort_search::EscortSearch,
    exchange::Exchanges,
    exchange_search::ExchangeSearch,
    occupancy::Occupancy,
    plan_refinement::PlanRefinement,
    safe_path::{SafePathSearch, Seeker},
    task::PlannedMove,
    timetable::{NEVER, Time, TimedMove, Timetable},
};
