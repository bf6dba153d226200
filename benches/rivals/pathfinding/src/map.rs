//! Moving AI maps and scenarios, for the rival: cells that are open or not.

use std::error::Error;

/// Whole costs, so that both sides can be exact: a straight step, and a diagonal one.
const STRAIGHT: u64 = 2378;
const DIAGONAL: u64 = 3363;
/// Known lengths have so many digits, relative.
const TOLERANCE: f64 = 1e-5;

/// Which cells are open.
pub struct Map {
    width: i32,
    open: Vec<bool>,
}

impl Map {
    pub fn read(text: &str) -> Result<Map, Box<dyn Error>> {
        let rows: Vec<&str> = text.lines().skip_while(|line| *line != "map").skip(1).collect();
        let width = rows.first().ok_or("no rows")?.len() as i32;
        let open = rows.concat().chars().map(|letter| matches!(letter, '.' | 'G' | 'S')).collect();
        Ok(Map { width, open })
    }

    fn is_open(&self, (x, z): (i32, i32)) -> bool {
        let inside = (0..self.width).contains(&x) && z >= 0;
        inside && self.open.get((z * self.width + x) as usize) == Some(&true)
    }

    /// The cells one step away, and what the step costs.
    pub fn neighbors(&self, (x, z): (i32, i32)) -> impl Iterator<Item = ((i32, i32), u64)> {
        let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        steps.into_iter().filter_map(move |(along_x, along_z)| {
            let to = (x + along_x, z + along_z);
            let diagonal = along_x != 0 && along_z != 0;
            let free = self.is_open(to)
                && (!diagonal || self.is_open((to.0, z)) && self.is_open((x, to.1)));
            free.then_some((to, if diagonal { DIAGONAL } else { STRAIGHT }))
        })
    }
}

/// What the path between two cells costs if nothing is in between.
pub fn octile(from: (i32, i32), to: (i32, i32)) -> u64 {
    let (x, z) = (u64::from(from.0.abs_diff(to.0)), u64::from(from.1.abs_diff(to.1)));
    (x.max(z) - x.min(z)) * STRAIGHT + x.min(z) * DIAGONAL
}

/// Length of a step [cells].
pub fn distance(from: (i32, i32), to: (i32, i32)) -> f64 {
    f64::from(from.0 - to.0).hypot(f64::from(from.1 - to.1))
}

/// The queries of a map.
pub struct Scenario {
    pub queries: Vec<Asked>,
}

/// A query, and the length of its shortest way.
pub struct Asked {
    pub start: (i32, i32),
    pub goal: (i32, i32),
    length: f64,
}

impl Scenario {
    pub fn read(text: &str) -> Result<Scenario, Box<dyn Error>> {
        let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
        let queries = lines.map(|line| -> Result<Asked, Box<dyn Error>> {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [.., start_x, start_z, goal_x, goal_z, length] = words[..] else {
                return Err(format!("not a query: {line}").into());
            };
            let (start, goal) =
                ((start_x.parse()?, start_z.parse()?), (goal_x.parse()?, goal_z.parse()?));
            Ok(Asked { start, goal, length: length.parse()? })
        });
        Ok(Scenario { queries: queries.collect::<Result<_, _>>()? })
    }
}

impl Asked {
    /// # Errors
    /// A length that is not the shortest.
    pub fn check(&self, length: f64) -> Result<(), Box<dyn Error>> {
        if (length - self.length).abs() > TOLERANCE * self.length.max(1.0) {
            return Err(format!(
                "{length} from {:?} to {:?}: not {}",
                self.start, self.goal, self.length
            )
            .into());
        }
        Ok(())
    }
}
