"""Secrets that the place where they stand proves, whatever their vendor."""

from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import (
    is_chosen,
    is_drawn,
    is_jumbled,
    is_opener,
    is_password,
    is_password_value,
    is_placeholder,
    is_random,
    is_strong,
    is_url_key,
)
from rove_core.safety.secrets.secret_rule import UUID, SecretRule

#: A port and a path, where a password with a slash in it would be.
_PORT: Final = lazy_pattern(r"\d{1,5}(?:[/?#]|$)")
_PATH: Final = lazy_pattern(r"[./~]|\w+://|[\w-]+/[\w.-]+(?:/|$)|\d+:|.*[=,@]")
_UUID: Final = lazy_pattern(UUID)
_DASHED: Final = lazy_pattern(r"[\w-]{1,40}\.(?:[\w-]{1,20}\.)*[a-z]{2,6}")


def _is_argument(value: str) -> bool:
    """Return whether the value of a short option of any command is a password or a token."""
    if _PATH.match(value) or _DASHED.fullmatch(value):
        return False
    return (
        is_drawn(value)
        or bool(_UUID.fullmatch(value))
        or (is_strong(value) and is_password(value))
        or is_chosen(value)
    )


def _is_url_secret(value: str) -> bool:
    """Return whether a password with a slash or an at sign stands before a host."""
    return not _PORT.match(value) and ("/" in value or "@" in value) and is_password(value)


def _is_grouped(value: str) -> bool:
    """Return whether groups of letters and digits are no words and no number of anything."""
    joined = value.replace(" ", "").replace("-", "")
    return not is_placeholder(value) and (
        is_jumbled(joined) or is_drawn(joined) or len(joined) > 30
    )


#: What a sentence has and a passphrase has not.
_SENTENCE: Final = frozenset(
    [
        "the",
        "your",
        "you",
        "for",
        "and",
        "not",
        "must",
        "can",
        "that",
        "with",
        "this",
        "from",
        "when",
        "only",
        "are",
        "was",
        "has",
        "have",
        "use",
        "used",
        "enter",
        "will",
        "should",
        "may",
        "its",
        "one",
        "please",
        "key",
    ]
)


def _is_passphrase(value: str) -> bool:
    words = value.replace("-", " ").split()
    return len(set(words)) == len(words) and not _SENTENCE & set(words)


#: Their signs are in lower case; what they are found in may be in any case.
PLACE_RULES: Final = (
    # The last part of an address that posts to whoever knows it, or lets in whoever opens it.
    SecretRule(
        "hook_url",
        "hook",
        r"https?://[^\s\"'<>]{0,200}?hook(?:[^\s\"'<>/=]{0,100}+[/=]){1,8}?([\w-]{16,200}+)(?![\w/=-])",
        is_url_key,
        inside=True,
    ),
    SecretRule(
        "link_key",
        "/reset /invit /verif /confirm /activat /magic",
        r"/(?:reset|invit|verif|confirm|activat|magic)[\w-]{0,30}/(?:[\w-]{1,15}/)?([\w-]{16,200})(?![\w/=-])",
        is_url_key,
    ),
    SecretRule(
        "url_password",
        "://",
        r"://[^\s/:@\"'<>]{0,60}:([^\s\"'<>]{8,200}?)@[\w-]+(?:\.[\w.-]+)?(?=[:/?\s\"'<>]|$)",
        _is_url_secret,
    ),
    # Options of one letter, of any command.
    SecretRule(
        "option",
        "-p -t",
        r"(?<=\s)-[pt](?:[ =]|(?=\S))[\"']?([^\s\"']{8,200})",
        _is_argument,
    ),
    SecretRule(
        "wifi_key",
        "wifi wi-fi wlan ssid",
        r"(?:wi-?fi|wlan|ssid)\b[^\n]{0,60}?\b(?:key|schlüssel)\s{0,3}[:=\s]\s{0,3}[\"'`]?([^\s\"'`]{8,63})",
        is_password_value,
    ),
    SecretRule("option", "/p:", r"(?<=\s)/p:[\"']?([^\s\"'/]{6,200})", is_password_value),
    # Values whose names are not given, in a store for secrets alone.
    SecretRule(
        "stored_secret",
        "from-literal",
        r"from-literal[= ][\"']?[\w.-]{1,60}=[\"']?([^\s\"']{6,400})",
        is_opener,
    ),
    SecretRule(
        "stored_secret",
        "kv",
        r"kv\s+put\s+(?:-\S+\s+)*\S+(?:\s+[\w.-]{1,60}=\S{1,100})*?\s+[\w.-]{1,60}=[\"']?([^\s\"'@]{6,400})",
        is_opener,
    ),
    SecretRule(
        "jwk",
        '"kty"',
        r"\"kty\"[^{}]{0,3000}?\"(?:d|k)\"\s*:\s*\"([\w-]{20,1000}"
        r"(?:\"\s*,\s*\"(?:p|q|dp|dq|qi)\"\s*:\s*\"[\w-]{20,1000})*)\"",
        lambda text: is_random(text[:100]),
    ),
    SecretRule(
        "database_url",
        "@tcp( @unix(",
        r"[\w.-]{1,60}:([^\s\"'`]{6,100}?)@(?:tcp|unix)(?=\()",
        is_password_value,
        inside=True,
    ),
    SecretRule(
        "url_login",
        "://",
        r"(?<=http|ttps)://[^\s\"'<>]{3,200}\s+[\w.@-]{2,40}\s+[\"']?([^\s\"']{16,200})",
        is_drawn,
    ),
    SecretRule("asana_pat", "1/ 2/", r"[12]/\d{12,20}(?:/\d{12,20})?:[0-9a-f]{32}"),
    # Letters and digits in groups, as people read them out.
    SecretRule(
        "grouped_secret",
        "key password passwort code secret",
        r"(?:key|password|passwort|codes?|secret)\b[^\n:=]{0,40}(?:[:=]|\bis\b)\s*"
        r"((?:[a-z0-9]{4}[ ]){3,12}[a-z0-9]{4}|(?:\d{5,6}-){5,9}\d{5,6})(?![\w-])",
        _is_grouped,
    ),
    SecretRule(
        "passphrase",
        "passphrase phrase",
        r"(?:pass)?phrase[^\n:=\"'`]{0,40}(?:[:=]|\b(?:is|ist|est|es|lautet)\b)\s*[\"'`]?"
        r"((?:[a-z]{3,10}[ -]){3,9}[a-z]{3,10})(?=\.?[ \t]*(?:\n|$)|[\"'`])",
        _is_passphrase,
    ),
    SecretRule(
        "pin",
        "pin",
        r"(?-i:PIN)(?:[ -]code)?(?:[ \t](?!is)[\w-]{1,20}){0,5}"
        r"(?::|=|[ \t]is|[ \t]ist)?[ \t]*(\d{4,8})(?![\w.:/-]*\w)",
        lambda _: True,
    ),
    SecretRule(
        "seed_phrase",
        "mnemonic phrase seed",
        r"(?:mnemonic|phrase|seed)[\"'`*]{0,3}\s*[:=]\s*[\"'`]?"
        r"((?:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})",
        lambda text: len(set(text.split())) > 9,
    ),
    SecretRule(
        "client_key",
        "(\" ('",
        r"(?:(?<=client)|(?<=api)|(?<=connect)|(?<=login)|(?<=auth)|(?<=init)|(?<=configure))"
        r"\([\"']([^\s\"']{20,400})[\"']",
        is_drawn,
    ),
)
