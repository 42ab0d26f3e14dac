"""Identifiers, files and traceback locations named in a question."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.question_terms import STOP, QuestionTerms
from rove_code.ranking.words import TOKEN, exact, parts

_QUOTED: Final = re.compile(r"``?([^`\n]{2,80})``?|\"([\w.:#]{3,80})\"|'([\w.:#]{3,80})'")
_CALLED: Final = re.compile(r"\b([^\W\d]\w*)\(")
#: It begins where a run of its characters does, so that a long run is read once.
_FILE: Final = re.compile(r"(?<![\w.@+\-/\\])[\w.@+\-/\\]*[\w\-]\.[A-Za-z]\w{0,5}\b")
_MODULE: Final = re.compile(r"\b[A-Za-z_]\w*(?:(?:\.|::|/)[A-Za-z_]\w*)+")
#: The forms of a place in a traceback: Python; Java, Kotlin, Scala; C#; JavaScript; Go, Rust.
_FRAMES: Final = (
    re.compile(r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<name>[\w.<>]+))?'),
    re.compile(r"\bat (?P<name>[\w.$<>/]+)\((?P<path>[\w$]+\.\w+):(?P<line>\d+)\)"),
    re.compile(
        r"\bat (?P<name>[\w.<>`\[\]]+)\([^)\n]{0,500}\) in "
        r"(?P<path>[^:\n]{0,500}[\w.]):line (?P<line>\d+)"
    ),
    re.compile(
        r"\bat (?:(?:async |new )?(?P<name>[\w.$<>]+) (?:\[[^\]]{0,200}\] )?\()?"
        r"(?P<path>[^\s():]+\.\w+):(?P<line>\d+):\d+"
    ),
    re.compile(r"(?<![\w./\-@])(?P<path>[\w./\-@]+\.(?:go|rs|c|cc|cpp|h)):(?P<line>\d+)(?P<name>)"),
)
#: A word that anybody might use says less than one that only code has.
_PLAIN: Final = 0.35
#: How sure it is that something is meant which was named only earlier.
_EARLIER: Final = 0.3
#: A name that more things have than this is none of them.
_SHARED: Final = 20
#: So many files, and so many frames, of a question are looked for.
_NAMED: Final = 200


@frozen
class Frame:
    """A place in a traceback: a file as its machine calls it, a line, what ran there."""

    path: str
    line: int
    name: str


def frames(text: str) -> tuple[Frame, ...]:
    """Return the places of the tracebacks in a text, in its order."""
    found: dict[tuple[str, str], tuple[int, Frame]] = {}
    for pattern in _FRAMES:
        for match in pattern.finditer(text):
            frame = Frame(match["path"], int(match["line"]), match["name"] or "")
            found.setdefault((frame.path, match["line"]), (match.start(), frame))
    return tuple(frame for _, frame in sorted(found.values(), key=lambda each: each[0]))


def names(question: QuestionTerms) -> Mapping[str, float]:
    """Return the names that a question may mean, and how sure that is."""
    earlier = {name: _EARLIER * sure for name, sure in _names(question.earlier).items()}
    return earlier | _names(f"{question.title}\n{question.text}")


def _names(text: str) -> dict[str, float]:
    quoted = {
        token
        for match in _QUOTED.finditer(text)
        for token in TOKEN.findall(next(filter(None, match.groups()), ""))
    }
    called = {match[1] for match in _CALLED.finditer(text)}
    dotted = {token for match in _MODULE.finditer(text) for token in TOKEN.findall(match[0])}
    return {
        token: 1.0
        if token in quoted or token in called or token in dotted or _coded(token)
        else _PLAIN
        for token in TOKEN.findall(text)
        if len(token) > 2 and token.lower() not in STOP
    }


def _coded(token: str) -> bool:
    """Return whether a word is written as only code is: ``a_b``, ``aB``, ``ABc``."""
    return "_" in token.strip("_") or (len(parts(token)) > 1 and not token.isupper())


def declared(corpus: CodeCorpus, question: QuestionTerms) -> Floats:
    """Return how much of what a question names each row declares."""
    by_name = names(question)
    numbers = np.array([exact(name) for name in by_name], "<u4")
    sure = np.array(list(by_name.values()), np.float64)
    which, rows, _ = corpus.find("declared", numbers)
    shared = np.bincount(which, minlength=numbers.size)
    weights = np.where(shared <= _SHARED, sure / np.sqrt(np.maximum(shared, 1)), 0.0)
    return np.minimum(np.bincount(rows, weights[which], corpus.rows), 1.5)


def mentioned_files(corpus: CodeCorpus, question: QuestionTerms) -> Floats:
    """Return how strongly a question mentions each file, by path or module name."""
    found = np.zeros(len(corpus.files))
    for text, sure in ((question.text, 1.0), (question.earlier, _EARLIER)):
        for written in _written(_FILE, text):
            _mean(found, corpus.places.meant(written), sure)
        for written in _written(_MODULE, text):
            _mean(found, _modules(corpus, re.split(r"\.|::|/", written)), 0.6 * sure)
    return found


def framed(corpus: CodeCorpus, question: QuestionTerms) -> Floats:
    """Return how much each entry is where a traceback says that something happened."""
    found = np.zeros(corpus.entries[0].size)
    for number, frame in enumerate(_inmost_first(question)):
        for file in corpus.places.meant(frame.path)[:_SHARED]:
            found[_entry(corpus, file, frame)] += 1.0 / (1 + number)
    return found


def _modules(corpus: CodeCorpus, names: list[str]) -> Sequence[int]:
    """Return the files of a dotted name, which may go on with what such a file declares."""
    tails = (names[: len(names) - cut] for cut in range(3))
    found = (corpus.modules.meant("/".join(tail), least=2) for tail in tails)
    return next(filter(None, found), ())


def _written(form: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield the matches of a pattern, each once; none if there are too many."""
    return islice(dict.fromkeys(match[0] for match in form.finditer(text)), _NAMED)


def _mean(found: Floats, files: Sequence[int], sure: float) -> None:
    for file in files[:_SHARED]:
        found[file] = max(found[file], sure / len(files) ** 0.5)


def _inmost_first(query: QuestionTerms) -> Sequence[Frame]:
    """Return frames by distance from the error; Python lists the innermost last."""
    text = query.text if frames(query.text) else query.earlier
    found = frames(text)[:_NAMED]
    last_is_inmost = 'File "' in text
    return found[::-1] if last_is_inmost else found


def _entry(corpus: CodeCorpus, file: int, frame: Frame) -> int:
    """Return the entry of a frame, by its name or line."""
    rows, files, _ = corpus.entries
    first, end = np.searchsorted(files, [file, file + 1])
    name = frame.name.rpartition(".")[2]
    if name:
        _, naming, _ = corpus.find("declared", np.array([exact(name)], "<u4"))
        here = np.flatnonzero(np.isin(rows[first:end], naming))
        if here.size:
            lines = corpus.lines[rows[first + here]].astype(np.int64)
            return int(first + here[np.argmin(np.abs(lines - frame.line))])
    at = int(np.searchsorted(corpus.lines[rows[first:end]], frame.line, side="right"))
    return int(first) + max(at - 1, 0)
