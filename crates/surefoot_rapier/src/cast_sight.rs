//! Lines of sight by casting the agent's body through a rapier world.
//!
//! The grid knows what stood there when it was baked, and that at the centers of its cells. A cast
//! sees what has moved since, and what stands between. It does not know what there is to walk on:
//! that is the grid's part.

use crate::{Body, BodySweep, SKIN};
use surefoot::path::{GridSight, GroundProfile, Sight};
use surefoot::view::{NavPoint, View};

/// Sight by the cast alone: whether the agent's lifted body gets along the line touching nothing.
///
/// The body keeps within 2.5 cm of the ground below the line, as the grid has it, walkable or not.
/// Over gaps, ledges and whatever else is no step for the agent it goes straight through the air to
/// the next ground at its height, or to the end of the line. So a line across a pit is clear, and
/// one from storey to storey is where nothing lies between. What is lower than the lift,
/// [`Body::bottom`](crate::Body::bottom), passes below.
///
/// Where the body touches anything at either end, the line is not clear: leave the agent's own
/// collider out by the filter. The same in both directions. A few microseconds a line; it allocates
/// nothing.
///
/// ```
/// use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, QueryFilter, RigidBodyBuilder, Vector};
/// use surefoot::{NavGrid, SpanId, View};
/// use surefoot::path::Sight;
/// use surefoot::view::NavPoint;
/// use surefoot_rapier::{CastSight, GridThenCast};
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 5\nmap\n.....\n", 1.0, &[])?;
/// let view = View::new(&grid, "human")?;
/// let ends = [(0, 0.5), (4, 4.5)];
/// let [from, to] = ends.map(|(span, x)| NavPoint { span: SpanId(span), point: [x, 0.0, 0.5].into() });
///
/// let mut physics = PhysicsWorld::new();
/// let crate_body = RigidBodyBuilder::dynamic().translation(Vector::new(2.5, 0.5, 0.5));
/// physics.insert(crate_body, ColliderBuilder::cuboid(0.5, 0.5, 0.5));
/// physics.detect_collisions(&(), &());
/// assert!(!GridThenCast::new(&physics).is_clear(&view, &from, &to));
/// let walls = physics.query_pipeline_with_filter(QueryFilter::exclude_dynamic());
/// assert!(CastSight::new(walls).is_clear(&view, &from, &to));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct CastSight<'a> {
    sweep: BodySweep<'a>,
}

impl<'a> CastSight<'a> {
    /// Sight in a rapier world, or by a query pipeline with a filter of its own.
    pub fn new(world: impl Into<BodySweep<'a>>) -> Self {
        CastSight { sweep: world.into() }
    }
}

/// The part of its lift by which a body is lengthened, at the sole and at the top, to cover in one
/// cast what the ground below does. Lengthened by a quarter it stays half its lift above the
/// ground, and passes whole stairs.
const COVER: f32 = 0.25;
/// How far above or below the ground a body may be carried where the lengthened one touches [m].
///
/// Half of what it is held above what it climbs. Smaller, and rolling ground takes more casts; with
/// all of it, a body without climb would touch the slope it walks.
const NEAR_GROUND: f32 = 0.5 * SKIN;

impl Sight for CastSight<'_> {
    fn is_clear(&self, view: &View, from: &NavPoint, to: &NavPoint) -> bool {
        let body = Body::new(view.agent());
        let cover = COVER * body.bottom;
        let long = Body { bottom: body.bottom - cover, top: body.top + cover, ..body };
        let Some(mut ground) = GroundProfile::between(view, [*from, *to], SKIN) else {
            return false;
        };
        loop {
            let start = ground.clone();
            let Some(stretch) = ground.stretch(cover) else { return true };
            if !self.sweep.can_go(&long, stretch) {
                let end = ground.gone();
                ground = start;
                if !self.goes_closely(&body, &mut ground, end) {
                    return false;
                }
            }
        }
    }
}

impl CastSight<'_> {
    /// Carries a body along the ground, at least to where a part of the line is gone.
    fn goes_closely(&self, body: &Body, ground: &mut GroundProfile, end: f32) -> bool {
        while ground.gone() < end {
            let Some(stretch) = ground.stretch(NEAR_GROUND) else { break };
            if !self.sweep.can_go(body, stretch) {
                return false;
            }
        }
        true
    }
}

/// Sight by the grid first, and where that is clear by the cast as well: floor all the way, and the
/// body free all the way.
#[derive(Clone, Copy)]
pub struct GridThenCast<'a> {
    cast: CastSight<'a>,
}

impl<'a> GridThenCast<'a> {
    /// Sight in a rapier world, or by a query pipeline with a filter of its own.
    pub fn new(world: impl Into<BodySweep<'a>>) -> Self {
        GridThenCast { cast: CastSight::new(world) }
    }
}

impl Sight for GridThenCast<'_> {
    fn is_clear(&self, view: &View, from: &NavPoint, to: &NavPoint) -> bool {
        GridSight.is_clear(view, from, to) && self.cast.is_clear(view, from, to)
    }
}
