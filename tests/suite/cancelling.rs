//! Long work ends when its observer says so, at whatever moment, and counts its parts.

use std::sync::atomic::{AtomicUsize, Ordering};

use surefoot::cch::{OrderError, find_order};
use surefoot::search::Query;
use surefoot::{Agent, AgentId, Cancelled, GridFrame, HeightCost, NavGrid, Navigator, Observer};
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneError, SceneMarks};
use surefoot_draw::{DrawError, PathPicture, Recording, TrackPicture, each_picture};

/// Cancels work when it has been asked a number of times.
struct CancelAfter {
    looks: AtomicUsize,
    most: usize,
    /// The parts done last, and the number of all parts.
    parts: [AtomicUsize; 2],
}

impl CancelAfter {
    fn new(most: usize) -> Self {
        CancelAfter { looks: AtomicUsize::new(0), most, parts: Default::default() }
    }
}

impl Observer for CancelAfter {
    fn parts_done(&self, done: usize, of: usize) {
        assert!(done <= of, "{done} of {of}");
        self.parts[0].fetch_max(done, Ordering::Relaxed);
        self.parts[1].store(of, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

/// Cancels work at the beginning, in the middle and at the end. `work` returns whether it was cancelled.
#[track_caller]
fn check(least: usize, work: impl Fn(&CancelAfter) -> bool) -> CancelAfter {
    let patient = CancelAfter::new(usize::MAX);
    assert!(!work(&patient));
    let all = patient.looks.load(Ordering::Relaxed);
    assert!(all >= least, "asked {all} times");
    for most in [0, 1, all / 3, all / 2, all - 1] {
        let observer = CancelAfter::new(most);
        assert!(work(&observer), "not cancelled after {most} of {all} looks");
        // Parts of the work that wait for their turn look once more each.
        assert!(
            observer.looks.into_inner() <= most + 100,
            "it goes on after {most} of {all} looks"
        );
    }
    patient
}

/// Waves, wide enough to be taken apart many times.
fn waves() -> NavGrid {
    let frame = GridFrame { cell_size: 0.5, min: Default::default(), size_x: 300, size_z: 300 };
    let height = |at: usize| ((at % 300) as f32 * 0.05).sin() * ((at / 300) as f32 * 0.07).cos();
    let heights: Vec<f32> = (0..300 * 300).map(height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("a sound grid")
}

#[test]
fn finding_an_order_can_be_cancelled() {
    let grid = waves();
    let done = check(100, |observer| match find_order(&grid, AgentId(0), observer) {
        Ok(order) => !order.spans.is_empty() && observer.most < usize::MAX,
        Err(error) => error == OrderError::Cancelled(Cancelled),
    });
    assert_eq!(done.parts.map(AtomicUsize::into_inner), [1000, 1000]);
}

#[test]
fn drawing_can_be_cancelled() {
    let grid = waves();
    let all = |observer: &CancelAfter| {
        let drawn = each_picture(&grid, observer, |_| Ok::<(), Cancelled>(()));
        drawn.is_err()
    };
    assert_eq!(check(20, all).parts.map(AtomicUsize::into_inner), [2, 2]);
    let mut navigator = Navigator::with_model(grid, "human", HeightCost::default()).unwrap();
    let query = Query::new([5.0, 0.0, 5.0], [60.0, 0.0, 50.0]);
    let recording = Recording::of(&mut navigator, &query);
    let picture = PathPicture {
        view: navigator.view(),
        title: "",
        ends: [query.from, query.to],
        paths: &[],
        expanded: recording.expanded(),
    };
    check(10, |observer| picture.draw(observer).is_err());
    let separation = navigator.why_not(query.from, query.to).expect("both ends are walkable");
    check(10, |observer| picture.draw_separation(&separation, observer).is_err());
    let film = |observer: &CancelAfter| {
        matches!(picture.draw_film(&recording, observer), Err(DrawError::Cancelled(_)))
    };
    check(100, film);
    let tracks = TrackPicture { view: navigator.view(), title: "", tracks: &[], interval: 1.0 };
    check(10, |observer| tracks.draw(observer).is_err());
}

#[test]
fn loading_can_be_cancelled() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/");
    let marks = SceneMarks::default();
    let load = |name: &str, least: usize| {
        let path = std::path::PathBuf::from(folder).join(name);
        check(least, |observer| match Scene::load_within(&path, &marks, 1 << 30, observer) {
            Ok(_) => false,
            Err(SceneError::Cancelled(_)) => true,
            Err(error) => panic!("{error}"),
        });
    };
    load("village.glb", 20);
    load("stairs.gltf", 10);
}
