"""Checks that tell secrets from examples, words or names of the same form."""

import re
from binascii import crc32
from collections import Counter
from functools import lru_cache
from math import log2
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern

#: What people write where a secret would stand, and the examples of documentation that all quote:
#: of Stripe, OAuth, one-time passwords, JSON Web Tokens and an emulator's database.
_PLACEHOLDER: Final = lazy_pattern(
    r"e?xa?mpl|sample[-_]|x{5}|\*{3}|\.{3}|<|>|\$[{(]|\{\{|%[({]|\byour|your[-_]|placeholder|dummy|secret:\w+:|"
    r"4eC39HqLyjWDarjtT1zdp7dc|2YotnFZFEjr1zCsicMWpAA|JBSWY3DPEHPK3PXP|SflKxwRJSMeKKF2QT4|C2y6yDjf5/R\+ob0N8A7|"
    r"change_?-?me|redacted|anonymous@|insert[-_]|abcdefgh|01234567|12345678|deadbeef|258EAFA5-E914|(.)\1{7}",
    re.IGNORECASE,
)
#: The same within letters, digits and signs drawn by lot: there a sign alone stands for nothing.
_FILLED_IN: Final = lazy_pattern(r"<[\w .-]+>|[$%][{(]\w+[)}]|\{\{|<<|secret:\w+:", re.IGNORECASE)
_LOWER_WORD: Final = lazy_pattern("[a-z]{6}")
#: A certificate or a public key in base64, a publishable key, a checksum: nobody hides one.
_PUBLISHED: Final = (
    *("LS0tLS1CRUdJTiBDRVJU", "LS0tLS1CRUdJTiBQVUJM"),
    *("pk.eyJ", "pk_live_", "pk_test_", "sha1-", "sha256-", "sha384-", "sha512-"),
)
#: Names of algorithms read like nothing else.
_ALGORITHM: Final = lazy_pattern(
    "(?:pbkdf|hmac|aes|rsa|ecdsa|sha|md5|tls|ssl|bcrypt|scrypt|argon)[0-9_-]", re.IGNORECASE
)
#: A name of something: in a program, on a disk, at a vendor. In a path numbers count things.
_NAME: Final = lazy_pattern(
    r"[/._]*[A-Za-z]{1,30}\d{0,2}[_/.:]*|[a-z]+\d{1,4}"
    r"|[/._]*[A-Za-z]{1,30}\d{0,4}(?:(?:[._/:+-]|->)+(?:[A-Za-z]{1,30}\d{0,4}|\d\d?))+[_/.:]*"
    r"|(?=[\w.:+-]*/)[/._]*[A-Za-z]{1,30}\d{0,4}"
    r"(?:(?:[._/:+-]|->)+(?:[A-Za-z]{1,30}\d{0,4}|(?<=[/-])\d{1,7}))+[_/.:]*"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-f]{1,19}|:*arn:.*|[\d:.,+TZ/-]+"
)
#: What is computed, not written down.
_CODE: Final = lazy_pattern(
    r"[A-Za-z_][\w.]*(?:[(\[{]|::\w|=[^=]|\)$)|[(\[]|!+[A-Za-z_]{2,}(?:\.\w+)*\W*$"
)
#: What is matched or filled in.
_PATTERN: Final = lazy_pattern(r"\s|\{[\w.()]*\}|\(\?|a-z|A-Z\]|0-9|\\[wWdDsSb]")
_PLAIN: Final = lazy_pattern(r"[A-Za-z_$][\w.$]*")
_HEX: Final = lazy_pattern(r"[0-9a-f]{16,}")
#: Words, abbreviations and numbers, joined: a name.
_WORDS: Final = lazy_pattern(
    r"(?:(?:[A-Za-z]*\d{0,4}|[a-z]\d[a-z]\d|[a-z]\d[a-z]+|\d{1,8}|[A-Za-z0-9]{1,4})(?:[_./=-]+|$)){2,}"
)
_DIGITS: Final = lazy_pattern("[0-9]+")
#: The characters of tokens and keys.
_TOKEN: Final = lazy_pattern(r"[\w+/=.~-]+", re.ASCII)
#: What also names a commit, a file or a request.
_ID: Final = lazy_pattern(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,128}", re.IGNORECASE
)
_TURN: Final = lazy_pattern(r"(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=[0-9])[^0-9]")
#: A small letter alone, or capitals together: both are rare where words are joined.
_JUMBLE: Final = lazy_pattern("(?<![a-z])[a-z](?![a-z])|(?<![A-Z])[A-Z]{2,}")
#: What pages write before a host: a word, or what is to be filled in.
_COMMON: Final = lazy_pattern(
    r"[$%:]?(?:[A-Za-z]?[a-z_]+|[A-Z_]+|(?:[A-Z][a-z_]+)+)|\$?[{(<%][^@]*|pass(?:w(?:or)?d)?\d{1,3}|x-[a-z-]+"
)
#: What is beside a word for a password and is none: a number, a time, a version, an id, an address,
#: a path, a file, an algorithm, the name of a field, what a rule demands.
_OTHER: Final = lazy_pattern(
    r"[^A-Za-z]+|(?-i:[A-Z][A-Z0-9]{1,9}-\d+|[A-Z]{2,10}(?:-[A-Z]{2,12}){1,3}-?\d{1,6})|[a-z]*\d+(?:[.:/-]\d+)+\S{0,8}|\d+x\d+|(?-i:\d+\+?(?:[a-z]{1,7}|[A-Z]{1,7}))"
    r"|[a-z][\w+.-]*:(?://)?\S*|\S+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}|[~.]{0,2}(?:/[\w.@-]+)+/?"
    r"|\w+(?:/\w+)+|[\w-]+(?:\.[a-z_]+)+|(?:[a-z]+['\u2019])?[a-z]+(?:[-_'\u2019/,&][a-z]+)*[!?]*"
    r"|@[\w-]+(?:\.[\w-]+)+\S*|![a-z]+|\$\{?\w+\}?|%\(?\w+\)?s?|(?-i:#[a-z]*(?:-[a-z]+)*-?\d{0,6})"
    r"|(?:v|[a-z@][\w./@-]*[@-]v?)\d+\.\d+[\w.+-]*|(?:1password|(?:2|m)fa|otp|k8s|i18n|[a-z]*auth)\S*"
    r"|(?:[a-z]+-)*(?:sha|md|utf|base|oauth|pbkdf|argon|hmac|aes|rsa|x|rfc|iso|bcrypt|scrypt|ntlm|tls"
    r"|ssl|hs|rs|es|http|s|ec|h)[-_]?\d{1,4}(?:[-_/][a-z0-9]+)*[a-z]{0,2}\d?"
    r"|(?:user|field|param|arg|test|name|value|key|step|ver|version|text|input|label|col|column|row"
    r"|form|item|page|line|part|level|tab|type|mode|pass|passwd|password|pwd|pw|secret|token|hash|str"
    r"|string|file|host|server|node|group|issue|note|table|figure|section|chapter)[-_ ]?\d{1,3}",
    re.IGNORECASE,
)
#: An expression of a program.
_CALL: Final = lazy_pattern(
    r"[\[({<:\\]|!?/.+/\.?\w*$|[\w.]+[(\[{]|--?[a-z]+$|[a-z_]{2,}=[\"']|(?-i:[a-z_]{3,}|[A-Z_]{3,}|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*)=\S|.*(?:->|::|\{\{|\}\}|&&|\|\||,\w+=|passw|secret)",
    re.IGNORECASE,
)
#: A number that is no year, or a word in capitals and a number.
_NUMBER_OR_SHOUTED: Final = lazy_pattern(r"(?!(?:19|20)\d\d\Z)\d{4,12}|[A-Z]{4,12}[-_.]?\d{2,6}")
_LETTER: Final = lazy_pattern("[A-Za-z]")
_SIGN: Final = lazy_pattern(r"[!#$%&*+=?@^~]")
_KEY_TEXT: Final = lazy_pattern(r"[A-Za-z0-9+/]{32}")
_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#: Nine in ten pairs of letters in words and names are among these, three in ten of those drawn by
#: lot: each first letter with those that follow it.
_PAIRS: Final = (
    "abcdgilmnprstuvy baejlou caehiklortu dadeiosu eacdeflmnprstvwxy faefiloru geis haeio"
    " iabcdefglmnoprstv je ke ladefilostuy mabeimop nacdefgiostu obcdklmnoprstuvw paeiloprtu qu"
    " racdegimnorstuy sacehiopstuy taehioprstuy uelmnprst vaei waehior xct ypst ze"
)
_COMMON_PAIRS: Final = frozenset(row[0] + after for row in _PAIRS.split() for after in row[1:])
_FEWEST_PAIRS: Final = 8
#: What people choose: a word or two, a sign, a number.
_CHOSEN: Final = lazy_pattern(
    r"(?:[A-Z][a-z]{2,11}){1,2}[_!#@$%&*+.-]{1,2}\d{2,6}\W{0,2}\w{0,3}\W?"
)
_GROUPS: Final = lazy_pattern(r"[A-Za-z0-9]{3,6}(?:-[A-Za-z0-9]{3,6}){2,}")
_INNER_CAPITAL: Final = lazy_pattern("[a-z][A-Z]|[A-Z]{2}(?=[a-z])")
#: How many answers are remembered: values come again and again, in a hostile text too.
_REMEMBERED: Final = 512
#: A shorter text that counts is as often what somebody chose.
_SHORTEST_COUNTED: Final = 12
#: What is drawn from all signs is long, and has several of them.
_SHORTEST_NOISE: Final = 24
_FEWEST_SIGNS: Final = 5
_MOST_SPACED: Final = 12
_ENTROPY_OF_NOISE: Final = 4.2
#: How many characters tell whether letters were drawn by lot.
_TELLING: Final = 64
_CLASSES: Final = tuple(map(lazy_pattern, ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9\s]")))


def entropy(text: str) -> float:
    """Return the entropy per character of a text, in bits."""
    length = len(text)
    return -sum(n / length * log2(n / length) for n in Counter(text).values())


def is_placeholder(text: str) -> bool:
    """Return whether a text is a placeholder for a secret."""
    return bool(_PLACEHOLDER.search(text))


@lru_cache(maxsize=_REMEMBERED)
def is_counted(text: str) -> bool:
    """Return whether a text is a sample that counts, like ``a1b2c3d4e5f6``."""
    if len(text) < _SHORTEST_COUNTED:
        return False
    lower = text[:_TELLING].lower()
    letters = "".join(filter(str.isalpha, lower))
    return len(letters) > 3 and all(
        sum(map(_is_next, each, each[1:])) >= 0.7 * (len(each) - 1)
        for each in (letters, "".join(filter(str.isdigit, lower)))
    )


def _is_next(one: str, other: str) -> bool:
    """Return whether a character follows another in the alphabet or in counting, or is the same."""
    return ord(other) - ord(one) in (0, 1) or one + other in ("90", "fa", "za")


def is_random(text: str) -> bool:
    """Return whether a text that has the form of a secret was drawn by lot."""
    return entropy(text) >= 3 and not is_placeholder(text)


def is_github(token: str) -> bool:
    """Return whether a token bears GitHub's checksum, or was drawn by lot all the same.

    The last six characters of a token of GitHub or npm are the CRC-32 of those before.
    """
    _, _, body = token.rpartition("_")
    rest, digits = crc32(body[:-6].encode()), ""
    while rest or len(digits) < 6:
        rest, digit = divmod(rest, 62)
        digits = _BASE62[digit] + digits
    return digits == body[-6:] or is_random(token)


def has_key_text(block: str) -> bool:
    """Return whether there is a key between the lines that mark one."""
    return bool(_KEY_TEXT.search(block.partition("KEY")[2])) and "EXAMPLE" not in block


@lru_cache(maxsize=_REMEMBERED)
def is_password(text: str) -> bool:
    """Return whether a text that is called a password could be one.

    Names, paths, calls and words of a language are none: too many programs speak of passwords.
    """
    return is_noise(text) or _is_drawn_or_chosen(text)


def _is_drawn_or_chosen(text: str) -> bool:
    if len(text) < 8 or is_placeholder(text) or _PATTERN.search(text):
        return False
    if text.startswith(_PUBLISHED) or is_counted(text):
        return False
    is_jumble = _is_scrambled(text) or (is_jumbled(text) and not _ALGORITHM.match(text))
    if _NAME.fullmatch(text):
        return is_jumble and not _ID.fullmatch(text)
    if is_jumble and len(text) >= 16:
        return True
    if _PLAIN.fullmatch(text) and not (is_jumble or _is_mixed(text)):
        return False
    classes = sum(bool(each.search(text)) for each in _CLASSES)
    return entropy(text) >= (2.75 if classes > 2 else 3.2) and (classes > 2 or _is_long(text))


@lru_cache(maxsize=_REMEMBERED)
def is_noise(text: str) -> bool:
    """Return whether a text is long, and drawn by lot from letters, digits and many signs.

    Those are the salts and keys that WordPress and Django make; a space may be among the signs.
    """
    drawn = text.replace(" ", "")
    if len(drawn) < _SHORTEST_NOISE or not all(each.search(drawn) for each in _CLASSES):
        return False
    signs = [each for each in drawn if not each.isalnum()]
    return (
        len({*signs}) >= _FEWEST_SIGNS
        and len(signs) * 2 < len(drawn)
        and (len(text) - len(drawn)) * _MOST_SPACED <= len(drawn)
        and entropy(drawn) >= _ENTROPY_OF_NOISE
        and not any(each.search(drawn) for each in (_FILLED_IN, _PATTERN, _LOWER_WORD))
    )


@lru_cache(maxsize=_REMEMBERED)
def is_jumbled(text: str) -> bool:
    """Return whether hardly any two letters of a text follow each other in words or names."""
    lower = text[:_TELLING].lower()
    pairs = [pair for at in range(len(lower) - 1) if (pair := lower[at : at + 2]).isalpha()]
    return len(pairs) >= _FEWEST_PAIRS and sum(map(_COMMON_PAIRS.__contains__, pairs)) < (
        len(pairs) / 2
    )


def is_chosen(text: str) -> bool:
    """Return whether a text is a word, a sign and a number: what people choose for a password."""
    return bool(_CHOSEN.fullmatch(text)) and not is_placeholder(text)


@lru_cache(maxsize=_REMEMBERED)
def is_spoken_password(text: str, *, is_sure: bool) -> bool:
    """Return whether the word after "password" and the like is a password.

    Args:
        text: What stands there.
        is_sure: Whether the sentence says so: "the password is ...".
    """
    if len(text) < 5 or is_placeholder(text) or _CALL.match(text) or is_counted(text):
        return False
    if _OTHER.fullmatch(text):
        return is_sure and (
            (text.isalpha() and _is_scrambled(text)) or _is_grouped(text) or _is_varied(text)
        )
    lower, upper, digits, signs = (bool(each.search(text)) for each in _CLASSES)
    if not (lower or upper) or not (digits or _SIGN.search(text)):
        return False
    return is_sure or lower + upper + digits + signs > 2 or (digits and len(text) >= 10)


def _is_varied(text: str) -> bool:
    """Return whether capitals, small letters and digits alternate, perhaps among signs."""
    return all(each.search(text) for each in _CLASSES[:3]) and _is_mixed(text)


def _is_grouped(text: str) -> bool:
    """Return whether a text is groups of letters whose capitals begin no word."""
    return bool(_GROUPS.fullmatch(text)) and len(_INNER_CAPITAL.findall(text)) > 1


def is_given_password(text: str) -> bool:
    """Return whether what a sentence gives as the password is one, even if it is but a number.

    A word in capitals and a number looks like an issue, where nothing says that it opens something.
    """
    if is_spoken_password(text, is_sure=True):
        return True
    return bool(_NUMBER_OR_SHOUTED.fullmatch(text)) and not is_placeholder(text)


def is_password_value(text: str) -> bool:
    """Return whether what stands where only a password can stand is one, and not a word for it."""
    return is_spoken_password(text, is_sure=True)


def is_opener(value: str) -> bool:
    """Return whether what stands where only a password, a token or a key can stand is one."""
    return is_id(value) or is_drawn(value) or is_password_value(value)


def is_strong(text: str) -> bool:
    """Return whether a text mixes letters, digits and signs as only passwords do."""
    return len(text) >= 8 and all(each.search(text) for each in (_LETTER, _CLASSES[2], _SIGN))


@lru_cache(maxsize=_REMEMBERED)
def is_drawn(text: str) -> bool:
    """Return whether a text looks drawn at random, wherever it stands, and is no plain number."""
    if len(text) < 16 or not _TOKEN.fullmatch(text) or _ID.fullmatch(text) or not is_password(text):
        return False
    if _WORDS.fullmatch(text) and ("/" in text or not is_jumbled(text)):
        return False
    return len(_DIGITS.findall(text)) > 1 or _is_scrambled(text) or is_jumbled(text)


def is_id(text: str) -> bool:
    """Return whether a text is a UUID or a hash: random, but rarely a secret."""
    return bool(_ID.fullmatch(text)) and is_random(text)


def is_code(text: str) -> bool:
    """Return whether a text is an expression of a program."""
    return bool(_CODE.match(text))


def is_header_value(text: str) -> bool:
    """Return whether a header's value could be a token."""
    return is_password(text) or (
        len(text) >= 20
        and is_random(text)
        and bool(_CLASSES[2].search(text))
        and not _NAME.fullmatch(text)
    )


def is_credential(value: str) -> bool:
    """Return whether the value of an authorization header could be a token, a key or a login."""
    return is_basic(value) or is_header_value(value) or is_id(value)


def is_bearer(value: str) -> bool:
    """Return whether what follows "bearer" could be a token."""
    return (len(value) >= 16 and is_header_value(value)) or is_strong(value)


def is_authorization(value: str) -> bool:
    """Return whether an authorization header has such a value, a chosen one too."""
    if len(value) < 16:
        return is_strong(value) or is_chosen(value)
    return is_credential(value)


def is_url_key(value: str) -> bool:
    """Return whether a parameter of an address that opens something has a value drawn by lot."""
    return is_id(value) or is_drawn(value.replace("%", "_"))


def is_url_password(text: str) -> bool:
    """Return whether the user part of an address could contain a real password."""
    if len(text) < 6 or is_placeholder(text) or _COMMON.fullmatch(text):
        return False
    return sum(bool(each.search(text)) for each in _CLASSES) > 1


def is_basic(text: str) -> bool:
    """Return whether base64 holds a name and a password."""
    from base64 import b64decode  # noqa: PLC0415  # most texts have none

    try:
        plain = b64decode(text + "=" * (-len(text) % 4), validate=True).decode("ascii")
    except ValueError:
        return False
    return plain.isprintable() and len(plain.partition(":")[2]) > 5 and not is_placeholder(plain)


def _is_long(text: str) -> bool:
    return len(text) >= 16 and bool(_CLASSES[2].search(text))


def _is_scrambled(text: str) -> bool:
    """Return whether capitals and small letters alternate as in no name of a program."""
    return (
        len(text) >= 16
        and text.isalnum()
        and not text.startswith("eyJ")  # JSON in base64
        and bool(_CLASSES[0].search(text))
        and len(_JUMBLE.findall(text)) >= max(3, len(text) / 7)
    )


def _is_mixed(text: str) -> bool:
    """Return whether letters and digits alternate as in no name."""
    turns = len(_TURN.findall(text)) / len(text)
    if turns > 0.4 or (turns > 0.2 and bool(_HEX.fullmatch(text))):
        return True
    # Among letters and digits drawn by lot, digits come again and again.
    return (
        len(text) >= 20 and "_" not in text and len(_DIGITS.findall(text)) >= max(3, len(text) / 10)
    )
