//! Laws of plans for bodies that block each other.

mod plan_laws;
