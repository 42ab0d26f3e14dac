"""What a worker process does to itself before it loads any plugin."""

import subprocess
import sys

import pytest

#: Each thread allocates from a heap, which reserves 64 MB if it is the thread's own.
_THREADS = """
import re, threading
from pathlib import Path
from rove.server.confinement import share_heap

def reserved():
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmSize:\\s+(\\d+)", status)[1]) // 1024

share_heap()
before, barrier = reserved(), threading.Barrier(8)

def allocate():
    barrier.wait()
    texts = [bytes(5_000) for _ in range(100)]
    barrier.wait()

threading.stack_size(1024 * 1024)
threads = [threading.Thread(target=allocate) for _ in range(8)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(reserved() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no heap for each thread")
def test_threads_share_a_heap() -> None:
    """Eight threads do not reserve 64 MB each."""
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", _THREADS], check=True, capture_output=True, text=True
    )

    assert int(done.stdout) < 64
