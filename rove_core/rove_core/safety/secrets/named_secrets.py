"""Secrets assigned to a name: a password, a token, a vendor's key."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import (
    is_chosen,
    is_code,
    is_drawn,
    is_id,
    is_noise,
    is_password,
    is_password_value,
    is_random,
    is_strong,
)
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
    r"pass(?<=[a-z_]pass)\b",
    r"salt\b",
    r"art-api",
    r"keys?\b",
)
#: Words that are more often something else: only what looks drawn by lot is a secret there.
VAGUE_WORDS: Final = (
    r"auth\b",
    r"psk\b",
    r"pw(?:(?<![a-z0-9]pw)|(?<=dbpw)|(?<=rootpw)|(?<=adminpw))\b",
    r"dsn\b",
    r"otp(?<![a-z]otp)\b",
    r"totp\b",
    r"pat(?<![a-z0-9]pat)\b",
    r"2fa\b",
    r"mfa\b",
    r"recovery.?codes?\b",
    r"backup.?codes?\b",
    r"access.?codes?\b",
    r"activation.?codes?\b",
)
#: All of those, and "key".
_VAGUE: Final = lazy_pattern("keys?|auth|psk|pw|dsn|t?otp|pat|[2m]fa|.*codes?")
#: What is called a token or a key, and opens nothing.
_PUBLIC: Final = lazy_pattern(
    r"(?:next|prev\w*|page|cursor|lock|change|client|request|idempoten\w+|continuation|sync|"
    r"backward|forward|cancel\w*|action|csrf|xsrf|import|export|copy\w*|start|sequence|unit|"
    r"update|starting|product)[_. -]?token|(?:public|publishable|dest|sort|primary"
    r"|foreign|cache|host|object"
    r"|partition|row|range|hash|routing|idempotency|websocket|project|issue|ticket|site|known"
    r"|device\w*|s3|wrapped).?key|amz.?credential|cert.?hash|recv.?keys|authorized.?keys|certificate|cipher.?text|verifier"
    r"|arn:|::|putty.user|secretsmanager|apigateway.{0,30}api.?key"
    r"|(?:prefix|policy|expir\w*|[_. -]id|key.?id|arn|name|type|identifier|ur[il]"
    r"|path|file|length|header|field|(?:credential|token).?id|finger.?print|digest|usage|version|count|size|ttl|lifetime|limit|mode|format)$"
)
_ASSIGNED: Final = lazy_pattern(
    r"(?P<name>[\w.-]{0,30}+(?: [\w-]{1,15}){0,4}?)"
    r"(?:[\"'`\]*]{0,3}\s{0,3}(?::\s?&?[a-z][\w.\[\]<>?]{0,20}\s?=|=>|:=|={1,3}|!={1,2}|[:>]|\bis\b"
    r"|,(?=(?:[ \t]{0,20}|\s)[brfu]?[\"']))(?![=:])(?:[ \t*]{4,20}|[\s*]{0,3})"
    r"|(?:(?<=--password)|(?<=--passphrase)|(?<=-token)|(?<=-api-key)|(?<=-secret))\s)"
    r"(?:[brfu]{0,2}(?:(?P<quote>[\"'`]{1,3})(?P<quoted>[^\n\"'`]{8,2000})(?P=quote))"
    r"|(?P<around>[\"'])(?P<noisy>(?:(?!(?P=around))[^\n]){24,200}+)(?P=around)"
    r"|(?P<bare>[^\s\"'`,;<>&|)]{8,2000}))",
    re.IGNORECASE | re.ASCII,
)


#: What may stand between a name and its value where no sign joins the two: the other fields of a
#: pair of a name and a value, the type of a variable, a remark in brackets, the next line.
_APART: Final = lazy_pattern(
    r"(?P<name>[\w.-]{0,30}+)"
    r"(?P<between>(?:\([^()\n\"']{0,60}\)|[^\w(}]|\("
    r"|(?:\w{0,12}value|default|type|string|str|char|const|token|bearer|basic|is|was|to|as|var|let"
    r"|env|val|literal|plaintext|base64|unsafe|b)\b){1,40}+)"
    r"(?P<value>[^\s\"'`<>,;(){}\[\]]{6,2000})",
    re.IGNORECASE | re.ASCII,
)
#: A field for the value of a name in the field before.
_VALUE_FIELD: Final = lazy_pattern(
    r"\b\w{0,12}(?:value|default)[\"']?\s{0,2}[:=>]"
    r"|[:=]\s{0,3}(?:[|>][+-]?\d?[ \t]*\n|!{1,2}\w+[ \t])|</key>\s{0,20}<string>",
    re.IGNORECASE,
)
#: What parts a value from its name: a word, or the end of a line that no tag or block begins.
_WORD_OR_LINE: Final = lazy_pattern(r"\w|(?<![>|\s])\s*\n", re.ASCII)
#: A name of a setting with "key" at its end.
_KEY_SETTING: Final = lazy_pattern(r"[A-Za-z0-9](?:[_.-][Kk]ey|_KEY|Key)[\w.-]{0,20}$")
#: A name of a variable, a setting or a header: more than a word.
_COMPOUND: Final = lazy_pattern(r"\w[_.-]\w|[a-z][A-Z]")
_UUID: Final = lazy_pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
#: Names whose value opens something even if it has the form of an id.
_OPENS: Final = lazy_pattern(
    r"(?:api|access|auth|client|private|secret|bearer|bot|licen[cs]e|encryption|signing|storage"
    r"|master|shared|hmac|service|deploy|admin|app|webhook|ingest|write|integration).?key"
    r"|[a-z_] ?token|passw(?:or)?d|pwd|pass\b|salt|secret[\"'\s:=\]]*$"
)
_SHOUTED: Final = lazy_pattern("[A-Z]_KEYS?$")
#: What makes a name an option of a command.
_OPTION: Final = lazy_pattern(r"(?:^|[\s\"'`(\[,])(?:--?|/)[\w-]*$")
#: The value of an option.
_ARGUMENT: Final = lazy_pattern(
    r"(?P<name>[\w-]{0,30}+)(?:[ \t]+|[=:])"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>$\[\](){}|;]{6,2000})(?P=quote)",
    re.ASCII,
)
#: A line that is a setting: a few words, the last of them the value.
_SETTING: Final = lazy_pattern(
    r"(?P<name>[\w.-]{0,20}+)(?:[ \t]\d)?[ \t]+"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"'`<>]{8,400})(?P=quote)[ \t]*(?=\n|$)",
    re.ASCII,
)
_FIRST_WORDS: Final = lazy_pattern(
    r"[ \t]*(?:[$#>*-][ \t]+)?#?(?:[\w.-]+[ \t]+){0,3}[\w.-]*", re.ASCII
)
#: A value in a field that follows the one with its name, perhaps after others; or one before it.
_PAIRED: Final = lazy_pattern(
    r"[\w.-]{0,30}+[\"']?\s*,\s*"
    r"(?:[\"']?\w{1,20}[\"']?\s*[:=]\s*[\"']?[^\"'\n,{}]{0,60}[\"']?\s*,\s*){0,3}"
    r"[\"']?\w{0,12}(?i:value)[\"']?\s*[:=]\s*[\"']?(?P<value>[^\s\"',}]{6,2000})",
    re.ASCII,
)
_PAIRED_BEFORE: Final = lazy_pattern(
    r"value[\"']?\s*[:=]\s*[\"'](?P<value>[^\s\"']{6,200})[\"'],?\s+[\"']?(?:\w+:)?"
    r"(?:name|key)[\"']?\s*[:=]\s*[\"'][\w.:/-]*$",
    re.ASCII | re.IGNORECASE,
)
#: How far from its name a value may stand that could be nothing but a secret.
_FAR: Final = 90
_SECOND_FACTOR: Final = lazy_pattern("t?otp|[2m]fa|pat")
_NO_PROSE: Final = lazy_pattern("[\"'=&{}<>|]|\\s--?[a-z]|EXAMPLE|`[\\w ]+`")
_RUN: Final = lazy_pattern(r"(?<![\w/.%+=-])(?P<value>[\w+/.~:-]{20,400}=*)", re.ASCII)
_LONGEST_RUN: Final = 410
#: A list of values.
_LISTED: Final = lazy_pattern(r"[:=]\s*(?:\[\s*[\"']?|\n[ \t]*-[ \t]+[\"']?|$)|<")
_MARK: Final = "[secret:"
#: As much of a value as tells whether it is a secret; to check the rest would take long.
_CHECKED: Final = 200
#: How AWS marks an example of a key, wherever in it.
_EXAMPLE: Final = "EXAMPLE"
#: The start of a pattern that stands for itself; a letter before ``?`` may be missing.
_PLAIN_LETTERS: Final = lazy_pattern("(?:[a-z0-9_-](?!\\?))+")
#: All words that name a secret at once.
NAMES: Final = lazy_pattern("|".join(WORDS))


class NamedSecrets:
    """Finds secrets that are given to a name.

    Args:
        words: Patterns of words that name a secret.
        vendors: What a value must look like to be some vendor's: a kind, who, the form.
    """

    def __init__(
        self,
        words: Sequence[str] = (*WORDS, *VAGUE_WORDS),
        vendors: Sequence[tuple[str, str, str]] = VENDORS,
    ) -> None:
        # One by one: Python looks for text that begins with letters much faster than for choices.
        self._names = [(_first_letters(word), lazy_pattern(word)) for word in words]
        self._vendors = [
            (kind, lazy_pattern(who), lazy_pattern(form)) for kind, who, form in vendors
        ]

    @property
    def signs(self) -> Collection[str]:
        """What the words begin with that name a secret."""
        return {letters for letters, _ in self._names}

    def search(
        self, text: str, lower: str, signs: Collection[str]
    ) -> Iterator[tuple[str, int, int]]:
        """Yield the kind, the start and the end of each secret.

        Args:
            text: The text.
            lower: The text in lower case, every character where it was.
            signs: Those of the ``signs`` that the text has.
        """
        names = [
            found
            for letters, word in self._names
            if letters in signs
            for found in word.finditer(lower)
        ]
        done = 0
        for name in sorted(names, key=lambda found: (found.start(), -found.end())):
            if name.start() < done:
                continue
            done = name.end()
            yield from self._assigned_values(text, name)
            yield from self._tabled(text, name)

    def _tabled(self, text: str, name: re.Match[str]) -> Iterator[tuple[str, int, int]]:
        """Yield the secrets beside or below a name in a table."""
        for start, end in values_of(text, *name.span()):
            before = text[max(0, name.start() - 40) : name.start()].rpartition("\n")[2]
            called = before.rpartition("|")[2] + text[name.start() : name.end()]
            value = text[start:end]
            if not is_code(value) and (kind := self._kind(called, value, name[0])):
                yield kind, start, end

    def _assigned_values(self, text: str, name: re.Match[str]) -> Iterator[tuple[str, int, int]]:
        if _MARK in text[max(0, name.start() - 8) : name.start() + 7]:
            return
        before = text[max(0, name.start() - 40) : name.start()].rpartition("\n")[2]
        found = _ASSIGNED.match(text, name.start())
        if found:
            group = next(each for each in ("quoted", "noisy", "bare") if found[each])
            value = found[group]
            called = before + found["name"]
            is_given = is_noise(value) if group == "noisy" else not _is_computed(value, group)
            if is_given and (kind := self._kind(called, value, name[0])):
                yield kind, *found.span(group)
                return
        for value in _beside(text, name, before):
            called = (
                before.rpartition(", ")[2]
                + text[name.start() : name.end()]
                + (value.groupdict().get("name") or "")
            )
            yield from self._sure(value, called, name[0])
        yield from self._apart(text, name, before)

    def _sure(self, found: re.Match[str], called: str, word: str) -> Iterator[tuple[str, int, int]]:
        """Yield what stands where only the value of a name stands."""
        value = found["value"].rstrip(".,:\\")
        checked = value[:_CHECKED]
        if _EXAMPLE in value or _PUBLIC.search(called.lower()):
            return
        is_vague = bool(_VAGUE.fullmatch(word))
        if (
            is_drawn(checked)
            or is_id(checked)
            or (
                is_strong(checked) and is_password_value(checked)
                if is_vague
                else is_password_value(checked)
            )
        ):
            kind = "password" if word.startswith("pa") or word == "pwd" else "secret"
            start = found.start("value")
            yield kind, start, start + len(value)

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
        if name[0] == "key" and between == "/":  # a path
            return
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
        if _PUBLIC.search(lower) or (word in ("key", "keys") and not _is_key(called, value)):
            return ""
        if _VAGUE.fullmatch(word) and word not in ("key", "keys") and not _is_vague_secret(value):
            return ""
        for kind, vendor, form in self._vendors:
            if vendor.search(lower) and form.fullmatch(value) and is_random(value):
                return kind
        is_called_password = word.startswith("pa") or word == "pwd"
        if not (
            is_password(value)
            or (_UUID.fullmatch(value) and (_OPENS.search(lower) or _SHOUTED.search(called)))
            or (word not in ("key", "keys") and is_chosen(value))
        ):
            return ""
        return "password" if is_called_password else "secret"


def _is_computed(value: str, group: str) -> bool:
    """Return whether a value without quotes is an expression of a program."""
    return group == "bare" and is_code(value)


def _first_letters(word: str) -> str:
    """Return the letters that a pattern begins with: those before anything optional or special."""
    plain = _PLAIN_LETTERS.match(word)
    return plain[0] if plain else ""


def _beside(text: str, name: re.Match[str], before: str) -> Iterator[re.Match[str]]:
    """Yield what may be the value of a name: of an option, of a line, or in a field of its own."""
    if _OPTION.search(before):
        found = _ARGUMENT.match(text, name.end())
    elif _FIRST_WORDS.fullmatch(before):
        found = _SETTING.match(text, name.end())
        is_sure = found and (
            is_password(found["value"])
            or (found["quote"] and name[0].startswith("pa") and is_password_value(found["value"]))
        )
        found = found if is_sure else None
    else:
        found = None
    found = found or _further(text, name)
    found = found or _PAIRED.match(text, name.end())
    found = found or _PAIRED_BEFORE.search(text, max(0, name.start() - 250), name.start())
    if found:
        yield found


def _further(text: str, name: re.Match[str]) -> re.Match[str] | None:
    """Return what looks drawn by lot further on in the line of a name that says what it is."""
    if _VAGUE.fullmatch(name[0]) and not _SECOND_FACTOR.fullmatch(name[0]):
        return None
    end = name.end() + _FAR + _LONGEST_RUN
    line = text.find("\n", name.end(), end)
    for found in _RUN.finditer(text, name.end(), end if line < 0 else line):
        if found.start() > name.end() + _FAR or _NO_PROSE.search(text, name.end(), found.start()):
            return None
        value = found["value"].rstrip(".,:")
        if is_drawn(value) or (is_id(value) and text[name.end() : found.start()].isspace()):
            return found
    return None


def _is_vague_secret(value: str) -> bool:
    return is_drawn(value) or is_id(value) or (is_strong(value) and value[0] != "/")


def _is_setting(called: str, between: str) -> bool:
    """Return whether a name is that of a setting, and its value follows at once."""
    last = called.split()[-1:]
    if last and _LISTED.search(between) and not called.lower().endswith(("key", "keys")):
        return True
    return bool(last and _COMPOUND.search(last[0])) and not _WORD_OR_LINE.search(between)


def _is_key(called: str, value: str) -> bool:
    """Return whether "key" is part of a name of a setting, or its value looks random anyway."""
    if "." in value or ("/" in value and "-" in value):  # the name of an object in a store
        return False
    return is_drawn(value) or bool(_KEY_SETTING.search(called))
