"""Forms of the keys of further services, each as its vendor or a public scanner describes it."""

from collections.abc import Sequence
from typing import Final

from tests.core.secret_forms import (
    BASE62,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    WEB,
    A,
    Form,
    drawn,
    prefixed,
    some,
    uuid,
    uuid_behind,
)

_BCRYPT: Final = (BASE62, 53)

#: At least one form for each sign and each choice of each of their rules.
FORMS: Final[Sequence[Form]] = (
    Form("azure_registry_key", drawn((BASE64, 41), "a+ACR", (BASE62, 6))),
    Form("azure_cosmos_key", drawn((BASE62, 76), "ACDb", (BASE62, 6), "==")),
    *prefixed("deno_token", "ddp_ ddw_", (BASE62, 36)),
    *prefixed("salad_key", "salad_cloud_ann_", (BASE62, 40)),
    *prefixed("apify_token", "apify_api_", (BASE62, 36)),
    *prefixed("figma_token", "figp_", (WEB, 44), A),
    *prefixed("onepassword_token", "ops_eyJ", (BASE64, 300), "="),
    *prefixed("newrelic_key", "NRIQ-", (WEB, 27), A),
    *prefixed("newrelic_key", "NRBR-", (HEX, 19)),
    Form("newrelic_key", drawn("AA", (HEX, 40), "-NRMA")),
    *prefixed("newrelic_key", "NRAA-", (HEX, 27)),
    Form("newrelic_license", drawn("eu01xx", (HEX, 26), "FFFFNRAL")),
    Form("command_password", drawn((BASE62, 16), "7x!"), "psexec \\\\db -u ann -p "),
    Form("command_password", drawn("Winter", (DIGITS, 4)), "az login -u ann -p "),
    *(
        Form("command_password", drawn("Winter", (DIGITS, 4)), before, "\n")
        for before in (
            *("redis-server --requirepass ", "mstsc /p:", "xfreerdp /u:ann /p:"),
            *("rdp /u:ann /p:", "cmdkey /add:db /user:ann /pass:"),
        )
    ),
    Form("password", drawn("winter", (DIGITS, 4)), "username ann password 0 ", "\n"),
    Form("command_password", drawn("Winter", (DIGITS, 4)), "net use Z: \\\\nas\\x /user:ann "),
    *(
        Form("password", drawn("winter", (DIGITS, 4)), before, after)
        for before, after in (
            *(('<add key="SmtpPassword" value="', '"'), ('<p name="password" value="', '"')),
            *((f"<{name}>", "</x>") for name in ("password", "passwd", "pwd", "passphrase")),
            *(
                (f"- name: DB_{name}\n  value: ", "\n")
                for name in ("PASSWORD", "PASSWD", "PASSPHRASE", "PWD", "PASS")
            ),
            *(
                (f'variable "db_{name}" {{\n  default = "', '"\n}')
                for name in ("password", "passwd", "passphrase", "pwd")
            ),
            *((f'environ.get("DB_{n}", "', '")') for n in ("PASSWORD", "PASSWD", "PASS", "PWD")),
            ('os.getenv("PASS", "', '")'),
            *((f"await page.fill('#{n}', '", "')") for n in ("password", "passwd", "pwd")),
            *((f"cy.get('#password').{verb}('", "')") for verb in ("fill", "type")),
            ("<password><![CDATA[", "]]></password>"),
            ('<property name="a.password">', "</property>"),
            *((f"gh secret set DB_A {option} ", "\n") for option in ("--body", "-b")),
            ("gh secret set DB_A --body=", "\n"),
            *((f"enable {word} 0 ", "\n") for word in ("password", "secret")),
            *(("enable secret 5 ", "\n"),),
            *((f"define('DB_{n}', '", "');") for n in ("PASSWORD", "PASSWD", "PASS", "PWD")),
        )
    ),
    *(
        Form("command_password", drawn((BASE62, 16), "7x!"), f'new {name}("ann", "', '")')
        for name in ("NetworkCredential", "DirectoryEntry")
    ),
    *(
        Form("command_password", drawn((BASE62, 16), "7x!"), before)
        for before in (
            *("7z x a.7z -p", "unzip a.zip -P ", "ldapsearch -x -w ", "openssl enc -k "),
            *(
                "mongosh db -p ",
                "rdesktop db -p ",
                "useradd -m -p ",
                "CREATE USER a IDENTIFIED BY '",
            ),
            *("requirepass ", "bindpw ", "smbclient //db -U ann%"),
            *('<p name="secret" value="', '<p name="token" value="'),
        )
    ),
    *(
        Form("command_password", drawn((BASE62, 16), "7x!"), f"{n}: echo ", f" | {command}")
        for n, command in enumerate(("sudo -S ls", "chpasswd"))
    ),
    Form("vault_unseal_key", drawn((BASE64, 43), "="), "vault operator unseal "),
    *prefixed("rootly_key", "rootly_", (HEX, 64)),
    *prefixed("salesforce_token", "5Aep861", (BASE62, 80)),
    Form("salesforce_token", drawn("00D", (BASE62, 12), "!AQ", (BASE62 + "._", 93), A)),
    *(
        Form(
            "stripe_intent_secret",
            drawn(f"{kind}_", (BASE62, 24), "_secret_", (BASE62, 25)),
            f"{kind} ",
        )
        for kind in ("pi", "seti", "src", "cs")
    ),
    *prefixed("ramp_secret", "ramp_sec_", (BASE62, 48)),
    *uuid_behind("robinhood_key", "rh-api-"),
    *prefixed("flutterwave_key", "FLWSECK_TEST-", (LOWER + DIGITS, 32), "-X"),
    *prefixed("endor_token", "endr+", (BASE62, 16)),
    *prefixed("truffle_secret", "thog-secret-", (HEX, 32)),
    *prefixed("truffle_secret", "thog-key-", (HEX, 16)),
    *prefixed("nightfall_key", "NF-", (BASE62, 32)),
    *prefixed("close_key", "api_", (BASE62, 22), ".", (BASE62, 22)),
    Form("webex_token", lambda lot: f"{some(lot, BASE62, 64)}_PF84_{uuid(lot)}"),
    *prefixed("ubidots_key", "BBFF- BBUS-", (BASE62, 30)),
    Form("tableau_token", drawn((BASE64, 21), "a==:", (BASE62, 32))),
    *prefixed("openai_key", "sk-service-", (WEB, 100), A),
    *prefixed("slack_token", "xoxe-45165445428-", (BASE62, 150)),
    *uuid_behind("plaid_token", "access-development-"),
    *prefixed("sourcegraph_token", "slk_", (HEX, 64)),
    *prefixed("segment_token", "sgp_", (BASE62, 64)),
    *(
        Form(
            "sidekiq_login",
            drawn((HEX, 8), ":", (HEX, 8)),
            f"BUNDLE_{name}__CONTRIBSYS__COM={at}",
        )
        for at, name in (("", "ENTERPRISE"), ("'", "GEMS"))
    ),
    *prefixed("dependency_track_key", "odt_ odt_a7B3c9D2_", (BASE62, 32)),
    Form(
        "teams_webhook",
        lambda lot: f"{uuid(lot)}@{uuid(lot)}/IncomingWebhook/{some(lot, HEX, 32)}/{uuid(lot)}",
        "https://outlook.office.com/webhook/",
    ),
    Form(
        "zapier_webhook",
        drawn((DIGITS, 8), "/", (LOWER + DIGITS, 7)),
        "https://hooks.zapier.com/hooks/catch/",
    ),
    Form(
        "tines_webhook",
        drawn((HEX, 32), "/", (HEX, 32)),
        "https://acme-1.tines.com/webhook/",
    ),
    Form(
        "mattermost_webhook",
        drawn((LOWER + DIGITS, 26)),
        "https://chat.acme.dev/hooks/",
    ),
    Form("maxmind_key", drawn((BASE62, 6), "_", (BASE62, 29), "_mmk")),
    *prefixed("mongodb_secret", "mdb_sa_sk_", (WEB, 39), A),
    *prefixed("grafana_token", "eyJrIjoi", (BASE62, 90), "="),
    *prefixed("clickhouse_secret", "4b1d", (BASE62, 38)),
    *prefixed("aiven_token", "aivenv1", (BASE64, 200), A),
    *prefixed("influxdb_token", "apiv3_", (WEB, 80), A),
    *prefixed("pubnub_key", "sec-c-", (BASE62, 48)),
    *prefixed("frameio_token", "fio-u-", (WEB, 63), A),
    *prefixed("adobe_secret", "p8e- p8-", (WEB, 31), A),
    *prefixed("zoho_token", "1000.", (HEX, 32), ".", (HEX, 32)),
    *prefixed("teamwork_token", "tkn.v1_", (BASE62, 80), "="),
    *prefixed("voiceflow_key", "VF.DM. VF.WS. VF.PAT.", (HEX, 24), ".", (BASE62, 16)),
    *prefixed("pagarme_key", "ak_live_ ak_test_", (BASE62, 30)),
    *prefixed("telnyx_key", "KEY", (HEX, 32), "_", (BASE62, 22)),
    *prefixed("gocardless_token", "live_", (WEB, 38), "7a"),
    *prefixed("scrapfly_key", "scp-live- scp-test-", (HEX, 32)),
    *prefixed("fleetbase_key", "flb_live_ flb_test_", (BASE62, 20)),
    *prefixed("flexport_token", "shltm_", (WEB, 39), A),
    *prefixed("settlemint_token", "sm_aat_ sm_pat_ sm_sat_", (BASE62, 16)),
    *prefixed("intra42_secret", "s-s4t2ud- s-s4t2af-", (HEX, 64)),
    *prefixed("twitter_token", "AAAAAAAAAAAAAAAAAAAAAA", (BASE62, 40), "%2B", (BASE62, 50)),
    *prefixed("password_hash", "$2a$12$ $2b$10$ $2y$05$", _BCRYPT),
    *prefixed("password_hash", "$1$ $5$ $6$ $y$ $8$ $9$", (BASE62, 8), "$", (BASE62, 43)),
    *prefixed("password_hash", "$5$rounds=5000$", (BASE62, 8), "$", (BASE62, 43)),
    *prefixed(
        "password_hash",
        "$argon2id$v=19$m=65536,t=3,p=4$ $argon2i$v=19$m=8,t=3,p=4$ $argon2d$v=19$m=8,t=3,p=4$",
        (BASE62, 22),
        "$",
        (BASE62, 43),
    ),
    *prefixed(
        "kerberos_hash", "$krb5asrep$23$ann@A.DEV: $krb5tgs$23$*ann*$", (HEX, 32), "$", (HEX, 90)
    ),
    *prefixed("kerberos_hash", "$krb5tgs$23$*ann$A.DEV$x*$", (HEX, 32), "$", (HEX, 90)),
)
