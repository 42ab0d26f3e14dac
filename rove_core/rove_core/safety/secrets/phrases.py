"""Passphrases of several words, told from sentences by their lack of function words."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern

_WORD: Final = r"[^\W\d_]{2,12}"
#: Words of Chinese and Korean are short.
_PHRASE: Final = rf"(?P<phrase>{_WORD}(?:[ \t]{_WORD}){{2,7}}(?:[ \t]\d{{1,4}})?)"
_LONG_PHRASE: Final = (
    rf"(?P<phrase>{_WORD}(?:(?:[ \t]{_WORD}){{3,7}}|(?:[ \t]{_WORD}){{2,7}}[ \t]\d{{1,4}}))"
)
_IS: Final = (
    r"(?:[ \t](?:is|ist|lautet|est|es|sea|sarà|è|é|to|is nu|така|такая|такой|это|це|jest|now|jetzt)"
    r"|[はがは은는가이为是])"
)
#: What stands between a passphrase and the word that names it.
_AS: Final = (
    r"(?:(?:as|is|als|ist|como|es|comme|est|come|è|é|jako|to|is het|olarak|как|як|это|це)[ \t]"
    r"|[をがはを로가는이是])"
)
_OPENS: Final = "[\"'`“„«「『]"
_CLOSES: Final = "[\"'`”“»」』]"
_QUOTED_BEHIND: Final = lazy_pattern(
    rf"(?:[^\n\"'`“„«「『.!?。]{{0,40}}?(?:[:：=→—]|{_IS})[ \t]?{_OPENS}[ \u00a0]?{_PHRASE}"
    rf"|[^\n\"'`“„«「『.!?。]{{0,40}}{_OPENS}[ \u00a0]?{_LONG_PHRASE.replace('phrase', 'long')})"
    rf"[ \u00a0]?{_CLOSES}"
)
_QUOTED_BEFORE: Final = lazy_pattern(
    rf"{_OPENS}[ \u00a0]?{_PHRASE}[ \u00a0]?{_CLOSES}[ \t]?{_AS}[^\n.!?。\"'`]{{0,16}}$"
)
_PLAIN: Final = lazy_pattern(
    r"(?:[^\n:：.,!?。、\"'`]{0,30}|,[ \t]\w{1,12})"
    r"(?:[:：=][ \t]?|[ \t](?:is|ist|est|es|è|é|to|is nu|такая|така|это|це|jest)[ \t]"
    rf"|[はがは는은가이][ \t]?|[ \t]){_LONG_PHRASE}"
    r"(?=[ \t]?(?:[,.;(（、。–—-]|です|예요|이에요|입니다|\n|$))"
)
#: Who says that a password has several words.
_SEVERAL: Final = lazy_pattern(
    r"phrase|frase|fraz|фраз|フレーズ|문구|短语|master|maître|mestr|maestr|hoofd|haupt|główn|мастер",
    re.IGNORECASE,
)
_NUMBERED: Final = lazy_pattern(r"\d\Z")
#: Words that sentences have and passphrases have not, in each language some.
_FUNCTION_WORDS: Final = (
    "a an and are as ask at be been by can cannot change changed contact contain contains do "
    "does enter expired for forgot from has have if in incorrect invalid is it its key login "
    "longer may mismatch must my new no not of on one only or password passwords passphrase "
    "please reset secret see set shall should show string text than that the their then this "
    "to too type use used user value was when will with without wrong you your bytes object "
    "name field file optional required default der die das den dem des ein eine einen ist "
    "sind war und oder nicht mit von vom für auf im zu zum bei bitte siehe unter wird wurde "
    "kein keine sie ihr ihre dein passwort falsch neu neues le la les un une du de et ou est "
    "sont pas pour dans sur avec vous votre passe mot au aux ne el los las una del y o es son "
    "para en con por su tu se contraseña clave al que il lo gli di e non per nel che si della "
    "dello het een van niet voor op met je jouw uw wachtwoord te zijn wordt na w z i nie jest "
    "dla się że hasło po przez da dos em não com um uma seu sua senha os и в на не с по для "
    "от к у из как что это пароль ваш ввод введите нужно і й та що це від як з до ve ile bir "
    "bu için değil şifre parola lütfen"
)


def passphrases(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the passphrase beside a word for passwords: in quotes, or given by a verb or a mark."""
    tried: list[re.Match[str] | None] = [
        _QUOTED_BEHIND.match(text, end),
        _QUOTED_BEFORE.search(text, max(0, place - _FAR), place),
    ]
    plain = _PLAIN.match(text, end)
    if plain and (
        _NUMBERED.search(plain["phrase"])
        or _SEVERAL.search(text, max(0, place - 10), plain.start("phrase"))
    ):
        tried.append(plain)
    for found in tried:
        group = "long" if found and found.groupdict().get("long") else "phrase"
        if found and _is_phrase(found[group]):
            yield found.span(group)


#: How far before the word a passphrase may begin.
_FAR: Final = 90


def _is_phrase(value: str) -> bool:
    """Return whether words make no sentence, and none of them comes twice."""
    words = value.casefold().split()
    is_small = value == value.lower()
    return is_small and len(set(words)) == len(words) and not _sentence_words() & set(words)


@cache
def _sentence_words() -> frozenset[str]:
    return frozenset(_FUNCTION_WORDS.split())
