//! Places of scenes, as they are written: in lists, or in files with a line for each.

use std::path::Path;

use nalgebra::{Isometry3, Vector3};
use surefoot_bake::scene::SceneError;

use super::read_text;
use crate::fault::in_file;
use crate::instances::ScenePlace;

/// The greatest coordinate [m].
const MOST: f64 = 1e7;
/// The least and the greatest scale.
const SCALES: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// What is wrong with a place of a list.
pub struct PlaceFault {
    /// Counts from 1.
    pub number: usize,
    pub problem: String,
}

/// Returns the places of a list.
pub fn of_numbers(list: &[Vec<f64>], origin: [f64; 3]) -> Result<Vec<ScenePlace>, PlaceFault> {
    let place = |(number, numbers): (usize, &Vec<f64>)| {
        place(numbers, origin).map_err(|problem| PlaceFault { number, problem })
    };
    (1..).zip(list).map(place).collect()
}

/// Reads a file with a line `x,y,z[,turn[,scale]]` for each place. Empty lines and what follows a `#` do not
/// count; the first line may name the columns.
pub fn read(path: &Path, origin: [f64; 3]) -> Result<Vec<ScenePlace>, SceneError> {
    let text = read_text(path)?;
    let mut places = Vec::new();
    let lines = (1..).zip(text.lines());
    let lines =
        lines.map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()));
    let mut is_first = true;
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let is_header = is_first && line.split(',').all(|word| word.trim().parse::<f64>().is_err());
        is_first = false;
        if is_header {
            continue;
        }
        let fault = |problem| in_file(path, format!("line {number}: {problem}"));
        let numbers = line.split(',').map(|word| {
            let word = word.trim();
            word.parse::<f64>().map_err(|_| format!("{word:?} is not a number"))
        });
        let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().map_err(fault)?;
        places.push(place(&numbers, origin).map_err(fault)?);
    }
    Ok(places)
}

/// Returns a place, given x, y, z, the turn [degrees] and the scale.
fn place(numbers: &[f64], origin: [f64; 3]) -> Result<ScenePlace, String> {
    let (&[x, y, z], others) = numbers.split_first_chunk().ok_or_else(|| {
        format!("it has {} numbers; a place is x, y, z, turn, scale", numbers.len())
    })?;
    let (turn, scale) = match *others {
        [] => (0.0, 1.0),
        [turn] => (turn, 1.0),
        [turn, scale] => (turn, scale),
        _ => {
            let count = numbers.len();
            return Err(format!("it has {count} numbers; a place is x, y, z, turn, scale"));
        }
    };
    let at = [x - origin[0], y - origin[1], z - origin[2]];
    if let Some(far) = at.iter().find(|v| v.is_nan() || v.abs() > MOST) {
        return Err(format!(
            "it lies at {far} m, of at most {MOST}; set origin, so that it lies closer to 0"
        ));
    }
    if !turn.is_finite() {
        return Err(format!("its turn is {turn} degrees; use a number"));
    }
    if !SCALES.contains(&scale) {
        let (least, most) = (SCALES.start(), SCALES.end());
        return Err(format!("its scale is {scale}; it must be from {least} to {most}"));
    }
    let turn = Vector3::y() * turn.rem_euclid(360.0).to_radians();
    let pose: Isometry3<f32> = Isometry3::new(Vector3::from(at), turn).cast();
    Ok(ScenePlace { pose, scale: scale as f32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_counter_clockwise_as_seen_from_above() {
        let turned = place(&[10.0, 1.0, 20.0, 90.0, 2.0], [1.0, 1.0, 0.0]).expect("a place");
        assert_eq!(turned.scale, 2.0);
        let point = turned.pose * nalgebra::Point3::new(1.0, 0.0, 0.0);
        assert!((point - nalgebra::Point3::new(9.0, 0.0, 19.0)).norm() < 1e-5, "{point}");
        let plain = place(&[10.0, 1.0, 20.0], [0.0; 3]).expect("a place");
        assert_eq!(plain.pose, Isometry3::translation(10.0, 1.0, 20.0));
    }

    #[test]
    fn places_that_make_no_sense() {
        let refused = |numbers: &[f64], words: &str| {
            let problem = place(numbers, [0.0; 3]).expect_err(words);
            assert!(problem.contains(words), "{problem}");
        };
        refused(&[1.0, 2.0], "it has 2 numbers");
        refused(&[0.0; 6], "it has 6 numbers");
        refused(&[1e9, 0.0, 0.0], "set origin");
        refused(&[f64::NAN, 0.0, 0.0], "set origin");
        refused(&[0.0, 0.0, 0.0, f64::INFINITY], "its turn is inf");
        refused(&[0.0, 0.0, 0.0, 0.0, 0.0], "its scale is 0; it must be from 0.0001 to 10000");
        refused(&[0.0, 0.0, 0.0, 0.0, f64::NAN], "its scale is NaN");
    }
}
