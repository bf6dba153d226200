"""A world is baked tile by tile on all processors by Ray, and a path leads across it: pip install ray."""

import tempfile
from pathlib import Path

import ray

import surefoot.ray

scene = Path(__file__).parents[3] / "scenes" / "village.glb"
ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
with tempfile.TemporaryDirectory() as store:
    grid = surefoot.ray.bake_world(
        scene,
        store,
        [surefoot.Agent("human")],
        cell_size=0.5,
        tile_side=128,
        progress=lambda done, tiles: print(f"{done} of {tiles} tiles", end="\r"),
    )
ray.shutdown()
assert grid is not None
nav = surefoot.Navigator(grid, "human")
paths = nav.paths([[-140.0, 5.0, -140.0]], [[140.0, 5.0, 140.0]], surefoot.PathOptions(vertical_tolerance=50.0))
print(f"\n{len(grid.spans)} spans; a path of {paths.length[0]:.1f} m, {surefoot.Outcome(paths.outcome[0]).name}")
