"""Some hundred bodies cross a square in both directions, and all of them arrive.

    pip install surefoot
    python crowd.py

Each body has a row in the arrays of the crowd: positions, velocities, facings and states. Bodies avoid each other and
keep to the right; where a passage is too narrow for two, they take turns.
"""

from __future__ import annotations

import time

import numpy as np

import surefoot

DT = 1.0 / 30.0
"""Of a step [s]."""
BODIES = 300
MOST_SECONDS = 120.0
"""Who has not arrived by then has failed."""


def square() -> surefoot.NavGrid:
    """Bake a square of 50 m with pillars, and a terrace across it that stairs lead up to and down from."""
    scene = surefoot.Scene("square")
    scene.add_box("ground", [25.0, 0.5, 25.0], [0.0, -0.5, 0.0])
    for x in np.arange(-8.0, 9.0, 4.0):
        for z in np.arange(-20.0, -3.0, 4.0):
            scene.add_cylinder(f"pillar {x:g} {z:g}", 0.5, 4.0, [x, 2.0, z], obstacle=True)
    scene.add_box("terrace", [3.0, 0.5, 12.0], [0.0, 0.5, 12.0])
    for step in range(3):
        height = 0.25 * (step + 1)
        for side in (-1, 1):
            x = side * (3.0 + 0.4 * (3 - step) - 0.2)
            scene.add_box(f"step {step} {side}", [0.2, 0.5 * height, 12.0], [x, 0.5 * height, 12.0])
    return surefoot.bake(scene, agents=[surefoot.Agent("human")])


def main() -> None:
    """Let two groups change sides."""
    grid = square()
    crowd = surefoot.Crowd(grid)
    random = np.random.default_rng(2)
    half = BODIES // 2
    from_west = np.stack(
        [random.uniform(-23.0, -14.0, half), np.zeros(half), random.uniform(-23.0, 23.0, half)], 1
    )
    from_east = from_west * [-1.0, 1.0, 1.0]
    rows = crowd.add("human", np.concatenate([from_west, from_east]))
    assert (rows >= 0).all()
    # The first of the west goes to where the last of the east stands, and so on.
    crowd.set_goals(crowd.positions[::-1])

    begin, highest, seconds = time.perf_counter(), 0.0, 0.0
    while seconds < MOST_SECONDS and not (crowd.states == surefoot.State.ARRIVED).all():
        crowd.step(DT, steps=10)
        seconds += 10 * DT
        highest = max(highest, float(crowd.positions[:, 1].max()))
    took = time.perf_counter() - begin

    arrived = int((crowd.states == surefoot.State.ARRIVED).sum())
    print(f"{arrived} of {len(crowd)} bodies arrived after {seconds:.0f} s, which took {took:.1f} s to count")
    assert arrived == BODIES
    assert highest > 0.9, "some go over the terrace"
    nav = surefoot.Navigator(grid, "human")
    assert nav.is_walkable(crowd.positions).all(), "nobody leaves the ground"


if __name__ == "__main__":
    main()
