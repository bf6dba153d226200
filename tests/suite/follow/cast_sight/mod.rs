//! Lines of sight by cast in scenes made for them, and ways whose legs a cast confirms.

mod level;
mod made;
mod ways;
