//! Laws of plans for bodies that block each other.

mod escort_laws;
mod exchange_laws;
mod level;
mod plan_laws;
mod timetable_laws;
mod trail_laws;
