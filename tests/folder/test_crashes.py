"""A scan that is killed loses nothing that was paid."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.folder.crashes import FILES

POINTS = int(os.environ.get("ROVE_EXAMPLES", "6"))


def test_nothing_that_was_paid_is_paid_again() -> None:
    """Wherever a scan is killed, the next one asks about the rest alone, and the sums agree."""
    root = Path(__file__).parents[2]
    done = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-m", "tests.folder.crashes", str(POINTS)],
        cwd=root,
        capture_output=True,
        check=True,
        text=True,
    )
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]

    assert len(outcomes) == POINTS
    assert sum(each["killed"] for each in outcomes) >= POINTS * 2 // 3
    assert {each["again"] for each in outcomes} == {0}
    assert {(each["files"], each["left"]) for each in outcomes} == {(FILES, 0)}
    assert [each for each in outcomes if each["used"] != each["logged"]] == []
    # A batch asks five questions at a time: no more can be under way when the process dies.
    assert max(each["in_flight"] for each in outcomes) <= 5
