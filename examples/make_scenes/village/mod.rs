//! The village: 300 by 300 m of hills, a river, roads, and houses one can enter.
//!
//! `plan` says where things lie, `land` how high it is, `terrain` makes its mesh; `houses`,
//! `landmarks`, `market` and `nature` make what stands on it. Here it is painted and put together.

mod houses;
mod land;
mod landmarks;
mod market;
mod nature;
mod noise;
mod paint;
mod plan;
mod terrain;

use serde_json::json;

use super::node::Node;
use super::shapes::{Mesh, P};
use super::writer::Gltf;
use land::{Land, WATER, river};
use nature::Spot;
use noise::Dice;
use paint::Paint;
use plan::{BRIDGE, CASTLE, CHURCH, GARDEN, Kind, LOTS, MARKET, TUNNEL_X, TUNNEL_Y, TUNNEL_Z};

/// The scene as bytes.
pub fn village() -> Vec<u8> {
    let land = Land::new();
    let mut gltf = Gltf::default();
    let paint = Paint::new(&mut gltf);
    ground(&mut gltf, &paint, &land);
    lots(&mut gltf, &paint, &land);
    crossings(&mut gltf, &paint, &land);
    church(&mut gltf, &paint, &land);
    castle(&mut gltf, &paint, &land);
    market_place(&mut gltf, &paint, &land);
    woods(&mut gltf, &paint, &land);
    gltf.binary()
}

fn ground(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let parts = terrain::terrain(land);
    let parts: Vec<(usize, Mesh)> = paint.ground.into_iter().zip(parts).collect();
    let mesh = gltf.mesh("Terrain", &parts);
    gltf.add(Node::new("Terrain").mesh(mesh));
    // What one sees of the river; one wades on its bed.
    let mesh = gltf.mesh("River", &[(paint.river, river_surface())]);
    gltf.add(Node::new("River").mesh(mesh).nav(json!("ignore")));
}

/// A strip of water from bank to bank, along the river.
fn river_surface() -> Mesh {
    let mut mesh = Mesh::default();
    let bank = |i: u32, side: f64| -> P {
        let z = f64::from(i) * 6.0 - terrain::REACH;
        [river(z) + side * 8.5, WATER, z]
    };
    for i in 0..50 {
        mesh.quad([bank(i, -1.0), bank(i + 1, -1.0), bank(i + 1, 1.0), bank(i, 1.0)]);
    }
    mesh
}

/// Every kind of house in every color: its kind, name and mesh.
fn house_meshes(gltf: &mut Gltf, paint: &Paint) -> Vec<(Kind, &'static str, usize)> {
    let kinds = [(Kind::Cottage, "Cottage"), (Kind::House, "House"), (Kind::Barn, "Barn")];
    let mut meshes = Vec::new();
    for (kind, name) in kinds {
        let colors: &[usize] = if kind == Kind::Barn { &[paint.planks] } else { &paint.plaster };
        for (color, &walls) in colors.iter().enumerate() {
            let house = houses::house(kind);
            let (boards, upright) = tops(house.walls);
            let parts = [
                (walls, upright),
                (paint.boards, boards),
                (paint.roofs[color % paint.roofs.len()], house.roof),
                (paint.wood, house.wood),
            ];
            meshes.push((kind, name, gltf.mesh(&format!("{name}{color}"), &parts)));
        }
    }
    meshes
}

fn lots(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let meshes = house_meshes(gltf, paint);
    for (i, lot) in LOTS.iter().enumerate() {
        let fitting: Vec<_> = meshes.iter().filter(|(kind, ..)| *kind == lot.kind).collect();
        let (_, name, mesh) = fitting[i % fitting.len()];
        let at = [lot.x, land.lawn_height([lot.x, lot.z]), lot.z];
        gltf.add(Node::new(format!("{name}{i:02}")).mesh(*mesh).at(at).yaw(lot.yaw));
    }
}

fn crossings(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let bridge = gltf.mesh("Bridge", &[(paint.stone, landmarks::bridge())]);
    gltf.add(Node::new("Bridge").mesh(bridge).at(BRIDGE));
    let tunnel = gltf.mesh("Tunnel", &[(paint.stone, landmarks::tunnel(land))]);
    gltf.add(Node::new("Tunnel").mesh(tunnel));
    let portal = gltf.mesh("Portal", &[(paint.stone, landmarks::portal())]);
    let [west, east] = TUNNEL_X;
    gltf.add(Node::new("PortalWest").mesh(portal).at([west, TUNNEL_Y, TUNNEL_Z]));
    gltf.add(Node::new("PortalEast").mesh(portal).at([east, TUNNEL_Y, TUNNEL_Z]).yaw(0.5));
}

fn church(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let [x, z] = CHURCH;
    let y = land.lawn_height([x, z + 1.0]);
    let (lawns, walls) = tops(landmarks::terraces());
    let terraces = gltf.mesh("Terraces", &[(paint.stone, walls), (paint.lawn, lawns)]);
    gltf.add(Node::new("Terraces").mesh(terraces).at([x, y, z]));
    let stairs = gltf.mesh("ChurchStairs", &[(paint.stone, landmarks::church_stairs())]);
    for (level, front) in [(0.0, 20.0), (2.0, 10.0), (4.0, 0.0)] {
        let at = [x, y + level, z + front + 3.5];
        gltf.add(Node::new(format!("ChurchStairs{level}")).mesh(stairs).at(at));
    }
    let church = houses::church();
    let parts =
        [(paint.church, church.walls), (paint.slate, church.roof), (paint.wood, church.wood)];
    let church = gltf.mesh("Church", &parts);
    gltf.add(Node::new("Church").mesh(church).at([x + 2.5, y + 6.0, z - 11.0]));
}

fn castle(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let [x, z] = CASTLE;
    let y = land.lawn_height(CASTLE);
    let walls = gltf.mesh("CastleWalls", &[(paint.castle, landmarks::castle())]);
    gltf.add(Node::new("CastleWalls").mesh(walls).at([x, y, z]));
    let [body, roof] = landmarks::tower();
    let tower = gltf.mesh("Tower", &[(paint.castle, body), (paint.slate, roof)]);
    for (i, (dx, dz)) in
        [(-17.0, -17.0), (17.0, -17.0), (17.0, 17.0), (-17.0, 17.0)].into_iter().enumerate()
    {
        gltf.add(Node::new(format!("Tower{i}")).mesh(tower).at([x + dx, y, z + dz]));
    }
    let garden = gltf.mesh("Garden", &[(paint.stone, landmarks::garden())]);
    let y = land.lawn_height(GARDEN);
    gltf.add(Node::new("Garden").mesh(garden).at([GARDEN[0], y, GARDEN[1]]));
}

fn market_place(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let [x, z] = MARKET;
    let y = land.lawn_height(MARKET);
    let [wood, cloth] = market::stall();
    let stalls: Vec<usize> = paint
        .cloths
        .into_iter()
        .map(|color| gltf.mesh("Stall", &[(paint.wood, wood.clone()), (color, cloth.clone())]))
        .collect();
    let mut dice = Dice::new(3);
    for (i, (dx, dz, yaw)) in market::STALLS.into_iter().enumerate() {
        let yaw = yaw + dice.between(-0.02, 0.02);
        let node = Node::new(format!("Stall{i}")).mesh(stalls[i % stalls.len()]);
        gltf.add(node.at([x + dx, y, z + dz]).yaw(yaw));
    }
    let [ring, roof] = market::well();
    let well = gltf.mesh("Well", &[(paint.stone, ring), (paint.wood, roof)]);
    gltf.add(Node::new("Well").mesh(well).at([x - 13.0, y, z + 9.0]));
    let monument = gltf.mesh("Monument", &[(paint.church, market::monument())]);
    gltf.add(Node::new("Monument").mesh(monument).at([x + 3.0, y, z - 7.0]));
}

fn woods(gltf: &mut Gltf, paint: &Paint, land: &Land) {
    let mut tree = |name: &str, [trunk, crown]: [Mesh; 2], leaves: usize| {
        gltf.mesh(name, &[(paint.bark, trunk), (leaves, crown)])
    };
    let kinds = [
        tree("Fir", nature::fir(), paint.needles),
        tree("Oak", nature::oak(), paint.leaves[0]),
        tree("Birch", nature::oak(), paint.leaves[1]),
    ];
    let standing = |name: String, mesh: usize, spot: &Spot| {
        Node::new(name).mesh(mesh).at(spot.at.map(thousandth)).yaw(thousandth(spot.yaw))
    };
    for (i, spot) in nature::trees(land).iter().enumerate() {
        let kind = if spot.choice < 0.55 {
            0
        } else if spot.choice < 0.85 {
            1
        } else {
            2
        };
        let node = standing(format!("Tree{i:03}"), kinds[kind], spot);
        gltf.add(node.scale([1.0, thousandth(spot.size), 1.0]));
    }
    let rock = gltf.mesh("Rock", &[(paint.rock, nature::rock())]);
    for (i, spot) in nature::rocks(land).iter().enumerate() {
        let s = thousandth(spot.size);
        let node = standing(format!("Rock{i:02}"), rock, spot).scale([1.3 * s, 0.8 * s, s]);
        gltf.add(node);
    }
    let fence = gltf.mesh("Fence", &[(paint.wood, nature::fence())]);
    for (i, spot) in nature::fences(land).iter().enumerate() {
        gltf.add(standing(format!("Fence{i:03}"), fence, spot));
    }
}

/// The faces of a mesh that look straight up, and the others.
fn tops(mesh: Mesh) -> (Mesh, Mesh) {
    let up = |t: &[P; 3]| {
        let level = t[0][1] == t[1][1] && t[1][1] == t[2][1];
        let (u, v) =
            ([t[1][0] - t[0][0], t[1][2] - t[0][2]], [t[2][0] - t[0][0], t[2][2] - t[0][2]]);
        level && u[1] * v[0] - u[0] * v[1] > 0.0
    };
    let (top, rest) = mesh.triangles.into_iter().partition(up);
    (Mesh { triangles: top }, Mesh { triangles: rest })
}

/// Rounded to a thousandth: short in the file.
fn thousandth(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
