"""How long the first build waits for a large mirror that an earlier Rove made."""

import argparse
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time  # noqa: TID251  # how long it takes is what is measured
from typing import Final

from benchmarks.mirror_items import fill_with_items
from rove_core.mirror.mirror import Mirror

#: Makes a mirror one of the third format, which the fourth and later migrations change.
_UNDO: Final = """
ALTER TABLE containers DROP COLUMN check_since;
ALTER TABLE containers DROP COLUMN private;
DROP TABLE tickets;
DROP TABLE unconfirmed;
ALTER TABLE containers DROP COLUMN began_at;
PRAGMA user_version = 3;
"""
#: Seconds that a build may take in all.
_MOST: Final = 1.0


def main(arguments: Sequence[str]) -> int:
    """Print how long the first read takes; return 1 if it is longer than a build may take."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks mirror_migration", description=__doc__
    )
    parser.add_argument("--items", type=int, default=100_000, help="how many items to generate")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="keep the mirror for reuse")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.kept) as folder:
        filled = Mirror("team", (options.kept or Path(folder)) / "team.db")
        if not filled.exists:
            fill_with_items(filled, options.items)
        mirror = _earlier(filled, Path(folder) / "earlier.db")
        size = mirror.size
        began, cpu = perf_counter(), process_time()
        mirror.state()
        taken, cpu = perf_counter() - began, process_time() - cpu
        more = mirror.size - size
    print(f"first read of {size / 1e6:.0f} MB: {taken:.2f} s, {cpu:.2f} s CPU, {more / 1e6:.0f} MB")
    return int(taken > _MOST)


def _earlier(filled: Mirror, path: Path) -> Mirror:
    """Return a copy of a mirror in the third format."""
    with closing(filled.database.open()) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copyfile(filled.path, path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(_UNDO)
    return Mirror(filled.account, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
