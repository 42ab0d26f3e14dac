"""Text search by words and phrases, as Lucene does.

Words are not brought to their stems: a search for ``tokens`` does not find ``token``.
"""

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from typing import TypeAlias

from rove_sim.jira.jql_tokens import JqlError

Test: TypeAlias = Callable[[Sequence[str]], bool]

_WORD = re.compile(r"\w+(?:['.\u2019]\w+)*")
_STOP = frozenset(
    """a an and are as at be but by for if in into is it no not of on or such that the their then
    there these they this to was will with""".split()  # noqa: SIM905  # a list would hide the words
)
_PIECE = re.compile(
    r"""\s*(?:
      (?P<sign>[+-])?(?:
        "(?P<phrase>(?:\\.|[^"\\])*)"(?:~\d+)?
      | (?P<term>(?:\\.|[^\s"\\()\[\]{}^:!&|~])+)(?:~[\d.]*)?
      )
    )""",
    re.VERBOSE | re.DOTALL,
)


def words(text: str) -> list[str]:
    """Return the words to compare, in lower case and without stop words."""
    found = (word.lower().replace("\u2019", "'").removesuffix("'s") for word in _WORD.findall(text))
    return [word for word in found if word not in _STOP]


def matching(query: str, field: str) -> Test:
    """Return the test whether a text's words match, or raise :class:`JqlError`."""
    alternatives: list[list[Test]] = [[]]
    negated = joining = False
    for match in _pieces(query, field):
        bare = match["term"]
        if bare in ("OR", "AND", "NOT") and not match["sign"]:
            negated = bare == "NOT"
            joining = bare == "OR"
            continue
        test = _test(match, field)
        if joining:
            alternatives.append([])
        alternatives[-1].append(_not(test) if negated or match["sign"] == "-" else test)
        negated = joining = False
    return lambda said: any(all(test(said) for test in tests) for tests in alternatives)


def _pieces(query: str, field: str) -> Sequence[re.Match[str]]:
    found, at = [], 0
    while query[at:].strip():
        match = _PIECE.match(query, at)
        if match is None:
            raise JqlError(f"Unable to parse the text '{query}' for field '{field}'.")
        found.append(match)
        at = match.end()
    if not found:
        raise JqlError(f"The field '{field}' does not support searching for an empty string.")
    return found


def _test(match: re.Match[str], field: str) -> Test:
    term = match["term"]
    if term is None:
        return _phrase(words(_unescaped(match["phrase"])))
    if term[0] in "*?":
        raise JqlError(
            f"The text query '{term}' for field '{field}' is not allowed to start with character "
            f"'{term[0]}'."
        )
    if re.search(r"(?<!\\)[*?]", term):
        pattern = re.compile(translate(_unescaped(term).lower()))
        return lambda said: any(pattern.match(word) for word in said)
    return _phrase(words(_unescaped(term)))


def _phrase(phrase: Sequence[str]) -> Test:
    length = len(phrase)

    def test(words: Sequence[str]) -> bool:
        starts = range(len(words) - length + 1)
        return any(list(words[at : at + length]) == phrase for at in starts)

    # A phrase of nothing but stop words says nothing, and so excludes nothing.
    return test if phrase else lambda _: True


def _not(test: Test) -> Test:
    return lambda said: not test(said)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
