//! Tiny glTF files, written by the tests that read them.
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneError, SceneMarks, Shape};

/// A glTF file in the making.
#[derive(Clone)]
pub struct Doc {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// What the bytes of an accessor mean.
pub struct AccessorLayout<'a> {
    /// glTF's code for the type of a number.
    pub component: u32,
    pub kind: &'a str,
    pub count: usize,
}

impl AccessorLayout<'_> {
    /// Single numbers of a type.
    pub fn scalars(component: u32, count: usize) -> Self {
        AccessorLayout { component, kind: "SCALAR", count }
    }
}

/// A square of 2 m by 2 m at y = 0, facing up: corners counter-clockwise seen from above.
pub const SQUARE: [[f32; 3]; 4] =
    [[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
pub const SQUARE_FACES: [u32; 6] = [0, 1, 2, 0, 2, 3];

/// A closed box of 2 m, faces outward.
pub const CUBE: [[f32; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];
pub const CUBE_FACES: [u32; 36] = [
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 3, 6, 2, 3, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2,
    6, 1, 6, 5,
];

/// A quarter turn about z, as a quaternion.
pub const QUARTER: [f32; 4] =
    [0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2];

impl Default for Doc {
    fn default() -> Self {
        Doc::new()
    }
}

impl Doc {
    pub fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}],
            "nodes": [], "meshes": [], "accessors": [], "bufferViews": [], "materials": [],
            "buffers": [{"byteLength": 0}],
        });
        Doc { json, bin: Vec::new() }
    }

    /// One node with a square floor.
    pub fn square() -> Self {
        let mut doc = Doc::new();
        let mesh = doc.mesh_of(&SQUARE, &SQUARE_FACES);
        doc.node(json!({"name": "floor", "mesh": mesh}));
        doc
    }

    pub fn push(&mut self, list: &str, item: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let mut view =
            json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        if let Some(stride) = stride {
            view["byteStride"] = stride.into();
        }
        self.bin.extend(bytes);
        self.json["buffers"][0]["byteLength"] = self.bin.len().into();
        self.push("bufferViews", view)
    }

    pub fn accessor(&mut self, bytes: &[u8], layout: AccessorLayout) -> usize {
        let AccessorLayout { component, kind, count } = layout;
        let view = self.view(bytes, None);
        let item =
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count});
        self.push("accessors", item)
    }

    pub fn positions(&mut self, points: &[[f32; 3]]) -> usize {
        let bytes: Vec<u8> = points.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, AccessorLayout { component: 5126, kind: "VEC3", count: points.len() })
    }

    pub fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, AccessorLayout::scalars(5125, indices.len()))
    }

    pub fn mesh(&mut self, primitives: Value) -> usize {
        self.push("meshes", json!({"primitives": primitives}))
    }

    pub fn mesh_of(&mut self, points: &[[f32; 3]], indices: &[u32]) -> usize {
        let (positions, indices) = (self.positions(points), self.indices(indices));
        self.mesh(json!([{"attributes": {"POSITION": positions}, "indices": indices}]))
    }

    /// Adds a node without a parent.
    pub fn node(&mut self, node: Value) -> usize {
        let index = self.push("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(index.into());
        index
    }

    /// Adds a node that some node lists as its child.
    pub fn child(&mut self, node: Value) -> usize {
        self.push("nodes", node)
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let length = (12 + 8 + json.len() + 8 + bin.len()) as u32;
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(json);
        bytes.extend((bin.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend(bin);
        bytes
    }

    /// As text, with the buffer in base64.
    pub fn gltf(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let data = BASE64_STANDARD.encode(&self.bin);
        // A broken level may have no buffer.
        if let Some(buffer) = json.pointer_mut("/buffers/0").and_then(Value::as_object_mut) {
            let uri = format!("data:application/octet-stream;base64,{data}");
            buffer.insert("uri".to_owned(), uri.into());
        }
        json.to_string().into_bytes()
    }

    pub fn load(&self) -> Scene {
        self.load_with(&SceneMarks::default())
    }

    pub fn load_with(&self, marks: &SceneMarks) -> Scene {
        self.try_load(marks).unwrap_or_else(|error| panic!("{error}\n{:#}", self.json))
    }

    pub fn try_load(&self, marks: &SceneMarks) -> Result<Scene, SceneError> {
        Scene::from_slice(&self.glb(), "test.glb", None, marks)
    }

    /// The message of the error that loading gives.
    pub fn error(&self) -> String {
        match self.try_load(&SceneMarks::default()) {
            Ok(scene) => panic!("loaded: {:?}", scene.report),
            Err(error) => error.to_string(),
        }
    }
}

/// Area of the triangles facing up and down, seen from above [m²].
pub fn level_area(scene: &Scene) -> (f32, f32) {
    let (mut up, mut down) = (0.0, 0.0);
    for solid in &scene.solids {
        let Shape::Mesh(mesh) = solid.shape else { continue };
        let mesh = &scene.meshes[mesh];
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|corner| solid.pose * mesh.vertices[corner as usize]);
            let rise = (b - a).cross(&(c - a)).y / 2.0;
            if rise > 0.0 { up += rise } else { down -= rise }
        }
    }
    (up, down)
}

/// Equal but for rounding.
pub fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-4 * b.abs().max(1.0)
}
