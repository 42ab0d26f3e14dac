"""How fast others' text is made harmless and searched for secrets, and how rarely it is wrong."""

import re
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time  # noqa: TID251  # processor time is what a benchmark measures
from typing import Final

from rove_core.safety.secrets import find_secrets, redact_secrets
from rove_core.safety.text import prose

#: MB of text per second of processor time, sanitising and searching together.
TARGET: Final = 2.5
#: Texts of this machine in which nobody left a secret: how many may be seen in a MB of them.
FALSE_HITS: Final = 1.0
LENGTH: Final = 2_000_000
SEARCHED: Final = 40_000_000
ITEM: Final = 1_500
RUNS: Final = 3
SUFFIXES: Final = {".py", ".pyi", ".txt", ".rst", ".md"}
TOKEN: Final = re.compile("gh[pousr]_[A-Za-z0-9]{36}")


def main() -> int:
    """Measure on the texts of this Python; return 1 when it is too slow or too often wrong."""
    library = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
    texts = {
        "code": _sample(library, {".py"}),
        "prose": _sample([*library, Path("docs"), Path("/usr/share/doc")], {".txt", ".rst", ".md"}),
    }
    columns = ("prose", "secrets", "together", "items", "one re")
    print(f"{'MB/s':8}" + "".join(f"{column:>10}" for column in columns))
    slow = [_report(name, text) < TARGET for name, text in texts.items()]
    return max(*slow, _count(library) > FALSE_HITS)


def _sample(folders: Sequence[Path], suffixes: set[str]) -> str:
    """Return the beginning of all files together, the same on every run."""
    parts: list[str] = []
    for text in _texts(folders, suffixes):
        parts.append(text)
        if sum(map(len, parts)) > LENGTH:
            break
    return "".join(parts)[:LENGTH]


def _texts(folders: Sequence[Path], suffixes: set[str]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path.read_text("utf-8", errors="replace")


def _report(name: str, text: str) -> float:
    """Print how many MB of a text are worked through in a second; return it for both together."""
    items = [text[start : start + ITEM] for start in range(0, len(text), ITEM)]
    speeds = [
        _speed(work, [text])
        for work in (prose, redact_secrets, lambda text: redact_secrets(prose(text)))
    ]
    speeds += [
        _speed(lambda text: redact_secrets(prose(text)), items),
        _speed(TOKEN.search, [text]),
    ]
    print(f"{name:8}" + "".join(f"{speed:10.1f}" for speed in speeds))
    return min(speeds[2:4])


def _speed(work: Callable[[str], object], texts: Sequence[str]) -> float:
    best = min(_cost(work, texts) for _ in range(RUNS))
    return sum(map(len, texts)) / best / 1e6


def _cost(work: Callable[[str], object], texts: Sequence[str]) -> float:
    before = process_time()
    for text in texts:
        work(text)
    return process_time() - before


def _count(folders: Sequence[Path]) -> float:
    """Print what is taken for a secret in this Python's own library, and return how much a MB."""
    letters, hits = 0, 0
    for text in _texts(folders, SUFFIXES):
        if letters > SEARCHED:
            break
        letters += len(text)
        for found in find_secrets(text):
            hits += 1
            shown = text[max(0, found.start - 30) : found.end][:90]
            print(f"  taken for {found.kind}: {shown!r}")
    print(f"{hits} in {letters / 1e6:.1f} MB: {hits / letters * 1e6:.2f} a MB")
    return hits / letters * 1e6


if __name__ == "__main__":
    sys.exit(main())
