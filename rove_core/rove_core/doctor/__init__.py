"""Looking at everything that Rove needs here, and saying what is wrong with it."""

from rove_core.doctor.examination import examine
from rove_core.doctor.findings import Finding

__all__ = ["Finding", "examine"]
