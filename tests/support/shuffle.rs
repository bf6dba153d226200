//! Files rewritten with the same content in another order.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::{Doc, Random};

impl Doc {
    /// Reads a file of one buffer, wherever that is stored.
    pub fn open(path: &Path) -> Doc {
        let bytes = std::fs::read(path).expect("the file can be read");
        if !bytes.starts_with(b"glTF") {
            let mut json: Value = serde_json::from_slice(&bytes).expect("it is JSON");
            let buffer = json["buffers"][0].as_object_mut().expect("it has a buffer");
            let uri = buffer.remove("uri").expect("of its own");
            let uri = uri.as_str().expect("a string");
            let bin = match uri.split_once(";base64,") {
                Some((_, data)) => BASE64_STANDARD.decode(data).expect("it is base64"),
                None => std::fs::read(path.with_file_name(uri)).expect("the buffer can be read"),
            };
            return Doc { json, bin };
        }
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = 20 + length(12);
        let json = serde_json::from_slice(&bytes[20..end]).expect("its first part is JSON");
        Doc { json, bin: bytes[end + 8..end + 8 + length(end)].to_vec() }
    }

    /// The same content with nodes, meshes, materials, primitives and triangles in another order.
    pub fn shuffled(&self, random: &mut Random) -> Doc {
        let mut doc = self.clone();
        for (list, refer) in [("nodes", "children"), ("meshes", "mesh"), ("materials", "material")]
        {
            let Some(old) = doc.json[list].as_array().cloned() else { continue };
            let mut order: Vec<usize> = (0..old.len()).collect();
            random.shuffle(&mut order);
            doc.json[list] = order.iter().map(|&i| old[i].clone()).collect();
            let number =
                |i: &Value| order.iter().position(|&o| o as u64 == i.as_u64().unwrap()).unwrap();
            for part in ["nodes", "meshes", "extensions"] {
                if let Some(json) = doc.json.get_mut(part) {
                    renumber(json, refer, &number);
                }
            }
            if list == "nodes" {
                let roots = doc.json["scenes"][0]["nodes"].as_array_mut().unwrap();
                roots.iter_mut().for_each(|root| *root = number(root).into());
                random.shuffle(roots);
            }
        }
        for mesh in doc.json["meshes"].as_array_mut().unwrap() {
            random.shuffle(mesh["primitives"].as_array_mut().unwrap());
        }
        for accessor in doc.lists_of_triangles() {
            doc.shuffle_triangles(&accessor, random);
        }
        doc
    }

    /// The accessors that hold the corners of separate triangles.
    fn lists_of_triangles(&self) -> Vec<Value> {
        let meshes = self.json["meshes"].as_array().unwrap();
        let primitives = meshes.iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap());
        let separate = primitives.filter(|part| part.get("mode").is_none_or(|mode| mode == 4));
        let indices = separate.filter_map(|part| part.get("indices")?.as_u64());
        let indices: BTreeSet<u64> = indices.collect();
        indices.iter().map(|&index| self.json["accessors"][index as usize].clone()).collect()
    }

    /// Shuffles triangles and turns each to start elsewhere.
    fn shuffle_triangles(&mut self, accessor: &Value, random: &mut Random) {
        let number = |json: &Value| json.as_u64().unwrap_or(0) as usize;
        let size = match number(&accessor["componentType"]) {
            5121 => 1,
            5123 => 2,
            _ => 4,
        };
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let end = start + size * number(&accessor["count"]);
        let mut triangles: Vec<Vec<u8>> =
            self.bin[start..end].chunks(3 * size).map(<[u8]>::to_vec).collect();
        random.shuffle(&mut triangles);
        triangles.iter_mut().for_each(|triangle| triangle.rotate_left(size * random.below(3)));
        self.bin[start..end].copy_from_slice(&triangles.concat());
    }
}

/// Replaces each index under a key by its new number.
fn renumber(json: &mut Value, key: &str, number: &dyn Fn(&Value) -> usize) {
    match json {
        Value::Object(map) => {
            for (name, value) in map {
                match value {
                    Value::Number(_) if name == key => *value = number(value).into(),
                    Value::Array(list) if name == key && key == "children" => {
                        list.iter_mut().for_each(|item| *item = number(item).into());
                    }
                    _ => renumber(value, key, number),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| renumber(item, key, number)),
        _ => {}
    }
}
