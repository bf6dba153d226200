use std::time::Instant;
use surefoot::*;
#[test]
fn perf() {
    let n = 1000u32;
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: n, size_z: n };
    let h: Vec<f32> = (0..n * n)
        .map(|i| {
            let (x, z) = ((i % n) as f32 * 0.25, (i / n) as f32 * 0.25);
            if (i.wrapping_mul(2654435761) >> 16) % 200 == 0 {
                f32::NAN
            } else {
                (x * 0.13).sin() * 3.0 + (z * 0.17).cos() * 2.0 + (x * 1.3 + z * 0.7).sin() * 0.3
            }
        })
        .collect();
    let agents: Vec<Agent> = Agent::default_set();
    let t = Instant::now();
    let g = NavGrid::from_heights(frame, &h, &agents).unwrap();
    println!("build {:?}", t.elapsed());
    let p = g.into_parts();
    let t = Instant::now();
    let g = NavGrid::new(p).unwrap();
    println!("validate {:?}", t.elapsed());
    for l in g.layers() {
        println!("{} regions {} largest {:?}", l.agent.name, l.regions.len(), l.regions.first());
    }
}
