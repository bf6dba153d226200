"""Bodies of MuJoCo walk along surefoot's paths, over a height field and round its geoms.

    pip install surefoot mujoco
    python mujoco_walkers.py

The same terrain and the same geoms go to both: baked by surefoot, simulated by MuJoCo. Walkers are capsules that slide
along x, y and z; motors push them towards the next waypoint of their path, gravity and contacts do the rest. Nothing
is shown: the program asserts that all of them arrive and that none goes through a geom.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

import surefoot

Floats = npt.NDArray[np.float64]

RADIUS, HEIGHT = 0.25, 1.2
"""Of a walker [m]."""
SPEED = 2.0
"""[m/s]"""
HALF, SPACING = 12.0, 0.25
"""Half the side of the terrain, and what is between its heights [m]."""
WALKERS = 24
MOST_SECONDS = 40.0
"""A walker that has not arrived by then has failed."""
DT = 0.005
"""Of a step of MuJoCo [s]."""


def to_mujoco(points: npt.ArrayLike) -> Floats:
    """From surefoot, where y is up, to MuJoCo, where z is: x, y, z become x, -z, y."""
    x, y, z = np.moveaxis(np.asarray(points, np.float64), -1, 0)
    return np.stack([x, -z, y], axis=-1)


def to_surefoot(points: npt.ArrayLike) -> Floats:
    """The way back from `to_mujoco`."""
    x, y, z = np.moveaxis(np.asarray(points, np.float64), -1, 0)
    return np.stack([x, z, -y], axis=-1)


@dataclass(frozen=True)
class Geom:
    """An upright box or cylinder, in MuJoCo's coordinates."""

    name: str
    center: tuple[float, float, float]
    half_size: tuple[float, float, float]
    """Of a cylinder the first two are its radius."""
    is_round: bool

    def distances(self, places: Floats) -> Floats:
        """How far each place (n, 2) is from its side, seen from above [m]; negative inside."""
        off = np.abs(places - self.center[:2])
        if self.is_round:
            return np.asarray(np.linalg.norm(off, axis=1) - self.half_size[0])
        beyond = off - self.half_size[:2]
        outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
        return np.asarray(outside + np.minimum(beyond.max(axis=1), 0.0))


def terrain() -> Floats:
    """Heights as MuJoCo counts them: rows along y, columns along x [m]."""
    places = np.arange(-HALF, HALF + 0.5 * SPACING, SPACING)
    x, y = np.meshgrid(places, places)
    return np.asarray(1.0 + 0.6 * np.sin(0.5 * x) * np.cos(0.4 * y) + 0.2 * np.cos(0.9 * x + y))


def geoms() -> list[Geom]:
    """Two walls across the terrain with a gap each, and a few posts."""
    random = np.random.default_rng(5)
    walls = [
        Geom("west wall", (-4.0, -3.0, 1.5), (0.2, 9.0, 3.0), False),
        Geom("east wall", (4.0, 3.0, 1.5), (0.2, 9.0, 3.0), False),
    ]
    posts = [
        Geom(f"post {number}", (x, y, 1.5), (0.4, 0.4, 3.0), True)
        for number, (x, y) in enumerate(random.uniform(-8.0, 8.0, (20, 2)))
    ]
    return walls + posts


def bake(heights: Floats, parts: list[Geom]) -> surefoot.Navigator:
    """Bake the terrain with its geoms for a walker that keeps a little off them."""
    scene = surefoot.Scene("terrain")
    # Surefoot's z is MuJoCo's -y: its first row is the last one here.
    scene.add_heights("ground", heights[::-1], SPACING, to_surefoot([-HALF, HALF, 0.0]))
    for part in parts:
        half_x, half_y, half_z = part.half_size
        place = to_surefoot(part.center)
        if part.is_round:
            # A cylinder of surefoot is as high as it says, and its pose is where its middle is.
            scene.add_cylinder(part.name, half_x, 2.0 * half_z, place, obstacle=True)
        else:
            scene.add_box(part.name, [half_x, half_z, half_y], place, obstacle=True)
    walker = surefoot.Agent("walker", radius=RADIUS + 0.1, height=HEIGHT, ledge_margin=0.3)
    return surefoot.Navigator(surefoot.bake(scene, agents=[walker], cell_size=0.2), "walker")


def simulation(heights: Floats, parts: list[Geom], starts: Floats) -> mujoco.MjModel:
    """The same in MuJoCo, with a walker above each start (n, 3)."""
    low, high = heights.min(), heights.max()
    spec = mujoco.MjSpec()
    spec.option.timestep = DT
    spec.add_hfield(
        name="terrain",
        nrow=heights.shape[0],
        ncol=heights.shape[1],
        # Half the sides, what the highest point is above the lowest, and how thick the ground is below.
        size=[HALF, HALF, high - low, 1.0],
        userdata=((heights - low) / (high - low)).ravel().tolist(),
    )
    ground = {"type": mujoco.mjtGeom.mjGEOM_HFIELD, "hfieldname": "terrain"}
    spec.worldbody.add_geom(name="ground", pos=[0.0, 0.0, low], friction=[0.05, 0.0, 0.0], **ground)
    for part in parts:
        kind = mujoco.mjtGeom.mjGEOM_CYLINDER if part.is_round else mujoco.mjtGeom.mjGEOM_BOX
        size = [part.half_size[0], part.half_size[2], 0.0] if part.is_round else part.half_size
        spec.worldbody.add_geom(name=part.name, type=kind, pos=part.center, size=size)
    for number, (x, y, z) in enumerate(starts):
        body = spec.worldbody.add_body(name=f"walker {number}", pos=[x, y, z + 0.5 * HEIGHT + 0.1])
        for axis, name in enumerate("xyz"):
            along = np.eye(3)[axis].tolist()
            joint = body.add_joint(name=f"{name} {number}", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=along)
            if name != "z":
                motor = spec.add_actuator(name=joint.name, target=joint.name)
                motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
                motor.set_to_velocity(kv=1500.0)
        # Walkers touch the world, but not each other: how they would avoid each other is what crowd.py shows.
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            size=[RADIUS, 0.5 * HEIGHT - RADIUS, 0.0],
            mass=60.0,
            contype=0,
            conaffinity=1,
            friction=[0.05, 0.0, 0.0],
        )
    return spec.compile()


class Routes:
    """The paths of all walkers, and which waypoint each is on its way to."""

    def __init__(self, paths: surefoot.Paths) -> None:
        self.points = to_mujoco(paths.points)[:, :2]
        self.next = paths.offsets[:-1] + 1
        self.last = paths.offsets[1:] - 1

    def velocities(self, places: Floats) -> Floats:
        """Where the walkers at these places (n, 2) go next [m/s]."""
        off = self.points[self.next] - places
        near = (np.linalg.norm(off, axis=1) < 0.1) & (self.next < self.last)
        self.next[near] += 1
        off = self.points[self.next] - places
        far = np.linalg.norm(off, axis=1, keepdims=True)
        return np.asarray(SPEED * off / np.maximum(far, 0.5))


def main() -> None:
    """Bake, simulate, and watch the walkers."""
    heights, parts = terrain(), geoms()
    nav = bake(heights, parts)
    random = np.random.default_rng(1)
    rows = np.linspace(-8.0, 8.0, WALKERS)
    starts = nav.snap(to_surefoot(np.stack([np.full(WALKERS, -10.0), rows, 0.0 * rows + 1.0], 1)))
    goals = nav.snap(
        to_surefoot(np.stack([np.full(WALKERS, 10.0), random.permutation(rows), 0.0 * rows + 1.0], 1))
    )
    paths = nav.paths(starts, goals)
    assert (paths.outcome == surefoot.Outcome.COMPLETE).all()

    model = simulation(heights, parts, to_mujoco(starts))
    data = mujoco.MjData(model)
    bodies = np.array([model.body(f"walker {number}").id for number in range(WALKERS)])
    routes, ends = Routes(paths), to_mujoco(goals)
    nearest, seconds = np.inf, 0.0
    mujoco.mj_forward(model, data)
    while seconds < MOST_SECONDS:
        places = data.xpos[bodies]
        nearest = min(nearest, *(float(part.distances(places[:, :2]).min()) for part in parts))
        if (np.linalg.norm((places - ends)[:, :2], axis=1) < 0.1).all():
            break
        data.ctrl[:] = routes.velocities(places[:, :2]).ravel()
        mujoco.mj_step(model, data, nstep=4)
        seconds += 4 * DT

    feet = data.xpos[bodies] - [0.0, 0.0, 0.5 * HEIGHT]
    print(f"{WALKERS} walkers arrived after {seconds:.1f} s on paths of {paths.length.mean():.1f} m")
    print(f"the nearest that a body came to a geom: {nearest - RADIUS:.3f} m")
    assert seconds < MOST_SECONDS, "all arrive"
    assert nearest > RADIUS - 0.01, "no body goes through a geom"
    assert np.abs(feet - ends)[:, 2].max() < 0.2, "they stand on the ground that surefoot baked"


if __name__ == "__main__":
    main()
