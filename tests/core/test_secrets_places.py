"""Secrets that a manifest, a prefix or a field beside their name gives away."""

import re
from collections.abc import Iterator

import pytest

from rove_core.safety.secrets import find_secrets, manifests, named_secrets, prefixed_tokens

VALUE = "q7Rk2mZx9TbvLw4Ys8Hc"
#: Found by its place in a manifest alone.
PLAIN = "plainvalue"


def found(text: str) -> list[str]:
    """Return the secrets of a text."""
    return [text[each.start : each.end] for each in find_secrets(text)]


@pytest.mark.parametrize(
    "text",
    [
        f"kind: Secret\ndata:\n  a: {PLAIN}\n",
        f"kind: 'Secret'\ndata:\n  a: {PLAIN}\n",
        f"- kind: Secret\n  data:\n    a: {PLAIN}\n",
        f"metadata: x\nstringData:\n  a: {PLAIN}\n",
        f"kind: Secret\nstringData:\n\n  'a.b/c': \"{PLAIN}\"\n",
        f"kind: ConfigMap\ndata:\n  a: other\n---\nkind: Secret\ndata:\n  a: {PLAIN}\n",
    ],
)
def test_manifests(text: str) -> None:
    """Each value of a Kubernetes secret is found, and none of another document beside it."""
    assert found(text) == [PLAIN]


@pytest.mark.parametrize(
    "text",
    [
        f"kind: ConfigMap\ndata:\n  a: {PLAIN}\n",
        f"kind: Secretary\ndata:\n  a: {PLAIN}\n",
        "kind: Secret\ndata:\n  a: <your-value>\n",
        f"kind: Secret\nmetadata:\n  a: {PLAIN}\n",
        f"kind: Secret\n---\nkind: ConfigMap\ndata:\n  a: {PLAIN}\n",
    ],
)
def test_other_manifests(text: str) -> None:
    """What is no value of a Kubernetes secret is left alone."""
    assert not list(manifests.manifest_secrets(text))


def test_each_part_of_a_manifest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one of the patterns of manifests nothing is found in them."""
    text = f"kind: Secret\ndata:\n  a: {PLAIN}\n"
    for name in ("_KIND", "_PART", "_FIELD"):
        with monkeypatch.context() as patch:
            patch.setattr(manifests, name, re.compile("(?!)"))

            assert not list(manifests.manifest_secrets(text))


#: A body that its prefix alone makes a token: too short to be one behind any other.
BODY = "q7Rk2mZx9TbvLw4Ys8Hcd"


@pytest.mark.parametrize("word", sorted(prefixed_tokens.OPENS))
def test_each_prefix_that_opens(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is found behind each word for what opens something, and not without the word."""
    run = f"zrk_{word}_{BODY}"
    assert prefixed_tokens.prefixed_token(run) == (0, len(run))

    monkeypatch.setattr(prefixed_tokens, "OPENS", prefixed_tokens.OPENS - {word})

    assert prefixed_tokens.prefixed_token(run) is None


def prefixes_of_names() -> Iterator[str]:
    """Yield each prefix that begins a name."""
    choices = prefixed_tokens.NAMES.pattern.partition("(?:pub")[2].rpartition(")[_-]$")[0]
    for choice in ("pub" + choices).split("|"):
        yield re.sub(r"\\[wd]\*", "", choice)


@pytest.mark.parametrize("prefix", sorted(prefixes_of_names()))
def test_each_prefix_of_a_name(prefix: str) -> None:
    """What looks like a token is a name behind each prefix of names."""
    body = "q7Rk2mZx9TbvLw4Ys8HcNf3JgXp6Dz1W"

    assert prefixed_tokens.prefixed_token(f"zrk_{body}")
    assert prefixed_tokens.prefixed_token(f"{prefix}_{body}") is None


#: What only one expression of named secrets finds.
FIELDS = {
    "_PAIRED": f'{{"name": "db_password", "value": "{VALUE}"}}',
    "_PAIRED_BEFORE": f'{{"value": "{VALUE}", "name": "db_password"}}',
    "_SETTING": 'db_password "Winter2025"\n',
    "_ARGUMENT": "acme --password Winter2025",
}


@pytest.mark.parametrize("name", FIELDS)
def test_each_field_beside_a_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value in a field, line or option is found, and not without the expression for it."""
    named = named_secrets.NamedSecrets()
    text = FIELDS[name]

    def values() -> list[tuple[str, int, int]]:
        return list(named.search(text, text.lower(), named.signs))

    monkeypatch.setattr(named_secrets, "_APART", re.compile("(?!)"))
    assert values()

    monkeypatch.setattr(named_secrets, name, re.compile("(?!)"))

    assert not values()
