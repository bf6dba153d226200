//! The run time as the page runs it: a wasm module in a worker that answers messages.
//!
//! A message is a JSON object and bytes, and so is its answer; see [`message`]. [`Session`] is what
//! answers them, and knows nothing of wasm, so that tests ask it too. The page's `worker.ts` is the other
//! side.

mod abi;
mod change;
mod crowd;
mod film;
mod ground;
mod level;
pub mod message;
mod path;
mod session;

pub use session::Session;
