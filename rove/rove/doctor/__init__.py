"""Check everything that Rove needs on this machine."""

from rove.doctor.examine import examine
from rove.doctor.findings import Finding

__all__ = ["Finding", "examine"]
