//! Provides [`LinkMarker`]: an off-mesh connection as its author marked it, before the bake snaps it.

use nalgebra::{Point3, Vector3};
use serde::{Deserialize, Serialize};

use super::limits::check_point;
use surefoot::grid::{LinkKind, LinkStop};

/// An off-mesh connection that an author marked in the scene. The bake snaps its ends.
///
/// ```
/// use surefoot_bake::scene::LinkMarker;
/// use surefoot::grid::LinkKind;
/// let (from, to) = ([0.0, 0.0, 0.0].into(), [3.0, 0.0, 0.0].into());
/// let gap = LinkMarker { from, to, kind: LinkKind::Jump, ..LinkMarker::default() };
/// assert_eq!(gap.capacity, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkMarker {
    /// Name of the node that marks it, or of its own.
    pub name: String,
    /// Where it starts [m].
    pub from: Point3<f32>,
    /// Where it ends [m].
    pub to: Point3<f32>,
    /// Whether it can be taken in both directions.
    pub two_way: bool,
    /// Cost, in metres of plain ground; `None` means its length.
    pub cost: Option<f32>,
    /// What kind of movement it takes.
    pub kind: LinkKind,
    /// From one side of a wide link to the other [m]: half of it lies on each side of both ends. Zero for
    /// a link that is a point wide.
    pub across: Vector3<f32>,
    /// How many bodies of a crowd may be on it at once; 0 means any number. `None` means as many as fit
    /// side by side if they jump, drop or climb, and any number else.
    pub capacity: Option<u32>,
    /// What its author says of it, as compact JSON; empty if that is nothing.
    pub user_data: String,
    /// Which stop it leads to, if the link moves at its end: each stop is a link of its own.
    pub stop: Option<LinkStop>,
}

/// A link leads straight up if less than this part of its length is level.
const STEEP: f32 = 0.01;

impl LinkMarker {
    /// Returns the same link with a width [m, >= 0]: level, and at a right angle to the link as seen from
    /// above; along the x axis if it leads straight up or down.
    pub fn wide(self, width: f32) -> Self {
        self.wide_along(width, Vector3::x())
    }

    /// Returns the same link with a width [m]: along the level part of an axis if it leads straight up or
    /// down.
    pub(super) fn wide_along(self, width: f32, axis: Vector3<f32>) -> Self {
        let along = self.to - self.from;
        let level = Vector3::new(-along.z, 0.0, along.x);
        let axis = Vector3::new(axis.x, 0.0, axis.z);
        let direction = if level.norm() > STEEP * along.norm() { level } else { axis };
        let direction = direction.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(Vector3::x);
        let across = if width == 0.0 { Vector3::zeros() } else { direction * width };
        LinkMarker { across, ..self }
    }

    /// Returns what is wrong with a number of it.
    pub(super) fn check(&self) -> Result<(), String> {
        let half = 0.5 * self.across;
        let sides = [self.from - half, self.from + half, self.to - half, self.to + half];
        sides.iter().try_for_each(check_point)?;
        if self.cost.is_some_and(|cost| !(cost >= 0.0 && cost.is_finite())) {
            return Err("its cost must be a number of at least 0".to_owned());
        }
        Ok(())
    }
}
