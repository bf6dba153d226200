//! Closed boxes as triangles.

use super::{CUBE, CUBE_FACES};

/// Corners and outward faces.
pub type Faces = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// A closed box from its least to its greatest corner [m], faces outward.
pub fn block(min: [f32; 3], max: [f32; 3]) -> Faces {
    let corner = |c: [f32; 3]| [0, 1, 2].map(|i| if c[i] < 0.0 { min[i] } else { max[i] });
    let faces = CUBE_FACES.chunks(3).map(|face| [face[0], face[1], face[2]]);
    (CUBE.map(corner).to_vec(), faces.collect())
}

/// The same surface turned inside out.
pub fn inverted((corners, faces): Faces) -> Faces {
    (corners, faces.into_iter().map(|[a, b, c]| [a, c, b]).collect())
}

/// Two surfaces in one; equal corners are welded when the scene is built.
pub fn with((mut corners, mut faces): Faces, (more, added): Faces) -> Faces {
    let first = corners.len() as u32;
    corners.extend(more);
    faces.extend(added.into_iter().map(|face| face.map(|corner| corner + first)));
    (corners, faces)
}
