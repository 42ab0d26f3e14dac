"""Secrets assigned to a name: a password, a token, a vendor's key."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rove_core.safety.secrets.checks import is_code, is_drawn, is_id, is_password, is_random
from rove_core.safety.secrets.table_values import values_of

#: What a value called a password, a token or a key must look like to be this vendor's.
VENDORS: Final = (
    ("aws_secret_key", r"aws|secret.?access", r"[A-Za-z0-9/+]{40}"),
    ("azure_devops_pat", r"azure|devops|vsts|ado\b|tfs", r"[a-z2-7]{52}"),
    ("datadog_key", r"datadog|\bdd\b|dd_", r"[a-f0-9]{32}|[a-f0-9]{40}"),
    ("heroku_key", r"heroku", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    ("cloudflare_token", r"cloudflare|\bcf\b|cf_", r"[\w-]{40}|[a-f0-9]{37}"),
    ("twilio_token", r"twilio", r"[a-f0-9]{32}"),
    ("mailgun_key", r"mailgun", r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}"),
    ("paypal_secret", r"paypal", r"E[\w-]{50,80}"),
    ("okta_token", r"okta", r"00[\w-]{40}"),
    ("pagerduty_key", r"pagerduty|\bpd\b", r"[\w+-]{20}|[a-f0-9]{32}"),
    ("launchdarkly_key", r"launch.?darkly", r"(?:sdk|api|mob)-[0-9a-f-]{36}"),
    ("wandb_key", r"wandb", r"[a-f0-9]{40}"),
    ("atlassian_token", r"atlassian|jira|confluence|bitbucket", r"[A-Za-z0-9]{24}|[A-Za-z0-9]{20}"),
    ("vault_token", r"vault", r"[sbr]\.[\w-]{24,120}"),
    ("trello_key", r"trello", r"[a-f0-9]{32}|[a-f0-9]{64}"),
    ("algolia_key", r"algolia", r"[a-f0-9]{32}"),
    ("vercel_token", r"vercel", r"[A-Za-z0-9]{24}"),
    ("netlify_token", r"netlify", r"[\w-]{40,46}"),
    ("linode_token", r"linode", r"[a-f0-9]{64}"),
    ("fastly_token", r"fastly", r"[\w-]{32}"),
    ("cohere_key", r"cohere|\bco\b|co_", r"[A-Za-z0-9]{40}"),
    ("mistral_key", r"mistral", r"[A-Za-z0-9]{32}"),
    ("discord_secret", r"discord", r"[\w-]{32}"),
    (
        "api_key",
        r"snyk|opsgenie|codecov|postmark|consul|railway|typesense|uptrace|buildkite",
        r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
)

#: Words that name a secret; what follows is compared where one stands.
WORDS: Final = (
    r"password",
    r"passwd",
    r"passphrase",
    r"pass_?code",
    r"pwd",
    r"secret",
    r"token",
    r"api.?key",
    r"access.?key",
    r"auth.?key",
    r"account.?key",
    r"master.?key",
    r"signing.?key",
    r"encryption.?key",
    r"private.?key",
    r"license.?key",
    r"shared.?key",
    r"unseal.?key",
    r"sonar.?login",
    r"app.key",
    r"credential",
    r"_pat\b",
    r"(?<=[a-z_])pass\b",
    r"salt\b",
    r"art-api",
    r"key\b",
)
#: What is called a token or a key, and opens nothing.
_PUBLIC: Final = re.compile(
    r"(?:next|prev\w*|page|cursor|lock|change|client|request|idempoten\w+|continuation|sync|"
    r"backward|forward|cancel\w*|action|csrf|xsrf|import|export|copy\w*|start|sequence|unit|"
    r"update)[_. -]?token|(?:public|publishable|dest|sort|primary|foreign|cache|host|object"
    r"|partition|row|range|hash|routing|idempotency|websocket|project|issue|ticket|site|known"
    r"|device\w*|s3).?key|arn:|::|secretsmanager|apigateway.{0,30}api.?key"
    r"|(?:prefix|policy|expir\w*|[_. -]id|key.?id|arn|name|type|identifier|ur[il]"
    r"|path|file|length|header|field)$"
)
_ASSIGNED: Final = re.compile(
    r"(?P<name>[\w.-]{0,30}+(?: [\w-]{1,15}){0,4}?)"
    r"(?:[\"'`\]*]{0,3}\s{0,3}(?::\s?[a-z][\w.\[\]]{0,20}\s?=|=>|:=|={1,3}|!={1,2}|[:>]|\bis\b"
    r"|,(?=\s?[brfu]?[\"']))(?![=:])[\s*]{0,3}"
    r"|(?:(?<=--password)|(?<=--passphrase)|(?<=-token)|(?<=-api-key)|(?<=-secret))\s)"
    r"(?:[brfu]{0,2}(?:(?P<quote>[\"'`]{1,3})(?P<quoted>[^\n\"'`]{8,2000})(?P=quote))"
    r"|(?P<bare>[^\s\"'`,;<>&|)]{8,2000}))",
    re.IGNORECASE | re.ASCII,
)


#: What may stand between a name and its value where no sign joins the two: the other fields of a
#: pair of a name and a value, the type of a variable, a remark in brackets, the next line.
_APART: Final = re.compile(
    r"(?P<name>[\w.-]{0,30}+)"
    r"(?P<between>(?:\([^()\n\"']{0,60}\)|[^\w(}]|\("
    r"|(?:\w{0,12}value|default|type|string|str|char|const|token|bearer|basic|is|was|to|as|var|let"
    r"|env|val|literal|plaintext|base64|unsafe|b)\b){1,40}+)"
    r"(?P<value>[^\s\"'`<>,;(){}\[\]]{6,2000})",
    re.IGNORECASE | re.ASCII,
)
#: A field for the value of a name in the field before.
_VALUE_FIELD: Final = re.compile(
    r"\b\w{0,12}(?:value|default)[\"']?\s{0,2}[:=>]"
    r"|[:=]\s{0,3}(?:[|>][+-]?\d?[ \t]*\n|!{1,2}\w+[ \t])",
    re.IGNORECASE,
)
#: What parts a value from its name: a word, or the end of a line that no tag or block begins.
_WORD_OR_LINE: Final = re.compile(r"\w|(?<![>|\s])\s*\n", re.ASCII)
#: A name of a setting with "key" at its end.
_KEY_SETTING: Final = re.compile(r"[A-Za-z0-9](?:[_.-][Kk]ey|_KEY|Key)[\w.-]{0,20}$")
#: A name of a variable, a setting or a header: more than a word.
_COMPOUND: Final = re.compile(r"\w[_.-]\w|[a-z][A-Z]")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
#: Names whose value opens something even if it has the form of an id.
_OPENS: Final = re.compile(
    r"(?:api|access|auth|client|private|secret|refresh|bearer|bot|license).?(?:key|token|secret)"
    r"|[a-z_] ?token|password|passwd|secret[\"'\s:=]*$"
)
_MARK: Final = "[secret:"
#: As much of a value as tells whether it is a secret; to check the rest would take long.
_CHECKED: Final = 200
#: How AWS marks an example of a key, wherever in it.
_EXAMPLE: Final = "EXAMPLE"
#: All of these words at once.
NAMES: Final = re.compile("|".join(WORDS))


class NamedSecrets:
    """Finds secrets that are given to a name.

    Args:
        words: Patterns of words that name a secret.
        vendors: What a value must look like to be some vendor's: a kind, who, the form.
    """

    def __init__(
        self, words: Sequence[str] = WORDS, vendors: Sequence[tuple[str, str, str]] = VENDORS
    ) -> None:
        self._names = re.compile("|".join(words))
        self._vendors = [(kind, re.compile(who), re.compile(form)) for kind, who, form in vendors]

    def search(self, text: str, lower: str) -> Iterator[tuple[str, int, int]]:
        """Yield the kind, the start and the end of each secret.

        Args:
            text: The text.
            lower: The text in lower case, every character where it was.
        """
        for name in self._names.finditer(lower):
            yield from self._assigned_values(text, name)
            yield from self._tabled(text, name)

    def _tabled(self, text: str, name: re.Match[str]) -> Iterator[tuple[str, int, int]]:
        """Yield the secrets beside or below a name in a table."""
        for start, end in values_of(text, *name.span()):
            before = text[max(0, name.start() - 40) : name.start()].rpartition("\n")[2]
            called = before.rpartition("|")[2] + text[name.start() : name.end()]
            value = text[start:end]
            if kind := self._kind(called, value, name[0]):
                yield kind, start, end

    def _assigned_values(self, text: str, name: re.Match[str]) -> Iterator[tuple[str, int, int]]:
        if _MARK in text[max(0, name.start() - 8) : name.start() + 7]:
            return
        before = text[max(0, name.start() - 40) : name.start()].rpartition("\n")[2]
        found = _ASSIGNED.match(text, name.start())
        if found:
            group = "quoted" if found["quoted"] else "bare"
            value = found[group]
            called = before + found["name"]
            is_given = not (group == "bare" and is_code(value))
            if is_given and (kind := self._kind(called, value, name[0])):
                yield kind, *found.span(group)
                return
        yield from self._apart(text, name, before)

    def _apart(self, text: str, name: re.Match[str], before: str) -> Iterator[tuple[str, int, int]]:
        """Yield the value that follows a name without a sign between them, if it looks random."""
        found = _APART.match(text, name.end())
        if not found or found["between"].count("\n") > 2:
            return
        called = before + text[name.start() : found.end("name")]
        between = found["between"]
        value = found["value"].rstrip(".:=\\") if "==" not in found["value"] else found["value"]
        start = found.start("value")
        checked = value[:_CHECKED]
        is_random_here = is_drawn(checked) or (is_id(checked) and _is_setting(called, between))
        if not (is_random_here or _VALUE_FIELD.search(between)):
            return
        if kind := self._kind(called, value, name[0]):
            yield kind, start, start + len(value)

    def _kind(self, called: str, whole: str, word: str) -> str:
        """Return the kind of a secret that has a name; empty if it is none."""
        lower, value = called.lower(), whole[:_CHECKED]
        if _EXAMPLE in whole:
            return ""
        if _PUBLIC.search(lower) or (word == "key" and not _is_key(called, value)):
            return ""
        for kind, vendor, form in self._vendors:
            if vendor.search(lower) and form.fullmatch(value) and is_random(value):
                return kind
        is_called_password = word.startswith("pa") or word == "pwd"
        if not is_password(value) and not (_UUID.fullmatch(value) and _OPENS.search(lower)):
            return ""
        return "password" if is_called_password else "secret"


def _is_setting(called: str, between: str) -> bool:
    """Return whether a name is that of a setting, and its value follows at once."""
    last = called.split()[-1:]
    return bool(last and _COMPOUND.search(last[0])) and not _WORD_OR_LINE.search(between)


def _is_key(called: str, value: str) -> bool:
    """Return whether "key" is part of a name of a setting, or its value looks random anyway."""
    if "." in value or ("/" in value and "-" in value):  # the name of an object in a store
        return False
    return is_drawn(value) or bool(_KEY_SETTING.search(called))
