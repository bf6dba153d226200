//! Links that are given beside the file, among the marks.

use serde_json::json;
use surefoot_bake::scene::{LinkMarker, SceneMarks};

use surefoot_testing::Doc;

#[test]
fn links_can_be_given_beside_the_file() {
    let mut doc = Doc::square();
    let nav = json!({"nav": {"link": {"to": "far", "width": 2}}});
    doc.node(json!({"name": "own", "extras": nav}));
    doc.node(json!({"name": "far", "translation": [4, 0, 0]}));
    let link =
        LinkMarker { name: "given".to_owned(), to: [4.0, 0.0, 0.0].into(), ..Default::default() };
    let wide = link.clone().wide(2.0);
    let marks = SceneMarks { links: vec![wide.clone()], ..SceneMarks::default() };
    let scene = doc.load_with(&marks);
    assert_eq!(scene.links.len(), 2);
    assert_eq!(scene.links[0], wide);
    assert_eq!(scene.links[0].across, scene.links[1].across);
    assert_ne!(scene.report.hash, doc.load().report.hash);
    let text = serde_json::to_string(&scene.report.marks).unwrap();
    assert_eq!(serde_json::from_str::<SceneMarks>(&text).unwrap(), marks);
    let up = LinkMarker { to: [0.0, 4.0, 0.0].into(), ..link.clone() }.wide(3.0);
    assert_eq!(up.across.as_slice(), [3.0, 0.0, 0.0]);
    for (fault, problem) in [
        (LinkMarker { cost: Some(f32::NAN), ..link.clone() }, "its cost must be"),
        (link.clone().wide(f32::INFINITY), "is not a valid position"),
        (LinkMarker { from: [f32::NAN, 0.0, 0.0].into(), ..link }, "is not a valid position"),
    ] {
        let error = SceneMarks { links: vec![fault], ..SceneMarks::default() }.check().unwrap_err();
        let error = error.to_string();
        assert!(error.contains("given") && error.contains(problem), "{error}");
    }
}
