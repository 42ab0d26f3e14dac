"""The demo at a terminal: its commands, typed, and what they printed when the pages were made."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from docs_src.pictures.svg import box, picture, text

_STEPS: Final = "docs_src/first_document"
_WIDTH: Final = 760
_COLUMNS: Final = 96
_LINE: Final = 18
_TOP: Final = 46
#: Seconds: to type a command, between two lines of progress, and to read the whole.
_TYPED: Final = 1.0
_TICK: Final = 0.35
_READ: Final = 6.0


@frozen
class _Shown:
    """A line, and when it appears, in seconds."""

    said: str
    at: float
    classes: str = "mono"


def draw(root: Path) -> str:
    """Return the picture; it plays again and again, and stands still where motion is unwanted."""
    shown = [*_shown(root)]
    total = shown[-1].at + _READ
    height = _TOP + len(shown) * _LINE + 8
    parts = [box(1, 1, _WIDTH - 2, height - 2, radius=10)]
    parts += [f'<circle cx="{20 + at * 18}" cy="20" r="5"/>' for at in range(3)]
    style = ""
    for at, line in enumerate(shown):
        begin = 100 * line.at / total
        style += f"@keyframes l{at}{{0%,{begin:.1f}%{{opacity:0}}{begin + 0.1:.1f}%{{opacity:1}}}}"
        style += f".l{at}{{animation:l{at} {total:.1f}s infinite}}"
        parts.append(text(16, _TOP + at * _LINE, line.said, f"{line.classes} l{at}"))
    style += "@media(prefers-reduced-motion:reduce){text{animation:none!important}}"
    about = "\n".join(line.said for line in shown)
    return picture(_WIDTH, height, *parts, title="rove --demo", about=about, style=style)


def _shown(root: Path) -> Iterator[_Shown]:
    steps = root / _STEPS
    now = 0.3
    yield _Shown(f"$ {_held(steps, '01_demo.sh')[0]}", now, "mono bold")
    now += _TYPED
    for line in _held(steps, "progress.txt"):
        yield _Shown(line, now, "mono dim")
        now += _TICK
    yield _Shown(_held(steps, "01_demo.txt")[-1], now, "mono accent")
    quote, *_ = (line for line in _held(root / "docs/examples", "TB-123.md") if "JWT" in line)
    for caption in ("$ grep -m1 JWT ~/northwind/.context/TB-123_*.md", *_wrapped(quote)):
        now += _TYPED if caption.startswith("$") else _TICK
        yield _Shown(caption, now, "mono bold" if caption.startswith("$") else "mono")
        now += _TYPED if caption.startswith("$") else 0.0


def _wrapped(line: str) -> Sequence[str]:
    """Return a line as a terminal shows it."""
    return [line[at : at + _COLUMNS] for at in range(0, len(line), _COLUMNS)]


def _held(folder: Path, name: str) -> Sequence[str]:
    return (folder / name).read_text("utf-8").splitlines()
