"""Passwords in prose, in many languages: "the password is ...", "PW: ..."."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, NamedTuple, Self, TypeAlias

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets import spoken_patterns as patterns
from rove_core.safety.secrets.checks import (
    is_given_password,
    is_password_value,
    is_spoken_password,
)
from rove_core.safety.secrets.corrected_passwords import (
    NOT,
    NOT_BEHIND,
    corrected,
    corrected_around,
)
from rove_core.safety.secrets.phrases import passphrases
from rove_core.safety.secrets.spoken_words import (
    ENTERS,
    PAIRS,
    PAIRS_BEYOND_ASCII,
    SLASHES,
    WEAK_WORDS,
    WORDS,
    WORDS_BEYOND_ASCII,
)
from rove_core.safety.secrets.table_values import values_of
from rove_core.safety.secrets.telling_passwords import is_likely, is_telling

_Find: TypeAlias = Callable[[str, int, int], Iterator[tuple[int, int]]]
_Check: TypeAlias = Callable[[str], bool]

#: Words that are part of longer ones in German and Dutch.
_COMPOUNDS: Final = ("passw", "kennwort", "wachtwoord")
#: Users that hardly anything else is called.
_COMMON_USERS: Final = frozenset(
    {
        *("admin", "administrator", "root", "sa", "postgres"),
        *("test", "demo", "guest", "deploy", "ci", "qa", "support", "ops", "info"),
    }
)
_NEAR: Final = 110
#: What ends a sentence or a quote, and hardly ever a password.
_ENDS: Final = ".,;:()]}>*\"'`。、，"
_OPENS: Final = frozenset("\"'`(«»“„「『*|")
_CLOSES: Final = frozenset("\"'`)«»“”」』*|")
#: What a line of a table without bars has in it.
_CELLS: Final = lazy_pattern(r"[;,\t|]\S")
#: What follows a value in a connection string, or an element of XML.
_NEXT_SETTING: Final = lazy_pattern(
    r";[A-Za-z][\w.-]*=|</?[a-zA-Z]|&(?:amp;)?[a-zA-Z]\w*=|[\"'`][,)}\]/>;]"
)
#: Longer than most prefixes of issues.
_SHOUTED: Final = lazy_pattern(r"[A-Z]{5,12}[-_]\d{3,6}")
#: What joins letters and digits of base64, and how many before a word prove that it is no word.
_OF_BASE64: Final = frozenset("/+")
_RUN: Final = 24
_LONGEST_BEFORE: Final = 90
_LONGEST_NAME: Final = 42
_MOST_VERBS: Final = 3
#: From here on words are written without spaces between them.
_FIRST_ASIAN: Final = "\u2e80"
#: No letter of a script that separates words follows. A range that ends where Asian scripts begin
#: is compiled in a tenth of the time of one that begins there.
_WORD_END: Final = r"(?!(?![^\x00-\u2e7f])\w)"


#: In Hebrew and Arabic articles and prepositions are written together with their word.
_FIRST_SEMITIC: Final = "\u0590"
_LAST_SEMITIC: Final = "\u06ff"


class SpokenPasswords:
    """Finds passwords in sentences.

    Args:
        words: Words for a password: a text that each has in it, and the rest of the word.
        weak: The same for words that say something else, too.
        pairs: The same for what comes before a name and a password.
        enters: The same for what somebody does who enters with a password.
        slashes: The same for what separates a user's name from a password.
        denials: The same for what comes before a wrong password that is corrected.
        denials_behind: The same for what comes between a wrong password and the right one.
    """

    def __init__(  # noqa: PLR0913  # one mapping for each kind of word
        self,
        words: Mapping[str, str] = {**WORDS, **WORDS_BEYOND_ASCII},
        weak: Mapping[str, str] = WEAK_WORDS,
        pairs: Mapping[str, str] = {**PAIRS, **PAIRS_BEYOND_ASCII},
        *,
        enters: Mapping[str, str] = ENTERS,
        slashes: Mapping[str, str] = SLASHES,
        denials: Mapping[str, str] = NOT,
        denials_behind: Mapping[str, str] = NOT_BEHIND,
    ) -> None:
        self._cues: dict[str, list[_PasswordWord]] = {}
        kinds = (
            (words, _password_in_sentence),
            (weak, _password_after_mark),
            (pairs, _pair),
            (enters, _entered),
            (slashes, _slashed),
            (denials, corrected),
            (denials_behind, corrected_around),
        )
        for words_of_kind, find in kinds:
            for stem, rest in words_of_kind.items():
                self._cues.setdefault(stem, []).append(_PasswordWord.of(stem, rest, find))
        #: The first word of each stem, by which texts that have it are known.
        self._ascii = {stem: (stem.split() or [""])[0] for stem in self._cues if stem[0].isascii()}
        # The longest first, because one begins like another.
        others = sorted(self._cues.keys() - self._ascii.keys(), key=len, reverse=True)
        self._others = lazy_pattern("|".join(map(re.escape, others)) or "(?!)")

    @property
    def signs(self) -> Collection[str]:
        """What is in each text with one of the words in ASCII."""
        return set(self._ascii.values())

    def search(
        self, text: str, lower: str, signs: Collection[str]
    ) -> Iterator[tuple[str, int, int]]:
        """Yield the kind, the start and the end of each password.

        Args:
            text: The text.
            lower: The text in lower case, every character where it was.
            signs: Those of the ``signs`` that the text has.
        """
        for stem, place in self._places(lower, signs):
            for cue in self._cues[stem] if _begins_word(lower, place) else ():
                if word := cue.word.match(lower, place):
                    yield from (("password", *span) for span in cue.find(text, place, word.end()))

    def _places(self, lower: str, signs: Collection[str]) -> Iterator[tuple[str, int]]:
        for stem in (stem for stem, sign in self._ascii.items() if sign in signs):
            place = lower.find(stem)
            while place >= 0:
                yield stem, place
                place = lower.find(stem, place + len(stem))
        if not lower.isascii():
            yield from ((found[0], found.start()) for found in self._others.finditer(lower))


class _PasswordWord(NamedTuple):
    """A word for a password.

    Attributes:
        word: The whole word.
        find: What finds the password beside it.
    """

    word: re.Pattern[str]
    find: _Find

    @classmethod
    def of(cls, stem: str, rest: str, find: _Find) -> Self:
        """Return the cue that has a stem in it, and a rest behind that."""
        end = "" if _is_asian(stem[0]) or stem[-1] == " " else _WORD_END
        return cls(lazy_pattern(f"{re.escape(stem)}(?:{rest}){end}"), find)


def _begins_word(lower: str, place: int) -> bool:
    """Return whether a place is the start of a word."""
    if lower.startswith("[secret:", max(0, place - 8)):
        return False
    before = lower[place - 1 : place]
    if before in _OF_BASE64 and patterns.BASE64.search(lower, max(0, place - _RUN), place):
        return False
    if not before.isalnum() or lower[place] == " " or _is_asian(before) or _is_asian(lower[place]):
        return True
    return lower.startswith(_COMPOUNDS, place) or _FIRST_SEMITIC <= before <= _LAST_SEMITIC


def _is_asian(character: str) -> bool:
    return character >= _FIRST_ASIAN


def _password_in_sentence(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password that is given to a word: in its sentence, its table or the next line."""
    yield from _tabled(text, place, end)
    if text[place - 1 : place] in {"/", "\N{FULLWIDTH SOLIDUS}"}:
        yield from filter(
            None, [_password_span(patterns.PAIR.match(text, end), check=is_password_value)]
        )
        return
    before = max(0, place - _LONGEST_BEFORE)
    tried = (
        _assigned_password(text, end),
        _password_span(patterns.CHANGED.match(text, end)),
        _behind(text, place, end),
        _password_span(patterns.BEFORE.search(text, before, place), check=_is_last),
        _password_span(patterns.NAMED_BEHIND.search(text, before, place), check=_is_last),
        _password_span(patterns.COMPARED.search(text, before, place), check=is_password_value),
        _password_span(patterns.AFTER.match(text, end), check=_is_random),
        _password_span(patterns.IN_BRACKETS.match(text, end)),
        _password_span(patterns.ANSWER.match(text, end), check=is_password_value),
        _password_span(patterns.VERB_BEHIND.match(text, end), check=_is_last),
        _password_span(patterns.ADJOINED.match(text, end), check=is_password_value),
    )
    yield from filter(None, tried[:1] if tried[0] else tried)
    yield from passphrases(text, place, end)
    if not tried[0]:
        yield from _telling_nearby(text, place, end)


def _telling_nearby(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what in the line around a word can hardly be anything but a password."""
    first = max(
        text.rfind("\n", max(0, place - _LONGEST_BEFORE), place) + 1, place - _LONGEST_BEFORE
    )
    last = text.find("\n", end, end + _NEAR)
    for found in patterns.TOKENS.finditer(text, max(0, first), last if last >= 0 else end + _NEAR):
        is_bold = text[found.start("bare") - 1] == "*"
        value = _without_next(found["bare"]).rstrip(_ENDS if is_bold else _ENDS.replace("*", ""))
        is_quoted = _is_quoted(text, found.start("bare"), value)
        if is_telling(value) or (is_quoted and is_likely(value)):
            start = found.start("bare")
            yield start, start + len(value)


def _is_quoted(text: str, start: int, value: str) -> bool:
    """Return whether a value stands in quotes or brackets."""
    end = start + len(value)
    return text[start - 1 : start] in _OPENS and text[end : end + 1] in _CLOSES


def _is_direct(found: re.Match[str]) -> bool:
    """Return whether a value is given to the word itself, and its clause ends with it."""
    return _ends_clause(found) and bool(patterns.PURPOSE.fullmatch(found["between"]))


def _ends_clause(found: re.Match[str]) -> bool:
    """Return whether a sentence or a clause ends with a matched value."""
    end = found.end("bare") if found["bare"] else found.end("quoted")
    return bool(patterns.CLAUSE_END.match(found.string, end)) or found.string[end - 1] in _ENDS


def _behind(text: str, place: int, end: int) -> tuple[int, int] | None:
    """Return the span of a password directly after a word or on the next line."""
    if not (found := patterns.NEXT.match(text, end)):
        return None
    is_line = "\n" not in text[end : found.start("bare")]
    if not is_line and _CELLS.search(found["bare"] or ""):
        return None
    if is_line and patterns.USER.search(text, max(0, place - _LONGEST_BEFORE), place):
        return _password_span(found, check=is_given_password)
    return _password_span(found, check=_is_last if is_line and _ends_clause(found) else _is_any)


def _assigned_password(text: str, end: int) -> tuple[int, int] | None:
    """Return the span of the password that a sentence assigns to a word, if any."""
    for _ in range(_MOST_VERBS):
        found = patterns.GIVEN.match(text, end)
        if not found:
            return None
        check = is_given_password if _is_direct(found) else is_password_value
        if span := _password_span(found, check=check):
            return span
        # "It was rotated, it is X": the first verb does not tell.
        end = found.end()
    return None


def _password_after_mark(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password right behind a word and a mark, in its table, or behind a user's name."""
    yield from _tabled(text, place, end)
    found = _password_span(patterns.MARKED.match(text, end), check=is_password_value)
    found = found or _purposed(text, end)
    before = max(0, place - _LONGEST_BEFORE)
    if not found and patterns.USER.search(text, before, place):
        found = _password_span(patterns.NEXT.match(text, end))
    found = found or _password_span(patterns.NEXT.match(text, end), check=_is_random)
    if not found and patterns.ARTICLE.search(text, before, place):
        found = _password_span(patterns.ANSWER.match(text, end), check=is_password_value)
        yield from _telling_nearby(text, place, end)
    yield from filter(None, [found])


def _purposed(text: str, end: int) -> tuple[int, int] | None:
    """Return the span of the password that a sentence assigns to a word and what it is for."""
    if not (found := patterns.FOR.match(text, end)):
        return None
    return _password_span(found, check=is_given_password if _ends_clause(found) else _is_any)


def _pair(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password behind a name and a slash."""
    yield from _tabled(text, place, end, is_sure=False)
    found = patterns.PAIR.match(text, end)
    before = patterns.JOINED_BEFORE.search(text, max(0, place - _LONGEST_BEFORE), place)
    yield from filter(None, [_password_span(before, check=is_password_value)])
    is_sure = found is not None and found["user"].lower() in _COMMON_USERS
    yield from filter(
        None, [_password_span(found, check=is_password_value if is_sure else _is_any)]
    )


def _slashed(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password behind a user's name and a slash, with no word for either."""
    user = patterns.NAME_BEFORE.search(text, max(0, place - _LONGEST_NAME), place)
    found = user and patterns.VALUE_BEHIND.match(text, end)
    if not user or not found:
        return
    value = _without_next(found["bare"]).rstrip(_ENDS)
    is_common = user["user"].lower() in _COMMON_USERS
    if text[place + 1] == "+" and not is_common:
        return
    if is_telling(value) or is_likely(value) or (is_common and is_password_value(value)):
        yield found.start("bare"), found.start("bare") + len(value)


def _entered(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password that somebody enters with."""
    before = max(0, place - _LONGEST_BEFORE)
    tried = (
        patterns.ENTERED.match(text, end),
        patterns.USED.search(text, before, place),
        patterns.ENTERED_BEFORE.search(text, before, place),
    )
    for found in tried:
        is_common = found is not None and (found.groupdict().get("user") or "").lower() in (
            _COMMON_USERS
        )
        check = _is_last if is_common else _is_shouted
        yield from filter(None, [_password_span(found, check=check)])
    yield from _telling_nearby(text, place, end)


def _tabled(text: str, place: int, end: int, *, is_sure: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the passwords beside or below a word in a table."""
    for start, stop in values_of(text, place, end):
        if is_spoken_password(text[start:stop], is_sure=is_sure):
            yield start, stop


def _without_next(value: str) -> str:
    """Return a value without the setting that stands right behind it."""
    return _NEXT_SETTING.split(value, maxsplit=1)[0]


def _is_any(value: str) -> bool:
    """Return whether a value may be a password beside a word for passwords."""
    return is_spoken_password(value, is_sure=False)


def _is_shouted(value: str) -> bool:
    """Return whether a value may be a password, or is a long word in capitals and a number."""
    return _is_any(value) or bool(_SHOUTED.fullmatch(value))


def _is_random(value: str) -> bool:
    """Return whether a value is a password rather than a name."""
    return _is_any(value) and is_likely(value)


def _is_last(value: str) -> bool:
    """Return whether a value may be a password where nothing but it ends the clause."""
    return _is_shouted(value) or (is_password_value(value) and sum(map(str.isdigit, value)) > 2)


def _password_span(found: re.Match[str] | None, check: _Check = _is_any) -> tuple[int, int] | None:
    """Return the span of the matched password; None if it is an ordinary word.

    Args:
        found: What was matched.
        check: What the password must pass.
    """
    if not found:
        return None
    group = "bare" if found["bare"] else "quoted"
    value = found[group] if group == "quoted" else _without_next(found[group]).rstrip(_ENDS)
    if not check(value):
        return None
    start = found.start(group)
    return start, start + len(value)
