"""Crowds and levels that change."""

from __future__ import annotations

import numpy as np
import pytest

import surefoot
from surefoot import State

from conftest import HUMAN

WEST, EAST = [-5.0, 0.0, -5.0], [5.0, 0.0, -5.0]


def test_bodies_walk_to_their_goals(yard: surefoot.NavGrid) -> None:
    crowd = surefoot.Crowd(yard)
    starts = np.array([[-5.0, 0.0, 2.0 * row] for row in range(-2, 3)])
    rows = crowd.add("human", [*starts, [99.0, 0.0, 0.0], [np.nan, 0.0, 0.0]])
    assert rows.tolist() == [0, 1, 2, 3, 4, -1, -1] and len(crowd) == 5
    np.testing.assert_allclose(crowd.positions, starts, atol=1e-5)
    assert (crowd.states == State.IDLE).all()
    goals = starts * [-1.0, 1.0, 1.0]
    crowd.set_goals(goals)
    crowd.step(1 / 60)
    assert np.isfinite(crowd.remaining_distances).all()
    crowd.step(1 / 60, 900)
    assert (crowd.states == State.ARRIVED).all()
    np.testing.assert_allclose(crowd.positions, goals, atol=0.3)
    assert np.abs(crowd.velocities).max() < 0.1 and crowd.facings.shape == (5,)


def test_rows_stay_when_bodies_go(yard: surefoot.NavGrid) -> None:
    crowd = surefoot.Crowd(yard)
    crowd.prepare("human")
    crowd.add("human", [WEST, EAST], surefoot.FollowSettings(speed=1.0))
    crowd.remove([0])
    assert crowd.states.tolist() == [State.REMOVED, State.IDLE]
    assert np.isnan(crowd.positions[0]).all()
    crowd.set_goals([[5.0, 0.0, 5.0]])
    crowd.step(1 / 60, 60)
    assert 0.5 < np.linalg.norm(crowd.velocities[1]) <= 1.001
    crowd.stop()
    crowd.step(1 / 60, 60)
    assert crowd.states[1] == State.IDLE
    with pytest.raises(ValueError, match="row 0 was removed"):
        crowd.set_goals(EAST, [0])
    with pytest.raises(ValueError, match="goals: row 1 is not finite"):
        crowd.set_goals([EAST, [np.nan, 0.0, 0.0]], [1, 1])
    with pytest.raises(ValueError, match="velocities: row 0 is not finite"):
        crowd.put([1], EAST, [0.0, np.inf, 0.0])
    with pytest.raises(ValueError, match="steps is -1"):
        crowd.step(0.1, -1)
    with pytest.raises(ValueError, match="there is no row 9; there are 2"):
        crowd.remove([9])
    assert crowd.put([1], [[2.0, 0.0, 2.0]], [[0.0, 0.0, 0.0]]).tolist() == [True]
    np.testing.assert_allclose(crowd.positions[1], [2.0, 0.0, 2.0], atol=1e-5)
    assert crowd.put([1], [[99.0, 0.0, 2.0]], [0.0, 0.0, 0.0]).tolist() == [False]


@pytest.mark.parametrize(
    ("settings", "message"),
    [(surefoot.FollowSettings(speed=-1.0), "speed"), ({"sped": 1.0}, "sped")],
)
def test_settings_out_of_range(yard: surefoot.NavGrid, settings: object, message: str) -> None:
    crowd = surefoot.Crowd(yard)
    with pytest.raises(surefoot.SurefootError, match=message):
        crowd.add("human", WEST, settings)  # type: ignore[arg-type]
    with pytest.raises(surefoot.SurefootError, match='"human"'):
        crowd.add("giant", WEST)
    with pytest.raises(ValueError, match="dt"):
        crowd.step(0.0)
    with pytest.raises(ValueError, match="goals has 2 rows for 0 bodies"):
        crowd.set_goals([WEST, EAST])


def level() -> surefoot.Scene:
    scene = surefoot.Scene("level")
    scene.add_box("ground", [24.0, 0.5, 24.0], [0.0, -0.5, 0.0])
    scene.add_box("crate", [1.0, 1.0, 1.0], [0.0, 1.0, 0.0], obstacle=True)
    return scene


def test_a_level_that_changes_is_that_of_baking_everything() -> None:
    live = surefoot.live_bake(level(), [HUMAN], cell_size=0.25)
    assert live.grid == surefoot.bake(level(), [HUMAN], cell_size=0.25)
    nav = surefoot.Navigator(live.grid, "human")
    crowd = surefoot.Crowd(live.grid)
    crowd.add("human", [[6.0, 0.0, 6.0]])
    (crate,) = live.colliders("crate")
    live.move_to(crate, [6.0, 1.0, 6.0])
    parts = live.parts()
    parts.add_cylinder("barrel", 0.5, 2.0, [-4.0, 1.0, -4.0], obstacle=True)
    (barrel,) = live.add(parts)
    assert 0 < live.update() < 192 * 192
    moved = surefoot.Scene("level")
    moved.add_box("ground", [24.0, 0.5, 24.0], [0.0, -0.5, 0.0])
    moved.add_box("crate", [1.0, 1.0, 1.0], [6.0, 1.0, 6.0], obstacle=True)
    moved.add_cylinder("barrel", 0.5, 2.0, [-4.0, 1.0, -4.0], obstacle=True)
    assert live.grid == surefoot.bake(moved, [HUMAN], cell_size=0.25)
    nav.set_grid(live.grid)
    assert nav.is_walkable([[0, 0, 0], [6, 0, 6], [-4, 0, -4]]).tolist() == [True, False, False]
    crowd.set_grid(live.grid)
    live.remove(barrel)
    assert live.update() > 0 and live.update() == 0
    with pytest.raises(surefoot.SurefootError):
        live.remove(barrel)
    with pytest.raises(ValueError, match="no collider 77"):
        live.move_to(77, [0.0, 0.0, 0.0])
