//! Worlds from files: every format of heights, tiles that merge to one bake, and every message.

mod files;
mod formats;
mod hostile;
mod keys;
mod messages;
mod terrains;
mod tiles;
