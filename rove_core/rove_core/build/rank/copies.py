"""Find copies: repeated, quoted, forwarded or slightly changed texts.

Similarity alone never merges two texts. They say different things if a number, version, id or date
differs, if only one has a word like *not*, *off* or *revert*, if the same words stand in another
order, or if one has a new distinctive word.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from zlib import crc32

from attrs import evolve, field, frozen

from rove_core.build.rank.words import stem

#: The share of runs of three words that two long texts must have in common.
_ALIKE: Final = 0.6
#: How much longer than a text the passage may be that contains its words.
_STRETCH: Final = 1.6
#: How many words before and after a passage may reverse its meaning.
_AROUND: Final = 4
_FEWEST: Final = 3
_LONG: Final = 25
#: The share of distinctive words that one of two long texts may have more than the other.
_MORE: Final = 0.08
#: How many runs of words are indexed per text, because similar texts may differ in a single one.
_SKETCH: Final = 8
#: Words in more texts than this do not show which texts are similar.
_MOST_PLACES: Final = 60

_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_QUOTED: Final = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_TRAILER: Final = re.compile(
    r"^[ \t]*(?:[a-z]+(?:-[a-z]+)*-(?:by|id)[ \t]*:|\(?cherry[ -]picked from|git-svn-id:).*$",
    re.MULTILINE | re.IGNORECASE,
)
#: A ticket or pull request that labels a line, at its beginning or its end.
_LABEL: Final = re.compile(
    r"\A\W*(?:(?:[A-Z][A-Z0-9]+-\d+|#\d+)\W+)+|\s\((?:[A-Z][A-Z0-9]+-|#)\d+\)\s*(?:$|\Z)",
    re.MULTILINE,
)
_FORWARDED: Final = re.compile(r"^\W*(?:(?:fwd?|re)\s*:\s*)+", re.IGNORECASE)
_TOKEN: Final = re.compile(r"/?\w+(?:[.,:/#'’@]\w+)*/?|\?(?!\w)")  # noqa: RUF001  # people type both apostrophes
_NUMBER: Final = re.compile("[0-9]+")
_TICKED: Final = re.compile(r"\[x\]", re.IGNORECASE)
_NUMBERS: Final = {
    **{
        word: str(number)
        for number, word in enumerate(
            "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905  # a list of quotes hides the words
        )
        if number > 1
    },
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
    "hundred": "100",
}
_NEGATIONS: Final = frozenset(
    "no not never none neither nor nobody nothing cannot without".split()  # noqa: SIM905  # a list of quotes hides the words
)
#: One of these more or less may reverse the meaning.
_POLAR: Final = frozenset(
    """
    instead off out down up back again anymore longer before after until first last more less only
    except unless however still already against former old new ticked ?
    """.split()  # noqa: SIM905  # a list of quotes hides the words
)
_REVERTS: Final = re.compile(r"revert|undo|undid|roll(?:ed|ing|s)?back|reopen|unmerg|disabl|remov")
#: Function words: one more or less changes nothing.
_LINKING: Final = frozenset(
    """
    a an the is are was were be been being am and or of for with as at it its this that these those
    there here i we you he she they our your my their his her us me them will would shall should can
    could may might do does did done has have had having so then also just please now too very
    which who whom whose what when where how if because into over under per via about let in on to
    by from but yet oh ok okay well yes
    """.split()  # noqa: SIM905  # a list of quotes hides the words
)


@frozen
class _ComparedText:
    """A text in comparable form.

    Attributes:
        labels: The numbers of the tickets and pull requests that label it.
        plain: All its other words, in lower case.
        words: The stems of its meaningful words, in order.
        word_set: The same stems, without order.
        guarded: The stems that change the meaning: numbers, ids, negations.
    """

    labels: frozenset[str]
    plain: tuple[str, ...]
    words: tuple[str, ...]
    word_set: frozenset[str] = field(init=False)
    guarded: frozenset[str] = field(init=False)

    @word_set.default
    def _make_word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @guarded.default
    def _guard_words(self) -> frozenset[str]:
        return frozenset(filter(_is_guarded, self.word_set))


def same_as(texts: Sequence[str]) -> list[int | None]:
    """Return for each text the position of an earlier one that says the same, or None."""
    forms = [_compared_text(text) for text in texts]
    places = _Places(forms)
    exact: dict[tuple[frozenset[str], tuple[str, ...]], int] = {}
    found: list[int | None] = []
    for at, one in enumerate(forms):
        first = exact.setdefault((one.labels, one.plain), at) if one.plain else at
        if first < at:
            same = first if found[first] is None else found[first]
        else:
            same = next((n for n in places.near(one) if _contains(forms[n], one)), None)
        found.append(same)
        if same is None:
            places.add(one, at)
        elif one.labels:
            # Another text with another label is the same as neither of the two.
            forms[same] = evolve(forms[same], labels=one.labels)
    return found


def may_be_same(earlier: str, later: str) -> bool:
    """Return whether two texts agree in their numbers and negations, whatever else they say.

    Only then is a model's judgement that they say the same accepted.
    """
    one, other = _compared_text(earlier), _compared_text(later)
    return one.guarded == other.guarded and one.labels == other.labels


class _Places:
    """Index for finding copies: by rarest word and by word runs."""

    def __init__(self, texts: Sequence[_ComparedText]) -> None:
        self._texts: dict[str, int] = defaultdict(int)
        for one in texts:
            for word in one.word_set:
                self._texts[word] += 1
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_run: dict[int, list[int]] = defaultdict(list)

    def add(self, one: _ComparedText, at: int) -> None:
        for word in one.word_set:
            self._by_word[word].append(at)
        for run in _sketch(one):
            self._by_run[run].append(at)

    def near(self, one: _ComparedText) -> Iterator[int]:
        """Yield the earlier texts that may say the same, each once."""
        if len(one.words) < _FEWEST:
            return
        rarest = min(one.word_set, key=lambda word: (self._texts[word], word))
        lists = [self._by_word.get(rarest, ())]
        lists += [self._by_run.get(run, ()) for run in _sketch(one)]
        yield from dict.fromkeys(at for places in lists for at in places[:_MOST_PLACES])


@lru_cache(maxsize=2048)
def _compared_text(text: str) -> _ComparedText:
    """Return a text in comparable form, cached: a build compares the same texts several times."""
    own = _QUOTED.sub(" ", text)
    # A text that is nothing but a quotation says what it quotes itself.
    body = own if re.search(r"\w", own) else text
    body = _FORWARDED.sub("", _TRAILER.sub(" ", _LINK.sub(r"\1", body)))
    labels = frozenset(_NUMBER.findall(" ".join(_LABEL.findall(body))))
    bare = _TICKED.sub(" ticked ", _LABEL.sub(" ", body) if labels else body).lower()
    tokens = _TOKEN.findall(bare.replace("*", "").replace("_", " ").replace("~~", ""))
    plain = tuple(map(_plain_token, tokens))
    return _ComparedText(labels, plain, tuple(stem(word) for word in plain if word not in _LINKING))


@lru_cache(maxsize=65_536)
def _plain_token(token: str) -> str:
    word = token.replace("’", "'")  # noqa: RUF001  # people type both apostrophes
    if word in _NEGATIONS or word.endswith("n't"):
        return "not"
    return _NUMBERS.get(word, word.partition("'")[0])


@lru_cache(maxsize=65_536)
def _is_guarded(word: str) -> bool:
    return (
        word == "not" or word in _POLAR or any(map(str.isdigit, word)) or bool(_REVERTS.match(word))
    )


def _contains(earlier: _ComparedText, later: _ComparedText) -> bool:
    """Return whether an earlier text says all that a later one says."""
    if earlier.labels and later.labels and earlier.labels != later.labels:
        return False
    if later.word_set <= earlier.word_set and _stands_in(earlier.words, later):
        return True
    return min(len(earlier.words), len(later.words)) >= _LONG and _nearly(earlier, later)


def _stands_in(words: Sequence[str], later: _ComparedText) -> bool:
    """Return whether a text's words occur among others, in order and close together.

    No additional number or negation may stand between or beside them.
    """
    room = int(len(later.words) * _STRETCH)
    for start, word in enumerate(words):
        if word == later.words[0] and (end := _end(words, later.words, start, start + room)):
            around = words[max(0, start - _AROUND) : end + _AROUND]
            return sorted(filter(_is_guarded, around)) == sorted(filter(_is_guarded, later.words))
    return False


def _end(words: Sequence[str], phrase: Sequence[str], start: int, most: int) -> int:
    """Return the position after a phrase whose words occur in order; 0 if they do not."""
    at = start
    for word in phrase:
        while at < min(most, len(words)) and words[at] != word:
            at += 1
        if at >= min(most, len(words)):
            return 0
        at += 1
    return at


def _nearly(one: _ComparedText, other: _ComparedText) -> bool:
    """Return whether one long text has hardly more words than another, and none replaced."""
    if one.guarded != other.guarded:  # Quick, and the most frequent difference.
        return False
    if one.word_set - other.word_set and other.word_set - one.word_set:
        return False
    if len(one.word_set ^ other.word_set) > _MORE * len(one.word_set | other.word_set):
        return False
    runs, others = _runs(one.words), _runs(other.words)
    return len(runs & others) >= _ALIKE * len(runs | others)


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], strict=False))


def _sketch(one: _ComparedText) -> list[int]:
    """Return the smallest hashes of a long text's runs: similar texts share one of them."""
    if len(one.words) < _LONG:
        return []
    return sorted(crc32(" ".join(run).encode()) for run in _runs(one.words))[:_SKETCH]
