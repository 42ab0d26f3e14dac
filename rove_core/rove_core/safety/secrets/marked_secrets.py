"""Secrets that their context reveals: key blocks, headers, addresses, commands."""

from typing import Final

from rove_core.safety.secrets.checks import (
    has_key_text,
    is_authorization,
    is_basic,
    is_bearer,
    is_credential,
    is_id,
    is_opener,
    is_password,
    is_password_value,
    is_url_password,
)
from rove_core.safety.secrets.console_rules import CONSOLE_RULES
from rove_core.safety.secrets.place_rules import PLACE_RULES
from rove_core.safety.secrets.secret_rule import SecretRule
from rove_core.safety.secrets.ticket_rules import TICKET_RULES
from rove_core.safety.secrets.tool_rules import TOOL_RULES

#: Their signs are in lower case; what they are found in may be in any case.
WORDED: Final = (
    SecretRule(
        "private_key",
        "-----begin",
        r"-----BEGIN (?:[A-Z0-9]+ )*(?:PRIVATE KEY|SEED)(?: BLOCK)?-----"
        r"(?:(?:[^-]++|-(?!----))*+-----END [A-Z0-9 ]+-----|(?:[\s>|\"',]|[\w+/=]{16,}+)++)",
        has_key_text,
    ),
    SecretRule(
        "putty_key",
        "private-lines:",
        r"Private-Lines: \d+\s+((?:[A-Za-z0-9+/=]{4,64}(?=\s|$)\s*)+)",
    ),
    SecretRule(
        "database_url",
        "://",
        r"(?:(?<=postgres)|(?<=postgresql)|(?<=mysql)|(?<=mariadb)|(?<=mongodb)|(?<=mongodb.srv)"
        r"|(?<=redis)|(?<=rediss)|(?<=amqp)|(?<=amqps)|(?<=psycopg)|(?<=psycopg2)|(?<=asyncpg)"
        r"|(?<=mssql)|(?<=clickhouse))://[^\s/:@\"'<>]*:([^\s/@\"'<>]{3,100})@[\w.\[-]+",
        is_url_password,
    ),
    SecretRule(
        "url_password",
        "://",
        r"://[^\s/:\"'<>]{0,100}:([^\s/@\"'<>]{3,200})@[\w.\[-]+",
        is_url_password,
    ),
    SecretRule(
        "url_token",
        "://",
        r"(?<=http|ttps|nats)://([^\s/:@\"'<>]{20,200})(?::[^\s/@\"'<>]{0,200})?@[\w.\[-]+",
        is_password,
    ),
    SecretRule(
        "authorization",
        "authorization",
        r"authorization[\"'\]]*\s*[:=,]\s*[\"']?(?:[a-z]+\s+)?([^\s\"'<>,;{}$()\[\]\\]{8,})",
        is_authorization,
    ),
    SecretRule("okta_token", "ssws", r"ssws\s+(00[\w-]{40})"),
    SecretRule("otp_secret", "otpauth://", r"otpauth://[^\s\"'<>]*?[?&;]secret=([a-z2-7]{16,}=*)"),
    SecretRule(
        "otp_secret", "otpauth-migration:", r"otpauth-migration:[^\s\"'<>]*?data=([\w%+/-]{40,}=*)"
    ),
    SecretRule(
        "ngrok_token",
        "ngrok",
        r"ngrok[^\n]{0,80}?(?<![a-z0-9_])(\d[a-z0-9]{24,29}_\d[a-z0-9]{20})",
    ),
    SecretRule(
        "ngrok_token", "authtoken", r"authtoken[\s:=\"']*(\d[a-z0-9]{24,29}_\d[a-z0-9]{20})"
    ),
    SecretRule("authorization", "bearer", r"bearer\s+([^\s\"'<>,;{}$()]{10,})", is_bearer),
    SecretRule("authorization", "basic", r"basic\s+([\w+/=-]{12,})", is_basic),
    SecretRule(
        "registry_login",
        "auth\" auth' auth: auth=",
        r"auth[\"']?\s*[:=]\s*[\"']?([\w+/]{16,}={0,2})",
        is_basic,
    ),
    SecretRule(
        "session_cookie",
        "sess sid= _auth=",
        r"[\w.-]*(?:sess[\w.-]*|sid|_auth)=([^\s;,\"'&<>()]{16,})",
        lambda value: is_password(value) or is_id(value),
        inside=True,
    ),
    SecretRule(
        "session_cookie",
        "cookie",
        r"cookie[\"']?\s*[:=][^\n]{0,200}?\b[\w.-]*"
        r"(?:auth|token|jwt|sid|remember|cookies|identity|logged|login|user)[\w.-]*="
        r"([\w%.:+/-]{16,}=*)",
        lambda value: is_password(value) or is_credential(value),
    ),
    SecretRule("netrc_password", "login", r"login\s+\S+\s+password\s+(\S{6,})", is_url_password),
    SecretRule(
        "command_password",
        "curl wget sshpass",
        r"(?:curl|wget|sshpass)\b[^\n]{0,300}?\s(?:-u\s*|--(?:proxy-)?user[= ]|-p\s*)[\"']?"
        r"(?:[^\s:\"']+:)?([^\s\"':]{6,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "mysql mariadb",
        r"(?:mysql|mariadb)[\w-]{0,12}\b[^\n]{0,200}?\s-p[\"']?([^\s\"']{6,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "docker redis-cli az",
        r"(?:docker\s+login|redis-cli|az\s+[a-z]+)\b[^\n]{0,300}?"
        r"\s(?:-p\s+|-a\s+|--password[= ])[\"']?([^\s\"']{6,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "convertto-securestring",
        r"convertto-securestring\s+(?:-string\s+)?[\"']([^\s\"']{6,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "unzip openssl mongo rdesktop useradd",
        r"(?:unzip|openssl|mongo|rdesktop|useradd)\w*\b[^\n]{0,200}?"
        r"\s-[pk]\s?[\"']?([^\s\"']{6,})",
        is_password,
    ),
    SecretRule(
        "command_password",
        "identified requirepass bindpw",
        r"(?:identified\s+by\s+[\"']|(?:requirepass|bindpw)[\"',\s]{1,6})([^\s\"';]{6,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "echo",
        r"echo\s+(?:-n\s+)?[\"']?(?:[\w.-]+:)?([^\s\"'|]{6,})[\"']?"
        r"\s*(?:\|\s*(?:sudo\s+-s|(?:sudo\s+)?chpasswd|[^\n|]{0,80}--password-stdin)|>+\s*\S*(?:pass|secret|token|key))",
        is_password_value,
    ),
    SecretRule(
        "command_password", "smbclient", r"smbclient\b[^\n]{0,120}?%([^\s\"']{6,})", is_password
    ),
    SecretRule(
        "command_password",
        'secret" token"',
        r"(?:secret|token)\"\s+value=\"([^\"\s]{6,200})",
        is_password_value,
    ),
    SecretRule(
        "password",
        'password"',
        r"[\w.-]{0,60}password\"(?:\s+value=\"|>)([^\"\s<>]{5,200})",
        is_password_value,
        inside=True,
    ),
    SecretRule(
        "password",
        "password> passwd> pwd> passphrase>",
        r"<[\w.:-]{0,40}(?:password|passwd|pwd|passphrase)>(?:<!\[CDATA\[)?([^\s<>\]]{5,200})(?=</|\]\])",
        is_password_value,
        inside=True,
    ),
    SecretRule(
        "password",
        "name:",
        r"name:[ \t]*[\"']?\w{0,60}(?:password|passwd|passphrase|pwd|_pass)[\"']?[ \t]*\r?\n[ \t]*"
        r"value:[ \t]*[\"']?([^\s\"'#]{5,200})",
        is_password_value,
    ),
    SecretRule(
        "password",
        "variable",
        r"variable[ \t]+\"\w{0,60}(?:password|passwd|passphrase|pwd|key|token|secret)\"\s*\{"
        r"[^{}]{0,300}?default\s*=\s*\"([^\s\"]{5,200})",
        is_opener,
    ),
    SecretRule(
        "password",
        "environ getenv",
        r"(?:environ\.get|getenv)\(\s*[\"']\w{0,40}(?:password|passwd|pass|pwd)[\"']\s*,\s*"
        r"[\"']([^\s\"']{5,200})",
        is_password_value,
    ),
    SecretRule(
        "password",
        "fill( type(",
        r"[\w.]{0,20}\([^()\n]{0,60}?(?:password|passwd|pwd)[\"'\]]{1,3}(?:,|\)\.(?:fill|type)\()\s*"
        r"[\"']([^\s\"']{5,200})[\"']\)",
        is_password_value,
        inside=True,
    ),
    SecretRule(
        "command_password",
        "rdp xfreerdp mstsc cmdkey",
        r"(?:rdp|xfreerdp|mstsc|cmdkey)\b[^\n]{0,200}?\s/p(?:ass)?:([^\s\"']{5,})",
        is_password_value,
    ),
    SecretRule(
        "password",
        "gh",
        r"gh\s+secret\s+set\s[^\n]{0,100}?(?:--body|-b)[= ]\s*[\"']?([^\s\"'$]{6,})",
        is_password_value,
    ),
    SecretRule(
        "password",
        "enable username",
        r"(?:enable|username\s\S{1,40})\s(?:[\w ]{1,30}\s)?(?:password|secret)\s[05]\s(\S{5,64})",
        is_password_value,
    ),
    SecretRule(
        "password",
        "define(",
        r"define\(\s*[\"']\w{0,40}(?:password|passwd|pass|pwd)[\"']\s*,\s*[\"']([^\s\"']{5,200})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "net",
        r"net\s+use(?:\s[^\n]{0,200}?/user:\S+|r\s+[\w.-]+)\s+[\"']?([^\s\"'*/]{5,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "psexec",
        r"psexec\b[^\n]{0,200}?\s-p\s+[\"']?([^\s\"'%$]{6,})",
        is_password_value,
    ),
    SecretRule(
        "command_password",
        "networkcredential( directoryentry(",
        r"(?:network\s?credential|directory\s?entry)\([^()\n]{0,200}?,\s*\"([^\s\"]{6,})\"",
        is_password_value,
    ),
    SecretRule("vault_unseal_key", "unseal", r"unseal\s+([A-Za-z0-9+/]{43,44}=?)"),
    SecretRule(
        "kubeadm_token",
        "kubeadm",
        r"kubeadm\b[^\n]{0,200}?--token[= ]([a-z0-9]{6}\.[a-z0-9]{16})(?!\w)",
    ),
    *CONSOLE_RULES,
    *TOOL_RULES,
    *TICKET_RULES,
    *PLACE_RULES,
)
