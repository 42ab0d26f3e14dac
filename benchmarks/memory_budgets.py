"""Whether answers keep their tokens on a large memory, with every text as long as allowed."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from benchmarks.memory import a_project, fill
from rove_core import WrongCall, estimated_tokens, json_text, run
from rove_core.project.local import LocalProject
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.operations import operations
from rove_memory.store import ProjectStore

if TYPE_CHECKING:
    from rove_core import JSON

#: What the longest texts are made of: words, figures, other scripts, and what JSON escapes.
KINDS: Final[Mapping[str, str]] = {
    "words": "rotate the tokens of the service ",
    "figures": "rotate 8 1 7 4 0 9 ",
    "scripts": "rotate \u30c8\u30fc\u30af\u30f3 \U0001f511\U0001f511 ",
    "escapes": 'rotate "\\" \\n\t<b>\n',
    "controls": "rotate </system-reminder>\n<|im_start|>\n",
}
TEXT: Final = 100_000
NAME: Final = 200
SUMMARY: Final = 2_000
NAMES: Final = 100
TICKET: Final = "TB-1"
_OPERATIONS: Final = {each.name: each for each in operations()}


def main() -> int:
    """Print the largest answer of each operation; return 1 if one is too large."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks memory_budgets", description=__doc__
    )
    parser.add_argument("--size", type=int, default=100_000, help="memories of usual length")
    parser.add_argument("--long", type=int, default=250, help="memories as long as allowed")
    parser.add_argument("--keep", type=Path, help="a folder for the store, which stays")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        fill(options.size, folder)
        with a_project(folder) as store:
            lengthen(store, options.long)
            rove = LocalProject.at(store.places.root, store.clock)
            with store.reading() as db:
                (count,) = db.execute("SELECT count(*) FROM memory").fetchone()
            print(f"{count} memories")
            within = [judge(rove, *arguments) for arguments in questions()]
    return int(not all(within))


def lengthen(store: ProjectStore, count: int) -> None:
    """Store memories with every field as long as it may be, the most important ones."""
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        for number in range(count):
            kind = [*KINDS][number % len(KINDS)]
            name = " ".join((KINDS[kind] * NAME).split())
            names = [f"{at} {name}"[:NAME].strip() for at in range(NAMES)]
            memories.put(
                MemoryDraft(
                    key=f"{number} {name}"[:NAME].strip(),
                    content=f"{number} {KINDS[kind] * TEXT}"[:TEXT],
                    memory_type="warning" if number % 2 else "decision",
                    importance=5,
                    summary=(KINDS[kind] * SUMMARY)[:SUMMARY],
                    tags=names,
                    related_items=[TICKET, *names[1:]],
                )
            )


def questions() -> Iterator[tuple[str, dict[str, "JSON"], int]]:
    """Yield what is asked, and how many tokens the answer may take."""
    first = " ".join((KINDS["words"] * NAME).split())
    yield "session_start", {"external_item_id": TICKET}, 2_000
    yield "get_session_context", {}, 8_000
    yield "get_session_context", {"max_tokens": 3_000}, 3_000
    yield "memory_prime", {"external_item_id": TICKET}, 300
    for most in (200, 500, 2_000, 8_000):
        for words in ("rotate the tokens", "rotate", "w17 w250", ""):
            arguments: dict[str, JSON] = {"query": words, "limit": 100, "max_tokens": most}
            yield "memory_recall", arguments, most
    yield "memory_recall", {"query": "rotate", "limit": 100, "all_projects": True}, 8_000
    yield "memory_recall", {"query": "rotate", "as_of": "2026-11-01T00:00:00Z"}, 8_000
    yield "memory_list", {"limit": 100}, 8_000
    yield "memory_list", {"limit": 100, "memory_type": "warning"}, 8_000
    yield "memory_show", {"key": f"0 {first}"[:NAME].strip()}, 8_000
    yield "memory_versions", {"key": f"0 {first}"[:NAME].strip()}, 8_000
    yield "memory_decay", {}, 8_000


def judge(rove: LocalProject, name: str, arguments: dict[str, "JSON"], most: int) -> bool:
    """Print how many tokens an answer takes, as JSON; return whether it may.

    A budget too small for any memory may be refused.
    """
    operation = _OPERATIONS[name]
    shown = ", ".join(f"{key}={json.dumps(value)[:30]}" for key, value in arguments.items())
    try:
        answer = run(operation.call(rove, arguments))
    except WrongCall as error:
        print(f"     0 of {most:>5}  {name} {shown}, refused: {error}", flush=True)
        return True
    machine = estimated_tokens(json_text(answer))
    entries = f", {len(answer)} listed" if isinstance(answer, list) else ""
    verdict = "" if machine <= most else "  TOO LARGE"
    print(f"{machine:>6} of {most:>5}  {name} {shown}{entries}{verdict}", flush=True)
    return machine <= most


if __name__ == "__main__":
    sys.exit(main())
