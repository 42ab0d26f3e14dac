"""Secrets of every kind that the scanner's rules describe, drawn by lot in their vendors' forms."""

import base64
import json
import random
import string
import zlib
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import frozen

Make: TypeAlias = Callable[[random.Random], str]

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
BASE62 = DIGITS + UPPER + LOWER
HEX = DIGITS + "abcdef"
WEB = BASE62 + "-_"
BASE64 = BASE62 + "+/"
BASE32 = UPPER + "234567"


def some(lot: random.Random, letters: str, length: int) -> str:
    """Draw letters by lot."""
    return "".join(lot.choices(letters, k=length))


def drawn(*parts: str | tuple[str, int]) -> Make:
    """Return what makes a secret of fixed texts and of letters drawn by lot."""
    return lambda lot: "".join(
        part if isinstance(part, str) else some(lot, *part) for part in parts
    )


def checked(prefix: str) -> Make:
    """Return what makes a token whose last six characters are the CRC-32 of the thirty before."""

    def make(lot: random.Random) -> str:
        body = some(lot, BASE62, 30)
        rest, digits = zlib.crc32(body.encode()), ""
        while rest:
            rest, digit = divmod(rest, 62)
            digits = BASE62[digit] + digits
        return f"{prefix}{body}{digits:0>6}"

    return make


def uuid(lot: random.Random) -> str:
    """Return a random UUID."""
    return "-".join(some(lot, HEX, length) for length in (8, 4, 4, 4, 12))


def jwt(lot: random.Random) -> str:
    """Return a signed token as RFC 7519 has it."""
    head = {"alg": "HS256", "typ": "JWT"}
    claims = {"sub": some(lot, DIGITS, 10), "exp": lot.randrange(2**31)}
    parts = (json.dumps(head).encode(), json.dumps(claims).encode(), lot.randbytes(32))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def pem(
    label: str, size: int = 600, *, head: str = "", end: str = "\n", is_cut: bool = False
) -> Make:
    """Return what makes a private key between its marks, in lines of 64.

    Args:
        label: What it is.
        size: How many bytes it has.
        head: What stands before them.
        end: What ends a line.
        is_cut: Whether the mark at its end is missing.
    """

    def make(lot: random.Random) -> str:
        text = base64.b64encode(b"0\x82" + lot.randbytes(size)).decode()
        lines = [text[start : start + 64] for start in range(0, len(text), 64)]
        last = () if is_cut else (f"-----END {label}-----",)
        return head.join((f"-----BEGIN {label}-----{end}", end.join((*lines, *last))))

    return make


def discord(lot: random.Random) -> str:
    """Return a bot's token: its number in base64, a time, a signature."""
    number = str(lot.randrange(10**17, 10**18))
    name = base64.b64encode(number.encode()).decode().rstrip("=")
    return f"{name}.{some(lot, WEB, 6)}.{some(lot, WEB, 38)}"


def sentry(lot: random.Random) -> str:
    """Return an organisation's token: what it is for, then what is secret."""
    about = {"iat": lot.random(), "url": "https://sentry.io", "region_url": "", "org": "acme"}
    text = base64.b64encode(json.dumps(about, separators=(",", ":")).encode()).decode()
    return f"sntrys_{text}_{some(lot, BASE64, 43)}"


@frozen
class Form:
    """A secret and the text around it.

    Attributes:
        kind: What the scanner calls it.
        make: What draws it.
        before: What stands before it.
        after: What stands behind it.
    """

    kind: str
    make: Make
    before: str = "use "
    after: str = " please"

    def planted(self) -> tuple[str, int, int]:
        """Return a text with one secret of this form, and where it stands."""
        secret = self.make(random.Random(self.kind + self.before))  # noqa: S311  # it opens nothing
        return self.before + secret + self.after, len(self.before), len(self.before) + len(secret)


def prefixed(kind: str, prefixes: str, *rest: str | tuple[str, int]) -> Sequence[Form]:
    """Return a form for each of some prefixes, with the same rest."""
    return [Form(kind, drawn(prefix, *rest)) for prefix in prefixes.split()]


def uuid_behind(kind: str, prefixes: str) -> Sequence[Form]:
    """Return a form for each of some prefixes, with a UUID behind it."""
    return [Form(kind, _with_uuid(prefix)) for prefix in prefixes.split()]


def _with_uuid(prefix: str) -> Make:
    return lambda lot: prefix + uuid(lot)


A: Final = ("abcdefgh", 1)
_FIVES: Final = ("-", (BASE32, 5)) * 3
HEX_UPPER: Final = DIGITS + "ABCDEF"
SIGNED_IN: Final = drawn("k3yR", (BASE62, 30), "9Zq")
BASIC: Final = "cm9iaW46VHIwdWI0ZG9yJjM="

#: At least one form for each sign of each rule.
FORMS: Final[Sequence[Form]] = (
    *prefixed("aws_access_key", "AKIA ASIA ABIA ACCA", (BASE32, 16)),
    *prefixed("aws_session_token", "IQoJb3JpZ2lu FwoGZXIvYXdz", (BASE62, 200)),
    *prefixed("aws_bedrock_key", "ABSK bedrock-api-key-", (BASE62, 120)),
    *uuid_behind("aws_mws_token", "amzn.mws."),
    *prefixed("gcp_api_key", "AIza", (WEB, 34), A),
    *prefixed("gcp_access_token", "ya29.", (WEB, 60), A),
    *prefixed("gcp_refresh_token", "1//0", (WEB, 60), A),
    *prefixed("gcp_client_secret", "GOCSPX-", (WEB, 27), A),
    Form("azure_storage_key", drawn((BASE64, 86), "=="), "AccountKey=", ";"),
    *(
        Form("azure_storage_key", drawn((BASE62, 76), "+ASt", (BASE62, 5), end, "=="))
        for end in "AQgw"
    ),
    Form("azure_shared_access_key", drawn((BASE64, 43), "="), "SharedAccessKey="),
    Form("azure_client_secret", drawn((BASE62, 3), "8Q~", (BASE62, 34))),
    Form("azure_devops_pat", drawn((BASE62, 76), "AZDO", (BASE62, 4))),
    Form("azure_openai_key", drawn((BASE62, 52), "JQQJ99", (BASE62, 26))),
    *(Form("azure_function_key", drawn((WEB, 43), "aAzFu", (WEB, 5), end, "==")) for end in "AQgw"),
    *(
        Form("azure_sas", drawn((BASE62, 41), "%2F", (BASE62, 3), end), "?sv=2024&sig=", "&x=1")
        for end in ("%3D", "%3d", "=")
    ),
    Form("azure_sas", drawn((WEB, 42), A), "/invoke?api-version=1&sp=%2Frun&sv=1.0&sig=", "\n"),
    *prefixed("alibaba_key", "LTAI", (BASE62, 20)),
    *prefixed("tencent_key", "AKID", (BASE62, 32)),
    *prefixed("yandex_key", "AQVN", (WEB, 35), A),
    *prefixed("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", (HEX, 64)),
    *prefixed("heroku_key", "HRKU-", (WEB, 60), A),
    *prefixed("vercel_token", "vcp_ vci_ vca_ vcr_ vck_", (BASE62, 56)),
    *prefixed("vercel_blob_token", "vercel_blob_rw_", (BASE62, 16), "_", (BASE62, 30)),
    *prefixed("netlify_token", "nfp_ nfo_ nfc_ nfu_", (BASE62, 36)),
    *prefixed("cloudflare_token", "cfut_ cfat_ cfk_", (BASE62, 48)),
    *prefixed("cloudflare_origin_key", "v1.0-", (HEX, 24), "-", (HEX, 146)),
    *prefixed("fly_token", "fo1_", (WEB, 42), A),
    *prefixed("fly_token", "fm1a_ fm1r_ fm2_", (BASE62, 140)),
    *prefixed("render_key", "rnd_", (BASE62, 32)),
    *prefixed("scalingo_token", "tk-us-", (WEB, 47), A),
    *prefixed("tigris_secret", "tsec_", (BASE62, 48)),
    *prefixed("openshift_token", "sha256~", (WEB, 42), A),
    *prefixed("tailscale_key", "tskey-auth-", "k", (BASE62, 14), "CNTRL-", (BASE62, 32)),
    *prefixed("netbird_token", "nbp_", (BASE62, 36)),
    *prefixed("nebula_key", "dnkey-", (WEB, 26), "-", (WEB, 51), A),
    *(Form("github_token", checked(prefix)) for prefix in ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]),
    *prefixed("github_token", "ghs_ ghu_", "a7.", (WEB, 90), ".", (WEB, 40), A),
    *prefixed("github_pat", "github_pat_", (BASE62, 22), "_", (BASE62, 59)),
    *prefixed(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- glwt-",
        (BASE62, 24),
    ),
    *prefixed("gitlab_runner_token", "GR1348941", (WEB, 20), A),
    *uuid_behind("launchdarkly_key", "sdk- api-"),
    *prefixed("harness_token", "pat. sat.", (WEB, 22), ".", (BASE62, 24), ".", (BASE62, 20)),
    *prefixed("octopus_key", "API-", (UPPER + DIGITS, 30)),
    *prefixed("trigger_key", "tr_dev_ tr_prod_ tr_stg_ tr_preview_ tr_pat_", (BASE62, 24)),
    *prefixed("inngest_key", "signkey-prod-", (HEX, 64)),
    *prefixed("socket_token", "sktsec_", (BASE62, 44), "_api"),
    *prefixed("bitbucket_password", "ATBB", (BASE62, 24), (HEX_UPPER, 8)),
    *prefixed("atlassian_token", "ATATT3 ATCTT3 ATSTT3", (BASE62, 180), "=", (HEX_UPPER, 8)),
    Form("npm_token", checked("npm_")),
    Form("npmrc_password", drawn((BASE62, 20), "9x"), "//r.acme.dev/:_authToken="),
    Form("npmrc_password", drawn((BASE62, 20), "9x"), "//r.acme.dev/:_password="),
    *prefixed("pypi_token", "pypi-AgE", (WEB, 150), A),
    *prefixed("rubygems_key", "rubygems_", (HEX, 48)),
    *prefixed("nuget_key", "oy2", (LOWER + DIGITS, 43)),
    *prefixed("crates_token", "cio", (BASE62, 32)),
    *prefixed("clojars_token", "CLOJARS_", (LOWER + DIGITS, 60)),
    *prefixed("docker_token", "dckr_pat_ dckr_oat_", (WEB, 26), A),
    *prefixed("jfrog_key", "AKCp", (BASE62, 69)),
    *prefixed("jfrog_key", "cmVmd", (BASE62, 59)),
    *prefixed("buildkite_token", "bkua_", (HEX, 40)),
    *prefixed("circleci_token", "CCIPAT_ CCIPRJ_", (BASE62, 22), "_", (HEX, 40)),
    *prefixed("sonar_token", "squ_ sqp_ sqa_", (HEX, 40)),
    *prefixed("sourcegraph_token", "sgp_", (HEX, 16), "_", (HEX, 40)),
    *prefixed("sourcegraph_token", "sgp_ sgp_local_", (HEX, 40)),
    *prefixed("pulumi_token", "pul-", (HEX, 40)),
    Form("terraform_token", drawn((BASE62, 14), ".atlasv1.", (WEB, 66), A)),
    *prefixed("vault_token", "hvs. hvb. hvr.", (WEB, 90), A),
    *prefixed("doppler_token", "dp.pt. dp.ct. dp.sa. dp.st.dev. dp.scim. dp.audit.", (BASE62, 43)),
    *prefixed("infracost_key", "ico-", (BASE62, 32)),
    *prefixed("onepassword_token", "ops_ey", (BASE62, 250)),
    Form("onepassword_key", drawn("A3-", (BASE32, 6), "-", (BASE32, 11), *_FIVES)),
    Form("onepassword_key", drawn("A3-", (BASE32, 6), "-", (BASE32, 6), "-", (BASE32, 5), *_FIVES)),
    *prefixed(
        "slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo-", (DIGITS, 12), "-", (BASE62, 24)
    ),
    *prefixed("slack_token", "xoxe-1- xoxe.xoxp-1- xoxe.xoxb-1-", (BASE62, 150)),
    *prefixed("slack_session", "xoxc- xoxd-", (BASE62, 80)),
    *prefixed("slack_app_token", "xapp-1-A", (UPPER, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
    *(
        Form(
            "slack_webhook",
            drawn("T", (UPPER, 10), "/B", (UPPER, 10), "/", (BASE62, 24)),
            f"https://hooks.slack.com/{kind}/",
        )
        for kind in ("services", "workflows", "triggers")
    ),
    *prefixed("linear_key", "lin_api_ lin_oauth_ lin_wh_", (BASE62, 40)),
    Form("asana_token", drawn("2/12", (DIGITS, 14), "/12", (DIGITS, 14), ":", (HEX, 32))),
    Form("asana_token", drawn("2/11", (DIGITS, 14), ":", (HEX, 32))),
    *prefixed("notion_token", "ntn_", (DIGITS, 11), (BASE62, 35)),
    *prefixed("notion_token", "secret_", (BASE62, 43)),
    *prefixed("airtable_token", "pat", (BASE62, 14), ".", (HEX, 64)),
    *prefixed("figma_token", "figd_ figo_ figu_ figoh_", (WEB, 40), A),
    *prefixed("postman_key", "PMAK-", (HEX, 24), "-", (HEX, 34)),
    *prefixed("postman_key", "PMAT-", (BASE62, 26)),
    *prefixed("trello_token", "ATTA", (HEX, 64), (HEX_UPPER, 8)),
    *prefixed("clickup_token", "pk_", (DIGITS, 8), "_", (UPPER + DIGITS, 32)),
    *uuid_behind("hubspot_token", "pat-na1- pat-eu1-"),
    *prefixed("intercom_token", "dG9rO", (BASE62, 55)),
    Form("telegram_token", drawn(("123456789", 10), ":AA", (WEB, 32), A)),
    *prefixed(
        "discord_token",
        "Mz Mj MT Nj Nz OD OT ND NT",
        (BASE62, 24),
        ".",
        (WEB, 6),
        ".",
        (WEB, 37),
        A,
    ),
    Form(
        "discord_webhook",
        drawn((DIGITS, 19), "/", (WEB, 67), A),
        "https://discord.com/api/webhooks/",
    ),
    Form(
        "teams_webhook",
        lambda lot: (
            f"webhookb2/{uuid(lot)}@{uuid(lot)}/IncomingWebhook/{some(lot, HEX, 32)}/{uuid(lot)}"
        ),
        "https://acme.webhook.office.com/",
    ),
    *prefixed("contentful_token", "CFPAT-", (WEB, 42), A),
    *prefixed("typeform_token", "tfp_", (WEB, 58), A),
    *prefixed("readme_key", "rdme_", (LOWER + DIGITS, 70)),
    Form("openai_key", drawn("sk-acme-", (BASE62, 20), "T3BlbkFJ", (BASE62, 20))),
    *prefixed("openai_key", "sk-proj- sk-svcacct- sk-admin- sk-None-", (WEB, 100), A),
    *prefixed("openai_key", "sk-", (BASE62, 48)),
    *prefixed("anthropic_key", "sk-ant-api03-", (WEB, 93), "AA"),
    *prefixed("openrouter_key", "sk-or-v1-", (HEX, 64)),
    *uuid_behind("langfuse_key", "sk-lf-"),
    *prefixed("deepseek_key", "sk-", (HEX, 32)),
    *prefixed("huggingface_token", "hf_ api_org_", (BASE62, 34)),
    *prefixed("groq_key", "gsk_", (BASE62, 52)),
    *prefixed("xai_key", "xai-", (BASE62, 80)),
    *prefixed("perplexity_key", "pplx-", (BASE62, 48)),
    *prefixed("replicate_token", "r8_", (BASE62, 37)),
    *prefixed("nvidia_key", "nvapi-", (WEB, 63), A),
    *prefixed("langsmith_key", "lsv2_pt_ lsv2_sk_", (HEX, 32), "_", (HEX, 10)),
    *prefixed("pinecone_key", "pcsk_", (BASE62, 6), "_", (BASE62, 63)),
    *prefixed("tavily_key", "tvly-dev- tvly-prod- tvly-", (BASE62, 32)),
    *prefixed("elevenlabs_key", "sk_", (HEX, 48)),
    *prefixed("fireworks_key", "fw_", (BASE62, 22)),
    *prefixed("cerebras_key", "csk-", (LOWER + DIGITS, 48)),
    *prefixed("e2b_key", "e2b_ sk_e2b_", (HEX, 40)),
    *prefixed("firecrawl_key", "fc-", (HEX, 32)),
    *prefixed("together_key", "tgp_v1_", (WEB, 42), A),
    *prefixed("voyage_key", "pa-", (WEB, 42), A),
    *prefixed("jina_key", "jina_", (WEB, 59), A),
    *prefixed("runpod_key", "rpa_", (UPPER + DIGITS, 40), (LOWER, 6)),
    *prefixed("modal_secret", "as-", (BASE62, 22)),
    *prefixed("brave_key", "BSA", (WEB, 27), A),
    *prefixed("gemini_key", "AQ.Ab", (WEB, 45), A),
    *prefixed("wandb_key", "wandb_v1_", (WEB, 76), A),
    *prefixed("cursor_key", "key_ crsr_", (HEX, 64)),
    *prefixed("stripe_key", "sk_live_ rk_live_ sk_test_ sk_prod_", (BASE62, 60)),
    *prefixed("stripe_webhook_secret", "whsec_", (BASE62, 32)),
    *prefixed("square_token", "sq0atp- sq0csp-", (WEB, 21), A),
    *prefixed("square_token", "EAAA", (WEB, 59), A),
    *prefixed(
        "braintree_token",
        "access_token$production$ access_token$sandbox$",
        (LOWER + DIGITS, 16),
        "$",
        (HEX, 32),
    ),
    *prefixed("shopify_token", "shpat_ shpca_ shppa_ shpss_ shptka_", (HEX, 32)),
    *uuid_behind("plaid_token", "access-sandbox- access-production-"),
    *prefixed("twilio_key", "SK", (HEX, 32)),
    *prefixed("sendgrid_key", "SG.", (WEB, 22), ".", (WEB, 42), A),
    *prefixed("mailgun_key", "key-", (HEX, 32)),
    Form("mailchimp_key", drawn((HEX, 32), "-us21")),
    *prefixed("brevo_key", "xkeysib- xsmtpsib-", (HEX, 64), "-", (BASE62, 16)),
    *prefixed("resend_key", "re_", (BASE62, 8), "_", (BASE62, 24)),
    *prefixed(
        "paddle_key",
        "pdl_live_apikey_ pdl_sdbx_apikey_",
        (LOWER, 26),
        "_",
        (BASE62, 22),
        "_",
        (BASE62, 3),
    ),
    *prefixed("polar_token", "polar_oat_", (BASE62, 43)),
    *prefixed("flutterwave_key", "FLWSECK-", (HEX, 32), "-X"),
    *prefixed("easypost_key", "EZAK EZTK", (BASE62, 54)),
    *prefixed("shippo_token", "shippo_live_ shippo_test_", (HEX, 40)),
    *prefixed("duffel_token", "duffel_live_ duffel_test_", (WEB, 42), A),
    *prefixed("facebook_token", "EAA", "G", (BASE62, 180)),
    *prefixed("dropbox_token", "sl.", (WEB, 135), A),
    *prefixed("newrelic_key", "NRAK-", (UPPER + DIGITS, 27)),
    *prefixed("newrelic_key", "NRII-", (WEB, 31), A),
    *prefixed("newrelic_key", "NRRA-", (HEX, 42)),
    *prefixed("newrelic_key", "NRJS-", (HEX, 19)),
    Form("newrelic_license", drawn((HEX, 36), "FFFFNRAL")),
    *prefixed("sentry_token", "sntrys_eyJ", (BASE62, 100)),
    *prefixed("sentry_token", "sntryu_", (HEX, 64)),
    *prefixed("grafana_token", "glsa_", (BASE62, 32), "_", (HEX, 8)),
    *prefixed("grafana_token", "glc_", (BASE62, 60)),
    *prefixed("dynatrace_token", "dt0c01.", (BASE32, 24), ".", (BASE32, 64)),
    *prefixed("databricks_token", "dapi dose dkea", (HEX, 32)),
    *prefixed("posthog_key", "phx_ phs_", (BASE62, 43)),
    *prefixed("honeycomb_key", "hcaik_ hcxik_ hcalk_ hcxlk_", (LOWER + DIGITS, 58)),
    *prefixed("logfire_token", "pylf_v1_eu_", (BASE62, 43)),
    *uuid_behind("axiom_token", "xaat- xapt-"),
    *prefixed("neon_key", "napi_", (LOWER + DIGITS, 64)),
    *prefixed("dbt_token", "dbtc_ dbtu_", (BASE62, 40)),
    *prefixed("planetscale_password", "pscale_tkn_ pscale_oauth_ pscale_pw_", (WEB, 42), A),
    *prefixed("supabase_key", "sbp_", (HEX, 40)),
    *prefixed("supabase_key", "sb_secret_", (WEB, 30), A),
    *prefixed("neon_password", "npg_", (BASE62, 12)),
    *prefixed("prefect_key", "pnu_", (BASE62, 36)),
    *prefixed("mapbox_token", "sk.eyJ", (WEB, 60), ".", (WEB, 21), A),
    *prefixed("adafruit_key", "aio_", (BASE62, 28)),
    Form("jwt", jwt),
    *prefixed("jwt", "eyJhbGciOiJkaXIi.", *((WEB, 30), ".", A) * 3, (WEB, 30), A),
    Form("secret_token", drawn((BASE62, 32)), "secret-token:"),
    *prefixed("age_key", "AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    Form("private_key", pem("RSA PRIVATE KEY"), "", "\n"),
    Form("private_key", pem("RSA PRIVATE KEY", head="DEK-Info: AES-128-CBC,7A\n\n"), "-", "\n"),
    *(
        Form("private_key", pem("RSA PRIVATE KEY", end=end, is_cut=True), f"cut{at} ", "!")
        for at, end in enumerate(("\n", "\\n", "\n> "))
    ),
    Form("putty_key", drawn(*((BASE64, 64), "\n") * 6), "Private-Lines: 6\n", ""),
    *(
        Form("database_url", SIGNED_IN, f"{scheme}://app:", "@db.acme.dev:5432/app")
        for scheme in (
            *("postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis"),
            *("rediss", "amqp", "amqps", "postgresql+psycopg", "postgresql+psycopg2"),
            *("postgresql+asyncpg", "mysql+pymysql", "mssql", "clickhouse"),
        )
    ),
    Form("url_password", SIGNED_IN, "https://deploy:", "@git.acme.dev/x.git"),
    Form("url_token", SIGNED_IN, "https://", "@git.acme.dev/x.git"),
    Form("url_token", SIGNED_IN, "http://", "@git.acme.dev/x.git"),
    Form("url_token", SIGNED_IN, "https://", ":x-oauth-basic@git.acme.dev/x.git"),
    Form("authorization", lambda _: BASIC, "authorization: Token "),
    Form("authorization", SIGNED_IN, "sent Bearer "),
    Form("authorization", lambda _: BASIC, "sent Basic "),
    Form("okta_token", drawn("00", (WEB, 39), A), "sent SSWS "),
    Form("otp_secret", drawn((BASE32, 32)), "otpauth://totp/Acme:ann?issuer=Acme&secret=", "&x=1"),
    Form("otp_secret", drawn((BASE62, 60), "%3D"), "otpauth-migration://offline?data="),
    Form("ngrok_token", drawn("2", (BASE62, 26), "_5", (BASE62, 20)), "ngrok wants "),
    Form("ngrok_token", drawn("2", (BASE62, 26), "_5", (BASE62, 20)), "authtoken: "),
    *(
        Form("registry_login", lambda _: BASIC, before, "")
        for before in ('"auth": "', "'auth': '", "auth: ", "auth=")
    ),
    *(
        Form("session_cookie", SIGNED_IN, f"sent {name}=")
        for name in ("JSESSIONID", "connect.sid", "acme_auth")
    ),
    *(
        Form("session_cookie", SIGNED_IN, f"Cookie: a=b; {name}=")
        for name in ("remember_me", "authx", "x_tokens", "jwtx", "sidx")
    ),
    Form("netrc_password", drawn((BASE62, 9), "7x"), "machine a login ann password "),
    *(
        Form("command_password", drawn((BASE62, 16), "7x!"), f"{command} -u ann:")
        for command in ("curl", "wget", "sshpass")
    ),
    *(
        Form("command_password", drawn((BASE62, 16), "7x!"), command)
        for command in (
            *("mysql -h db -p", "curl --user ann:", "curl --user=ann:", "sshpass -p "),
            *("docker login -u ann -p ", "docker  login --password ", "docker login --password="),
            *("redis-cli -h db -a ", "keytool -list -storepass ", "redis-cli -a '"),
            *("ConvertTo-SecureString '", "ConvertTo-SecureString -String '"),
        )
    ),
    Form("kubeadm_token", lambda _: "q7x2m9.k3v8z1b5n6c4d0f2", "kubeadm join a --token "),
)


def _called(kind: str, name: str, *form: str | tuple[str, int]) -> Form:
    return Form(kind, drawn(*form), f"{name}=", "\n")


#: At least one form for each vendor whose keys only their names tell apart.
NAMED_FORMS: Final[Sequence[Form]] = (
    _called("aws_secret_key", "aws_secret_access_key", (BASE64, 40)),
    _called("azure_devops_pat", "AZURE_DEVOPS_EXT_PAT", (LOWER + "234567", 52)),
    _called("datadog_key", "DD_API_KEY", (HEX, 32)),
    Form("heroku_key", uuid, "HEROKU_API_KEY="),
    _called("cloudflare_token", "CLOUDFLARE_API_TOKEN", (WEB, 39), A),
    _called("twilio_token", "TWILIO_AUTH_TOKEN", (HEX, 32)),
    Form(
        "mailgun_key",
        drawn((HEX, 32), "-", (HEX, 8), "-", (HEX, 8)),
        "MAILGUN_API_KEY=",
    ),
    _called("paypal_secret", "PAYPAL_CLIENT_SECRET", "E", (WEB, 78), A),
    _called("okta_token", "OKTA_API_TOKEN", "00", (WEB, 39), A),
    _called("pagerduty_key", "PAGERDUTY_TOKEN", "u+", (BASE62, 18)),
    Form("launchdarkly_key", lambda lot: f"mob-{uuid(lot)}", "LAUNCHDARKLY_KEY="),
    _called("wandb_key", "WANDB_API_KEY", (HEX, 40)),
    _called("atlassian_token", "JIRA_API_TOKEN", (BASE62, 24)),
    _called("vault_token", "VAULT_TOKEN", "s.", (BASE62, 24)),
    _called("trello_key", "TRELLO_KEY", (HEX, 32)),
    _called("algolia_key", "ALGOLIA_ADMIN_KEY", (HEX, 32)),
    _called("vercel_token", "VERCEL_TOKEN", (BASE62, 24)),
    _called("netlify_token", "NETLIFY_AUTH_TOKEN", (WEB, 42), A),
    _called("linode_token", "LINODE_TOKEN", (HEX, 64)),
    _called("fastly_token", "FASTLY_API_TOKEN", (WEB, 31), A),
    _called("cohere_key", "COHERE_API_KEY", (BASE62, 40)),
    _called("mistral_key", "MISTRAL_API_KEY", (BASE62, 32)),
    _called("discord_secret", "DISCORD_CLIENT_SECRET", (WEB, 31), A),
    Form("api_key", uuid, "SNYK_TOKEN="),
)

#: Names of each kind that secrets are given to.
NAMES: Final = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential"),
    *("api key", "access key", "auth key", "account key", "master key", "signing key"),
    *("encryption key", "private key", "license key", "app key", "ADO_PAT", "deploy_key"),
    *("preshared key", "Unseal Key 2", "sonar.login", "db_pass", "auth_salt", "x-jfrog-art-api"),
)
#: Names that are more often something else.
VAGUE_NAMES: Final = (
    *("auth", "psk", "db_pw", "dsn", "otp", "totp", "pat", "2fa", "mfa"),
    *("recovery code", "backup code", "access code", "activation code"),
)
