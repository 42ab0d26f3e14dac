"""Passwords in prose, in many languages: "the password is ...", "PW: ..."."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, Self, TypeAlias

from attrs import frozen

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import is_password_value, is_spoken_password
from rove_core.safety.secrets.spoken_words import (
    ADVERBS,
    ENTER,
    ENTERS,
    PAIRS,
    PAIRS_BEYOND_ASCII,
    SLASHES,
    VERBS,
    WEAK_WORDS,
    WORDS,
    WORDS_BEYOND_ASCII,
)
from rove_core.safety.secrets.table_values import values_of
from rove_core.safety.secrets.telling_passwords import is_likely, is_telling

_Find: TypeAlias = Callable[[str, int, int], Iterator[tuple[int, int]]]

#: Words that are part of longer ones in German and Dutch.
_COMPOUNDS: Final = ("passw", "kennwort", "wachtwoord")
#: What says what a password is: a mark, or a verb in one of the languages.
_MARK: Final = (
    r"\s?(?:\*{1,2}|__?|[`\"'][\])]?|</\w{1,8}>|\]|&nbsp;)?\s?"
    r"(?::=|[!=]==?|[:：=→]|[-=]+>|[—–-](?=\s))(?:\*\*|__)?"
)


def _choice(words: str) -> str:
    """Return a pattern of words, without spaces in them."""
    return "|".join(words.split())


_IS: Final = (
    rf"(?:,?\s(?:just )?(?:{_choice(ENTER)})(?:\sin)?(?=\s)"
    rf"|,?(?:\s(?:it|this|that|es|das|cela|ça|on|это|to))?(?:\s(?:{_choice(VERBS)})|['’]s)"
    rf"(?:\s(?:{_choice(ADVERBS)}))?:?(?=\s)"
    rf"|,?\s(?:{_choice(ADVERBS)})(?:\s(?:{_choice(ADVERBS)}|{_choice(VERBS)}))?:?(?=\s))"
)
#: What says what it was changed to.
_TO: Final = (
    r"\s(?:to|auf|en|a|à|ad|in|su|sur|op|para|pra|por|naar|na|на|til|till|ile|sondern|sino|mas"
    r"|ma|maar|ale|а)(?=\s)"
)
_ASIAN: Final = (
    r"[ \t]?[\u2e80-\uffef]{0,12}?"
    r"\s?(?:として|は(?:引き続き|まだ|今も)?|には|が|を|為|为|还是|仍是|是|[改换]成了?|改为|设为|设成"
    r"|输入|用|로|는|은|를|을)\s?"
)
#: What is said of a password between its word and its mark: "(case sensitive)".
_REMARK: Final = r"(?:[ \t]?[(（][^()（）\n]{1,30}[)）])?"
_BETWEEN: Final = r"[\u2e80-\u3001\u3003-\uffef]{0,12}?(?:,?[ \t]+[^\s:：=]{1,48}+){0,8}?"
_VALUE: Final = (
    r"\s{0,8}(?:[-=]{3,}\s+|```\w{0,10}\s+)?(?:[>*-][ \t]+)?<?"
    r"(?:(?P<quote>\*\*|`|\"|'|«[ \u00a0\u202f]?|»|“|„|「|『)"
    r"(?P<quoted>[!-~\u00a1-\u024f]{5,64}?)(?:\*\*|[ \u00a0\u202f]?»|[\"'`”“«」』])"
    r"|(?P<bare>[!-~\u00c0-\u024f]{5,64}))"
)
_GIVEN: Final = lazy_pattern(
    rf"{_REMARK}{_BETWEEN}(?:{_MARK}|{_IS}|{_ASIAN}){_VALUE}", re.IGNORECASE
)
_MARKED: Final = lazy_pattern(rf"(?:{_MARK}|\sis(?:\s(?:now|nu))?:?(?=\s)){_VALUE}", re.IGNORECASE)
#: One behind what it is for: "ww van de server: X".
_FOR: Final = lazy_pattern(
    rf"(?:[ \t](?:van|voor|for|of|on|at|to|para|del?|da|do|di|per|pour|du|dla|für|im|am|для|от)"
    rf"(?:[ \t]+[^\s:：=]{{1,24}}){{1,4}}?)"
    rf"(?:{_MARK}|{_IS}){_VALUE}",
    re.IGNORECASE,
)
_CHANGED: Final = lazy_pattern(rf"{_BETWEEN}{_TO}{_VALUE}", re.IGNORECASE)
#: A password right behind the word, or on the next line.
_NEXT: Final = lazy_pattern(
    rf"(?:\*{{1,2}}|__?|`|</\w{{1,8}}>|[\]?!])?(?:[ \t](?:wi-?fi|wlan|вай-?фай|vpn|zip|pdf))?"
    rf"{_REMARK}(?=[\s「『“]){_VALUE}",
    re.IGNORECASE,
)
#: One at the end of the line, with what it is for between the word and it.
_AFTER: Final = lazy_pattern(
    rf"(?:[ \t]+[^\s:：=]{{1,16}}){{1,4}}?[ \t]{_VALUE}(?=[.,;)]?\s*(?:\n|$))"
)
#: One in brackets: "the default password for staging (X)".
_IN_BRACKETS: Final = lazy_pattern(
    r"(?:[ \t]+[^\s:：=(（]{1,24}){0,3}?[ \t]?[(（][\"'`]?(?P<bare>[!-'*-~]{6,64})[)）]"
)
#: The answer to a question: "the password? X".
_ANSWER: Final = lazy_pattern(
    rf"[^\n?？.。:：]{{0,24}}[?？]\s{{0,3}}(?:\w{{1,5}},[ \t])?{_VALUE}(?=[.,;!)]?[ \t]*(?:\n|$))",
    re.IGNORECASE,
)
#: One that the verb follows, as in Japanese, Korean and Turkish: "パスワードを変えました、Xです".
_VERB_BEHIND: Final = lazy_pattern(
    r"[^\n!-~。！？]{0,16}(?:[ \t,、][^\s:：=]{1,16}){0,2}?[ \t、,]{0,2}"
    r"(?P<quote>[\"'`「『“]?)(?P<bare>[!-&(-~]{5,64}?)[\"'`」』”]?[ \t]?"
    r"(?:です|でした|だ|になっ|に変|입니다|이에요|예요|였|로 |을 |를 |oldu|idi(?!\w)|yap|olarak)",
    re.IGNORECASE,
)
#: A password written to a word of a language that has no spaces.
_ADJOINED: Final = lazy_pattern(
    r"(?<=[\u2e80-\uffef])[ \t]?(?P<bare>[!-~]{6,64})(?=[\s\u2e80-\uffef]|$)"
)
#: Whatever else stands in the line of such a word.
_TOKENS: Final = lazy_pattern(r"(?<![!-~])[\"'`*(\[|<]{0,2}(?P<bare>[!-~]{8,64})")
_NEAR: Final = 110
_PAIR: Final = lazy_pattern(
    r"(?:[ \t]\(\w{1,20}\))?(?:[ \t][\w.-]{1,20}){0,5}?[ \t]?"
    r"(?:[:：]|\b(?:is|are|sind|ist|son|es|sont|sono|são|zijn)\b)?[ \t]?[\"'`]?"
    r"(?P<user>(?!h1:)[\w.@+-]{2,40})[\"'`]?"
    r"(?:[ \t]?/[ \t]?|:)[\"'`]?(?P<bare>[!-~]{5,64})",
    re.ASCII | re.IGNORECASE,
)
#: The same with nothing but a slash between two spaces: a user's name, in small letters.
_NAME_BEFORE: Final = lazy_pattern(r"(?<![\w/.-])[\"'`]?(?P<user>[a-z][a-z0-9._@+-]{1,39})[\"'`]?$")
_VALUE_BEHIND: Final = lazy_pattern(r"[\"'`]?(?P<bare>[!-~]{6,64})")
#: Whoever enters as somebody, with a password.
_ENTERED: Final = lazy_pattern(
    r"(?:-\w{1,8})?(?:[ \t](?:as|in|als|con|com|comme|como|avec|met|mit|się|jako|en tant que))?"
    r"(?:[ \t][\w.@+-]{1,40}){1,3}?[ \t]"
    r"(?:with|and|using|mit|und|con|com|y|e|ed|avec|et|met|en|z|i)[ \t]"
    r"[\"'`]?(?P<bare>[!-~]{6,64})",
    re.IGNORECASE,
)
#: A password before the word: "He puesto X como contraseña", "X is the password".
_BEFORE: Final = lazy_pattern(
    r"(?<!\S)[\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?,?[ \t]"
    r"(?:\(?(?:that['’]?s|is|es|est|è|é|jest|ist)[ \t](?:\w{1,8}[ \t]){0,2}"
    r"|(?:como|as|als|comme|come|jako|olarak|som|как|як|作为|做|当|로|으로|de|di)[ \t]?"
    r"(?:\w{1,8}[ \t]){0,3}"
    r"|(?<=[\"'`][ \t]))$",
    re.IGNORECASE,
)
#: One that a program compares with what it is given.
_COMPARED: Final = lazy_pattern(
    r"[\"'`](?P<bare>[!-~]{6,64}?)[\"'`][ \t]?[!=]==?[ \t]?[\w.]{0,30}$", re.IGNORECASE
)
#: The same where nothing but the verb tells: "use X to log in".
_USED: Final = lazy_pattern(
    r"(?:use|try|enter)[ \t][\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?[ \t]to[ \t]$",
    re.IGNORECASE,
)
#: Who is named before a password on the same line.
_USER: Final = lazy_pattern(
    r"(?:user(?:name)?|login|account|benutzer(?:name)?|usuario|usuário|identifiant|utente|gebruiker"
    r"|логин|пользователь)\b[^\n]{0,40}$",
    re.IGNORECASE,
)
#: Users that hardly anything else is called.
_COMMON_USERS: Final = frozenset(
    {
        *("admin", "administrator", "root", "sa", "postgres"),
        *("test", "demo", "guest", "deploy", "ci", "qa"),
    }
)
#: What ends a sentence or a quote, and hardly ever a password.
_ENDS: Final = ".,;:)]}>*\"'`。、，"
_OPENS: Final = frozenset("\"'`(«»“„「『*|")
_CLOSES: Final = frozenset("\"'`)«»“”」』*|")
#: What a line of a table without bars has in it.
_CELLS: Final = lazy_pattern(r"[;,\t|]\S")
#: What follows a value in a connection string, or an element of XML.
_NEXT_SETTING: Final = lazy_pattern(
    r";[A-Za-z][\w.-]*=|</?[a-zA-Z]|&(?:amp;)?[a-zA-Z]\w*=|[\"'`][,)}\]/>;]"
)
_LONGEST_BEFORE: Final = 90
_LONGEST_NAME: Final = 42
_MOST_VERBS: Final = 3
#: From here on words are written without spaces between them.
_FIRST_ASIAN: Final = "\u2e80"


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
    """

    def __init__(
        self,
        words: Mapping[str, str] = {**WORDS, **WORDS_BEYOND_ASCII},
        weak: Mapping[str, str] = WEAK_WORDS,
        pairs: Mapping[str, str] = {**PAIRS, **PAIRS_BEYOND_ASCII},
        enters: Mapping[str, str] = ENTERS,
        slashes: Mapping[str, str] = SLASHES,
    ) -> None:
        self._cues: dict[str, list[_PasswordWord]] = {}
        kinds = (
            (words, _password_in_sentence),
            (weak, _password_after_mark),
            (pairs, _pair),
            (enters, _entered),
            (slashes, _slashed),
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


@frozen
class _PasswordWord:
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
        end = "" if _is_asian(stem[0]) or stem[-1] == " " else r"(?![^\W\u2e80-\uffff])"
        return cls(lazy_pattern(f"{re.escape(stem)}(?:{rest}){end}"), find)


def _begins_word(lower: str, place: int) -> bool:
    """Return whether a place is the start of a word."""
    if lower.startswith("[secret:", max(0, place - 8)):
        return False
    before = lower[place - 1 : place]
    if not before.isalnum() or lower[place] == " " or _is_asian(before) or _is_asian(lower[place]):
        return True
    return lower.startswith(_COMPOUNDS, place) or _FIRST_SEMITIC <= before <= _LAST_SEMITIC


def _is_asian(character: str) -> bool:
    return character >= _FIRST_ASIAN


def _password_in_sentence(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password that is given to a word: in its sentence, its table or the next line."""
    yield from _tabled(text, place, end)
    if text[place - 1 : place] in {"/", "\N{FULLWIDTH SOLIDUS}"}:
        yield from filter(None, [_password_span(_PAIR.match(text, end), is_sure=True)])
        return
    before = max(0, place - _LONGEST_BEFORE)
    tried = (
        _assigned_password(text, end),
        _password_span(_CHANGED.match(text, end)),
        _behind(text, place, end),
        _password_span(_BEFORE.search(text, before, place)),
        _password_span(_COMPARED.search(text, before, place), is_sure=True),
        _password_span(_AFTER.match(text, end), is_random=True),
        _password_span(_IN_BRACKETS.match(text, end)),
        _password_span(_ANSWER.match(text, end), is_sure=True),
        _password_span(_VERB_BEHIND.match(text, end)),
        _password_span(_ADJOINED.match(text, end), is_sure=True),
    )
    yield from filter(None, tried[:1] if tried[0] else tried)
    if not tried[0]:
        yield from _telling_nearby(text, place, end)


def _telling_nearby(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what in the line around a word can hardly be anything but a password."""
    first = max(
        text.rfind("\n", max(0, place - _LONGEST_BEFORE), place) + 1, place - _LONGEST_BEFORE
    )
    last = text.find("\n", end, end + _NEAR)
    for found in _TOKENS.finditer(text, max(0, first), last if last >= 0 else end + _NEAR):
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


def _behind(text: str, place: int, end: int) -> tuple[int, int] | None:
    """Return the span of a password directly after a word or on the next line."""
    if not (found := _NEXT.match(text, end)):
        return None
    is_line = "\n" not in text[end : found.start("bare")]
    if not is_line and _CELLS.search(found["bare"] or ""):
        return None
    user = _USER.search(text, max(0, place - _LONGEST_BEFORE), place)
    return _password_span(found, is_sure=is_line and bool(user))


def _assigned_password(text: str, end: int) -> tuple[int, int] | None:
    """Return the span of the password that a sentence assigns to a word, if any."""
    for _ in range(_MOST_VERBS):
        found = _GIVEN.match(text, end)
        if not found or (span := _password_span(found, is_sure=True)):
            return span if found else None
        # "It was rotated, it is X": the first verb does not tell.
        end = found.end()
    return None


def _password_after_mark(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password right behind a word and a mark, in its table, or behind a user's name."""
    yield from _tabled(text, place, end)
    found = _password_span(_MARKED.match(text, end), is_sure=True)
    found = found or _password_span(_FOR.match(text, end))
    if not found and _USER.search(text, max(0, place - _LONGEST_BEFORE), place):
        found = _password_span(_NEXT.match(text, end))
    found = found or _password_span(_NEXT.match(text, end), is_random=True)
    yield from filter(None, [found])


def _pair(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password behind a name and a slash."""
    yield from _tabled(text, place, end, is_sure=False)
    found = _PAIR.match(text, end)
    is_sure = found is not None and found["user"].lower() in _COMMON_USERS
    yield from filter(None, [_password_span(found, is_sure=is_sure)])


def _slashed(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password behind a user's name and a slash, with no word for either."""
    user = _NAME_BEFORE.search(text, max(0, place - _LONGEST_NAME), place)
    found = user and _VALUE_BEHIND.match(text, end)
    if not user or not found:
        return
    value = _without_next(found["bare"]).rstrip(_ENDS)
    is_common = user["user"].lower() in _COMMON_USERS
    if is_telling(value) or is_likely(value) or (is_common and is_password_value(value)):
        yield found.start("bare"), found.start("bare") + len(value)


def _entered(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password that somebody enters with."""
    tried = (_ENTERED.match(text, end), _USED.search(text, max(0, place - _LONGEST_BEFORE), place))
    yield from filter(None, (_password_span(found) for found in tried))
    yield from _telling_nearby(text, place, end)


def _tabled(text: str, place: int, end: int, *, is_sure: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the passwords beside or below a word in a table."""
    for start, stop in values_of(text, place, end):
        if is_spoken_password(text[start:stop], is_sure=is_sure):
            yield start, stop


def _without_next(value: str) -> str:
    """Return a value without the setting that stands right behind it."""
    return _NEXT_SETTING.split(value, maxsplit=1)[0]


def _password_span(
    found: re.Match[str] | None, *, is_sure: bool = False, is_random: bool = False
) -> tuple[int, int] | None:
    """Return the span of the matched password; None if it is an ordinary word.

    Args:
        found: What was matched.
        is_sure: Whether the sentence says that it is one.
        is_random: Whether only what can be nothing else is one.
    """
    if not found:
        return None
    group = "bare" if found["bare"] else "quoted"
    value = found[group] if group == "quoted" else _without_next(found[group]).rstrip(_ENDS)
    if not is_spoken_password(value, is_sure=is_sure) or (is_random and not is_likely(value)):
        return None
    start = found.start(group)
    return start, start + len(value)
