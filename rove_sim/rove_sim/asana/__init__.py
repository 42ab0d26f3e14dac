"""A simulated Asana."""

from rove_sim.asana.vendor import Asana

__all__ = ["Asana"]
