"""Passwords recognisable by their form in any sentence about passwords."""

from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import is_jumbled, is_placeholder, is_spoken_password

#: Between the shortest and the longest password that people tell each other; without the signs of
#: paths, addresses, calls and assignments.
_TOKEN: Final = lazy_pattern(r"[\w!#$%&*+?@^~.=-]{8,40}(?!\n)\Z", 256)
_HARD_SIGN: Final = lazy_pattern(r"[!#$%&*+?@^~]")
#: A variable, a mention, an entity, an address, a version, a number of something, a range.
_THING: Final = lazy_pattern(
    r"[$%&@].*|[\w.+-]+@[\w-]+(?:\.[\w-]+)*|v?\d[\w.-]*\+[\w.-]+|\w+[#~+^]v?[\d.]+|[A-Za-z]+\+\+\d*"
    r"|[\w.-]+%\d.*|(?:[a-z_]+|[A-Z_]+|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*)=.*|[^=]*=+|[*~]{1,3}[\w.-]+[*~]{1,3}|[\w.-]+\+",
    256,
)
#: A word and a year or two words and a number: a choice of people, and the name of few things.
_WORD_AND_NUMBER: Final = lazy_pattern(
    r"[A-Z][a-z]{2,11}[._-]?(?:\d{3,6}|[A-Z][a-z]{2,11}[._-]?\d{2,6})|[A-Z][a-z]+[A-Z][a-z]+\d{2,6}"
)
#: A word with digits or signs in place of letters, and a number.
_DISGUISED: Final = lazy_pattern(
    r"[A-Z][a-z]*[0-9@$][a-z0-9@$]*[a-z][a-z0-9@$]*[._@!*#-]\d{2,6}[!#$*?]?"
)
#: Words joined by dashes, with a number at the end.
_WORDS_AND_NUMBER: Final = lazy_pattern(r"[a-z]{3,12}(?:-[a-z]{3,12}){2,5}-?\d{1,4}")
#: What vendors call their products is followed by a year, too.
_PRODUCT: Final = lazy_pattern(
    r"(?:Windows|Server|Office|Exchange|Visual|Studio|Ubuntu|Sprint|Release|Version|Build|Java|Python"
    r"|Postgre|Oracle|Share|Figure|Section|Error|Ticket|Issue|Login|Auth|User|Test|Node|Host)"
)
_DIGITS: Final = lazy_pattern("[0-9]+")
_LETTERS: Final = lazy_pattern("[A-Za-z]")
#: A digit among letters of a word, or a capital after a small letter and a single one.
_MIXED_IN: Final = lazy_pattern("[A-Za-z][0-9]+(?=[A-Za-z])|[a-z][A-Z](?![a-z]{2})|[0-9][A-Z]")


def is_telling(text: str) -> bool:
    """Return whether a word near a word for passwords can hardly be anything but a password."""
    if _DISGUISED.fullmatch(text):
        return not is_placeholder(text)
    if not _TOKEN.match(text) or _THING.fullmatch(text):
        return False
    if not is_spoken_password(text, is_sure=False) or not _DIGITS.search(text):
        return False
    return (
        bool(_HARD_SIGN.search(text, 0, len(text) - 1))
        or (text[-1] in "!#$%*@^~" and _is_chosen(text[:-1]))
        or _is_mixed(text)
    )


def is_likely(text: str) -> bool:
    """Return whether a word beside a word for passwords is more likely one than a name."""
    return is_telling(text) or _is_chosen(text) or bool(_WORDS_AND_NUMBER.fullmatch(text))


def _is_chosen(text: str) -> bool:
    return bool(_WORD_AND_NUMBER.fullmatch(text)) and not _PRODUCT.match(text)


def _is_mixed(text: str) -> bool:
    """Return whether capitals, small letters and digits alternate as in no name."""
    if text.islower() or text.isupper():
        return False
    return len(_MIXED_IN.findall(text)) >= max(2, len(text) / 8) or is_jumbled(text)
