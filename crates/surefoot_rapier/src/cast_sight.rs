//! Lines of sight by casting the agent's body through a rapier world.
//!
//! The grid knows what was there at the bake, at the centers of its cells. A cast sees what has
//! moved since, and what lies between the centers. It does not know where there is floor: that is
//! the grid's part.

use crate::{Body, BodySweep, SKIN};
use surefoot::path::{GridSight, GroundProfile, Sight};
use surefoot::view::{NavPoint, View};

/// Line of sight by the cast alone: clear if the agent's lifted body touches nothing along the
/// line.
///
/// The body stays within 2.5 cm of the ground below the line, as the grid has it, walkable or not.
/// Over gaps, ledges and anything else that is no step for the agent it moves straight through the
/// air to the next ground at its height, or to the end of the line. So a line across a pit is
/// clear, and a line between two storeys is clear if nothing lies between them. Anything lower than
/// the lift, [`Body::bottom`](crate::Body::bottom), passes below.
///
/// If the body touches anything at either end, the line is not clear: exclude the agent's own
/// collider with the filter. The result is the same in both directions. Takes a few microseconds a
/// line and allocates nothing.
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
    /// Casts through a rapier world, or through a query pipeline with a filter of its own.
    pub fn new(world: impl Into<BodySweep<'a>>) -> Self {
        CastSight { sweep: world.into() }
    }
}

/// The fraction of its lift by which a body is lengthened at both ends, so that one cast covers the
/// ups and downs of the ground. At a quarter it stays half its lift above the ground, and one cast
/// covers whole stairs.
const LENGTHENING: f32 = 0.25;
/// How far above or below the ground the body may be where the lengthened one touches [m].
///
/// If it were smaller, rolling ground would take more casts; at all of the skin, a body that climbs
/// nothing would touch the slope it walks on.
const GROUND_TOLERANCE: f32 = 0.5 * SKIN;

impl Sight for CastSight<'_> {
    fn is_clear(&self, view: &View, from: &NavPoint, to: &NavPoint) -> bool {
        let body = Body::new(view.agent());
        let lengthening = LENGTHENING * body.bottom;
        let long = Body { bottom: body.bottom - lengthening, top: body.top + lengthening, ..body };
        let Some(mut ground) = GroundProfile::between(view, [*from, *to], SKIN) else {
            return false;
        };
        loop {
            let start = ground.clone();
            let Some(segment) = ground.stretch(lengthening) else { return true };
            if !self.sweep.can_go(&long, segment) {
                let end = ground.gone();
                ground = start;
                if !self.follows_closely(&body, &mut ground, end) {
                    return false;
                }
            }
        }
    }
}

impl CastSight<'_> {
    /// Returns whether the body touches nothing while it follows the ground closely, up to a
    /// fraction `end` of the line or a little beyond.
    fn follows_closely(&self, body: &Body, ground: &mut GroundProfile, end: f32) -> bool {
        while ground.gone() < end {
            let Some(segment) = ground.stretch(GROUND_TOLERANCE) else { break };
            if !self.sweep.can_go(body, segment) {
                return false;
            }
        }
        true
    }
}

/// Line of sight by the grid first, then by the cast: there is floor all along the line, and the
/// body touches nothing.
#[derive(Clone, Copy)]
pub struct GridThenCast<'a> {
    cast: CastSight<'a>,
}

impl<'a> GridThenCast<'a> {
    /// Casts through a rapier world, or through a query pipeline with a filter of its own.
    pub fn new(world: impl Into<BodySweep<'a>>) -> Self {
        GridThenCast { cast: CastSight::new(world) }
    }
}

impl Sight for GridThenCast<'_> {
    fn is_clear(&self, view: &View, from: &NavPoint, to: &NavPoint) -> bool {
        GridSight.is_clear(view, from, to) && self.cast.is_clear(view, from, to)
    }
}
