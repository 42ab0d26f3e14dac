import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]


def _campaign(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    words = ("--seconds", "3", "--seed", "1", *options)
    return _benchmark("benchmarks.campaign", *words, **environment)


def _benchmark(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-m", *command],
        cwd=_ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _count(what: str, report: str) -> int:
    return sum(int(number) for number in re.findall(rf"(\d+) {what}", report))


@pytest.mark.timeout(900)
def test_a_slice_of_the_campaign_finds_nothing() -> None:
    """What is written is old or new and never lost, whichever system call fails."""
    done = _campaign()
    if "no tracing here" in done.stdout:
        pytest.skip(done.stdout.splitlines()[1])

    assert (done.returncode, done.stderr) == (0, "")
    assert _count("points in", done.stdout) > 0
    assert _count("kills", done.stdout) > 0
    assert _count("tasks done", done.stdout) == 2


@pytest.mark.timeout(900)
def test_the_campaign_does_without_tracing() -> None:
    """It says so in one line, and lets Python's own calls fail."""
    done = _campaign("--only", "store", PATH="")

    assert (done.returncode, done.stderr) == (0, "")
    assert "no tracing here (strace is not installed)" in done.stdout
    assert _count("points in", done.stdout) > 0


def test_a_slice_of_the_renewals_loses_no_login() -> None:
    """Many processes renew a login once; a killed one loses it only where nobody could help."""
    options = ["--processes", "6", "--expiries", "30", "--kills", "10"]
    done = _benchmark("benchmarks.campaign.renewals", *options)

    assert (done.returncode, done.stderr) == (0, "")
    together, forgiving, strict = done.stdout.splitlines()
    assert "180 logins needed, 30 expiries, 30 grants, 0 families revoked" in together
    assert " 0 lost" in forgiving
    assert _count("lost", strict) == _count("answers not stored", strict)


def test_nobody_logs_in_who_need_not() -> None:
    """In 90 days of commands, sleep, jumps and outages, at vendors of four kinds."""
    done = _benchmark("benchmarks", "logins", "90")

    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 5
