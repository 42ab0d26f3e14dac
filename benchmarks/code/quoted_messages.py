"""Whether code is found by a message that it prints.

String literals are drawn from the syntax trees of a repository's sources. Each is quoted as a
person would who saw it printed: with values put in, among words that are not of the repository.
"""

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from benchmarks.context.tables import show
from rove_code.answer import ChunkShown
from rove_code.answer_text import render
from rove_code.model import CodeQuestion
from rove_code.packing import pack
from rove_code.parsing import language_of
from rove_code.parsing.captures import tree_of
from rove_code.parsing.grammars import grammar_of
from rove_code.ranking.combine import Weights
from rove_code.ranking.paths import Kind, kind_of
from rove_code.ranking.rank import rank
from rove_code.repository_cache import LoadedRepositories, RepositoryCache
from rove_code.store import CodeStore
from rove_code.texts import Texts
from rove_core.clock import SYSTEM

if TYPE_CHECKING:
    import tree_sitter

_SEED: Final = 15
_BUDGETS: Final = (4_000, 10_000)
#: What the grammars of the core languages call string literals.
_STRINGS: Final = frozenset(
    ("string", "string_literal", "template_string", "interpreted_string_literal")
)
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_FEWEST_WORDS: Final = 4
_LONGEST: Final = 200
_QUOTES: Final = re.compile(r"^[a-zA-Z]{0,2}[\"'`]|[\"'`]$")
_VALUE: Final = re.compile(r"\$?\{[^{}]*\}|%[-+#0-9.]*[a-zA-Z]")
_WEIGHTS: Final = {"": Weights(), ", without": evolve(Weights(), quoted=0.0)}
_ASKED: Final = (
    "It stopped again this morning\n\nNobody here touched anything since Friday. All we have is"
    " this, at the very end:\n\n    {message}\n\nDoes anybody have an idea where to look?"
)


@frozen
class Message:
    """A string literal: where it stands, and how it is quoted."""

    path: str
    first: int
    last: int
    quoted: str

    def is_in(self, chunks: Iterable[ChunkShown]) -> bool:
        """Return whether all its lines are shown."""
        spans = [at for chunk in chunks if chunk.path == self.path for at in chunk.spans]
        return any(at.start_line <= self.first and self.last <= at.end_line for at in spans)


def main(arguments: Sequence[str]) -> None:
    """Print how many messages are shown, with and without the signal that is for them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks code quoted", description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path, help="clones, as they are at HEAD")
    parser.add_argument("--most", type=int, default=40, help="how many messages of each")
    options = parser.parse_args(arguments)
    rows = [row for each in options.repositories for row in _rows(each, options.most)]
    columns = [f"shown at {budget:,}, %" for budget in _BUDGETS]
    show(["", "messages", *columns, "first file, MRR"], rows)


def _rows(repository: Path, most: int) -> Iterator[list[str | int]]:
    with tempfile.TemporaryDirectory() as name, CodeStore(Path(name, "code.db")) as store:
        cache = RepositoryCache(store, Path(name, "code"), SYSTEM, most=1)
        repos = cache.renewed(((repository.resolve(), "latest"),), lambda _done, _total: None)
        texts = Texts(repos.repositories, repos.corpus.versions, ())
        drawn = messages(repos, texts, most)
        for suffix, weights in _WEIGHTS.items():
            found = [_found(repos, texts, each, weights) for each in drawn]
            shares = (100 * sum(column) / len(found) for column in zip(*found, strict=True))
            yield [f"{repository}{suffix}", len(drawn), *map("{:.1f}".format, shares)]


def _found(
    repos: LoadedRepositories, texts: Texts, message: Message, weights: Weights
) -> tuple[float, ...]:
    """Return whether a message is shown within each budget, and how early its file is."""
    answers = []
    for budget in _BUDGETS:
        question = CodeQuestion(_ASKED.format(message=message.quoted), budget)
        ranking = rank(repos.corpus, question, weights)
        answer = render(pack(ranking, question, texts.read), ranking, question)
        answers.append(answer.metadata.chunks)
    paths = list(dict.fromkeys(chunk.path for chunk in answers[-1]))
    early = 1 / (1 + paths.index(message.path)) if message.path in paths else 0.0
    return (*(float(message.is_in(chunks)) for chunks in answers), early)


def messages(held: LoadedRepositories, texts: Texts, most: int) -> Sequence[Message]:
    """Draw messages that stand in one place of the sources."""
    (version,) = held.corpus.versions
    found = [
        (text, file.path, *lines)
        for number, file in enumerate(version.files)
        if kind_of(file.path) is Kind.SOURCE
        for text, lines in _literals(texts.read(0, number) or "", file.path)
    ]
    often = Counter(text for text, *_ in found)
    found = sorted(each for each in found if often[each[0]] == 1)
    chance = random.Random(_SEED)  # noqa: S311  # drawn again the same
    chance.shuffle(found)
    return [
        Message(path, first, last, _VALUE.sub(lambda _: f"q{chance.randrange(10_000)}", text))
        for text, path, first, last in found[:most]
    ]


def _literals(text: str, path: str) -> Iterator[tuple[str, tuple[int, int]]]:
    grammar = grammar_of(language_of(path))
    tree = tree_of(text, grammar) if grammar else None
    for node in _strings(tree.root_node) if tree else ():
        literal = _QUOTES.sub("", text[node.start_byte : node.end_byte])
        words = _WORD.findall(_VALUE.sub(" ", literal))
        if len(words) >= _FEWEST_WORDS and len(literal) <= _LONGEST and "\n" not in literal:
            yield literal, (node.start_point[0] + 1, node.end_point[0] + 1)


def _strings(root: "tree_sitter.Node") -> Iterator["tree_sitter.Node"]:
    """Yield string literals that are values, and no statement of their own: those document."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in _STRINGS and node.parent and node.parent.type != "expression_statement":
            yield node
        else:
            waiting.extend(node.children)
