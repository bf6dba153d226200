//! Accessors: numbers in a buffer, decoded with every bound checked.
//!
//! Covers strides, sparse overrides, and the normalized and quantized integers of
//! KHR_mesh_quantization. Elements are decoded one by one, as triangles ask for them, so a
//! hostile count costs nothing.

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::validation::Checked;
use nalgebra::Point3;

use super::buffers::Buffers;
use super::document::Document;
use super::fault::Fault;

/// Reads accessors of one document.
pub(super) struct Accessors<'a> {
    pub document: &'a Document,
    pub buffers: &'a Buffers<'a>,
}

/// The positions of a primitive's vertices.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    elements: Elements<'a>,
    normalized: bool,
}

/// Elements of one accessor, each as raw bytes.
#[derive(Debug)]
struct Elements<'a> {
    count: usize,
    component: ComponentType,
    /// `None` where an accessor starts as all zeros.
    base: Option<Strided<'a>>,
    overrides: Option<(Vec<u32>, Strided<'a>)>,
}

/// Equal elements at equal distances; the last one ends within the bytes.
#[derive(Clone, Copy, Debug)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
}

impl<'a> Accessors<'a> {
    /// The positions in an accessor.
    pub fn positions(&self, index: usize) -> Result<Positions<'a>, Fault> {
        let accessor = self.document.accessor(index)?;
        let elements = self.elements(index, Type::Vec3)?;
        if elements.component == ComponentType::U32 {
            return Err(wrong(index, "holds positions as unsigned 32-bit integers"));
        }
        Ok(Positions { elements, normalized: accessor.normalized })
    }

    /// The indices in an accessor.
    pub fn indices(&self, index: usize) -> Result<Vec<u32>, Fault> {
        let elements = self.elements(index, Type::Scalar)?;
        if !is_index(elements.component) {
            return Err(wrong(index, "holds indices that are not unsigned integers"));
        }
        if elements.base.is_none() && elements.count > 0 {
            return Err(wrong(index, "holds indices but no data"));
        }
        Ok((0..elements.count).map(|i| read_index(elements.component, elements.at(i))).collect())
    }

    fn elements(&self, index: usize, expected: Type) -> Result<Elements<'a>, Fault> {
        let accessor = self.document.accessor(index)?;
        let (Checked::Valid(kind), Checked::Valid(component)) =
            (accessor.type_, accessor.component_type)
        else {
            return Err(wrong(index, "has an unknown type"));
        };
        if kind != expected {
            return Err(wrong(index, &format!("holds {kind:?}, but {expected:?} is needed")));
        }
        let count = to_usize(accessor.count.0);
        let component = component.0;
        let size = component.size() * kind.multiplicity();
        let layout = ElementLayout { accessor: index, count, size };
        let base = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| to_usize(offset.0));
                Some(self.strided(self.document.view(view)?, offset, layout)?)
            }
            None => None,
        };
        let overrides = self.overrides(accessor, layout)?;
        if base.is_none() && overrides.is_none() && count > 0 {
            return Err(wrong(index, "has no data"));
        }
        // Without a base, only the overrides' indices say that a count is meant.
        if let (None, Some((places, _))) = (&base, &overrides)
            && count > places.len().saturating_mul(ZEROS_PER_OVERRIDE) + ZEROS
        {
            return Err(wrong(index, "has far more elements than data"));
        }
        Ok(Elements { count, component, base, overrides })
    }

    fn overrides(
        &self,
        accessor: &Accessor,
        layout: ElementLayout,
    ) -> Result<Option<(Vec<u32>, Strided<'a>)>, Fault> {
        let Some(sparse) = &accessor.sparse else { return Ok(None) };
        let Checked::Valid(component) = sparse.indices.component_type else {
            return Err(wrong(layout.accessor, "has sparse indices of an unknown type"));
        };
        let count = to_usize(sparse.count.0);
        let component = component.0;
        let places = self.strided(
            self.document.view(sparse.indices.buffer_view)?,
            to_usize(sparse.indices.byte_offset.0),
            ElementLayout { count, size: component.size(), ..layout },
        )?;
        let places: Vec<u32> = (0..count).map(|i| read_index(component, places.at(i))).collect();
        let sorted = places.windows(2).all(|pair| pair[0] < pair[1]);
        if !sorted || places.last().is_some_and(|&last| last as usize >= layout.count) {
            return Err(wrong(layout.accessor, "has sparse indices out of order or out of range"));
        }
        let values = self.strided(
            self.document.view(sparse.values.buffer_view)?,
            to_usize(sparse.values.byte_offset.0),
            ElementLayout { count, ..layout },
        )?;
        Ok(Some((places, values)))
    }

    fn strided(
        &self,
        view: &View,
        offset: usize,
        layout: ElementLayout,
    ) -> Result<Strided<'a>, Fault> {
        let ElementLayout { accessor, count, size } = layout;
        let bytes = self.view_bytes(view, accessor)?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if stride < size {
            let problem = format!("has a stride of {stride}, less than its elements' {size} bytes");
            return Err(wrong(accessor, &problem));
        }
        if count == 0 {
            return Ok(Strided { bytes: &[], stride, size });
        }
        let end = (count - 1).checked_mul(stride).and_then(|end| end.checked_add(size));
        let fits = end.and_then(|end| bytes.get(offset..)?.get(..end));
        let Some(bytes) = fits else {
            let problem = format!("has {count} elements, more than its buffer view holds");
            return Err(wrong(accessor, &problem));
        };
        Ok(Strided { bytes, stride, size })
    }

    fn view_bytes(&self, view: &View, accessor: usize) -> Result<&'a [u8], Fault> {
        let compressed = view.extensions.as_ref().and_then(|extensions| {
            extensions.others.keys().find(|name| name.ends_with("_meshopt_compression"))
        });
        let bytes = self.buffers.bytes(view.buffer.value()).map_err(|fault| match compressed {
            Some(name) => Fault::file(format!(
                "its mesh is compressed by {name}, which is not supported; \
                 export without compression, or run: gltfpack -noq (without -c)"
            )),
            None => fault,
        })?;
        let offset = view.byte_offset.map_or(0, |offset| to_usize(offset.0));
        let inside = bytes.get(offset..).and_then(|rest| rest.get(..to_usize(view.byte_length.0)));
        inside.ok_or_else(|| wrong(accessor, "has a buffer view that reaches beyond its buffer"))
    }
}

/// How many zeros an accessor without base may have, beside those each override accounts for.
const ZEROS: usize = 1 << 16;
const ZEROS_PER_OVERRIDE: usize = 8;

/// What is to be found at some place in a buffer.
#[derive(Clone, Copy, Debug)]
struct ElementLayout {
    accessor: usize,
    count: usize,
    size: usize,
}

impl Positions<'_> {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.elements.count
    }

    /// The position at an index `[0..len)`; it may hold NaN.
    pub fn at(&self, index: usize) -> Point3<f32> {
        let component = self.elements.component;
        let bytes = self.elements.at(index);
        let size = component.size();
        let number = |axis: usize| match bytes.get(axis * size..(axis + 1) * size) {
            Some(bytes) => read_number(component, bytes, self.normalized),
            None => 0.0,
        };
        Point3::new(number(0), number(1), number(2))
    }
}

impl<'a> Elements<'a> {
    /// Bytes of an element; empty for one that is all zeros.
    fn at(&self, index: usize) -> &'a [u8] {
        if let Some((places, values)) = &self.overrides
            && let Ok(place) = places.binary_search(&(index as u32))
        {
            return values.at(place);
        }
        self.base.as_ref().map_or(&[], |base| base.at(index))
    }
}

impl<'a> Strided<'a> {
    fn at(&self, index: usize) -> &'a [u8] {
        let start = index * self.stride;
        &self.bytes[start..start + self.size]
    }
}

fn is_index(component: ComponentType) -> bool {
    matches!(component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32)
}

fn read_index(component: ComponentType, bytes: &[u8]) -> u32 {
    match (component, bytes) {
        (ComponentType::U8, &[a]) => u32::from(a),
        (ComponentType::U16, &[a, b]) => u32::from(u16::from_le_bytes([a, b])),
        (ComponentType::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        // An override's zero; other types were refused before.
        _ => 0,
    }
}

fn read_number(component: ComponentType, bytes: &[u8], normalized: bool) -> f32 {
    let (value, most) = match (component, bytes) {
        (ComponentType::F32, &[a, b, c, d]) => return f32::from_le_bytes([a, b, c, d]),
        (ComponentType::I8, &[a]) => (f32::from(a as i8), 127.0),
        (ComponentType::U8, &[a]) => (f32::from(a), 255.0),
        (ComponentType::I16, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
        (ComponentType::U16, &[a, b]) => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
        _ => (0.0, 1.0),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}

fn to_usize(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn wrong(accessor: usize, problem: &str) -> Fault {
    Fault::file(format!("accessor {accessor} {problem}; export the file again"))
}
