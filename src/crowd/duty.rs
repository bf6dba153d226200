//! Provides [`Duty`]: what a member does for others, so that all get through a passage.

use nalgebra::Vector3;

use crate::crowd::errand::Errand;
use crate::follow::FollowStep;
use crate::grid::NextGrid;
use crate::view::{NavPoint, ViewRef};

/// What a member does for others, so that all get through a passage where two cannot pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duty {
    pub role: Role,
    /// It keeps farther away from others who do so too, by this [sums of both radii].
    pub spread: f32,
    /// Where it goes instead of to its goal; boxed, because few members have one.
    errand: Option<Box<Errand>>,
}

/// The part that a member plays in a jam. Others make way for a higher one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// It stands in front of a passage, until it is its turn.
    StandInLine,
    /// It waits for its turn, and gets out of the way of those who go on.
    StepAside,
    /// None: it goes its own way.
    #[default]
    None,
    /// It walks by a plan for all around a jam.
    Rearranged,
}

impl Duty {
    /// It walks by a plan, and stands until it knows where to go.
    pub(crate) fn rearranged() -> Self {
        Duty { role: Role::Rearranged, ..Duty::default() }
    }

    /// The same before there is a plan: it keeps farther away from others who do so too, by this [sums of both
    /// radii].
    pub(crate) fn spreads(spread: f32) -> Self {
        Duty { spread, ..Duty::rearranged() }
    }

    /// Whether it is to walk by a plan, and there is none yet.
    pub(crate) fn is_spreading(&self) -> bool {
        self.spread > 0.0
    }

    pub(crate) fn is_rearranged(&self) -> bool {
        self.role == Role::Rearranged
    }

    /// Sends it along a trail.
    pub(crate) fn set_errand(&mut self, errand: Errand) {
        self.errand = Some(Box::new(errand));
    }

    /// Leaves all points of its trail behind up to a place that it has come to.
    pub(crate) fn come_to(&mut self, place: &NavPoint) {
        if let Some(errand) = &mut self.errand {
            errand.come_to(place);
        }
    }

    /// Goes on over the next grid; returns false if ground of its errand is gone.
    pub(crate) fn go_on(&mut self, next: &NextGrid) -> bool {
        self.errand.as_mut().is_none_or(|errand| errand.go_on(next))
    }

    pub(crate) fn is_none(&self) -> bool {
        self.role == Role::None
    }

    /// Where it goes instead of to its goal.
    pub(crate) fn errand(&self) -> Option<&Errand> {
        self.errand.as_deref()
    }

    /// The velocity that the duty demands; `None` if it demands none.
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Option<Vector3<f32>> {
        match &mut self.errand {
            Some(errand) => Some(errand.velocity(view, at, step)),
            None => self.is_rearranged().then(Vector3::zeros),
        }
    }
}
