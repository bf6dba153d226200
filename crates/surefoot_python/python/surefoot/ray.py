"""Worlds baked on a cluster by Ray, https://docs.ray.io: ``pip install surefoot[ray]``.

>>> import ray, surefoot.ray
>>> ray.init()  # doctest: +SKIP
>>> grid = surefoot.ray.bake_world("level.glb", "/shared/tiles", cell_size=0.5)  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import ray

from ._settings import Agent, LinkCosts
from ._surefoot import NavGrid, SurefootError, WorldBake, set_threads
from .world import plan

__all__ = ["bake_tiles", "bake_world"]

Progress = Callable[[int, int], None]


def bake_world(
    source: str | os.PathLike[str],
    store: str | os.PathLike[str],
    agents: Sequence[Agent] | None = None,
    *,
    cell_size: float | None = None,
    min_region_area: float = 0.0,
    link_costs: LinkCosts | None = None,
    tile_side: int = 512,
    retries: int = 3,
    progress: Progress | None = None,
    pack: str | os.PathLike[str] | None = None,
) -> NavGrid | None:
    """Plan a world, bake its tiles by Ray, and merge them here.

    A worker that dies loses the tile that it was at, which is baked by another. The bytes of the grid are those of
    one bake on one machine.

    Parameters
    ----------
    source, agents, cell_size, min_region_area, link_costs, tile_side
        As for ``surefoot.world.plan``.
    store : str or os.PathLike
        A folder that all nodes of the cluster share, as they do the source.
    retries : int
        How often a tile is tried again if its worker dies or the store cannot be reached.
    progress : callable, optional
        Called with the number of tiles that are done and of all tiles.
    pack : str or os.PathLike, optional
        Write the world into this ``.navworld`` file, with what it costs to cross each tile, in place of merging one
        grid; then nothing is returned. For worlds that do not fit into memory.

    Raises
    ------
    SurefootError
        The source or a setting is refused; such a fault is not tried again.
    """
    world = plan(
        source,
        store,
        agents,
        cell_size=cell_size,
        min_region_area=min_region_area,
        link_costs=link_costs,
        tile_side=tile_side,
    )
    bake_tiles(world, store, retries=retries, progress=progress, seams=pack is not None)
    if pack is None:
        return world.merge()
    world.pack(os.fspath(pack))
    return None


def bake_tiles(
    world: WorldBake,
    store: str | os.PathLike[str],
    *,
    retries: int = 3,
    progress: Progress | None = None,
    seams: bool = False,
) -> None:
    """Bake by Ray the tiles of a planned world that are not in its store; with ``seams``, also compute what it costs
    to cross each of them, as soon as it is baked and so are those whose links lead to it.

    At most a few tiles for each processor of the cluster wait at a time, so that a world may have any number.
    """
    place = os.path.abspath(os.fspath(store))
    missing = list(range(world.tiles)) if seams else world.missing()
    done = world.tiles - len(missing)
    ahead = max(4, 4 * int(ray.cluster_resources().get("CPU", 1)))
    options = {"max_retries": retries, "retry_exceptions": [OSError]}
    tile, seam = _bake_tile.options(**options), _join_tile.options(**options)
    waiting: list[Any] = []
    queue = iter(missing)
    baked: dict[int, Any] = {}

    def bake(index: int) -> Any:
        if index not in baked:
            baked[index] = tile.remote(place, world.plan_id, index)
        return baked[index]

    while True:
        while len(waiting) < ahead and (index := next(queue, None)) is not None:
            if seams:
                before = [bake(near) for near in world.tiles_before_seams(index)]
                waiting.append(seam.remote(place, world.plan_id, index, *before))
            else:
                waiting.append(bake(index))
        if progress is not None:
            progress(done, world.tiles)
        if not waiting:
            return
        ready, waiting = ray.wait(waiting)
        try:
            ray.get(ready)
        except ray.exceptions.RayError as error:
            for other in waiting:
                ray.cancel(other)
            if isinstance(error, ray.exceptions.RayTaskError):
                raise error.as_instanceof_cause() from None
            raise  # a worker that died more often than tiles are tried again
        done += len(ready)


_OPENED: dict[str, WorldBake] = {}
"""The world that this worker bakes tiles of, opened once."""


def _open(store: str, plan_id: str) -> WorldBake:
    world = _OPENED.get(store)
    if world is None or world.plan_id != plan_id:
        set_threads(1)  # one tile for each processor
        world = WorldBake.open(store)
        if world.plan_id != plan_id:
            raise SurefootError(f"{store}: somebody has planned another world here meanwhile; give each its own store")
        _OPENED.clear()
        _OPENED[store] = world
    return world


@ray.remote(num_cpus=1)
def _bake_tile(store: str, plan_id: str, index: int) -> int | None:
    return _open(store, plan_id).bake_tile(index)


@ray.remote(num_cpus=1)
def _join_tile(store: str, plan_id: str, index: int, *baked: int | None) -> bool:
    return _open(store, plan_id).seams(index)
