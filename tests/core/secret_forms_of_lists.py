"""Forms of the keys of services that public lists of secrets describe."""

from collections.abc import Sequence
from typing import Final

from tests.core.secret_forms import (
    BASE32,
    BASE62,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    WEB,
    A,
    Form,
    drawn,
    prefixed,
    uuid,
    uuid_behind,
)

#: At least one form for each sign and each choice of each of their rules.
FORMS: Final[Sequence[Form]] = (
    *prefixed("bitbucket_datacenter_token", "BBDC-", (BASE62, 44)),
    *prefixed("bannerbear_key", "bb_pr_ bb_ma_", (HEX, 30)),
    *prefixed("fullstory_key", "na1. eu1.", (BASE62, 100)),
    *prefixed("klaviyo_key", "pk_", (HEX, 34)),
    *prefixed("locationiq_key", "pk.", (HEX, 32)),
    *prefixed("lob_key", "live_ test_", (HEX, 35)),
    *prefixed("sonar_token", "sqco_", (BASE62, 59)),
    *prefixed(
        "authress_key",
        "authress_ scauth_",
        (LOWER + DIGITS, 12),
        ".x7k2.acc_",
        (LOWER + DIGITS, 20),
        ".",
        (LOWER + DIGITS, 44),
    ),
    *prefixed("yandex_key", "YCAJE YCM YCN YCO YCP", (BASE62, 35), A),
    *prefixed("asaas_token", "$aact_prod_", (BASE62, 120)),
    *prefixed("cashfree_key", "cfsk_ma_test_ cfsk_ma_prod_", (HEX, 32), "_", (HEX, 8)),
    *prefixed("cockroach_key", "CCDB1_", (BASE62, 22), "_", (BASE62, 40)),
    *prefixed("devcycle_key", "dvc_server_ dvc_mobile_", (HEX, 32), "_a7b9c2d"),
    *prefixed("ebay_secret", "PRD- SBX-", (HEX, 12), *("-", (HEX, 4)) * 4),
    *prefixed("ionic_token", "ion_", (BASE62, 42)),
    *prefixed("logicmonitor_token", "lmb_", (BASE62, 90)),
    *prefixed("mandrill_key", "md-", (BASE62, 22)),
    *prefixed("midtrans_key", "Mid-server-", (BASE62, 24)),
    *prefixed(
        "onfido_token", "api_live. api_sandbox. api_live_ca.", (BASE62, 11), ".", (BASE62, 32)
    ),
    *prefixed("persona_key", "persona_production_ persona_sandbox_", (BASE62, 36)),
    *prefixed("pinterest_token", "pina_ pinr_", (UPPER + DIGITS, 60)),
    *prefixed("samsara_token", "samsara_api_", (BASE62, 30)),
    *prefixed("sindri_key", "sindri_", (BASE62, 32)),
    *prefixed("unkey_key", "unkey_", (BASE62, 24)),
    *prefixed("valtown_token", "vtwn_", (BASE62, 28)),
    *prefixed("volcengine_key", "AKLT", (BASE62, 43)),
    *prefixed("workato_token", "wrkaus- wrkeu- wrkjp- wrksg- wrkau-", (BASE62, 90)),
    *prefixed("zuplo_key", "zpka_", (HEX, 32), "_", (HEX, 8)),
    *prefixed("upcloud_token", "ucat_", (UPPER + DIGITS, 26)),
    *prefixed("aikido_secret", "AIK_SECRET_ AIK_CI_", (BASE62, 64)),
    *prefixed("cfxre_key", "cfxk_", (BASE62, 20), "_", (BASE62, 6)),
    *prefixed("stytch_secret", "secret-live- secret-test-", (BASE62, 36)),
    *prefixed("buildkite_token", "bkct_", (BASE62, 50)),
    *prefixed("retool_token", "retool_01", (LOWER + DIGITS, 24)),
    *prefixed("prefect_key", "pnb_", (BASE62, 36)),
    *prefixed("aws_access_key", "A3TX", (BASE32, 16)),
    *prefixed("yandex_token", "t1.", (BASE62, 40), ".", (BASE62, 86)),
    *prefixed("yandex_token", "y0_", (BASE62, 58)),
    *prefixed("wakatime_token", "waka_tok_ waka_sec_", (BASE62, 80)),
    *uuid_behind("wakatime_token", "waka_"),
    Form("firebase_key", drawn((BASE62, 20), "7:APA91b", (BASE62, 134))),
    Form("dropbox_token", drawn((LOWER + DIGITS, 11), "AAAAAAAAAA", (WEB, 42), A)),
    *prefixed("buildkite_token", "bkua_", (LOWER + DIGITS, 40)),
    *prefixed("voiceflow_key", "VF.", (HEX, 24), ".", (BASE62, 16)),
    *prefixed("password_hash", "$apr1$", (BASE62, 8), "$", (BASE62, 22)),
    Form(
        "telegram_token",
        drawn(("123456789", 10), ":AA", (WEB, 32), A),
        "https://api.telegram.org/bot",
        "/x",
    ),
    *(
        Form("url_key", drawn((HEX, 64)), f"https://a.dev/x?{name}=", "&b=1")
        for name in ("key", "code", "Signature", "hash", "auth")
    ),
    Form("url_key", drawn((HEX, 32)), "https://a.dev/ical/x/private-", "/basic.ics"),
    Form("webhook", uuid, "https://open.feishu.cn/open-apis/bot/v2/hook/"),
    Form("webhook", drawn((LOWER + DIGITS, 32)), "https://hook.eu1.make.com/"),
    Form("webhook", drawn((HEX, 32)), "https://events.pagerduty.com/integration/", "/enqueue"),
    Form("webhook", uuid, "https://hc-ping.com/"),
    *(
        Form("command_password", drawn((BASE62, 9), "7x!"), before)
        for before in (
            *("sqlcmd -S db -P ", "twine upload -p ", "influx query -t ", "etcdctl --user root:"),
            *("http -a ann:", "masterauth ", "rootpw --plaintext ", "htpasswd -bc f ann "),
            *(
                "composer config http-basic.a.dev ann ",
                "keytool -keypass ",
                "jarsigner -storepass ",
                "lftp -u ann,",
            ),
            *("openssl x -passin pass:", "openssl x -passout pass:", "rabbitmqctl add_user ann "),
            *("mosquitto_pub -P ", "snmpget -v3 -A ", "rclone obscure ", "conan user -p "),
            "snmp-server community ",
        )
    ),
    *(
        Form("command_password", drawn((BASE62, 30), "7x4Q"), before)
        for before in (
            *("cargo login --registry acme ", "vault login ", "cloudflared service install "),
            *("nuget setapikey ", "gh auth login <<< ", "vault login --no-print "),
        )
    ),
    *(
        Form("password", drawn("winter", (DIGITS, 4)), f"{call}('a', '", "')")
        for call in (
            "get(auth=",
            "SetBasicAuth",
            "server.login",
            "connect",
            "Connection",
            "new PDO",
        )
    ),
    *(
        Form("password", drawn((BASE62, 9), "7x!"), f"db{at}:app:ann:", "\n")
        for at in (":5432", ":6432", ":*")
    ),
    Form("registry_login", drawn((BASE62, 30), "7x4Q"), 'npmAuthIdent: "ann:', '"'),
    Form("registry_login", drawn((BASE62, 30), "7x4Q"), "bundle config gems.a.dev ann:"),
    Form("secret", drawn((BASE62, 30), "7x4Q"), '<add key="a" value="', '"/>'),
    Form("database_url", drawn((BASE62, 12), "7x"), "jdbc:oracle:thin:ann/", "@db:1521/a"),
    *(
        Form("secret", drawn((BASE62, 30), "7x4Q"), before, after)
        for before, after in (
            *(("jwt.sign(it, '", "')"), ("hmac.new(b'", "', it)")),
            *(("createHmac('sha256', '", "')"), ('GetEnvironmentVariable("A") ?? "', '"')),
            *(("os.getenv('A', '", "')"), ("process.env.A || '", "'")),
        )
    ),
    Form("url_token", drawn((BASE62, 30), "9Zq"), "nats://", "@nats.acme.dev"),
    *(
        Form("session_cookie", drawn((BASE62, 60), "9Zq"), f"Cookie: {name}=")
        for name in (".AspNetCore.Cookies", ".AspNetCore.Identity.Application")
    ),
)
