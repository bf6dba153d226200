use std::path::PathBuf;
use surefoot::Scene;
use surefoot::scene::SceneMarks;

#[test]
fn print_all() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/scenes");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for f in files {
        if !matches!(f.extension().and_then(|e| e.to_str()), Some("gltf" | "glb")) {
            continue;
        }
        let t = std::time::Instant::now();
        let s = Scene::load(&f, &SceneMarks::default()).unwrap();
        println!(
            "{:?} {:?} {} tris {} colliders {} meshes {:?} {:?}",
            t.elapsed(),
            f.file_name(),
            s.report.triangles,
            s.report.colliders,
            s.meshes.len(),
            s.bounds(),
            s.report.hash
        );
        for x in &s.report.skipped {
            println!("   skip {x:?}");
        }
        for x in &s.report.warnings {
            println!("   warn {x:?}");
        }
    }
}
