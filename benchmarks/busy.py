"""Run tests on a busy machine: niced, beside busy processes, SIGINT ignored, in random order.

``nox -s bench -- busy tests/core/test_busy_machine.py --seconds 60 --workers 1 4``
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final

from rove_core.clock import SYSTEM

#: The tests that start processes, or have deadlines.
_SENSITIVE: Final = (
    "tests/app/test_server_start.py",
    "tests/app/test_server_together.py",
    "tests/app/test_server_schedule.py",
    "tests/app/test_server_socket.py",
    "tests/app/test_server_crash.py",
    "tests/app/test_through_server.py",
    "tests/app/test_interrupted.py",
    "tests/app/test_isolation.py",
    "tests/app/test_hanging_keychain.py",
    "tests/app/test_streams.py",
    "tests/core/test_accounts.py",
    "tests/core/test_busy_machine.py",
    "tests/core/test_http_faults.py",
    "tests/core/test_watchdog.py",
)
#: A shell lets what it starts in the background ignore SIGINT.
_IN_BACKGROUND: Final = 'trap "" INT; exec nice -n "$@"'
#: Seconds that pytest gets besides, to start and to print its summary.
_GRACE: Final = 180


def main(argv: Sequence[str] | None = None) -> None:
    """Run the tests once for each number of workers, and exit with 1 if one failed."""
    options = _parser().parse_args(argv)
    seed = Random().randrange(1_000_000) if options.seed is None else options.seed  # noqa: S311  # an order, not a secret
    failed = False
    for at, workers in enumerate(options.workers):
        print(
            f"\n=== {workers} workers, seed {seed + at}, {options.busy} busy processes", flush=True
        )
        with _busy(options.busy):
            began = SYSTEM.monotonic()
            code = _run(options, workers, seed + at)
        print(f"=== exit code {code} after {SYSTEM.monotonic() - began:.0f} s", flush=True)
        failed = failed or code not in {0, 2}  # Time that is over is an interruption.
    sys.exit(failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("busy", description=__doc__)
    parser.add_argument("paths", nargs="*", default=_SENSITIVE, help="what to run")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 4], help="for each run")
    parser.add_argument("--seconds", type=float, default=120, help="of each run, without its start")
    parser.add_argument("--busy", type=int, default=12, help="processes beside it")
    parser.add_argument("--nice", type=int, default=10, help="how nice the tests are")
    parser.add_argument("--seed", type=int, help="of the order of the first run")
    return parser


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """Run processes that never wait."""
    command = [sys.executable, "-S", "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(count)]  # noqa: S603  # our own interpreter
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _run(options: argparse.Namespace, workers: int, seed: int) -> int:
    """Run pytest as a job in the background and return its exit code."""
    command = ["-m", "pytest", "-q", "-rfE", "-p", "benchmarks.busy_order", "-n", str(workers)]
    shell = ["/bin/sh", "-c", _IN_BACKGROUND, "sh"]
    tests = subprocess.Popen(  # noqa: S603  # our own interpreter
        [*shell, str(options.nice), sys.executable, *command, *options.paths],
        env={**os.environ, "BUSY_SEED": str(seed), "BUSY_SECONDS": str(options.seconds)},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return tests.wait(options.seconds + _GRACE)
    except subprocess.TimeoutExpired:
        print("=== pytest does not end", flush=True)
        return 1
    finally:
        if tests.poll() is None:
            os.killpg(tests.pid, signal.SIGKILL)
            tests.wait()


if __name__ == "__main__":
    main()
