//! Broken, hostile and mutated glTF files: each gives an error that says where and what to do;
//! none panics, hangs, or takes more memory than its caller allows.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::{Duration, Instant};

use serde_json::json;
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneError, SceneMarks, SceneSlice};
use surefoot_testing::{AccessorLayout, CUBE, CUBE_FACES, Doc, Random, SQUARE};

/// Counts the bytes that the current thread holds, and the most it held.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // The thread's last frees come when its counters are gone already.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Loads bytes and holds the loader to its promises of time and memory.
fn load(bytes: &[u8]) -> Result<Scene, SceneError> {
    let (mut result, mut time) = within_memory(bytes);
    // On a busy machine the clock runs on while others work.
    for _ in 0..3 {
        if time >= Duration::from_secs(1) {
            (result, time) = timed(bytes);
        }
    }
    assert!(time < Duration::from_secs(1), "{time:?} for {} bytes", bytes.len());
    if let Err(error) = &result {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    result
}

/// Loads bytes and holds the loader to its promise of memory.
fn within_memory(bytes: &[u8]) -> (Result<Scene, SceneError>, Duration) {
    let held = HELD.get();
    MOST.set(held);
    let done = timed(bytes);
    let memory = (MOST.get() - held) as usize;
    let most = small_limit(bytes);
    assert!(memory <= most, "{memory} of {most} bytes for a file of {}", bytes.len());
    done
}

/// What a small scene of that many bytes may take.
fn small_limit(bytes: &[u8]) -> usize {
    10 * bytes.len() + (64 << 20)
}

fn timed(bytes: &[u8]) -> (Result<Scene, SceneError>, Duration) {
    let start = Instant::now();
    let result = load_within(bytes, small_limit(bytes));
    (result, start.elapsed())
}

fn load_within(bytes: &[u8], memory_limit: usize) -> Result<Scene, SceneError> {
    let memory_limit = memory_limit as u64;
    let slice = SceneSlice { bytes, name: "test.glb", base_dir: None, memory_limit };
    Scene::from_slice_within(&slice, &SceneMarks::default(), &())
}

/// Breaks a square floor and expects an error that says all of the given things.
fn check(damage: &dyn Fn(&mut Doc), expected: &[&str]) {
    let mut doc = Doc::square();
    damage(&mut doc);
    let error = doc.error();
    for part in expected {
        assert!(error.contains(part), "{error:?} does not say {part:?}");
    }
    assert_eq!(load(&doc.glb()).unwrap_err().to_string(), error);
    load(&doc.gltf()).unwrap_err();
}

const ACCESSOR: &str = "/accessors/0";

fn set(doc: &mut Doc, pointer: &str, key: &str, value: serde_json::Value) {
    doc.json.pointer_mut(pointer).unwrap()[key] = value;
}

#[test]
fn indices_that_lead_nowhere() {
    let node = "test.glb: node \"floor\": ";
    check(&|d| set(d, "", "scene", json!(7)), &["default scene is 7"]);
    check(&|d| set(d, "/scenes/0", "nodes", json!([9])), &["refers to node 9", "has only 1"]);
    check(&|d| set(d, "/nodes/0", "children", json!([5])), &["refers to node 5"]);
    check(&|d| set(d, "/nodes/0", "mesh", json!(3)), &[node, "refers to mesh 3"]);
    check(
        &|d| set(d, "/meshes/0/primitives/0", "indices", json!(8)),
        &[node, "refers to accessor 8"],
    );
    check(
        &|d| set(d, "/meshes/0/primitives/0", "material", json!(8)),
        &[node, "refers to material 8"],
    );
    // The gltf crate panics here, inside its validation.
    check(
        &|d| set(d, "/meshes/0/primitives/0/attributes", "POSITION", json!(8)),
        &[node, "refers to accessor 8", "export"],
    );
    check(&|d| set(d, ACCESSOR, "bufferView", json!(8)), &[node, "refers to buffer view 8"]);
    check(&|d| set(d, "/bufferViews/0", "buffer", json!(8)), &[node, "refers to buffer 8"]);
    check(
        &|d| {
            set(
                d,
                "/nodes/0",
                "extensions",
                json!({"OMI_physics_body": {"collider": {"shape": 4}}}),
            )
        },
        &[node, "OMI_physics_shape has no shape 4"],
    );
}

#[test]
fn accessors_that_cannot_be_read() {
    let node = "node \"floor\": accessor 0 ";
    check(&|d| set(d, ACCESSOR, "count", json!(5)), &[node, "more than its buffer view holds"]);
    check(&|d| set(d, ACCESSOR, "count", json!(u64::MAX)), &[node, "more than its buffer view"]);
    check(
        &|d| set(d, ACCESSOR, "byteOffset", json!(u64::MAX)),
        &[node, "more than its buffer view"],
    );
    check(&|d| set(d, ACCESSOR, "type", json!("VEC2")), &[node, "Vec3 is needed"]);
    check(&|d| set(d, ACCESSOR, "type", json!("VEC9")), &[node, "unknown type"]);
    check(&|d| set(d, ACCESSOR, "componentType", json!(5130)), &[node, "unknown type"]);
    check(&|d| set(d, ACCESSOR, "componentType", json!(5125)), &[node, "unsigned 32-bit"]);
    check(
        &|d| set(d, "/accessors/1", "componentType", json!(5126)),
        &["accessor 1 holds indices that"],
    );
    check(
        &|d| set(d, "/accessors/1", "componentType", json!(5122)),
        &["accessor 1 holds indices that"],
    );
    check(&|d| set(d, "/bufferViews/0", "byteStride", json!(4)), &[node, "stride of 4"]);
    check(&|d| set(d, "/bufferViews/0", "byteStride", json!(0)), &[node, "stride of 0"]);
    check(&|d| set(d, "/bufferViews/0", "byteLength", json!(1000)), &[node, "beyond its buffer"]);
    check(
        &|d| set(d, "/bufferViews/0", "byteOffset", json!(u64::MAX)),
        &[node, "beyond its buffer"],
    );
    check(
        &|d| {
            _ = d.json.pointer_mut(ACCESSOR).unwrap().as_object_mut().unwrap().remove("bufferView")
        },
        &[node, "has no data"],
    );
    let sparse = |count: u64, places: [u16; 2]| {
        move |doc: &mut Doc| {
            let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
            let (at, to) = (doc.view(&bytes, None), doc.view(&[0; 24], None));
            let accessor = doc.json.pointer_mut(ACCESSOR).unwrap();
            accessor["sparse"] = json!({"count": count, "indices": {"bufferView": at, "componentType": 5123},
                                        "values": {"bufferView": to}});
        }
    };
    check(&sparse(2, [1, 9]), &[node, "out of order or out of range"]);
    check(&sparse(2, [2, 1]), &[node, "out of order or out of range"]);
    check(&sparse(3, [1, 2]), &[node, "more than its buffer view holds"]);
    check(
        &|doc| {
            sparse(2, [1, 2])(doc);
            let accessor = doc.json.pointer_mut(ACCESSOR).unwrap();
            accessor["count"] = json!(4_000_000_000u64);
            accessor.as_object_mut().unwrap().remove("bufferView");
        },
        &[node, "far more elements than data"],
    );
}

#[test]
fn vertices_and_transforms_that_are_no_numbers() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut doc = Doc::new();
        let mut points = SQUARE;
        points[2][1] = bad;
        let mesh = doc.mesh_of(&points, &[0, 1, 2]);
        doc.node(json!({"name": "floor", "mesh": mesh}));
        let error = doc.error();
        assert!(
            error.starts_with("test.glb: node \"floor\": vertex 2 of its mesh is at (1, "),
            "{error}"
        );
        assert!(error.contains("repair the mesh"), "{error}");
    }
    check(
        &|d| {
            set(d, "/scenes/0", "nodes", json!([]));
            set(d, "/nodes/0", "translation", json!([1e30, 0, 0]));
            d.node(json!({"children": [0], "scale": [1e30, 1e30, 1e30]}));
        },
        &["\"floor\"", "not finite"],
    );
    check(&|d| set(d, "/nodes/0", "translation", json!([1e39, 0, 0])), &["number out of range"]);
    check(&|d| set(d, "/nodes/0", "scale", json!([1e30, 1, 1])), &["\"floor\"", "farther than"]);
    check(&|d| set(d, "/nodes/0", "rotation", json!([0, 0, 0, 0])), &["\"floor\"", "no rotation"]);
    check(
        &|d| {
            let mesh = d.mesh_of(&SQUARE, &[0, 1, 4]);
            d.node(json!({"name": "torn", "mesh": mesh}));
        },
        &["node \"torn\"", "vertex 4, but there are 4"],
    );
}

#[test]
fn of_nodes_that_share_a_mesh_the_one_too_far_away_is_named() {
    let shares = |more: serde_json::Value| {
        let mut node = json!({"name": "far", "mesh": 0});
        node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        for first in [true, false] {
            let mut doc = Doc::square();
            doc.json["nodes"][0]["name"] = "close".into();
            if first {
                doc.json["nodes"] = json!([]);
                doc.json["scenes"][0]["nodes"] = json!([]);
                doc.node(node.clone());
                doc.node(json!({"name": "close", "mesh": 0}));
            } else {
                doc.node(node.clone());
            }
            doc.node(json!({"name": "close too", "mesh": 0}));
            let error = load(&doc.glb()).unwrap_err().to_string();
            assert!(error.contains("node \"far\": part of it lies at"), "{error}");
        }
    };
    shares(json!({"translation": [5e7, 0, 0]}));
    shares(json!({"translation": [5e7, 0, 0], "scale": [2, 2, 2]}));
    shares(json!({"translation": [5e7, 0, 0], "scale": [2, 1, 2]}));
}

#[test]
fn nodes_in_circles_and_deep_nests() {
    check(&|d| set(d, "/nodes/0", "children", json!([0])), &["\"floor\"", "below itself"]);
    check(
        &|d| {
            let child = d.child(json!({"name": "shared"}));
            d.node(json!({"children": [child]}));
            d.node(json!({"children": [child]}));
        },
        &["\"shared\"", "below two nodes"],
    );
    check(
        &|d| {
            d.json.as_object_mut().unwrap().remove("scene");
            d.push("nodes", json!({"name": "a", "children": [2]}));
            d.push("nodes", json!({"name": "b", "children": [1]}));
        },
        &["\"a\"", "below itself"],
    );
    check(
        &|d| {
            d.json.as_object_mut().unwrap().remove("scene");
            set(d, "/nodes/0", "children", json!([0]));
        },
        &["in a circle"],
    );
    let mut doc = Doc::square();
    doc.json["scenes"][0]["nodes"] = json!([1]);
    let deep = 60_000;
    for i in 1..=deep {
        let below = if i == deep { 0 } else { i + 1 };
        doc.child(json!({"children": [below], "translation": [0, 0.5, 0]}));
    }
    let scene = load(&doc.glb()).unwrap();
    assert_eq!(scene.bounds().unwrap().0.y, 0.5 * deep as f32);
}

#[test]
fn compressed_meshes_are_refused_by_name() {
    check(
        &|d| {
            let primitive = d.json.pointer_mut("/meshes/0/primitives/0").unwrap();
            primitive["extensions"] = json!({"KHR_draco_mesh_compression": {"bufferView": 0}});
            d.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        },
        &["\"floor\"", "KHR_draco_mesh_compression", "compression off"],
    );
    check(
        &|d| {
            let fallback = d.push("buffers", json!({"byteLength": 99}));
            set(d, "/bufferViews/0", "buffer", json!(fallback));
            set(
                d,
                "/bufferViews/0",
                "extensions",
                json!({"EXT_meshopt_compression": {"buffer": 0}}),
            );
        },
        &["\"floor\"", "EXT_meshopt_compression", "without compression"],
    );
    check(
        &|d| {
            set(d, "/nodes/0", "extensions", json!({"EXT_mesh_gpu_instancing": {"attributes": {}}}))
        },
        &["\"floor\"", "EXT_mesh_gpu_instancing", "export without instancing"],
    );
    // With a plain copy beside it, the compressed one does not matter.
    let mut doc = Doc::square();
    let primitive = doc.json.pointer_mut("/meshes/0/primitives/0").unwrap();
    primitive["extensions"] = json!({"KHR_draco_mesh_compression": {"bufferView": 0}});
    assert_eq!(doc.load().report.colliders, 1);
}

#[test]
fn buffers_that_are_not_there() {
    let uri = |uri: &str| {
        let mut doc = Doc::square();
        doc.json["buffers"][0]["uri"] = uri.into();
        doc
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("short.bin"), [0; 8]).unwrap();
    let check = |name: &str, expected: &str| {
        let path = folder.path().join("a.gltf");
        std::fs::write(&path, uri(name).json.to_string()).unwrap();
        let error = Scene::load(&path, &SceneMarks::default()).unwrap_err().to_string();
        assert!(error.contains("a.gltf: buffer 0: ") && error.contains(expected), "{error}");
    };
    check("absent%20one.bin", "absent one.bin");
    check("absent.bin", "put the file there");
    check("short.bin", "72 bytes expected, 8 found");
    check(".", "is not a file");
    check("a%FFb.bin", "not a path in UTF-8");
    check("https://example.org/a.bin", "is not beside the scene");
    check("data:;base64,@@@@", "its base64 is broken");
    check("data:;base64,AAAA", "72 bytes expected, 3 found");
    check("data:nothing", "has no comma");
    let error = uri("a.bin").error();
    assert!(error.contains("no folder was given"), "{error}");
    let text = Doc::square().json.to_string();
    let error = load(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("buffer 0: it names no file"), "{error}");
    let absent = Scene::load(&folder.path().join("absent.glb"), &SceneMarks::default());
    let error = absent.unwrap_err();
    assert!(matches!(error, SceneError::Read { .. }) && error.to_string().contains("absent.glb"));
}

#[test]
fn containers_cut_short_or_foreign() {
    let glb = Doc::square().glb();
    for length in 0..glb.len() {
        load(&glb[..length]).unwrap_err();
    }
    let change = |at: usize, bytes: &[u8]| {
        let mut glb = glb.clone();
        glb[at..at + bytes.len()].copy_from_slice(bytes);
        load(&glb).unwrap_err().to_string()
    };
    assert!(change(4, &[1]).contains("version 1"));
    assert!(change(8, &[3, 0, 0, 0]).contains("cut short"));
    assert!(change(8, &[255; 4]).contains("cut short"));
    assert!(change(12, &[255; 4]).contains("cut short"));
    assert!(change(16, b"BIN\0").contains("first chunk is not JSON"));
    for text in ["", "\u{feff}", "{}", "[]", "null", "GIF89a", "<xml/>", "{\"asset\":{}}"] {
        load(text.as_bytes()).unwrap_err();
    }
    let old = load(br#"{"asset":{"version":"1.0"}}"#).unwrap_err().to_string();
    assert!(old.contains("export it as glTF 2.0"), "{old}");
    let marked = format!("\u{feff}{}", String::from_utf8(Doc::square().gltf()).unwrap());
    assert_eq!(load(marked.as_bytes()).unwrap().report.colliders, 1);
}

#[test]
fn files_that_would_blow_up_are_refused() {
    let asset = r#""asset":{"version":"2.0"}"#;
    let many = |item: &str, count: usize| vec![item; count].join(",");
    let empty = format!("{{{asset},\"nodes\":[{}]}}", many("{}", 2_000_000));
    let error = load(empty.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("lists 2000002 objects") && error.contains("memory limit"), "{error}");
    // As many as are still let through.
    for count in [30_000, 45_000] {
        let mut doc = Doc::square();
        let text = format!("[{}]", many("{\"mesh\":0}", count));
        doc.json["nodes"] = serde_json::from_str(&text).unwrap();
        doc.json["scenes"][0]["nodes"] = (0..count).collect();
        assert_eq!(load(&doc.glb()).unwrap().report.colliders, count);
    }
    let values = format!("{{{asset},\"extensions\":{{\"x\":[{}]}}}}", many("0", 3_000_000));
    load(values.as_bytes()).unwrap_err();

    let strip = |meshes: usize, indices: usize| {
        let mut doc = Doc::new();
        let positions = doc.positions(&SQUARE);
        let bytes: Vec<u8> = (0..indices).map(|i| (i % 3) as u8).collect();
        let strip = doc.accessor(&bytes, AccessorLayout::scalars(5121, indices));
        let part = json!({"attributes": {"POSITION": positions}, "indices": strip, "mode": 5});
        let primitives: Vec<_> = (0..200).map(|_| part.clone()).collect();
        for _ in 0..meshes {
            let mesh = doc.mesh(json!(primitives));
            doc.node(json!({"name": "strip", "mesh": mesh}));
        }
        doc
    };
    let error = load(&strip(1, 20_000).glb()).unwrap_err().to_string();
    assert!(error.contains("\"strip\"") && error.contains("of the memory limit"), "{error}");
    let error = load(&strip(40, 1_000).glb()).unwrap_err().to_string();
    assert!(error.contains("of the memory limit"), "{error}");

    // Twelve bytes of a triangle for one of the file.
    let mut doc = Doc::new();
    let positions = doc.positions(&SQUARE);
    let indices = doc.accessor(&vec![0; 20_000_000], AccessorLayout::scalars(5121, 20_000_000));
    let part = json!({"attributes": {"POSITION": positions}, "indices": indices, "mode": 5});
    let mesh = doc.mesh(json!([part]));
    doc.node(json!({"name": "strip", "mesh": mesh}));
    let error = within_memory(&doc.glb()).0.unwrap_err().to_string();
    assert!(error.contains("of the memory limit of"), "{error}");

    let mut doc = Doc::new();
    let points: Vec<[f32; 3]> =
        (0..3_000).map(|i| [i as f32, (i % 7) as f32, (i % 5) as f32]).collect();
    let indices: Vec<u32> = (0..3_000).collect();
    let mesh = doc.mesh_of(&points, &indices);
    for i in 0..2_000 {
        doc.node(
            json!({"name": "tree", "mesh": mesh, "scale": [1, 1.0 + 0.001 * f64::from(i), 2]}),
        );
    }
    let error = load(&doc.glb()).unwrap_err().to_string();
    assert!(error.contains("copies of shared meshes in different scales"), "{error}");
}

/// Nodes of one mesh, as many as given; `more` stands in each of them.
fn crowd(doc: &mut Doc, count: usize, more: &str) {
    let nodes: Vec<String> = (0..count).map(|i| more.replace('#', &i.to_string())).collect();
    doc.json["nodes"] = serde_json::from_str(&format!("[{}]", nodes.join(","))).unwrap();
    doc.json["scenes"][0]["nodes"] = (0..count).collect();
}

#[test]
fn many_small_nodes_load_within_their_memory() {
    let mut doc = Doc::square();
    let tuft = r##"{"mesh":0,"name":"Tuft.#","translation":[-90.5,0,#]}"##;
    crowd(&mut doc, 130_000, tuft);
    let scene = within_memory(&doc.glb()).0.unwrap();
    assert_eq!(scene.report.colliders, 130_000);
}

/// Many small nodes in compact JSON, which some exporters write.
fn compact(count: usize, node: &str) -> Vec<u8> {
    let mut doc = Doc::square();
    crowd(&mut doc, count, node);
    doc.gltf()
}

#[test]
fn nodes_of_any_size_load_where_memory_is_allowed() {
    let rich = r##"{"mesh":0,"name":"Rock.#","rotation":[0,0,0,1],"translation":[#,0.25,-90.5],"scale":[1,1,1]}"##;
    let small = r#"{"mesh":0,"translation":[#,0,1.5]}"#;
    for (count, node) in [(60_000, rich), (200_000, small), (100_000, "{}")] {
        let bytes = compact(count, node);
        // As much as a bake allows.
        let scene = load_within(&bytes, 8 << 30).unwrap();
        assert_eq!(scene.report.colliders, if node == "{}" { 0 } else { count });
        let error = load_within(&bytes, 64 << 20).unwrap_err().to_string();
        assert!(error.contains("more than the memory limit of 64 MiB; raise it"), "{error}");
        assert!(error.contains("--memory-limit"), "{error}");
    }
}

#[test]
fn a_memory_limit_is_kept() {
    for (count, node) in [(150_000, "{}"), (150_000, r#"{"mesh":0}"#)] {
        let bytes = compact(count, node);
        for limit in [64 << 20, 100 << 20, 150 << 20, 300 << 20] {
            let held = HELD.get();
            MOST.set(held);
            let is_loaded = load_within(&bytes, limit).is_ok();
            let memory = (MOST.get() - held) as usize;
            assert!(memory <= limit, "{memory} of {limit} bytes; loaded: {is_loaded}");
            assert!(is_loaded || limit < 300 << 20, "{count} of {node}");
        }
    }
}

/// Finds the most of something that is let through, and holds it to its memory.
fn brink(make: &dyn Fn(usize) -> Doc, most: usize) {
    let (mut low, mut high) = (1, most);
    while high - low > most / 50 {
        let middle = usize::midpoint(low, high);
        let is_let_through = within_memory(&make(middle).glb()).0.is_ok();
        *(if is_let_through { &mut low } else { &mut high }) = middle;
    }
    assert!(low > most / 50 && high < most, "{low} of {most} are let through");
}

#[test]
fn what_is_just_let_through_stays_within_its_memory() {
    let long = "m".repeat(128);
    brink(
        &|count| {
            let mut doc = Doc::square();
            crowd(&mut doc, count, r#"{"mesh":0}"#);
            doc
        },
        150_000,
    );
    brink(
        &|count| {
            let mut doc = Doc::square();
            doc.json["meshes"][0]["name"] = long.as_str().into();
            let primitives = doc.json["meshes"][0]["primitives"].as_array_mut().unwrap();
            primitives[0]["targets"] = json!([{"POSITION": 0}]);
            for mode in 0..3 {
                primitives.push(json!({"attributes": {"POSITION": 0}, "mode": mode}));
            }
            crowd(&mut doc, count, r#"{"mesh":0}"#);
            doc
        },
        150_000,
    );
    // Copies of large and of tiny meshes.
    for corners in [3, 300, 30_000] {
        brink(
            &|count| {
                let points: Vec<[f32; 3]> =
                    (0..corners).map(|i| [i as f32, (i % 7) as f32, (i % 5) as f32]).collect();
                let mut doc = Doc::new();
                doc.mesh_of(&points, &(0..corners).collect::<Vec<u32>>());
                crowd(&mut doc, count, r#"{"mesh":0,"scale":[1,1,1#]}"#);
                doc
            },
            6_000_000 / (corners as usize + 57),
        );
    }
}

/// Small files that use every part of the loader.
fn seeds() -> Vec<Vec<u8>> {
    let mut doc = Doc::square();
    doc.push("materials", json!({"extras": {"nav": {"area": "mud", "cost": 2}}}));
    let positions = doc.positions(&CUBE);
    let indices = doc.indices(&CUBE_FACES);
    let mesh = doc.mesh(json!([
        {"attributes": {"POSITION": positions, "NORMAL": positions}, "indices": indices, "material": 0},
        {"attributes": {"POSITION": positions}, "mode": 5},
    ]));
    let turned = json!({"name": "Crate-col", "mesh": mesh, "rotation": [0, 0.6, 0, 0.8], "scale": [-1, 2, 1]});
    let child = doc.child(turned);
    doc.node(json!({"name": "group", "children": [child], "translation": [3, 0, 0]}));
    doc.node(json!({"name": "UCX_Crate_00", "mesh": mesh, "extras": {"nav": {"link": {"to": "group", "kind": "jump"}}}}));
    let plain = doc.clone();
    let places = doc.view(&[1, 0, 2, 0], None);
    let values = doc.view(&[0; 24], None);
    let accessor = doc.json.pointer_mut(ACCESSOR).unwrap();
    accessor["sparse"] = json!({"count": 2, "indices": {"bufferView": places, "componentType": 5123}, "values": {"bufferView": values}});
    doc.json["extensions"] = json!({
        "OMI_physics_shape": {"shapes": [{"type": "capsule", "capsule": {"radius": 0.5, "height": 2}}, {"type": "trimesh", "trimesh": {"mesh": mesh}}]},
        "KHR_implicit_shapes": {"shapes": [{"type": "cylinder", "cylinder": {"radiusTop": 0.1, "radiusBottom": 0.4, "height": 1}}]},
    });
    doc.node(json!({"name": "o", "scale": [1, 2, 1], "extensions": {"OMI_physics_body": {"motion": {"type": "static"}, "collider": {"shape": 0}}}}));
    doc.node(json!({"name": "t", "extensions": {"OMI_physics_body": {"collider": {"shape": 1}}}}));
    doc.node(json!({"name": "k", "extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}}}}}));
    doc.json["animations"] = json!([{"channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}], "samplers": []}]);
    vec![plain.glb(), plain.gltf(), doc.glb(), doc.gltf()]
}

/// Flips bits, cuts, splices and swaps tokens.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len());
        let length = random.below(24).min(bytes.len() - at);
        match random.below(12) {
            0 => bytes.truncate(at),
            1 => _ = bytes.drain(at..at + length),
            2 => {
                let from = random.below(other.len());
                let piece = other[from..(from + length).min(other.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => bytes[at..at + length].fill(random.next() as u8),
            4..8 => swap_number(bytes, at, random),
            _ if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
}

/// Replaces the next digit in the JSON by a number that is likely to hurt.
fn swap_number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    const NUMBERS: [&str; 10] = [
        "-1",
        "0",
        "255",
        "65536",
        "4294967295",
        "18446744073709551615",
        "1e38",
        "1e-40",
        "null",
        "[]",
    ];
    let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) else { return };
    let number = NUMBERS[random.below(NUMBERS.len())];
    bytes.splice(at + digit..at + digit + 1, number.bytes());
}

/// A mutated `.glb` with its lengths put right, so that the damage gets past the container.
fn mend(bytes: &mut [u8], json_end: Option<usize>) {
    let total = bytes.len() as u32;
    if bytes.starts_with(b"glTF") && bytes.len() > 20 {
        bytes[8..12].copy_from_slice(&total.to_le_bytes());
        if let Some(end) = json_end.filter(|&end| end > 20 && end <= bytes.len()) {
            bytes[12..16].copy_from_slice(&(end as u32 - 20).to_le_bytes());
        }
    }
}

#[test]
fn ten_thousand_mutations_harm_nobody() {
    let mut seeds = seeds();
    if let Some(folder) = surefoot_testing::data_folder() {
        seeds.push(std::fs::read(folder.join("scenes/nav_test.glb")).unwrap());
    }
    let mut random = Random(1);
    let (mut loaded, mut not_json, mut refused) = (0, 0, 0);
    for round in 0..10_000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        assert!(round >= seeds.len() || load(&bytes).is_ok());
        let other = &seeds[random.below(seeds.len())];
        mutate(&mut bytes, other, &mut random);
        if random.below(2) == 0 {
            let end = bytes.windows(4).position(|window| window == b"BIN\0").map(|at| at - 4);
            mend(&mut bytes, end);
        }
        match load(&bytes) {
            Ok(_) => loaded += 1,
            Err(error) if error.to_string().contains("JSON is broken") => not_json += 1,
            Err(_) => refused += 1,
        }
    }
    println!("{loaded} loaded, {not_json} no JSON, {refused} refused later");
    // The damage must not stop at the outer walls.
    assert!(loaded > 1_000 && refused > 1_000, "{loaded} loaded, {refused} refused");
}
