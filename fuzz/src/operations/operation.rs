//! Operations, and the odd numbers in them.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::choices::once_in;

/// Something that a program does.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) enum Operation {
    /// Finds a path by every engine, and says why there is none.
    Find {
        from: Place,
        to: Place,
    },
    /// Finds a path by odd rules.
    Ask(Ask),
    Prepare {
        four_directions: bool,
    },
    SetModel {
        ascend: Factor,
        descend: Factor,
    },
    Table {
        from: [u8; 2],
        to: [u8; 2],
    },
    Field {
        source: u8,
        within: Factor,
    },
    /// Of the navigator, or of the crowd.
    Block {
        by_crowd: bool,
        obstacle: Shape,
    },
    Unblock {
        by_crowd: bool,
        which: u8,
    },
    SetFactor {
        by_crowd: bool,
        area: u8,
        factor: Factor,
    },
    SetLinkOpen {
        by_crowd: bool,
        link: u8,
        open: bool,
    },
    /// The crowd gets the navigator's overlay, or the other way around.
    Share {
        from_crowd: bool,
    },
    Add {
        agent: u8,
        at: Place,
        speed: Factor,
        tolerance: Factor,
    },
    Remove {
        member: u8,
    },
    SetGoal {
        member: u8,
        goal: Place,
    },
    SetTarget {
        member: u8,
        target: Place,
    },
    Stop {
        member: u8,
    },
    Put {
        member: u8,
        at: Place,
        velocity: [Factor; 2],
    },
    SetPriority {
        member: u8,
        priority: u8,
    },
    PrepareCrowd {
        agent: u8,
    },
    Think {
        time: Time,
    },
    Step {
        time: Time,
        times: u8,
    },
    /// The same as a step, that more of the operations are steps.
    Walk {
        times: u8,
    },
}

/// A query with rules of its own.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) struct Ask {
    pub from: Place,
    pub to: Place,
    pub goal: u8,
    pub engine: u8,
    pub heuristic: u8,
    pub four_directions: bool,
    pub weight: Factor,
    pub budget: u16,
    pub snap_radius: Option<Factor>,
    pub tolerance: Option<Factor>,
    pub slope: Option<Factor>,
    pub forbid: Option<u8>,
    pub scale: Option<(u8, Factor)>,
}

/// A point near some span, or an odd one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// The span's number, and the offset from the center of its cell along x, y and z [1/64 cells].
    Near(u16, [i8; 3]),
    At([f32; 3]),
}

impl<'a> Arbitrary<'a> for Place {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        if once_in(input, 32)? {
            return Ok(Place::At([odd(input)?, odd(input)?, odd(input)?]));
        }
        let span = input.arbitrary()?;
        let offset = if input.arbitrary()? { input.arbitrary()? } else { [0; 3] };
        Ok(Place::Near(span, offset))
    }
}

/// A number (0..8], or an odd one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor(pub f32);

impl<'a> Arbitrary<'a> for Factor {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        if once_in(input, 16)? {
            return Ok(Factor(odd(input)?));
        }
        Ok(Factor((f32::from(input.arbitrary::<u8>()?) + 1.0) / 32.0))
    }
}

/// A time between two steps [s].
#[derive(Clone, Copy, Debug)]
pub(super) struct Time(pub f32);

impl<'a> Arbitrary<'a> for Time {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let times = [1.0 / 60.0, 1.0 / 30.0, 0.1, 0.5, 3.0, 1e-6];
        if once_in(input, 16)? { odd(input).map(Time) } else { Ok(Time(*input.choose(&times)?)) }
    }
}

/// An obstacle.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) enum Shape {
    Box { at: Place, half: [Factor; 3], yaw: Factor },
    Cylinder { at: Place, radius: Factor, height: Factor },
    Prism { corners: [Place; 4], top: Factor },
}

fn odd(input: &mut Unstructured) -> Result<f32> {
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -1.0,
        1e-45,
        1e-10,
        1e10,
        1e30,
        f32::MAX,
        f32::MIN,
    ];
    if input.arbitrary()? { input.arbitrary() } else { Ok(*input.choose(&odd)?) }
}
