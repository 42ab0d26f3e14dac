"""What a process of this machine has used so far, as the system counts it."""

import os
import re
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_USED: Final = slice(11, 13)
_MEGABYTE: Final = 1024


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[_USED])) / _TICKS


def megabytes(pid: int) -> float:
    """Return how much memory of a process is in use, with what it shares with others."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    (kilobytes,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
    return int(kilobytes) / _MEGABYTE


def memory_of(pid: int) -> tuple[float, float]:
    """Return the megabytes of a process in use: with all it shares, and with its part of that."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8")
    found = dict(re.findall(r"^(Rss|Pss):\s+(\d+) kB", rollup, re.MULTILINE))
    return int(found["Rss"]) / _MEGABYTE, int(found["Pss"]) / _MEGABYTE
