//! Lines of sight by cast in scenes made for them, and paths whose segments a cast confirms.

mod level;
mod made;
mod paths;
