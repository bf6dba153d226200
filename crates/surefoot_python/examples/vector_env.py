"""A vector environment of Gymnasium: thousands of walkers on one grid, rewarded for geodesic progress.

    pip install surefoot gymnasium
    python vector_env.py

All walkers share a baked level and one cost field to their goal. The reward of a step is how much nearer it took the
walker over the ground, which leads round walls where a straight-line distance leads into them. The observation is a
height scan round the walker, with where the goal lies; an action is a velocity, and walkers slide along walls.

Episodes end at the goal or after `MOST_STEPS`. Sub-environments start anew by themselves in the step after the one that
ended them, Gymnasium's default (`AutoresetMode.NEXT_STEP`): in that step the action is ignored and the reward is 0.
"""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import surefoot

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

DT = 0.1
"""Of a step [s]."""
SPEED = 3.0
"""The most that an action moves a walker [m/s]."""
ARRIVED = 0.6
"""A walker with less than this to go has arrived [metres-equivalent]."""
STEPS = 200
"""How long each policy walks."""
MOST_STEPS = 400
"""Longer episodes are cut off."""
SCAN_SIZE, SCAN_RESOLUTION = (1.6, 1.0), 0.2
"""Of the height scan [m]."""
NO_FLOOR = -2.0
"""What the height scan has where there is no floor [m]."""
HALF = 20.0
"""Half the side of the level [m]."""


def level(seed: int) -> surefoot.NavGrid:
    """Bake rolling ground with walls that have gaps, and posts."""
    random = np.random.default_rng(seed)
    places = np.arange(-HALF, HALF + 0.25, 0.5)
    x, z = np.meshgrid(places, places)
    heights = 0.8 * np.sin(0.3 * x) * np.cos(0.25 * z)
    scene = surefoot.Scene("hills")
    scene.add_heights("ground", heights, 0.5, [-HALF, 0.0, -HALF])
    for number, wall_x in enumerate([-12.0, -4.0, 4.0, 12.0]):
        gap = random.uniform(-15.0, 15.0)
        for side, (low, high) in enumerate([(-HALF, gap - 1.5), (gap + 1.5, HALF)]):
            half_extents = [0.3, 2.5, 0.5 * (high - low)]
            middle = [wall_x, 1.0, 0.5 * (low + high)]
            scene.add_box(f"wall{number}_{side}", half_extents, middle, obstacle=True)
    for number, (post_x, post_z) in enumerate(random.uniform(-HALF, HALF, (60, 2))):
        scene.add_cylinder(f"post{number}", 0.4, 5.0, [post_x, 0.0, post_z], obstacle=True)
    agent = surefoot.Agent("walker", radius=0.25, height=1.2)
    return surefoot.bake(scene, agents=[agent], min_region_area=20.0)


class Walkers(VectorEnv):
    """Walkers on one grid, all on their way to one goal."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, grid: surefoot.NavGrid, goal: npt.ArrayLike, num_envs: int) -> None:
        self.num_envs = num_envs
        self.grid = grid
        self.nav = surefoot.Navigator(grid, grid.agent_names[0])
        self.goal = self.nav.snap(goal)[0]
        self.field = self.nav.field(self.goal)
        scan = grid.heights(self.goal, 0.0, SCAN_SIZE, SCAN_RESOLUTION)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (scan.size + 3,))
        self.single_action_space = gymnasium.spaces.Box(-SPEED, SPEED, (2,))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # What every step fills again: nothing is allocated for it.
        self.points: Floats = np.zeros((num_envs, 3), np.float32)
        self.to_go: Floats = np.zeros(num_envs, np.float32)
        self._moved = np.zeros_like(self.points)
        self._by = np.zeros_like(self.points)
        self._costs = np.zeros_like(self.to_go)
        self._scan: Floats = np.zeros((num_envs, *scan.shape[1:]), np.float32)
        self._yaw: Floats = np.zeros(num_envs, np.float32)
        self._steps = np.zeros(num_envs, np.int64)
        self._ended: Bools = np.ones(num_envs, np.bool_)
        self._starts: Floats = np.zeros((0, 3), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Put all walkers on random places that a path leads from to the goal."""
        super().reset(seed=seed)
        # Episodes begin at one of these: the reachable ground is looked for once, not in every step.
        self._starts = self.nav.random(1 << 16, self.np_random, reachable_from=self.goal)
        self._start_anew(np.ones(self.num_envs, np.bool_))
        return self._observation(), {}

    def step(self, actions: npt.ArrayLike) -> tuple[Floats, Floats, Bools, Bools, dict[str, Any]]:
        """Move all walkers by their velocities (num_envs, 2), along x and z [m/s]."""
        begins = self._ended.copy()
        velocities = np.clip(np.asarray(actions, np.float32), -SPEED, SPEED)
        velocities[begins] = 0.0
        self._by[:, [0, 2]] = velocities * DT
        self.nav.slide(self.points, self._by, out=self._moved)
        self.points, self._moved = self._moved, self.points
        moving = np.any(velocities != 0.0, axis=1)
        yaw = np.arctan2(velocities[:, 1], velocities[:, 0])
        self._yaw[moving] = yaw[moving]

        self.field.at(self.points, out=self._costs)
        rewards = self.to_go - self._costs
        self.to_go, self._costs = self._costs, self.to_go
        self._steps += 1
        if begins.any():
            self._start_anew(begins)
            rewards[begins] = 0.0
        terminated = (self.to_go < ARRIVED) & ~begins
        truncated = (self._steps >= MOST_STEPS) & ~terminated & ~begins
        self._ended = terminated | truncated
        return self._observation(), rewards, terminated, truncated, {}

    def _start_anew(self, rows: Bools) -> None:
        """Begin the episodes of these rows."""
        picks = self.np_random.integers(len(self._starts), size=int(rows.sum()))
        self.points[rows] = self._starts[picks]
        self.to_go[rows] = self.field.at(self.points[rows])
        self._steps[rows] = 0
        self._yaw[rows] = 0.0
        self._ended[rows] = False

    def _observation(self) -> Floats:
        """The height scan, where the goal lies, and how far it is over the ground."""
        self.grid.heights(self.points, self._yaw, SCAN_SIZE, SCAN_RESOLUTION, out=self._scan)
        scan = np.nan_to_num(self._scan.reshape(self.num_envs, -1), nan=NO_FLOOR)
        off = (self.goal - self.points)[:, [0, 2]]
        return np.concatenate([scan, off, self.to_go[:, None]], axis=1)


def greedy(env: Walkers) -> Floats:
    """Follow the field: the velocity towards the place three steps ahead."""
    off = (env.field.next(env.points, 3) - env.points)[:, [0, 2]]
    # No faster than a step can use: it would walk past the goal.
    far = np.maximum(np.linalg.norm(off, axis=1, keepdims=True), SPEED * DT)
    velocities: Floats = (SPEED * off / far).astype(np.float32)
    return velocities


def play(env: Walkers, policy: str, steps: int) -> tuple[int, float]:
    """Walk some steps; returns how many episodes arrived, and the mean reward of a step [m]."""
    env.reset(seed=7)
    env.action_space.seed(7)
    arrived, total = 0, 0.0
    for _ in range(steps):
        actions = greedy(env) if policy == "greedy" else env.action_space.sample()
        observations, rewards, terminated, _, _ = env.step(actions)
        assert env.observation_space.contains(observations)
        assert np.isfinite(rewards).all()
        arrived += int(terminated.sum())
        total += float(rewards.mean())
    return arrived, total / steps


def time_field(env: Walkers) -> float:
    """What reward and direction of all walkers take [ms]: the median of a hundred rounds."""
    costs, ahead = np.empty_like(env.to_go), np.empty_like(env.points)
    times = []
    for _ in range(100):
        begin = time.perf_counter()
        env.field.at(env.points, out=costs)
        env.field.next(env.points, out=ahead)
        times.append(time.perf_counter() - begin)
    return 1000.0 * float(np.median(times))


def main() -> None:
    """Let both policies walk, and compare them."""
    env = Walkers(level(seed=3), [17.0, 0.0, 0.0], num_envs=4096)
    print(f"{env.grid}; {env.num_envs} walkers")
    first, _ = env.reset(seed=11)
    again, _ = env.reset(seed=11)
    assert np.array_equal(first, again), "a seed gives the same episodes"

    results = {}
    for policy in ["random", "greedy"]:
        begin = time.perf_counter()
        arrived, reward = results[policy] = play(env, policy, STEPS)
        a_step = 1000.0 * (time.perf_counter() - begin) / STEPS
        print(
            f"{policy}: {arrived} arrivals in {STEPS} steps, {reward:+.3f} m a step, {a_step:.1f} ms a step"
        )
    assert results["greedy"][0] >= env.num_envs, "the greedy policy arrives"
    assert results["random"][0] < results["greedy"][0] // 4
    print(f"reward and direction of {env.num_envs} walkers: {time_field(env):.2f} ms a step")


if __name__ == "__main__":
    main()
