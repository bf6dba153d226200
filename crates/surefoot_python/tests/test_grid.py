"""Grids: bakes, files, arrays, pickles."""

from __future__ import annotations

import copy
import pickle
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import surefoot
from surefoot import _surefoot

from conftest import HUMAN, MAP, SCENES


def test_defaults_are_those_of_the_libraries() -> None:
    known = _surefoot.default_settings()
    for name, fields in [
        ("Agent", asdict(surefoot.Agent("human"))),
        ("FollowSettings", asdict(surefoot.FollowSettings())),
        ("LinkCosts", asdict(surefoot.LinkCosts())),
    ]:
        assert set(fields) == set(known[name]), name
        for field, value in known[name].items():
            is_number = isinstance(value, float)
            expected = pytest.approx(value, rel=1e-6) if is_number else value
            mine = list(fields[field]) if isinstance(value, list) else fields[field]
            assert mine == expected, f"{name}.{field}"


def test_arrays_and_a_file_bake_the_same_ground(yard: surefoot.NavGrid) -> None:
    assert yard.agent_names == ["human"]
    assert yard.bounds == ((-12.0, -12.0), (12.0, 12.0))
    assert [area["name"] for area in yard.areas] == ["walkable", "mud"]
    loaded = surefoot.bake(SCENES / "two_storeys.glb", [HUMAN])
    assert surefoot.bake(surefoot.Scene.load(SCENES / "two_storeys.glb"), [HUMAN]) == loaded
    assert loaded != yard


def test_height_fields_are_baked_as_they_are() -> None:
    heights = np.fromfunction(lambda row, column: 0.02 * row + 0.01 * column, (41, 61))
    heights[10:14, 10:14] = np.nan
    scene = surefoot.Scene()
    scene.add_heights("terrain", heights, 0.5, [1.0, 2.0, 3.0])
    grid = surefoot.bake(scene, [HUMAN], cell_size=0.25)
    places = np.array([[1.0 + 0.5 * 30, 0.0, 3.0 + 0.5 * 20]])
    assert grid.ground_height(places, 10.0)[0] == pytest.approx(2.0 + 0.4 + 0.3, abs=1e-3)
    hole = [1.0 + 0.5 * 11.5, 2.3, 3.0 + 0.5 * 11.5]
    assert np.isnan(grid.ground_height(hole, 10.0)[0])


def test_files_pickles_and_copies_are_equal(yard: surefoot.NavGrid, tmp_path: Path) -> None:
    path = tmp_path / "yard.navgrid"
    yard.save(path)
    assert path.read_bytes() == yard.to_bytes()
    for other in [
        surefoot.NavGrid.load(path),
        surefoot.NavGrid.load(str(path)),
        surefoot.NavGrid.from_bytes(yard.to_bytes()),
        surefoot.NavGrid.from_bytes(bytearray(yard.to_bytes())),
        surefoot.NavGrid.from_bytes(memoryview(yard.to_bytes())),
        pickle.loads(pickle.dumps(yard)),
        copy.deepcopy(yard),
    ]:
        assert other == yard and not other != yard


def test_spans_are_the_memory_of_the_grid(yard: surefoot.NavGrid) -> None:
    spans, first = yard.spans, yard.first_spans
    assert spans.shape == (len(yard),) and spans.dtype.itemsize == 16
    assert not spans.flags.owndata and not spans.flags.writeable
    again = yard.spans
    assert again.__array_interface__["data"][0] == spans.__array_interface__["data"][0]
    columns, rows = yard.size
    assert first.shape == (columns * rows + 1,) and first[-1] == len(yard)
    points = yard.span_points(np.arange(len(yard)))
    np.testing.assert_array_equal(points[:, 1], spans["floor"])
    ends = first.astype(np.int64)
    of_column = np.repeat(np.arange(columns * rows), ends[1:] - ends[:-1])
    assert points[:, 0] == pytest.approx(-12.0 + 0.25 * (of_column % columns + 0.5), abs=1e-4)
    ramp = np.abs(spans["normal_x"]) > 0
    assert ramp.sum() > 100
    slope = np.degrees(np.arcsin(np.abs(spans["normal_x"][ramp]) / 32767))
    assert np.median(slope) == pytest.approx(np.degrees(np.arctan(1.5 / 4.0)), abs=0.1)
    assert np.isnan(yard.span_points([-1, len(yard)])).all()


def test_an_array_keeps_the_memory_that_it_reads() -> None:
    spans = surefoot.NavGrid.from_map(MAP).spans
    assert (spans["floor"] == 0.0).all()


def test_maps_and_heights_become_grids() -> None:
    grid = surefoot.NavGrid.from_map(MAP, 0.5, [HUMAN])
    assert grid.size == (10, 6) and grid.cell_size == 0.5
    heights = np.zeros((4, 5))
    heights[1, 2] = np.nan
    grid = surefoot.NavGrid.from_heights(heights, 0.25, [HUMAN], (-2, 3))
    assert len(grid) == 19 and grid.bounds == ((-0.5, 0.75), (0.75, 1.75))


def test_height_scans_turn_with_the_body(yard: surefoot.NavGrid) -> None:
    # Before the platform, which lies towards +x, at the foot of its side.
    place, size = [5.0, 0.0, 6.5], (4.0, 0.0)
    ahead = yard.heights(place, 0.0, size, 0.5, above=3.0)
    assert ahead.shape == (1, 9, 1)
    np.testing.assert_allclose(ahead[0, :, 0], [0, 0, 0, 0, 0, 0, 1.5, 1.5, 1.5], atol=1e-3)
    behind = yard.heights(place, np.pi, size, 0.5, above=3.0)
    np.testing.assert_allclose(behind[0, ::-1, 0], ahead[0, :, 0], atol=1e-3)
    wide = yard.heights([place, place], [0.0, np.pi / 2], (1.0, 4.0), 0.5, above=3.0)
    assert wide.shape == (2, 3, 9)
    # Turned to +z, the platform is at the side towards which yaw decreases.
    assert wide[1, 1, 0] == pytest.approx(1.5, abs=1e-3) and wide[1, 1, 8] == pytest.approx(0.0)
    # From below the platform's top, its side is not seen: the ground under it is solid.
    assert np.isnan(yard.heights([100.0, 0.0, 0.0], 0.0)).all()
    on_floor = surefoot.Navigator(yard, "human").random(500, 1)
    np.testing.assert_allclose(yard.heights(on_floor, 0.0, (0.0, 0.0), above=0.0), 0.0, atol=0.02)
    with pytest.raises(ValueError, match="above is"):
        yard.heights(place, 0.0, above=-1.0)
    with pytest.raises(ValueError, match="tolerance is NaN"):
        yard.ground_height(place, float("nan"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "not a .navgrid"),
        (lambda data: b"hello" + data, "not a .navgrid"),
        (lambda data: data[:-100], "section"),
        (lambda data: data[: len(data) // 2] + b"x" + data[len(data) // 2 + 1 :], "section"),
        (lambda data: data[:8] + b"\xff\xff\x00\x00" + data[12:], "version"),
    ],
)
def test_damaged_files_say_where(yard: surefoot.NavGrid, change: object, message: str) -> None:
    assert callable(change)
    with pytest.raises(surefoot.SurefootError, match=message):
        surefoot.NavGrid.from_bytes(change(yard.to_bytes()))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing.navgrid"):
        surefoot.NavGrid.load(tmp_path / "nothing.navgrid")
    with pytest.raises(FileNotFoundError, match="nothing.glb"):
        surefoot.bake(tmp_path / "nothing.glb")
    (tmp_path / "bad.glb").write_bytes(b"glTF but not")
    with pytest.raises(surefoot.SurefootError, match="bad.glb"):
        surefoot.bake(tmp_path / "bad.glb")
    with pytest.raises(OSError):
        surefoot.NavGrid.from_map(MAP).save(tmp_path / "no" / "folder.navgrid")


def test_scenes_refuse_what_is_not_sound() -> None:
    scene = surefoot.Scene()
    with pytest.raises(ValueError, match=r"vertices has the shape \(4, 2\)"):
        scene.add_mesh("m", np.zeros((4, 2)), [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"triangles has the shape \(3,\)"):
        scene.add_mesh("m", np.zeros((4, 3)), [0, 1, 2])
    with pytest.raises(ValueError, match="there is no vertex -1"):
        scene.add_mesh("m", np.zeros((4, 3)), [[0, 1, -1]])
    with pytest.raises(ValueError, match="turn and move only"):
        scene.add_box("b", [1, 1, 1], np.diag([2.0, 1.0, 1.0, 1.0]))
    with pytest.raises(ValueError, match="no area 'lava'|no area \"lava\""):
        scene.add_box("b", [1, 1, 1], area="lava")
    with pytest.raises(ValueError, match="kind"):
        scene.add_link("l", [0, 0, 0], [1, 0, 0], kind="teleport")  # type: ignore[arg-type]
    with pytest.raises(surefoot.SurefootError, match="floating"):
        scene.add_box("floating", [np.nan, 1, 1])
        surefoot.bake(scene)


def test_settings_may_be_numbers_of_numpy() -> None:
    scene = surefoot.Scene()
    scene.add_box("ground", [2, 1, 2])
    agent = surefoot.Agent("a", radius=np.float32(0.25))  # type: ignore[arg-type]
    bounds = np.array([-1, -1, 1, 1], np.int32)
    grid = surefoot.bake(scene, [agent], cell_size=np.float64(0.25), bounds=bounds)  # type: ignore[arg-type]
    assert grid == surefoot.bake(
        scene, [surefoot.Agent("a", radius=0.25)], cell_size=0.25, bounds=(-1.0, -1.0, 1.0, 1.0)
    )
    with pytest.raises(TypeError, match="settings: cell_size is"):
        surefoot.bake(scene, cell_size=object())  # type: ignore[arg-type]
    for wrong in ["text", 7, None]:
        with pytest.raises(TypeError):
            surefoot.NavGrid.from_bytes(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        assert grid < grid  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cell_size": -1.0}, "cell size"),
        ({"cell_size": float("nan")}, "settings: cell_size is nan"),
        ({"agents": []}, "agent"),
        ({"agents": [surefoot.Agent("a", radius=-1.0)]}, "radius"),
        ({"agents": [surefoot.Agent("a"), surefoot.Agent("a")]}, "a"),
        ({"bounds": (0.0, 0.0, -1.0, -1.0)}, "bounds|rectangle"),
        ({"bounds": np.array([0.0, 0.0, np.inf, 1.0])}, r"bounds\[2\] is inf"),
        ({"agents": ["human"]}, "human"),
        ({"agents": [{"name": "a", "radios": 1.0}]}, "radios"),
    ],
)
def test_bakes_refuse_settings_out_of_range(arguments: dict[str, object], message: str) -> None:
    scene = surefoot.Scene()
    scene.add_box("ground", [2, 1, 2])
    with pytest.raises(surefoot.SurefootError, match=message):
        surefoot.bake(scene, **arguments)  # type: ignore[arg-type]
