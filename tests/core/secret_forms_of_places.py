"""Secrets that their place proves: at least one for each choice of each rule."""

from collections.abc import Sequence
from typing import Final

from tests.core.secret_forms import (
    BASE62,
    DIGITS,
    HEX,
    LOWER,
    Form,
    Make,
    drawn,
    pem,
)

TOKEN: Final = drawn((BASE62, 30), "7x4Q")
PASSWORD: Final = drawn((BASE62, 12), "7x!Q")
CHOSEN: Final = drawn("Winter", (DIGITS, 4))
GROUPS: Final = drawn(*((LOWER + "234567", 4), " ") * 5, (LOWER + "234567", 4))
SLASHED: Final = drawn((BASE62, 8), "/7x4Q", (BASE62, 8))
WORDS: Final = "velvet orchid meadow puffin"
SEED: Final = f"{WORDS} ginger copper falcon winter pirate comet cactus harbor"
_MEMBER: Final = (BASE62, 43)


def _members(*names: str) -> Make:
    """Return what makes the private members of a JSON Web Key, the first without its name."""
    parts: list[str | tuple[str, int]] = [_MEMBER]
    for name in names:
        parts += (f'","{name}":"', _MEMBER)
    return drawn(*parts)


FORMS: Final[Sequence[Form]] = (
    Form("hook_url", TOKEN, "https://acme.example/webhook/"),
    *(
        Form("link_key", TOKEN, f"https://acme.example/{word}/")
        for word in ("reset-password", "invite", "verify", "confirm", "activate", "magic-link")
    ),
    Form("url_password", SLASHED, "mq://svc:", "@mq.acme.example/x"),
    Form("url_password", SLASHED, "mq://svc:", "@mq.acme.example"),
    Form("option", PASSWORD, "acme push -u ci -p "),
    Form("option", TOKEN, "acme push -t "),
    Form("option", PASSWORD, "acme push -u ci -p"),
    Form("option", CHOSEN, "acme /u:ci /p:"),
    *(
        Form("wifi_key", CHOSEN, f"{net}: acme-guest, {key}: ")
        for net in ("wifi", "Wi-Fi", "WLAN", "SSID")
        for key in ("key", "Schlüssel")
    ),
    Form("stored_secret", TOKEN, "kubectl create secret generic acme --from-literal=a="),
    Form("stored_secret", TOKEN, "vault kv put secret/acme a="),
    Form("jwk", _members("p", "q", "dp", "dq", "qi"), '{"kty":"RSA","d":"', '"}'),
    Form("jwk", _members(), '{"kty":"oct","k":"', '"}'),
    Form("database_url", CHOSEN, "root:", "@tcp(db:3306)/acme"),
    Form("database_url", CHOSEN, "root:", "@unix(/tmp/db)/acme"),
    Form("url_login", TOKEN, "mc alias set acme https://s3.acme.example ann "),
    Form("url_login", TOKEN, "mc alias set acme http://s3.acme.example ann "),
    Form("asana_pat", drawn("1/", (DIGITS, 16), ":", (HEX, 32))),
    Form("asana_pat", drawn("2/", (DIGITS, 16), "/", (DIGITS, 16), ":", (HEX, 32))),
    *(
        Form("grouped_secret", GROUPS, f"the app {word}: ")
        for word in ("key", "password", "Passwort", "codes", "secret")
    ),
    Form("grouped_secret", GROUPS, "the setup key is "),
    Form("grouped_secret", drawn(*((DIGITS, 6), "-") * 7, (DIGITS, 6)), "recovery key: "),
    *(
        Form("passphrase", drawn(WORDS), f"the {word}", after)
        for word, after in (
            ("passphrase: ", "\nSee"),
            ("pass phrase: ", ""),
            ('passphrase is "', '", Ann'),
            ('Passphrase ist "', '", Ann'),
            ('passphrase est "', '", Ann'),
            ('passphrase es "', '", Ann'),
            ('Passphrase lautet "', '", Ann'),
        )
    ),
    *(
        Form("pin", drawn((DIGITS, 6)), before)
        for before in ("PIN: ", "PIN=", "PIN for the safe is ", "PIN ist ")
    ),
    *(
        Form("seed_phrase", drawn(SEED), f"{word}: ", "")
        for word in ("mnemonic", "recovery phrase", "seed")
    ),
    *(
        Form("client_key", TOKEN, f"{call}({quote}", f"{quote})")
        for call in ("Client", "api", "connect", "login", "auth", "init", "configure")
        for quote in "\"'"
    ),
    Form("private_key", pem("USER NKEY SEED")),
    *(
        Form("session_cookie", TOKEN, f"Cookie: {name}=")
        for name in ("wp_logged_in", "login", "acme_user")
    ),
    *(
        Form("command_password", CHOSEN, "echo '", f"' > .{file}")
        for file in ("vault_pass", "secret", "token", "key")
    ),
    Form("command_password", CHOSEN, "net user ann ", " /add"),
    Form("password", PASSWORD, 'DriverManager.getConnection(url, "ann", "', '")'),
    Form("token", drawn("acme_sk_", (BASE62, 24))),
    Form("token", drawn("zrk-", (BASE62, 40))),
)
