"""Passwords in prose, in many languages: "the password is ...", "PW: ..."."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Self, TypeAlias

from attrs import frozen

from rove_core.safety.secrets.checks import is_spoken_password

_Find: TypeAlias = Callable[[str, int, int], Iterator[tuple[int, int]]]

#: Words for a password: a text that each has in it, and the rest of the word from there on.
WORDS: Final[Mapping[str, str]] = {
    "pass": (
        r"(?:words?|worte?s?|wd|phrases?|ord(?:et)?|code"
        r"|e(?:(?<=mot de passe)|(?<=palavra.passe)))"
    ),
    "pw": r"d?",
    "mdp": "",
    "contrase": "[nñ]as?",
    "clave": "",
    "senha": "",
    "wachtwoord": "",
    "kennwort": "(?:es)?",
    "parola": r"(?: d['’](?:ordine|accesso))?",
    "haslo": "",
    "heslo": "",
    "salasana": "",
    "kodeord": "(?:et)?",
    "adgangskode": "n?",
    "sifre": "(?:si)?",
    "losenord": "(?:et)?",
}
#: Words that say something else, too: the password stands right behind them.
WEAK_WORDS: Final[Mapping[str, str]] = {"pass": "", "ww": ""}
#: The same with letters beyond ASCII, looked for where a text has some.
WORDS_BEYOND_ASCII: Final[Mapping[str, str]] = {
    "hasł": "[oaeu]m?",
    "парол": "[ьея]м?",
    "lösenord": "(?:et)?",
    "şifre": "(?:si)?",
    "parolă": "",
    "jelsz": "[óo]",
    "パスワード": "",
    "パスフレーズ": "",
    "暗証番号": "",
    "密码": "",
    "密碼": "",
    "口令": "",
    "비밀번호": "",
    "패스워드": "",
    "암호": "",
    "κωδικό": "ς?",
    "סיסמ": "[הא]",
    "पासवर्ड": "",
    "mật khẩu": "",
    "รหัสผ่าน": "",
    "كلمة المرور": "",
}
#: What comes before a name and a password, one behind the other.
PAIRS: Final[Mapping[str, str]] = {
    "cred": "(?:ential)?s|enziali|enciales",
    "zugangsdaten": "",
    "identifiants": "",
    "inloggegevens": "",
    "login": "(?: with| as)?",
    "log in": " with| as",
}
PAIRS_BEYOND_ASCII: Final[Mapping[str, str]] = {
    "ログイン": "",
    "логин": "",
    "账号": "",
    "用户": "名?",
}

#: Words that are part of longer ones in German and Dutch.
_COMPOUNDS: Final = ("passw", "kennwort", "wachtwoord")
#: What says what a password is: a mark, or a verb in one of the languages.
_MARK: Final = r"\s?(?:\*\*|__)?(?:[:：=→]|[-=]+>|[—–-](?=\s))(?:\*\*|__)?"
_IS: Final = (
    r"(?:\s(?:is|are|was|be|ist|lautet|es|est|c['’]est|è|é|jest|to|är|er|je|on|это|adalah|là)|['’]s)"
    r"(?:\s(?:now|jetzt|nun|ahora|maintenant|ora|agora|nu|teraz|nå|teď|nyt|теперь|зараз))?:?(?=\s)"
)
_NOW: Final = r"\s(?:теперь|зараз|agora é)(?=\s)"
#: What says what it was changed to.
_TO: Final = r"\s(?:to|auf|en|a|ad|in|para|por|naar|na|на|til|till|ile)(?=\s)"
_ASIAN: Final = r"\s?(?:は|を|為|为|是|改成了?|改为|设为|는|은)\s?"
_BETWEEN: Final = r"(?:[ \t]+[^\s:：=]{1,24}){0,6}?"
_VALUE: Final = (
    r"\s{0,3}(?:[>*-][ \t]+)?(?:(?P<quote>\*\*|`|\"|'|«|“|„|「|『)"
    r"(?P<quoted>[!-~\u00a1-\u024f]{5,64}?)(?:\*\*|[\"'`»”“」』])"
    r"|(?P<bare>[!-~\u00c0-\u024f]{5,64}))"
)
_GIVEN: Final = re.compile(rf"{_BETWEEN}(?:{_MARK}|{_IS}|{_NOW}|{_ASIAN}){_VALUE}", re.IGNORECASE)
_MARKED: Final = re.compile(rf"(?:{_MARK}|\sis(?:\s(?:now|nu))?:?(?=\s)){_VALUE}", re.IGNORECASE)
_CHANGED: Final = re.compile(rf"{_BETWEEN}{_TO}{_VALUE}", re.IGNORECASE)
#: A password right behind the word, or on the next line.
_NEXT: Final = re.compile(rf"(?=\s){_VALUE}", re.IGNORECASE)
_PAIR: Final = re.compile(
    r"\s?[:：]?\s?[\w.@+-]{2,40}\s?/\s?[\"'`]?(?P<bare>[!-~]{5,64})", re.ASCII | re.IGNORECASE
)
#: A password before the word: "He puesto X como contraseña".
_BEFORE: Final = re.compile(
    r"(?<!\S)[\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?\s(?:como|as|als|comme|come|jako|как)\s(?:\w{1,8}\s)?$",
    re.IGNORECASE,
)
#: What ends a sentence or a quote, and hardly ever a password.
_ENDS: Final = ".,;:)]}>*\"'`。、，"
_LONGEST_BEFORE: Final = 90
#: From here on words are written without spaces between them.
_FIRST_ASIAN: Final = "\u2e80"


class SpokenPasswords:
    """Finds passwords in sentences.

    Args:
        words: Words for a password: a text that each has in it, and the rest of the word.
        weak: The same for words that say something else, too.
        pairs: The same for what comes before a name and a password.
    """

    def __init__(
        self,
        words: Mapping[str, str] = {**WORDS, **WORDS_BEYOND_ASCII},
        weak: Mapping[str, str] = WEAK_WORDS,
        pairs: Mapping[str, str] = {**PAIRS, **PAIRS_BEYOND_ASCII},
    ) -> None:
        self._cues: dict[str, list[_PasswordWord]] = {}
        for words_of_kind, find in ((words, _given), (weak, _marked), (pairs, _pair)):
            for stem, rest in words_of_kind.items():
                self._cues.setdefault(stem, []).append(_PasswordWord.of(stem, rest, find))
        self._ascii = [stem for stem in self._cues if stem[0].isascii()]
        others = sorted(self._cues.keys() - set(self._ascii))
        self._others = re.compile("|".join(map(re.escape, others)) or "(?!)")

    def search(self, text: str, lower: str) -> Iterator[tuple[str, int, int]]:
        """Yield the kind, the start and the end of each password.

        Args:
            text: The text.
            lower: The text in lower case, every character where it was.
        """
        for stem, place in self._places(lower):
            for cue in self._cues[stem] if _begins_word(lower, place) else ():
                if word := cue.word.match(lower, place):
                    yield from (("password", *span) for span in cue.find(text, place, word.end()))

    def _places(self, lower: str) -> Iterator[tuple[str, int]]:
        for stem in self._ascii:
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
        end = "" if _is_asian(stem[0]) else r"(?!\w)"
        return cls(re.compile(f"{re.escape(stem)}(?:{rest}){end}"), find)


def _begins_word(lower: str, place: int) -> bool:
    """Return whether a place is the start of a word."""
    if lower.startswith("[secret:", max(0, place - 8)):
        return False
    before = lower[place - 1 : place]
    if not before.isalnum() or _is_asian(before) or _is_asian(lower[place]):
        return True
    return lower.startswith(_COMPOUNDS, place)


def _is_asian(character: str) -> bool:
    return character >= _FIRST_ASIAN


def _given(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password that is given to a word, in its sentence or on the next line."""
    if text[place - 1 : place] in {"/", "\N{FULLWIDTH SOLIDUS}"}:
        yield from filter(None, [_kept(_PAIR.match(text, end), is_sure=True)])
        return
    tried = (
        _kept(_GIVEN.match(text, end), is_sure=True),
        _kept(_CHANGED.match(text, end)),
        _kept(_NEXT.match(text, end)),
        _kept(_BEFORE.search(text, max(0, place - _LONGEST_BEFORE), place)),
    )
    yield from filter(None, tried[:1] if tried[0] else tried)


def _marked(text: str, _: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password right behind a word and a mark."""
    yield from filter(None, [_kept(_MARKED.match(text, end), is_sure=True)])


def _pair(text: str, _: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password behind a name and a slash."""
    yield from filter(None, [_kept(_PAIR.match(text, end))])


def _kept(found: re.Match[str] | None, *, is_sure: bool = False) -> tuple[int, int] | None:
    """Return the span of the matched password; None if it is an ordinary word."""
    if not found:
        return None
    group = "bare" if found["bare"] else "quoted"
    value = found[group] if group == "quoted" else found[group].rstrip(_ENDS)
    if not is_spoken_password(value, is_sure=is_sure):
        return None
    start = found.start(group)
    return start, start + len(value)
