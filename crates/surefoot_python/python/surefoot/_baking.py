"""Baking: from a scene to a grid."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ._settings import Agent, LinkCosts
from ._surefoot import LiveBake, NavGrid, Scene, bake_scene


def _settings(
    agents: Sequence[Agent] | None,
    cell_size: float | None,
    bounds: tuple[float, float, float, float] | None,
    min_region_area: float,
    link_costs: LinkCosts | None,
) -> dict[str, object]:
    settings: dict[str, object] = {
        "cell_size": cell_size,
        "bounds": bounds,
        "min_region_area": min_region_area,
    }
    if agents is not None:
        settings["agents"] = list(agents)
    if link_costs is not None:
        settings["link_costs"] = link_costs
    return settings


def _scene(scene: Scene | str | os.PathLike[str]) -> Scene:
    return scene if isinstance(scene, Scene) else Scene.load(scene)


def bake(
    scene: Scene | str | os.PathLike[str],
    agents: Sequence[Agent] | None = None,
    *,
    cell_size: float | None = None,
    bounds: tuple[float, float, float, float] | None = None,
    min_region_area: float = 0.0,
    link_costs: LinkCosts | None = None,
) -> NavGrid:
    """Bake a scene: find every floor, and where each agent can stand and walk.

    The same scene and settings give the same grid, byte for byte, on any number of threads, and the same as the
    command ``bake``. Ctrl-C ends it.

    Parameters
    ----------
    scene : Scene, str or os.PathLike
        A scene, or the path of a .gltf or .glb file.
    agents : sequence of Agent, optional
        Who walks; "small", "human" and "large" if left out.
    cell_size : float, optional
        Side of a cell [m]; the smallest radius, rounded down to a multiple of 5 cm, if left out.
    bounds : (x0, z0, x1, z1), optional
        The rectangle to bake [m]; all of the scene if left out.
    min_region_area : float
        Regions smaller than this, seen from above, are dropped [m^2].
    link_costs : LinkCosts, optional
        What generated links cost.

    Raises
    ------
    SurefootError
        The scene or a setting is refused: the message says which and why.
    OSError
        The file cannot be read.
    """
    settings = _settings(agents, cell_size, bounds, min_region_area, link_costs)
    return bake_scene(_scene(scene), settings)


def live_bake(
    scene: Scene | str | os.PathLike[str],
    agents: Sequence[Agent] | None = None,
    *,
    cell_size: float | None = None,
    bounds: tuple[float, float, float, float] | None = None,
    link_costs: LinkCosts | None = None,
) -> LiveBake:
    """Bake a scene whose colliders move, come and go. Takes the arguments of ``bake``."""
    return LiveBake(_scene(scene), _settings(agents, cell_size, bounds, 0.0, link_costs))
