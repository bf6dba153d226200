"""Worlds: tiles that are baked one by one merge to the bytes of one bake."""

import copy
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import surefoot

SCENES = Path(__file__).parents[3] / "scenes"
VILLAGE = SCENES / "village.glb"
MANIFEST = SCENES.parent / "examples/worlds/kubernetes.yaml"


@pytest.fixture(scope="module")
def whole() -> bytes:
    return surefoot.bake(VILLAGE, cell_size=0.5).to_bytes()


def test_tiles_merge_to_one_bake(tmp_path: Path, whole: bytes) -> None:
    world = surefoot.world.plan(VILLAGE, tmp_path, cell_size=0.5, tile_side=128)
    assert world.tiles > 9 and world.missing() == list(range(world.tiles))
    spans = world.bake_tile(3)
    assert spans is not None and spans > 0
    assert world.bake_tile(3) is None
    assert world.bake_tile(3, again=True) == spans
    tile = world.tile(3)
    assert tile is not None and len(tile.spans) == spans
    assert world.tile(4) is None
    other = surefoot.WorldBake.open(tmp_path)
    assert other.plan_id == world.plan_id
    assert other.bake_tiles() == world.tiles - 1
    assert world.missing() == []
    assert world.merge().to_bytes() == whole
    assert world.merge(routes=True).to_bytes() != whole
    assert world.verify([0, 3]) == []


def test_faults_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(surefoot.SurefootError, match="plan.json"):
        surefoot.WorldBake.open(tmp_path)
    with pytest.raises(surefoot.SurefootError, match="absent.glb"):
        surefoot.world.plan("absent.glb", tmp_path)
    with pytest.raises(surefoot.SurefootError, match="cell size"):
        surefoot.world.plan(VILLAGE, tmp_path, cell_size=-1.0)
    world = surefoot.world.plan(VILLAGE, tmp_path, cell_size=0.5, tile_side=128)
    with pytest.raises(surefoot.SurefootError, match="not baked yet"):
        world.merge()
    with pytest.raises(surefoot.SurefootError, match="there is no tile 9999"):
        world.bake_tile(9999)
    world.bake_tile(0)
    (tile,) = (tmp_path / "tiles").iterdir()
    tile.write_bytes(tile.read_bytes()[:-100])
    with pytest.raises(surefoot.SurefootError, match="bake it again"):
        world.tile(0)
    assert world.verify([0]) == [0]


def test_a_process_that_is_killed_does_no_harm(tmp_path: Path, whole: bytes) -> None:
    surefoot.world.plan(VILLAGE, tmp_path, cell_size=0.5, tile_side=128)
    work = "import surefoot, sys; surefoot.WorldBake.open(sys.argv[1]).bake_tiles()"
    for delay in (0.15, 0.25, 0.35):
        process = subprocess.Popen([sys.executable, "-c", work, os.fspath(tmp_path)])
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    world = surefoot.WorldBake.open(tmp_path)
    world.bake_tiles()
    assert world.merge().to_bytes() == whole


def test_ray_bakes_the_same_bytes(tmp_path: Path, whole: bytes) -> None:
    ray = pytest.importorskip("ray")
    import surefoot.ray

    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    try:
        seen: list[tuple[int, int]] = []
        grid = surefoot.ray.bake_world(
            VILLAGE,
            tmp_path,
            cell_size=0.5,
            tile_side=128,
            progress=lambda done, tiles: seen.append((done, tiles)),
        )
        assert grid is not None and grid.to_bytes() == whole
        packed = tmp_path / "village.navworld"
        assert surefoot.ray.bake_world(VILLAGE, tmp_path, cell_size=0.5, tile_side=128, pack=packed) is None
        here = surefoot.WorldBake.open(tmp_path)
        assert not here.seams(0), "computed by Ray"
        here.pack(tmp_path / "again.navworld")
        assert packed.read_bytes() == (tmp_path / "again.navworld").read_bytes()
        assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1]
        with pytest.raises(surefoot.SurefootError, match="somebody has planned another world"):
            world = surefoot.world.plan(VILLAGE, tmp_path, cell_size=0.5, tile_side=64)
            surefoot.world.plan(VILLAGE, tmp_path, cell_size=0.25, tile_side=64)
            surefoot.ray.bake_tiles(world, tmp_path)
    finally:
        ray.shutdown()


def test_ray_workers_that_are_killed_do_no_harm(tmp_path: Path, whole: bytes) -> None:
    ray = pytest.importorskip("ray")
    import surefoot.ray

    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    deaths = tmp_path / "deaths"
    deaths.mkdir()
    bake: Callable[[str, str, int], int | None] = surefoot.ray._bake_tile._function

    def bake_or_die(store: str, plan_id: str, index: int) -> int | None:
        """Die at every third tile, once before it is baked and once after."""
        for part in ("before", "after"):
            if part == "after":
                spans = bake(store, plan_id, index)
            first = deaths / f"{index} {part}"
            if index % 3 == 0 and not first.exists():
                first.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return spans

    world = surefoot.world.plan(VILLAGE, tmp_path / "tiles", cell_size=0.5, tile_side=128)
    dying = ray.remote(num_cpus=1)(bake_or_die)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(surefoot.ray, "_bake_tile", dying)
            surefoot.ray.bake_tiles(world, tmp_path / "tiles")
            killed = {int(first.name.split()[0]) for first in deaths.iterdir()}
            assert killed == set(range(0, world.tiles, 3)) and len(list(deaths.iterdir())) == 2 * len(killed)
            assert world.missing() == [] and world.verify(sorted(killed)) == []
            assert world.merge().to_bytes() == whole

            # With fewer retries than deaths, the fault comes through.
            shutil.rmtree(deaths)
            deaths.mkdir()
            again = surefoot.world.plan(VILLAGE, tmp_path / "again", cell_size=0.5, tile_side=128)
            with pytest.raises(ray.exceptions.WorkerCrashedError):
                surefoot.ray.bake_tiles(again, tmp_path / "again", retries=0)
    finally:
        ray.shutdown()
    again.bake_tiles()
    assert again.merge().to_bytes() == whole


@pytest.mark.parametrize("version", ["1.29", "1.33", "1.37"])
def test_the_manifest_is_one_of_kubernetes(version: str) -> None:
    validator = pytest.importorskip("kubernetes_validate")
    manifest = pytest.importorskip("yaml").safe_load(MANIFEST.read_text())
    validator.validate(manifest, version, strict=True)

    def refused(words: str, spec: object) -> None:
        with pytest.raises(validator.ValidationError, match=words):
            validator.validate({**manifest, "spec": spec}, version, strict=True)

    misspelled = copy.deepcopy(manifest["spec"])
    misspelled["backoffLimitPerIdx"] = misspelled.pop("backoffLimitPerIndex")
    refused("backoffLimitPerIdx", misspelled)
    text = copy.deepcopy(manifest["spec"])
    text["completions"] = "100"
    refused("'100' is not of type", text)
    nameless = copy.deepcopy(manifest["spec"])
    del nameless["template"]["spec"]["containers"][0]["name"]
    refused("'name' is a required property", nameless)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    world = surefoot.world.plan(VILLAGE, folder / "tiles", cell_size=0.5, tile_side=128)
    world.bake_tiles()
    assert world.pack(folder / "village.navworld") == []
    return folder / "village.navworld"


def test_packed_worlds_are_walked(packed: Path, whole: bytes) -> None:
    world = surefoot.World.open(packed)
    grid = surefoot.NavGrid.from_bytes(whole)
    assert (world.cell_size, world.agent_names) == (grid.cell_size, grid.agent_names)
    assert world.bounds == grid.bounds and world.tiles > 9
    assert "tiles)" in repr(world)
    assert len(world.load().spans) == len(grid.spans)
    near = world.load((-10.0, -10.0, 10.0, 10.0))
    assert 0 < len(near.spans) < len(grid.spans)
    window = world.window([[0.0, 5.0, 0.0]], budget=1 << 20)
    assert window is not None and 0 < len(window.spans) < len(grid.spans)
    again = world.window([[0.1, 5.0, 0.0]], budget=1 << 20)
    assert again is not None and len(again.spans) == len(window.spans)
    navigator = surefoot.Navigator(grid, "human")
    start, goal = navigator.random(2, seed=4)
    path = world.far_path("human", start, goal)
    assert path is not None
    (least,) = navigator.distance([start], [goal])
    assert 0.99 * least <= path.cost <= 1.2 * least
    assert path.gates.shape == (len(path.gates), 3) and path.links == []
    regions = world.regions("human")
    assert regions is not None
    assert sum(region["spans"] for region in regions) == grid.summary()["agents"][1]["walkable_spans"]
    assert regions[0]["area_m2"] > regions[1]["area_m2"]


def test_faults_of_packed_worlds_say_what_to_do(packed: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent.navworld"):
        surefoot.World.open("absent.navworld")
    (tmp_path / "cut.navworld").write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(surefoot.SurefootError, match="damaged"):
        surefoot.World.open(tmp_path / "cut.navworld")
    world = surefoot.World.open(packed)
    with pytest.raises(surefoot.SurefootError, match="no agent"):
        world.far_path("giant", [0, 0, 0], [1, 0, 1])
    with pytest.raises(surefoot.SurefootError, match="no agent"):
        world.regions("giant")
    with pytest.raises(surefoot.SurefootError, match="not finite"):
        world.far_path("human", [float("nan"), 0, 0], [1, 0, 1])
    with pytest.raises(surefoot.SurefootError, match="no ground"):
        world.far_path("human", [0, 900, 9000], [1, 0, 1])
    with pytest.raises(surefoot.SurefootError, match="no tile there"):
        world.load((1e5, 1e5, 2e5, 2e5))
    with pytest.raises(ValueError, match="at least one row"):
        world.window([])
    with pytest.raises(ValueError, match="one point"):
        world.far_path("human", [[0, 0, 0], [1, 1, 1]], [1, 0, 1])
