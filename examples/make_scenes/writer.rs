//! A small writer of glTF and GLB files whose bytes never change.
//!
//! Corners are rounded to 1/1024 m and welded, JSON keys are sorted, numbers in the JSON have six
//! decimals at most: the same scene gives the same bytes on every machine.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::node::Node;
use super::shapes::{Mesh, P};
use super::weld::{LATTICE, Weld};

const FLOAT: u32 = 5126;
const SHORT: u32 = 5122;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const TRIANGLE_STRIP: u32 = 5;

/// How the corners of a mesh are stored.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// Welded f32 corners and the smallest indices that reach them.
    Indexed,
    /// Three f32 corners for each triangle, no indices.
    Soup,
    /// Unsigned bytes that count multiples of a unit [m]; the node scales by the unit.
    Bytes(f64),
    /// Signed shorts that count multiples of a unit [m]; the node scales by the unit.
    Shorts(f64),
}

/// A glTF document in the making.
#[derive(Default)]
pub struct Gltf {
    lists: BTreeMap<&'static str, Vec<Value>>,
    roots: Vec<usize>,
    extensions: Map<String, Value>,
    used: BTreeSet<String>,
    bytes: Vec<u8>,
}

impl Gltf {
    /// Adds a material of a color, 0xRRGGBB, and perhaps with a mark.
    pub fn material(&mut self, name: &str, color: u32, nav: Option<Value>) -> usize {
        let linear = |shift: u32| {
            let c = f64::from(color >> shift & 0xff) / 255.0;
            number(c * (c * (c * 0.305_306_011 + 0.682_171_111) + 0.012_522_878))
        };
        let mut material = json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear(16), linear(8), linear(0), 1],
                "metallicFactor": 0,
                "roughnessFactor": 0.9,
            },
        });
        if let Some(nav) = nav {
            material["extras"] = json!({ "nav": nav });
        }
        self.push("materials", material)
    }

    /// Makes a material let half of the light through.
    pub fn see_through(&mut self, material: usize) {
        if let Some(material) = self.lists.get_mut("materials").and_then(|m| m.get_mut(material)) {
            material["alphaMode"] = json!("BLEND");
            material["pbrMetallicRoughness"]["baseColorFactor"][3] = json!(0.6);
        }
    }

    /// Adds a mesh of one part for each material.
    pub fn mesh(&mut self, name: &str, parts: &[(usize, Mesh)]) -> usize {
        let mut weld = Weld::default();
        let indexed: Vec<Vec<u32>> = parts.iter().map(|(_, part)| weld.indices(part)).collect();
        let corners = weld.corners();
        let points = corners.len();
        let positions = self.positions(&corners, Form::Indexed);
        let primitives = parts.iter().zip(indexed).map(|((material, _), indices)| {
            let indices = self.indices(&indices, points);
            json!({ "attributes": { "POSITION": positions }, "indices": indices, "material": material })
        });
        let primitives: Vec<Value> = primitives.collect();
        self.push("meshes", json!({ "name": name, "primitives": primitives }))
    }

    /// Adds a mesh of one part in another form than the usual one.
    pub fn mesh_as(&mut self, name: &str, part: (usize, Mesh), form: Form) -> usize {
        let mut weld = Weld::default();
        let indices = weld.indices(&part.1);
        let mut points = weld.corners();
        let mut primitive = json!({ "material": part.0 });
        if form == Form::Soup {
            points = indices.iter().map(|&i| points[i as usize]).collect();
        } else {
            primitive["indices"] = self.indices(&indices, points.len()).into();
        }
        primitive["attributes"] = json!({ "POSITION": self.positions(&points, form) });
        self.push("meshes", json!({ "name": name, "primitives": [primitive] }))
    }

    /// Adds a mesh of one triangle strip.
    pub fn strip(&mut self, name: &str, material: usize, points: &[P]) -> usize {
        let positions = self.positions(points, Form::Indexed);
        let primitive = json!({
            "attributes": { "POSITION": positions }, "material": material, "mode": TRIANGLE_STRIP,
        });
        self.push("meshes", json!({ "name": name, "primitives": [primitive] }))
    }

    /// Adds a node to the top of the scene.
    pub fn add(&mut self, node: Node) -> usize {
        let id = self.part(node);
        self.roots.push(id);
        id
    }

    /// Adds a node that will be the child of another.
    pub fn part(&mut self, node: Node) -> usize {
        let value = node.into_json();
        if let Some(extensions) = value["extensions"].as_object() {
            self.used.extend(extensions.keys().cloned());
        }
        self.push("nodes", value)
    }

    /// Sets an extension at the root of the file.
    pub fn extension(&mut self, name: &str, value: Value) {
        self.used.insert(name.to_owned());
        self.extensions.insert(name.to_owned(), value);
    }

    /// The file as text, its buffer inside as base64.
    pub fn embedded(self) -> Vec<u8> {
        let uri = format!("data:application/octet-stream;base64,{}", base64(&self.bytes));
        self.text(&uri)
    }

    /// The file as text and its buffer as a second file of the given name.
    pub fn external(self, bin: &str) -> [Vec<u8>; 2] {
        let bytes = self.bytes.clone();
        [self.text(bin), bytes]
    }

    /// The file as one binary.
    pub fn binary(mut self) -> Vec<u8> {
        let mut bin = std::mem::take(&mut self.bytes);
        let length = bin.len();
        let mut text = self.document(json!({ "byteLength": length })).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        bin.resize(length.next_multiple_of(4), 0);
        let mut out = b"glTF\x02\0\0\0".to_vec();
        out.extend((12 + 8 + text.len() as u32 + 8 + bin.len() as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", text), (b"BIN\0", bin)] {
            out.extend((chunk.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(chunk);
        }
        out
    }

    fn text(self, uri: &str) -> Vec<u8> {
        let length = self.bytes.len();
        let document = self.document(json!({ "byteLength": length, "uri": uri }));
        format!("{document:#}\n").into_bytes()
    }

    fn document(self, buffer: Value) -> Value {
        let mut root = json!({
            "asset": { "version": "2.0", "generator": "surefoot make_scenes" },
            "scene": 0,
            "scenes": [{ "nodes": self.roots }],
        });
        if buffer["byteLength"] != 0 {
            root["buffers"] = json!([buffer]);
        }
        for (name, list) in self.lists {
            root[name] = list.into();
        }
        if !self.extensions.is_empty() {
            root["extensions"] = self.extensions.into();
        }
        if self.used.contains("KHR_mesh_quantization") {
            root["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        }
        if !self.used.is_empty() {
            root["extensionsUsed"] = json!(self.used);
        }
        // Another crate in the build may make serde_json keep the order of insertion.
        root.sort_all_objects();
        root
    }

    fn push(&mut self, list: &'static str, value: Value) -> usize {
        let list = self.lists.entry(list).or_default();
        list.push(value);
        list.len() - 1
    }

    /// Starts a view of the buffer at a multiple of four bytes.
    fn view(&mut self, data: &[u8], target: u32, stride: Option<usize>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": data.len(), "target": target,
        });
        if let Some(stride) = stride {
            view["byteStride"] = stride.into();
        }
        self.bytes.extend(data);
        self.push("bufferViews", view)
    }

    fn positions(&mut self, points: &[P], form: Form) -> usize {
        let (component, stride, unit) = match form {
            Form::Indexed | Form::Soup => (FLOAT, None, 1.0 / LATTICE),
            Form::Bytes(unit) => (UNSIGNED_BYTE, Some(4), unit),
            Form::Shorts(unit) => (SHORT, Some(8), unit),
        };
        let stored = if component == FLOAT { unit } else { 1.0 };
        let points: Vec<P> =
            points.iter().map(|p| p.map(|v| (v / unit).round() * stored)).collect();
        let data: Vec<u8> = points.iter().flat_map(|p| corner_bytes(*p, component)).collect();
        let bound = |pick: fn(f64, f64) -> f64| {
            [0, 1, 2].map(|i| {
                let bound = points.iter().map(|p| p[i]).reduce(pick).unwrap_or_default();
                // The bounds repeat the stored floats, so nothing is rounded here.
                if bound.fract() == 0.0 { json!(bound as i64) } else { json!(bound) }
            })
        };
        let (min, max) = (bound(f64::min), bound(f64::max));
        if component != FLOAT {
            self.used.insert("KHR_mesh_quantization".to_owned());
        }
        let view = self.view(&data, ARRAY_BUFFER, stride);
        self.push(
            "accessors",
            json!({
                "bufferView": view, "componentType": component, "count": points.len(),
                "type": "VEC3", "min": min, "max": max,
            }),
        )
    }

    fn indices(&mut self, indices: &[u32], points: usize) -> usize {
        let (component, width) = match points {
            0..=0xff => (UNSIGNED_BYTE, 1),
            0x100..=0xffff => (UNSIGNED_SHORT, 2),
            _ => (UNSIGNED_INT, 4),
        };
        let data: Vec<u8> =
            indices.iter().flat_map(|i| i.to_le_bytes().into_iter().take(width)).collect();
        let view = self.view(&data, ELEMENT_ARRAY_BUFFER, None);
        self.push(
            "accessors",
            json!({
                "bufferView": view, "componentType": component, "count": indices.len(),
                "type": "SCALAR",
            }),
        )
    }
}

/// A number for the JSON: six decimals at most, whole ones without a point.
pub fn number(value: f64) -> Value {
    let value = (value * 1e6).round() / 1e6;
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

fn corner_bytes(p: P, component: u32) -> Vec<u8> {
    match component {
        FLOAT => p.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect(),
        SHORT => p.iter().chain([&0.0]).flat_map(|v| (*v as i16).to_le_bytes()).collect(),
        _ => p.iter().chain([&0.0]).map(|v| *v as u8).collect(),
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(*chunk.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = char::from(LETTERS[bits >> (18 - 6 * i) & 63]);
            text.push(if i > chunk.len() { '=' } else { letter });
        }
    }
    text
}
