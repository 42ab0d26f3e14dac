"""Secrets in lines of terminals, devices and infrastructure files, by the words around them."""

from typing import Final

from rove_core.safety.secrets.checks import (
    is_drawn,
    is_id,
    is_opener,
    is_password,
    is_password_value,
)
from rove_core.safety.secrets.secret_rule import UUID, SecretRule


def _is_key(value: str) -> bool:
    """Return whether a value looks drawn by lot, or is an identifier."""
    return is_drawn(value) or is_id(value) or (len(value) > 30 and is_password(value))


#: Their signs are in lower case; what they are found in may be in any case.
CONSOLE_RULES: Final = (
    SecretRule(
        "command_password",
        "7z rar",
        r"(?:7za?|rar)\s[^\n]{0,200}?\s-h?p[\"']?([^\s\"']{5,})",
        lambda value: is_password(value) or is_password_value(value),
    ),
    SecretRule(
        "command_password",
        "impacket",
        r"impacket-\w+\s[^\n]{0,200}?[\w.-]{1,60}:([^\s\"'@]{5,100})@[\w.-]+",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "plain-text-password-value",
        r"plain-text-password-value\s+[\"']?([^\s\"';]{5,100})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "tacacs radius",
        r"(?:tacacs|radius)-server\s[^\n]{0,100}?\bkey\s(?:\d\s)?[\"']?([^\s\"';]{5,100})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "sshpass=",
        r"sshpass=[\"']?([^\s\"'$;&|]{5,100}\$?)",
        is_password_value,
    ),
    # A file of one secret, and what a terminal printed of it.
    SecretRule(
        "secret",
        "cat",
        r"cat\s+[^\s|;&]{0,100}(?:key|secret|token)[^\s|;&]{0,10}"
        r"[ \t]*\r?\n([^\s:]{16,200})[ \t]*(?=\r?\n|$)",
        lambda value: is_opener(value) and not value.startswith("-----"),
    ),
    SecretRule(
        "password",
        "random_password",
        r"random_password[\"'][^\n]{0,60}[\s\S]{0,300}?\"result\"\s*:\s*\"([^\s\"]{6,200})",
        is_password,
    ),
    SecretRule(
        "secret",
        "storage provider",
        rf"(?:storage|provider)\s+\"\w{{1,30}}\"\s*\{{[^{{}}]{{0,300}}?token\s*=\s*\"({UUID})",
    ),
    SecretRule(
        "password",
        "::from(",
        r"(?:passw|secret|token|key)\w{0,20}(?:\s*:\s*\w{1,20})?\s*=\s*\w{1,30}::from\("
        r"\"([^\s\"]{6,200})\"",
        is_password,
        inside=True,
    ),
    # A token that one sentence asks for, and another gives.
    SecretRule(
        "secret",
        "it's it\u2019s one",
        r"(?:token|key|secret|credential)s?\b[^\n]{0,90}?\n{0,2}[^\n]{0,20}?"
        r"(?:it['\u2019]s|one(?:\sis|:))\s+[\"'`]?([\w+/.~=-]{20,200})",
        _is_key,
        inside=True,
    ),
    # A token that a question is about.
    SecretRule(
        "secret",
        "`",
        r"`([\w+/.~=-]{20,200})`,?\s(?:is\s)?"
        r"(?:[\w-]{1,20}\s){1,4}?(?:key|token|secret)\b",
        _is_key,
    ),
)
