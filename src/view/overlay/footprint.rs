//! The shapes of obstacles, seen from above, and which bodies touch them.

use nalgebra::{Point2, Point3, Vector2, Vector3};

use crate::agent::{Agent, BodyShape};
use crate::portable;

/// An upright shape that blocks agents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// A box, turned about the y axis.
    Box {
        /// Its center [m].
        center: Point3<f32>,
        /// Half its size along its own axes [m, >= 0].
        half: Vector3<f32>,
        /// The angle that it is turned by, from +x towards +z [rad].
        yaw: f32,
    },
    /// A cylinder.
    Cylinder {
        /// The center of its lower side [m].
        base: Point3<f32>,
        /// Its radius [m, >= 0].
        radius: f32,
        /// Its height [m, >= 0].
        height: f32,
    },
    /// A polygon, extruded upwards. It may be concave; its sides do not cross each other.
    Prism {
        /// Its corners (x, z), in either order [m].
        corners: Vec<[f32; 2]>,
        /// Height of its lower side [m].
        bottom: f32,
        /// Height of its upper side [m, >= bottom].
        top: f32,
    },
}

/// Why an obstacle is not a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// A number is not finite, or a size is negative.
    #[error("the obstacle's {what} is {value}; it has to be a finite number, sizes at least 0")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: String,
    },
    /// A prism has fewer than three corners.
    #[error("the prism has {corners} corners; it needs at least 3")]
    Corners {
        /// How many it has.
        corners: usize,
    },
    /// The top of a prism lies below its bottom.
    #[error("the prism's top lies below its bottom")]
    UpsideDown,
}

/// An obstacle as its outline and its heights.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    outline: Outline,
    /// Least and greatest height [m].
    heights: [f32; 2],
}

#[derive(Clone, Debug)]
enum Outline {
    Disc(Point2<f32>, f32),
    Polygon(Vec<Point2<f32>>),
}

impl Footprint {
    pub(super) fn new(obstacle: Obstacle) -> Result<Self, ObstacleError> {
        match obstacle {
            Obstacle::Box { center, half, yaw } => {
                check("center", center.coords.as_slice(), f32::NEG_INFINITY)?;
                check("half size", half.as_slice(), 0.0)?;
                check("yaw", &[yaw], f32::NEG_INFINITY)?;
                let (sin, cos) = portable::sin_cos(yaw);
                let corner = |x: f32, z: f32| {
                    let (x, z) = (x * half.x, z * half.z);
                    Point2::new(center.x + cos * x - sin * z, center.z + sin * x + cos * z)
                };
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let outline = Outline::Polygon(corners.map(|(x, z)| corner(x, z)).to_vec());
                Ok(Footprint { outline, heights: [center.y - half.y, center.y + half.y] })
            }
            Obstacle::Cylinder { base, radius, height } => {
                check("base", base.coords.as_slice(), f32::NEG_INFINITY)?;
                check("radius and height", &[radius, height], 0.0)?;
                let outline = Outline::Disc(Point2::new(base.x, base.z), radius);
                Ok(Footprint { outline, heights: [base.y, base.y + height] })
            }
            Obstacle::Prism { corners, bottom, top } => {
                check("corners", corners.as_flattened(), f32::NEG_INFINITY)?;
                check("bottom and top", &[bottom, top], f32::NEG_INFINITY)?;
                if corners.len() < 3 {
                    return Err(ObstacleError::Corners { corners: corners.len() });
                }
                if top < bottom {
                    return Err(ObstacleError::UpsideDown);
                }
                let outline = corners.into_iter().map(Point2::from).collect();
                Ok(Footprint { outline: Outline::Polygon(outline), heights: [bottom, top] })
            }
        }
    }

    /// Least and greatest (x, z) of the points at which a body of a radius may touch it [m].
    pub(super) fn bounds(&self, radius: f32) -> [[f32; 2]; 2] {
        let (low, high) = match &self.outline {
            Outline::Disc(center, own) => {
                (center - Vector2::repeat(*own), center + Vector2::repeat(*own))
            }
            Outline::Polygon(corners) => corners
                .iter()
                .fold((corners[0], corners[0]), |(low, high), c| (low.inf(c), high.sup(c))),
        };
        [[low.x - radius, low.y - radius], [high.x + radius, high.y + radius]]
    }

    /// Whether an agent's body would touch it, at a point (x, z) on a floor. It does not touch what it
    /// can step over, nor what is above its head.
    pub(super) fn touches(&self, agent: &Agent, point: [f32; 2], floor: f32) -> bool {
        let [bottom, top] = self.heights;
        top > floor + agent.max_climb
            && bottom < floor + agent.height
            && match agent.shape {
                BodyShape::Capsule => self.distance(point) < agent.radius,
                BodyShape::Box => self.overlaps_square(point, agent.radius),
            }
    }

    /// Distance from a point (x, z) to the outline [m]; 0 inside.
    pub(super) fn distance(&self, point: [f32; 2]) -> f32 {
        let point = Point2::from(point);
        match &self.outline {
            Outline::Disc(center, radius) => ((point - center).norm() - radius).max(0.0),
            Outline::Polygon(corners) if is_inside(corners, point) => 0.0,
            Outline::Polygon(corners) => {
                let distances = sides(corners).map(|side| distance_to_side(point, side));
                distances.fold(f32::INFINITY, f32::min)
            }
        }
    }

    /// Whether it overlaps the inside of a square, given its center and half its side.
    fn overlaps_square(&self, center: [f32; 2], half: f32) -> bool {
        let square = Point2::from(center);
        match &self.outline {
            Outline::Disc(center, radius) => {
                let off = (center - square).map(|v| (v.abs() - half).max(0.0));
                off.norm() < *radius || off == Vector2::zeros() && half > 0.0
            }
            Outline::Polygon(corners) => {
                is_inside(corners, square)
                    || sides(corners).any(|side| crosses_square(side, square, half))
            }
        }
    }
}

fn check(what: &'static str, values: &[f32], least: f32) -> Result<(), ObstacleError> {
    match values.iter().find(|value| !value.is_finite() || **value < least) {
        Some(value) => Err(ObstacleError::Number { what, value: value.to_string() }),
        None => Ok(()),
    }
}

/// The sides of a polygon, from corner to corner.
fn sides(corners: &[Point2<f32>]) -> impl Iterator<Item = [Point2<f32>; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(from, to)| [*from, *to])
}

/// Whether a ray from a point towards +x crosses an odd number of sides.
/// Based on: Shimrat, "Algorithm 112: Position of point relative to polygon", 1962.
fn is_inside(corners: &[Point2<f32>], point: Point2<f32>) -> bool {
    let crossed = sides(corners).filter(|[from, to]| {
        let spans = (from.y > point.y) != (to.y > point.y);
        let part = (point.y - from.y) / (to.y - from.y);
        spans && point.x < from.x + part * (to.x - from.x)
    });
    crossed.count() % 2 == 1
}

fn distance_to_side(point: Point2<f32>, [from, to]: [Point2<f32>; 2]) -> f32 {
    let along = to - from;
    let length = along.norm_squared();
    let part = if length > 0.0 { (point - from).dot(&along) / length } else { 0.0 };
    (from + along * part.clamp(0.0, 1.0) - point).norm()
}

/// Whether a part of a side lies inside a square: clips it to each pair of the square's borders.
/// Based on: Liang and Barsky, "A new concept and method for line clipping", 1984.
fn crosses_square([from, to]: [Point2<f32>; 2], center: Point2<f32>, half: f32) -> bool {
    let (start, along) = (from - center, to - from);
    let (mut enters, mut leaves) = (0.0f32, 1.0f32);
    for axis in 0..2 {
        if along[axis] == 0.0 {
            if start[axis].abs() >= half {
                return false;
            }
            continue;
        }
        let borders = [-half, half].map(|border| (border - start[axis]) / along[axis]);
        enters = enters.max(borders[0].min(borders[1]));
        leaves = leaves.min(borders[0].max(borders[1]));
    }
    enters < leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of_2_m(yaw: f32) -> Footprint {
        let half = Vector3::new(1.0, 1.0, 1.0);
        Footprint::new(Obstacle::Box { center: Point3::new(0.0, 1.0, 0.0), half, yaw }).unwrap()
    }

    #[test]
    fn distances_to_boxes_discs_and_concave_walls() {
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
        near(crate_of_2_m(0.0).distance([3.0, 0.5]), 2.0);
        near(crate_of_2_m(0.0).distance([0.2, -0.9]), 0.0);
        near(crate_of_2_m(std::f32::consts::FRAC_PI_4).distance([3.0, 0.0]), 3.0 - 2f32.sqrt());
        let base = Point3::new(1.0, 0.0, 1.0);
        let disc = Footprint::new(Obstacle::Cylinder { base, radius: 0.5, height: 1.0 }).unwrap();
        near(disc.distance([4.0, 5.0]), 4.5);
        let corners = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
        let wall = Footprint::new(Obstacle::Prism { corners, bottom: 0.0, top: 1.0 }).unwrap();
        assert!(wall.distance([2.0, 3.0]) > 0.5);
        near(wall.distance([0.5, 2.0]), 0.0);
    }

    #[test]
    fn bodies_touch_by_shape_and_height() {
        let capsule = Agent { radius: 0.5, ..Agent::new("capsule") };
        let cube = Agent { radius: 0.5, shape: BodyShape::Box, ..Agent::new("box") };
        let obstacle = crate_of_2_m(0.0);
        // Off a corner a box reaches farther than a capsule.
        let corner = [1.4, 1.4];
        assert!(!obstacle.touches(&capsule, corner, 0.0) && obstacle.touches(&cube, corner, 0.0));
        // Bodies that only just touch it stand free.
        assert!(!obstacle.touches(&capsule, [1.5, 0.0], 0.0));
        assert!(!obstacle.touches(&cube, [1.5, 0.0], 0.0));
        assert!(
            obstacle.touches(&cube, [1.45, 0.0], 0.0) && obstacle.touches(&cube, [0.0; 2], 0.0)
        );
        // From 1.6 m up it can be stepped over, from 1.8 m down it is above the head.
        for (floor, touched) in
            [(0.0, true), (1.59, true), (1.61, false), (-1.79, true), (-1.81, false)]
        {
            assert_eq!(obstacle.touches(&capsule, [0.0; 2], floor), touched, "{floor}");
        }
    }

    #[test]
    fn obstacles_that_are_not_shapes_are_refused() {
        let cylinder =
            |radius, height| Obstacle::Cylinder { base: Point3::origin(), radius, height };
        let refused = |obstacle| Footprint::new(obstacle).unwrap_err().to_string();
        assert!(refused(cylinder(f32::NAN, 1.0)).contains("NaN"));
        assert!(refused(cylinder(-1.0, 1.0)).contains("-1"));
        let prism = |corners: usize, top| Obstacle::Prism {
            corners: vec![[0.0, 1.0]; corners],
            bottom: 0.0,
            top,
        };
        assert!(refused(prism(2, 1.0)).contains("2 corners"));
        assert!(refused(prism(3, -1.0)).contains("below"));
        assert!(refused(prism(3, f32::INFINITY)).contains("inf"));
    }
}
