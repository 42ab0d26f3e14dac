"""Secrets in lines of terminals, devices and infrastructure files."""

# ruff: noqa: RUF001  # a sign of writing

from collections.abc import Sequence
from typing import Final

from tests.core.secret_forms import BASE62, BASE64, DIGITS, HEX, WEB, Form, drawn, uuid

CHOSEN: Final = drawn("Winter", (DIGITS, 4))
STRONG: Final = drawn("q", (BASE62, 8), "7#", (BASE62, 6), "Z4")
KEY: Final = drawn((HEX, 32))

FORMS: Final[Sequence[Form]] = (
    Form("secret", KEY, "$ cat app.key\n", ""),
    Form("wifi_key", CHOSEN, "WLAN-Key "),
    Form("adyen_key", drawn("AQE", (BASE62, 62), "-", (BASE64, 40), "-", (BASE62, 16))),
    Form("aspnet_cookie", drawn("CfDJ8", (WEB, 60), "Q")),
    *(
        Form("command_password", CHOSEN, before)
        for before in (
            *("7z x -p", "rar a -hp", "plain-text-password-value ", "export SSHPASS="),
            *("tacacs-server host 10.1.1.1 key 0 ", "radius-server host 10.1.1.1 key "),
            *("mysqldump -u root -p'", "mariadb -u root -p", "az sql server create -p "),
            "curl --proxy-user ann:",
        )
    ),
    Form("command_password", CHOSEN, "impacket-psexec CORP/deploy:", "@10.1.1.1"),
    *(
        Form("password", CHOSEN, f'variable "db_{name}" {{\n  default = "', '"\n}')
        for name in ("key", "token", "secret")
    ),
    *(
        Form("secret", KEY, f"$ cat config/app.{name}\n", "\n$")
        for name in ("key", "secret", "token")
    ),
    Form(
        "password",
        drawn("C-", (BASE62, 7), "V1b5j_O"),
        'random_password",\n  "name": "db",\n  "instances": [{"attributes": {"result": "',
        '"',
    ),
    *(
        Form("secret", uuid, f'{block} "consul" {{\n  token = "', '"\n}')
        for block in ("storage", "provider")
    ),
    *(
        Form("password", STRONG, f'let {name} = String::from("', '")')
        for name in ("passw", "secret", "token", "key")
    ),
    *(
        Form("secret", KEY, f"what's the demo {name}?\n{given} ")
        for name, given in (
            *(("token", "it's"), ("key", "it’s"), ("secret", "the new one is")),
            ("credential", "this one:"),
        )
    ),
    *(Form("secret", KEY, "`", f"` is this {name} in use") for name in ("key", "token", "secret")),
)
