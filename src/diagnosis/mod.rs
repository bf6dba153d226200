//! Why there is no path: what separates two places, and what would have to give.
//!
//! A search over all floors, walkable or not, finds the path on which the fewest and smallest limits
//! would have to give: a step that is too high, a passage that is too narrow, a low ceiling. What is
//! in the way along it is returned in order, with sizes, places and names.
//!
//! Everything is read from the grid: floors, headrooms, slopes and verdicts, and widths as the bake
//! measured them. So sizes are those of the level. Where the bake measured none, as in files of older
//! programs, cells are counted to find what is in the way, and its width is not named.

mod barriers;
mod blocker;
mod climb;
mod crossing;
mod ground;
mod ledges;
mod measured;
mod nodes;
mod penalty;
mod relaxed_search;
mod sides;

use crate::search::{Endpoints, PathError, Query};
use crate::view::{NavPoint, View};

pub use blocker::{Blocker, Separation, Shortfall};

use ground::RelaxedGround;
use relaxed_search::RelaxedSearch;

/// What separates the ends of a query on a view. O(spans · log spans).
///
/// # Errors
/// The agent cannot stand at an end, or anywhere near it.
pub(crate) fn separation(view: &View, query: &Query) -> Result<Separation, PathError> {
    let filtered = view.filtered(&query.filter).with_links(query.links);
    let parts = filtered.parts();
    let endpoints = Endpoints { view: &parts, query };
    let start = endpoints.start()?;
    let goal = endpoints.nearest_to_goal()?;
    let ground = RelaxedGround::new(&parts);
    let track = RelaxedSearch::new(&ground).find(start, goal);
    let region = |end: NavPoint| view.grid().region(view.agent_id(), end.span);
    let regions = [region(start), region(goal)];
    let Some(track) = track else {
        return Ok(Separation { start, goal, regions, is_explained: false, ..Default::default() });
    };
    let mut blockers = barriers::blockers(&ground, &track);
    climb::mark_links(&ground, &track, &mut blockers);
    let points = track.iter().map(|node| NavPoint::center(&parts, node.span)).collect();
    Ok(Separation { start, goal, regions, is_explained: true, blockers, track: points })
}
