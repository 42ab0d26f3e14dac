"""How many passwords in talk are found, by language, and how often a word is taken for one.

Everything is made up: sentences by hand, passwords by lot. Every other sentence of a language is
for fitting, the rest is held out; what is reported is the held-out half.
"""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from benchmarks.password_forms import FITTED, FITTED_TABLES, HELD_OUT, HELD_OUT_TABLES
from benchmarks.password_forms_second import (
    LAST_STRUCTURED,
    LATER_STRUCTURED,
    PROSE,
    STRUCTURED,
    TABLES,
)
from rove_core.safety.secrets import find_secrets

#: What must be found of passwords in talk, and how many words may be taken for one in a MB.
RECALL: Final = 0.85
RECALL_IN_TABLES: Final = 0.97
FALSE_HITS: Final = 1.0
EACH: Final = 40
#: Characters of made-up talk without a password.
TALK: Final = 2_000_000

#: Sentences by language; ``{}`` is the password.
SENTENCES: Final[Mapping[str, Sequence[str]]] = {
    "en": (
        "password: {}",
        "The password is {}",
        "pass: {}",
        "PW: {}",
        "the new pw is {}",
        "passphrase: {}",
        "user/pw: admin/{}",
        "I reset his password to {}, tell him",
        "Password:\n{}",
        "login with admin / {}",
        "the password for the staging box is {} until Friday",
        "use root and password {} for the console",
        "creds: deploy / {}",
        "pwd = {}",
        "Temporary password for Ann: {} (change it)",
        "user: robin, pass: {}",
        "I changed the db password to {}",
        "Wifi password -> {}",
        "username: ci\npassword: {}\nport: 5432",
        "my password's {} now",
        "- **Password:** {}",
        "the root password should be {}",
        "login: admin, password: {}",
        "Set the admin password to {} and restart",
    ),
    "de": (
        "Passwort: {}",
        "Das Passwort ist {}",
        "Kennwort für den Server: {}",
        "Das neue Kennwort lautet {}",
        "Ich habe sein Passwort auf {} zurückgesetzt",
        "passwort={}",
        "PW für die DB: {}",
        "Zugangsdaten: admin / {}",
        "Passwort für Staging ist jetzt {}, bitte ändern",
        "Benutzer: anna, Passwort: {}",
        "Das Passwort vom Testsystem lautet: {}",
        "WLAN-Passwort: {}",
        "Initialpasswort: {}",
        "Passwort\n{}",
    ),
    "es": (
        "contraseña: {}",
        "La contraseña es {}",
        "la clave del servidor es {}",
        "clave: {}",
        "Cambié la contraseña a {}",
        "La contraseña de producción es {}, no la compartan",
        "usuario: admin, contraseña: {}",
        "contraseña nueva: {}",
        "usuario/clave: root/{}",
        "la nueva clave de la base de datos: {}",
        "contrasena: {}",
        "He puesto {} como contraseña",
    ),
    "fr": (
        "mot de passe : {}",
        "Le mot de passe est {}",
        "mdp: {}",
        "le mdp du serveur est {}",
        "J'ai changé le mot de passe en {}",
        "Mot de passe temporaire : {}",
        "identifiant : admin, mot de passe : {}",
        "Le nouveau mot de passe de la base est : {}",
        "mdp = {}",
        "identifiants : root / {}",
        "Mot de passe:\n{}",
        "le mot de passe wifi c'est {}",
    ),
    "it": (
        "password: {}",
        "La password è {}",
        "la nuova password del server è {}",
        "parola d'ordine: {}",
        "Ho cambiato la password in {}",
        "utente: admin, password: {}",
        "credenziali: admin / {}",
        "Password temporanea: {}",
        "la passphrase è {}",
        "pw del db: {}",
    ),
    "pt": (
        "senha: {}",
        "A senha é {}",
        "a nova senha do servidor é {}",
        "palavra-passe: {}",
        "Mudei a senha para {}",
        "usuário: admin, senha: {}",
        "Senha temporária: {}",
        "a senha do banco agora é {}",
        "login: root senha: {}",
        "A palavra-passe do wifi é {}",
    ),
    "nl": (
        "wachtwoord: {}",
        "Het wachtwoord is {}",
        "het nieuwe wachtwoord van de server is {}",
        "ww: {}",
        "Ik heb zijn wachtwoord gewijzigd naar {}",
        "gebruiker: admin, wachtwoord: {}",
        "Tijdelijk wachtwoord: {}",
        "wachtwoord voor staging: {}",
        "inloggegevens: admin / {}",
        "Het ww is nu {}",
    ),
    "pl": (
        "hasło: {}",
        "Hasło to {}",
        "hasło do serwera: {}",
        "nowe hasło do bazy to {}",
        "Zmieniłem hasło na {}",
        "haslo: {}",
        "login: admin, hasło: {}",
        "Tymczasowe hasło: {}",
        "hasło jest {}",
        "Hasło:\n{}",
    ),
    "ru": (
        "пароль: {}",
        "Пароль {}",
        "пароль от сервера: {}",
        "новый пароль — {}",
        "Сменил пароль на {}",
        "логин: admin, пароль: {}",
        "логин/пароль: admin/{}",
        "Временный пароль: {}",
        "пароль от базы теперь {}",
        "Пароль для стейджинга - {}",
    ),
    "uk": ("пароль: {}", "Пароль до сервера: {}", "новий пароль {}", "Змінив пароль на {}"),
    "ja": (
        "パスワード: {}",
        "パスワードは{}です",
        "パスワード：{}",
        "新しいパスワードは {} です。",
        "サーバーのパスワードは「{}」です",
        "パスワードを{}に変更しました",
        "ユーザー: admin パスワード: {}",
        "仮パスワード：{}",
        "PW：{}",
        "ログイン: admin / {}",
    ),
    "zh": (
        "密码: {}",
        "密码是{}",
        "密码：{}",
        "服务器密码：{}",
        "新密码为 {}",
        "把密码改成了{}",
        "用户名: admin 密码: {}",
        "账号/密码：admin/{}",
        "密碼：{}",
        "数据库的密码是 {}，请勿外传",
    ),
    "ko": ("비밀번호: {}", "비밀번호는 {} 입니다", "암호: {}", "새 비밀번호: {}"),
    "sv": (
        "lösenord: {}",
        "Lösenordet är {}",
        "nytt lösenord: {}",
        "Lösenordet till servern är {}",
    ),
    "cs": ("heslo: {}", "Heslo je {}", "nové heslo k serveru: {}", "heslo do databáze je {}"),
    "tr": ("şifre: {}", "Şifre {}", "yeni parola: {}", "sunucu şifresi: {}"),
}

#: Talk about passwords that gives none away, and what looks like one and is something else.
HARMLESS: Final = (
    "Can you reset my password please?",
    "The password must be at least 12 characters long.",
    "password: required",
    "Password: see 1Password",
    "the password is in the vault",
    "The password is stored as a SHA-256 hash, not in plain text.",
    "password is base64 encoded in the header",
    "I changed the password field to type=password in LoginForm.tsx",
    "passwords: 8-64 characters, see OWASP",
    "pass: 12, fail: 3",
    "The tests pass: 120/120",
    "PW is down since 10:30",
    "login with SSO / Okta",
    "user/pass are read from env",
    "Set the password to expire after 90 days",
    "reset the password to its default",
    "the new password policy is RFC-8265 conformant",
    "password=${DB_PASSWORD}",
    "password: $PASSWORD",
    "password = get_password(user)",
    "password: <redacted>",
    "passphrase: ********",
    "Das Passwort ist abgelaufen, siehe TB-1234",
    "Passwort: bitte bei Ann erfragen",
    "Kennwort vergessen? Seite 12",
    "Das Passwort muss 8 Zeichen haben",
    "La contraseña es obligatoria",
    "la clave primaria es user_id",
    "clave: valor",
    "la clave del problema es el caché L2",
    "Le mot de passe est expiré depuis 3 jours",
    "mot de passe : obligatoire",
    "mdp oublié ? voir la page 4",
    "La password è scaduta",
    "A senha é obrigatória",
    "senha: mínimo 8 caracteres",
    "Het wachtwoord is verlopen",
    "Hasło jest wymagane",
    "hasło: minimum 8 znaków",
    "Пароль истёк, см. TB-77",
    "пароль: не менее 8 символов",
    "Пароль хранится в 1Password",
    "パスワードは8文字以上です",
    "パスワードを忘れた場合",
    "密码是必填项",
    "密码长度至少8位",
    "비밀번호는 8자 이상입니다",
    "creds: see LastPass / ask Robin",
    "credentials: AWS / GCP",
    "login: https://app.acme.example/login",
    "password reset: https://app.acme.example/reset?x=1",
    "password: TB-1234",
    "The password form is at v2.3.1 now",
    "pass: v1.2.3-rc1",
    "Build 1.24.0 passed in 12m34s",
    "pw: robin@acme.example",
    "password for TB-123: done",
    "The password is user-defined",
    "password is case-sensitive",
    "passcode: 6 digits by SMS",
    "secret: see docs/how-to/secrets.md",
    "token: expired 3 days ago",
    "the pass is 2FA-protected",
    "password: Oauth2",
    "password: bcrypt(cost=12)",
    "password: PBKDF2-HMAC-SHA256",
    "password: utf8mb4",
)
WORDS: Final = (
    *("the", "of", "and", "to", "deploy", "release", "cache"),
    *("queue", "login", "token", "session", "user", "page", "build"),
    *("branch", "merge", "test", "review", "ticket", "service", "customer"),
    *("export", "import", "index", "search", "retry", "timeout", "staging"),
    *("production", "TB-123", "v2.4.1", "10:30", "2025-11-20", "src/auth/login.py", "OAuth2"),
    *("SHA-256", "UTF-8", "x86_64", "k8s", "i18n", "node18", "python3.11"),
    *("useState", "getUserById", "MAX_RETRIES", "42%", "3.5x", "HTTP/2", "#1234"),
    *("@ann"),
)


@frozen
class Planted:
    """A password in a text.

    Attributes:
        language: The language of the sentence.
        text: The text.
        password: The password.
    """

    language: str
    text: str
    password: str


def planted(*, held_out: bool, each: int = EACH) -> Iterator[Planted]:
    """Yield passwords in sentences of all languages: those to fit on, or those held out."""
    lot = random.Random(f"passwords {held_out}")  # noqa: S311  # they open nothing
    more = HELD_OUT if held_out else FITTED
    for language, sentences in SENTENCES.items():
        for sentence in (*sentences[held_out::2], *more.get(language, ())):
            for _ in range(each):
                password = lot.choice(STYLES)(lot)
                quoted = lot.choice(QUOTES) if lot.random() < 0.25 else "{}"
                text = sentence.format(quoted.format(password))
                yield Planted(language, _amid(lot, text), password)


def tabled(*, held_out: bool, each: int = EACH) -> Iterator[Planted]:
    """Yield passwords in tables: those to fit on, or those held out."""
    lot = random.Random(f"tables {held_out}")  # noqa: S311  # they open nothing
    for table in HELD_OUT_TABLES if held_out else FITTED_TABLES:
        for _ in range(each):
            password = lot.choice(STYLES)(lot).translate(_NO_CELL)
            yield Planted("tables", f"As agreed.\n\n{table.format(password)}\nTell me.", password)


def second_corpus(each: int = EACH) -> Iterator[Planted]:
    """Yield the passwords of the corpus that was written after the rules."""
    lot = random.Random("second corpus")  # noqa: S311  # they open nothing
    for sentence in (line for lines in PROSE.values() for line in lines):
        for _ in range(each):
            password = lot.choice(STYLES)(lot)
            yield Planted("prose", _amid(lot, sentence.format(password)), password)
    for name, forms in (
        ("tables", TABLES),
        ("structured", (*STRUCTURED, *LATER_STRUCTURED, *LAST_STRUCTURED)),
    ):
        for form in forms:
            for _ in range(each):
                password = lot.choice(STYLES)(lot).translate(_NO_SIGN)
                yield Planted(name, form.format(password), password)


def second_recall() -> Mapping[str, float]:
    """Return the share of that corpus that is found, by its parts."""
    counts, hits = Counter[str](), Counter[str]()
    for each in second_corpus():
        counts[each.language] += 1
        hits[each.language] += is_found(each)
    return {name: hits[name] / count for name, count in counts.items()}


def talk(length: int = TALK) -> str:
    """Return made-up talk in which nobody gives a password away."""
    lot = random.Random("talk")  # noqa: S311  # it is no secret
    parts: list[str] = []
    size = 0
    while size < length:
        words = " ".join(lot.choices(WORDS, k=lot.randrange(4, 18)))
        parts.append(lot.choice(HARMLESS) if lot.random() < 0.2 else f"{words}.")
        size += len(parts[-1]) + 1
    return "\n".join(parts)


def is_found(each: Planted) -> bool:
    """Return whether a password is found, to its last character."""
    start = each.text.index(each.password)
    end = start + len(each.password)
    return any(
        found.start <= start and end <= found.end <= end + 2 for found in find_secrets(each.text)
    )


def recall(*, held_out: bool) -> Mapping[str, float]:
    """Return the share of passwords that are found, by language, and of all of them."""
    counts, hits = Counter[str](), Counter[str]()
    for each in (*planted(held_out=held_out), *tabled(held_out=held_out)):
        for name in {each.language, "prose" if each.language != "tables" else "tables"}:
            counts[name] += 1
            hits[name] += is_found(each)
    return {name: hits[name] / count for name, count in counts.items()}


def false_hits(text: str) -> Sequence[str]:
    """Return what is taken for a secret in a text that has none."""
    return [text[max(0, each.start - 30) : each.end] for each in find_secrets(text)]


def main() -> int:
    """Print the recall of both halves and the false hits; return 1 when they miss the target."""
    fitted, held_out = recall(held_out=False), recall(held_out=True)
    print(f"{'':6}{'fitted':>8}{'held out':>10}")
    for name in sorted(held_out):
        print(f"{name:6}{fitted[name]:8.3f}{held_out[name]:10.3f}")
    for name, share in second_recall().items():
        print(f"second corpus, {name}: {share:.3f}")
    text = talk()
    wrong = false_hits(text)
    for words, count in Counter(wrong).most_common(20):
        print(f"  taken for a password, {count} times: {words!r}")
    rate = len(wrong) / len(text) * 1e6
    print(f"{len(wrong)} in {len(text) / 1e6:.1f} MB of talk: {rate:.2f} a MB")
    missed = held_out["prose"] < RECALL or held_out["tables"] < RECALL_IN_TABLES
    return int(missed or rate > FALSE_HITS)


def _amid(lot: random.Random, text: str) -> str:
    before = " ".join(lot.choices(WORDS, k=lot.randrange(0, 6)))
    after = " ".join(lot.choices(WORDS, k=lot.randrange(0, 6)))
    return f"{before}.\n{text}\n{after}" if lot.random() < 0.5 else f"{text}\n{after}"


def _some(lot: random.Random, letters: str, length: int) -> str:
    return "".join(lot.choices(letters, k=length))


LOWER: Final = "abcdefghijkmnopqrstuvwxyz"
UPPER: Final = LOWER.upper()
DIGITS: Final = "23456789"
MARKS: Final = "!#$%&*+-?@_="
NAMES: Final = (
    *("Summer", "Winter", "Robin", "Falcon", "Dragon", "Monkey", "Berlin", "Madrid"),
    *("Purple", "Acme", "Hunter", "Bailey"),
)


def _random(lot: random.Random) -> str:
    return _some(lot, LOWER + UPPER + DIGITS + MARKS, lot.randrange(9, 17)) + _some(lot, DIGITS, 1)


def _letters(lot: random.Random) -> str:
    return _some(lot, LOWER + UPPER + DIGITS, lot.randrange(8, 15)) + _some(lot, DIGITS, 1)


def _year(lot: random.Random) -> str:
    return f"{lot.choice(NAMES)}{lot.choice(['', '-', '_', '@'])}{lot.randrange(1980, 2027)}"


def _year_and_mark(lot: random.Random) -> str:
    return f"{_year(lot)}{lot.choice('!?#$')}"


def _small(lot: random.Random) -> str:
    return f"{lot.choice(NAMES).lower()}{lot.randrange(1, 9999)}"


def _leet(lot: random.Random) -> str:
    word = lot.choice(NAMES) + lot.choice(NAMES).lower()
    return word.replace("a", "4").replace("e", "3").replace("o", "0") + lot.choice(["", "!", "7"])


def _phrase(lot: random.Random) -> str:
    words = [lot.choice(NAMES).lower() for _ in range(3)]
    return lot.choice("-._").join([*words, str(lot.randrange(10, 99))])


STYLES: Final[Sequence[Callable[[random.Random], str]]] = (
    *(_random, _random, _letters, _year, _year_and_mark, _year_and_mark, _small, _leet, _phrase),
)
#: What would end a cell of one of the tables.
_NO_CELL: Final = str.maketrans("|,;&<", "xxxxx")
#: What would end a value of a setting.
_NO_SIGN: Final = str.maketrans("|,;&<%$'\"\\= ?#{}@*", "x" * 18)
QUOTES: Final = ("`{}`", '"{}"', "'{}'", "**{}**", "{}.")


if __name__ == "__main__":
    sys.exit(main())
