"""Settings: agents, the costs of generated links, and how bodies walk."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal

import numpy as np

LinkKind = Literal["authored", "jump", "drop", "climb", "ladder", "door"]


@dataclass(frozen=True)
class Agent:
    """An upright body that walks: its size, and the slopes and rises it can manage."""

    name: str
    """Unique within a bake."""
    radius: float = 0.3
    """Half the width of the body [m, > 0]."""
    height: float = 1.8
    """From the sole to the top [m, > 0]."""
    max_climb: float = 0.4
    """Highest riser that it walks up or down [m, >= 0, < height]."""
    slope_limit: float = math.radians(45.0)
    """Steepest floor that it can stand on [rad, 0 to 85 degrees]."""
    shape: Literal["capsule", "box"] = "capsule"
    """A capsule, or a box with its sides along x and z."""
    ledge_margin: float | None = None
    """Distance kept from an edge that it could fall off [m]; ``None`` for the radius."""
    jump_up: float = 0.0
    """How high it jumps or climbs onto ground above it [m]."""
    jump_across: float = 0.0
    """Widest gap that it jumps over [m]."""
    drop: float = 0.0
    """How deep it lets itself fall [m]."""


@dataclass(frozen=True)
class LinkCost:
    """What a generated link costs: the sum of these, in metres of plain ground."""

    base: float
    """Of any such link."""
    per_metre: float
    """For each metre from end to end."""
    per_rise: float
    """For each metre of the difference in height."""


@dataclass(frozen=True)
class LinkCosts:
    """What generated links cost, by kind."""

    jump: LinkCost = LinkCost(2.0, 1.0, 1.0)
    """Of jumps over gaps."""
    drop: LinkCost = LinkCost(1.0, 1.0, 0.0)
    """Of drops."""
    climb: LinkCost = LinkCost(2.0, 1.0, 2.0)
    """Of climbs onto ledges."""


@dataclass(frozen=True)
class FollowSettings:
    """How a body of a crowd walks, and when it asks for another path."""

    speed: float = 3.5
    """Maximum speed along the ground [m/s]."""
    acceleration: float = 8.0
    """Maximum change of the velocity in a second [m/s^2]."""
    turn_rate: float = math.radians(120.0)
    """Maximum turn of the facing in a second [rad/s]."""
    stopping_distance: float = 0.0
    """Distance from the goal, along the path, at which the body stops [m]."""
    waypoint_tolerance: float = 0.1
    """Distance from a waypoint at which the body may pass it [m]."""
    slope_limit: float | None = None
    """The steepest ground that paths may cross [rad]; ``None`` for the agent's own limit."""
    links: Sequence[LinkKind] = ("authored", "jump", "drop", "climb", "ladder", "door")
    """Which kinds of links paths may take."""
    replan_distance: float = 5.0
    """A moving target gets a new path once it has moved this far [m]."""
    replan_interval: float = 0.1
    """Minimum time between two requests for a path [s]."""
    patience: float = 1.0
    """A body that has not come nearer to its goal for this long counts as held up [s]."""
    most_tries: int = 3
    """How many times in a row it asks for another path before it is stuck."""


def to_json(value: object, name: str) -> str:
    """Write settings as JSON: dataclasses, dicts, lists, and the numbers of numpy among them."""
    return json.dumps(_plain(value, name))


def _plain(value: object, name: str) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each, f"{name}: {key}") for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, f"{name}[{at}]") for at, each in enumerate(value)]
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist(), name)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} is {value}; it has to be a finite number")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{name} is {value!r}; it has to be a number, a text, a list or a dict of such")
