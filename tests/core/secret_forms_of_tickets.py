"""Secrets as they are pasted into tickets: at least one for each choice of each rule."""

# ruff: noqa: RUF001  # the words are those of many languages

from collections.abc import Sequence
from typing import Final

from tests.core.secret_forms import (
    BASE62,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    WEB,
    Form,
    drawn,
    uuid,
)

TOKEN: Final = drawn((BASE62, 30), "7x4Q")
CHOSEN: Final = drawn("Winter", (DIGITS, 4))
CODES: Final = drawn(
    *((LOWER, 2), (DIGITS, 3), "-", (HEX, 5), "\n") * 4, (HEX, 5), "-", (DIGITS, 5)
)
GROUP: Final = ((UPPER + DIGITS, 4), "-")

FORMS: Final[Sequence[Form]] = (
    Form(
        "command_password",
        drawn("winter", (DIGITS, 4)),
        "echo ",
        " | docker login -u ci --password-stdin",
    ),
    Form("azure_cosmos_key", drawn((BASE64, 70), "/q+R7/ACDb", (BASE64, 6), "==")),
    Form("salesforce_token", drawn("00D", (BASE62, 12), "!AQ-", (WEB, 90))),
    Form("dingtalk_secret", drawn("SEC", (HEX, 64))),
    Form("k3s_token", drawn("K10", (HEX, 64), "::server:", (HEX, 32))),
    Form("command_password", drawn((HEX, 40)), "wandb login "),
    Form("command_password", uuid, "snyk auth "),
    Form("command_password", CHOSEN, "ldapsearch -x -D cn=admin -w "),
    Form("command_password", CHOSEN, "> USER ann\n> PASS ", "\n230"),
    Form("command_password", CHOSEN, "> PASS ", ""),
    Form("command_password", CHOSEN, "echo 'ci-bot:", "' | sudo chpasswd"),
    Form("command_password", CHOSEN, "echo 'ann:", "' | chpasswd"),
    Form("password", CHOSEN, "new PDO($dsn, 'ann', '", "')"),
    Form("pagerduty_key", drawn((HEX, 32)), "routing_key: "),
    Form("url_key", drawn((HEX, 32)), "https://acme.example/w?appid="),
    Form("url_key", drawn((HEX, 32)), "https://acme.example/w?q=a&appid="),
    Form("url_key", TOKEN, "https://acme.example/with/key/"),
    Form("url_key", TOKEN, "https://acme.example/file/a#"),
    Form(
        "private_key",
        drawn((HEX, 32), "\n", (HEX, 32), "\n", (HEX, 32)),
        "-----BEGIN OpenVPN Static key V1-----\n",
        "\n-----END",
    ),
    Form("putty_key", drawn((BASE64, 48)), "Private-Lines: 1\n", ""),
    Form("secret", TOKEN, 'Client::new().with_token("', '")'),
    Form("recovery_codes", CODES, "github recovery codes:\n", ""),
    Form("recovery_codes", CODES, "backup codes (one time each): ", ""),
    *(
        Form("recovery_key", drawn(*GROUP * 5, (UPPER + DIGITS, 4)), f"{word}: ")
        for word in ("FileVault Schlüssel", "the recovery key")
    ),
    *(
        Form("secret", TOKEN, f"AWS {word}: ")
        for word in (
            *("gizli anahtarı", "clave de API", "llave de API", "clé de chiffrement", "Schlüssel"),
            *("chiave API", "chave de API", "ключ доступа", "klucz API", "sleutel"),
            *("密钥", "密鑰", "키"),
        )
    ),
)
