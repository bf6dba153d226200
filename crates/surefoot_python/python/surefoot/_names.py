"""Names of the numbers in arrays."""

from enum import IntEnum


class Outcome(IntEnum):
    """How a query ended, as in ``Paths.outcome`` and ``Paths.reason``."""

    COMPLETE = 0
    """The path leads to the goal."""
    PARTIAL = 1
    """The path leads as near to the goal as ``PathOptions.goal`` asked for."""
    START_OFF_GRID = 2
    """The agent cannot stand at the start, or near it."""
    GOAL_OFF_GRID = 3
    """The agent cannot stand at the goal, or near it."""
    DIFFERENT_REGION = 4
    """Nothing joins the regions of start and goal; known without a search."""
    UNREACHABLE = 5
    """Obstacles, closed links, forbidden areas or the slope limit cut the goal off."""
    OUT_OF_BUDGET = 6
    """``PathOptions.budget`` was used up."""
    CANCELLED = 7
    """The query was cancelled."""
    INVALID = 8
    """The start or the goal of the row is not finite."""


class State(IntEnum):
    """What a body of a crowd does, as in ``Crowd.states``."""

    IDLE = 0
    """It has no goal."""
    WAITING = 1
    """It has a goal and waits for its path."""
    FOLLOWING = 2
    """It follows its path."""
    ON_LINK = 3
    """It crosses an off-mesh link."""
    MAKING_WAY = 4
    """It waits for its turn, or steps aside for another."""
    ARRIVED = 5
    """It has come to rest at its goal."""
    PARTIAL = 6
    """It has come to rest at the end of a path that does not lead all the way."""
    STUCK = 7
    """It makes no progress: there is no path, or something holds it up."""
    OFF_GRID = 8
    """It is not on ground that its agent can stand on."""
    REMOVED = 9
    """It was removed."""
