"""Looking at everything that Rove needs here, and saying what is wrong with it."""

from rove.doctor.examine import examine
from rove.doctor.findings import Finding

__all__ = ["Finding", "examine"]
