"""Draw a level with matplotlib: its heights, the ways to a place as contours of their costs, and a path.

    pip install surefoot matplotlib
    python plot_level.py [folder]

It writes `village.png` to the folder; without one, to a temporary folder, and says where.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.colors import LightSource

import surefoot

VILLAGE = Path(__file__).resolve().parents[3] / "scenes" / "village.glb"
BOUNDS = (-75.0, -110.0, 85.0, 50.0)
"""The part of the village to bake: x0, z0, x1, z1 [m]."""
MARKET = (-8.0, 0.0, 18.0)
STARTS = [(-33.0, 14.6, -95.0), (75.0, 9.7, -75.0)]
"""In the church, and in front of the castle."""


def costs_to(
    nav: surefoot.Navigator, field: surefoot.CostField, heights: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """What the way from each pixel costs; NaN where there is none."""
    (x0, z0), _ = nav.grid.bounds
    rows, columns = np.indices(heights.shape)
    side = nav.grid.cell_size
    x, z = x0 + (columns + 0.5) * side, z0 + (rows + 0.5) * side
    walkable = nav.raster("walkable")
    points = np.stack([x, heights, z], axis=-1)[walkable]
    costs = np.full(heights.shape, np.nan, np.float32)
    costs[walkable] = field.at(points)
    costs[np.isinf(costs)] = np.nan
    return costs


def draw(nav: surefoot.Navigator, paths: surefoot.Paths, picture: Path) -> None:
    """Draw heights, contours and paths."""
    heights = nav.raster("height")
    costs = costs_to(nav, nav.field(MARKET), heights)
    (x0, z0), (x1, z1) = nav.grid.bounds
    # Rows are along z: with z downwards the picture is the level seen from above.
    extent = (x0, x1, z1, z0)
    side = nav.grid.cell_size

    figure, axes = plt.subplots(figsize=(9.0, 8.2), dpi=120, layout="constrained")
    filled = np.nan_to_num(heights, nan=float(np.nanmin(heights)))
    light = LightSource(azdeg=315, altdeg=50)
    shade = light.hillshade(filled, vert_exag=1.0, dx=side, dy=side)
    axes.imshow(shade, cmap="gray", extent=extent, vmin=-0.3, vmax=1.1)
    tint = axes.imshow(
        np.where(np.isnan(costs), np.nan, heights),
        cmap="terrain",
        extent=extent,
        alpha=0.45,
        vmin=-6.0,
        vmax=16.0,
    )
    x = x0 + (np.arange(heights.shape[1]) + 0.5) * side
    z = z0 + (np.arange(heights.shape[0]) + 0.5) * side
    lines = axes.contour(
        x, z, costs, levels=np.arange(10.0, 400.0, 10.0), colors="black", linewidths=0.6, alpha=0.7
    )
    axes.clabel(lines, lines.levels[1::2], fmt="%g m", fontsize=7)
    for row, length in enumerate(paths.length):
        path, color = paths[row], ["crimson", "darkviolet"][row % 2]
        axes.plot(path[:, 0], path[:, 2], color=color, linewidth=2.2, label=f"cheapest path: {length:.0f} m")
        axes.plot(path[0, 0], path[0, 2], "o", color=color, markersize=7)
    axes.plot(MARKET[0], MARKET[2], "*", color="black", markersize=14)
    axes.set(title="What a path to the market costs", xlabel="x [m]", ylabel="z [m]", aspect="equal")
    axes.legend(loc="lower left")
    figure.colorbar(tint, label="height where one can walk [m]", shrink=0.75)
    figure.savefig(picture)
    plt.close(figure)


def main(folder: Path) -> None:
    """Bake the middle of the village, find a path, and draw both."""
    grid = surefoot.bake(VILLAGE, agents=[surefoot.Agent("human")], bounds=BOUNDS, min_region_area=4.0)
    nav = surefoot.Navigator(grid, "human")
    paths = nav.paths(STARTS, MARKET)
    assert (paths.outcome == surefoot.Outcome.COMPLETE).all(), paths.outcome
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / "village.png"
    draw(nav, paths, picture)
    assert picture.stat().st_size > 100_000
    church, castle = paths.length
    print(f"{picture}: to the market it is {church:.0f} m from the church, {castle:.0f} m from the castle")
    # The castle is beyond the river.
    assert castle > church


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        main(Path(tempfile.mkdtemp(prefix="surefoot_")))
