"""Secrets are found: planted in the vendors' documented forms, by a hand of their own.

Nothing here knows the scanner's rules: each form is written down from what its vendor says.
"""

import base64
import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import quote

import pytest
from tests.core.secret_forms import (
    BASE32,
    BASE62,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    WEB,
    Make,
    checked,
    discord,
    drawn,
    jwt,
    pem,
    sentry,
    uuid,
)

from rove_core.safety.secrets import find_secrets, redact_secrets

Carry: TypeAlias = Callable[[str, str], str]

KINDS: Final[Mapping[str, Make]] = {
    "aws access key": drawn("AKIA", (BASE32, 16)),
    "aws temporary key": drawn("ASIA", (BASE32, 16)),
    "gcp api key": drawn("AIza", (WEB, 35)),
    "gcp access token": drawn("ya29.a0", (WEB, 200)),
    "gcp client secret": drawn("GOCSPX-", (WEB, 28)),
    "azure storage": drawn("AccountKey=", (BASE64, 86), "=="),
    "azure service bus": drawn("SharedAccessKey=", (BASE64, 43), "="),
    "azure client secret": drawn((BASE62, 3), "8Q~", (BASE62 + "_-.~", 33), "a"),
    "azure devops": drawn((BASE62, 76), "AZDO", (BASE62, 4)),
    "digitalocean": drawn("dop_v1_", (HEX, 64)),
    "heroku": drawn("HRKU-", (WEB, 58), "a"),
    "netlify": drawn("nfp_", (BASE62, 36)),
    "vercel": drawn("vcp_", (BASE62, 56)),
    "alibaba": drawn("LTAI5t", (BASE62, 18)),
    "github classic": checked("ghp_"),
    "github oauth": checked("gho_"),
    "github user": checked("ghu_"),
    "github server": checked("ghs_"),
    "github refresh": checked("ghr_"),
    "github fine-grained": drawn("github_pat_", (BASE62, 22), "_", (BASE62, 59)),
    "gitlab": drawn("glpat-", (BASE62, 20)),
    "gitlab routable": drawn("glpat-", (BASE62, 27), ".01.", (DIGITS + LOWER, 9)),
    "gitlab runner": drawn("glrt-", (BASE62, 20)),
    "gitlab trigger": drawn("glptt-", (HEX, 40)),
    "bitbucket": drawn("ATBB", (BASE62, 24), ("0123456789ABCDEF", 8)),
    "atlassian": drawn("ATATT3xFfGF0", (WEB, 171), "=", ("0123456789ABCDEF", 8)),
    "atlassian access": drawn("ATCTT3xFfGN0", (WEB, 171), "=", ("0123456789ABCDEF", 8)),
    "slack bot": drawn("xoxb-", (DIGITS, 12), "-", (DIGITS, 13), "-", (BASE62, 24)),
    "slack user": drawn(
        "xoxp-", (DIGITS, 12), "-", (DIGITS, 12), "-", (DIGITS, 13), "-", (HEX, 32)
    ),
    "slack rotated": drawn("xoxe.xoxp-1-", (BASE62, 166)),
    "slack refresh": drawn("xoxe-1-", (BASE62, 147)),
    "slack app": drawn("xapp-1-A", (DIGITS + UPPER, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
    "slack webhook": drawn(
        "https://hooks.slack.com/services/T",
        (DIGITS + UPPER, 10),
        "/B",
        (DIGITS + UPPER, 10),
        "/",
        (BASE62, 24),
    ),
    "linear": drawn("lin_api_", (BASE62, 40)),
    "linear oauth": drawn("lin_oauth_", (HEX, 64)),
    "asana": drawn("2/12", (DIGITS, 14), "/12", (DIGITS, 14), ":", (HEX, 32)),
    "notion": drawn("ntn_", (DIGITS, 11), (BASE62, 35)),
    "notion old": drawn("secret_", (BASE62, 43)),
    "airtable": drawn("pat", (BASE62, 14), ".", (HEX, 64)),
    "figma": drawn("figd_", (WEB, 39), "a"),
    "postman": drawn("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "trello": drawn("ATTA", (HEX, 64), ("0123456789ABCDEF", 8)),
    "hubspot": lambda lot: f"pat-na1-{uuid(lot)}",
    "telegram": drawn(("123456789", 10), ":AA", (WEB, 32), "a"),
    "discord": discord,
    "openai": drawn("sk-", (BASE62, 20), "T3BlbkFJ", (BASE62, 20)),
    "openai project": drawn("sk-proj-", (WEB, 74), "T3BlbkFJ", (WEB, 73), "A"),
    "anthropic": drawn("sk-ant-api03-", (WEB, 93), "AA"),
    "hugging face": drawn("hf_", (LOWER + UPPER, 34)),
    "groq": drawn("gsk_", (BASE62, 52)),
    "replicate": drawn("r8_", (BASE62, 37)),
    "perplexity": drawn("pplx-", (BASE62, 48)),
    "stripe": drawn("sk_live_51", (BASE62, 97)),
    "stripe restricted": drawn("rk_live_", (BASE62, 24)),
    "stripe webhook": drawn("whsec_", (BASE62, 32)),
    "square": drawn("sq0atp-", (WEB, 21), "a"),
    "shopify": drawn("shpat_", (HEX, 32)),
    "braintree": drawn("access_token$production$", (DIGITS + LOWER, 16), "$", (HEX, 32)),
    "twilio": drawn("SK", (HEX, 32)),
    "sendgrid": drawn("SG.", (WEB, 22), ".", (WEB, 42), "a"),
    "mailgun": drawn("key-", (HEX, 32)),
    "mailchimp": drawn((HEX, 32), "-us21"),
    "npm": checked("npm_"),
    "pypi": drawn("pypi-AgEIcHlwaS5vcmc", (WEB, 150), "a"),
    "rubygems": drawn("rubygems_", (HEX, 48)),
    "docker": drawn("dckr_pat_", (WEB, 26), "a"),
    "nuget": drawn("oy2", (LOWER + DIGITS, 43)),
    "crates.io": drawn("cio", (BASE62, 32)),
    "new relic": drawn("NRAK-", (DIGITS + UPPER, 27)),
    "sentry": sentry,
    "sentry user": drawn("sntryu_", (HEX, 64)),
    "grafana": drawn("glsa_", (BASE62, 32), "_", (HEX, 8)),
    "vault": drawn("hvs.CAES", (WEB, 89), "a"),
    "terraform": drawn((BASE62, 14), ".atlasv1.", (WEB, 66), "a"),
    "databricks": drawn("dapi", (HEX, 32)),
    "dynatrace": drawn("dt0c01.", (BASE32, 24), ".", (BASE32, 64)),
    "planetscale": drawn("pscale_tkn_", (WEB, 42), "a"),
    "supabase": drawn("sbp_", (HEX, 40)),
    "doppler": drawn("dp.pt.", (BASE62, 43)),
    "pulumi": drawn("pul-", (HEX, 40)),
    "circleci": drawn("CCIPAT_", (BASE62, 22), "_", (HEX, 40)),
    "age": drawn("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "jwt": jwt,
    "rsa key": pem("RSA PRIVATE KEY"),
    "pkcs8 key": pem("PRIVATE KEY"),
    "encrypted key": pem("ENCRYPTED PRIVATE KEY"),
    "ec key": pem("EC PRIVATE KEY", 119),
    "ssh key": pem("OPENSSH PRIVATE KEY", 380),
    "pgp key": pem("PGP PRIVATE KEY BLOCK"),
    "address with a password": drawn("https://deploy:", (BASE62, 14), "4@git.acme.example/x.git"),
    "database address": drawn(
        "postgresql://app:", (BASE62 + "!$*", 15), "7@db.acme.example:5432/app"
    ),
}

#: Secrets without a form of their own: the words beside them make them known.
CALLED: Final[Mapping[str, Make]] = {
    "aws_secret_access_key": drawn((BASE64, 40)),
    "DD_API_KEY": drawn((HEX, 32)),
    "DATADOG_APP_KEY": drawn((HEX, 40)),
    "HEROKU_API_KEY": uuid,
    "CLOUDFLARE_API_TOKEN": drawn((WEB, 40)),
    "TWILIO_AUTH_TOKEN": drawn((HEX, 32)),
    "MAILGUN_API_KEY": drawn((HEX, 32), "-", (HEX, 8), "-", (HEX, 8)),
    "PAYPAL_CLIENT_SECRET": drawn("E", (WEB, 78), "a"),
    "AZURE_DEVOPS_EXT_PAT": drawn((LOWER + "234567", 52)),
    "JIRA_API_TOKEN": drawn((BASE62, 24)),
    "db_password": drawn((BASE62, 12), "#", (DIGITS, 2), "x!"),
    "client_secret": drawn((BASE62, 32)),
}

CARRIERS: Final[Mapping[str, Carry]] = {
    "prose": lambda name, text: f"Sorry all! Please rotate the {name}: {text} and thanks",
    "code": lambda name, text: f'{name.lower()} = "{text}"  # for the job',
    "json": lambda name, text: json.dumps({"id": 7, name: text}, indent=2),
    "json in json": lambda name, text: json.dumps({"body": json.dumps({name: text})}),
    "env": lambda name, text: f"DEBUG=1\n{name.upper()}={text}\nPORT=8000\n",
    "log": lambda name, text: f"2024-12-15T10:00:00Z INFO app[1] {name.lower()}={text} took=12ms",
    "markdown": lambda name, text: f"- **{name}**: `{text}`\n- and more",
    "yaml": lambda name, text: f"env:\n  - name: x\n    {name}: '{text}'\n",
}
#: What only secrets with a form of their own survive.
DISGUISES: Final[Mapping[str, Carry]] = {
    "escaped markdown": lambda _, text: f"it is {text.replace('_', chr(92) + '_')} now",
    "in an address": lambda _, text: (
        f"https://acme.example/cb?state=1&v={quote(text, safe='')}&x=1"
    ),
    "in base64": lambda name, text: f"data: {base64.b64encode(f'{name}={text}'.encode()).decode()}",
    "broken over lines": lambda _, text: f'x = "{text[:-8]}"\n    "{text[-8:]}"\n',
}


def carried(
    kinds: Mapping[str, Make], carriers: Mapping[str, Carry], times: int
) -> Sequence[tuple[str, str, str, str]]:
    """Return kind, carrier, secret and text of many planted secrets, the same on every run."""
    lot = random.Random(20241215)  # noqa: S311  # they open nothing
    return [
        (kind, carrier, secret := make(lot), carry(_called(kind), secret))
        for kind, make in kinds.items()
        for carrier, carry in carriers.items()
        for _ in range(times)
    ]


def _called(kind: str) -> str:
    return kind if kind in CALLED else f"{kind.replace(' ', '_').replace('.', '_')}_value"


def is_gone(secret: str, text: str) -> bool:
    """Tell whether of a text's secret nothing is left that would open anything."""
    left = redact_secrets(text).replace("\\n", "\n")
    core = secret.replace("\\_", "_").splitlines()[len(secret.splitlines()) // 2][-24:]
    if "://" in secret and "@" in secret:
        core = secret.rpartition("@")[0].rpartition(":")[2]
    plain = left.replace("\\", "")
    return core not in plain and quote(core, safe="") not in left and bool(find_secrets(text))


@pytest.mark.parametrize(
    ("kinds", "carriers", "least"),
    [(KINDS, CARRIERS, 0.99), (CALLED, CARRIERS, 0.98), (KINDS, DISGUISES, 0.98)],
    ids=["formed", "called", "disguised"],
)
def test_planted_secrets_are_found(
    kinds: Mapping[str, Make], carriers: Mapping[str, Carry], least: float
) -> None:
    """Of all that is planted, nearly everything is found and taken out."""
    planted = carried(kinds, carriers, 5)
    missed = [
        (kind, carrier, text)
        for kind, carrier, secret, text in planted
        if not is_gone(secret, text)
    ]
    for kind, carrier, text in missed[:20]:
        print(f"missed: {kind} / {carrier}: {text[:200]!r}")  # noqa: T201  # pytest shows it on failure

    assert 1 - len(missed) / len(planted) >= least
