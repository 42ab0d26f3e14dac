"""semble, as the outside evaluation asks any system: a program that reads and writes JSON lines.

Run it with a Python that has semble 0.7, and give it a folder of vectors as model2vec writes them.
It needs nothing of Rove.
"""

import importlib
import json
import logging
import resource
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

#: More than fit into any budget that is asked for.
_RESULTS: Final = 100
#: Less room than this is none.
_LEAST: Final = 40
_log = logging.getLogger(__name__)


class Searcher:
    """Searches one repository after the other."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._semble = importlib.import_module("semble")
        self._cache = importlib.import_module("semble.cache")
        self._index: Any = None

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a line asks for."""
        if asked["op"] == "query":
            found = self._index.search(asked["text"], top_k=_RESULTS)
            text, spans = filled(found, asked["budget"])
            return {"text": text, "spans": spans}
        self._index = None
        self._index = self._semble.SembleIndex.from_path(asked["root"], model_path=self._model)
        self._cache.save_index_to_cache(self._index, asked["root"])
        return {"ok": True}


def filled(results: Iterable[Any], budget: int) -> tuple[str, list[tuple[str, int, int]]]:
    """Return results in their order until the budget is full, and which lines they are."""
    parts: list[str] = []
    spans: list[tuple[str, int, int]] = []
    for chunk in (each.chunk for each in results):
        head = f"## {chunk.file_path}:{chunk.start_line}-{chunk.end_line}\n"
        room = budget - sum(map(len, parts)) - len(head)
        lines = chunk.content.split("\n")
        fit_lines = list(_fitting(lines, room))
        if room >= _LEAST and fit_lines:
            parts += (head, *fit_lines)
            spans.append((chunk.file_path, chunk.start_line, chunk.start_line + len(fit_lines) - 1))
        if room < _LEAST or len(fit_lines) < len(lines):
            break
    return "".join(parts), spans


def _fitting(lines: Iterable[str], room: int) -> Iterable[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield f"{line}\n"


def _cost() -> dict[str, float]:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu": own.ru_utime + own.ru_stime, "rss_mb": own.ru_maxrss / 1024}


def main() -> None:
    """Answer line after line; what fails there is an empty answer."""
    searcher = Searcher(str(Path(sys.argv[1]).resolve()))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = searcher.answer(request)
        except Exception:  # noqa: BLE001  # whatever it is, the next line is answered
            _log.exception("semble fails")
            answer = {"ok": False} if request["op"] == "index" else {"text": "", "spans": []}
        sys.stdout.write(json.dumps(answer | _cost()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
