"""Write maps for ROS: a picture and a YAML file for each storey of a house, as map_server loads them.

    pip install surefoot
    python ros_map.py [folder]

Without a folder it writes to a temporary one, and says where.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

import surefoot
from surefoot.ros import find_storeys, save_maps

HOUSE = Path(__file__).resolve().parents[3] / "scenes" / "two_storeys.glb"
FREE, OCCUPIED = 254, 0


def read_pgm(path: Path) -> npt.NDArray[np.uint8]:
    """Read a binary PGM file, row 0 on top."""
    kind, size, _, pixels = path.read_bytes().split(b"\n", 3)
    assert kind == b"P5"
    columns, rows = map(int, size.split())
    return np.frombuffer(pixels, np.uint8).reshape(rows, columns)


def main(folder: Path) -> None:
    """Bake the house for a robot, and write its maps."""
    robot = surefoot.Agent("robot", radius=0.25, height=1.2, max_climb=0.25)
    # Tops of walls are ground, too, but no robot gets there: regions as small as those are dropped.
    grid = surefoot.bake(HOUSE, agents=[robot], cell_size=0.1, min_region_area=5.0)
    nav = surefoot.Navigator(grid, "robot")
    storeys = find_storeys(nav)
    maps = save_maps(nav, folder, "house", storeys=storeys)
    assert len(maps) == 2, "the house has two storeys"

    for path, storey in zip(maps, storeys):
        image = read_pgm(path.with_suffix(".pgm"))
        free = (image == FREE).sum() * grid.cell_size**2
        print(f"{path}: floors from {storey.bottom:.2f} to {storey.top:.2f} m, {free:.1f} m^2 free")
        # A pixel is free where the robot can stand: ask for the places of all free pixels.
        (x0, z0), _ = grid.bounds
        rows, columns = np.nonzero(image == FREE)
        x, z = x0 + (columns + 0.5) * grid.cell_size, z0 + (rows + 0.5) * grid.cell_size
        top = min(storey.top, 100.0)
        height = nav.raster("height", storey.top)[rows, columns]
        assert (height <= top).all()
        assert nav.is_walkable(np.stack([x, height, z], axis=1)).all()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        main(Path(tempfile.mkdtemp(prefix="surefoot_")))
