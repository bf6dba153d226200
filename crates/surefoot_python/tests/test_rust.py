"""The same answers as those of a program in Rust, to the bit.

Compares with `tests/python_answers.rs`, which `cargo test` builds: `SUREFOOT_RUST_ANSWERS` names the program. Run as
a script, it also compares the time, on a program that was built with `--release`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import surefoot

SCENES = Path(__file__).resolve().parents[3] / "scenes"
PROGRAM = os.environ.get("SUREFOOT_RUST_ANSWERS", "")
LEVELS = ["village.glb", "spiral_tower.glb", "two_storeys.glb"]
"""Of the village a part."""
ROWS = 10_000


@dataclass
class RustAnswers:
    distance: np.ndarray
    figures: np.ndarray
    offsets: np.ndarray
    points: np.ndarray
    seconds: list[float]
    """Of the distances and of the paths."""


def ask_rust(nav: surefoot.Navigator, pairs: np.ndarray, folder: Path) -> RustAnswers:
    """Answer pairs of points, rows of six numbers, by the program in Rust."""
    nav.grid.save(folder / "level.navgrid")
    pairs.astype("<f4").tofile(folder / "pairs")
    names = [str(folder / name) for name in ("level.navgrid", "pairs", "out")]
    command = [PROGRAM, names[0], nav.agent["name"], names[1], names[2]]
    if nav.is_prepared:
        command.append("prepare")
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    numbers = np.fromfile(names[2], "<f4")
    rows = len(pairs)
    counts = numbers[5 * rows : 6 * rows].astype(np.int64)
    return RustAnswers(
        distance=numbers[:rows],
        figures=numbers[rows : 5 * rows].reshape(rows, 4),
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        points=numbers[6 * rows :].reshape(-1, 3),
        seconds=[float(word) for word in printed.split()],
    )


def bake(level: str) -> surefoot.NavGrid:
    bounds = (0.0, -24.0, 48.0, 24.0) if level == "village.glb" else None
    return surefoot.bake(SCENES / level, [surefoot.Agent("human")], bounds=bounds)


def random_pairs(nav: surefoot.Navigator, seed: int) -> np.ndarray:
    return nav.random(2 * ROWS, seed).reshape(ROWS, 6)


@pytest.mark.skipif(not PROGRAM, reason="SUREFOOT_RUST_ANSWERS names no program")
@pytest.mark.parametrize("level", LEVELS)
def test_answers_are_those_of_rust(level: str, tmp_path: Path) -> None:
    grid = bake(level)
    nav = surefoot.Navigator(grid, "human")
    pairs = random_pairs(nav, 1)
    for prepared in (True, False):
        if prepared:
            nav.prepare()
        else:
            nav = surefoot.Navigator(grid, "human")
            pairs = pairs[::10]
        rust = ask_rust(nav, pairs, tmp_path)
        starts, goals = pairs[:, :3], pairs[:, 3:]
        paths = nav.paths(starts, goals)
        figures = np.stack([paths.cost, paths.length, paths.climb, paths.descent], axis=1)
        assert nav.distance(starts, goals).tobytes() == rust.distance.tobytes()
        assert figures.tobytes() == rust.figures.tobytes()
        np.testing.assert_array_equal(paths.offsets, rust.offsets)
        assert paths.points.tobytes() == rust.points.tobytes()
        assert (paths.outcome == surefoot.Outcome.COMPLETE).mean() > 0.5


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare_times() -> None:
    print(f"{surefoot.thread_count()} threads, {ROWS} pairs, median of 5 rounds, prepared routes")
    for level in LEVELS:
        nav = surefoot.Navigator(bake(level), "human")
        nav.prepare()
        pairs = random_pairs(nav, 1)
        starts, goals = pairs[:, :3], pairs[:, 3:]
        rust, python = [], []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(5):
                rust.append(ask_rust(nav, pairs, Path(folder)).seconds)
                of_distance = seconds(lambda: nav.distance(starts, goals))
                python.append([of_distance, seconds(lambda: nav.paths(starts, goals))])
        for at, what in enumerate(["distance", "paths"]):
            medians = [statistics.median(row[at] for row in rows) for rows in (rust, python)]
            ratio = medians[0] / medians[1]
            print(
                f"{level}, {what}: Rust {medians[0] * 1e3:.1f} ms, Python {medians[1] * 1e3:.1f} ms, "
                f"{ratio:.2f} of its throughput"
            )


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit("SUREFOOT_RUST_ANSWERS has to name the program")
    compare_times()
