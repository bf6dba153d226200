//! What each side calls walkable, floor by floor, and by which rule where they differ.
//!
//! rerecast's field is laid over our frame, so that columns are the same. Its floors are tops of
//! voxels, rounded up, of the highest point in a cell; ours are heights at the cell's center.

use rerecast::{Aabb3d, CompactHeightfield, Heightfield};
use surefoot::{NavGrid, Span, Verdict};

use crate::level::Level;
use crate::ours::{self, CELL_SIZE, RECAST};
use crate::theirs::{CELL_HEIGHT, Field, Filter, walkable_field};

/// Floors this near in height are the same: a voxel, and what the steepest walkable floor rises
/// within a cell [m].
const TOLERANCE: f32 = CELL_HEIGHT + CELL_SIZE;

/// Prints two tables: how many floors are walkable, and why some are so for one side only.
pub fn print_floors(levels: &[Level]) {
    println!("\n### Walkable floors for the demo's agent\n");
    println!("| level | rerecast, its frame | rerecast, our frame | surefoot | more |");
    println!("|---|--:|--:|--:|--:|");
    let found: Vec<_> = levels.iter().map(|level| (level, Comparison::of(level))).collect();
    for (level, comparison) in &found {
        let own = level.triangles().compute_aabb().expect("a level with triangles");
        let own = walkable_field(level.triangles(), own, |_, _| {});
        let own = own.areas.iter().filter(|area| area.is_walkable()).count();
        let Comparison { theirs, ours, .. } = comparison;
        let more = 100.0 * (*ours as f64 / *theirs as f64 - 1.0);
        println!("| {} | {own} | {theirs} | {ours} | **{more:+.1} %** |", level.name);
    }
    print_reasons(&found);
}

fn print_reasons(found: &[(&Level, Comparison)]) {
    println!("\n### Walkable for one side only, and the rule of the other that says no\n");
    println!("| level | side | floors | rules |");
    println!("|---|---|--:|---|");
    for (level, comparison) in found {
        for (side, reasons) in
            [("surefoot", &comparison.ours_only), ("rerecast", &comparison.theirs_only)]
        {
            let floors: usize = reasons.iter().map(|(_, count)| count).sum();
            let rules: Vec<String> =
                reasons.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
            println!("| {} | {side} | {floors} | {} |", level.name, rules.join(", "));
        }
    }
}

/// How many floors of each rule, the most frequent first.
type Reasons = Vec<(&'static str, usize)>;

struct Comparison {
    ours: usize,
    theirs: usize,
    ours_only: Reasons,
    theirs_only: Reasons,
}

impl Comparison {
    fn of(level: &Level) -> Self {
        let grid = ours::bake(level, &ours::settings(&[RECAST]), &ours::pool(1));
        let bounds = bounds(level, &grid);
        let mut filtered = Vec::new();
        let field = walkable_field(level.triangles(), bounds, |filter, field| {
            filtered.push((filter, Floors::after(field)));
        });
        let theirs = Floors::of_field(&field);
        let ours = Floors::of_grid(&grid);
        let only = |these: &Floors, those: &Floors, rule: &dyn Fn(usize, f32) -> &'static str| {
            count(these.all().filter(|&(cell, y)| !those.has(cell, y)).map(|(c, y)| rule(c, y)))
        };
        let ours_only = only(&ours, &theirs, &|cell, y| {
            let gone = filtered.iter().find(|(_, floors)| !floors.has(cell, y));
            filter_name(gone.map_or(Filter::LastCellOfErosion, |&(filter, _)| filter))
        });
        let theirs_only = only(&theirs, &ours, &|cell, y| verdict_at(&grid, cell, y));
        let [ours, theirs] = [ours, theirs].map(|floors| floors.all().count());
        Comparison { ours, theirs, ours_only, theirs_only }
    }
}

/// The box round the level, grown to whole cells of our frame.
fn bounds(level: &Level, grid: &NavGrid) -> Aabb3d {
    let mut bounds = level.triangles().compute_aabb().expect("a level with triangles");
    let (min, max) = grid.frame().bounds();
    [bounds.min.x, bounds.min.z] = min;
    [bounds.max.x, bounds.max.z] = max;
    bounds
}

fn count(rules: impl Iterator<Item = &'static str>) -> Reasons {
    let mut counts = Reasons::new();
    for rule in rules {
        match counts.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((rule, 1)),
        }
    }
    counts.sort_by_key(|&(rule, count)| (usize::MAX - count, rule));
    counts
}

/// Heights of walkable floors [m]: for each cell of the frame, in row-major order, low to high.
struct Floors(Vec<Vec<f32>>);

impl Floors {
    fn of_grid(grid: &NavGrid) -> Self {
        let standings = &grid.layers()[0].standings;
        let walkable = |cell| {
            let spans = column(grid, cell).filter(|&span| standings[span].is_walkable());
            spans.map(|span| grid.spans()[span].floor).collect()
        };
        Floors((0..grid.frame().cells()).map(walkable).collect())
    }

    /// The field after the filter of a watched moment; of erosion all cells but the last.
    fn after(field: Field) -> Self {
        match field {
            Field::Voxels(field) => Floors::of_heightfield(field),
            Field::Spans(field, radius) => {
                let mut field = field.clone();
                field.erode_walkable_area(radius - 1);
                Floors::of_field(&field)
            }
        }
    }

    fn of_field(field: &CompactHeightfield) -> Self {
        let top = |span: usize| field.aabb.min.y + f32::from(field.spans[span].y) * CELL_HEIGHT;
        let column = |cell: &rerecast::CompactCell| {
            let spans = cell.index_range().filter(|&span| field.areas[span].is_walkable());
            spans.map(top).collect()
        };
        Floors(field.cells.iter().map(column).collect())
    }

    fn of_heightfield(field: &Heightfield) -> Self {
        let column = |first: &Option<rerecast::SpanKey>| {
            let keys = std::iter::successors(*first, |&key| field.span(key).next);
            let walkable = keys.map(|key| field.span(key)).filter(|span| span.area.is_walkable());
            walkable.map(|span| field.aabb.min.y + f32::from(span.max) * CELL_HEIGHT).collect()
        };
        Floors(field.spans.iter().map(column).collect())
    }

    /// Every floor: its cell and height.
    fn all(&self) -> impl Iterator<Item = (usize, f32)> {
        self.0.iter().enumerate().flat_map(|(cell, floors)| floors.iter().map(move |&y| (cell, y)))
    }

    /// Whether there is a floor near a height.
    fn has(&self, cell: usize, y: f32) -> bool {
        self.0[cell].iter().any(|floor| (floor - y).abs() <= TOLERANCE)
    }
}

/// The spans of a cell.
fn column(grid: &NavGrid, cell: usize) -> std::ops::Range<usize> {
    let first = &grid.parts().first;
    first[cell] as usize..first[cell + 1] as usize
}

/// What surefoot says of the span nearest to a height.
fn verdict_at(grid: &NavGrid, cell: usize, y: f32) -> &'static str {
    let distance = |span: &Span| (span.floor - y).abs();
    let spans = column(grid, cell).map(|index| (index, grid.spans()[index]));
    let near = spans.filter(|(_, span)| distance(span) <= TOLERANCE);
    let nearest = near.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    let Some((index, _)) = nearest else { return "no floor at the center" };
    match grid.layers()[0].standings[index].verdict() {
        Verdict::Walkable => "walkable",
        Verdict::TooSteep => "too steep",
        Verdict::LowCeiling => "low ceiling",
        Verdict::Obstacle(_) => "obstacle",
        Verdict::Ledge => "ledge",
        Verdict::Forbidden => "forbidden",
        Verdict::InsideSolid => "inside a solid",
        Verdict::SmallRegion => "small region",
        other => panic!("there is no name yet for {other:?}"),
    }
}

fn filter_name(filter: Filter) -> &'static str {
    match filter {
        Filter::Slope => "no flat voxel",
        Filter::Ledge => "ledge filter",
        Filter::LowCeiling => "low ceiling",
        Filter::Erosion => "erosion",
        Filter::LastCellOfErosion => "last cell of erosion",
    }
}
