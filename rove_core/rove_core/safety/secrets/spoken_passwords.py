"""Passwords in prose, in many languages: "the password is ...", "PW: ..."."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, Self, TypeAlias

from attrs import frozen

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import is_spoken_password, is_strong
from rove_core.safety.secrets.table_values import values_of

_Find: TypeAlias = Callable[[str, int, int], Iterator[tuple[int, int]]]

#: Words for a password: a text that each has in it, and the rest of the word from there on.
WORDS: Final[Mapping[str, str]] = {
    "pass": (
        r"(?:words?|worte?s?|wd|phrases?|ord(?:et)?|code"
        r"|e(?:(?<=mot de passe)|(?<=palavra.passe)))"
    ),
    "pw": r"d?",
    "p/w": "",
    "mdp": "",
    "contrase": "(?:[nñ]as?|nyas?)",
    "clave": "",
    "senha": "",
    "wachtwoord": "",
    "kennwort": "(?:es)?",
    "parola": r"(?: d['’](?:ordine|accesso)|s[ıi]\w{0,4}|y[ıi]|n[ıi]?z?|m)?",
    "haslo": "",
    "heslo": "",
    "salasana": "",
    "kodeord": "(?:et)?",
    "adgangskode": "n?",
    "sifre": r"\w{0,8}",
    "losenord": "(?:et)?",
    "code d": "['’]acc[eèé]s",
    "zugangscode": "",
    "sandi": "(?:nya)?",
    "kata laluan": "",
    "lozink": "[aeu]",
    "zapork": "[aeu]",
    "geslo": "",
    "parool": "",
    "chiave": " (?:wi-?fi|wpa2?|di rete|della rete)",
    "wifi key": "",
    "wi-fi key": "",
    "network key": "",
    "wlan-key": "",
}
#: Words that say something else, too: the password stands right behind them.
WEAK_WORDS: Final[Mapping[str, str]] = {"pass": "", "ww": "", "psk": "", "wpa": "[23]?"}
#: The same with letters beyond ASCII, looked for where a text has some.
WORDS_BEYOND_ASCII: Final[Mapping[str, str]] = {
    "hasł": "[oaeu]m?",
    "пасс": "",
    "парол": "[ьеяа]м?(?:та)?",
    "lösenord": "(?:et)?",
    "şifre": r"\w{0,8}",
    "parolă": "",
    "clé": " (?:wi-?fi|wpa2?|réseau|du wi-?fi|du réseau)",
    "schlüssel": "",
    "slaptažod": "is|į|žio",
    "lykilorð": "(?:ið)?",
    "jelsz": "[óo]",
    "パス": "",
    "パスワード": "",
    "パスフレーズ": "",
    "暗証番号": "",
    "密码": "",
    "密碼": "",
    "口令": "",
    "비밀번호": "[는은]?",
    "비번": "[는은]?",
    "패스워드": "",
    "암호": "",
    "κωδικό": "ς?",
    "סיסמ": "[הא]",
    "पासवर्ड": "",
    "mật khẩu": "",
    "รหัสผ่าน": "",
    "كلمة المرور": "",
    "كلمة السر": "",
    "رمز عبور": "",
    "गुप्त शब्द": "",
    "পাসওয়ার্ড": "",
}
#: What comes before a name and a password, one behind the other.
PAIRS: Final[Mapping[str, str]] = {
    "cred": "(?:ential)?s|enziali|enciales|enciais",
    "zugang": "(?:sdaten)?",
    "anmeldedaten": "",
    "identifiants": "",
    "inloggegevens": "",
    "inlog": "",
    "dane logowania": "",
    "acceso": "",
    "accesso": "",
    "acesso": "",
    "acc": "[eè]s",
    "toegang": "",
    "login": "(?: with| as)?",
    "log in": " with| as",
}
PAIRS_BEYOND_ASCII: Final[Mapping[str, str]] = {
    "dostęp": "(?:owe|u|y|ów)?",
    "접속": " ?정보",
    "로그인": "(?: ?정보)?",
    "ログイン": "",
    "логин": "",
    "доступ": "ы?",
    "giriş bilgi": "leri",
    "учётка": "",
    "учетка": "",
    "креды": "",
    "账号": "",
    "帐号": "",
    "用户": "名?",
    "계정": "",
}
#: What somebody does who enters as a user, with a password.
ENTERS: Final[Mapping[str, str]] = {
    "log in": "",
    "login": "",
    "sign in": "",
    "einlogg": "en",
    "anmelden": "",
    "entra": "r?",
    "accedi": "",
    "connecte": "(?:z|r)?",
    "inloggen": "",
    "inloggegevens": "",
    "zaloguj": "",
}

#: Words that are part of longer ones in German and Dutch.
_COMPOUNDS: Final = ("passw", "kennwort", "wachtwoord")
#: What says what a password is: a mark, or a verb in one of the languages.
_MARK: Final = (
    r"\s?(?:\*{1,2}|__?|[`\"'][\])]?|</\w{1,8}>|\]|&nbsp;)?\s?"
    r"(?::=|[!=]==?|[:：=→]|[-=]+>|[—–-](?=\s))(?:\*\*|__)?"
)
_IS: Final = (
    r"(?:,?\s(?:just )?(?:enter|use|try|put in)(?=\s)"
    r"|(?:,?\s(?:it|this|that))?(?:\s(?:is|are|was|be|remains|ist|war|bleibt|lautet|es|era"
    r"|sigue siendo|est|reste|c['’]est|è|rimane|resta|é|continua|jest|to|är|er|je|on|blijft|это"
    r"|adalah|ialah|là|este|estas|és|είναι|היא|הוא|هي|هو|है)|['’]s)"
    r"(?:\s(?:now|still|currently|literally|simply|actually|jetzt|nun|noch|ahora|maintenant|toujours|ora|ancora|agora|ainda|nu"
    r"|nog|teraz|nadal|nå|teď|nyt|теперь|сейчас|зараз|по-прежнему))?:?(?=\s)"
    r"|\s(?:теперь|зараз|по-прежнему|agora é)(?=\s))"
)
#: What says what it was changed to.
_TO: Final = r"\s(?:to|auf|en|a|à|ad|in|sur|para|pra|por|naar|na|на|til|till|ile)(?=\s)"
_ASIAN: Final = (
    r"\s?(?:として|は(?:引き続き|まだ|今も)?|を|為|为|还是|仍是|是|(?:已)?改成了?"
    r"|(?:已)?改为|设为|는|은|를|을)\s?"
)
_BETWEEN: Final = r"(?:[ \t]+[^\s:：=]{1,48}){0,6}?"
_VALUE: Final = (
    r"\s{0,8}(?:[-=]{3,}\s+|```\w{0,10}\s+)?(?:[>*-][ \t]+)?<?"
    r"(?:(?P<quote>\*\*|`|\"|'|«[ \u00a0\u202f]?|“|„|「|『)"
    r"(?P<quoted>[!-~\u00a1-\u024f]{5,64}?)(?:\*\*|[ \u00a0\u202f]?»|[\"'`”“」』])"
    r"|(?P<bare>[!-~\u00c0-\u024f]{5,64}))"
)
_GIVEN: Final = lazy_pattern(
    rf"(?:[ \t]\([^()\n]{{1,30}}\))?{_BETWEEN}(?:{_MARK}|{_IS}|{_ASIAN}){_VALUE}", re.IGNORECASE
)
_MARKED: Final = lazy_pattern(rf"(?:{_MARK}|\sis(?:\s(?:now|nu))?:?(?=\s)){_VALUE}", re.IGNORECASE)
#: One behind what it is for: "ww van de server: X".
_FOR: Final = lazy_pattern(
    rf"(?:[ \t](?:van|voor|for|of|on|at|to|para|del?|pour|du|per|für|im|am)"
    rf"(?:[ \t]+[^\s:：=]{{1,24}}){{1,4}}?)"
    rf"\s?[:：=]{_VALUE}",
    re.IGNORECASE,
)
_CHANGED: Final = lazy_pattern(rf"{_BETWEEN}{_TO}{_VALUE}", re.IGNORECASE)
#: A password right behind the word, or on the next line.
_NEXT: Final = lazy_pattern(
    rf"(?:\*{{1,2}}|__?|`|</\w{{1,8}}>|[\]?!])?(?:[ \t]\([^()\n]{{1,30}}\))?(?=[\s「『“]){_VALUE}",
    re.IGNORECASE,
)
#: One at the end of the line, with what it is for between the word and it.
_AFTER: Final = lazy_pattern(
    rf"(?:[ \t]+[^\s:：=]{{1,16}}){{1,4}}?[ \t]{_VALUE}(?=[.,;)]?\s*(?:\n|$))"
)
#: One in brackets: "the default password (X)".
_IN_BRACKETS: Final = lazy_pattern(r"[ \t]?[(（][\"'`]?(?P<bare>[!-'*-~]{6,64})[)）]")
_PAIR: Final = lazy_pattern(
    r"(?:[ \t]\(\w{1,20}\))?(?:[ \t][\w.-]{1,20}){0,5}?[ \t]?"
    r"(?:[:：]|\b(?:is|are|sind|ist|son|es|sont|sono|são|zijn)\b)?[ \t]?[\"'`]?"
    r"(?P<user>(?!h1:)[\w.@+-]{2,40})[\"'`]?"
    r"(?:[ \t]?/[ \t]?|:)[\"'`]?(?P<bare>[!-~]{5,64})",
    re.ASCII | re.IGNORECASE,
)
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
    r"|(?:como|as|als|comme|come|jako|как|作为|做|当|de|di)[ \t]?(?:\w{1,8}[ \t]){0,3}"
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
#: What a line of a table without bars has in it.
_CELLS: Final = lazy_pattern(r"[;,\t|]\S")
#: What follows a value in a connection string, or an element of XML.
_NEXT_SETTING: Final = lazy_pattern(
    r";[A-Za-z][\w.-]*=|</?[a-zA-Z]|&(?:amp;)?[a-zA-Z]\w*=|[\"'`][,)}\]/>;]"
)
_LONGEST_BEFORE: Final = 90
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
    """

    def __init__(
        self,
        words: Mapping[str, str] = {**WORDS, **WORDS_BEYOND_ASCII},
        weak: Mapping[str, str] = WEAK_WORDS,
        pairs: Mapping[str, str] = {**PAIRS, **PAIRS_BEYOND_ASCII},
        enters: Mapping[str, str] = ENTERS,
    ) -> None:
        self._cues: dict[str, list[_PasswordWord]] = {}
        kinds = (
            (words, _password_in_sentence),
            (weak, _password_after_mark),
            (pairs, _pair),
            (enters, _entered),
        )
        for words_of_kind, find in kinds:
            for stem, rest in words_of_kind.items():
                self._cues.setdefault(stem, []).append(_PasswordWord.of(stem, rest, find))
        #: The first word of each stem, by which texts that have it are known.
        self._ascii = {stem: stem.split()[0] for stem in self._cues if stem[0].isascii()}
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
        end = "" if _is_asian(stem[0]) else r"(?!\w)"
        return cls(lazy_pattern(f"{re.escape(stem)}(?:{rest}){end}"), find)


def _begins_word(lower: str, place: int) -> bool:
    """Return whether a place is the start of a word."""
    if lower.startswith("[secret:", max(0, place - 8)):
        return False
    before = lower[place - 1 : place]
    if not before.isalnum() or _is_asian(before) or _is_asian(lower[place]):
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
    )
    yield from filter(None, tried[:1] if tried[0] else tried)


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
        if not found or (kept := _password_span(found, is_sure=True)):
            return kept if found else None
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
    yield from filter(None, [found])


def _pair(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password behind a name and a slash."""
    yield from _tabled(text, place, end, is_sure=False)
    found = _PAIR.match(text, end)
    is_sure = found is not None and found["user"].lower() in _COMMON_USERS
    yield from filter(None, [_password_span(found, is_sure=is_sure)])


def _entered(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the password that somebody enters with."""
    tried = (_ENTERED.match(text, end), _USED.search(text, max(0, place - _LONGEST_BEFORE), place))
    yield from filter(None, (_password_span(found) for found in tried))


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
    if not is_spoken_password(value, is_sure=is_sure) or (is_random and not is_strong(value)):
        return None
    start = found.start(group)
    return start, start + len(value)
