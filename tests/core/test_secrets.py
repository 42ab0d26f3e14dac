"""Secrets in others' words: found, marked, and told from what only looks like one."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.safety.secrets import SecretFound, find_secrets, redact_secrets
from rove_core.safety.secrets.marks import mark_key

PAT = (
    "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"
)
KEY = b"k" * 32


def test_where_it_stands() -> None:
    """A secret is found with its kind, from its first letter to its last."""
    assert find_secrets(f"use {PAT}, please") == [SecretFound("github_pat", 4, 4 + len(PAT))]


def test_a_mark_in_its_place() -> None:
    """All else of the text stays."""
    before, _, after = redact_secrets(f"use {PAT}, please", KEY).partition("[secret:github_pat:")

    assert (before, after[4:]) == ("use ", "], please")


def test_equal_secrets_look_equal() -> None:
    """With one key, and with no other."""
    other = PAT[:-1] + "x"
    first, again, third = redact_secrets(f"{PAT} {PAT} {other}", KEY).split()

    assert first == again != third
    assert redact_secrets(PAT, KEY) != redact_secrets(PAT, b"other")


def test_a_folder_keeps_its_key(tmp_path: Path) -> None:
    """So that a document says tomorrow what it says today; a damaged key is made anew."""
    key = mark_key(tmp_path)

    assert mark_key(tmp_path) == key
    assert (tmp_path / "marks.key").stat().st_mode & 0o777 == 0o600

    (tmp_path / "marks.key").write_bytes(b"short")
    assert len(mark_key(tmp_path)) == 32


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("postgres://app:tr0ub4dor@db/x", "postgres://app:[secret:database_url:*]@db/x"),
        ("https://ann:tr0ub4dor@a.example", "https://ann:[secret:url_password:*]@a.example"),
        ("machine a login ann password tr0ub4dor", "*password [secret:netrc_password:*]"),
        ("//r.example/:_authToken=tr0ub4dor", "//r.example/:_authToken=[secret:npmrc_password:*]"),
        ("curl -u ann:Tr0ub4dor&3 https://a.example", "curl -u ann:[secret:*]*https://a.example"),
        ("mysql -h db -u root -pTr0ub4dor!3 app", "mysql -h db -u root -p[secret:*] app"),
        ("Authorization: Basic YW5uOnRyMHViNGRvcg==", "Authorization: Basic [secret:*]"),
        ("authorization: Bearer aB3dE5gH7jK9mN1pQ", "authorization: Bearer [secret:*]"),
        ('{"auths": {"a": {"auth": "YW5uOnRyMHViNGRvcg=="}}}', '*"auth": "[secret:*]"}}}'),
        ("Cookie: a=b; sessionid=9f8e7d6c5b4a39281706fedc", "Cookie: a=b; sessionid=[secret:*]"),
        ("kubeadm join 10.0.0.1 --token q7x2m9.k3v8z1b5n6c4d0f2", "*--token [secret:*]"),
        ("the password is Summer-2024!", "the password is [secret:password:*]"),
        ("<password>Tr0ub4dor&amp;3x</password>", "<password>[secret:password:*</password>"),
        ('password: str = "Tr0ub4dor&3x"', 'password: str = "[secret:password:*]"'),
        ("run --password Tr0ub4dor!3x now", "run --password [secret:password:*] now"),
    ],
)
def test_words_beside_it(text: str, left: str) -> None:
    """Where a secret has no form of its own, the words around it betray it, and they stay."""
    parts = left.split("*")
    redacted = redact_secrets(text)

    assert redacted.startswith(parts[0])
    assert redacted.endswith(parts[-1])
    assert all(part in redacted for part in parts)
    assert "ub4dor" not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "id = '2f1acc6c-3bd3-4a5b-9b51-1f3a4c5d6e7f'",
        "token = 2f1acc6c-3bd3-4a5b-9b51-1f3a4c5d6e7f",
        "nextPageToken: CAEQAhoYaGVsbG8gd29ybGQgMTIzNDU2Nzg5",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "password = os.environ['DB_PASSWORD']",
        "password = get_password(user)",
        "api_key: ${API_KEY}",
        "End of API keys for people: https://jira.example/browse/TB-142",
        "End of API keys for people: robin/tb-123-oauth2",
        "token: <your token here>",
        "the password must have twelve characters",
        "postgres://user:password@localhost/db",
        "https://user:${PASSWORD}@host/",
        "Authorization: Bearer YOUR_TOKEN_HERE_PLEASE",
        "basic authentication is required",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "aws apigateway get-api-key --api-key 8bklk8bl1k3sB38D9B3l0enyWT8c09B30lkq0blk",
        '"HashKey": "270205402845#ab8f94cfe29a460fb8760afd2ee87555"',
        f'"sessionToken": "fICCQD6m7oRw0uXOjANBgkqhkiG9w0{"BAQUFADCBiDELM4" * 20}rszlaEXAMPLE="',
        "https://s3.amazonaws.com/a.xml?Expires=140&Signature=XYNhznHNgCqsjDxL9wRL%2FJvEXAMPLE",
        f"https://a.example/f?Signature={'nEXK7Kby47-KeZQKVc6' * 15}&Key-Pair-Id=APKAEIBAEXAMPLE",
        "anonymous FTP: user anonymous, passwd anonymous@",
        "[secret:github_pat:ab12]",
        "password=[secret:password:ab12]",
    ],
)
def test_what_is_none(text: str) -> None:
    """Hashes, ids, examples, names and what is to be filled in stay as they are."""
    assert redact_secrets(text) == text


def test_a_key_beside_an_examples_address() -> None:
    """A real key stays one when another parameter leads to a host for examples."""
    key = "nEXK7Kby47-KeZQKVc6pwkif6"

    assert key not in redact_secrets(f"https://a.io/f?key={key}&to=https://b.example.com")


@given(st.text())
def test_any_text(text: str) -> None:
    """Whatever the text, what is found lies apart and in order within it."""
    edges = [edge for found in find_secrets(text) for edge in (found.start, found.end)]

    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)


@given(st.text(max_size=40), st.text(max_size=40))
def test_beside_any_text(before: str, after: str) -> None:
    """No text beside a secret hides it."""
    assert PAT not in redact_secrets(f"{before} {PAT} {after}")


def test_letters_that_grow() -> None:
    """A letter that is longer in lower case moves nothing."""
    text = "\u0130 password: Tr0ub4dor&3x"

    assert redact_secrets(text).startswith("\u0130 password: [secret:password:")


def test_once_is_enough() -> None:
    """A mark is no secret."""
    text = redact_secrets(f"token={PAT} https://ann:tr0ub4dor@a.example")

    assert redact_secrets(text) == text


def test_rules_are_made_when_used() -> None:
    """To import the scanner costs no compiling of its rules, and no heavy module."""
    code = (
        "import sys, rove_core.safety.secrets as s; from rove_core.safety.secrets import scan;"
        "print(scan._scanner.cache_info().currsize, 'hashlib' in sys.modules, 'ssl' in sys.modules)"
    )
    run = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert run.stdout == "0 False False\n"


def test_a_line_too_long_for_a_table_is_none() -> None:
    """Cells are looked for in short lines only, so that a name repeated in a long one is quick."""
    row = "| password | winter2026 |"

    assert len(find_secrets(row)) == 1
    assert not find_secrets(f"{row} {'x ' * 2000}")


@pytest.mark.parametrize(
    "sample",
    [
        'password: "a1b2c3d4e5f6a7b8c9"',
        "SECRET_KEY=a123b45c6d78e9f012a34cd5e6a7890b12c3d45e6f78a1b2",
        'passphrase: "AB1C2defGHijkLMNo3PqQRstUvwxyzaCBDEfghh4ijklMN5opqrStuVWxyz"',
    ],
)
def test_samples_that_count_are_no_secrets(sample: str) -> None:
    """A value that goes through the alphabet or counts is a sample."""
    assert redact_secrets(sample) == sample


@pytest.mark.parametrize(
    ("date", "is_secret"), [("20180518", False), ("20241231", False), ("20261104", True)]
)
def test_signed_addresses_expire(date: str, *, is_secret: bool) -> None:
    """The signature of an address of AWS is no secret once the address has expired for years."""
    text = (
        f"https://b.example.com/f?X-Amz-Credential=AKIA32P3D2JDNMVAJLGF%2F{date}%2Feu&X-Amz-Date={date}T1"
        "&X-Amz-Expires=900&X-Amz-Signature=9161345894947a1672467a0da7a1550f2f7157318312fe49"
    )

    assert redact_secrets(text).count("[secret:") == 2 * is_secret


@pytest.mark.parametrize(("expires", "is_secret"), [("1440195891", False), ("1795000000", True)])
def test_signed_addresses_with_an_end(expires: str, *, is_secret: bool) -> None:
    """The same holds for the older form, which says when it ends."""
    text = f"https://b.example.com/f?Expires={expires}&Signature=n%2BEalOV6A2HIOx4Rcfb7LT16bBM%3D"

    assert ("[secret:" in redact_secrets(text)) is is_secret
