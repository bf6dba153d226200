"""Makes 3D levels walkable: bake nav grids, ask for thousands of exact paths at once, walk crowds.

>>> import surefoot
>>> scene = surefoot.Scene("yard")
>>> scene.add_box("ground", [10.0, 0.5, 10.0], [0.0, -0.5, 0.0])
>>> scene.add_box("wall", [0.5, 1.0, 8.0], [0.0, 1.0, -2.0], obstacle=True)
>>> grid = surefoot.bake(scene, agents=[surefoot.Agent("human")])
>>> nav = surefoot.Navigator(grid, "human")
>>> paths = nav.paths([[-5.0, 0.0, -5.0]], [[5.0, 0.0, -5.0]])
>>> surefoot.Outcome(paths.outcome[0])
<Outcome.COMPLETE: 0>
>>> bool(paths.length[0] > 20.0)
True

Points are arrays of the shape (n, 3): x, y, z in metres, y up. Angles are in radians. Batches run on all cores
without holding Python's lock, and give the same bits on any number of threads.
"""

from importlib.metadata import version as _version

from ._baking import bake, live_bake
from ._names import Outcome, State
from ._settings import Agent, FollowSettings, LinkCost, LinkCosts
from ._surefoot import (
    CostField,
    Crowd,
    FarPath,
    LiveBake,
    NavGrid,
    Navigator,
    Obstacle,
    PathOptions,
    Paths,
    Scene,
    SurefootError,
    World,
    WorldBake,
    set_threads,
    thread_count,
)
from . import ros, world

__version__ = _version("surefoot")

__all__ = [
    "Agent",
    "CostField",
    "Crowd",
    "FarPath",
    "FollowSettings",
    "LinkCost",
    "LinkCosts",
    "LiveBake",
    "NavGrid",
    "Navigator",
    "Obstacle",
    "Outcome",
    "PathOptions",
    "Paths",
    "Scene",
    "State",
    "SurefootError",
    "World",
    "WorldBake",
    "bake",
    "live_bake",
    "ros",
    "set_threads",
    "thread_count",
    "world",
]
