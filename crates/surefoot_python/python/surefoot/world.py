"""Worlds that are too large for one grid: baked tile by tile, on one machine or on many.

>>> import surefoot
>>> world = surefoot.world.plan("level.glb", "tiles", cell_size=0.5)  # doctest: +SKIP
>>> world.bake_tiles()  # doctest: +SKIP
36
>>> world.merge().save("level.navgrid")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ._baking import _settings
from ._settings import Agent, LinkCosts
from ._surefoot import WorldBake

__all__ = ["WorldBake", "plan"]


def plan(
    source: str | os.PathLike[str],
    store: str | os.PathLike[str],
    agents: Sequence[Agent] | None = None,
    *,
    cell_size: float | None = None,
    min_region_area: float = 0.0,
    link_costs: LinkCosts | None = None,
    tile_side: int = 512,
) -> WorldBake:
    """Cut a world into tiles, and write the plan into a store.

    Tiles are named by what they are made of: after a change of the source, planning and baking again bakes only the
    tiles that see it.

    Parameters
    ----------
    source : str or os.PathLike
        The world: a world.toml, a .gltf or .glb file, or a GeoTIFF of heights. What a world.toml says in its table
        ``[bake]`` is for the command; give settings here.
    store : str or os.PathLike
        The folder of the plan and the tiles. Processes that share it may bake tiles at the same time.
    agents, cell_size, min_region_area, link_costs
        As for ``surefoot.bake``.
    tile_side : int
        Side of a tile in cells, rounded up to a multiple of 64; at most 4096.

    Raises
    ------
    SurefootError
        The source or a setting is refused: the message says which and why.
    OSError
        The store cannot be written now; trying again may help.
    """
    settings = _settings(agents, cell_size, None, min_region_area, link_costs)
    return WorldBake(os.fspath(source), os.fspath(store), settings, tile_side)
