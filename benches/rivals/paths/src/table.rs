//! The tables.

use crate::quality::Walk;
use crate::race::Times;
use crate::sides::Output;
use crate::wire::Preparation;

/// What was measured on a level.
pub struct Level {
    pub name: &'static str,
    /// Where the body can stand.
    pub spans: usize,
    pub grid_seconds: f64,
    pub polygons: usize,
    pub triangles: usize,
    pub navmesh_seconds: f64,
    /// See [`Course::shared`](crate::pairs::Course::shared).
    pub shared: f64,
    /// See [`Judge::references`](crate::quality::Judge::references); none where there are hills.
    pub references: Vec<f64>,
    pub entries: Vec<Entry>,
}

/// A side, how fast it was and how well it did.
pub struct Entry {
    pub name: String,
    pub output: Output,
    pub times: Times,
    pub walks: Vec<Option<Walk>>,
    pub preparation: Preparation,
}

impl Entry {
    /// Of a pair that it answers.
    fn walk(&self, pair: usize) -> &Walk {
        self.walks[pair].as_ref().expect("an answer")
    }
}

impl Level {
    /// The pairs that every side answers.
    fn answered_by_all(&self) -> Vec<usize> {
        let pairs = 0..self.entries.first().map_or(0, |entry| entry.walks.len());
        let by_all = |pair: &usize| self.entries.iter().all(|entry| entry.walks[*pair].is_some());
        pairs.filter(by_all).collect()
    }

    fn output(&self, output: &[Output]) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| output.contains(&entry.output))
    }
}

pub fn print(levels: &[Level]) {
    print_bakes(levels);
    println!("\n### Whole answers, µs\n");
    println!("| level | by | median | mean | p99 | answered | prepare, ms | MB |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for level in levels {
        print_times(level);
    }
    println!("\n### What they are worth\n");
    println!(
        "| level | by | corners | length | longest | by centers | longest | clear | clear if slimmer |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for level in levels {
        print_worth(level);
    }
    println!("\n### Corridors alone, µs\n");
    println!("| level | by | median | mean | p99 |");
    println!("|---|---|--:|--:|--:|");
    for level in levels {
        let pairs = level.answered_by_all();
        for entry in level.output(&[Output::Corridor]) {
            println!("| {} | {} | {} |", level.name, entry.name, spread(&entry.times, &pairs));
        }
    }
}

fn print_bakes(levels: &[Level]) {
    println!("\n### Levels and bakes\n");
    println!(
        "| level | spans | grid, ms | polygons | triangles | navmesh, ms | shared | pairs all answer |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for level in levels {
        println!(
            "| {} | {} | {:.0} | {} | {} | {:.0} | {:.1} % | {} |",
            level.name,
            level.spans,
            level.grid_seconds * 1e3,
            level.polygons,
            level.triangles,
            level.navmesh_seconds * 1e3,
            level.shared,
            level.answered_by_all().len(),
        );
    }
}

fn print_times(level: &Level) {
    let pairs = level.answered_by_all();
    for entry in level.output(&[Output::Path, Output::SamePath]) {
        println!(
            "| {} | {} | {} | {} | {:.1} | {:.2} |",
            level.name,
            entry.name,
            spread(&entry.times, &pairs),
            entry.walks.iter().flatten().count(),
            entry.preparation.seconds * 1e3,
            entry.preparation.bytes as f64 / 1e6,
        );
    }
}

/// Median, mean and 99th percentile.
fn spread(times: &Times, pairs: &[usize]) -> String {
    let mut times: Vec<f64> = pairs.iter().map(|&pair| times[pair]).collect();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(f64::NAN);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    format!("{:.1} | {mean:.1} | {:.1}", at(50), at(99))
}

fn print_worth(level: &Level) {
    let pairs = level.answered_by_all();
    let shortest = |pair: usize| {
        let lengths = level.output(&[Output::Path]).map(|entry| entry.walk(pair).length);
        lengths.fold(f64::INFINITY, f64::min)
    };
    for entry in level.output(&[Output::Path]) {
        let walks = || pairs.iter().map(|&pair| entry.walk(pair));
        let [ratio, longest] =
            ratios(pairs.iter().map(|&pair| entry.walk(pair).length / shortest(pair)));
        let references = level.references.iter().enumerate();
        let by_reference = references
            .filter_map(|(pair, length)| Some(entry.walks[pair].as_ref()?.length / length));
        let by_centers = match ratios(by_reference) {
            [mean, _] if mean.is_nan() => " | ".to_owned(),
            [mean, longest] => format!("{mean:.3} | {longest:.2}"),
        };
        let count = pairs.len() as f64;
        let segments: usize = walks().map(|walk| walk.segments).sum();
        let clear = walks().filter(|walk| walk.clear == walk.segments).count();
        let for_slim = walks().filter(|walk| walk.clear_for_slim == walk.segments).count();
        println!(
            "| {} | {} | {:.1} | {ratio:.3} | {longest:.2} | {by_centers} | {:.1} % | {:.1} % |",
            level.name,
            entry.name,
            1.0 + segments as f64 / count,
            clear as f64 / count * 100.0,
            for_slim as f64 / count * 100.0,
        );
    }
}

/// The mean and the greatest; NaN of none.
fn ratios(ratios: impl Iterator<Item = f64>) -> [f64; 2] {
    let ratios: Vec<f64> = ratios.collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    [mean, ratios.into_iter().fold(f64::NAN, f64::max)]
}
