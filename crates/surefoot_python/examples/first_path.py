"""The first page: bake a level, ask for a few paths at once, and print what comes back.

    pip install surefoot
    python first_path.py [level.glb]

Without an argument it bakes `two_storeys.glb` of the repository's scenes: a house with a door, a stair and an upper
floor.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import surefoot

HOUSE = Path(__file__).resolve().parents[3] / "scenes" / "two_storeys.glb"


def house_paths(nav: surefoot.Navigator) -> None:
    """Ask for four paths in one call: to the door, up the stair, to nowhere, and from a point that is no number."""
    street = [8.75, 0.0, 12.5]
    goals = [[8.75, 0.0, 9.0], [12.0, 3.0, 9.0], [500.0, 0.0, 500.0], [np.nan, 0.0, 0.0]]
    paths = nav.paths([street], goals)
    for row, outcome in enumerate(paths.outcome):
        name = surefoot.Outcome(outcome).name
        print(f"{goals[row]}: {name}, {len(paths[row])} waypoints, {paths.length[row]:.2f} m")

    assert paths.outcome.tolist() == [
        surefoot.Outcome.COMPLETE,
        surefoot.Outcome.COMPLETE,
        surefoot.Outcome.GOAL_OFF_GRID,
        surefoot.Outcome.INVALID,
    ]
    assert paths.climb[1] > 2.9, "the upper floor is three metres up"
    assert np.allclose(paths[1][0], street, atol=0.05), "a path begins where it was asked for"


def random_paths(nav: surefoot.Navigator) -> None:
    """Ask for a thousand paths between random places."""
    starts, goals = nav.random(1000, seed=1), nav.random(1000, seed=2)
    paths = nav.paths(starts, goals)
    complete = paths.outcome == surefoot.Outcome.COMPLETE
    mean = paths.length[complete].mean()
    print(f"{complete.sum()} of {len(paths)} random pairs have a path, of {mean:.1f} m in the mean")
    assert complete.any()


def main(level: Path) -> None:
    """Bake a level for one agent and ask for paths."""
    grid = surefoot.bake(level, agents=[surefoot.Agent("human")])
    print(grid)
    nav = surefoot.Navigator(grid, "human")
    if level == HOUSE:
        house_paths(nav)
    random_paths(nav)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE)
