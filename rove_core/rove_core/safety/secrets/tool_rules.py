"""Secrets in commands, in parameters of addresses and in calls, by the words around them."""

from typing import Final

from rove_core.safety.secrets.checks import (
    is_credential,
    is_drawn,
    is_password,
    is_password_value,
    is_url_key,
    is_url_password,
)
from rove_core.safety.secrets.secret_rule import EXPIRED, SecretRule


def _is_login(value: str) -> bool:
    """Return whether an argument that logs in could be a password, a token or a key."""
    return is_password_value(value) or is_drawn(value) or is_credential(value)


#: Their signs are in lower case; what they are found in may be in any case.
TOOL_RULES: Final = (
    # AWS signs addresses with keys that end in EXAMPLE where they are examples.
    SecretRule(
        "url_key",
        "key= code= signature= hash= auth=",
        r"(?<=[?&;-])(?:key|code|signature|hash|auth)=([\w%+./~-]{16,}+=*+)"
        r"(?!\S{0,200}(?-i:EXAMPLE))",
        is_url_key,
        unless=rf"{EXPIRED}|(?-i:EXAMPLE)",
    ),
    SecretRule("url_key", "/private-", r"/private-([0-9a-f]{32})(?=/)"),
    SecretRule(
        "webhook",
        "hook",
        r"(?:open-apis/bot/v2/hook/|hook\.\w+\.make\.com/)([\w-]{32,36})",
        is_url_key,
        inside=True,
    ),
    SecretRule(
        "webhook",
        "events.pagerduty.com/ hc-ping.com/",
        r"(?:events\.pagerduty\.com/integration|hc-ping\.com)/([\w-]{32,36})",
        is_url_key,
    ),
    SecretRule(
        "command_password",
        "sqlcmd twine influx",
        r"(?:sqlcmd|twine|influx)\b[^\n]{0,300}?\s-[pt][ =]\s*[\"']?([^\s\"']{6,400})",
        _is_login,
    ),
    SecretRule(
        "command_password",
        "etcdctl http",
        r"(?:etcdctl|https?)\s[^\n]{0,200}?(?:--user|-a)[ =]\s*[\"']?"
        r"[^\s:\"']{1,100}:([^\s\"':@/]{6,400})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "http-basic.",
        r"http-basic\.\S{1,200}\s+\S{1,200}\s+([^\s\"']{6,400})",
        _is_login,
    ),
    SecretRule(
        "command_password",
        "cargo vault cloudflared setapikey gh",
        r"(?:cargo\s+login|vault\s+login|cloudflared\s+service\s+install|setapikey|gh\s+auth\s+login)\b"
        r"(?:\s+(?:--?registry\s+\w{1,30}|--[\w-]{1,20}|<<<)){0,4}\s+[\"']?([\w+/.~=-]{20,400})",
        _is_login,
    ),
    SecretRule(
        "command_password",
        "masterauth rootpw",
        r"(?:masterauth|rootpw)\s+(?:--plaintext\s+)?[\"']?([^\s\"']{6,400})",
        _is_login,
    ),
    SecretRule(
        "command_password",
        "htpasswd",
        r"htpasswd\s+-\w*b\w*\s+\S{1,200}\s+\S{1,200}\s+[\"']?([^\s\"']{6,400})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "keypass storepass passin passout",
        r"--?(?:keypass|storepass|passin|passout)[ =](?:pass:)?[\"']?([^\s\"']{6,200})",
        is_password_value,
        inside=True,
    ),
    SecretRule(
        "command_password",
        "lftp rabbitmqctl mosquitto snmp rclone conan",
        r"(?:lftp\s+-u\s+[^\s,]{1,100},|rabbitmqctl\s+add_user\s+\S{1,200}\s+|mosquitto\w*\s[^\n]{0,200}?-p\s+"
        r"|snmp\w+\s[^\n]{0,200}?-a\s+|snmp-server\s+community\s+|rclone\s+obscure\s+"
        r"|conan\s+user\s[^\n]{0,100}?-p\s+)[\"']?([^\s\"']{6,200})",
        _is_login,
    ),
    SecretRule(
        "password",
        "auth( auth=( login( connect( connection( pdo(",
        r"\w{0,30}(?:auth=?|login|connect|connection|pdo)\("
        r"(?:\s*(?:[\"'][^\s\"']{0,100}[\"']|[\w.$]{1,60})\s*,){1,2}\s*[\"']([^\s\"']{6,200})[\"']",
        is_password_value,
        inside=True,
    ),
    SecretRule(
        "registry_login",
        "ident bundle",
        r"(?:\w{0,20}ident[\"']?\s*[:=]\s*[\"']?|bundle\s+config\s[^\n]{0,100}?)[^\s:\"'/]{1,100}:([^\s\"':/]{12,})",
        is_drawn,
        inside=True,
    ),
    SecretRule(
        "password",
        ":*: :5432: :6432:",
        r"[\w.*-]+:(?:5432|6432|\*):[\w*-]+:[\w*-]+:([^\s:]{6,200})(?!\S)",
        is_password_value,
        inside=True,
    ),
    SecretRule("secret", "key=", r"key=\"[^\"\s]{1,60}\"\s+value=\"([^\"\s]{16,400})", is_drawn),
    SecretRule(
        "database_url",
        "jdbc:oracle:",
        r"jdbc:oracle:\w+:[^\s/:@]+/([^\s/@]{6,100}(?=@))",
        is_url_password,
    ),
    SecretRule(
        "secret",
        "jwt. hmac. createhmac(",
        r"(?:jwt\.\w+\([^()\n]{0,60}?,\s*|hmac\.new\(\s*b?|createhmac\([^()\n]{0,30},\s*)[\"']([^\s\"']{8,200})[\"']",
        is_password,
    ),
    SecretRule(
        "secret",
        "getenv process.env.",
        r"(?:getenv(?:ironmentvariable)?\(|process\.env\.\w+)[\"']?\w{0,60}[\"']?\)?"
        r"\s*(?:\?\?|\|\||,)\s*[\"']([^\s\"']{16,400})[\"']",
        is_drawn,
    ),
)
