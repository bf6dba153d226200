"""Maps for robots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import surefoot

from conftest import HUMAN, SCENES


def read_pgm(path: Path) -> np.ndarray:
    header, size, depth, pixels = path.read_bytes().split(b"\n", 3)
    assert header == b"P5" and depth == b"255"
    columns, rows = map(int, size.split())
    return np.frombuffer(pixels, np.uint8).reshape(rows, columns)


def read_yaml(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def test_a_storey_is_what_the_agent_can_stand_on(nav: surefoot.Navigator, tmp_path: Path) -> None:
    (path,) = surefoot.ros.save_maps(nav, tmp_path / "maps", "yard")
    fields = read_yaml(path)
    image = read_pgm(path.parent / fields["image"])
    origin = [float(number) for number in fields["origin"].strip("[]").split(",")]
    resolution = float(fields["resolution"])
    assert image.shape == (96, 96) and resolution == 0.25 and origin == [-12.0, -12.0, 0.0]
    for x, z in [(-5.0, -5.0), (0.0, -5.0), (8.0, 8.0), (-8.0, -8.0)]:
        # As map_server puts pixels into the world: row 0 is the top of y, and y is -z.
        column = int((x - origin[0]) / resolution)
        row = image.shape[0] - 1 - int((-z - origin[1]) / resolution)
        top = nav.raster("walkable")[int((z + 12.0) / 0.25), int((x + 12.0) / 0.25)]
        assert image[row, column] == (254 if top else 0), (x, z)


def test_every_floor_of_a_building_is_a_storey(tmp_path: Path) -> None:
    grid = surefoot.bake(SCENES / "two_storeys.glb", [HUMAN])
    nav = surefoot.Navigator(grid, "human")
    storeys = surefoot.ros.find_storeys(nav)
    assert len(storeys) == 2
    paths = surefoot.ros.save_maps(nav, tmp_path)
    assert [path.name for path in paths] == ["map_0.yaml", "map_1.yaml"]
    lower, upper = (read_pgm(path.with_suffix(".pgm")) for path in paths)
    assert (lower == 254).sum() > 100 and (upper == 254).sum() > 100
    assert not np.array_equal(lower, upper)
    finer = surefoot.ros.save_maps(nav, tmp_path, "fine", resolution=grid.cell_size / 2)
    assert read_pgm(finer[0].with_suffix(".pgm")).shape == tuple(2 * side for side in lower.shape)


def test_only_ground_that_can_be_reached_is_free(nav: surefoot.Navigator, tmp_path: Path) -> None:
    everywhere, room = (
        read_pgm(surefoot.ros.save_maps(nav, tmp_path, str(at), reachable_from=at)[0].with_suffix(".pgm"))
        for at in (None, [-8.0, 0.0, -8.0])
    )
    assert 0 < (room == 254).sum() < (everywhere == 254).sum()
    with pytest.raises(ValueError, match="reachable_from"):
        surefoot.ros.save_maps(nav, tmp_path, reachable_from=[99.0, 0.0, 0.0])


def test_a_folder_that_cannot_be_made(nav: surefoot.Navigator, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        surefoot.ros.save_maps(nav, tmp_path / "file" / "maps")
