"""Distances by surefoot, and by what else Python has: scipy, networkx, and others that are installed.

    pip install surefoot scipy networkx igraph networkit rustworkx pathfinding3d
    python compare.py [rounds]

Each library gets pairs of places, on the same graph: the floors that an agent can stand on, joined in eight
directions where floors of neighboring columns differ by its climb at most and leave room for it; a diagonal only
where both ways round the corner are open; costs are lengths in 3D. Libraries that are not installed are left out.
Levels from SUREFOOT_DATA, or from ../shared/data beside the repository, are added if they are there.

What is slow gets fewer of the pairs. Rounds are interleaved, and medians of them are printed, as tables in Markdown.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import surefoot

Spans = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

PAIRS = 10_000
AGENTS = 4_096
ROOT = Path(__file__).resolve().parents[3]
BUDGET = 0.6
"""What a library may take in a round, of what it has more pairs for [s]."""


@dataclass(frozen=True)
class Level:
    """A level with the graph of its ground."""

    name: str
    grid: surefoot.NavGrid
    nav: surefoot.Navigator
    """With prepared routes."""
    prepare: float
    """What that took [ms]."""
    searching: surefoot.Navigator
    """Without."""
    nodes: npt.NDArray[np.float32]
    """The points of the walkable floors (n, 3) [m]."""
    edges: Spans
    """Both ends of each (m, 2), every one in one direction."""
    lengths: Floats
    """Of the edges [m]."""
    pairs: Spans
    """Starts and goals (PAIRS, 2), joined by paths."""


def seconds(work: Callable[[], object]) -> float:
    """What a call takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def graph(grid: surefoot.NavGrid, nav: surefoot.Navigator) -> tuple[npt.NDArray[np.float32], Spans, Floats]:
    """The graph of the ground: points, edges and their lengths."""
    walkable = nav.walkable_spans()
    spans, first = grid.spans, grid.first_spans.astype(np.int64)
    columns, rows = grid.size
    of_column = np.repeat(np.arange(columns * rows), np.diff(first))
    floor = spans["floor"].astype(np.float64)
    ceiling = spans["ceiling"].astype(np.float64)
    climb, height = float(nav.agent["max_climb"]), float(nav.agent["height"])

    def straight(dx: int, dz: int) -> Spans:
        """For each span the one that a step leads to, or -1: of those within the climb the nearest in height."""
        x, z = of_column % columns + dx, of_column // columns + dz
        inside = (x >= 0) & (x < columns) & (z >= 0) & (z < rows) & walkable
        target = np.where(inside, z * columns + x, 0)
        best = np.full(len(floor), -1)
        least = np.full(len(floor), climb + 1e-4)
        for layer in range(int(np.diff(first).max())):
            other = first[target] + layer
            known = inside & (other < first[target + 1])
            other = np.where(known, other, 0)
            room = np.minimum(ceiling, ceiling[other]) - np.maximum(floor, floor[other])
            rise = np.abs(floor - floor[other])
            better = known & walkable[other] & (rise <= least) & (room >= height)
            best[better], least[better] = other[better], rise[better]
        return best

    def then(steps: Spans, more: Spans) -> Spans:
        return np.where(steps >= 0, more[steps], -1)

    east, west = straight(1, 0), straight(-1, 0)
    south, north = straight(0, 1), straight(0, -1)
    steps = [east, west, south, north]
    for along in (east, west):
        for across in (south, north):
            one, other = then(along, across), then(across, along)
            steps.append(np.where(one == other, one, -1))
    starts = np.concatenate([np.flatnonzero(step >= 0) for step in steps])
    ends = np.concatenate([step[step >= 0] for step in steps])

    number = np.cumsum(walkable) - 1
    nodes = grid.span_points(np.flatnonzero(walkable))
    edges = np.stack([number[starts], number[ends]], axis=1)
    lengths = np.linalg.norm(nodes[edges[:, 0]].astype(np.float64) - nodes[edges[:, 1]], axis=1)
    return nodes, edges, lengths


def make_level(name: str, grid: surefoot.NavGrid, agent: str) -> Level:
    """Prepare a level, and choose its pairs."""
    nav, searching = (surefoot.Navigator(grid, agent, ascend=0.0) for _ in range(2))
    prepare = 1e3 * seconds(nav.prepare)
    nodes, edges, lengths = graph(grid, nav)
    random = np.random.default_rng(1)
    main = np.flatnonzero(nav.region(nodes) == 0)
    pairs = random.choice(main, (PAIRS, 2))
    return Level(name, grid, nav, prepare, searching, nodes, edges, lengths, pairs)


def rooms(size: int) -> str:
    """A map of rooms of 12 cells with doors, as Moving AI writes maps."""
    random = np.random.default_rng(4)
    cells = np.full((size, size), ".")
    cells[::13, :] = cells[:, ::13] = "@"
    for wall in range(13, size, 13):
        for room in range(0, size - 13, 13):
            if random.random() < 0.8:
                at = room + random.integers(2, 11)
                cells[wall, at : at + 2] = "."
            if random.random() < 0.8:
                at = room + random.integers(2, 11)
                cells[at : at + 2, wall] = "."
    lines = "\n".join("".join(row) for row in cells)
    return f"type octile\nheight {size}\nwidth {size}\nmap\n{lines}\n"


def hills() -> surefoot.Scene:
    """Hills with posts and walls, 64 m square."""
    random = np.random.default_rng(6)
    places = np.arange(-32.0, 32.5, 0.5)
    x, z = np.meshgrid(places, places)
    scene = surefoot.Scene("hills")
    heights = 2.0 * np.sin(0.2 * x) * np.cos(0.17 * z)
    scene.add_heights("ground", heights, 0.5, [-32.0, 0.0, -32.0])
    for number, (post_x, post_z) in enumerate(random.uniform(-30.0, 30.0, (150, 2))):
        half_extents = [random.uniform(0.3, 3.0), 5.0, random.uniform(0.3, 3.0)]
        scene.add_box(f"block {number}", half_extents, [post_x, 0.0, post_z], obstacle=True)
    return scene


def levels() -> list[Level]:
    """Those made here, and those of the data folder."""
    human = surefoot.Agent("human")
    recast = surefoot.Agent("recast", radius=0.6, height=2.0, max_climb=0.9)
    # Cells of a map are points: nothing has a width there.
    text = rooms(209)
    found = [
        make_level("rooms (map)", surefoot.NavGrid.from_map(text), "human"),
        make_level("hills", surefoot.bake(hills(), agents=[human]), "human"),
    ]
    data = Path(os.environ.get("SUREFOOT_DATA", ROOT.parent / "shared" / "data"))
    for name in ["dungeon.gltf", "undulating.glb"]:
        path = data / "scenes" / name
        if path.exists():
            grid = surefoot.bake(path, agents=[recast], cell_size=0.3)
            found.append(make_level(path.stem, grid, "recast"))
    path = data / "maps" / "brc202d.map"
    if path.exists():
        grid = surefoot.NavGrid.from_map(path.read_text(encoding="ascii"))
        found.append(make_level("brc202d (map)", grid, "human"))
    return found


Answer = Callable[[Spans], npt.NDArray[Any]]
"""From pairs of nodes (n, 2) to the lengths of the ways between them."""


def by_surefoot(level: Level, threads: int, prepared: bool) -> Answer:
    """The batch, on some threads."""
    nav = level.nav if prepared else level.searching

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        surefoot.set_threads(threads)
        return nav.distance(level.nodes[pairs[:, 0]], level.nodes[pairs[:, 1]])

    return answer


def by_scipy(level: Level) -> Answer:
    """One search from each start: scipy has no search for a goal."""
    sparse = importlib.import_module("scipy.sparse")
    csgraph = importlib.import_module("scipy.sparse.csgraph")
    count = len(level.nodes)
    matrix = sparse.csr_matrix((level.lengths, level.edges.T), (count, count))

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        rows = (csgraph.dijkstra(matrix, indices=start)[goal] for start, goal in pairs)
        return np.fromiter(rows, np.float64, len(pairs))

    return answer


def by_networkx(level: Level) -> Answer:
    """Its bidirectional search, the fastest that it has for a pair."""
    networkx = importlib.import_module("networkx")
    made = networkx.DiGraph()
    made.add_weighted_edges_from(zip(*level.edges.T.tolist(), level.lengths.tolist()))

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        rows = (networkx.bidirectional_dijkstra(made, *pair)[0] for pair in pairs.tolist())
        return np.fromiter(rows, np.float64, len(pairs))

    return answer


def by_igraph(level: Level) -> Answer:
    """Its search from a start to a goal, in C."""
    igraph = importlib.import_module("igraph")
    made = igraph.Graph(n=len(level.nodes), edges=level.edges, directed=True)
    lengths = level.lengths.tolist()

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        rows = (made.distances(start, goal, weights=lengths)[0][0] for start, goal in pairs.tolist())
        return np.fromiter(rows, np.float64, len(pairs))

    return answer


def by_networkit(level: Level) -> Answer:
    """Its bidirectional search, in C++."""
    networkit = importlib.import_module("networkit")
    # Every edge leads both ways, at the same length.
    once = level.edges[:, 0] < level.edges[:, 1]
    ends = tuple(np.ascontiguousarray(level.edges[once].T.astype(np.uint64)))
    made = networkit.GraphFromCoo((level.lengths[once], ends), n=len(level.nodes), weighted=True)

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        found = np.empty(len(pairs))
        for row, (start, goal) in enumerate(pairs.tolist()):
            search = networkit.distance.BidirectionalDijkstra(made, start, goal)
            found[row] = search.run().getDistance()
        return found

    return answer


def by_rustworkx(level: Level) -> Answer:
    """Its search from a start to a goal, in Rust, with costs that are Python's."""
    rustworkx = importlib.import_module("rustworkx")
    made = rustworkx.PyDiGraph()
    made.add_nodes_from(range(len(level.nodes)))
    made.add_edges_from(list(zip(*level.edges.T.tolist(), level.lengths.tolist())))

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        search = rustworkx.dijkstra_shortest_path_lengths
        rows = (search(made, start, float, goal)[goal] for start, goal in pairs.tolist())
        return np.fromiter(rows, np.float64, len(pairs))

    return answer


def by_pathfinding3d(level: Level) -> Answer:
    """Its A*, on maps only: a grid of voxels one layer deep, with the same rule for corners."""
    if "(map)" not in level.name:
        raise ModuleNotFoundError("floors above floors")
    grid_module = importlib.import_module("pathfinding3d.core.grid")
    finder_module = importlib.import_module("pathfinding3d.finder.a_star")
    rule = importlib.import_module("pathfinding3d.core.diagonal_movement").DiagonalMovement
    matrix = level.nav.raster("walkable").astype(int)[:, :, None]
    grid = grid_module.Grid(matrix=matrix)
    finder = finder_module.AStarFinder(
        diagonal_movement=rule.only_when_no_obstacle, time_limit=1e9, max_runs=1e12
    )
    (x0, z0), _ = level.grid.bounds
    cells = ((level.nodes[:, [2, 0]] - [z0, x0]) / level.grid.cell_size).astype(int)

    def answer(pairs: Spans) -> npt.NDArray[Any]:
        found = np.empty(len(pairs))
        for row, pair in enumerate(pairs):
            grid.cleanup()
            start, goal = (grid.node(*cells[node], 0) for node in pair)
            path, _ = finder.find_path(start, goal, grid)
            places = np.array([[node.x, node.y] for node in path], float)
            found[row] = np.linalg.norm(np.diff(places, axis=0), axis=1).sum() * level.grid.cell_size
        return found

    return answer


OURS: dict[str, Callable[[Level], Answer]] = {
    "surefoot, prepared": lambda level: by_surefoot(level, 0, True),
    "the same, one thread": lambda level: by_surefoot(level, 1, True),
    "not prepared, one thread": lambda level: by_surefoot(level, 1, False),
}
OTHERS: dict[str, Callable[[Level], Answer]] = {
    "networkit": by_networkit,
    "igraph": by_igraph,
    "scipy": by_scipy,
    "rustworkx": by_rustworkx,
    "networkx": by_networkx,
    "pathfinding3d": by_pathfinding3d,
}


def distances(level: Level, rounds: int) -> dict[str, float]:
    """What each library takes for a distance [us], the median of rounds."""
    answers: dict[str, Answer] = {}
    counts: dict[str, int] = {}
    for name, make in (OURS | OTHERS).items():
        try:
            answers[name] = make(level)
        except ModuleNotFoundError:
            continue
        begin = time.perf_counter()
        answers[name](level.pairs[-8:])
        took = (time.perf_counter() - begin) / 8
        counts[name] = min(PAIRS, max(3, int(BUDGET / took)))
    check(level, answers)
    times: dict[str, list[float]] = {name: [] for name in answers}
    for turn in range(rounds):
        for name, answer in answers.items():
            pairs = np.roll(level.pairs, -turn * counts[name], axis=0)[: counts[name]]
            begin = time.perf_counter()
            answer(pairs)
            times[name].append(1e6 * (time.perf_counter() - begin) / len(pairs))
    surefoot.set_threads(0)
    return {name: float(np.median(taken)) for name, taken in times.items()}


def check(level: Level, answers: dict[str, Answer]) -> None:
    """Hold the answers against each other, and say how far surefoot's are from the others'.

    Where a straight line is clear and certain to be cheapest, surefoot's distance is that of the line, and less than
    that of steps in eight directions.
    """
    pairs = level.pairs[:10]
    names = list(answers)
    found = {name: np.asarray(answers[name](pairs), np.float64) for name in names}
    ours = found.pop(names[0])
    reference = found.get("networkit", found.get("scipy", found.get("networkx", ours)))
    for name, lengths in found.items():
        if name in OURS:
            assert np.array_equal(lengths, ours), name
        else:
            assert np.allclose(lengths, reference, rtol=1e-5), name
    off = ours / reference - 1.0
    assert (np.abs(off) < 0.08).all()
    print(
        f"{level.name}: surefoot's distances are {100 * off.min():+.2f} to {100 * off.max():+.2f} % of the graph's"
    )


def one_goal(level: Level, rounds: int) -> dict[str, float]:
    """What a goal for all of the ground takes, and the distances of 10,000 places to it [ms]."""
    goal, starts = int(level.pairs[0, 1]), level.pairs[:, 0]
    points = level.nodes[starts]
    works: dict[str, Callable[[], object]] = {
        "surefoot": lambda: level.searching.field(level.nodes[goal]).at(points),
    }
    try:
        sparse = importlib.import_module("scipy.sparse")
        csgraph = importlib.import_module("scipy.sparse.csgraph")
        count = len(level.nodes)
        # Against the edges: from everywhere to the goal.
        matrix = sparse.csr_matrix((level.lengths, level.edges[:, ::-1].T), (count, count))
        works["scipy"] = lambda: csgraph.dijkstra(matrix, indices=goal)[starts]
        networkx = importlib.import_module("networkx")
        made = networkx.DiGraph()
        made.add_weighted_edges_from(zip(*level.edges[:, ::-1].T.tolist(), level.lengths.tolist()))

        def search() -> list[float]:
            found = networkx.single_source_dijkstra_path_length(made, goal)
            return [found[start] for start in starts.tolist()]

        works["networkx"] = search
    except ModuleNotFoundError:
        pass
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(1e3 * seconds(work))
    medians = {name: float(np.median(taken)) for name, taken in times.items()}
    return {"surefoot's `prepare`, once": level.prepare} | medians


def agents(level: Level, rounds: int) -> dict[str, float]:
    """What thousands of agents take in a step, once the field is there [ms]."""
    field = level.nav.field(level.nodes[level.pairs[0, 1]])
    points = level.nav.random(AGENTS, seed=1)
    costs, ahead = np.empty(AGENTS, np.float32), np.empty((AGENTS, 3), np.float32)
    by = np.random.default_rng(1).uniform(-0.3, 0.3, (AGENTS, 3)).astype(np.float32)
    scan = np.empty((AGENTS, 17, 11), np.float32)
    works: dict[str, Callable[[], object]] = {
        "reward (`field.at`)": lambda: field.at(points, out=costs),
        "direction (`field.next`)": lambda: field.next(points, out=ahead),
        "step (`nav.slide`)": lambda: level.nav.slide(points, by, out=ahead),
        "height scan, 17 x 11": lambda: level.grid.heights(points, 0.0, out=scan),
    }
    return {
        name: float(np.median([1e3 * seconds(work) for _ in range(20 * rounds)]))
        for name, work in works.items()
    }


def digits(number: float) -> str:
    """A number with what of it can be repeated."""
    return f"{number:.2g}" if number < 100 else f"{float(f'{number:.2g}'):,.0f}"


def table(title: str, found: list[tuple[Level, dict[str, float]]]) -> None:
    """Print what was measured, levels down and names across."""
    names = list(dict.fromkeys(name for _, row in found for name in row))
    print(f"\n| {title} | walkable cells | {' | '.join(names)} |")
    print("|---|--:|" + "--:|" * len(names))
    for level, row in found:
        cells = [digits(row[name]) if name in row else "" for name in names]
        print(f"| {level.name} | {len(level.nodes):,} | {' | '.join(cells)} |")


def main(rounds: int) -> None:
    """Measure all of it."""
    every = levels()
    found = [(level, distances(level, rounds)) for level in every]
    table("µs a distance", found)
    table("ms for one goal and 10,000 starts", [(level, one_goal(level, rounds)) for level in every])
    table(f"ms a step of {AGENTS:,} agents", [(level, agents(level, rounds)) for level in every])
    print()
    for level, row in found:
        ours = row["surefoot, prepared"]
        others = [name for name in ("scipy", "networkx") if name in row]
        print(
            f"{level.name}: "
            + ", ".join(f"{row[name] / ours:,.0f} times as fast as {name}" for name in others)
        )
        for name in others:
            assert row[name] > 20.0 * ours, f"{level.name}: {name}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
