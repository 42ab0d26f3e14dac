"""Secrets as they are pasted into tickets: login commands, addresses, lists of codes."""

# ruff: noqa: RUF001  # the words are those of many languages

from typing import Final

from rove_core.safety.secrets.checks import is_drawn, is_id, is_password_value, is_random
from rove_core.safety.secrets.secret_rule import UUID, SecretRule


def _are_codes(text: str) -> bool:
    """Return whether a list has as many digits as codes drawn by lot."""
    return sum(map(str.isdigit, text)) > len(text) / 4 and is_random(text)


#: Their signs are in lower case; what they are found in may be in any case.
TICKET_RULES: Final = (
    SecretRule(
        "command_password",
        "auth login",
        rf"(?:auth|login)[ \t]+([0-9a-f]{{32,64}}|{UUID})(?!\S)",
        is_id,
    ),
    SecretRule(
        "command_password",
        "ldapsearch",
        r"ldapsearch\b[^\n]{0,200}?\s-w\s*[\"']?([^\s\"']{6,200})",
        is_password_value,
    ),
    # Where a protocol is logged; a test runner writes "PASS", too, but at the start of a line.
    SecretRule(
        "command_password",
        "pass",
        r"(?<=>[ ])(?-i:PASS)[ ](\S{6,100})(?=[ \t]*(?:\r?\n|$))",
        is_password_value,
    ),
    SecretRule(
        "pagerduty_key",
        "routing_key",
        r"routing_key[\"']?\s*[:=]\s*[\"']?([0-9a-f]{32})",
    ),
    SecretRule("url_key", "appid=", r"(?<=[?&])appid=([0-9a-f]{32})"),
    SecretRule("url_key", "/key/", r"/key/([\w-]{20,100})", is_drawn),
    SecretRule("url_key", "://", r"://[^\s#\"'<>]{4,200}#([\w-]{22,100})(?![\w=&/.:%-])", is_drawn),
    SecretRule(
        "private_key",
        "-----begin",
        r"-----BEGIN OpenVPN Static key V1-----\s+([0-9a-f]{16,32}(?:\s+[0-9a-f]{16,32})+)",
    ),
    SecretRule("secret", 'token("', r"token\(\"([^\s\"]{16,400})\"\)", is_drawn),
    SecretRule(
        "recovery_codes",
        "recovery backup",
        r"(?:recovery|backup)[ \t]+codes\b[^\n:=]{0,40}[:=]\s*"
        r"((?:[a-z0-9]{4,8}[ -][a-z0-9]{4,8}[,;]?\s+){2,30}[a-z0-9]{4,8}[ -][a-z0-9]{4,8})",
        _are_codes,
    ),
    SecretRule(
        "recovery_key",
        "filevault recovery",
        r"(?:filevault|recovery)[^\n:=]{1,60}[:=]\s*((?-i:[A-Z0-9]{4}(?:-[A-Z0-9]{4}){5}))(?!-)",
    ),
    # "Key" in other languages.
    SecretRule(
        "secret",
        "anahtar clave llave clé schlüssel chiave chave ключ klucz sleutel 密钥 密鑰 키",
        r"[^\s:=]{1,14}[^\n:=：]{0,30}[:=：]\s*[\"'`]?([\w+/.~=-]{20,400})",
        is_drawn,
    ),
)
