"""Levels that the tests share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import surefoot

SCENES = Path(__file__).resolve().parents[3] / "scenes"

HUMAN = surefoot.Agent("human")

MAP = """type octile
height 6
width 10
map
..........
.@@@@@@@..
.......@..
.@@@@@.@..
.@.....@..
.@@@@@@@..
"""


@pytest.fixture(scope="session")
def yard() -> surefoot.NavGrid:
    """A level of 24 by 24 m: ground, a wall with a way round it, a ramp onto a platform, and a room without a door."""
    scene = surefoot.Scene("yard")
    scene.add_area("mud", 3.0)
    scene.add_box("ground", [12.0, 0.5, 12.0], [0.0, -0.5, 0.0])
    scene.add_box("wall", [0.25, 1.0, 8.0], [0.0, 1.0, -4.0], obstacle=True)
    scene.add_box("platform", [2.0, 0.75, 2.0], [8.0, 0.75, 8.0])
    ramp = np.array([[2.0, 0.0, 7.0], [6.0, 1.5, 7.0], [6.0, 1.5, 9.0], [2.0, 0.0, 9.0]])
    scene.add_mesh("ramp", ramp, [[0, 2, 1], [0, 3, 2]])
    for name, half, at in [
        ("north", [2.0, 1.0, 0.1], [-8.0, 1.0, -10.0]),
        ("south", [2.0, 1.0, 0.1], [-8.0, 1.0, -6.0]),
        ("west", [0.1, 1.0, 2.0], [-10.0, 1.0, -8.0]),
        ("east", [0.1, 1.0, 2.0], [-6.0, 1.0, -8.0]),
    ]:
        scene.add_box(name, half, at, obstacle=True)
    return surefoot.bake(scene, [HUMAN], cell_size=0.25)


@pytest.fixture()
def nav(yard: surefoot.NavGrid) -> surefoot.Navigator:
    return surefoot.Navigator(yard, "human")


@pytest.fixture(scope="session")
def village() -> surefoot.NavGrid:
    return surefoot.bake(SCENES / "village.glb", [HUMAN], bounds=(0.0, -40.0, 80.0, 40.0))
