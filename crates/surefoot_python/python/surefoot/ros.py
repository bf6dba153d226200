"""Maps for robots: what ``map_server`` of ROS loads, a picture and a YAML file for each storey.

Surefoot's y is up; ROS's z is. A map's x is the level's x, and its y is the level's -z.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ._surefoot import Navigator

_FREE, _OCCUPIED, _UNKNOWN = 254, 0, 205
_BIN = 0.05
"""Heights of floors are counted in steps of this [m]."""
_LEAST_SHARE = 0.03
"""A storey has at least this part of the walkable ground."""


@dataclass(frozen=True)
class Storey:
    """A range of heights of floors."""

    bottom: float
    """Floors below this belong to the storey below [m]."""
    top: float
    """Floors above this belong to the storey above [m]."""


def find_storeys(nav: Navigator) -> list[Storey]:
    """Tell the storeys of a level apart, lowest first.

    A level where no walkable floor lies over another is one storey. Else the heights with the most walkable ground
    are the storeys' floors, at least the agent's height apart; ramps and stairs between them are cut half-way.
    """
    grid = nav.grid
    walkable = nav.walkable_spans()
    first = grid.first_spans.astype(np.int64)
    counts_of_columns = first[1:] - first[:-1]
    of_column = np.repeat(np.arange(counts_of_columns.size), counts_of_columns)[walkable]
    whole = [Storey(-np.inf, np.inf)]
    if of_column.size == np.unique(of_column).size:
        return whole
    floors = grid.spans["floor"][walkable].astype(np.float64)
    low = floors.min()
    counts = np.bincount(((floors - low) / _BIN).astype(np.int64))
    apart = max(1, round(float(nav.agent["height"]) / _BIN))
    levels: list[int] = []
    for level in np.argsort(-counts, kind="stable"):
        if all(abs(int(level) - other) >= apart for other in levels):
            near = counts[max(0, level - apart // 2) : level + apart // 2 + 1].sum()
            if near >= _LEAST_SHARE * floors.size:
                levels.append(int(level))
    if len(levels) < 2:
        return whole
    heights = [float(low) + _BIN * (level + 0.5) for level in sorted(levels)]
    cuts = [-np.inf, *((a + b) / 2 for a, b in zip(heights, heights[1:])), np.inf]
    return [Storey(bottom, top) for bottom, top in zip(cuts, cuts[1:])]


def occupancy(
    nav: Navigator,
    storey: Storey,
    resolution: float | None = None,
    *,
    reachable_from: npt.ArrayLike | None = None,
) -> npt.NDArray[np.uint8]:
    """Draw a storey as ``map_server`` reads it: 254 where the agent can stand, 0 where it cannot, 205 where the storey
    has no floor. Row 0 has the least z. The agent's radius is kept from walls already: inflate by nothing more.

    With a point ``reachable_from``, only ground that it can walk to from there is free: no tops of walls and tables.
    """
    height = nav.raster("height", storey.top, resolution)
    region = nav.raster("region", storey.top, resolution)
    free = region >= 0
    if reachable_from is not None:
        free = free & (region == nav.region(nav.snap(reachable_from))[0])
    image = np.where(free, _FREE, _OCCUPIED)
    image[~(height > storey.bottom)] = _UNKNOWN
    return image.astype(np.uint8)


def save_maps(
    nav: Navigator,
    folder: str | os.PathLike[str],
    name: str = "map",
    *,
    resolution: float | None = None,
    storeys: Sequence[Storey] | None = None,
    reachable_from: npt.ArrayLike | None = None,
) -> list[Path]:
    """Write a ``.pgm`` and a ``.yaml`` file for each storey, and return the paths of the YAML files.

    Parameters
    ----------
    nav : Navigator
    folder : str or os.PathLike
        It is made if it does not exist.
    name : str
        The files are called this with the number of the storey, as in ``map_0.yaml``.
    resolution : float, optional
        Metres of a pixel; those of a cell if left out.
    storeys : sequence of Storey, optional
        What ``find_storeys`` finds if left out.
    reachable_from : (3,) array of float, optional
        Only ground that the agent can walk to from this point is free [m].

    Raises
    ------
    ValueError
        The agent cannot stand there.
    """
    if reachable_from is not None and nav.region(nav.snap(reachable_from))[0] < 0:
        raise ValueError("the agent cannot stand at reachable_from, or anywhere near it")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    metres = nav.grid.cell_size if resolution is None else resolution
    written = []
    for number, storey in enumerate(find_storeys(nav) if storeys is None else storeys):
        image = occupancy(nav, storey, resolution, reachable_from=reachable_from)
        rows, columns = image.shape
        (x0, z0), _ = nav.grid.bounds
        picture = folder / f"{name}_{number}.pgm"
        picture.write_bytes(b"P5\n%d %d\n255\n" % (columns, rows) + image.tobytes())
        text = (
            f"image: {picture.name}\n"
            f"resolution: {metres:.7g}\n"
            f"origin: [{x0:.7g}, {-(z0 + rows * metres):.7g}, 0.0]\n"
            "negate: 0\n"
            "occupied_thresh: 0.65\n"
            "free_thresh: 0.196\n"
        )
        path = folder / f"{name}_{number}.yaml"
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
