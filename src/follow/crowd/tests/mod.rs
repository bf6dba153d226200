//! Laws of crowds.
