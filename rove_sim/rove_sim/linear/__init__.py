"""A simulated Linear."""

from rove_sim.linear.vendor import Linear

__all__ = ["Linear"]
