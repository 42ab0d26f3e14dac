"""Linear in a box."""

from rove_sim.linear.vendor import Linear

__all__ = ["Linear"]
