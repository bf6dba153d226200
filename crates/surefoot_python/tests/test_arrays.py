"""Shapes, dtypes, buffers, threads and processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import surefoot


@pytest.fixture()
def places(nav: surefoot.Navigator) -> np.ndarray:
    return nav.random(100, 11)


def misaligned(places: np.ndarray) -> np.ndarray:
    raw = np.zeros(places.nbytes + 1, np.uint8)
    view = raw[1:].view(np.float32).reshape(places.shape)
    view[...] = places
    return view


def test_any_numbers_in_any_layout(nav: surefoot.Navigator, places: np.ndarray) -> None:
    expected = nav.snap(places)
    wide = np.zeros((100, 6), np.float32)
    wide[:, ::2] = places
    for given in [
        places.astype(np.float64),
        np.asfortranarray(places),
        wide[:, ::2],
        places.tolist(),
        [tuple(row) for row in places],
        np.ma.masked_array(places),
        np.array([places[:, 0], places[:, 1], places[:, 2]]).T,
        misaligned(places),
    ]:
        np.testing.assert_array_equal(nav.snap(given), expected)
    np.testing.assert_array_equal(nav.snap(places[::-1])[::-1], expected)
    whole = np.array([[1, 0, 5], [2, 0, 5]])
    np.testing.assert_array_equal(nav.snap(whole), nav.snap(whole.astype(np.float32)))
    np.testing.assert_array_equal(nav.snap(places[0]), expected[:1])
    assert nav.snap(np.zeros((0, 3))).shape == (0, 3)
    assert len(nav.paths(np.zeros((0, 3)), np.zeros((0, 3)))) == 0


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (np.zeros((4, 2)), ValueError, r"points has the shape \(4, 2\); it has to be \(n, 3\)"),
        (np.zeros(4), ValueError, r"shape \(4,\)"),
        (np.zeros((2, 2, 3)), ValueError, r"shape \(2, 2, 3\)"),
        (3.0, ValueError, r"shape \(\)"),
        (np.ma.masked_array(np.zeros((1, 3)), [[True, False, False]]), ValueError, "masked"),
        (np.zeros((2, 3), bool), TypeError, "bool"),
        (np.zeros((2, 3), complex), TypeError, "complex"),
        (np.array([["a", "b", "c"]]), TypeError, "<U1"),
        (None, TypeError, "object"),
        ([[1, 2, 3], [4, 5]], TypeError, "points"),
    ],
)
def test_other_arrays_are_refused(
    nav: surefoot.Navigator, given: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        nav.snap(given)  # type: ignore[arg-type]


def test_rows_have_to_match(nav: surefoot.Navigator, places: np.ndarray) -> None:
    with pytest.raises(ValueError, match="starts has 3 rows and goals has 4"):
        nav.paths(places[:3], places[:4])
    np.testing.assert_array_equal(
        nav.distance(places[0], places[:9]), nav.distance(places[[0] * 9], places[:9])
    )


def test_buffers_are_filled(nav: surefoot.Navigator, places: np.ndarray) -> None:
    buffer = np.empty((100, 3), np.float32)
    assert nav.snap(places, out=buffer) is buffer
    np.testing.assert_array_equal(buffer, nav.snap(places))
    costs = np.empty(300, np.float32)
    nav.distance(places, places[0], out=costs[100:200])
    np.testing.assert_array_equal(costs[100:200], nav.distance(places, places[0]))
    moved = places.copy()
    nav.slide(moved, [0.1, 0.0, 0.0], out=moved)
    np.testing.assert_array_equal(moved, nav.slide(places, [0.1, 0.0, 0.0]))
    locked = np.empty((100, 3), np.float32)
    locked.flags.writeable = False
    for out, error, message in [
        (np.empty((100, 3)), TypeError, "float32"),
        (np.empty((99, 3), np.float32), ValueError, r"\(99, 3\); it has to be \(100, 3\)"),
        (np.empty((3, 100), np.float32).T, ValueError, "contiguous"),
        (np.empty((200, 3), np.float32)[::2], ValueError, "contiguous"),
        (locked, ValueError, "written|writeable"),
        ([0.0] * 300, TypeError, "numpy array"),
    ]:
        with pytest.raises(error, match=message):
            nav.snap(places, out=out)  # type: ignore[arg-type]


def test_threads_change_nothing(village: surefoot.NavGrid) -> None:
    before = surefoot.thread_count()
    answers: list[list[np.ndarray]] = []
    try:
        for threads in (1, 2, 5):
            surefoot.set_threads(threads)
            assert surefoot.thread_count() == threads
            nav = surefoot.Navigator(village, "human")
            nav.prepare()
            places = nav.random(2000, 4)
            paths = nav.paths(places[:1000], places[1000:])
            crowd = surefoot.Crowd(village)
            crowd.add("human", places[:100])
            crowd.set_goals(places[1000:1100])
            crowd.step(1 / 60, 100)
            answers.append(
                [
                    paths.points,
                    paths.offsets,
                    paths.cost,
                    paths.outcome,
                    nav.distance(places[:1000], places[1000:]),
                    crowd.positions,
                    crowd.velocities,
                ]
            )
    finally:
        surefoot.set_threads(before)
    for other in answers[1:]:
        for mine, others in zip(answers[0], other):
            assert mine.tobytes() == others.tobytes()


def test_threads_of_python_share_a_navigator(nav: surefoot.Navigator) -> None:
    places = nav.random(2000, 2)
    expected = nav.distance(places, places[::-1])
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(10):
            if number % 3 == 0:
                nav.unblock(nav.block(surefoot.Obstacle.cylinder([99.0, 0.0, 0.0], 1.0, 1.0)))
            elif not np.array_equal(nav.distance(places, places[::-1]), expected):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_question_during_a_batch_waits_for_it(nav: surefoot.Navigator) -> None:
    places = nav.random(100_000, 2)
    batch = threading.Thread(target=nav.distance, args=(places, places[::-1]))
    batch.start()
    while batch.is_alive():
        assert nav.why(places[0])["walkable"]
        assert nav.raster().any() and len(nav.grid) > 0
    batch.join()


@pytest.fixture()
def ctrl_c() -> Iterator[Callable[[], None]]:
    """Presses ctrl-C a moment later. Programs in the background ignore it, unless they say what it does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_batch(village: surefoot.NavGrid, ctrl_c: Callable[[], None]) -> None:
    nav = surefoot.Navigator(village, "human")
    places = nav.random(4000, 1)
    start = time.perf_counter()
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            nav.paths(places, places[::-1])
    assert time.perf_counter() - start < 10.0
    np.testing.assert_array_equal(nav.distance(places[0], places[0]), [0.0])


def test_a_few_rows_do_not_wait_for_the_batch_of_another(
    village: surefoot.NavGrid, ctrl_c: Callable[[], None]
) -> None:
    busy, free = (surefoot.Navigator(village, "human") for _ in range(2))
    places = busy.random(4000, 1)
    free.snap(places[:1])
    batch = threading.Thread(target=busy.paths, args=(places, places[::-1]))
    batch.start()
    time.sleep(0.2)
    asked = 0
    while batch.is_alive() and asked < 50:
        free.distance(places[asked], places[asked])
        asked += 1
    assert batch.is_alive()
    # Who waits for a navigator that is in use can be interrupted.
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        busy.snap(places[:1])
    assert batch.is_alive()
    batch.join()


def test_ctrl_c_ends_looking_far(village: surefoot.NavGrid, ctrl_c: Callable[[], None]) -> None:
    nav = surefoot.Navigator(village, "human")
    high = nav.random(600, 1)
    high[:, 1] += 1e4
    start = time.perf_counter()
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            nav.snap(high, 1e9)
    assert time.perf_counter() - start < 10.0


@pytest.mark.parametrize("count", [-1, 1025, 2**62])
def test_threads_have_a_limit(count: int) -> None:
    with pytest.raises(ValueError, match="count is"):
        surefoot.set_threads(count)


def test_an_answer_that_memory_cannot_hold(yard: surefoot.NavGrid) -> None:
    places = np.zeros((2_000_000, 3), np.float32)
    with pytest.raises(MemoryError, match="bytes"):
        yard.heights(places, 0.0, (400.0, 400.0), 0.1)


def in_child(nav: surefoot.Navigator, places: np.ndarray, queue: object) -> None:
    queue.put(nav.distance(places, places[::-1]))  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(multiprocessing, "get_context"), reason="needs processes")
def test_a_forked_process_has_threads_of_its_own(
    nav: surefoot.Navigator, places: np.ndarray
) -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    expected = nav.distance(places, places[::-1])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(nav, places, queue))
    child.start()
    np.testing.assert_array_equal(queue.get(timeout=30), expected)
    child.join(30)
    assert child.exitcode == 0
