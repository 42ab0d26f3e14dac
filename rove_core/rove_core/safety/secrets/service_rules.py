"""Patterns of further services' keys and tokens, as data."""

from typing import Final

from rove_core.safety.secrets.checks import entropy
from rove_core.safety.secrets.secret_rule import UUID, SecretRule

#: Each as its vendor, or a public list of forms, describes it.
SERVICE_RULES: Final = (
    SecretRule("bitbucket_datacenter_token", "BBDC-", r"BBDC-[\w+/@-]{40,50}"),
    SecretRule("dingtalk_secret", "SEC", r"SEC[a-f0-9]{64}"),
    SecretRule("k3s_token", "K10", r"K10[a-f0-9]{64}::\w+:[\w.-]{6,}"),
    SecretRule("bannerbear_key", "bb_pr_ bb_ma_", r"bb_(?:pr|ma)_[a-f0-9]{30}"),
    SecretRule("fullstory_key", "na1. eu1.", r"(?:na|eu)1\.[A-Za-z0-9+/]{100}"),
    SecretRule("klaviyo_key", "pk_", r"pk_[a-f0-9]{34}"),
    SecretRule("locationiq_key", "pk.", r"pk\.[a-f0-9]{32}"),
    SecretRule("lob_key", "live_ test_", r"(?:live|test)_[a-f0-9]{35}"),
    SecretRule("sonar_token", "sqco_", r"sqco_[A-Za-z0-9]{59}"),
    SecretRule(
        "authress_key",
        "authress_ scauth_",
        r"(?:authress|scauth)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc_[a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}",
    ),
    SecretRule("yandex_key", "YCAJE YCM YCN YCO YCP", r"YC(?:AJE|[MNOP])[\w-]{20,37}"),
    SecretRule("yandex_token", "t1. y0_", r"(?:t1\.[\w-]+={0,2}\.[\w-]{86}|y0_[\w-]{55,})"),
    SecretRule("asaas_token", "$aact_", r"\$aact_[\w:=+/$-]{50,}"),
    SecretRule("cashfree_key", "cfsk_ma_", r"cfsk_ma_(?:test|prod)_[a-z0-9]{32}_[a-z0-9]{8}"),
    SecretRule("cockroach_key", "CCDB1_", r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    SecretRule("devcycle_key", "dvc_server_ dvc_mobile_", r"dvc_(?:server|mobile)_[\w-]{30,}"),
    SecretRule("ebay_secret", "PRD- SBX-", r"(?:PRD|SBX)-[a-f0-9]{12}(?:-[a-f0-9]{4}){4}"),
    SecretRule("ionic_token", "ion_", r"ion_[A-Za-z0-9]{42}"),
    SecretRule("logicmonitor_token", "lmb_", r"lmb_[\w=+/-]{60,}"),
    SecretRule("mandrill_key", "md-", r"md-[\w-]{22}"),
    SecretRule("midtrans_key", "Mid-server-", r"Mid-server-[\w-]{24}"),
    SecretRule(
        "onfido_token",
        "api_",
        r"api_(?:live|sandbox)(?:_\w\w)?\.[\w-]{11}\.[\w-]{32}",
    ),
    SecretRule("persona_key", "persona_", r"persona_(?:production|sandbox)_[\w-]{32,}"),
    SecretRule("pinterest_token", "pina_ pinr_", r"pin[ar]_[A-Z0-9]{40,}"),
    SecretRule("samsara_token", "samsara_api_", r"samsara_api_[A-Za-z0-9]{30}"),
    SecretRule("sindri_key", "sindri_", r"sindri_[A-Za-z0-9]{32}"),
    SecretRule("unkey_key", "unkey_", r"unkey_[A-Za-z0-9]{22,}"),
    SecretRule("valtown_token", "vtwn_", r"vtwn_[A-Za-z0-9]{24,}"),
    SecretRule("volcengine_key", "AKLT", r"AKLT[\w-]{40,}"),
    SecretRule("wakatime_token", "waka_", rf"waka_(?:(?:tok|sec)_[A-Za-z0-9]{{60,}}|{UUID})"),
    SecretRule(
        "workato_token",
        "wrkaus- wrkeu- wrkjp- wrksg- wrkau-",
        r"wrk(?:aus|eu|jp|sg|au)-[\w.=-]{60,}",
    ),
    SecretRule("zuplo_key", "zpka_", r"zpka_[a-f0-9]{32}_[a-f0-9]{8}"),
    SecretRule("upcloud_token", "ucat_", r"ucat_[A-Z0-9]{26}"),
    SecretRule("aikido_secret", "AIK_SECRET_ AIK_CI_", r"AIK_(?:SECRET|CI)_[A-Za-z0-9]{32,}"),
    SecretRule("cfxre_key", "cfxk_", r"cfxk_[A-Za-z0-9]{20}_[A-Za-z0-9]{5,7}"),
    SecretRule("firebase_key", ":APA91b", r"[\w-]{11,22}:APA91b[\w-]{100,}", inside=True),
    SecretRule(
        "stytch_secret", "secret-live- secret-test-", r"secret-(?:live|test)-[\w-]{35,36}={0,2}"
    ),
    SecretRule("buildkite_token", "bkct_", r"bkct_[A-Za-z0-9.+/=_-]{30,}"),
    SecretRule("retool_token", "retool_01", r"retool_01[a-z0-9]{24}"),
    SecretRule("prefect_key", "pnb_", r"pnb_[A-Za-z0-9]{36}"),
    SecretRule(
        "dropbox_token",
        "AAAAAAAAAA",
        r"[a-z0-9]{11}A{10}[\w=-]{43}",
        lambda text: entropy(text) > 3,
        inside=True,
    ),
    SecretRule("aws_access_key", "A3T", r"A3T[A-Z0-9][A-Z2-7]{16}"),
)
