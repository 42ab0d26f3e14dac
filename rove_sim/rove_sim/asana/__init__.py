"""Asana in a box."""

from rove_sim.asana.vendor import Asana

__all__ = ["Asana"]
