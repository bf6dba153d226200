//! The words round a picture of tracks.

use surefoot::{Cancelled, Observer};

use super::super::legend::{ColorScale, LegendBlock, Swatch};
use super::super::marks::TrackEnd;
use super::super::numbers::trimmed;
use super::super::palette::{PAPER, height_tint, mix, time_tint};
use super::super::phrases::share;
use super::lines::{BENEATH, TrackLines};
use super::scene::TrackScene;

/// The blocks of the legend.
pub(super) fn blocks(
    scene: &TrackScene,
    lines: &TrackLines,
    observer: &dyn Observer,
) -> Result<Vec<LegendBlock>, Cancelled> {
    let mut blocks = vec![bodies(scene), time(scene), tracks(lines)];
    if scene.picture.tracks.is_empty() {
        blocks.clear();
    }
    blocks.extend(scene.ground.blocks(observer, |_| String::new())?);
    Ok(blocks)
}

fn bodies(scene: &TrackScene) -> LegendBlock {
    let all = scene.picture.tracks.len();
    let mut block = LegendBlock::new("Bodies");
    block.row(Swatch::TrackStart, "start", String::new());
    for end in TrackEnd::ALL {
        let count = scene.count(end);
        let value = format!("{count}   {}", share(count, all));
        block.row(Swatch::TrackEnd(end), end.name(), value);
    }
    block
}

fn time(scene: &TrackScene) -> LegendBlock {
    let mut block = LegendBlock::new("Time");
    let more = if scene.late < scene.longest() { " or later" } else { "" };
    let end = format!("{}{more}", scene.seconds(scene.late));
    block.row(Swatch::Scale(ColorScale { color: time_tint, shares: [0.0, 1.0] }), "0 s", end);
    block
}

fn tracks(lines: &TrackLines) -> LegendBlock {
    let tone = lines.tone();
    let mut block = LegendBlock::new("Tracks");
    let most = tone.busiest.round();
    if most > 1.0 {
        let share = |stripe: usize| stripe as f32 / STRIPES as f32;
        let strength = |stripe| tone.strength(tone.busiest.powf(share(stripe)));
        let tint = |stripe| mix(height_tint(0.45), time_tint(0.5), strength(stripe));
        let tints = Swatch::Tints((0..=STRIPES).map(tint).collect());
        block.row(tints, "one, to many over each other", format!("{most} or more"));
    }
    if lines.any_beneath() {
        let tint = mix(PAPER, time_tint(0.5), BENEATH);
        block.row(Swatch::Dashes(tint), "beneath a floor; bodies are hollow", String::new());
    }
    block
}

/// The swatch of many tracks has one stripe more than this.
const STRIPES: usize = 15;

impl TrackEnd {
    fn name(self) -> &'static str {
        match self {
            TrackEnd::Arrived => "arrived",
            TrackEnd::Moving => "still moving",
            TrackEnd::Stuck => "stuck",
        }
    }
}

impl TrackScene<'_> {
    pub(super) fn title(&self) -> String {
        match (self.picture.title, self.picture.tracks.len()) {
            ("", 1) => self.ground.title("a track"),
            ("", count) => self.ground.title(&format!("{count} tracks")),
            (title, _) => title.to_owned(),
        }
    }

    /// What the picture shows, in one line.
    pub(super) fn line(&self) -> String {
        let bodies = match self.picture.tracks.len() {
            0 => return "No tracks".to_owned(),
            1 => "1 body".to_owned(),
            count => format!("{count} bodies"),
        };
        let ends = TrackEnd::ALL.map(|end| (end, self.count(end)));
        let ends = ends.iter().filter(|(_, count)| *count > 0);
        let ends: Vec<String> =
            ends.map(|(end, count)| format!("{count} {}", end.name())).collect();
        format!("{bodies} for {}: {}", self.seconds(self.longest()), ends.join(", "))
    }

    fn count(&self, end: TrackEnd) -> usize {
        self.picture.tracks.iter().filter(|track| track.end == end).count()
    }

    /// The time that a number of points of a track takes.
    fn seconds(&self, points: usize) -> String {
        let seconds = points.saturating_sub(1) as f64 * f64::from(self.picture.interval);
        format!("{} s", trimmed((seconds * 10.0).round() / 10.0))
    }

    /// Points of the longest track.
    fn longest(&self) -> usize {
        self.picture.tracks.iter().map(|track| track.points.len()).max().unwrap_or(0)
    }
}
