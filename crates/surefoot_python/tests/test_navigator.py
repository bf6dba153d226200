"""Batches of queries."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import surefoot
from surefoot import Outcome

WEST, EAST = [-5.0, 0.0, -5.0], [5.0, 0.0, -5.0]
CELL = [-8.0, 0.0, -8.0]
"""In the room without a door."""
ON_TOP = [8.0, 1.5, 8.0]


def test_paths_are_ragged_arrays(nav: surefoot.Navigator) -> None:
    starts = np.array([WEST, WEST, WEST, [50.0, 0.0, 0.0], [np.nan, 0.0, 0.0]])
    paths = nav.paths(starts, [EAST, WEST, CELL, EAST, EAST])
    assert len(paths) == 5 and paths.offsets[0] == 0 and paths.offsets[-1] == len(paths.points)
    assert paths.outcome.tolist() == [
        Outcome.COMPLETE,
        Outcome.COMPLETE,
        Outcome.DIFFERENT_REGION,
        Outcome.START_OFF_GRID,
        Outcome.INVALID,
    ]
    around = paths[0]
    np.testing.assert_allclose(around[[0, -1]], [WEST, EAST], atol=1e-3)
    assert len(around) >= 3
    legs = np.linalg.norm(np.diff(around, axis=0), axis=1)
    assert paths.length[0] == pytest.approx(legs.sum(), rel=1e-4)
    # Round the end of the wall, at the radius of the body.
    shortest = 2 * np.hypot(5.0 - 0.55, 9.3) + 1.1
    assert shortest - 0.3 < paths.length[0] < shortest + 0.5
    assert len(paths[1]) == 2 and paths.length[1] == 0.0
    assert np.isinf(paths.cost[2:4]).all() and np.isnan(paths.cost[4])
    assert len(paths[2]) == len(paths[-1]) == 0
    with pytest.raises(IndexError):
        paths[5]


def test_climbs_cost(yard: surefoot.NavGrid) -> None:
    flat = surefoot.Navigator(yard, "human", ascend=0.0)
    steep = surefoot.Navigator(yard, "human", ascend=10.0)
    start = [0.0, 0.0, 8.0]
    paths = [nav.paths(start, ON_TOP) for nav in (flat, steep)]
    assert paths[0].climb[0] == pytest.approx(1.5, abs=0.05)
    assert paths[0].cost[0] == pytest.approx(paths[0].length[0], rel=1e-3)
    assert paths[1].cost[0] == pytest.approx(paths[1].length[0] + 10 * paths[1].climb[0], rel=1e-2)


def test_goals_out_of_reach_can_be_approached(nav: surefoot.Navigator) -> None:
    options = surefoot.PathOptions(goal="nearest")
    paths = nav.paths(WEST, CELL, options)
    assert paths.outcome[0] == Outcome.PARTIAL and paths.reason[0] == Outcome.DIFFERENT_REGION
    assert np.linalg.norm(paths[0][-1] - np.array(CELL)) < 3.5
    assert nav.paths(WEST, CELL, surefoot.PathOptions(goal="line")).outcome[0] == Outcome.PARTIAL
    budget = surefoot.PathOptions(budget=10)
    assert nav.paths(WEST, EAST, budget).outcome[0] == Outcome.OUT_OF_BUDGET


def test_distance_table_and_field_agree(nav: surefoot.Navigator) -> None:
    places = nav.random(40, 7, reachable_from=WEST)
    goals = places[:5]
    one_by_one = np.stack([nav.distance(places, goal) for goal in goals], axis=1)
    nav.prepare()
    assert nav.is_prepared
    np.testing.assert_array_equal(nav.distance(places, goals[0]), one_by_one[:, 0])
    table = nav.table(places, goals)
    # Where the straight line is clear it is up to 8 % shorter than by steps; elsewhere both are the same.
    is_clear = nav.raycast(np.repeat(places, 5, 0), np.tile(goals, (40, 1)))[1].reshape(40, 5)
    np.testing.assert_array_equal(table[~is_clear], one_by_one[~is_clear])
    assert (~is_clear).sum() > 50 and (table >= one_by_one - 0.36).all()
    for at, goal in enumerate(goals):
        np.testing.assert_array_equal(nav.field(goal).at(places), table[:, at])
    nearest = nav.field(goals)
    np.testing.assert_array_equal(nearest.at(places), table.min(axis=1))
    assert len(nearest) == np.isfinite(nearest.costs()).sum()
    paths = nav.paths(places, goals[0])
    assert (paths.cost <= one_by_one[:, 0] + 0.5).all()
    off = nav.table([WEST, CELL, [99.0, 0.0, 0.0]], [EAST, CELL])
    assert np.isfinite(off).tolist() == [[True, False], [False, True], [False, False]]


def test_fields_lead_to_their_goal(nav: surefoot.Navigator) -> None:
    field = nav.field(EAST)
    at = nav.random(200, 3, reachable_from=EAST)
    for _ in range(400):
        at = field.next(at, 2)
    np.testing.assert_allclose(at, np.tile(EAST, (200, 1)), atol=1e-3)
    np.testing.assert_array_equal(field.at([CELL, [np.nan, 0, 0]]), [np.inf, np.nan])
    assert np.isnan(field.next([CELL, [99.0, 0, 0]])).all()
    near = nav.field(EAST, within=2.0)
    assert 0 < len(near) < len(field)
    for nothing in ([99.0, 0.0, 0.0], []):
        with pytest.raises(surefoot.SurefootError, match="none of the goals"):
            nav.field(nothing)
    with pytest.raises(ValueError, match="steps is -1"):
        field.next(EAST, -1)


def test_ground_queries(nav: surefoot.Navigator) -> None:
    places = [WEST, CELL, [0.0, 0.0, -5.0], [0.4, 0.0, 0.0], [99.0, 0.0, 0.0], [np.nan, 0.0, 0.0]]
    assert nav.is_walkable(places).tolist() == [True, True, False, False, False, False]
    snapped = nav.snap(places)
    np.testing.assert_allclose(snapped[0], WEST, atol=1e-6)
    assert abs(snapped[3, 0]) >= 0.54 and np.isnan(snapped[4:]).all()
    assert nav.is_walkable(snapped[3]).all()
    assert np.isnan(nav.snap([0.0, 0.0, -5.0], 0.2)).all()
    regions = nav.region(places)
    assert regions.dtype == np.int32 and regions[0] == 0 and regions[1] > 0
    assert (regions[2:] == -1).all()
    assert nav.clearance(places)[0] > 0.8 and nav.clearance(places)[2] == 0.0
    anywhere = nav.random(2000, 1)
    assert (nav.clearance(anywhere) <= nav.nearest_wall(anywhere, 50.0)[0] + 0.125 + 1e-4).all()
    distance, wall, normal = nav.nearest_wall([WEST, [-1.0, 0.0, 0.0]], 3.0)
    assert distance[0] == pytest.approx(np.hypot(1.0, 0.9) - 0.3, abs=0.05)
    assert distance[1] == pytest.approx(1.0 - 0.25 - 0.3, abs=0.02)
    np.testing.assert_allclose(normal[1], [-1.0, 0.0, 0.0], atol=1e-3)
    assert wall[1, 0] == pytest.approx(-0.55, abs=0.02)
    assert np.isinf(nav.nearest_wall([-5.0, 0.0, 5.0], 0.5)[0]).all()


def test_slides_and_rays_stop_at_walls(nav: surefoot.Navigator) -> None:
    at, by = [-1.0, 0.0, -2.0], [3.0, 0.0, 1.0]
    slid = nav.slide(at, by)[0]
    assert slid[0] == pytest.approx(-0.55, abs=0.02) and slid[2] == pytest.approx(-1.0, abs=0.02)
    points, clear = nav.raycast([at, at], [[2.0, 0.0, -2.0], [-3.0, 0.0, -2.0]])
    assert clear.tolist() == [False, True]
    assert points[0, 0] == pytest.approx(-0.55, abs=0.02)
    np.testing.assert_allclose(points[1], [-3.0, 0.0, -2.0], atol=1e-3)
    assert np.isnan(nav.slide([99.0, 0.0, 0.0], by)).all()
    assert np.isnan(nav.slide(at, [np.nan, 0.0, 0.0])).all()


def test_random_points_are_walkable_and_even(nav: surefoot.Navigator) -> None:
    places = nav.random(4000, 1)
    assert nav.is_walkable(places).all()
    np.testing.assert_array_equal(places, nav.random(4000, 1))
    assert not np.array_equal(places, nav.random(4000, 2))
    # The room is a part of the ground, by its area.
    area = nav.raster("region") == nav.region(CELL)[0]
    share = area.sum() / (nav.raster("region") >= 0).sum()
    assert (nav.region(places) == nav.region(CELL)[0]).mean() == pytest.approx(share, rel=0.3)
    assert (nav.region(nav.random(100, 1, reachable_from=CELL)) == nav.region(CELL)[0]).all()
    generator = np.random.default_rng(5)
    assert not np.array_equal(nav.random(3, generator), nav.random(3, generator))
    assert nav.random(0).shape == (0, 3)
    near = nav.random(500, 1, near=WEST, radius=2.0)
    assert np.linalg.norm(near - np.array(WEST), axis=1).max() < 2.2
    assert (nav.region(nav.random(99, 1, near=WEST, radius=4.0, reachable_from=WEST)) == 0).all()
    with pytest.raises(ValueError, match="radius is -1"):
        nav.random(1, near=WEST, radius=-1.0)
    with pytest.raises(ValueError, match="count is -1"):
        nav.random(-1)
    with pytest.raises(ValueError, match="no ground"):
        nav.random(1, reachable_from=[99.0, 0.0, 0.0])


def test_rasters_are_images_from_above(nav: surefoot.Navigator) -> None:
    walkable, height = nav.raster("walkable"), nav.raster("height")
    assert walkable.shape == height.shape == (96, 96) and walkable.dtype == np.bool_
    row, column = int((8.0 + 12.0) / 0.25), int((8.0 + 12.0) / 0.25)
    assert walkable[row, column] and height[row, column] == pytest.approx(1.5)
    below = nav.raster("height", 1.0)
    assert not below[row, column] > 1.0
    assert nav.raster("clearance").max() > 1.0
    assert set(np.unique(nav.raster("area"))) <= {0, 1, 255}
    assert nav.raster("walkable", cell=1.0).shape == (24, 24)


def test_obstacles_and_areas_change_answers(nav: surefoot.Navigator) -> None:
    before = nav.distance(WEST, EAST)
    gap = surefoot.Obstacle.box([0.0, 1.0, 8.0], [1.0, 1.0, 5.0])
    for prepared in (False, True):
        if prepared:
            nav.prepare()
        number = nav.block(gap)
        assert np.isinf(nav.distance(WEST, EAST)).all()
        assert nav.paths(WEST, EAST).outcome[0] == Outcome.UNREACHABLE
        assert not nav.is_walkable([0.0, 0.0, 8.0])[0]
        assert "obstacle" in nav.why(WEST, EAST)["words"]
        nav.unblock(number)
        np.testing.assert_array_equal(nav.distance(WEST, EAST), before)
        with pytest.raises(ValueError, match=f"no obstacle {number}"):
            nav.unblock(number)
    nav.set_factor("walkable", 2.0)
    assert nav.distance(WEST, EAST)[0] == pytest.approx(2 * before[0], rel=1e-3)
    with pytest.raises(surefoot.SurefootError, match='"walkable", "mud"'):
        nav.set_factor("lava", 2.0)
    forbidden = surefoot.PathOptions(areas={"walkable": float("inf")})
    assert nav.paths(WEST, EAST, forbidden).outcome[0] == Outcome.START_OFF_GRID


def test_why_says_what_is_in_the_way(nav: surefoot.Navigator) -> None:
    answer = nav.why(WEST, CELL)
    assert not answer["connected"] and answer["blockers"] and '"east"' in answer["words"]
    assert nav.why(WEST, EAST)["connected"]
    standing = nav.why([0.3, 0.0, -5.0])
    assert not standing["walkable"] and standing["obstacle"] == "wall"


def test_links_are_listed_taken_and_closed() -> None:
    scene = surefoot.Scene()
    scene.add_box("left", [3.0, 0.5, 3.0], [-5.0, -0.5, 0.0])
    scene.add_box("right", [3.0, 0.5, 3.0], [5.0, -0.5, 0.0])
    scene.add_link("bridge", [-2.5, 0.0, 0.0], [2.5, 0.0, 0.0], kind="jump", two_way=True)
    grid = surefoot.bake(scene, [surefoot.Agent("human")], cell_size=0.25)
    assert [(link["name"], link["kind"]) for link in grid.links] == [("bridge", "jump")]
    nav = surefoot.Navigator(grid, "human")
    start, goal = [-5.0, 0.0, 0.0], [5.0, 0.0, 0.0]
    paths = nav.paths(start, goal)
    assert (paths.links >= 0).sum() == 1
    no_jumps = surefoot.PathOptions(links=["door"])
    assert nav.paths(start, goal, no_jumps).outcome[0] == Outcome.UNREACHABLE
    nav.set_link_open(0, False)
    assert nav.paths(start, goal).outcome[0] == Outcome.UNREACHABLE
    with pytest.raises(surefoot.SurefootError):
        nav.set_link_open(7, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"goal": "near"}, '"fail", "nearest" or "line"'),
        ({"weight": 0.5}, "weight"),
        ({"weight": 1001.0}, "weight"),
        ({"budget": -1}, "budget is -1"),
        ({"snap_radius": -1.0}, "snap_radius"),
        ({"links": ["fly"]}, "jump"),
    ],
)
def test_options_out_of_range(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        surefoot.PathOptions(**arguments)  # type: ignore[arg-type]


def test_paths_and_options_are_pickled(nav: surefoot.Navigator) -> None:
    options = surefoot.PathOptions(
        goal="nearest", snap_radius=0.5, areas={"mud": 2.0}, links=["door"], weight=1.5, budget=9
    )
    again = pickle.loads(pickle.dumps(options))
    assert repr(again) == repr(options) != repr(surefoot.PathOptions())
    paths = nav.paths([WEST, WEST], [EAST, CELL])
    copy = pickle.loads(pickle.dumps(paths))
    assert len(copy) == 2
    np.testing.assert_array_equal(copy[0], paths[0])
    for name in ["points", "offsets", "links", "cost", "climb", "descent", "outcome", "reason"]:
        np.testing.assert_array_equal(getattr(copy, name), getattr(paths, name))
    names = ["cost", "length", "climb", "descent", "outcome", "reason"]
    forged = [paths.points, np.array([0, 10**9, 2]), paths.links]
    forged += [getattr(paths, name) for name in names]
    with pytest.raises(ValueError, match="offsets"):
        surefoot.Paths._of(forged)


def test_lengths_are_not_negative(nav: surefoot.Navigator) -> None:
    for radius in [-1.0, float("nan")]:
        with pytest.raises(ValueError, match="radius is"):
            nav.snap(WEST, radius)
        with pytest.raises(ValueError, match="radius is"):
            nav.nearest_wall(WEST, radius)
        with pytest.raises(ValueError, match="within is"):
            nav.field(WEST, within=radius)


def test_unknown_names_list_the_known(yard: surefoot.NavGrid, nav: surefoot.Navigator) -> None:
    with pytest.raises(surefoot.SurefootError, match='"human"'):
        surefoot.Navigator(yard, "giant")
    with pytest.raises(ValueError, match='"walkable", "height"'):
        nav.raster("heat")  # type: ignore[arg-type]
    with pytest.raises(surefoot.SurefootError, match="lava"):
        nav.paths(WEST, EAST, surefoot.PathOptions(areas={"lava": 2.0}))
    with pytest.raises(ValueError, match="prepare"):
        nav.table(WEST, EAST)
